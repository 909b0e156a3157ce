"""Bots that sample deals and play them out, the job of a worker, and the analysis of past turns."""
