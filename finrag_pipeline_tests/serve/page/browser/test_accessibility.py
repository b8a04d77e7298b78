"""Every page for screen readers and keyboards, light and dark, by axe-core; on a phone, too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from finrag_pipeline_tests.serve.page.browser.asking import ask

pytestmark = pytest.mark.browser

#: Mozilla Public License 2.0; for tests alone.
_AXE = Path(__file__).with_name("axe-4.14.1.min.js")
XINGHE = "/companies/688991.SH"
PAGES = (
    *("/", "/documents", "/companies", "/graph", "/graph?name=688991.SH", "/weeks", "/sign-in"),
    *(f"{XINGHE}?part={part}" for part in ("", "figures", "views", "forecasts")),
    *(f"{XINGHE}?part={part}" for part in ("contradictions", "documents")),
    *("/morning?day=2025-10-30", "/changes?since=2025-10-29&until=2025-12-01", "/documents/none"),
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(chromium: Browser, site: str, scheme: Any) -> None:
    context = chromium.new_context(base_url=site, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    found: list[str] = []
    for address in (*PAGES, *_followed(page)):
        page.goto(address)
        found += _serious(page, address)
    page.goto("/")
    for question in ("星河新材2024年营收比2023年增长多少？", "星河新材2030年营收是多少？"):
        ask(page, question)
        found += _serious(page, question)
    page.locator(".evidence a.cite").first.click()
    page.locator("#viewer .sheet").wait_for()
    found += _serious(page, "viewer")
    context.close()
    assert not found


@pytest.mark.parametrize("address", PAGES)
def test_no_page_is_wider_than_a_telephone(chromium: Browser, site: str, address: str) -> None:
    context = chromium.new_context(base_url=site, viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


def test_the_first_key_leads_past_the_bar(page: Page) -> None:
    page.goto("/documents")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#main"


def _followed(page: Page) -> list[str]:
    """A document in its parts, a table, a sheet, a chain and a community, by their links."""
    page.goto("/documents?text=xinghe_q3")
    document = page.locator("tbody th a").first.get_attribute("href") or ""
    page.goto("/weeks")
    chain = page.locator(".cards a").first.get_attribute("href") or ""
    community = page.locator("tbody th a[href*=communities]").first.get_attribute("href") or ""
    parts = [document, f"{document}?part=regions", f"{document}?part=tables"]
    sheets = [f"{document}/tables/0", f"{document}/pages/1?at=1:50,50,200,200&fact=4"]
    return [*parts, *sheets, chain, community]


def _serious(page: Page, where: str) -> list[str]:
    page.evaluate(_AXE.read_text("utf-8"))
    result: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{where}: {each['id']} at {each['nodes'][0]['target']}"
        for each in result["violations"]
        if each["impact"] in ("serious", "critical")
    ]
