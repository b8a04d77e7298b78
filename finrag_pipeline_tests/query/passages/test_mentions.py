"""Which numbers of a text are figures, and what each tells."""

from __future__ import annotations

import pytest

from finrag_pipeline.query.answers.passages.mentions import mentions_in


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("（7）. 关键管理人员报酬", []),
        ("4.1 中青年缺齿率为36.4%", [("36.4", "level")]),
        ("HG3918项目与GLP-1类药物共有5项专利", [("5", "level")]),
        ("与上证50日度收益率的相关性为0.3", [("0.3", "level")]),
        ("2家公司参与，投入3.5亿元", [("2", "level"), ("3.5", "level")]),
        ("规模以20.3%的年复合增速增至2030年的308.6亿元", [("20.3", "growth"), ("308.6", "level")]),
        ("2024-2030年CAGR为12%", [("12", "growth")]),
        ("毛利率从20%增长至25%", [("20", "level"), ("25", "level")]),
    ],
)
def test_numbers_of_names_and_headings_are_no_figures(
    text: str, told: list[tuple[str, str]]
) -> None:
    found = mentions_in(text, ())
    assert [(str(each.quantity.number), each.role) for each in found] == told
