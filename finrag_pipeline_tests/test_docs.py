"""Links in the documents lead somewhere, and the contents of the long one are complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from finrag_pipeline_tests.paths import PROJECT

DOCUMENTS = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]


def anchors(document: Path) -> list[str]:
    """Of its headings, as GitHub makes them; lines of code blocks are no headings."""
    text = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    lost = []
    for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text()):
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        file = document.parent / path if path else document
        if not file.exists() or (anchor and anchor not in anchors(file)):
            lost.append(target)
    assert lost == []


def test_the_contents_of_operations_name_every_chapter():
    operations = PROJECT / "docs" / "operations.md"
    text = operations.read_text()
    contents = text[text.index("Contents:") : text.index("\n## ")]
    listed = re.findall(r"\[([^\]]+)\]\(#", contents)
    assert listed == re.findall(r"^## (.+)$", text, re.MULTILINE)


def test_the_architecture_names_what_there_is():
    text = (PROJECT / "docs" / "architecture.md").read_text()
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    code = "\n".join(path.read_text() for path in (PROJECT / "finrag_pipeline").rglob("*.py"))
    called = re.findall(r"`(?:\w+\.)*(\w+)`", prose[prose.index("## A page") :])
    assets = re.findall(r"\b\w+_\w+\b", "\n".join(re.findall(r"```mermaid.*?```", text, re.DOTALL)))
    defined = set(re.findall(r"\b(?:def|class) (\w+)", code))
    assert len(called) > 40
    known = ("defs", "query", "signals", "csv", "py")
    lost = [name for name in [*called, *assets] if name not in defined and name not in known]
    assert lost == []
