"""What a question wants walked: the supplier of the customer of whom.

Roles and the relations that they go by are rows of `roles.csv`; walking is `walks`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.words import is_chinese

_PATH = Path(__file__).with_name("roles.csv")
_COLUMNS = ("role", "language", "pattern", "relations", "direction", "told")


@dataclass(frozen=True, slots=True)
class Role:
    """What somebody is to somebody else.

    Attributes:
        relations: names of the relation vocabulary that say so.
        direction: `in` where those lead to whom it is asked of, `out` where from them, or `both`.
        told: what an answer calls them.
    """

    name: str
    relations: tuple[str, ...]
    direction: str
    told: str


def roles_in(question: str, start: int, end: int) -> tuple[Role, ...]:
    """The roles that lead from whom a question names to whom it asks for, in order.

    What stands behind the name is followed as it stands, what stands before it backwards.

    Args:
        start: where the name stands; `end` behind it.

    >>> [each.name for each in roles_in("谁给星河新材的客户供货？", 2, 6)]
    ['customer', 'supplier']
    >>> [each.name for each in roles_in("星河新材的上游的上游有谁", 0, 4)]
    ['supplier', 'supplier']
    >>> [each.name for each in roles_in("Who supplies the customers of Xinghe?", 30, 36)]
    ['customer', 'supplier']
    >>> [each.name for each in roles_in("Xinghe's customers' suppliers", 0, 6)]
    ['customer', 'supplier']
    """
    # what asks with a verb encloses what it asks of: it ends where it counts
    found = sorted(_found(question), key=lambda each: each[1])
    behind = [role for _, at, role in found if at > end]
    before = [role for _, at, role in found if at <= start]
    walked = [*behind, *reversed(before)]
    if behind and before and behind[-1] == before[0]:
        walked.remove(before[0])  # 哪些供应商给X的客户供货 asks once
    return tuple(walked)


def role_names() -> frozenset[str]:
    """What somebody may be to somebody else: customer, supplier."""
    return frozenset(role.name for _, role in _roles()["zh"])


def role_named(name: str) -> Role | None:
    """A role by its name; None where there is none."""
    return next((role for _, role in _roles()["zh"] if role.name == name), None)


def _found(question: str) -> list[tuple[int, int, Role]]:
    language = "zh" if is_chinese(question) else "en"
    return [
        (match.start(), match.end(), role)
        for pattern, role in _roles()[language]
        for match in pattern.finditer(question)
    ]


@cache
def _roles() -> dict[str, Sequence[tuple[re.Pattern[str], Role]]]:
    found: dict[str, list[tuple[re.Pattern[str], Role]]] = {"zh": [], "en": []}
    for row in data_rows(_PATH, _COLUMNS):
        direction = row.choice("direction", ("in", "out", "both"))
        role = Role(row["role"], row.listed("relations"), direction, row["told"])
        found[row["language"]].append((re.compile(row["pattern"], re.IGNORECASE), role))
    return dict(found)
