"""Sentences labelled with all that they state: what counts, and what is read in made ones."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.graph.relations import measure
from finrag_pipeline.evaluation.graph.stated import Fact, Reading, Sentence, read_sentences, score
from finrag_pipeline.evaluation.graph.stated_readings import document_readings, made_readings
from finrag_pipeline.models.relations import RelationClassifier
from finrag_pipeline.records import Chunk, Metadata
from finrag_pipeline.records.graph import ChunkExtraction, Mention, Modality, RelationStatement
from finrag_pipeline.settings import load_settings
from finrag_pipeline.stages.extraction.offline import build_lexicon, extract
from finrag_pipeline_tests.paths import PROJECT
from finrag_pipeline_tests.stages.extraction.cases import COMPANIES

LABELS = PROJECT / "benchmarks" / "labels"
MADE = LABELS / "made_relations.json"
#: 铄星材料供应给澄光储能.
MENTIONS = (
    Mention(0, 4, "铄星材料", "铄星材料", "company", "high"),
    Mention(7, 11, "澄光储能", "澄光储能", "company", "high"),
)


def reading(
    relation: str, head: int, tail: int, modality: Modality = "asserted", company: str | None = None
) -> Reading:
    stated = RelationStatement(
        head, relation, tail, 0, 11, "铄星材料供应给澄光储能", modality, "high"
    )
    return Reading(MENTIONS, (stated,), company)


def figures(fact: Fact, read: Reading, maybe: bool = False) -> dict[str, tuple[object, object]]:
    facts = ((), (fact,)) if maybe else ((fact,), ())
    report = score([(Sentence(*facts, None, text="铄星材料供应给澄光储能"), read)])
    return {str(row[1]): (row[2], row[3]) for row in report.rows}


SUPPLY = Fact("铄星", ("supply",), "澄光储能")


def test_direction_must_be_right() -> None:
    assert figures(SUPPLY, reading("supplies", 0, 1))["all"] == (
        "100.0 % (1 of 1)",
        "100.0 % (1 of 1)",
    )
    assert figures(SUPPLY, reading("supplies", 1, 0))["all"] == ("0.0 % (0 of 1)", "0.0 % (0 of 1)")
    rivals = Fact("澄光储能", ("competition",), "铄星材料")
    assert figures(rivals, reading("competes_with", 0, 1))["all"][0] == "100.0 % (1 of 1)"


def test_what_is_denied_or_may_be_read_counts_for_nothing() -> None:
    assert figures(SUPPLY, reading("supplies", 0, 1, "negated"))["all"] == (
        "none",
        "0.0 % (0 of 1)",
    )
    assert figures(SUPPLY, reading("supplies", 0, 1), maybe=True) == {}
    assert figures(SUPPLY, reading("owns", 0, 1), maybe=True)["holding"][0] == "0.0 % (0 of 1)"


def test_the_company_of_the_document_is_known_by_its_name() -> None:
    own = Fact("@", ("supply", "cooperation"), "*")
    assert figures(own, reading("signs_with", 0, 1, company="铄星材料"))["all"][0] == (
        "100.0 % (1 of 1)"
    )
    assert figures(own, reading("signs_with", 0, 1, company="他人"))["all"][0] == "0.0 % (0 of 1)"


def made(chunks: list[Chunk], metadata: Metadata) -> list[ChunkExtraction]:
    lexicon = build_lexicon(COMPANIES)
    return extract(chunks, metadata, lexicon, RelationClassifier.packaged().classify)


def test_made_sentences_are_read() -> None:
    sentences = read_sentences(json.loads(MADE.read_text(encoding="utf-8")))
    assert sum(not sentence.facts for sentence in sentences) >= 60
    assert len(sentences) >= 150
    report = score(made_readings(sentences, lambda chunks, about: made(list(chunks), about)))
    shares = [
        float(str(cell).split()[0]) for row in report.rows if row[1] == "all" for cell in row[2:]
    ]
    assert min(shares) >= 90


def test_labels_of_documents_need_their_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="--documents"):
        measure(LABELS / "relations.json", load_settings())
    with pytest.raises(ConfigurationError, match="has no "):
        measure(LABELS / "relations.json", load_settings(), tmp_path)


@pytest.mark.parametrize("name", ["relations", "relations_second", "relations_third"])
def test_labels_of_documents_hold_no_passages(name: str) -> None:
    for sentence in read_sentences(json.loads((LABELS / f"{name}.json").read_text("utf-8"))):
        assert not sentence.text
        assert len(sentence.starts) <= 40


def test_a_list_of_sentences_is_read_row_by_row(tmp_path: Path) -> None:
    rows = [["甲", "乙", "合作", "无关。"], ["甲", "乙", "持股", "澄光储能持有隔川膜业<N>%股权。"]]
    (tmp_path / "list.json").write_text(json.dumps(rows), encoding="utf-8")
    row = {"file": "list.json", "page": 1, "facts": [["澄光储能", "holding", "隔川膜业"]]}
    sentences = read_sentences({"sentences": [row]})
    lexicon = build_lexicon(COMPANIES)

    def read_document(chunks: Sequence[Chunk], metadata: Metadata) -> list[ChunkExtraction]:
        return extract(chunks, metadata, lexicon)

    ((_, read),) = document_readings(sentences, tmp_path, load_settings(), read_document)
    assert [each.relation for each in read.relations] == ["holds_stake_in"]
