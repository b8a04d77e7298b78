"""Answers of relations walked: whom they lead to, and each step on the way with what states it."""

from __future__ import annotations

from dataclasses import dataclass, field

from finrag_pipeline.query.answers.plans.links import Stated
from finrag_pipeline.query.answers.plans.walks import Step, Walk, walk
from finrag_pipeline.query.answers.plans.wording import say
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.keys import Key
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.words import is_chinese


@dataclass(slots=True)
class Cited:
    """Numbers of what a plan cites, in the order of their first use."""

    made: list[Citation] = field(default_factory=list[Citation])
    items: dict[Key, EvidenceItem] = field(default_factory=dict[Key, EvidenceItem])

    def mark(self, said: Stated) -> str:
        """The mark of some words; the same words have one number."""
        for each in self.made:
            if (each.key, each.quote) == (said.item.key, said.quote):
                return f"[{each.n}]"
        self.items[said.item.key] = said.item
        self.made.append(said.item.cite(len(self.made) + 1, said.quote, said.places))
        return f"[{len(self.made)}]"


class RelationsWriter:
    """Answers whom relations lead to, one after the other.

    Args:
        reader: of the store with the graph.
        least: steps that a question wants at least: what one step answers others answer as well.
    """

    def __init__(self, reader: Reader, least: int = 1) -> None:
        self._reader = reader
        self._least = least

    def __call__(self, asked: Asked, found: SearchResult) -> Draft | None:
        """A draft; None where the question wants no such walk, or documents do not lead through."""
        walked = walk(self._reader, asked)
        if walked is None or not walked.steps or len(walked.roles) < self._least:
            return None
        return _told(walked, is_chinese(asked.question))


def _told(walked: Walk, chinese: bool) -> Draft:
    """Whom it leads to and the steps on the way; how far, and what is not stated, where it ends."""
    cited = Cited()
    last = walked.steps[-1].links
    steps = [_line(n, step, cited, chinese) for n, step in enumerate(walked.steps, 1)]
    complete = len(walked.steps) == len(walked.roles)
    whole = walked.start
    for role in walked.roles:
        whole = say("of", chinese, of=whole, role=role.told)
    names = say("and", chinese).join(
        each.to + "".join(dict.fromkeys(map(cited.mark, each.way))) for each in last
    )
    lead = say("answer", chinese, whole=whole, names=names)
    lines = [lead, *steps] if len(steps) > 1 else [lead]
    if not complete:
        role = walked.roles[len(steps)].told
        ends = say("and", chinese).join(each.to for each in last)
        lines = [say("ends", chinese, whole=whole, next=say("of", chinese, of=ends, role=role))]
        lines += steps
    trail = "; ".join(
        f"{n}. {step.role.name}: {len(step.links)} found" for n, step in enumerate(walked.steps, 1)
    )
    return Draft(
        "\n".join(lines),
        tuple(cited.made),
        tuple(cited.items.values()),
        way=f"relations that documents state, walked from {walked.start} ({trail})",
        status="" if complete else "insufficient_evidence",
        kind="names",
        value={"names": [each.to for each in last]} if complete else None,
    )


def _line(n: int, step: Step, cited: Cited, chinese: bool) -> str:
    """One step: whose it is of, and whom it leads to."""
    by_origin: dict[str, list[str]] = {}
    for each in step.links:
        by_origin.setdefault(each.of, []).append(f"{each.to}{cited.mark(each.said)}")
    joined = say("and", chinese)
    told = [
        (say("of", chinese, of=of, role=step.role.told), joined.join(names))
        for of, names in by_origin.items()
    ]
    return f"{n}. " + say("also", chinese).join(
        say("answer", chinese, whole=of, names=names).rstrip("。.") for of, names in told
    )
