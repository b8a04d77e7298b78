"""What the offline reranker looks at: numbers that tell how a candidate fits a question.

What they weigh is `offline`. Texts are searched for the question's terms, not cut into words:
cutting forty candidates would take longer than all the rest of a search.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.grammar.metrics import STATEMENTS, metrics, metrics_in, with_parts
from finrag_pipeline.grammar.periods import years_in
from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.query.evidence.chunk import ChunkItem
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.evidence.table import TABLE, TableItem
from finrag_pipeline.query.question.signals import asks_figure
from finrag_pipeline.query.question.terms import terms
from finrag_pipeline.query.reranking.registry import Candidate
from finrag_pipeline.words import fold

#: What is looked at, and which way it may only count: what speaks for a candidate never speaks
#: against it, whatever few questions teach. 0: either way.
FEATURES: Mapping[str, int] = MappingProxyType(
    {
        "agreement": 1,
        "fused_rank": 1,
        "keyword_rank": 1,
        "vector_rank": 1,
        "table_rank": 1,
        "graph_rank": 1,
        "lanes": 1,
        "cosine": 1,
        "covered": 1,
        "covered_header": 1,
        "metrics": 1,
        "statement": 1,
        "years": 1,
        "year_off": -1,
        "table": 0,
        "table_figure": 0,
        "digits": 0,
        "digits_figure": 0,
        "length": 0,
        "page": 1,
    }
)

#: Characters of a text that are searched.
_LONGEST = 6_000
# as the ranks of lanes are fused: differences among the first count, those among the last do not
_RANK = 10
#: Years from which on one more makes no difference.
_MOST_OFF = 5


@dataclass(frozen=True, slots=True)
class _Term:
    """A term of a question: how texts write it, and its weight."""

    text: str
    weight: float


class _Wanted:
    """What a question is about, for texts to be compared with.

    Attributes:
        metrics: how the figures that it names, and those they are computed from, are written.
        statements: how the statements that these stand in are written.
    """

    def __init__(self, question: str) -> None:
        self.years = years_in(fold(question))
        self.figure = asks_figure(question)
        weights = WordWeights.packaged()
        # years are compared by themselves
        words = [term for term in terms(question) if term not in self.years]
        self.terms = [_Term(_start(term), weights.weight(term)) for term in words]
        self.total = sum(term.weight for term in self.terms) or 1.0
        asked = with_parts(metrics_in(question))
        self.metrics = [_folded(each.wordings) for each in asked if each.concept not in STATEMENTS]
        of = {each.statement or each.concept for each in asked}
        self.statements = [
            wording for name in STATEMENTS if name in of for wording in _folded(_titles(name))
        ]


@dataclass(frozen=True, slots=True)
class _Texts:
    """The texts of a candidate, folded: its own, what stands over it, what its document is."""

    own: str
    header: str
    document: str


def features(question: str, candidates: Sequence[Candidate]) -> NDArray[np.float64]:
    """The numbers of `FEATURES`, shape `(len(candidates), len(FEATURES))`, about 0 to 1 each.

    A cosine stands in relation to the other candidates'; what is not known of a candidate is as in
    the middle of them.
    """
    wanted = _Wanted(question)
    texts = [_texts(candidate.item) for candidate in candidates]
    columns = _retrieved(candidates) | _written(wanted, texts) | _shaped(wanted, candidates, texts)
    return np.column_stack([np.asarray(columns[name], dtype=np.float64) for name in FEATURES])


def _retrieved(candidates: Sequence[Candidate]) -> dict[str, Iterable[float]]:
    """How the lanes found them."""
    columns: dict[str, Iterable[float]] = {
        "agreement": [each.agreement for each in candidates],
        "fused_rank": [_of_rank(rank) for rank in range(1, len(candidates) + 1)],
        "lanes": [len(each.lanes) / 3 for each in candidates],
    }
    for lane in ("keyword", "vector", "table", "graph"):
        columns[f"{lane}_rank"] = [_of_rank(each.lanes.get(lane)) for each in candidates]
    known = np.array([np.nan if each.cosine is None else each.cosine for each in candidates])
    there = known[~np.isnan(known)]
    # models differ in where their cosines lie and how far apart: by its own spread each compares
    middle, spread = (there.mean(), there.std() or 1.0) if len(there) else (0.0, 1.0)
    columns["cosine"] = np.nan_to_num((known - middle) / spread) / 3
    return columns


def _written(wanted: _Wanted, texts: Sequence[_Texts]) -> dict[str, Iterable[float]]:
    """What of the question they have, in words, figures and years."""
    held = [(set(_years(text.own, text.header)), years_in(text.document)) for text in texts]
    return {
        "covered": [
            _covered(wanted, f"{text.document} {text.header} {text.own}") for text in texts
        ],
        "covered_header": [_covered(wanted, text.header) for text in texts],
        "metrics": [
            _share([_any(wordings, text.own) for wordings in wanted.metrics]) for text in texts
        ],
        "statement": [
            float(_any(wanted.statements, f"{text.header} {text.own[:400]}")) for text in texts
        ],
        "years": [_share([year in own for year in wanted.years]) for own, _ in held],
        "year_off": [_year_off(wanted.years, borne) for _, borne in held],
    }


def _shaped(
    wanted: _Wanted, candidates: Sequence[Candidate], texts: Sequence[_Texts]
) -> dict[str, Iterable[float]]:
    """What they look like, and whether that is what is asked for."""
    table = [float(each.item.key.kind == TABLE) for each in candidates]
    digits = [sum(map(text.own.count, "0123456789")) / (len(text.own) or 1) for text in texts]
    figure = float(wanted.figure)
    return {
        "table": table,
        "table_figure": [figure * one for one in table],
        "digits": digits,
        "digits_figure": [figure * one for one in digits],
        "length": [np.log1p(len(text.own)) / 10 for text in texts],
        "page": [1 / np.sqrt(_page(each.item)) for each in candidates],
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


def _page(item: EvidenceItem) -> int:
    return item.page if isinstance(item, DocumentItem) and item.places else 1


def _of_rank(rank: int | None) -> float:
    """1 for the first, 0 for what a lane does not have."""
    return (_RANK + 1) / (_RANK + rank) if rank else 0.0


def _start(term: str) -> str:
    """What all forms of a stemmed English word begin with; other words as they are."""
    return term[:-1] if term.isascii() and len(term) > 3 and term.endswith("y") else term


def _titles(statement: str) -> Iterable[str]:
    return metrics()[statement].wordings


def _folded(wordings: Iterable[str]) -> list[str]:
    return [fold(wording) for wording in wordings]


def _covered(wanted: _Wanted, text: str) -> float:
    """The share of the question's weight that a text has."""
    return sum(term.weight for term in wanted.terms if term.text in text) / wanted.total


def _any(wordings: Iterable[str], text: str) -> bool:
    return any(wording in text for wording in wordings)


def _share(held: Sequence[bool]) -> float:
    return sum(held) / len(held) if held else 0.0


def _years(*texts: str) -> Iterable[str]:
    return (year for text in texts for year in years_in(text))


def _year_off(asked: set[str], borne: set[str]) -> float:
    """How far the nearest year is that a document bears, in shares of five; 0 if not asked."""
    if not asked or not borne:
        return 0.0
    return min(min(abs(int(a) - int(b)) for a in asked for b in borne), _MOST_OFF) / _MOST_OFF
