"""Whether a clause says what a question asks of its subject: by the kinds of its words, not by
likeness. Words that say the same are rows of `predicates.csv`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar.fact_metrics import fact_metrics_in
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.query.question.relevance import is_general
from finrag_pipeline.query.question.terms import has_term, terms
from finrag_pipeline.words import fold, search_words

_PREDICATES = Path(__file__).with_name("predicates.csv")
_GENERAL = Path(__file__).with_name("general.csv")
#: Groups of words that say how a metric moves.
_MOVES = frozenset(("up", "down"))
#: What turns the sense of what follows it in its clause.
_NOT = re.compile(
    r"(?:尚未|并未|从未|未曾|未(?!来|名|完待)|没有|没能|并无|暂无|均无|(?<!有)无(?:须|需|明显|重大|相关|新增)?|"
    r"不存在|不涉及|不会|不再|取消|终止|\bnot\b|\bno\b|\bwithout\b|\bnever\b|n't\b)[^，。；;,.]{0,12}$",
    re.IGNORECASE,
)
_ASKS_NOT = re.compile(r"没有|未(?!来)|尚未|不存在|不涉及|without|\bnot\b|\bno\b", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[，；;。！!？?]+|,(?!\d)")
#: Up to here a sentence is told whole: a clause out of it says less.
_SHORT = 80
#: Clauses that are told together at most.
_MOST_CLAUSES = 4
#: What opens what is not so, or not yet: a condition, a rule of accounting.
_SUPPOSED = re.compile(
    r"^\W*(?:若|如果|如若|倘若|假如|一旦|当(?!前|年|期|日|地)|if\b|should\b|when\b)", re.IGNORECASE
)
#: How far behind a metric stands what it did.
_NEAR = 30
#: Weight of a group of words, one that decides and another: as of words that texts seldom use.
_DECIDES_WEIGHT, _GROUP_WEIGHT = 6.0, 4.0
#: What words in headings, and in the rest of the sentence, count beside those of the clause.
_AROUND = 0.5


@dataclass(frozen=True, slots=True)
class Wanted:
    """A thing that a clause has to say: a word, or one of those that say the same."""

    text: str
    weight: float
    pattern: re.Pattern[str] | None = None
    decides: bool = False
    moves: bool = False

    def at(self, clause: str, words: set[str]) -> int | None:
        """Where a clause says it; None where it does not."""
        if self.pattern is not None:
            match = self.pattern.search(clause)
            return match.start() if match else None
        if not has_term(self.text, words):
            return None
        return max(fold(clause).find(self.text), 0)


@dataclass(frozen=True, slots=True)
class Said:
    """The clauses of a sentence that say most of what is asked, and the share of it, 0 to 1."""

    text: str
    share: float


class Predicate:
    """What a question asks of the members of its list.

    Args:
        rest: the question without whom, when, the noun and the words that ask.
        supposed: whether what might be counts as well: risks do.
    """

    def __init__(self, rest: str, *, supposed: bool = False) -> None:
        self.wanted = tuple(_wanted(rest))
        self._metrics = frozenset(each.metric.name for each in fact_metrics_in(rest))
        self._moves = [each for each in self.wanted if each.moves and self._metrics]
        self._not = bool(_ASKS_NOT.search(rest))
        self._supposed = supposed

    def said(self, sentence: str, around: str = "") -> Said | None:
        """The clauses of a sentence that say it; None where they lack what decides, or deny it.

        >>> predicate = Predicate("计提了减值")
        >>> predicate.said("收入增长，公司计提商誉减值准备3亿元，业绩触底。")
        Said(text='收入增长，公司计提商誉减值准备3亿元，业绩触底。', share=1.0)
        >>> predicate.said("公司未计提减值准备。"), predicate.said("收入增长。")
        (None, None)
        """
        if not self.wanted:
            return Said(sentence, 0.0)
        if not self._supposed and _SUPPOSED.match(sentence):
            return None
        beside = set(search_words(f"{sentence}\n{around}"))
        best: Said | None = None
        for text in clauses(sentence):
            share = self._share(text, f"{sentence}\n{around}", beside)
            if share and (best is None or share > best.share):
                best = Said(text, share)
        if best is None or len(sentence) > _SHORT:
            return best
        return Said(sentence.strip(), best.share)

    def _share(self, clause: str, around: str, beside: set[str]) -> float:
        if not self._of_metrics(clause):
            return 0.0
        words = set(search_words(clause))
        total = found = 0.0
        own = False
        for each in self.wanted:
            total += each.weight
            at = each.at(clause, words)
            if at is not None:
                if bool(_NOT.search(clause[:at])) != self._not and each.weight >= 3:
                    return 0.0
                found += each.weight
                own = True
            elif each.decides:
                return 0.0
            elif each.at(around, beside) is not None:
                found += each.weight * _AROUND
        return found / total if own else 0.0

    def _of_metrics(self, clause: str) -> bool:
        """Whether it names the metrics that are asked about, and says of them how they move."""
        if not self._metrics:
            return True
        named = list(fact_metrics_in(clause))
        own = [each for each in named if each.metric.name in self._metrics]
        if not self._moves:
            return bool(own)
        for each in own:
            # what is said behind the next metric is said of that
            later = min((other.start for other in named if other.start > each.start), default=None)
            behind = clause[each.end : min(later or len(clause), each.end + _NEAR)]
            if all(move.pattern and move.pattern.search(behind) for move in self._moves):
                return True
        return False


def clauses(sentence: str) -> Iterator[str]:
    """Runs of clauses of a sentence, the shortest first.

    >>> list(clauses("收入增长，利润下降。"))
    ['收入增长', '利润下降', '收入增长，利润下降']
    """
    ends = [0, *(match.end() for match in _CLAUSE_END.finditer(sentence))]
    if ends[-1] < len(sentence):
        ends.append(len(sentence))
    count = len(ends) - 1
    for length in range(1, min(_MOST_CLAUSES, count) + 1):
        for start in range(count - length + 1):
            yield sentence[ends[start] : ends[start + length]].strip("，,；;。 ")


def _wanted(rest: str) -> Iterator[Wanted]:
    left = rest
    for group, pattern, decides in _groups():
        if match := pattern.search(left):
            left = pattern.sub(" ", left)
            weight = _DECIDES_WEIGHT if decides else _GROUP_WEIGHT
            yield Wanted(match[0], weight, pattern, decides, group in _MOVES)
    weights = WordWeights.packaged()
    for term in terms(left):
        if not is_general(term) and term not in _general_words() and not term.isdigit():
            yield Wanted(term, weights.weight(term))


@cache
def _groups() -> Sequence[tuple[str, re.Pattern[str], bool]]:
    """Groups of words that say the same, and whether a clause has to have one of them."""
    return [
        (row["group"], re.compile(_bounded(row["words"]), re.IGNORECASE), bool(row["decides"]))
        for row in data_rows(_PREDICATES, ("group", "decides", "words"))
    ]


def _bounded(pattern: str) -> str:
    """English words only where a word begins."""
    return re.sub(r"(^|\|)(?=[a-zA-Z])", r"\1(?<![A-Za-z])", pattern)


@cache
def _general_words() -> frozenset[str]:
    return frozenset(
        word for row in data_rows(_GENERAL, ("words",)) for word in row.listed("words")
    )
