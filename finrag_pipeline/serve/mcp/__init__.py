"""`finrag mcp`: what chat clients and agents call, as tools over the store of one application.

`stdio` serves one process, `serve.http.mcp` the server; what is looked up belongs to `query`.
"""
