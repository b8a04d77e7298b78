"""Writers of answers: figures, what covers say, passages and reasons, lists, comparisons, reports.

What they write from was found by the lanes; what of it is said, the gate decides.
"""

from functools import partial

from finrag_pipeline.query.answers.accounts.writer import AccountWriter
from finrag_pipeline.query.answers.beside_passages import BesidePassages
from finrag_pipeline.query.answers.closest.judge import Judge
from finrag_pipeline.query.answers.closest.writer import Closest
from finrag_pipeline.query.answers.comparisons import ComparisonWriter
from finrag_pipeline.query.answers.comparisons.looked_up import LookedUp
from finrag_pipeline.query.answers.differences import DifferenceWriter, RelatedWriter
from finrag_pipeline.query.answers.digest.writer import DigestWriter
from finrag_pipeline.query.answers.gist.filing import FilingGist
from finrag_pipeline.query.answers.gist.writer import GistWriter
from finrag_pipeline.query.answers.global_reports import GlobalWriter
from finrag_pipeline.query.answers.likeliest.writer import Likeliest
from finrag_pipeline.query.answers.lists import ListWriter
from finrag_pipeline.query.answers.looking import Looking
from finrag_pipeline.query.answers.newest.writer import NewestWriter
from finrag_pipeline.query.answers.numbers.writer import NumbersWriter
from finrag_pipeline.query.answers.officers import OfficersWriter
from finrag_pipeline.query.answers.parts import PartsWriter
from finrag_pipeline.query.answers.passages import Passages, QuotedFigures, Reasons
from finrag_pipeline.query.answers.plans.influences import PlansWriter
from finrag_pipeline.query.answers.plans.relations import RelationsWriter
from finrag_pipeline.query.answers.profile.writer import ProfileWriter
from finrag_pipeline.query.answers.records.writer import RATED, RecordsWriter
from finrag_pipeline.query.answers.rows import RowsWriter
from finrag_pipeline.query.answers.sections.writer import SectionWriter
from finrag_pipeline.query.answers.several import BesideFigures, EachFigure
from finrag_pipeline.query.answers.unsupported import write_unsupported
from finrag_pipeline.query.answers.writers import Tools, Writer, register
from finrag_pipeline.query.question.signals import asks_reason


def _numbers(tools: Tools) -> NumbersWriter:
    return NumbersWriter(tools.reader, tools.search, tools.session)


def _beside_figures(tools: Tools, writer: Writer) -> BesideFigures:
    return BesideFigures(writer, _numbers(tools), tools.search)


def _looking(tools: Tools) -> Looking:
    writers = _numbers(tools), RowsWriter(tools), Closest(tools)
    return Looking(writers, tools.search, Judge(tools))


def _reasons(tools: Tools, writer: Writer) -> BesideFigures:
    return BesideFigures(writer, _numbers(tools), tools.search, RecordsWriter(tools.reader))


def _passages(tools: Tools) -> Writer:
    passages = Passages(tools)
    reasons = _reasons(tools, passages)
    # a reason that has no cue is told by passages, what is asked beside it all the same
    return lambda asked, found: (reasons if asks_reason(asked.question) else passages)(asked, found)


def _lists(tools: Tools) -> BesidePassages:
    return BesidePassages(ListWriter(tools.reader, tools.search), tools.search)


def _comparison(tools: Tools) -> BesidePassages:
    writer = ComparisonWriter(tools.reader, tools.search, tools.absent)
    looked_up = LookedUp(writer, _looking(tools))
    return BesidePassages(looked_up, tools.search)


register("extractive", _passages)
register("local", Passages)
register("accounts", lambda tools: AccountWriter(tools.reader, tools.search))
register("global", lambda tools: GlobalWriter(tools.reader, tools.session))
register("numbers", _numbers)
register("relations", lambda tools: RelationsWriter(tools.reader))
register("plans", lambda tools: PlansWriter(tools.reader, tools.search))
register("officers", OfficersWriter)
register("parts", PartsWriter)
register("each", lambda tools: EachFigure(_numbers(tools), RowsWriter(tools), tools.search))
register("differences", lambda tools: DifferenceWriter(_looking(tools)))
register("related", lambda tools: RelatedWriter(_looking(tools)))
register("rows", RowsWriter)
register("quoted_figures", QuotedFigures)
register("closest", Closest)
register("likeliest", Likeliest)
register("likeliest_figures", partial(Likeliest, figures=True))
register("sections", SectionWriter)
register("reasons", lambda tools: _reasons(tools, Reasons(tools)))
register("unsupported", lambda _: write_unsupported)
register("records", lambda tools: _beside_figures(tools, RecordsWriter(tools.reader)))
register("rated", lambda tools: RecordsWriter(tools.reader, RATED))
register("lists", _lists)
register("comparison", _comparison)
register("newest", lambda tools: _beside_figures(tools, NewestWriter(tools.reader, tools.search)))
register("profile", lambda tools: ProfileWriter(tools.reader, tools.search))
register("digest", lambda tools: DigestWriter(tools.reader))
register("gist", lambda tools: GistWriter(tools.reader, tools.search))
register("filing", lambda tools: FilingGist(_numbers(tools), tools.search))
