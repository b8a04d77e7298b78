"""Tables of PDF pages: read in `reading`, and what their figures mean in `figures`.

Nothing is imported here: questions need the second alone, and the first loads PyMuPDF.
"""
