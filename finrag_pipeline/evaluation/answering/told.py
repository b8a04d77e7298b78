"""How right answers are in words: what they have to say and must not, whether they are said or
refused, the pages they cite, and whether they keep to the company and the time asked for.

An error, a refusal or a question asked back counts as wrong where there is an answer. Comparing
values is `values`'.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from finrag_pipeline.errors import FinragError
from finrag_pipeline.evaluation.json_lines import read_lines
from finrag_pipeline.evaluation.report import Report, percent
from finrag_pipeline.grammar.periods import ReportingPeriod, periods_in
from finrag_pipeline.query.evidence.citation import MARK
from finrag_pipeline.query.question.options import Options
from finrag_pipeline.query.question.reading import Reading
from finrag_pipeline.settings import Settings

if TYPE_CHECKING:
    from finrag_pipeline.query.engine import QueryEngine

Json = dict[str, Any]

_BLANK = re.compile(r"\s+")
#: Whose words a line quotes, and of which day.
_PUBLISHED = re.compile(r"[（(][^（()）]*\d{4}-\d\d-\d\d[)）](?=\[\d+\])")
#: A separator of thousands: between a digit and three others.
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_FORM = (
    '{"id", "question", "kind", "status", "must": [pattern], "must_not": [pattern], '
    '"some": {"of": [pattern], "least"}, "pages": [{"source", "page"}]}'
)


@dataclass(frozen=True, slots=True)
class GoldTelling:
    """A question and what its answer has to say.

    Attributes:
        kind: rows of the report.
        status: what has to become of it.
        must: patterns that have to match what is said, see `told_of`.
        must_not: patterns that may not.
        some: patterns of which `least` have to match: the items of a list.
        pages: file and page, from 1; one of them has to be cited.
        history: earlier questions, the oldest first.
    """

    id: str
    question: str
    kind: str
    status: str
    must: tuple[re.Pattern[str], ...] = ()
    must_not: tuple[re.Pattern[str], ...] = ()
    some: tuple[re.Pattern[str], ...] = ()
    least: int = 0
    pages: frozenset[tuple[str, int]] = frozenset()
    as_of: date | None = None
    history: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """What came of one question.

    Attributes:
        status: of the answer; `error` where there was none.
        right: it says what it has to, and nothing that it must not.
        cited: it cites a page of the gold.
        kept: all that it cites is of the company, and all that it says of the time asked for.
    """

    gold: GoldTelling
    status: str
    answer: str
    right: bool
    cited: bool
    kept: bool
    pages: tuple[tuple[str, int], ...] = field(default=())


def read_tellings(path: Path) -> list[GoldTelling]:
    """All questions of a file of JSON lines, in order.

    Raises:
        ConfigurationError: the file cannot be read, or a line is not of the form; it is named.
    """
    return read_lines(path, _telling, lacks="is no question with what its answer says", give=_FORM)


def _telling(row: Json) -> GoldTelling:
    some: Json = row.get("some") or {"of": [], "least": 0}
    pages = frozenset((str(each["source"]), int(each["page"])) for each in row.get("pages") or ())
    return GoldTelling(
        str(row["id"]),
        str(row["question"]),
        str(row["kind"]),
        str(row["status"]),
        _patterns(row.get("must") or ()),
        _patterns(row.get("must_not") or ()),
        _patterns(some["of"]),
        int(some["least"]),
        pages,
        date.fromisoformat(row["as_of"]) if row.get("as_of") else None,
        tuple(row.get("history") or ()),
    )


def _patterns(written: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(each, re.IGNORECASE) for each in written)


def measure(
    files: Sequence[Path], settings: Settings, progress: Callable[[str, int, int], None]
) -> Report:
    """Ask every question of some files.

    Args:
        files: JSON lines, see `read_tellings`.
        progress: told the name of a file, how many are asked, and how many there are.

    Raises:
        ConfigurationError: a file cannot be read.
    """
    from finrag_pipeline.query.engine import QueryEngine
    from finrag_pipeline.store.database.reader import open_reader

    golds = {path.name: read_tellings(path) for path in files}
    judged: list[Told] = []
    with open_reader(settings) as reader:
        engine = QueryEngine(reader, settings)
        for name, questions in golds.items():
            for number, gold in enumerate(questions, 1):
                judged.append(judge(engine, gold))
                progress(name, number, len(questions))
    return report(judged)


def judge(engine: QueryEngine, gold: GoldTelling) -> Told:
    """Ask one question and compare."""
    options = Options(as_of=gold.as_of, history=gold.history)
    try:
        answer = engine.ask(gold.question, options)
        reading, companies = engine.read(gold.question, options)
    except FinragError as error:
        return Told(gold, "error", str(error), False, False, False)
    written = answer.to_dict()
    pages = tuple((str(each["source"]), int(each["page"])) for each in written["evidence"])
    kept = all(
        _of_companies(reading, companies.get(str(each["document_id"]), ""), str(each["quote"]))
        for each in written["evidence"]
    ) and _of_times(reading, answer.answer)
    cited = not gold.pages or bool(gold.pages & set(pages))
    right = answer.status == gold.status and says(gold, answer.answer)
    return Told(gold, answer.status, answer.answer, right, cited, kept, pages)


def told_of(answer: str) -> str:
    """What is said, as patterns are matched with it: narrow characters, without marks, white space
    and separators of thousands, in small letters.

    >>> told_of("营收 1,234.5 亿元，同比 ＋3％[1]\\nNet Income")
    '营收1234.5亿元,同比+3%netincome'
    """
    text = unicodedata.normalize("NFKC", MARK.sub("", answer))
    return _THOUSANDS.sub("", _BLANK.sub("", text)).casefold()


def says(gold: GoldTelling, answer: str) -> bool:
    """Whether an answer says what it has to, and nothing that it must not."""
    said = told_of(answer)
    if any(each.search(said) for each in gold.must_not):
        return False
    if gold.status != "answered":
        return True  # how it is put is not what is asked for
    items = sum(bool(each.search(said)) for each in gold.some)
    return all(each.search(said) for each in gold.must) and items >= gold.least


def _of_companies(reading: Reading, company: str, quote: str) -> bool:
    """Whether what is cited is of a company that the question names."""
    asked = {key for each in reading.companies for key in each.keys}
    named = any(each.text in quote for each in reading.companies)
    return not asked or not company or company in asked or named


def _of_times(reading: Reading, answer: str) -> bool:
    """Whether each line that names times names one of those asked for, or one that shares days."""
    if not reading.periods:
        return True
    for line in answer.splitlines():
        # the day on which what is quoted was published is no time that it speaks of
        named = list(periods_in(_PUBLISHED.sub("", line)))
        if named and not any(_shares(each, other) for each in named for other in reading.periods):
            return False
    return True


def _shares(one: ReportingPeriod, other: ReportingPeriod) -> bool:
    return one.first_on <= other.last_on and other.first_on <= one.last_on


def report(judged: Sequence[Told]) -> Report:
    """A row a kind and one of all."""
    kinds = sorted({each.gold.kind for each in judged})
    rows = [_row(kind, [each for each in judged if each.gold.kind == kind]) for kind in kinds]
    rows.append(_row("all", judged))
    misses = tuple(
        f"{each.gold.id} {each.gold.kind} {each.gold.question} | {_missed(each)} | "
        f"{each.status}: {' / '.join(each.answer.splitlines())} | {_cited(each)}"
        for each in judged
        if not (each.right and each.cited and each.kept)
    )
    columns = ("kind", "asked", "right", "right page cited", "wrong when answered")
    columns += ("answered or refused as it should be", "on company and period", "errors")
    notes = (
        "Errors, refusals and questions asked back count as wrong where there is an answer; "
        "pages count of what is answered.",
    )
    return Report("Answers by what they say", columns, tuple(rows), notes, misses)


def _row(kind: str, judged: Sequence[Told]) -> tuple[object, ...]:
    answered = [each for each in judged if each.status == "answered"]
    to_cite = [each for each in answered if each.gold.pages]
    return (
        kind,
        len(judged),
        percent(sum(each.right for each in judged), len(judged)),
        percent(sum(each.cited for each in to_cite), len(to_cite)),
        percent(sum(not each.right for each in answered), len(answered)),
        percent(sum(each.status == each.gold.status for each in judged), len(judged)),
        percent(sum(each.kept for each in answered), len(answered)),
        sum(each.status == "error" for each in judged),
    )


def _missed(one: Told) -> str:
    gold, said = one.gold, told_of(one.answer)
    lacks = [each.pattern for each in gold.must if not each.search(said)]
    lacks += [f"not {each.pattern}" for each in gold.must_not if each.search(said)]
    if gold.least and sum(bool(each.search(said)) for each in gold.some) < gold.least:
        lacks.append(f"{gold.least} of {[each.pattern for each in gold.some]}")
    if one.status != gold.status:
        lacks.insert(0, f"status {gold.status}")
    if not one.cited:
        lacks.append("page")
    return "; ".join(lacks) if not one.kept or lacks else "right"


def _cited(one: Told) -> str:
    return "; ".join(f"{source} p.{page}" for source, page in dict.fromkeys(one.pages)) or "nothing"


def is_telling(path: Path) -> bool:
    """Whether a file asks for what is said: its first line has a status, and no value."""
    try:
        first: Json = json.loads(
            next(filter(str.strip, path.read_text("utf-8-sig").splitlines()), "{}")
        )
    except (OSError, ValueError):
        return False
    return "status" in first
