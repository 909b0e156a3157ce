"""Deals by commit and reveal: what the room accepts and when, what is left out, and what a proof shows."""

import hashlib
import json
import random
from datetime import timedelta
from typing import Any

import pytest

from app.arena.random_rules import random_count, random_options
from app.engine.games import GAMES
from app.engine.match.match import Match
from app.rooms.log import snapshots
from app.rooms.log.name_rewrite import renamed
from app.rooms.model import commands as ask
from app.rooms.model import shuffle_proof
from app.rooms.model.state import milliseconds
from app.rooms.ports.facts import HandEnded
from app.rooms.ports.storage import Loaded
from app.rooms.recorded.verify import unfair
from app.rooms.views import room_view
from tests.rooms.world import World, seed_of


def four(**settings: Any) -> World:
    return World(**settings).join("Bob", "Cat", "Dan")


def shown(world: World) -> dict[str, Any]:
    return dict(room_view.room(world.room)["fair"])


def dealing(world: World, *names: str) -> None:
    """Have these people promise seeds, and the host ask for the deal."""
    world.promise(*names)
    world.ok("Ana", ask.Next if world.room.phase == "pause" else ask.Start)
    assert world.room.is_dealing


def kinds(world: World) -> list[str]:
    return [entry.kind for entry in world.entries]


def before_its_first_hand(world: World) -> Match:
    return Match.start(world.room.settings.game, world.room.settings.options, world.room.seated())


def last_record(world: World) -> dict[str, Any]:
    return next(fact for fact in reversed(world.facts) if isinstance(fact, HandEnded)).record


def test_a_deal_takes_five_steps_and_each_is_in_the_log() -> None:
    world = four()
    dealing(world, "Ana", "Bob")
    closed = shown(world)["closed"]
    assert closed["hashes"] == {"1": shuffle_proof.hash_of(seed_of("Ana")), "2": shuffle_proof.hash_of(seed_of("Bob"))}
    assert closed["givers"] == {"1": "Ana", "2": "Bob"}
    assert closed["commitment"] == shown(world)["commitment"]
    assert world.room.phase == "lobby", "the match begins with its cards"
    world.reveal("Bob")
    assert world.room.is_dealing
    world.reveal("Ana")
    assert world.room.phase == "playing"
    steps = [kind for kind in kinds(world) if kind in ("committed", "seed_promised", "list_closed", "seeded", "dealt")]
    assert steps == ["committed", "seed_promised", "seed_promised", "list_closed", "seeded", "seeded", "dealt"]
    proof = world.run.hand.dealt.fair  # type: ignore[union-attr]
    assert proof["list"] == closed
    assert proof["seeds"] == {"1": seed_of("Ana"), "2": seed_of("Bob")}
    assert hashlib.sha256(bytes.fromhex(proof["secret"])).hexdigest() == closed["commitment"]


def test_no_seed_and_no_secret_is_shown_before_the_hand_is_over() -> None:
    world = four()
    dealing(world, "Ana", "Bob")
    world.reveal("Ana")
    secret = world.room.chance.secret.hex()
    for _ in range(2):
        seen = json.dumps(room_view.room(world.room))
        assert secret not in seen
        assert seed_of("Ana") not in seen
        world.reveal(*(["Bob"] if world.room.is_dealing else []))
    world.play()
    fair = shown(world)
    assert fair["previous"]["secret"] == secret
    assert fair["dealt"]["cards"] == last_record(world)["cards"]
    assert fair["commitment"] != fair["previous"]["commitment"]
    assert fair["hashes"] == {}


def test_a_room_that_is_dealing_accepts_nothing_but_seeds() -> None:
    world = four()
    dealing(world, "Ana", "Bob")
    commitment = world.room.chance.commitment
    asked: list[tuple[type[Any], dict[str, Any]]] = [
        (ask.Start, {}), (ask.Join, {"name": "Eve"}), (ask.Leave, {}), (ask.Watch, {}), (ask.Ready, {}),
        (ask.AddBot, {}), (ask.Renew, {}), (ask.SeedHash, {"commitment": commitment, "hash": "0" * 64}),
    ]  # fmt: skip
    for kind, fields in asked:
        assert world.refused("Ana", kind, **fields) == "not_now"
    world.reveal("Ana", "Bob")
    assert world.room.phase == "playing"


def test_a_seed_that_is_missing_after_a_second_is_left_out_by_name() -> None:
    world = four()
    dealing(world, "Ana", "Bob", "Cat")
    match = before_its_first_hand(world)
    world.reveal("Cat", "Ana")
    world.wait(0.999)
    assert world.room.is_dealing
    world.wait(0.001)
    assert world.room.phase == "playing"
    assert shown(world)["left_out"] == ["Bob"]
    world.play()
    record = last_record(world)
    assert record["fair"]["givers"] == {"1": "Ana", "3": "Cat"}
    assert shuffle_proof.left_out(record["fair"]) == ["Bob"]
    assert unfair(match, record) is None


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


def test_the_same_hash_and_seed_may_come_again_from_a_second_tab() -> None:
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


def test_only_people_with_an_open_connection_are_on_the_list() -> None:
    world = four()
    world.promise("Ana", "Bob", "Cat")
    world.tell(ask.Absent("bob"))
    world.ok("Cat", ask.Watch)
    world.join("Eve")
    world.promise("Eve")
    world.ok("Ana", ask.Start)
    assert shown(world)["closed"]["givers"] == {"1": "Ana", "2": "Eve"}


def test_without_a_hash_cards_are_dealt_at_once_and_depend_on_the_server_alone() -> None:
    world = four()
    world.ok("Ana", ask.Start)
    assert world.room.phase == "playing"
    world.play()
    assert "list" not in last_record(world)["fair"]
    assert shuffle_proof.kind_of(last_record(world)["fair"]) == "server"


def test_a_restarted_server_ends_the_second() -> None:
    world = four()
    dealing(world, "Ana", "Bob")
    world.reveal("Ana")
    world.room = world.restarted()
    assert world.room.clocks.first == milliseconds(world.now) + 1000
    for person in ("ana", "bob", "cat", "dan"):
        world.tell(ask.Absent(person))
    world.tell(ask.Woken())
    world.now += timedelta(seconds=60)
    world.tell(ask.TimerFired(milliseconds(world.now)))
    assert world.room.phase == "playing"
    assert shuffle_proof.left_out(world.run.hand.dealt.fair) == ["Bob"]  # type: ignore[union-attr]
    world.restarted()


def test_a_room_that_is_dealing_is_kept_whole_in_a_snapshot() -> None:
    world = four()
    dealing(world, "Ana", "Bob")
    world.reveal("Ana")
    saved = json.loads(json.dumps(snapshots.save(world.room)))
    opened = snapshots.load(saved, world.room.seq)
    assert opened == world.room
    assert opened.is_dealing


def test_the_other_clocks_stand_still_until_the_cards_are_dealt() -> None:
    world = four(clock={"pause": 5, "away": 5.5})
    dealing(world, "Ana")
    world.reveal("Ana")
    world.play()
    world.promise("Bob", "Cat")
    world.tell(ask.Absent("ana"))
    world.wait(5)
    assert world.room.is_dealing
    world.wait(0.9)
    assert (world.room.is_dealing, world.room.host) == (True, "Ana")
    world.reveal("Bob", "Cat")
    assert world.room.phase == "playing"
    world.wait(0.1)
    assert world.room.host != "Ana"


def test_a_deal_that_is_called_off_needs_a_new_commitment_and_new_hashes() -> None:
    world = four()
    dealing(world, "Ana", "Bob", "Cat")
    world.reveal("Ana")
    before = world.room.chance.commitment
    world.ok("Dan", ask.BeForgotten)
    assert not world.room.is_dealing
    assert world.room.phase == "lobby"
    assert world.room.chance.commitment != before
    assert shown(world)["hashes"] == {}
    assert world.refused("Bob", ask.Seed, value=seed_of("Bob")) == "not_now"
    dealing(world, "Ana")
    world.reveal("Ana")
    assert world.room.phase == "playing"


def test_a_deal_that_is_called_off_between_hands_is_dealt_after_the_next_pause() -> None:
    world = four(clock={"pause": 5})
    world.ok("Ana", ask.Start)
    world.play()
    dealing(world, "Ana")
    world.ok("Dan", ask.BeForgotten)
    assert not world.room.is_dealing
    world.wait(5)
    assert world.room.phase == "playing"


def test_the_next_hand_and_a_rematch_are_dealt_the_same_way() -> None:
    world = four(clock={"pause": 5})
    dealing(world, "Ana")
    world.reveal("Ana")
    world.play()
    world.promise("Bob")
    world.wait(5)
    assert world.room.is_dealing
    world.reveal("Bob")
    assert world.room.phase == "playing"
    world.ok("Ana", ask.Stop)
    world.promise("Cat")
    world.ok("Ana", ask.Propose, matter="rematch")
    world.wait(10)
    assert world.room.is_dealing
    world.reveal("Cat")
    assert world.room.phase == "playing"
    world.restarted()


def test_seeds_of_an_older_log_still_count_for_its_next_deal() -> None:
    """A room that an older server left between hands, after seeds were sent in the open."""
    chance = shuffle_proof.Chance(b"s" * 32, {"Ana": "ab12"}, 7)
    pack = GAMES["president"].deck(GAMES["president"].declared.resolve(), 4)
    proof = chance.revealed(pack)
    assert shuffle_proof.kind_of(proof) == "open"
    assert shuffle_proof.verify(proof, pack) == chance.numbered.deck(pack)


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
def test_a_proof_that_differs_from_its_closed_list_is_noticed(change: Any, says: str) -> None:
    world = four()
    dealing(world, "Ana", "Bob")
    world.reveal("Ana", "Bob")
    proof = json.loads(json.dumps(world.run.hand.dealt.fair))  # type: ignore[union-attr]
    shuffle_proof.verify(proof)
    change(proof)
    with pytest.raises(ValueError, match=says):
        shuffle_proof.verify(proof)


def test_a_deal_with_something_that_is_no_card_is_not_proven() -> None:
    world = four()
    dealing(world, "Ana")
    world.reveal("Ana")
    match = before_its_first_hand(world)
    world.play()
    record = json.loads(json.dumps(last_record(world)))
    record["cards"]["Ana"] = "3c 99x"
    assert str(unfair(match, record)).startswith("not proven: ")


def test_a_list_that_deals_to_other_seats_is_noticed() -> None:
    world = four()
    dealing(world, "Ana")
    world.reveal("Ana")
    match = before_its_first_hand(world)
    world.play()
    record = json.loads(json.dumps(last_record(world)))
    assert unfair(match, record) is None
    record["fair"]["list"]["order"]["seats"].reverse()
    assert "other seats" in str(unfair(match, record))


def test_a_name_can_be_removed_from_a_closed_list_and_its_deal_is_still_proven() -> None:
    world = four()
    dealing(world, "Ana", "Bob")
    entry = next(entry for entry in world.entries if entry.kind == "list_closed")
    world.reveal("Ana", "Bob")
    proof = world.run.hand.dealt.fair  # type: ignore[union-attr]
    changed = renamed(proof, {"Bob": "Somebody 1"}, "fair")
    assert "Bob" not in json.dumps(changed)
    shuffle_proof.verify(changed)
    assert "Bob" not in json.dumps(renamed(entry.data, {"Bob": "Somebody 1"}))


@pytest.mark.parametrize("key", sorted(GAMES))
@pytest.mark.parametrize("seed", range(12))
def test_the_published_order_is_the_one_in_which_the_game_deals(key: str, seed: int) -> None:
    game, rng = GAMES[key], random.Random(seed)
    options = random_options(game, rng)
    count = random_count(game, options, rng)
    if count is None:
        pytest.skip("nobody can play by these rules")
    match = Match.start(game, options, tuple("ABCDEFGHIJ"[:count]))
    chance = shuffle_proof.Chance(rng.randbytes(32))
    deck = chance.deck(match.deck())
    deal = match.deal(deck, chance.seed())
    order = match.game.deal_order(match).of(deck, chance.seed())
    dealt = deck[: len(deck) - len(deal.stock)]
    for place, name in enumerate(order):
        assert sorted(dealt[place :: len(order)]) == sorted(deal.cards[name])
    assert set(order) == set(deal.cards)


def test_an_opened_room_reads_its_log_from_the_beginning() -> None:
    world = four()
    dealing(world, "Ana", "Bob")
    world.reveal("Bob")
    assert snapshots.from_log(Loaded(None, tuple(world.entries))) == world.room
