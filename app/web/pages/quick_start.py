"""Quick start: from the home page to a dealt hand with one button, without a name or a form.

A person without a name gets an invented bird name in this room only; their profile stays without a name.
"""

import secrets
from typing import Any

from fastapi import APIRouter
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app import bots
from app.engine.games import GAMES
from app.engine.match.game import AnyGame
from app.rooms.model.commands import Visitor
from app.rooms.people import names
from app.web.i18n.catalogues import Texts
from app.web.i18n.declared_texts import BIRD, INVENTED, MANNER
from app.web.pages.page import InjectedPageContext
from app.web.services import room_access, rules_form

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

USUAL_PLAYERS = 4
"""The usual number of players, if the game allows it."""


@router.post("/play")
async def start_quick_game(here: InjectedPageContext) -> Response:
    """Handle the quick start button: open a room filled with bots, start a match, and redirect to it.

    The form has `game` and options, as `rules_form.parse_options` reads them; without options, the room begins with
    the first preset. A visitor without a name gets an invented one.
    """
    form = await here.read_form()
    game = room_access.find_game_or_raise(form.pop("game", next(iter(GAMES))))
    room_access.count_room_opening(here.site, here.request.scope)
    options = rules_form.parse_options(game, form) or {"preset": game.option_schema.presets[0].key}
    settings = bot_room_settings(game, options)
    person, token = await here.person_or_new()
    name = person.name or invented_name(secrets.randbits(32), here.texts)
    host = Visitor(person.id, name, person.bird, person.colour)
    count_bytes = room_access.log_byte_counter(here.site, here.request.scope)
    room = await here.site.registry.create(host, settings, start_match=True, count_bytes=count_bytes)
    return here.set_session_cookie(RedirectResponse(f"/r/{room.code}", 303), token)


def invented_name(number: int, texts: Texts) -> str:
    """Return an invented name, such as “Brave Magpie”, in the language of its person; the same one for a number."""
    manner, bird = (word.lower() for word in names.invented_words(number))
    name = texts.t(INVENTED, manner=texts.t(f"{MANNER}.{manner}"), bird=texts.t(f"{BIRD}.{bird}"))
    return name if len(name) <= names.MAX_NAME_LENGTH else names.invent_name(number)


def bot_room_settings(game: AnyGame, options: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a quick-start room, where bots take all seats but one: usually three bots.

    `options` are checked: `RuleError` if they are invalid.
    """
    low, high = game.player_limits(game.option_schema.resolve_options(options))
    others = min(max(USUAL_PLAYERS, low), high) - 1
    return {"game": game.key, "options": options, "bots": [bots.QUICK_START_BOT] * others}
