"""The forms in which times of reports are written, by where they stand; the first that fits wins.

What a match of one stands for is `periods`'.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from finrag_pipeline.grammar import days
from finrag_pipeline.grammar.days import MONTH, YEAR

#: Where a form stands: headings, titles and questions are short, and say a period in fewer words.
Style = Literal["text", "heading", "title", "question"]
#: The mark behind a year or quarter: 2025E, 2024A, 2025（预测）.
MARK = r"[AF](?![A-Za-z股])|E(?![A-Za-z])|预测|预计|实际"

_SHORT = r"(?<![\dA-Za-z])(?<!\d[.,])(?:FY\s?|')?(?P<year>\d\d)"
_AFTER = r"(?:FY\s?|')?(?P<year>(?:19|20)\d\d|\d\d)(?!\d)"
_AFTER_LONG = r"(?:FY\s?|')?(?P<year>(?:19|20)\d\d)(?!\d)"
_TO = r"\s*[-–—~至到]\s*"
_MARKED = {
    # behind a figure of a sentence 预计 is a verb
    "text": r"(?:\s?(?P<mark>E|(?<=\d)[AF](?!股))(?![A-Za-z\d]))?",
    "heading": rf"(?:\s*(?:(?P<mark>{MARK})|[（(]\s*(?P<noted>{MARK})\s*[)）]))?",
}
_MARKED["title"] = _MARKED["question"] = _MARKED["text"]
#: Whoever asks leaves the century out: 25年一季报, but not 10年期, 近10年.
_ASKED_YEAR = (
    rf"(?:{YEAR}|(?<![\d.近第过去])(?P<short>[0-3]\d)"
    r"(?=\s*(?:年(?!前(?!三个?季|[369三六九]个?月|[一二三五十\d]+[大名家])|期(?![间末])|[来间内以后]|多(?![赚挣卖花亏多]))|财年|全年|[末底](?![线层部仓薪])|"
    r"前三个?季|[一二三四]季[度报]|中报|[上下]半年|半年报)))"
)
_OF = r"(?:FY\s?'?|fiscal (?:year )?)"
_BY = r"(?:'s)?\s*(?:of|in|for|,|-|')?\s*(?:the )?"
_COUNT = r"(?P<quarter>first|second|third|fourth|[1-4](?:st|nd|rd|th))[\s-]"
#: What follows a number of four digits that is no year.
_COUNTED = "million|billion|thousand|shares|employees|stores|people|万|亿|元|人|家|个|台|股|名"
_SPANS = (
    r"(?<![\dA-Za-z-])(?P<ended>year|quarter(?:ly)?|annual|half|three|six|nine|twelve|thirteen|"
    r"twenty-six|thirty-nine|fifty-(?:two|three)|13|26|39|5[23]|12|[369])"
    r"(?:[\s-](?:year|period|months?|weeks?))?(?: \d{4})?,? (?:ended|ending)[:\s]\s*(?:on )?"
)

#: Styles by their first letters (titles by T), and the form; the first one that fits a place wins.
_FORMS = (
    *(("q", rf"{_SPANS}{form.pattern}") for form in days.FORMS),
    *(
        ("q", rf"{form.pattern}\s*止?的?(?P<ended>(?:三|六|九|十二)(?=个月)|年度)")
        for form in days.FORMS[:2]
    ),
    ("q", rf"between (?:the )?{_OF}?{YEAR} and (?:the )?{_OF}?(?P<until>(?:19|20)\d\d)(?!\d)"),
    (
        "q",
        rf"{_OF}?{YEAR}\s*(?:年度?)?\s*(?:[-–—~至到]|to|through)\s*{_OF}?"
        r"(?P<until>(?:19|20)\d\d)(?![\d-])\s*(?:年度?)?",
    ),
    ("tq", rf"{YEAR}\s*年?{_TO}(?P<until>(?:20)?\d\d)\s*(?:年|E)"),
    ("q", rf"(?<![\d.])(?P<short>[0-3]\d){_TO}(?P<until>[0-3]\d)\s*年(?![期前来间内以多后])"),
    ("thq", rf"{YEAR}\s*年\s*(?P<from>\d\d?)\s*月?{_TO}(?P<to>\d\d?)\s*月(?!\s*\d)"),
    (
        "thTq",
        rf"{YEAR}\s*年?\s*-?(?P<nine>[前头]三个?季度?|[前头][9九]个?月|1\s*-\s*3\s*季度|Q1\s*-\s*Q?3|9M)",
    ),
    ("thTq", r"(?<![\dA-Za-z.])(?P<nine>9M)\s?(?P<year>20\d\d|\d\d)(?!\d)"),
    ("q", rf"{_SHORT}\s?(?P<nine>Q1\s*[-–~～至到]\s*Q?3|9M|前三个?季度?)(?!\d)"),
    ("q", rf"(?<![\dA-Za-z.])(?P<nine>(?:Q?1\s*[-–~～]\s*Q?3|1\s*[-–~～]\s*3)\s?Q?)\s?{_AFTER}"),
    (
        "q",
        rf"{YEAR}\s*年?\s*(?P<half>[前头][6六]个?月|中期(?!报告)|年中(?=[，,。？?、\s的）)]|$|累计|末|底|时点|账|还有|共有|应收|有多少)|"
        r"(?<=年)年中)",
    ),
    ("q", rf"(?P<nine>(?:first )?nine months){_BY}{_OF}?{YEAR}(?!\d)"),
    *(("thq", form.pattern) for form in days.FORMS),
    ("thTq", rf"{YEAR}\s*年?\s*(?P<half>[上下]半年|半年[度报]|中报|中期报告)"),
    ("q", rf"{YEAR}\s*年\s*(?P<half>半年)(?![之内多来前后以])"),
    ("thTq", rf"{YEAR}\s*年?\s*(?:H(?P<side>[12])(?!\d)|(?P<side2>[12])H(?!\d)){{mark}}"),
    ("thTq", rf"(?<![\dA-Za-z.])(?P<side>[12])\s?H\s?{_AFTER}{{mark}}"),
    ("thTq", rf"{_SHORT}\s?H(?P<side>[12])(?!\d){{mark}}(?![A-Za-z])"),
    ("q", rf"(?P<half>first|second) half{_BY}{_OF}?{YEAR}(?!\d)"),
    ("thTq", rf"{YEAR}\s*年?\s*第?\s*(?P<quarter>[一二三四1-4])\s*季(?:[度报]|(?!节))"),
    ("q", rf"{YEAR}\s*年?\s*(?P<quarter>首)季度?"),
    ("q", rf"{_OF}(?P<year>\d{{4}}|\d\d)[\s,-]*Q\s?(?P<quarter>[1-4])(?!\d)"),
    ("q", rf"{_OF}{YEAR}{_BY}{_COUNT}(?:fiscal )?quarter"),
    ("thTq", rf"{YEAR}\s*年?\s*Q\s?(?P<quarter>[1-4])(?!\d){{mark}}"),
    ("q", rf"{YEAR}\s*年?\s*(?P<quarter>[1-4])Q(?![\dA-Za-z])"),
    ("q", rf"{YEAR} {_COUNT}quarter"),
    ("thTq", rf"(?<![\dA-Za-z.])(?P<quarter>[1-4])\s?Q\s?{_AFTER}{{mark}}"),
    ("thTq", rf"{_SHORT}\s?Q(?P<quarter>[1-4])(?!\d){{mark}}(?![A-Za-z])"),
    ("thTq", rf"(?<![\dA-Za-z])Q\s?(?P<quarter>[1-4])\s?{_AFTER_LONG}{{mark}}"),
    ("thTq", rf"(?<![\dA-Za-z])H ?(?P<side>[12]) ?{_AFTER_LONG}{{mark}}"),
    ("q", rf"(?<![\dA-Za-z])(?:fiscal )?Q\s?(?P<quarter>[1-4]){_BY}{_OF}?{YEAR}(?!\d)"),
    ("q", r"(?<![\dA-Za-z])Q\s?(?P<quarter>[1-4])\s?(?:of )?(?:FY\s?'?|')(?P<year>\d\d)(?!\d)"),
    # whoever asks in English leaves the century out: Q4 25, H1 25
    (
        "q",
        r"(?<![\dA-Za-z])(?:Q\s?(?P<quarter>[1-4])|H\s?(?P<side>[12]))\s"
        rf"(?P<year>[0-3]\d)(?![\d.,]\d|\d|\s*(?:%|％|{_COUNTED}))",
    ),
    ("q", rf"(?:fiscal )?{_COUNT}(?:fiscal )?quarter{_BY}{_OF}?{YEAR}(?!\d)"),
    (
        "thT",
        r"(?:the )?(?P<quarter>first|second|third|fourth) (?:fiscal )?quarter of (?:the )?"
        r"(?:fiscal (?:year )?)?(?P<year>20\d\d)",
    ),
    (
        "thq",
        rf"{YEAR}\s*年\s*(?P<month>\d\d?|[一二三四五六七八九]|十[一二]?)\s*月(?:(?P<ends>[末底](?![线层部仓薪]))|(?!内))",
    ),
    ("h", rf"{YEAR}[-/.](?P<month>0[1-9]|1[0-2])(?!\d)"),
    ("h", rf"(?P<name>{MONTH})\s*[-']?\s*(?P<year>(?:19|20)\d\d|\d\d)(?!\d)"),
    ("tq", rf"(?P<name>{MONTH}) (?P<year>(?:19|20)\d\d)(?![\dAEF])"),
    ("T", r"(?P<year>20\d\d)\s*年?\s*(?:度\s*)?(?:年度报告|年度业绩|年报)"),
    ("T", r"(?P<year>20\d\d) annual report|annual report (?:for )?(?P<year2>20\d\d)"),
    ("tq", rf"{YEAR}\s?(?P<mark>E|(?<=\d)[AF](?!股))(?![A-Za-z])"),
    ("t", r"(?:FY|fiscal (?:year )?)\s?(?P<year>20\d\d)(?!\d)"),
    ("T", r"(?<![A-Za-z\d])FY\s?(?:20)?(?P<year>\d\d)(?![A-Za-z\d])"),
    ("t", r"FY\s?(?P<year>\d\d)(?!\d)"),
    ("q", rf"(?<![A-Za-z\d]){_OF}(?P<year>(?:19|20)\d\d|\d\d)(?![A-Za-z\d])"),
    ("q", r"(?<![A-Za-z\d])(?:YE|year[ -]end)\s?'?(?P<year>(?:19|20)\d\d|\d\d)(?![A-Za-z\d])"),
    ("q", rf"{YEAR}\s*(?:财年|fiscal year)"),
    ("q", r"(?<![A-Za-z\d.])(?<!\d,)(?P<year>(?:19|20)\d\d|\d\d)\s?FY(?![A-Za-z\d])"),
    ("q", r"(?<![A-Za-z\d.])(?<!\d,)(?P<year>\d\d)(?P<mark>A(?!股)|E)(?![A-Za-z\d])"),
    ("q", rf"(?<!\d){YEAR}\s*(?:全年|[末底])"),
    ("t", r"(?<!\d)(?P<year>20\d\d)\s*全年"),
    (
        "tq",
        rf"{YEAR}\s*(?:年度?|财年)(?!\s*(?:\d\d?\s*(?:[月季/]|[-–—~至到]\s*\d\d?\s*[月季])|"
        r"[-–~至]\s*(?:19|20)\d\d|代|来))",
    ),
    ("t", r"(?<![A-Za-z]\s)\b(?:in|for|of|during) (?P<year>(?:19|20)\d\d)(?![\d,.]\d|\d)"),
    ("q", rf"(?<![A-Za-z\d_$¥€£.,]){YEAR}(?![\d%％]|s\b|[.,]\d|\s*(?:{_COUNTED}))"),
    ("h", rf"(?:FY\s?)?{YEAR}(?!\d|[.,]\d|\s*年\s*\d\d?\s*月)\s*(?:年度?|财年)?{{mark}}"),
    ("h", r"(?:FY|')\s*(?<![\d.,])(?P<year>\d\d)(?!\d){mark}"),
    ("h", r"^(?P<year>\d\d)(?P<mark>[AEF])$"),
)


@cache
def forms(style: Style) -> tuple[re.Pattern[str], ...]:
    """The patterns of a style, in order."""
    letter = {"text": "t", "heading": "h", "title": "T", "question": "q"}[style]
    year = _ASKED_YEAR if style == "question" else YEAR
    return tuple(
        re.compile(form.replace("{mark}", _MARKED[style]).replace(YEAR, year), re.IGNORECASE)
        for styles, form in _FORMS
        if letter in styles
    )
