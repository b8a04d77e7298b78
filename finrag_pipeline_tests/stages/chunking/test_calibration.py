"""Values of segmentation: for every language and kind, within what the design allows."""

from __future__ import annotations

import pytest

from finrag_pipeline.stages.chunking.calibration import calibration_for


@pytest.mark.parametrize("language", ["zh", "en", "de"])
@pytest.mark.parametrize(
    "kind", ["company", "industry", "strategy", "filing", "other", "unheard of"]
)
def test_every_document_has_values(language: str, kind: str):
    values = calibration_for(language, kind)
    assert 20 <= values.window <= 80
    assert 0 < values.threshold < 1
    assert -1 < values.separation < values.threshold


def test_kinds_without_values_of_their_own_have_those_of_their_language():
    assert calibration_for("zh", "unheard of") == calibration_for("zh", "mixed")
    assert calibration_for("de", "mixed") == calibration_for("en", "mixed")
    assert calibration_for("zh", "mixed") != calibration_for("en", "mixed")
