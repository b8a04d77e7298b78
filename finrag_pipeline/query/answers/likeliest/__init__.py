"""The sentence that most likely answers a question which is not for a figure, quoted below the
refusal where every other writer refused: figures are `closest`'s."""
