"""Reads the names of analysts from the texts of a report's first page.

Only forms that print a role, a licence or a mail address beside the name count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

#: Family names that cover nearly all Chinese people (Ministry of Public Security, 2020, top 200,
#: and the common double ones), so that a job title or a sector is not read as a name.
_FAMILIES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任"
    "卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向"
    "常汤康易乔赖文施洪季樊殷翁颜倪温芦俞章鲁葛毕岳庄聂邢祝左齐安梅凌关焦包舒耿詹欧游路童盛柴霍申蓝辛管"
    "甘牛华尚翟卜班阳伍柯涂阮裴阎鲍单桂瞿窦骆冉费祁车柳纪房项解苗娄喻饶牟丘景池闻边宗席宁仇"
)
_NAME = rf"((?:欧阳|上官|司徒|诸葛|司马|[{_FAMILIES}])[\u4e00-\u9fff]{{1,2}})"
_NEXT = r"(?=[^\u4e00-\u9fff]|执业|电话|邮箱|证|登记|联系|研究|分析|证券|首席|资格|编号|$)"
_ROLE = (
    r"(?:联席|首席|高级|资深|证券|行业|助理)*(?:[\u4e00-\u9fff]{2,6}?(?:行业)?)??"
    r"(?:联席|首席|高级|资深|助理|证券|行业|研究)*分析师"
)
_FORMS = (
    re.compile(rf"(?:分析师|研究员|作者|主编|编辑)\s*[:：]\s*([\u4e00-\u9fff]{{2,4}}?){_NEXT}"),
    re.compile(rf"(?:分析师|研究员)\s+{_NAME}{_NEXT}"),
    re.compile(rf"(?<![\u4e00-\u9fff]){_NAME}\s*[（(](?:分析师|联系人|研究助理)[)）]"),
    re.compile(rf"(?<![\u4e00-\u9fff]){_NAME}[ ,，\n]+(?:(?:CFA|CPA|FRM|PhD)\s+)?{_ROLE}"),
    re.compile(rf"(?<![\u4e00-\u9fff]){_NAME}\s*[,，]\s*(?:CFA|CPA|FRM|Ph\.?D)"),
    re.compile(rf"(?<![\u4e00-\u9fff：:]){_NAME}\s*(?:[,，]\s*CFA\s*)?[A-Za-z][\w.\-]*@"),
    re.compile(rf"(?<![\u4e00-\u9fff：:]){_NAME}\s*S\d{{13}}"),
)
_MAIL = re.compile(r"([\w.\-]+)@")
_ENGLISH_NAME = re.compile(r"[A-Z][a-z]+(?: [A-Z][\w.\-]*){1,2}")
_ENGLISH = re.compile(
    r"(?:Analysts?|Authors?)\s*[:：]\s*([A-Z][a-zA-Z.\-]+(?: [A-Z][a-zA-Z.\-]+){1,2})"
)


def read_analysts(texts: Sequence[str]) -> tuple[str, ...]:
    """Names of analysts in order of print, each once.

    Args:
        texts: texts of the first page's regions, in reading order.

    Returns:
        Chinese names of two to four characters; without any, English names after ``Analyst:`` or
        beside a mail address of theirs.
    """
    found: dict[str, None] = {}
    for text in texts:
        spots = sorted(
            (match.start(1), match[1]) for form in _FORMS for match in form.finditer(text)
        )
        found.update(dict.fromkeys(name for _, name in spots))
    if not found:
        labelled = [match[1] for text in texts for match in _ENGLISH.finditer(text)]
        mails = " ".join(mail.lower() for text in texts for mail in _MAIL.findall(text))
        lines = [line.strip() for text in texts for line in text.splitlines()]
        # a name on a line of its own is a person's when a mail address holds the family name
        mailed = [
            line
            for line in lines
            if _ENGLISH_NAME.fullmatch(line) and line.split()[-1].lower() in mails
        ]
        found.update(dict.fromkeys([*labelled, *mailed]))
    return tuple(found)
