"""Prefixes that families of embedding models were trained with, for models that do not bring them.

A model whose own configuration defines prompts is never overruled: that is for its loader to see.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import NamedTuple


class Prompts(NamedTuple):
    """What is put before a question and before a passage."""

    query: str = ""
    document: str = ""


# From the model cards; the first pattern that fits decides. A prefix left out, or one too many,
# costs a model of these families several points of recall.
_FAMILIES: tuple[tuple[str, Prompts], ...] = (
    (r"bge-m3", Prompts()),
    (r"bge-(small|base|large)-zh", Prompts(query="为这个句子生成表示以用于检索相关文章：")),
    (
        r"bge-(small|base|large)-en",
        Prompts(query="Represent this sentence for searching relevant passages: "),
    ),
    (
        r"multilingual-e5-\w+-instruct",
        Prompts(
            query="Instruct: Given a web search query, retrieve relevant passages that answer the "
            "query\nQuery: "
        ),
    ),
    (r"e5-(small|base|large)", Prompts(query="query: ", document="passage: ")),
)


def family_prompts(model: str) -> Prompts:
    """The prompts of the family that a hub id or path names; none where it is not known.

    The last part of a path that names a family decides: snapshots of a hub cache end in a hash.

    >>> family_prompts("intfloat/multilingual-e5-base").document
    'passage: '
    >>> family_prompts("/models/e5-base/BAAI/bge-m3")
    Prompts(query='', document='')
    """
    for part in reversed(PurePath(model).parts):
        for pattern, prompts in _FAMILIES:
            if re.search(rf"(?<![a-z0-9]){pattern}(?![a-z])", part.lower()):
                return prompts
    return Prompts()
