"""Test deals by commit and reveal: accepted seeds, missing seeds, and the proof afterwards."""

import hashlib
import json
import random
from datetime import timedelta
from typing import Any

import pytest

from app.arena.random_rules import random_options, random_player_count
from app.engine.games import GAMES
from app.engine.match.match import Match
from app.rooms.log import snapshots
from app.rooms.log.name_rewrite import replace_names
from app.rooms.model import commands as ask, shuffle_proof
from app.rooms.ports.facts import HandEnded, MatchEnded
from app.rooms.ports.storage import LoadedLog
from app.rooms.recorded.verify import find_deal_problem
from app.rooms.views import room_view
from tests.for_each import for_each
from tests.rooms.world import World, seed_of


def four(**settings: Any) -> World:
    return World(**settings).join("Bob", "Cat", "Dan")


def shown(world: World) -> dict[str, Any]:
    return dict(room_view.build_room(world.room)["fair"])


def dealing(world: World, *names: str) -> None:
    """Let these people send hashes of seeds, and the host start the deal."""
    world.promise(*names)
    world.ok("Ana", ask.DealNext if world.room.phase == "between_hands" else ask.Start)
    assert world.room.is_waiting_for_seeds


def kinds(world: World) -> list[str]:
    return [entry.kind for entry in world.entries]


def before_its_first_hand(world: World) -> Match:
    return Match.start(world.room.settings.game, world.room.settings.options, world.room.seated_names())


def last_record(world: World) -> dict[str, Any]:
    return next(fact for fact in reversed(world.facts) if isinstance(fact, HandEnded)).record


def test_every_step_of_a_deal_is_in_the_event_log() -> None:
    world = four()
    dealing(world, "Ana", "Bob")
    closed = shown(world)["closed"]
    assert closed["hashes"] == {
        "1": shuffle_proof.seed_hash(seed_of("Ana")),
        "2": shuffle_proof.seed_hash(seed_of("Bob")),
    }
    assert closed["givers"] == {"1": "Ana", "2": "Bob"}
    assert closed["commitment"] == shown(world)["commitment"]
    assert world.room.phase == "lobby", "the match begins with its cards"
    world.reveal("Bob")
    assert world.room.is_waiting_for_seeds
    world.reveal("Ana")
    assert world.room.phase == "playing"
    steps = [kind for kind in kinds(world) if kind in ("committed", "seed_promised", "list_closed", "seeded", "dealt")]
    assert steps == ["committed", "seed_promised", "seed_promised", "list_closed", "seeded", "seeded", "dealt"]
    proof = world.run.hand.dealt.fair  # type: ignore[union-attr]
    assert proof["list"] == closed
    assert proof["seeds"] == {"1": seed_of("Ana"), "2": seed_of("Bob")}
    assert hashlib.sha256(bytes.fromhex(proof["secret"])).hexdigest() == closed["commitment"]


def test_seeds_and_the_secret_stay_hidden_until_the_hand_is_over() -> None:
    world = four()
    dealing(world, "Ana", "Bob")
    world.reveal("Ana")
    secret = world.room.chance.secret.hex()
    for _ in range(2):
        seen = json.dumps(room_view.build_room(world.room))
        assert secret not in seen
        assert seed_of("Ana") not in seen
        world.reveal(*(["Bob"] if world.room.is_waiting_for_seeds else []))
    world.play()
    fair = shown(world)
    assert fair["previous"]["secret"] == secret
    assert fair["dealt"]["cards"] == last_record(world)["cards"]
    assert fair["commitment"] != fair["previous"]["commitment"]
    assert fair["hashes"] == {}


def test_a_room_that_is_dealing_accepts_only_seeds() -> None:
    world = four()
    dealing(world, "Ana", "Bob")
    commitment = world.room.chance.commitment
    asked: list[tuple[type[Any], dict[str, Any]]] = [
        (ask.Start, {}), (ask.Join, {"name": "Eve"}), (ask.Leave, {}), (ask.Watch, {}), (ask.Ready, {}), (ask.Stop, {}),
        (ask.AddBot, {}), (ask.RotateCode, {}), (ask.SeedHash, {"commitment": commitment, "hash": "0" * 64}),
    ]  # fmt: skip
    for kind, fields in asked:
        assert world.refused("Ana", kind, **fields) == "not_now"
    world.reveal("Ana", "Bob")
    assert world.room.phase == "playing"


def test_a_seed_missing_after_a_second_is_left_out_and_its_player_is_named() -> None:
    world = four()
    dealing(world, "Ana", "Bob", "Cat")
    match = before_its_first_hand(world)
    world.reveal("Cat", "Ana")
    world.wait(0.999)
    assert world.room.is_waiting_for_seeds
    world.wait(0.001)
    assert world.room.phase == "playing"
    assert shown(world)["left_out"] == ["Bob"]
    world.play()
    record = last_record(world)
    assert record["fair"]["givers"] == {"1": "Ana", "3": "Cat"}
    assert shuffle_proof.names_without_seed(record["fair"]) == ["Bob"]
    assert find_deal_problem(match, record) is None


def test_a_seed_that_does_not_fit_its_hash_is_refused_and_left_out() -> None:
    world = four()
    dealing(world, "Ana", "Bob")
    assert world.refused("Bob", ask.Seed, value=seed_of("Cat")) == "bad_seed"
    assert world.refused("Cat", ask.Seed, value=seed_of("Cat")) == "not_now"
    for wrong in ("xyz", "0" * 30, "0" * 33, "0" * 66):
        assert world.refused("Bob", ask.Seed, value=wrong) == "bad_seed"
    world.reveal("Ana")
    world.wait(1)
    assert shown(world)["left_out"] == ["Bob"]


def test_the_same_hash_and_seed_can_be_sent_again_from_a_second_tab() -> None:
    world = four()
    world.promise("Ana", "Bob", "Ana")
    assert kinds(world).count("seed_promised") == 2
    assert world.refused("Ana", ask.SeedHash, commitment=world.room.chance.commitment, hash="0" * 64) == "not_now"
    world.ok("Ana", ask.Start)
    world.reveal("Ana", "Ana", "Bob")
    assert kinds(world).count("seeded") == 2
    assert world.refused("Ana", ask.Seed, value=seed_of("Ana")) == "not_now"


def test_a_hash_for_another_commitment_is_refused() -> None:
    world = four()
    assert world.refused("Ana", ask.SeedHash, commitment="0" * 64, hash="0" * 64) == "not_now"
    dealing(world, "Ana")
    world.reveal("Ana")
    commitment = world.room.chance.commitment
    assert world.refused("Bob", ask.SeedHash, commitment=commitment, hash="0" * 64) == "not_now"


def test_only_connected_people_who_hold_a_seat_in_the_hand_are_on_the_closed_list() -> None:
    world = four()
    world.promise("Ana", "Bob", "Cat")
    world.tell(ask.PersonDisconnected("bob"))
    world.ok("Cat", ask.Watch)
    world.join("Eve")
    world.promise("Eve")
    world.ok("Ana", ask.Start)
    assert shown(world)["closed"]["givers"] == {"1": "Ana", "2": "Eve"}
    world.reveal("Ana", "Eve")
    world.join(*"FGHIJ")  # too many for the table: some wait for a later hand
    world.play()
    world.promise("Ana", *"FGHIJ")
    world.ok("Ana", ask.DealNext)
    closed = shown(world)["closed"]
    assert any(member.role == "waiting" for member in world.room.members.values())
    assert {"Ana", "F"} <= set(closed["givers"].values()) <= set(closed["order"]["seats"])


def test_without_seed_hashes_cards_are_dealt_at_once_by_the_server_alone() -> None:
    world = four()
    world.ok("Ana", ask.Start)
    assert world.room.phase == "playing"
    world.play()
    assert "list" not in last_record(world)["fair"]
    assert shuffle_proof.proof_kind(last_record(world)["fair"]) == "server"


@for_each("closed_in_order", [True, False])
@for_each(
    ("back", "seconds"),
    [([], None), (["dan"], 60), (["dan", "bob"], 15), (["bob", "cat"], 1), (["bob", "ana", "cat"], 1)],
)
def test_a_restart_waits_for_those_whose_seeds_are_missing(
    back: list[str], seconds: int | None, closed_in_order: bool
) -> None:
    world = four()
    dealing(world, "Ana", "Bob", "Cat")
    world.reveal("Ana")
    closed = shown(world)["closed"]
    world.room = world.restarted()
    for person in ("ana", "bob", "cat", "dan") if closed_in_order else ():
        world.tell(ask.PersonDisconnected(person))
    world.now += timedelta(hours=1)
    world.tell(ask.RoomLoaded())
    for person in back:
        world.wait(0.5)
        world.tell(ask.PersonConnected(person))
    if seconds is None:
        assert world.room.clocks.next_deadline is None
        return
    world.wait(seconds - (0.501 if back == ["dan", "bob", "cat"] else 0.001))
    assert shown(world)["closed"] == closed
    assert world.refused("Bob", ask.SeedHash, commitment=closed["commitment"], hash="0" * 64) == "not_now"
    world.wait(0.001)
    assert world.room.phase == "playing"
    proof = world.run.hand.dealt.fair  # type: ignore[union-attr]
    assert (proof["list"], proof["seeds"]) == (closed, {"1": seed_of("Ana")})
    world.restarted()


def test_a_seed_that_is_asked_for_again_after_a_restart_gives_the_same_deck() -> None:
    decks = []
    for restart in (False, True):
        world = four()
        dealing(world, "Ana", "Bob")
        world.reveal("Ana")
        if restart:
            world.tell(ask.RoomLoaded())
            world.tell(ask.PersonConnected("bob"))
            world.tell(ask.PersonConnected("ana"))
            world.reveal("Ana")
        world.reveal("Bob")
        decks.append(world.run.hand.dealt.deal)  # type: ignore[union-attr]
    assert decks[0] == decks[1]


def test_a_snapshot_restores_a_room_that_is_dealing() -> None:
    world = four()
    dealing(world, "Ana", "Bob")
    world.reveal("Ana")
    saved = json.loads(json.dumps(snapshots.room_to_json(world.room)))
    opened = snapshots.room_from_json(saved, world.room.seq)
    assert opened == world.room
    assert opened.is_waiting_for_seeds


def test_other_clocks_stop_until_the_cards_are_dealt() -> None:
    world = four(clock={"pause": 5, "away": 5.5})
    dealing(world, "Ana")
    world.reveal("Ana")
    world.play()
    world.promise("Bob", "Cat")
    world.tell(ask.PersonDisconnected("ana"))
    world.wait(5)
    assert world.room.is_waiting_for_seeds
    world.wait(0.9)
    assert (world.room.is_waiting_for_seeds, world.room.host) == (True, "Ana")
    world.reveal("Bob", "Cat")
    assert world.room.phase == "playing"
    world.wait(0.1)
    assert world.room.host != "Ana"


def test_a_cancelled_deal_needs_a_new_commitment_and_new_hashes() -> None:
    world = four()
    dealing(world, "Ana", "Bob", "Cat")
    world.reveal("Ana")
    before = world.room.chance.commitment
    world.ok("Dan", ask.BeForgotten)
    assert not world.room.is_waiting_for_seeds
    assert world.room.phase == "lobby"
    assert world.room.chance.commitment != before
    assert shown(world)["hashes"] == {}
    assert world.refused("Bob", ask.Seed, value=seed_of("Bob")) == "not_now"
    dealing(world, "Ana")
    world.reveal("Ana")
    assert world.room.phase == "playing"


def test_the_proof_of_the_next_hand_shows_the_cards_of_a_cancelled_deal() -> None:
    world = four()
    dealing(world, "Ana", "Bob", "Cat")
    world.reveal("Ana")
    closed, secret = shown(world)["closed"], world.room.chance.secret.hex()
    told = world.ok("Dan", ask.BeForgotten).game_events[0].to_json()
    assert (told["e"], told["by"], told["reason"]) == ("deal_cancelled", "Dan", "deleted")
    seen = {"reason": "deleted", "by": "Dan", "list": closed, "givers": {"1": "Ana"}}
    assert shown(world)["cancelled"] == [seen]
    assert world.restarted().cancelled == world.room.cancelled
    dealing(world, "Ana", "Bob")
    world.reveal("Ana", "Bob")
    assert shown(world)["cancelled"] == [seen]
    hidden = json.dumps(room_view.build_room(world.room))
    assert secret not in hidden
    assert seed_of("Ana") not in hidden
    world.play()
    assert shown(world)["cancelled"] == []
    [cancelled] = last_record(world)["fair"]["cancelled"]
    assert shown(world)["previous"]["cancelled"] == [cancelled]
    assert (cancelled["secret"], cancelled["list"], cancelled["seeds"]) == (secret, closed, {"1": seed_of("Ana")})
    deck = GAMES["president"].deck(world.room.settings.options, 4)
    assert sorted(shuffle_proof.verify_and_shuffle(cancelled, deck)) == sorted(deck)
    assert "Dan" not in json.dumps(replace_names(last_record(world), {"Dan": "Somebody 1"}))
    dealing(world, "Bob")
    world.reveal("Bob")
    assert "cancelled" not in world.run.hand.dealt.fair  # type: ignore[union-attr]
    world.restarted()


def test_the_record_shows_a_deal_that_is_cancelled_when_the_match_ends() -> None:
    world = four()
    world.ok("Ana", ask.Start)
    world.play()
    dealing(world, "Ana", "Bob")
    world.reveal("Bob")
    told = world.ok("Ana", ask.Stop).game_events[0].to_json()
    assert (told["e"], told["reason"]) == ("deal_cancelled", "match_ended")
    [cancelled] = next(fact for fact in reversed(world.facts) if isinstance(fact, MatchEnded)).cancelled
    assert (cancelled["reason"], cancelled["seeds"]) == ("match_ended", {"2": seed_of("Bob")})
    assert [each["reason"] for each in shown(world)["cancelled"]] == ["match_ended"]
    world.ok("Ana", ask.Rematch)
    assert shown(world)["cancelled"] == []
    world.ok("Ana", ask.Start)
    world.play()
    assert "cancelled" not in last_record(world)["fair"]


def test_deleting_data_of_a_person_without_a_seat_does_not_cancel_a_deal() -> None:
    world = four()
    world.ok("Dan", ask.Watch)
    dealing(world, "Ana", "Bob")
    world.ok("Dan", ask.BeForgotten)
    world.reveal("Ana", "Bob")
    assert (world.room.phase, shown(world)["cancelled"]) == ("playing", [])
    assert "Dan" not in world.room.members


def test_a_room_keeps_at_most_thirty_cancelled_deals() -> None:
    world = four()
    for n in range(shuffle_proof.MAX_CANCELLED + 2):
        name = f"Guest {n}"
        world.join(name)
        dealing(world, "Ana")
        world.ok(name, ask.BeForgotten)
    assert len(shown(world)["cancelled"]) == shuffle_proof.MAX_CANCELLED
    assert shown(world)["cancelled"][-1]["by"] == name


@pytest.mark.parametrize("lost", [("seeded",), ("seeded", "list_closed"), ("seeded", "list_closed", "dealt")])
def test_a_deal_is_cancelled_if_the_database_loses_its_entries(lost: tuple[str, ...]) -> None:
    """The room continues from the entries that are left, and this node remembers the deal."""
    world = four()
    dealing(world, "Ana", "Bob")
    world.reveal("Ana", *(["Bob"] if "dealt" in lost else []))
    before = world.room
    first = next(n for n, entry in enumerate(world.entries) if entry.kind in lost)
    world.entries = world.entries[:first]
    world.room = snapshots.load_room(LoadedLog(None, tuple(world.entries)))
    world.tell(ask.Rewind(0, 0, before.cancelled_deal("lost_entries")))
    assert (shown(world)["closed"], world.room.rewinds) == (None, 1)
    [cancelled] = shown(world)["cancelled"]
    assert (cancelled["reason"], cancelled["list"]["commitment"]) == ("lost_entries", before.chance.commitment)
    assert cancelled["givers"] == before.chance.seed_givers
    assert world.room.chance.commitment != before.chance.commitment
    dealing(world, "Ana")
    world.reveal("Ana")
    world.play()
    assert [each["reason"] for each in last_record(world)["fair"]["cancelled"]] == ["lost_entries"]


def test_a_deal_lost_with_the_end_of_the_hand_before_is_shown_after_the_next_hand() -> None:
    world = four()
    world.ok("Ana", ask.Start)
    entries = len(world.entries)
    world.play()
    dealing(world, "Ana")
    before = world.room
    world.entries = world.entries[:entries]
    world.room = snapshots.load_room(LoadedLog(None, tuple(world.entries)))
    world.tell(ask.Rewind(0, 9, before.cancelled_deal("lost_entries")))
    assert world.room.phase == "playing"
    world.play()
    assert "cancelled" not in last_record(world)["fair"]
    assert len(shown(world)["cancelled"]) == 1
    world.ok("Ana", ask.DealNext)
    world.play()
    assert len(last_record(world)["fair"]["cancelled"]) == 1
    assert shown(world)["cancelled"] == []


def test_a_deal_cancelled_between_hands_happens_after_the_next_pause() -> None:
    world = four(clock={"pause": 5})
    world.ok("Ana", ask.Start)
    world.play()
    dealing(world, "Ana")
    world.ok("Dan", ask.BeForgotten)
    assert not world.room.is_waiting_for_seeds
    world.wait(5)
    assert world.room.phase == "playing"


def test_the_next_hand_and_a_rematch_are_dealt_the_same_way() -> None:
    world = four(clock={"pause": 5})
    dealing(world, "Ana")
    world.reveal("Ana")
    world.play()
    world.promise("Bob")
    world.wait(5)
    assert world.room.is_waiting_for_seeds
    world.reveal("Bob")
    assert world.room.phase == "playing"
    world.ok("Ana", ask.Stop)
    world.promise("Cat")
    world.ok("Ana", ask.Propose, subject="rematch")
    world.wait(10)
    assert world.room.is_waiting_for_seeds
    world.reveal("Cat")
    assert world.room.phase == "playing"
    world.restarted()


def test_an_older_proof_with_open_seeds_still_verifies() -> None:
    """An older server left this room between hands, after it had received seeds without hashes."""
    chance = shuffle_proof.DealRandomness(b"s" * 32, {"Ana": "ab12"}, 7)
    pack = GAMES["president"].deck(GAMES["president"].option_schema.resolve_options(), 4)
    proof = chance.build_proof(pack)
    assert shuffle_proof.proof_kind(proof) == "open"
    assert shuffle_proof.verify_and_shuffle(proof, pack) == chance.with_numbered_seeds.shuffle(pack)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda proof: proof["list"].update(commitment="0" * 64), "commitment"),
        (lambda proof: proof["list"].update(cut=3), "cut"),
        (lambda proof: proof["list"]["hashes"].update({"1": "0" * 64}), "does not fit"),
        (lambda proof: proof["list"]["hashes"].pop("2"), "not on the closed list"),
        (lambda proof: proof["seeds"].update({"2": seed_of("Eve")}), "does not fit"),
        (lambda proof: proof["givers"].update({"2": "Eve"}), "somebody else"),
    ],
)
def test_a_proof_that_differs_from_its_closed_list_is_refused(change: Any, says: str) -> None:
    world = four()
    dealing(world, "Ana", "Bob")
    world.reveal("Ana", "Bob")
    proof = json.loads(json.dumps(world.run.hand.dealt.fair))  # type: ignore[union-attr]
    shuffle_proof.verify_and_shuffle(proof)
    change(proof)
    with pytest.raises(ValueError, match=says):
        shuffle_proof.verify_and_shuffle(proof)


def test_a_deal_with_an_invalid_card_is_not_proven() -> None:
    world = four()
    dealing(world, "Ana")
    world.reveal("Ana")
    match = before_its_first_hand(world)
    world.play()
    record = json.loads(json.dumps(last_record(world)))
    record["cards"]["Ana"] = "3c 99x"
    assert str(find_deal_problem(match, record)).startswith("not proven: ")


def test_a_closed_list_with_a_different_seat_order_is_reported() -> None:
    world = four()
    dealing(world, "Ana")
    world.reveal("Ana")
    match = before_its_first_hand(world)
    world.play()
    record = json.loads(json.dumps(last_record(world)))
    assert find_deal_problem(match, record) is None
    record["fair"]["list"]["order"]["seats"].reverse()
    assert "other seats" in str(find_deal_problem(match, record))


def test_a_deal_still_verifies_after_a_name_is_removed_from_its_closed_list() -> None:
    world = four()
    dealing(world, "Ana", "Bob")
    entry = next(entry for entry in world.entries if entry.kind == "list_closed")
    world.reveal("Ana", "Bob")
    proof = world.run.hand.dealt.fair  # type: ignore[union-attr]
    changed = replace_names(proof, {"Bob": "Somebody 1"}, "fair")
    assert "Bob" not in json.dumps(changed)
    shuffle_proof.verify_and_shuffle(changed)
    assert "Bob" not in json.dumps(replace_names(entry.data, {"Bob": "Somebody 1"}))


@for_each("key", sorted(GAMES))
@for_each("seed", range(12))
def test_the_published_deal_order_matches_the_dealt_cards(key: str, seed: int) -> None:
    game, rng = GAMES[key], random.Random(seed)
    options = random_options(game, rng)
    count = random_player_count(game, options, rng)
    if count is None:
        pytest.skip("nobody can play by these rules")
    match = Match.start(game, options, tuple("ABCDEFGHIJ"[:count]))
    chance = shuffle_proof.DealRandomness(rng.randbytes(32))
    deck = chance.shuffle(match.deck())
    deal = match.deal(deck, chance.seed_within_hand())
    order = match.game.deal_order(match).deal_recipients(deck, chance.seed_within_hand())
    dealt = deck[: len(deck) - len(deal.stock)]
    for place, name in enumerate(order):
        assert sorted(dealt[place :: len(order)]) == sorted(deal.cards[name])
    assert set(order) == set(deal.cards)


def test_a_room_that_is_dealing_can_be_restored_from_its_whole_event_log() -> None:
    world = four()
    dealing(world, "Ana", "Bob")
    world.reveal("Bob")
    assert snapshots.load_room(LoadedLog(None, tuple(world.entries))) == world.room
