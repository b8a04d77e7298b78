"""Trees that choose figures: learned from a store and questions, the same each time."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentTypeError
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from finrag_pipeline.query.answers.choice import Choice
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.documents import simple_table
from finrag_pipeline_tests.query.conftest import AddDocument
from training import figure_choice, stores
from training.figure_choice import Example, Sure, cross_validated, examples, learn

TRAITS = (
    *("said", "own", "covered", "topic", "heading", "near", "near_whole", "near_left", "alike"),
    *("near_label", "in_table", "in_row", "in_column"),
    *("unsaid_weight", "unsaid_most", "strange", "time", "table", "agrees", "meant"),
)


def _example(number: int) -> Example:
    chance = np.random.default_rng(number)
    right = int(chance.integers(10))
    traits = [
        {**dict.fromkeys(TRAITS, 0.0), "number": float(n), "near": float(chance.uniform())}
        for n in range(10)
    ]
    for n, each in enumerate(traits):
        each["covered"] = float(n == right) + float(chance.normal(0, 0.2))
    return Example(f"company {number}", traits, np.arange(10) == right, answerable=True)


def test_what_tells_the_right_figure_is_learned_the_same_each_time(tmp_path: Path) -> None:
    found = [_example(n) for n in range(60)]
    learned, again = learn(found), learn(found)
    for one, other in ((learned.order, again.order), (learned.surety, again.surety)):
        assert (one.bound == other.bound).all()
        assert (one.leaf == other.leaf).all()
    learned.write(tmp_path)
    fresh = _example(1000)
    sure = Sure(Choice.read(tmp_path)).chances(fresh.traits)
    assert fresh.right[sure.argmax()]
    assert 0.5 < sure.max() <= 1 and np.sort(sure)[-2] < 0.5
    assert (sure > 0).sum() <= 8 < len(sure)


def test_two_figures_that_say_as_much_are_neither_as_sure_as_one() -> None:
    learned = Sure(learn([_example(n) for n in range(60)]))
    fresh = _example(1000)
    best = max(fresh.traits, key=lambda each: each["covered"])
    twin = {**best, "number": 99.0}
    alone = learned.chances(fresh.traits)
    beside = learned.chances([*fresh.traits, twin])
    assert beside.max() < alone.max()
    # printed twice, the same number does not stand against itself
    again = learned.chances([*fresh.traits, {**best}])
    assert again.max() > beside.max()


def test_questions_are_judged_by_what_was_learned_from_those_on_others() -> None:
    found = [_example(n) for n in range(60)]
    best = cross_validated(found)
    assert len(best) == 60
    assert sum(right for _, right in best) > 50


def test_examples_hold_the_figures_of_a_store(
    tmp_path: Path,
    settings: Settings,
    add: AddDocument,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    staff = simple_table(
        "员工情况", [["项目", "人数（人）"], ["离退休职工人数", "46"], ["在职员工人数", "1,204"]]
    )
    companies = {"300999": "星河新材", "300998": "云岭电气", "300997": "沧海生物"}
    asked: dict[str, list[dict[str, object]]] = {"figures_one_dev": [], "figures_two_dev": []}
    for code, company in companies.items():
        add(
            code,
            ["公司拥有发明专利120件，实用新型专利35件。"],
            tables=[staff],
            published_on=date(2025, 3, 27),
            title=f"{company}2024年年度报告",
            kind="filing",
            company=company,
            code=f"{code}.SZ",
            period=(date(2024, 1, 1), date(2024, 12, 31), 2024),
        )
        told = (
            (f"{company}24年底退休的人有几个", 46, "人"),
            (f"{company}24年发明类专利有多少", 120, "件"),
        )
        pages = [{"source": f"{code}.pdf", "page": 1}]
        for golds, (question, value, unit) in zip(asked.values(), told, strict=True):
            gold = {"id": code, "question": question, "value": value, "unit": unit, "pages": pages}
            golds.append(gold)
    paths = [tmp_path / f"{name}.jsonl" for name in asked]
    for path, golds in zip(paths, asked.values(), strict=True):
        lines = (json.dumps(gold, ensure_ascii=False) for gold in golds)
        path.write_text("\n".join(lines), encoding="utf-8")
    found = list(examples(settings, paths))
    assert [each.right.any() for each in found] == [True] * 6
    out = tmp_path / "learned"
    out.mkdir()
    store = f"{settings.home}={','.join(map(str, paths))}"
    monkeypatch.setattr(sys, "argv", ["figure_choice", "--out", str(out), store])
    monkeypatch.setattr(stores, "load_settings", lambda: settings)
    figure_choice.main()
    assert "6 questions, 6 answerable" in capsys.readouterr().out
    assert {each.name for each in out.iterdir()} == {"order.npz", "surety.npz"}


def test_questions_on_one_company_alone_are_too_few_to_learn_from(
    tmp_path: Path,
    settings: Settings,
    add: AddDocument,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    add("year", ["公司拥有发明专利120件，实用新型专利35件。"], published_on=date(2025, 3, 27))
    gold = {"id": "1", "question": "发明类专利有多少", "value": 120, "unit": "件", "pages": []}
    path = tmp_path / "figures.jsonl"
    path.write_text(json.dumps(gold, ensure_ascii=False), encoding="utf-8")
    store = f"{settings.home}={path}"
    monkeypatch.setattr(sys, "argv", ["figure_choice", "--out", str(tmp_path), store])
    monkeypatch.setattr(stores, "load_settings", lambda: settings)
    with pytest.raises(SystemExit):
        figure_choice.main()
    assert "too few companies" in capsys.readouterr().err


@pytest.mark.parametrize("written", ["", "home", "home=", "=a.jsonl"])
def test_a_store_is_named_with_its_questions(written: str) -> None:
    with pytest.raises(ArgumentTypeError, match="HOME=FILE"):
        stores.read_asked(written)
    asked = stores.read_asked("/data=a.jsonl,b.jsonl")
    assert asked.settings.home == Path("/data")
    assert asked.files == (Path("a.jsonl"), Path("b.jsonl"))
