"""The vectors that text is cut by: those of the first release, whatever search learns."""

from __future__ import annotations

from finrag_pipeline.models.fingerprint import same_space
from finrag_pipeline.models.offline import OfflineEmbedder
from finrag_pipeline.models.segmentation import embed_sentences, segmentation_fingerprint

SENTENCES = ["公司新建两座工厂。", "新产线预计年底竣工投用。", "董事会提名张三为独立董事。"]


def test_sentences_keep_the_vectors_that_chunks_were_cut_by() -> None:
    # another one moves chunks: raise the version of `clique_chunks`, and calibrate anew
    assert same_space(segmentation_fingerprint(), "f6e6d7e8f24ae22904180104")


def test_they_are_not_those_of_search() -> None:
    found, cut = OfflineEmbedder().embed_passages(SENTENCES), embed_sentences(SENTENCES)
    assert found.shape == cut.shape
    assert not same_space(OfflineEmbedder().space.fingerprint, segmentation_fingerprint())
