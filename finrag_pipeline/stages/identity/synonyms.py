"""Words for metrics, industries, commodities and indices that always mean the same.

Only what no context can tell apart: 净利润 and 归母净利润 stay two.
"""

from __future__ import annotations

import re

from finrag_pipeline.records.graph import EntityType
from finrag_pipeline.stages.identity.spelling import spelling

_SYNONYMS: dict[EntityType, dict[str, tuple[str, ...]]] = {
    "metric": {
        "营业收入": ("营收", "operating revenue"),
        "归属于母公司股东的净利润": (
            "归母净利润", "归母净利", "归属母公司净利润", "归属于母公司净利润",
            "归属母公司股东的净利润", "归属于母公司所有者的净利润", "归属于上市公司股东的净利润",
        ),
        "归属于上市公司股东的扣除非经常性损益的净利润": (
            "扣非归母净利润", "扣非归母净利", "归母扣非净利润",
        ),
        "毛利率": ("销售毛利率", "gross margin", "gross profit margin"),
        "净利率": ("销售净利率", "net margin", "net profit margin"),
        "每股收益": ("EPS", "earnings per share"),
        "净资产收益率": ("ROE", "return on equity"),
        "总资产收益率": ("ROA", "return on assets"),
        "投入资本回报率": ("ROIC", "return on invested capital"),
        "市盈率": ("PE", "P/E", "price to earnings ratio"),
        "市净率": ("PB", "P/B", "price to book ratio"),
        "市销率": ("P/S", "price to sales ratio"),
        "国内生产总值": ("GDP", "gross domestic product"),
        "居民消费价格指数": ("CPI", "消费者物价指数", "consumer price index"),
        "工业生产者出厂价格指数": ("PPI", "producer price index"),
        "采购经理指数": ("PMI", "采购经理人指数", "purchasing managers index"),
    },
    "commodity": {
        "布伦特原油": ("布油", "布伦特", "Brent", "Brent crude"),
        "WTI原油": ("美油", "西德克萨斯轻质原油", "WTI", "WTI crude"),
        "上证综合指数": ("上证综指", "上证指数", "沪指"),
        "深证成份指数": ("深证成指", "深成指"),
        "沪深300指数": ("沪深300", "CSI 300"),
        "创业板指数": ("创业板指",),
        "恒生指数": ("恒指", "Hang Seng Index"),
        "标准普尔500指数": ("标普500", "标普500指数", "S&P 500"),
        "纳斯达克综合指数": ("纳指", "纳斯达克指数", "Nasdaq Composite"),
    },
}  # fmt: skip
_TABLES = {
    kind: {spelling(word): spelling(head) for head, words in some.items() for word in words}
    for kind, some in _SYNONYMS.items()
}
#: 半导体行业 and 半导体产业 are 半导体.
_INDUSTRY = re.compile(r"(?<=..)(?:行业|产业|industry|sector)$")


def folded(kind: EntityType, spelled: str) -> str:
    """The spelling that stands for a spelled word of one type and all its synonyms.

    >>> folded("metric", "营收"), folded("industry", "半导体行业"), folded("metric", "净利润")
    ('营业收入', '半导体', '净利润')
    """
    if kind == "industry":
        return _INDUSTRY.sub("", spelled)
    return _TABLES.get(kind, {}).get(spelled, spelled)
