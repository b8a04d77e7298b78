"""The passages that a report cites, numbered in the order in which it comes to them."""

from __future__ import annotations

from collections.abc import Sequence

from finrag_pipeline.records.communities import Json
from finrag_pipeline.stages.chains.graph import SourcedPassage

#: Passages told of one link, the newest: more of them seldom say more.
MOST_TOLD = 3


class Citations:
    """Numbers from 1; a passage keeps the one that it got first."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, int, int, int], int] = {}
        self._told: list[SourcedPassage] = []

    def cite(self, statements: Sequence[SourcedPassage], most: int = MOST_TOLD) -> list[int]:
        """The numbers of the first of some statements."""
        numbers: list[int] = []
        for each in statements[:most]:
            said = each.passage
            place = (said.document_id, said.chunk, said.start, said.end)
            if place not in self._numbers:
                self._told.append(each)
                self._numbers[place] = len(self._told)
            numbers.append(self._numbers[place])
        return sorted(set(numbers))

    def to_json(self) -> list[Json]:
        """Rows of `chain_reports.citations`."""
        return [
            {"n": n, "source": each.source} | each.passage.to_dict()
            for n, each in enumerate(self._told, start=1)
        ]
