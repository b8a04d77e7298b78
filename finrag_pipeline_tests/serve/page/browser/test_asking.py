"""Questions asked in a browser: answers, links to them, chips, days, marks."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from finrag_pipeline_tests.serve.page.browser.asking import ask

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

GROWTH = "星河新材2024年营收比2023年增长多少？"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (GROWTH, "20.00%"),
        ("栖岭证券为什么不推荐锂衡资源？", "碳酸锂供给仍然过剩"),
        ("What stake does Chengguang hold in Xinghe?", "4.9%"),
    ],
)
def test_questions_on_the_samples_are_answered_with_sources(
    page: Page, question: str, said: str
) -> None:
    page.goto("/")
    assert said in ask(page, question)
    assert page.locator(".evidence li").count() >= 1
    expect(page.locator("#answer-text")).not_to_have_attribute("aria-busy", "true")


def test_a_refusal_is_a_card(page: Page) -> None:
    page.goto("/")
    ask(page, "星河新材2030年营业收入是多少？")
    expect(page.locator(".refused dt")).to_have_text(["What was searched", "Nearest that is held"])


def test_chips_change_a_question_before_it_is_asked(page: Page) -> None:
    page.goto("/")
    page.fill("#question", GROWTH)
    page.locator("#before").get_by_label("Period").select_option(label="2025年")
    expect(page.locator("#question")).to_have_value("星河新材2025年营收比2023年增长多少？")
    page.locator("#before").get_by_label("Metric").select_option(label="归母净利润")
    expect(page.locator("#question")).to_have_value("星河新材2025年归母净利润比2023年增长多少？")
    expect(page.locator("#answer")).to_be_empty()
    page.press("#question", "Enter")
    expect(page.locator("#answer-text .direct")).to_be_visible()
    expect(page.locator("#before")).to_be_empty()


def test_a_chip_asks_again(page: Page) -> None:
    page.goto("/")
    ask(page, GROWTH)
    page.get_by_label("Period").select_option(label="2025年")
    expect(page.locator("#question")).to_have_value("星河新材2025年营收比2023年增长多少？")
    # two houses expect something else of that year: which is meant is one press
    expect(page.get_by_text("Which is meant?")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="沧澜证券").click()
    expect(page.locator("#question")).to_have_value(re.compile("沧澜证券"))
    expect(page.locator("#answer-text .direct")).to_contain_text("41.63%")


def test_a_derived_figure_opens_its_formula_and_cells(page: Page) -> None:
    page.goto("/")
    ask(page, GROWTH)
    page.locator("a[data-working]").first.click()
    formula = page.locator(".formula")
    expect(formula).to_have_attribute("open", "")
    expect(formula.locator(".math")).to_contain_text("× 100 = 20.00%")
    formula.locator("li a.cite").first.click()
    expect(page.locator("#viewer td.cited")).to_have_text(re.compile("6,312|5,260"))


def test_a_link_reproduces_an_answer_and_keeps_the_question_from_the_server(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/")
    direct = ask(page, GROWTH)
    link = page.url
    assert "#q=" in link
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("#answer-text .direct")).to_have_text(direct)
    expect(page.locator("#answer-rest .notice")).to_contain_text("Nothing changed")
    assert not any("%E6%98%9F" in url.partition("#")[0] for url in asked)


def test_moving_the_day_answers_as_of_that_day(page: Page) -> None:
    page.goto("/")
    assert "31.00" in ask(page, "星河新材最新的目标价是多少？")
    slider = page.locator("#day")
    days = (slider.get_attribute("data-days") or "").split()
    with page.expect_navigation():
        slider.fill(str(days.index("2025-04-18")))
    expect(page.locator("#answer-text .direct")).to_contain_text("38.00")
    assert "as_of=2025-04-18" in page.url


def test_an_answer_is_marked(page: Page) -> None:
    page.goto("/")
    ask(page, GROWTH)
    page.fill("#comment", "as printed")
    page.get_by_role("button", name="Well").click()
    expect(page.locator("#marked")).to_have_text("Thank you, it is kept.")
