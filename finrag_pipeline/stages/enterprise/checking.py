"""Objects of a user's files to companies, projects and edges, and why some of them are none.

Which headings and words mean what is `vocabulary`, what a value has to be `values`; the documents
made of them `documents`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from finrag_pipeline.stages.enterprise.companies import (
    CompanyRecord,
    Edge,
    Records,
    Refused,
    by_name,
)
from finrag_pipeline.stages.enterprise.files import Placed
from finrag_pipeline.stages.enterprise.values import (
    BadRecord,
    read_project,
    read_text,
    read_value,
    read_year,
)
from finrag_pipeline.stages.enterprise.vocabulary import (
    Field,
    RelationKind,
    field_named,
    fields,
    property_named,
    relation_kinds,
    relation_named,
)
from finrag_pipeline.stages.identity.names import normalised

Json = dict[str, Any]


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
                raise BadRecord(f"the id {record.company_id!r} is there already")
            companies[record.company_id] = record
        except BadRecord as error:
            refused.append(Refused(each.file, each.place, str(error)))
    known = by_name(companies.values())
    for each, form in later:
        try:
            if form == "relation":
                _add_edge(each.values, known, ignored)
            else:
                _add_project(each.values, known)
        except BadRecord as error:
            refused.append(Refused(each.file, each.place, str(error)))
    for record in list(companies.values()):
        for edge in list(record.edges):
            for end in (edge.source, edge.target):
                other = known.get(normalised(end))
                if other is not None and other is not record:
                    _put(other, edge, known)
    return Records(tuple(companies.values()), tuple(refused), tuple(ignored))


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
                raise BadRecord(f"{value!r} is no object with fields such as `name`")
            ignored[str(heading)] = None
        elif value not in (None, "", []) or (known.form == "projects" and value == []):
            found[known.name] = read_value(known, value)
    name = found.get("name")
    if not name:
        raise BadRecord("it has no name")
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


def _add_project(values: Json, known: Mapping[str, CompanyRecord]) -> None:
    whose = next((values[key] for key in ("company", "公司", "客户") if values.get(key)), "")
    record = known.get(normalised(str(whose)))
    if record is None:
        raise BadRecord(f"{whose!r} is no company of these files")
    project = read_project(values)
    record.projects = [*(record.projects or ()), project]


def _add_edge(values: Json, known: Mapping[str, CompanyRecord], ignored: dict[str, None]) -> None:
    ends: dict[str, str] = {}
    told: dict[str, str] = {}
    kind: RelationKind | None = None
    for key, value in values.items():
        plain = str(key).strip().casefold()
        if plain in ("relation", "关系"):
            kind = relation_named(read_text("relation", value))
            if kind is None:
                raise BadRecord(
                    f"relation {value!r} is not known: use one of {', '.join(relation_kinds())}"
                )
        elif plain in ("source", "主体", "起点"):
            ends["source"] = read_text("source", value)
        elif plain in ("target", "客体", "终点"):
            ends["target"] = read_text("target", value)
        elif name := property_named(plain):
            if value not in (None, ""):
                text = read_text(name, value)
                told[name] = str(read_year(text)) if name == "year" else text
        elif plain != "watermark":
            ignored[str(key)] = None
    if kind is None or len(ends) < 2:
        raise BadRecord("a relation has `source`, `relation` and `target`")
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
        raise BadRecord(f"neither {edge.source!r} nor {edge.target!r} is a company of these files")
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
