"""The lite profile keeps few names and only certain relations among them."""

from finrag_pipeline.stages.extraction.lite import CERTAIN_RELATIONS, MOST, lite
from finrag_pipeline_tests.stages.extraction.cases import OWN, read


def test_few_names_and_certain_relations() -> None:
    text = (
        "公司依据《医疗器械监督管理条例》备案。澄光储能收购隔川膜业。"
        "2024年公司营业收入63.1亿元，凌峤科技位于北京。"
    )
    (full,) = read(text, metadata=OWN)
    small = lite(full)
    assert 1 <= len(small.mentions) <= MOST
    assert len({mention.name for mention in small.mentions}) == len(small.mentions)
    assert small.claims == ()
    assert {r.relation for r in full.relations} >= {"acquires", "refers_to"}
    (kept,) = small.relations
    assert kept.relation in CERTAIN_RELATIONS
    assert small.mentions[kept.head].name == "星河新材"
    assert small.mentions[kept.tail].name == "《医疗器械监督管理条例》"


def test_nothing_stays_nothing() -> None:
    (empty,) = read("")
    assert lite(empty) == empty
