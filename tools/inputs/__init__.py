"""Checks of all input that clients can send: maximum lengths, and CPU time for growing sizes."""
