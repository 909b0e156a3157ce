"""Events of a hand: its deal, the actions of the game, and its end."""

from collections.abc import Iterable
from dataclasses import replace
from operator import attrgetter
from typing import Any, Literal, Self, TypeAlias

from msgspec import structs

from app.bots import StandIn
from app.engine.cards.action_codec import REPEATABLE_ACTIONS, action_to_json, parse_action
from app.engine.cards.actions import Action, Cut, JoinMatch
from app.engine.display.events import GameEvent
from app.engine.match.hand import standing_to_json
from app.engine.match.match import Match, MatchTransition
from app.rooms.events import event_texts
from app.rooms.events.changes import remove_departing_members
from app.rooms.events.log_event import Change, LogEvent
from app.rooms.events.votes import without_undo_and_hurry, without_undo_vote
from app.rooms.model import requests
from app.rooms.model.member import Member, Members
from app.rooms.model.state import HandInShort, HandLog, MatchRun, PrivateEvent, ProvenDeal, Room, UndoPoint
from app.rooms.money.session import session_after_correction, session_after_hand
from app.rooms.ports.facts import HighlightFact

ActedFor: TypeAlias = Literal["clock", "bot"]
"""What acted in place of the player."""
HANDS_SHOWN = 12
"""Finished hands listed in an update."""
MISSED_TURNS = 2
"""After this number of missed turns in a row a bot plays the seat."""

_LENT = attrgetter("lent")


class HandDealt(ProvenDeal, LogEvent, frozen=True, tag="dealt"):
    """Log event: a hand was dealt, with these cards."""

    def apply(self, room: Room, at: int) -> Change:
        run = current_run(room)
        step = run.match.begin_hand(self.deal)
        public, moments, whispers = _split_game_events(step.events, 0)
        log = HandLog(
            self,
            run.between,
            events=tuple(public),
            moments=run.moments + moments,
            hierarchy=run.match.hierarchy,
            titles=dict(run.match.game.titles(run.match)),
            whispers=whispers,
        )
        played_for = {
            name: replace(member, acted_for=False) for name, member in room.members.items() if member.acted_for
        }
        members = {**room.members, **played_for} if played_for else room.members
        # A hand may be over as soon as it is dealt.
        due = requests.request_all_awaited(step.match, room.turn + 1)
        run = run.replace(match=step.match, hand=log, between=(), moments=(), hurried=False, undo=None, requests=due)
        left_out = tuple(event_texts.SEED_LEFT_OUT(name) for name in room.chance.missing_seed_givers)
        return _room_after_step(room, members, run, at), (*left_out, *step.events)


class ActionTaken(LogEvent, frozen=True, tag="acted"):
    """Log event: an action of the game by seat `by`, during a hand or between hands.

    `auto`: None if the player acted, otherwise what acted in their place, the clock or a bot.
    """

    by: str
    action: Action
    auto: ActedFor | None = None

    def apply(self, room: Room, at: int) -> Change:
        return self._apply(room, at, stored=False)

    def apply_stored(self, room: Room, at: int) -> Change:
        return self._apply(room, at, stored=True)

    def _apply(self, room: Room, at: int, *, stored: bool) -> Change:
        run = current_run(room)
        if not run.match.is_hand_running:
            return self._apply_between_hands(room, run)
        step = run.match.apply_action(self.by, self.action, stored=stored)
        log = run.hand
        actions = (*log.actions, (self.by, self.action))
        public, moments, whispers = _split_game_events(step.events, len(actions), len(log.events))
        log = HandLog(
            log.dealt,
            log.between,
            actions,
            (*log.events, *public),
            log.moments + moments,
            log.hierarchy,
            log.titles,
            log.whispers + whispers,
        )
        events, before = step.events, room.members[self.by]
        member = _member_after_action(before, self.auto, room.settings.stand_in)
        if self.auto == "clock":
            events = (event_texts.TIMED_OUT(self.by), *events)
            if member.stand_in is not None:
                events = (*events, event_texts.BOT_TOOK_OVER(self.by, bot=member.stand_in))
        members = room.members if member is before else {**room.members, self.by: member}
        members = _return_lent_turns(members, run.match, step.match, self.by)
        undo = self._build_undo_point(room, run, step) if self.auto is None else None
        due = requests.requests_after_action(run.requests, run.match, step.match, self.by, self.action, room.turn + 1)
        run = without_undo_vote(run).replace(match=step.match, hand=log, undo=undo, requests=due)
        return _room_after_step(room, members, run, at), events

    def _apply_between_hands(self, room: Room, run: MatchRun) -> Change:
        name, action = self.by, self.action
        step = run.match.apply_between_hands(name, action)
        before, match = run.match, step.match
        _, moments, _ = _split_game_events(step.events, None)
        run = run.replace(match=match, between=(*run.between, (name, action)), moments=run.moments + moments)
        room = room.replace(turn=room.turn + 1)
        if isinstance(action, Cut):
            room = room.replace(chance=room.chance.replace(cut=action.at))
        if isinstance(action, JoinMatch):
            newcomer = replace(room.members[name], role="seated", going=None, chair=None)
            room = room.with_member(newcomer)
            run = run.replace(names={**run.names, name: newcomer.person})
        if match.last is not before.last and run.hands:
            # The action has changed the result of the last hand.
            run = run.replace(hands=(*run.hands[:-1], _last_hand_summary(match)))
            if run.origin is None:
                room = room.replace(evening=session_after_correction(room.evening, before, match, run.names))
        return remove_departing_members(
            room.with_hierarchy_of(run), run, (gone for gone in before.seats if gone not in match.seats)
        ), step.events

    def _build_undo_point(self, room: Room, run: MatchRun, step: MatchTransition) -> UndoPoint | None:
        """Return the state to which a player's own action can be undone, or None if undoing is not possible.

        None if the room's settings forbid it, if the action ended the hand or can be repeated, if it caused a private
        event, or if a player got a card.
        """
        if not room.settings.allow_undo or type(self.action) in REPEATABLE_ACTIONS or not step.match.is_hand_running:
            return None
        if any(event.to is not None for event in step.events) or _has_any_player_gained_a_card(run.match, step.match):
            return None
        return UndoPoint(self.by, run.match, run.hand, room.clocks.reserves)

    def to_json(self) -> dict[str, Any]:
        return {"by": self.by, "action": action_to_json(self.action), "auto": self.auto}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Raise `RuleError` for an action that the engine no longer supports."""
        return cls(data["by"], parse_action(data["action"]), data.get("auto"))


def current_run(room: Room) -> MatchRun:
    """Return the room's match. Fails an assertion in the waiting room."""
    assert room.run is not None, "cards are dealt and played in a match only"
    return room.run


def _has_any_player_gained_a_card(before: Match, after: Match) -> bool:
    held = before.current_hand.cards
    return any(not set(cards) <= set(held.get(name, ())) for name, cards in after.current_hand.cards.items())


def _member_after_action(member: Member, auto: ActedFor | None, bot: StandIn) -> Member:
    """Return the member after their action, made by themselves (`auto` None), by a bot, or by the clock.

    The clock counts a missed turn; after two, a bot takes over. If nothing changes, returns the same object.
    """
    if auto == "clock":
        missed = member.missed + 1
        stand_in = bot if missed >= MISSED_TURNS else member.stand_in
        return replace(member, missed=missed, stand_in=stand_in, acted_for=True)
    missed = 0 if auto is None else member.missed
    acted_for = auto is not None
    if missed == member.missed and acted_for == member.acted_for:
        return member
    return replace(member, missed=missed, acted_for=acted_for)


def _return_lent_turns(members: Members, before: Match, match: Match, by: str) -> Members:
    """Return the members after an action by `by`; bots that were asked to play one turn only stop when it is over.

    In tricks a turn is one action; otherwise it ends with the phase, or when the player is not awaited any more.
    """
    if "turn" not in map(_LENT, members.values()):
        return members
    returned = [
        name
        for name, member in members.items()
        if member.lent == "turn"
        and (
            not match.is_hand_running
            or match.phase != before.phase
            or name not in match.to_act
            or (name == by and match.phase == "play")
        )
    ]
    return {**members, **{name: members[name].without_stand_in() for name in returned}}


def _room_after_step(room: Room, members: Members, run: MatchRun, at: int) -> Room:
    """Return the room after a deal or an action of the game. If it ended the hand, also does what follows.

    Then the points are added to the session, the proof is revealed and, at the end of the match, leaving members go.
    """
    match, turn = run.match, room.turn + 1
    if match.is_hand_running:
        return room.replace(members=members, turn=turn, run=run)
    run = without_undo_and_hurry(run)
    log = structs.replace(run.hand, whispers=())
    run = run.replace(hand=log, hands=(*run.hands, _last_hand_summary(match))[-HANDS_SHOWN:], ended=at)
    evening = room.evening
    if run.origin is None:
        evening = session_after_hand(room.evening, match, run.first or run.match_id, run.names, at)
    room = room.replace(
        members=members, turn=turn, run=run, evening=evening, **revealed_deal(room, run)
    ).with_hierarchy_of(run)
    return remove_departing_members(room, run, room.members) if match.over else room


def _last_hand_summary(match: Match) -> HandInShort:
    """Return the number, places and points of the match's last hand, as shown in the list of hands."""
    assert match.last is not None
    return {
        "number": match.dealt,
        "standing": standing_to_json(match.last.standing),
        "ledger": dict(match.last.ledger),
    }


def revealed_deal(room: Room, run: MatchRun) -> dict[str, Any]:
    """Return the room's fields that reveal a finished hand: the proof of its shuffle and the cards as dealt.

    The proof also reveals the deals that were cancelled before.
    """
    cancelled = room.cancelled_outside(run.hand)
    if run.hand.dealt is None:
        return {"proven": None, "dealt": None, "cancelled": cancelled}
    cards = run.hand.dealt.deal.to_json()
    shown = {"cards": cards["cards"], "stock": cards["stock"]}
    return {"proven": run.hand.dealt.fair, "dealt": shown, "cancelled": cancelled}


def _split_game_events(
    events: Iterable[GameEvent], n: int | None, before: int = 0
) -> tuple[list[dict[str, Any]], tuple[HighlightFact, ...], tuple[PrivateEvent, ...]]:
    """Split the game events of an action into public ones as JSON, highlights for the history, and private ones.

    `n`: the number of the action in the hand, None between hands. `before`: the number of public events so far.
    """
    public: list[dict[str, Any]] = []
    moments: list[HighlightFact] = []
    whispers: list[PrivateEvent] = []
    for event in events:
        event_json = event.to_json()
        if event.to is not None:
            whispers.append(PrivateEvent(before + len(public), event.to, event_json))
            continue
        event_json["n"] = n
        public.append(event_json)
        if event.highlighted:
            moments.append(HighlightFact(n, event.name, event.by, event.cause, dict(event.data)))
    return public, tuple(moments), tuple(whispers)
