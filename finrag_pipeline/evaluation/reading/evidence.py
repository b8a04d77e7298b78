"""Evidence of answered questions: whether its words were kept, as text or in a table.

The gold is that of FinanceBench: `questions_gold.jsonl` with the text of each page that answers.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.evaluation.reading.documents import pdfs, read_documents
from finrag_pipeline.evaluation.report import Report, percent
from finrag_pipeline.records import Region, Table
from finrag_pipeline.settings import Settings

#: What is printed on every page is no evidence, though the gold's page text opens with it.
_RUNNING = ("page_header", "page_footer", "repeated_line")
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")


@dataclass(frozen=True)
class GoldEvidence:
    """The text of one page that answers a question; `page` is 1-based."""

    file: str
    page: int
    text: str


@dataclass(frozen=True)
class Finding:
    """Words of one evidence: all, those not found, and those found in running heads alone."""

    evidence: GoldEvidence
    words: int
    missing: tuple[str, ...] = ()
    running: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


def measure(folder: Path, settings: Settings) -> Report:
    """Look for every word of every evidence on its page, in kept text or in tables.

    Args:
        folder: PDFs with `questions_gold.jsonl`, whose `page_index` counts from 0.
        settings: whose engine, workers and bounds count.

    Returns:
        Shares of evidences with all words, and the mean share of words. Whole documents are
        read, since running heads show by repetition.

    Raises:
        ConfigurationError: there is no gold.
    """
    gold = read_gold(folder / "questions_gold.jsonl")
    wanted: defaultdict[str, list[GoldEvidence]] = defaultdict(list)
    for evidence in gold:
        wanted[evidence.file].append(evidence)
    paths = [path for path in pdfs(folder) if path.stem in wanted]
    findings: list[Finding] = []
    misses: list[str] = []
    for document in read_documents(paths, settings):
        mine = wanted.pop(document.path.stem)
        if document.error is not None:
            misses.append(f"{document.path.name}: {document.error}")
            findings += [_nothing(evidence) for evidence in mine]
            continue
        findings += [find(evidence, document.regions, document.tables) for evidence in mine]
    lacking = [evidence for some in wanted.values() for evidence in some]
    findings += [_nothing(evidence) for evidence in lacking]
    misses += [f"{evidence.file}: no such PDF here" for evidence in lacking]
    return _report(findings, misses)


def read_gold(path: Path) -> list[GoldEvidence]:
    """All evidences of a gold file, each page text of a question once.

    Raises:
        ConfigurationError: the file is missing or malformed.
    """
    try:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        found = [
            GoldEvidence(row["doc_name"], int(item["page_index"]) + 1, item["text"])
            for row in rows
            for item in row["evidence"]
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigurationError(f"{path} holds no evidence: {error}") from error
    return list(dict.fromkeys(found))


def find(evidence: GoldEvidence, regions: Sequence[Region], tables: Sequence[Table]) -> Finding:
    """Look for the words of one evidence on its page.

    Args:
        evidence: what to look for.
        regions: regions of the document, kept and dropped.
        tables: tables of the document.

    Returns:
        What is missing, and the rules that dropped regions with those words.
    """
    here = [region for region in regions if region.page == evidence.page]
    kept = [region.text for region in here if region.kept] + _told(tables, evidence.page)
    wanted = words(evidence.text)
    missing = _lacking(wanted, kept)
    heads = [region.text for region in here if region.rule in _RUNNING]
    after = _lacking(missing, heads)
    rules = sorted(
        {
            region.rule
            for region in here
            if region.rule and region.rule not in _RUNNING and words(region.text) & after
        }
    )
    return Finding(
        evidence,
        wanted.total(),
        tuple(sorted(after.elements())),
        tuple(sorted((missing - after).elements())),
        tuple(rules),
    )


def words(text: str) -> Counter[str]:
    """Words in lower case and figures with their points, thousands without commas.

    >>> sorted(words("Net sales of $1,234.5 (Net)").elements())
    ['1234.5', 'net', 'net', 'of', 'sales']
    """
    folded = unicodedata.normalize("NFKC", text).lower()
    return Counter(word.replace(",", "") for word in _WORD.findall(folded))


def _lacking(wanted: Counter[str], texts: Sequence[str]) -> Counter[str]:
    """Words not found; the gold glues and splits some words, so letters alone may decide."""
    found = sum((words(text) for text in texts), Counter[str]())
    lacking = wanted - found
    letters = "\n".join(re.sub(r"[^a-z]", "", text.lower()) for text in texts)
    glued = [word for word in lacking if len(word) >= 4 and word.isalpha() and word in letters]
    for word in glued:
        del lacking[word]
    return lacking


def _told(tables: Sequence[Table], page: int) -> list[str]:
    """All that tables hold of one page."""
    texts: list[str] = []
    for table in tables:
        pages = {place.page for place in table.places} | {table.page}
        texts += [cell.text for cell in table.cells if (cell.page or table.page) == page]
        if page in pages:
            texts += [text for text in (table.title, table.unit, table.footnote) if text]
    return texts


def _nothing(evidence: GoldEvidence) -> Finding:
    lacking = words(evidence.text)
    return Finding(evidence, lacking.total(), tuple(lacking.elements()))


def _report(findings: Sequence[Finding], misses: Sequence[str]) -> Report:
    whole = sum(not finding.missing for finding in findings)
    strict = sum(not finding.missing and not finding.running for finding in findings)
    lines = [
        f"{finding.evidence.file} p.{finding.evidence.page} lacks {len(finding.missing)} of "
        f"{finding.words} words ({', '.join(finding.rules) or 'not printed so'}): "
        + " ".join(finding.missing[:12])
        for finding in findings
        if finding.missing
    ]
    return Report(
        title="Evidence found in kept text or tables",
        columns=("measure", "reached", "asked"),
        rows=(
            ("evidences with all words", percent(whole, len(findings)), "99.5 %"),
            ("mean share of words found", _mean(findings, running=False), ""),
            ("evidences, running heads and page numbers too", percent(strict, len(findings)), ""),
            ("mean share of words, these too", _mean(findings, running=True), ""),
        ),
        notes=(
            "Words of the page's running head and foot, which the gold's page text includes and "
            "cleaning drops on every page, count in the last two rows alone.",
        ),
        misses=(*misses, *lines),
    )


def _mean(findings: Sequence[Finding], *, running: bool) -> str:
    shares = [
        1 - (len(finding.missing) + (len(finding.running) if running else 0)) / finding.words
        for finding in findings
        if finding.words
    ]
    return f"{100 * sum(shares) / len(shares):.2f} %" if shares else "none"
