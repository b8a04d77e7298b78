"""Word vectors are learned from pairs of texts about one thing."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from finrag_pipeline.models.embedding import unit
from finrag_pipeline.models.semantic import SemanticTable, write
from training import word_vectors
from training.text_pairs import PairSampler, TrainingText, read_training_text
from training.word_vectors import contrast, train

TOPICS = (
    ("光伏", "组件 硅片 电池片 逆变器 装机 电站 硅料 产能"),
    ("银行", "存款 贷款 息差 拨备 不良 资本 网点 利率"),
    ("白酒", "基酒 窖池 经销 渠道 高端 宴席 酿造 库存"),
)


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> TrainingText:
    """Passages of three topics, a heading above each, none with a word of another."""
    chance = np.random.default_rng(0)
    lines: list[str] = []
    for _ in range(60):
        for heading, words in TOPICS:
            drawn = [chance.choice(words.split(), 4) for _ in range(4)]
            lines += [f"{heading}业务情况", "".join(f"公司的{'、'.join(d)}。" for d in drawn), ""]
    path = tmp_path_factory.mktemp("text") / "text.gz"
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        stream.write("\n".join(lines))
    return read_training_text([path])


def cosine(table: SemanticTable, one: str, other: str) -> float:
    first, second = table.embed([{one: 1}, {other: 1}])
    return float(first @ second)


def test_headings_and_passages_are_told_from_the_text(text: TrainingText) -> None:
    assert text.heading.sum() == 180 and not text.alone.any()
    first = int(np.flatnonzero(text.heading)[0])
    assert [text.features[f] for f in text.span(0, 1)].count("光伏") == 1
    assert text.line[0] == first


def test_pairs_stay_inside_a_passage_and_the_same_seed_draws_the_same(text: TrainingText) -> None:
    one, other = (PairSampler(text, seed=3).draw(64) for _ in range(2))
    for drawn, again in zip(one, other, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(drawn, again, strict=True))
    topic = {word: n for n, (heading, words) in enumerate(TOPICS) for word in words.split()}
    for first, second in zip(*one, strict=True):
        topics = {topic.get(text.features[f]) for f in (*first, *second)} - {None}
        assert len(topics) <= 1


def test_gradients_are_those_of_the_loss() -> None:
    chance = np.random.default_rng(1)
    first, second = (unit(chance.normal(size=(4, 3))).astype(np.float64) for _ in range(2))
    _, gradient, other = contrast(first, second)
    step = 1e-5
    for rows, slope in ((first, gradient), (second, other)):
        for place in np.ndindex(rows.shape):
            kept = rows[place]
            losses = []
            for moved in (kept + step, kept - step):
                rows[place] = moved
                losses.append(contrast(first, second)[0])
            rows[place] = kept
            assert (losses[0] - losses[1]) / (2 * step) == pytest.approx(slope[place], abs=1e-4)


def test_training_brings_words_of_one_topic_together(
    text: TrainingText, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_vectors, "BATCH", 64)
    chance = np.random.default_rng(0)
    vectors = chance.normal(0, 0.02, (len(text.features), 16)).astype(np.float32)
    train(PairSampler(text, seed=0), vectors, steps=60)
    path = tmp_path / "table.npz"
    write(path, text.features, vectors)
    table = SemanticTable.read(path)
    assert table.dimension == 16
    for heading, words in TOPICS:
        others = [w for name, found in TOPICS if name != heading for w in found.split()]
        near = np.mean([cosine(table, heading, word) for word in words.split()])
        far = np.mean([cosine(table, heading, word) for word in others])
        assert near > far + 0.3
    # one signed byte a number loses next to nothing
    exact = unit(vectors)
    stored = table.embed([{feature: 1} for feature in text.features])
    assert float((exact * stored).sum(axis=1).min()) > 0.999
