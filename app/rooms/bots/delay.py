"""The speed of bots: the host's setting, faster if people have no cards left, at once if a player asks for it."""

from collections.abc import Iterator
from itertools import takewhile
from typing import Literal, TypeAlias

from app.engine.base.messages import MessageTemplate
from app.engine.display.animations import CardPath
from app.engine.display.events import animations_by_event, prominence_by_event
from app.rooms.errors import RoomError
from app.rooms.events import BotsHurried
from app.rooms.model.member import Member
from app.rooms.model.state import Room
from app.rooms.model.vote_queries import player_who_may_undo

HURRIED_DELAY = 0.2
"""Maximum seconds that a bot seems to think after all people are out of the hand."""
DELAY_FACTOR_TO_LOOK = 3
"""Factor for the bots' delay after a great event, and while players may break in."""
BREAKS_IN_AFTER = 0.6
"""The part of the bots' delay after which a bot breaks in out of turn."""
MIN_DELAY_FOR_UNDO = 3.0
"""Minimum seconds before a bot's play while a person may ask to undo theirs."""
MIN_DELAY_AFTER_DEAL = 1.0
"""Minimum seconds between a deal and the first move of a bot.

The animation of the deal takes this time (static/js/animation/card_flights.js).
"""
TO_EVERYBODY: CardPath = ("deck", "all")

Hurry: TypeAlias = Literal["faster", "at_once"]
"""How bots play when they are alone in a hand: automatically faster, or at once because a player asked for it."""

PEOPLE_HAVE_CARDS = MessageTemplate(
    "room.people_have_cards", "Bots can finish the hand only when no other player has cards."
)
WHO_PLAYS_HURRIES = MessageTemplate("room.who_plays_hurries", "Only players of this hand can let the bots finish.")


def hurry_mode(room: Room) -> Hurry | None:
    """Return how bots speed up when no person in the running hand has cards left; None: they play at normal speed.

    "at_once": a player has asked for it. "faster": automatic. None also without a running hand.
    """
    run = room.run
    if run is None or run.match.hand is None or not run.match.is_hand_running:
        return None
    if run.hurried:
        return "at_once"
    cards, played = run.match.hand.cards, False
    for name in run.match.seats:
        if room.members[name].active_bot is None:
            if cards.get(name):
                return None
            played = True
    return "faster" if played else None


def bot_delay_seconds(room: Room) -> float:
    """Return the number of seconds bots wait before they act now, so that people can follow the game.

    The host's setting, longer after a great event, a deal or while a player may undo, shorter if only bots have cards.
    """
    delay = room.settings.bots_delay
    match hurry_mode(room):
        case "at_once":
            return 0
        case "faster":
            return min(HURRIED_DELAY, delay)
        case None:
            if delay and (_has_great_event_happened(room) or players_who_may_break_in(room)):
                delay *= DELAY_FACTOR_TO_LOOK
            if delay and _was_just_dealt(room):
                delay = max(delay, MIN_DELAY_AFTER_DEAL)
            return delay if player_who_may_undo(room) is None else max(delay, MIN_DELAY_FOR_UNDO)


def _has_great_event_happened(room: Room) -> bool:
    """Return whether the last action or deal caused a game event of great prominence, so that bots wait longer."""
    return any(prominence_by_event().get(event) == "great" for event in _last_game_event_names(room))


def _was_just_dealt(room: Room) -> bool:
    """Return whether the newest game events are a deal to everybody; then bots wait until its animation has ended."""
    return any(
        TO_EVERYBODY in animations_by_event().get(event, {}).get("paths", ()) for event in _last_game_event_names(room)
    )


def _last_game_event_names(room: Room) -> Iterator[str]:
    """Return the names of the game events of the hand's last action, or of its deal, newest first."""
    assert room.run is not None
    log = room.run.hand
    last = takewhile(lambda event: event["n"] == len(log.actions), reversed(log.events))
    return (event["e"] for event in last)


def break_in_delay_seconds(room: Room) -> float:
    """Return the delay, in seconds, after which bots play out of turn: 60 percent of the usual bot delay.

    People get time to be first. The delay does not depend on anybody's cards, so it reveals nothing.
    """
    return bot_delay_seconds(room) * BREAKS_IN_AFTER


def players_who_may_break_in(room: Room) -> tuple[str, ...]:
    """Return the players, people and bots, who may act out of turn now, as far as public information shows.

    Hidden cards are ignored, so a listed player may be unable to break in. Empty without a running hand.
    """
    match = room.match
    return match.game.possible_interrupters(match.current_hand) if match is not None and match.is_hand_running else ()


def request_hurry(room: Room, asker: Member) -> BotsHurried | None:
    """Return the event that makes bots play this hand to its end at once, because a seated member asks for it.

    None if they do already. Raises `RoomError` if the asker does not play, or if a person still has cards.
    """
    if asker.going is not None or asker.name not in room.seated_names():
        raise RoomError("not_now", WHO_PLAYS_HURRIES())
    match hurry_mode(room):
        case "at_once":
            return None
        case "faster":
            return BotsHurried(asker.name)
        case None:
            raise RoomError("not_now", PEOPLE_HAVE_CARDS())
