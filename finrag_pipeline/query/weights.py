"""What counts how much in a ranking: every share and factor, with the measurement that chose it.

How they are applied belongs to `fusion`, the lanes, the evidence and the writers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

# Cormack, Clarke and Büttcher (SIGIR 2009) took 60; 10 tells the first places of a lane further
# apart. Recall among the first 10 and MRR of what is fused, before reranking, with the vector lane
# of e5 at .3 and at 1: 274 questions on annual reports .998 (.77) and .998 (.78), 75 in other words
# than their passage .63 (.45) and .73 (.47), 50 on English filings .92 (.74) and .94 (.65), 30 on
# Chinese ones .85 (.70) both; reranked, those in other words .68 and .70, all others alike
# (docs/evaluation.md, Reranking). The graph lane changes nothing with .05; with .1 pages are lost.
RRF_K = 10
#: What a rank in a lane counts; 1 for lanes that are not named.
LANE_WEIGHTS: Mapping[str, float] = MappingProxyType(
    # the figure that is asked for stands before all passages; for reports:
    # below 1 / 20 for the first report: no passage among the first 10 of the keyword lane loses its
    # place to one that only this lane has
    {"vector": 1.0, "table": 0.3, "graph": 0.05, "community": 0.5, "fact": 3.0}
)
#: The same for who asks for the graph: it counts as much as the vector lane.
GRAPH_WEIGHTS: Mapping[str, float] = MappingProxyType({"vector": 0.3, "table": 0.3, "graph": 0.3})
#: The same for a question that asks for the whole: two reports stand before any passage, though
#: all other lanes have it first, and the next ones among them.
WHOLE_WEIGHTS: Mapping[str, float] = MappingProxyType({**LANE_WEIGHTS, "community": 2.6})

# Gold pages among the first 10 of the keyword lane alone, and MRR, for 0, 1 and 2: 20 questions on
# English filings .85 (.31), .90 (.47), .90 (.49), 50 others on the same .90 (.69), .88 (.67), .88
# (.64), 137 on annual reports .84 (.50), .85 (.63), .85 (.65) (docs/evaluation.md, Fields).
#: What the metrics that a question names count beside its words, in the keyword lane.
METRIC_SHARE = 1.0
#: The same among tables alone.
TABLE_METRIC_SHARE = 2.0
#: How far a question is about metrics, 0 to 1, from which the table lane joins the others.
ABOUT_METRICS = 0.8

#: What the best piece of another kind on its page adds to a piece, of that one's score. Keyword and
#: table lane fused, MRR for 0, .1 and .3: questions on English filings .475, .484, .484, on annual
#: reports .658, .658, .656; with the document given .860, .860, .775.
PAGE_SUPPORT = 0.1
# For 1, 2 and any number the gold page of 20 questions on English filings is among the first 10 in
# .90, .85 and .85, of 274 on annual reports in .839 each. An answer may need what stands beside.
#: Pieces of one page before those of others, in a search and behind an answer.
PAGE_PIECES, ANSWER_PAGE_PIECES = 1, 2
#: Reports of communities among the results of a search; more where a question asks for the whole,
#: which reports tell best: but who asks which companies (哪些) wants passages beside them, and
#: without a bound reports took up to 7 of 10 places.
REPORTS_SHARE, WHOLE_REPORTS_SHARE = 0.2, 0.3

# Questions on annual reports, most of them on figures, find their page among the first 10 no more
# often when they are widened: .30 of 50 by their own vector and by this share, .28 by .3 and .6. It
# is for rules that are spread over passages which do not name what is asked.
#: How far the lite lane leans towards what surrounds a question: names of neighbours drown it.
WIDENED_SHARE = 0.15

# A step between ranks is 8 % at the top of a fused ranking: .93 costs a set phrase one place, 1.02
# settles near ties. 137 questions on annual reports and 160 pieces of their template text
# (`benchmarks/ranking_weights.py` tells the first): found among the first 10 in .825 and .963 of
# cases without factors and with these, set phrases among the first five half as often. .90 finds
# .956 of the pieces.
#: What the fused score of a chunk is multiplied with, by its value class.
VALUE_FACTORS: Mapping[str, float] = MappingProxyType(
    {"argument": 1.02, "plain": 1.0, "figures": 0.93, "template": 0.93}
)

# What a question says of whom and when weighs documents (`question.scope`).
#: What filings of other companies keep where a question surely names one, and what research on
#: others does: it speaks of suppliers, customers and rivals. What is about no company keeps all.
OTHER_FILINGS_SHARE = 0.4
OTHER_RESEARCH_SHARE = 0.85
#: What documents of other houses keep where a question names one.
PUBLISHER_SHARE = 0.7
#: What documents of other forms keep where a question names one: 年报, 10-Q.
FORM_SHARE = 0.93
#: What documents lose that are older than the newest by `RECENCY_DAYS`, where the latest is asked.
RECENCY_SHARE = 0.3
RECENCY_DAYS = 365


@dataclass(frozen=True, slots=True)
class PeriodShares:
    """What a document keeps by the period that it reports on, 1 for the one asked for.

    Attributes:
        after: by years after the one asked for: one, two, more. Annual reports compare with the
            year before, statements of income with two.
        before: a filing on what was before: it cannot know.
        part: a filing on a part of the year asked for.
        undated: what reports on no period and was published in the year asked for or the next.
        research: what brokers wrote at another time: they look forward and back.
        compared: where the period is not the latest of those asked for.
    """

    after: tuple[float, float, float] = (0.9, 0.85, 0.6)
    before: float = 0.5
    part: float = 0.8
    undated: float = 0.9
    research: float = 0.85
    compared: float = 0.97

    def later(self, years: int) -> float:
        """By how many years after the one asked for."""
        if years == 0:
            return 1.0
        return self.before if years < 0 else self.after[min(years, 3) - 1]


PERIOD_SHARES = PeriodShares()

#: What a figure adds to a sentence, beside coverage and cosine, where a figure is asked for.
FIGURE_BONUS = 0.2
#: A sentence of the result at rank r adds 1 / (this + r): the order of the lanes.
SENTENCE_RANK = 4
#: Of a finding's score what the terms that it covers count; the rest is its cosine.
COVERED_SHARE = 0.7
