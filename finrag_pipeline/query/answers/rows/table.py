"""A table as a question for a row reads it: the labels and headings of its cells, what stands
around it, and how well each cell says what is asked.

Words are laid over it by `matching`, times read by `when`.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property, lru_cache

from finrag_pipeline.grammar.measures import bare_label
from finrag_pipeline.query.answers.passages.saying import metrics_named, other_metrics
from finrag_pipeline.query.answers.passages.times import Time
from finrag_pipeline.query.answers.rows.around import headings_over
from finrag_pipeline.query.answers.rows.asking import AskedRow
from finrag_pipeline.query.answers.rows.kinds import CHANGES, PERCENT
from finrag_pipeline.query.answers.rows.matching import Cover, Place, units_of
from finrag_pipeline.query.answers.rows.openers import openers, parts_of_revenue
from finrag_pipeline.query.answers.rows.owning import Owners, named_in
from finrag_pipeline.query.answers.rows.strange import strange_units
from finrag_pipeline.query.answers.rows.when import time_of
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.grounding.figures import without_times
from finrag_pipeline.query.grounding.spans import spans_in
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.records import Table
from finrag_pipeline.stages.tables.body import BodyRow, body_rows
from finrag_pipeline.stages.tables.figures import Figure
from finrag_pipeline.stages.tables.phrases import is_number, is_value
from finrag_pipeline.words import fold

#: What a unit counts in the label of a row, the heading of its column, the headings over it in the
#: body, and around the table.
_LABEL, _HEADING, _OVER, _AROUND = 1.0, 0.95, 0.7, 0.4
#: The same in another text of the row.
_BESIDE = 0.9
#: What a unit of a label or heading counts that nobody asked for, and how many may be of a label
#: for each one that is asked for.
_STRANGE, _MOST_STRANGE, _FREE_STRANGE = 0.03, 2.0, 6
_TIMES = {Time.NAMED: 0.3, Time.AROUND: 0.15, Time.DOCUMENT: 0.1}
_IS_CODE = re.compile(r"\s*[\dA-Z.]{1,12}(?: (?:US|HK|CH))?\s*")
_DIGIT = re.compile(r"\d")
#: What rows are called that are parts of revenue.
_REVENUE_WORDS = frozenset(("收入", "营收", "销售", "销售收入", "销售额", "营业收入"))
#: What bounds a group: 硕士 are not 硕士及以上.
_BOUND = re.compile(r"以上|以下|以内|不满|不足")
#: What is left out of a figure, which its own label or heading has to say.
_LESS = re.compile(r"剔除|扣除|不含|不包括|除外")
#: What a remark explains.
_EXPLAINS = re.compile(r"[。；]|主要[是系由因]|由于|所致|[^，]{4,}，[^，]{4,}，")
#: What stood where a period begins.
_OPENS = re.compile(r"[期年]初(?![至起到])")
_PARENT = re.compile(
    r"(?<!归属于)(?<!归属)母公司"
    r"(?!的?(?:所有者|股[东東]|普通股|[拥擁]有人|[权權]益持有人)|[和及与])|使用权"
)
_SINCE_JANUARY = re.compile(r"年初至")
_OWN_PERIOD = re.compile(r"^本期")


class TableRead:
    """A table with what stands around it.

    Args:
        item: the table.
        document: where it stands.
    """

    def __init__(self, item: TableItem, document: DocumentFacts) -> None:
        self.item = item
        self.document = document

    @cached_property
    def around(self) -> str:
        """What stands around it: its caption and the headings over it."""
        return " | ".join(filter(None, [self.item.caption, *headings_over(self.item)]))

    @property
    def _title(self) -> str:
        """The title of a document that says what its tables are of: an industry's, and no house's
        headline on a company."""
        headline = self.document.company and self.document.row.kind != "filing"
        return "" if headline else self.item.title or ""

    @cached_property
    def _rows(self) -> dict[int, BodyRow]:
        item = self.item
        table = Table(0, 0, (0, 0, 0, 0), item.read_cells(), item.caption, item.unit)
        return {each.row: each for each in body_rows(table)}

    @cached_property
    def _openers(self) -> dict[int, BodyRow]:
        return openers(list(self._rows.values()))

    def may_say(self, asked: AskedRow) -> bool:
        """Whether all words of a question stand somewhere in or around the table: most do not."""
        if asked.names:  # most questions name nobody else
            heads = [fold(text.strip()) for text in self._said]
            if not all(named_in(fold(self._whole), ways, heads) for ways in asked.names):
                return False
        return not self.unsaid(asked)

    def unsaid(self, asked: AskedRow) -> int:
        """How many units of what is asked stand nowhere in or around the table."""
        return asked.over([Place(self._whole, 1.0)], frozenset(asked.meant)).left

    @cached_property
    def _whole(self) -> str:
        return f"{' | '.join(self._said)} | {self.around} | {self._title}"

    def score(self, asked: AskedRow, figure: Figure) -> float | None:
        """How well a cell says what is asked; None where it does not say all of it."""
        said = self.said(asked, figure)
        if said is None or said.left or not any((*said.units[:2], said.units[4])):
            return None
        label = self.label(figure)
        strange = strange_units(asked, self._own_text(asked, figure))
        named = any(named_in(fold(label), ways, [fold(label.strip())]) for ways in asked.names)
        own = said.units[0] + said.units[4]
        if not own and strange and not named:
            return None  # a row of something else
        if strange > _FREE_STRANGE + _MOST_STRANGE * own:
            return None
        # what is said beside what need be said tells cells apart
        score = said.worth / len(units_of(asked.words))
        score -= _STRANGE * (strange + strange_units(asked, " | ".join(figure.columns)))
        if not asked.times.asked:
            return score
        time = self.time(asked, figure)
        return score + _TIMES[time] if time in _TIMES else None

    def said(self, asked: AskedRow, figure: Figure) -> Cover | None:
        """What is asked laid over the label of a cell, its heading, the headings over it, what
        stands around the table, and the other texts of its row; None where it is of somebody else,
        of another metric, of other bounds, leaves nothing out though that is asked, of the parent
        alone, or of where a period begins."""
        if not self.may_be_about(asked, figure):
            return None
        label, over = self.label(figure), self._over(figure)
        heading = " | ".join(figure.columns)
        whole = fold(f"{label} {heading} {' '.join(over)}")
        if not {*_BOUND.findall(asked.words)} <= {*_BOUND.findall(whole)}:
            return None
        if _LESS.search(asked.words) and not _LESS.search(whole):
            return None
        if _PARENT.search(f"{whole}{self.around}") and not _PARENT.search(asked.words):
            return None  # what the group itself has is asked for
        if _OPENS.search(label) and not asked.opening:
            return None  # 年底账上的现金 is no 期初余额
        own, head = _place(label, _LABEL), _place(heading, _HEADING)
        asks = asked.meant.values()
        # 利润总额 is not that of the shareholders, however much of it is said; what a subsidiary
        # does, before its 净利润, is no figure
        if other_metrics(asks, own.means) and not head.means.intersection(asks):
            return None
        places = [
            own,
            head,
            _place(" | ".join(over), _OVER),
            _place(f"{self.around} | {self._title}", _AROUND),
            _place(" | ".join(self._beside(figure, label)), _BESIDE),
        ]
        return asked.over(places, _REVENUE_WORDS if self._is_of_revenue(figure) else frozenset())

    def time(self, asked: AskedRow, figure: Figure) -> Time:
        """How far a cell is of the time asked for."""
        return time_of(
            asked.times,
            self._headings(figure),
            self.label(figure),
            self._over(figure),
            f"{self.item.title or ''}\n{self.around}",
            self.around,
            self.document,
        )

    def text(self, figure: Figure) -> str:
        """What a cell is called: the headings over it, its label, its heading."""
        return " ".join(self._parts(figure))

    def name(self, figure: Figure) -> str:
        """The same without times: what the cells of a row are called, whatever year they are of."""
        return " ".join(filter(None, map(_timeless, self._parts(figure))))

    def _parts(self, figure: Figure) -> tuple[str, ...]:
        return (*self._over(figure), self.label(figure), *figure.columns)

    def all_text(self, figure: Figure) -> str:
        """The same with what stands around its table, folded."""
        return fold(f"{self.around} {self.text(figure)}")

    def labels(self, asked: AskedRow, figure: Figure) -> tuple[str, ...]:
        """What stands over a row and its own label, as an answer tells them."""
        opener = self._openers.get(figure.row)
        over = (opener.label,) if opener else figure.labels[:-1]
        return (*over, self._own_text(asked, figure))

    def rows(self, figure: Figure) -> tuple[int, ...]:
        """The rows of the grid that say whose figure a cell is, its own first: that of the heading
        which it is under, and where a label begins that goes on beside several rows."""
        opener = self._openers.get(figure.row)
        begun = [
            each.row
            for each in self.item.read_cells()
            if each.row < figure.row < each.row + each.row_span and each.column < figure.column
        ]
        return tuple(dict.fromkeys((figure.row, *((opener.row,) if opener else ()), *begun)))

    def label(self, figure: Figure) -> str:
        """The label of a cell: its row's; of a table without headings the text right before it,
        where one row holds several labels, each with its figure."""
        row = self._rows.get(figure.row)
        if row is not None and not figure.columns:
            before = [each for each in row.cells if each.column < figure.column]
            if before and not is_value(before[-1].text):
                return before[-1].text
        own = figure.labels[-1] if figure.labels else ""
        if row is None or not row.cells:
            return own
        first = row.cells[0]
        if _IS_CODE.fullmatch(own or first.text):
            # who is meant stands behind a number or a code
            behind = (each.text for each in row.cells if each.column and not is_value(each.text))
            own = next((each for each in behind if each.strip()), own)
        if not own and not first.column and figure.column and is_number(first.text):
            # a row may go by the value of its first column: Threshold -0.13
            return " ".join((*row.paths.get(0, ()), first.text))
        return own

    def _beside(self, figure: Figure, label: str) -> list[str]:
        """The other texts of a row that no other row has: its first may only say of which sort it
        is, 股票 of 商汤. What explains it speaks of other things, too."""
        row = self._rows.get(figure.row)
        return [
            each.text
            for each in (row.cells if row is not None else ())
            if self._texts[each.column, each.text] == 1
            and each.text not in label
            and not _EXPLAINS.search(each.text)
        ]

    @cached_property
    def _texts(self) -> Counter[tuple[int, str]]:
        """How often texts stand in the columns of the body."""
        cells = (each for row in self._rows.values() for each in row.cells)
        return Counter((each.column, each.text) for each in cells if not is_value(each.text))

    def _own_text(self, asked: AskedRow, figure: Figure) -> str:
        """The text of a label that answers for its row: of several cells the one that says all that
        the label says of what is asked: a name, and not what stands behind it on the business."""
        label = self.label(figure)
        if not asked.over([Place(label, 1.0)]).units[0]:
            return label
        texts = [each.text for each in self.item.read_cells() if each.row == figure.row]
        left = asked.over([Place(label, 1.0)]).left
        fits = [
            each
            for each in texts
            if each and not is_value(each) and asked.over([Place(each, 1.0)]).left == left
        ]
        return min(fits, key=len, default=label)

    def change(self, figure: Figure) -> str:
        """How the row of a cell says that it changed, with the heading; empty where it does not."""
        row = self._rows.get(figure.row)
        for cell in row.cells if row is not None else ():
            path = row.paths.get(cell.column, ()) if row is not None else ()
            if path and CHANGES.search(path[-1]) and _DIGIT.search(cell.text):
                percent = "%" if PERCENT.search(path[-1]) and is_number(cell.text) else ""
                signed = percent and not PERCENT.search(cell.text)
                return f"{bare_label(path[-1])} {cell.text}{percent if signed else ''}"
        return ""

    def _headings(self, figure: Figure) -> tuple[str, ...]:
        """The heading of a cell; 本期 beside what has summed up since the year began is the
        quarter."""
        if not any(map(_SINCE_JANUARY.search, self._said)):
            return figure.columns
        return tuple(_OWN_PERIOD.sub("本报告期", each) for each in figure.columns)

    @cached_property
    def _said(self) -> tuple[str, ...]:
        return tuple(str(each["text"]) for each in self.item.cells)

    def _is_of_revenue(self, figure: Figure) -> bool:
        """Whether a row is a part of revenue by the one that it stands under: 晶圆销售."""
        money = figure.measure is not None and bool(figure.measure.currency)
        return money and figure.row in self._parts_of_revenue

    @cached_property
    def _parts_of_revenue(self) -> frozenset[int]:
        return parts_of_revenue(self._rows.values())

    def _over(self, figure: Figure) -> tuple[str, ...]:
        """The headings in the body under which a cell stands, those that say when too."""
        row, opener = self._rows.get(figure.row), self._openers.get(figure.row)
        blocks = (*(row.blocks if row else ()), *figure.labels[:-1])
        return tuple(dict.fromkeys((*blocks, opener.label) if opener else blocks))

    def may_be_about(self, asked: AskedRow, figure: Figure) -> bool:
        """Whether a cell may be of whom is asked."""
        return self._owners.may_own(asked, figure.row, self._parts(figure))

    def is_about(self, asked: AskedRow) -> bool:
        """Whether the document is about whom is asked, nobody else's and of the house asked for."""
        return self._owners.is_about(asked)

    @cached_property
    def _owners(self) -> Owners:
        return Owners(self.item, self.document)


@lru_cache(maxsize=50_000)
def _timeless(text: str) -> str:
    """A label or heading without the times that it names."""
    return " ".join(without_times(text, spans_in(text), " ").split())


def _place(text: str, worth: float) -> Place:
    return Place(text, worth, metrics_named(text))
