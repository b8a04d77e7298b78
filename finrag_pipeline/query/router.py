"""Routing: a question, its options and what there is, to a plan. Values in, values out.

Who answers which intent, one after the other, is a row of `routes.csv`; what words mean which
intent is `question.intents`; carrying a plan out is the engine's.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from finrag_pipeline.errors import InvalidQuestion
from finrag_pipeline.query.evidence.builds import no_build
from finrag_pipeline.query.lanes import registry
from finrag_pipeline.query.lanes.registry import LaneEntry, Way
from finrag_pipeline.query.plan import Capabilities, Plan
from finrag_pipeline.query.question.intents import Intent, read_intent
from finrag_pipeline.query.question.options import (
    COMMUNITY_MODES,
    GRAPH_OFF,
    MAX_K,
    ROUTE_MODES,
    Options,
)
from finrag_pipeline.query.question.signals import PARTICULAR, asks_figure, asks_whole
from finrag_pipeline.query.weights import (
    GRAPH_WEIGHTS,
    LANE_WEIGHTS,
    REPORTS_SHARE,
    WHOLE_REPORTS_SHARE,
    WHOLE_WEIGHTS,
)

#: The lane of each way through the entity graph, whether the lanes of words run beside it, and the
#: route that it is.
_GRAPH_MODES = {
    "lite": ("lite", True, "local"),
    "light_local": ("light_local", False, "local"),
    "light_global": ("light_global", False, "global"),
    "light_hybrid": ("light_hybrid", False, "hybrid"),
    "light_mix": ("light_hybrid", True, "hybrid"),
}


#: Why records of a company go first.
ACCOUNTS = "records of companies are kept that may answer"
#: Passages that are looked through for a list, which is complete over these.
LISTED_PASSAGES = 40
#: Passages that are looked through for a reason.
REASON_PASSAGES = 20
#: Passages of whose sentences one is quoted below a refusal.
LIKELIEST_PASSAGES = 20


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


def route(question: str, options: Options, has: Capabilities, intent: Intent | None = None) -> Plan:
    """How a question is answered: by the mode or lane asked for, else by what its words ask for.

    Args:
        intent: as the question was read; None: by its words alone.

    Raises:
        InvalidQuestion: there is no such lane, or the graph is switched off.

    >>> plan = route("储能产业链有哪些公司？", Options(), Capabilities(build=True))
    >>> plan.writer, plan.fallback.writer, plan.fallback.fallback.writer
    ('numbers', 'global', 'extractive')
    >>> route("毛利率为什么下降？", Options(), Capabilities()).fallback.fallback.steps
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
        lane, beside, routed = _GRAPH_MODES[mode]
        _require(registry.entries()[lane], has)
        words = _joining("ask", replace(has, graph=False, build=False))
        steps = ((*words, lane),) if beside else ((lane,), words)
        plain = replace(plain, steps=steps, weights=GRAPH_WEIGHTS, meant=True, route=routed)
        if (intent or read_intent(question)).name == "relation":
            return replace(plain, writer="relations", fallback=plain)
        return plain
    if mode in ROUTE_MODES:
        return _of_route(mode, replace(plain, reranked=True, route=mode), has)
    if mode == "number":
        return replace(_NUMBERS, reason="mode number")
    if mode == "text":
        return plain
    intent = intent or read_intent(question)
    if options.document and intent.name == "unsupported":
        intent = replace(intent, name="passage")  # what a document says is no quote to come
    routed, ways = _ROUTES[intent.name]
    # figures are found by company, metric and period, not by where they stand
    other: tuple[str, ...] = _BY_FACTS if options.document else ()
    if options.entity or options.source_type:
        other = _BY_COMPANY
    gone = [way for way in ways if way not in other]
    if has.accounts and intent.name != "unsupported":
        gone = ["accounts", *gone]
    if _whole(question, has) is None:
        gone = [way for way in gone if way != "global"]
    amount = asks_figure(question)
    plain = replace(plain, route=routed)
    if options.document and amount and "numbers" in ways:
        plain = replace(plain, writer="quoted_figures")  # as behind figures that are not held
    quotes = "extractive" if _GUIDED.search(question) else "quoted_figures"
    return _one_after_another(gone, plain, intent, amount=amount, quotes=quotes)


def route_closest(
    question: str, options: Options, has: Capabilities, intent: Intent | None = None
) -> Plan | None:
    """How a refused question is gone about once more, by the figure or the sentence that most
    surely answers; None where it asks for a mode or a lane, or for what no sentence tells."""
    intent = intent or read_intent(question)
    chosen = options.mode != "auto" or options.lane is not None
    if chosen or not has.documents or intent.name in _UNTOLD:
        return None
    amount = asks_figure(question)
    reason = f"the question asks for {MEANT[intent.name]}"
    words = (_joining("ask", has),)
    likeliest = Plan(words, "likeliest", reason=reason, reranked=True, most=LIKELIEST_PASSAGES)
    if not (intent.name in _FIGURES or (intent.name in _WITH_FIGURES and amount)):
        return likeliest
    if amount:
        likeliest = replace(likeliest, writer="likeliest_figures")
    related = Plan((), "related", reason=reason)
    told = replace(related, fallback=likeliest)
    return Plan(words, "closest", reason=reason, reranked=True, fallback=told, refused=told)


def _one_after_another(
    ways: Sequence[str],
    plain: Plan,
    intent: Intent,
    *,
    amount: bool = False,
    quotes: str = "quoted_figures",
) -> Plan:
    """The plan of the first way, the others behind it.

    Args:
        amount: whether one is asked for.
        quotes: the writer behind figures that are not held.
    """
    first, later = ways[0], ways[1:]
    rest = _one_after_another(later, plain, intent) if later else None
    wanted = f"the question asks for {MEANT[intent.name]}"
    said = f"{wanted} ({intent.cue})" if intent.cue else wanted
    if first == "numbers":
        # a figure that is not held is quoted from what states it and from nothing else; where words
        # are left over and no amount is asked for, it is no figure that is wanted
        reason = f"{plain.reason}, since no single figure answers it"
        quoted = replace(plain, writer=quotes, reason=reason)
        others = [way for way in later if way != "global"]
        refused = _one_after_another(others, quoted, intent)
        return replace(_NUMBERS, fallback=rest, refused=refused, unread=refused if amount else rest)
    if first == "accounts":
        return Plan((), first, reason=ACCOUNTS, route="hybrid", fallback=rest)
    if first == "global":
        unanswered = f"{plain.reason}, {said}, but no report of the weekly build answers it"
        rest = replace(plain, reason=unanswered) if rest else None
        return replace(_GLOBAL, reason=said, route="global", fallback=rest)
    if first == "passages":
        return plain
    if first == "unsupported":
        return Plan((), first, reason=said, route=plain.route)
    searched = {"lists": LISTED_PASSAGES, "reasons": REASON_PASSAGES}
    if most := searched.get(first):
        return replace(plain, writer=first, most=most, reason=said, fallback=rest)
    # these look things up themselves
    return Plan((), first, reason=said, route=plain.route, fallback=rest)


def plan_passages(options: Options, has: Capabilities, most: int | None = None) -> Plan:
    """How passages are found for a part of a question, for writers that ask several."""
    if options.lane:
        return replace(_of_lane(options.lane, has), most=most)
    return Plan((_joining("ask", has),), "extractive", most=most, reranked=True)


def _routes() -> Iterator[tuple[str, str, tuple[str, ...], str]]:
    path = Path(__file__).with_name("routes.csv")
    with path.open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            yield row["intent"], row["route"], tuple(row["ways"].split()), row["meaning"]


_ROUTES = MappingProxyType({name: (routed, ways) for name, routed, ways, _ in _routes()})
#: What companies expect they give as ranges and growths, in sentences of every kind.
_GUIDED = re.compile(r"指引|\bguidance\b|\bguides? for\b", re.IGNORECASE)
#: What each intent asks for.
MEANT = MappingProxyType({name: meaning for name, _, _, meaning in _routes()})

#: Intents that no sentence answers: of prices to come, of some days, of a report as a whole.
_UNTOLD = frozenset(("digest", "gist", "unsupported"))
#: Intents that one figure may answer.
_FIGURES = frozenset(("figure", "table", "passage"))
#: Intents that one figure may answer where one is asked for: 应用率差几倍, 影响了多少收入.
_WITH_FIGURES = frozenset(
    ("comparison", "influence", "items", "list", "measured", "profile", "whole")
)
#: Ways that look for facts of a company, in whatever document they stand, and in all its tables.
_BY_FACTS = ("numbers", "each")
_BY_COMPANY = (*_BY_FACTS, "differences", "rows", "parts")
#: Figures are looked up by the writer: what is asked for decides which.
_NUMBERS = Plan((), "numbers", reason="the question asks for figures", route="number")
_GLOBAL = Plan((("descent",),), "global", meant=True, names_build=True, most=MAX_K, complete=False)


def _of_route(mode: str, plain: Plan, has: Capabilities) -> Plan:
    """The plan of a route that is asked for, as far as there is what it needs."""
    if mode == "table":
        return replace(plain, steps=(("table",), *plain.steps))
    if mode == "hybrid":
        return replace(plain, steps=(_joining("search", has),))
    _require(registry.entries()["lite"], has)
    if not has.build:
        return replace(plain, steps=(("lite",), *plain.steps), weights=GRAPH_WEIGHTS, meant=True)
    if mode == "global":
        return replace(_GLOBAL, reason=plain.reason, route="global", fallback=plain)
    steps = (("local",), *plain.steps)
    return replace(plain, steps=steps, writer="local", meant=True, names_build=True)


def routed(intent: Intent, *, figures: bool) -> str:
    """What kind of evidence answers first: what has a name as a figure is looked up as one.

    >>> routed(Intent("comparison"), figures=True), routed(Intent("reason"), figures=True)
    ('number', 'text')
    """
    kind, ways = _ROUTES[intent.name]
    return _NUMBERS.route if figures and "numbers" in ways else kind


def _of_communities(mode: str, options: Options, has: Capabilities) -> Plan:
    if not has.graph:
        raise InvalidQuestion(GRAPH_OFF)
    if has.documents and not has.build:
        reason = f"mode {mode}: no weekly build is published"
        return Plan((), reason=reason, mend=no_build(options.as_of))
    if mode == "community_global":
        return replace(_GLOBAL, reason=f"mode {mode}", route="global")
    words = _joining("ask", replace(has, graph=False, build=False))
    reason = f"text question, mode {mode}"
    steps = (("local",), words)
    return Plan(steps, "local", reason=reason, route="local", meant=True, names_build=True)


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
