"""Answers judged in pairs by a real server that plays the judge: fair, partial, and of no use."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.answering.judging import CRITERIA, Pair, judge, measure
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.models.servers import Answer, ModelHost, said
from finrag_pipeline_tests.models.sessions import Kept, session_of
from finrag_pipeline_tests.query.conftest import AddDocument, add

__all__ = ["add"]

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


def test_answers_of_a_mode_are_judged_against_those_of_none(
    host: ModelHost, settings: Settings, add: AddDocument, tmp_path: Path
) -> None:
    add("a1", ["薄膜业务毛利率下降至31.5%，主要因原材料涨价。"], source="a.pdf")
    fair = verdicts(lambda one, two: "even" if one == two else "first")

    def play(body: Any) -> Answer:
        judging = "<first>" in body["messages"][1]["content"]
        return fair(body) if judging else said("nothing of use")

    host.answer = play
    questions = tmp_path / "questions.jsonl"
    questions.write_text('{"question": "薄膜业务毛利率为什么下降？"}\n')
    served = settings.model_copy(update={"chat_base_url": host.url, "chat_model": "judge"})
    told: list[tuple[str, int, int]] = []
    report = measure([questions], served, "text", lambda *each: told.append(each))
    assert [row[0] for row in report.rows] == list(CRITERIA) and not report.misses
    assert report.rows[0][-1] == "1" and told == [("questions.jsonl", 1, 1)]
    with pytest.raises(ConfigurationError, match="set FINRAG_CHAT_MODEL"):
        measure([questions], settings, "text", lambda *_: None)
    questions.write_text('{"question": "？"}\n{"id": 1}\n')
    with pytest.raises(ConfigurationError, match="line 2 has no question"):
        measure([questions], served, "text", lambda *_: None)
