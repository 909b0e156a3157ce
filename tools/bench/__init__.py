"""Benchmarks of the engine and of whole servers: `python -m tools bench`."""
