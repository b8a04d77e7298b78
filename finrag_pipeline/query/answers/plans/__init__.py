"""Answers over several steps: relations walked one by one, effects from passage to passage.

Each step is a search whose results the next one starts from; what nobody states is not said.
"""
