"""Tags of classes: the names of messages on the wire, and of events in the log."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from msgspec import Struct

Tagged = TypeVar("Tagged", bound=Struct)


def require_tag(base: str) -> Callable[[str], str]:
    """Return a function that refuses subclasses of the class named `base` which declare no tag."""

    def refuse(name: str) -> str:
        if name == base:
            return ""
        raise TypeError(f'{name} has no stored name: write `class {name}({base}, frozen=True, tag="its_name")`')

    return refuse


def classes_by_tag(classes: Iterable[type[Tagged]]) -> dict[str, type[Tagged]]:
    """Map the tag of each class to the class, to decode messages of clients and events of the log.

    Raises `TypeError` for a tag that two classes have.
    """
    found: dict[str, type[Tagged]] = {}
    for of in classes:
        tag = str(of.__struct_config__.tag)
        if tag in found:
            raise TypeError(f"{found[tag].__name__} and {of.__name__} have the same tag “{tag}”: choose another one")
        found[tag] = of
    return found
