"""People where their office, their role or 先生 is printed beside the name.

Whom a document names as its analysts is metadata; here they are found where they are printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from finrag_pipeline.records import Metadata
from finrag_pipeline.stages.extraction.spans import Found
from finrag_pipeline.stages.extraction.tagging import Tagged, Word

_SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘"
    "杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷"
    "施陶洪翟安颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂丛焦向柳邢路岳齐梅莫庄辛管祝左涂谷祁时舒耿牟卜詹关苗凌费纪靳"
    "盛童欧甄项曲成游阳裴席卫查屈鲍位覃霍翁隋植甘景薄单包司柏宁柯阮桂闵解强柴华车冉房边郁褚池宓栾"
)
_DOUBLE = "欧阳|司徒|上官|诸葛|司马|东方|独孤|南宫|夏侯|尉迟|皇甫|慕容|令狐|端木|公孙|澹台"
_NAME = rf"(?:(?:{_DOUBLE})[\u4e00-\u9fff]{{1,2}}|[{_SURNAMES}][\u4e00-\u9fff]{{1,2}})"
_OFFICE = (
    r"(?:名誉董事长|副董事长|董事长|联席董事长|执行董事|独立董事|非执行董事|董事会秘书|董秘|"
    r"董事|监事会主席|监事|总经理|"
    r"副总经理|常务副总经理|联席总裁|执行总裁|副总裁|高级副总裁|总裁|首席执行官|首席财务官|"
    r"首席运营官|首席科学家|首席技术官|"
    r"财务总监|财务负责人|总会计师|总工程师|创始人|联合创始人|实际控制人|实控人|法定代表人|"
    r"会计机构负责人|主管会计工作负责人|公司负责人|"
    r"证券事务代表|行长|副行长|主任|部长|局长|会长|秘书长|CEO|CFO|COO|CTO)"
)
_ANALYST = r"(?:证券分析师|首席分析师|分析师|研究员|联系人|研究助理|分析师姓名)"
_AFTER = (
    r"(?=$|[\s，。、；：:,;（(）)“”/]|先生|女士|博士|教授|表示|指出|认为|在|任|担任|于|等|"
    r"为|的|和|与|及|直接|持有|持股|通过|先后)"
)
_HELD = re.compile(
    rf"{_OFFICE}(?:(?:、|兼|及|和){_OFFICE})*(?:\s*[:：为是]\s*|\s*)({_NAME}){_AFTER}"
)
_WROTE = re.compile(rf"{_ANALYST}\s*[:：]?\s*({_NAME}){_AFTER}")
_POLITE = re.compile(
    rf"(?<![\u4e00-\u9fff])({_NAME})(?=先生|女士)|(?<=[由为，、和与])({_NAME})(?=先生|女士)"
)
_ENGLISH_NAME = r"[A-Z][a-z]+(?: [A-Z]\.)?(?: [A-Z][a-z'’\-]+){1,2}"
_ENGLISH_OFFICE = (
    r"(?:Chief (?:Executive|Financial|Operating|Technology|Accounting|Legal) Officer|(?:Vice )"
    r"?Chair(?:man|woman|person)?"
    r"|(?:Executive |Senior )*(?:Vice )?President|General Counsel|Treasurer|Controller|"
    r"Secretary|Director|CEO|CFO|COO|Analyst)"
)
_ENGLISH_HELD = re.compile(rf"({_ENGLISH_NAME}),? (?:our |the |its |as )*{_ENGLISH_OFFICE}\b")
_ENGLISH_TITLED = re.compile(
    rf"(?:Mr|Ms|Mrs|Dr)\. ({_ENGLISH_NAME}|[A-Z][a-z]+)\b|Analysts?: ({_ENGLISH_NAME})"
)
_FULL_NAME = 3
_LATIN_SURNAMES = (
    "WANG|LI|ZHANG|LIU|CHEN|YANG|ZHAO|HUANG|ZHOU|WU|XU|SUN|HU|ZHU|GAO|LIN|HE|GUO|MA|LUO|LIANG|SONG|ZHENG|XIE|HAN|TANG|FENG"
    "|YU|DONG|XIAO|CHENG|CAO|YUAN|DENG|FU|SHEN|ZENG|PENG|LU|SU|JIANG|CAI|JIA|DING|WEI|XUE|YE|YAN|PAN|DU|DAI|XIA|ZHONG|TIAN"
    "|REN|FAN|FANG|SHI|YAO|TAN|LIAO|ZOU|XIONG|JIN|HAO|KONG|BAI|CUI|KANG|MAO|QIU|QIN|GU|HOU|SHAO|MENG|LONG|WAN|DUAN|QIAN|YIN"
)
_SYLLABLE = (
    "(?:(?:[BPMFDTNLGKHJQXRZCSYW]|ZH|CH|SH)?(?:[AEOIUV]|AI|EI|AO|OU|AN|EN|ANG|ENG|ONG|IA|IE|IAO|IU|IAN"
    "|IN|IANG|ING|IONG|UA|UO|UAI|UI|UAN|UN|UANG|UE))"
)
_LATIN_NAME = re.compile(f"{_SYLLABLE}{{1,2}} (?:{_LATIN_SURNAMES})")
#: What the patterns take for a name and is none.
_NO_PERSON = re.compile(
    r"^(?:高级|高管|任命|任职|任期|方案|方面|成员|成立|成为|成功|向公|向全|和|万元|安全|关于|"
    r"关联|时间|管理|单位|包括|江苏|金额|"
    r"华东|解释|解决|费用|强化|项目|文件|章程|严格|严重|查询|段|高度|常务|温馨|齐全|位于|白酒|"
    r"白银|金融|石油|石化|毛利|华为|"
    r"于会|于本|于报|田径|边|景气)"
)


_NO_NAME_WORD = frozenset(
    {
        "Senior",
        "Executive",
        "Vice",
        "Chief",
        "Our",
        "The",
        "And",
        "New",
        "Corporate",
        "Lead",
        "Board",
    }
    | {"Independent", "Controller", "General", "Group", "Global", "Former", "Company", "President"}
    | {
        "Chairman",
        "Officer",
        "Director",
        "Principal",
        "Deputy",
        "Assistant",
        "Interim",
        "Financial",
    }
    | {"Managing", "Operating", "Associate", "Internal", "Human", "Inc", "Corp", "Business", "Unit"}
)


#: Beside a word that a tagger takes for a person's name: what shows that it is one.
_SHOWN_BEFORE = re.compile(
    rf"(?:{_OFFICE}|{_ANALYST}|控股股东|股东|自然人|作者|签字注册会计师|注册会计师|保荐代表人|一致行动人|教授|博士|院士"
    r"|专家|主任医师)(?:为|是|系|由|：|:|\s|、)*$"
)
_SHOWN_AFTER = re.compile(
    rf"\s*(?:先生|女士|博士|教授|院士|医生|等人|院士团队|团队|夫妇)|\s*[，,（(：:]?\s*[\u4e00-\u9fff]{{0,4}}(?:首席|资深|高级|助理)?"
    rf"(?:分析师|研究员|研究助理)|\s*[，,（(]?\s*(?:(?:现任|历任|曾任|担任|出任|兼任|任)?(?:公司)?{_OFFICE})"
    r"|(?:直接|间接|合计)?持(?:股|有)|毕业于|曾(?:任|就职)|历任|出任|当选|辞去|创立|创办|出生于|(?:[，,])?(?:男|女)[，,]"
)
_LISTED = re.compile(r"\s*[、和与及]\s*")
_ANY_NAME = re.compile(rf"{_NAME}|[\u4e00-\u9fff]{{1,8}}(?:[·•][\u4e00-\u9fff]{{1,8}}){{1,3}}")


def reads_as_person(text: str) -> bool:
    """Whether a text is a surname with two more characters: 刘观赛, and not 高瓴.

    >>> reads_as_person("刘观赛"), reads_as_person("高瓴"), reads_as_person("诺泰诺")
    (True, False, False)
    """
    return len(text) == _FULL_NAME and re.fullmatch(_NAME, text) is not None


def reads_as_latin_person(text: str) -> bool:
    """Whether a text is a Chinese name as passports spell it, in capitals, the surname last.

    >>> [reads_as_latin_person(text) for text in ("JIN LI", "XIAOMING ZHANG", "ADI", "WUXI APPTEC")]
    [True, True, False, False]
    """
    return _LATIN_NAME.fullmatch(text) is not None


def tagged_people(chunks: Sequence[Tagged]) -> list[list[Found]]:
    """People whom a tagger proposes and something beside one of their names shows, wherever a
    document names them."""
    shown = {chunk.shown(word) for chunk in chunks for word in _shown_people(chunk)}
    return [
        [
            Found(word.start, word.end, "person", "medium", 2)
            for word in chunk.words
            if word.tag == "PER" and chunk.shown(word) in shown
        ]
        for chunk in chunks
    ]


def _shown_people(chunk: Tagged) -> Iterator[Word]:
    text = chunk.text
    last: Word | None = None
    for word in chunk.words:
        if word.tag != "PER" or not _ANY_NAME.fullmatch(chunk.shown(word)):
            continue
        if _NO_PERSON.match(chunk.shown(word)):
            continue
        listed = last is not None and _LISTED.fullmatch(text, last.end, word.start) is not None
        before = text[max(0, word.start - 12) : word.start]
        if listed or _SHOWN_BEFORE.search(before) or _SHOWN_AFTER.match(text, word.end):
            yield word
            last = word


def people(chunk: Tagged, metadata: Metadata) -> Iterator[Found]:
    """People in a chunk; for whom they work is settled where all names are known."""
    for found in _people(chunk.text, metadata):
        at = chunk.at(found.start)
        word = chunk.words[at] if at >= 0 else None
        behind = chunk.words[at + 1].tag if 0 <= at < len(chunk.words) - 1 else ""
        cut = word is not None and found.start + 1 < word.end < found.end
        # 钟江|注: a tagger knows better where a name ends, but for a rare last character
        if word and word.tag == "PER" and cut and behind not in ("LOC", "PER", "nz"):
            name = chunk.shown(word)
            yield replace(found, end=word.end, name=name)
        else:
            yield found


def _people(text: str, metadata: Metadata) -> Iterator[Found]:
    for pattern in (_HELD, _POLITE, _ENGLISH_HELD, _ENGLISH_TITLED):
        for match in pattern.finditer(text):
            for group, name in enumerate(match.groups(), 1):
                if name and not _NO_PERSON.match(name) and _NO_NAME_WORD.isdisjoint(name.split()):
                    yield Found(*match.span(group), "person", "high", 3, name)
    for match in _WROTE.finditer(text):
        if not _NO_PERSON.match(match[1]):
            yield Found(*match.span(1), "person", "high", 3, match[1], company=metadata.broker)
    for name in metadata.analysts:
        for match in re.finditer(rf"(?<![\w])(?:{re.escape(name)})(?!\w)", text):
            yield Found(*match.span(), "person", "high", 4, name, company=metadata.broker)
