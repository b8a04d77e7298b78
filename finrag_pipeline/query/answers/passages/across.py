"""How much of an English question a Chinese text says: by the dictionary, word by word.

The other way is not gone: Chinese questions on English filings meet them by metrics and synonyms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from finrag_pipeline.models.dictionary import translations
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.query.answers.passages.synonyms import Text, in_chinese
from finrag_pipeline.query.question.terms import CONTEXT_SHARE


class Across:
    """The words of an English question as Chinese texts say them.

    Args:
        asked: its terms in order.
        as_written: those that stand in either language as they are: names, numbers, symbols.
    """

    def __init__(self, asked: Sequence[str], as_written: Iterable[str]) -> None:
        self._as_written = frozenset(as_written)
        #: Chinese words for two that stand together, by each of the two: income tax.
        self._together: dict[str, tuple[str, ...]] = {}
        for pair in pairwise(asked):
            for each in pair:
                self._together[each] = (*self._together.get(each, ()), *translations(*pair))

    def said(
        self, terms: Iterable[str], text: Text, context: Text
    ) -> Iterator[tuple[float, float]]:
        """The weight of each term, and how far a text says it, 0 to 1; its context counts half."""
        for term in terms:
            ways = (term, *self._together.get(term, ()))
            said = 1.0 if any(map(text.has, ways)) or text.sounds(term) else 0.0
            said = said or (CONTEXT_SHARE if any(map(context.has, ways)) else 0.0)
            yield self._weight(term), said

    def _weight(self, term: str) -> float:
        """As much as the commonest Chinese word for it; nothing where there is none and it does not
        stand there as it is."""
        weight = WordWeights.packaged().weight
        chinese = [weight(each) for each in in_chinese(term)]
        return min(chinese) if chinese else weight(term) if term in self._as_written else 0.0
