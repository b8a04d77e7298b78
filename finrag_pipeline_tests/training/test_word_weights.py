"""Weights of words are counted from text."""

from finrag_pipeline.models.word_weights import WordWeights
from training.word_weights import count_weights


def test_weights_are_those_of_the_text_where_a_word_is_most_common() -> None:
    steps = count_weights([["公司 利润"] * 90 + ["公司"] * 10, ["the margin"] * 100])
    weights = WordWeights(steps)
    assert weights.weight("公司") == weights.weight("the") == 0.0
    assert 0.05 < weights.weight("利润") < 0.2 < weights.weight("unseen")
