"""Names in questions: short forms, capitals, codes, longest first, ambiguous ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.query.question.names import NameIndex
from finrag_pipeline.query.question.spellings import company_spellings, publisher_spellings
from finrag_pipeline.stages.identity.company_keys import company_key
from finrag_pipeline_tests.query.question.filings import catalogue, filing

NAMES = (
    "4G COMPANY",
    "Zyntrex Resorts International",
    "THE ALDER & BIRCH COMPANY",
    "Amber & Cove, Inc.",
    "GALAXY MICRO DEVICES, INC.",
    "General Kiteworks, Inc.",
    "General Lanterns Corp",
    "Harbour, Inc.",
    "QRSTarmac Chase & Co.",
    "Wick-Ford Stores, Inc.",
    "西安星河电器股份有限公司",
    "远山银行",
    "云岭智能工业制造股份有限公司",
    "岚州市城市建设投资集团有限公司",
    "岚桥产业升级混合型证券投资基金",
    "栢匯冷鏈物流集團有限公司",
)
INDEX = NameIndex({company_key(name, None): company_spellings(name) for name in NAMES})


def named(question: str) -> list[str]:
    return [each.text for each in INDEX.find(question)]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What is the FY2018 capital expenditure for 4G?", ["4G"]),
        ("What was Zyntrex's interest coverage?", ["Zyntrex"]),
        ("ZYNTREX RESORTS' coverage against Harbour?", ["ZYNTREX RESORTS", "Harbour"]),
        ("Did A&C grow? Did AnC? And Amber and Cove?", ["A&C", "AnC", "Amber"]),
        ("Alder & Birch net sales", ["Alder & Birch"]),
        ("Which segment drove GMD's growth?", ["GMD"]),
        ("General Kiteworks and General Lanterns", ["General Kiteworks", "General Lanterns"]),
        ("General and administrative expenses in the harbour business", []),
        ("how did harbour do in 2019", ["harbour"]),
        ("how did harbour do in 3Q25 by R&D", ["harbour"]),
        ("zyntrex 3Q25 SBC booked in R&D", ["zyntrex"]),
        ("How does QRST compare?", ["QRST"]),
        ("岚州城投2024年的回款率", ["岚州城投"]),
        ("岚桥产业升级混合A近一年净值", ["岚桥产业升级混合"]),
        ("柏汇冷链的利用率", ["柏汇冷链"]),
        ("Wickford's stores", ["Wickford"]),
        ("西安星河电器股份有限公司的毛利率", ["西安星河电器股份有限公司"]),
        ("星河电器2024年毛利率与远山银行", ["星河电器", "远山银行"]),
        ("云岭智能的产能", ["云岭智能"]),
        ("星河的产能与星河证券的评级", ["星河"]),
        ("储能行业格局", []),
    ],
)
def test_names_are_found_as_questions_write_them(question: str, found: list[str]) -> None:
    assert named(question) == found


def test_a_start_of_a_name_means_every_company_that_it_may() -> None:
    index = NameIndex(
        {name: company_spellings(name) for name in ("Orchid Systems Inc", "Orchid Inc.")}
    )
    (found,) = index.find("What was Orchid's margin?")
    assert (set(found.keys), found.sure) == ({"Orchid Systems Inc", "Orchid Inc."}, 1.0)
    whole = "云岭石油", "云岭石油化工股份有限公司"
    chinese = NameIndex({name: company_spellings(name) for name in whole})
    assert [each.keys for each in chinese.find("云岭石油的产量")] == [("云岭石油",)]


def test_codes_name_whoever_bears_them() -> None:
    held = catalogue(
        filing("a", "星河电器", code="300999.SZ"), filing("b", "远山银行", code="00981.HK")
    ).companies
    for question in ("300999的毛利率", "300999.SZ margin", "毛利率（300999.sz）"):
        assert [each.keys for each in held.find(question)] == [("300999.SZ",)], question
    assert [each.keys for each in held.find("00981.HK的净息差")] == [("00981.HK",)]
    assert [each.keys for each in held.find("981.HK的净息差")] == [("00981.HK",)]
    assert held.find("1300999 shares") == ()


def test_a_house_is_named_in_full_or_where_it_speaks() -> None:
    index = NameIndex({"中国远山证券": publisher_spellings("中国远山证券")})
    for question in ("中国远山证券的评级", "远山证券怎么看", "远山认为毛利率会升吗"):
        assert [each.keys for each in index.find(question)] == [("中国远山证券",)], question
    assert index.find("远山的产量") == ()


def test_what_the_graph_knows_and_the_file_says_names_a_company_too() -> None:
    held = catalogue(
        filing("a", "星河电器", code="300999.SZ"),
        filing("b", None, source="ZYNTREX_2018_10K.pdf"),
        known={"300999.SZ": ("Galaxy Appliances", "我们", "300999.SZ", "辰光家电")},
    ).companies
    assert [each.text for each in held.find("Galaxy Appliances' and Zyntrex's margin, 我们")] == [
        "Galaxy Appliances",
        "Zyntrex",
    ]
    assert [each.keys for each in held.find("辰光家电的毛利率")] == [("300999.SZ",)]


def test_a_place_may_stand_before_the_short_name() -> None:
    index = NameIndex({"it": company_spellings("内蒙古云岭实业集团股份有限公司")})
    for written in ("内蒙古云岭", "云岭", "内蒙古云岭实业集团"):
        assert [each.text for each in index.find(f"{written}2024年营收")] == [written]


def test_large_companies_are_named_in_both_languages() -> None:
    index = NameIndex({"it": company_spellings("PFIZER INC.")})
    assert [each.text for each in index.find("辉瑞2023年净利润")] == ["辉瑞"]


WORDS = st.lists(
    st.sampled_from(["Orchid", "Bell", "Tarn", "Quill", "Moss"]), min_size=2, unique=True
)


@given(WORDS, st.sampled_from(["Inc.", "Corporation", "plc", "Co., Ltd.", "Holdings Inc"]))
def test_legal_form_case_and_punctuation_do_not_matter(words: list[str], form: str) -> None:
    name = " ".join(words)
    index = NameIndex({"it": company_spellings(f"The {name}, {form}".upper())})
    for written in (name, name.upper(), "-".join(words), "".join(words).capitalize(), f"{name}'s"):
        assert [each.keys for each in index.find(f"What of {written}?")] == [("it",)], written
    assert company_key(f"{name} {form}", None) == company_key(name.upper(), None)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("gree星河电器2024年营收", ["gree", "星河电器"]),
        ("Do analysts agree on revenue?", []),
        ("Gree Works 2024 revenue", ["Gree Works"]),
        ("how many homes were built at home", []),
        ("HOME 2024 revenue", ["HOME"]),
        ("QZT revenue", ["QZT"]),
        ("qzt revenue", []),
        ("qztlb net income vs last year", ["qztlb"]),
        ("qztlb Net income", ["qztlb"]),
    ],
)
def test_knows_what_filings_print_beside_the_name(question: str, found: list[str]) -> None:
    held = catalogue(
        filing(
            "d1", "星河电器", code="600999.SH", other_names=("GREE WORKS,INC.OF XINGHE", "GREE")
        ),
        filing("d2", "远山家居", code="600998.SH", other_names=("HOME",)),
        filing("d3", "云岭股份", code="600997.SH", other_names=("QZT", "QZTLB", "Home")),
    )
    assert [each.text for each in held.companies.find(question)] == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What did Sanjiu earn in 2024?", ["Sanjiu"]),
        ("Did China Resources Huarun Sanjiu grow?", ["Huarun Sanjiu"]),
        ("Which sanjiu remedies sell best?", []),
        ("三九2024年的营收", ["三九"]),
        ("三九商学院的研究怎么说", []),
        ("Sanjiu的营收是多少，比去年同期增长了多少", []),
    ],
)
def test_an_english_question_writes_a_chinese_name_as_it_sounds(
    question: str, found: list[str]
) -> None:
    held = catalogue(filing("d1", "华润三九", code="600999.SH"), filing("d2", "星河电器"))
    assert [each.text for each in held.companies_in(question)] == found
