"""Real graphs of a few kilobytes, run by onnxruntime: pooling, prefixes, and what can be wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.models.embedders import load_embedder
from finrag_pipeline.models.embedding import unit
from finrag_pipeline.models.onnx.embedder import OnnxEmbedder
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.models.onnx.graphs import ids, make_folder, table

ROWS = table(16)
TEXTS = ["营收增长", "毛利率下降的问题", "a", "gross margin fell", ""]


def pooled(text: str, way: str) -> NDArray[np.float32]:
    rows = ROWS[ids(text)]
    made = {
        "mean": rows.mean(axis=0),
        "cls": rows[0],
        "lasttoken": rows[-1],
        "max": rows.max(axis=0),
    }
    return unit(made[way][None])[0]


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> OnnxEmbedder:
    return OnnxEmbedder(make_folder(tmp_path_factory.mktemp("models") / "plain", ROWS))


@pytest.mark.parametrize(
    ("asked", "way"),
    [
        ({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}, "mean"),
        ({"pooling_mode_cls_token": True, "word_embedding_dimension": 16}, "cls"),
        ({"pooling_mode_lasttoken": True, "include_prompt": True}, "lasttoken"),
        ({"pooling_mode_max_tokens": True}, "max"),
        ({"pooling_mode": "cls"}, "cls"),
        ({}, "mean"),
    ],
)
def test_tokens_are_pooled_as_the_folder_says(
    tmp_path: Path, asked: dict[str, Any], way: str
) -> None:
    made = OnnxEmbedder(make_folder(tmp_path, ROWS, **{"1_Pooling__config": asked}))
    expected = np.stack([pooled(text, way) for text in TEXTS])
    assert np.allclose(made.embed_passages(TEXTS), expected, atol=1e-6)


def test_a_graph_that_pools_is_taken_at_its_word(tmp_path: Path) -> None:
    modules = [{"type": "sentence_transformers.models.Dense", "path": "2_Dense"}]
    made = OnnxEmbedder(
        make_folder(
            tmp_path, ROWS, "onnx/model.onnx", "sentence_embedding", summed=True, modules=modules
        )
    )
    expected = unit(np.stack([ROWS[ids(text)].sum(axis=0) for text in TEXTS]))
    assert np.allclose(made.embed_passages(TEXTS), expected, atol=1e-6)


@given(st.lists(st.sampled_from([*TEXTS, "率" * 40, "x y"]), max_size=6))
def test_a_vector_does_not_depend_on_its_company(embedder: OnnxEmbedder, texts: list[str]) -> None:
    alone = [embedder.embed_passages([text])[0] for text in texts]
    together = embedder.embed_passages(texts)
    assert together.shape == (len(texts), 16)
    assert all(np.array_equal(row, other) for row, other in zip(together, alone, strict=True))


@pytest.mark.parametrize("passages", ["passage", "document"])
def test_questions_and_passages_get_the_folders_own_prefixes(tmp_path: Path, passages: str) -> None:
    prompts = {"prompts": {"query": "问：", passages: "p: "}}
    made = OnnxEmbedder(make_folder(tmp_path, ROWS, config_sentence_transformers=prompts))
    assert np.allclose(made.embed_questions(["营收"])[0], pooled("问：营收", "mean"), atol=1e-6)
    assert np.allclose(made.embed_passages(["营收"])[0], pooled("p: 营收", "mean"), atol=1e-6)


def test_a_folder_without_prefixes_gets_those_of_its_family(tmp_path: Path) -> None:
    made = OnnxEmbedder(make_folder(tmp_path / "multilingual-e5-base", ROWS))
    assert np.allclose(made.embed_questions(["a"])[0], pooled("query: a", "mean"), atol=1e-6)


def test_long_texts_are_cut_where_the_model_ends(tmp_path: Path) -> None:
    limit = {"max_seq_length": 5}
    made = OnnxEmbedder(make_folder(tmp_path, ROWS, sentence_bert_config=limit))
    first, second = made.embed_passages(["abc", "abcdefgh"])
    assert np.array_equal(first, second)


def test_the_settings_name_a_folder_and_a_length(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "small", ROWS)
    made = load_embedder(Settings(_env_file=None, embedder=f"onnx:{folder}", embedding_dimension=4))
    assert (made.space.name, made.space.dimension) == ("onnx:small", 4)
    whole = pooled("营收", "mean")[:4]
    assert np.allclose(made.embed_passages(["营收"])[0], whole / np.linalg.norm(whole), atol=1e-6)
    with pytest.raises(ConfigurationError, match="vectors of 16 numbers, FINRAG_EMBEDDING_DIM"):
        OnnxEmbedder(folder, dimension=17)


def test_what_is_missing_or_broken_is_one_clear_line(tmp_path: Path) -> None:
    def refused(folder: Path, why: str) -> None:
        with pytest.raises(ConfigurationError, match=f"^FINRAG_EMBEDDER: onnx:{folder}: .*{why}"):
            OnnxEmbedder(folder)

    refused(tmp_path / "none", "is no folder")
    bare = tmp_path / "bare"
    bare.mkdir()
    refused(bare, "holds no tokenizer.json: save")
    make_folder(tmp_path / "headless", ROWS).joinpath("model.onnx").unlink()
    refused(tmp_path / "headless", r"holds no model\*.onnx: export")
    make_folder(tmp_path / "torn", ROWS).joinpath("model.onnx").write_bytes(b"\x08\x0a broken")
    refused(tmp_path / "torn", "model.onnx cannot be loaded: ")
    make_folder(tmp_path / "mute", ROWS).joinpath("tokenizer.json").write_text("{}")
    refused(tmp_path / "mute", "its tokenizer cannot be read: ")
    dense = [{"type": "sentence_transformers.models.Dense", "path": "2_Dense"}]
    make_folder(tmp_path / "dense", ROWS, modules=dense)
    refused(tmp_path / "dense", "asks for Dense, which is not in its graph")
    both = {"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": True}
    make_folder(tmp_path / "both", ROWS, **{"1_Pooling__config": both})
    refused(tmp_path / "both", "pools by pooling_mode_mean_tokens and pooling_mode_cls_token")
    make_folder(tmp_path / "odd", ROWS, modules=[]).joinpath("modules.json").write_text("[")
    refused(tmp_path / "odd", "modules.json cannot be read: ")
    # a table of five characters for a tokenizer of more
    make_folder(tmp_path / "short", ROWS[:5])
    refused(tmp_path / "short", "its graph cannot run: ")
