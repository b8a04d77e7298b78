"""Joins what is too short for a chunk of its own to the piece before or behind it.

A heading with nothing below it, or a section of one phrase, is no passage: alone it answers
nothing, and ranks above passages for the words that it shares with a question. Pieces come from
`chunks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from finrag_pipeline.records import Sentence
from finrag_pipeline.stages.chunking.segmentation_units import MAX_TOKENS, count_tokens

#: Characters without spaces of the shortest chunk that stands alone. Below it were 664 of 6,135
#: chunks of real reports and filings: headings, boxes of forms, labels of slides; above it begin
#: sentences that say something by themselves.
LEAST = 60

Path = tuple[str, ...]


@dataclass(frozen=True)
class Piece:
    """Consecutive sentences that make one chunk, with the heading path of each part of them.

    `bare` says that there is nothing but headings.
    """

    parts: tuple[tuple[Path, tuple[Sentence, ...]], ...]
    bare: bool = False

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        return tuple(sentence for _, sentences in self.parts for sentence in sentences)

    @cached_property
    def tokens(self) -> int:
        return count_tokens("\n".join(sentence.text for sentence in self.sentences))

    @property
    def short(self) -> bool:
        """Whether it is too short to stand alone."""
        return sum(map(_size, self.parts)) < LEAST

    @property
    def path(self) -> Path:
        """The headings over it: those over most of its text, else those over all of it."""
        sizes: dict[Path, int] = {}
        for part in self.parts:
            sizes[part[0]] = sizes.get(part[0], 0) + _size(part)
        most = max(sizes, key=lambda path: sizes[path])
        if 2 * sizes[most] > sum(sizes.values()):
            return most
        return _shared([path for path, _ in self.parts]) or self.parts[0][0]

    def joined(self, other: Piece) -> Piece:
        return Piece(self.parts + other.parts, self.bare and other.bare)


def join_short(pieces: Sequence[Piece]) -> list[Piece]:
    """Pieces in order, none of them short where a neighbour has room for it.

    A short piece goes to the neighbour under more of the same headings; of equals to the one
    before it, but headings with nothing below them to what follows.

    Args:
        pieces: all pieces of a document in order, none over `MAX_TOKENS`.
    """
    joined: list[Piece] = []
    for index, piece in enumerate(pieces):
        after = pieces[index + 1] if index + 1 < len(pieces) else None
        _add(joined, piece, waits=bool(joined) and _leads_on(joined[-1], piece, after))
    # what waited for a neighbour that is short itself may be left
    settled: list[Piece] = []
    for piece in joined:
        _add(settled, piece, waits=False)
    return settled


def _add(joined: list[Piece], piece: Piece, *, waits: bool) -> None:
    """Append a piece, or join it to the last: where that is short, or itself unless it waits."""
    before = joined[-1] if joined else None
    if (
        before is not None
        and _room(before, piece)
        and (before.short or (piece.short and not waits))
    ):
        joined[-1] = before.joined(piece)
    else:
        joined.append(piece)


def _leads_on(before: Piece, piece: Piece, after: Piece | None) -> bool:
    """Whether a short piece belongs to what follows rather than to what precedes it."""
    if after is None or not _room(piece, after):
        return False
    above = len(_shared([before.parts[-1][0], piece.parts[0][0]]))
    below = len(_shared([piece.parts[-1][0], after.parts[0][0]]))
    return below > above or (below == above and piece.bare)


def _room(piece: Piece, after: Piece) -> bool:
    return piece.tokens + after.tokens <= MAX_TOKENS


def _shared(paths: Sequence[Path]) -> Path:
    """The headings that all paths begin with."""
    levels = takewhile(lambda names: len(set(names)) == 1, zip(*paths, strict=False))
    return tuple(names[0] for names in levels)


def _size(part: tuple[Path, tuple[Sentence, ...]]) -> int:
    return sum(len("".join(sentence.text.split())) for sentence in part[1])
