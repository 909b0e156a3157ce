"""`python -m tools soak`: play random hands of every game with all property checks, or stress a server.

`--lists` compares lists of legal actions with all choices of cards.
`--kills` kills a server repeatedly during play. `--cuts` simulates power cuts, and `--cuts-postgres` ends connections
to the database. `--floods` floods a server, and `--imports` sends it large files. `--stranger` measures how fast one
address fills its disk. `--rooms` alone measures a server's memory while players come and go.
"""

import json
import sys
import time
import traceback
from collections import Counter
from random import Random

import click

from app.engine.games import GAMES
from tools.property_checks.complete_lists import check_lists
from tools.property_checks.error_messages import RefusalStats
from tools.property_checks.errors import PropertyViolation
from tools.property_checks.matches import check_match
from tools.property_checks.playout import Playout

_HANDS_A_MATCH = 8
_TELLS_EVERY = 10
"""Number of seconds between two lines of progress."""


@click.command()
@click.option("--hands", default=1000, show_default=True, help="Hands to play, over all games.")
@click.option(
    "--game", "games", multiple=True, type=click.Choice(list(GAMES)), help="Play this game only (repeatable)."
)
@click.option(
    "--lists",
    type=click.IntRange(0),
    default=0,
    help="Instead, compare the lists of legal actions with all choices of cards, at this number of positions.",
)
@click.option("--seed", default=1, show_default=True, help="Random seed of the first match.")
@click.option(
    "--kills", type=click.IntRange(0), default=0, help="Kill a server this number of times instead, while people play."
)
@click.option(
    "--rooms",
    type=click.IntRange(1),
    help="Rooms at the same time. With --kills and --cuts they play (8), otherwise they come and go.",
)
@click.option(
    "--answers",
    type=click.IntRange(1),
    default=500,
    show_default=True,
    help="With --kills: the most answers between two of them. With --cuts: answers in all.",
)
@click.option(
    "--cuts",
    type=click.IntRange(0),
    default=0,
    help="Cut the power this number of times instead, on a new SQLite file.",
)
@click.option(
    "--cuts-postgres",
    type=click.IntRange(0),
    default=0,
    help="End the server's connections to PostgreSQL this number of times instead, while people play.",
)
@click.option(
    "--nodes", type=click.IntRange(1), default=1, show_default=True, help="With --kills: servers on one PostgreSQL."
)
@click.option(
    "--restart",
    help="Command that restarts PostgreSQL. With --nodes: for a third of the accidents, with --cuts-postgres: half.",
)
@click.option(
    "--stranger",
    type=click.FloatRange(0),
    default=0,
    help="Measure instead how fast one address fills the disk: seconds for each part.",
)
@click.option(
    "--imports",
    type=click.FloatRange(0),
    default=0,
    help="Import large files instead: seconds for which the waits of others are measured.",
)
@click.option("--floods", type=click.FloatRange(0), default=0, help="Flood a server instead: seconds for each kind.")
@click.option(
    "--connections", type=click.IntRange(1), default=100, show_default=True, help="With --floods: the most connections."
)
@click.option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    default=60.0,
    show_default=True,
    help="With --rooms: duration.",
)
@click.option(
    "--rate",
    type=click.FloatRange(0, min_open=True),
    default=20.0,
    show_default=True,
    help="With --rooms: actions per second over all rooms, roughly.",
)
@click.option("--opened", type=click.IntRange(1), help="With --rooms: end after this number of rooms was opened.")
@click.option(
    "--actions",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="With --rooms: mean number of actions in a room.",
)
@click.option(
    "--asleep",
    type=click.FloatRange(0),
    default=150.0,
    show_default=True,
    help="With --rooms: seconds for the server to unload them at the end.",
)
@click.option(
    "--growth",
    type=click.FloatRange(0),
    default=5.0,
    show_default=True,
    help="With --rooms: allowed growth of memory in percent, from a sixth of the time to the end.",
)
@click.option("--database", help="DATABASE_URL of an empty database. Default: a new SQLite file.")
def soak(
    hands: int,
    games: tuple[str, ...],
    lists: int,
    seed: int,
    kills: int,
    rooms: int | None,
    answers: int,
    cuts: int,
    cuts_postgres: int,
    minutes: float,
    rate: float,
    opened: int | None,
    actions: int,
    asleep: float,
    growth: float,
    database: str | None,
    nodes: int,
    restart: str | None,
    stranger: float,
    imports: float,
    floods: float,
    connections: int,
) -> None:
    """Play random matches over random options and numbers of players, and stop at the first error.

    After every action the cards are counted. Every match is replayed from its record, saved and loaded, and must come
    out the same. Refusals must be true, and examine few combinations. Every ten seconds a line tells the progress.

    With --lists, matches have few cards. At random positions each choice of cards is tried with each name of a reading.
    Exactly the listed actions must be accepted. Players who can act, and need not play, must be able to pass.

    With --kills a real server is killed at random moments while players over real sockets play. All answers and views
    that they got are compared with the logs: nothing may be lost, doubled or phantom. With --nodes there are several
    servers, by turns killed and stopped, and players come back to another one.

    With --cuts everything that a server gives to the disk is recorded while players play. Disks are then put together
    as they may be after a power cut, without some or all data that was not synced. What any player was told must be
    there.

    With --cuts-postgres the server's connections to PostgreSQL are ended while players play and visitors request pages.
    Every request must be answered, every room must go on within ten seconds, and the CPU time at rest must stay.

    With --floods a real server is flooded in every way we know of; the times that other clients wait meanwhile are
    printed.

    With --stranger, people of one address add to a new SQLite file all that a server with its default limits accepts:
    first by plays, then in 50 rooms (--rooms) by all else. More than 100 MB in an hour without plays are an error.

    With --imports, strangers of four addresses import files of 8 MB; the waits of others for a page and for a small
    file are printed, with those without large files.

    With --rooms alone, players come to a real server, open the given number of rooms at a
    time, play, look around and go. The server's memory is printed as time goes by, and after each hundred rooms opened.
    """
    chosen = games or tuple(GAMES)
    if lists:
        for key in chosen:
            found = check_lists(key, lists, seed)
            click.echo(f"{key:16} {found.positions:8} positions {found.tried:10} tried {found.listed:8} listed")
        return
    if kills and nodes > 1:
        from tools.crashes import kill_nodes as node_crashes

        node_crashes.run_node_crash_test(
            nodes, kills, rooms or 8, answers, chosen, seed, database=database, restart=restart
        )
        return
    if kills:
        from tools.crashes.kill_server import (
            run_server_crash_test,  # imported here because it needs the server and a database
        )

        run_server_crash_test(kills, rooms or 8, answers, chosen, seed, database)
        return
    if cuts_postgres:
        from tools.crashes.cut_postgres import run_cut_test

        run_cut_test(cuts_postgres, rooms or 8, chosen, seed, database, restart)
        return
    if cuts:
        from tools.crashes.power_loss import run_power_loss_test

        run_power_loss_test(cuts, rooms or 8, answers, chosen, seed)
        return
    if stranger:
        from tools.soak.disk_growth import run_disk_test

        run_disk_test(stranger, rooms or 50)
        return
    if imports:
        from tools.soak.import_load import run_import_load_test

        run_import_load_test(imports)
        return
    if rooms:
        from tools.soak.memory_churn import ChurnSettings, run_memory_test

        run_memory_test(ChurnSettings(rooms, minutes, rate, asleep, opened, actions), chosen, seed, database, growth)
        return
    if floods:
        from tools.soak.floods import run_flood_test

        run_flood_test(floods, connections, database)
        return
    _play_random_hands(hands, chosen, seed)


def _play_random_hands(hands: int, chosen: tuple[str, ...], seed: int) -> None:
    played, actions, refusals = Counter[str](), Counter[str](), RefusalStats()
    began = told = time.monotonic()
    number = seed
    click.echo(f"{hands} hands of {', '.join(chosen)}, from --seed {seed} on")
    while played.total() < hands:
        key = chosen[number % len(chosen)]
        playout = Playout.random_match(GAMES[key], Random(number))
        playout.refusal_stats = refusals
        try:
            check_match(playout, min(_HANDS_A_MATCH, hands - played.total()))
        except Exception as error:
            click.echo(traceback.format_exc(), err=True)
            click.echo(json.dumps(playout.record()))
            what = "broken" if isinstance(error, PropertyViolation) else type(error).__name__
            sys.exit(
                f"{key}, match {number}: {what}: {error} (the record is printed above; --seed {number} plays it again)"
            )
        played[key] += len(playout.hand_records)
        actions[key] += playout.actions
        number += 1
        if time.monotonic() >= told + _TELLS_EVERY:
            told = time.monotonic()
            click.echo(f"{played.total()} of {hands} hands in {told - began:.0f} s; the next is --seed {number}")
    seconds = time.monotonic() - began
    for key in chosen:
        click.echo(f"{key:16} {played[key]:8} hands {actions[key]:10} actions")
    click.echo(
        f"{refusals.count} refusals, {refusals.with_lookups} of them looked at combinations, the most at "
        f"{refusals.max_lookups}"
    )
    if refusals.is_counter_broken:
        sys.exit("no refusal looked at any combination: the counter is broken")
    click.echo(f"{played.total()} hands in {seconds:.0f} s, nothing wrong")
