"""Who comes in is answered in front of all routes, and as the routes themselves would."""

import re
from typing import Any

import pytest

from app import resources
from app.settings import Settings
from app.web.assets import Assets
from app.web.templating import Templates
from app.web.texts import Catalogues
from tests.web.conftest import serving
from tests.web.visitors import Come, Visitor, visiting

JSON = "application/json"


def shape(answer: Any) -> tuple[int, dict[str, str], list[str]]:
    """What does not differ from one answer of a kind to the next: no ids, no codes, no dates."""
    told = {name: value for name, value in answer.headers.items() if name not in ("date", "x-request-id", "set-cookie")}
    cookies = [re.sub("=[^;]*", "=…", each, count=1) for each in answer.headers.get_list("set-cookie")]
    return answer.status_code, told | {"content-length": ""}, cookies


@pytest.mark.parametrize(
    "asked",
    [
        b'{"name": "Ana", "game": "big_two"}',
        b'{"name": "Ana", "bots": ["clever"]}',
        b'{"name": "Ana", "options": {"nothing": 1}}',
        b'{"name": "Ana", "extra": 1}',
        b'{"name": 3}',
        b'{"name": "Ana"',
        b"[" * 3000,
        b"\xff",
        b"",
    ],
)
async def test_a_room_is_opened_or_refused_as_its_route_does_it(come: Come, asked: bytes) -> None:
    in_front, inside = [
        await come().http.post("/api/rooms", content=asked, headers={"Content-Type": kind})
        for kind in (JSON, f"{JSON}; charset=utf-8")  # the second is nothing that a page would send
    ]
    assert shape(in_front) == shape(inside)
    assert in_front.json().keys() == inside.json().keys()
    if in_front.status_code >= 400:
        assert in_front.json() == inside.json()


async def test_the_page_of_a_room_is_as_its_route_makes_it(ana: Visitor, come: Come) -> None:
    opened = await ana.open("Ana")
    for path in (opened["url"], opened["url"].lower(), "/r/NOSUCH"):
        in_front, inside = [await come().http.request(method, path) for method in ("GET", "HEAD")]
        assert shape(in_front) == shape(inside), path
        assert not inside.content
        assert bool(in_front.content) is (in_front.status_code != 303)


async def test_what_goes_wrong_in_front_is_answered_and_tells_nothing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(settings) as live, visiting(live.base) as come:
        opened = await come().open("Ana")
        monkeypatch.setattr(live.app.site.registry, "by_code", lambda code: 1 / 0)
        answer = await come().http.get(opened["url"])
        assert (answer.status_code, answer.json()["code"]) == (500, "trouble")
        assert "division" not in answer.text
        assert 'route="/r/{code}",status="500"' in (await come().http.get("/metrics")).text


@pytest.fixture(scope="module")
def templates() -> Templates:
    static = resources.static()
    catalogues = Catalogues(static / "messages")
    return Templates(resources.templates(), catalogues, Assets(static, catalogues.files))


@pytest.mark.parametrize("page", ["table.html", "screen.html"])
@pytest.mark.parametrize("waits", [True, False])
def test_a_page_that_is_only_filled_in_is_the_one_that_would_be_made(
    templates: Templates, page: str, *, waits: bool
) -> None:
    texts = templates.catalogues.english
    context = {"here_only": not waits, "waits": waits, "push": None if waits else "key"}
    for told in (
        {"code": "AB12", "room": "r1", "link": "http://a/j/x"},
        {"code": '"><b>', "room": "&", "link": "{{ 1 }}"},
    ):
        made = templates.render(page, texts, **told, **context)
        assert templates.fill_in(page, texts, told, **context) == made
