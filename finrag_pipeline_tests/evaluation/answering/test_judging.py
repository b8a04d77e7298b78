"""Answers judged in pairs by a real server that plays the judge: fair, partial, and of no use."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.evaluation.answering.judging import CRITERIA, Pair, judge
from finrag_pipeline_tests.models.servers import Answer, ModelHost, said
from finrag_pipeline_tests.models.sessions import Kept, session_of

PAIR = Pair("有哪些风险？", "风险是关税上调和原材料涨价。", "风险。")


def verdicts(better: Callable[[str, str], str]) -> Callable[[Any], Answer]:
    """A judge who sees both answers as they are shown."""

    def play(body: Any) -> Answer:
        shown = re.findall(r"<(?:first|second)>\n(.*?)\n</", body["messages"][1]["content"])
        side = better(*shown)
        told = [{"criterion": name, "reason": "…", "better": side} for name in CRITERIA]
        return said(json.dumps({"verdicts": told}))

    return play


@pytest.fixture
def host() -> Iterator[ModelHost]:
    with HTTPServer(threaded=True) as server:
        yield ModelHost(server, "/chat/completions", verdicts(lambda *_: "first"))


def test_the_better_answer_wins_whichever_is_shown_first(host: ModelHost) -> None:
    host.answer = verdicts(lambda one, two: "first" if len(one) > len(two) else "second")
    judged = judge(session_of(host, Kept()), [PAIR, PAIR.exchanged])
    for name in CRITERIA:
        assert (judged.counts[name, "first"], judged.counts[name, "second"]) == (1, 1)


def test_who_always_prefers_the_first_finds_them_even(host: ModelHost) -> None:
    judged = judge(session_of(host, Kept()), [PAIR])
    assert {side for _, side in judged.counts} == {"even"}
    row = judged.report().rows[0]
    assert row[0] == "comprehensiveness" and row[-1] == "1"


def test_a_judge_who_leaves_criteria_out_is_told_and_not_counted(host: ModelHost) -> None:
    host.answer = lambda _: said('{"verdicts": []}')
    judged = judge(session_of(host, Kept()), [PAIR])
    assert not judged.counts and "judge each of" in judged.failed[0]
    assert judged.report().misses == tuple(judged.failed)
