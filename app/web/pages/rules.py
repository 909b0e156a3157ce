"""Pages of rules: all games, one game, the rules of a room.

Values for the templates, besides the context of `page.py`:

    rules_index.html games [{key, name, players}], unknown (whether the address names no known rules)
    rules.html       game, short, other_names, survey: from `rules_form`
                     preset (its key), room (a code, or None), options, players, lessons
                     values: all values in words, by key
                     changed_from_default: keys of options that are not folded
                     differs: keys of options that differ from the preset
                     changed: the same with `said`, most important first
                     lines: limit for these lines
                     by_these: a link to the form with these rules
                     kept_as: the request that saves them
"""

from fastapi import APIRouter
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.engine.base.options import Options
from app.engine.games import GAMES
from app.engine.match.game import AnyGame
from app.web.api.dependencies import PathSegment
from app.web.pages.page import InjectedPageContext, PageContext
from app.web.services import lessons, room_access, rules_form, rules_link

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

CARD_LINES = 10
"""Limit for lines with changed options on a rules card; the table uses the same number."""


@router.get("/rules")
async def rules_index_page(here: InjectedPageContext) -> Response:
    """List all games, with links to the rules of each."""
    return _render_index(here)


@router.get("/rules/{game}")
async def game_rules_page(here: InjectedPageContext, game: PathSegment) -> Response:
    """Show a game's rules, or a variant's with the differences marked.

    `?preset=` or options select the variant, and without them the rules of a new room are shown; with `?room=` it is
    that room's rules, if the room plays this game. Other names of games and presets redirect (308). An unknown name
    shows all games, with status 404.
    """
    declared = GAMES.get(game)
    if declared is None:
        page = rules_link.rules_page_by_name(game)
        return _render_index(here, 404) if page is None else RedirectResponse(page, 308)
    query = dict(here.request.query_params)
    code = query.pop("room", None)
    if code is not None:
        actor = await room_access.find_room_or_raise(here.site, here.request.scope, code, here.me)
        if actor.room.settings.game.key == game:
            return _render_rules(here, declared, actor.room.settings.options, actor.code)
    schema = declared.option_schema
    options = schema.resolve_options(rules_form.parse_options(declared, query)) if query else schema.new_room_options()
    return _render_rules(here, declared, options, None)


@router.get("/r/{code}/rules")
async def room_rules_page(here: InjectedPageContext, code: PathSegment) -> Response:
    """Show the rules that a room plays by, with the differences from their preset marked. 404 for a wrong code."""
    actor = await room_access.find_room_or_raise(here.site, here.request.scope, code, here.me)
    settings = actor.room.settings
    return _render_rules(here, settings.game, settings.options, actor.code)


def _render_index(here: PageContext, status: int = 200) -> Response:
    games = rules_form.game_summaries(here.texts)
    return here.compress_public_page(here.render("rules_index", status, games=games, unknown=status == 404))


def _render_rules(here: PageContext, game: AnyGame, options: Options, room: str | None) -> Response:
    view = rules_form.game_view(game, here.texts)
    page = here.render(
        "rules",
        game=view,
        short=rules_form.short_rules_view(game, options, here.texts),
        other_names=rules_form.other_names(view),
        changed_from_default=[
            switch.key for switch in game.option_schema.all_options if options[switch] != switch.default
        ],
        survey=rules_form.survey_view(game, options.preset, here.texts),
        lessons=lessons.list_lessons(here.texts, game.key),
        by_these=rules_link.rules_url(game, options.to_json()),
        kept_as=rules_link.rules_request(game, options),
        room=room,
        preset=options.preset,
        options=dict(options.values_by_key),
        adds_up=game.option_schema.is_zero_sum(options),
        differs=list(game.option_schema.changes_from_preset(options)),
        changed=rules_form.changed_options(game, options, here.texts),
        lines=CARD_LINES,
        values={
            switch.key: rules_form.value_label(switch, options[switch], here.texts)
            for switch in game.option_schema.all_options
        },
        players=list(game.player_limits(options)),
    )
    return here.compress_public_page(page) if room is None else page
