"""What must hold for every text: spans match it, and nothing depends on hash seeds."""

import subprocess
import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from finrag_pipeline_tests.stages.extraction.cases import OWN, read

_PIECES = st.sampled_from(
    [
        "澄光储能", "星河新材料科技股份有限公司", "公司", "（以下简称“星河”）", "收购",
        "2024年", "营业收入", "63.1亿元", "，同比增长", "15%", "。", "\n", "如果", "被", "储能业务",
        "《储能电站管理办法》", "隔川膜业", "董事长顾清远", "the Company", "Acme Pumps Inc.",
        " supplies ", "\uf06c", "İ", "风险提示：", "；", "、", "(", "）", "受益于", "以旧换新",
        "688991.SH", "目标价31.00元",
    ]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(_PIECES, st.text(max_size=6)), max_size=25).map("".join))
def test_spans_match_the_text(text: str) -> None:
    (found,) = read(text, metadata=OWN)
    last = 0
    for mention in found.mentions:
        assert last <= mention.start < mention.end <= len(text)
        assert text[mention.start : mention.end] == mention.text
        assert mention.name
        last = mention.end
    for item in (*found.relations, *found.claims):
        assert 0 <= item.start < item.end <= len(text)
    for statement in found.relations:
        head, tail = found.mentions[statement.head], found.mentions[statement.tail]
        assert head.name != tail.name
    for claim in found.claims:
        assert 0 <= claim.subject < len(found.mentions)


_SCRIPT = """
from finrag_pipeline_tests.stages.extraction.cases import OWN, read
text = (
    "星河新材料科技股份有限公司（以下简称“星河新材”或“公司”）的主要客户包括澄光储能、凌峤科技。"
    "2024年公司营业收入63.1亿元，同比增长20.0%。汐原电力是远岫能源第一大客户。澄光储能储能业务受益于以旧换新。"
)
print(repr(read(text, text, metadata=OWN)))
"""


def test_hash_seeds_change_nothing() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1
