"""The HTML pages. Thin: each asks rooms or store and fills a template in.

Every template gets `t(key, …)`, `listed(names)`, `has_text(key)`, `asset(path)`, `version`, and from here `page` (its
name), `person` (None, or with `name`), `origin` (how people reach us, without a slash at the end) and `nav` (the path
asked for). Beyond these:

    home.html        games [description], rooms [{code, url, game, phase, people}], matches [match line]
    room_new.html    game (a game's key to begin with, or None)
    table.html       code, invite, link (absolute), here_only (whether it is of no use on another device),
                     summary (code, phase, game, preset, people …)
    history.html     matches [match line], next (None, or what `?before=` asks for the page after this one)
    match.html       match (match line), hands [hand line], preset (its name), differing [{id, name, said …}]
    replay.html      match, hands, number
    rules_index.html games [description]
    rules.html       game (description), room (a code, or None), preset (the key of the one shown), differs (keys in
                     which the options shown differ from it), values {key: value in words}, options, players
    recover.html     state (offer, done or bad), name (whom the link brings back, or None)
    seat.html        code, name (whose seat the link gives; None if it gives none)
    docs.html        groups [{tag, endpoints [{method, path, summary, description, parameters, body, answers}]}],
                     written (names of pages below /docs/)
    error.html       status, code, message, request_id

A description is `forms.describe(game, texts)`; lines are made in `replay.py`. Times are epoch milliseconds.
"""

import functools
from contextlib import AbstractAsyncContextManager
from typing import Annotated, Any, TypeVar
from urllib.parse import parse_qs, urlsplit

from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from app import resources
from app.engine.errors import RuleError
from app.engine.game import Game
from app.engine.games import GAMES
from app.engine.options import Options
from app.rooms import pictures
from app.web import apidocs, errors, forms, opening, replay
from app.web.address import client_key, is_secure
from app.web.api import Code, Me, SiteHere
from app.web.people import YEARS, Person, remember
from app.web.qr import as_svg
from app.web.sharing import leads_here_only, shared_origin
from app.web.site import Site
from app.web.texts import COOKIE, Texts
from app.web.workshop import Work, as_json

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

T = TypeVar("T")

ROOMS_LISTED = 8
FOR_PROGRAMS = ("write-a-bot.md", "protocol.md", "protocol-keys.md")
"""Pages of docs/ that a stranger needs who writes a program: in the order in which one reads them."""


class Pages:
    """Fills templates in for one request."""

    def __init__(self, request: Request, site: SiteHere, me: Me) -> None:
        self.request = request
        self.site = site
        self.me = me
        self.origin = shared_origin(request.scope, site.settings)
        self.texts = site.templates.texts(request.scope)

    def page(self, template: str, status: int = 200, /, **context: Any) -> HTMLResponse:
        """A page."""
        text = self.site.templates.render(
            f"{template}.html",
            self.texts,
            page=template.replace("_", "-"),
            person=None if self.me is None else {"name": self.me.name},
            origin=self.origin,
            nav=self.request.url.path,
            **context,
        )
        return HTMLResponse(text, status)

    def came_from(self) -> str:
        """The path of the page that somebody comes from, on this site."""
        path = urlsplit(self.request.headers.get("referer", "")).path
        return path if path.startswith("/") and not path.startswith("//") else "/"

    def turn(self) -> AbstractAsyncContextManager[Work]:
        """Wait until one may do long work."""
        return self.site.workshop.turn(client_key(self.request.scope))

    async def somebody(self) -> tuple[Person, str | None]:
        """The person who asks; a new one, with the token for their browser, if there was none."""
        if self.me is not None:
            return self.me, None
        return await opening.newcomer(self.site, self.request.scope)

    def remember(self, response: Response, token: str | None) -> Response:
        """Set the cookie, if the person is new."""
        if token is not None:
            remember(response, token, secure=is_secure(self.request.scope))
        return response


Here = Annotated[Pages, Depends(Pages)]


@router.get("/")
async def home(here: Here) -> Response:
    """Open a room; your rooms, your matches."""
    rooms = [] if here.me is None else await here.site.store.history.rooms_of(here.me.id, limit=ROOMS_LISTED)
    matches = await replay.my_matches(here.site, here.me)
    return here.page(
        "home",
        games=forms.catalogue(here.texts),
        rooms=[line for each in rooms if (line := await _room_line(here.site, each.code)) is not None],
        matches=matches["matches"][:6],
    )


async def _room_line(site: Site, code: str) -> dict[str, Any] | None:
    """A room in somebody's list; looking at it wakes nobody."""
    state = await opening.peek(site, code)
    if state is None:
        return None
    shown = pictures.room(state)
    people = [person for person in shown["people"] if person["role"] != "watcher"]
    return {"code": code, "url": f"/r/{code}", "game": shown["game"], "phase": shown["phase"], "people": people}


@router.get("/new")
async def new(here: Here, game: str | None = None) -> Response:
    """The form for a room, which its script draws."""
    return here.page("room_new", game=game if game in GAMES else None)


@router.get("/r")
async def by_code(here: Here, code: str = "") -> Response:
    """Where a code that somebody said aloud leads."""
    runner = await opening.find(here.site, here.request.scope, code.replace("-", "").replace(" ", ""), here.me)
    return RedirectResponse(f"/r/{runner.code}", 303)


@router.get("/j/{invite}")
async def invited(here: Here, invite: Code) -> Response:
    """Where a shared link leads: the room's page."""
    code = await opening.invited(here.site, here.request.scope, invite)
    person, token = await here.somebody()
    await here.site.people.visit(person, code)
    return here.remember(RedirectResponse(f"/r/{code}", 303), token)


@router.get("/j/{invite}/qr.svg")
async def invitation_qr(here: Here, invite: Code) -> Response:
    """The link as a picture for phones."""
    await opening.invited(here.site, here.request.scope, invite)
    return _picture(f"{here.origin}/j/{invite}")


@router.get("/r/{code}/qr.svg")
async def room_qr(here: Here, code: Code) -> Response:
    """The same, by the room's code."""
    runner = await opening.find(here.site, here.request.scope, code, here.me)
    return _picture(f"{here.origin}/j/{runner.room.invite}")


def _picture(link: str) -> Response:
    return Response(as_svg(link), media_type="image/svg+xml", headers={"Cache-Control": "private, max-age=3600"})


@router.get("/r/{code}")
async def room(here: Here, code: Code) -> Response:
    """The room: joining, waiting, the table. One page; its script and the socket do the rest."""
    runner = await opening.find(here.site, here.request.scope, code, here.me)
    if runner.code != code:
        return RedirectResponse(f"/r/{runner.code}", 303)
    person, token = await here.somebody()
    await here.site.people.visit(person, runner.code)
    response = here.page(
        "table",
        code=runner.code,
        invite=runner.room.invite,
        link=f"{here.origin}/j/{runner.room.invite}",
        here_only=leads_here_only(here.origin),
        summary=opening.summary(runner.room),
    )
    return here.remember(response, token)


@router.get("/history")
async def history(here: Here, before: Code | None = None) -> Response:
    """My matches."""
    return here.page("history", **await replay.my_matches(here.site, here.me, before))


@router.get("/matches/{match_id}")
async def match(here: Here, match_id: Code) -> Response:
    """One match, hand by hand."""
    async with here.turn() as work:
        found = await replay.match(here.site, match_id, here.me)
        page: Response = await work(here.page, "match", **found, **_said_options(found["match"], here.texts))
    return page


def _said_options(line: dict[str, Any], texts: Texts) -> dict[str, Any]:
    """A match's rules in words. Options of old matches may have switches or values that are gone by now."""
    game = GAMES.get(line["game"])
    try:
        options = None if game is None else game.declared.resolve(line["options"])
    except RuleError:
        options = None
    if game is None or options is None:
        return {"preset": str(line["options"].get("preset", "")), "differing": []}
    preset = game.declared.preset(options.preset)
    name = options.preset if preset is None else texts.t(f"{preset.id}.name")
    return {"preset": name, "differing": forms.differing(game, options, texts)}


@router.get("/matches/{match_id}/replay")
async def watch(here: Here, match_id: Code, hand: int = 0) -> Response:
    """One hand of a match, move by move. Its script fetches the frames."""
    async with here.turn():
        found = await replay.match(here.site, match_id, here.me)
    if not 0 <= hand < len(found["hands"]):
        raise errors.not_found(here.site.said("error.no_match"))
    return here.page("replay", **found, number=hand)


@router.get("/matches/{match_id}/record.json")
async def record(here: Here, match_id: Code) -> Response:
    """The match as a record file, which `pecking-order replay` and `verify` read."""
    async with here.turn() as work:
        kept = await replay.record(here.site, match_id)
        body: bytes = await work(as_json, kept)
    name = f"{kept['game']}-{match_id[:8]}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(body, media_type="application/json", headers=headers)


@router.get("/rules")
async def all_rules(here: Here) -> Response:
    """Every game."""
    return here.page("rules_index", games=forms.catalogue(here.texts))


@router.get("/rules/{game}")
async def rules(here: Here, game: Code) -> Response:
    """A game's rules; with `?room=`, `?preset=` or `?<switch>=` those of a table, with what differs marked."""
    declared = GAMES.get(game)
    if declared is None:
        raise errors.not_found(here.site.said("error.not_found"))
    asked = dict(here.request.query_params)
    code = asked.pop("room", None)
    if code is not None:
        runner = await opening.find(here.site, here.request.scope, code, here.me)
        if runner.room.settings.game.key == game:
            return _rules_page(here, declared, runner.room.settings.options, runner.code)
    return _rules_page(here, declared, declared.declared.resolve(forms.read(declared, asked)), None)


@router.get("/r/{code}/rules")
async def room_rules(here: Here, code: Code) -> Response:
    """The rules in force in a room."""
    runner = await opening.find(here.site, here.request.scope, code, here.me)
    settings = runner.room.settings
    return _rules_page(here, settings.game, settings.options, runner.code)


def _rules_page(here: Pages, game: Game, options: Options, room: str | None) -> Response:
    return here.page(
        "rules",
        game=forms.describe(game, here.texts),
        room=room,
        preset=options.preset,
        options=dict(options),
        differs=list(game.declared.differences(options)),
        values={switch.key: forms.said(switch, options[switch.key], here.texts) for switch in game.declared.switches},
        players=list(game.players(options)),
    )


@router.get("/r/{code}/seat/{token}")
async def seat(here: Here, code: Code, token: Code) -> Response:
    """A link to the seat of somebody who lost their device. Opening it changes nothing: a button does."""
    runner = await opening.find(here.site, here.request.scope, code, here.me)
    name = await _counted(here, opening.linked(runner, token))
    return here.page("seat", 404 if name is None else 200, code=runner.code, name=name)


@router.post("/r/{code}/seat/{token}")
async def take_seat(here: Here, code: Code, token: Code) -> Response:
    """The button: the seat is this browser's, and no other's."""
    runner = await opening.find(here.site, here.request.scope, code, here.me)
    if await _counted(here, opening.linked(runner, token)) is None:
        return here.page("seat", 404, code=runner.code, name=None)
    person, new_token = await here.somebody()
    await opening.take_seat(runner, person, token)
    await here.site.people.visit(person, runner.code)
    return here.remember(RedirectResponse(f"/r/{runner.code}", 303), new_token)


@router.get("/recover/{token}")
async def recovery(here: Here, token: Code) -> Response:
    """A recovery link. Opening it changes nothing (previews open links, too): a button does."""
    found = await _counted(here, await here.site.people.recoverable(token))
    if found is None:
        return here.page("recover", 404, state="bad", name=None)
    return here.page("recover", state="offer", name=found.name)


@router.post("/recover/{token}")
async def recover(here: Here, token: Code) -> Response:
    """The button: from now on this browser is that person's."""
    found = await _counted(here, await here.site.people.recover(token))
    if found is None:
        return here.page("recover", 404, state="bad", name=None)
    here.me, new_token = found
    await here.site.moved(here.me.id)
    return here.remember(here.page("recover", state="done", name=here.me.name), new_token)


async def _counted(here: Pages, found: T | None) -> T | None:
    """Links that lead nowhere are counted as guesses. Those that are good nobody can guess."""
    wait = 0.0 if found is not None else here.site.guesses.wait(client_key(here.request.scope))
    if wait:
        raise errors.too_fast(wait)
    return found


@router.post("/language")
async def choose_language(here: Here) -> Response:
    """The button of a language below every page: what this browser reads from now on."""
    form = parse_qs((await here.request.body()).decode("ascii", "replace"))
    wanted = form.get("language", [""])[0]
    response = RedirectResponse(here.came_from(), 303)
    if wanted in {each.language for each in here.site.templates.catalogues.all}:
        response.set_cookie(
            COOKIE, wanted, max_age=YEARS * 365 * 24 * 3600, secure=is_secure(here.request.scope), samesite="lax"
        )
    return response


@router.get("/favicon.ico")
async def icon(here: Here) -> Response:
    """For those who ask without having read a page."""
    return RedirectResponse(here.site.assets.url("img/favicon.svg"), 302)


@router.get("/robots.txt")
async def robots() -> Response:
    """Rooms, invitations and matches are for those who have the link."""
    return PlainTextResponse("User-agent: *\nDisallow: /r\nDisallow: /j/\nDisallow: /matches/\nDisallow: /recover/\n")


@router.get("/docs")
async def docs(here: Here) -> Response:
    """The HTTP interface, from its OpenAPI description, and the way to the rest."""
    return here.page("docs", groups=apidocs.groups(here.request.app.openapi()), written=list(FOR_PROGRAMS))


@router.get("/docs/{name}")
async def doc(here: Here, name: Code) -> Response:
    """What is written for those who write programs, as it is: Markdown reads well."""
    if name not in FOR_PROGRAMS:
        raise errors.not_found(here.site.said("error.not_found"))
    return PlainTextResponse(_written(name))


@functools.cache
def _written(name: str) -> str:
    return (resources.docs() / name).read_text(encoding="utf-8")
