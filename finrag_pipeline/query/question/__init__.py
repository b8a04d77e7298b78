"""The question itself: its options, terms, signals, scope, and its vectors, made once.

What answers it, and where that is looked for, belongs to the other rooms.
"""
