"""The sentence that most likely answers a question which is not for a figure: told where it surely
does, quoted below the refusal where every other writer refused. Figures are `closest`'s."""
