"""Facts of the rooms as rows of the history. They are written with the entries that complete them, or not at all."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from functools import cache, partial
from typing import Any, TypeAlias

import sqlalchemy as sa

from app.book.hand import LedgerLine, Placed, Played, Remembered, player_id
from app.engine.hands import placed
from app.rooms.ports import (
    Fact,
    HandBegan,
    HandCut,
    HandEnded,
    MatchEnded,
    MatchStarted,
    Memorable,
    PlayerCame,
    PointsEntered,
    Readdressed,
)

from . import bookkeeping
from .columns import check_text, check_texts, check_time, encode
from .database import upserting
from .tables import addresses, entered, hand_starts, hands, match_players, matches, visits

Rows: TypeAlias = tuple[sa.Executable, list[dict[str, Any]]]
"""One statement, and the rows that it is for."""
Write: TypeAlias = Callable[[sa.Connection], None]


def prepare(facts: Iterable[Fact], dialect: str) -> list[Write]:
    """What to write. A fact that no database would take is refused here, where it hurts nobody else."""
    return [write for fact in facts for write in (*_history(fact, dialect), *_book(fact, dialect))]


def _history(fact: Fact, dialect: str) -> Iterator[Write]:
    for statement, rows in _rows(fact, dialect):
        if rows:
            yield partial(_execute, statement=statement, rows=rows)


def _execute(connection: sa.Connection, statement: sa.Executable, rows: list[dict[str, Any]]) -> None:
    connection.execute(statement, rows)


def _book(fact: Fact, dialect: str) -> Iterator[Write]:
    match fact:
        case HandEnded(counts=True):
            hand = played(fact)
            check_texts(asdict(hand))
            yield partial(bookkeeping.enter, hand=hand, amended=fact.amended, dialect=dialect)
        case MatchEnded(moments=tuple(found)) if found:
            left = tuple(remembered(moment, fact.people) for moment in found)
            check_texts([asdict(moment) for moment in left])
            yield partial(bookkeeping.remember, match_id=fact.match_id, moments=left)
        case _:
            pass


def played(fact: HandEnded) -> Played:
    """A hand as the book counts it."""
    people, ranks = fact.people, fact.ranks
    place_of = placed(fact.result["standing"])
    titles: Mapping[str, str] = fact.result.get("titles", {})
    points: Mapping[str, int] = fact.result["ledger"]
    rank_before = {name: rank for rank, name in enumerate(ranks.before, 1)}
    rank = {name: rank for rank, name in enumerate(ranks.after, 1)}
    hand = Played(
        fact.room,
        fact.match_id,
        fact.number,
        fact.game,
        fact.at,
        tuple(
            Placed(
                player_id(people.get(name), name),
                name,
                place_of.get(name),
                points.get(name, 0),
                fact.totals.get(name),
                fact.luck.get(name),
                ranks.titles_before.get(name),
                titles.get(name),
                rank_before.get(name),
                rank.get(name),
            )
            for name in dict.fromkeys((*place_of, *points))
        ),
        tuple(
            LedgerLine(
                player_id(people.get(name := line["name"]), name),
                name,
                line["key"],
                line["values"],
                line["amount"],
                line["unit"],
            )
            for line in fact.result.get("reasons", ())
        ),
        tuple(remembered(moment, people) for moment in fact.moments),
    )
    return replace(hand, moments=hand.moments + hand.falls(len(fact.record["actions"])))


def remembered(moment: Memorable, people: Mapping[str, str | None]) -> Remembered:
    """A moment as the book keeps it."""
    player = None if moment.by is None else player_id(people.get(moment.by), moment.by)
    return Remembered(moment.n, moment.name, player, moment.by, moment.cause, moment.values)


def _rows(fact: Fact, dialect: str) -> Iterator[Rows]:
    match fact:
        case MatchStarted():
            yield from _started(fact)
        case PlayerCame():
            who = None if fact.person_id is None else check_text(fact.person_id)
            came = {"name": check_text(fact.name), "person_id": who, "came_at": check_time(fact.at)}
            yield _player_came(dialect), [{"of": check_text(fact.match_id), **came}]
        case PointsEntered():
            yield entered.insert(), list(_entered(fact))
        case HandBegan():
            began = {"match_id": check_text(fact.match_id), "number": fact.number}
            yield _began(dialect), [{**began, "society": encode(fact.before)}]
        case HandEnded():
            yield from _hand_ended(fact)
        case HandCut():
            kept = {"record": encode(fact.record), "events": encode(fact.events), "result": encode(fact.result)}
            yield hands.insert(), [{**_hand(fact), **kept, "totals": None, "cut_off": True}]
        case MatchEnded():
            yield (
                _ended,
                [
                    {
                        "of": check_text(fact.match_id),
                        "at": check_time(fact.at),
                        "who": encode(list(fact.winners)),
                        "then": encode(fact.between) if fact.between else None,
                    }
                ],
            )
            yield _total, _totals(fact.match_id, fact.totals)
            yield _won, [{"of": fact.match_id, "who": check_text(name)} for name in fact.winners]
        case Readdressed():
            yield from _readdressed(fact)


def _readdressed(fact: Readdressed) -> Iterator[Rows]:
    room, at = check_text(fact.room), check_time(fact.at)
    yield _left, [{"of": room, "at": at}]
    code, invite = check_text(fact.address.code), check_text(fact.address.invite)
    yield addresses.insert(), [{"code": code, "invite": invite, "room": room, "since": at}]
    others = visits.delete().where(visits.c.room == room, visits.c.person_id.not_in(fact.members))
    yield others, [{}]


def _started(fact: MatchStarted) -> Iterator[Rows]:
    row = {
        "id": check_text(fact.match_id),
        "room": check_text(fact.room),
        "game": check_text(fact.game),
        "options": encode(fact.options),
        "players": encode([name for _, name in fact.players]),
        "started_at": check_time(fact.at),
        "continues": None if fact.continues is None else check_text(fact.continues),
        "carried": None if fact.carried is None else encode(fact.carried),
        "origin": None if fact.origin is None else encode(fact.origin),
    }
    yield matches.insert(), [row]
    match = {key: row[key] for key in ("started_at", "game", "room")}
    yield (
        match_players.insert(),
        [
            {
                "match_id": fact.match_id,
                "name": check_text(name),
                "person_id": None if person is None else check_text(person),
                "came_at": fact.at,
                "won": False,
                **match,
            }
            for person, name in fact.players
        ],
    )


def _hand_ended(fact: HandEnded) -> Iterator[Rows]:
    kept = {
        "record": encode(fact.record),
        "events": encode(fact.events),
        "result": encode(fact.result),
        "totals": encode(fact.totals),
    }
    if fact.amended:
        yield _again, [{"of": check_text(fact.match_id), "hand": fact.number, **kept}]
    else:
        yield hands.insert(), [{**_hand(fact), **kept, "cut_off": False}]
    yield _total, _totals(fact.match_id, fact.totals)


def _entered(fact: PointsEntered) -> Iterator[dict[str, Any]]:
    check_texts(fact.reasons)
    where = {"match_id": check_text(fact.match_id), "hand": fact.hand}
    for place, reason in enumerate(fact.reasons):
        yield {**where, **reason, "place": place, "values": encode(reason["values"])}


def _hand(fact: HandEnded | HandCut) -> dict[str, Any]:
    return {"match_id": check_text(fact.match_id), "number": fact.number, "ended_at": check_time(fact.at)}


@cache
def _player_came(dialect: str) -> sa.Executable:
    """Who left may come again, and a person may take the place of a bot; nobody takes that of a person."""
    columns = match_players.c
    given = [
        sa.bindparam(column.name, type_=column.type) for column in (columns.name, columns.person_id, columns.came_at)
    ]
    row = sa.select(matches.c.id, *given, sa.false(), matches.c.started_at, matches.c.game, matches.c.room)
    insert = upserting(dialect, match_players).from_select(
        ["match_id", "name", "person_id", "came_at", "won", "started_at", "game", "room"],
        row.where(matches.c.id == sa.bindparam("of")),
    )
    upsert: sa.Executable = insert.on_conflict_do_update(
        index_elements=["match_id", "name"],
        set_={"person_id": insert.excluded.person_id},
        where=columns.person_id.is_(None),
    )
    return upsert


@cache
def _began(dialect: str) -> sa.Executable:
    """What can't be told again from the log is dealt anew: then the later deal counts."""
    insert = upserting(dialect, hand_starts)
    upsert: sa.Executable = insert.on_conflict_do_update(
        index_elements=["match_id", "number"], set_={"society": insert.excluded.society}
    )
    return upsert


def _totals(match_id: str, totals: dict[str, int]) -> list[dict[str, Any]]:
    return [{"of": match_id, "who": check_text(name), "points": points} for name, points in totals.items()]


_ended = (
    matches.update()
    .where(matches.c.id == sa.bindparam("of"))
    .values(ended_at=sa.bindparam("at"), winners=sa.bindparam("who"), after=sa.bindparam("then"))
)
_left = (
    addresses.update()
    .where(addresses.c.room == sa.bindparam("of"), addresses.c.until.is_(None))
    .values(until=sa.bindparam("at"))
)
_again = (
    hands.update()
    .where(hands.c.match_id == sa.bindparam("of"), hands.c.number == sa.bindparam("hand"))
    .values({name: sa.bindparam(name) for name in ("record", "events", "result", "totals")})
)
_one_player = match_players.update().where(
    match_players.c.match_id == sa.bindparam("of"), match_players.c.name == sa.bindparam("who")
)
_total = _one_player.values(total=sa.bindparam("points"))
_won = _one_player.values(won=True)
