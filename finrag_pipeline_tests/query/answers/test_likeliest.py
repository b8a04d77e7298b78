"""The sentence that most likely answers a question for text, below the refusal of every writer."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from finrag_pipeline.query.answers.likeliest.asking import asks_whom, further_names
from finrag_pipeline.query.answers.likeliest.drafts import (
    is_told_in_words,
    is_unlikely,
    with_surest,
)
from finrag_pipeline.query.answers.likeliest.sentences import (
    FEW,
    LikelySentence,
    judged,
    likely_sentences,
)
from finrag_pipeline.query.answers.likeliest.writer import Likeliest
from finrag_pipeline.query.answers.passages.candidates import Reading
from finrag_pipeline.query.answers.passages.telling import tell
from finrag_pipeline.query.answers.writers import Draft
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.query.evidence.results import SearchResult
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline_tests.query.conftest import AddDocument

ALLIANCE = (
    "2022年，由东海省医保局牵头、所有省份参与的种植牙联盟集采启动，近60款产品系统参与报价。"
    "市场主流产品均有入选，平均降幅超过一半。"
)
FEES = (
    "公司按合同约定收取费用。FTE模式是指公司根据客户的要求分配技术人员团队，"
    "按照实际参与的人员数量和工作时间确认收入。"
)
OTHERS = "公司主营口腔修复材料，下游为民营口腔连锁。公司重视渠道建设，覆盖二十多个城市。"


@pytest.fixture
def report(add: AddDocument) -> None:
    add(
        "dental",
        [ALLIANCE, FEES, OTHERS],
        published_on=date(2025, 5, 27),
        title="种植牙行业深度",
        kind="report",
        company="星河口腔",
        code="300999.SZ",
    )


@pytest.mark.usefixtures("report")
def test_what_surely_answers_is_told(engine: QueryEngine) -> None:
    draft = Likeliest(engine.tools)(*engine.passages(LED))
    assert draft is not None and not draft.status
    assert draft.text.startswith(ALLIANCE) and "most likely" in draft.way


@pytest.mark.usefixtures("report")
def test_of_few_sentences_the_first_is_less_sure(engine: QueryEngine) -> None:
    _, alliance, other = _sentences(*engine.passages(LED))
    few, many = [alliance, other], [alliance, *[other] * FEW]
    assert judged(few)[0][0] < judged(many)[0][0]


@pytest.mark.usefixtures("report")
def test_a_refusal_quotes_what_may_answer(engine: QueryEngine) -> None:
    answer = engine.ask("星河口腔下游客户付款条件好不好")
    assert answer.status == "insufficient_evidence", answer.answer
    assert "约定收取费用" in answer.answer and answer.evidence


@pytest.mark.usefixtures("report")
def test_what_nothing_is_near_to_is_refused_alone(engine: QueryEngine) -> None:
    answer = engine.ask("星河口腔的审计机构为什么换了")
    assert answer.status == "insufficient_evidence" and not answer.evidence


@pytest.mark.usefixtures("report")
def test_a_sentence_is_told_with_what_stands_around_it(engine: QueryEngine) -> None:
    asked, found = engine.passages("星河口腔种植牙联盟集采是哪个省牵头")
    sentences = likely_sentences(Reading(asked, found.results))
    (alliance,) = [each for each in sentences if each.line.said.told.startswith("2022年")]
    assert alliance.told == ALLIANCE
    others = [each for each in sentences if each is not alliance]
    assert all(alliance.traits["covered"] > each.traits["covered"] for each in others)
    assert alliance.traits["covered lead"] > 0 > others[0].traits["covered lead"]


def _sentences(asked: Asked, found: SearchResult) -> tuple[Reading, LikelySentence, LikelySentence]:
    """What was found as it is read, the sentence on the alliance, and one of another passage."""
    reading = Reading(asked, found.results)
    sentences = likely_sentences(reading)
    (alliance,) = [each for each in sentences if each.line.said.told.startswith("2022年")]
    other = next(each for each in sentences if each.line.item.key != alliance.line.item.key)
    return reading, alliance, other


def told_surely(reading: Reading, draft: Draft) -> Draft | None:
    return with_surest(reading, judged(likely_sentences(reading)), draft)


LED = "星河口腔种植牙联盟集采是由哪个省的医保局牵头的"


@pytest.mark.usefixtures("report")
def test_a_surer_sentence_goes_before_what_a_draft_quotes(engine: QueryEngine) -> None:
    asked, found = engine.passages(LED)
    reading, alliance, other = _sentences(asked, found)
    draft = tell(reading, [other.line], way="a quote")
    surer = told_surely(reading, draft)
    assert surer is not None
    first, second = surer.text.splitlines()
    assert first.startswith(ALLIANCE) and second.startswith(other.line.said.told)
    assert [each.n for each in surer.citations] == [1, 2]
    whole = tell(reading, [alliance.excerpt], way="a quote")
    assert told_surely(reading, whole) is None


@pytest.mark.usefixtures("report")
def test_what_hardly_answers_is_no_draft_where_nothing_does(engine: QueryEngine) -> None:
    reading, alliance, other = _sentences(*engine.passages(LED))
    hardly, surely = [(0.1, other)] * FEW, [(0.9, alliance), *[(0.1, other)] * FEW]
    assert is_unlikely(hardly, tell(reading, [other.line], way="a quote"))
    assert not is_unlikely(surely, tell(reading, [other.line], way="a quote"))
    assert not is_unlikely(hardly, tell(reading, [alliance.line], way="a quote"))


@pytest.mark.usefixtures("report")
def test_another_that_may_answer_stands_behind_the_surest(engine: QueryEngine) -> None:
    reading, alliance, other = _sentences(*engine.passages(LED))
    draft = tell(reading, [alliance.excerpt], way="a quote")
    both = with_surest(reading, [(0.9, alliance), (0.4, other)], draft)
    assert both is not None and both.text.startswith(draft.text.removesuffix("[1]"))
    assert [each.n for each in both.citations] == [1, 2]
    assert with_surest(reading, [(0.9, alliance), (0.2, other)], draft) is None


@pytest.mark.usefixtures("report")
def test_what_quotes_a_part_is_told_with_what_stands_around_it(engine: QueryEngine) -> None:
    asked, found = engine.passages(f"{LED}，降幅和入选情况怎样")
    reading, alliance, other = _sentences(asked, found)
    draft = tell(reading, [alliance.line, other.line], way="a quote")
    wider = told_surely(reading, draft)
    assert wider is not None
    first, second = wider.text.splitlines()
    assert first.startswith(ALLIANCE) and second.startswith(other.line.said.told)
    assert first.endswith("[1]") and second.endswith("[2]")
    reading, _, _ = _sentences(*engine.passages(LED))  # of which nothing is left over
    assert told_surely(reading, draft) is None


@pytest.mark.usefixtures("report")
def test_behind_a_list_stands_the_sentence_that_says_more(engine: QueryEngine) -> None:
    asked, found = engine.passages(LED)
    reading, alliance, _ = _sentences(asked, found)
    quoted = tell(reading, [alliance.line], way="a list")
    short = replace(quoted, text="- 东海省[1]", value={"names": ["东海省"]})
    cited = replace(quoted.citations[0], quote="东海省")
    with_more = told_surely(reading, replace(short, citations=(cited,)))
    assert with_more is not None
    first, second = with_more.text.splitlines()
    assert first == "- 东海省[1]" and second.startswith(ALLIANCE) and second.endswith("[2]")
    whole = replace(short, citations=(cited,), value={"names": [alliance.told]})
    assert told_surely(reading, whole) is None


@pytest.mark.usefixtures("report")
def test_what_tells_a_value_or_refuses_is_no_draft_in_words(engine: QueryEngine) -> None:
    asked, found = engine.passages(LED)
    reading = Reading(asked, found.results)
    draft = tell(reading, [likely_sentences(reading)[0].line], way="a quote")
    assert is_told_in_words(draft)
    assert is_told_in_words(replace(draft, value={"names": ["东海省"]}))
    assert is_told_in_words(replace(draft, value={"boolean": True}))
    assert not is_told_in_words(replace(draft, value={"number": 3}))
    assert not is_told_in_words(replace(draft, status="insufficient_evidence"))


def test_who_is_asked_for_by_a_part_in_a_deal() -> None:
    assert asks_whom("这笔股权的受让方") and asks_whom("Who bought the unit?")
    assert not asks_whom("毛利率为什么下降") and not asks_whom("产能何时投产")
    assert further_names("星河口腔把子公司卖给谁", "星河口腔与云岭资本签约") == 1
    assert further_names("星河口腔把子公司卖给谁", "星河口腔已签约出售") == 0
