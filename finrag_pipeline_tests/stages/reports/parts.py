"""Elements of invented communities, with passages as long as what they say."""

from __future__ import annotations

from datetime import date

from finrag_pipeline.records.communities import CommunityReport, Finding, Passage
from finrag_pipeline.stages.reports.elements import Node, Relation, SubReport, Told

DAY = date(2026, 3, 2)


def told(
    text: str, kind: str = "figure", *, document: str = "d1", day: date = DAY, publisher: str = ""
) -> Told:
    """Something that a document of a day says in a sentence of its own."""
    place = sum(map(ord, text)) % 1000
    passage = Passage(document, place, 0, len(text), 1, text, day)
    modality = "conditional" if kind == "risk" else "asserted"
    return Told(kind, text, modality, "", passage, publisher)


def node(name: str, kind: str = "company", degree: int = 1, *claims: Told, what: str = "") -> Node:
    """An entity whose id is its name."""
    said = (told(what, "description"),) if what else ()
    return Node(name, name, kind, (), degree, said, claims)


def relation(src: str, name: str, dst: str, text: str = "", weight: float = 1.0) -> Relation:
    """A relation that one sentence states."""
    sentence = text or f"{src}与{dst}的往来在本年持续扩大。"
    return Relation((src, name, dst), src, dst, weight, 2, (told(sentence, name),))


def sub_report(name: str, summary: str = "", findings: int = 2) -> SubReport:
    """A report on a sub-community with some findings."""
    found = tuple(
        Finding(
            f"{name}的发现{number}。", f"{name}的说明{number}。", (told(f"{name}{number}").passage,)
        )
        for number in range(findings)
    )
    return SubReport(f"r-{name}", CommunityReport(name, summary or f"{name}的概要。", 5, "", found))
