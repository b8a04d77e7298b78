"""The contents of each report, one module each, in the order they are written."""

from reports import (
    en_chengguang,
    en_pets,
    zh_chengguang,
    zh_filing,
    zh_industry,
    zh_strategy,
    zh_tinglan,
    zh_xinghe,
    zh_xinghe_q3,
)

REPORTS = (
    zh_xinghe.REPORT,
    zh_xinghe_q3.REPORT,
    zh_chengguang.REPORT,
    zh_industry.REPORT,
    zh_strategy.REPORT,
    zh_tinglan.REPORT,
    zh_filing.REPORT,
    en_chengguang.REPORT,
    en_pets.REPORT,
)
