"""Chains of companies that supply each other and links between sectors, as documents of a week.

Which entities are a community belongs to `stages.communities`, what is told of one to
`stages.reports`.
"""
