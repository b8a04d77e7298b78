"""Single figures as evidence: one cell or sentence with all that it takes to answer by it.

Which figures answer a question is `query.numbers`'.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, cast

from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.documents import DocumentItem, document_to_dict
from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.query.evidence.kinds import EvidenceItem, Quotable, ReadItems
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.records import Place
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.facts import cited_facts

Json = dict[str, Any]

FACT = "fact"
_AS_STORED = (
    *("metric", "company_key", "segment", "fiscal_year", "period", "first_on", "last_on"),
    *("scope", "nature"),
)


@dataclass(frozen=True, slots=True)
class FactItem(DocumentItem):
    """A figure; `text` is its row or sentence as it is stored.

    Attributes:
        fact_id: as the views of figures have it.
        metric: what it is a figure of, as `period`, `scope`, `nature` and `segment` are those of
            `records.facts`.
        figure: as printed.
        value: in `unit`, exact.
        kind_of_source: a name of `stages/facts/sources.csv`.
        supplied: whether it is of a file that the user supplied; that has no pages.
    """

    fact_id: str = ""
    figure: str = ""
    value: Decimal = Decimal(0)
    unit: str = ""
    label: str = ""
    heading: str = ""
    metric: str = ""
    company_key: str = ""
    segment: str = ""
    fiscal_year: int | None = None
    period: str = ""
    first_on: date | None = None
    last_on: date | None = None
    scope: str = "consolidated"
    nature: str = "actual"
    kind_of_source: str = ""
    restated: bool = False
    supplied: bool = False

    @property
    def factor(self) -> float:
        """A figure is as good as any other: fused scores stand."""
        return 1.0

    def quotes(self, question: str) -> Iterable[Quotable]:
        """None: what is told of figures is told by their writer."""
        return ()

    def cite(self, n: int, quote: str, places: tuple[Place, ...]) -> Citation:
        """The citation of its row; what is supplied is of no document."""
        document_id = None if self.supplied else self.document_id
        return Citation(n, self.key, quote, places, document_id, self.source, self.published_on)

    def cited(self, n: int) -> Citation:
        """The citation of all of it."""
        return self.cite(n, self.text, self.places)

    def holds(self, citation: Citation) -> bool:
        """Whether it is the cited row, in its own box, and has the figure."""
        stored = citation.quote == self.text and citation.places == self.places
        return stored and _bare(self.figure) in _bare(self.text)

    def to_dict(self) -> Json:
        told = document_to_dict(self) | {"text": self.text}
        return told | {"document_id": None} if self.supplied else told


def fact_key(fact_id: str, revision: str = "") -> Key:
    """What rankings and citations call the figure of an id.

    >>> fact_key("d1/12", "r1")
    Key(kind='fact', id=('d1', 'r1', 12))
    """
    owner, _, ordinal = fact_id.rpartition("/")
    return Key(FACT, (owner, revision, int(ordinal)))


def read_facts(connection: Connection[Row], fact_ids: Iterable[str]) -> dict[str, FactItem]:
    """Figures by their ids, as far as readers see them."""
    ids = list(dict.fromkeys(fact_ids))
    rows = cited_facts.read(connection, ids) if ids else []
    return {row["fact_id"]: _item(row) for row in rows}


class FactKind:
    """Figures of current revisions and of files that were supplied."""

    name = FACT

    def read(
        self, connection: Connection[Row], keys: Sequence[Key], asked: Asked, most: int
    ) -> ReadItems:
        """All of them, where they are of the revision that readers see."""
        wanted = set(keys)
        found = read_facts(connection, (f"{key.id[0]}/{key.id[2]}" for key in keys))
        items = {item.key: item for item in found.values() if item.key in wanted}
        return ReadItems({key: cast(EvidenceItem, item) for key, item in items.items()})

    def complete(
        self, connection: Connection[Row], items: Sequence[EvidenceItem]
    ) -> Iterable[EvidenceItem]:
        """They are whole as they are."""
        return items


def _item(row: Row) -> FactItem:
    supplied = bool(row["is_vendor"])
    drawn = None if row["page"] is None else Place(row["page"], tuple(row["bbox"]))
    return FactItem(
        key=fact_key(row["fact_id"], row["revision"] or ""),
        text=row["quote"],
        source=row["source"],
        places=(drawn,) if drawn else (),
        title=row["title"],
        company=row["company_name"],
        company_code=row["company_code"],
        broker=row["broker"],
        published_on=row["published_on"],
        fact_id=row["fact_id"],
        figure=row["text"],
        value=row["value"],
        unit=row["unit"],
        label=row["label"],
        heading=row["heading"] or "",
        kind_of_source=row["source_kind"],
        **{name: row[name] for name in _AS_STORED},
        restated=row["restated"],
        supplied=supplied,
    )


def _bare(text: str) -> str:
    """Without white space: cells break figures across lines."""
    return "".join(text.split())
