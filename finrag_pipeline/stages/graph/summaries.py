"""A summary of one entity without a model: its own sentences, sorted into what they are.

What a chat model is asked to write instead is `summary_prompt`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from finrag_pipeline.records.graph import EntitySource, EntitySummary
from finrag_pipeline.stages.chunking.enrichment.cues import cues_in
from finrag_pipeline.words import fold, is_chinese

#: Parts of a summary in order, with their labels.
PARTS: Mapping[str, tuple[str, str]] = {
    "concept": ("概念", "Concept"),
    "rules": ("核心规则与关系", "Core rules and relations"),
    "process": ("流程", "Process"),
    "exceptions": ("例外与不确定", "Exceptions and uncertainty"),
}
#: Sentences of a part; a summary is read in passing, beside the passages themselves.
_MOST = 2
_LONGEST = 160
_SHORTEST = 8

_ENDS = re.compile(r"[。！？；.!?;]['”’」』)）]?$")
_RULES = re.compile(
    "应当|必须|不得|须|应于|规定|要求|条件|标准|不低于|不超过|上限|下限|门槛|资格"
    r"|\b(?:must|shall|required?|requires|threshold|at least|at most|no more than|eligib\w+)\b"
)
_PROCESS = re.compile(
    "首先|其次|随后|然后|最后|流程|步骤|程序|阶段|环节|经[^，。]{0,12}审[议批核]|提交|分[两三四五]步"
    r"|\b(?:first|then|finally|steps?|stages?|process|procedure|phases?|submit\w*)\b"
)
_EXCEPTIONS = re.compile(
    "除外|例外|豁免|不适用|除非|但是?[^，。]{0,20}(?:不|未|除)|风险|不确定|可能|若|如果|一旦"
    r"|\b(?:except|unless|exempt\w*|not apply|however|risks?|uncertain\w*|may|might|if)\b"
)


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    chunk_id: str
    #: place among all sentences of the anchors
    place: int
    part: str
    score: float


def extract_summary(source: EntitySource) -> EntitySummary:
    """What an entity is, its rules and relations, process and exceptions, in sentences of its own.

    Only sentences that name it are taken; a part that none speaks of is left out.

    Returns:
        Labelled lines, and the chunks that the sentences stand in, in the order of `source`; the
        first anchors where no sentence was fit.
    """
    names = [fold(name) for name in (source.name, *source.aliases) if name]
    sentences = _sentences(source, names)
    chinese = is_chinese(" ".join(anchor.content for anchor in source.anchors[:3]) or source.name)
    said = [line for line in source.description.splitlines() if len(line) <= _LONGEST]
    lines: list[str] = []
    used: list[str] = []
    for part, labels in PARTS.items():
        chosen = _best([each for each in sentences if each.part == part])
        told = [each.text for each in chosen]
        if part in ("concept", "rules") and len(told) < _MOST:
            # what relations and claims say of it, where its own sentences do not
            told += [line for line in said if line not in told][: _MOST - len(told)]
            said = [line for line in said if line not in told]
        if told:
            label = labels[0] if chinese else labels[1]
            lines.append(f"{label}{'：' if chinese else ': '}{' '.join(told)}")
            used += [each.chunk_id for each in chosen]
    anchors = [anchor.chunk_id for anchor in source.anchors if anchor.chunk_id in set(used)]
    anchors += [a.chunk_id for a in source.anchors[:_MOST] if a.chunk_id not in set(anchors)]
    return EntitySummary("\n".join(lines), tuple(anchors))


def _sentences(source: EntitySource, names: Sequence[str]) -> list[_Sentence]:
    found: list[_Sentence] = []
    seen: set[str] = set()
    for rank, anchor in enumerate(source.anchors):
        for line in anchor.content.splitlines():
            text = " ".join(line.split())
            folded = fold(text)
            # headings and captions end without a mark
            whole = _SHORTEST <= len(text) <= _LONGEST and _ENDS.search(text)
            if folded in seen or not whole:
                continue
            at = min((folded.find(name) for name in names if name in folded), default=-1)
            cues = cues_in(text)
            if at < 0 or cues.template:
                continue
            seen.add(folded)
            part = _part(folded, at, names)
            # early in a sentence is its subject, in a foremost chunk it is the matter
            score = 1 / (1 + at / 10) + 1 / (1 + rank) + 0.5 * (cues.cause or cues.judgement)
            found.append(_Sentence(text, anchor.chunk_id, len(found), part, score))
    return found


def _part(sentence: str, at: int, names: Sequence[str]) -> str:
    if _EXCEPTIONS.search(sentence):
        return "exceptions"
    after = [sentence[at + len(name) :] for name in names if sentence.startswith(name, at)]
    if any(_DEFINES.match(rest) for rest in after):
        return "concept"
    if _PROCESS.search(sentence):
        return "process"
    return "rules" if _RULES.search(sentence) or cues_in(sentence).cause else "concept"


_DEFINES = re.compile(
    r"\s*[（(]?[^，。]{0,20}[)）]?\s*(?:是一[家种个类]|是指|指的?是|是[^，。]{0,12}的|主营|主要从事|专注于"
    r"|定义为|成立于|(?:is|are|means|refers to)\b)"
)


def _best(sentences: Sequence[_Sentence]) -> list[_Sentence]:
    best = sorted(sentences, key=lambda each: (-each.score, each.place))[:_MOST]
    return sorted(best, key=lambda each: each.place)
