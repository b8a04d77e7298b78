"""Who holds an office, as tables and sentences of a document tell it.

How offices are called is `offices`'.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from finrag_pipeline.query.answers.officers.offices import holds, is_offices, offices
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.clauses import placed
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.records import Place
from finrag_pipeline.stages.tables.row_quotes import TableRow, table_rows

#: A person's name as a cell prints it, a doctor's title or nationality aside.
_NAME = re.compile(
    r"[\u3400-\u9fff]{2,4}|[\u3400-\u9fff]{1,8}[·•．][\u3400-\u9fff]{1,8}|[A-Z][A-Za-z.'’ -]{3,40}"
)
_NO_NAME = re.compile(
    r"姓名|职务|合计|离任|现任|聘任|选举|解聘|董事|监事|经理|总裁|人员|说明|不适用|日期|年龄|性别|"
    r"其他|换届|地址|电话|传真|邮箱|股份|公司|注册|^[男女是否无]+$"
)
#: Offices in other companies, and what tells of people who left.
_ELSEWHERE = re.compile(r"股东单位|其他单位|兼职|关联方名称|未出席|被委托|委员会")
_OF_COMPANY = re.compile(r"^(?:本?公司|集团)的?")
_LEFT = re.compile(r"离任|离职|辞任|辞职|解聘|解任|卸任|退休")
_HAS_LEFT = re.compile(r"[（(]已?(?:离任|离职|辞任|辞职|卸任)[)）]")
#: A name with its offices, and how many such rows are a list of people.
_PAIR, _LEAST_PEOPLE = 2, 2
#: Characters of a cell that says only whether somebody is still there.
_LONGEST_STATE = 10
_DAY = re.compile(r"(20\d\d)\s*[年/.-]\s*(\d{1,2})")
#: What tells that rows are of people: nothing else has such columns.
_OF_PEOPLE = re.compile(r"姓名|任期|任职状态|担任的?职务|税前(?:报酬|薪酬)|从公司获得")
#: Somebody is appointed, or signs for an office.
_APPOINTED = re.compile(
    r"(?:聘任|选举|任命|委任|同意聘任)(?:了)?(?P<name>[\u3400-\u9fff]{2,4}?)(?:先生|女士|博士)?"
    r"(?:担任|出任|为|任)(?:公司|本公司|集团)?(?P<offices>[^，。；;：:]{2,40})"
)
_PERSON_FIRST = re.compile(
    r"(?:^|[，。；;：:\s])(?P<name>[\u3400-\u9fff]{2,4}?)(?:先生|女士|博士)[^。；;]{0,40}?"
    r"(?:现任|担任|出任|任)(?:公司|本公司|本集团|集团)?(?P<offices>[^，。；;：:]{2,40})"
)
_SIGNS = re.compile(
    r"(?P<office>法定代表人|公司负责人|主管会计工作负责人|会计机构负责人)(?:（会计主管人员）)?[:：]?\s*"
    r"(?P<name>[\u3400-\u9fff]{2,4}?)(?=先生|女士|[、，,及和\s]|声明|保证|主管|会计|$)"
)


@dataclass(frozen=True, slots=True)
class Holder:
    """Somebody who holds an office.

    Attributes:
        name: of the person.
        title: what the document calls all that the person is there.
        item: what tells it, in the words of `quote`.
    """

    name: str
    title: str
    item: EvidenceItem
    quote: str
    places: tuple[Place, ...]


def holders_in(item: TableItem | ChunkItem, office: str, day: date | None) -> Iterator[Holder]:
    """Who holds an office by a table or a passage.

    Args:
        day: of the document: whose term ended before has left.
    """
    if isinstance(item, TableItem):
        yield from _of_rows(item, office, day)
    else:
        yield from _of_text(item, office)


def _of_rows(item: TableItem, office: str, day: date | None) -> Iterator[Holder]:
    rows = list(table_rows(item.read_cells()))
    head = f"{item.caption or ''} {' '.join(' '.join(each.header.values()) for each in rows[:1])}"
    if _ELSEWHERE.search(head):
        return
    told = f"{head} {' '.join(each.line for each in rows[:3])}"
    if _OF_PEOPLE.search(told) or _lists_people(rows):
        if rows and (first := _of_cells([*rows[0].header.values()], office, day)):
            yield _holder(item, rows[0], *first)  # a list without headings begins with a person
        for row in rows:
            if found := _of_cells([text for _, text in sorted(row.cells.items())], office, day):
                yield _holder(item, row, *found)
    yield from _of_contacts(item, rows, office)


def _lists_people(rows: list[TableRow]) -> bool:
    """Whether rows are names with offices and nothing else."""
    cells = [[each.strip() for each in row.cells.values() if each.strip()] for row in rows]
    people = [each for each in cells if len(each) == _PAIR and _is_name(each[0])]
    return len(people) >= _LEAST_PEOPLE and all(is_offices(each[1]) for each in people)


def _of_cells(every: list[str], office: str, day: date | None) -> tuple[str, str] | None:
    """The name and offices of a person who holds an office, by the cells of a row."""
    cells = [each for each in every if each.strip()]
    left = any(
        _HAS_LEFT.search(each) or (len(each) <= _LONGEST_STATE and _LEFT.search(each))
        for each in cells
    )
    if left or _ended(cells, day):
        return None
    at = next((n for n, each in enumerate(cells) if holds(each, office) and is_offices(each)), None)
    if at is None:
        return None
    name = next((each.strip() for each in cells[:at][::-1] if _is_name(each)), None)
    return (name, cells[at]) if name else None


def _ended(cells: list[str], day: date | None) -> bool:
    """Whether the last day of a row is before a day: a term that is over."""
    days = [_DAY.search(each) for each in cells]
    found = [each for each in days if each]
    if day is None or len(found) < 2:
        return False
    year, month = int(found[-1][1]), min(int(found[-1][2]), 12)
    return (year, month) < (day.year, day.month)


def _of_contacts(item: TableItem, rows: list[TableRow], office: str) -> Iterator[Holder]:
    """Contacts: offices in one row, 姓名 below them; or an office with its name beside it."""
    named: dict[int, str] = {}
    for row in rows:
        cells = {n: each.strip() for n, each in sorted(row.cells.items()) if each.strip()}
        heads = {n: text.strip() for n, text in row.header.items()}
        if row.label.strip() == "姓名" and (named or heads):
            for column, text in cells.items():
                called = named.get(column) or heads.get(column, "")
                if called and holds(called, office) and _is_name(text):
                    yield _holder(item, row, text, called)
        elif holds(label := _OF_COMPANY.sub("", row.label.strip()), office) and len(cells) > 1:
            value = next(each for n, each in cells.items() if n)
            if _is_name(value):
                yield _holder(item, row, value, label)
        named = {n: each for n, each in cells.items() if is_offices(each)} or named


def _holder(item: TableItem, row: TableRow, name: str, title: str) -> Holder:
    places = (row.place,) if row.place else item.places
    return Holder("".join(name.split()), title, item, row.quote, places)


def _of_text(item: ChunkItem, office: str) -> Iterator[Holder]:
    for start, sentence in placed(item.text):
        for name, title in _named(sentence, office):
            if said := item.quoted(sentence, start):
                yield Holder(name, title, item, said.quote, said.places)


def _named(sentence: str, office: str) -> Iterator[tuple[str, str]]:
    """Who a sentence says holds an office, and as what."""
    for pattern in (_APPOINTED, _PERSON_FIRST):
        for match in pattern.finditer(sentence):
            if holds(match["offices"], office) and _is_name(match["name"]):
                yield match["name"], match["offices"]
    for match in _SIGNS.finditer(sentence):
        if match["office"] in offices()[office] and _is_name(match["name"]):
            yield match["name"], match["office"]


def _is_name(text: str) -> bool:
    bare = text.strip()
    return bool(_NAME.fullmatch(bare)) and not _NO_NAME.search(bare)
