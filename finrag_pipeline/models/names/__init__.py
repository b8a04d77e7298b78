"""Taggers of names: what proposes companies and people that no list and no form gives away.

Rules decide what becomes of a proposal; they are in `stages.extraction`.
"""

from finrag_pipeline.models.names.lac import Lac
from finrag_pipeline.models.names.words import NameTagger, TaggedWord

__all__ = ["Lac", "NameTagger", "TaggedWord"]
