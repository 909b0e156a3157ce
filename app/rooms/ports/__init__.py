"""Interfaces that rooms need: storage, clock, a bus between nodes, and workers for hard bots."""
