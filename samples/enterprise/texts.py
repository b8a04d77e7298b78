"""What the fictional business documents of TechFlow say: products, look-alikes, other wordings.

They stand in `texts.md`: a line `# file group title` opens a document, `## heading` a section; how
they become files is `make_enterprise`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Text:
    """One document.

    Attributes:
        group: product, distractor (a product of nearly the same name) or synonym (a matter in
            other words).
        sections: headings with their paragraphs.
    """

    file: str
    group: str
    title: str
    sections: list[tuple[str, list[str]]] = field(default_factory=list[tuple[str, list[str]]])


def read_texts() -> list[Text]:
    """All documents in order."""
    found: list[Text] = []
    path = Path(__file__).with_name("texts.md")
    for line in filter(None, path.read_text("utf-8").splitlines()):
        if line.startswith("# "):
            file, group, title = line[2:].split(" ", 2)
            found.append(Text(file, group, title))
        elif line.startswith("## "):
            found[-1].sections.append((line[3:], []))
        else:
            found[-1].sections[-1][1].append(line)
    return found
