"""Written forms that reading, extraction, questions and grounding share: days, periods, quantities.

How text becomes words is `finrag_pipeline.words`; what a form means to a stage stays in its room.
"""
