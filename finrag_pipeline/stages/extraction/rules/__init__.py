"""Which words of a sentence show which relation, and where its head and tail stand around them.

How a pattern is matched belongs to `triggers`, what the relations are to `vocabulary`.

In a pattern `{H:…}` is the head, `{T:…}` the tail, of these types, each a list of names (甲、乙和丙
share what is said of them); `_` is a short gap without marks and companies, `~` a longer one that
may pass over commas.
"""

from __future__ import annotations

from finrag_pipeline.stages.extraction.rules.companies import DEALINGS, OWNERSHIP, SUPPLY
from finrag_pipeline.stages.extraction.rules.effects import EFFECTS, REGULATION
from finrag_pipeline.stages.extraction.rules.pattern import Rule

__all__ = ["RULES", "Rule"]

#: All rules; where two find the same relation between the same names, the earlier one counts.
RULES: tuple[Rule, ...] = (*SUPPLY, *OWNERSHIP, *DEALINGS, *EFFECTS, *REGULATION)
