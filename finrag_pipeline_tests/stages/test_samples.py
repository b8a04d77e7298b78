"""The reading stages on two committed samples, one Chinese and one English, against their gold."""

from __future__ import annotations

import json

import pytest

from finrag_pipeline.stages.cleaning.clean import clean
from finrag_pipeline.stages.metadata import read_metadata
from finrag_pipeline.stages.pages.pdf import count_pages, read_pages
from finrag_pipeline_tests.paths import SAMPLES

GOLD = {row["file"]: row for row in json.loads((SAMPLES / "gold.json").read_text())}


@pytest.mark.parametrize(
    "name", ["hengyu_chengguang_update_20260115.pdf", "alder_petfood_hogs_20260210.pdf"]
)
def test_keeps_the_text_drops_the_rest_and_reads_the_metadata(name: str) -> None:
    path, gold = SAMPLES / "pdfs" / name, GOLD[name]
    regions = clean(read_pages(path, 1, count_pages(path)))
    kept = "".join("".join(region.text.split()) for region in regions if region.kept)
    for phrase in gold["phrases"]:
        text = phrase if isinstance(phrase, str) else phrase["text"]
        assert "".join(text.split()) in kept
    for phrase in gold["dropped"]:
        text = phrase if isinstance(phrase, str) else phrase["text"]
        assert "".join(text.split()) not in kept
    found = read_metadata(regions, name)
    for field in ("title", "kind", "language", "broker", "target_price"):
        assert (getattr(found, field) or "") == (gold[field] or ""), field
    assert (found.company_code or "") == gold["company_code"]
    assert (found.company_name or "") == gold["company_name"]
    assert list(found.company_codes) == gold["company_codes"]
    assert list(found.analysts) == gold["analysts"]
    assert (found.rating or "").lower() == gold["rating"].lower()
    assert str(found.published_on) == gold["published_on"]
