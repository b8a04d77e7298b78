"""Houses under all their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from finrag_pipeline.data_files import data_rows
from finrag_pipeline.grammar import publishers as module
from finrag_pipeline.grammar.publishers import canonical, publishers, publishers_in


def test_every_spelling_leads_to_its_house() -> None:
    for house in publishers().values():
        for each in (house.name, *house.spellings):
            assert canonical(each) == house.name, each


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("GUOSEN SECURITIES CO., LTD.", "国信证券"),
        ("国信证券股份有限公司", "国信证券"),
        ("国信证券经济研究所", "国信证券经济研究所"),
        ("上海证券报", "上海证券报"),
        ("Morgan  Stanley & Co. LLC", "摩根士丹利"),
        ("中金公司研究部", "中国国际金融"),
        ("Deloitte Touche Tohmatsu", "德勤"),
        ("远山研究所", "远山研究所"),
    ],
)
def test_a_house_is_one_under_its_names(printed: str, name: str) -> None:
    assert canonical(printed) == name


@pytest.mark.parametrize(
    "text",
    [
        "whoever asks",
        "WHOLESALE",
        "a bcg vaccine",
        "mckinseyite",
        "info@ubs.example",
        "www.who.int",
    ],
)
def test_acronyms_and_parts_of_words_are_no_house(text: str) -> None:
    assert not list(publishers_in(text))


def test_of_names_that_overlap_the_longest_counts() -> None:
    named = [house.name for house, _, _ in publishers_in("光大证券国际与光大证券、申万宏源研究")]
    assert named == ["光大证券国际", "光大证券", "申万宏源证券"]


def test_a_spelling_of_two_houses_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "publishers.csv"
    path.write_text("name,kind,spellings\n甲证券,securities,A\n乙证券,securities,a\n", "utf-8")
    assert len(list(data_rows(path, ("name", "kind", "spellings")))) == 2
    monkeypatch.setattr(module, "_PATH", path)
    with pytest.raises(ValueError, match=r"publishers\.csv:3: a stands twice"):
        publishers.__wrapped__()
