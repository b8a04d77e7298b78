"""A store of the offline embedder moves to e5, which finds what shares no word with a question."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from finrag_pipeline.errors import VectorSpaceMismatch
from finrag_pipeline.pipelines.documents.reembedding import reembed_documents
from finrag_pipeline.pipelines.run.run import Run
from finrag_pipeline.query.engine import QueryEngine
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline_tests.pipelines.conftest import make_pdf
from finrag_pipeline_tests.pipelines.stages import ingest

TEXTS = {
    "a.pdf": "本期毛利率同比下降三个百分点，主要因为原料涨价而产品价格没有跟上。",
    "b.pdf": "董事会提议向全体股东每股派发现金股利四角，股权登记日另行公告。",
    "c.pdf": "公司在匈牙利新建两座工厂，预计明年投产，届时年产能翻一番。",
}


def test_an_older_store_says_what_to_do_and_then_finds_more(
    run: Run, inbox: Path, reader: Reader, e5_home: Path
) -> None:
    for name, text in TEXTS.items():
        make_pdf(inbox / name, text)
    ingest(run, [inbox])
    run.settings.home.mkdir(exist_ok=True)
    (run.settings.home / "models").symlink_to(e5_home / "models")
    moved = replace(run, settings=run.settings.model_copy(update={"embedder": "e5"}))
    engine = QueryEngine(reader, moved.settings)
    with pytest.raises(
        VectorSpaceMismatch, match=r"by offline .* embedder is e5 .*`finrag reembed`"
    ):
        engine.search("分红方案")
    reembed_documents(moved.database, moved.settings)
    for question, name in (("分红方案", "b"), ("海外扩产", "c"), ("盈利能力为何变差？", "a")):
        found = engine.search(question).results
        assert TEXTS[f"{name}.pdf"][:8] in found[0].text, question
    assert engine.ask("每股派发多少现金股利？").answer.startswith(TEXTS["b.pdf"][:12])
