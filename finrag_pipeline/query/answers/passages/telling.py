"""Lines of an answer: a quote each, with who says it and when."""

from __future__ import annotations

from collections.abc import Sequence

from finrag_pipeline.query.answers.passages.candidates import Candidate, Reading
from finrag_pipeline.query.answers.refusing import nearest_label, refused
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.citation import unmarked
from finrag_pipeline.query.evidence.documents import DocumentItem
from finrag_pipeline.words import is_chinese

_ENDS = " \t\n；;，,"


def tell(
    reading: Reading, chosen: Sequence[Candidate], *, way: str, lead: str = "", **rest: object
) -> Draft:
    """A draft of some quotes, one a line.

    Args:
        lead: what the first line opens with.
        rest: of the draft.
    """
    citations = tuple(
        each.item.cite(n, each.said.quote, each.said.places) for n, each in enumerate(chosen, 1)
    )
    lines = [
        f"{unmarked(each.said.told).strip(_ENDS)}{_source(reading, each)}[{n}]"
        for n, each in enumerate(chosen, 1)
    ]
    items = {each.item.key: each.item for each in (*reading.results, *(c.result for c in chosen))}
    sources = tuple(items.values())
    return Draft(lead + "\n".join(lines), citations, sources, way=way, **rest)  # type: ignore[arg-type]


def tell_nearest(reading: Reading, chosen: Sequence[Candidate], *, way: str) -> Draft:
    """A refusal with the quotes that come nearest, one a line below it."""
    lead = f"{refused(reading.asked, ())}\n{nearest_label(reading.wanted.question)}\n"
    status = "insufficient_evidence"
    return tell(reading, chosen, way=way, lead=lead, status=status, near=True)


def _source(reading: Reading, candidate: Candidate) -> str:
    """Whose words they are: of which company, house and day."""
    item = candidate.item
    document = reading.document(item)
    if not isinstance(item, DocumentItem) or document is None:
        return ""
    wanted = reading.wanted
    told: list[str] = []
    if document.name and (len(wanted.companies) != 1 or document.company not in wanted.companies):
        told.append(document.name)
    if item.broker:
        told.append(item.broker)
    if item.published_on and document.row.published_on_printed:
        told.append(item.published_on.isoformat())
    if not told:
        return ""
    if is_chinese(wanted.question):
        return f"（{'，'.join(told)}）"
    return f" ({', '.join(told)})"
