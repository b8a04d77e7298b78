"""Who holds an office of a company: by the tables of its people, its contacts, and what it tells of
who was appointed.

Analysts of reports are `records`', owners `plans`'.
"""

from finrag_pipeline.query.answers.officers.writer import OfficersWriter

__all__ = ["OfficersWriter"]
