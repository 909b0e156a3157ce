"""From the home page to cards in hand in one press: no name, no form. Who has no name yet gets one from the flock, at
this table only; the site goes on not knowing what to call them until they say it."""

import secrets
from typing import Any

from fastapi import APIRouter
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app import bots
from app.engine.games import GAMES
from app.engine.match.game import AnyGame
from app.rooms.model.commands import Visitor
from app.rooms.people import names
from app.web.client_address import client_key
from app.web.http import errors
from app.web.pages.page import Here
from app.web.services import room_access, rules_form

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

AT_THE_TABLE = 4
"""So many play, where that many can."""


@router.post("/play")
async def play_now(here: Here) -> Response:
    """The button: a table of bots, and a hand that has been dealt. `game`, and switches as `forms.read` reads them."""
    asked = await here.form()
    game = room_access.game_called(asked.pop("game", next(iter(GAMES))))
    wait = here.site.openings.wait(client_key(here.request.scope))
    if wait:
        raise errors.too_fast(wait)
    settings = table_for_one(game, rules_form.read(game, asked))
    person, token = await here.somebody()
    name = person.name or names.made_up(secrets.randbits(32))
    host = Visitor(person.id, name, person.bird, person.colour)
    room = await here.site.registry.create(host, settings, starts=True)
    return here.remember(RedirectResponse(f"/r/{room.code}", 303), token)


def table_for_one(game: AnyGame, options: dict[str, Any]) -> dict[str, Any]:
    """The settings of a room in which all the others are bots; `RuleError` if the options are none of this game's."""
    low, high = game.players(game.declared.resolve(options))
    others = min(max(AT_THE_TABLE, low), high) - 1
    return {"game": game.key, "options": options, "bots": [bots.COMPANY] * others}
