"""Matches played at random and held against what must be true of every hand: for `pecking-order soak` and for tests.

It names no house rule: what there is to turn, to do and to see it reads from the games' own declarations.
"""
