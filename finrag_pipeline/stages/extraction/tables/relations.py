"""What the rows of a document's tables state: each as a passage with its names and relations.

Which headings state a relation is data, `kinds.csv`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from finrag_pipeline.grammar.quantities import is_figure
from finrag_pipeline.records import Cell, Metadata, Table
from finrag_pipeline.records.graph import (
    MOST_STATING_ROWS,
    ChunkExtraction,
    EntityType,
    Mention,
    RelationStatement,
    StatingRow,
    row_number,
)
from finrag_pipeline.stages.extraction.tables.kinds import (
    KINDS,
    LABEL,
    OWN,
    Kind,
    heading,
    is_party,
)
from finrag_pipeline.stages.extraction.tables.names import (
    PartyName,
    holder_type,
    party_names,
    printed_code,
)
from finrag_pipeline.stages.extraction.tables.passages import Passage, one_line, row_passage
from finrag_pipeline.stages.extraction.tables.sections import Row, Section, sections
from finrag_pipeline.stages.extraction.tables.settling import settled
from finrag_pipeline.stages.identity.spelling import spelling

#: Part of the fingerprint of whoever reads mentions: raise it whenever any table may say otherwise.
TABLE_RELATIONS_VERSION = 5
#: A cell that holds a code with its market; six figures alone may be an amount.
_A_CODE = re.compile(r"(?:\d{4,6}\s?\.\s?[A-Z]{2}|(?:SH|SZ|HK|BJ)[.:]?\d{4,6})")
#: The heading of whom a row is on, whose code is printed beside.
_COMPANY = "company"
#: Names of a cell beyond these are a text, not a list.
_MOST_OF_A_CELL = 12


@dataclass(frozen=True, slots=True)
class _End:
    """One end of a relation: a name of a cell, or the company that the document is about."""

    cell: Cell | None
    name: PartyName
    type: EntityType


def stating_rows(tables: Sequence[Table], metadata: Metadata) -> list[StatingRow]:
    """The rows of a document's tables that state relations, in order of print.

    Args:
        tables: of the document.
        metadata: names the company that it is about; without one only rows that name both ends
            state anything.
    """
    rows = [row for table in tables for row in islice(_rows(table, metadata), MOST_STATING_ROWS)]
    return settled(rows, metadata)


def _rows(table: Table, metadata: Metadata) -> Iterator[StatingRow]:
    for section in sections(table):
        kinds = _kinds_of(section, metadata)
        for row in _with_groups(section, kinds) if kinds else ():
            # a line across the frame names what follows
            if len(row) > 1 or len(section.heads) == 1:
                stated = _stated(table, section, kinds, row, metadata)
                if stated is not None:
                    yield stated


def _with_groups(section: Section, kinds: Sequence[Kind]) -> Iterator[Row]:
    """Rows, each with the cell left of its names that says what kind of party it and those above
    it are, where that is printed once: 客户 stands for the rows below it."""
    groups = [
        column
        for kind in kinds
        for column in (section.columns(kind.if_column) if kind.if_column else ())
        if all(column.column < party.column for party in _parties(kind, section))
    ]
    standing: Cell | None = None
    for row in section.rows:
        own = next((cell for cell in row if any(h in groups for h in section.path(cell))), None)
        standing = own or standing
        if standing is None or own is not None or len(row) == 1:
            yield row
        else:
            yield (standing, *row)


def row_extractions(rows: Sequence[StatingRow]) -> list[ChunkExtraction]:
    """What stating rows say, by the numbers under which the graph finds them.

    Args:
        rows: of one document, in order of print.
    """
    count: Counter[int] = Counter()
    found: list[ChunkExtraction] = []
    for row in rows:
        number = row_number(row.table, count[row.table])
        found.append(ChunkExtraction(number, row.mentions, row.relations))
        count[row.table] += 1
    return found


def _stated(
    table: Table, section: Section, kinds: Sequence[Kind], row: Row, metadata: Metadata
) -> StatingRow | None:
    pairs: dict[frozenset[str], tuple[_End, str, _End]] = {}
    for kind in kinds:
        for head, tail in _ends(kind, section, row, metadata):
            ends = frozenset((spelling(head.name.name), spelling(tail.name.name)))
            if len(ends) == 2 and not _same_code(head, tail):
                pairs.setdefault(ends, (head, kind.relation, tail))
    if not pairs:
        return None
    named = {end.cell for head, _, tail in pairs.values() for end in (head, tail) if end.cell}
    passage = row_passage(table, section, row, [cell for cell in row if cell in named], metadata)
    mentions = _mentions(pairs.values(), passage, metadata)
    place_of = {(m.start, m.end): at for at, m in enumerate(mentions)}
    relations = [
        RelationStatement(
            head=place_of[_span(head, passage)],
            relation=relation,
            tail=place_of[_span(tail, passage)],
            start=0,
            end=len(passage.text),
            description=passage.text,
            modality="asserted",
            confidence="high",
        )
        for head, relation, tail in pairs.values()
    ]
    relations.sort(key=lambda each: (each.head, each.tail, each.relation))
    return StatingRow(table.ordinal, passage.text, passage.place, mentions, tuple(relations))


def _kinds_of(section: Section, metadata: Metadata) -> list[Kind]:
    """The kinds whose headings a section has.

    A column that names one end of what another column states says nothing of the company that the
    document is about: of 收购方 and 标的公司 it is neither.
    """
    fitting = [kind for kind in KINDS if _fits(kind, section, metadata)]
    taken = {
        id(column)
        for kind in fitting
        if OWN not in (kind.head, kind.tail)
        for column in _parties(kind, section)
    }
    return [
        kind
        for kind in fitting
        if OWN not in (kind.head, kind.tail)
        or all(id(column) not in taken for column in _parties(kind, section))
    ]


def _fits(kind: Kind, section: Section, metadata: Metadata) -> bool:
    if OWN in (kind.head, kind.tail) and not metadata.company_name:
        return False
    parties = _parties(kind, section)
    if len(parties) < sum(name not in (OWN, LABEL) for name in (kind.head, kind.tail)):
        return False
    if kind.if_column and not section.columns(kind.if_column):
        return False
    if kind.title and not kind.title.search(section.context):
        return False
    if kind.unless and kind.unless.search(section.context):
        return False
    others = section.columns(kind.beside) if kind.beside else []
    return not kind.beside or any(all(each is not one for one in parties) for each in others)


def _parties(kind: Kind, section: Section) -> list[Cell]:
    """The headings of a section that name the ends of a kind, each of another column."""
    found: list[Cell] = []
    for name in (kind.head, kind.tail):
        columns = section.columns(name) if name not in (OWN, LABEL) else []
        found += [each for each in columns if all(each is not one for one in found)][:1]
    return found


def _ends(
    kind: Kind, section: Section, row: Row, metadata: Metadata
) -> Iterator[tuple[_End, _End]]:
    """Both ends of what a kind states in a row, name by name."""
    if kind.if_cell:
        cells = [cell for cell in row if _under(section, cell, kind.if_column)]
        if not any(kind.if_cell.search(one_line(cell.text)) for cell in cells):
            return
    told = (_under(section, cell, kind.beside) or is_figure(cell.text) for cell in row)
    if kind.beside and not any(told):
        return  # a line that names what follows, or goes on with the one above
    heads = _named(kind.head, kind.head_type, section, row, metadata)
    tails = _named(kind.tail, kind.tail_type, section, row, metadata)
    for head in heads:
        for tail in tails:
            if head.cell is not tail.cell:
                yield head, tail


def _named(
    name: str, type: EntityType | None, section: Section, row: Row, metadata: Metadata
) -> list[_End]:
    if name == OWN:
        assert metadata.company_name  # `_kinds_of` asks for it
        own = PartyName(0, 0, metadata.company_name, code=metadata.company_code)
        return [_End(None, own, "company")]
    ends: list[_End] = []
    # of 股票 and 公司 beside each other one is a code
    for cell in row:
        if ends or not _under(section, cell, name):
            continue
        names = list(party_names(one_line(cell.text), type))
        words = " ".join(other.text for other in row)
        code = _code_of(section, row, cell) if len(names) == 1 and type == "company" else None
        if any(is_party(heading(each.name)) for each in names):
            continue  # the headings, printed again
        for each in names[:_MOST_OF_A_CELL]:
            its = PartyName(each.start, each.end, each.name, each.aliases, each.code or code)
            ends.append(_End(cell, its, type or holder_type(each.name, words)))
    return ends


def _code_of(section: Section, row: Row, named: Cell) -> str | None:
    """The code in a cell of its own, where it is that of a name: the one that its column calls a
    company, and where none or several do, the one before the code, else right behind it."""
    at = [n for n, cell in enumerate(row) if _A_CODE.fullmatch(one_line(cell.text))]
    if len(at) != 1:
        return None
    called = [cell for cell in row if _under(section, cell, _COMPANY)]
    beside = [row[n] for n in (at[0] - 1, at[0] + 1) if 0 <= n < len(row)]
    parties = [
        cell
        for cell in beside
        if any(is_party(heading(head.text)) for head in section.path(cell)) or len(beside) == 1
    ]
    owner = called[0] if len(called) == 1 else parties[0] if parties else named
    return printed_code(one_line(row[at[0]].text)) if owner is named else None


def _under(section: Section, cell: Cell, name: str) -> bool:
    if name == LABEL:
        return cell.column == 0 and not any(head.column == 0 for head in section.heads)
    return any(head in section.columns(name) for head in section.path(cell))


def _same_code(one: _End, other: _End) -> bool:
    return one.name.code is not None and one.name.code == other.name.code


def _span(end: _End, passage: Passage) -> tuple[int, int]:
    if end.cell is None:
        assert passage.own  # as in `_named`
        return passage.own
    start = passage.starts[end.cell]
    return start + end.name.start, start + end.name.end


def _mentions(
    pairs: Iterable[tuple[_End, str, _End]], passage: Passage, metadata: Metadata
) -> tuple[Mention, ...]:
    found: dict[tuple[int, int], Mention] = {}
    for head, _, tail in pairs:
        for end in (head, tail):
            span = _span(end, passage)
            found[span] = Mention(
                *span,
                text=passage.text[slice(*span)],
                name=end.name.name,
                type=end.type,
                confidence="high",
                aliases=end.name.aliases,
                # people are told apart by the company whose table names them
                company=metadata.company_name if end.type == "person" else None,
                code=end.name.code,
            )
    return tuple(found[span] for span in sorted(found))
