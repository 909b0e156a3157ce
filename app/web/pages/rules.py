"""Pages of rules: all games, one game, the rules of a room.

Templates, with what they get beside the context of `page.py`:

    rules_index.html games [{key, name, players}]
    rules.html       game (`rules_form.describe`), room (a code, or None), preset (the key of the one shown), differs
                     (keys whose values differ from the preset), changed (the same, most important first, with `said`),
                     lines (of a card, for these), values {key: value in words}, options, players, lessons,
                     by_these (a link to the form with these rules), kept_as (the request that saves them)
"""

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from app.engine.base.options import Options
from app.engine.games import GAMES
from app.engine.match.game import AnyGame
from app.web.api.dependencies import Code
from app.web.http import errors
from app.web.pages.page import Here, Pages
from app.web.services import lessons, room_access, rules_form, rules_link

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

CARD_LINES = 10
"""Lines of a card of rules for changed options. The table has the same number."""


@router.get("/rules")
async def all_rules(here: Here) -> Response:
    """Show the rules of every game."""
    return here.page("rules_index", games=rules_form.names(here.texts))


@router.get("/rules/{game}")
async def rules(here: Here, game: Code) -> Response:
    """A game's rules; with `?room=`, `?preset=` or `?<switch>=` those of a table, with what differs marked."""
    declared = GAMES.get(game)
    if declared is None:
        raise errors.not_found(here.site.said("error.not_found"))
    asked = dict(here.request.query_params)
    code = asked.pop("room", None)
    if code is not None:
        runner = await room_access.find(here.site, here.request.scope, code, here.me)
        if runner.room.settings.game.key == game:
            return _rules_page(here, declared, runner.room.settings.options, runner.code)
    return _rules_page(here, declared, declared.declared.resolve(rules_form.read(declared, asked)), None)


@router.get("/r/{code}/rules")
async def room_rules(here: Here, code: Code) -> Response:
    """Show the rules in force in a room."""
    runner = await room_access.find(here.site, here.request.scope, code, here.me)
    settings = runner.room.settings
    return _rules_page(here, settings.game, settings.options, runner.code)


def _rules_page(here: Pages, game: AnyGame, options: Options, room: str | None) -> Response:
    return here.page(
        "rules",
        game=rules_form.describe(game, here.texts),
        lessons=lessons.listed(here.texts, game.key),
        by_these=rules_link.link(game, options.to_json()),
        kept_as=rules_link.asked(game, options),
        room=room,
        preset=options.preset,
        options=dict(options.by_key),
        adds_up=game.declared.is_zero_sum(options),
        differs=list(game.declared.differences(options)),
        changed=rules_form.differing(game, options, here.texts),
        lines=CARD_LINES,
        values={switch.key: rules_form.said(switch, options[switch], here.texts) for switch in game.declared.switches},
        players=list(game.players(options)),
    )
