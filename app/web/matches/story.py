"""The page of a match: what happened, in words, hand by hand, with a link to each move that is spoken of; and the list
of what people will speak of in all of it."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Annotated, Any, Final, TypedDict

from app.engine.base.messages import Said
from app.engine.match.hand import places
from app.rooms.model.state import MOST_HANDS, milliseconds
from app.stats.hand_story import StoryLine, Told, story
from app.stats.match_story import Kind, Scene, scenes
from app.store.history import match_stories
from app.store.history.match_stories import HANDS_OF_A_PAGE, HandTold, Move, Rarest, SpokenHands, StoryPage
from app.web.context.sessions import Person
from app.web.context.site import Site
from app.web.http import errors
from app.web.i18n.catalogues import Texts
from app.web.i18n.event_text import sentence
from app.web.matches.frames import match_line

SPOKEN_FIRST: Final = 8
"""Lines of it that stand on the page of a match; the others have a page of their own."""


class SceneShown(TypedDict):
    """A scene of the story of a match, in words."""

    kind: Annotated[Kind, "What kind of thing it is."]
    heading: Annotated[str, "The same in words."]
    text: Annotated[str, "What happened."]
    names: Annotated[list[str], "Whom it is about."]
    cards: Annotated[str | None, "Those that were played, where it is a play."]
    hand: Annotated[int | None, "In which hand, from 1."]
    href: Annotated[str | None, "Where it can be seen again."]


async def found(
    site: Site, match_id: str, person: Person | None, first: int, limit: int = HANDS_OF_A_PAGE
) -> StoryPage:
    """The hands of a match from this one on, as kept; refused if there are none such."""
    asked_by = None if person is None else person.id
    pages = await site.store.stories.of(match_id, first=first, limit=limit, asked_by=asked_by)
    if pages is None:
        pages = await site.store.imports.pages(match_id, first=first, limit=limit, asked_by=asked_by)
    if pages is None or first > max(pages.last, 0):
        raise errors.not_found(site.said("error.no_match"))
    return pages


async def spoken(site: Site, match_id: str, person: Person | None, first: int) -> SpokenHands:
    """The hands of a match, from this one on, of which people will speak; refused if there is no such match."""
    asked_by = None if person is None else person.id
    told = await site.store.stories.spoken(match_id, first=first, asked_by=asked_by)
    if told is not None:
        return told
    # What is in no book, only its story can tell.
    pages = await site.store.imports.pages(match_id, first=first, asked_by=asked_by)
    if pages is None:
        raise errors.not_found(site.said("error.no_match"))
    following = first + HANDS_OF_A_PAGE
    return SpokenHands(pages.match, pages.hands, following if following <= pages.last else None)


def spoken_page(told: SpokenHands, texts: Texts) -> dict[str, Any]:
    """The same as its page lists it. Long work."""
    return {"spoken": [line for hand in told.hands for line in _spoken(hand, told.match.id, texts)], "next": told.next}


async def rarest(site: Site, pages: StoryPage) -> Rarest:
    """The rarest of what people will speak of in a match; in one from a file, of these hands."""
    if pages.match.imported is not None:
        return match_stories.rarest(pages.hands, SPOKEN_FIRST)
    return await site.store.stories.rarest(pages.match.id, most=SPOKEN_FIRST)


def rarest_lines(found: Rarest, match_id: str, texts: Texts) -> dict[str, Any]:
    """The same as the page of the match lists it. Long work."""
    lines = [line for hand in found.hands for line in _spoken(hand, match_id, texts, found.moves)]
    return {"spoken": lines[:SPOKEN_FIRST], "more_spoken": found.more or len(lines) > SPOKEN_FIRST}


def _spoken(
    told: HandTold, match_id: str, texts: Texts, moves: Collection[Move] | None = None
) -> Iterator[dict[str, Any]]:
    """What people will speak of in a hand, or only of these moves."""
    replay = f"/matches/{match_id}/replay?hand={told.number}"
    for line in story(told.kept).spoken:
        if moves is None or (told.number, line.n) in moves:
            shown = _line(line, replay, texts)
            yield {**shown, "href": shown["href"] or replay, "number": told.number}


async def whole(site: Site, match_id: str, person: Person | None, page: StoryPage | None = None) -> StoryPage:
    """All hands of a match, which are a volume at most; refused if there is none such. The first page, where it is
    there, has all of most matches, and is enough of one that has no story yet."""
    if page is not None and (page.last < len(page.hands) or page.match.ended_at is None):
        return page
    return await found(site, match_id, person, 0, MOST_HANDS)


def scenes_of(whole: StoryPage, texts: Texts) -> list[SceneShown]:
    """The story of a match that is over, as pages tell it; nothing of one that goes on. Long work."""
    line = whole.match
    if line.ended_at is None:
        return []
    told = scenes(whole.hands, line.winners, continued=whole.continued_by is not None)
    return [_scene(scene, f"/matches/{line.id}/replay", texts) for scene in told]


def _scene(scene: Scene, replay: str, texts: Texts) -> SceneShown:
    at = "" if scene.move is None else f"&move={scene.move}"
    return {
        "kind": scene.kind,
        "heading": texts.say(scene.heading),
        "text": _said(scene.told, texts),
        "names": list(scene.names),
        "cards": next((each["cards"] for each in scene.told if not isinstance(each, str) and "cards" in each), None),
        "hand": None if scene.hand is None else scene.hand + 1,
        "href": None if scene.hand is None else f"{replay}?hand={scene.hand}{at}",
    }


def page(pages: StoryPage, first: int, texts: Texts) -> dict[str, Any]:
    """The same as its page shows it. Long work."""
    replay = f"/matches/{pages.match.id}/replay"
    opening = pages.hands[0].kept.record.get("ranks", []) if first == 0 and pages.hands else []
    return {
        "match": match_line(pages.match),
        "hands": [_hand(told, f"{replay}?hand={told.number}", texts) for told in pages.hands],
        "ranks": list(opening),
        "continues": pages.continues,
        "continued_by": pages.continued_by,
        "pager": pager(first, pages.last),
    }


def pager(first: int, last: int) -> dict[str, Any]:
    """Where the hands are that stand on no page with these; numbers of hands, from 0."""
    return {
        "first": first,
        "previous": max(first - HANDS_OF_A_PAGE, 0) if first > 0 else None,
        "next": first + HANDS_OF_A_PAGE if first + HANDS_OF_A_PAGE <= last else None,
        "all": [(start, min(start + HANDS_OF_A_PAGE - 1, last)) for start in range(0, last + 1, HANDS_OF_A_PAGE)],
    }


def _hand(told: HandTold, replay: str, texts: Texts) -> dict[str, Any]:
    kept = story(told.kept)
    return {
        "number": told.number,
        "ended_at": milliseconds(told.ended_at),
        "cut_off": told.kept.cut_off,
        "replay": replay,
        "places": list(_places(told)),
        "entered": list(_entered(told.entered)),
        "before": [_line(line, None, texts) for line in kept.before],
        "played": [_line(line, replay, texts) for line in (*kept.played, *kept.ends)],
        "after": [_line(line, None, texts) for line in kept.after],
    }


def _line(line: StoryLine, replay: str | None, texts: Texts) -> dict[str, Any]:
    return {
        "text": _said(line.told, texts),
        "href": None if replay is None or line.n is None else f"{replay}&move={line.n}",
        "turn": line.turn,
    }


def _said(told: Iterable[Told], texts: Texts) -> str:
    said = (texts.say(each) if isinstance(each, Said) else sentence(each, texts) for each in told)
    return " ".join(filter(None, said))


def _places(told: HandTold) -> Iterator[dict[str, Any]]:
    """List the players of a hand, best first, with their points; a hand without points has None for them."""
    result = told.kept.result
    place_of = places(result)
    pointed = any(result["ledger"].values()) or any(told.totals.values())
    for name in dict.fromkeys((*place_of, *result["ledger"])):
        yield {
            "name": name,
            "place": place_of.get(name),
            "title": result["titles"].get(name, ""),
            "dealt": told.kept.record["dealer"] == name,
            "points": result["ledger"].get(name) if pointed else None,
            "total": told.totals.get(name),
            "why": [each for each in result.get("reasons", ()) if each["name"] == name],
        }


def _entered(reasons: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Points that came outside of a hand; those who got the same for the same together."""
    same = ("key", "values", "amount", "unit")
    for _, together in groupby(reasons, key=lambda reason: repr([reason[name] for name in same])):
        alike = list(together)
        yield {**alike[0], "names": [reason["name"] for reason in alike]}
