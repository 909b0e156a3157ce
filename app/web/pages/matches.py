"""Pages of matches: history, import, the story of a match, replay, comparison, record file.

Templates, with what they get beside the context of `page.py` (`frames.py` makes match lines):

    history.html     matches [match line], more (the address of the next page, or None), asked {filter: as typed},
                     wrong {filter: why it can't be read}, chips [{filter, what, without (the address without this
                     filter)}], rooms [{code, game}], games [key], offset (minutes that days are ahead of UTC)
    import.html      matches [match line] (those imported before), most (bytes of a file)
    match.html       match (match line), hands, pager (`story.page` makes them), ranks [name] (at the beginning),
                     continues, continued_by (ids of matches, or None), preset (its name), differing [{id, name, said}],
                     by_these (a link to the form with these rules, or None if the game is unknown), kept_as (the
                     request that saves these rules, or None if some of them no longer exist), spoken [{text, href,
                     turn, number}], more_spoken (whether there are more), played_from [match line] (dealt the same
                     cards, by the person who asks)
    spoken.html      match, spoken, next (the hand to continue with, or None)
    replay.html      match (None: of a file), number (of the hand), file (number of the match in the file)
    compare.html     match, hands [{number, seats [{first, again: {name, place, points}}]}]
"""

from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.engine.base.errors import RuleError
from app.engine.games import GAMES
from app.store.history import match_stories
from app.store.history.match_history import MatchLine
from app.web.api.dependencies import NOBODY_KNOWS_YOU, Code
from app.web.client_address import client_key
from app.web.http import errors
from app.web.http.work_queue import as_json
from app.web.i18n.catalogues import Texts
from app.web.matches import frames, import_files, new_room, search, story
from app.web.pages.page import Here, Pages
from app.web.services import rules_form, rules_link

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

Hand = Annotated[int, Query(ge=0, le=100_000)]
"""A hand of a match, from 0."""
FirstHand = Annotated[int, Query(alias="from", ge=0, le=100_000)]
"""The first hand that is shown, from 0."""


@router.get("/history")
async def matches(here: Here) -> Response:
    """Show the matches that somebody has played, or those of a room of theirs; of these, whichever they ask for."""
    shown = await search.page(here.site, here.me, here.request.query_params, here.texts)
    return here.page("history", 422 if shown["wrong"] else 200, **shown)


@router.get("/history/import")
async def bring(here: Here) -> Response:
    """Bring a file of records. Its script looks into it, shows and keeps it."""
    most = here.site.settings.limits.import_bytes
    return here.page("import", matches=await import_files.kept(here.site, here.me), most=most)


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
    found: match_stories.StoryPage,
    rarest: match_stories.Rarest | None,
    played_from: Iterable[MatchLine],
    first: int,
    whole: match_stories.StoryPage | None,
) -> Response:
    shown = story.page(found, first, here.texts)
    shown["scenes"] = [] if whole is None else story.scenes_of(whole, here.texts)
    spoken = story.rarest_lines(rarest or match_stories.NOTHING, found.match.id, here.texts)
    shown["played_from"] = [frames.match_line(line) for line in played_from]
    return here.page("match", **shown, **spoken, **_said_options(shown["match"], here.texts))


@router.get("/matches/{match_id}/moments")
async def moments_of_match(here: Here, match_id: Code, first: FirstHand = 0) -> Response:
    """List what people will speak of in a whole match, each with the way to see it again."""
    async with here.turn() as work:
        told = await story.spoken(here.site, match_id, here.me, first)
        page: Response = await work(_spoken_page, here, told)
    return page


def _spoken_page(here: Pages, told: match_stories.SpokenHands) -> Response:
    return here.page("spoken", match=frames.match_line(told.match), **story.spoken_page(told, here.texts))


def _said_options(line: dict[str, Any], texts: Texts) -> dict[str, Any]:
    """A match's rules in words. Options of old matches may have switches or values that are gone by now."""
    game = GAMES.get(line["game"])
    try:
        options = None if game is None else game.declared.resolve(line["options"], kept=True)
    except RuleError:
        options = None
    by_these = None if game is None else rules_link.link(game, line["options"])
    if game is None or options is None:
        named = str(line["options"].get("preset", ""))
        return {"preset": named, "differing": [], "by_these": by_these, "kept_as": None}
    preset = game.declared.preset(options.preset)
    name = options.preset if preset is None else texts.t(f"{preset.id}.name")
    differing = rules_form.differing(game, options, texts)
    return {"preset": name, "differing": differing, "by_these": by_these, "kept_as": rules_link.asked(game, options)}


@router.get("/matches/{match_id}/replay")
async def watch(here: Here, match_id: Code, hand: Hand = 0) -> Response:
    """One hand of a match, move by move. Its script fetches the frames."""
    found = await story.found(here.site, match_id, here.me, hand, 1)
    if not found.hands:
        raise errors.not_found(here.site.said("error.no_match"))
    return here.page("replay", match=frames.match_line(found.match), number=hand)


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
        opened = await new_room.again(here.site, here.request.scope, person, match_id, person.name)
    return RedirectResponse(f"/r/{opened.code}", 303)


@router.get("/matches/{match_id}/compare")
async def compare(here: Here, match_id: Code, first: FirstHand = 0) -> Response:
    """Show a match beside the one whose deals it was dealt, from this hand on."""
    found = await story.found(here.site, match_id, here.me, first, 0)
    hands = await new_room.compared(here.site, match_id, first)
    pager = story.pager(first, found.last)
    return here.page("compare", match=frames.match_line(found.match), hands=hands, pager=pager)


@router.get("/matches/{match_id}/record.json")
async def record(here: Here, match_id: Code) -> Response:
    """The match as a record file, which `pecking-order replay` and `verify` read."""
    async with here.turn() as work:
        kept = await frames.record(here.site, match_id)
        body: bytes = await work(as_json, kept)
    name = f"{kept['game']}-{match_id[:8]}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(body, media_type="application/json", headers=headers)
