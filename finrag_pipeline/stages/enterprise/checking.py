"""Objects of a user's files to companies, projects and edges, and why some of them are none.

Which headings and words mean what is `vocabulary`; the documents made of them `documents`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from finrag_pipeline.stages.enterprise.files import Placed
from finrag_pipeline.stages.enterprise.vocabulary import (
    Field,
    RelationKind,
    field_named,
    fields,
    property_named,
    relation_kinds,
    relation_named,
)
from finrag_pipeline.stages.identity.codes import listing_code
from finrag_pipeline.stages.identity.names import normalised, without_group

Json = dict[str, Any]
_ID = re.compile(r"[\w.-]{1,64}")
_DAY = re.compile(r"\d{4}(?:-\d{1,2}(?:-\d{1,2})?)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
#: What of a project is known.
_PROJECT = {
    **{"year": "year", "年份": "year", "年度": "year", "时间": "year"},
    **{"project": "project", "项目": "project", "项目名称": "project"},
    **{"partner": "partner", "合作方": "partner", "vendor": "partner"},
    **{"product": "product", "使用产品": "product", "产品": "product"},
    **{"result": "result", "项目成果": "result", "成果": "result"},
}
#: How a cell says that there were no projects.
_NONE = ("无", "没有", "none", "None")
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Refused:
    """An object that was not taken, or a part of it, and why; one line."""

    file: str
    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class Project:
    """A project of a company in the past; empty where the record does not say."""

    year: int | None
    project: str
    partner: str = ""
    product: str = ""
    result: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """An explicit relation, as its record writes the ends."""

    source: str
    kind: RelationKind
    target: str
    properties: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(slots=True)
class CompanyRecord:
    """A company as its record has it.

    Attributes:
        values: what its fields say, lists as tuples.
        projects: None where the record says nothing of projects; empty where it says that there
            were none.
        edges: what its own fields and relations of the files say, once.
    """

    company_id: str
    name: str
    file: str
    values: Mapping[str, Any]
    projects: list[Project] | None = None
    edges: list[Edge] = field(default_factory=list[Edge])

    @property
    def names(self) -> tuple[str, ...]:
        """All that it is called."""
        short = without_group(self.name)
        return tuple(
            dict.fromkeys([self.name, *self.values.get("aliases", ()), *filter(None, [short])])
        )


@dataclass(frozen=True, slots=True)
class Records:
    """What files hold: companies in order, what was refused, headings that mean nothing here."""

    companies: tuple[CompanyRecord, ...]
    refused: tuple[Refused, ...]
    ignored: tuple[str, ...]


class _BadRecord(Exception):
    """Why an object is no record."""


def read_records(placed: Sequence[Placed]) -> Records:
    """Companies with their projects and edges, out of the objects of files.

    An object with a relation is an edge, one with a project and a company is that company's
    project, every other one is a company.
    """
    companies: dict[str, CompanyRecord] = {}
    refused: list[Refused] = []
    ignored: dict[str, None] = {}
    later: list[tuple[Placed, str]] = []
    for each in placed:
        form = _form(each.values)
        if form != "company":
            later.append((each, form))
            continue
        try:
            record = _company(each, ignored)
            if record.company_id in companies:
                raise _BadRecord(f"the id {record.company_id!r} is there already")
            companies[record.company_id] = record
        except _BadRecord as error:
            refused.append(Refused(each.file, each.place, str(error)))
    known = by_name(companies.values())
    for each, form in later:
        try:
            if form == "relation":
                _add_edge(each.values, known, ignored)
            else:
                _add_project(each.values, known)
        except _BadRecord as error:
            refused.append(Refused(each.file, each.place, str(error)))
    for record in list(companies.values()):
        for edge in list(record.edges):
            for end in (edge.source, edge.target):
                other = known.get(normalised(end))
                if other is not None and other is not record:
                    _put(other, edge, known)
    return Records(tuple(companies.values()), tuple(refused), tuple(ignored))


def canonical_name(name: str, known: Mapping[str, CompanyRecord]) -> str:
    """A company's full name where a record has it, else the name as it is."""
    record = known.get(normalised(name))
    return record.name if record else name


def _form(values: Json) -> str:
    plain = {str(key).strip().casefold() for key in values}
    if plain & {"relation", "关系"}:
        return "relation"
    if plain & {"project", "项目", "项目名称"} and plain & {"company", "公司", "客户"}:
        return "project"
    return "company"


def _company(placed: Placed, ignored: dict[str, None]) -> CompanyRecord:
    found: dict[str, Any] = {}
    for heading, value in placed.values.items():
        known = field_named(str(heading))
        if known is None:
            if heading == "":
                raise _BadRecord(f"{value!r} is no object with fields such as `name`")
            ignored[str(heading)] = None
        elif value not in (None, "", []) or (known.form == "projects" and value == []):
            found[known.name] = _value(known, value)
    name = found.get("name")
    if not name:
        raise _BadRecord("it has no name")
    company_id = found.get("id") or normalised(name)
    projects = found.pop("past_projects", None)
    record = CompanyRecord(company_id, name, placed.file, found, projects)
    for each in fields().values():
        for other in _others(each, found.get(each.name)):
            ends = (other, name) if each.reversed_ else (name, other)
            record.edges.append(Edge(ends[0], relation_kinds()[each.relation], ends[1]))
    return record


def _others(known: Field, value: Any) -> Iterator[str]:
    if known.relation and value:
        yield from (value,) if isinstance(value, str) else value


def _value(known: Field, value: Any) -> Any:
    if known.form in ("list", "companies"):
        return tuple(_listed(known.name, value))
    if known.form == "projects":
        if value in _NONE:
            return []
        if not isinstance(value, list):
            raise _BadRecord(f"{known.name} is no list of projects")
        return [_project(each) for each in value]
    if known.form == "count":
        digits = re.sub(r"[,，\s人]", "", str(value))
        if not digits.isdigit():
            raise _BadRecord(f"{known.name} is {value!r}, which is no number of people")
        return int(digits)
    text = _text(known.name, value)
    if known.form == "id" and not _ID.fullmatch(text):
        raise _BadRecord(f"id is {text!r}: use letters, digits, _ . and - alone, at most 64")
    if known.form == "day":
        return _day(known.name, text)
    if known.form == "date" and not _DAY.fullmatch(text):
        raise _BadRecord(f"{known.name} is {text!r}: write 2015-03-15, 2015-03 or 2015")
    if known.form == "code":
        code = listing_code(text)
        if code is None:
            raise _BadRecord(f"{known.name} is {text!r}, which is no securities code")
        return code
    return text


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _BadRecord(f"{name} is {value!r}, which is no text")
    text = " ".join(str(value).replace("\0", " ").split())
    if not text or len(text) > _LONGEST:
        raise _BadRecord(f"{name} has {len(text)} characters: 1 to {_LONGEST} are read")
    return text


def _day(name: str, text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise _BadRecord(f"{name} is {text!r}, which is no day such as 2025-04-30") from None


def _listed(name: str, value: Any) -> list[str]:
    if isinstance(value, str):
        value = value.split("|")
    if not isinstance(value, list):
        raise _BadRecord(f"{name} is {value!r}, which is no list")
    return list(dict.fromkeys(_text(name, each) for each in value if each not in (None, "")))


def _project(value: Any) -> Project:
    if not isinstance(value, dict):
        raise _BadRecord(f"{value!r} is no project with fields such as `project` and `year`")
    said = {
        name: _text(name, each)
        for key, each in value.items()
        if (name := _PROJECT.get(str(key).strip().casefold())) and each not in (None, "")
    }
    if "project" not in said:
        raise _BadRecord("a project has no name in `project`")
    year = said.pop("year", None)
    return Project(_year(year) if year else None, **said)


def _year(text: str) -> int:
    digits = text.removesuffix("年")
    if not _YEAR.fullmatch(digits):
        raise _BadRecord(f"year is {text!r}: write four digits such as 2023")
    return int(digits)


def _add_project(values: Json, known: Mapping[str, CompanyRecord]) -> None:
    whose = next((values[key] for key in ("company", "公司", "客户") if values.get(key)), "")
    record = known.get(normalised(str(whose)))
    if record is None:
        raise _BadRecord(f"{whose!r} is no company of these files")
    project = _project(values)
    record.projects = [*(record.projects or ()), project]


def _add_edge(values: Json, known: Mapping[str, CompanyRecord], ignored: dict[str, None]) -> None:
    ends: dict[str, str] = {}
    told: dict[str, str] = {}
    kind: RelationKind | None = None
    for key, value in values.items():
        plain = str(key).strip().casefold()
        if plain in ("relation", "关系"):
            kind = relation_named(_text("relation", value))
            if kind is None:
                raise _BadRecord(
                    f"relation {value!r} is not known: use one of {', '.join(relation_kinds())}"
                )
        elif plain in ("source", "主体", "起点"):
            ends["source"] = _text("source", value)
        elif plain in ("target", "客体", "终点"):
            ends["target"] = _text("target", value)
        elif name := property_named(plain):
            if value not in (None, ""):
                text = _text(name, value)
                told[name] = str(_year(text)) if name == "year" else text
        elif plain != "watermark":
            ignored[str(key)] = None
    if kind is None or len(ends) < 2:
        raise _BadRecord("a relation has `source`, `relation` and `target`")
    told = {
        name: each.removesuffix("%") if name == "percentage" else each
        for name, each in told.items()
    }
    edge = Edge(ends["source"], kind, ends["target"], told)
    owners = {
        record.company_id: record
        for end in (edge.source, edge.target)
        if (record := known.get(normalised(end)))
    }
    if not owners:
        raise _BadRecord(f"neither {edge.source!r} nor {edge.target!r} is a company of these files")
    for record in owners.values():
        _put(record, edge, known)


def _put(record: CompanyRecord, edge: Edge, known: Mapping[str, CompanyRecord]) -> None:
    """Add an edge to a company's; one that its fields told already gets the properties."""
    wanted = _ends(edge, known)
    for place, each in enumerate(record.edges):
        same = _ends(each, known) == wanted
        if same and edge.properties in ({}, each.properties):
            return
        if same and not each.properties:
            record.edges[place] = edge
            return
    record.edges.append(edge)


def _ends(edge: Edge, known: Mapping[str, CompanyRecord]) -> tuple[str, str, str]:
    source, target = (
        known[name].company_id if (name := normalised(end)) in known else name
        for end in (edge.source, edge.target)
    )
    ends = (target, source) if edge.kind.reversed_ else (source, target)
    return (edge.kind.edge, *ends)


def by_name(companies: Iterable[CompanyRecord]) -> Mapping[str, CompanyRecord]:
    """Companies by every name that is one company's alone."""
    found: dict[str, CompanyRecord | None] = {}
    for record in companies:
        for name in record.names:
            key = normalised(name)
            same = key not in found or found[key] is record
            found[key] = record if same else None
    return {key: record for key, record in found.items() if record is not None}
