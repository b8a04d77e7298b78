"""The graph lanes: from the entities of a question to chunks, and what is known around them.

The graph itself is read by `store.graph_search`; nothing said here can be cited but chunks.
"""
