"""A cited page in a browser: boxes lie where the words are, whatever its size and turn."""

from __future__ import annotations

import io

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from finrag_pipeline_tests.serve.page.browser.asking import ask
from finrag_pipeline_tests.serve.page.browser.made_pdfs import PLANTS

pytestmark = pytest.mark.browser

Pixel = tuple[int, ...]


@pytest.mark.parametrize("plant", PLANTS)
def test_the_box_lies_over_the_cited_words(page: Page, plant: str) -> None:
    page.goto("/")
    assert "2,000" in ask(page, f"What is the capacity of the {plant} plant?")
    page.locator(".evidence a.cite").first.click()
    sheet = page.locator("#viewer .sheet")
    expect(sheet.locator("rect.cited").first).to_be_visible()
    _wait_for_image(page)
    width, height, rotation = PLANTS[plant]
    if rotation in (90, 270):
        width, height = height, width
    shown = sheet.bounding_box()
    assert shown
    assert shown["width"] / shown["height"] == pytest.approx(width / height, rel=0.01)
    marked = _lines(sheet.screenshot())
    page.evaluate("document.querySelector('#viewer .sheet svg').style.display = 'none'")
    bare = _lines(sheet.screenshot())
    assert bare > 100, "the line through the sentence is on the page"
    assert marked < 0.02 * bare, "the box covers all of it"


def test_a_box_covers_little_else(page: Page) -> None:
    page.goto("/")
    ask(page, "What is the capacity of the Orchid plant?")
    page.locator(".evidence a.cite").first.click()
    _wait_for_image(page)
    sheet = page.locator("#viewer .sheet").bounding_box()
    box = page.locator("#viewer rect.cited").first.bounding_box()
    assert sheet
    assert box
    assert box["width"] * box["height"] < 0.1 * sheet["width"] * sheet["height"]


def test_a_figure_in_prose_opens_its_cell(page: Page) -> None:
    page.goto("/")
    ask(page, "星河新材2024年营业收入是多少？")
    page.locator(".answer a.figure").first.click()
    expect(page.locator("#viewer td.cited")).to_have_text("6,312")
    expect(page.locator("#viewer dl.facts")).to_contain_text("百万元")


def test_the_viewer_is_worked_by_keys_and_gives_the_focus_back(page: Page) -> None:
    page.goto("/")
    ask(page, "星河新材2024年营收比2023年增长多少？")
    first = page.locator(".evidence a.cite").first
    first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#viewer")).to_have_attribute("open", "")
    expect(page.locator("#viewer td.cited")).to_have_text("6,312")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#viewer td.cited")).to_have_text("5,260")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#viewer td.cited")).to_have_text("6,312")
    page.keyboard.press("Escape")
    expect(page.locator("#viewer")).not_to_have_attribute("open", "")
    expect(first).to_be_focused()


def _wait_for_image(page: Page) -> None:
    page.wait_for_function(
        "() => { const image = document.querySelector('#viewer .sheet img');"
        " return image && image.complete && image.naturalWidth > 0 }"
    )


def _lines(png: bytes) -> int:
    """Pixels of the pure colour of the line; under a box it is another."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    colours = image.getcolors(maxcolors=1 << 24) or []
    return sum(count for count, colour in colours if _is_line(colour))


def _is_line(colour: Pixel) -> bool:
    red, green, blue = colour
    return red < 40 and green > 215 and blue > 215
