"""Test that rewriting a name gives the same stored data, byte for byte, as playing under the new name."""

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

import pytest

from app.engine.cards.action_codec import parse_action
from app.engine.cards.actions import Decree
from app.engine.cards.cards import format_cards
from app.engine.games import GAMES
from app.rooms.log import snapshots
from app.rooms.log.name_rewrite import free_neutral_name, replace_names, replace_names_in_text
from app.rooms.model import commands as ask, shuffle_proof
from app.rooms.money.stake import Stake
from app.rooms.ports.storage import LoadedLog, StoredEvent
from app.rooms.recorded.variations import WAITS_FOR_FRIENDS
from tests.for_each import for_each
from tests.rooms.world import World, asked
from tests.store.played import dealt_again, play, variation

NEW = "Anybody 1"
WORDS = ("seated", "gone", "bot", "by", "cards", "7c", "play", "top", "president", "dealt", "fair", "to", "losers", "0")
"""Names that are also words in the stored data."""


def kept(world: World) -> dict[str, Any]:
    """Return all stored data of a room, as read back from JSON."""
    everything = {
        "entries": [{"kind": each.kind, "data": each.data} for each in world.entries],
        "snapshot": None if world.snapshot is None else world.snapshot[1],
        "facts": [asdict(fact) for fact in world.facts],
    }
    return json.loads(
        json.dumps(everything, default=lambda value: value.isoformat() if isinstance(value, datetime) else list(value))
    )


def evening(game: str, name: str, seed: int, preset: int = 0) -> World:
    """Play a few hands, some aborted, with a person of this name who joins, gives decrees, leaves and returns."""
    presets = GAMES[game].option_schema.presets
    options = {"preset": presets[preset % len(presets)].key} if presets else {}
    world = World(game=game, seed=seed, options=options).join("Bob", "Cat", "Dan")
    world.tell(ask.Join("p1", "j", name=name))
    world.tell(ask.Introduce("p1", "i", "owl", "sea"))
    world.tell(asked(world.room, ask.Start, "ana", "s"))
    world.tell(ask.Seed("p1", "x", value="beef"))
    for hand in range(3):
        world.play()
        for person in ("p1", "ana", "bob"):
            world.tell(asked(world.room, ask.Act, person, f"d{hand}", {"do": "decree", "text": f"{name} shall sing"}))
            world.tell(asked(world.room, ask.Act, person, f"o{hand}", {"do": "obey"}))
        world.tell(ask.Seed("p1", f"x{hand}", value=f"{hand}"))
        if hand == 1:
            world.tell(ask.Leave("p1", "l"))
        world.tell(asked(world.room, ask.DealNext, "ana", f"n{hand}"))
        world.play(4)
    world.tell(ask.PersonDisconnected("p1"))
    world.wait(60)
    world.tell(ask.MakeLink("ana", "m", name, "digest", "device"))
    world.tell(ask.TakeSeat("p2", "s", "digest"))
    world.tell(ask.TakeSeatBack("p1", "b"))
    world.tell(ask.Join("p1", "j2", name=name))
    world.tell(ask.TransferHost("ana", "h", name=name))
    world.play(5)
    return world


@pytest.mark.parametrize("game", sorted(GAMES))
def test_rewriting_a_name_gives_the_same_data_as_playing_under_the_new_name(game: str) -> None:
    presets = min(2, len(GAMES[game].option_schema.presets))
    for preset in range(presets):
        wanted = kept(evening(game, NEW, 5, preset))
        for name in WORDS[preset::presets]:
            was = kept(evening(game, name, 5, preset))
            for part, value in was.items():
                assert replace_names(value, {name: NEW}, part) == wanted[part], (part, name)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_rewritten_name_appears_nowhere_and_the_room_still_opens(game: str) -> None:
    for preset in range(len(GAMES[game].option_schema.presets)):
        world = evening(game, "Zebra", 5, preset)
        clean = replace_names(kept(world), {"Zebra": NEW})
        assert "zebra" not in json.dumps(clean).lower()
        entries = [
            StoredEvent(each.seq, each.at, each.kind, now["data"])
            for each, now in zip(world.entries, clean["entries"], strict=True)
        ]
        room = snapshots.load_room(LoadedLog(None, entries))
        assert NEW in room.members
        assert room.seq == world.room.seq
        if world.snapshot is not None:
            seq, _ = world.snapshot
            later = snapshots.load_room(LoadedLog((seq, clean["snapshot"]), entries[seq:]))
            assert later.members == room.members
            assert later.phase == room.phase


@pytest.mark.parametrize("game", sorted(GAMES))
def test_rewriting_a_name_in_a_variation_and_a_repeated_deal_matches_the_new_name(game: str) -> None:
    def both(name: str) -> list[dict[str, Any]]:
        first = World(game=game, seed=4).join("Bob", "Cat")
        first.tell(ask.Join("p1", "j", name=name))
        play(first, 2)
        on = variation(first, "room-1", 1, 1, "Ana", "Ana", friends=True)
        on.wait(WAITS_FOR_FRIENDS + 1)
        on.play()
        again = dealt_again(first, "room-2", "Eve")
        again.ok("Eve", ask.Start)
        again.play()
        return [kept(each) for each in (on, again)]

    wanted = both(NEW)
    for name in (*WORDS, "variation", "match", "hands")[sorted(GAMES).index(game) :: len(GAMES)]:
        for was, now in zip(both(name), wanted, strict=True):
            for part, value in was.items():
                assert replace_names(value, {name: NEW}, part) == now[part], (part, name)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Zoe", "N"),
        ("ZOE, zoe and ZoE", "N, N and N"),
        ("Zoë zoe\u0308 ＺＯＥ", "N N N"),
        ("Zoey, Azoe and zoe_ sing", "Zoey, Azoe and zoe_ sing"),
        ("zoe’s; (zoe)! “Zoé”", "N’s; (N)! “N”"),
        ("Zo and Zooe and Z oe", "Zo and Zooe and Z oe"),
    ],
)
def test_a_name_is_found_regardless_of_case_accents_and_width(text: str, found: str) -> None:
    for name in ("Zoe", "Zoë", "ZOÉ"):
        assert replace_names_in_text(text, {name: "N"}) == found


@for_each(
    ("name", "text", "found"),
    [
        ("Strauß", "STRAUSS sings, Strauss’ friend too", "N sings, N’ friend too"),
        ("İpek", "ipek IPEK", "N N"),
        ("Ana Lú", "ana lu and Ana", "N and Ana"),
        ("Ñ.", "n. n", "N n"),
        ("क", "क कु", "N कु"),
        ("기", "기 김", "N 김"),
        ("Ё", "ё е", "N N"),
        ("🦉", "🦉🦉 owl", "NN owl"),
    ],
)
def test_names_of_all_scripts_are_found_as_whole_words(name: str, text: str, found: str) -> None:
    assert replace_names_in_text(text, {name: "N"}) == found


def test_texts_never_grow_beyond_what_can_be_read_again() -> None:
    decree = replace_names({"do": "decree", "text": "A " * 140}, {"A": NEW})
    assert f"{NEW} {NEW}" in decree["text"]
    assert parse_action(decree) == Decree(decree["text"])
    stake = Stake(1, "A and A or A and A or As")
    settings = replace_names({"stake": stake.to_json(), "carry_titles": "A"}, {"A": NEW}, "settings")
    assert settings == {"stake": {"amount": 1, "unit": f"{NEW} and {NEW}"}, "carry_titles": "A"}
    assert Stake.parse(settings["stake"]).to_json() == settings["stake"]


def test_an_older_deal_proof_still_verifies_after_a_name_is_rewritten() -> None:
    pack = GAMES["president"].deck(GAMES["president"].option_schema.resolve_options(), 4)
    older = shuffle_proof.DealRandomness(b"s" * 32, {"Ana": "01", "Bob": "02"}, 7)
    proof = {key: value for key, value in older.build_proof(pack).items() if key != "givers"} | {"seeds": older.seeds}
    without = replace_names(proof, {"Ana": NEW}, "fair")
    assert without["seeds"] == {NEW: "01", "Bob": "02"}
    assert (
        shuffle_proof.verify_and_shuffle(without, pack)
        == shuffle_proof.verify_and_shuffle(proof, pack)
        == older.shuffle(pack)
    )
    assert replace_names(proof, {"Cat": NEW}, "fair") == proof
    with pytest.raises(ValueError, match="blocks"):
        shuffle_proof.verify_and_shuffle({**without, "blocks": without["blocks"][:2]}, pack)
    assert format_cards(pack) == proof["pack"]


def test_a_neutral_name_is_the_first_free_number() -> None:
    assert free_neutral_name(set()) == "Somebody 1"
    assert free_neutral_name({"Somebody 1", "Somebody 3", "Bob"}) == "Somebody 2"
