"""Numbers of the figures that an answer cites, in order of their first use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.fact import FactItem


@dataclass(slots=True)
class Marks:
    """What is cited so far.

    Attributes:
        items: every figure that may be cited, by its id.
        made: the citations, numbered from 1.
    """

    items: Mapping[str, FactItem]
    made: list[Citation] = field(default_factory=list[Citation])
    _numbers: dict[str, int] = field(default_factory=dict[str, int])

    def of(self, fact_ids: Iterable[str]) -> str:
        """The marks of some figures, e.g. ``[1][2]``; what readers no longer see has none."""
        known = (each for each in dict.fromkeys(fact_ids) if each in self.items)
        return "".join(f"[{self._number(each)}]" for each in known)

    @property
    def sources(self) -> tuple[FactItem, ...]:
        """The figures that are cited, in their order."""
        return tuple(self.items[each] for each in self._numbers)

    def _number(self, fact_id: str) -> int:
        if fact_id not in self._numbers:
            self._numbers[fact_id] = len(self.made) + 1
            self.made.append(self.items[fact_id].cited(self._numbers[fact_id]))
        return self._numbers[fact_id]
