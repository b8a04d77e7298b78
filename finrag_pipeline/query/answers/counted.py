"""In what a question counts what it asks for: people are no amount, and an amount is no share."""

from __future__ import annotations

import re

from finrag_pipeline.grammar.quantities import parse_quantity
from finrag_pipeline.query.answers.passages.counting import RATES, asks_share
from finrag_pipeline.query.answers.passages.figure_asked import asks_growth
from finrag_pipeline.query.answers.passages.unfit import EACH, IN_ALL
from finrag_pipeline.query.answers.writers import Json

#: By what is counted, right behind what asks how much: 多少万吨, 几个百分点.
_ASKED_UNIT = re.compile(r"(?:多少|几)(?P<unit>[百千万亿]*(?:个百分点|[\u3400-\u9fff]{1,4}|[%％]))")
#: Who is asked for by how many there are, and in what they are counted.
_PEOPLE = re.compile(r"个?(?:员工|职工|人员|人(?![民次])|雇员|研究员|工程师|股东)")
_OF_PEOPLE, _OF_PLACES = frozenset("人名户位个"), frozenset("名位个次款项家只")
#: What is counted in one of these is counted in none of the others; 股东 and 天然气 are things.
_COUNTERS = ("人名位", "股", "户", "天", "小时", "年", "倍", "吨", "台", "辆", "%")
_COUNTER = re.compile(
    r"[百千万亿]*(?P<unit>人(?![民工均次])|[名位户倍吨台辆%]|股(?![东权份价息本利])|天(?!然)|年(?![轻报度级]))"
)
#: What is asked for by its place among others.
_PLACE = re.compile(r"第几(?!季)|[排位名][名行列位次](?:是|为)?(?:多少|几)")
#: What is an amount, where a question ends with it.
_AMOUNT = re.compile(
    r"(?:收入|营收|利润|成本|费用|金额|余额|资产|负债|现金流量?(?:净额)?|商誉|存货|应收|应付|市值|支出|开支)"
    r"(?:预测|目标|预期)?(?:是|为|有|达)?(?:多少)?[？?]*$"
)
#: What is a share or a rate, where a question ends with it.
_SHARE = re.compile(
    r"(?:占比|比例|比重|份额|市占率|毛利率|净利率|利润率|费用率|收益率|回报率|胜率|税率|利率|票息|最大回撤|"
    r"增[速幅]|增长率|复合增长|[涨跌降]幅|变[动化]幅度|同比|环比|百分之|cagr|yoy|qoq|maxdd)"
    r"(?:是|为|约|有|达)*(?:多少|几)?[？?]*$",
    re.IGNORECASE,
)
_SHARES = frozenset((*RATES, "个百分点", "倍"))
_OF_HUNDRED = frozenset(("%", "pp", "个百分点"))
#: By which money is counted.
_MONEY = re.compile(r"(?:多少|几)(?:[百千万亿]{0,2}(?:美|港|欧|日)?元|钱)|每股(?:能?值|要)?多少")
#: What one of many costs or spends, and an amount that none does.
_PRICE = re.compile(r"客单价|人均消费|均价|单价")
_NO_PRICE = 10_000_000
#: What is counted by the piece, and is no share: 多少眼, and not 多少股份.
_PIECES = re.compile(r"(?:多少|几)[百千万亿]*[眼例台套辆颗亩篇座片瓶盒场张层只头]")


def counts_otherwise(question: str, value: Json) -> bool:
    """Whether people are asked for and a figure counts something else, a place among others and
    it is an amount or a share, shares of a company and it counts days, a rate and it is an
    amount, or an amount and it is a rate.

    >>> [counts_otherwise("有多少员工", {"unit": each}) for each in ("元", "人")]
    [True, False]
    """
    asked = _ASKED_UNIT.search(question)
    unit = str(value.get("unit") or "")
    people = asked is not None and _PEOPLE.match(asked["unit"])
    if people and unit and unit not in _OF_PEOPLE:
        return True
    if unit and unit not in _OF_PLACES and _PLACE.search(question):
        return True
    if "/" in unit and IN_ALL.search(question) and not EACH.search(question):
        return True  # what one share cost is not what all of them did
    if _PRICE.search(question) and value.get("currency") and _is_no_price(value.get("number")):
        return True  # what all of them spent is not what each did
    counter = _COUNTER.match(asked["unit"]) if asked and not people else None
    wanted, told = _counter(counter["unit"] if counter else ""), _counter(unit)
    if wanted and told and wanted != told:
        return True
    if unit and unit not in _SHARES and _SHARE.search(question):
        return True
    if unit in _OF_HUNDRED and _PIECES.search(question):
        return True  # 做了多少眼 has no answer in percent
    if unit and not value.get("currency") and _MONEY.search(question):
        return True  # what it cost is counted in money alone
    amount = _AMOUNT.search(question) and not (asks_share(question) or asks_growth(question))
    return bool(amount) and unit in ("%", "x", "倍")  # a multiple of profits is no profit


def _is_no_price(number: object) -> bool:
    return isinstance(number, int | float) and abs(number) >= _NO_PRICE


def unit_agreement(question: str, value: Json) -> float:
    """Whether a figure is counted in the unit that a question names: 1; in none that is known: 0;
    in another one: -1.

    >>> [unit_agreement("卖了多少万吨", {"unit": each}) for each in ("吨", "", "元")]
    [1.0, 0.0, -1.0]
    """
    asked = _ASKED_UNIT.search(question)
    unit = str(value.get("unit") or "")
    if asked is None or not unit:
        return 0.0
    read = parse_quantity(f"1{asked['unit']}")
    if read is None or not read.unit:
        return 1.0 if asked["unit"].startswith(unit) else 0.0
    printed = parse_quantity(f"1{unit}")
    return 1.0 if printed is not None and printed.unit == read.unit else -1.0


def is_in_another_unit(question: str, value: Json) -> bool:
    """Whether a figure is counted in another unit than a question names. Which money it is, and
    points or percent, who reads it sees.

    >>> [is_in_another_unit("卖了多少万吨", {"unit": each}) for each in ("元", "%", "吨")]
    [True, True, False]
    >>> is_in_another_unit("高几个百分点", {"unit": "%"})
    False
    """
    if unit_agreement(question, value) >= 0:
        return False
    if value.get("currency"):
        return _MONEY.search(question) is None
    asked = _ASKED_UNIT.search(question)
    return asked is None or str(value["unit"]) not in _SHARES or asked["unit"] not in _SHARES


def _counter(unit: str) -> str | None:
    """By which others a unit is said, too; None of one that may count anything."""
    return next((each for each in _COUNTERS if unit and unit in each), None)
