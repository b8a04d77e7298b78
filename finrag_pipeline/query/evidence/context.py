"""What the graph says around a question: entities and relations, for orientation, never cited.

How much of it is handed on is bounded in tokens; which entities and relations, the lanes decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from finrag_pipeline.models.chat.tokens import count_tokens
from finrag_pipeline.records.graph import EdgeKey
from finrag_pipeline.stages.identity.codes import written_code

T = TypeVar("T")
Row = dict[str, Any]
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Budgets:
    """Tokens of what is handed on; those of LightRAG, whose readers are models of 32,000."""

    entities: int = 6_000
    relations: int = 8_000
    total: int = 30_000


def entity_item(row: Row, summary: str = "") -> Json:
    """One entity as it is told: a row of `graph_search.describe`, and what was written of it."""
    names = [alias["name"] for alias in row["aliases"]]
    already_told = {row["name"], *row["codes"]}
    return {
        "kind": "entity",
        "entity_id": row["entity_id"],
        "name": row["name"],
        "type": row["type"],
        "aliases": [name for name in names if not {name, written_code(name)} & already_told],
        "codes": list(row["codes"]),
        "mention_count": row["mention_count"],
        "description": row["description"],
        "summary": summary,
        "citable": False,
    }


def relation_item(key: EdgeKey, weight: float, rows: Mapping[str, Row], description: str) -> Json:
    """One relation as it is told, its ends by their names."""
    src, edge_type, dst = key
    return {
        "kind": "relation",
        "source_id": src,
        "source": rows[src]["name"],
        "relation": edge_type,
        "target_id": dst,
        "target": rows[dst]["name"],
        "weight": weight,
        "description": description,
        "citable": False,
    }


def item_text(item: Json) -> str:
    """An item as the text that its budget counts, and that a person or a model reads."""
    if item["kind"] == "relation":
        line = f"{item['source']} — {item['relation'].replace('_', ' ')} — {item['target']}"
        return "\n".join(part for part in (line, item["description"]) if part)
    names = ", ".join(dict.fromkeys([*item["aliases"], *item["codes"]]))
    line = f"{item['name']} [{item['type']}]{f' ({names})' if names else ''}"
    return "\n".join(part for part in (line, item["summary"] or item["description"]) if part)


def within(
    items: Iterable[T], tokens: int, text: Callable[[T], str], counted: int = 0
) -> tuple[list[T], int]:
    """The first items whose texts fit a budget together, and the tokens of those.

    >>> within(["利润", "营业收入", "利润率"], 5, str)
    (['利润', '营业收入'], 5)
    """
    kept: list[T] = []
    for item in items:
        size = count_tokens(text(item))
        if counted + size > tokens:
            break
        kept.append(item)
        counted += size
    return kept, counted


def context(
    entities: Sequence[Json], relations: Sequence[Json], budgets: Budgets
) -> tuple[tuple[Json, ...], int]:
    """Entities, then relations, each within its budget; and the tokens of both."""
    told, used = within(entities, budgets.entities, item_text)
    related, more = within(relations, budgets.relations, item_text)
    return (*told, *related), used + more
