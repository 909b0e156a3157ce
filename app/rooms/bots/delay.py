"""How fast bots play: as the host has chosen, faster where nobody else has cards left, at once where it is asked."""

from collections.abc import Iterator
from itertools import takewhile
from typing import Literal, TypeAlias

from app.engine.base.messages import Sentence
from app.engine.display.animations import Way
from app.engine.display.events import motions, tones
from app.rooms.errors import RoomError
from app.rooms.model.events import Hurried
from app.rooms.model.member import Member
from app.rooms.model.state import Room
from app.rooms.model.vote_queries import may_take_back

HURRIED = 0.2
"""Seconds that a bot seems to think where no person has cards left, at most."""
TIME_TO_LOOK = 3
"""So many times as long as else a bot seems to think, while people look at something great, or may break in."""
BREAKS_IN_AFTER = 0.6
"""The part of that time after which a bot breaks in whose turn it is not."""
TIME_TO_RUE = 3.0
"""Seconds that a bot leaves a person who may take back what they just played, at least."""
SEES_THE_DEAL = 1.0
"""The least seconds between a deal and the first move of a bot: the deal flies as long on the page
(static/js/animation/card_flights.js)."""
TO_EVERYBODY: Way = ("deck", "all")

Hurry: TypeAlias = Literal["faster", "at_once"]
"""How bots play who are alone: faster by themselves, or at once because somebody has asked for it."""

PEOPLE_HAVE_CARDS = Sentence("room.people_have_cards", "Bots hurry when nobody else has cards left in a hand.")
WHO_PLAYS_HURRIES = Sentence("room.who_plays_hurries", "Those who played this hand may ask the bots to hurry.")


def hurry(room: Room) -> Hurry | None:
    """Tell how bots hurry, where all people who played this hand themselves are out of it; None: they do not."""
    run = room.run
    if run is None or run.match.hand is None or not run.match.running:
        return None
    if run.hurried:
        return "at_once"
    cards, played = run.match.hand.cards, False
    for name in run.match.seats:
        if room.members[name].player is None:
            if cards.get(name):
                return None
            played = True
    return "faster" if played else None


def thinking(room: Room) -> float:
    """Tell how many seconds the bots seem to think who are to act now."""
    delay = room.settings.bots_delay
    match hurry(room):
        case "at_once":
            return 0
        case "faster":
            return min(HURRIED, delay)
        case None:
            if delay and (_all_look(room) or may_break_in(room)):
                delay *= TIME_TO_LOOK
            if delay and _just_dealt(room):
                delay = max(delay, SEES_THE_DEAL)
            return delay if may_take_back(room) is None else max(delay, TIME_TO_RUE)


def _all_look(room: Room) -> bool:
    """Whether something great has just happened."""
    return any(tones().get(event) == "great" for event in _just_happened(room))


def _just_dealt(room: Room) -> bool:
    """Whether cards are on their way to everybody."""
    return any(TO_EVERYBODY in motions().get(event, {}).get("ways", ()) for event in _just_happened(room))


def _just_happened(room: Room) -> Iterator[str]:
    """Name what came of the last action, or of the deal, the latest first."""
    assert room.run is not None
    log = room.run.hand
    last = takewhile(lambda event: event["n"] == len(log.actions), reversed(log.events))
    return (event["e"] for event in last)


def breaking_in(room: Room) -> float:
    """Tell how many seconds bots seem to think until they break in: people may be first, and mostly they are before
    the bot whose turn it is. Nobody's cards have a part in it."""
    return thinking(room) * BREAKS_IN_AFTER


def may_break_in(room: Room) -> tuple[str, ...]:
    """Name those, people and bots, who may be about to act though it is not their turn, for all that lies open."""
    match = room.match
    return match.game.may_break_in(match.the_hand) if match is not None and match.running else ()


def hurry_on(room: Room, asker: Member) -> Hurried | None:
    """Have bots play this hand to its end at once, as this member asks; None: they do; or raise `RoomError`."""
    if asker.going is not None or asker.name not in room.seated():
        raise RoomError("not_now", WHO_PLAYS_HURRIES())
    match hurry(room):
        case "at_once":
            return None
        case "faster":
            return Hurried(asker.name)
        case None:
            raise RoomError("not_now", PEOPLE_HAVE_CARDS())
