"""The chain that supply links form: stages, circles, order."""

from __future__ import annotations

import networkx
from hypothesis import given, settings
from hypothesis import strategies as st

from finrag_pipeline.stages.reports.chain import Link, flow, supply_chain

links = st.lists(
    st.tuples(
        st.sampled_from("abcdefgh"),
        st.sampled_from(["supplies", "upstream_of", "produces", "uses", "competes_with"]),
        st.sampled_from("abcdefgh"),
        st.sampled_from([0.3, 0.6, 1.0, 2.0]),
    ),
    max_size=30,
)


def test_goods_flow_from_upstream_through_midstream_to_downstream() -> None:
    chain = supply_chain(
        [
            ("硅料厂", "supplies", "硅片厂", 1.0),
            ("硅片厂", "produces", "硅片", 1.0),
            ("电池厂", "uses", "硅片", 1.0),
            ("硅片厂", "competes_with", "电池厂", 9.0),
        ]
    )
    assert [flow(link) for link in chain.links] == [
        ("硅料厂", "硅片厂"),
        ("硅片厂", "硅片"),
        ("硅片", "电池厂"),
    ]
    assert chain.at("upstream") == ("硅料厂",)
    assert chain.at("midstream") == ("硅片厂", "硅片")
    assert chain.at("downstream") == ("电池厂",)


def test_products_of_one_company_are_no_chain() -> None:
    assert supply_chain([("甲厂", "produces", each, 1.0) for each in "乙丙丁"]).links == ()


def test_a_circle_is_opened_at_its_lightest_link() -> None:
    circle: list[Link] = [
        ("a", "supplies", "b", 2.0),
        ("b", "supplies", "c", 2.0),
        ("c", "supplies", "a", 1.0),
    ]
    chain = supply_chain(circle)
    assert [link[:3:2] for link in chain.links] == [("a", "b"), ("b", "c")]
    assert chain.stage_of == {"a": "upstream", "b": "midstream", "c": "downstream"}


@settings(deadline=None)
@given(links, st.randoms())
def test_any_links_give_paths_without_circles_whatever_their_order(given_links, random) -> None:  # type: ignore[no-untyped-def]
    chain = supply_chain(given_links)
    shuffled = list(given_links)
    random.shuffle(shuffled)
    assert supply_chain(shuffled) == chain
    graph = networkx.DiGraph(flow(link) for link in chain.links)
    assert networkx.is_directed_acyclic_graph(graph)
    assert set(graph) == set(chain.stage_of) == set(chain.layer_of)
    rank = {"upstream": 0, "midstream": 1, "downstream": 2}
    for one, other in graph.edges:
        assert chain.layer_of[one] < chain.layer_of[other]
        assert rank[chain.stage_of[one]] <= rank[chain.stage_of[other]]
        assert graph.in_degree(one) or graph.out_degree(other)
