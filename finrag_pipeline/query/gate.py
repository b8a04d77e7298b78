"""The gate: whether a draft is said. Numbers, citations and dates are checked, whoever wrote it.

Nothing here finds or writes anything; a draft that does not hold becomes a refusal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial

from finrag_pipeline.query.answers.refusing import refused
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.evidence.citation import Citation
from finrag_pipeline.query.evidence.kinds import EvidenceItem
from finrag_pipeline.query.evidence.results import Answer, Json, SearchResult
from finrag_pipeline.query.grounding import grounded
from finrag_pipeline.query.lanes.registry import labels
from finrag_pipeline.query.plan import Plan
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.relevance import Relevance
from finrag_pipeline.query.question.signals import asks_chain, wanted_kind
from finrag_pipeline.spans import span

#: Share of a question's words in an answer from reports that nobody asked for by their mode: 服务
#: of 什么公司提供审计服务 is in many, and half of the question.
MIN_COVERED_UNASKED = 0.6
#: What is told of a draft that failed a check.
_FAILED = {
    "numbers_grounded": "a number of it stands in nothing that it cites",
    "units_grounded": "it counts a number in another unit than what it cites",
    "periods_grounded": "it gives a figure of another time than what it cites",
    "companies_grounded": "it speaks of another company than what it cites",
    "scopes_grounded": "it gives figures of the group for the parent's, or the other way round",
    "citations_verified": "it cites what its evidence does not hold",
    "dates_held": "it cites what was published after the day asked for",
}
#: What a chat model does for an answer, it does with figures, with communities, or with passages.
_CHAT_WITH = {"numbers": "number", "global": "community", "local": "community"}
#: What is told to hold of every answer.
CHECKS = (*(name for name in _FAILED if name != "dates_held"),)


@span("gate")
def decide(
    asked: Asked,
    plan: Plan,
    found: SearchResult,
    draft: Draft | None,
    absent: Callable[[Asked], tuple[str, ...]],
) -> Answer | None:
    """An answer or a refusal; None where the plan has a way to go that may answer better.

    Args:
        absent: names of the question that the whole store does not know, asked before any is
            called so.
    """
    draft = draft or Draft()
    grounding_of = partial(
        grounded,
        citations=draft.citations,
        sources=draft.sources,
        catalogue=asked.scope.catalogue,
        numbers=draft.numbers,
        question=asked.question,
        refusing=bool(draft.status),
    )
    found_in = grounding_of(draft.text)
    verified = citations_verified(draft.citations, draft.sources)
    checks = found_in.checks | {"citations_verified": verified}
    held = checks | {"dates_held": dates_held(draft.citations, asked.where.as_of)}
    lacks = [_FAILED[name] for name, holds in held.items() if not holds]
    # what is left may be said, but nothing that begins beside the question
    left = "" if found_in.direct else found_in.text
    kept = verified and held["dates_held"] and (bool(left) or not found_in.lacking)
    failed = [f"{'a line' if kept else 'a draft'} was not said: {each}" for each in lacks]
    settled = plan.fallback is None or bool(draft.status) or draft.numbers is not None
    if not settled and (not kept or not _tells(asked.question, draft)):
        return None
    said = bool(draft.citations or draft.status) and kept
    told = found_in
    if said:  # of what is said every check holds
        checks = dict.fromkeys(checks, True)
        if found_in.lacking:  # without the lines that were left out, the others stand elsewhere
            told = grounding_of(found_in.text)
    status = (draft.status or "answered") if said else "insufficient_evidence"
    lane = _CHAT_WITH.get(plan.writer, "chat")
    unwritten = ({"lane": lane, "reason": each} for each in draft.degraded)
    return Answer(
        question=asked.question,
        status=status,
        answer=found_in.text if said else _refused(asked, found, absent),
        evidence=draft.citations if said else (),
        checks=checks,
        grounding=told.to_dict() if said or lacks else None,
        route=_route(plan, found, draft),
        latency_ms=found.latency_ms,
        kind=draft.kind or asked.options.kind or wanted_kind(asked.question),
        value=draft.value if status == "answered" else None,
        choices=draft.choices if said else (),
        graph_context=(*found.graph_context, *draft.context),
        degraded=(*found.degraded, *unwritten),
        warnings=(*found.warnings, *draft.warnings, *failed),
    )


def refusal(asked: Asked, plan: Plan, mend: str, latency_ms: dict[str, float]) -> Answer:
    """What is said where there is nothing to answer from: no document, or no build."""
    return Answer(
        question=asked.question,
        status="insufficient_evidence",
        answer=refused(asked, ()),
        evidence=(),
        checks=dict.fromkeys(CHECKS, True),
        route={"lanes": [], "reason": plan.reason},
        latency_ms=latency_ms,
        warnings=(mend,),
    )


def citations_verified(citations: Sequence[Citation], sources: Sequence[EvidenceItem]) -> bool:
    """Whether each cited passage is held by the piece of evidence that it is cited from."""
    by_key = {item.key: item for item in sources}
    return all(
        (item := by_key.get(each.key)) is not None and item.holds(each) for each in citations
    )


def dates_held(citations: Sequence[Citation], as_of: date | None) -> bool:
    """Whether nothing is cited that was published after a day."""
    return all(
        as_of is None or each.published_on is None or each.published_on <= as_of
        for each in citations
    )


def _refused(asked: Asked, found: SearchResult, absent: Callable[[Asked], tuple[str, ...]]) -> str:
    """What is said where there is no answer; where no lane looked, nothing is called absent."""
    broken = bool(found.broken) and not found.looked
    return refused(asked, () if broken else absent(asked), broken=broken)


def _route(plan: Plan, found: SearchResult, draft: Draft) -> Json:
    """Which lanes the evidence came from, and why and how it was gone about."""
    lanes = [label for label in labels() if any(label in each.lanes for each in found.results)]
    reason = f"{plan.reason}: {'; '.join(filter(None, [found.way, draft.way]))}"
    kind = "number" if draft.numbers is not None else plan.route
    said = {"kind": kind, "scope": found.scope, "build": found.build}
    return {"lanes": lanes, "reason": reason} | {name: each for name, each in said.items() if each}


def _tells(question: str, draft: Draft) -> bool:
    """Whether reports answer a question that did not ask for them: passages may do better.

    Who asks for a chain is told one, and most of the words asked for are in the answer.
    """
    if not draft.context:
        return bool(draft.citations)
    kinds = {each["report_kind"] for each in draft.context}
    if asks_chain(question) and "industry_chain" not in kinds:
        return False
    return bool(draft.citations) and Relevance(question).covered(draft.text) >= MIN_COVERED_UNASKED
