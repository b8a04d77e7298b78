"""Gold of FinanceBench: figures in what the question asks for, yes and no, words left out."""

from __future__ import annotations

import json
from pathlib import Path

from finrag_pipeline.evaluation.answering.gold import GoldAnswer, read_gold
from finrag_pipeline.evaluation.answering.values import is_right


def filed(tmp_path: Path, *rows: tuple[str, str]) -> list[GoldAnswer]:
    path = tmp_path / "gold.jsonl"
    lines = [
        {
            "financebench_id": f"id{number}",
            "doc_name": "GALAXY_2023_10K",
            "question": question,
            "answer": answer,
            "evidence": [{"page_index": 4, "text": "…"}],
        }
        for number, (question, answer) in enumerate(rows)
    ]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return read_gold(path)


def test_reads_figures_and_whether(tmp_path: Path) -> None:
    amount, ratio, share, whether = filed(
        tmp_path,
        ("What is its capex (in USD millions)?", "$1,722.00"),
        ("What is its quick ratio?", "0.66"),
        ("What is its margin?", "2.8%"),
        ("Did it grow?", "No. It fell by 3%."),
        ("Which region grew most?", "Asia"),
    )
    assert amount.pages == (("GALAXY_2023_10K.pdf", 5),)
    assert whether.value is False
    assert is_right(amount, {"number": 1_722_000_000, "unit": "USD"})
    assert not is_right(amount, {"number": 1_723_000_000, "unit": "USD"})
    assert is_right(ratio, {"number": 0.6639, "unit": ""})
    assert is_right(ratio, {"number": 66.39, "unit": "%"})
    assert not is_right(ratio, {"number": 0.67, "unit": ""})
    assert is_right(share, {"number": 2.84, "unit": "%"})
    assert not is_right(share, {"number": 2.86, "unit": "%"})
