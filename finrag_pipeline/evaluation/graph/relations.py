"""`finrag evaluate graph relations`: are the relations right that are read between two companies?

By sentences with labelled pairs (FinRE's form), on the part that the shipped weights have not
seen: by the classifier, by rules alone, and by both together as the extractor reads them. By
sentences labelled with all that they state: as the extractor reads them, see `stated`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.graph.examples import Example, Labelled, read_examples
from finrag_pipeline.evaluation.graph.stated import read_sentences, score
from finrag_pipeline.evaluation.graph.stated_readings import (
    document_readings,
    made_readings,
    offline_extract,
)
from finrag_pipeline.evaluation.report import Report, percent
from finrag_pipeline.models.relations import RelationClassifier
from finrag_pipeline.settings import Settings
from finrag_pipeline.stages.extraction.relations import read_pairs
from finrag_pipeline.stages.extraction.triggers import Name
from finrag_pipeline.stages.extraction.vocabulary import CLASSIFIED, SYMMETRIC

Read = Callable[[Example], Sequence[Labelled]]

#: The row of what ships.
EXTRACTOR = "extractor (classifier and rules)"
#: Of what ships only the relations that the labels know: 供应 is none of them, 订单 is.
LABELLED = "extractor, without relations that no label means"


def measure(path: Path, settings: Settings, documents: Path | None = None) -> Report:
    """Precision of relations given and recall of gold relations.

    Args:
        path: ``[[head, tail, label, sentence], …]``, or ``{"sentences": […]}`` as in `stated`.
        settings: whose registry and tagger of names the extractor has.
        documents: the folder of the documents that labelled sentences stand in.

    Raises:
        ConfigurationError: sentences stand in documents, and no folder is given or a file missing.
    """
    labels = json.loads(path.read_text(encoding="utf-8"))
    if isinstance(labels, list):
        return measure_pairs(path)
    sentences = read_sentences(labels)
    read = offline_extract(settings)
    if not any(sentence.file for sentence in sentences):
        return score(made_readings(sentences, read))
    if documents is None:
        raise ConfigurationError(f"{path.name} labels documents: name their folder by --documents")
    return score(document_readings(sentences, documents, settings, read))


def measure_pairs(path: Path) -> Report:
    """The same of pairs of companies with FinRE's labels, on the part kept for tests.

    Args:
        path: ``[[head, tail, label, sentence], …]``.
    """
    examples = [example for example in read_examples(path) if example.part == "test"]
    classifier = RelationClassifier.packaged()

    methods: dict[str, Read] = {
        "classifier": partial(by_classifier, classifier),
        "rules": partial(by_extractor, None),
        EXTRACTOR: partial(by_extractor, classifier),
        LABELLED: lambda example: [
            found for found in by_extractor(classifier, example) if found[1] in CLASSIFIED
        ],
    }
    gold = sum(len(example.relations) for example in examples)
    rows: list[tuple[object, ...]] = []
    misses: list[str] = []
    for method, read in methods.items():
        given = [(example, found) for example in examples for found in read(example)]
        related = [(example, found) for example, found in given if example.relations]
        right = sum(found in example.relations for example, found in related)
        rows.append(
            (
                method,
                percent(right, len(related)),
                percent(right, gold),
                percent(right, len(given)),
            )
        )
        if method == EXTRACTOR:
            misses += [
                f"{found} for {list(example.relations)}: {_marked(example)}"
                for example, found in related
                if found not in example.relations
            ]
    return Report(
        title=f"Relations of {len(examples)} pairs of companies in unseen sentences",
        columns=("method", "precision", "recall", "precision, unrelated pairs too"),
        rows=tuple(rows),
        notes=(
            "A mirrored pair counts once, direction must be right. Pairs labelled only `unknown` "
            "or as the same company are left out, but in the last column, where a relation "
            "given to them is wrong. Sentences are parted by hash; the weights saw the other "
            "four fifths.",
        ),
        misses=tuple(misses),
    )


def by_classifier(classifier: RelationClassifier, example: Example) -> list[Labelled]:
    """What the classifier alone is sure of."""
    pairs = classifier.classify(example.text, [example.first, example.second])
    return [_labelled(pair.head, pair.relation) for pair in pairs if pair.sure]


def by_extractor(classifier: RelationClassifier | None, example: Example) -> list[Labelled]:
    """What the offline extractor reads between the two names, by rules alone without classifier."""
    names = [Name("company", *example.first), Name("company", *example.second)]
    hits = read_pairs(example.text, names, classifier.classify if classifier else None)
    return [_labelled(hit.head, hit.relation) for hit in hits]


def _labelled(head: int, relation: str) -> Labelled:
    if head == 0 or relation in SYMMETRIC:
        return "first", relation, "second"
    return "second", relation, "first"


def _marked(example: Example) -> str:
    (a, b), (c, d) = example.first, example.second
    text = example.text
    return f"{text[:a]}[{text[a:b]}]{text[b:c]}[{text[c:d]}]{text[d:]}"
