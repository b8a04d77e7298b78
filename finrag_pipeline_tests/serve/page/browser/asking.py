"""How tests ask on the page."""

from __future__ import annotations

from playwright.sync_api import Page


def ask(page: Page, question: str) -> str:
    """Type a question, press Enter, wait for the whole answer; its direct line."""
    if not page.locator("#question").count():
        page.goto("/")
    page.fill("#question", question)
    # the answer before may be of the same second: it is told apart by a mark of its own
    page.evaluate("document.querySelector('[data-done]')?.setAttribute('data-before', '')")
    page.press("#question", "Enter")
    page.wait_for_function(
        "() => { const done = document.querySelector('[data-done]');"
        " return done && 'kept' in done.dataset && !('before' in done.dataset) }"
    )
    return page.locator("#answer-text .direct").inner_text()
