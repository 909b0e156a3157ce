"""What every check of a match raises."""


class Broken(AssertionError):
    """Something that must hold of every hand did not."""
