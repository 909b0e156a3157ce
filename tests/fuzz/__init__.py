"""Fuzzing of every parser that a stranger reaches: it gets changed valid inputs, and may only refuse them.

`python -m tests.fuzz --minutes 60 --seed 7 [PARSER …]` runs for a time. Hypothesis makes the inputs and reduces those
that fail. The smallest input of each failure is kept in failed/, and the tests replay all of them.
"""
