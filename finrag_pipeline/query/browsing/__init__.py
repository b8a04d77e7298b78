"""What can be looked up without a question: documents, figures, companies, graph, weeks, days.

One module a noun, each function over a `Viewpoint`. Answering questions belongs to `query.engine`.
"""
