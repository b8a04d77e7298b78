"""`finrag evaluate graph relations`: are the relations right that are read between two companies?

By sentences with labelled pairs (FinRE's form), on the part that the shipped weights have not
seen: by the classifier, by rules alone, and by both as the extractor uses them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from finrag_pipeline.evaluation.report import Report, percent
from finrag_pipeline.models.relations import RelationClassifier
from finrag_pipeline.models.relations.examples import SYMMETRIC, Example, Labelled, read_examples
from finrag_pipeline.stages.extraction.triggers import Name, find_relations

Read = Callable[[Example], Sequence[Labelled]]


def measure(path: Path) -> Report:
    """Precision of relations given and recall of gold relations, on the part kept for tests.

    Args:
        path: ``[[head, tail, label, sentence], …]``.
    """
    examples = [example for example in read_examples(path) if example.part == "test"]
    classifier = RelationClassifier.packaged()

    def by_classifier(example: Example) -> list[Labelled]:
        spans = [example.first, example.second]
        return [
            _labelled(pair.head, pair.relation) for pair in classifier.classify(example.text, spans)
        ]

    methods: dict[str, Read] = {
        "classifier": by_classifier,
        "rules": by_rules,
        "rules, else classifier": lambda example: by_rules(example) or by_classifier(example),
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
        if method == "classifier":
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


def by_rules(example: Example) -> list[Labelled]:
    """What the extractor's rules find between the two names."""
    names = [Name("company", *example.first), Name("company", *example.second)]
    return [_labelled(hit.head, hit.relation) for hit in find_relations(example.text, names)]


def _labelled(head: int, relation: str) -> Labelled:
    if head == 0 or relation in SYMMETRIC:
        return "first", relation, "second"
    return "second", relation, "first"


def _marked(example: Example) -> str:
    (a, b), (c, d) = example.first, example.second
    text = example.text
    return f"{text[:a]}[{text[a:b]}]{text[b:c]}[{text[c:d]}]{text[d:]}"
