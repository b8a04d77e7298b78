"""What chunks say: entities, relations between them, and claims about them; no model in here.

`offline` reads it by rules, `prompt*` asks a chat model; nothing is loaded here, so that
`vocabulary` comes alone. Whose names they are belongs to `stages.identity`.
"""
