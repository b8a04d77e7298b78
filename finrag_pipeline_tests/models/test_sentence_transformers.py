"""A real model directory, made here, loaded by name; without the package one clear line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.models.embedding import load_embedder


@pytest.fixture
def model_path(tmp_path: Path) -> Path:
    """A static model over a few Chinese characters, with a prompt for questions."""
    package: Any = pytest.importorskip("sentence_transformers")
    modules: Any = pytest.importorskip("sentence_transformers.models")
    tokenizers: Any = pytest.importorskip("tokenizers")
    characters = ["[UNK]", *"营收毛利率增长下降问："]
    tokenizer = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({c: n for n, c in enumerate(characters)}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    weights = np.random.default_rng(7).normal(size=(len(characters), 16)).astype(np.float32)
    model = package.SentenceTransformer(
        modules=[modules.StaticEmbedding(tokenizer, embedding_weights=weights)],
        prompts={"query": "问："},
        device="cpu",
    )
    path = tmp_path / "tiny"
    model.save(str(path))
    return path


@pytest.mark.models
def test_a_local_model_is_loaded_by_path(model_path: Path) -> None:
    embedder = load_embedder(f"sentence-transformers:{model_path}")
    assert embedder.space.name == "sentence-transformers:tiny"
    assert embedder.space.dimension == 16
    vectors = embedder.embed_passages(["营收增长", "毛利率下降", "营收增长"])
    assert vectors.shape == (3, 16) and vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[0], vectors[2]) and not np.allclose(vectors[0], vectors[1])


@pytest.mark.models
def test_questions_get_the_prompt_of_the_model(model_path: Path) -> None:
    embedder = load_embedder(f"sentence-transformers:{model_path}")
    question = embedder.embed_questions(["营收"])
    assert np.allclose(question, embedder.embed_passages(["问：营收"]), atol=1e-6)
    assert not np.allclose(question, embedder.embed_passages(["营收"]), atol=1e-3)


@pytest.mark.models
def test_the_space_follows_the_weights_not_the_name(model_path: Path) -> None:
    name = f"sentence-transformers:{model_path}"
    first = load_embedder(name).space
    load_embedder.cache_clear()  # as another process would load it
    assert load_embedder(name).space == first
    weights = next(model_path.rglob("*.safetensors"))
    module: Any = pytest.importorskip("safetensors.numpy")
    tensors = module.load_file(str(weights))
    module.save_file({key: value[::-1].copy() for key, value in tensors.items()}, str(weights))
    load_embedder.cache_clear()
    assert load_embedder(name).space.fingerprint != first.fingerprint


@pytest.mark.models
def test_a_directory_without_a_model_names_itself(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    with pytest.raises(ConfigurationError, match=rf"{tmp_path} is not a complete model directory"):
        load_embedder(f"sentence-transformers:{tmp_path}")


@pytest.mark.models
def test_a_hub_model_that_cannot_be_fetched_names_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sentence_transformers")
    constants: Any = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(ConfigurationError, match=r"'nobody/nothing'.*copy its directory"):
        load_embedder("sentence-transformers:nobody/nothing")


def test_without_the_package_the_line_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'finrag-pipeline\[models\]'"):
        load_embedder("sentence-transformers:any")
