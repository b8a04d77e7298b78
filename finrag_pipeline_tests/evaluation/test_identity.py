"""The measure of names on the registry of the samples, and on none."""

from __future__ import annotations

from pathlib import Path

import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.graph.identity import measure
from finrag_pipeline.evaluation.graph.writings import nobodies, writings
from finrag_pipeline_tests.paths import SAMPLES


def test_the_samples_registry_is_understood_whole():
    report = measure(SAMPLES / "registry.csv")
    assert report.misses == ()
    reached = dict((row[0], row[1]) for row in report.rows)
    assert reached["names resolved to another company"] == 0


def test_two_companies_of_one_name_are_no_miss_and_a_wrong_one_is(tmp_path: Path):
    path = tmp_path / "registry.csv"
    path.write_text(
        "code,full_names,short_names\n688991,星河文具股份有限公司,星河\n688992,星河银行股份有限公司,星河\n"
    )
    assert measure(path).misses == ()
    # the name of a place with a class of shares is understood without it, which a place is not
    path.write_text("code,full_names,short_names\n688991,上海市星河电器股份有限公司,上海A\n")
    assert any("resolves to 上海A" in miss for miss in measure(path).misses)


def test_a_file_that_is_missing(tmp_path: Path):
    with pytest.raises(ConfigurationError, match="cannot be read"):
        measure(tmp_path / "none.csv")


def test_variants_differ_from_the_name_and_from_nobody():
    name = "浙江星河电器集团股份有限公司"
    kinds = {kind for kind, variant in writings(name) if variant != name}
    assert kinds == {"spaces", "suffix dropped", "suffix changed", "partial"}
    assert len(list(nobodies(["星河电器"]))) > 190
