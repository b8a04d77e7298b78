"""A company's record to documents: profile, relations, projects, needs, each in lines that stand
alone.

Where their text comes from is `checking`, how they become pages `pages`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from finrag_pipeline.records.enterprise import (
    RECORD_KINDS,
    RecordDocument,
    RecordLine,
    RecordName,
    RecordRelation,
)
from finrag_pipeline.stages.enterprise.companies import (
    CompanyRecord,
    Edge,
    Project,
    by_name,
    canonical_name,
)
from finrag_pipeline.stages.enterprise.vocabulary import Field, fields, properties
from finrag_pipeline.stages.identity.names import normalised
from finrag_pipeline.words import is_chinese

#: Title of each part, in Chinese and English.
_TITLES = {
    "profile": ("企业档案", "company profile"),
    "relations": ("企业关系", "company relations"),
    "projects": ("合作案例", "project history"),
    "needs": ("业务痛点与需求", "company needs"),
}
_COMPANY = ("企业名称", "Company")
_NO_PROJECTS = (
    ("合作历史", "Past projects"),
    ("{}未合作过，没有合作项目。", "{} has no past projects."),
)
_LIST = ("、", ", ")
_END = ("。", ".")
_PEOPLE = ("{}人", "{} people")


def company_to_documents(
    record: CompanyRecord, known: Mapping[str, CompanyRecord]
) -> Iterator[RecordDocument]:
    """The documents of a company; parts that the record says nothing of have none.

    Args:
        known: companies by their names, as `by_name` has them.
    """
    english = int(not is_chinese(record.name))
    parts: list[tuple[str, str, list[RecordLine]]] = [
        ("profile", "profile", list(_fields(record, "profile", english))),
        ("relations", "relations", list(_relations(record, known, english))),
    ]
    numbers: Counter[int | None] = Counter()
    for project in record.projects or ():
        numbers[project.year] += 1
        part = "_".join(
            str(each) for each in ("project", project.year, numbers[project.year]) if each
        )
        parts.append(("projects", part, [_project(record, project, known, english)]))
    parts.append(("needs", "needs", list(_fields(record, "needs", english))))
    for kind, part, lines in parts:
        if lines:
            own = RecordLine(_COMPANY[english], record.name + _END[english])
            year = [part.split("_")[1]] if kind == "projects" and part.count("_") > 1 else []
            title = " ".join([record.name, _TITLES[kind][english], *year])
            yield RecordDocument(
                record.company_id,
                part,
                RECORD_KINDS[kind],
                title,
                record.name,
                (own, *lines),
                tuple(name for name in record.names if name != record.name),
                record.values.get("code"),
                record.values.get("updated_on"),
                record.values.get("watermark", ""),
            )


def documents_of(records: Sequence[CompanyRecord]) -> list[RecordDocument]:
    """The documents of all companies, in order."""
    known = by_name(records)
    return [each for record in records for each in company_to_documents(record, known)]


def _fields(record: CompanyRecord, part: str, english: int) -> Iterator[RecordLine]:
    for field in fields().values():
        value = record.values.get(field.name)
        if field.part == part and value not in (None, ()):
            yield _field(field, value, record, english)


def _field(field: Field, value: Any, record: CompanyRecord, english: int) -> RecordLine:
    label, end = field.label[english], _END[english]
    if field.form == "list":
        return RecordLine(label, _LIST[english].join(value) + end)
    if field.form == "count":
        return RecordLine(label, _PEOPLE[english].format(value) + end)
    text = f"{value}{end}"
    if field.form == "person":
        person = RecordName(str(value), "person", record.name)
        return RecordLine(label, text, (person,), (RecordRelation(0, "works_for", -1),))
    if field.form == "industry":
        industry = RecordName(str(value), "industry")
        return RecordLine(label, text, (industry,), (RecordRelation(-1, "part_of", 0),))
    return RecordLine(label, text)


def _relations(
    record: CompanyRecord, known: Mapping[str, CompanyRecord], english: int
) -> Iterator[RecordLine]:
    for edge in record.edges:
        yield _edge(record, edge, known, english)
    if record.projects is not None and not record.projects:
        label, said = _NO_PROJECTS
        yield RecordLine(label[english], said[english].format(record.name))


def _edge(
    record: CompanyRecord, edge: Edge, known: Mapping[str, CompanyRecord], english: int
) -> RecordLine:
    kind = edge.kind
    ends = tuple(canonical_name(end, known) for end in (edge.source, edge.target))
    own = ends[0] == record.name
    label = (kind.source_label if own else kind.target_label)[english]
    said = kind.said[english].format(source=ends[0], target=ends[1])
    told = [
        form[english].format(edge.properties[name])
        for name, form in properties().items()
        if name in edge.properties
    ]
    brackets = ("（", "，", "）") if not english else (" (", ", ", ")")
    beside = f"{brackets[0]}{brackets[1].join(told)}{brackets[2]}" if told else ""
    names = (RecordName(ends[0], kind.source_type), RecordName(ends[1], kind.target_type))
    head, tail = (1, 0) if kind.reversed_ else (0, 1)
    # what two records tell is stated by one of them, or it would count twice
    states = ends[head] == record.name or normalised(ends[head]) not in known
    year = edge.properties.get("year")
    relation = RecordRelation(head, kind.edge, tail, int(year) if year else None)
    text = f"{said}{beside}{_END[english]}"
    return RecordLine(label, text, names, (relation,) if states else ())


def _project(
    record: CompanyRecord, project: Project, known: Mapping[str, CompanyRecord], english: int
) -> RecordLine:
    names: list[RecordName] = []
    relations: list[RecordRelation] = []
    partner = canonical_name(project.partner, known) if project.partner else ""
    if partner:
        names.append(RecordName(partner, "company"))
        relations.append(RecordRelation(0, "cooperates_with", -1, project.year))
    if project.product:
        names.append(RecordName(project.product, "product"))
        relations.append(RecordRelation(-1, "uses", len(names) - 1, project.year))
    if english:
        year = f"In {project.year} " if project.year else ""
        beside = f" with {partner}" if partner else ""
        using = f", using {project.product}" if project.product else ""
        result = f"; result: {project.result}" if project.result else ""
        text = f"{year}{record.name} carried out {project.project}{beside}{using}{result}."
        return RecordLine("Project", text, tuple(names), tuple(relations))
    year = f"{project.year}年" if project.year else ""
    beside = f"与{partner}合作" if partner else ""
    using = f"，使用{project.product}" if project.product else ""
    result = f"，成果为{project.result}" if project.result else ""
    text = f"{year}{record.name}{beside}完成{project.project}项目{using}{result}。"
    return RecordLine("合作项目", text, tuple(names), tuple(relations))
