"""Writers of answers: quoting sentences, a chat model on chunks, points of reports.

What they write from was found by the lanes; what of it is said, the gate decides.
"""

from finrag_pipeline.query.answers.extractive import write_extractive, write_quoted_figures
from finrag_pipeline.query.answers.global_reports import GlobalWriter
from finrag_pipeline.query.answers.lists import ListWriter
from finrag_pipeline.query.answers.numbers.writer import NumbersWriter
from finrag_pipeline.query.answers.plans.influences import PlansWriter
from finrag_pipeline.query.answers.writers import register

register("extractive", lambda _: write_extractive)
register("local", lambda _: write_extractive)
register("global", lambda tools: GlobalWriter(tools.reader, tools.session))
register("numbers", lambda tools: NumbersWriter(tools.reader, tools.session))
register("quoted_figures", lambda _: write_quoted_figures)
register("plans", lambda tools: PlansWriter(tools.reader, tools.search))
register("lists", lambda tools: ListWriter(tools.reader))
