"""Routing: a question, its options and what there is, to a plan. Values in, values out.

Signals of the words are rows of `question/signals.csv`; carrying a plan out is the engine's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from finrag_pipeline.errors import InvalidQuestion
from finrag_pipeline.query.evidence.builds import no_build
from finrag_pipeline.query.lanes import registry
from finrag_pipeline.query.lanes.registry import LaneEntry, Way
from finrag_pipeline.query.question.options import COMMUNITY_MODES, GRAPH_OFF, MAX_K, Options
from finrag_pipeline.query.question.signals import PARTICULAR, asks_whole
from finrag_pipeline.query.weights import (
    GRAPH_WEIGHTS,
    LANE_WEIGHTS,
    REPORTS_SHARE,
    WHOLE_REPORTS_SHARE,
    WHOLE_WEIGHTS,
)

#: The lane of each way through the entity graph, and whether the lanes of words run beside it.
_GRAPH_MODES = {
    "lite": ("lite", True),
    "light_local": ("light_local", False),
    "light_global": ("light_global", False),
    "light_hybrid": ("light_hybrid", False),
    "light_mix": ("light_hybrid", True),
}


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What there is to answer from.

    Attributes:
        documents: whether the application has any.
        graph: whether the entity graph is switched on.
        build: whether a weekly build serves the day asked for.
        named: types of the entities that the question names, as far as they decide anything.
    """

    documents: bool = True
    graph: bool = True
    build: bool = False
    named: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Plan:
    """How a question is gone about.

    Attributes:
        steps: lanes by name that run side by side; a later step runs where those before it found
            nothing.
        writer: makes the draft; a search has none.
        fallback: what is done where the draft does not answer; None: that is said.
        refused: what is tried where the draft says why there is no answer, which is said after all
            where that does not answer either; None: nothing.
        reason: why this way, as answers tell it.
        weights: what a rank in each lane counts.
        meant: whether the graph or its communities are meant: what they cannot say is told as a
            shortcoming.
        names_build: whether the weekly build is named whatever is found.
        most: pieces of evidence; None: as many as the options ask for.
        reranked: whether what the lanes found is judged again. A lane or way through the graph that
            is asked for by name is not: its own order is what is asked for.
        complete: whether places of all of them are read; a writer that cites a few of many looks
            for those itself.
        reports_share: of the results that reports may take at most; None: all of them.
        mend: why there is nothing to answer from, with its mend; nothing is done then.
    """

    steps: tuple[tuple[str, ...], ...]
    writer: str = ""
    fallback: Plan | None = None
    refused: Plan | None = None
    reason: str = ""
    weights: Mapping[str, float] = field(default_factory=lambda: LANE_WEIGHTS)
    meant: bool = False
    names_build: bool = False
    most: int | None = None
    reranked: bool = False
    complete: bool = True
    reports_share: float | None = None
    mend: str = ""


def route_search(question: str, options: Options, has: Capabilities) -> Plan:
    """The lanes of a search: the one asked for, or all that there are.

    Raises:
        InvalidQuestion: there is no such lane, the graph is switched off, or a mode was asked for.
    """
    if options.mode != "auto":
        raise InvalidQuestion("a mode is for answers: give a search a lane")
    if options.lane:
        return _of_lane(options.lane, has)
    whole = _whole(question, has)
    weights = WHOLE_WEIGHTS if whole else LANE_WEIGHTS
    steps = (_joining("search", has),)
    share = WHOLE_REPORTS_SHARE if whole else REPORTS_SHARE
    return Plan(steps, weights=weights, reranked=True, reports_share=share)


def route(question: str, options: Options, has: Capabilities) -> Plan:
    """How a question is answered: by the mode or lane asked for, else by what its words ask for.

    Raises:
        InvalidQuestion: there is no such lane, or the graph is switched off.

    >>> plan = route("储能产业链有哪些公司？", Options(), Capabilities(build=True))
    >>> plan.writer, plan.fallback.writer, plan.fallback.fallback.writer
    ('numbers', 'global', 'extractive')
    >>> route("毛利率为什么下降？", Options(), Capabilities()).fallback.steps
    (('keyword', 'vector', 'table', 'lite'),)
    """
    mode = options.mode
    reason = f"text question, mode {mode}"
    reranked = mode in ("auto", "text")
    plain = Plan((_joining("ask", has),), "extractive", reason=reason, reranked=reranked)
    if options.lane:
        plan = _of_lane(options.lane, has)
        return replace(plan, writer="extractive", reason=f"text question, lane {options.lane}")
    if mode in COMMUNITY_MODES:
        return _of_communities(mode, options, has)
    if mode in _GRAPH_MODES:
        lane, beside = _GRAPH_MODES[mode]
        _require(registry.entries()[lane], has)
        words = _joining("ask", replace(has, graph=False, build=False))
        steps = ((*words, lane),) if beside else ((lane,), words)
        return replace(plain, steps=steps, weights=GRAPH_WEIGHTS, meant=True)
    if mode == "number":
        return replace(_NUMBERS, reason="mode number")
    if mode == "text":
        return plain
    spoken = _spoken(question, plain, has)
    if options.document or options.entity:
        # figures are found by company, metric and period, not by where they stand
        return spoken
    reason = f"{plain.reason}, since no single figure answers it"
    quoted = replace(plain, writer="quoted_figures", reason=reason)
    return replace(_NUMBERS, fallback=spoken, refused=quoted)


def _spoken(question: str, plain: Plan, has: Capabilities) -> Plan:
    """How a question is answered that asks for no figures: the whole from reports, else quoted."""
    cue = _whole(question, has)
    if cue is None:
        return plain
    why = f"the question asks for the whole ({cue})"
    unanswered = f"{plain.reason}, {why}, but no report of the weekly build answers it"
    return replace(_GLOBAL, reason=why, fallback=replace(plain, reason=unanswered))


#: Figures are looked up by the writer: what is asked for decides which.
_NUMBERS = Plan((), "numbers", reason="the question asks for figures")
_GLOBAL = Plan((("descent",),), "global", meant=True, names_build=True, most=MAX_K, complete=False)


def _of_communities(mode: str, options: Options, has: Capabilities) -> Plan:
    if not has.graph:
        raise InvalidQuestion(GRAPH_OFF)
    if has.documents and not has.build:
        reason = f"mode {mode}: no weekly build is published"
        return Plan((), reason=reason, mend=no_build(options.as_of))
    if mode == "community_global":
        return replace(_GLOBAL, reason=f"mode {mode}")
    words = _joining("ask", replace(has, graph=False, build=False))
    reason = f"text question, mode {mode}"
    return Plan((("local",), words), "local", reason=reason, meant=True, names_build=True)


def _of_lane(label: str, has: Capabilities) -> Plan:
    entry = registry.called(label)
    _require(entry, has)
    return Plan(((entry.name,),), meant=bool(entry.needs))


def _require(entry: LaneEntry, has: Capabilities) -> None:
    """A lane without a weekly build says itself that there is none."""
    if entry.needs and not has.graph:
        raise InvalidQuestion(GRAPH_OFF)


def _joining(way: Way, has: Capabilities) -> tuple[str, ...]:
    """The lanes that join a way of asking, of those that there are."""
    there = {"": True, "graph": has.graph, "build": has.graph and has.build}
    return tuple(
        entry.name
        for entry in registry.entries().values()
        if way in entry.joins and there[entry.needs]
    )


def _whole(question: str, has: Capabilities) -> str | None:
    """The words by which a question asks for the whole, if a build can tell it."""
    if not has.build or PARTICULAR & has.named:
        return None
    return asks_whole(question)
