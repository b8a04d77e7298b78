"""Texts to the numbers of their tokens: by a folder's `tokenizer.json`, or by its `unigram.npz`."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, Protocol

from finrag_pipeline.models.onnx.unigram import Unigram


class Encoded(NamedTuple):
    """Tokens of a text between the marks of its beginning and end.

    `types` tells the tokens of a second text (1) from those of the first (0).
    """

    ids: list[int]
    types: list[int]


class Tokenizer(Protocol):
    """Cuts what is too long at its end."""

    def encode(self, text: str, pair: str | None = None) -> Encoded: ...


class HubTokenizer:
    """A `tokenizer.json`, read by `tokenizers`.

    Args:
        path: the file.
        longest: tokens of an input at most.
    """

    def __init__(self, path: Path, longest: int) -> None:
        from tokenizers import Tokenizer as Reader

        self._reader = Reader.from_file(str(path))
        self._reader.no_padding()
        self._reader.enable_truncation(longest)

    def encode(self, text: str, pair: str | None = None) -> Encoded:
        encoding = self._reader.encode(text, pair)
        return Encoded(encoding.ids, encoding.type_ids)


class UnigramTokenizer:
    """A `Unigram`, its tokens between ``<s>`` and ``</s>`` as XLM-RoBERTa has them."""

    def __init__(self, path: Path, longest: int) -> None:
        self._unigram = Unigram(path)
        self._longest = longest

    def encode(self, text: str, pair: str | None = None) -> Encoded:
        if pair is not None:
            raise ValueError("a model of single texts reads no pairs")
        unigram = self._unigram
        ids = [unigram.begin, *unigram.ids(text)[: self._longest - 2], unigram.end]
        return Encoded(ids, [0] * len(ids))


def read_tokenizer(folder: Path, longest: int) -> Tokenizer:
    """The tokenizer of a folder.

    Raises:
        FileNotFoundError: it has none.
    """
    if (own := folder / "unigram.npz").is_file():
        return UnigramTokenizer(own, longest)
    if not (path := folder / "tokenizer.json").is_file():
        raise FileNotFoundError(path)
    return HubTokenizer(path, longest)
