"""How answers are printed: at a terminal in lines and drawn tables, elsewhere whole."""

from __future__ import annotations

import io
import re

import pytest

from finrag_pipeline.serve.cli.answers import print_answer
from finrag_pipeline.serve.cli.ingestion import progress_lines

LONG = "公司海外布局以匈牙利基地为主，服务欧洲客户，二期预计明年投产" * 3
TABLE = f"| 公司 | 海外布局 |\n| --- | --- |\n| 星河新材 | {LONG}[1] |\n| 澄光储能 | 泰国[2] |"
ANSWER = f"甲公司增长。[1] 乙公司下降。[2]\n\n{TABLE}"


def test_elsewhere_an_answer_is_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    print_answer(ANSWER)
    assert capsys.readouterr().out == f"{ANSWER}\n"


def test_at_a_terminal_tables_fit_and_lose_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    print_answer(ANSWER)
    out = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out)
    lines = out.splitlines()
    assert lines[:2] == ["甲公司增长。[1]", "乙公司下降。[2]"]
    # a Chinese character takes two columns
    assert all(sum(1 + (ord(each) > 0x2E80) for each in line.rstrip()) <= 80 for line in lines)
    assert "星河新材" in out and "澄光储能" in out and "---" not in out
    cell = "".join(line.removeprefix("星河新材").strip() for line in lines if "澄光" not in line)
    assert LONG in cell


def test_where_there_is_no_terminal_progress_is_a_line_a_minute() -> None:
    moments = iter([0.0, 10.0, 59.0, 61.0, 61.0, 90.0, 125.0, 125.0])
    stream = io.StringIO()
    progress = progress_lines(stream, lambda: next(moments))
    for stage, done in [("pages", 1), ("pages", 5), ("pages", 6), ("chunks", 1), ("chunks", 2)]:
        progress(stage, done, 9)
    progress("empty", 0, 0)
    assert stream.getvalue() == "pages 6 of 9\npages 6 of 9, chunks 2 of 9\n"
