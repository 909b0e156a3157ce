"""Test the event log: folding restores the room, command ids act once, snapshots, facts and fair deals."""

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from app.engine.cards.action_codec import parse_action
from app.engine.cards.actions import Pass
from app.engine.cards.cards import parse_cards
from app.engine.games import GAMES
from app.engine.match.hand import Deal
from app.engine.match.match import Match
from app.engine.match.record import IllegalRecordedAction, parse_record, replay_steps
from app.rooms import events
from app.rooms.errors import RoomError
from app.rooms.handlers.dispatch import handle_command
from app.rooms.log import snapshots
from app.rooms.log.pending_events import SNAPSHOT_AFTER
from app.rooms.log.reducer import MAX_ANSWERS_PER_PERSON
from app.rooms.model import commands as ask, shuffle_proof
from app.rooms.model.state import Room
from app.rooms.ports.facts import HandEnded, MatchEnded, MatchStarted, PointsEntered
from app.rooms.ports.storage import LoadedLog, StoredEvent
from app.rooms.views import room_view
from tests.rooms.world import World, asked, four, playing, through_json


def test_a_restart_in_the_middle_of_a_trick_restores_the_same_room() -> None:
    world = playing()
    world.play()
    world.ok("Ana", ask.DealNext)
    world.play(5)
    opened = world.restarted()
    assert room_view.build_table(opened) == room_view.build_table(world.room)
    assert world.snapshot is not None
    assert len(world.entries) - world.snapshot[0] < 20


def test_a_repeated_command_id_acts_once_and_gets_the_same_answer_after_a_restart() -> None:
    world = playing()
    name = world.to_act
    action = world.choose(name)
    first = world.ask(name, ask.Act, cmd="k1", action=action).reply
    assert first.ok
    again = world.ask(name, ask.Act, cmd="k1", action=action)
    assert again.reply == first
    assert again.append_request is None
    world.room = world.restarted()
    again = world.ask(name, ask.Act, cmd="k1", action={"do": "pass"})
    assert again.reply == first
    assert again.append_request is None
    other = world.ask(world.to_act, ask.Act, cmd="k1", action={"do": "pass"})
    assert other.append_request is not None, "ids are each person's own"


def test_a_stored_action_that_is_no_longer_legal_ends_the_hand_but_keeps_the_room() -> None:
    world = playing()
    world.play()
    world.ok("Ana", ask.DealNext)
    world.play(3)
    totals, secret = dict(world.room.match.totals), world.room.chance.secret  # type: ignore[union-attr]
    seq, at = world.room.seq, world.entries[-1].at
    refused = [{"do": "play", "cards": ""}, {"do": "pass"}]
    made = [StoredEvent(seq + n, at, "acted", {"by": "Ana", "action": action}) for n, action in enumerate(refused, 1)]
    assert world.snapshot is not None
    opened = snapshots.load_room(LoadedLog(world.snapshot, (*world.entries[world.snapshot[0] :], *made)))
    assert opened.seq == seq + 2
    assert opened.phase == "between_hands"
    assert opened.match is not None
    assert opened.match.totals == totals
    world.room, world.entries = opened, [*world.entries, *made]
    world.tell(ask.RoomLoaded())
    world.tell(ask.PersonConnected("ana"))
    world.ok("Ana", ask.DealNext)
    assert world.room.phase == "playing"
    assert world.room.chance.secret not in (b"", secret), "no two hands are dealt from one secret"


def test_answers_are_stored_for_a_limited_number_of_commands() -> None:
    world = four()
    for n in range(2 * MAX_ANSWERS_PER_PERSON):
        world.ok("Ana", ask.Configure, clock={"turn": 10 + n})
    answered = [seq for _, seq in world.room.answers["ana"].items()]
    assert MAX_ANSWERS_PER_PERSON // 2 <= len(answered) <= MAX_ANSWERS_PER_PERSON
    assert answered[-1] == world.room.seq
    assert answered == sorted(answered)


def test_many_changes_in_the_waiting_room_create_a_snapshot() -> None:
    world = four()
    for n in range(SNAPSHOT_AFTER + 5):
        world.ok("Ana", ask.Configure, clock={"turn": 10 + n})
    assert world.snapshot is not None
    world.restarted()


def test_every_hand_begins_with_a_snapshot() -> None:
    world = playing()
    for _ in range(4):
        world.play()
        if world.room.phase == "finished":
            break
        before = world.room.seq
        world.ok("Ana", ask.DealNext)
        assert world.snapshot is not None
        assert world.snapshot[0] == before
        world.restarted()


# Facts --------------------------------------------------------------------------------------------------------


def match_of(world: World) -> list[dict[str, Any]]:
    """Return the hands as the history has them."""
    return [fact.record for fact in world.facts if isinstance(fact, HandEnded)]


def replayed(start: MatchStarted, hands: list[dict[str, Any]]) -> Match:
    """Replay a match from its record."""
    game = GAMES[start.game]
    match = Match.start(
        game, game.option_schema.resolve_options(start.options), tuple(name for _, name in start.players)
    )
    for hand in hands:
        for each in hand.get("between", ()):
            match = match.apply_between_hands(each["by"], parse_action(each)).match
        cards = {name: parse_cards(held) for name, held in hand["cards"].items()}
        match = match.begin_hand(Deal(hand["dealer"], cards, parse_cards(hand["stock"]), hand["seed"])).match
        for each in hand["actions"]:
            match = match.apply_action(each["by"], parse_action(each)).match
    return match


@pytest.mark.parametrize("game", list(GAMES))
def test_the_recorded_hands_replay_to_the_same_result(game: str) -> None:
    world = four(game=game)
    world.ok("Ana", ask.Start)
    start = world.facts[0]
    assert isinstance(start, MatchStarted)
    assert start.players == (("ana", "Ana"), ("bob", "Bob"), ("cat", "Cat"), ("dan", "Dan"))
    for n in range(5):
        world.play()
        if world.room.phase == "finished":
            break
        if n == 1:
            world.join("Eve")
        world.ok("Ana", ask.DealNext)
    ended = [fact for fact in world.facts if isinstance(fact, HandEnded)]
    assert [fact.number for fact in ended] == list(range(len(ended)))
    json.dumps([fact.record for fact in ended])
    match = replayed(start, [fact.record for fact in ended])
    assert dict(match.totals) == ended[-1].totals
    assert match.last is not None
    assert dict(match.last.ledger) == ended[-1].result["ledger"]
    assert all(event["n"] <= len(fact.record["actions"]) for fact in ended for event in fact.events)


@pytest.mark.parametrize("game", list(GAMES))
def test_recorded_points_add_up_to_the_totals(game: str) -> None:
    options = {"start_points": 50, "newcomer_points": "lowest", "target": None} if game == "president" else None
    world = four(game=game, options=options)
    world.ok("Ana", ask.Start)
    world.play()
    assert world.room.match is not None
    last = next(iter(world.room.match.hierarchy[::-1]), None)
    world.join("Eve").ok("Bob" if last != "Bob" else "Cat", ask.Leave)
    for _ in range(2):
        world.ok("Ana", ask.DealNext)
        world.play()
    entered = [fact for fact in world.facts if isinstance(fact, PointsEntered)]
    assert [fact.hand for fact in entered] == ([0, 1] if game == "president" else []), "before the first hand, and Eve"
    reasons = [reason for fact in entered for reason in fact.reasons]
    credited = {reason["name"] for reason in reasons}
    assert credited == ({"Ana", "Bob", "Cat", "Dan", "Eve"} if game == "president" else set())
    for fact in world.facts:
        if isinstance(fact, HandEnded):
            reasons += fact.result["reasons"]
    run = world.room.run
    assert run is not None
    for name, total in run.match.totals.items():
        mine = [reason for reason in reasons if reason["name"] == name and reason["unit"] == GAMES[game].unit]
        assert sum(reason["amount"] for reason in mine) == total


def test_a_player_who_leaves_can_end_a_pot_and_the_previous_hand_is_amended() -> None:
    world = World(game="chase_the_ace").join("Bob")
    world.ok("Ana", ask.Start)
    world.play()
    world.join("Cat", "Dan")
    world.ok("Bob", ask.Leave)
    world.ok("Ana", ask.DealNext)
    told = [fact for fact in world.facts if isinstance(fact, HandEnded)]
    assert [(fact.number, fact.amended) for fact in told] == [(0, False), (0, True)]
    assert "pot_won" in told[1].result["events"]
    assert sum(told[1].totals.values()) == 0


def test_a_match_that_reaches_its_target_is_recorded_as_ended() -> None:
    world = playing(options={"target": 2})
    while world.room.phase != "finished":
        world.play()
        if world.room.phase == "between_hands":
            world.ok("Ana", ask.DealNext)
    ended = world.facts[-1]
    assert isinstance(ended, MatchEnded)
    assert ended.winners == world.room.match.winners()  # type: ignore[union-attr]
    assert isinstance(world.facts[-2], HandEnded)
    assert world.refused("Ana", ask.DealNext) == "not_now"
    assert world.refused("Ana", ask.Act, action={"do": "pass"}) == "not_in_this_phase"


def test_the_host_can_stop_a_match_and_the_unfinished_hand_is_not_recorded() -> None:
    world = playing()
    world.play(3)
    world.ok("Ana", ask.Stop)
    assert world.room.phase == "finished"
    assert room_view.build_room(world.room)["ended_early"]
    assert isinstance(world.facts[-1], MatchEnded)
    assert not [fact for fact in world.facts if isinstance(fact, HandEnded)]
    assert world.refused("Ana", ask.Stop) == "not_now"
    world.restarted()
    world.ok("Ana", ask.Start)
    world.play()
    world.restarted()


def test_a_rematch_keeps_the_room_and_its_seated_players() -> None:
    world = playing().join("Eve")
    assert world.refused("Ana", ask.Rematch) == "not_now"
    world.ok("Dan", ask.Leave)
    world.ok("Ana", ask.Stop)
    world.ok("Ana", ask.Rematch)
    assert world.room.phase == "lobby"
    assert world.room.seated_names() == ("Ana", "Bob", "Cat", "Eve")
    assert world.room.invite == "invitation"
    first = world.facts[0]
    world.ok("Ana", ask.Start)
    second = next(fact for fact in reversed(world.facts) if isinstance(fact, MatchStarted))
    assert isinstance(first, MatchStarted)
    assert second.match_id != first.match_id
    world.play()
    world.restarted()


# Fair deals ---------------------------------------------------------------------------------------------------


def test_a_deal_can_be_reproduced_from_its_proof() -> None:
    world = four()
    world.promise("Cat")
    world.ok("Ana", ask.Start)
    world.reveal("Cat")
    match = Match.start(world.room.settings.game, world.room.settings.options, world.room.seated_names())
    world.play()
    record = match_of(world)[0]
    deck = shuffle_proof.verify_and_shuffle(record["fair"], match.deck())
    deal = match.deal(deck, record["seed"])
    assert {name: " ".join(cards) for name, cards in deal.cards.items()} == record["cards"]
    assert sorted(deck) == sorted(card for part in (*deal.cards.values(), deal.stock) for card in part)
    with pytest.raises(ValueError, match="committed"):
        shuffle_proof.verify_and_shuffle({**record["fair"], "secret": "00" * 32})
    with pytest.raises(ValueError, match="pack"):
        shuffle_proof.verify_and_shuffle(record["fair"], match.deck()[1:])


def test_the_deck_depends_on_secret_seeds_and_cut() -> None:
    pack = GAMES["president"].deck(GAMES["president"].option_schema.resolve_options(), 4)
    chance = shuffle_proof.DealRandomness(b"s" * 32, {"Bob": "01", "Ana": "02"})
    deck = chance.shuffle(pack)
    assert sorted(deck) == sorted(pack)
    assert deck == shuffle_proof.DealRandomness(b"s" * 32, {"Ana": "02", "Bob": "01"}).shuffle(pack)
    others = (
        chance.replace(secret=b"t" * 32),
        chance.replace(seeds={"Ana": "02"}),
        chance.replace(cut=3),
    )
    assert len({deck, *(other.shuffle(pack) for other in others)}) == 4
    assert deck[:4] == parse_cards("7d Qd 9c Kd"), "the way from secret to deck is public: it may never change"


def test_every_card_is_equally_likely_to_be_first_in_the_deck() -> None:
    pack = parse_cards("3c 4c 5c 6c")
    first = [shuffle_proof.DealRandomness(n.to_bytes(32)).shuffle(pack)[0] for n in range(2000)]
    assert all(400 < first.count(card) < 600 for card in pack)


def test_the_king_can_cut_the_deck_once_before_the_next_deal() -> None:
    world = four(game="ceausescu")
    world.ok("Ana", ask.Start)
    world.play()
    assert world.room.match is not None
    king = world.room.match.hierarchy[0]
    assert "cut" in [action["do"] for action in room_view.build_seat(world.room, king)["off_turn"]]
    world.ok(king, ask.Act, action={"do": "cut", "at": 17})
    assert room_view.build_room(world.room)["fair"]["cut"] == 17
    assert "cut" not in [action["do"] for action in room_view.build_seat(world.room, king)["off_turn"]]
    world.ok("Ana", ask.DealNext)
    assert world.run.hand.dealt.fair["cut"] == 17


def test_the_next_deal_is_the_same_after_a_restart() -> None:
    world = playing()
    world.play()
    again = world.restarted()
    assert again.chance == world.room.chance
    one = handle_command(world.room, asked(again, ask.DealNext, "ana", "n"), world.now, lambda n: b"a" * n)
    two = handle_command(again, asked(again, ask.DealNext, "ana", "n"), world.now, lambda n: b"b" * n)
    assert one.room.run == two.room.run


# Views --------------------------------------------------------------------------------------------------------


def test_looking_up_plays_works_only_for_the_players_own_cards() -> None:
    world = playing()
    name = world.to_act
    assert world.room.match is not None
    card = world.room.match.hand.cards[name][:1]
    assert room_view.preview_cards(world.room, name.lower(), card)[0] == [{"do": "play", "cards": card[0]}]
    assert room_view.preview_cards(world.room, "eve", card)[0] == []
    other = next(each for each in world.room.seated_names() if each != name)
    assert room_view.preview_cards(world.room, other.lower(), card)[0] == []


CLOCKS = "“turn”, “reserve”, “reserve_gain”, “pause”, “away” and “patience”"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"clock": {"away": 0}}, "“away” must be a number of seconds from 0.05 to 86400."),
        ({"clock": {"turn": True}}, "“turn” must be a number of seconds from 0.05 to 86400."),
        ({"clock": {"tick": 1}}, f"The time limits have no “tick”. Allowed: {CLOCKS}."),
        ({"clock": 30}, f"The time limits are {CLOCKS}, in seconds."),
        ({"bots_delay": "fast"}, "“bots_delay” must be a number of seconds from 0 to 10."),
    ],
)
def test_invalid_clock_settings_are_refused_with_a_sentence(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RoomError) as refused:
        World(**settings)
    assert refused.value.sentence == sentence


def test_a_snapshot_without_newer_fields_loads_as_the_same_room() -> None:
    world = playing()
    world.play()
    kept = json.loads(json.dumps(snapshots.room_to_json(world.room)))
    del kept["clocks"]["waits"], kept["settings"]["clock"]["patience"]
    for member in kept["members"]:
        for newer in ("lent", "acted_for", "unseated", "link", "link_until"):
            del member[newer]
    room = snapshots.room_from_json(kept, world.room.seq)
    assert (room.members, room.clocks, room.settings) == (world.room.members, world.room.clocks, world.room.settings)


KINDS = (
    "opened configured joined bot_came role_changed chair_taken ready_set going_set gone removed host_changed "
    "came_back went_away stood_in link_made seat_moved woke committed seeded started continued dealt acted stopped "
    "rematched held"
)
"""The kinds of entries in logs. A kind is the name of its class, so a renamed class would make entries unreadable."""


def test_every_entry_kind_in_older_event_logs_is_known() -> None:
    assert set(KINDS.split()) <= set(events.KINDS)


def untold(room: Room) -> Room:
    """Remove the parts that a snapshot of an older version lacks.

    These are some events and statistics of the hand, the session, and the times since when players are away.
    """
    assert room.run is not None
    match = room.run.match
    assert match.last is not None
    told = tuple(event for event in room.run.hand.events if event["e"] not in ("crowned", "lowered", "toppled"))
    hand = structs.replace(room.run.hand, events=told, moments=(), hierarchy=(), titles={})
    match = match.replace(last=replace(match.last, reasons=()))
    members = {name: replace(member, away_since=0) for name, member in room.members.items()}
    return room.replace(
        run=room.run.replace(match=match, hand=hand, moments=()), evening=None, dealt=None, members=members
    )


def test_a_room_of_an_older_version_opens_from_its_event_log_and_its_snapshot() -> None:
    """The log and snapshot of an older version: Ceausescu between two hands, and one player wants to leave."""
    older = json.loads((Path(__file__).parent / "older_room.json").read_text())
    stored = [StoredEvent(seq, datetime.fromisoformat(at), kind, data) for seq, at, kind, data in older["entries"]]
    seq, state = older["snapshot"]
    whole = snapshots.load_room(LoadedLog(None, tuple(stored)))
    assert untold(snapshots.load_room(LoadedLog((seq, state), tuple(stored[seq:])))) == untold(whole)
    match = whole.match
    assert match is not None
    assert (match.dealt, dict(match.totals), match.dealer) == (2, {"Ana": 1, "Bob": 0, "Cat": -1}, "Cat")
    assert (whole.phase, whole.chance.cut, whole.chance.seeds) == ("playing", 17, {"Ana": "ab12"})
    kept = snapshots.load_room(LoadedLog(None, tuple(stored[:seq])))
    assert snapshots.room_from_json(through_json(snapshots.room_to_json(kept)), seq) == kept
    assert snapshots.room_from_json(state, seq) == untold(kept)
    state["hand"]["actions"][0]["do"] = "juggle"
    opened = snapshots.room_from_json(state, seq)
    assert opened.run is not None
    assert opened.run.hand.dealt is None, "an action that nobody knows any more costs the room nothing but its hand"
    assert (opened.members, opened.run.match.totals) == (untold(kept).members, match.totals)


def test_a_stored_pass_stays_legal_although_its_player_must_beat_by_todays_list() -> None:
    # Earlier versions did not list a run of one natural card and two jokers where four of a rank are bombs.
    path = "tests/records/president/PRES-27_own_a_run_of_one_card_and_jokers_must_be_played.json"
    match, hands = parse_record(json.loads(Path(path).read_text(encoding="utf-8"))["record"], GAMES)
    with pytest.raises(IllegalRecordedAction):
        list(replay_steps(match, hands))
    *_, passed = replay_steps(match, hands, already_accepted=True)
    assert passed.step.match.to_act == ("Cat",)


def test_a_pass_in_a_log_stays_legal_and_a_new_one_is_refused() -> None:
    world = playing(options={"must_beat": True})
    world.ok(world.to_act, ask.Act, action=world.choose(world.to_act))
    while any(type(action) is Pass for _, action in world.run.match.legal_actions()):
        world.ok(world.to_act, ask.Act, action=world.choose(world.to_act))
    name = world.to_act
    assert world.run.match.hand.trick.table is not None
    assert not world.ask(name, ask.Act, action={"do": "pass"}).reply.ok
    made = StoredEvent(world.room.seq + 1, world.entries[-1].at, "acted", {"by": name, "action": {"do": "pass"}})
    assert world.snapshot is not None
    opened = snapshots.load_room(LoadedLog(world.snapshot, (*world.entries[world.snapshot[0] :], made)))
    assert opened.phase == "playing"
    assert opened.match is not None
    assert opened.match.to_act != (name,)
