"""Which lanes a way of asking runs, and what answers where those have nothing to say.

What the lanes find is theirs; putting it together belongs to `engine`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from finrag_pipeline.errors import InvalidQuestion
from finrag_pipeline.query.communities.lane import CommunityLane
from finrag_pipeline.query.communities.local import HOPS, MAX_HOPS, LocalLane
from finrag_pipeline.query.fusion import GRAPH_WEIGHTS, LANE_WEIGHTS, WHOLE_WEIGHTS
from finrag_pipeline.query.graph.keywords import FindKeywords, offline_keywords
from finrag_pipeline.query.graph.light import LightLane
from finrag_pipeline.query.graph.lite import LiteLane
from finrag_pipeline.query.lanes import KeywordLane, Lane
from finrag_pipeline.query.vector_lane import VectorLane
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search.keyword_index import KeywordIndex

LANES = ("keyword", "vector", "graph", "community")
#: Ways through the entity graph, and through the reports of its communities.
COMMUNITY_MODES = ("community_local", "community_global")
MODES = (
    *("auto", "lite", "light_local", "light_global", "light_hybrid", "light_mix"),
    *COMMUNITY_MODES,
)
GRAPH_OFF = "the entity graph is switched off: unset FINRAG_GRAPH, or set it to lite or full"


@dataclass(frozen=True, slots=True)
class Plan:
    """Lanes that run side by side by name; those of `otherwise` run where they find nothing.

    `graph_asked`: whether the graph or its communities are meant: if they have nothing to say, that
    is told as a shortcoming. `weights`: what a rank in each lane counts.
    """

    lanes: Mapping[str, Lane]
    otherwise: Mapping[str, Lane] = field(default_factory=dict[str, Lane])
    graph_asked: bool = False
    weights: Mapping[str, float] = field(default_factory=lambda: LANE_WEIGHTS)

    def without_reports(self) -> Plan:
        """The plan for a store that has none, which says so only where they were asked for."""
        kept = {name: lane for name, lane in self.lanes.items() if name != "community"}
        return self if self.graph_asked else replace(self, lanes=kept)


class Plans:
    """The lanes of one engine, and the plans that can be made of them."""

    def __init__(
        self,
        reader: Reader,
        index: KeywordIndex,
        *,
        graph: bool,
        find_keywords: FindKeywords = offline_keywords,
    ) -> None:
        self._plain: dict[str, Lane] = {
            "keyword": KeywordLane(index),
            "vector": VectorLane(reader),
        }
        self._reader = reader
        self._graph: dict[str, Lane] = {}
        #: the lane of reports; None where the graph is switched off
        self.reports = CommunityLane(reader, index) if graph else None
        if graph:
            self._graph = {
                "lite": LiteLane(reader),
                "light_local": LightLane(reader, "local", find_keywords),
                "light_global": LightLane(reader, "global", find_keywords),
                "light_hybrid": LightLane(reader, "hybrid", find_keywords),
                "light_mix": LightLane(reader, "hybrid", find_keywords),
            }

    @property
    def has_graph(self) -> bool:
        """Whether the graph is switched on."""
        return bool(self._graph)

    def of_lane(self, lane: str | None, *, whole: bool = False) -> Plan:
        """One lane alone; None: all of them.

        Args:
            whole: the question asks for the whole: reports count more.

        Raises:
            InvalidQuestion: there is no such lane, or the graph is switched off.
        """
        if lane is None:
            plan = self.of_mode("auto")
            if self.reports is None:
                return plan
            weights = WHOLE_WEIGHTS if whole else LANE_WEIGHTS
            return Plan({**plan.lanes, "community": self.reports}, weights=weights)
        if lane == "graph":
            return Plan({"graph": self._graph_lane("lite")}, graph_asked=True)
        if lane == "community":
            return Plan({"community": self.require_reports()}, graph_asked=True)
        if lane not in self._plain:
            raise InvalidQuestion(f"there is no lane {lane!r}: use one of {', '.join(LANES)}")
        return Plan({lane: self._plain[lane]})

    def of_mode(self, mode: str, hops: int = HOPS) -> Plan:
        """The lanes of a mode that answers from passages.

        Args:
            hops: of `community_local`.

        Raises:
            InvalidQuestion: there is no such mode, or the graph is switched off.
        """
        if mode not in MODES:
            raise InvalidQuestion(f"there is no mode {mode!r}: use one of {', '.join(MODES)}")
        if not 1 <= hops <= MAX_HOPS:
            raise InvalidQuestion(f"{hops} hops: go 1 to {MAX_HOPS} from the question's entities")
        if mode == "auto":
            graph = {"graph": self._graph["lite"]} if self._graph else {}
            return Plan(self._plain | graph)
        if mode in COMMUNITY_MODES:
            self.require_reports()
            local = {"community": LocalLane(self._reader, hops)}
            return Plan(local, self._plain, graph_asked=True)
        graph = {"graph": self._graph_lane(mode)}
        if mode in ("lite", "light_mix"):
            return Plan(self._plain | graph, graph_asked=True, weights=GRAPH_WEIGHTS)
        return Plan(graph, self._plain, graph_asked=True, weights=GRAPH_WEIGHTS)

    def require_reports(self) -> CommunityLane:
        """The lane of reports.

        Raises:
            InvalidQuestion: the graph is switched off.
        """
        if self.reports is None:
            raise InvalidQuestion(GRAPH_OFF)
        return self.reports

    def _graph_lane(self, mode: str) -> Lane:
        if not self._graph:
            raise InvalidQuestion(GRAPH_OFF)
        return self._graph[mode]
