"""Real model directories, made here, loaded by path; without the package one clear line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.models.embedders import load_embedder, recognised
from finrag_pipeline.models.embedding import Embedder
from finrag_pipeline.models.fingerprint import same_space
from finrag_pipeline.models.prompts import family_prompts
from finrag_pipeline.models.sentence_transformers import SentenceTransformersEmbedder
from finrag_pipeline.settings import Settings

CHARACTERS = [
    "[UNK]",
    *"营收毛利率增长下降问：",
    *map(chr, range(32, 127)),
    *"为这个句子生成表示以用于检索相关文章",
]


def make_model(path: Path, prompts: dict[str, str] | None = None, seed: int = 7) -> Path:
    """A static model over a few characters: the mean of their random vectors."""
    package: Any = pytest.importorskip("sentence_transformers")
    modules: Any = pytest.importorskip("sentence_transformers.models")
    tokenizers: Any = pytest.importorskip("tokenizers")
    vocabulary = {character: n for n, character in enumerate(dict.fromkeys(CHARACTERS))}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    weights = np.random.default_rng(seed).normal(size=(len(vocabulary), 16)).astype(np.float32)
    model = package.SentenceTransformer(
        modules=[modules.StaticEmbedding(tokenizer, embedding_weights=weights)],
        prompts=prompts,
        device="cpu",
    )
    model.save(str(path))
    return path


def load(path: Path, **settings: Any) -> Embedder:
    name = f"sentence-transformers:{path}"
    return load_embedder(Settings(_env_file=None, embedder=name, **settings))


@pytest.mark.models
def test_a_local_model_is_loaded_by_path_once(tmp_path: Path) -> None:
    path = make_model(tmp_path / "tiny")
    embedder = load(path)
    assert load(path) is embedder
    assert embedder.space.name == "sentence-transformers:tiny"
    assert embedder.space.dimension == 16
    vectors = embedder.embed_passages(["营收增长", "毛利率下降", "营收增长"])
    assert vectors.shape == (3, 16) and vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[0], vectors[2]) and not np.allclose(vectors[0], vectors[1])
    assert embedder.embed_passages([]).shape == embedder.embed_questions([]).shape == (0, 16)


def prefixed(embedder: Embedder, plain: Embedder, query: str, passage: str) -> None:
    """Questions and passages of an embedder are those of another with prefixes put before them."""
    question = embedder.embed_questions(["营收"])
    assert np.allclose(question, plain.embed_passages([f"{query}营收"]), atol=1e-6)
    stored = embedder.embed_passages(["毛利率下降"])
    assert np.allclose(stored, plain.embed_passages([f"{passage}毛利率下降"]), atol=1e-6)


@pytest.mark.models
def test_questions_and_passages_get_the_prompts_of_the_model(tmp_path: Path) -> None:
    plain = load(make_model(tmp_path / "plain"))
    own = {"query": "问：", "document": "文："}
    # its own prompts, whatever its name would call for
    prefixed(load(make_model(tmp_path / "e5-small-v2", own)), plain, "问：", "文：")
    prefixed(load(make_model(tmp_path / "e5-base-v2", {"query": "问："})), plain, "问：", "")


@pytest.mark.models
@pytest.mark.parametrize(
    ("name", "query", "passage"),
    [
        ("bge-m3", "", ""),
        ("bge-large-zh-v1.5", "为这个句子生成表示以用于检索相关文章：", ""),
        ("bge-small-en-v1.5", "Represent this sentence for searching relevant passages: ", ""),
        ("multilingual-e5-small", "query: ", "passage: "),
        ("text2vec-base-chinese", "", ""),
    ],
)
def test_a_family_known_to_need_prefixes_gets_them(
    tmp_path: Path, name: str, query: str, passage: str
) -> None:
    plain = load(make_model(tmp_path / "plain"))
    prefixed(load(make_model(tmp_path / name)), plain, query, passage)


def test_the_last_part_of_a_path_that_names_a_family_decides() -> None:
    cached = "hub/models--BAAI--bge-base-zh-v1.5/snapshots/f03589ceff5aac7111bd60cfc7d497ca17ecac65"
    assert family_prompts(cached) == family_prompts("BAAI/bge-base-zh-v1.5") != family_prompts("x")
    assert family_prompts("models/e5-large/bge-m3") == family_prompts("")
    assert family_prompts("intfloat/e5-mistral-7b-instruct") == family_prompts("")
    assert family_prompts("multilingual-e5-large-instruct").query.startswith("Instruct: ")
    assert family_prompts("multilingual-e5-large-instruct").document == ""


@pytest.mark.models
def test_pooling_is_that_of_the_models_own_modules(tmp_path: Path) -> None:
    package: Any = pytest.importorskip("sentence_transformers")
    modules: Any = pytest.importorskip("sentence_transformers.models")
    transformers: Any = pytest.importorskip("transformers")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"营收增长下降"]
    (tmp_path / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=32,
    )
    transformers.set_seed(7)
    bert = transformers.BertModel(config)
    spaces = []
    for pooling in ("cls", "mean"):
        raw = tmp_path / f"raw-{pooling}"
        bert.save_pretrained(raw)
        transformers.BertTokenizerFast(str(tmp_path / "vocab.txt")).save_pretrained(raw)
        body = modules.Transformer(str(raw))
        head = modules.Pooling(16, pooling_mode=pooling)
        path = tmp_path / pooling
        package.SentenceTransformer(modules=[body, head], device="cpu").save(str(path))
        spaces.append(load(path))
        with pytest.raises(ConfigurationError, match=r"modules.json is missing"):
            load(raw)  # how to pool it would be a guess
    first, mean = (embedder.embed_passages(["营收增长"]) for embedder in spaces)
    assert not np.allclose(first, mean, atol=1e-2)
    assert recognised(spaces[0], [spaces[1].space]) is spaces[0]


@pytest.mark.models
def test_vectors_are_cut_to_the_dimension_asked_for(tmp_path: Path) -> None:
    path = make_model(tmp_path / "tiny")
    whole, cut = load(path), load(path, embedding_dimension=4)
    assert cut.space.dimension == 4
    head = whole.embed_passages(["营收增长"])[:, :4]
    assert np.allclose(cut.embed_passages(["营收增长"]), head / np.linalg.norm(head), atol=1e-5)


@pytest.mark.models
def test_the_space_follows_the_weights_not_the_name(tmp_path: Path) -> None:
    path = make_model(tmp_path / "tiny")
    # each as another process would load it
    first = SentenceTransformersEmbedder(str(path)).space
    assert SentenceTransformersEmbedder(str(path)).space == first
    other = SentenceTransformersEmbedder(str(make_model(path, seed=8))).space
    assert other.name == first.name
    assert not same_space(other.fingerprint, first.fingerprint)


@pytest.mark.models
def test_a_directory_without_a_model_names_itself(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    with pytest.raises(ConfigurationError, match=rf"{tmp_path} is not a complete model directory"):
        load(tmp_path)


@pytest.mark.models
def test_a_hub_model_that_cannot_be_fetched_names_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sentence_transformers")
    constants: Any = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(ConfigurationError, match=r"'nobody/nothing'.*copy its directory"):
        load(Path("nobody/nothing"))


def test_without_the_package_the_line_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ConfigurationError, match="pip install 'sentence-transformers"):
        load(Path("any"))
