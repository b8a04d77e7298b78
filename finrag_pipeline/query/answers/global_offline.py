"""A global answer without a chat model: the findings that fit a question best, in their own words.

Which reports they come from is `descent`, how statements are cited `writing`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from finrag_pipeline.models.embedding import Vectors
from finrag_pipeline.models.offline import OfflineEmbedder
from finrag_pipeline.query.answers.citations import Citations
from finrag_pipeline.query.answers.map_reduce import Point
from finrag_pipeline.query.answers.writing import AnswerLine, cite_all, headline, in_one_line
from finrag_pipeline.query.evidence.reports import Report, said
from finrag_pipeline.query.question.relevance import MIN_COVERED, Relevance
from finrag_pipeline.query.question.signals import wanted_report
from finrag_pipeline.query.weights import COVERED_SHARE
from finrag_pipeline.records.communities import Finding
from finrag_pipeline.words import is_chinese

#: Statements of an answer, and of those the share of the best one's score that the last one has.
MOST_STATEMENTS = 8
MIN_OF_BEST = 0.7
#: Passages that a finding is told with.
_QUOTED = 2
#: Findings that are embedded: 400 take a tenth of a second.
_MOST_EMBEDDED = 400
#: Two findings that are nearer to each other say the same, as in `extractive`.
_MAX_ALIKE = 0.75
#: Chains of one answer, each nearly as near to the question as the first.
_MOST_CHAINS = 3
_MIN_OF_BEST_CHAIN = 0.8
#: How many there are in all of what is listed: a number that no passage has.
_COUNTED = re.compile(r"等\s*\d+\s*(?:个|家|项|对|条|种)|\s+\(\d+ in all\)")


@dataclass(frozen=True, slots=True)
class _Candidate:
    report: Report
    finding: Finding
    covered: float


def points(question: str, reports: Sequence[Report]) -> list[Point]:
    """What reports have to say on a question, the most helpful first; of no help is left out.

    A report of the kind that the question asks for (a chain, links of sectors) is one point with
    all its findings and goes before the findings of others.

    Args:
        reports: the most relevant first.
    """
    relevance = Relevance(question)
    embedder = OfflineEmbedder()
    vector = embedder.embed_questions([question])[0]
    kind = wanted_report(question)
    whole = [each for each in reports if each.is_chain and each.kind == kind]
    asked_for = _whole_points(relevance, embedder, vector, whole)
    candidates = [
        _Candidate(report, finding, covered)
        for report in reports
        if not report.is_chain
        for finding in report.findings
        # what only its title is about says nothing of it
        if relevance.covered(said(finding)) >= MIN_COVERED
        and (covered := relevance.covered(said(finding), report.title))
    ]
    candidates = sorted(candidates, key=lambda each: -each.covered)[:_MOST_EMBEDDED]
    vectors = embedder.embed_passages([said(each.finding) for each in candidates])
    found = [
        (n, Point(said(each.finding), _score(each.covered, row @ vector), each.report,
                  (each.finding,)))
        for n, (each, row) in enumerate(zip(candidates, vectors, strict=True))
    ]  # fmt: skip
    found.sort(key=lambda each: (-each[1].score, each[0]))
    return [*asked_for, *_different(found, vectors)]


def write(question: str, best: Sequence[Point], citations: Citations) -> str:
    """The best points as an answer, each statement cited; empty where none can be."""
    kind = wanted_report(question)
    chains = [each for each in best if each.report.kind == kind]
    if chains:
        told = [_chain(each, citations) for each in chains]
        return "\n\n".join(filter(None, told))
    least = MIN_OF_BEST * max((each.score for each in best), default=0.0)
    chosen = [each for each in best if each.score >= least][:MOST_STATEMENTS]
    relevance = Relevance(question)
    told = (_finding(each, relevance, citations) for each in chosen)
    return "\n".join(dict.fromkeys(filter(None, told)))


def _whole_points(
    relevance: Relevance, embedder: OfflineEmbedder, vector: Vectors, reports: Sequence[Report]
) -> list[Point]:
    covers = [relevance.covered(each.whole_text) for each in reports]
    vectors = embedder.embed_passages([each.whole_text for each in reports])
    found = [
        Point(report.text, _score(covered, row @ vector), report, report.findings)
        for report, covered, row in zip(reports, covers, vectors, strict=True)
        if covered >= MIN_COVERED
    ]
    found.sort(key=lambda each: (-each.score, each.report.report_id))
    least = _MIN_OF_BEST_CHAIN * found[0].score if found else 0.0
    return [each for each in found if each.score >= least][:_MOST_CHAINS]


def _score(covered: float, cosine: float) -> float:
    near = min(1.0, max(0.0, float(cosine)))
    return round(100 * (COVERED_SHARE * covered + (1 - COVERED_SHARE) * near), 1)


def _different(found: Sequence[tuple[int, Point]], vectors: Vectors) -> list[Point]:
    """Points without those that one before them has said."""
    kept: list[int] = []
    points: list[Point] = []
    for n, point in found:
        if all(float(vectors[n] @ vectors[m]) <= _MAX_ALIKE for m in kept):
            kept.append(n)
            points.append(point)
    return points


def _chain(point: Point, citations: Citations) -> str:
    report = point.report
    passages = list(report.passages)
    told = (AnswerLine(each.summary, each.evidence) for each in point.findings)
    links = cite_all(told, citations)
    if not links:
        return ""
    heads = (headline(line, citations, passages) for line in (report.title, *report.outline))
    return "\n".join([*filter(None, heads), *links])


def _finding(point: Point, relevance: Relevance, citations: Citations) -> str:
    """A finding in its own words with the passages that fit the question best, in theirs."""
    (finding,) = point.findings
    known = [each for each in finding.evidence if each in citations.cited]
    known = sorted(known, key=lambda each: -relevance.covered(each.quote))[:_QUOTED]
    if not known:
        return ""
    chinese = is_chinese(finding.summary)
    lead = headline(_COUNTED.sub("等" if chinese else "", finding.summary), citations, known)
    # what stands for a finding of which a part is gone are its quotes
    quotes = [each for each in known if in_one_line(each.quote) not in lead]
    if not quotes:
        return f"{lead}{citations.mark(known)}"
    form = "“{}”{}" if chinese else ' "{}"{}'
    told = "".join(form.format(in_one_line(each.quote), citations.mark([each])) for each in quotes)
    if not lead:
        return told.strip()
    return f"{lead.rstrip('。.：:')}{'：' if chinese else ':'}{told}"
