"""Which files are opened and which are refused, with what reason."""

from __future__ import annotations

import pickle
from pathlib import Path

import pymupdf
import pytest

from finrag_pipeline.errors import DocumentError
from finrag_pipeline.stages.pages.pdf import count_pages
from finrag_pipeline_tests.stages.read_pages import make_pdf, write


def body(target: pymupdf.Page) -> None:
    for row in range(40):
        write(target, f"第{row}行：公司收入与利润均有增长，经营现金流改善。", (60, 60 + 18 * row))


@pytest.fixture
def report(tmp_path: Path) -> Path:
    return make_pdf(tmp_path / "report.pdf", body, pages=6)


def refusal(path: Path) -> str:
    with pytest.raises(DocumentError) as caught:
        count_pages(path)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    return caught.value.reason


def test_counts_pages(report: Path) -> None:
    assert count_pages(report) == 6


def test_refuses_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "empty.pdf"
    path.touch()
    assert refusal(path) == "zero_bytes"


def test_refuses_text_that_is_named_pdf(tmp_path: Path) -> None:
    path = tmp_path / "notes.pdf"
    path.write_text("研究笔记，不是 PDF。" * 50)
    assert refusal(path) == "not_a_pdf"


def test_refuses_a_user_password_but_not_an_owner_password(report: Path, tmp_path: Path) -> None:
    locked, restricted = tmp_path / "locked.pdf", tmp_path / "restricted.pdf"
    with pymupdf.open(report) as document:
        aes = pymupdf.PDF_ENCRYPT_AES_256
        document.save(locked, encryption=aes, owner_pw="o", user_pw="u")
        document.save(restricted, encryption=aes, owner_pw="o", permissions=0)
    assert refusal(locked) == "encrypted"
    assert count_pages(restricted) == 6


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7])
def test_refuses_a_file_cut_off(report: Path, tmp_path: Path, share: float) -> None:
    data = report.read_bytes()
    cut = tmp_path / "cut.pdf"
    cut.write_bytes(data[: int(len(data) * share)])
    assert refusal(cut) == "truncated"


def test_refuses_a_header_without_a_file(tmp_path: Path) -> None:
    path = tmp_path / "header.pdf"
    path.write_bytes(b"%PDF-1.7\n" + b"\x00" * 200)
    assert refusal(path) == "truncated"


def test_accepts_what_repairs_to_all_its_pages(report: Path, tmp_path: Path) -> None:
    data = report.read_bytes()
    repaired = tmp_path / "repaired.pdf"
    repaired.write_bytes(data.replace(b"startxref", b"startxxxx"))
    assert count_pages(repaired) == 6


def test_refuses_a_file_without_pages(tmp_path: Path) -> None:
    path = tmp_path / "none.pdf"
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 0/Kids[]>>"]
    data = b"%PDF-1.4\n"
    offsets = []
    for number, text in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj" % number + text + b"endobj\n"
    start = len(data)
    data += b"xref\n0 3\n0000000000 65535 f \n"
    data += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    data += b"trailer<</Size 3/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % start
    path.write_bytes(data)
    assert refusal(path) == "no_pages"
