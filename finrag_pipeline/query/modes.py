"""Which lanes a way of asking runs, and what answers where those have nothing to say.

What the lanes find is theirs; putting it together belongs to `engine`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from finrag_pipeline.errors import InvalidQuestion
from finrag_pipeline.query.fusion import GRAPH_WEIGHTS, LANE_WEIGHTS
from finrag_pipeline.query.graph.keywords import FindKeywords, offline_keywords
from finrag_pipeline.query.graph.light import LightLane
from finrag_pipeline.query.graph.lite import LiteLane
from finrag_pipeline.query.lanes import KeywordLane, Lane
from finrag_pipeline.query.vector_lane import VectorLane
from finrag_pipeline.store.database import Database
from finrag_pipeline.store.keyword_index import KeywordIndex

LANES = ("keyword", "vector", "graph")
MODES = ("auto", "lite", "light_local", "light_global", "light_hybrid", "light_mix")
GRAPH_OFF = "the entity graph is switched off: unset FINRAG_GRAPH, or set it to lite or full"


@dataclass(frozen=True, slots=True)
class Plan:
    """Lanes that run side by side by name; those of `otherwise` run where they find nothing.

    `graph_asked`: whether the graph is meant: then it counts more, and if it has nothing to say,
    that is told as a shortcoming.
    """

    lanes: Mapping[str, Lane]
    otherwise: Mapping[str, Lane] = field(default_factory=dict[str, Lane])
    graph_asked: bool = False

    @property
    def weights(self) -> Mapping[str, float]:
        """What a rank in each lane counts."""
        return GRAPH_WEIGHTS if self.graph_asked else LANE_WEIGHTS


class Plans:
    """The lanes of one engine, and the plans that can be made of them."""

    def __init__(
        self,
        database: Database,
        index: KeywordIndex,
        *,
        graph: bool,
        find_keywords: FindKeywords = offline_keywords,
    ) -> None:
        self._plain: dict[str, Lane] = {
            "keyword": KeywordLane(index),
            "vector": VectorLane(database),
        }
        self._graph: dict[str, Lane] = {}
        if graph:
            self._graph = {
                "lite": LiteLane(database),
                "light_local": LightLane(database, "local", find_keywords),
                "light_global": LightLane(database, "global", find_keywords),
                "light_hybrid": LightLane(database, "hybrid", find_keywords),
                "light_mix": LightLane(database, "hybrid", find_keywords),
            }

    @property
    def has_graph(self) -> bool:
        """Whether the graph is switched on."""
        return bool(self._graph)

    def of_lane(self, lane: str | None) -> Plan:
        """One lane alone; None: all of them.

        Raises:
            InvalidQuestion: there is no such lane, or the graph is switched off.
        """
        if lane is None:
            return self.of_mode("auto")
        if lane == "graph":
            return Plan({"graph": self._graph_lane("lite")}, graph_asked=True)
        if lane not in self._plain:
            raise InvalidQuestion(f"there is no lane {lane!r}: use one of {', '.join(LANES)}")
        return Plan({lane: self._plain[lane]})

    def of_mode(self, mode: str) -> Plan:
        """The lanes of a mode.

        Raises:
            InvalidQuestion: there is no such mode, or the graph is switched off.
        """
        if mode not in MODES:
            raise InvalidQuestion(f"there is no mode {mode!r}: use one of {', '.join(MODES)}")
        if mode == "auto":
            graph = {"graph": self._graph["lite"]} if self._graph else {}
            return Plan(self._plain | graph)
        graph = {"graph": self._graph_lane(mode)}
        if mode in ("lite", "light_mix"):
            return Plan(self._plain | graph, graph_asked=True)
        return Plan(graph, self._plain, graph_asked=True)

    def _graph_lane(self, mode: str) -> Lane:
        if not self._graph:
            raise InvalidQuestion(GRAPH_OFF)
        return self._graph[mode]
