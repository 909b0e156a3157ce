"""Turn facts of the rooms into rows of the history, written in the same transaction as the log entries."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, TypeAlias

import sqlalchemy as sa
from msgspec.structs import replace

from app.engine.match.hand import places_in_result
from app.rooms.ports.facts import (
    AddressChanged,
    Fact,
    HandAborted,
    HandEnded,
    HandStarted,
    HighlightFact,
    MatchEnded,
    MatchStarted,
    PlayerJoinedMatch,
    PlayersMerged,
    PlayersSeparated,
    PointsEntered,
)
from app.stats.counted_hand import FinishedHand, HandHighlight, LedgerLine, PlayerResult, player_id
from app.store.db.bulk_insert import Statement
from app.store.db.compiled import StatementCache, StatementExecutor, Values
from app.store.db.schema import (
    hand_initial_states,
    hands,
    match_directory,
    match_players,
    matches,
    merged_players,
    point_adjustments,
    room_codes,
    room_visits,
)
from app.store.db.transactions import dialect_insert
from app.store.db.types import check_texts, encode_trusted
from app.store.event_log import stats_writer

StatementWithRows: TypeAlias = tuple[sa.Executable, list[Values]]
"""A reusable statement, and the values for each run of it."""
Write: TypeAlias = Callable[[StatementExecutor], None]


def build_writes(room: str, facts: Iterable[Fact], statement_cache: StatementCache) -> list[Write]:
    """Return functions that save these facts of a room, called in the transaction of the log entries.

    Each statement names the room, so that the database finds all rows in the room's part of a partitioned table.

    A fact that the database would refuse raises an error here, before it can fail a transaction shared with other
    rooms.
    """
    return [
        write for fact in facts for write in (*_history_writes(room, fact, statement_cache), *_stats_writes(room, fact))
    ]


def _history_writes(room: str, fact: Fact, statement_cache: StatementCache) -> Iterator[Write]:
    ready = [
        statement_cache.compiled(statement).bind(values)
        for statement, rows in _statements_for_fact(room, fact, statement_cache.dialect.name)
        for values in rows
    ]
    if ready:
        yield partial(_run_statements, statements=ready)


def _run_statements(executor: StatementExecutor, statements: Sequence[Statement]) -> None:
    for statement in statements:
        executor.run_bound(statement)


def _stats_writes(room: str, fact: Fact) -> Iterator[Write]:
    match fact:
        case HandEnded(counts=True):
            hand = counted_hand(fact)
            _check_encodable((*hand.seats, *hand.reasons, *hand.moments))
            yield partial(stats_writer.count_hand, hand=hand, amended=fact.amended)
        case MatchEnded(moments=tuple(found)) if found:
            left = tuple(build_highlight(highlight, fact.people) for highlight in found)
            _check_encodable(left)
            yield partial(stats_writer.add_highlights, room=room, match_id=fact.match_id, moments=left)
        case _:
            pass


def _check_encodable(values: Iterable[PlayerResult | LedgerLine | HandHighlight]) -> None:
    """Raise `BadText` if a text in any of these results, score lines or highlights can't be stored."""
    encode_trusted([*values])


def counted_hand(fact: HandEnded) -> FinishedHand:
    """Return a finished hand in the form that the statistics count: results, score lines and highlights by player."""
    people, ranks = fact.people, fact.ranks
    place_of = places_in_result(fact.result)
    titles: Mapping[str, str] = fact.result.get("titles", {})
    points: Mapping[str, int] = fact.result["ledger"]
    rank_before = {name: rank for rank, name in enumerate(ranks.before, 1)}
    rank = {name: rank for rank, name in enumerate(ranks.after, 1)}
    hand = FinishedHand(
        fact.room,
        fact.match_id,
        fact.number,
        fact.game,
        fact.at,
        tuple(
            PlayerResult(
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
        tuple(build_highlight(highlight, people) for highlight in fact.moments),
    )
    return replace(hand, moments=hand.moments + hand.rank_reversals(len(fact.record["actions"])))


def build_highlight(fact: HighlightFact, people: Mapping[str, str | None]) -> HandHighlight:
    """Return a highlight of a hand in the form that the statistics store, with the player's id.

    `people`: ids by name.
    """
    player = None if fact.by is None else player_id(people.get(fact.by), fact.by)
    return HandHighlight(fact.n, fact.name, player, fact.by, fact.cause, fact.values)


def _statements_for_fact(room: str, fact: Fact, dialect: str) -> Iterator[StatementWithRows]:
    match fact:
        case MatchStarted():
            yield from _match_start_statements(fact)
        case PlayerJoinedMatch():
            came = {"name": fact.name, "person_id": fact.person_id, "joined_at": fact.at}
            yield _player_upsert(dialect), [{"room": room, "of": fact.match_id, **came}]
        case PointsEntered():
            yield _new_points, list(_point_adjustment_rows(room, fact))
        case HandStarted():
            began = {"room_id": room, "match_id": fact.match_id, "hand_number": fact.number}
            yield _hand_start_upsert(dialect), [{**began, "state": encode_trusted(fact.before)}]
        case HandEnded():
            yield from _hand_end_statements(fact)
        case HandAborted():
            yield _new_hand, [{**_hand_row(fact), "totals": None, "is_aborted": True}]
        case MatchEnded():
            yield (
                _end_match,
                [
                    {
                        "room": room,
                        "of": fact.match_id,
                        "at": fact.at,
                        "who": encode_trusted(list(fact.winners)),
                        "then": encode_trusted(fact.between) if fact.between else None,
                        "cancelled": encode_trusted(fact.cancelled) if fact.cancelled else None,
                    }
                ],
            )
            yield _set_total, _total_rows(room, fact.match_id, fact.totals)
            yield _mark_winner, [{"room": room, "of": fact.match_id, "who": name} for name in fact.winners]
        case AddressChanged():
            yield from _new_address_statements(fact)
        case PlayersMerged():
            # Players already merged with `before` are now merged with `now`, and `now` itself no longer points at
            # another player.
            yield _redirect_same_players, [{"of": fact.room, "before": fact.before, "now": fact.now}]
            yield _delete_same_player, [{"of": fact.room, "who": fact.now}]
            yield _insert_same_player, [{"room_id": fact.room, "player_key": fact.before, "merged_into": fact.now}]
        case PlayersSeparated():
            yield _split_same_players, [{"of": fact.room, "who": fact.person}]


def _new_address_statements(fact: AddressChanged) -> Iterator[StatementWithRows]:
    yield _expire_address, [{"of": fact.room, "at": fact.at}]
    address = {"code": fact.address.code, "invite": fact.address.invite, "room_id": fact.room}
    yield _new_address, [{**address, "valid_from": fact.at, "valid_until": None}]
    members = {f"member_{n}": person for n, person in enumerate(fact.members)}
    yield _delete_other_visits(len(members)), [{"of": fact.room, **members}]


def _match_start_statements(fact: MatchStarted) -> Iterator[StatementWithRows]:
    match = {"started_at": fact.at, "game": fact.game, "room_id": fact.room}
    values = {
        "id": fact.match_id,
        "options": encode_trusted(fact.options),
        "players": encode_trusted([name for _, name in fact.players]),
        "ended_at": None,
        "winners": None,
        "trailing_actions": None,
        "cancelled_deals": None,
        "previous_match_id": fact.continues,
        "initial_state": None if fact.carried is None else encode_trusted(fact.carried),
        "origin": None if fact.origin is None else encode_trusted(fact.origin),
    }
    yield _new_match, [{**match, **values}]
    yield _list_match, [{"match_id": fact.match_id, "room_id": fact.room, "person_id": None}]
    came = {"match_id": fact.match_id, "joined_at": fact.at, "total": None, "won": False}
    yield _new_player, [{**match, **came, "name": name, "person_id": person} for person, name in fact.players]


def _hand_end_statements(fact: HandEnded) -> Iterator[StatementWithRows]:
    totals = encode_trusted(fact.totals)
    if fact.amended:
        yield (
            _replace_hand,
            [
                {
                    "room": fact.room,
                    "of": fact.match_id,
                    "hand": fact.number,
                    **_encoded_hand_columns(fact),
                    "totals": totals,
                }
            ],
        )
    else:
        yield _new_hand, [{**_hand_row(fact), "totals": totals, "is_aborted": False}]
    yield _set_total, _total_rows(fact.room, fact.match_id, fact.totals)


def _point_adjustment_rows(room: str, fact: PointsEntered) -> Iterator[Values]:
    check_texts(fact.reasons)
    for position, reason in enumerate(fact.reasons):
        yield {
            "room_id": room,
            "match_id": fact.match_id,
            "before_hand": fact.hand,
            "name": reason["name"],
            "position": position,
            "reason_key": reason["key"],
            "reason_values": encode_trusted(reason["values"]),
            "amount": reason["amount"],
            "unit": reason["unit"],
        }


def _hand_row(fact: HandEnded | HandAborted) -> dict[str, Any]:
    return {
        "room_id": fact.room,
        "match_id": fact.match_id,
        "hand_number": fact.number,
        "ended_at": fact.at,
        **_encoded_hand_columns(fact),
    }


def _encoded_hand_columns(fact: HandEnded | HandAborted) -> dict[str, Any]:
    return {
        "record": encode_trusted(fact.record),
        "events": encode_trusted(fact.events),
        "result": encode_trusted(fact.result),
    }


@cache
def _delete_other_visits(member_count: int) -> sa.Executable:
    """Return the statement that deletes a room's visits by people other than its `member_count` members.

    So others can't find the room again by themselves after its address was changed.
    """
    those = [room_visits.c.person_id != sa.bindparam(f"member_{n}") for n in range(member_count)]
    return room_visits.delete().where(room_visits.c.room_id == sa.bindparam("of"), *those)


@cache
def _player_upsert(dialect: str) -> sa.Executable:
    """Return the statement that adds a player to a match; if a bot has the name, it becomes the person's.

    A player who left may return, and a person may take over a bot's name. Nobody takes over another person's name.
    """
    columns = match_players.c
    given = [
        sa.bindparam(column.name, type_=column.type) for column in (columns.name, columns.person_id, columns.joined_at)
    ]
    row = sa.select(matches.c.room_id, matches.c.id, *given, sa.false(), matches.c.started_at, matches.c.game)
    insert = dialect_insert(dialect, match_players).from_select(
        ["room_id", "match_id", "name", "person_id", "joined_at", "won", "started_at", "game"],
        row.where(*_this_match),
    )
    upsert: sa.Executable = insert.on_conflict_do_update(
        index_elements=["room_id", "match_id", "name"],
        set_={"person_id": insert.excluded.person_id},
        where=columns.person_id.is_(None),
    )
    return upsert


@cache
def _hand_start_upsert(dialect: str) -> sa.Executable:
    """Return the statement that saves the start of a hand.

    If the hand is dealt again, the later deal replaces it. A hand is dealt again if the log can't restore the first
    deal.
    """
    insert = dialect_insert(dialect, hand_initial_states)
    upsert: sa.Executable = insert.on_conflict_do_update(
        index_elements=["room_id", "match_id", "hand_number"], set_={"state": insert.excluded.state}
    )
    return upsert


def _total_rows(room: str, match_id: str, totals: dict[str, int]) -> list[Values]:
    return [{"room": room, "of": match_id, "who": name, "points": points} for name, points in totals.items()]


_this_match = matches.c.room_id == sa.bindparam("room"), matches.c.id == sa.bindparam("of")
_new_match = matches.insert()
_list_match = match_directory.insert()
_new_player = match_players.insert()
_new_points = point_adjustments.insert()
_new_hand = hands.insert()
_new_address = room_codes.insert()
_end_match = (
    matches.update()
    .where(*_this_match)
    .values(
        ended_at=sa.bindparam("at"),
        winners=sa.bindparam("who"),
        trailing_actions=sa.bindparam("then"),
        cancelled_deals=sa.bindparam("cancelled"),
    )
)
_insert_same_player = merged_players.insert()
_redirect_same_players = (
    merged_players.update()
    .where(merged_players.c.room_id == sa.bindparam("of"), merged_players.c.merged_into == sa.bindparam("before"))
    .values(merged_into=sa.bindparam("now"))
)
_delete_same_player = merged_players.delete().where(
    merged_players.c.room_id == sa.bindparam("of"), merged_players.c.player_key == sa.bindparam("who")
)
_split_same_players = merged_players.delete().where(
    merged_players.c.room_id == sa.bindparam("of"), merged_players.c.merged_into == sa.bindparam("who")
)
_expire_address = (
    room_codes.update()
    .where(room_codes.c.room_id == sa.bindparam("of"), room_codes.c.valid_until.is_(None))
    .values(valid_until=sa.bindparam("at"))
)
_replace_hand = (
    hands.update()
    .where(
        hands.c.room_id == sa.bindparam("room"),
        hands.c.match_id == sa.bindparam("of"),
        hands.c.hand_number == sa.bindparam("hand"),
    )
    .values({name: sa.bindparam(name) for name in ("record", "events", "result", "totals")})
)
_one_player = match_players.update().where(
    match_players.c.room_id == sa.bindparam("room"),
    match_players.c.match_id == sa.bindparam("of"),
    match_players.c.name == sa.bindparam("who"),
)
_set_total = _one_player.values(total=sa.bindparam("points"))
_mark_winner = _one_player.values(won=True)
