"""`GET /v1/documents/{id}/pages/{n}.png`: a page as an image, with boxes over what is cited."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from finrag_pipeline.records import Box
from finrag_pipeline.serve.http.access import Reading, Served
from finrag_pipeline.serve.http.errors import ERRORS, ErrorBody
from finrag_pipeline.serve.http.page_images import PageImages

router = APIRouter(tags=["documents"], responses=ERRORS)

MAX_BOXES = 100
_NUMBER = r"-?[0-9]{1,5}(\.[0-9]{1,6})?"
_BOX = rf"{_NUMBER}(,{_NUMBER}){{3}}"

DocumentId = Annotated[
    str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="id of a document of the application")
]
PageNumber = Annotated[int, Path(ge=1, le=100_000, description="from 1")]
Width = Annotated[int, Query(ge=100, le=2000, description="of the image, in pixels")]
Regions = Annotated[
    str | None,
    Query(
        max_length=4000,
        pattern=rf"^{_BOX}(;{_BOX})*$",
        description="boxes to mark, as `bbox` of evidence has them: x0,y0,x1,y1 in PDF points, "
        "several joined by `;`",
        examples=["48,219.68,375.74,260.52"],
    ),
]


@router.get(
    "/v1/documents/{document_id}/pages/{page}.png",
    response_class=Response,
    responses={
        200: {
            "content": {"image/png": {"schema": {"type": "string", "format": "binary"}}},
            "description": "The page",
        },
        410: {"model": ErrorBody, "description": "The document's file is gone or was changed"},
    },
)
def page_image(
    document_id: DocumentId,
    page: PageNumber,
    request: Request,
    access: Reading,
    service: Served,
    width: Width = 1000,
    regions: Regions = None,
) -> Any:
    """A page of a document as PNG, upright, as cropped; drawn from the file that was ingested."""
    images: PageImages = request.app.state.page_images
    drawn = images.image(
        service.reader, access.app_id, document_id, page, width, parse_regions(regions or "")
    )
    return Response(
        drawn, media_type="image/png", headers={"Cache-Control": "private, max-age=300"}
    )


def parse_regions(text: str) -> tuple[Box, ...]:
    """Boxes out of a query, as the pattern of `Regions` has them; the first `MAX_BOXES`.

    >>> parse_regions("1,2,3.5,4;5,6,7,8")
    ((1.0, 2.0, 3.5, 4.0), (5.0, 6.0, 7.0, 8.0))
    """
    boxes: list[Box] = []
    for each in text.split(";") if text else ():
        x0, y0, x1, y1 = map(float, each.split(","))
        boxes.append((x0, y0, x1, y1))
    return tuple(boxes[:MAX_BOXES])
