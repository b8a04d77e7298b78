"""Evidence by kind: how it is read back, quoted, held against its pages, and written as JSON.

What is found belongs to the lanes, what is said of it to the writers.
"""

from finrag_pipeline.query.evidence.chunk import CHUNK, chunk_item
from finrag_pipeline.query.evidence.documents import DocumentKind
from finrag_pipeline.query.evidence.fact import FactKind
from finrag_pipeline.query.evidence.kinds import register
from finrag_pipeline.query.evidence.report import ReportKind
from finrag_pipeline.query.evidence.table import TABLE, table_item

register(DocumentKind(CHUNK, chunk_item))
register(DocumentKind(TABLE, table_item))
register(ReportKind())
register(FactKind())
