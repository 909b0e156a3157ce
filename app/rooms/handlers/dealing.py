"""Deals: who may ask for one, and how its cards come about, so that nobody can choose them (`shuffle_proof.py`).

A deal that is requested is dealt at once if no page has promised a seed, or if the cards are known. Else its list is
closed, the room waits at most a second for the seeds, and accepts nothing else until the cards are dealt.
"""

from contextlib import suppress

from app.engine.base.errors import RuleError
from app.engine.base.messages import Sentence
from app.engine.cards.actions import JoinMatch, LeaveMatch
from app.engine.match.match import Match
from app.rooms.bots import decrees
from app.rooms.errors import RoomError
from app.rooms.handlers import match as playing
from app.rooms.handlers import membership
from app.rooms.log.deadlines import NEXT_FOR_ALL
from app.rooms.log.pending_events import Draft
from app.rooms.model import commands as ask
from app.rooms.model import events, shuffle_proof
from app.rooms.model.member import Member
from app.rooms.model.state import DEALS_ARE_FOR, MOST_HANDS, Room
from app.rooms.recorded import variations

SEEDS_MS = 1000
"""Milliseconds that the room waits for the seeds."""

MATCH_HAS_BEGUN = Sentence("room.match_has_begun", "The match has begun already.")
HOST_SAYS_NEXT = Sentence("room.host_says_next", "{host} may ask for the next deal now, and everybody in a moment.")
WHO_PLAYS_SAYS_NEXT = Sentence("room.who_plays_says_next", "Those who play say when the next hand is dealt.")
NEXT_WHEN_OVER = Sentence(
    "room.next_when_over",
    "The next hand is dealt when this one is over and the match goes on.",
)
HASH_IS_IN = Sentence("room.hash_is_in", "You have promised another seed for the next deal already.")
HASH_TOO_LATE = Sentence("room.hash_too_late", "This seed was promised for an earlier deal. Promise one for the next.")
SEED_NOT_AWAITED = Sentence("room.seed_not_awaited", "No seed of yours is awaited now.")
SEED_NOT_PROMISED = Sentence("room.seed_not_promised", "This seed does not fit the hash that you sent before.")


# Asking for a deal ------------------------------------------------------------------------------------------------


def start(draft: Draft) -> None:
    """Deal the first hand of a match among the people who are seated; the match begins with its cards."""
    room = draft.room
    if room.in_match:
        raise RoomError("not_now", MATCH_HAS_BEGUN())
    if room.phase == "finished":
        draft.add(events.Rematched())
        membership.take_new_names(draft)
        membership.fill_seats(draft)
        room = draft.room
    seats = room.seated()
    room.settings.game.check_players(room.settings.options, len(seats))
    if room.deals is not None and room.deals.players != len(seats):
        raise RoomError("bad_player_count", DEALS_ARE_FOR(count=room.deals.players))
    _close_or_deal(draft, known=room.deals is not None)


def requested(draft: Draft, member: Member) -> None:
    """Deal the next hand because this member asks: the host at once, others who play a while after the last one."""
    room = draft.room
    if room.run is None or room.phase != "pause":
        raise RoomError("not_now", NEXT_WHEN_OVER())
    host = room.members.get(room.host) if room.host is not None else None
    if room.run.rest is not None:
        raise RoomError("not_now", playing.TABLE_RESTS(by=room.run.rest.by))
    if member.name != room.host and host is not None and host.present:
        if member.role != "seated":
            raise RoomError("not_host", WHO_PLAYS_SAYS_NEXT())
        if room.run.ended is not None and draft.ms < room.run.ended + NEXT_FOR_ALL:
            raise RoomError("not_now", HOST_SAYS_NEXT(host=room.host or ""))
    next_hand(draft)


def next_hand(draft: Draft) -> None:
    """Let people leave and join as the rules say, then deal the next hand of the match.

    Raises `bad_player_count` if too few or too many people are left.
    """
    if draft.run.number + 1 >= MOST_HANDS:
        draft.add(events.Continued(draft.draw(16).hex()))
    making_place, comers = draft.room.making_place(), draft.room.comers()
    for name in draft.room.seated():
        member = draft.room.members[name]
        if member.going is not None or name in making_place:
            with suppress(RuleError):  # the rules keep them: a bot plays on in their place
                draft.add(events.Acted(name, LeaveMatch()))
    most = draft.room.settings.players[1]
    for name in comers:
        if len(draft.run.match.seats) >= most:
            break
        with suppress(RuleError):  # the rules keep them waiting
            draft.add(events.Acted(name, JoinMatch()))
    match = draft.run.match
    match.game.check_players(match.options, len(match.seats), begun=match.dealt > 0)
    _close_or_deal(draft, known=variations.known_deal(draft.room) is not None)


# Commit and reveal ------------------------------------------------------------------------------------------------


def promise(draft: Draft, member: Member, command: ask.SeedHash) -> None:
    """Note the hash of a member's seed for the next deal, or raise `not_now`."""
    room, known = draft.room, draft.room.chance.hashes.get(command.by)
    if room.phase == "playing" or command.commitment != room.chance.commitment:
        raise RoomError("not_now", HASH_TOO_LATE())
    if known is None:
        draft.add(events.SeedPromised(command.by, command.hash))
    elif known != command.hash:
        raise RoomError("not_now", HASH_IS_IN())


def reveal(draft: Draft, member: Member, value: str) -> None:
    """Take the seed that a member promised; deal if it was the last one.

    Raises `not_now` if no seed of theirs is awaited, `bad_seed` if it does not fit its hash.
    """
    seed, chance = shuffle_proof.check_seed(value), draft.room.chance
    if chance.closed is None or not draft.room.is_dealing:
        raise RoomError("not_now", SEED_NOT_AWAITED())
    number = next((number for number, name in chance.closed.givers.items() if name == member.name), None)
    if number is None:
        raise RoomError("not_now", SEED_NOT_AWAITED())
    if shuffle_proof.hash_of(seed) != chance.closed.hashes[number]:
        raise RoomError("bad_seed", SEED_NOT_PROMISED())
    if member.name in chance.seeds:
        return
    draft.add(events.Seeded(member.name, seed))
    if not draft.room.chance.missing:
        finish(draft)


def finish(draft: Draft) -> None:
    """Deal with the seeds that have come; call the deal off if others would be dealt to than the list says."""
    room = draft.room
    assert room.chance.closed is not None, "a deal is finished after its list is closed"
    match = _next_match(room)
    if match is None or match.game.deal_order(match).shown != room.chance.closed.order.shown:
        call_off(draft)
    else:
        _deal(draft)


def call_off(draft: Draft) -> None:
    """Deal nothing after all. Seeds may have been shown, so the next deal has a new secret and needs new hashes."""
    draft.new_secret(answers=False)


def _close_or_deal(draft: Draft, *, known: bool) -> None:
    """Close the list of a deal; deal at once if the cards are `known` or no page here has promised a seed."""
    room, match = draft.room, _next_match(draft.room)
    assert match is not None, "people are counted before a deal"
    promised = room.chance.hashes
    givers = [
        (member.name, promised[member.person])
        for member in room.members.values()
        if member.person is not None and member.person in promised and member.present and member.role != "watcher"
    ]
    if known or not givers:
        _deal(draft)
        return
    draft.add(
        events.ListClosed(
            room.chance.commitment,
            room.chance.cut,
            {str(number): promised for number, (_, promised) in enumerate(givers, 1)},
            {str(number): name for number, (name, _) in enumerate(givers, 1)},
            {**match.game.deal_order(match).shown},
            draft.ms + SEEDS_MS,
        )
    )


def _next_match(room: Room) -> Match | None:
    """Return the match whose next hand would be dealt now; None if its people can't play."""
    if room.run is not None:
        match = room.run.match
    else:
        seats = room.seated()
        try:
            match = Match.start(room.settings.game, room.settings.options, seats, room.carried(seats))
        except RuleError:
            return None
    low, high = room.settings.game.players(match.options, begun=match.dealt > 0)
    return match if low <= len(match.seats) <= high else None


def _deal(draft: Draft) -> None:
    """Deal the next hand, the first one of a new match if none goes on."""
    if draft.room.run is None:
        seats = draft.room.seated()
        draft.add(events.Started(draft.draw(16).hex(), list(seats), list(draft.room.carried(seats))))
    match = draft.run.match
    pack, chance, known = match.deck(), draft.room.chance, variations.known_deal(draft.room)
    draft.dealing = True
    if known is None:
        known = match.deal(chance.numbered.deck(pack), chance.numbered.seed()), chance.revealed(pack)
    playing.add_in_match(draft, events.Dealt(*known))
    decreed = decrees.decree(draft.room)
    if decreed is not None:
        draft.add(events.Acted(*decreed, "bot"))
        playing.let_bots_hear(draft)
