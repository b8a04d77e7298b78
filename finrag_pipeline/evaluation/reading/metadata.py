"""How much of what reports say of themselves is read right, by `metadata_gold.jsonl`."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.reading.documents import pdfs, read_documents
from finrag_pipeline.evaluation.report import Report, percent
from finrag_pipeline.records import Metadata
from finrag_pipeline.settings import Settings

_GOLD = "metadata_gold.jsonl"
#: A report is posted up to so many days after the date that it prints.
_POSTED_WITHIN_DAYS = 3
_PRICE_TOLERANCE = 0.01
_EPS = ("eps_this_year", "eps_next_year", "eps_next_two_year")

Gold = Mapping[str, Any]


def measure(folder: Path, settings: Settings) -> Report:
    """Read every stock report of a folder that has a text layer and compare it with its gold.

    Args:
        folder: PDFs and `metadata_gold.jsonl`: one JSON object a line with `file`, `kind`,
            `has_text`, the fields and `in_text`, which tells what the pages do not print.
        settings: whose engine, workers and bounds count.

    Returns:
        A row a field: right, of those that the gold has and the pages print. Fields that the gold
        leaves out are not counted.

    Raises:
        ConfigurationError: the folder holds no such gold file.
    """
    gold = _gold(folder / _GOLD)
    paths = [path for path in pdfs(folder) if path.name in gold]
    right: Counter[str] = Counter()
    counted: Counter[str] = Counter()
    misses: list[str] = []
    for document in read_documents(paths, settings, tables=False):
        expected = gold[document.path.name]
        found = document.metadata or Metadata()
        if document.error:
            misses.append(f"{document.path.name}: {document.error}")
        for field, (compare, wanted) in _compared(expected).items():
            if wanted is None:
                continue
            counted[field] += 1
            got, same = compare(found)
            right[field] += same
            if not same:
                misses.append(f"{document.path.name}: {field}: read {got!r}, gold {wanted!r}")
    rows = tuple((field, percent(right[field], counted[field])) for field in counted)
    notes = (
        f"{len(paths)} stock reports with a text layer; EPS is informative: those who collect the "
        "gold pick one of several forecasts.",
    )
    return Report("Metadata of stock reports", ("field", "right"), rows, notes, tuple(misses))


def same_name(found: str | None, gold: str) -> bool:
    """Whether two short names are one but for marks of the listing: ``*ST``, ``-U``, ``A``.

    >>> same_name("星河医药-U", "星河医药"), same_name("*ST 星河", "星河")
    (True, True)
    """
    return found is not None and _bare_name(found) == _bare_name(gold)


def same_rating(found: str | None, gold: str) -> bool:
    """Whether two ratings are one but for an English suffix: ``买入(Buy)``, ``增持-A``.

    >>> same_rating("买入", "买入(Buy)"), same_rating("增持-A", "增持"), same_rating("买入", "增持")
    (True, True, False)
    """
    return found is not None and _bare_rating(found) == _bare_rating(gold)


def _gold(path: Path) -> dict[str, Gold]:
    if not path.is_file():
        raise ConfigurationError(f"no {_GOLD} in {path.parent}; name a folder that holds one")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return {row["file"]: row for row in rows if row["kind"] == "stock" and row["has_text"]}


Compare = Callable[[Metadata], tuple[object, bool]]


def _compared(gold: Gold) -> dict[str, tuple[Compare, object]]:
    """Field to its comparison and its gold value, None for what is not to be counted."""
    houses = [name for name in (gold.get("broker"), gold.get("broker_full")) if name]
    posted = date.fromisoformat(gold["publish_date"]) if gold.get("publish_date") else None
    analysts = _printed_analysts(gold)
    fields: dict[str, tuple[Compare, object]] = {
        "code": (
            lambda m: (m.company_code, (m.company_code or "")[:6] == gold["stock_code"]),
            _printed(gold, "stock_code"),
        ),
        "name": (
            lambda m: (m.company_name, same_name(m.company_name, gold["stock_name"])),
            _printed(gold, "stock_name"),
        ),
        "broker": (
            lambda m: (
                m.broker,
                bool(m.broker) and any(m.broker in h or h in m.broker for h in houses),
            ),
            _printed(gold, "broker"),
        ),
        "analysts": (lambda m: (m.analysts, set(m.analysts) == analysts), analysts or None),
        "rating": (
            lambda m: (m.rating, same_rating(m.rating, gold["rating_original"])),
            _printed_rating(gold),
        ),
        "target price": (
            lambda m: (m.target_price, _near(m.target_price, gold["target_price"])),
            _printed(gold, "target_price"),
        ),
        "publication date": (
            lambda m: (m.published_on, _posted_after(m.published_on, posted)),
            posted,
        ),
    }
    if posted and gold["in_text"].get("eps_this_year"):
        for ahead, field in enumerate(_EPS):
            year = posted.year + ahead
            wanted = gold.get(field)
            fields[field.replace("_", " ")] = (
                lambda m, year=year, wanted=wanted: (_eps(m, year), _near(_eps(m, year), wanted)),
                wanted,
            )
    return fields


def _printed(gold: Gold, field: str) -> object:
    return gold.get(field) if gold["in_text"].get(field) else None


def _printed_rating(gold: Gold) -> object:
    """The gold's rating; the English suffix that it adds is never printed with it."""
    rating = gold.get("rating_original")
    return (
        rating if rating and _bare_rating(rating) != rating else _printed(gold, "rating_original")
    )


def _printed_analysts(gold: Gold) -> set[str]:
    """The gold's analysts; none where the pages do not print them all."""
    return set(gold["analysts"]) if all(gold["in_text"].get("analysts") or [False]) else set()


def _near(found: float | None, gold: float | None) -> bool:
    return found is not None and gold is not None and abs(found - gold) < _PRICE_TOLERANCE


def _posted_after(found: date | None, posted: date | None) -> bool:
    return bool(found and posted and 0 <= (posted - found).days <= _POSTED_WITHIN_DAYS)


def _eps(metadata: Metadata, year: int) -> float | None:
    return next((item.value for item in metadata.eps_forecasts if item.year == year), None)


def _bare_name(name: str) -> str:
    return re.sub(r"^\*?ST|-[A-Z]{1,2}$|(?<=[\u4e00-\u9fff])[AB]$", "", "".join(name.split()))


def _bare_rating(rating: str) -> str:
    bare = re.sub(r"\s*[（(][A-Za-z \-]+[)）]$|(?<=[\u4e00-\u9fff])\s*-?\s*[A-Za-z]+$", "", rating)
    return bare.casefold().strip()
