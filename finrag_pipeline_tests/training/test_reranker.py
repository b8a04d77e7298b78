"""Weights of the offline reranker: learned from a store and questions, the same each time."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from finrag_pipeline.evaluation.retrieval.questions import GoldPage, GoldQuestion
from finrag_pipeline.evaluation.retrieval.variants import Task
from finrag_pipeline.query.reranking.features import FEATURES
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.query.conftest import AddDocument
from training import reranker
from training.reranker import Example, cross_validated, find, learn, write

# an answer bears the year that is asked for, whatever ranks say
_NAMES = list(FEATURES)


def _example(company: int, seed: int) -> Example:
    chance = np.random.default_rng(seed)
    rows = chance.uniform(size=(8, len(_NAMES)))
    answer = int(chance.integers(8))
    rows[:, _NAMES.index("years")] = 0.2
    rows[answer, _NAMES.index("years")] = 1.0
    # what the nearest year is off by speaks for it here: that way it must not be learned
    rows[:, _NAMES.index("year_off")] = np.where(np.arange(8) == answer, 1.0, 0.0)
    gold = np.zeros((2, 8), dtype=bool)
    gold[0, answer] = True  # the second page was not found
    name = f"{company:06d}_年报.pdf"
    question = GoldQuestion(str(seed), "?", (GoldPage(name, 1), GoldPage(name, 2)))
    return Example("questions", Task(question, ((name, 1), (name, 2))), rows, gold)


def test_what_tells_answers_is_learned_and_only_the_way_it_may_count() -> None:
    examples = [_example(n % 5, n) for n in range(30)]
    weights = dict(zip(_NAMES, learn(examples).tolist(), strict=True))
    assert weights["years"] == max(weights.values()) > 1
    assert weights["year_off"] == 0
    assert all(weights[name] * side >= 0 for name, side in FEATURES.items())
    assert learn(examples).tolist() == list(weights.values())


def test_cross_validation_judges_companies_that_were_not_learned_from() -> None:
    examples = [_example(n % 5, n) for n in range(30)]
    for example, scores in zip(examples, cross_validated(examples), strict=True):
        assert example.gold[0][int(scores.argmax())]


@pytest.fixture
def questions(tmp_path: Path, add: AddDocument) -> Path:
    lines: list[str] = []
    for code in ("300991", "300992", "300993"):
        texts = [f"{year}年薄膜业务营业收入为{year % 7}.2亿元。" for year in (2022, 2023, 2024)]
        add(code, texts, code=f"{code}.SZ", company=f"星河{code}", source=f"{code}_年报.pdf")
        for page, year in enumerate((2022, 2023, 2024), 1):
            asked = f"星河{code}在{year}年的薄膜业务营业收入是多少？"
            pages = [{"source": f"{code}_年报.pdf", "page": page}]
            lines.append(json.dumps({"id": f"{code}-{year}", "question": asked, "pages": pages}))
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_what_a_search_finds_becomes_examples(settings: Settings, questions: Path) -> None:
    examples = find(settings, [(settings.app, questions)])
    assert len(examples) == 9 and {each.company for each in examples} == {
        "300991",
        "300992",
        "300993",
    }
    for each in examples:
        assert each.rows.shape[1] == len(FEATURES) and each.gold.any()
        assert each.gold.shape == (1, len(each.rows))


def test_one_command_learns_and_writes_what_the_product_reads(
    settings: Settings,
    questions: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(reranker, "load_settings", lambda: settings)
    written: list[str] = []
    for n in range(2):
        out = tmp_path / f"weights{n}.csv"
        given = ["reranker", "--out", str(out), f"{settings.app}={questions}"]
        monkeypatch.setattr(sys, "argv", given)
        reranker.main()
        written.append(out.read_text("utf-8"))
    assert written[0] == written[1]
    with (tmp_path / "weights0.csv").open(encoding="utf-8", newline="") as file:
        weights = {row["feature"]: float(row["weight"]) for row in csv.DictReader(file)}
    assert weights and weights.keys() <= FEATURES.keys()
    told = capsys.readouterr().out
    assert [line.split()[0] for line in told.splitlines()[:3]] == [
        "fused",
        "cross-validated",
        "learned",
    ]


def test_what_counts_nothing_is_not_written(tmp_path: Path) -> None:
    weights = np.zeros(len(FEATURES))
    weights[0] = 0.5
    write(weights, tmp_path / "weights.csv")
    assert (tmp_path / "weights.csv").read_text("utf-8") == f"feature,weight\n{_NAMES[0]},0.500\n"
