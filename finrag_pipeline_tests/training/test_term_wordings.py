"""Terms are learned anew, the same from the same wordings, and known again by like ones."""

from pathlib import Path

import numpy as np

from finrag_pipeline.models.offline import OfflineEmbedder
from finrag_pipeline.query.restating.terms import Terms
from training.term_wordings import learn, read_wordings, share_right

PAIRS = [
    ("", "客户投诉的次数"),
    ("", "厂区绿化的面积"),
    ("应收账款", "客户尚未付清的货款"),
    ("应收账款", "赊销而未收回的货款"),
    ("营业成本", "取得收入的直接成本"),
    ("营业成本", "销货的直接成本"),
]


def test_learning_is_deterministic_and_is_kept(tmp_path: Path) -> None:
    embedder = OfflineEmbedder()
    once, again = (learn(PAIRS, embedder) for _ in range(2))
    assert (once.weights == again.weights).all()
    once.write(tmp_path / "terms.npz")
    kept = Terms.read(tmp_path / "terms.npz")
    assert kept.names == ("应收账款", "营业成本")
    assert kept.are_of(embedder.space)
    likely = kept.likely(
        embedder.embed_questions(["客户还没付的货款", "直接成本", "厂区绿化的面积"])
    )
    assert likely[:2].argmax(axis=1).tolist() == [0, 1]
    assert likely[2].sum() < 0.5
    assert np.allclose(
        likely,
        once.likely(embedder.embed_questions(["客户还没付的货款", "直接成本", "厂区绿化的面积"])),
        atol=0.01,
    )
    assert share_right(kept, PAIRS[2:], embedder) == 1.0


def test_the_wordings_say_terms_and_what_is_none() -> None:
    pairs = read_wordings()
    terms = {term for term, _ in pairs}
    assert "" in terms
    assert set(Terms.packaged().names) == terms - {""}
    assert all(wording for _, wording in pairs)
