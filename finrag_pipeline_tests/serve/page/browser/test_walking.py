"""The graph walked, a week compared with the one before, two days held against each other."""

from __future__ import annotations

import csv
import io

import pytest
from playwright.sync_api import Page, expect

from finrag_pipeline_tests.serve.page.browser.conftest import WEEKS

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]

#: Nothing until the page that was clicked to is there.
_NODES = "document.getElementById('graph')?.cy?.nodes().length"


def test_the_graph_is_walked_and_a_relation_shows_who_says_so(page: Page) -> None:
    page.goto("/graph?name=688991.SH")
    _wait_for_more(page, 3)
    before = int(page.evaluate(_NODES))
    page.locator("#graph").focus()
    status = page.locator("[data-walked]")
    for _ in range(before):
        page.keyboard.press("ArrowRight")
        if "澄光储能" in status.inner_text():
            break
    expect(status).to_contain_text("澄光储能")
    page.keyboard.press("Enter")
    _wait_for_more(page, before)
    page.locator("a[data-edge]", has_text="supplies").first.click()
    aside = page.locator("#edge")
    expect(aside.locator("blockquote").first).to_be_visible()
    aside.locator("a[data-sheet]").first.click()
    expect(page.locator("#viewer .sheet rect.cited").first).to_be_visible()


def test_a_tap_on_an_edge_of_the_picture_shows_its_evidence(page: Page) -> None:
    page.goto("/graph?name=688991.SH")
    _wait_for_more(page, 3)
    page.evaluate(
        "document.getElementById('graph').cy.edges('[relation = \"supplies\"]')[0].emit('tap')"
    )
    expect(page.locator("#edge blockquote").first).to_be_visible()


def test_a_week_is_compared_with_the_one_before(page: Page) -> None:
    first, second = WEEKS
    page.goto("/weeks")
    expect(page.locator("h1")).to_contain_text(str(second))
    expect(page.get_by_text(f"What changed since the week of {first}")).to_be_visible()
    assert page.get_by_role("region", name="What changed").locator("tbody tr").count() >= 1
    page.get_by_label("Week").select_option(str(first))
    page.get_by_role("button", name="Show").click()
    expect(page.locator("h1")).to_contain_text(str(first))


def test_a_chain_is_a_picture_with_its_changes(page: Page) -> None:
    page.goto("/weeks")
    page.locator(".cards a").first.click()
    _wait_for_more(page, 2)
    expect(page.get_by_role("heading", name="What changed")).to_be_visible()
    page.locator(".evidence a.cite").first.click()
    expect(page.locator("#viewer .sheet")).to_be_visible()


def test_links_of_a_chain_and_changes_of_a_week_are_files(page: Page) -> None:
    page.goto("/weeks")
    changes = _downloaded(page, "/weeks/changes.csv")
    assert changes and {each["event"] for each in changes} <= {
        *("born", "grew", "shrank", "split", "merged", "died"),
    }
    page.locator(".cards a").first.click()
    links = _downloaded(page, "/links.csv")
    assert any(each["quote"] for each in links)
    for each in links:
        assert each["src"] and each["relation"] and each["dst"]
        assert bool(each["quote"]) == bool(each["source"]) == bool(each["page"])


def _downloaded(page: Page, address: str) -> list[dict[str, str]]:
    """Rows of the CSV that a link of the page leads to."""
    with page.expect_download() as begun:
        page.locator(f"a[href*='{address}']").click()
    text = begun.value.path().read_text(encoding="utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def test_two_days_are_held_against_each_other(page: Page) -> None:
    page.goto("/changes")
    page.fill("#since", "2025-10-29")
    page.fill("#until", "2025-12-01")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", name="2 documents came")).to_be_visible()
    expect(page.get_by_role("heading", name="relations changed")).to_be_visible()


def test_a_curve_is_drawn_over_its_table(page: Page) -> None:
    page.goto("/companies/688991.SH?part=figures")
    expect(page.locator(".plot canvas")).to_be_visible()
    page.get_by_label("Metric").select_option("revenue")
    expect(page.get_by_role("heading", name="Revenue by fiscal year")).to_be_visible()


def _wait_for_more(page: Page, nodes: int) -> None:
    """Until the picture has more entities than so many."""
    page.wait_for_function(f"() => {_NODES} > {nodes}")
