"""What analysts say of answers: marked with what was found, asked again today, made into gold.

Storing belongs to `store.evaluation.feedback`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from finrag_pipeline import __version__
from finrag_pipeline.errors import ConfigurationError, FinragError, InvalidQuestion, NotFound
from finrag_pipeline.evaluation.report import Report
from finrag_pipeline.evaluation.retrieval.questions import GoldPage, GoldQuestion
from finrag_pipeline.evaluation.retrieval.rankings import FIRST, first_rank
from finrag_pipeline.evaluation.retrieval.variants import Task, piece_of, tasks_of
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.results import Answer, Result
from finrag_pipeline.query.question.options import Options, checked
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.evaluation.feedback import Mark, Verdict

Json = dict[str, Any]

#: Results that are stored with a mark.
KEPT = 20
#: Results among which an expected page is looked for today.
SEARCHED = 100

#: What may be wrong with an answer, the worst first.
FAILED = "the question raises an error"
NOT_FOUND = f"expected page not among the first {SEARCHED}"
BELOW = f"expected page below the first {FIRST}"
REFUSED = f"expected page among the first {FIRST}, but no answer"
NOT_CITED = f"expected page among the first {FIRST}, but the answer cites others"
CITED = "expected page cited: what the answer says of it is wrong, or it was mended"
UNEXPECTED_REFUSAL = "no answer; no expected page was named"
UNEXPECTED_ANSWER = "answered; no expected page was named"
GROUPS = (
    *(FAILED, NOT_FOUND, BELOW, REFUSED, NOT_CITED, CITED),
    *(UNEXPECTED_REFUSAL, UNEXPECTED_ANSWER),
)

_PAGE = re.compile(r"(?P<document>.+):(?P<page>\d+)")


@dataclass(frozen=True, slots=True)
class Seen:
    """A marked question as it goes today.

    Attributes:
        group: what is wrong, one of `GROUPS`.
        rank: of the first result on an expected page, 0 where there is none.
        status: of the answer; ``error`` where it raised one.
        cited: pages that the answer cites, as ``file p. 3``.
    """

    mark: Mark
    group: str
    rank: int
    status: str
    cited: tuple[str, ...]

    def to_dict(self) -> Json:
        return {
            "id": self.mark.id,
            "question": self.mark.question,
            "comment": self.mark.comment,
            "marked_at": self.mark.marked_at,
            "group": self.group,
            "rank": self.rank or None,
            "status": self.status,
            "status_then": self.mark.status,
            "cited": list(self.cited),
            "expected_pages": list(self.mark.expected_pages),
        }


def page_of(text: str) -> GoldPage:
    """A page as the command line writes it, ``FILE:PAGE``, or a file alone.

    Raises:
        ConfigurationError: pages count from 1.

    >>> page_of("report.pdf:3"), page_of("report.pdf").page
    (GoldPage(document='report.pdf', page=3), None)
    """
    match = _PAGE.fullmatch(text)
    if match is None:
        return GoldPage(text)
    page = int(match["page"])
    if page < 1:
        raise ConfigurationError(f"{text!r}: pages count from 1")
    return GoldPage(match["document"], page)


def make_mark(
    engine: QueryEngine,
    reader: Reader,
    question: str,
    verdict: Verdict,
    options: Options,
    comment: str = "",
    expected: Sequence[GoldPage] = (),
) -> Mark:
    """Ask a question as it is asked now, and say what was found; storing it is the caller's.

    Args:
        options: whose `app` and `as_of` count; the app is named.

    Raises:
        InvalidQuestion: nothing was asked.
        NotFound: an expected page's document is not there.
    """
    question = checked(question)
    _, missing = _task(reader, options, GoldQuestion("", question, tuple(expected)))
    if missing:
        raise NotFound("; ".join(missing.values()))
    found = engine.search(question, _deep(options, KEPT)).results
    answer, failure = _answer(engine, question, options)
    keys = {each.key for each in answer.evidence} if answer else set()
    return Mark(
        question=question,
        verdict=verdict,
        comment=comment,
        as_of=options.as_of,
        expected_pages=[{"source": page.document, "page": page.page} for page in expected],
        status=answer.status if answer else "error",
        route=answer.route if answer else {"reason": failure},
        found=[_kept(each, each.item.key in keys) for each in found],
        release=__version__,
    )


def look_again(engine: QueryEngine, reader: Reader, app_id: str, mark: Mark) -> Seen:
    """Ask a marked question today, and say what is wrong with what comes."""
    options = Options(app=app_id, as_of=mark.as_of)
    gold = GoldQuestion(str(mark.id), mark.question, _expected(mark))
    task, _ = _task(reader, options, gold)
    try:
        found = engine.search(mark.question, _deep(options, SEARCHED)).results
        answer = engine.ask(mark.question, options)
    except FinragError:
        return Seen(mark, FAILED, 0, "error", ())
    rank = first_rank([piece_of(each) for each in found], task.units)
    places = [
        (each.document_id, each.source, place.page)
        for each in answer.evidence
        for place in each.places
    ]
    cites = any(
        document_id == of and page in (None, at)
        for document_id, _, at in places
        for of, page in task.units
    )
    cited = tuple(dict.fromkeys(f"{source} p. {page}" for _, source, page in places))
    group = _group(bool(task.units), rank, answer.status == "answered", cites)
    return Seen(mark, group, rank, answer.status, cited)


def report(seen: Sequence[Seen]) -> Report:
    """Bad cases by what is wrong with them today, and each case as a line."""
    counted = Counter(each.group for each in seen)
    lines = [
        f"{each.mark.id}, {each.group}: {each.mark.question}"
        + (f" [{each.mark.comment}]" if each.mark.comment else "")
        + (f"; rank {each.rank}" if each.rank else "")
        + (f"; cites {', '.join(each.cited)}" if each.cited else "")
        for group in GROUPS
        for each in seen
        if each.group == group
    ]
    return Report(
        title=f"{len(seen)} questions that were marked as badly answered, asked again",
        columns=("what is wrong today", "questions"),
        rows=tuple((group, counted[group]) for group in GROUPS if counted[group]),
        misses=tuple(lines),
    )


def newest(marks: Sequence[Mark]) -> list[Mark]:
    """The last mark of each question and day, the newest first."""
    found: dict[tuple[str, date | None], Mark] = {}
    for mark in marks:
        found.setdefault((mark.question, mark.as_of), mark)
    return list(found.values())


def exported(marks: Sequence[Mark]) -> Generator[str]:
    """Lines of a question file for `finrag evaluate retrieval`.

    The gold of a question are its expected pages; of a good answer without any, the pages that it
    cited. Questions without either, and those asked as of a day, are left out.
    """
    for mark in newest(marks):
        pages: list[Any] = list(mark.expected_pages)
        if not pages and mark.verdict == "good":
            pages = [
                {"source": each["source"], "page": page}
                for each in mark.found
                if each["cited"] and each["source"]
                for page in each["pages"]
            ]
        if not pages or mark.as_of is not None:
            continue
        gold = (
            {"pages": pages}
            if all(page["page"] for page in pages)
            else {"documents": list(dict.fromkeys(page["source"] for page in pages))}
        )
        line = {"id": f"feedback-{mark.id}", "question": mark.question, **gold}
        yield json.dumps(line, ensure_ascii=False)


def _group(expected: bool, rank: int, answered: bool, cites: bool) -> str:
    if not expected:
        return UNEXPECTED_ANSWER if answered else UNEXPECTED_REFUSAL
    if answered and cites:
        return CITED
    if not rank:
        return NOT_FOUND
    if rank > FIRST:
        return BELOW
    return NOT_CITED if answered else REFUSED


def _expected(mark: Mark) -> tuple[GoldPage, ...]:
    return tuple(GoldPage(each["source"], each["page"]) for each in mark.expected_pages)


def _task(reader: Reader, options: Options, question: GoldQuestion) -> tuple[Task, dict[str, str]]:
    assert options.app is not None  # the caller names it
    (task,), missing = tasks_of(reader, options.app, [question])
    return task, missing


def _deep(options: Options, k: int) -> Options:
    return Options(app=options.app, as_of=options.as_of, k=k)


def _answer(engine: QueryEngine, question: str, options: Options) -> tuple[Answer | None, str]:
    try:
        return engine.ask(question, options), ""
    except InvalidQuestion:
        raise
    except FinragError as error:
        return None, str(error)


def _kept(result: Result, cited: bool) -> Json:
    piece = piece_of(result)
    return {
        "rank": result.rank,
        "kind": result.kind,
        "id": list(result.item.key.id),
        "source": result.item.to_dict().get("source"),
        "pages": sorted(piece.pages),
        "cited": cited,
    }
