"""Answers from weekly builds: reports on communities and chains, and the passages behind them.

Which questions go here is decided in `scope` and `modes`; writing reports belongs to `pipelines`.
"""
