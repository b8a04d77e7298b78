"""What a question asks of a row: its words, whose, when, and whether an amount, a share, a change.

Which cells answer is `cells`'; which words need stand nowhere `plain_words.csv`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from finrag_pipeline.grammar.fact_metrics import NamedMetric, fact_metrics_in
from finrag_pipeline.query.answers.passages.counting import without_ratios
from finrag_pipeline.query.answers.passages.saying import blanked
from finrag_pipeline.query.answers.passages.times import Times
from finrag_pipeline.query.answers.passages.wanted import Wanted
from finrag_pipeline.query.answers.rows.matching import (
    Cover,
    Place,
    chinese_words,
    cover,
    joined,
    plain_words,
    units_of,
)
from finrag_pipeline.query.answers.rows.silent import silent_words, talk_in, unwritten
from finrag_pipeline.query.answers.rows.vouching import called
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.names import Named
from finrag_pipeline.query.question.notes import OF_REPORT
from finrag_pipeline.query.question.signals import (
    asks_figure,
    asks_reason,
    wanted_kind,
    without_aside,
)
from finrag_pipeline.words import fold, is_chinese

#: How far something changed on another time, and what has such a word and is none.
_CHANGE = re.compile(
    r"同比|环比|增速|增幅|涨幅|跌幅|降幅|增减|(?<!公允价值)变动|变化|增长率?|下降|下滑|上升|上涨|下跌|涨了|跌了|"
    r"(?:增加|减少|提升|降低)了?(?:多少|几)|(?:较|比)(?:上年|去年|期初|年初|上期)|"
    r"\b(?:yoy|qoq|year[- ]o(?:n|ver)[- ]year|growth|gr[eo]w|growing|increased?|decreased?|"
    r"declined?|rise|rose|f[ae]ll|changed?)\b"
)
#: The figure itself is asked for before how far it changed: 多少亿，较上年末.
_AMOUNT_AHEAD = re.compile(
    r"(?:是|有|为|达)?(?:多少|几)(?![个]?(?:点|百分点)).{0,8}(?:同比|环比|较|比(?:上年|去年|期初|年初))"
)
_SHARE = re.compile(
    r"占比|比例|比重|份额|市占率|百分比|百分之|占\S{2,10}[%％]|几个?(?:点|pp|pct)|"
    r"(?<!应)占(?!有|用|地|款).{0,16}(?:多少|几成)(?![十百千万亿]*(?:元|美[元金]|港[元币]))|"
    r"\b(?:(?:what|market) share|shares? of|proportion|percentage of|per ?cent of|what per ?cent|"
    r"account\w*)\b"
)
#: A figure whose own name says that it is of a hundred.
_RATE = re.compile(
    r"(?<!市[盈净销])率|进度|完成度|margin|利差|毛利$|roe|roa|roic|wacc|cagr|\brate\b|returns?\b|yield|"
    r"年化|超额|回撤|跑赢|相关性|累计收益",
    re.IGNORECASE,
)
#: Prices and rates are averages, whether or not a table calls them so.
_AVERAGE = re.compile(r"平均[^，,；;]{0,6}[价率]")
#: What parts the things that a question asks.
_PARTED = re.compile(r"[，,、；;？?]|以及|及|和|与")
_CLAUSES = re.compile(r"[，,；;？?。！!]|以及|并且")
#: What a clause asks by.
_ASKS = re.compile(
    r"多少|几|多[大高长少]|占比|比例|比重|份额|率|同比|环比|增[速幅长]|变动|进度|呢|较|余额|总数|"
    r"\b(?:what|how (?:much|many|large|big|high|long))\b"
)
#: What a clause supposes: WACC取6.92%、永续增长取4%时.
_GIVEN = re.compile(
    r"^(?:若|如果?|假[如设定]|按照?|当)(?!.*(?:多少|几))|(?<![同及当届小])时$|的话$"
)
#: What is asked of several, of one of several, or of how they differ.
_NO_ROW = re.compile(
    r"哪[些个家款种类项几]|谁|各[个自地家]?|分别|前[几三五十]名?是|排名|"
    r"最[高低大小多少快慢](?!的?(?:供应商|客户))|相比|"
    r"(?<![同环])比(?![例重率上去]).{1,12}(?:高|低|多(?!少)|(?<!多)少|大|小|快|慢)|差(?:多少|距|额)|相差|对比(?![表图])|孰|还是|为什么|为何|原因|"
    r"如何|怎[么样]|列[出表举]|变迁|历年|逐年|近[两三四五几]年|趋势|平均每|计算|"
    r"\b(?:which|who|whose|each|respectively|rank\w*|versus|vs|compared?|than|why|explain\w*|trends?|list|differ\w*|"
    r"highest|lowest|ratio of|how (?!much|many|large|big|high|long)\w+)\b"
)
#: What is told in words: a row that has the rest of the question says nothing of it.
_IN_WORDS = re.compile("风险|[优劣]势|战略|策略|逻辑|看点|亮点|观点|前景")
#: Whose place a name behind it takes: 第一大客户国家电网的销售额.
_PLACE_OF = re.compile(
    r"(?:第[一二三四五]大|最大的?|头号)(?:客户|供应商|股东)"
    r"(?=[\u3400-\u9fff]{3,}?的)(?!的|[是为占]|销售|采购|贡献|持股|合计|应收|期末)"
)
#: Who does what, as people say it: 搞销售的员工.
_DOES = re.compile(
    r"[搞做干跑管](?P<work>研发|销售|生产|技术|财务|行政|管理|采购)(?:业务)?的?(?:员工|人员|同事|人手?)"
)
#: Where a period begins: 期初, 2025年初.
_OPENING = re.compile(r"初|\b(?:opening|beginning|start)\b", re.IGNORECASE)
#: Fewer units ask for nothing in particular.
_LEAST = 2
#: Characters of a company's name in another language.
_LEAST_NAME = 3
_TIME_LEFT = re.compile(r"第?[一二三四]季度?|前三季度|[上下]半年|[qh][1-4]|[1-4][qh]")


@dataclass(frozen=True, slots=True)
class AskedRow:
    """What is asked of a row.

    Attributes:
        words: what is left of the question without whom and when.
        plain: words of it that need stand nowhere, joined.
        meant: the metric that pieces name, joined, by its name.
        names: whom no document is about, each as texts may write it; one way of every one has to
            stand at the cell.
        companies: `company_key`s whose documents are asked.
        publishers: houses whose tables are asked for; empty: any.
        notes: ids of the notes of houses that are meant; empty: any.
        times: when.
        share: whether a share of a whole is asked for.
        rate: whether what is asked is of a hundred by its own name.
        change: whether it is asked how far it changed.
        amount: whether the figure itself is asked for.
        english: whether Chinese tables say its words by the dictionary.
        opening: whether it names where a period begins.
        talk: words of it that need stand nowhere unless tables have them.
        whole: whether all of a question is asked of one row.
        called: whom it names that no document is about, folded.
    """

    words: str
    plain: frozenset[str]
    meant: Mapping[str, str] = field(hash=False)
    names: tuple[tuple[str, ...], ...]
    companies: frozenset[str]
    publishers: frozenset[str]
    notes: frozenset[str]
    times: Times
    share: bool
    rate: bool
    change: bool
    amount: bool
    english: bool = False
    opening: bool = False
    talk: frozenset[str] = frozenset()
    whole: bool = False
    called: frozenset[str] = frozenset()

    def over(self, places: Sequence[Place], plain: frozenset[str] = frozenset()) -> Cover:
        """Its words laid over places.

        Args:
            plain: more words that need stand nowhere, joined.
        """
        return cover(self.words, places, self.plain | plain, self.meant, english=self.english)

    @property
    def chinese(self) -> tuple[str, ...]:
        """How Chinese tables may say its words; empty where they are Chinese."""
        return chinese_words(self.words) if self.english else ()

    def among(self, texts: Iterable[str]) -> AskedRow:
        """The same asked of tables that say so much: talk that none of them has says nothing."""
        return replace(self, plain=self.plain | unwritten(self.talk, texts))

    def beside(self, label: str) -> AskedRow:
        """The same asked of what a label names."""
        return replace(self, words=f"{label} {self.words}")


def read_rows(asked: Asked, *, whole: bool = False) -> tuple[AskedRow, ...]:
    """What a question asks of rows, the first of which names what the others are asked of, too.

    Empty where it asks for reasons, lists, yes or no, or nothing that a row could be called by.

    Args:
        whole: all that it says is asked of one row, which it may compare with others.
    """
    question, reading = asked.question, asked.scope.reading
    if asks_reason(question) or not (
        wanted_kind(question) in ("number", "text") or asks_figure(question)
    ):
        return ()
    # a name and its code behind it are one company
    if len({each.keys for each in reading.companies}) > 1 or len(reading.strangers) > 1:
        return ()
    wanted = Wanted(asked)
    bare, times = wanted.bare, wanted.times
    if wanted.companies or wanted.publishers:
        # which report is meant, its house and company tell
        report = [each.span() for each in OF_REPORT.finditer(bare)]
        bare = blanked(bare, report)
        outside = wanted.times_outside(report)
        # a report on no company is of a year, what it prints of others
        times = outside if outside.asked or not wanted.companies else times
    words = _PLACE_OF.sub("", _TIME_LEFT.sub(" ", fold(without_aside(bare))))
    words = _DOES.sub(r"\g<work>人员", words)
    if not whole and _NO_ROW.search(words):
        return ()
    if _IN_WORDS.search(words) and not asks_figure(question):
        return ()
    asks = [" ".join(_CLAUSES.split(words))] if whole else _asks(words)
    found = tuple(_row(asked, wanted, times, each) for each in asks)
    names = called(wanted, asked.scope.catalogue)
    found = tuple(replace(each, whole=whole, called=names) for each in found)
    known = [each for each in units_of(found[0].words) if each not in found[0].plain]
    # a word in Latin letters is one unit
    return found if len(known) >= (1 if found[0].english or whole else _LEAST) else ()


def _asks(words: str) -> list[str]:
    """The things that a question asks for, each with what leads to it; how far the one before it
    changed belongs to that."""
    found: list[str] = []
    lead = ""
    for part in _CLAUSES.split(words):
        lead = f"{lead} {part}".strip()
        if _GIVEN.search(part.strip()) or not _ASKS.search(part):
            continue
        left = cover(lead, (), plain_words("question") | plain_words("change")).left
        if found and _CHANGE.search(lead) and not left:
            found[-1] = f"{found[-1]}，{lead}"
        else:
            found.append(lead)
        lead = ""
    if found:
        return [*found[:-1], f"{found[-1]} {lead}".strip()]
    return [lead]


def _row(asked: Asked, wanted: Wanted, times: Times, words: str) -> AskedRow:
    named = tuple(fact_metrics_in(words))
    parts = [each for each in _PARTED.split(_as_units(words, named)) if each.strip()]
    changed = [bool(_CHANGE.search(each)) for each in parts]
    share = bool(_SHARE.search(words))
    rate = bool(_RATE.search(without_ratios(words)))
    # of a question that asks for no figure every word says what it wants
    figure = asks_figure(asked.question)
    plain = plain_words("question") | (silent_words(asked.question) if figure else frozenset())
    if share or rate:  # 应用率 stands under 应用状况
        plain |= plain_words("share")
    if _AVERAGE.search(words):
        plain |= {"平均"}
    if any(changed):
        plain |= plain_words("change")
    return AskedRow(
        words,
        plain,
        {joined(words[each.start : each.end]): each.metric.name for each in named},
        tuple(_ways(asked, each) for each in asked.scope.reading.strangers),
        wanted.companies,
        wanted.publishers,
        wanted.notes,
        times,
        share,
        rate,
        any(changed),
        not all(changed) or bool(_AMOUNT_AHEAD.search(words)),
        not is_chinese(asked.question),
        bool(_OPENING.search(asked.question)),
        talk_in(asked.question) if figure else frozenset(),
    )


def _as_units(words: str, named: Sequence[NamedMetric]) -> str:
    """Words without those of metrics: 税金及附加同比 asks for one thing."""
    for each in reversed(named):
        words = f"{words[: each.start]}\ue000{words[each.end :]}"
    return words


def _ways(asked: Asked, stranger: Named) -> tuple[str, ...]:
    """How texts write a company, none of them shorter than the question does in its language."""
    ways = asked.scope.catalogue.registered.written(stranger)
    least = len(stranger.text) if is_chinese(stranger.text) else _LEAST_NAME
    return tuple(fold(each) for each in ways if each == stranger.text or len(each) >= least)
