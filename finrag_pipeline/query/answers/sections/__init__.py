"""Answers out of the section of a document that is called what the question asks for: the risks of
an annual report, its business plan, who audits it."""
