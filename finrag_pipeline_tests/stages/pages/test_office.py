"""DOCX, PPTX, HTML and Markdown: what they become, and that nothing of them is run or fetched."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.records import Region
from finrag_pipeline.stages.chunking.calibration import Calibration
from finrag_pipeline.stages.chunking.chunks import segment
from finrag_pipeline.stages.pages.engines.office import (
    OfficeReading,
    office_format,
    read_office,
    read_office_metadata,
)
from finrag_pipeline.stages.tables.reading import join_pages
from finrag_pipeline.store.documents.sources import SUFFIXES
from finrag_pipeline_tests.stages.office_files import (
    DISCLAIMER,
    INTRO,
    ROWS,
    TABLE,
    html,
    make_docx,
    make_pptx,
)

pytest.importorskip("docling", reason="needs the extra docling")


def read(path: Path) -> OfficeReading:
    kind = office_format(path.name)
    assert kind is not None
    return read_office(path, kind)


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def texts(reading: OfficeReading, **where: object) -> list[str]:
    """Texts of the regions whose fields have these values."""

    def fits(region: Region) -> bool:
        return all(getattr(region, name) == value for name, value in where.items())

    return [region.text for region in reading.regions if fits(region)]


def grid(reading: OfficeReading) -> tuple[tuple[str, ...], ...]:
    (table,) = join_pages(reading.tables)
    rows = range(max(cell.row for cell in table.cells) + 1)
    return tuple(tuple(cell.text for cell in table.cells if cell.row == row) for row in rows)


def test_every_suffix_that_is_taken_from_a_folder_has_a_reader():
    assert {s for s in SUFFIXES if office_format(f"a{s}") is None} == {".pdf"}


def test_a_docx_has_its_headings_paragraphs_and_lists(tmp_path):
    reading = read(make_docx(tmp_path / "a.docx"))
    assert texts(reading, kind="title") == ["星河新材深度报告：储能需求回暖"]
    assert texts(reading, kind="heading", rule=None) == ["一、公司概况", "1.1 产能"]
    assert INTRO in texts(reading, kind="text", section=("一、公司概况",))
    assert "毛利率27.4%，较去年提升。" in texts(reading, kind="text")
    path = ("一、公司概况", "1.1 产能")
    assert texts(reading, kind="list", section=path) == ["新基地年内投产", "海外工厂明年投产"]
    assert {region.bbox for region in reading.regions} == {(0.0, 0.0, 0.0, 0.0)}
    assert [page.page for page in reading.pages] == [1]


def test_rules_that_need_no_geometry_drop_what_they_drop_from_pdfs(tmp_path):
    reading = read(make_docx(tmp_path / "a.docx"))
    assert texts(reading, rule="page_header") == ["证券研究报告"]
    assert texts(reading, rule="disclaimer") == ["免责声明", DISCLAIMER]
    assert texts(reading, rule="cover_block") == ["投资评级：买入"]


def test_a_disclaimer_in_front_ends_with_its_section(tmp_path):
    body = f"<h2>免责声明</h2><p>{DISCLAIMER}</p><h2>经营情况</h2><p>{INTRO}</p>"
    reading = read(write(tmp_path / "a.html", html(body)))
    assert texts(reading, rule="disclaimer") == ["免责声明", DISCLAIMER]
    assert texts(reading, rule=None) == ["经营情况", INTRO]


def test_metadata_comes_from_the_first_lines_of_a_format_without_pages(tmp_path):
    later = "同业公司目标价：88元。" * 200
    path = make_docx(tmp_path / "a.docx", *[INTRO] * 4, later)
    metadata = read_office_metadata(read(path), path.name)
    assert metadata.title == "星河新材深度报告：储能需求回暖"
    assert metadata.rating == "买入"
    assert metadata.target_price is None
    assert {place.page for places in metadata.places.values() for place in places} == {1}


def test_slides_are_pages_with_boxes_in_points(tmp_path):
    reading = read(make_pptx(tmp_path / "a.pptx"))
    assert [(page.page, page.width, page.height) for page in reading.pages] == [
        (1, 720.0, 540.0),
        (2, 720.0, 540.0),
    ]
    (title,) = [region for region in reading.regions if region.kind == "title"]
    assert (title.page, title.bbox) == (1, (36.0, 21.63, 684.0, 111.63))
    assert texts(reading, kind="list", page=1) == [INTRO, "海外订单占比提升至三成。"]
    assert "讲稿：强调现金流改善。" in texts(reading, page=2, rule=None)
    (table,) = reading.tables
    assert (table.page, table.bbox) == (2, (72.0, 144.0, 432.0, 288.0))


@pytest.mark.parametrize("make", [make_docx, make_pptx])
def test_tables_keep_their_cells(make, tmp_path):
    reading = read(make(tmp_path / f"a.{make.__name__.removeprefix('make_')}"))
    assert grid(reading) == ROWS
    (table,) = join_pages(reading.tables)
    assert table.unit == "百万元"
    assert table.header[-1] == "2025E"


def test_html_tables_keep_spans_and_lose_their_markup(tmp_path):
    (table,) = join_pages(read(write(tmp_path / "a.html", html(TABLE))).tables)
    assert table.title == "表1：盈利预测（百万元）"
    assert (table.unit, table.header) == ("百万元", ("项目", "年度", "2024A", "2025E"))
    assert '<th rowspan="2">项目</th><th colspan="2">年度</th>' in table.html
    assert "<td>&lt;b&gt;</td>" in table.html
    assert "script" not in table.html


def test_pieces_of_a_paragraph_are_one_region_and_hidden_text_is_none(tmp_path):
    body = (
        "<p>前言在标题之前。</p><h1>业绩点评</h1><p>收入<b>增长</b><a href='http://x/'>两成</a>。</p>"
        "<p style='display:none'>看不见</p><div hidden>藏起来</div><!-- 注释 -->"
    )
    reading = read(write(tmp_path / "a.htm", html(body, "<style>p{}</style>")))
    assert texts(reading, rule=None) == ["前言在标题之前。", "业绩点评", "收入增长两成。"]


def test_markdown_is_read_and_its_raw_html_is_text_at_most(tmp_path):
    source = (
        f"# 业绩点评\n\n{INTRO}\n\n## 预测\n\n- 一\n- 二\n\n"
        "| 项目（百万元） | 2024A | 2025E |\n|---|---|---|\n"
        "| 营业收入 | 3,924.43 | 4,411.75 |\n| 净利润 | 412 | -36 |\n\n<script>alert(1)</script>\n"
    )
    reading = read(write(tmp_path / "a.md", source))
    assert texts(reading, kind="title") == ["业绩点评"]
    assert texts(reading, kind="list", section=("预测",)) == ["一", "二"]
    assert grid(reading) == ROWS
    assert "<script" not in join_pages(reading.tables)[0].html


@pytest.mark.parametrize("suffix", ["html", "md"])
def test_nothing_is_fetched(tmp_path, httpserver, suffix):
    """A server that would notice stands behind every address in the file."""
    url = httpserver.url_for("/seen")
    (tmp_path / "secret.txt").write_text("local file")
    body = (
        f"<base href='{url}'><link rel=stylesheet href='{url}'><img src='{url}'>"
        f"<iframe src='{url}'></iframe><object data='{url}'></object><embed src='{url}'>"
        f"<img src='file://{tmp_path}/secret.txt'><p>{INTRO}</p>"
    )
    text = html(body, f"<script src='{url}'></script>")
    if suffix == "md":
        text = f"# 标题\n\n![图]({url}) ![图](file://{tmp_path}/secret.txt)\n\n{body}\n"
    reading = read(write(tmp_path / f"a.{suffix}", text))
    assert any(INTRO in region.text for region in reading.regions)
    assert not any("local file" in region.text for region in reading.regions)
    assert not httpserver.log


def test_a_docx_with_external_entities_is_refused_without_following_them(tmp_path, httpserver):
    path = make_docx(tmp_path / "a.docx")
    secret = write(tmp_path / "secret.txt", "local file")
    doctype = (
        f'<!DOCTYPE x [<!ENTITY file SYSTEM "file://{secret}">'
        f'<!ENTITY net SYSTEM "{httpserver.url_for("/seen")}">]>'
    ).encode()
    hostile = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(hostile, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "word/document.xml":
                start = content.index(b"<w:document")
                content = content[:start] + doctype + content[start:]
                content = content.replace("较去年提升".encode(), b"&file;&net;")
            new.writestr(name, content)
    path.write_bytes(hostile.getvalue())
    with pytest.raises(DocumentError) as caught:
        read(path)
    assert "local file" not in str(caught.value)
    assert not httpserver.log


@pytest.mark.parametrize(("suffix", "head"), [("html", ""), ("html", "gbk"), ("md", "")])
def test_files_in_the_old_chinese_encoding_are_read(tmp_path, suffix, head):
    meta = f"<meta charset={head}>" if head else ""
    text = html(f"<p>{INTRO}</p>", meta) if suffix == "html" else INTRO
    reading = read(write(tmp_path / f"a.{suffix}", text.encode("gb18030")))
    assert INTRO in texts(reading)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.docx", b"", "zero_bytes"),
        ("a.md", b"", "zero_bytes"),
        ("a.docx", b"%PDF-1.7 renamed", "wrong_format"),
        ("a.html", b"%PDF-1.7 renamed", "wrong_format"),
        ("a.md", b"PK\x03\x04 renamed", "wrong_format"),
        ("a.docx", b"PK\x03\x04 cut off", "truncated"),
        ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 an old .doc", "wrong_format"),
        (
            "a.pptx",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
            "encrypted",
        ),
    ],
)
def test_bad_files_have_their_reason(tmp_path, name, content, reason):
    with pytest.raises(DocumentError) as caught:
        read(write(tmp_path / name, content))
    assert caught.value.reason == reason


def test_an_archive_of_something_else_is_of_the_wrong_format(tmp_path):
    deck = make_pptx(tmp_path / "a.pptx")
    with pytest.raises(DocumentError, match="wrong_format"):
        read(deck.rename(tmp_path / "a.docx"))


def test_damaged_xml_is_named_as_damage(tmp_path):
    path = tmp_path / "a.docx"
    with (
        zipfile.ZipFile(make_docx(tmp_path / "good.docx")) as old,
        zipfile.ZipFile(path, "w") as new,
    ):
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, content[:200] if name == "word/document.xml" else content)
    with pytest.raises(DocumentError, match="truncated"):
        read(path)


def test_right_to_left_text_and_symbols_of_fonts_without_unicode_are_kept_as_they_are(tmp_path):
    reading = read(write(tmp_path / "a.html", html("<p>הכנסות 46.3 מיליון \uf06c עלו</p>")))
    assert texts(reading, rule=None) == ["הכנסות 46.3 מיליון \uf06c עלו"]


def test_kept_text_is_in_chunks_once(tmp_path):
    import numpy as np

    path = make_docx(tmp_path / "a.docx")
    reading = read(path)
    values = Calibration(threshold=0.5, window=20, separation=0.1)
    chunks = segment(reading.regions, lambda s: np.eye(len(s), dtype=np.float32), values)
    held = "".join("".join(chunk.content.split()) for chunk in chunks)
    kept = "".join("".join(region.text.split()) for region in reading.regions if region.kept)
    assert held == kept
