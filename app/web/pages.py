"""The HTML pages. Thin: each asks rooms or store and fills a template in.

Every template gets `t(key, …)`, `listed(names)`, `has_text(key)`, `asset(path)`, `version`, and from here `page` (its
name), `person` (None, or with `name`), `origin` (how people reach us, without a slash at the end) and `nav` (the path
asked for), but not those of rooms, which are the same for everybody. Beyond these:

    home.html        games [{key, name, players}], rooms [{code, url, game, phase, people}], matches [match line],
                     last (the key of the game that is offered first), lessons [{key, name, game}]
    room_new.html    game, preset (keys to begin with, or None), changes {switch: value}, problems (sentences: what of
                     the link was not understood)
    table.html       code, room (its id), link (absolute), here_only (whether it is of no use on another device),
                     waits (whether people wait for the first cards), push (the key with which browsers
                     subscribe to calls, or None)
    screen.html      as table.html
    history.html     matches [match line], more (the address of the page after this one, or None), asked {filter: as
                     typed}, wrong {filter: why it can't be read}, chips [{filter, what, without (the address that
                     takes it away)}], rooms [{code, game}], games [key], offset (minutes that days are ahead of UTC)
    import.html      matches [match line] (those that were brought before), most (bytes of a file)
    match.html       match (match line), hands, pager (`story.page` makes them), ranks [name] (with which it began),
                     continues, continued_by (ids of volumes, or None), preset (its name), differing [{id, name, said}],
                     by_these (the form for a room with its rules, or None: the game is none any more), kept_as (what
                     keeping its rules asks for, or None: some of them there are not any more),
                     spoken [{text, href, turn, number}], more_spoken (whether there are others), played_from
                     [match line] (with its cards, by who asks)
    spoken.html      match, spoken, next (the hand to go on with, or None)
    replay.html      match (None: of a file), number (of the hand), file (which match of it)
    compare.html     match, hands [{number, seats [{first, again: {name, place, points}}]}]
    rules_index.html games (as in home.html)
    rules.html       game (description), room (a code, or None), preset (the key of the one shown), differs (keys in
                     which the options shown differ from it), changed (the same, most telling first, with `said`),
                     lines (of a card, for these), values {key: value in words}, options, players, lessons,
                     by_these (the form for a room with these rules), kept_as (what keeping them asks for)
    me_settings.html (its script asks /api/me)
    device.html      state (offer; other: this browser is somebody else's; same: it is theirs already; done; bad), name,
                     code (of the room that they go on to, or None)
    recover.html     state (offer, done or bad), name (whom the link brings back, or None)
    seat.html        code, name (whose seat the link gives; None if it gives none)
    docs.html        groups [{tag, endpoints [{method, path, summary, description, parameters, body, answers}]}],
                     written (names of pages below /docs/)
    offline.html
    error.html       status, code, message, request_id

A description is `forms.describe(game, texts)`; lines are made in `replay.py`. Times are epoch milliseconds.
"""

from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar
from urllib.parse import parse_qs, urlsplit

from fastapi import APIRouter, Depends, Query, Request
from pydantic import Field
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from app.bounded import LONGEST, MOST_KEYS
from app.engine.errors import RuleError
from app.engine.game import AnyGame
from app.engine.games import GAMES
from app.engine.options import Options
from app.engine.words import Sentence
from app.rooms import pictures
from app.rooms.room import Room
from app.rooms.runner import Runner
from app.store import exporting, stories
from app.store.history import MatchLine
from app.web import (
    apidocs,
    cookies,
    errors,
    forms,
    history,
    importing,
    lessons,
    opening,
    replay,
    rule_links,
    story,
    variations,
    written,
)
from app.web.address import client_key, header, is_secure
from app.web.api import NOBODY_KNOWS_YOU, Code, Me, RoomCode, SiteHere
from app.web.people import YEARS, Person, remember
from app.web.qr import as_svg
from app.web.sharing import leads_here_only, shared_origin
from app.web.site import Site
from app.web.slow_work import Work, as_json
from app.web.texts import COOKIE, Texts

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

T = TypeVar("T")

ROOMS_LISTED = 8
MATCHES_LISTED = 6
CARD_LINES = 10
"""Of a card of rules, for what is changed. The table has as many."""

Hand = Annotated[int, Query(ge=0, le=100_000)]
"""A hand of a match, from 0."""
FirstHand = Annotated[int, Query(alias="from", ge=0, le=100_000)]
"""The first hand that is shown, from 0."""


TOO_MANY_FIELDS = Sentence("web.too_many_fields", "A form has at most {most} fields.")
FIELD_TOO_LONG = Sentence("web.field_too_long", "A field of a form has at most {most} characters.")


class Pages:
    """Fills templates in for one request."""

    def __init__(self, request: Request, site: Site, me: Person | None) -> None:
        self.request = request
        self.site = site
        self.me = me
        self.origin = shared_origin(request.scope, site.settings)
        self.texts = site.templates.texts(request.scope)

    def page(self, template: str, status: int = 200, /, **context: Any) -> HTMLResponse:
        """Make a page of a template and what it is about."""
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

    def page_of_room(self, template: str, runner: Runner) -> HTMLResponse:
        """Make a page of a room, which begins with this; its socket tells the rest."""
        told = {"code": runner.code, "room": runner.id, "link": f"{self.origin}/j/{runner.room.invite}"}
        text = self.site.templates.fill_in(
            f"{template}.html",
            self.texts,
            told,
            here_only=leads_here_only(self.origin),
            waits=runner.room.phase == "lobby",
            push=None if self.site.pusher is None else self.site.pusher.public_key,
        )
        return HTMLResponse(text)

    def came_from(self) -> str:
        """Return the path of the page that the browser comes from, or the home page's if it does not say."""
        try:
            path = urlsplit(header(self.request.scope, b"referer") or "").path
        except ValueError:  # it is no address
            return "/"
        return path if path.startswith("/") and not path.startswith("//") else "/"

    async def form(self) -> dict[str, str]:
        """Return the filled-in fields of a form that was sent without a script; refuse it if one is too long."""
        try:
            form = parse_qs((await self.request.body()).decode("ascii", "replace"), max_num_fields=MOST_KEYS)
        except ValueError:
            raise errors.Refusal(413, "too_large", TOO_MANY_FIELDS(most=MOST_KEYS)) from None
        if any(len(text) > LONGEST for field, values in form.items() for text in (field, *values)):
            raise errors.Refusal(413, "too_large", FIELD_TOO_LONG(most=LONGEST))
        return {field: values[0] for field, values in form.items()}

    async def sent(self, field: str) -> str:
        """What such a form has in this field; nothing if it has no such field."""
        return (await self.form()).get(field, "")

    def turn(self) -> AbstractAsyncContextManager[Work]:
        """Wait until one may do long work."""
        return self.site.slow_work.turn(client_key(self.request.scope))

    async def somebody(self) -> tuple[Person, str | None]:
        """The person who asks; a new one, with the token for their browser, if there was none."""
        if self.me is not None:
            return self.me, None
        return await opening.newcomer(self.site, self.request.scope)

    async def come_into(self, room: str) -> str | None:
        """Note that whoever asks is in the room with this id; give the token for their browser, if they are new."""
        if self.me is None:
            return (await opening.newcomer(self.site, self.request.scope, room=room))[1]
        await self.site.people.visit(self.me, room)
        return None

    def remember(self, response: Response, token: str | None) -> Response:
        """Set the cookie, if the person is new."""
        if token is not None:
            remember(response, token, secure=is_secure(self.request.scope))
        return response

    def of_room(self, response: Response, code: str, room: str) -> Response:
        """Set a cookie by which a proxy leads this room's pages to the node that has it, whatever code it had before.

        It opens nothing and says nothing of who somebody is.
        """
        if self.request.cookies.get("room") != room:
            cookies.keep(response, "room", room, path=f"/r/{code}", secure=is_secure(self.request.scope))
        return response


async def _pages(request: Request, site: SiteHere, me: Me) -> Pages:
    return Pages(request, site, me)


Here = Annotated[Pages, Depends(_pages)]


@router.get("/")
async def home(here: Here) -> Response:
    """Open a room; your rooms, your matches."""
    rooms = [] if here.me is None else await here.site.store.history.rooms_of(here.me.id, limit=ROOMS_LISTED)
    matches = await history.find(here.site, here.me, history.HistoryAsked.of({}), here.texts)
    lines = [_room_line(room) for room in (await opening.peek_all(here.site, [each.id for each in rooms])).values()]
    return here.page(
        "home",
        games=forms.names(here.texts),
        rooms=lines,
        matches=matches.matches[:MATCHES_LISTED],
        last=next((line["game"] for line in lines), next(iter(GAMES))),
        lessons=lessons.listed(here.texts),
    )


def _room_line(state: Room) -> dict[str, Any]:
    """A room in somebody's list."""
    shown = pictures.room(state)
    people = [person for person in shown["people"] if person["role"] != "watcher"]
    return {
        "code": state.code,
        "url": f"/r/{state.code}",
        "game": shown["game"],
        "phase": shown["phase"],
        "people": people,
    }


@router.get("/new")
async def new(here: Here) -> Response:
    """The form for a room, which its script draws; with `?game=`, `?preset=` or `?<switch>=` it begins with those."""
    asked = rule_links.understood(here.request.query_params)
    problems = [here.texts.say(each) for each in asked.problems]
    return here.page("room_new", game=asked.game, preset=asked.preset, changes=asked.changes, problems=problems)


@router.get("/r")
async def by_code(here: Here, code: Annotated[str, Query(max_length=LONGEST)] = "") -> Response:
    """Lead to the room with a code that was typed into a form."""
    runner = await opening.find(here.site, here.request.scope, code, here.me)
    return RedirectResponse(f"/r/{runner.code}", 303)


@router.get("/j/{invite}")
async def invited(here: Here, invite: Code) -> Response:
    """Where a shared link leads: the room's page."""
    lead = await opening.invited(here.site, here.request.scope, invite, here.me)
    token = await here.come_into(lead.room)
    response = here.of_room(RedirectResponse(f"/r/{lead.code}", 303), lead.code, lead.room)
    return here.remember(response, token)


@router.get("/j/{invite}/qr.svg")
async def invitation_qr(here: Here, invite: Code) -> Response:
    """Draw the invitation as a picture for phones."""
    await opening.invited(here.site, here.request.scope, invite, here.me)
    return _picture(f"{here.origin}/j/{invite}")


@router.get("/r/{code}/qr.svg")
async def room_qr(here: Here, code: Code) -> Response:
    """Draw the link to a room as a picture for phones, for who knows its code."""
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
    token = await here.come_into(runner.id)
    response = here.page_of_room("table", runner)
    return here.remember(here.of_room(response, code, runner.id), token)


@router.get("/r/{code}/screen")
async def screen(here: Here, code: Code) -> Response:
    """The table for a room full of people, on a television: it watches, and phones are the hands."""
    runner = await opening.find(here.site, here.request.scope, code, here.me)
    if runner.code != code:
        return RedirectResponse(f"/r/{runner.code}/screen", 303)
    token = await here.come_into(runner.id)
    response = here.page_of_room("screen", runner)
    return here.remember(here.of_room(response, code, runner.id), token)


@router.get("/history")
async def matches(here: Here) -> Response:
    """Show the matches that somebody has played, or those of a room of theirs; of these, whichever they ask for."""
    shown = await history.page(here.site, here.me, here.request.query_params, here.texts)
    return here.page("history", 422 if shown["wrong"] else 200, **shown)


@router.get("/history/import")
async def bring(here: Here) -> Response:
    """Bring a file of records. Its script looks into it, shows and keeps it."""
    most = here.site.settings.limits.import_bytes
    return here.page("import", matches=await importing.kept(here.site, here.me), most=most)


@router.get("/history/import/{number}/replay")
async def watch_file(here: Here, number: Annotated[int, Field(ge=0, le=100_000)], hand: Hand = 0) -> Response:
    """One hand of a match (from 0) of a file that the browser has at hand."""
    return here.page("replay", match=None, file=number, number=hand)


@router.post("/matches/{match_id}/remove")
async def remove(here: Here, match_id: Code) -> Response:
    """The button: a match that one brought as a file is kept no longer."""
    if here.me is None or not await here.site.store.imports.drop(here.me.id, match_id):
        raise errors.not_found(here.site.said("error.no_match"))
    return RedirectResponse("/history/import", 303)


@router.get("/matches/{match_id}")
async def match(here: Here, match_id: Code, first: FirstHand = 0) -> Response:
    """Tell what happened in a match, hand by hand, from this one on."""
    async with here.turn() as work:
        found = await story.found(here.site, match_id, here.me, first)
        rarest = await story.rarest(here.site, found) if first == 0 else None
        whole = await story.whole(here.site, match_id, here.me, found) if first == 0 else None
        of_mine = () if here.me is None or first else await here.site.store.matches.played_from(match_id, here.me.id)
        page: Response = await work(_match_page, here, found, rarest, of_mine, first, whole)
    return page


def _match_page(
    here: Pages,
    found: stories.StoryPage,
    rarest: stories.Rarest | None,
    played_from: Iterable[MatchLine],
    first: int,
    whole: stories.StoryPage | None,
) -> Response:
    shown = story.page(found, first, here.texts)
    shown["scenes"] = [] if whole is None else story.scenes_of(whole, here.texts)
    spoken = story.rarest_lines(rarest or stories.NOTHING, found.match.id, here.texts)
    shown["played_from"] = [replay.match_line(line) for line in played_from]
    return here.page("match", **shown, **spoken, **_said_options(shown["match"], here.texts))


@router.get("/matches/{match_id}/moments")
async def moments_of_match(here: Here, match_id: Code, first: FirstHand = 0) -> Response:
    """List what people will speak of in a whole match, each with the way to see it again."""
    async with here.turn() as work:
        told = await story.spoken(here.site, match_id, here.me, first)
        page: Response = await work(_spoken_page, here, told)
    return page


def _spoken_page(here: Pages, told: stories.SpokenHands) -> Response:
    return here.page("spoken", match=replay.match_line(told.match), **story.spoken_page(told, here.texts))


def _said_options(line: dict[str, Any], texts: Texts) -> dict[str, Any]:
    """A match's rules in words. Options of old matches may have switches or values that are gone by now."""
    game = GAMES.get(line["game"])
    try:
        options = None if game is None else game.declared.resolve(line["options"], kept=True)
    except RuleError:
        options = None
    by_these = None if game is None else rule_links.link(game, line["options"])
    if game is None or options is None:
        named = str(line["options"].get("preset", ""))
        return {"preset": named, "differing": [], "by_these": by_these, "kept_as": None}
    preset = game.declared.preset(options.preset)
    name = options.preset if preset is None else texts.t(f"{preset.id}.name")
    differing = forms.differing(game, options, texts)
    return {"preset": name, "differing": differing, "by_these": by_these, "kept_as": rule_links.asked(game, options)}


@router.get("/matches/{match_id}/replay")
async def watch(here: Here, match_id: Code, hand: Hand = 0) -> Response:
    """One hand of a match, move by move. Its script fetches the frames."""
    found = await story.found(here.site, match_id, here.me, hand, 1)
    if not found.hands:
        raise errors.not_found(here.site.said("error.no_match"))
    return here.page("replay", match=replay.match_line(found.match), number=hand)


@router.post("/matches/{match_id}/again")
async def again(here: Here, match_id: Code) -> Response:
    """The button that opens a room in which these deals are played again, with who asks as its host."""
    person = here.me
    if person is None or person.name is None:
        raise errors.Refusal(401, "no_session", NOBODY_KNOWS_YOU())
    wait = here.site.openings.wait(client_key(here.request.scope))
    if wait:
        raise errors.too_fast(wait)
    async with here.turn():
        opened = await variations.again(here.site, here.request.scope, person, match_id, person.name)
    return RedirectResponse(f"/r/{opened.code}", 303)


@router.get("/matches/{match_id}/compare")
async def compare(here: Here, match_id: Code, first: FirstHand = 0) -> Response:
    """Show a match beside the one whose deals it was dealt, from this hand on."""
    found = await story.found(here.site, match_id, here.me, first, 0)
    hands = await variations.compared(here.site, match_id, first)
    pager = story.pager(first, found.last)
    return here.page("compare", match=replay.match_line(found.match), hands=hands, pager=pager)


@router.get("/matches/{match_id}/record.json")
async def record(here: Here, match_id: Code) -> Response:
    """The match as a record file, which `pecking-order replay` and `verify` read."""
    async with here.turn() as work:
        kept = await replay.record(here.site, match_id)
        body: bytes = await work(as_json, kept)
    name = f"{kept['game']}-{match_id[:8]}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(body, media_type="application/json", headers=headers)


@router.get("/r/{code}/export.json")
async def whole_room(here: Here, code: Code) -> Response:
    """The whole room as a file, for its people."""
    runner = await opening.find(here.site, here.request.scope, code, here.me)
    if here.me is None or runner.room.member_of(here.me.id) is None:
        raise errors.Refusal(403, "not_a_member", here.site.said("error.not_of_room"))
    now = datetime.now(UTC)
    async with here.turn() as work:
        room = await exporting.whole_room(here.site.store, runner.room, now)
        body: bytes = await work(as_json, room, exporting.DEPTH)
    headers = {"Content-Disposition": f'attachment; filename="room-{now:%Y-%m-%d}.json"'}
    return Response(body, media_type="application/json", headers=headers)


@router.get("/rules")
async def all_rules(here: Here) -> Response:
    """Show the rules of every game."""
    return here.page("rules_index", games=forms.names(here.texts))


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
    """Show the rules in force in a room."""
    runner = await opening.find(here.site, here.request.scope, code, here.me)
    settings = runner.room.settings
    return _rules_page(here, settings.game, settings.options, runner.code)


def _rules_page(here: Pages, game: AnyGame, options: Options, room: str | None) -> Response:
    return here.page(
        "rules",
        game=forms.describe(game, here.texts),
        lessons=lessons.listed(here.texts, game.key),
        by_these=rule_links.link(game, options.to_json()),
        kept_as=rule_links.asked(game, options),
        room=room,
        preset=options.preset,
        options=dict(options.by_key),
        adds_up=game.declared.is_zero_sum(options),
        differs=list(game.declared.differences(options)),
        changed=forms.differing(game, options, here.texts),
        lines=CARD_LINES,
        values={switch.key: forms.said(switch, options[switch], here.texts) for switch in game.declared.switches},
        players=list(game.players(options)),
    )


@router.get("/r/{code}/seat/{token}")
async def seat(here: Here, code: Code, token: Code) -> Response:
    """A link to the seat of somebody who lost their device. Opening it changes nothing: a button does."""
    runner = await opening.find(here.site, here.request.scope, code, here.me)
    name = await _counted(here, await opening.linked(here.site, runner, token))
    return here.page("seat", 404 if name is None else 200, code=runner.code, name=name)


@router.post("/r/{code}/seat/{token}")
async def take_seat(here: Here, code: Code, token: Code) -> Response:
    """The button: the seat is this browser's, and no other's."""
    runner = await opening.find(here.site, here.request.scope, code, here.me)
    if await _counted(here, await opening.linked(here.site, runner, token)) is None:
        return here.page("seat", 404, code=runner.code, name=None)
    person, new_token = await here.somebody()
    await opening.take_seat(runner, person, token)
    await here.site.people.visit(person, runner.id)
    return here.remember(RedirectResponse(f"/r/{runner.code}", 303), new_token)


@router.get("/me/settings")
async def mine(here: Here) -> Response:
    """One's name, bird, colour and devices, which its script draws."""
    return here.page("me_settings")


@router.get("/device/{token}")
async def another_device(here: Here, token: Code, room: RoomCode = None) -> Response:
    """A link that adds a device. Opening it changes nothing: a button does."""
    found = await _counted(here, await here.site.people.recoverable(token, adds=True))
    if found is None:
        return here.page("device", 404, state="bad", name=None, code=None)
    state = "offer" if here.me is None else "other" if here.me.id != found.id else "same"
    return here.page("device", state=state, name=found.name, code=room)


@router.post("/device/{token}")
async def add_device(here: Here, token: Code, room: RoomCode = None) -> Response:
    """The button: this browser is that person's, too."""
    found = await _counted(here, await here.site.people.recover(here.request.scope, token, adds=True))
    if found is None:
        return here.page("device", 404, state="bad", name=None, code=None)
    here.me, new_token = found
    return here.remember(here.page("device", state="done", name=here.me.name, code=room), new_token)


@router.get("/recover/{token}")
async def recovery(here: Here, token: Code) -> Response:
    """A recovery link. Opening it changes nothing (previews open links, too): a button does."""
    found = await _counted(here, await here.site.people.recoverable(token, adds=False))
    if found is None:
        return here.page("recover", 404, state="bad", name=None)
    return here.page("recover", state="offer", name=found.name)


@router.post("/recover/{token}")
async def recover(here: Here, token: Code) -> Response:
    """The button: from now on this browser is that person's."""
    found = await _counted(here, await here.site.people.recover(here.request.scope, token, adds=False))
    if found is None:
        return here.page("recover", 404, state="bad", name=None)
    here.me, new_token = found
    here.site.signed_out(here.me.id)
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
    wanted = await here.sent("language")
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
    private = ("/r", "/j/", "/book/", "/matches/", "/recover/", "/device/", "/me")
    return PlainTextResponse("User-agent: *\n" + "".join(f"Disallow: {path}\n" for path in private))


@router.get("/docs")
async def docs(here: Here) -> Response:
    """The HTTP interface, from its OpenAPI description, and the way to the rest."""
    return here.page("docs", groups=apidocs.groups(here.request.app.openapi()), written=list(written.FOR_PROGRAMS))


@router.get("/docs/{name}")
async def doc(here: Here, name: Code) -> Response:
    """What is written for those who write programs, as it is: Markdown reads well."""
    if name not in written.FOR_PROGRAMS:
        raise errors.not_found(here.site.said("error.not_found"))
    return PlainTextResponse(written.page(name))
