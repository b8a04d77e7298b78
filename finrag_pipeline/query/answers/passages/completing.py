"""Lines for everything that a question asks: the best line first, one for each thing that it does
not tell, then those that only add.

Which lines answer best is `choosing`; what is asked is `asks`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from finrag_pipeline.query.answers.passages.asks import Ask, asks_of, untold
from finrag_pipeline.query.answers.passages.candidates import Candidate
from finrag_pipeline.query.answers.passages.choosing import MOST_LINES, agreement, stands_beside
from finrag_pipeline.query.answers.passages.times import Time
from finrag_pipeline.query.answers.passages.wanted import Wanted

#: Share of the words of what is asked from which it is told; in the document of the first line,
#: which is about the same, less has to be said again.
TOLD, _TOLD_BESIDE = 0.6, 0.45


#: Reads what a document says of one thing asked.
Beside = Callable[[Ask, str], Sequence[Candidate]]


def nothing_beside(ask: Ask, document_id: str) -> Sequence[Candidate]:
    """Nothing more is read."""
    del ask, document_id
    return ()


def complete(
    wanted: Wanted,
    chosen: Sequence[Candidate],
    candidates: Sequence[Candidate],
    beside: Beside = nothing_beside,
) -> list[Candidate]:
    """Chosen lines, and before those that only add, one for each thing asked that the first does
    not tell.

    Args:
        chosen: best first.
        candidates: all that agrees with whom and when.
        beside: looks into the document of the first line for what nothing tells.
    """
    asks = asks_of(wanted)
    told = list(chosen[:1])
    for ask in asks if told and len(asks) > 1 else ():
        if len(told) == MOST_LINES:
            break
        if not untold(wanted, [ask], "\n".join(each.said.told for each in told), TOLD):
            continue
        document_id = told[0].document_id
        same = [each for each in candidates if each.document_id == document_id]
        others = [each for each in candidates if _has_names(wanted, each)]
        best = (
            _tells_best(wanted, ask, same, told[0], _TOLD_BESIDE)
            or _tells_best(wanted, ask, others, told[0], TOLD)
            or _tells_best(wanted, ask, beside(ask, document_id), told[0], _TOLD_BESIDE)
        )
        if best and best not in told:
            told.append(best)
    told.sort(key=lambda each: _first_told(wanted, asks, each))
    more = [each for each in chosen[1:] if each not in told]
    return [*told, *more][:MOST_LINES]


def _tells_best(
    wanted: Wanted, ask: Ask, candidates: Sequence[Candidate], first: Candidate, least: float
) -> Candidate | None:
    """The line that tells most of one thing asked; None where none tells enough of it."""
    shares = [
        (ask.told_by(wanted, each.said.told), each) for each in candidates if _fits(ask, each)
    ]
    telling = [(share, each) for share, each in shares if share >= least]

    def order(one: tuple[float, Candidate]) -> tuple[float, bool, float, int]:
        share, each = one
        # of those that tell as much the shortest is the most about it
        return share, stands_beside(each, first), agreement(each), -len(each.said.told)

    return max(telling, key=order)[1] if telling else None


def _fits(ask: Ask, candidate: Candidate) -> bool:
    """Whether a line may tell a thing: of those asked, and of a time asked for."""
    return candidate.own and (ask.times is not None or candidate.time >= Time.OPEN)


def _has_names(wanted: Wanted, candidate: Candidate) -> bool:
    """Whether a line of another document has a name that is written in the question."""
    said = candidate.said
    return not wanted.written_names or bool(wanted.named(said.about, wanted.text(said.context)))


def _first_told(wanted: Wanted, asks: Sequence[Ask], candidate: Candidate) -> int:
    """Which of the things asked a line tells, the first one first."""
    shares = [each.told_by(wanted, candidate.said.told) for each in asks]
    return shares.index(max(shares)) if shares else 0
