"""Whether evidence holds what an answer says: figures, units, times, companies, at their places.

Every answer of every lane and writer goes through `grounded`; what the gate then says is `gate`.
"""

from finrag_pipeline.query.grounding.checking import Grounding, grounded

__all__ = ["Grounding", "grounded"]
