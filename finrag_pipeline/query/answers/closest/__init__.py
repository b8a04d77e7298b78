"""The figure that is asked for in words that no text has: 退休人员 for 离退休职工, 机组 for 设备.

Where nothing says all of a question, the figures of its rows (`of_rows`) and sentences
(`of_sentences`) are judged by what they say of it (`traits`, `choice`), and the surest one answers
(`writer`).
"""
