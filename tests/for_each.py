"""Check many values in one test, because each test of its own costs about 5 ms of pytest's time, in each worker."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest


def for_each(
    names: str | tuple[str, ...], values: Iterable[Any], ids: Callable[[Any], object] = str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test with each value, as `pytest.mark.parametrize` does, but as one test.

    All values are tried. The error names those that failed. Fixtures are made once for all values.
    """
    given = (names,) if isinstance(names, str) else names

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def all_of_them(**fixtures: Any) -> None:
            __tracebackhide__ = True
            failed = dict[str, BaseException]()
            for value in values:
                parts = (value,) if isinstance(names, str) else value
                try:
                    test(**fixtures, **dict(zip(given, parts, strict=True)))
                except (Exception, pytest.fail.Exception) as error:
                    name = "-".join(str(ids(part))[:60] for part in parts)
                    error.add_note(f"Failed for {name}")
                    failed[name] = error
            if failed:
                raise BaseExceptionGroup(f"Failed for {', '.join(failed)}", [*failed.values()])

        signature = inspect.signature(test)
        kept = [each for name, each in signature.parameters.items() if name not in given]
        all_of_them.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return all_of_them

    return decorate
