"""Numbers of the passages that an answer made of reports cites, and what its statements rest on.

Where passages stand is `evidence.passages`; which ones a statement cites `writing`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.passages import Cited
from finrag_pipeline.query.evidence.places import numbers_grounded
from finrag_pipeline.records.communities import Passage


@dataclass(slots=True)
class Citations:
    """Numbers of the passages that an answer cites, in order of their first use."""

    cited: Mapping[Passage, Cited]
    made: list[Citation] = field(default_factory=list[Citation])
    _numbers: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])

    def mark(self, passages: Sequence[Passage]) -> str:
        """The marks of some passages, e.g. ``[1][2]``; the same words are cited once a document."""
        numbers = dict.fromkeys(self._number(each) for each in passages)
        return "".join(f"[{n}]" for n in numbers)

    def grounds(self, text: str, passages: Sequence[Passage]) -> bool:
        """Whether every number of a text stands in some passages."""
        return numbers_grounded(text, [self.cited[each].quote for each in passages])

    @property
    def sources(self) -> tuple[ChunkItem, ...]:
        """The chunks that may be cited from."""
        return tuple(each.chunk for each in self.cited.values())

    def _number(self, passage: Passage) -> int:
        cited = self.cited[passage]
        key = (passage.document_id, cited.quote)
        if key not in self._numbers:
            self._numbers[key] = len(self.made) + 1
            self.made.append(cited.citation(self._numbers[key]))
        return self._numbers[key]
