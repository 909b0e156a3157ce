"""Cookies as we write them."""

import pytest
from starlette.responses import Response

from app.web import cookies


@pytest.mark.parametrize("secure", [False, True])
@pytest.mark.parametrize(("path", "seconds"), [("/", 3600), ("/r/KQ7F3M", None)])
def test_a_cookie_is_what_the_standard_library_would_write(path: str, seconds: int | None, *, secure: bool) -> None:
    ours, theirs = Response(), Response()
    cookies.keep(ours, "room", "abc_-DEF9", secure=secure, path=path, seconds=seconds)
    theirs.set_cookie("room", "abc_-DEF9", seconds, path=path, secure=secure, httponly=True, samesite="lax")
    assert ours.headers == theirs.headers


@pytest.mark.parametrize(
    ("value", "path"), [("a; Domain=elsewhere", "/"), ("a\r\nb", "/"), ("a", "/r/x; Secure"), ("", "/")]
)
def test_nothing_else_can_be_said_in_one(value: str, path: str) -> None:
    with pytest.raises(AssertionError):
        cookies.keep(Response(), "room", value, secure=False, path=path)
