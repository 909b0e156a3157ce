"""Pages of matches: history, import, the story of a match, replay, comparison, record file.

Templates, and the values that they get in addition to the context of `page.py` (`frames.py` makes match lines):

    history.html     months (`album.py`) or matches [match line], more and newest (addresses of the next and the first
                     page, or None), asked {filter: as typed}, offered [{filter, what, href}],
                     wrong {filter: why it can't be read}, chips [{filter, what, without (the address without this
                     filter)}], rooms [{code, game}], games [key], zone and offset (as sent), unknown_zone (a
                     sentence, or None)
    import.html      matches [match line] (those imported before), most (bytes of a file)
    match.html       match (match line), hands, pager (`story.page` makes them), ranks [name] (at the beginning),
                     continues, continued_by (ids of matches, or None), preset (its name), differing [{id, name, said}],
                     by_these (a link to the form with these rules, or None if the game is unknown), kept_as (the
                     request that saves these rules, or None if some of them no longer exist), scenes (with a `face`
                     or None), chart (of places, or None), spoken [{text, href, turn, number}],
                     more_spoken (whether there are more), played_from [match line] (dealt the same cards, by the
                     person who asks), preview {picture, alt, site, title, description} (of the link in chat programs,
                     in the language of the room's host; without a story only the picture)
    share.html       match, moment (whether it shares one moment), picture and link (addresses without the host),
                     alt (of the picture of a moment), not_drawn [name], preview {picture, alt} (of the link)
    spoken.html      match, spoken, next (the hand to continue with, or None)
    replay.html      match (None: of a file), number (of the hand), file (number of the match in the file), preview
                     {picture, alt} (of the link), name_fields (where the script translates the names of bots, or None)
    compare.html     match, hands [{number, seats [{first, again: {name, place, points}}]}]
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.engine.base.errors import RuleError
from app.engine.games import GAMES
from app.rooms.people.avatars import PlayerFace
from app.rooms.views.name_fields import NAME_FIELDS
from app.store.history import match_stories
from app.store.history.match_history import MatchLine
from app.web.api.dependencies import NOBODY_KNOWS_YOU, PathSegment, SeatFilter
from app.web.client_address import client_key
from app.web.http import errors
from app.web.http.cached_json import etag_of, is_known
from app.web.http.work_queue import encode_json_in_parts
from app.web.i18n.catalogues import ENGLISH, Texts
from app.web.i18n.event_text import game_name
from app.web.matches import frames, new_room, saved_imports, search, story
from app.web.pages.page import InjectedPageContext, PageContext
from app.web.services import room_access, rules_form, rules_link
from app.web.stats.match_chart import places_chart

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

Hand = Annotated[int, Query(ge=0, le=100_000)]
"""The number of a hand in a match, from 0."""
Step = Annotated[int, Query(ge=0, le=100_000)]
"""The number of a step in the replay of a hand; 0 is the deal."""
FirstHand = Annotated[int, Query(alias="from", ge=0, le=100_000)]
"""The first hand that is shown, from 0."""


@router.get("/history")
async def history_page(here: InjectedPageContext) -> Response:
    """Show the album of the evenings that the signed-in person played; with a filter for a room, that of the room.

    With other filters: single matches, newest first. Status 422 if a filter can't be read.
    """
    shown = await search.history_page_context(here.site, here.me, here.request.query_params, here.texts)
    return here.render("history", 422 if shown["wrong"] else 200, **shown)


@router.get("/history/import")
async def import_page(here: InjectedPageContext) -> Response:
    """Show the page for importing match files, with the matches imported before.

    Its script uploads a file, shows the matches in it, and saves them.
    """
    most = here.site.settings.limits.import_bytes
    here.site.import_workers.prepare_workers()  # starting them takes about a second
    return here.render("import", matches=await saved_imports.list_imported(here.site, here.me), most=most)


@router.get("/history/import/{number}/replay")
async def imported_replay_page(
    here: InjectedPageContext, number: Annotated[int, Field(ge=0, le=100_000)], hand: Hand = 0
) -> Response:
    """Show the replay page for a hand of a match file that is only in the browser, not saved on the server.

    `number` of the match in the file and `hand` of the match count from 0.
    """
    return here.render("replay", match=None, file=number, number=hand, name_fields=_name_fields(here.texts))


@router.post("/matches/{match_id}/remove")
async def remove_imported_match(here: InjectedPageContext, match_id: PathSegment) -> Response:
    """Handle the delete button: delete a match that the signed-in person imported, then return to the import page.

    404 if they have imported no such match.
    """
    if here.me is None or not await here.site.store.imported_matches.delete_match(here.me.id, match_id):
        raise errors.not_found_error(here.site.message("error.no_match"))
    return RedirectResponse("/history/import", 303)


@router.get("/matches/{match_id}")
async def match_page(here: InjectedPageContext, match_id: PathSegment, first: FirstHand = 0) -> Response:
    """Show a match hand by hand, from hand `first` on.

    The first page also has the story in scenes, the rarest highlights, and repeats of its deals. 404 for unknown
    matches.
    """
    async with here.worker_slot() as work:
        found = await story.load_story_page(here.site, match_id, here.me, first)
        here.texts = frames.with_bots(here.texts, found.match)
        page: Response
        if first:
            page = await work(_render_match, here, found, first)
            return page
        rarest = await story.load_rarest_highlights(here.site, found)
        whole = await story.load_whole_story(here.site, match_id, here.me, found)
        rooms = () if here.me is None else await here.site.store.match_list.matches_with_cards_of(match_id, here.me.id)
        standings, faces = await frames.load_match_with_faces(here.site, match_id)
        preview = frames.with_bots(await _preview_texts(here, match_id, 0), found.match)
        page = await work(_render_first_page, here, found, rarest, rooms, whole, standings, faces, preview)
    return page


def _render_match(here: PageContext, found: match_stories.StoryPage, first: int, /, **more: Any) -> Response:
    shown = {"scenes": [], "spoken": [], "more_spoken": False, "played_from": [], "chart": None, **more}
    shown = {"preview": _preview(found.match, (), here.texts)} | shown
    shown |= story.match_page_context(found, first, here.texts)
    return here.render("match", **shown, **_rules_context(shown["match"], here.texts))


def _render_first_page(
    here: PageContext,
    found: match_stories.StoryPage,
    rarest: match_stories.RarestHighlights,
    played_from: Iterable[MatchLine],
    whole: match_stories.StoryPage,
    standings: match_stories.MatchForStandings,
    faces: Mapping[str, PlayerFace],
    preview: Texts,
) -> Response:
    scenes = story.scene_views(whole, here.texts)
    of_link = scenes if preview.language == here.texts.language else story.scene_views(whole, preview)
    spoken = story.rarest_highlights_context(rarest, found.match.id, here.texts)
    if scenes:  # No moment is told twice.
        spoken["spoken"] = []
        spoken["more_spoken"] = True
    return _render_match(
        here,
        found,
        0,
        scenes=story.with_faces(scenes, faces),
        chart=places_chart(standings, faces, here.texts),
        preview=_preview(found.match, of_link, preview),
        played_from=[frames.match_view(line) for line in played_from],
        **spoken,
    )


async def _preview_texts(here: PageContext, match_id: str, hand: int) -> Texts:
    """Return the texts for the preview of a link to a match, in the language of its room's host."""
    if len(here.site.templates.catalogues.all_languages) == 1:
        return here.texts
    room = await frames.load_room_of_match(here.site, match_id, hand)
    return await room_access.texts_of_host(here.site, room, here.texts)


async def _picture_preview(here: PageContext, match_id: str, hand: int, where: Mapping[str, Any]) -> dict[str, str]:
    """Return the picture that chat programs show for a link to a match, or to the move that `where` names."""
    texts = await _preview_texts(here, match_id, hand)
    alt = texts.t("picture.alt.moment" if where else "picture.alt")
    return {"picture": _picture_url(match_id, **where, language=_url_language(texts)), "alt": alt}


def _preview(line: MatchLine, scenes: Sequence[story.SceneView], texts: Texts) -> dict[str, str]:
    """Return what chat programs show for a link to a match; without a title if it has no scenes."""
    picture = {"picture": _picture_url(line.id, language=_url_language(texts)), "alt": texts.t("picture.alt")}
    if not scenes:
        return picture
    name = game_name(line.game, texts)
    return picture | {
        "site": texts.t("site.name"),
        "title": texts.labelled(name, scenes[0]["text"]),
        "description": texts.join_sentences(scene["text"] for scene in scenes[1:]),
    }


@router.get("/matches/{match_id}/moments")
async def match_highlights_page(here: InjectedPageContext, match_id: PathSegment, first: FirstHand = 0) -> Response:
    """List the highlights of a match, each with a link to its replay, a page at a time from hand `first` on."""
    async with here.worker_slot() as work:
        highlighted = await story.load_highlights(here.site, match_id, here.me, first)
        here.texts = frames.with_bots(here.texts, highlighted.match)
        page: Response = await work(_render_highlights, here, highlighted)
    return page


def _render_highlights(here: PageContext, highlighted: match_stories.HighlightedHands) -> Response:
    return here.render(
        "spoken", match=frames.match_view(highlighted.match), **story.highlights_page_context(highlighted, here.texts)
    )


def _rules_context(line: dict[str, Any], texts: Texts) -> dict[str, Any]:
    """Return template values about a match's rules: preset name, options that differ from it, link, save request.

    The rules may be old: without a known game, or with options that no longer exist, less is returned.
    """
    game = GAMES.get(line["game"])
    try:
        options = None if game is None else game.option_schema.resolve_options(line["options"], already_accepted=True)
    except RuleError:
        options = None
    by_these = None if game is None else rules_link.rules_url(game, line["options"])
    if game is None or options is None:
        named = str(line["options"].get("preset", ""))
        return {"preset": named, "differing": [], "by_these": by_these, "kept_as": None}
    preset = game.option_schema.find_preset(options.preset)
    name = options.preset if preset is None else texts.t(f"{preset.id}.name")
    differing = rules_form.changed_options(game, options, texts)
    return {
        "preset": name,
        "differing": differing,
        "by_these": by_these,
        "kept_as": rules_link.rules_request(game, options),
    }


@router.get("/matches/{match_id}/replay")
async def replay_page(
    here: InjectedPageContext,
    match_id: PathSegment,
    hand: Hand = 0,
    move: PathSegment | None = None,
    seat: SeatFilter = None,
) -> Response:
    """Show the replay page for one hand of a match, move by move; its script loads the frames.

    A link to a move has its picture as preview. The script reads `move` and `seat`, and ignores wrong values.
    404 for an unknown hand.
    """
    found = await story.load_story_page(here.site, match_id, here.me, hand, 1)
    if not found.hands:
        raise errors.not_found_error(here.site.message("error.no_match"))
    where: dict[str, Any] = {} if move is None else {"hand": hand, "move": move, "seat": seat}
    players = [asdict(player) for player in found.match.players]
    shown = zip(players, here.texts.player_names(players), strict=True)
    return here.render(
        "replay",
        match=frames.match_view(found.match),
        number=hand,
        names={player["name"]: name for player, name in shown if name != player["name"]},
        name_fields=_name_fields(here.texts),
        preview=await _picture_preview(here, match_id, hand, where),
    )


def _name_fields(texts: Texts) -> dict[str, Any] | None:
    """Return the keys of a replay's names, in which a script translates the names of bots; None for English."""
    if texts.language == ENGLISH:
        return None
    return {**NAME_FIELDS, "under": [*NAME_FIELDS["under"], "players"]}


@router.post("/matches/{match_id}/again")
async def open_room_with_same_deals(here: InjectedPageContext, match_id: PathSegment) -> Response:
    """Handle the button on a match: open a room that plays the same deals again, and redirect to it.

    The signed-in person becomes the host. 401 without a person with a name; 429 after too many new rooms.
    """
    person = here.me
    if person is None or person.name is None:
        raise errors.HttpError(401, "no_session", NOBODY_KNOWS_YOU())
    room_access.count_room_opening(here.site, here.request.scope)
    async with here.worker_slot():
        opened = await new_room.open_room_with_same_deals(here.site, here.request.scope, person, match_id, person.name)
    return RedirectResponse(f"/r/{opened.code}", 303)


@router.get("/matches/{match_id}/compare")
async def comparison_page(here: InjectedPageContext, match_id: PathSegment, first: FirstHand = 0) -> Response:
    """Compare a match, hand by hand from hand `first` on, with the earlier match whose deals it repeats."""
    found = await story.load_story_page(here.site, match_id, here.me, first, 0)
    hands = await new_room.compare_hands(here.site, found.match, first, here.texts)
    pager = story.pager(first, found.last)
    return here.render("compare", match=frames.match_view(found.match), hands=hands, pager=pager)


@router.get("/matches/{match_id}/share")
async def share_page(
    here: InjectedPageContext,
    match_id: PathSegment,
    hand: Hand | None = None,
    move: Step = 0,
    seat: SeatFilter = None,
) -> Response:
    """Show the picture of a match, or of one move of a hand, with buttons to share, copy and save it.

    404 if the match or the hand is unknown.
    """
    from app.web.matches import share_moment, share_picture  # saves 5 MB until the first picture

    found = await story.load_story_page(here.site, match_id, here.me, hand or 0, 1)
    if hand is not None and not found.hands:
        raise errors.not_found_error(here.site.message("error.no_match"))
    names = [player.name for player in found.match.players]
    where: dict[str, Any] = {} if hand is None else {"hand": hand, "move": move, "seat": seat}
    alt = None
    if hand is not None:
        async with here.worker_slot() as work:
            moment = await share_moment.load_moment(here.site, match_id, hand, move, seat)
            texts = await work(share_picture.texts_for_picture, here.texts, here.site.templates.catalogues.english)
            alt = (await work(share_moment.describe_moment, found.match, moment, texts)).heading
    return here.render(
        "share",
        match=frames.match_view(found.match),
        moment=hand is not None,
        picture=_picture_url(match_id, **where),
        link=_url(f"/matches/{match_id}" if hand is None else f"/matches/{match_id}/replay", **where),
        alt=alt,
        preview=await _picture_preview(here, match_id, hand or 0, where),
        not_drawn=share_picture.names_not_drawn(names),
    )


def _url_language(texts: Texts) -> str | None:
    """Return the language for the address of a picture; None for English, which programs get without a language."""
    return None if texts.language == ENGLISH else texts.language


def _picture_url(match_id: str, **where: object) -> str:
    return _url(f"/matches/{match_id}/picture.png", **where)


def _url(path: str, **values: object) -> str:
    """Return a path with the parameters that are not None."""
    query = urlencode({name: value for name, value in values.items() if value is not None})
    return f"{path}?{query}" if query else path


@router.get("/matches/{match_id}/picture.png")
async def match_picture(
    here: InjectedPageContext,
    match_id: PathSegment,
    form: Literal["wide", "square"] = "wide",
    hand: Hand | None = None,
    move: Step = 0,
    seat: SeatFilter = None,
) -> Response:
    """Send the picture of a match, or of one move of a hand, for link previews (`wide`) and for sharing.

    404 if the match or the hand is unknown; 429 after too many pictures.
    """
    from app.web.matches import share_moment, share_picture

    wait = here.site.picture_limiter.seconds_until_allowed(client_key(here.request.scope))
    if wait:
        raise errors.rate_limit_error(wait)
    async with here.worker_slot() as work:
        # Waits while another picture is drawn.
        texts = await work(share_picture.texts_for_picture, here.texts, here.site.templates.catalogues.english)
        whole, faces = await frames.load_match_with_faces(here.site, match_id)
        if hand is None:
            best = await here.site.store.evenings.best_moment_of_match(match_id)
            describe = partial(share_picture.describe_picture, whole, faces, texts, best)
        else:
            moment = await share_moment.load_moment(here.site, match_id, hand, move, seat)
            describe = partial(share_moment.describe_moment, whole.match, moment, texts)
        content = await work(partial(describe, is_square=form == "square"))
        png = await share_picture.picture_as_png(here.site.picture_cache, content, work)
    etag = etag_of(png)
    # Asked for each time, so that no cache shows a name that was deleted.
    headers = {"ETag": etag, "Cache-Control": "private, no-cache", "Vary": "Accept-Language, Cookie"}
    if is_known(here.request.scope, etag):
        return Response(status_code=304, headers=headers)
    return Response(png, media_type="image/png", headers=headers)


@router.get("/matches/{match_id}/record.json")
async def download_record(here: InjectedPageContext, match_id: PathSegment) -> Response:
    """Send a match's record file for download; `pecking-order replay` and `verify` read such files. 404 if unknown."""
    async with here.worker_slot() as work:
        record = await frames.load_record(here.site, match_id)
        body: bytes = await work(encode_json_in_parts, record)
    name = f"{record['game']}-{match_id[:8]}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(body, media_type="application/json", headers=headers)
