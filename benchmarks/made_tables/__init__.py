"""Makes PDF files with tables of many layouts, and what must be read from them.

`sheet` draws and remembers, `drawn` and `typed` set tables, `content` fills them, `kinds` says how
each kind of document looks, `gold` writes the answers as ICDAR 2013 does.
"""
