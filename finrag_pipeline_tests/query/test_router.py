"""Routing is values in, values out: signals and options to lanes, writer and fallback."""

from __future__ import annotations

import re
from typing import Any

import pytest

from finrag_pipeline.errors import InvalidQuestion
from finrag_pipeline.query.plan import Capabilities, Plan
from finrag_pipeline.query.question import intents, signals
from finrag_pipeline.query.question.intents import UNCLEAR, Intent, read_intent
from finrag_pipeline.query.question.options import MODES, PLAIN, Options
from finrag_pipeline.query.router import MEANT, route, route_closest, route_search, routed
from finrag_pipeline.query.weights import GRAPH_WEIGHTS, LANE_WEIGHTS

QUESTION = "毛利率为什么下降？"
FIGURE = "星河新材2025年毛利率是多少？"
WHOLE = "储能产业链有哪些关键公司？"
WORDS = ("keyword", "vector", "table")
EVERYTHING = Capabilities(build=True)


@pytest.mark.parametrize(
    ("mode", "steps", "writer"),
    [
        ("text", ((*WORDS, "lite"),), "extractive"),
        ("number", (), "numbers"),
        ("lite", ((*WORDS, "lite"),), "extractive"),
        ("light_local", (("light_local",), WORDS), "extractive"),
        ("light_global", (("light_global",), WORDS), "extractive"),
        ("light_hybrid", (("light_hybrid",), WORDS), "extractive"),
        ("light_mix", ((*WORDS, "light_hybrid"),), "extractive"),
        ("community_local", (("local",), WORDS), "local"),
        ("community_global", (("descent",),), "global"),
        ("table", (("table",), (*WORDS, "lite")), "extractive"),
        ("local", (("local",), (*WORDS, "lite")), "local"),
        ("hybrid", ((*WORDS, "fact", "lite", "community"),), "extractive"),
    ],
)
def test_every_mode_has_its_lanes_and_its_writer(
    mode: str, steps: tuple[tuple[str, ...], ...], writer: str
) -> None:
    plan = route(QUESTION, Options(mode=mode), EVERYTHING)
    assert (plan.steps, plan.writer, plan.fallback) == (steps, writer, None)
    assert plan.meant is (mode not in ("text", "number", "table", "hybrid"))
    assert plan.names_build is (mode.startswith("community") or mode == "local")
    assert plan.weights == (GRAPH_WEIGHTS if mode.startswith("li") else LANE_WEIGHTS)
    assert mode in plan.reason


def test_figures_go_first_and_what_is_none_is_told_from_text() -> None:
    plan = route(FIGURE, PLAIN, EVERYTHING, Intent("table"))
    assert (plan.steps, plan.writer) == ((), "numbers")
    assert plan.fallback is not None and plan.refused is not None
    last = _last(plan.fallback)
    assert (last.steps, last.writer) == (((*WORDS, "lite"),), "extractive")
    # what is known to ask for a figure is only quoted from what states it
    quoted = _last(plan.refused)
    assert (quoted.steps, quoted.writer) == (last.steps, "quoted_figures")
    assert plan.unread == plan.refused
    # facts are found by company, not by where they stand
    within = route(FIGURE, Options(document="d1"), EVERYTHING)
    assert (within.writer, _last(within).writer) == ("differences", "quoted_figures")
    assert route(FIGURE, Options(entity="e1"), EVERYTHING).writer == "extractive"


def test_what_asks_for_no_amount_goes_on_to_text_where_words_are_left_over() -> None:
    question = "星河智造对收入的展望是什么说法"
    plan = route(question, PLAIN, EVERYTHING, read_intent(question, figures=True))
    assert plan.writer == "numbers" and plan.unread is not None and plan.refused is not None
    assert _last(plan.unread).writer == "extractive"
    assert _last(plan.refused).writer == "quoted_figures"


def _last(plan: Plan) -> Plan:
    return _last(plan.fallback) if plan.fallback else plan


def test_a_question_for_the_whole_falls_back_to_passages() -> None:
    plan = route(WHOLE, PLAIN, EVERYTHING).fallback
    assert plan is not None
    assert (plan.writer, plan.reason) == (
        "global",
        "the question asks for the whole of a matter (产业链)",
    )
    assert plan.fallback is not None
    assert plan.fallback.writer == "extractive" and plan.fallback.fallback is None
    assert "no report of the weekly build answers it" in plan.fallback.reason
    # who asks for it by the mode is told what the reports say, whatever that is
    assert route(WHOLE, Options(mode="community_global"), EVERYTHING).fallback is None


def test_a_route_that_is_asked_for_takes_what_there_is() -> None:
    whole = route(QUESTION, Options(mode="global"), EVERYTHING)
    assert (whole.writer, whole.route, whole.steps) == ("global", "global", (("descent",),))
    assert whole.fallback is not None and whole.fallback.writer == "extractive"
    for mode in ("global", "local"):
        unbuilt = route(QUESTION, Options(mode=mode), Capabilities())
        assert (unbuilt.steps[0], unbuilt.route, unbuilt.meant) == (("lite",), mode, True)
    for mode, kind in (("light_mix", "hybrid"), ("lite", "local"), ("community_global", "global")):
        assert route(QUESTION, Options(mode=mode), EVERYTHING).route == kind


def test_every_intent_has_its_ways_and_the_words_that_decide_are_known() -> None:
    known = {row["signal"] for row in signals._ROWS}
    computed = {"company", "several", "publisher", "figures", "whole"}
    for rule in intents._RULES:
        assert rule.intent in MEANT, rule
        assert {*rule.asks, *rule.without} <= known | computed, rule
    assert UNCLEAR in MEANT


@pytest.mark.parametrize(
    ("question", "figures", "intent", "kind"),
    [
        # one word of several decides
        ("明天会涨还是会跌？", False, "unsupported", "unsupported"),
        ("分析师预计股价会涨到多少？", False, "record", "text"),
        ("为什么下调评级？", False, "reason", "text"),
        ("首次覆盖报告提示了公司哪些风险？", False, "items", "text"),
        ("公司的MSCI ESG评级是什么？", False, "passage", "text"),
        ("2025年中期分红方案", False, "passage", "text"),
        ("白内障的占比怎么掉得最多？", False, "reason", "text"),
        ("三季度研发怎么花得少了那么多？", False, "reason", "text"),
        ("2030年国内一年大概要种多少颗牙？", True, "figure", "number"),
        ("最新目标价是多少？", True, "record", "number"),
        ("哪些研报下调了评级？", False, "list", "global"),
        ("两家公司的毛利率有何差异？", True, "comparison", "number"),
        ("两家公司的战略有何差异？", False, "comparison", "hybrid"),
        ("晶圆厂产能紧张对手机厂商会有什么影响？", False, "influence", "hybrid"),
        ("管理层如何看待价格战？", False, "passage", "text"),
        ("那篇点评落款的是哪两位？", False, "record", "text"),
        ("给的评级是什么，跟上次比变没变？", False, "record", "text"),
        ("跟同行比毛利率怎么样？", True, "comparison", "number"),
        ("概括一下白皮书的核心发现", False, "gist", "text"),
        ("研报印出的收盘价是多少？", True, "figure", "number"),
        ("Should I buy the shares?", False, "unsupported", "unsupported"),
        ("Which house rates it a buy?", False, "record", "text"),
    ],
)
def test_the_first_row_that_fits_decides(
    question: str, figures: bool, intent: str, kind: str
) -> None:
    found = read_intent(question, figures=figures)
    assert (found.name, routed(found, figures=figures)) == (intent, kind)


def test_what_is_not_there_is_left_out_or_refused() -> None:
    off = Capabilities(graph=False)
    assert route(WHOLE, Options(mode="text"), off).steps == (WORDS,)
    searched = (*WORDS, "fact")
    assert route_search(WHOLE, PLAIN, off).steps == (searched,)
    assert route_search(WHOLE, PLAIN, Capabilities()).steps == ((*searched, "lite"),)
    assert route_search(WHOLE, PLAIN, EVERYTHING).steps == ((*searched, "lite", "community"),)
    for options in (Options(lane="graph"), Options(lane="community")):
        with pytest.raises(InvalidQuestion, match="FINRAG_GRAPH"):
            route_search(WHOLE, options, off)
    for mode in set(MODES) - {"auto", "number", "text", "table", "hybrid"}:
        with pytest.raises(InvalidQuestion, match="FINRAG_GRAPH"):
            route(QUESTION, Options(mode=mode), off)
    unbuilt = route(QUESTION, Options(mode="community_local"), Capabilities())
    assert unbuilt.mend == "no weekly build is published: run `finrag rebuild`"


def test_a_lane_alone_answers_and_a_search_has_no_mode() -> None:
    plan = route(QUESTION, Options(lane="vector"), EVERYTHING)
    assert (plan.steps, plan.writer, plan.meant) == ((("vector",),), "extractive", False)
    assert route_search(QUESTION, Options(lane="graph"), EVERYTHING).steps == (("lite",),)
    with pytest.raises(InvalidQuestion, match="a mode is for answers"):
        route_search(QUESTION, Options(mode="lite"), EVERYTHING)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"k": 0}, "1 to 200"),
        ({"k": 201}, "1 to 200"),
        ({"mode": "figures"}, "use one of auto, lite"),
        ({"mode": "lite", "lane": "vector"}, "give one of them"),
        ({"level": 0}, "community_global"),
        ({"level": -1, "mode": "community_global"}, "0 the coarsest"),
        ({"hops": 2}, "community_local"),
        ({"hops": 4, "mode": "community_local"}, "1 to 3"),
    ],
)
def test_impossible_options_are_refused_when_they_are_made(given: Any, says: str) -> None:
    with pytest.raises(InvalidQuestion, match=says):
        Options(**given)


def test_every_row_of_the_signals_is_a_pattern_of_a_known_signal() -> None:
    rows = list(signals._ROWS)
    words = {row["signal"] for row in rows}
    asked = {each for rule in intents._RULES for each in (*rule.asks, *rule.without)}
    assert words - asked <= {
        *("figure", "terse", "chain", "whole", "sectors", "general", "latest", "compared"),
        "reason",
        *(f"form_{form}" for form in ("annual", "half", "quarter", "current", "company")),
        *(
            "form_industry",
            "whether",
            "one_of",
            "some_of",
            "library",
            "headed",
            "event",
            "asks_what",
            "aside",
            "largest",
        ),
    }
    assert {row["language"] for row in rows} == {"zh", "en"}
    for row in rows:
        assert re.compile(row["pattern"]) and row["meaning"], row
    patterns = [(row["signal"], row["pattern"]) for row in rows]
    assert len(patterns) == len(set(patterns))


def test_records_of_companies_go_first_where_they_may_answer() -> None:
    has = Capabilities(accounts=True)
    plan = route("鼎盛科技的母公司是谁？", PLAIN, has)
    assert (plan.writer, plan.route) == ("accounts", "hybrid") and plan.fallback is not None
    assert route("鼎盛科技明天股价会涨吗？", PLAIN, has).writer == "unsupported"
    assert route("鼎盛科技的母公司是谁？", PLAIN, Capabilities()).writer != "accounts"


@pytest.mark.parametrize(
    ("question", "options", "writer"),
    [
        ("格力24年底公司负担费用的退休人员有几个", Options(), "closest"),
        ("毛利率为什么下降？", Options(), "likeliest"),
        ("昨天来了哪些研报", Options(), None),
        ("格力24年底退休人员有几个", Options(mode="text"), None),
        ("格力24年底退休人员有几个", Options(lane="table"), None),
    ],
)
def test_what_is_refused_is_gone_about_by_what_most_surely_answers(
    question: str, options: Options, writer: str | None
) -> None:
    plan = route_closest(question, options, Capabilities())
    assert (plan.writer if plan else None) == writer
