"""What questions are matched with is read as it was written, and is learned from."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

from training.worded_figures import FOLDER, WordedFigure, read_groups, term_groups
from training.worded_sentences import WordedSentence, read_passages


def test_every_line_is_a_figure_with_its_questions() -> None:
    groups = read_groups()
    figures = list(chain.from_iterable(groups))
    assert len(figures) > 8000
    assert all(each.asked and all(map(str.strip, each.asked)) for each in figures)
    assert all(each.label or each.figure in each.sentence for each in figures)
    assert max(map(len, groups)) <= 16
    assert len({path.stem for path in FOLDER.glob("*.jsonl")}) == 14


def test_a_group_is_of_one_table_or_of_sentences() -> None:
    for group in read_groups():
        assert len({each.table for each in group}) == 1
        assert len({bool(each.sentence) for each in group}) == 1


def test_what_is_printed_of_a_cell_has_its_label_and_of_a_sentence_its_figure() -> None:
    chance = random.Random(0)
    row = WordedFigure(
        ("客户欠的钱",), label="应收账款", heading="账面余额", table="附注", unit="元"
    )
    told = {row.printed(chance) for _ in range(200)}
    assert {"应收账款 账面余额", "账面余额 应收账款"} <= told
    assert all("应收账款" in each and "账面余额" in each for each in told)
    text = WordedFigure(
        ("占了多少",), sentence="收入增长，液冷方案在行业内占比三成，毛利持平。", figure="三成"
    )
    assert {text.printed(chance) for _ in range(50)} == {
        "液冷方案在行业内占比三成",
        "收入增长，液冷方案在行业内占比三成，毛利持平。",
    }


def test_questions_are_those_of_the_line() -> None:
    chance = random.Random(0)
    row = WordedFigure(("客户欠的钱", "货款没收"), other="trade receivables", label="应收账款")
    assert {row.question(chance) for _ in range(200)} == {*row.asked, row.other}


def test_terms_stand_beside_others_by_chance() -> None:
    some, others = (term_groups(random.Random(seed)) for seed in (0, 1))
    assert some != others
    terms = sorted(each.label for each in chain.from_iterable(some))
    assert terms == sorted(each.label for each in chain.from_iterable(others))
    assert all(each.label not in each.asked for each in chain.from_iterable(some))


def test_every_passage_has_sentences_that_are_asked_for_and_others() -> None:
    passages = read_passages()
    asked = [each for one in passages for each in one if each.asked]
    assert len(passages) > 900 and len(asked) > 6000
    assert all(len(each.asked) > 2 and each.other and each.says for each in asked)
    for one in passages:
        own = [each.says for each in one if each.asked]
        beside = [each.says for each in one if not each.asked]
        assert own and not any(each in other for each in own for other in beside)


def test_a_sentence_is_read_as_it_stands_or_under_its_heading() -> None:
    chance = random.Random(0)
    told = WordedSentence(("为啥降了",), says="毛利率因铜价下降。", heading="盈利能力")
    assert {told.printed(chance) for _ in range(50)} == {
        "毛利率因铜价下降。",
        "盈利能力 毛利率因铜价下降。",
    }


@pytest.mark.models
@pytest.mark.parametrize("name", ["figures", "sentences"])
def test_a_few_steps_bring_questions_nearer_to_what_they_mean(
    name: str, e5_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    matching = pytest.importorskip("training.matching")
    from finrag_pipeline.models import e5
    from finrag_pipeline.models.e5.weights import Weights
    from finrag_pipeline.models.onnx.tokenizers import read_tokenizer

    matching.torch.manual_seed(1)
    monkeypatch.setattr(matching, "WARM", 1)
    tokens = read_tokenizer(e5.folder(e5_home), 512)
    layers = matching.Layers(Weights.installed())
    kind = replace(matching.KINDS[name], passes=12.0, beside=lambda chance: [], size=96)
    groups = list(kind.read())[:10]
    before = matching.share_nearest(kind, layers, tokens, groups)
    matching.learn(kind, layers, tokens, groups)
    assert matching.share_nearest(kind, layers, tokens, groups) > before + 0.1
