"""Named SQL blocks, read from `sql/queries/<room>/<family>.sql`: one file a table family.

Running them belongs to the typed functions of each family, never to this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import LiteralString, cast

from finrag_pipeline.store.database.sql_files import sql_directory

_HEADING = re.compile(r"^-- ([a-z][a-z0-9_]*) --$")
_PURPOSE = re.compile(r"^-- (\S.*)$")


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """One block: its name, its line of purpose, and the statement with named parameters."""

    name: str
    purpose: str
    sql: LiteralString


class Queries:
    """The blocks of one family: `queries.some_name` or `queries["some_name"]` is the SQL text.

    Iterating yields every `NamedQuery` in file order.
    """

    def __init__(self, family: str, blocks: tuple[NamedQuery, ...]) -> None:
        self.family = family
        self._blocks = {block.name: block for block in blocks}

    def __getitem__(self, name: str) -> LiteralString:
        return self._blocks[name].sql

    def __getattr__(self, name: str) -> LiteralString:
        # copy and pickle ask for dunders before `_blocks` is there
        if name.startswith("_") or name not in self._blocks:
            raise AttributeError(f"sql/queries/{self.family}.sql has no block named {name!r}")
        return self._blocks[name].sql

    def __iter__(self) -> Iterator[NamedQuery]:
        return iter(self._blocks.values())

    def __len__(self) -> int:
        return len(self._blocks)


@cache
def load_queries(family: str) -> Queries:
    """The blocks of one family, e.g. ``graph/entity_edges``, read once a process.

    Args:
        family: path of its file below `sql/queries`, without its ending.

    Raises:
        ValueError: there is no such file, or a block in it is malformed.
    """
    path = sql_directory() / "queries" / f"{family}.sql"
    if not path.is_file():
        raise ValueError(f"no query file {path}")
    return Queries(family, parse_queries(path.read_text(encoding="utf-8"), path.name))


def all_queries() -> dict[str, Queries]:
    """Every family in `sql/queries`, by its path there."""
    folder = sql_directory() / "queries"
    names = (path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.sql"))
    return {name: load_queries(name) for name in sorted(names)}


def parse_queries(text: str, source: str) -> tuple[NamedQuery, ...]:
    """Split a query file into its blocks.

    A block is a line `-- name --`, one line `-- purpose`, then one statement. Before the first
    block only comments may stand; inside a statement comments are kept.

    Args:
        text: the whole file.
        source: the file's name, for messages.

    Raises:
        ValueError: a name stands twice, or a block lacks its purpose or its statement.

    >>> block, = parse_queries("-- one --\\n-- Just one.\\nselect 1 as one;\\n", "x.sql")
    >>> block.name, block.purpose, block.sql
    ('one', 'Just one.', 'select 1 as one')
    """
    lines = text.splitlines()
    headings = [number for number, line in enumerate(lines) if _HEADING.match(line)]
    stray = [line for line in lines[: headings[0] if headings else None] if _is_sql(line)]
    if stray:
        raise ValueError(f"{source}: SQL before the first block: {stray[0].strip()!r}")
    blocks: dict[str, NamedQuery] = {}
    for start, end in zip(headings, [*headings[1:], len(lines)], strict=True):
        block = _parse_block(lines[start:end], f"{source}:{start + 1}")
        if block.name in blocks:
            raise ValueError(f"{source}:{start + 1}: block {block.name!r} stands twice")
        blocks[block.name] = block
    return tuple(blocks.values())


def _parse_block(lines: list[str], place: str) -> NamedQuery:
    name = lines[0].removeprefix("-- ").removesuffix(" --")
    purpose = _PURPOSE.match(lines[1]) if len(lines) > 1 else None
    if purpose is None:
        raise ValueError(f"{place}: block {name!r} needs one line `-- purpose` below its name")
    body = lines[2:]
    if not any(_is_sql(line) for line in body):
        raise ValueError(f"{place}: block {name!r} has no statement")
    sql = "\n".join(body).strip().removesuffix(";")
    # text from the project's own files, as literal as a string in its code
    return NamedQuery(name, purpose.group(1).strip(), cast(LiteralString, sql))


def _is_sql(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("--")
