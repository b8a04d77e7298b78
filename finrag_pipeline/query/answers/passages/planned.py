"""Whether a figure was planned, expected, or counted since the beginning: what was
done in a year answers for none of them."""

from __future__ import annotations

import re

from finrag_pipeline.query.question.timing import PLANNED

#: As questions and texts say it.
_QUALIFIED = (
    (
        PLANNED,
        re.compile(
            r"目标|计划|规划|预算|指引|预计|力争(?!取)|争取(?=实现|完成|达|在|于|到|把|[今全]?年)|拟|将|确保|"
            r"\b(?:targets?|guidance|guid(?:e[sd]?|ing)|budget|plan|expect|will)",
            re.IGNORECASE,
        ),
    ),
    (
        re.compile(
            r"市场(?:的|一致)*预[期测]|一致预[期测]|\bconsensus\b|\bthe street\b", re.IGNORECASE
        ),
        re.compile(r"预[期测]|一致|\b(?:consensus|expect|street)", re.IGNORECASE),
    ),
    (
        re.compile(r"\bexpects? to\b", re.IGNORECASE),
        re.compile(
            r"预[计期测]|将|拟|计划|目标|指引|"
            r"\b(?:expect|anticipat|estimat|forecast|plan|will|guid|outlook)|\b20\d\d\s?E\b",
            re.IGNORECASE,
        ),
    ),
)
#: What is asked for as counted since the beginning, and figures that say so themselves.
_SINCE_ASKED = re.compile(
    r"累计|迄今|至今|到目前为止|"
    r"(?:一|总)?共(?:申请|获得?|做|开|建|服务|完成|签|拿)[^，,]{0,4}过|"
    r"\b(?:cumulative(?:ly)?|to date|so far)\b",
    re.IGNORECASE,
)
_SINCE_TOLD = re.compile(
    r"累[计积]|迄今|至今|共(?!同)|总[计共]|合计|历史|\b(?:cumulative|total|to date|so far|since)",
    re.IGNORECASE,
)


def lacks_standing(question: str, text: str) -> bool:
    """Whether a question asks for such a figure, and a text does not say that it tells one.

    >>> asked = "2024年发电量目标是多少"
    >>> [lacks_standing(asked, f"2024年{each}发电2959亿千瓦时") for each in ("", "计划")]
    [True, False]
    >>> lacks_standing(asked, "2024年全力争取调度支持，发电2959亿千瓦时")
    True
    """
    return any(asked.search(question) and not told.search(text) for asked, told in _QUALIFIED)


def lacks_beginning(question: str, clause: str) -> bool:
    """Whether a question asks what there was since the beginning, and the clause of a figure does
    not say that it counts so.

    >>> asked = "截至2023年累计申请专利多少件"
    >>> lacks_beginning(asked, "申请专利3,571件"), lacks_beginning(asked, "累计申请专利11.9万件")
    (True, False)
    """
    return bool(_SINCE_ASKED.search(question)) and not _SINCE_TOLD.search(clause)
