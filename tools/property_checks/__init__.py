"""Random matches, and checks of what must be true of every hand: for `python -m tools soak` and for tests.

No house rule is named here. Options, actions and views are read from the games' own declarations.
"""
