"""Trees that choose sentences: learned from a store and questions, the same each time."""

from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from finrag_pipeline.query.answers.choice import Choice
from finrag_pipeline.query.answers.likeliest.traits import COMPARED
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.query.conftest import AddDocument
from training import sentence_choice, stores
from training.sentence_choice import Example, cross_validated, examples, learn


def _example(number: int) -> Example:
    chance = np.random.default_rng(number)
    right = int(chance.integers(10))
    traits = [
        dict.fromkeys(COMPARED, 0.0)
        | {"covered": float(n == right) + float(chance.normal(0, 0.2)), "rank": float(n)}
        for n in range(10)
    ]
    return Example(f"company {number}", traits, np.arange(10) == right)


def test_what_tells_the_right_sentence_is_learned_the_same_each_time(tmp_path: Path) -> None:
    found = [_example(n) for n in range(60)]
    learned, again = learn(found), learn(found)
    for one, other in ((learned.order, again.order), (learned.surety, again.surety)):
        assert (one.bound == other.bound).all() and (one.leaf == other.leaf).all()
    learned.write(tmp_path)
    fresh = _example(1000)
    sure = Choice.read(tmp_path).chances(fresh.traits)
    assert fresh.right[sure.argmax()]
    assert np.sort(sure)[-2] < 0.1 < 0.4 < sure.max() <= 1


def test_questions_are_judged_by_what_was_learned_from_those_on_others() -> None:
    best = cross_validated([_example(n) for n in range(60)])
    assert len(best) == 60
    assert sum(right for _, right in best) > 50


def test_examples_hold_the_sentences_of_a_store(
    tmp_path: Path,
    settings: Settings,
    add: AddDocument,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    golds: list[dict[str, object]] = []
    for code, company in {"300999": "星河新材", "300998": "云岭电气", "300997": "沧海生物"}.items():
        add(
            code,
            [
                f"{company}的新产线设在东海市，由当地国资参与出资。",
                f"{company}主营特种材料，下游为电池厂商。",
            ],
            published_on=date(2025, 3, 27),
            title=f"{company}2024年年度报告",
            kind="filing",
            company=company,
            code=f"{code}.SZ",
            period=(date(2024, 1, 1), date(2024, 12, 31), 2024),
        )
        gold: dict[str, object] = {"id": code, "kind": "fact", "status": "answered"}
        gold |= {"question": f"{company}新产线建在哪座城市", "must": ["东海"]}
        golds.append({**gold, "pages": [{"source": f"{code}.pdf", "page": 1}]})
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(json.dumps(each, ensure_ascii=False) for each in golds), "utf-8")
    found = list(examples(settings, [path]))
    assert [each.right.any() for each in found] == [True] * 3
    assert not any(each.right.all() for each in found)
    out = tmp_path / "learned"
    out.mkdir()
    store = f"{settings.home}={path}"
    monkeypatch.setattr(sys, "argv", ["sentence_choice", "--out", str(out), store])
    monkeypatch.setattr(stores, "load_settings", lambda: settings)
    sentence_choice.main()
    assert "3 questions, 3 with a sentence that answers" in capsys.readouterr().out
    assert {each.name for each in out.iterdir()} == {"order.npz", "surety.npz"}
