"""Facts of the rooms as rows of the history. They are written with the entries that complete them, or not at all."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, TypeAlias

import sqlalchemy as sa
from msgspec.structs import replace

from app.engine.match.hand import places
from app.rooms.ports.facts import (
    Fact,
    HandBegan,
    HandCut,
    HandEnded,
    MatchEnded,
    MatchStarted,
    Memorable,
    PlayerCame,
    PlayersApart,
    PlayersJoined,
    PointsEntered,
    Readdressed,
)
from app.stats.counted_hand import LedgerLine, Placed, Played, Remembered, player_id
from app.store.db.bulk_insert import Statement
from app.store.db.compiled import Scribe, Spelling, Values
from app.store.db.schema import addresses, entered, hand_starts, hands, match_players, matches, same_players, visits
from app.store.db.transactions import upserting
from app.store.db.types import check_texts, encode_made
from app.store.event_log import stats_writer

Rows: TypeAlias = tuple[sa.Executable, list[Values]]
"""One statement, which is kept, and what it is run with."""
Write: TypeAlias = Callable[[Scribe], None]


def prepare(facts: Iterable[Fact], spelling: Spelling) -> list[Write]:
    """What to write. A fact that no database would take is refused here, where it hurts nobody else."""
    return [write for fact in facts for write in (*_history(fact, spelling), *_book(fact))]


def _history(fact: Fact, spelling: Spelling) -> Iterator[Write]:
    ready = [
        spelling.of(statement).with_values(values)
        for statement, rows in _rows(fact, spelling.dialect.name)
        for values in rows
    ]
    if ready:
        yield partial(_run, statements=ready)


def _run(scribe: Scribe, statements: Sequence[Statement]) -> None:
    for statement in statements:
        scribe.run(statement)


def _book(fact: Fact) -> Iterator[Write]:
    match fact:
        case HandEnded(counts=True):
            hand = played(fact)
            _check((*hand.seats, *hand.reasons, *hand.moments))
            yield partial(stats_writer.enter, hand=hand, amended=fact.amended)
        case MatchEnded(moments=tuple(found)) if found:
            left = tuple(remembered(moment, fact.people) for moment in found)
            _check(left)
            yield partial(stats_writer.remember, match_id=fact.match_id, moments=left)
        case _:
            pass


def _check(values: Iterable[Placed | LedgerLine | Remembered]) -> None:
    """`BadText` if a text in any of these may not be stored."""
    encode_made([*values])


def played(fact: HandEnded) -> Played:
    """A hand as the book counts it."""
    people, ranks = fact.people, fact.ranks
    place_of = places(fact.result)
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
            came = {"name": fact.name, "person_id": fact.person_id, "came_at": fact.at}
            yield _player_came(dialect), [{"of": fact.match_id, **came}]
        case PointsEntered():
            yield _new_points, list(_entered(fact))
        case HandBegan():
            began = {"match_id": fact.match_id, "number": fact.number}
            yield _began(dialect), [{**began, "society": encode_made(fact.before)}]
        case HandEnded():
            yield from _hand_ended(fact)
        case HandCut():
            yield _new_hand, [{**_hand(fact), "totals": None, "cut_off": True}]
        case MatchEnded():
            yield (
                _ended,
                [
                    {
                        "of": fact.match_id,
                        "at": fact.at,
                        "who": encode_made(list(fact.winners)),
                        "then": encode_made(fact.between) if fact.between else None,
                    }
                ],
            )
            yield _total, _totals(fact.match_id, fact.totals)
            yield _won, [{"of": fact.match_id, "who": name} for name in fact.winners]
        case Readdressed():
            yield from _readdressed(fact)
        case PlayersJoined():
            # Those who were the same as the one before are the same as the one now, who is nobody else any more.
            yield _joined_before, [{"of": fact.room, "before": fact.before, "now": fact.now}]
            yield _not_joined, [{"of": fact.room, "who": fact.now}]
            yield _joined, [{"room": fact.room, "player": fact.before, "is_player": fact.now}]
        case PlayersApart():
            yield _apart, [{"of": fact.room, "who": fact.person}]


def _readdressed(fact: Readdressed) -> Iterator[Rows]:
    yield _left, [{"of": fact.room, "at": fact.at}]
    address = {"code": fact.address.code, "invite": fact.address.invite, "room": fact.room}
    yield _new_address, [{**address, "since": fact.at, "until": None}]
    members = {f"member_{n}": person for n, person in enumerate(fact.members)}
    yield _others(len(members)), [{"of": fact.room, **members}]


def _started(fact: MatchStarted) -> Iterator[Rows]:
    match = {"started_at": fact.at, "game": fact.game, "room": fact.room}
    told = {
        "id": fact.match_id,
        "options": encode_made(fact.options),
        "players": encode_made([name for _, name in fact.players]),
        "ended_at": None,
        "winners": None,
        "after": None,
        "continues": fact.continues,
        "carried": None if fact.carried is None else encode_made(fact.carried),
        "origin": None if fact.origin is None else encode_made(fact.origin),
    }
    yield _new_match, [{**match, **told}]
    came = {"match_id": fact.match_id, "came_at": fact.at, "total": None, "won": False}
    yield _new_player, [{**match, **came, "name": name, "person_id": person} for person, name in fact.players]


def _hand_ended(fact: HandEnded) -> Iterator[Rows]:
    totals = encode_made(fact.totals)
    if fact.amended:
        yield _again, [{"of": fact.match_id, "hand": fact.number, **_told(fact), "totals": totals}]
    else:
        yield _new_hand, [{**_hand(fact), "totals": totals, "cut_off": False}]
    yield _total, _totals(fact.match_id, fact.totals)


def _entered(fact: PointsEntered) -> Iterator[Values]:
    check_texts(fact.reasons)
    where = {"match_id": fact.match_id, "hand": fact.hand}
    for place, reason in enumerate(fact.reasons):
        yield {**where, **reason, "place": place, "values": encode_made(reason["values"])}


def _hand(fact: HandEnded | HandCut) -> dict[str, Any]:
    return {"match_id": fact.match_id, "number": fact.number, "ended_at": fact.at, **_told(fact)}


def _told(fact: HandEnded | HandCut) -> dict[str, Any]:
    return {
        "record": encode_made(fact.record),
        "events": encode_made(fact.events),
        "result": encode_made(fact.result),
    }


@cache
def _others(members: int) -> sa.Executable:
    """What makes a room forget that anybody was there but so many members."""
    those = [visits.c.person_id != sa.bindparam(f"member_{n}") for n in range(members)]
    return visits.delete().where(visits.c.room == sa.bindparam("of"), *those)


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


def _totals(match_id: str, totals: dict[str, int]) -> list[Values]:
    return [{"of": match_id, "who": name, "points": points} for name, points in totals.items()]


_new_match = matches.insert()
_new_player = match_players.insert()
_new_points = entered.insert()
_new_hand = hands.insert()
_new_address = addresses.insert()
_ended = (
    matches.update()
    .where(matches.c.id == sa.bindparam("of"))
    .values(ended_at=sa.bindparam("at"), winners=sa.bindparam("who"), after=sa.bindparam("then"))
)
_joined = same_players.insert()
_joined_before = (
    same_players.update()
    .where(same_players.c.room == sa.bindparam("of"), same_players.c.is_player == sa.bindparam("before"))
    .values(is_player=sa.bindparam("now"))
)
_not_joined = same_players.delete().where(
    same_players.c.room == sa.bindparam("of"), same_players.c.player == sa.bindparam("who")
)
_apart = same_players.delete().where(
    same_players.c.room == sa.bindparam("of"), same_players.c.is_player == sa.bindparam("who")
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
