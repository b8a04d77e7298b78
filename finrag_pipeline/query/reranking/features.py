"""What the offline reranker looks at: numbers that tell how a candidate fits a question.

What they weigh is `offline`. Texts are searched for the question's terms, not cut into words:
cutting forty candidates would take longer than all the rest of a search.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.grammar.periods import years_in
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.evidence.table import TableItem
from finrag_pipeline.query.question.signals import asks_figure
from finrag_pipeline.query.question.terms import terms
from finrag_pipeline.query.reranking.registry import Candidate
from finrag_pipeline.words import fold

#: What is looked at, and which way it may only count: what speaks for a candidate never speaks
#: against it, whatever few questions teach. 0: either way.
FEATURES: Mapping[str, int] = MappingProxyType(
    {
        "agreement": 1,
        "fused": 1,
        "fused_rank": 1,
        "keyword_rank": 1,
        "keyword_score": 1,
        "vector_rank": 1,
        "vector_score": 1,
        "graph_rank": 1,
        "lanes": 1,
        "cosine": 1,
        "cosine_gap": 1,
        "covered_text": 1,
        "covered_header": 1,
        "covered_document": 1,
        "covered_any": 1,
        "window": 1,
        "phrases": 1,
        "defined": 1,
        "years_text": 1,
        "years_document": 1,
        "year_off": -1,
        "table": 0,
        "table_figure": 0,
        "digits": 0,
        "digits_figure": 0,
        "page_support": 1,
        "document_support": 1,
        "length": 0,
        "page": 1,
        "template": -1,
    }
)

#: Characters of a text that are searched.
_LONGEST = 6_000
#: Characters within which terms stand together: a sentence, or a table's row and its head.
_WINDOW = 120
# as the ranks of lanes are fused: differences among the first count, those among the last do not
_RANK = 10
_YEAR = re.compile(r"(?:19|20)\d\d")
#: Behind these words a question says what it is to be computed from.
_DEFINED = re.compile(
    r"(?:defined|calculated|computed) (?:as|by)|定义为|(?:计算|公式|计算公式|计算方法)[为是]"
)


@dataclass(frozen=True, slots=True)
class _Term:
    """A term of a question: how texts write it, and its weight."""

    text: str
    weight: float


class _Wanted:
    """What a question is about, for texts to be compared with."""

    def __init__(self, question: str) -> None:
        folded = fold(question)
        self.years = years_in(folded)
        self.figure = asks_figure(question)
        told, *defined = _DEFINED.split(folded, maxsplit=1)
        self.terms = _weighed(terms(folded))
        self.defined = _weighed(terms(defined[0])) if defined else self.terms
        self.pairs = _pairs(terms(told))
        self.total = sum(term.weight for term in self.terms) or 1.0

    @cached_property
    def total_defined(self) -> float:
        return sum(term.weight for term in self.defined) or 1.0


@dataclass(frozen=True, slots=True)
class _Texts:
    """The texts of a candidate, folded: its own, what stands over it, what its document is."""

    own: str
    header: str
    document: str


def features(question: str, candidates: Sequence[Candidate]) -> NDArray[np.float64]:
    """The numbers of `FEATURES`, shape `(len(candidates), len(FEATURES))`, about 0 to 1 each.

    Those that only compare within a search stand in relation to its other candidates; what is
    not known of a candidate is as in the middle of them.
    """
    wanted = _Wanted(question)
    texts = [_texts(candidate.item) for candidate in candidates]
    columns = _retrieved(candidates) | _written(wanted, texts) | _placed(wanted, candidates, texts)
    return np.column_stack([np.asarray(columns[name], dtype=np.float64) for name in FEATURES])


def _retrieved(candidates: Sequence[Candidate]) -> dict[str, Iterable[float]]:
    """How the lanes found them."""
    fused = np.array([each.fused for each in candidates])
    columns: dict[str, Iterable[float]] = {
        "fused": fused / (fused.max() or 1.0),
        "fused_rank": [(_RANK + 1) / (_RANK + rank) for rank in range(1, len(candidates) + 1)],
        "lanes": [len(each.lanes) / 3 for each in candidates],
        "agreement": [each.agreement for each in candidates],
    }
    for lane in ("keyword", "vector", "graph"):
        ranks = [each.lanes.get(lane) for each in candidates]
        columns[f"{lane}_rank"] = [(_RANK + 1) / (_RANK + rank) if rank else 0.0 for rank in ranks]
    for lane in ("keyword", "vector"):
        scores = [each.scores.get(lane, 0.0) for each in candidates]
        best = max(scores) or 1.0
        columns[f"{lane}_score"] = [max(0.0, score / best) for score in scores]
    known = np.array([np.nan if each.cosine is None else each.cosine for each in candidates])
    there = known[~np.isnan(known)]
    # models differ in where their cosines lie and how far apart: by its own spread each compares
    middle, spread = (there.mean(), there.std() or 1.0) if len(there) else (0.0, 1.0)
    columns["cosine"] = np.nan_to_num((known - middle) / spread) / 3
    best_cosine = there.max() if len(there) else 0.0
    columns["cosine_gap"] = np.nan_to_num((known - best_cosine) / spread) / 3
    return columns


def _written(wanted: _Wanted, texts: Sequence[_Texts]) -> dict[str, list[float]]:
    """How many of the question's words they have, and how near to each other."""
    columns: dict[str, list[float]] = {
        name: []
        for name in FEATURES
        if name.startswith("covered_") or name in ("window", "phrases", "defined")
    }
    for each in texts:
        found = [_find(term, each.own) for term in wanted.terms]
        own = [bool(places) for places in found]
        header = [term.text in each.header for term in wanted.terms]
        document = [term.text in each.document for term in wanted.terms]
        columns["covered_text"].append(_share(wanted, own))
        columns["covered_header"].append(_share(wanted, header))
        columns["covered_document"].append(_share(wanted, document))
        either = [any(one) for one in zip(own, header, document, strict=True)]
        columns["covered_any"].append(_share(wanted, either))
        columns["window"].append(_nearest(wanted, found))
        whole = f"{each.header} {each.own}"
        pairs = [pair in whole for pair in wanted.pairs]
        columns["phrases"].append(sum(pairs) / len(pairs) if pairs else 0.0)
        defined = sum(term.weight for term in wanted.defined if term.text in whole)
        columns["defined"].append(defined / wanted.total_defined)
    return columns


def _placed(
    wanted: _Wanted, candidates: Sequence[Candidate], texts: Sequence[_Texts]
) -> dict[str, Iterable[float]]:
    """What they are, of when, and what else was found where they stand."""
    pages = [_pages(each.item) for each in candidates]
    on_page: Counter[object] = Counter()
    in_document: Counter[object] = Counter()
    for each, places in zip(candidates, pages, strict=True):
        # found early counts more than found at all
        on_page.update({place: each.fused for place in places})
        in_document.update({places[0][0]: each.fused})
    fused = [each.fused for each in candidates]
    beside = [
        max(on_page[place] for place in places) - own
        for places, own in zip(pages, fused, strict=True)
    ]
    documents = [in_document[places[0][0]] for places in pages]
    table = [float(each.item.key.kind == "table") for each in candidates]
    digits = [_digits(text.own) for text in texts]
    figure = float(wanted.figure)
    in_text = [years_in(f"{text.header} {text.own}") for text in texts]
    in_title = [years_in(text.document) for text in texts]
    return {
        "years_text": [_of_years(wanted.years, years) for years in in_text],
        "years_document": [_of_years(wanted.years, years) for years in in_title],
        "year_off": [_year_off(wanted.years, years) for years in in_title],
        "table": table,
        "table_figure": [figure * one for one in table],
        "digits": digits,
        "digits_figure": [figure * one for one in digits],
        "page_support": _of_best(beside),
        "document_support": _of_best(documents),
        "length": [np.log1p(len(text.own)) / 10 for text in texts],
        "page": [1 / np.sqrt(places[0][1]) for places in pages],
        "template": [float(_value(each.item) == "template") for each in candidates],
    }


def _texts(item: EvidenceItem) -> _Texts:
    header, document = "", ""
    if isinstance(item, DocumentItem):
        known = (item.title, item.company, item.company_code, item.source)
        document = fold(" ".join(part for part in known if part))
    if isinstance(item, ChunkItem):
        header = fold(" ".join(item.section))
    if isinstance(item, TableItem):
        header = fold(item.caption or "")
    return _Texts(fold(item.text[:_LONGEST]), header, document)


def _value(item: EvidenceItem) -> str:
    return (item.value or "") if isinstance(item, ChunkItem) else ""


def _pages(item: EvidenceItem) -> list[tuple[object, int]]:
    """Its pages, one at least; what stands in no document is a document of its own."""
    if isinstance(item, DocumentItem) and item.places:
        return [(item.document_id, page) for page in dict.fromkeys(p.page for p in item.places)]
    return [(item.key, 1)]


def _weighed(found: Sequence[str]) -> list[_Term]:
    """Terms as texts write them: years apart, English ones as far as all forms share them."""
    weights = WordWeights.packaged()
    told = [term for term in found if not _YEAR.fullmatch(term)]
    return [_Term(_start(term), weights.weight(term)) for term in told]


def _start(term: str) -> str:
    """What all forms of a stemmed English word begin with; other words as they are."""
    return term[:-1] if term.isascii() and len(term) > 3 and term.endswith("y") else term


def _pairs(found: Sequence[str]) -> list[str]:
    """What stands together in a question: neighbouring characters of its Chinese words, and every
    two Chinese words side by side."""
    han = [term for term in found if not term.isascii()]
    inside = [a + b for term in han for a, b in pairwise(term)]
    return list(dict.fromkeys([*inside, *(a[-1] + b[0] for a, b in pairwise(han))]))


def _find(term: _Term, text: str) -> list[int]:
    """Where a term stands, the first sixteen times."""
    places: list[int] = []
    at = text.find(term.text)
    while at >= 0 and len(places) < 16:
        places.append(at)
        at = text.find(term.text, at + 1)
    return places


def _share(wanted: _Wanted, held: Iterable[bool]) -> float:
    weight = sum(term.weight for term, one in zip(wanted.terms, held, strict=True) if one)
    return weight / wanted.total


def _nearest(wanted: _Wanted, found: Sequence[Sequence[int]]) -> float:
    """The largest share of the question's weight within one window of the text."""
    places = sorted((at, n) for n, ats in enumerate(found) for at in ats)
    held: Counter[int] = Counter()
    best = weight = 0.0
    first = 0
    for at, n in places:
        if not held[n]:
            weight += wanted.terms[n].weight
        held[n] += 1
        while places[first][0] < at - _WINDOW:
            out = places[first][1]
            held[out] -= 1
            if not held[out]:
                weight -= wanted.terms[out].weight
            first += 1
        best = max(best, weight)
    return best / wanted.total


def _of_years(asked: set[str], held: set[str]) -> float:
    return len(asked & held) / len(asked) if asked else 0.0


def _year_off(asked: set[str], held: set[str]) -> float:
    """How far, in years up to five, the nearest year is that a document bears; 0 if not asked."""
    if not asked or not held:
        return 0.0
    return min(min(abs(int(a) - int(b)) for a in asked for b in held), 5) / 5


def _digits(text: str) -> float:
    """The share of figures among what is written."""
    return sum(map(text.count, "0123456789")) / (len(text) or 1)


def _of_best(values: Sequence[float]) -> list[float]:
    best = max(values, default=0.0)
    return [value / best if best > 0 else 0.0 for value in values]
