"""Risks that a report names and that no earlier document on its company does. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

_PARTED = re.compile(r"[；;、，,。]|\b(?:and|or)\b|（?\d+）|\(\d+\)")
#: What opens a list of risks, and what all risks have in common.
_OPENS = re.compile(r"^.{0,24}?[:：]")
_ENDS = re.compile(r"等(?:因素|多种)?(?:的?风险)?$")
_COMMON = re.compile(
    r"风险|不及预期|低于预期|超预期|加剧|的|等|可能|带来|导致|\b(?:risks?|of|the|than|expected)\b",
    re.I,
)
#: Share of the pairs of characters of a risk that an earlier one has, from which it is the same.
_SAME = 0.6


def items_of(listed: str) -> tuple[str, ...]:
    """The risks of a list, as they are written.

    >>> items_of("风险提示：碳酸锂价格波动；新产能投放不及预期的风险。")
    ('碳酸锂价格波动', '新产能投放不及预期的风险')
    """
    bare = _OPENS.sub("", " ".join(listed.split()))
    parts = [_ENDS.sub("", each.strip(" .。")) for each in _PARTED.split(bare)]
    return tuple(dict.fromkeys(each for each in parts if len(each) >= 4))


def new_of(items: Iterable[str], earlier: Iterable[str]) -> tuple[str, ...]:
    """Those that no earlier list names, however it is worded.

    >>> new_of(["锂价波动风险", "海外关税上调"], ["风险提示：锂价大幅波动；竞争加剧。"])
    ('海外关税上调',)
    """
    known = {pair for each in earlier for pair in _pairs(each)}
    return tuple(each for each in items if _unknown(_pairs(each), known))


def _unknown(pairs: set[str], known: set[str]) -> bool:
    return bool(pairs) and len(pairs & known) < _SAME * len(pairs)


def _pairs(text: str) -> set[str]:
    bare = re.sub(r"[\W_]", "", _COMMON.sub("", text))
    return {bare[n : n + 2] for n in range(len(bare) - 1)}
