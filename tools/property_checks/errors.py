"""The error that property checks raise."""


class PropertyViolation(AssertionError):
    """A property that must hold in every hand is violated."""
