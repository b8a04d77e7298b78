"""The web page of `finrag serve`: routes by noun, templates, styles and small scripts.

It calls the engine and `query.browsing` as functions and never asks its own server over HTTP.
"""
