"""The sentence that states an edge, read back: which relation, and between whom.

How it is written is `relations.csv`; `documents` writes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from finrag_pipeline.stages.enterprise.vocabulary import RelationKind, relation_kinds

#: What a sentence says beside the edge, and its end.
_BESIDE = r"(?:（[^（）]*）| \([^()]*\))?[。.]?"


def read_edge(sentence: str) -> tuple[str, RelationKind, str] | None:
    """Source, relation and target of a line of a record; None where it states no edge.

    >>> source, kind, target = read_edge("月桥物流是竞品厂商云澜数据的客户（2022年）。")
    >>> source, kind.name, target
    ('月桥物流', '竞品客户', '云澜数据')
    """
    for kind, pattern in _patterns():
        if match := pattern.fullmatch(sentence):
            return match["source"], kind, match["target"]
    return None


@cache
def _patterns() -> tuple[tuple[RelationKind, re.Pattern[str]], ...]:
    """The most telling sentence first: 竞品厂商…的客户 is one of …的客户, too."""
    every = sorted(_written(), key=lambda each: -len(each[1]))
    return tuple((kind, _pattern(said)) for kind, said in every)


def _written() -> Iterator[tuple[RelationKind, str]]:
    for kind in relation_kinds().values():
        for said in kind.said:
            yield kind, said


def _pattern(said: str) -> re.Pattern[str]:
    written = re.escape(said)
    for end in ("source", "target"):
        written = written.replace(re.escape(f"{{{end}}}"), f"(?P<{end}>.+?)")
    return re.compile(written + _BESIDE)
