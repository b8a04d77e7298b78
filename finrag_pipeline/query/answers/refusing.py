"""What a refusal says: what no document mentions, where was looked, what is nearest.

Which names are absent is `question.absent`'s; figures refuse by `numbers.refusals`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.catalogue import DocumentFacts
from finrag_pipeline.query.question.scope import Group
from finrag_pipeline.words import fold, is_chinese

_PATH = Path(__file__).with_name("refusing.csv")
#: Names that come near to an absent one; what two names share, of both, from which they do.
_MOST_NEAR, _NEAR = 3, 0.6
#: Years of filings that are offered, the newest first.
_MOST_YEARS = 3


def refused(asked: Asked, absent: Sequence[str], *, broken: bool = False) -> str:
    """Why there is no answer, in the question's language.

    Args:
        absent: names of the question that the whole store does not know.
        broken: whether no lane could search: nothing is said to be absent then.
    """
    chinese = is_chinese(asked.question)
    if broken:
        return _say("broken", chinese)
    joined = "、" if chinese else ", "
    strangers = [each.text for each in asked.scope.reading.strangers]
    if absent:
        first = _say("absent", chinese, names=joined.join(absent))
    elif strangers:
        first = _say("no_documents", chinese, names=joined.join(strangers))
    else:
        first = _say("unanswered", chinese)
    return ("" if chinese else " ").join([first, *_searched(asked, chinese), *_near(asked, absent)])


def nearest_label(question: str) -> str:
    """What stands over passages that come nearest to an answer and are none."""
    return _say("nearest", is_chinese(question))


def _searched(asked: Asked, chinese: bool) -> Iterable[str]:
    """Where was looked, and which other years are held."""
    groups = [group for group in asked.scope.groups if group.name]
    if not groups:
        documents = sum(1 for _ in _allowed(asked))
        if documents:
            yield _say("searched_all", chinese, documents=str(documents))
        return
    told = [
        _say(
            "held",
            chinese,
            name=group.name,
            documents=str(group.documents),
            newest=str(max(each.spoken_on for each in _of(group, asked))),
        )
        for group in groups
    ]
    yield _say("searched", chinese, whom=("；" if chinese else "; ").join(told))
    wanted = {each.last_on.year for each in asked.scope.reading.periods}
    own = [each.row for group in groups for each in _of(group, asked)]
    years = {row.fiscal_year for row in own if row.fiscal_year and row.kind == "filing"}
    # what others wrote within a year may tell of it
    discussed = {row.published_on.year for row in own if row.kind != "filing"}
    if wanted and years and not wanted & (years | discussed):
        joined = "、" if chinese else ", "
        yield _say(
            "years",
            chinese,
            years=joined.join(map(str, sorted(years, reverse=True)[:_MOST_YEARS])),
            asked=joined.join(map(str, sorted(wanted))),
        )


def _near(asked: Asked, absent: Sequence[str]) -> Iterable[str]:
    """Companies whose names resemble an absent one."""
    if not absent:
        return
    catalogue = asked.scope.catalogue
    held = {each.company for each in _allowed(asked) if each.company}
    found: list[tuple[float, str]] = []
    for name in map(catalogue.name_of, sorted(held)):
        alike = max((_alike(each, name) for each in absent), default=0.0)
        if alike >= _NEAR:
            found.append((alike, name))
    if found:
        chinese = is_chinese(asked.question)
        names = [name for _, name in sorted(found, key=lambda each: -each[0])[:_MOST_NEAR]]
        yield _say("near", chinese, names=("、" if chinese else ", ").join(names))


def _alike(one: str, other: str) -> float:
    """How much of the shorter name the other has in one piece, 0 to 1; two characters at least.

    >>> _alike("药明", "药明康德"), _alike("远山格物", "星河新材")
    (1.0, 0.0)
    """
    left, right = fold(one), fold(other)
    block = SequenceMatcher(None, left, right, autojunk=False).find_longest_match()
    shorter = min(len(left), len(right))
    return block.size / shorter if block.size > 1 and shorter else 0.0


def _of(group: Group, asked: Asked) -> list[DocumentFacts]:
    documents = asked.scope.catalogue.documents
    return [documents[each] for each in group.document_ids]


def _allowed(asked: Asked) -> Iterable[DocumentFacts]:
    """Documents that the question may be answered from."""
    where = asked.where
    for each in asked.scope.catalogue.documents.values():
        if where.as_of is not None and each.row.published_on > where.as_of:
            continue
        if where.document_ids is not None and each.document_id not in where.document_ids:
            continue
        if where.company and not each.bears(where.company.casefold()):
            continue
        yield each


def _say(phrase: str, chinese: bool, **values: str) -> str:
    return _phrases()[phrase][0 if chinese else 1].format(**values)


@cache
def _phrases() -> dict[str, tuple[str, str]]:
    rows = data_rows(_PATH, ("phrase", "zh", "en"))
    return {row["phrase"]: (row["zh"], row["en"]) for row in rows}
