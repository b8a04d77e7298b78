"""One space stays one space through what differs between machines, and no two are taken for one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from finrag_pipeline.models.embedders import recognised
from finrag_pipeline.models.embedding import Vectors, VectorSpace
from finrag_pipeline.models.fingerprint import fingerprint, same_space
from finrag_pipeline.models.offline import OfflineEmbedder


def directions(seed: int, dimension: int) -> Vectors:
    rows = np.random.default_rng(seed).normal(size=(2, dimension))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def moved(vectors: Vectors, share: float, seed: int) -> Vectors:
    """The same vectors, each off by a share of its length, of unit length again."""
    rows = vectors + share * directions(seed, vectors.shape[1])
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


seeds = st.integers(0, 2**32 - 1)
dimensions = st.sampled_from([64, 384, 1024])


@given(seeds, seeds, dimensions, st.floats(0, 0.03))
def test_what_precision_and_batching_move_stays_in_its_space(seed, other, dimension, share):
    vectors = directions(seed, dimension)
    first = fingerprint(lambda _: vectors)
    second = fingerprint(lambda _: moved(vectors, share, other + 2**32))
    assert len(first) == 24 and same_space(first, second) and same_space(second, first)


@given(seeds, seeds, dimensions, st.sampled_from([0.7, 100.0]))
def test_other_weights_are_another_space(seed, other, dimension, share):
    """Those of a tuned model, and of one that has nothing to do with it."""
    vectors = directions(seed, dimension)
    first = fingerprint(lambda _: vectors)
    assert not same_space(first, fingerprint(lambda _: moved(vectors, share, other + 2**32)))


def test_a_value_at_the_border_of_rounding_does_not_refuse_a_store():
    vectors = directions(1, 64)
    found = {fingerprint(lambda _, n=n: moved(vectors, 0.001, n)) for n in range(100)}
    assert len(found) > 1  # rounding does flip
    assert all(same_space(one, other) for one in found for other in found)


def test_fingerprints_of_another_length_are_compared_as_strings():
    assert same_space("0123456789abcdef", "0123456789abcdef")
    assert not same_space("0123456789abcdef", OfflineEmbedder().space.fingerprint)


def test_an_embedder_goes_by_the_space_that_is_stored():
    embedder = OfflineEmbedder()
    own = embedder.space
    nearly = own.fingerprint[:-1] + format(int(own.fingerprint[-1], 16) ^ 1, "x")
    other = VectorSpace("other", own.dimension, own.fingerprint[::-1])
    shorter = VectorSpace("shorter", own.dimension - 1, own.fingerprint)
    stored = VectorSpace("stored", own.dimension, nearly)
    assert recognised(embedder, [other, shorter]) is embedder
    known = recognised(embedder, [other, shorter, stored])
    assert known.space == stored
    for embed, same in (
        (known.embed_passages, embedder.embed_passages),
        (known.embed_questions, embedder.embed_questions),
    ):
        assert np.array_equal(embed(["毛利率为什么下降"]), same(["毛利率为什么下降"]))


@pytest.mark.parametrize("dimension", [1, 3, 16])
def test_short_vectors_have_a_fingerprint_too(dimension):
    vectors = directions(3, dimension)
    assert len(fingerprint(lambda _: vectors)) == 24
