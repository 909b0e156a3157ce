"""Descriptions of the API: schema, protocol in words, OpenAPI page, documentation pages."""
