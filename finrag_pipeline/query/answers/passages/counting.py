"""In what the figure that is asked for is counted: 多少颗 in 颗, 占比 in %, 多少钱 in money."""

from __future__ import annotations

import re
from dataclasses import replace

from finrag_pipeline.grammar.measures import measure_of
from finrag_pipeline.grammar.quantities import Quantity
from finrag_pipeline.grammar.units import COUNTS
from finrag_pipeline.query.answers.values import MONEY_ZH
from finrag_pipeline.records.facts import FinancialFact

_SHARE = re.compile(
    r"占(?!用|有|地|款).{0,14}(?:多少|几)|占比|比例|比重|份额|市占|百分|(?<!\d)[%％]|几成|几个点|几个?p(?:p|ct)|同比|环比|增[速幅]|复合增长|[涨降跌]幅|变[动化]幅度|多大幅度|回撤|占[\u3400-\u9fff]{2,8}$|[^效利汇斜频概功]率(?!先|领)|利率|"
    r"(?<![a-z])(?:yoy|qoq|cagr|wacc|roe|roa|roic)(?![a-z])|"
    r"share of|percent|\brates?\b|margin|growth",
    re.IGNORECASE,
)
#: What is counted in money: 股东应占盈利多少百万元 asks for no share.
_IN_MONEY = re.compile(r"(?:多少|几)[十百千万亿]*(?:人民币|[美港欧日]?元|美金|港币|块钱)")
#: Whose rate is no share of a hundred.
_NO_SHARE = re.compile(
    r"(?:信息|夏普|盈亏|流动|速动|卡玛|索提诺|收益风险|风险收益|赔)比?率|[周换]转率(?!为?百分)|"
    r"(?:information|sharpe|sortino|calmar|current|quick) ratio",
    re.IGNORECASE,
)
#: What lasts or is so old, and who asks for it.
_LASTS = frozenset(("天", "月", "年", "岁", "小时"))
_HOW_LONG = re.compile(
    r"[多几]久|[几多少][\u3400-\u9fff]?(?:天|日|个?月|年|岁|小时)|天数|年限|期限|时长|周期|时间|寿命|工期|年龄|小时数|小时(?=[是为有？?]|$)|月数|[账库船司]龄|"
    r"how (?:long|old)|days|months|years|age|term|duration|period",
    re.IGNORECASE,
)
#: How far behind its name a ratio stands.
_CLOSE = 6
_MONEY = re.compile(
    r"多少(?:资金|投资|经费|奖金|预算|对价)|(?:多少|几)(?:钱|[万亿]*(?:人民币|美[元金]|港[元币]|欧元|日元|英镑|元|块))|金额|价款|总价|货款|花了|花掉|卖了(?!(?:大[概约]|约)?(?:多少|几)[百千万亿]*[吨台套辆件只支颗片头瓶盒桶张份股个把匹斤箱袋剂册间亩平])|[亏赚赔]了?(?:多少|几)(?!个?点|百分)|"
    r"[款债][项额]?(?:还?[有剩]|余额|一共|总共|合计|是|为)*(?:多少|几)(?![家个笔成])|"
    r"(?:作价|单价|均价|售价|对价|价格|造价|租金|票价|工资|年薪)(?:大[概约]|约|是|为|了|有)*(?:多少|几)(?!倍|%|个?百?分?点)|"
    r"多少[^，。？]{0,6}(?:收益|收入|利润|成本|费用|亏损|损失|款项|现金|资金)(?![率比占])|"
    r"how much|[a-z]+ value\b",
    re.IGNORECASE,
)
#: By what else people call a currency.
_CALLED = {"美金": "美元", "港币": "港元"}
_CURRENCY = re.compile(
    rf"多少[万亿]*({'|'.join([*_CALLED, *(each for each in MONEY_ZH.values() if each != '元')])})"
)
#: Who asks how many asks in a word by which texts count, or one that stands for any.
_HOW_MANY = re.compile(r"(?:多少|几)(?:个(?=月))?[万亿]?(?P<unit>人次|[^\W\d_a-z])(?!额)")
#: Who asks for a number asks so, too: 授予份数是多少, 员工人数.
_NUMBER_OF = re.compile(
    r"(?P<unit>人次|[人户股家份件项款台套辆颗只])数量?(?:合计|一共|总共)?(?:是|为|有)?(?:多少|几)?[?？]?$"
)
#: What is measured in no money, and is no share.
_VOLUME = re.compile(
    r"(?:销售?|产销?|生产|库存|出货|发电|用电|上网电|门诊|手术|就诊|吞吐|运输|客流|处理|成交|保有|用)量(?!占|比|价|增|同|环|的)|"
    r"产能(?!利|投|扩|建|释|过|爬)|容量|总量|面积|"
    r"(?:sales|production|output|shipment|trading)s? volume|tonn?e?s\b",
    re.IGNORECASE,
)
_ANY = frozenset("个项家名位款种类只件")
_UNITS = frozenset(
    "人户股天年月座台套辆吨米片颗例亩头篇次届层间张倍份笔批条支升克度瓦粒瓶盒桶场轮剂手次回趟"
) | {"人次"}
#: Units that quantities are read in under another name.
_AS_READ = {"倍": "x", "度": "kWh", "回": "次", "趟": "次", "人次": "次"}
_NUMERALS = "[一二三四五六七八九十百千万亿两半数][余多]?"
_IN_CHARACTERS = re.compile(
    rf"分之[一二三四五六七八九十]|翻[倍番两]|{_NUMERALS}(?:[倍成元角]|个?百分点|[百千万亿]+元)"
)
#: Of a hundred, and of points.
RATES = ("%", "‰", "pp", "bp")
#: Forms of filings print it so: 境外资产205.66（单位：亿元 币种：人民币）.
_UNIT_BEHIND = re.compile(r"\s*[（(]\s*单位[:：]\s*([\u3400-\u9fff]{1,4})")
_WORDS = re.compile(
    rf"\s?(小时|个月|L(?![A-Za-z])|项(?!目)|{COUNTS['股']}|"
    rf"[{''.join(sorted((_ANY | _UNITS) - {'项', '股'}))}])(?!月|半年)"
)
#: Words by which the same is counted.
_SAME_WORD = {"名": "人", "位": "人", "L": "升", "个月": "月"}


def asks_in_money(text: str) -> bool:
    """Whether an amount of a currency is asked for.

    >>> [asks_in_money(each) for each in ("EBITDA是多少百万元", "市盈率是多少倍")]
    [True, False]
    """
    return bool(_IN_MONEY.search(text))


def counted(quantity: Quantity, text: str) -> Quantity:
    """A quantity with the word behind it by which it counts, where its unit is none of measure.

    >>> from finrag_pipeline.grammar.quantities import quantities_in
    >>> [counted(each, "布局151 项专利").unit for each in quantities_in("布局151 项专利")]
    ['项']
    >>> [counted(each, "产能30000L").unit for each in quantities_in("产能30000L")]
    ['升']
    >>> text = "境外资产205.66（单位：亿元 币种：人民币）"
    >>> [counted(each, text).value for each in quantities_in(text)]
    [Decimal('2.0566E+10')]
    """
    if quantity.unit:
        return quantity
    behind = _UNIT_BEHIND.match(text, quantity.end)
    if behind and (found := in_unit(quantity, behind[1])).unit:
        return found
    word = _WORDS.match(text, quantity.end)
    if not word:
        return quantity
    return replace(quantity, unit=_SAME_WORD.get(word[1], word[1]))


def in_unit(quantity: Quantity, unit: str) -> Quantity:
    """A quantity counted in a unit that is printed beside it; as it is where that is none."""
    measure = measure_of(unit)
    if measure is None:
        return quantity
    return replace(quantity, value=quantity.value.scaleb(measure.power), unit=measure.unit)


def asks_share(question: str) -> bool:
    """Whether a question asks for a share, a rate, or how far something changed in percent."""
    if asks_in_units(question) or asks_in_money(question):
        return False
    return bool(_SHARE.search(without_ratios(question)))


def without_ratios(text: str) -> str:
    """A text without the names of ratios that are no shares of a hundred.

    >>> without_ratios("多空组合的信息比率")
    '多空组合的'
    """
    return _NO_SHARE.sub("", text)


def asks_in_units(question: str) -> bool:
    """Whether a question names by what is counted: 多少颗; 多少个 may be of anything."""
    asked = _asked_unit(question)
    return asked in _UNITS


def counts_in_own_word(question: str, quantity: Quantity) -> bool:
    """Whether a quantity is counted by the very word that a question asks in, not by one that may
    stand for it: of 13款新药的35项成果 多少款 asks for the 13.

    >>> from finrag_pipeline.grammar.quantities import quantities_in
    >>> text = "13款新药的35项成果"
    >>> found = [counted(each, text) for each in quantities_in(text)]
    >>> [counts_in_own_word("有多少款新药", each) for each in found]
    [True, False]
    """
    asked = _asked_unit(question)
    return asked not in ("", "个") and asked == quantity.unit


def counted_in_characters(question: str, text: str) -> bool:
    """Whether a text counts in characters what a question asks for: 六个国家, 三分之一, 翻倍.

    >>> [counted_in_characters(each, "遍及六个国家") for each in ("多少个国家", "卖了多少台")]
    [True, False]
    """
    unit = _asked_unit(question)
    units = "".join(sorted(_ANY)) if unit in _ANY else unit
    return bool(
        _IN_CHARACTERS.search(text) or (units and re.search(rf"{_NUMERALS}[{units}]", text))
    )


def counted_as(question: str, quantity: Quantity) -> bool:
    """Whether a quantity is counted in what a question asks for; true where it does not say.

    >>> from finrag_pipeline.grammar.quantities import quantities_in
    >>> text = "686万颗，12%，3亿元"
    >>> many, share, money = (counted(each, text) for each in quantities_in(text))
    >>> [counted_as("种了多少颗牙", each) for each in (many, share, money)]
    [True, False, False]
    >>> [counted_as("占比是多少", each) for each in (many, share, money)]
    [False, True, False]
    >>> [counted_as("花了多少钱", each) for each in (many, share, money)]
    [False, False, True]
    >>> [counted_as("牙的库存量多少", each) for each in (many, share, money)]
    [True, False, False]
    >>> [counted_as("卖了多少颗牙", each) for each in (many, share, money)]
    [True, False, False]
    >>> [counted_as("每台价格大约多少", each) for each in (many, share, money)]
    [False, False, True]
    >>> [counted_as("种植颗数", each) for each in (many, share, money)]
    [True, False, False]
    >>> [counted_as("种植牙CAGR", each) for each in (many, share, money)]
    [False, True, False]
    """
    share = quantity.unit in RATES
    money = FinancialFact.currency_of(quantity.unit) is not None
    if asks_share(question):
        return share
    if _MONEY.search(question):
        currency = _CURRENCY.search(question)
        asked = MONEY_ZH.get(FinancialFact.currency_of(quantity.unit) or "", "")
        return money and (currency is None or asked == _CALLED.get(currency[1], currency[1]))
    unit = _asked_unit(question)
    if unit in _UNITS:
        return quantity.unit.partition("/")[0].endswith(_AS_READ.get(unit, unit))
    if _VOLUME.search(question) and (share or money):
        return False
    if unit in _ANY:
        return quantity.unit[-1:] in _ANY | {"人"}
    return quantity.unit not in _LASTS or bool(_HOW_LONG.search(question))


def _asked_unit(question: str) -> str:
    """The word by which is counted what a question asks for; empty where it names none."""
    asked = _HOW_MANY.search(question) or _NUMBER_OF.search(question)
    return asked["unit"] if asked else ""


def asks_ratio(question: str) -> bool:
    """Whether a question asks for a ratio that is counted in nothing: 夏普比率."""
    return bool(_NO_SHARE.search(question)) and not asks_share(question)


def is_ratio(own: str, quantity: Quantity) -> bool:
    """Whether a figure is a ratio by what is said of it: 信息比率为1.19.

    >>> from finrag_pipeline.grammar.quantities import quantities_in
    >>> [is_ratio("5分组的信息比率为1.19", each) for each in quantities_in("5分组的信息比率为1.19")]
    [False, True]
    """
    names = [each.end() for each in _NO_SHARE.finditer(own)]
    at = own.rfind(quantity.text)
    return not quantity.unit and any(0 <= at - end <= _CLOSE for end in names)
