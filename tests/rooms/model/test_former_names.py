"""Test that former names in logs and snapshots are read as current names, and that one table has all of them."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from app.bots import LEVELS
from app.rooms import events
from app.rooms.log import snapshots
from app.rooms.model import commands as ask, former_names
from app.rooms.model.former_names import FORMER_FIELDS, FORMER_LEVELS, FORMER_ROLES, FORMER_SETTINGS, FORMER_SUBJECTS
from app.rooms.model.member import Role
from app.rooms.model.settings import RoomSettings
from app.rooms.model.vote import VoteSubject
from tests.rooms.world import World, playing, through_json

ROOT = Path(__file__).parents[3]
SETTINGS: dict[str, Any] = {"game": "president", "stand_in": "greedy"}


def test_each_former_name_stands_for_a_name_of_today() -> None:
    for former, current in (
        (FORMER_LEVELS, LEVELS),
        (FORMER_ROLES, get_args(Role)),
        (FORMER_SUBJECTS, get_args(VoteSubject)),
    ):
        assert former.keys().isdisjoint(current)
        assert {*former.values()} <= {*current}
    stored = RoomSettings.parse({}).to_json()
    assert FORMER_SETTINGS.keys().isdisjoint(stored)
    assert {*FORMER_SETTINGS.values()} <= stored.keys()
    for kind, names in FORMER_FIELDS.items():
        assert {*names.values()} <= {*events.stored_fields(events.KINDS[kind]).values()}


@pytest.mark.parametrize(("former", "current"), FORMER_LEVELS.items())
def test_entries_with_a_former_bot_level_decode_to_the_level_of_today(former: str, current: str) -> None:
    added = events.decode("bot_came", {"name": "Pip", "bot": former, "role": "seated"})
    assert added == events.BotAdded("Pip", current, "seated")
    assert events.decode("bot_set", {"name": "Pip", "bot": former}) == events.BotKindChanged("Pip", current)
    assert events.decode("stood_in", {"name": "Ana", "bot": former}) == events.BotTookOver("Ana", current)


def test_entries_with_a_former_stand_in_decode_to_the_stand_in_of_today() -> None:
    opened = events.decode("opened", {"code": "CODE42", "invite": "x", "settings": SETTINGS})
    assert opened == events.RoomCreated("CODE42", "x", {**SETTINGS, "stand_in": "easy"})
    changed = events.decode("configured", {"settings": {**SETTINGS, "stand_in": "steady"}})
    assert changed == events.AllSettingsChanged({**SETTINGS, "stand_in": "medium"})


def test_entries_with_former_settings_decode_to_the_settings_of_today() -> None:
    former = {"game": "president", "ranks": "always", "take_back": True}
    current = {"game": "president", "carry_titles": "always", "allow_undo": True}
    assert events.decode("configured", {"settings": former}) == events.AllSettingsChanged(current)


def test_entries_with_a_former_role_decode_to_the_role_of_today() -> None:
    joined = events.decode("joined", {"person": "p", "name": "watcher", "role": "watcher"})
    assert joined == events.PersonJoined("p", "watcher", "spectator")
    assert events.decode("role_changed", {"name": "Ana", "role": "watcher"}) == events.RoleChanged("Ana", "spectator")
    assert events.decode("going_set", {"name": "Ana", "going": "watcher"}) == events.LeavingChanged("Ana", "spectator")


@pytest.mark.parametrize(("former", "current"), FORMER_SUBJECTS.items())
def test_entries_with_a_former_vote_decode_to_the_vote_of_today(former: str, current: VoteSubject) -> None:
    started = events.decode("proposed", {"by": "rest", "matter": former, "until": 5, "id": "v"})
    assert started == events.VoteStarted("rest", current, 5, "v")


def test_names_of_people_and_bots_are_no_former_names() -> None:
    taken = events.decode("chair_taken", {"name": "steady", "bot": "greedy"})
    assert taken == events.BotSeatClaimed("steady", "greedy")
    added = events.decode("bot_came", {"name": "greedy", "bot": "greedy", "role": "seated"})
    assert added == events.BotAdded("greedy", "easy", "seated")


def test_a_stored_entry_stays_unchanged_when_it_is_decoded() -> None:
    data = {"name": "Pip", "bot": "greedy"}
    events.decode("bot_set", data)
    assert data == {"name": "Pip", "bot": "greedy"}


def test_a_snapshot_with_former_names_opens_with_the_names_of_today() -> None:
    world = playing(stand_in="medium")
    world.ok("Ana", ask.AddBot, kind="easy")
    world.join("Eve")
    world.ok("Eve", ask.Watch)
    world.play()
    kept = through_json(snapshots.room_to_json(world.room))
    by_current = {
        current: former for table in (FORMER_LEVELS, FORMER_ROLES, FORMER_SETTINGS) for former, current in table.items()
    }
    former = json.loads(
        re.sub(
            "|".join(f'"{each}"' for each in by_current), lambda it: f'"{by_current[it[0][1:-1]]}"', json.dumps(kept)
        )
    )
    assert former != kept
    assert former_names.update_snapshot(former) == kept
    assert snapshots.room_from_json(former, world.room.seq) == snapshots.room_from_json(kept, world.room.seq)


@pytest.mark.parametrize("former", FORMER_LEVELS)
def test_commands_with_a_former_bot_level_are_refused(former: str) -> None:
    assert World().refused("Ana", ask.AddBot, kind=former) == "bad_setting"


def test_former_levels_are_used_nowhere_else() -> None:
    words = re.compile(rf"(?<![a-z])({'|'.join(FORMER_LEVELS)})(?![a-z])", re.IGNORECASE)
    assert words.search(Path(former_names.__file__).read_text())
    files = [file for part in ("app", "static/js", "static/messages") for file in (ROOT / part).rglob("*")]
    texts = [file for file in files if file.suffix in {".py", ".js", ".json", ".html", ".txt"}]
    assert len(texts) > 300
    used = [str(file.relative_to(ROOT)) for file in texts if words.search(file.read_text())]
    assert used == ["app/rooms/model/former_names.py"]
