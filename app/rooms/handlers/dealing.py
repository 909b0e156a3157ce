"""Deals: requests for the next hand, and the commit-and-reveal shuffle (`shuffle_proof.py`).

A requested hand is dealt at once if no page has promised a seed, or if the cards are known. Otherwise the list of
seeds is closed, and the room waits at most a second for the seeds. Until the cards are dealt, it accepts almost no
other command.

From then on, secret, list, seeds and order are fixed: they give one deck, also after an error or a restart. If this
deal can't be made, it is cancelled by an event that has the reason. The proof of the following hand shows the deck
that it would have given.
"""

from contextlib import suppress

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate
from app.engine.cards.actions import JoinMatch, LeaveMatch
from app.engine.match.match import Match
from app.rooms import events
from app.rooms.bots import decrees
from app.rooms.errors import RoomError
from app.rooms.handlers import match as playing, membership
from app.rooms.log.deadlines import NEXT_DEAL_FOR_ALL_MS, SEEDS_MS
from app.rooms.log.pending_events import PendingEvents
from app.rooms.model import commands as ask, shuffle_proof
from app.rooms.model.member import Member
from app.rooms.model.shuffle_proof import CancelReason
from app.rooms.model.state import DEALS_ARE_FOR, MAX_HANDS_PER_VOLUME, Room
from app.rooms.recorded import variations
from app.rooms.seats import seat_offers

MATCH_HAS_BEGUN = MessageTemplate("room.match_has_begun", "The match has already begun.")
HOST_SAYS_NEXT = MessageTemplate(
    "room.host_says_next", "{host} can deal the next hand now; other players can in a moment."
)
WHO_PLAYS_SAYS_NEXT = MessageTemplate("room.who_plays_says_next", "Only players can deal the next hand.")
NEXT_WHEN_OVER = MessageTemplate(
    "room.next_when_over",
    "You can deal the next hand when this one is over.",
)
HASH_IS_IN = MessageTemplate("room.hash_is_in", "You have already promised another seed for the next deal.")
HASH_TOO_LATE = MessageTemplate(
    "room.hash_too_late", "This seed was promised for an earlier deal. Promise one for the next."
)
SEED_NOT_AWAITED = MessageTemplate("room.seed_not_awaited", "No seed is expected from you now.")
SEED_NOT_PROMISED = MessageTemplate("room.seed_not_promised", "This seed does not match the hash that you sent before.")


# Requests for a deal ----------------------------------------------------------------------------------------------


def start_match(draft: PendingEvents) -> None:
    """Start a new match with the seated players: deal its first hand, or first wait for the players' random seeds.

    A finished match is closed first, and waiting members get seats. Raises `RoomError` or `RuleError` if a match is
    running, or if the number of players is wrong.
    """
    room = draft.room
    if room.in_match:
        raise RoomError("not_now", MATCH_HAS_BEGUN())
    if room.phase == "finished":
        draft.add(events.ReturnedToLobby())
        membership.apply_pending_renames(draft)
        membership.seat_waiting_members(draft)
        room = draft.room
    seats = room.seated_names()
    room.settings.game.check_players(room.settings.options, len(seats))
    if room.deals is not None and room.deals.player_count != len(seats):
        raise RoomError("bad_player_count", DEALS_ARE_FOR(count=room.deals.player_count))
    _collect_seeds_or_deal(draft, cards_are_known=room.deals is not None)


def deal_next_on_request(draft: PendingEvents, member: Member) -> None:
    """Deal the next hand because a member asks: the host at once, others 10 seconds after the last hand.

    Only seated members may ask; while no host is connected, any member may ask at once. Raises `RoomError` if the
    member may not ask, no deal is possible now, or the match is paused.
    """
    room = draft.room
    if room.run is None or room.phase != "between_hands":
        raise RoomError("not_now", NEXT_WHEN_OVER())
    host = room.members.get(room.host) if room.host is not None else None
    if room.run.rest is not None:
        raise RoomError("not_now", playing.TABLE_RESTS(by=room.run.rest.by))
    if member.name != room.host and host is not None and host.is_connected:
        if member.role != "seated":
            raise RoomError("not_host", WHO_PLAYS_SAYS_NEXT())
        if room.run.ended is not None and draft.now_ms < room.run.ended + NEXT_DEAL_FOR_ALL_MS:
            raise RoomError("not_now", HOST_SAYS_NEXT(host=room.host or ""))
    deal_next_hand(draft)


def deal_next_hand(draft: PendingEvents) -> None:
    """Deal the next hand of the running match, after members have left and joined as the rules allow.

    The deal may first wait for the players' seeds. After 1000 hands a new volume of the match begins. Raises
    `RuleError` if too few or too many players remain.
    """
    if draft.run.hand_number + 1 >= MAX_HANDS_PER_VOLUME:
        draft.add(events.VolumeStarted(draft.random_bytes(16).hex()))
    for change in seat_offers.seat_changes(draft.room, draft.run):
        draft.add(change, answers_command=False)
    making_place, comers = draft.room.seats_given_up(), draft.room.members_joining_next_deal()
    for name in draft.room.seated_names():
        member = draft.room.members[name]
        if member.going is not None or name in making_place:
            with suppress(RuleError):  # the rules refuse: a bot keeps playing in this seat
                draft.add(events.ActionTaken(name, LeaveMatch()))
    most = draft.room.settings.player_range[1]
    for name in comers:
        if len(draft.run.match.seats) >= most:
            break
        with suppress(RuleError):  # the rules refuse: the person keeps waiting
            draft.add(events.ActionTaken(name, JoinMatch()))
    match = draft.run.match
    match.game.check_players(match.options, len(match.seats), begun=match.dealt > 0)
    _collect_seeds_or_deal(draft, cards_are_known=variations.next_known_deal(draft.room) is not None)


# Commit and reveal ------------------------------------------------------------------------------------------------


def record_seed_hash(draft: PendingEvents, member: Member, command: ask.SeedHash) -> None:
    """Add an event with the hash of a member's random seed, which the page promises to send for the next deal.

    The same hash again does nothing. Raises `RoomError` `not_now` for an earlier deal or a different second hash.
    """
    room, known = draft.room, draft.room.chance.hashes.get(command.by)
    if room.phase == "playing" or command.commitment != room.chance.commitment:
        raise RoomError("not_now", HASH_TOO_LATE())
    if known is None:
        draft.add(events.SeedHashReceived(command.by, command.hash))
    elif known != command.hash:
        raise RoomError("not_now", HASH_IS_IN())


def record_seed(draft: PendingEvents, member: Member, value: str) -> None:
    """Add an event with the random seed that a member promised by its hash; deal if it was the last missing seed.

    A seed that arrived before is ignored. Raises `RoomError`: `not_now` if no seed of this member is awaited,
    `bad_seed` if it is malformed or does not match its hash.
    """
    seed, chance = shuffle_proof.normalize_seed(value), draft.room.chance
    if chance.closed is None or not draft.room.is_waiting_for_seeds:
        raise RoomError("not_now", SEED_NOT_AWAITED())
    number = next((number for number, name in chance.closed.givers.items() if name == member.name), None)
    if number is None:
        raise RoomError("not_now", SEED_NOT_AWAITED())
    if shuffle_proof.seed_hash(seed) != chance.closed.hashes[number]:
        raise RoomError("bad_seed", SEED_NOT_PROMISED())
    if member.name in chance.seeds:
        return
    draft.add(events.SeedReceived(member.name, seed))
    if not draft.room.chance.missing_seed_givers:
        finish_deal(draft)


def finish_deal(draft: PendingEvents) -> None:
    """Deal the cards with the players' seeds that have arrived, when all are in or the time for them is over.

    Cancels the deal instead if the seats have changed since the list of seeds was closed.
    """
    room = draft.room
    assert room.chance.closed is not None, "a deal is finished after its list is closed"
    match = _match_to_deal(room)
    if match is None or match.game.deal_order(match).to_json != room.chance.closed.order.to_json:
        cancel_deal(draft, "seats_changed")
    else:
        _deal_now(draft)


def cancel_deal(draft: PendingEvents, reason: CancelReason, by: str | None = None) -> None:
    """Cancel a deal that waits for seeds, tell everybody the reason, and draw a new secret.

    Players must promise new seeds for the next deal. Seeds may have been revealed already, so they must not be used
    for another shuffle. `by`: who deleted their data.
    """
    draft.add(events.DealCancelled(draft.room.cancelled_deal(reason, by)), answers_command=False)
    draft.add_new_secret(answers_command=False)


def cancel_for_deletion(draft: PendingEvents, member: Member) -> None:
    """Cancel a deal that waits for seeds if this member, who deletes their data, takes part in it."""
    closed = draft.room.chance.closed
    assert closed is not None, "a deal waits for seeds after its list is closed"
    if member.name in (*closed.order.seats, *closed.givers.values()):
        cancel_deal(draft, "deleted", member.name)


def _collect_seeds_or_deal(draft: PendingEvents, *, cards_are_known: bool) -> None:
    """Close the list of promised seeds and wait for them, at most a second, before dealing.

    The list has the connected people who hold a seat in the hand. Deals at once if the cards are known before, or if
    none of these people promised a seed.
    """
    room, match = draft.room, _match_to_deal(draft.room)
    assert match is not None, "people are counted before a deal"
    promised = room.chance.hashes
    givers = [
        (member.name, promised[member.person])
        for member in room.members.values()
        if member.person is not None
        and member.person in promised
        and member.is_connected
        and member.name in match.seats
    ]
    if cards_are_known or not givers:
        _deal_now(draft)
        return
    draft.add(
        events.SeedListClosed(
            room.chance.commitment,
            room.chance.cut,
            {str(number): promised for number, (_, promised) in enumerate(givers, 1)},
            {str(number): name for number, (name, _) in enumerate(givers, 1)},
            {**match.game.deal_order(match).to_json},
            draft.now_ms + SEEDS_MS,
        )
    )


def _match_to_deal(room: Room) -> Match | None:
    """Return the match whose next hand is to be dealt: the running one, or a new one with the seated players.

    None if it has too few or too many players.
    """
    if room.run is not None:
        match = room.run.match
    else:
        seats = room.seated_names()
        try:
            match = Match.start(room.settings.game, room.settings.options, seats, room.carried_hierarchy(seats))
        except RuleError:
            return None
    low, high = room.settings.game.player_limits(match.options, begun=match.dealt > 0)
    return match if low <= len(match.seats) <= high else None


def _deal_now(draft: PendingEvents) -> None:
    """Add the deal of the next hand, with shuffled or known cards; creates the match first if none is running.

    A bot may then give a decree, and other bots answer it at once.
    """
    if draft.room.run is None:
        seats = draft.room.seated_names()
        draft.add(
            events.MatchCreated(draft.random_bytes(16).hex(), list(seats), list(draft.room.carried_hierarchy(seats)))
        )
    match = draft.run.match
    pack, chance, known = match.deck(), draft.room.chance, variations.next_known_deal(draft.room)
    draft.has_deal = True
    if known is None:
        known = (
            match.deal(chance.with_numbered_seeds.shuffle(pack), chance.with_numbered_seeds.seed_within_hand()),
            chance.build_proof(pack),
        )
    deal, proof = known
    if draft.room.cancelled:
        proof = {**proof, "cancelled": list(draft.room.cancelled)}
    playing.add_match_event(draft, events.HandDealt(deal, proof))
    decreed = decrees.choose_bot_decree(draft.room)
    if decreed is not None:
        draft.add(events.ActionTaken(*decreed, "bot"))
        playing.add_bot_decree_answers(draft)
