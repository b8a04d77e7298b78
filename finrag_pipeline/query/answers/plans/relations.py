"""Answers of relations walked: whom they lead to, and each step on the way with what states it."""

from __future__ import annotations

from finrag_pipeline.query.answers.plans.walks import Step, Walk, walk
from finrag_pipeline.query.answers.plans.wording import say
from finrag_pipeline.query.answers.quotes import Quotes
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.signals import asks_figure
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.words import is_chinese


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
        # how much who buys is no name
        walked = None if asks_figure(asked.question) else walk(self._reader, asked)
        if walked is None or not walked.steps or len(walked.roles) < self._least:
            return None
        return _told(walked, is_chinese(asked.question))


def _told(walked: Walk, chinese: bool) -> Draft:
    """Whom it leads to and the steps on the way; how far, and what is not stated, where it ends."""
    cited = Quotes()
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
        cited.sources,
        way=f"relations that documents state, walked from {walked.start} ({trail})",
        status="" if complete else "insufficient_evidence",
        kind="names",
        value={"names": [each.to for each in last]} if complete else None,
    )


def _line(n: int, step: Step, cited: Quotes, chinese: bool) -> str:
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
