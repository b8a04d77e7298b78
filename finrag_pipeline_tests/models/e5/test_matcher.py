"""The model that matches questions with figures: what it is changed by, and what it is for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from finrag_pipeline.models import e5
from finrag_pipeline.models.e5 import E5Embedder
from finrag_pipeline.models.e5.changes import read_changes, write_changes
from finrag_pipeline.models.e5.weights import Weights
from finrag_pipeline.models.embedders import matching, sentence_matching
from finrag_pipeline.models.fingerprint import same_space
from finrag_pipeline.models.offline import OfflineEmbedder
from finrag_pipeline.models.onnx.embedder import OnnxEmbedder
from finrag_pipeline.models.onnx.model import OnnxModel

ROWS = [
    "货币资金 期末余额",
    "应收账款 期末余额",
    "存货 期末余额",
    "合同负债 期末余额",
    "应付职工薪酬 期末余额",
    "研发人员数量占比",
    "经营活动产生的现金流量净额",
]


def nearest(embedder: OnnxEmbedder, question: str) -> str:
    asked = embedder.embed_questions([question])[0]
    return ROWS[int((embedder.embed_passages(ROWS) @ asked).argmax())]


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("客户尚未付清的货款有多少？", "应收账款 期末余额"),
        ("客户先付了钱、货还没有交的部分", "合同负债 期末余额"),
        ("还欠员工多少工资没发？", "应付职工薪酬 期末余额"),
        ("what share of the staff does research?", "研发人员数量占比"),
        ("goods still in the warehouse at the end", "存货 期末余额"),
    ],
)
def test_a_question_in_other_words_is_nearest_to_its_row(
    embedder: E5Embedder, question: str, row: str
) -> None:
    assert nearest(embedder.matcher, question) == row


def test_a_question_is_nearest_to_the_sentence_that_answers_it(embedder: E5Embedder) -> None:
    said = [
        "毛利率下降2.1个百分点至23.4%，主要因新产线尚在爬坡、铜价上行而产品调价滞后一个季度。",
        "公司已与前五大客户签订联动协议，并把两班制改为三班制以摊薄成本。",
        "墨西哥工厂已完成厂房封顶，首批样件计划于明年二月送客户验证。",
        "董事会提出每10股派2.5元，低于上年的4元。",
    ]
    matcher = embedder.sentence_matcher
    told = matcher.embed_passages(said)
    asked = (
        "为啥赚得没以前厚了",
        "打算怎么应对成本压力",
        "海外那个厂建到哪步了",
        "this year's payout",
    )
    nearest = (told @ matcher.embed_questions(list(asked)).T).argmax(0).tolist()
    assert nearest == [0, 1, 2, 3]


def test_its_space_is_another_one(embedder: E5Embedder) -> None:
    own, other = embedder.space, embedder.matcher.space
    assert own.dimension == other.dimension
    assert not same_space(own.fingerprint, other.fingerprint)


def test_it_is_loaded_once_and_used_where_e5_is(embedder: E5Embedder) -> None:
    assert matching(embedder) is embedder.matcher is matching(embedder)
    offline = OfflineEmbedder()
    assert matching(offline) is offline
    assert sentence_matching(embedder) is embedder.sentence_matcher is not embedder.matcher
    assert sentence_matching(offline) is offline


def test_labels_that_come_again_are_not_read_again(
    embedder: E5Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    matcher = embedder.matcher
    first = matcher.embed_passages(ROWS)
    run, read = OnnxModel.run, list[str]()

    def counted(self: OnnxModel, text: str, *rest: object, **named: object) -> object:
        read.append(text)
        return run(self, text, *rest, **named)  # pyright: ignore

    monkeypatch.setattr(OnnxModel, "run", counted)
    again = matcher.embed_passages([*ROWS, "商誉 期末余额"])
    assert (again[: len(ROWS)] == first).all()
    assert read == ["passage: 商誉 期末余额"]


def test_its_folder_is_known_by_what_it_is_changed_by(e5_home: Path, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.npz"
    name, width = "l11.q.w", Weights.installed().width
    zero = np.zeros((1, width), np.float32), np.zeros((width, 1), np.float32)
    write_changes(nothing, {name: zero})
    folder = e5.folder(e5_home, nothing)
    assert folder != e5.folder(e5_home) and folder.name.startswith(e5.folder(e5_home).name)
    same = OnnxEmbedder(folder, final=True).embed_questions(["应收账款"])
    assert same == pytest.approx(e5.load(e5_home).embed_questions(["应收账款"]), abs=1e-6)


def test_changes_come_back_as_the_products_of_their_halves(tmp_path: Path) -> None:
    first = np.array([[1.0, 2.0, 0.5]], np.float32)
    then = np.array([[2.0], [-1.0]], np.float32)
    write_changes(tmp_path / "some.npz", {"l4.q.w": (first, then)})
    assert read_changes(tmp_path / "some.npz")["l4.q.w"].tolist() == (then @ first).tolist()


def test_every_change_is_of_a_matrix_of_the_model() -> None:
    weights = Weights.installed()
    changes = (*read_changes(e5.MATCHING).items(), *read_changes(e5.SENTENCES).items())
    for name, change in changes:
        assert weights.matrix(name).numbers.shape == change.shape
