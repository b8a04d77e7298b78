"""Broken fonts and right-to-left text are flagged, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from finrag_pipeline.errors import PAGE_FLAGS
from finrag_pipeline.stages.pages.glyphs import glyph_flags
from finrag_pipeline.stages.pages.pdf import read_pages
from finrag_pipeline_tests.stages.read_pages import PROSE, line, make_pdf


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (PROSE + "\ufffd" * 10, "unknown glyphs"),
        ("\ue001\ue002\ue003" * 10 + PROSE, "private-use glyphs"),
        ("\uf043\uf06f\uf06d\uf070\uf061\uf06e\uf079" * 6, "private-use glyphs"),
        ("(cid:12)(cid:88)(cid:7) total " * 8, "glyph numbers"),
        ("\u0378\u0379" * 20 + PROSE, "unassigned"),
        ("".join(map(chr, range(0x3400, 0x3440))), "in no common use"),
        ("¹«Ë¾È«ÄêÊµÏÖÓªÒµÊÕÈëÊ®¶þÒÚÔª" * 2, "wrong encoding"),
    ],
)
def test_broken_fonts(text: str, kind: str) -> None:
    (flag,) = glyph_flags([line(text)])
    assert flag.reason == "broken_fonts"
    assert flag.reason in PAGE_FLAGS
    assert kind in flag.detail


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        "公司全年實現營業收入十二億元，同比增長百分之八，利潤率保持穩定，訂單持續恢復。",
        "\n".join("\uf06c " + PROSE[:20] for _ in range(8)),
        "Net sales rose 8 % to €1.2bn; café and façade units did well. " * 3,
        "\ufffd\ufffd",
        "",
    ],
)
def test_sound_pages(text: str) -> None:
    assert glyph_flags([line(text)]) == ()


def test_right_to_left() -> None:
    (flag,) = glyph_flags([line("ارتفعت إيرادات الشركة خلال العام")])
    assert (flag.reason, flag.detail) == ("right_to_left", "28 letters")


HEBREW = "הכנסות החברה עלו השנה בשמונה אחוזים"


def reasons(path: Path) -> list[list[str]]:
    pages = read_pages(path, 1, 2, layout=False)
    return [[flag.reason for flag in page.flags] for page in pages]


def test_only_the_page_that_suffers_is_flagged(tmp_path: Path) -> None:
    def draw(page: pymupdf.Page) -> None:
        text = "Net sales rose eight percent in the year." if page.number else HEBREW
        page.insert_htmlbox(pymupdf.Rect(50, 50, 500, 200), f"<p>{text}</p>")

    sound = make_pdf(tmp_path / "sound.pdf", draw, pages=2)
    assert reasons(sound) == [["right_to_left"], []]
    with pymupdf.open(sound) as document:
        for xref in range(1, document.xref_length()):
            if document.xref_get_key(xref, "BaseFont")[1].count("Hebrew"):
                document.xref_set_key(xref, "ToUnicode", "null")
        document.save(tmp_path / "broken.pdf")
    assert reasons(tmp_path / "broken.pdf") == [["broken_fonts"], []]
