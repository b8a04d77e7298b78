"""The chat extractor's prompt and what is kept of a reply: only what the chunk prints."""

from __future__ import annotations

import json
import re
from datetime import date
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.records import Chunk, Metadata, Place
from finrag_pipeline.records.graph import ChunkExtraction
from finrag_pipeline.stages.extraction.prompt import (
    REPLY_TOKENS,
    again,
    instruction,
    message,
    nothing_found,
    prompt_fingerprint,
    says_something,
)
from finrag_pipeline.stages.extraction.prompt_reading import read_extraction
from finrag_pipeline.stages.extraction.prompt_reply import ExtractionReply
from finrag_pipeline.stages.extraction.prompt_spans import PrintedText
from finrag_pipeline.stages.extraction.vocabulary import RELATIONS

ZH = Metadata(
    title="衡宇电气2025年年报点评",
    company_name="衡宇电气股份有限公司",
    company_code="301999.SZ",
    broker="沧澜证券",
    published_on=date(2026, 3, 9),
)
EN = Metadata(title="Alder Foods", language="en", company_name="Alder Foods plc")
TEXT = (
    "衡宇电气向远山汽车供应电机，得益于储能需求回暖，2025年营业收入46.3亿元。"
    "如果原材料涨价，可能影响公司毛利率。衡宇电气的子公司启岭软件由王沐川任总经理。"
)


def chunk(content: str, *section: str) -> Chunk:
    return Chunk(3, content, (Place(1, (0, 0, 1, 1)),), section)


def read(content: str, metadata: Metadata = ZH, **reply: Any) -> ChunkExtraction:
    whole = ExtractionReply.model_validate({"entities": []} | reply)
    return read_extraction(whole, chunk(content), metadata).extraction


def dropped(content: str, **reply: Any) -> dict[str, int]:
    whole = ExtractionReply.model_validate({"entities": []} | reply)
    return dict(read_extraction(whole, chunk(content), ZH).dropped)


def company(text: str, **more: Any) -> dict[str, Any]:
    return {"text": text, "type": "company", "confidence": "high"} | more


PAIR = [company("衡宇电气"), company("远山汽车")]
SUPPLY = {
    "head": "衡宇电气",
    "relation": "供应",
    "tail": "远山汽车",
    "evidence": "衡宇电气向远山汽车供应电机",
}


def test_the_prompt_is_in_the_language_of_the_document() -> None:
    zh, en = instruction("zh", "full"), instruction("en", "full")
    assert re.search("[\u4e00-\u9fff]", zh) and not re.search("[\u4e00-\u9fff]", en)
    assert "benefits_from 受益于" in zh and "benefits_from" in en
    said = message(ZH, chunk("正文", "一、经营", "1. 收入"))
    assert said.startswith("<文档>\n标题: 衡宇电气2025年年报点评\n")
    assert "<章节>一、经营 / 1. 收入</章节>\n<原文>\n正文\n</原文>" in said
    assert "<passage>\nBody\n</passage>" in message(EN, chunk("Body"))
    for language in ("zh", "en", "fr"):
        assert "{problem}" in again(language) and nothing_found(language)


def test_lite_asks_for_a_few_certain_things() -> None:
    lite = instruction("zh", "lite")
    assert "一到三个" in lite and "refers_to 引用" in lite and "benefits_from" not in lite
    assert REPLY_TOKENS["lite"] < REPLY_TOKENS["full"]
    assert prompt_fingerprint("lite") != prompt_fingerprint("full")


def test_nothing_that_a_model_wrote_is_in_the_prompt() -> None:
    written = Chunk(0, "正文", (Place(1, (0, 0, 1, 1)),), context="模型写的上下文", summary="摘要")
    assert message(ZH, written) == message(ZH, chunk("正文"))


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("profile", ["lite", "full"])
def test_a_model_that_repeats_the_prompt_gives_an_empty_graph(language: str, profile: Any) -> None:
    metadata = ZH if language == "zh" else EN
    empty = chunk("目 录" if language == "zh" else "3")
    prompt = instruction(language, profile) + message(metadata, empty)
    words = re.findall(r"[\u4e00-\u9fffA-Za-z_]{2,}", prompt)
    assert len(words) > 50
    parroted = {
        "entities": [{"text": word, "type": "concept"} for word in words],
        "relations": [
            {"head": one, "relation": name, "tail": other, "evidence": f"{one}{other}"}
            for name in RELATIONS
            for one, other in pairwise(words)
        ],
        "claims": [{"subject": word, "evidence": word, "value": "1"} for word in words],
    }
    reply = ExtractionReply.model_validate(parroted)
    assert read_extraction(reply, empty, metadata).extraction == ChunkExtraction(3)


def test_mentions_stand_where_the_chunk_prints_them() -> None:
    found = read(TEXT, entities=[company("远山汽车"), company("衡宇电气", code="301999.SZ")])
    assert [(m.text, m.start) for m in found.mentions] == [
        ("衡宇电气", 0),
        ("远山汽车", 5),
        ("衡宇电气", TEXT.rindex("衡宇电气")),
    ]
    assert all(TEXT[m.start : m.end] == m.text == m.name for m in found.mentions)
    assert found.mentions[0].code is None  # it is not printed here


def test_spaces_and_the_width_of_letters_do_not_count() -> None:
    (mention,) = read("由 Ａｌｄｅｒ  Foods 生产", entities=[company("Alder Foods")]).mentions
    assert mention.text == "Ａｌｄｅｒ  Foods"


def test_a_word_inside_a_word_is_no_mention() -> None:
    found = read("Alderman met Alder.", EN, entities=[company("Alder")])
    assert [m.start for m in found.mentions] == [13]


def test_names_that_are_not_printed_never_enter() -> None:
    entities = [company("苍梧药业"), company("衡宇电气", aliases=["衡宇", "HYDQ"])]
    (mention,) = read("衡宇电气（简称衡宇）", entities=entities).mentions
    assert mention.text == "衡宇电气" and mention.aliases == ("衡宇",)
    assert dropped("衡宇电气", entities=entities) == {"entities": 1}


def test_a_word_that_stands_for_a_company_needs_its_name() -> None:
    text = "公司营收增长。子公司亏损。"
    named = company("公司", name="衡宇电气股份有限公司")
    (mention,) = read(text, entities=[named]).mentions
    assert (mention.start, mention.text, mention.name) == (0, "公司", "衡宇电气股份有限公司")
    assert read(text, entities=[company("公司")]).mentions == ()
    assert read(text, entities=[company("公司", name="苍梧药业")]).mentions == ()


def test_a_person_and_a_business_belong_to_a_printed_company() -> None:
    person = {"text": "王沐川", "type": "person", "company": "启岭软件"}
    assert read(TEXT, entities=[person]).mentions[0].company == "启岭软件"
    assert read(TEXT, entities=[person | {"company": "苍梧药业"}]).mentions[0].company is None
    business = {"text": "远山汽车金融业务", "type": "product", "company": "远山汽车"}
    found = read("远山汽车金融业务", entities=[business, company("远山汽车")])
    assert [m.text for m in found.mentions] == ["远山汽车", "远山汽车金融业务"]


def test_a_relation_points_at_the_mentions_of_its_evidence() -> None:
    found = read(TEXT, entities=PAIR, relations=[SUPPLY])
    (relation,) = found.relations
    assert relation.relation == "supplies" and relation.modality == "asserted"
    assert [found.mentions[at].text for at in (relation.head, relation.tail)] == [
        "衡宇电气",
        "远山汽车",
    ]
    assert TEXT[relation.start : relation.end] == "衡宇电气向远山汽车供应电机"
    assert relation.head == 0  # not the one of the last sentence


def test_a_passive_relation_is_turned_round() -> None:
    text = "启岭软件被衡宇电气收购"
    entities = [company("启岭软件"), company("衡宇电气")]
    said = {"head": "启岭软件", "relation": "被收购", "tail": "衡宇电气", "evidence": text}
    found = read(text, entities=entities, relations=[said])
    (relation,) = found.relations
    assert relation.relation == "acquires"
    assert found.mentions[relation.head].text == "衡宇电气"


@pytest.mark.parametrize("word", ["受益于", "得益于", "benefits_from"])
def test_two_words_for_one_relation_are_one(word: str) -> None:
    entities = [company("衡宇电气"), {"text": "储能需求", "type": "concept"}]
    said = {
        "head": "衡宇电气",
        "relation": word,
        "tail": "储能需求",
        "evidence": "衡宇电气向远山汽车供应电机，得益于储能需求回暖",
    }
    (relation,) = read(TEXT, entities=entities, relations=[said]).relations
    assert relation.relation == "benefits_from"


@pytest.mark.parametrize(
    "change",
    [
        {"relation": "吃"},
        {"relation": "co_occurs"},
        {"tail": "苍梧药业"},
        {"tail": "衡宇电气"},
        {"evidence": "衡宇电气向远山汽车供应整车"},
        {"evidence": "如果原材料涨价"},
    ],
)
def test_a_relation_without_ground_is_dropped(change: dict[str, str]) -> None:
    assert dropped(TEXT, entities=PAIR, relations=[SUPPLY | change]) == {"relations": 1}


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("如果宏观环境恶化，可能影响衡宇电气对远山汽车的供应", "conditional"),
        ("宏观环境可能恶化，衡宇电气对远山汽车的供应", "forecast"),
        ("若远山汽车下单，衡宇电气将供应电机", "conditional"),
        ("预计衡宇电气明年起向远山汽车供应", "forecast"),
        ("衡宇电气向远山汽车供应若干电机", "asserted"),
    ],
)
def test_what_is_not_asserted_is_not_whatever_a_model_says(text: str, modality: str) -> None:
    said = SUPPLY | {"evidence": text, "modality": "asserted"}
    (relation,) = read(text, entities=PAIR, relations=[said]).relations
    assert relation.modality == modality


def test_a_condition_before_the_evidence_holds_for_it() -> None:
    text = "原料充足。如果海运恢复，衡宇电气向远山汽车供应电机"
    said = SUPPLY | {"modality": "asserted"}
    (relation,) = read(text, entities=PAIR, relations=[said]).relations
    assert relation.modality == "conditional"
    (relation,) = read(text.replace("，", "。"), entities=PAIR, relations=[said]).relations
    assert relation.modality == "asserted"


def test_what_a_model_doubts_stays_in_doubt() -> None:
    said = SUPPLY | {"modality": "negated", "time": "2025年"}
    (relation,) = read(TEXT, entities=PAIR, relations=[said]).relations
    assert relation.modality == "negated"
    assert relation.period is not None and relation.period.text == "2025年"
    assert (relation.period.first_on, relation.period.last_on) == (
        date(2025, 1, 1),
        date(2025, 12, 31),
    )
    (undated,) = read(TEXT, entities=PAIR, relations=[said | {"time": "2031年"}]).relations
    assert undated.period is None


def test_a_figure_stays_with_its_subject_and_its_words() -> None:
    said = {
        "subject": "衡宇电气",
        "kind": "figure",
        "metric": "营业收入",
        "value": "46.3",
        "unit": "亿元",
        "time": "2025年",
        "evidence": "2025年营业收入46.3亿元",
    }
    found = read(TEXT, entities=PAIR, claims=[said])
    (claim,) = found.claims
    assert found.mentions[claim.subject].text == "衡宇电气" and claim.subject == 0
    assert (claim.metric, claim.value, claim.unit) == ("营业收入", "46.3", "亿元")
    for change in ({"value": "46.8"}, {"value": "6.3"}, {"evidence": "2025年营收"}):
        assert dropped(TEXT, entities=PAIR, claims=[said | change]) == {"claims": 1}


def test_spellings_of_models_are_understood() -> None:
    reply = {
        "entities": [
            {"text": "a", "type": "Organization", "aliases": None, "code": None},
            {"text": "b", "type": "公司", "confidence": "高"},
        ],
        "relations": None,
    }
    whole = ExtractionReply.model_validate_json(json.dumps(reply))
    assert [(e.type, e.confidence) for e in whole.entities] == [
        ("organisation", "medium"),
        ("company", "high"),
    ]
    with pytest.raises(ValueError, match="entities"):
        ExtractionReply.model_validate({})
    with pytest.raises(ValueError, match="type"):
        ExtractionReply.model_validate({"entities": [{"text": "a", "type": "star"}]})


def test_what_no_store_takes_is_left_out() -> None:
    entities = [company("衡宇电气", description="电机\0厂\ud800商")]
    assert read(TEXT, entities=entities).mentions[0].description == "电机厂商"


def test_what_says_something_must_name_something() -> None:
    assert says_something(TEXT)
    assert says_something(
        "Alder Foods raised its dividend after strong hog prices lifted margins in every region."
    )
    assert not says_something("目录") and not says_something("1.2 3.4 5.6 " * 20)


@given(st.text(max_size=60), st.text(max_size=8))
def test_every_place_of_a_text_prints_it(content: str, wanted: str) -> None:
    printed = PrintedText(content)
    spans = list(printed.occurrences(wanted))
    assert all(0 <= a.start < a.end <= len(content) for a in spans)
    assert all(a.end <= b.start or a.start <= b.start for a, b in pairwise(spans))
