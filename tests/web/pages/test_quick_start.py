"""Test the Play now button, which starts a hand against bots without any question."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from app.engine.games import GAMES
from app.rooms.people.names import BIRDS
from tests.web.visitors import Visitor

Come = Callable[[], Visitor]
HTML = {"Accept": "text/html"}


async def play_now(visitor: Visitor, **fields: str) -> str:
    """Press the button, and return the room's code."""
    answer = await visitor.http.post("/play", data=fields, headers=HTML, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).removeprefix("/r/")


@pytest.mark.parametrize("game", GAMES)
async def test_play_now_starts_a_hand_with_three_bots(ana: Visitor, game: str) -> None:
    desk = await ana.sit(await play_now(ana, game=game))
    while desk.update["room"]["phase"] == "between_hands":  # somebody was dealt cards that win at once
        desk = await ana.sit(await play_now(ana, game=game))
    room, table, you = (desk.update[part] for part in ("room", "table", "you"))
    assert room["phase"] == "playing"
    assert (room["game"], room["preset"]) == (game, GAMES[game].option_schema.presets[0].key)
    assert you["cards"]
    assert you["host"]
    assert len(table["seats"]) == 4
    assert [person["bot"] is not None for person in room["people"]] == [False, True, True, True]


async def test_play_now_gives_a_generated_name_that_can_be_replaced_later(ana: Visitor, come: Come) -> None:
    desk = await ana.sit(await play_now(ana))
    manner, bird = desk.update["you"]["name"].split()
    assert bird in BIRDS
    assert manner.istitle()
    me = (await ana.http.get("/api/me")).json()
    assert (me["known"], me["name"]) == (True, None)
    # Newcomers see the new name, the match keeps the old one, and both are taken.
    await ana.http.put("/api/me", json={"name": "Ana"})
    assert (await ana.http.get("/api/me")).json()["name"] == "Ana"
    friend = await come().sit(desk.update["room"]["code"])
    host = next(person for person in friend.update["room"]["people"] if not person["bot"])
    assert (host["name"], host["chosen_name"]) == (f"{manner} {bird}", "Ana")
    for name in ("Ana", f"{manner} {bird}"):
        assert (await friend.ask("join", name=name))["code"] == "name_taken"
    await desk.do("stop")
    await desk.do("rematch")
    await desk.until(lambda update: update["you"]["name"] == "Ana")
    # A person who has a name keeps it.
    ben = come()
    await ben.open("Ben")
    assert (await ben.sit(await play_now(ben))).update["you"]["name"] == "Ben"


async def test_play_now_and_the_form_for_a_room_begin_with_the_game_played_last(ana: Visitor) -> None:
    async def offered() -> Any:
        page = (await ana.http.get("/", headers=HTML)).text
        found = re.search(r'name="game" value="(\w+)">Play now', page)
        assert found
        return found[1]

    async def begins() -> str:
        return (await ana.http.get("/new", headers=HTML)).text

    assert await offered() == next(iter(GAMES))
    assert 'data-game="" data-preset="" data-changes="{}" data-last=""' in await begins()
    await play_now(ana, game="chase_the_ace")
    assert await offered() == "chase_the_ace"
    assert 'data-game="" data-preset="" data-changes="{}" data-last="chase_the_ace"' in await begins()


async def test_play_now_accepts_a_preset_and_refuses_unknown_games_and_presets(ana: Visitor) -> None:
    desk = await ana.sit(await play_now(ana, game="president", preset="merchants"))
    assert desk.update["room"]["preset"] == "merchants"
    assert len(desk.update["table"]["seats"]) == 6
    for fields, said in (({"game": "bridge"}, "bridge"), ({"preset": "no_such"}, "no_such")):
        answer = await ana.http.post("/play", data=fields, headers=HTML)
        assert answer.status_code == 400
        assert said in answer.text


async def test_the_first_value_of_a_repeated_form_field_counts(ana: Visitor) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded", **HTML}
    answer = await ana.http.post("/play", content="game=big_two&game=president", headers=form, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    desk = await ana.sit(str(answer.headers["location"]).removeprefix("/r/"))
    assert desk.update["room"]["game"] == "big_two"
