"""The error that property checks raise."""


class PropertyViolation(AssertionError):
    """An error of a check: a property that must hold in every hand, such as that no card is lost, is violated."""
