"""The measurement of relations: what counts as given, right and gold; figures on the real file."""

import pytest

from finrag_pipeline.evaluation.graph.examples import Example
from finrag_pipeline.evaluation.graph.relations import (
    LABELLED,
    by_classifier,
    by_extractor,
    measure_pairs,
)
from finrag_pipeline.models.relations import RelationClassifier
from finrag_pipeline_tests.paths import CORPUS

GOLD = CORPUS / "relations" / "finre_train.json"


def test_rules_name_the_pair_by_its_order() -> None:
    passive = Example("甲科技被乙科技收购", (0, 3), (4, 7), (), "test")
    assert by_extractor(None, passive) == [("second", "acquires", "first")]
    mutual = Example("甲科技与乙科技达成合作", (0, 3), (4, 7), (), "test")
    assert by_extractor(None, mutual) == [("first", "cooperates_with", "second")]


def test_a_list_states_only_what_is_beyond_doubt() -> None:
    classifier = RelationClassifier.packaged()
    rivals = Example("青岚、白芷等品牌纷纷降价促销。", (0, 2), (3, 5), (), "test")
    assert by_extractor(classifier, rivals) == [("first", "competes_with", "second")]
    listed = Example("青岚和白芷今日宣布推出新产品。", (0, 2), (3, 5), (), "test")
    assert by_classifier(classifier, listed) == [("first", "cooperates_with", "second")]
    assert by_extractor(classifier, listed) == []


@pytest.mark.skipif(not GOLD.exists(), reason="needs the labelled sentences of shared/corpus")
def test_relations_of_unseen_sentences() -> None:
    report = measure_pairs(GOLD)
    figures = {row[0]: [float(str(cell).split()[0]) for cell in row[1:3]] for row in report.rows}
    for method in ("classifier", LABELLED):
        precision, recall = figures[method]
        assert precision >= 80
        assert recall >= 35
