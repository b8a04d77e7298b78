"""Questions for figures: read by a grammar, compiled to SQL over the views of facts, worked out
exactly and shown step by step. Answers in words are `answers`', routing is `router`'s."""
