"""Questions with the pages or documents that answer them, read from JSON lines.

Our own form, and two public ones as they are: FinanceBench and the evidence of CFR-NumQA.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from finrag_pipeline.errors import ConfigurationError

Row: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page that answers; all of a document where no page is known.

    Attributes:
        document: file name, its stem, or a document's id.
        page: 1-based; None: any page of the document will do.
    """

    document: str
    page: int | None = None


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question and what answers it, each page once."""

    id: str
    question: str
    gold: tuple[GoldPage, ...]

    @property
    def documents(self) -> tuple[str, ...]:
        """The documents of its gold, each once."""
        return tuple(dict.fromkeys(page.document for page in self.gold))


def read_questions(path: Path) -> list[GoldQuestion]:
    """All questions of a file, in order.

    A line is one of

    * ``{"id", "question", "pages": [{"source", "page"}]}``, pages counting from 1;
    * ``{"id", "question", "documents": [name]}``, where no page is known;
    * ``{"id", "question", "evidence": [{"source", "page"}]}``, the form of CFR-NumQA;
    * ``{"financebench_id", "question", "doc_name", "evidence": [{"page_index"}]}``, the form of
      FinanceBench, whose `page_index` counts from 0.

    Raises:
        ConfigurationError: the file cannot be read, or a line is none of these; it is named.
    """
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}") from error
    found: dict[str, GoldQuestion] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            question = _question(json.loads(line), number)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ConfigurationError(
                f"{path}, line {number} is no question with its gold ({error}): give "
                '{"id", "question", "pages": [{"source": file name, "page": from 1}]}'
            ) from error
        if question.id in found:
            raise ConfigurationError(f"{path}, line {number}: id {question.id!r} is there twice")
        found[question.id] = question
    if not found:
        raise ConfigurationError(f"{path} holds no question")
    return list(found.values())


def _question(row: Row, number: int) -> GoldQuestion:
    gold = tuple(dict.fromkeys(_gold(row)))
    if not gold:
        raise ValueError("it names no page and no document")
    if not str(row["question"]).strip():
        raise ValueError("the question is empty")
    named = row.get("id", row.get("financebench_id", number))
    return GoldQuestion(str(named), str(row["question"]), gold)


def _gold(row: Row) -> Sequence[GoldPage]:
    if row.get("pages"):
        return [_page(each) for each in row["pages"]]
    if row.get("documents"):
        return [GoldPage(str(name)) for name in row["documents"]]
    if "doc_name" in row:
        name = str(row["doc_name"])
        return [GoldPage(name, int(each["page_index"]) + 1) for each in row["evidence"]]
    return [_page(each) for each in row["evidence"]]


def _page(each: Row) -> GoldPage:
    page = int(each["page"])
    if page < 1:
        raise ValueError(f"page {page}: pages count from 1")
    return GoldPage(str(each["source"]), page)
