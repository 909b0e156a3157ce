"""Test that pages replace names correctly, even if names equal protocol words.

Pages must read a session under such names in the same way as a session under ordinary names.
"""

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from app.engine.games import GAMES
from app.rooms.model import commands as ask, shuffle_proof
from app.rooms.model.decision import Decision
from app.rooms.model.state import to_milliseconds
from app.rooms.views.delta import UpdateBuilder
from app.rooms.views.name_fields import NAME_FIELDS
from tests.rooms.world import World

READS = Path(__file__).parents[2] / "js" / "read_called.js"
SEED = "beef" * 8
"""A fixed seed, so that the same cards are dealt under all names."""
WORDS = ("7c", "K", "bot", "by", "cards", "list", "of", "president", "seats", "single")
"""Names that equal protocol words, cards and ranks.

Both lists of names are sorted, so that sorting by name gives the same order of players.
"""
OTHERS = tuple(f"Zebra {n}" for n in range(len(WORDS)))
EVERY = 5
"""A view is taken after this number of changes, because each view has some kilobytes."""


class Shown(World):
    """A room that records the updates to its people's pages."""

    def __init__(self, host: str, **settings: Any) -> None:
        self.updates, self.frames = UpdateBuilder(), list[Any]()
        super().__init__(host, **settings)

    def commit(self, outcome: Decision) -> None:
        super().commit(outcome)
        self.updates.add_game_events(outcome.game_events)
        if len(self.entries) % EVERY == 0:
            self.look()

    def look(self) -> None:
        """Record updates for one of the players, for a new connection and for a stranger."""
        before = self.updates.version
        self.updates.update_view(self.room, to_milliseconds(self.now))
        persons = [member.person for member in self.room.members.values()]
        for person, shown in ((persons[before % len(persons)], before), (persons[0], 0), (None, before)):
            self.frames.append(json.loads(self.updates.build_update_for(person, shown).text))


def evening(game: str, preset: str | None, names: Sequence[str], hands: int) -> list[Any]:
    """Return all updates of this number of hands, and of the beginning of another one."""
    world = Shown(names[0], game=game, seed=3, options={"preset": preset} if preset else {})
    world.ok(names[0], ask.Configure, stake={"amount": 1, "unit": "sips"})
    few, _ = world.room.settings.player_range
    sitting = names[: max(4, few)]
    world.join(*sitting[1:])
    promised = shuffle_proof.seed_hash(SEED)
    world.ok(sitting[1], ask.SeedHash, commitment=world.room.chance.commitment, hash=promised)
    world.ok(sitting[0], ask.Start)
    world.ok(sitting[1], ask.Seed, value=SEED)
    for hand in range(hands):
        world.play()
        world.look()
        for name in sitting:
            world.ask(name, ask.Act, action={"do": "decree", "text": "Sing"})
            world.ask(name, ask.Act, action={"do": "defy"})
        world.ask(sitting[0], ask.DealNext)
        world.play(3 + hand)
        world.ask(sitting[2], ask.Propose, subject="pause")
        world.look()
        world.ask(sitting[2], ask.Resume)
    world.ask(sitting[3], ask.Leave)
    world.join(names[-1])
    world.wait(world.room.settings.away + 1)
    world.look()
    return world.frames


def test_player_names_that_equal_protocol_words_are_read_as_names() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node is installed, which reads as pages do")
    names = dict(zip(WORDS, OTHERS, strict=True))
    told = list[Any]()
    for game, made in GAMES.items():
        for number, preset in enumerate(made.option_schema.presets):
            hands = 2 if number == 0 else 1  # a second hand shows little else, once for each game
            frames = (evening(game, preset.key, each, hands) for each in (WORDS, OTHERS))
            told += zip(*frames, strict=True)
    assert len(told) > 500
    asked = json.dumps({"names": names, "name_fields": NAME_FIELDS, "pairs": told})
    read = subprocess.run([node, str(READS)], input=asked, capture_output=True, text=True, check=True)
    assert read.stdout == "\n", read.stdout
