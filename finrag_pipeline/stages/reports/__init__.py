"""Reports on communities: what goes into them, how they are written with a model and without.

Reading elements from the graph and asking a model belong to `pipelines`.
"""
