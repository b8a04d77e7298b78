"""The things that one question asks: 研发人员多少人、占员工几成，铺到多少个国家. Each has words,
metric, kind of answer and time; what a clause leaves out the one before it says.

What the question wants as a whole is `wanted`; which line tells each is `completing`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from finrag_pipeline.query.answers.passages.kinds import Kind
from finrag_pipeline.query.answers.passages.saying import metrics_named, without_asking
from finrag_pipeline.query.answers.passages.times import Time, Times
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.words import fold

#: What parts the things that a question asks.
_PARTED = re.compile(r"[，,；;、？?]|以及|并且|\band\b", re.IGNORECASE)
#: What is counted: 多少颗.
_COUNTED = re.compile(r"(?:多少|(?<!哪)几)([\u4e00-\u9fff])")
#: What is left of the share of a text that counts nothing of that.
_UNCOUNTED = 0.7


@dataclass(frozen=True, slots=True)
class Ask:
    """One of the things that a question asks.

    Attributes:
        text: the clause.
        terms: its words.
        metrics: names of its metrics.
        kinds: of answer that it asks for.
        times: of it, where other things are asked of other times.
        inherited: whether its words are those of the clause before.
    """

    text: str
    terms: tuple[str, ...]
    metrics: frozenset[str]
    kinds: tuple[Kind, ...]
    times: Times | None
    inherited: bool = False

    def told_by(self, wanted: Wanted, text: str, context: str = "") -> float:
        """The share, 0 to 1, of its words and metric that a text says; 0 where the text is no such
        answer, or of another time.

        Args:
            context: what stands around the text: its words count half.
        """
        if any(not kind.said.search(text) for kind in self.kinds):
            return 0.0
        if self.times is not None and self.times.of(text, "", None) < Time.NAMED:
            return 0.0
        share = wanted.share_of(self.terms, text, wanted.text(context), metrics=self.metrics)
        counted = _COUNTED.search(self.text)
        counts = counted is None or _counts(counted[1], text)
        if self.inherited:  # said once, things go by shorter names
            return float(counts and share > 0)
        return share if counts else share * _UNCOUNTED


def asks_of(wanted: Wanted) -> tuple[Ask, ...]:
    """The things that a question asks, in its order; one where it asks for one."""
    found: list[Ask] = []
    spans = [*_clauses(wanted.question)]
    times = [wanted.times_between(*span) for span in spans]
    several = len({each.asked for each in times if each.asked}) > 1
    for (start, end), when in zip(spans, times, strict=True):
        clause = fold(without_asking(wanted.rest[start:end]))
        terms = tuple(each for each in wanted.terms if each in clause)
        metrics = metrics_named(wanted.bare[start:end])
        own = wanted.question[start:end]
        kinds = tuple(each for each in wanted.kinds if each.asked.search(own))
        before = found[-1] if found else None
        bare = not terms and not metrics
        if bare and (before is None or not (kinds and several and when.asked)):
            continue
        if bare and before is not None:
            terms, metrics = before.terms, before.metrics
        found.append(
            Ask(own.strip(), terms, metrics, kinds, when if several and when.asked else None, bare)
        )
    return tuple(found)


def _clauses(question: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for match in _PARTED.finditer(question):
        yield begin, match.start()
        begin = match.end()
    yield begin, len(question)


def _counts(unit: str, text: str) -> bool:
    """Whether a text counts something: 2,814.9 万颗."""
    return bool(re.search(rf"[\d一二三四五六七八九十两][\d,.\s多余十百千万亿]*{unit}", text))


def untold(wanted: Wanted, asks: Sequence[Ask], text: str, least: float) -> list[Ask]:
    """Those that a text does not tell, by the share of each that it has to say."""
    return [each for each in asks if each.told_by(wanted, text) < least]
