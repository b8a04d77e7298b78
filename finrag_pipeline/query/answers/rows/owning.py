"""Whose the rows of a table are: of whom its document is about, else of whom they name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from finrag_pipeline.query.answers.passages.whose import FIRMS
from finrag_pipeline.query.answers.rows.asking import AskedRow
from finrag_pipeline.query.answers.rows.vouching import vouches
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.stages.tables.headers import header_paths
from finrag_pipeline.stages.tables.phrases import is_value
from finrag_pipeline.words import fold

#: Characters of a short name that heads a column.
_SHORTEST_NAME = 2


class Owners:
    """Reads whose rows are.

    Args:
        item: the table.
        document: where it stands.
    """

    def __init__(self, item: TableItem, document: DocumentFacts) -> None:
        self._item = item
        self._document = document

    def may_own(self, asked: AskedRow, row: int, parts: Sequence[str]) -> bool:
        """Whether a row may be of whom is asked: by its document, or by what stands at it where no
        document is about them.

        Args:
            row: of the grid.
            parts: what stands at a cell of it: the headings over it, its label and its heading.
        """
        firm = self._firms.get(row, "")
        of_firms = bool(firm and asked.called) and not self._document.company
        if not (asked.names or of_firms):
            # most cells are of a document that is asked for, or of one that is not
            if self.is_about(asked):
                return True
            if asked.companies or not asked.whole:
                return False
        # whose row it is stands under 公司, and its customers beside that
        heads = [fold(each.strip()) for each in ((firm,) if firm else parts)]
        if asked.names:
            return all(named_in(" ".join(heads), ways, heads) for ways in asked.names)
        return self._is_by(asked) and vouches(asked.words, asked.called, heads)

    def is_about(self, asked: AskedRow) -> bool:
        """Whether the document is about whom is asked, nobody else's and of the house asked for."""
        document = self._document
        if asked.notes or not self._is_by(asked):
            return self._is_by(asked)
        if asked.companies:
            return document.company in asked.companies
        return not asked.names and not document.company

    def _is_by(self, asked: AskedRow) -> bool:
        """Whether the document is one that is meant, or of a house asked for."""
        if asked.notes:
            return self._document.document_id in asked.notes
        return not asked.publishers or self._document.row.broker in asked.publishers

    @cached_property
    def _firms(self) -> Mapping[int, str]:
        """Firms by their rows, where a column of the table is headed as theirs."""
        cells = self._item.read_cells()
        heads = header_paths(cells)
        named = {column for column, path in heads.items() if path and FIRMS.fullmatch(path[-1])}
        column = min(named, default=None)
        return {
            each.row: each.text
            for each in cells
            if each.column == column and not each.header and not is_value(each.text)
        }


def named_in(text: str, ways: Sequence[str], heads: Sequence[str]) -> bool:
    """Whether a folded text writes a name in one of the ways, or a heading is its beginning: 何氏
    over the column of 何氏眼科."""
    short = [each for each in heads if len(each) >= _SHORTEST_NAME]
    return any(way in text or any(map(way.startswith, short)) for way in ways)
