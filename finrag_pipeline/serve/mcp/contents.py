"""What a tool's answer consists of: an object, the same as text, and links to pages.

Forms are `results`; errors are told as REST tells them.
"""

from __future__ import annotations

from typing import Any

import pydantic_core
from mcp.types import CallToolResult, ContentBlock, ResourceLink, TextContent
from pydantic import BaseModel

from finrag_pipeline.errors import FinragError
from finrag_pipeline.serve.http.errors import told

#: Where a page's image is read, as a resource.
PAGE_URI = "finrag://documents/{document_id}/pages/{page}.png"
#: Pages that a result links to.
_LINKS = 10


def told_to_caller(error: FinragError) -> str:
    """An error as a caller is told of it: what speaks of the server is not."""
    _, body, _ = told(error)
    return f"{body['error']['message']}; {body['error']['mend']}"


def result(
    value: BaseModel | dict[str, Any],
    text: str | None = None,
    links: list[ResourceLink] | None = None,
) -> CallToolResult:
    """A value as structured content, and as text for clients that show nothing else."""
    content: dict[str, Any] = (
        value.model_dump(mode="json")
        if isinstance(value, BaseModel)
        else pydantic_core.to_jsonable_python(value)
    )
    shown = text if text is not None else pydantic_core.to_json(content).decode()
    blocks: list[ContentBlock] = [TextContent(type="text", text=shown), *(links or ())]
    return CallToolResult(content=blocks, structured_content=content)


def placed(found: dict[str, Any]) -> str:
    """Where a result or citation stands: file, page and day, as far as it has them."""
    page, day = found["page"], found["published_on"]
    where = [found["source"] or found["kind"], f"page {page}" if page else "", str(day or "")]
    return ", ".join(filter(None, where))


def links_to(placed: list[dict[str, Any]]) -> list[ResourceLink]:
    """Links to the images of the first pages that results stand on, each once."""
    pages = dict.fromkeys(
        (each["document_id"], each["page"], each["source"])
        for each in placed
        if each["document_id"] and each["page"]
    )
    return [link_to(*each) for each in list(pages)[:_LINKS]]


def link_to(document_id: str, page: int, source: str) -> ResourceLink:
    return ResourceLink(
        type="resource_link",
        name=f"{source} page {page}",
        uri=PAGE_URI.format(document_id=document_id, page=page),
        mime_type="image/png",
    )
