"""Servers that cheat: the real program, in which a function or two is replaced."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from app.engine.display.events import GameEvent
from app.rooms import events
from app.rooms.errors import RoomError
from app.rooms.handlers import dealing
from app.rooms.live.room_display import RoomDisplay
from app.rooms.log.pending_events import PendingEvents
from app.rooms.model.shuffle_proof import DealRandomness
from app.rooms.model.state import Room
from app.rooms.views import room_view
from app.rooms.views.delta import ConnectionUpdate, UpdateBuilder

Patch = pytest.MonkeyPatch


def deal_another_deck(patch: Patch) -> None:
    """Deal other cards than secret and seeds make."""
    patch.setattr(DealRandomness, "shuffle", lambda _, pack: pack)


def _redraw(patch: Patch, again: Callable[[PendingEvents], None]) -> None:
    honest, drawn = dealing.finish_deal, set[int]()

    def finish(draft: PendingEvents) -> None:
        hand = 0 if draft.room.run is None else draft.room.run.match.dealt
        if hand in drawn:
            return honest(draft)
        drawn.add(hand)
        return again(draft)

    patch.setattr(dealing, "finish_deal", finish)


def draw_again(patch: Patch) -> None:
    """Draw a new secret once for each hand when all seeds are in, and tell nobody."""
    _redraw(patch, lambda draft: draft.add_new_secret(answers_command=False))


def draw_again_for_seats(patch: Patch) -> None:
    """Draw again once for each hand, and say that the seats have changed."""
    _redraw(patch, lambda draft: dealing.cancel_deal(draft, "seats_changed"))


def draw_again_for_lost_entries(patch: Patch) -> None:
    """Draw again once for each hand, and say that the database lost entries."""
    _redraw(patch, lambda draft: dealing.cancel_deal(draft, "lost_entries"))


def draw_again_with_an_accomplice(patch: Patch) -> None:
    """Draw again once for each hand, because a player deletes their data."""
    _redraw(patch, lambda draft: dealing.cancel_deal(draft, "deleted", "Dan"))


def _change_events(patch: Patch, change: Callable[[Any], Any]) -> None:
    honest = PendingEvents.add

    def add(draft: PendingEvents, entry: Any, *, answers_command: bool = True) -> None:
        honest(draft, change(entry), answers_command=answers_command)

    patch.setattr(PendingEvents, "add", add)


def leave_hashes_off(patch: Patch) -> None:
    """Close the list with the first hash only, or without the only one."""

    def change(entry: Any) -> Any:
        if not isinstance(entry, events.SeedListClosed):
            return entry
        friends = ["1"] if len(entry.hashes) > 1 else []
        return structs.replace(
            entry,
            hashes={number: entry.hashes[number] for number in friends},
            givers={number: entry.givers[number] for number in friends},
        )

    _change_events(patch, change)


def swap_piles(patch: Patch) -> None:
    """Swap the piles of Bob and of the first other player."""

    def change(entry: Any) -> Any:
        if not isinstance(entry, events.HandDealt):
            return entry
        return structs.replace(entry, deal=replace(entry.deal, cards=_swapped(entry.deal.cards)))

    _change_events(patch, change)


def _swapped(cards: Any) -> Any:
    other = next(name for name in cards if name != "Bob")
    return {**cards, "Bob": cards[other], other: cards["Bob"]}


def swap_piles_without_event(patch: Patch) -> None:
    """Swap piles, and don't send the event of the deal."""
    swap_piles(patch)
    honest = UpdateBuilder.add_game_events

    def add_game_events(builder: UpdateBuilder, happened: Sequence[GameEvent]) -> None:
        honest(builder, [event for event in happened if event.name != "dealt"])

    patch.setattr(UpdateBuilder, "add_game_events", add_game_events)


def swap_piles_with_false_statement(patch: Patch) -> None:
    """Swap piles without the event, and show the cards after the hand as the proof has them."""
    swap_piles_without_event(patch)
    honest = room_view._build_shuffle_proofs

    def build(room: Room) -> Any:
        fair = honest(room)
        if fair["dealt"] is None:
            return fair
        return {**fair, "dealt": {**fair["dealt"], "cards": _swapped(fair["dealt"]["cards"])}}

    patch.setattr(room_view, "_build_shuffle_proofs", build)


def close_sockets(patch: Patch) -> None:
    """Deal another deck, close all sockets at the end of the hand, and show no proof."""
    deal_another_deck(patch)
    honest = room_view._build_shuffle_proofs
    patch.setattr(room_view, "_build_shuffle_proofs", lambda room: {**honest(room), "previous": None, "dealt": None})
    notify = RoomDisplay.update_parts["connections"]

    def say_goodbye(display: RoomDisplay, before: Room, happened: Sequence[GameEvent]) -> None:
        if before.phase == "playing" and display.room.phase != "playing":
            display.connections.broadcast(json.dumps({"t": "goodbye", "reason": "restart", "retry_ms": 50}).encode())
        else:
            notify(display, before, happened)

    patch.setitem(RoomDisplay.update_parts, "connections", say_goodbye)


def deal_without_seeds(patch: Patch) -> None:
    """Accept the hashes, and deal without a list."""
    patch.setattr(dealing, "_collect_seeds_or_deal", lambda draft, **_: dealing._deal_now(draft))


def show_another_list(patch: Patch) -> None:
    """Show Bob a list with one hash more."""
    honest = UpdateBuilder.build_update_for

    def build(builder: UpdateBuilder, person: str | None, last_shown: int, **sees: bool) -> ConnectionUpdate:
        update = honest(builder, person, last_shown, **sees)
        member = builder._room.find_member(person)
        message = json.loads(update.text)
        room = message.get("room") or message.get("changed", {}).get("room") or {}
        closed = room.get("fair", {}).get("closed")
        if closed is None or member is None or member.name != "Bob":
            return update
        closed["hashes"]["9"], closed["givers"]["9"] = "0" * 64, "Eve"
        return ConnectionUpdate(json.dumps(message).encode(), update.has_own_changes)

    patch.setattr(UpdateBuilder, "build_update_for", build)


def drop_last_seed(patch: Patch) -> None:
    """Deal without the last seed."""
    honest = dealing.record_seed

    def record(draft: PendingEvents, member: Any, value: str) -> None:
        if len(draft.room.chance.missing_seed_givers) > 1:
            honest(draft, member, value)
        else:
            dealing.finish_deal(draft)

    patch.setattr(dealing, "record_seed", record)


def never_acknowledge(patch: Patch) -> None:
    """Refuse each hash for the moment."""

    def refuse(*_: Any) -> None:
        raise RoomError("unavailable", dealing.HASH_IS_IN())

    patch.setattr(dealing, "record_seed_hash", refuse)
