"""Lines of records and sentences of documents to an answer, every statement with its citation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from finrag_pipeline.query.answers.accounts.asks import phrases
from finrag_pipeline.query.answers.accounts.records import Line
from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.kinds import EvidenceItem, Quotable


@dataclass(slots=True)
class Told:
    """An answer as it grows.

    Attributes:
        english: 1 where it is told in English, else 0.
    """

    english: int
    lines: list[str] = field(default_factory=list[str])
    citations: list[Citation] = field(default_factory=list[Citation])
    sources: dict[str, EvidenceItem] = field(default_factory=dict[str, EvidenceItem])
    _said: set[str] = field(default_factory=set[str])

    def records(self, lead: str, lines: Sequence[Line]) -> None:
        """A line of an answer out of lines of records; those that stand together cite once."""
        new = [line for line in lines if line.text not in self._said]
        parts: list[str] = []
        for _, run in groupby(
            enumerate(new), key=lambda each: (each[1].item.source, each[1].at - each[0])
        ):
            together = [line for _, line in run]
            quote = "\n".join(line.printed for line in together)
            places = tuple(dict.fromkeys(line.place for line in together))
            said = self._phrase("join").join(
                _said(line, self._phrase("colon")) for line in together
            )
            parts.append(f"{said}{self._cite(together[0].item, quote, places)}")
            self._said.update(line.text for line in together)
        self._line(lead, parts)

    def sentences(
        self, lead: str, found: Sequence[tuple[EvidenceItem, Quotable]], name: str = ""
    ) -> None:
        """A line of an answer out of sentences of documents, under a name if there is one."""
        parts: list[str] = []
        for item, each in found:
            if each.quote not in self._said:
                said = each.told.strip().rstrip("。.；;")
                parts.append(f"{said}{self._cite(item, each.quote, each.places)}")
                self._said.add(each.quote)
        self._line(lead, parts, name)

    def _line(self, lead: str, parts: Sequence[str], name: str = "") -> None:
        if parts:
            shown = " ".join(
                filter(None, [self._phrase(lead) if lead in phrases() else lead, name])
            )
            said = self._phrase("join").join(parts)
            self.lines.append(f"{shown}{self._phrase('colon')}{said}")

    def _cite(self, item: EvidenceItem, quote: str, places: tuple[object, ...]) -> str:
        n = len(self.citations) + 1
        self.citations.append(item.cite(n, quote, places))  # pyright: ignore[reportArgumentType]
        self.sources[repr(item.key)] = item
        return f"[{n}]"

    def _phrase(self, name: str) -> str:
        return phrases()[name][self.english]


def _said(line: Line, colon: str) -> str:
    """A sentence on the company as it is; what is none with its label."""
    text = line.text.rstrip("。.")
    return text if (line.item.company or "\0") in text else f"{line.label}{colon}{text}"
