"""Documents beside the records: which product fits what a company needs, and what sets it apart.

Only documents of files are looked into; what is chosen is said in their own sentences.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from finrag_pipeline.query.answers.accounts.asks import says
from finrag_pipeline.query.answers.writers import Search
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.kinds import EvidenceItem, Quotable
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.terms import covered, terms
from finrag_pipeline.words import fold, search_words

Found = tuple[EvidenceItem, Quotable]

#: Passages that are looked through for a product.
_PASSAGES = 20
#: Sentences that tell a product, and an advantage.
_MOST = 3
#: What was asked for counts so much beside what the records say of the company's needs and trade.
_ASKED, _NEEDS, _INDUSTRY = 2.0, 1.0, 1.0
#: Below this share of what decides, nothing fits.
_LEAST = 0.3
#: A product's own name at the head of a title: DataStream Pro of DataStream Pro 产品手册.
_LATIN = re.compile(r"[A-Za-z][\w+.-]*(?:[ -][A-Z\d][\w+.-]*)*")


@dataclass(frozen=True, slots=True)
class Product:
    """A document that tells a product, and the sentences of it that fit best."""

    name: str
    document_id: str
    found: tuple[Found, ...]


class ProductSearch:
    """Looks for sentences of documents for one question.

    Args:
        search: as writers have it.
        asked: whose application, day and filters hold.
    """

    def __init__(self, search: Search, asked: Asked) -> None:
        self._search = search
        self._asked = asked
        documents = asked.scope.catalogue.of_source_type("doc")
        only = asked.where.document_ids
        self._documents = documents if only is None else tuple(set(documents) & set(only))

    def sentences(self, words: str) -> list[Found]:
        """Sentences of the passages that fit some words best, the best passage first."""
        if not self._documents:
            return []
        part, found = self._search(self._asked, words, most=_PASSAGES, document_ids=self._documents)
        return [
            (each.item, said) for each in found.results for said in each.item.quotes(part.question)
        ]

    def product(self, need: str, needs: str, industry: str) -> Product | None:
        """The document that fits best what is asked for, then the company's needs and trade."""
        wanted = [(_ASKED, terms(need)), (_NEEDS, terms(needs)), (_INDUSTRY, _trade(industry))]
        by_document: defaultdict[str, list[Found]] = defaultdict(list)
        for item, said in self.sentences(" ".join(filter(None, [need, needs, industry]))):
            if isinstance(item, DocumentItem):
                by_document[item.document_id].append((item, said))
        scored = {
            document_id: _score(wanted, " ".join(said.about for _, said in found))
            for document_id, found in by_document.items()
        }
        best = max(scored, key=scored.__getitem__, default=None)
        if best is None:
            return None
        found = by_document[best]
        # what is asked for decides alone; where nothing is, what the company needs and does
        decisive = [(1.0, wanted[0][1])] if wanted[0][1] else wanted[1:]
        if _score(decisive, " ".join(said.about for _, said in found)) < _LEAST:
            return None
        ranked = sorted(found, key=lambda each: -_score(wanted, each[1].about))
        chosen = [each for each in ranked if _score(wanted, each[1].about) > 0][:_MOST]
        item = found[0][0]
        name = _name(item.title if isinstance(item, DocumentItem) else None, chosen)
        return Product(name, best, tuple(chosen))

    def naming(self, words: str, names: Sequence[str], most: int = 1) -> list[Found]:
        """Sentences on some words that have every one of some names."""
        folded = [fold(name) for name in names]
        found = [
            each
            for each in self.sentences(words)
            if all(name in fold(each[1].quote) for name in folded)
        ]
        return found[:most]

    def advantages(self, rival: str, words: str) -> list[Found]:
        """Sentences that hold a product against another vendor's."""
        found = [
            each
            for each in self.sentences(f"{rival} {words}")
            if fold(rival) in fold(each[1].quote) and says("advantage", each[1].quote)
        ]
        return found[:2]


def _score(wanted: Sequence[tuple[float, Sequence[str]]], text: str) -> float:
    words = set(search_words(text))
    return sum(weight * covered(each, words) for weight, each in wanted if each)


def _trade(industry: str) -> list[str]:
    """An industry by its words, and by its first two characters: 金融 of 金融科技."""
    found = terms(industry)
    if industry and not industry.isascii() and len(industry) > 3:
        found = list(dict.fromkeys([*found, industry[:2], industry[2:4]]))
    return found


def _name(title: str | None, chosen: Sequence[Found]) -> str:
    """What a product is called: the brand at the head of its document's title, else in the first
    sentence, else the title."""
    for text in (title or "", *(said.quote for _, said in chosen)):
        if match := _LATIN.match(text.strip()):
            return match[0]
    return (title or "").split(" ")[0]
