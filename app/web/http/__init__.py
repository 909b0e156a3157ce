"""Shared handling of HTTP requests: guards, rate limits, errors, HEAD, background work, cached JSON."""
