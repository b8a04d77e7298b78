"""Writers of answers: quoting sentences, a chat model on chunks, points of reports.

What they write from was found by the lanes; what of it is said, the gate decides.
"""

from finrag_pipeline.query.answers.digest.writer import DigestWriter
from finrag_pipeline.query.answers.extractive import write_extractive, write_quoted_figures
from finrag_pipeline.query.answers.global_reports import GlobalWriter
from finrag_pipeline.query.answers.lists import ListWriter
from finrag_pipeline.query.answers.local_chat import LocalWriter
from finrag_pipeline.query.answers.newest.writer import NewestWriter
from finrag_pipeline.query.answers.numbers.writer import NumbersWriter
from finrag_pipeline.query.answers.profile.writer import ProfileWriter
from finrag_pipeline.query.answers.records.writer import RATED, RecordsWriter
from finrag_pipeline.query.answers.unsupported import write_unsupported
from finrag_pipeline.query.answers.writers import register

register("extractive", lambda _: write_extractive)
register("local", lambda tools: LocalWriter(tools.session))
register("global", lambda tools: GlobalWriter(tools.reader, tools.session))
register("numbers", lambda tools: NumbersWriter(tools.reader, tools.session))
register("unsupported", lambda _: write_unsupported)
register("quoted_figures", lambda _: write_quoted_figures)
register("records", lambda tools: RecordsWriter(tools.reader))
register("rated", lambda tools: RecordsWriter(tools.reader, RATED))
register("lists", lambda tools: ListWriter(tools.reader))
register("newest", lambda tools: NewestWriter(tools.reader))
register("profile", lambda tools: ProfileWriter(tools.reader, tools.search))
register("digest", lambda tools: DigestWriter(tools.reader))
