"""What a sentence says that a named thing is: X是一家…, X主营…, X is a maker of …."""

from __future__ import annotations

import re

_NOTE = r"(?:\s*[（(][^（）()]{0,60}[)）])?"
_DEFINES = re.compile(
    rf"{_NOTE}\s*(?P<said>(?:是(?:一家|一种|一类|全球|国内|中国|我国|专业|集|指)|是[^，"
    rf"。；\n]{{0,12}}(?:龙头|企业|公司|厂商|制造商|供应商|服务商|提供商|平台|机构)"
    r"|系(?:一家|指)|(?:专业)?主营(?!业务(?:未|不|、|收入|成本|毛利|的))|主要从事|专注于|是指|指的是)[^。；\n]{3,120}"
    r"|,? (?:is|are|was) (?:an?|the) [^.;\n]{10,160}?(?:company|maker|manufacturer|provider|"
    r"supplier|producer|retailer|developer|operator"
    r"|designer|leader|bank|platform|business)[^.;\n]{0,100}"
    r"|, an? [^.;,\n]{0,40}(?:company|maker|manufacturer|provider|supplier|producer|retailer|"
    r"developer|operator)\b[^.;,\n]{0,80}"
    r"|,? (?:means|refers to(?! as)) [^.;\n]{10,160})"
)


def description_of(text: str, end: int) -> str:
    """What the words behind a name that ends at `end` say that it is; empty where they do not.

    >>> description_of("星河新材是一家磷酸锰铁锂正极企业，主营正极材料。", 4)
    '是一家磷酸锰铁锂正极企业，主营正极材料'
    >>> description_of("星河新材涨价。", 4)
    ''
    """
    match = _DEFINES.match(text, end)
    return match["said"].strip(" ,，") if match else ""
