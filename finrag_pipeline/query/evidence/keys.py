"""What a ranking calls a piece of evidence: its kind and an id that only its kind understands."""

from __future__ import annotations

from typing import NamedTuple

from finrag_pipeline.store.search.filters import Hit


class Key(NamedTuple):
    """One piece of evidence: a kind that is registered in `kinds`, and its id there.

    A tuple: a search compares and looks up thousands of them.
    """

    kind: str
    id: tuple[str | int, ...]


class LaneHit(NamedTuple):
    """A piece that a lane found; higher scores are better, and only compare within the lane."""

    key: Key
    score: float


def content_key(kind: str, document_id: str, revision: str, ordinal: int) -> Key:
    """The key of a chunk or table of a document."""
    return Key(kind, (document_id, revision, ordinal))


def content_hit(hit: Hit) -> LaneHit:
    """A chunk or table as the store found it."""
    return LaneHit(content_key(hit.kind, hit.document_id, hit.revision, hit.ordinal), hit.score)
