"""Names in labelled sentences of documents: what counts as found."""

import json
import shutil
from pathlib import Path

import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.graph.names import measure, read_labels
from finrag_pipeline.settings import Settings
from finrag_pipeline_tests.paths import PROJECT

SAMPLES = PROJECT / "samples"
REPORT = "canglan_xinghe_q3_20251030"


def sentence(half: str, companies: list[str], products: list[str]) -> dict[str, object]:
    return {
        "file": REPORT,
        "begins": "澄光储能占公司",
        "half": half,
        "companies": companies,
        "products_and_people": products,
    }


def test_names_are_found_whole_or_not_at_all(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "pdfs" / f"{REPORT}.pdf", tmp_path)
    labels = tmp_path / "labels.json"
    rows = [
        sentence("open", ["澄光储能", "蓬山电气"], []),
        sentence("kept", ["澄光储能", "蓬山"], ["储能柜"]),
        sentence("kept", [], []) | {"begins": "没有这一句"},
    ]
    labels.write_text(json.dumps({"sentences": rows}), encoding="utf-8")
    registry = str(SAMPLES / "registry.csv")
    settings = Settings(_env_file=None, home=tmp_path, registry=registry, workers=1)
    report = measure(tmp_path, labels, settings)
    assert [row[:3] for row in report.rows] == [
        ("open", "companies", 2),
        ("open", "products_and_people", 0),
        ("kept", "companies", 2),
        ("kept", "products_and_people", 1),
    ]
    shares = [(str(row[3]), str(row[4])) for row in report.rows]
    assert shares[0] == ("100.0 % (2 of 2)", "100.0 % (2 of 2)")
    # a part of a name is another name
    assert shares[2] == ("50.0 % (1 of 2)", "50.0 % (1 of 2)")
    assert shares[3][1] == "0.0 % (0 of 1)"
    assert any("missed ['蓬山'], found ['蓬山电气'] beside" in line for line in report.misses)


def test_labels_need_their_documents_and_hold_no_passages(tmp_path: Path) -> None:
    labels = PROJECT / "benchmarks" / "labels" / "names.json"
    with pytest.raises(ConfigurationError, match="name the folder"):
        measure(tmp_path, labels, Settings(_env_file=None, home=tmp_path))
    assert all(len(each.begins) <= 10 for each in read_labels(labels))
