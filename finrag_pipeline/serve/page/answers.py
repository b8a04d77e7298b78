"""An answer as the page shows it: its lines with marks and figures that open where they stand.

What a question was read as is `readings`, what stands around a citation `sheets`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from itertools import accumulate

from finrag_pipeline.query.evidence.citation import MARK, Citation
from finrag_pipeline.query.evidence.results import Answer, Json
from finrag_pipeline.serve.page import leading_on
from finrag_pipeline.serve.page.listings import WHERE, Column, Listing, box_of
from finrag_pipeline.serve.page.places import sheet_address
from finrag_pipeline.serve.page.visits import Visit

#: A line that says how a figure is worked out, and a figure in it.
_WORKING = re.compile(r"\s=\s")
_FIGURE = re.compile(r"\d")
#: Stages shorter than this share of the whole are told, not drawn.
_LEAST_SHARE = 0.002
_LONG_QUOTE = 280
_SOURCES = (
    Column("n", "No.", number=True),
    Column("kind", "Kind"),
    Column("quote", "Quote"),
    Column("published_on", "Published"),
    *WHERE,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Some characters of a line.

    Attributes:
        kind: cite, figure, worked where it opens something, taken in a quote; else empty.
        n: of the citation that it opens.
        href: where it leads; empty where it leads nowhere.
    """

    text: str
    kind: str = ""
    n: int = 0
    href: str = ""


@dataclass(frozen=True, slots=True)
class Working:
    """How a figure is worked out, with what it rests on."""

    anchor: str
    pieces: tuple[Piece, ...]
    cells: tuple[Cited, ...]


@dataclass(frozen=True, slots=True)
class Cited:
    """One piece of evidence in the list under an answer; figures that it holds are marked."""

    n: int
    kind: str
    quote: tuple[Piece, ...]
    source: str
    house: str
    page: int | None
    published_on: date | None
    href: str

    @property
    def long(self) -> bool:
        return sum(len(each.text) for each in self.quote) > _LONG_QUOTE


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage with its milliseconds, and its part of the bar in percent."""

    name: str
    ms: float
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer in the pieces that the page is made of.

    Attributes:
        direct: the line that answers; empty pieces for none.
        lines: what follows it.
        searched: of a refusal, what was looked for; `nearest` what is held instead, and why that
            differs.
        choices: what the question may mean, each with the question that means it.
        companies: whom the question names, each with the address of its page.
        graph: the address of the picture of what the answer says around it; empty for none.
        fingerprint: another one where the answer or what it cites is another.
    """

    answer: Answer
    direct: tuple[Piece, ...]
    lines: tuple[tuple[Piece, ...], ...]
    searched: tuple[tuple[Piece, ...], ...]
    nearest: tuple[tuple[Piece, ...], ...]
    workings: tuple[Working, ...]
    evidence: tuple[Cited, ...]
    stages: tuple[Stage, ...]
    choices: tuple[tuple[str, str], ...]
    companies: tuple[tuple[str, str], ...]
    graph: str
    fingerprint: str

    @property
    def answered(self) -> bool:
        return self.answer.status == "answered"

    @property
    def build(self) -> Json:
        """The weekly build that it rests on; empty where it rests on none."""
        return self.answer.route.get("build") or {}


def show(answer: Answer, visit: Visit) -> ShownAnswer:
    """Everything that the page shows of an answer."""
    evidence = tuple(_cited(each, answer, visit) for each in answer.evidence)
    by_number = {each.n: each for each in evidence}
    texts = answer.answer.split("\n")
    starts = list(accumulate((len(each) + 1 for each in texts), initial=0))
    workings: list[Working] = []
    rest: list[tuple[int, str]] = []
    for start, text in zip(starts, texts, strict=False):
        cites = dict.fromkeys(int(n) for n in MARK.findall(text))
        if rest and cites and _WORKING.search(text):
            cells = tuple(by_number[n] for n in cites if n in by_number)
            pieces = tuple(_pieces(start, text, answer, by_number, ()))
            workings.append(Working(f"working-{len(workings) + 1}", pieces, cells))
        elif text.strip():
            rest.append((start, text))
    lines = [tuple(_pieces(start, text, answer, by_number, workings)) for start, text in rest]
    refused = answer.status != "answered"
    behind = lines[1:]
    return ShownAnswer(
        answer,
        lines[0] if lines else (),
        () if refused else tuple(behind),
        tuple(each for each in behind if refused and not _cites(each)),
        tuple(each for each in behind if refused and _cites(each)),
        tuple(workings),
        evidence,
        tuple(_stages(answer.latency_ms)),
        tuple(
            (each["name"], each.get("question") or f"{each['name']} {answer.question}")
            for each in answer.choices
            if each.get("name")
        ),
        tuple(leading_on.companies(answer, visit)),
        leading_on.graph(answer, visit),
        _fingerprint(answer),
    )


def sources_listing(evidence: Sequence[Citation]) -> Listing:
    """What an answer cites, a row a place."""
    rows = tuple(
        {
            "n": each.n,
            "kind": each.kind,
            "quote": each.quote,
            "published_on": each.published_on,
            "document_id": each.document_id,
            "source": each.source,
            "page": place.page if place else None,
            "box": box_of(place),
        }
        for each in evidence
        for place in each.places or (None,)
    )
    return Listing("sources", "Sources", _SOURCES, rows)


def _pieces(
    start: int,
    text: str,
    answer: Answer,
    cited: dict[int, Cited],
    workings: Sequence[Working],
) -> Iterator[Piece]:
    """A line in pieces: marks and figures with what they open, and text between them."""
    opening: list[tuple[int, int, Piece]] = []
    for mark in MARK.finditer(text):
        if each := cited.get(int(mark[1])):
            opening.append((*mark.span(), Piece(mark[1], "cite", each.n, each.href)))
    for span in _held(answer):
        first, last = span["start"] - start, span["end"] - start
        if first >= 0 and last <= len(text):
            if (each := cited.get(span["n"])) and each.href:
                opening.append((first, last, Piece(span["text"], "figure", each.n, each.href)))
            elif anchor := _worked(span["text"], workings):
                opening.append((first, last, Piece(span["text"], "worked", 0, f"#{anchor}")))
    at = 0
    for first, last, piece in sorted(opening, key=lambda each: each[:2]):
        if first >= at:
            if text[at:first]:
                yield Piece(text[at:first])
            yield piece
            at = last
    if text[at:]:
        yield Piece(text[at:])


def _held(answer: Answer) -> list[Json]:
    """What an answer says that evidence or a formula holds."""
    return [each for each in (answer.grounding or {}).get("spans", ()) if "lack" not in each]


def _worked(figure: str, workings: Sequence[Working]) -> str:
    """The working that ends in a figure; empty for what is none."""
    if not _FIGURE.search(figure):
        return ""
    for each in workings:
        said = "".join(piece.text for piece in each.pieces if piece.kind != "cite")
        if said.rpartition("=")[2].strip() == figure:
            return each.anchor
    return ""


def _cites(pieces: Sequence[Piece]) -> bool:
    return any(each.kind == "cite" for each in pieces)


def _cited(each: Citation, answer: Answer, visit: Visit) -> Cited:
    facts = visit.catalogue.documents.get(each.document_id or "")
    return Cited(
        each.n,
        each.kind,
        tuple(_quoted(each, answer)),
        each.source or "",
        (facts.row.broker if facts else None) or "",
        each.places[0].page if each.places else None,
        each.published_on,
        sheet_address(each, visit),
    )


def _quoted(citation: Citation, answer: Answer) -> Iterator[Piece]:
    """A quote with the figures that the answer takes from it."""
    spans = [each for each in _held(answer) if each["n"] == citation.n and each["quote"]]
    taken = {tuple(each["quote"]) for each in spans}
    at = 0
    for first, last in sorted(taken):
        if first >= at:
            yield Piece(citation.quote[at:first])
            yield Piece(citation.quote[first:last], "taken")
            at = last
    yield Piece(citation.quote[at:])


def _stages(latency_ms: dict[str, float]) -> Iterator[Stage]:
    """Stages beside each other; their sum may be more than the whole: lanes run at a time."""
    named = {name: ms for name, ms in latency_ms.items() if name != "total"}
    whole = sum(named.values()) or 1.0
    start = 0.0
    for name, ms in named.items():
        width = 100 * ms / whole
        yield Stage(name, ms, start, width if ms / whole >= _LEAST_SHARE else 0.0)
        start += width


def _fingerprint(answer: Answer) -> str:
    places = [
        (each.document_id, [(place.page, place.bbox) for place in each.places])
        for each in answer.evidence
    ]
    return sha256(repr((answer.status, answer.answer, places)).encode()).hexdigest()[:12]
