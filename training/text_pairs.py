"""Pairs of texts about one thing, drawn from training text: headings and bodies, neighbours.

What is learnt from them is `word_vectors`. Only features leave this module, as numbers.
"""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from finrag_pipeline.models.semantic import characters, is_feature
from finrag_pipeline.words import search_words

Features = NDArray[np.int32]

#: Rarer features have too few pairs to learn from.
RAREST = 4
#: The most frequent ones are kept: 10 MB of vectors.
MOST_FEATURES = 80_000

_SENTENCES = re.compile(r"(?<=[。！？；;])|(?<=\. )")
_CLAUSES = re.compile(r"(?<=[。！？；;，,])|(?<=\. )")
_ENDS = re.compile(r"[。！？；;：:，,.]$")
#: Characters of a line that may be a heading, and of one that is text.
_HEADING = (4, 40)
_BODY = 25


@dataclass(frozen=True, slots=True)
class TrainingText:
    """Pieces (sentences; clauses where a line stands alone) as numbers of features.

    Attributes:
        features: the words and characters, the commonest first.
        rarity: inverse document frequency of each over lines, natural logarithm.
        values: features of all pieces, one piece after the other.
        starts: where each piece starts in `values`, and where the last one ends.
        line: the line of each piece, rising.
        passage: the passage of each line: lines without an empty one between them.
        alone: whether a line is a passage by itself.
        heading: whether a line is a heading with text below it.
        body: whether a line is text.
    """

    features: tuple[str, ...]
    rarity: NDArray[np.float32]
    values: Features
    starts: NDArray[np.int64]
    line: NDArray[np.int64]
    passage: NDArray[np.int64]
    alone: NDArray[np.bool_]
    heading: NDArray[np.bool_]
    body: NDArray[np.bool_]

    def span(self, first: int, stop: int) -> Features:
        """The features of pieces `first..stop-1`."""
        return self.values[self.starts[first] : self.starts[stop]]


def features_of(text: str) -> list[str]:
    """The words and characters of a text that may have vectors."""
    return [word for word in search_words(text) if is_feature(word)] + characters(text)


def read_training_text(paths: Sequence[Path]) -> TrainingText:
    """Read gzipped text, one paragraph a line, empty lines between what does not belong together.

    About 6 MB a second; of each paragraph only its features are kept.
    """
    lines = [line for path in paths for line in read_lines(path)]
    passage = np.cumsum([not line for line in lines])
    size = Counter(number for number, line in zip(passage.tolist(), lines, strict=True) if line)
    alone = np.array([size[number] == 1 for number in passage.tolist()])
    body = np.array([len(line) >= _BODY for line in lines])
    shortest, longest = _HEADING
    short = np.array(
        [shortest <= len(line) <= longest and not _ENDS.search(line) for line in lines]
    )
    below = np.append((passage[1:] == passage[:-1]) & body[1:], False)

    pieces: list[list[str]] = []
    line_of: list[int] = []
    in_lines: Counter[str] = Counter()
    for number, line in enumerate(lines):
        cut = _CLAUSES if alone[number] else _SENTENCES
        found = [features for piece in cut.split(line) if (features := features_of(piece))]
        pieces += found
        line_of += [number] * len(found)
        in_lines.update({feature for features in found for feature in features})
    # equally common ones by name: sets have another order in every process
    ranked = sorted(in_lines.items(), key=lambda item: (-item[1], item[0]))[:MOST_FEATURES]
    features = [feature for feature, count in ranked if count >= RAREST]
    number_of = {feature: number for number, feature in enumerate(features)}
    numbers = [[number_of[f] for f in piece if f in number_of] for piece in pieces]
    return TrainingText(
        features=tuple(features),
        rarity=np.array([np.log(1 + len(lines) / in_lines[f]) for f in features], np.float32),
        values=np.array([value for piece in numbers for value in piece], np.int32),
        starts=np.cumsum([0, *map(len, numbers)]),
        line=np.array(line_of),
        passage=passage,
        alone=alone,
        heading=short & below,
        body=body,
    )


def read_lines(path: Path) -> Iterator[str]:
    """Lines of gzipped text without spaces around them, and an empty one at the end."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        yield from (line.strip() for line in stream)
    yield ""


class PairSampler:
    """Draws pairs of texts about one thing; the same seed draws the same pairs.

    The shares were chosen by how well headings of text held back find their sections once every
    word that both share is gone (docs/evaluation.md).
    """

    #: Pairs that are a heading and its body; the others are a piece and its neighbours.
    HEADINGS = 0.5
    #: Neighbours inside a line that stands alone: news, the widest range of topics.
    ALONE = 0.3
    #: Neighbours up to 19 pieces away, for the topic of a page; the others up to three.
    FAR = 0.4
    #: First texts thinned to a few of their words, as questions are short.
    THINNED = 0.4
    #: Second texts without the words of the first: what is left must be told by meaning.
    MASKED = 0.8
    #: Those that lose the characters of the first, too.
    MASKED_CHARACTERS = 0.2
    #: Runs of 16 pairs drawn from one place, so that neighbours tell each other apart.
    LOCAL = 0.5
    RUN = 16
    LONGEST = 250

    def __init__(self, text: TrainingText, seed: int) -> None:
        """Raises:
        ValueError: the text has no passage of several lines.
        """
        self._text = text
        self._chance = np.random.default_rng(seed)
        lengths = np.diff(text.starts)
        telling = (lengths >= 8) & text.body[text.line]
        self._first = np.searchsorted(text.line, np.arange(len(text.passage) + 1))
        has_piece = self._first[:-1] < self._first[1:]
        self._headings = np.flatnonzero(text.heading & has_piece)
        self._neighbours = np.flatnonzero(telling & ~text.alone[text.line])
        self._clauses = np.flatnonzero(telling & text.alone[text.line])
        if not len(self._neighbours):
            raise ValueError("the training text has no passage of several lines: nothing to learn")
        self._word = np.array([len(f) > 1 or not characters(f) for f in text.features])
        self._gone = np.zeros(len(text.features), dtype=np.bool_)

    def draw(self, count: int) -> tuple[list[Features], list[Features]]:
        """`count` pairs: first texts, second texts."""
        firsts: list[Features] = []
        seconds: list[Features] = []
        while len(firsts) < count:
            near = self._pick(self._neighbours) if self._chance.random() < self.LOCAL else None
            for _ in range(min(self.RUN, count - len(firsts))):
                first, second = self._pair(near)
                firsts.append(first)
                seconds.append(self._masked(first, second[: self.LONGEST]))
        return firsts, seconds

    def _pair(self, near: int | None) -> tuple[Features, Features]:
        if self._chance.random() < self.HEADINGS and len(self._headings):
            return self._heading_and_body(near)
        return self._piece_and_neighbours(near)

    def _heading_and_body(self, near: int | None) -> tuple[Features, Features]:
        text = self._text
        line = self._near(self._headings, None if near is None else int(text.line[near]), 10)
        stop = line + 2
        longest = line + 1 + int(self._chance.integers(1, 7))
        while stop < longest and text.body[stop] and text.passage[stop] == text.passage[line]:
            stop += 1
        start, middle = int(self._first[line]), int(self._first[line + 1])
        return text.span(start, middle), text.span(middle, int(self._first[stop]))

    def _piece_and_neighbours(self, near: int | None) -> tuple[Features, Features]:
        text = self._text
        if self._chance.random() < self.ALONE and len(self._clauses):
            piece = self._pick(self._clauses)
        else:
            piece = self._near(self._neighbours, near, 40)
        far = self._chance.random() < self.FAR
        reach = int(self._chance.integers(4, 20) if far else self._chance.integers(1, 4))
        passage = text.passage[text.line[piece]]
        start, stop = max(0, piece - reach), min(len(text.line), piece + reach + 1)
        while text.passage[text.line[start]] != passage:
            start += 1
        while text.passage[text.line[stop - 1]] != passage:
            stop -= 1
        first = text.span(piece, piece + 1)
        second = np.concatenate([text.span(start, piece), text.span(piece + 1, stop)])
        if len(first) > 16 and self._chance.random() < self.THINNED:
            thinned = first[self._chance.random(len(first)) < 0.35]
            first = thinned if len(thinned) > 2 else first
        return first, second if len(second) > 5 else first

    def _masked(self, first: Features, second: Features) -> Features:
        if self._chance.random() >= self.MASKED:
            return second
        every = self._chance.random() < self.MASKED_CHARACTERS
        gone = first if every else first[self._word[first]]
        self._gone[gone] = True
        left = second[~self._gone[second]]
        self._gone[gone] = False
        return left if len(left) > 3 else second

    def _pick(self, choices: NDArray[np.int64]) -> int:
        return int(choices[self._chance.integers(len(choices))])

    def _near(self, choices: NDArray[np.int64], value: int | None, reach: int) -> int:
        """A random choice, or one of those next to a value."""
        if value is None:
            return self._pick(choices)
        at = int(np.searchsorted(choices, value)) + int(self._chance.integers(-reach, reach))
        return int(choices[min(max(at, 0), len(choices) - 1)])
