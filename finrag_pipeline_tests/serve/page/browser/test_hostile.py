"""A PDF that means harm does none, wherever the page shows what it says."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from finrag_pipeline_tests.serve.page.browser.asking import ask
from finrag_pipeline_tests.serve.page.browser.made_pdfs import SCRIPT

pytestmark = pytest.mark.browser


def test_what_it_says_is_text_in_every_place(page: Page) -> None:
    page.goto("/documents?text=bramley")
    address = page.locator("tbody th a").first.get_attribute("href") or ""
    shown = ["/documents?text=bramley", address, f"{address}?part=regions", f"{address}/pages/1"]
    shown += [f"{address}?part=tables", "/morning?day=2026-01-06", "/graph?name=Bramley Tools"]
    for each in shown:
        page.goto(each)
        _harmless(page, each)
    page.goto(f"{address}?part=regions")
    expect(page.get_by_text(SCRIPT).first).to_be_visible()


@pytest.mark.parametrize(
    "question",
    [
        "What was the gross margin of Bramley Tools?",
        "What did Bramley Tools sell last year?",
        "Where do the details of Bramley Tools stand?",
    ],
)
def test_answers_that_quote_it_run_nothing_and_obey_nothing(page: Page, question: str) -> None:
    page.goto("/")
    assert "99.9" not in ask(page, question)
    _harmless(page, question)
    for cite in page.locator(".evidence a.cite").all()[:1]:
        cite.click()
        page.locator("#viewer .sheet").wait_for()
        _harmless(page, question)


def _harmless(page: Page, where: str) -> None:
    assert page.evaluate("window.harmed") is None, where
    assert page.locator("img[onerror], a[href^=javascript], main script").count() == 0, where
