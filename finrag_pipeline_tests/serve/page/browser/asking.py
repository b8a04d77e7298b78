"""How tests ask on the page."""

from __future__ import annotations

from playwright.sync_api import Page


def ask(page: Page, question: str) -> str:
    """Type a question, press Enter, wait for the whole answer; its direct line."""
    if not page.locator("#question").count():
        page.goto("/")
    page.fill("#question", question)
    before = page.locator("[data-done]").get_attribute("data-now") if _done(page) else None
    page.press("#question", "Enter")
    page.wait_for_function(
        "before => { const done = document.querySelector('[data-done]');"
        " return done && 'kept' in done.dataset && done.dataset.now !== before }",
        arg=before,
        timeout=60_000,
    )
    return page.locator("#answer-text .direct").inner_text()


def _done(page: Page) -> bool:
    return page.locator("[data-done]").count() > 0
