"""Companies of the registry that no document is about: found in questions, told from words."""

from __future__ import annotations

from collections.abc import Container

import pytest

from finrag_pipeline.query.question.names import Named
from finrag_pipeline.query.question.registered import Registered
from finrag_pipeline.stages.identity.registry import read_registry

REGISTRY = read_registry(
    "code,full_names,short_names,english_names,nicknames\n"
    "600887.SH,内蒙古伊利实业集团股份有限公司,伊利股份,Yili,\n"
    "600276.SH,江苏恒瑞医药股份有限公司,恒瑞医药,,\n"
    "300024.SZ,沈阳新松机器人自动化股份有限公司,机器人,,\n"
    "600506.SH,统一低碳科技（新疆）股份有限公司,统一,,\n"
    "600382.SH,广东明珠集团股份有限公司,标准股份,,\n"
    "600657.SH,信达地产股份有限公司,信达地产,,\n"
    "000100.SZ,TCL科技集团股份有限公司,TCL科技,,\n"
    "600519.SH,贵州茅台酒股份有限公司,贵州茅台,,茅子\n"
)


def strangers(
    question: str, known: tuple[Named, ...] = (), codes: Container[str] = ()
) -> list[tuple[str, str]]:
    found = Registered(REGISTRY.companies).strangers(question, known, codes)
    return [(each.text, each.keys[0]) for each in found]


@pytest.mark.parametrize(
    ("question", "text", "code"),
    [
        ("伊利现在有多少生产基地？", "伊利", "600887.SH"),
        ("伊利股份现在有多少生产基地？", "伊利股份", "600887.SH"),
        ("内蒙古伊利实业集团股份有限公司的渠道", "内蒙古伊利实业集团股份有限公司", "600887.SH"),
        ("请说说，恒瑞赴港上市募了多少钱", "恒瑞", "600276.SH"),
        ("600276的产能", "600276", "600276.SH"),
        ("贵州茅台的毛利率为什么下降", "贵州茅台", "600519.SH"),
        ("tcl科技的面板价格", "tcl科技", "000100.SZ"),
    ],
)
def test_company_is_named(question: str, text: str, code: str) -> None:
    assert strangers(question) == [(text, code)]


@pytest.mark.parametrize(
    "question",
    [
        "哪几家券商首次覆盖了机器人企业",
        "人造镜片统一招标后降到多少钱",
        "信达给的评级是什么",  # the house of that name
        "Which sectors gained?",
    ],
)
def test_words_are_no_company(question: str) -> None:
    assert strangers(question) == []


def test_whom_documents_are_about_is_no_stranger() -> None:
    question = "伊利股份和恒瑞医药谁的毛利率高？"
    assert strangers(question, codes={"600276.SH"}) == [("伊利股份", "600887.SH")]
    known = (Named(("x",), "伊利股份", 0, 4, 1.0),)
    assert strangers(question, known) == [("恒瑞医药", "600276.SH")]


def test_nothing_is_registered() -> None:
    assert Registered().strangers("伊利股份的渠道", (), ()) == ()


def test_strangers_are_looked_for_however_they_are_written() -> None:
    registered = Registered(REGISTRY.companies)
    named = registered.strangers("伊利股份的产能", (), ())
    texts = ("客户有伊利、光明", "伊利股份是客户", "恒瑞医药是客户")
    assert [bool(registered.naming(named).find(text)) for text in texts] == [True, True, False]
