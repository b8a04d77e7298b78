"""The reading stages on a few real reports; skipped where the corpus is not beside the checkout."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import date

import pytest

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.records import PageReading, Region, Table
from finrag_pipeline.stages.cleaning.clean import clean
from finrag_pipeline.stages.cleaning.settle import settle_tables
from finrag_pipeline.stages.metadata import read_metadata
from finrag_pipeline.stages.pages.pdf import count_pages, read_pages, require_text_layer
from finrag_pipeline.stages.tables.reading import join_pages, read_tables
from finrag_pipeline_tests.stages.read_pages import REPORTS, characters

pytestmark = pytest.mark.skipif(not REPORTS.is_dir(), reason=f"no corpus at {REPORTS}")

GOLD = (
    {row["file"]: row for row in map(json.loads, (REPORTS / "metadata_gold.jsonl").open())}
    if REPORTS.is_dir()
    else {}
)
SCANS = [name for name, row in GOLD.items() if not row["has_text"]]
#: The shortest report on a stock of each broker, of the four brokers with the shortest ones.
SHORTEST = {
    row["broker"]: name
    for name, row in sorted(GOLD.items(), key=lambda item: (-item[1]["pages"], item[0]))
    if row["has_text"] and row.get("stock_code")
}
SAMPLE = sorted(SHORTEST.values(), key=lambda name: (GOLD[name]["pages"], name))[:4]


@pytest.fixture(scope="module")
def readings() -> dict[str, tuple[PageReading, ...]]:
    return {
        name: read_pages(REPORTS / name, 1, count_pages(REPORTS / name))
        for name in (*SAMPLE, *SCANS[:1])
    }


@pytest.fixture(scope="module")
def regions(readings: dict[str, tuple[PageReading, ...]]) -> dict[str, tuple[Region, ...]]:
    return {name: clean(readings[name]) for name in SAMPLE}


def test_only_scans_are_refused(readings: dict[str, tuple[PageReading, ...]]) -> None:
    for name in SAMPLE:
        require_text_layer(readings[name])
    with pytest.raises(DocumentError) as caught:
        require_text_layer(readings[SCANS[0]])
    assert caught.value.reason == "image_only"


def test_every_character_is_in_one_region(
    readings: dict[str, tuple[PageReading, ...]], regions: dict[str, tuple[Region, ...]]
) -> None:
    for name in SAMPLE:
        printed = characters(line.text for page in readings[name] for line in page.lines)
        assert characters(region.text for region in regions[name]) == printed


def test_kept_text_is_neither_disclaimer_nor_contact(
    regions: dict[str, tuple[Region, ...]],
) -> None:
    for name in SAMPLE:
        text = "".join(region.text for region in regions[name] if region.kept)
        assert len(text) > 600, name
        for phrase in ("免责声明", "不构成投资建议", "@", "请务必阅读", "目标价："):
            assert phrase not in text, (name, phrase)


def test_metadata(regions: dict[str, tuple[Region, ...]]) -> None:
    for name in SAMPLE:
        found, gold = read_metadata(regions[name], name), GOLD[name]
        assert found.company_code is not None
        assert found.company_code[:6] == gold["stock_code"]
        assert found.company_name == gold["stock_name"]
        assert found.broker is not None and found.broker[:2] == gold["broker"][:2]
        assert set(found.analysts) == set(gold["analysts"])
        assert found.rating == gold["rating_original"].split("(")[0]
        assert found.published_on is not None
        posted = date.fromisoformat(gold["publish_date"])
        assert 0 <= (posted - found.published_on).days <= 3


def test_what_the_table_rule_drops_lives_on_in_tables(
    readings: dict[str, tuple[PageReading, ...]], regions: dict[str, tuple[Region, ...]]
) -> None:
    """And what no table holds comes back, so that no character is in neither or lost."""
    left = settled_left = missing = settled_missing = 0
    for name in SAMPLE:
        layouts = [(page.page, page.raw_layout) for page in readings[name]]
        tables = join_pages(read_tables(REPORTS / name, layouts))
        settled = settle_tables(regions[name], tables)
        assert characters(r.text for r in settled) == characters(r.text for r in regions[name])
        assert settle_tables(settled, tables) == settled
        for page in readings[name]:
            held = characters(texts_of(tables, page.page))
            before, after = (
                characters(r.text for r in some if r.page == page.page and r.rule == "table")
                for some in (regions[name], settled)
            )
            left += before.total()
            missing += (before - held).total()
            settled_left += after.total()
            settled_missing += (after - held).total()
    assert missing < 0.05 * left
    # signs that part cells, such as dashes, are no words
    assert settled_missing < 0.001 * settled_left


def texts_of(tables: Sequence[Table], page: int) -> Iterator[str]:
    """All that tables hold of one page."""
    for table in tables:
        yield from (cell.text for cell in table.cells if (cell.page or table.page) == page)
        if page in {place.page for place in table.places}:
            yield from (table.title or "", table.unit or "", table.footnote or "")
