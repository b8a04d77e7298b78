"""Puts together the parts of tables that cross pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from finrag_pipeline.records import Cell, Place, Table
from finrag_pipeline.stages.tables.context import goes_on
from finrag_pipeline.stages.tables.headers import header_depth
from finrag_pipeline.stages.tables.phrases import is_value

#: Columns of two parts are the same when their edges differ by less, in points; the same
#: template prints them alike, and what stands centred moves a little.
_SHIFT_PT = 12.0
#: The same of rules that two pages draw, which stand where they stood.
_SAME_RULE_PT = 3.0
#: Share of the rules of the part with fewer that the other one draws, too.
_SHARED_RULES = 0.7
#: Share of the cells that its first rows fill which stand in columns that its table fills, too: of
#: two that white space parts edges of text stand together by chance.
_SHARED_COLUMNS, _FIRST_ROWS = 0.8, 2
#: Rows of a header that nothing marks.
_DEEPEST = 5
#: Fewer columns may be any table's.
_LEAST_FILLED = 4
#: Columns of figures that tell one table from another beside that.
_LEAST_FIGURES = 2
#: Columns that heads without a table have at least, and characters of the longest.
_LEAST_HEADS, _LONGEST_HEAD = 3, 40


@dataclass(frozen=True, slots=True)
class TablePart(Table):
    """A table as one page shows it.

    `open_above` and `open_below` tell that nothing stands between it and the head or the foot of
    its page but running heads and feet (and a title of its own): it may go on there. Of one whose
    `head_alone` stands there all else is overleaf.
    """

    open_above: bool = False
    open_below: bool = False
    head_alone: bool = False


def joined(tables: Sequence[Table]) -> list[Table]:
    """Tables whose parts on several pages are put together; the others as they are.

    The part on the next page goes on with a table when the first is the last thing on its page,
    the next the first on its own (below a title that says so, at most), and their columns agree:
    they stand in the same places, or as many of them under the same header. A head that stands
    alone and that nothing goes on with is no table.

    Args:
        tables: of a document, in page order.
    """
    whole: list[Table] = []
    is_open = False
    for table in tables:
        part = table if isinstance(table, TablePart) else None
        follows = is_open and part is not None and part.open_above
        longer = _appended(whole[-1], table) if follows else None
        if longer is None and whole and _is_head(whole[-1]):
            whole.pop()
        if longer is None:
            whole.append(table)
        else:
            whole[-1] = longer
        is_open = part is not None and part.open_below
    return [each for each in whole if not _is_head(each)]


def _is_head(table: Table) -> bool:
    return isinstance(table, TablePart) and table.head_alone


def _appended(table: Table, part: Table) -> Table | None:
    last = table.places[-1] if table.places else Place(table.page, table.bbox)
    if part.page != last.page + 1:
        return None
    if part.title and part.title != table.title and not goes_on(part.title):
        return None
    over = _over_figures(table, part)
    held: Sequence[Cell] = over or table.cells
    mine = [cell for cell in held if cell.page == last.page]
    depth = _repeated(held, part.cells)
    theirs: Sequence[Cell] = part.cells
    if not (over or _agree(mine, theirs) or (depth and _width(mine) == _width(theirs))):
        theirs = () if depth else _in_columns_of(mine, theirs)
        if not theirs and not depth:
            held, theirs = _on_one_grid(held, mine, part.cells)
    cells = tuple(replace(cell, row=cell.row - depth) for cell in theirs if cell.row >= depth)
    if not cells:
        return None
    shift = max(cell.row + cell.row_span for cell in held)
    moved = tuple(replace(cell, row=cell.row + shift) for cell in cells)
    if isinstance(table, TablePart):
        table = replace(table, head_alone=False)
    return replace(
        table,
        cells=(*held, *moved),
        unit=table.unit or part.unit,
        footnote=part.footnote or table.footnote,
        places=(*table.places, Place(part.page, part.bbox)),
    )


def _over_figures(table: Table, part: Table) -> tuple[Cell, ...]:
    """The heads of a table that has nothing else over the figures of its part overleaf, as many,
    whose labels stand under none of them; none where they are no such heads."""
    texts = [cell.text for cell in table.cells if cell.text]
    rows = {cell.row for cell in table.cells if cell.text}
    columns = _kinds(part.cells)
    label, *figures = columns.values() or (True,)
    alone = len(rows) <= _DEEPEST and all(
        len(text) <= _LONGEST_HEAD and not is_value(text) for text in texts
    )
    # a model's box goes as far as the words of the heads
    same = part.bbox[0] - _SHIFT_PT < table.bbox[0] and table.bbox[2] < part.bbox[2] + _SHIFT_PT
    named = any(cell.header and cell.text for cell in part.cells)
    if not alone or not same or named or label or len(figures) < _LEAST_HEADS:
        return ()
    if not all(figures) or len(figures) != _width(table.cells):
        return ()
    return tuple(replace(cell, column=cell.column + 1, header=True) for cell in table.cells)


def _agree(one: Sequence[Cell], two: Sequence[Cell]) -> bool:
    edges, others = _edges(one), _edges(two)
    return len(edges) == len(others) and all(
        abs(a - b) <= _SHIFT_PT for a, b in zip(edges, others, strict=True)
    )


def _in_columns_of(one: Sequence[Cell], two: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells of a part without a header in the columns of the one before it; empty where they
    do not agree.

    A page sets its columns anew by what it holds, and heads that stand beside their figures make
    columns of their own: of two parts as many columns hold figures or words, in the same order.
    """
    columns, others = _kinds(one), _kinds(two)
    if _width(one) == _width(two):
        # what stands elsewhere in as many columns, under a header of its own, is another table
        bare = not any(cell.header and cell.text for cell in two) and header_depth(one) > 0
        figures = sum(others.values()) >= _LEAST_FIGURES
        wide = [abs(a - b) <= _SHIFT_PT for a, b in zip(_edges(one), _edges(two), strict=False)]
        sides = bool(wide) and wide[0] and wide[-1]
        return tuple(two) if bare and figures and sides and columns == others else ()
    heads = [cell for cell in two if cell.header and cell.text]
    if [*columns.values()] != [*others.values()]:
        return ()
    # what a last cell goes on with may stand where a head does
    if len(heads) > 1 or any(others.get(cell.column, True) for cell in heads):
        return ()
    place = dict(zip(others, columns, strict=True))
    few = len(columns) < _LEAST_FILLED
    if few and (heads or not header_depth(one) or not _stand_under(one, two, place)):
        return ()
    return tuple(
        replace(cell, column=place[cell.column], column_span=1, header=False)
        for cell in two
        if cell.column in place
    )


def _stand_under(one: Sequence[Cell], two: Sequence[Cell], place: Mapping[int, int]) -> bool:
    """Whether the columns of a part begin where those of its table are that it is placed in."""
    mine, theirs = _rules(one), _rules(two)
    return all(
        mine[column] - _SHIFT_PT
        <= theirs[other]
        < min((x for x in mine.values() if x > mine[column]), default=theirs[other] + 1)
        for other, column in place.items()
    )


def _on_one_grid(
    cells: Sequence[Cell], one: Sequence[Cell], two: Sequence[Cell]
) -> tuple[Sequence[Cell], Sequence[Cell]]:
    """The cells of a table and of a part without a header in the columns that the rules of both
    make; none of the part where they do not agree.

    A form has other columns in each of its blocks, and a page draws the rules of what it shows:
    most of them stand on both, the outer ones always.

    Args:
        one: those cells of the table that stand on its last page.
    """
    # what a last cell goes on with may stand where a head does
    if len([cell for cell in two if cell.header and cell.text]) > 1:
        return cells, ()
    mine, theirs = _rules(one), _rules(two)
    if not mine or not theirs or max(mine) < _width(cells):
        return cells, ()
    sides = (min(mine.values()), max(mine.values())), (min(theirs.values()), max(theirs.values()))
    if any(abs(a - b) > _SAME_RULE_PT for a, b in zip(*sides, strict=True)):
        return cells, ()
    fewer, more = sorted((mine, theirs), key=len)
    shared = [x for x in fewer.values() if any(abs(x - y) <= _SAME_RULE_PT for y in more.values())]
    if len(shared) < _SHARED_RULES * len(fewer):
        return cells, ()
    grid: list[float] = []
    for x in sorted((*mine.values(), *theirs.values())):
        if not grid or x - grid[-1] > _SAME_RULE_PT:
            grid.append(x)
    held = _replaced(cells, mine, grid)
    part = [replace(cell, header=False) for cell in _replaced(two, theirs, grid)]
    filled = {each.column for each in held if each.text}
    first = [each.column for each in part if each.text and each.row < _FIRST_ROWS]
    agree = sum(column in filled for column in first) >= _SHARED_COLUMNS * len(first)
    return (held, part) if agree else (cells, ())


def _rules(cells: Sequence[Cell]) -> dict[int, float]:
    """Where each column begins that a cell begins or ends at."""
    found: dict[int, float] = {}
    for cell in cells:
        if cell.bbox is not None:
            for column, x in ((cell.column, 0), (cell.column + cell.column_span, 2)):
                found.setdefault(column, cell.bbox[x])
    return found


def _replaced(
    cells: Sequence[Cell], rules: Mapping[int, float], grid: Sequence[float]
) -> tuple[Cell, ...]:
    """Cells in the columns of another grid that has all their rules."""

    def at(column: int) -> int:
        # a column at which none begins on this page stands where the next one does
        x = rules[min(each for each in rules if each >= column)]
        return min(range(len(grid)), key=lambda n: abs(grid[n] - x))

    found = []
    for cell in cells:
        start, end = at(cell.column), at(cell.column + cell.column_span)
        found.append(replace(cell, column=start, column_span=max(end - start, 1)))
    return tuple(found)


def _kinds(cells: Sequence[Cell]) -> dict[int, bool]:
    """The columns that rows below the header fill, in order, and whether figures do."""
    texts: dict[int, list[str]] = {}
    for cell in sorted(cells, key=lambda each: each.column):
        if cell.text and not cell.header:
            texts.setdefault(cell.column, []).append(cell.text)
    return {
        column: 2 * sum(is_value(each) for each in held) > len(held)
        for column, held in texts.items()
    }


def _edges(cells: Sequence[Cell]) -> list[float]:
    """Left edges of the columns and the right edge of the last."""
    lefts: dict[int, float] = {}
    rights: dict[int, float] = {}
    for cell in cells:
        if cell.bbox is not None:
            lefts[cell.column] = min(cell.bbox[0], lefts.get(cell.column, cell.bbox[0]))
            end = cell.column + cell.column_span
            rights[end] = max(cell.bbox[2], rights.get(end, cell.bbox[2]))
    if not lefts:
        return []
    return [lefts[column] for column in sorted(lefts)] + [rights[max(rights)]]


def _width(cells: Sequence[Cell]) -> int:
    return max(cell.column + cell.column_span for cell in cells)


def _repeated(cells: Sequence[Cell], part: Sequence[Cell]) -> int:
    """How many rows at the top of a part repeat the header of its table.

    Where no header is marked, since nothing in the table is a figure, any first rows may be one.
    """
    first, again = _rows(cells), _rows(part)
    deepest = min(len(first), len(again), header_depth(cells) or _DEEPEST)
    depth = 0
    while depth < deepest and first[depth] and first[depth] == again[depth]:
        depth += 1
    # what spans down from a repeated row goes with it
    reach = [cell.row + cell.row_span for cell in part if cell.row < depth]
    return max(reach, default=0)


def _rows(cells: Sequence[Cell]) -> list[list[str]]:
    rows: dict[int, list[str]] = {}
    for cell in cells:
        held = rows.setdefault(cell.row, [])
        if cell.text:
            held.append("".join(cell.text.split()))
    return [rows.get(row, []) for row in range(max(rows, default=-1) + 1)]
