"""Values of records' fields by their form: text, lists, days, codes, projects.

Which field has which form is `vocabulary`; what a record is made of is `checking`.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from finrag_pipeline.stages.enterprise.companies import Project
from finrag_pipeline.stages.enterprise.vocabulary import Field
from finrag_pipeline.stages.identity.codes import listing_code

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


class BadRecord(Exception):
    """Why an object is no record."""


def read_value(known: Field, value: Any) -> Any:
    if known.form in ("list", "companies"):
        return tuple(_listed(known.name, value))
    if known.form == "projects":
        if value in _NONE:
            return []
        if not isinstance(value, list):
            raise BadRecord(f"{known.name} is no list of projects")
        return [read_project(each) for each in value]
    if known.form == "count":
        digits = re.sub(r"[,，\s人]", "", str(value))
        if not digits.isdigit():
            raise BadRecord(f"{known.name} is {value!r}, which is no number of people")
        return int(digits)
    text = read_text(known.name, value)
    if known.form == "id" and not _ID.fullmatch(text):
        raise BadRecord(f"id is {text!r}: use letters, digits, _ . and - alone, at most 64")
    if known.form == "day":
        return _day(known.name, text)
    if known.form == "date" and not _DAY.fullmatch(text):
        raise BadRecord(f"{known.name} is {text!r}: write 2015-03-15, 2015-03 or 2015")
    if known.form == "code":
        code = listing_code(text)
        if code is None:
            raise BadRecord(f"{known.name} is {text!r}, which is no securities code")
        return code
    return text


def read_text(name: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadRecord(f"{name} is {value!r}, which is no text")
    text = " ".join(str(value).replace("\0", " ").split())
    if not text or len(text) > _LONGEST:
        raise BadRecord(f"{name} has {len(text)} characters: 1 to {_LONGEST} are read")
    return text


def _day(name: str, text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadRecord(f"{name} is {text!r}, which is no day such as 2025-04-30") from None


def _listed(name: str, value: Any) -> list[str]:
    if isinstance(value, str):
        value = value.split("|")
    if not isinstance(value, list):
        raise BadRecord(f"{name} is {value!r}, which is no list")
    return list(dict.fromkeys(read_text(name, each) for each in value if each not in (None, "")))


def read_project(value: Any) -> Project:
    if not isinstance(value, dict):
        raise BadRecord(f"{value!r} is no project with fields such as `project` and `year`")
    said = {
        name: read_text(name, each)
        for key, each in value.items()
        if (name := _PROJECT.get(str(key).strip().casefold())) and each not in (None, "")
    }
    if "project" not in said:
        raise BadRecord("a project has no name in `project`")
    year = said.pop("year", None)
    return Project(read_year(year) if year else None, **said)


def read_year(text: str) -> int:
    digits = text.removesuffix("年")
    if not _YEAR.fullmatch(digits):
        raise BadRecord(f"year is {text!r}: write four digits such as 2023")
    return int(digits)
