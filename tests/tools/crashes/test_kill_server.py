"""Test `python -m tools soak --kills`: a real server survives kills, and every kind of mismatch would be found."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from app.rooms.model import commands as ask
from app.rooms.ports.storage import StoredEvent
from tests.rooms.readers import whole
from tests.rooms.world import World, playing
from tools.__main__ import main
from tools.crashes.log_check import LogChecker, PlayerTranscript


def soaked(*arguments: str) -> str:
    result = CliRunner().invoke(main, ("soak", "--rooms", "2", "--answers", "40", *arguments))
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.long("it starts a server twice, and replays all that was stored")
def test_a_killed_server_loses_no_acknowledged_command(tmp_path: Path) -> None:
    said = soaked("--kills", "1", "--database", f"sqlite:///{tmp_path / 'rooms.sqlite3'}")
    assert "0 lost, 0 doubled, 0 phantom" in said
    assert "History and books: 0 rows" in said


@pytest.mark.long("it starts a server twice, and replays all that was stored")
@pytest.mark.postgres
def test_a_killed_server_on_postgresql_loses_no_acknowledged_command(postgres_url: str) -> None:
    assert "0 lost, 0 doubled, 0 phantom" in soaked("--kills", "1", "--database", postgres_url)


# A room of four after eleven actions with correct transcripts, in which each test changes one thing.


def told() -> tuple[World, dict[str, PlayerTranscript]]:
    world = playing()
    players = {name: PlayerTranscript(name) for name in world.names()}
    for _ in range(11):
        name, number = world.to_act, f"k{len(world.entries)}"
        action = world.choose(name)
        answer = world.ask(name, ask.Act, cmd=number, action=action).reply
        players[name].commands[number] = {"t": "act", "id": number, "action": action}
        players[name].answers.append({"t": "answer", "id": number, "ok": True, "seq": answer.seq})
        for player in players.values():
            player.shown_views.append(picture(world, player.name))
    return world, players


def picture(world: World, name: str) -> dict[str, Any]:
    return whole(world.room, name.lower())


def found(entries: Sequence[StoredEvent], players: dict[str, PlayerTranscript]) -> list[str]:
    return [mistake.kind for mistake in LogChecker(list(players.values())).find_mismatches(entries)]


def last(players: dict[str, PlayerTranscript]) -> PlayerTranscript:
    """Return the transcript of the player who acted last."""
    return max(players.values(), key=lambda player: max((answer["seq"] for answer in player.answers), default=0))


def test_correct_answers_pass_the_comparison_even_in_parts() -> None:
    world, players = told()
    beside = LogChecker(list(players.values()))
    later = {name: player.shown_views[5:] for name, player in players.items()}
    answers = {name: list(player.answers) for name, player in players.items()}
    middle = later["Ana"][0]["seq"] - 1
    for player in players.values():
        del player.shown_views[5:]
        player.answers[:] = [answer for answer in player.answers if answer["seq"] <= middle]
    assert beside.find_mismatches(world.entries[:middle]) == []
    for name, player in players.items():
        player.shown_views += later[name]
        player.answers += [answer for answer in answers[name] if answer["seq"] > middle]
    assert beside.find_mismatches(world.entries[middle:]) == []


def test_an_answer_missing_from_the_log_is_reported_as_lost() -> None:
    world, players = told()
    assert found(world.entries[:-1], players) == ["lost"] * 5  # an answer, and the view of each of four


def test_a_command_logged_twice_is_reported_as_doubled() -> None:
    world, players = told()
    cmd = world.entries[-2].data["cmd"]
    name = next(name for name, player in players.items() if cmd[1] in player.commands)
    world.entries[-1] = replace(world.entries[-1], data={**world.entries[-1].data, "cmd": cmd})
    assert "doubled" in found(world.entries, {name: players[name]})


def never_asked(player: PlayerTranscript, number: str) -> None:
    del player.commands[number]


def asked_for_something_else(player: PlayerTranscript, number: str) -> None:
    player.commands[number]["action"] = {"do": "play", "cards": "3d 3h 3s"}


def was_refused(player: PlayerTranscript, number: str) -> None:
    player.answers[-1] |= {"ok": False, "code": "not_your_turn"}


def saw_another_table(player: PlayerTranscript, number: str) -> None:
    player.shown_views[3]["table"]["turn"] = "Nobody"


def saw_other_cards(player: PlayerTranscript, number: str) -> None:
    player.shown_views[3]["you"]["cards"] = "3d"


@pytest.mark.parametrize(
    "lie", [never_asked, asked_for_something_else, was_refused, saw_another_table, saw_other_cards]
)
def test_an_answer_that_differs_from_the_log_is_reported_as_phantom(
    lie: Callable[[PlayerTranscript, str], None],
) -> None:
    world, players = told()
    player = last(players)
    lie(player, player.answers[-1]["id"])
    assert found(world.entries, players) == ["phantom"]


def test_an_unavailable_answer_may_still_be_in_the_log() -> None:
    world, players = told()
    last(players).answers[-1] |= {"ok": False, "code": "unavailable"}
    assert found(world.entries, players) == []
