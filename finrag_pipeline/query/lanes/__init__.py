"""Lanes: words, vectors, tables, figures, the entity graph, the reports of weekly builds.

Each names pieces of evidence, best first; reading them back belongs to `evidence`.
"""

from finrag_pipeline.query.lanes.community import CommunityLane
from finrag_pipeline.query.lanes.descent import DescentLane
from finrag_pipeline.query.lanes.fact import FactLane
from finrag_pipeline.query.lanes.keyword import KeywordLane
from finrag_pipeline.query.lanes.light import LightLane
from finrag_pipeline.query.lanes.lite import LiteLane
from finrag_pipeline.query.lanes.local import LocalLane
from finrag_pipeline.query.lanes.registry import register
from finrag_pipeline.query.lanes.table import TableLane
from finrag_pipeline.query.lanes.vector import VectorLane

_EVERYWHERE = ("search", "ask")

register("keyword", lambda tools: KeywordLane(tools.index), joins=_EVERYWHERE, scoped=True)
register("vector", lambda tools: VectorLane(tools.reader), joins=_EVERYWHERE, scoped=True)
register("table", lambda tools: TableLane(tools.index), joins=_EVERYWHERE, scoped=True)
# an answer's figures are told by their own writer
register("fact", lambda tools: FactLane(tools.reader), joins=("search",))
register(
    "lite", lambda tools: LiteLane(tools.reader), label="graph", needs="graph", joins=_EVERYWHERE
)
register(
    "community",
    lambda tools: CommunityLane(tools.reader, tools.index),
    needs="build",
    joins=("search",),
)
register(
    "light_local",
    lambda tools: LightLane(tools.reader, "local", tools.find_keywords),
    label="graph",
    needs="graph",
)
register(
    "light_global",
    lambda tools: LightLane(tools.reader, "global", tools.find_keywords),
    label="graph",
    needs="graph",
)
register(
    "light_hybrid",
    lambda tools: LightLane(tools.reader, "hybrid", tools.find_keywords),
    label="graph",
    needs="graph",
)
register("local", lambda tools: LocalLane(tools.reader), label="community", needs="build")
register(
    "descent",
    lambda tools: DescentLane(tools.reader, tools.index),
    label="community",
    needs="build",
)
