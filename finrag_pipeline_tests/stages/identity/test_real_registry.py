"""The measures of names on a real registry; skipped where the corpus is not beside the checkout."""

from __future__ import annotations

import pytest

from finrag_pipeline.evaluation.graph.identity import measure
from finrag_pipeline_tests.paths import CORPUS

REGISTRY = CORPUS / "registry" / "a_share_alias.csv"

pytestmark = pytest.mark.skipif(not REGISTRY.is_file(), reason=f"no corpus at {REGISTRY}")


def test_names_variants_and_other_names():
    rows = {str(row[0]): row[1] for row in measure(REGISTRY).rows}
    assert str(rows["registered names to their code"]).startswith("100.0 %")
    assert str(rows["names of several listings: all are candidates"]).startswith("100.0 %")
    assert rows["names resolved to another company"] == 0
    assert float(str(rows["variants that the registry does not list"]).split()[0]) >= 95
    assert float(str(rows["names of no listed company resolve to nothing"]).split()[0]) >= 98
