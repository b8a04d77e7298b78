"""What is added to chunks: meta and context within bounds, summaries of the text, value classes."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.models.word_weights import WordWeights
from finrag_pipeline.records import Chunk, Metadata, Place
from finrag_pipeline.stages.chunking.enrichment.context import META_MAX, META_MIN, describe, place
from finrag_pipeline.stages.chunking.enrichment.enriching import enrich
from finrag_pipeline.stages.chunking.enrichment.minhash import SIZE, containment, overlap, signature
from finrag_pipeline.stages.chunking.enrichment.periods import period_of
from finrag_pipeline.stages.chunking.enrichment.summary import MAX_TOKENS, MIN_TOKENS, summarize
from finrag_pipeline.stages.chunking.enrichment.value import classify
from finrag_pipeline.stages.chunking.segmentation_units import count_tokens

DAY = date(2025, 4, 18)
REPORT = Metadata(
    title="毛利率回升，订单饱满",
    kind="company",
    company_name="星河新材",
    broker="远山证券",
    published_on=DAY,
)
WEIGHT = WordWeights.packaged().weight
CAUSE = (
    "薄膜业务毛利率提升3.1个百分点至31.5%，主要受益于原料价格回落与高端产品占比提高"
    "（去年同期为28.4%，当时高端产品尚未放量）。"
)
PLACES = (Place(1, (0.0, 0.0, 1.0, 1.0)),)


@pytest.mark.parametrize(
    ("title", "period"),
    [
        ("星河新材料股份有限公司2024 年年度报告摘要", "2024年报"),
        ("2025年半年报点评：订单饱满", "2025半年报"),
        ("2025 年前三季度营收同比增长32%", "2025三季报"),
        ("星河新材2023 年第一季度报告", "2023一季报"),
        ("2025H1业绩延续高增", "2025H1"),
        ("1Q25业绩好于预期", "2025Q1"),
        ("Galaxy Inc. Form 10-K for the fiscal year ended January 28, 2017", "FY2017"),
        (
            "Galaxy Inc. Form 10-Q for the quarterly period ended June 30, 2022",
            "quarter to 2022-06",
        ),
        ("Annual report 2023", "FY2023"),
        ("展望2026年：需求回暖", "2025-04"),  # a year that a report looks forward to
        ("1Q 突发生产问题，2Q 业绩有望筑底", "2025-04"),
        (None, "2025-04"),
    ],
)
def test_a_period_is_what_the_title_names_else_the_month(title: str | None, period: str) -> None:
    assert period_of(title, DAY) == period


def test_meta_is_filled_up_with_what_the_document_has() -> None:
    assert describe(REPORT, ("投资要点",)) == "星河新材 2025-04 | 投资要点 | 远山证券"
    assert describe(REPORT, ("二、经营分析", "业绩")) == "星河新材 2025-04 | 二、经营分析 | 业绩"
    assert describe(Metadata(company_name="星河新材"), ()) == "星河新材"
    filing = Metadata(title="星河新材2024年年度报告", kind="filing", company_name="星河新材")
    assert describe(filing, ("管理层讨论与分析",)) == "星河新材 2024年报 | 管理层讨论与分析"
    english = Metadata(
        title="Form 10-K", language="en", company_name="Galaxy Materials Holdings Inc."
    )
    assert describe(english, ("Item 7. Management's Discussion",)).startswith("Galaxy Materials |")


NAME = st.text(alphabet="星河新材AB 年报：（）", max_size=60)


@given(NAME, NAME, NAME, st.lists(NAME, max_size=4), st.sampled_from(["zh", "en"]))
def test_meta_keeps_its_bounds_and_context_its_line(
    company: str, title: str, broker: str, section: list[str], language: str
) -> None:
    metadata = Metadata(
        title=title, company_name=company, broker=broker, published_on=DAY, language=language
    )
    meta = describe(metadata, section)
    assert len(meta) <= META_MAX and "\n" not in meta
    has = " ".join([company, title, broker, *section]).split()
    if len("".join(dict.fromkeys(has))) > 3 * META_MAX:
        assert len(meta) >= META_MIN / 2
    assert "\n" not in place(metadata, section, 1, 3)


def test_context_places_a_chunk_in_the_language_of_its_document() -> None:
    assert place(REPORT, ("一、业绩", "薄膜"), 8, 9) == (
        "本段出自远山证券关于星河新材的公司研究《毛利率回升，订单饱满》（2025-04）结尾的"
        "“一、业绩 / 薄膜”一节。"
    )
    filing = Metadata(
        title="Galaxy Inc. Form 10-K for the fiscal year ended March 31, 2021",
        kind="filing",
        language="en",
        company_name="Galaxy Inc.",
    )
    assert place(filing, ("Item 7.",), 0, 9) == (
        "From the beginning of the filing “Galaxy Inc. Form 10-K for the fiscal year ended "
        "March 31” (FY2021), section “Item 7.”."
    )
    assert place(Metadata(), (), 0, 1) == "本段出自本文开头。"


def test_a_summary_is_the_sentence_that_gives_the_reason() -> None:
    held = "公司召开年度股东大会，审议通过各项议案。"
    content = f"一、业绩\n{held}\n{CAUSE}\n会议由董事长主持，董事及监事出席。"
    said = summarize(content, ("一、业绩",), WEIGHT)
    assert said.startswith("薄膜业务毛利率提升3.1个百分点至31.5%，主要受益于")
    assert "股东大会" not in said and "一、业绩" not in said


def test_a_single_sentence_is_shortened_and_its_figures_stay_whole() -> None:
    said = summarize(CAUSE, (), WEIGHT)
    assert said == CAUSE[: CAUSE.index("（")] + "。"
    figures = "截至年末总股本为1,234,567,890股，回购专户持有12,345,678股，" * 6
    assert set(summarize(figures, (), WEIGHT).replace("，", " ").split()) <= set(
        figures.replace("，", " ").split()
    )


sentence = st.text(alphabet="毛利率提升因为原料降价AB12,.（）、 ", min_size=1, max_size=120)


@given(st.lists(sentence, min_size=1, max_size=8))
def test_every_chunk_has_a_summary_of_its_own_words(sentences: list[str]) -> None:
    content = "\n".join(text for each in sentences if (text := each.strip())) or "甲"
    said = summarize(content, (), WEIGHT)
    assert said and "\n" not in said
    kept = [character for character in "".join(said.split()) if character != "…"]
    assert set(kept) <= set(content)
    limit = max(MIN_TOKENS, min(MAX_TOKENS, 3 * count_tokens(content) // 4))
    assert count_tokens(said) <= limit


@pytest.mark.parametrize(
    ("content", "value"),
    [
        ("毛利率下降2个百分点，主要因原材料涨价。", "argument"),
        ("我们认为公司份额有望提升。", "argument"),
        ("Margins fell 120 bps because input prices rose.", "argument"),
        ("We expect revenue growth to accelerate next year.", "argument"),
        ("公司总部位于云州，主营光学薄膜的研发与生产。", "plain"),
        ("The company was founded in 1998 and makes films.", "plain"),
        ("2023 2024 2025E\n营收 12.5 13.8 15.1\n净利润 1.2 1.4 1.6", "figures"),
        ("Revenue 12.5 13.8 15.1 (3%) 4% 5%", "figures"),
        (
            "公司董事会及全体董事保证本报告内容不存在虚假记载、误导性陈述或重大遗漏。\n"
            "前瞻性陈述不构成对投资者的实质承诺。",
            "template",
        ),
        ("其他说明\n□适用 √不适用", "template"),
        ("This report does not constitute an offer to sell securities.", "template"),
        ("Forward-looking statements involve risks, and we expect results to differ.", "template"),
        # a set phrase beside a reason: the reason counts
        (f"□适用 √不适用\n{CAUSE}", "argument"),
        ("。", "plain"),
    ],
)
def test_value_classes(content: str, value: str) -> None:
    assert classify(content) == value


def test_a_signature_tells_how_much_two_passages_share() -> None:
    parts = [f"第{n}条产线于{n + 3}月投产，" * 1 + chr(0x4E00 + 37 * n) * 12 for n in range(20)]
    whole, half, other = "".join(parts), "".join(parts[:10]), CAUSE
    assert len(signature(whole)) == SIZE
    assert all(0 <= value < 2**31 for value in signature(whole))
    assert signature("") == () == signature("。，")
    assert (overlap(half, whole), overlap(other, whole)) == (pytest.approx(1.0, abs=0.02), 0.0)
    texts = (half, whole, other, half)
    signatures = np.array([signature(text) for text in texts], dtype=np.int32)
    found = containment(signatures, np.array([count_tokens(text) for text in texts]))
    assert found[0] == pytest.approx([1.0, 1.0, 0.0, 1.0], abs=0.2)
    assert (found == found.T).all()


def test_signatures_never_change() -> None:
    """They are stored: another value would part old rows from new ones."""
    assert signature("毛利率提升，收入增长。")[:3] == (394034822, 305891, 677515466)


def test_enriching_fills_every_field_and_leaves_the_rest() -> None:
    chunks = tuple(
        Chunk(n, text, PLACES, ("业绩",), count_tokens(text), parent_page=1)
        for n, text in enumerate((CAUSE, "。", "Margins fell because prices rose."))
    )
    made = enrich(chunks, REPORT, WEIGHT)
    bare = tuple(
        replace(c, meta="", context="", summary="", value="plain", signature=()) for c in made
    )
    assert bare == chunks
    assert all(c.meta and c.context and c.summary for c in made)
    assert [bool(c.signature) for c in made] == [True, False, True]
    assert enrich(chunks, REPORT, WEIGHT) == made
