"""Cookies: no script can read them, and no other site can send them."""

import pytest
from starlette.responses import Response

from app.web.context.sessions import keep


@pytest.mark.parametrize(
    ("secure", "path", "seconds", "written"),
    [
        (True, "/", 3600, "room=abc_-DEF9; HttpOnly; Max-Age=3600; Path=/; SameSite=lax; Secure"),
        (False, "/r/KQ7F3M", None, "room=abc_-DEF9; HttpOnly; Path=/r/KQ7F3M; SameSite=lax"),
    ],
)
def test_a_cookie_is_for_this_site_and_its_pages_alone(
    path: str, seconds: int | None, written: str, *, secure: bool
) -> None:
    response = Response()
    keep(response, "room", "abc_-DEF9", secure=secure, path=path, seconds=seconds)
    assert response.headers.getlist("set-cookie") == [written]
