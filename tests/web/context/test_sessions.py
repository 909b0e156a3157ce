"""Test that scripts can't read cookies and other sites can't send them."""

import pytest
from starlette.responses import Response

from app.web.context.sessions import set_cookie


@pytest.mark.parametrize(
    ("secure", "path", "seconds", "written"),
    [
        (True, "/", 3600, "room=abc_-DEF9; HttpOnly; Max-Age=3600; Path=/; SameSite=lax; Secure"),
        (False, "/r/KQ7F3M", None, "room=abc_-DEF9; HttpOnly; Path=/r/KQ7F3M; SameSite=lax"),
    ],
)
def test_session_cookies_are_same_site_and_http_only(
    path: str, seconds: int | None, written: str, *, secure: bool
) -> None:
    response = Response()
    set_cookie(response, "room", "abc_-DEF9", secure=secure, path=path, seconds=seconds)
    assert response.headers.getlist("set-cookie") == [written]
