"""Words for metrics, industries, regulators, standards and indices that always mean the same.

Only what no context can tell apart: 净利润 and 归母净利润 stay two.
"""

from __future__ import annotations

import re

from finrag_pipeline.records.graph import EntityType
from finrag_pipeline.stages.identity.spelling import spelling

#: Read as organisations or as commodities, by whoever reads.
_INDICES: dict[str, tuple[str, ...]] = {
    "上证综合指数": ("上证综指", "上证指数", "沪指"),
    "深证成份指数": ("深证成指", "深成指"),
    "沪深300指数": ("沪深300", "CSI 300"),
    "创业板指数": ("创业板指",),
    "恒生指数": ("恒指", "Hang Seng Index"),
    "标准普尔500指数": ("标普500", "标普500指数", "S&P 500"),
    "纳斯达克综合指数": ("纳指", "纳斯达克指数", "Nasdaq Composite"),
}
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
    "organisation": {
        "上海证券交易所": ("上交所", "Shanghai Stock Exchange", "SSE"),
        "深圳证券交易所": ("深交所", "Shenzhen Stock Exchange", "SZSE"),
        "北京证券交易所": ("北交所", "Beijing Stock Exchange"),
        "香港联合交易所": (
            "联交所", "香港联交所", "港交所", "香港交易所", "香港联合交易所有限公司", "HKEX",
            "Hong Kong Stock Exchange", "Stock Exchange of Hong Kong",
        ),
        "纽约证券交易所": ("纽交所", "New York Stock Exchange", "NYSE"),
        "纳斯达克": ("纳斯达克交易所", "NASDAQ", "Nasdaq Stock Market"),
        "中国证券监督管理委员会": ("中国证监会", "证监会", "国家证监会", "CSRC"),
        "国家金融监督管理总局": ("金融监管总局", "NFRA"),
        "中国银行保险监督管理委员会": ("中国银保监会", "银保监会", "CBIRC"),
        "中国人民银行": ("央行", "人民银行", "中国央行", "PBOC"),
        "国家发展和改革委员会": ("发改委", "国家发改委", "国家发展改革委", "NDRC"),
        "工业和信息化部": ("工信部", "国家工信部", "MIIT"),
        "科学技术部": ("科技部", "国家科技部"),
        "住房和城乡建设部": ("住建部",),
        "国家医疗保障局": ("国家医保局", "医保局"),
        "国家药品监督管理局": ("国家药监局", "药监局", "NMPA"),
        "国家卫生健康委员会": ("国家卫健委", "卫健委", "国家卫生健康委"),
        "国家统计局": ("统计局",),
        "国家税务总局": ("税务总局",),
        "国家市场监督管理总局": ("市场监管总局",),
        "国务院国有资产监督管理委员会": ("国务院国资委",),
        "美国食品药品监督管理局": (
            "FDA", "美国FDA", "U.S. Food and Drug Administration", "Food and Drug Administration",
        ),
        "欧洲药品管理局": ("EMA", "European Medicines Agency"),
        "美国证券交易委员会": (
            "Securities and Exchange Commission", "U.S. Securities and Exchange Commission",
        ),
        "世界卫生组织": ("世卫组织", "WHO", "World Health Organization"),
        "石油输出国组织": ("欧佩克", "OPEC"),
        "美联储": ("美国联邦储备委员会", "Federal Reserve"),
        "欧洲央行": ("欧洲中央银行", "European Central Bank", "ECB"),
        **_INDICES,
    },
    "policy": {
        "国际财务报告准则": ("IFRS", "IFRSs", "International Financial Reporting Standards"),
        "美国公认会计原则": ("U.S. GAAP", "US GAAP", "美国通用会计准则"),
    },
    "commodity": {
        "布伦特原油": ("布油", "布伦特", "Brent", "Brent crude"),
        "WTI原油": ("美油", "西德克萨斯轻质原油", "WTI", "WTI crude"),
        **_INDICES,
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

    >>> folded("organisation", "联交所"), folded("policy", "ifrs")
    ('香港联合交易所', '国际财务报告准则')
    >>> folded("metric", "营收"), folded("industry", "半导体行业"), folded("metric", "净利润")
    ('营业收入', '半导体', '净利润')
    """
    if kind == "industry":
        return _INDUSTRY.sub("", spelled)
    return _TABLES.get(kind, {}).get(spelled, spelled)
