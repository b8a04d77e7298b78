"""Links between invented companies, with a sentence behind each."""

from __future__ import annotations

from datetime import date

from finrag_pipeline.records.communities import Build, Passage
from finrag_pipeline.stages.chains.graph import Node, SourcedPassage, StatedLink

BUILD = Build("b1", "default", date(2026, 3, 8), None, "", {}, {}, {}, ())
LAST_WEEK = Build("b0", "default", date(2026, 3, 1), None, "", {}, {}, {}, ())


def statement(quote: str, day: date = date(2026, 3, 2), document: str = "d1") -> SourcedPassage:
    # a chunk of its own
    passage = Passage(document, sum(map(ord, quote)), 0, len(quote), 1, quote, day)
    return SourcedPassage(passage, f"{document}.pdf")


def link(src: str, relation: str, dst: str, *quotes: str, weight: float = 1.0) -> StatedLink:
    told = quotes or (f"{src}与{dst}往来。",)
    return StatedLink((src, relation, dst), weight, tuple(statement(each) for each in told))


def nodes(*links: StatedLink, **types: str) -> dict[str, Node]:
    ends = sorted({end for each in links for end in each.ends})
    return {end: Node(end, end, types.get(end, "company"), ()) for end in ends}
