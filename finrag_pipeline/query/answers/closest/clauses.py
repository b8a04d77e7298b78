"""Which of the figures of one sentence is meant: a later clause goes on with what an earlier one
speaks of, and says the rest: 开展8,672亿元逆回购，净投放781亿元."""

from __future__ import annotations

import re
from collections.abc import Sequence

from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.query.answers.closest.found import FoundFigure, Judged
from finrag_pipeline.query.answers.closest.qualified import lacks_place
from finrag_pipeline.query.answers.passages.measured import says_topic
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.evidence.places import squeeze
from finrag_pipeline.words import fold

#: Weight of a word from which it tells one figure from another: 北方 does, 市场 does not.
_TELLING = 3.0
#: What opens a clause that a figure is only compared in: 比EPS丝杠单车约180元高不少.
_COMPARED = re.compile(
    r"比|较|相比|高于|低于|好于|相当于|\b(?:than|versus|vs|against|compared|from)\b", re.IGNORECASE
)
#: What is called by letters and digits: PASI90, 24某投PPN002, YB-203.
_CODE = re.compile(
    r"(?<![A-Za-z\d])(?:\d{2}[\u3400-\u9fff]{2,4}(?:[A-Z]{2,4})?\d{2,3}|"
    r"(?!(?:top|csi|msci|sse|FY|YE|CY|Q|H|M)[-\d])[A-Za-z]{2,8}-?(?!(?:19|20)\d\d(?!\d))\d{2,4})(?![A-Za-z\d.%])",
    re.IGNORECASE,
)


def in_own_clause(judged: Sequence[Judged], wanted: Wanted) -> list[Judged]:
    """Figures with the one of a later clause in the place of the surest, where that clause says
    more of what is asked than the surest one's own does, and both are counted alike.

    Args:
        judged: the surest first.
    """
    if not judged or judged[0][1].traits.get("table", 1):
        return list(judged)
    sure, first = judged[0]
    weight = WordWeights.packaged().weight
    own = wanted.text(first.text)
    lacking = [each for each in wanted.terms if not own.has(each) and weight(each) >= _TELLING]
    best, most = None, 0.0
    for each in judged[1:]:
        figure = each[1]
        alike = figure.value.get("unit") == first.value.get("unit")
        alike = alike and not _COMPARED.search(figure.label)
        if figure.place[:2] != first.place[:2] or figure.place[2] <= first.place[2] or not alike:
            continue
        said = wanted.text(figure.label)
        more = sum(
            weight(term)
            for term in lacking
            if said.has(term) or says_topic(term, fold(figure.label))
        )
        if more > most:
            best, most = each, more
    if best is None:
        return list(judged)
    return [(sure, best[1]), *(each for each in judged if each is not best)]


def of_what_is_called(judged: Sequence[Judged], wanted: Wanted) -> list[Judged]:
    """Figures without those beside which nothing has what a question calls by letters and digits,
    or where it was: the share of PASI75 is none of PASI90, sales are none abroad."""
    codes = {fold(each) for each in _CODE.findall(wanted.bare)}
    told = ((each, _printed(each[1])) for each in judged)
    return [
        each
        for each, printed in told
        if all(code in printed for code in codes) and not lacks_place(wanted, printed)
    ]


def _printed(figure: FoundFigure) -> str:
    return fold(squeeze(f"{figure.text}\n{figure.around}\n{figure.over}"))
