"""The value class of a chunk, by rules on its sentences: what it is worth beside others.

A class moves a chunk in a ranking and removes nothing; by how much is decided in `query.evidence`.
"""

from __future__ import annotations

import re
from typing import Literal

from finrag_pipeline.grammar.quantities import NUMBER, SIGN
from finrag_pipeline.stages.chunking.enrichment.cues import cues_in

Value = Literal["argument", "plain", "figures", "template"]

# Shares of a chunk's characters. Of 3,316 chunks of 84 real reports and filings, read through in
# samples: argument 43 % of Chinese reports, 20 % of filings; template 5 % of English filings, 20 %
# of short Chinese ones, none of reports.
#: Set phrases from this share on: what else the chunk holds is little.
TEMPLATE_SHARE = 0.5
#: Causes, judgements and forecasts from this share on.
ARGUMENT_SHARE = 0.3
#: Figures from this share on, without any reason: a list of them.
FIGURES_SHARE = 0.45

_NUMBER = re.compile(rf"{SIGN}?{NUMBER}[%％]?")


def classify(content: str) -> Value:
    """The class of a chunk, given its sentences one a line.

    ``template``: most of it is set phrases that laws and forms word. ``argument``: a good part
    gives causes, judgements or forecasts, or one sentence says why a figure is what it is.
    ``figures``: figures in a row without a word on why. ``plain``: everything else.

    >>> classify("毛利率提升3个百分点，主要受益于原料降价。")
    'argument'
    >>> classify("收入 46.3 亿元 利润 5.2 亿元 毛利率 31.5%")
    'figures'
    >>> classify("公司总部位于云州，主营薄膜。"), classify("本报告不构成投资建议。")
    ('plain', 'template')
    """
    total = template = argued = figures = 0
    explained = False
    for sentence in content.splitlines():
        size = len(sentence) - sentence.count(" ")
        total += size
        figures += sum(map(len, _NUMBER.findall(sentence)))
        cues = cues_in(sentence)
        if cues.template:
            template += size
            continue
        if cues.cause or cues.judgement or cues.forecast:
            argued += size
        explained = explained or (cues.cause and cues.amount)
    if template and template >= TEMPLATE_SHARE * total:
        return "template"
    if explained or (argued and argued >= ARGUMENT_SHARE * total):
        return "argument"
    if figures and not argued and figures >= FIGURES_SHARE * total:
        return "figures"
    return "plain"
