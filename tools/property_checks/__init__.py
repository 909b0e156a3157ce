"""Random matches with checks that must hold in every hand, for `python -m tools soak` and for tests.

No house rule is named here. Options, actions and views are read from the games' own declarations.
"""
