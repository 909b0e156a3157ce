"""The page of a match: its story in words, hand by hand with links to the moves, and its highlights."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Annotated, Any, Final, TypedDict

from app.engine.base.messages import TranslatableMessage
from app.engine.match.hand import places_in_result
from app.rooms.model.state import MAX_HANDS_PER_VOLUME, to_milliseconds
from app.rooms.people.avatars import PlayerFace
from app.stats.hand_story import StoryLine, StoryText, build_hand_story
from app.stats.match_story import Kind, Scene, build_match_scenes
from app.store.history import match_stories
from app.store.history.match_stories import (
    HANDS_OF_A_PAGE,
    HandStory,
    HighlightedHands,
    Move,
    RarestHighlights,
    StoryPage,
)
from app.web.context.sessions import Person
from app.web.context.site import AppContext
from app.web.http import errors
from app.web.i18n.catalogues import Texts
from app.web.i18n.event_text import event_sentence
from app.web.matches.frames import match_view
from app.web.services.match_links import replay_url

SPOKEN_FIRST: Final = 8
"""Limit for highlights on the page of a match; a separate page lists all."""


class SceneView(TypedDict):
    """A scene of the story of a match."""

    kind: Annotated[Kind, "The kind of scene."]
    heading: Annotated[str, "The heading of the scene."]
    text: Annotated[str, "The text of the scene."]
    names: Annotated[list[str], "The players in the scene."]
    cards: Annotated[str | None, "The cards of the play that the scene is about; null: no play."]
    hand: Annotated[int | None, "The number of the hand, from 1; null: the whole match."]
    href: Annotated[str | None, "The link to the replay at this moment; null: none."]


async def load_story_page(
    site: AppContext, match_id: str, person: Person | None, first: int, limit: int = HANDS_OF_A_PAGE
) -> StoryPage:
    """Return up to `limit` hands of a match, played or imported, from hand `first` on.

    Raises 404 for an unknown match or hand. `person`: the visitor.
    """
    person_id = None if person is None else person.id
    pages = await site.store.match_stories.load_story_page(match_id, first=first, limit=limit, person_id=person_id)
    if pages is None:
        pages = await site.store.imported_matches.load_story_page(
            match_id, first=first, limit=limit, person_id=person_id
        )
    if pages is None or first > max(pages.last, 0):
        raise errors.not_found_error(site.message("error.no_match"))
    return pages


async def load_highlights(site: AppContext, match_id: str, person: Person | None, first: int) -> HighlightedHands:
    """Return hands with highlights of a match from hand `first` on, for a page; raise 404 for an unknown match.

    For an imported match, all hands are returned.
    """
    person_id = None if person is None else person.id
    hands = await site.store.match_stories.load_highlighted_hands(match_id, first=first, person_id=person_id)
    if hands is not None:
        return hands
    # Imported matches are not in the stats, so their highlights come from the story.
    pages = await site.store.imported_matches.load_story_page(match_id, first=first, person_id=person_id)
    if pages is None:
        raise errors.not_found_error(site.message("error.no_match"))
    following = first + HANDS_OF_A_PAGE
    return HighlightedHands(pages.match, pages.hands, following if following <= pages.last else None)


def highlights_page_context(highlighted: HighlightedHands, texts: Texts) -> dict[str, Any]:
    """Return the values of the template of a match's highlights page. Slow: run it in a thread."""
    return {
        "spoken": [line for hand in highlighted.hands for line in _highlight_lines(hand, highlighted.match.id, texts)],
        "next": highlighted.next,
    }


async def load_rarest_highlights(site: AppContext, pages: StoryPage) -> RarestHighlights:
    """Return the rarest highlights of a match for its page, at most 8.

    For an imported match, only those of the hands in `pages`.
    """
    if pages.match.imported is not None:
        return match_stories.select_rarest_highlights(pages.hands, SPOKEN_FIRST)
    return await site.store.match_stories.load_rarest_highlights(pages.match.id, most=SPOKEN_FIRST)


def rarest_highlights_context(found: RarestHighlights, match_id: str, texts: Texts) -> dict[str, Any]:
    """Return, for the match page's template, `spoken`: the rarest highlights in words with links, at most eight.

    `more_spoken` tells whether the match has more. Slow: run it in a thread.
    """
    lines = [line for hand in found.hands for line in _highlight_lines(hand, match_id, texts, found.moves)]
    return {"spoken": lines[:SPOKEN_FIRST], "more_spoken": found.more or len(lines) > SPOKEN_FIRST}


def _highlight_lines(
    hand: HandStory, match_id: str, texts: Texts, moves: Collection[Move] | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the highlights of a hand in words with a link to the replay, or only those at these moves."""
    replay = replay_url(match_id, hand.number)
    for line in build_hand_story(hand.stored).spoken:
        if moves is None or (hand.number, line.n) in moves:
            shown = _story_line_view(line, replay, texts)
            yield {**shown, "href": shown["href"] or replay, "number": hand.number}


async def load_whole_story(
    site: AppContext, match_id: str, person: Person | None, page: StoryPage | None = None
) -> StoryPage:
    """Return all hands of a match (at most one volume), to tell its story; raise 404 for an unknown match.

    `page` is the first page, if loaded. It is returned if it holds all hands, or if the match has not ended.
    """
    if page is not None and (page.last < len(page.hands) or page.match.ended_at is None):
        return page
    return await load_story_page(site, match_id, person, 0, MAX_HANDS_PER_VOLUME)


def scene_views(whole: StoryPage, texts: Texts) -> list[SceneView]:
    """Return the scenes of a finished match in words; empty for an unfinished one.

    Slow: run it in a thread.
    """
    line = whole.match
    if line.ended_at is None:
        return []
    scenes = build_match_scenes(whole.hands, line.winners, continued=whole.continued_by is not None)
    return [_scene_view(scene, f"/matches/{line.id}/replay", texts) for scene in scenes]


def with_faces(scenes: Sequence[SceneView], faces: Mapping[str, PlayerFace]) -> list[dict[str, Any]]:
    """Return scenes for the match page, each with the `face` of its first player, or None.

    No face comes three times in succession.
    """
    shown: list[PlayerFace | None] = []
    for scene in scenes:
        face = next((faces[name] for name in scene["names"] if name in faces), None)
        shown.append(None if shown[-2:] == [face, face] else face)
    return [{**scene, "face": face} for scene, face in zip(scenes, shown, strict=True)]


def _scene_view(scene: Scene, replay: str, texts: Texts) -> SceneView:
    at = "" if scene.move is None else f"&move={scene.move}"
    return {
        "kind": scene.kind,
        "heading": texts.say(scene.heading),
        "text": _story_text(scene.texts, texts),
        "names": list(scene.names),
        "cards": next((each["cards"] for each in scene.texts if not isinstance(each, str) and "cards" in each), None),
        "hand": None if scene.hand is None else scene.hand + 1,
        "href": None if scene.hand is None else f"{replay}?hand={scene.hand}{at}",
    }


def match_page_context(pages: StoryPage, first: int, texts: Texts) -> dict[str, Any]:
    """Return the values of the match page's template: the match, and hands from `first` on in words.

    Slow: run it in a thread.
    """
    replay = f"/matches/{pages.match.id}/replay"
    opening = pages.hands[0].stored.record.get("ranks", []) if first == 0 and pages.hands else []
    return {
        "match": match_view(pages.match),
        "hands": [_hand_view(hand, f"{replay}?hand={hand.number}", texts) for hand in pages.hands],
        "ranks": list(opening),
        "continues": pages.continues,
        "continued_by": pages.continued_by,
        "pager": pager(first, pages.last),
    }


def pager(first: int, last: int) -> dict[str, Any]:
    """Return the links between the pages of a match's hands, as numbers of each page's first hand, from 0."""
    return {
        "first": first,
        "previous": max(first - HANDS_OF_A_PAGE, 0) if first > 0 else None,
        "next": first + HANDS_OF_A_PAGE if first + HANDS_OF_A_PAGE <= last else None,
        "all": [(start, min(start + HANDS_OF_A_PAGE - 1, last)) for start in range(0, last + 1, HANDS_OF_A_PAGE)],
    }


def _hand_view(hand: HandStory, replay: str, texts: Texts) -> dict[str, Any]:
    story = build_hand_story(hand.stored)
    return {
        "number": hand.number,
        "ended_at": to_milliseconds(hand.ended_at),
        "cut_off": hand.stored.cut_off,
        "replay": replay,
        "places": list(_placement_rows(hand)),
        "entered": list(_grouped_reasons(hand.entered)),
        "before": [_story_line_view(line, None, texts) for line in story.before],
        "played": [_story_line_view(line, replay, texts) for line in (*story.played, *story.ends)],
        "after": [_story_line_view(line, None, texts) for line in story.after],
    }


def _story_line_view(line: StoryLine, replay: str | None, texts: Texts) -> dict[str, Any]:
    return {
        "text": _story_text(line.texts, texts),
        "href": None if replay is None or line.n is None else f"{replay}&move={line.n}",
        "turn": line.turn,
    }


def _story_text(story: Iterable[StoryText], texts: Texts) -> str:
    said = (texts.say(each) if isinstance(each, TranslatableMessage) else event_sentence(each, texts) for each in story)
    return texts.join_sentences(said)


def _placement_rows(hand: HandStory) -> Iterator[dict[str, Any]]:
    """Yield the players of a hand, best first, with their points, or None in a hand without points."""
    result = hand.stored.result
    place_of = places_in_result(result)
    pointed = any(result["ledger"].values()) or any(hand.totals.values())
    for name in dict.fromkeys((*place_of, *result["ledger"])):
        yield {
            "name": name,
            "place": place_of.get(name),
            "title": result["titles"].get(name, ""),
            "dealt": hand.stored.record["dealer"] == name,
            "points": result["ledger"].get(name) if pointed else None,
            "total": hand.totals.get(name),
            "why": [each for each in result.get("reasons", ()) if each["name"] == name],
        }


def _grouped_reasons(reasons: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the points given outside a hand; players with the same points for the same reason share an entry."""
    same = ("key", "values", "amount", "unit")
    for _, together in groupby(reasons, key=lambda reason: repr([reason[name] for name in same])):
        alike = list(together)
        yield {**alike[0], "names": [reason["name"] for reason in alike]}
