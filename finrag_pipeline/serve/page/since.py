"""What changed since a link to an answer was made: the answer, the weekly build, documents."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from finrag_pipeline.serve.page.answers import ShownAnswer
from finrag_pipeline.serve.page.visits import Visit
from finrag_pipeline.store.documents import covers

#: Documents that are named.
_NAMED = 5


@dataclass(frozen=True, slots=True)
class Since:
    """What is other than when a link was made.

    Attributes:
        same: whether the answer and what it cites are the same.
        build: whether it rests on another weekly build.
        came: names of documents that came since, at most a few; `more` beside them.
    """

    at: datetime
    same: bool
    build: bool
    came: tuple[str, ...]
    more: int


def since(visit: Visit, shown: ShownAnswer, at: str, fingerprint: str, build: str) -> Since | None:
    """What changed; None where the link says no time."""
    try:
        moment = datetime.fromisoformat(at).astimezone()
    except ValueError:
        return None
    with visit.reading() as connection:
        came = covers.indexed_after(connection, visit.app_id, moment)
    return Since(
        moment,
        fingerprint == shown.fingerprint,
        build != shown.build.get("build_id", ""),
        tuple(came[:_NAMED]),
        max(0, len(came) - _NAMED),
    )
