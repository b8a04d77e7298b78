"""What is looked up as tables of pandas, one row an item.

pandas is loaded with the first table: it takes longer than most questions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Protocol

from finrag_pipeline.records import Place

if TYPE_CHECKING:
    import pandas as pd


class HasRows(Protocol):
    """What a table can be made of."""

    @property
    def rows(self) -> Sequence[object]:
        """Frozen values of one kind."""
        ...


class Tabular:
    """Gives what has `rows` a table of them."""

    __slots__ = ()

    def to_pandas(self: HasRows) -> pd.DataFrame:
        """One row an item: values of values have their names joined by `_`, a box is two columns.

        Days are timestamps and exact decimals floats; what holds several values stays a tuple.
        """
        return frame(self.rows)


def frame(items: Sequence[object]) -> pd.DataFrame:
    """A table of frozen values of one kind, see `Tabular.to_pandas`."""
    import pandas as pd

    table = pd.DataFrame([dict(_columns(each)) for each in items])
    for name in table.columns:
        if any(isinstance(each, date) for each in table[name]):
            table[name] = pd.to_datetime(table[name])
    return table


def _columns(item: object, before: str = "") -> Iterator[tuple[str, Any]]:
    values: Mapping[str, Any]
    if isinstance(item, Mapping):
        values = item
    else:
        assert is_dataclass(item)
        values = {each.name: getattr(item, each.name) for each in fields(item)}
    for name, value in values.items():
        if isinstance(value, Place) or name == "place":
            yield f"{before}page", value.page if value else None
            yield f"{before}bbox", value.bbox if value else None
        elif is_dataclass(value):
            yield from _columns(value, f"{before}{name}_")
        else:
            yield f"{before}{name}", float(value) if isinstance(value, Decimal) else value
