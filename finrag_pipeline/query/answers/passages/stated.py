"""Whether a quote states the figure that is asked for: its own company, metric and period.

Passages that share words with a question are many; a figure out of the wrong one is worse than
none.
"""

from __future__ import annotations

import re
from functools import cached_property

from finrag_pipeline.grammar.fact_metrics import fact_metrics_in, metric_of_label
from finrag_pipeline.grammar.numerals import narrow
from finrag_pipeline.grammar.periods import ReportingPeriod, periods_in
from finrag_pipeline.models.dictionary import translations
from finrag_pipeline.query.answers.passages.synonyms import Text
from finrag_pipeline.query.answers.passages.times import Time
from finrag_pipeline.query.evidence.kinds import EvidenceItem, Quotable
from finrag_pipeline.query.numbers.formulas import formulas, formulas_in
from finrag_pipeline.query.numbers.reading import read_numbers
from finrag_pipeline.query.numbers.records import Measure, NumberQuestion
from finrag_pipeline.query.question.asked import Asked
from finrag_pipeline.query.question.terms import called_in, covered, missing, needed_names, terms
from finrag_pipeline.words import fold, is_chinese, search_words

_NUMERAL = re.compile(r"[\d一二三四五六七八九十百千万亿两半]")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
#: The parent alone, not those to whom its shares belong: 归属于母公司股东.
_PARENT = re.compile(r"(?<!归属于)(?<!归属)母公司(?!股东|所有者)|parent company", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[，。；;：:！？\n]|, ")
#: What may stand between whom, when and the metric.
_LEAD = re.compile(
    r"(?:公司|本公司|集团|本集团|全年|期内|报告期内?|整体|总体|合计|累计|我们|实现|录得|取得|的|其|"
    r"第?[一二三四]季度|[上下]半年|前三季度|单季度?|给出的?|预计|指引|预期|分别|同期|年末|期末|末|底|和|与|及|/|、|"
    r"the company(?:'s)?|the group(?:'s)?|its|total|we|our|reported|recorded|posted|generated|in|"
    r"of|for|the|[\s（）()、])*",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[。；;！？\n]")
#: What makes all that follows in a sentence a part's: 化学业务：收入163亿元，毛利率49%.
_OF_PART = re.compile(
    r"(?:^|[^\w）)])(?P<part>[^\W\d_]{1,14}(?:业务|板块|产品|分部|事业部|地区|市场|平台|服务))"
    r"(?:方面|端)?\s*(?:[：:]|实现|收入|营收|营业收入)|分(?:产品|业务|地区|行业|板块|品类)来?看"
)
#: What tells that a figure is expected, and not what it was.
_EXPECTED = re.compile(r"预计|预期|指引|guidance|expect", re.IGNORECASE)
#: What follows the metric where the sentence says what it was, or how it has grown.
_AMOUNTS = re.compile(
    r"\W{0,3}(?:总额|合计|金额|余额|规模)?"
    r"(?:的?(?:指引|目标|预期|展望)(?:区间|范围)?|(?: revenue)? guidance)?"
    r"(?:为|达到?|约为?|实现|was|were|of|reached|totall?ed)?\s*"
    r"(?:[同环]比(?:下降|增长|持平|上升|回落|下滑)?)?\s*"
    r"(?:约|approximately|about)?\s*[A-Z$¥￥]{0,4}\s?[\d-]"
)
#: What stands before the metric where the sentence counts it.
_COUNTED = re.compile(
    r"(?:共有|共|拥有|有|现有|在职|had|employed)?\s*[约逾超]?\s*\d[\d,]*\s*[余多]?\s*$"
)
_GROWN = re.compile(
    r"\W{0,2}(?:总额|合计|金额|余额|规模)?[为达约]?(?:-?[\d.,]+\s?\S{0,4}\W{1,2})?"
    r"(?:[（(]?(?:yoy\s?)?[+＋−-]?\d[\d.,]*\s?(?:%|pct|pp|个百分点)|"
    r"同比|环比|增长|下降|增加|减少|上升|下滑|"
    r"grew|increas|decreas|declin|rose|fell|growth)",
    re.IGNORECASE,
)
#: Characters of a short name.
_SHORT = 2
#: What makes another company's name of the short name of one: a character, or a line of business.
_NAME_GOES_ON = re.compile(
    r"[\u3400-\u9fff]|[\u3400-\u9fff]?(?:股份|集团|控股|科技|生物|健康|医疗|医药|药业|制药|投资|资本|"
    r"实业|电子|能源|银行|证券|保险|置业|地产|传媒|网络|软件|智能|材料|化工|食品|乳业|电器|电气|重工)"
)
#: Share of what is measured that the quote itself has to name, by the weight of its words.
_MIN_NAMED = 0.75
#: Of the largest customers and suppliers.
_PARTNERS = re.compile(r"(?:top|largest)_(?:customer|supplier)s?_")


class Stated:
    """What a quote has to name to state the figure that a question asks for."""

    def __init__(self, asked: Asked) -> None:
        self._question = asked.question
        self._reading = asked.scope.reading
        self._documents = asked.scope.catalogue.documents
        catalogue = asked.scope.catalogue
        self._openings = {name[:_SHORT] for name in catalogue.names.values()}
        #: Whom it names that no document is about, by the ways in which texts write each; a
        #: shorter one, 三峡, may be anybody.
        self._strangers = [
            [way for way in catalogue.registered.written(each) if len(way) >= len(each.text)]
            for each in self._reading.strangers
        ]
        self._companies = {key for each in self._reading.companies for key in each.keys}
        read = read_numbers(asked.question, asked.scope.catalogue, asked.where.as_of)
        self._unexplained = read.not_understood if read else ()
        # a metric of the vocabulary and nothing else is asked for: only its own row will do
        exact = read is not None and not (read.not_understood or read.segments)
        # where documents are about nobody, words decide
        exact = exact and bool(asked.scope.catalogue.by_company)
        # how much the largest customers buy is said in many ways
        of_partners = read is not None and all(_PARTNERS.match(each.name) for each in read.measures)
        exact = exact and not of_partners
        self._exact = _names_of(read) if read is not None and exact else None
        self._expected = read is not None and read.natures != ("actual",)
        self._parent = read is not None and read.scope == "parent"
        self._parts = read.segments if read else ()
        measures = read.measures if read else ()
        self._grown = frozenset(name for each in measures for name in each.grown)
        self._formulas = {_formula_of(each): bool(each.change) for each in measures}
        names = {each.text for each in self._reading.companies}
        names |= {asked.scope.catalogue.name_of(key) for key in self._companies}
        self._called = sorted(filter(None, names), key=len, reverse=True)
        self._years = {match[0] for match in _YEAR.finditer(narrow(asked.question))}

    @property
    def exact(self) -> bool:
        """Whether a metric of the vocabulary and nothing else is asked for."""
        return self._exact is not None

    @property
    def beside(self) -> tuple[str, ...]:
        """What is asked for beside a metric of the vocabulary: 保费 in 保费收入."""
        return (*self._parts, *self._unexplained)

    def by(self, item: EvidenceItem, said: Quotable, time: Time = Time.OPEN) -> bool:
        """Whether a quote of a piece of evidence is of whom, what and when is asked.

        Args:
            time: how far it is of the time asked for, as what stands around it tells.
        """
        around = [said.quote, said.context, *item.subjects]
        whole = "\n".join(around)
        held = Text(whole, across=not is_chinese(self._question) and is_chinese(whole))
        return (
            bool(_NUMERAL.search(said.told))
            and self.of_company(item, said)
            and self._of_metric(said)
            and (
                time in (Time.AROUND, Time.NAMED)
                or (
                    self._of_years(item, said)
                    and all(self._of_period(item, said, each) for each in self._reading.periods[:1])
                )
            )
            and not missing(self._unexplained, around)
            and not missing([each for each in self._parts if not held.has(each)], around)
            and (not self._parent or bool(_PARENT.search(f"{said.context}\n{said.quote}")))
        )

    def of_company(self, item: EvidenceItem, said: Quotable, *, around: bool = False) -> bool:
        """Whether a quote is of the company that is asked for; of a name that no document is about
        it has to have all of it.

        Args:
            around: whether its passage may have such a name: a figure there is another's.
        """
        return self.of_no_other(item, said) and (
            bool(self._companies) or self._is_named(item, said, around=around)
        )

    def of_whom(self, item: EvidenceItem, said: Quotable) -> bool:
        """The same, whatever else the question names: its other words may stand there in others."""
        return self.of_no_other(item, said) and (
            bool(self._companies) or self._names_strangers(item, said)
        )

    def _names_strangers(self, item: EvidenceItem, said: Quotable) -> bool:
        """Whether the quote or who speaks names whom no document is about: 三峡旅游 is nobody of
        whom 三峡 and 旅游 are said."""
        told = fold("\n".join((said.quote, said.about, *item.subjects)))
        return all(any(fold(way) in told for way in ways) for ways in self._strangers)

    def _is_named(self, item: EvidenceItem, said: Quotable, *, around: bool) -> bool:
        """Whether the quote or who speaks names whom no document is about, and what is around it
        each thing."""
        if not self._names_strangers(item, said):
            return False
        lacking = missing(self._names, [said.quote, said.about, *item.subjects])
        if not around and any(each in self._of_whom for each in lacking):
            return False
        return not missing(lacking, [item.identity, item.text])

    def of_no_other(self, item: EvidenceItem, said: Quotable) -> bool:
        """Whether a quote is of the company that is asked for, or of any where none is known."""
        if missing(self.alike, [said.quote, said.about, *item.subjects]):
            return False
        document = self._documents.get(str(item.key.id[0]))
        known = document is not None and document.company in self._companies
        return known or not self._companies

    @cached_property
    def alike(self) -> list[str]:
        """Names of companies that begin as a known one, and are none: 恒瑞生物, 格力博."""
        behind = [
            f"{each.text}{word}"
            for each in self._reading.companies
            for word in self._unexplained
            if self._question.startswith(word, each.end) and _NAME_GOES_ON.fullmatch(word)
        ]
        whole = [
            word
            for word in self._unexplained
            if word[:_SHORT] in self._openings and _NAME_GOES_ON.fullmatch(word[_SHORT:])
        ]
        return behind + whole

    def _of_metric(self, said: Quotable) -> bool:
        if self._exact is not None:
            return self._is_row(said) or self._is_sentence(said)
        wanted = self._terms
        about, context = set(search_words(said.about)), set(search_words(said.context))
        return not wanted or covered(wanted, about, context) >= _MIN_NAMED

    def _is_row(self, said: Quotable) -> bool:
        """Whether it is the row of the metric itself, of the whole company: under no heading."""
        label = said.about.partition("\n")[0]
        metric = metric_of_label(label)
        of_parent = bool(_PARENT.search(said.context))
        whole = f"：{label}：" in f"：{said.told}" and of_parent == self._parent
        return metric is not None and metric.name in (self._exact or ()) and whole

    def _is_sentence(self, said: Quotable) -> bool:
        """Whether it is a sentence that says the metric of the company itself, or how it has grown.

        What stands before the metric in its clause may only say who and when: 软件业务收入 is a
        part's.
        """
        if said.row:
            return False
        for named in fact_metrics_in(said.quote):
            if named.metric.name not in (self._exact or frozenset()) | self._grown:
                continue
            told = _GROWN if self._grown else _AMOUNTS
            if self._leads(said.quote[: named.start]) and told.match(said.quote, named.end):
                return True
            # 公司共有1451名员工
            counted = None if self._grown else _COUNTED.search(said.quote[: named.start])
            if counted and self._leads(said.quote[: counted.start()]):
                return True
        return any(
            (_GROWN if self._formulas[measure.name] else _AMOUNTS).match(said.quote, end)
            and self._leads(said.quote[:start])
            for measure, start, end in formulas_in(said.quote)
            if measure.name in self._formulas
        )

    def _leads(self, text: str) -> bool:
        """Whether the last clause of a text says nothing but of whom and when, and its sentence
        speaks of no part that is not asked for."""
        part = _OF_PART.search(_SENTENCE_END.split(text)[-1])
        if part and not (part["part"] and part["part"] in self._question):
            return False
        clause = _CLAUSE_END.split(text)[-1]
        spans = [(each.start, each.end) for each in periods_in(clause)]
        for start, end in sorted(spans, reverse=True):
            clause = f"{clause[:start]} {clause[end:]}"
        for name in self._called:
            clause = clause.replace(name, " ")
        expected = self._expected or not _EXPECTED.search(clause)
        return expected and bool(_LEAD.fullmatch(clause))

    def _of_years(self, item: EvidenceItem, said: Quotable) -> bool:
        """Whether it, or what its document reports on, has the years that the question writes."""
        document = self._documents.get(str(item.key.id[0]))
        own = {str(document.row.fiscal_year)} if document else set[str]()
        return self._years <= {match[0] for match in _YEAR.finditer(narrow(said.told))} | own

    def _of_period(self, item: EvidenceItem, said: Quotable, asked: ReportingPeriod) -> bool:
        """Whether it names the period, or names none and its document reports on that."""
        named = [*periods_in(said.told, "heading"), *periods_in(said.told)]
        if named:
            spans = {(each.first_on, each.last_on) for each in named}
            return (asked.first_on, asked.last_on) in spans
        document = self._documents.get(str(item.key.id[0]))
        return document is not None and document.row.period_last_on == asked.last_on

    @cached_property
    def _rest(self) -> str:
        """The question without whom, whose words and when."""
        text = self._question
        named = (*self._reading.companies, *self._reading.publishers)
        spans = {(each.start, each.end) for each in named}
        spans |= {(each.start, each.end) for each in self._reading.periods if each.text}
        for start, end in sorted(spans, reverse=True):
            text = f"{text[:start]} {text[end:]}"
        return text

    @cached_property
    def _names(self) -> list[str]:
        return list(dict.fromkeys([*needed_names(self._rest), *self.uncapitalised]))

    @cached_property
    def uncapitalised(self) -> list[str]:
        """Names in small letters, as hurried people write them: of an English question for a figure
        that names nobody, the words that neither the grammar nor the dictionary knows."""
        if self._companies or is_chinese(self._question):
            return []
        left = terms(" ".join(self._unexplained))
        return [each for each in left if each.isalpha() and not translations(each)]

    @cached_property
    def _of_whom(self) -> set[str]:
        return called_in(self._question)

    @cached_property
    def _terms(self) -> list[str]:
        return terms(self._rest)


def _formula_of(measure: Measure) -> str:
    """The formula that a measure is, or is the growth of."""
    names = sorted(formulas(), key=len, reverse=True)
    return next((name for name in names if measure.name.startswith(name)), measure.name)


def _names_of(question: NumberQuestion) -> frozenset[str]:
    """The metrics under which a document may print what is asked for as it is."""
    measures = [each for each in question.measures if not each.change]
    return frozenset(name for each in measures for name in (each.name, *each.printed))
