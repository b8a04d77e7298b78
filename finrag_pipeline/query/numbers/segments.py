"""Which of the segments that are held a question means: 储能业务 is 储能 and 储能系统业务 is not.

How segments are read out of tables is `stages.facts`.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from finrag_pipeline.query.numbers.expressions import figures_of
from finrag_pipeline.query.numbers.operands import Held
from finrag_pipeline.query.numbers.records import Measure
from finrag_pipeline.words import fold

_COMMON = re.compile(
    r"主营业务|业务|产品线?|板块|线$|分部|地区|市场|事业部|行业|收入|及其他|\b(?:segment|division|business|region)s?\b"
)

#: What companies call the same part: what is sold at home, and what abroad.
_ALIKE = (
    frozenset(("境内", "国内", "内销", "中国大陆", "中国境内", "中国")),
    frozenset(("境外", "国外", "海外", "外销", "出口", "中国境外")),
)


def segments_meant(
    asked: tuple[str, ...], company: str, measure: Measure, held: Held
) -> tuple[str, ...]:
    """The held segments that are asked for; a whole company's is the empty one.

    What is asked for and not held is given as it is asked, so that its figure is missing.
    """
    if not asked:
        return ("",)
    metrics = {each.metric for each in figures_of(measure.expression)}
    there = {
        each.segment
        for each in held.facts
        if each.company_key == company and each.segment and each.metric in metrics
    }
    found: list[str] = []
    for word in asked:
        # 其他产品 is asked for, and 其他 is another one
        same = [each for each in there if fold(each) == fold(word)]
        same = same or sorted(each for each in there if _bare(each) == _bare(word))
        found += same or _called_otherwise(word, there) or [word]
    return tuple(dict.fromkeys(found))


def _called_otherwise(word: str, there: Collection[str]) -> list[str]:
    """The one held segment that is another name of what is asked for; empty where several are."""
    group = next((each for each in _ALIKE if _bare(word) in each), frozenset[str]())
    same = sorted(each for each in there if _bare(each) in group)
    return same if len(same) == 1 else []


def _bare(segment: str) -> str:
    return re.sub(r"\W+", "", _COMMON.sub("", fold(segment))) or fold(segment)
