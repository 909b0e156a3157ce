"""Facts of the rooms as rows of the history. They are written with the entries that complete them, or not at all."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, TypeAlias

import sqlalchemy as sa

from app.rooms.ports import Fact, HandEnded, MatchEnded, MatchStarted, PlayerCame

from .columns import check_text, check_time, encode
from .database import upserting
from .tables import hands, ledger, match_players, matches, standings

Rows: TypeAlias = tuple[sa.Executable, list[dict[str, Any]]]
"""One statement, and the rows that it is for."""


def prepare(facts: Iterable[Fact], dialect: str) -> list[Rows]:
    """What to write. A fact that no database would take is refused here, where it hurts nobody else."""
    return [rows for fact in facts for rows in _rows(fact, dialect) if rows[1]]


def _rows(fact: Fact, dialect: str) -> Iterator[Rows]:
    match fact:
        case MatchStarted():
            yield from _started(fact)
        case PlayerCame():
            insert = upserting(dialect, match_players)
            # Who left may come again, and a person may take the place of a bot; nobody takes that of a person.
            again = insert.on_conflict_do_update(
                index_elements=["match_id", "name"],
                set_={"person_id": insert.excluded.person_id},
                where=match_players.c.person_id.is_(None),
            )
            yield again, [_player(fact.match_id, fact.person_id, fact.name, fact.at)]
        case HandEnded():
            yield from _hand_ended(fact)
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


def _started(fact: MatchStarted) -> Iterator[Rows]:
    yield (
        matches.insert(),
        [
            {
                "id": check_text(fact.match_id),
                "room": check_text(fact.room),
                "game": check_text(fact.game),
                "options": encode(fact.options),
                "players": encode([name for _, name in fact.players]),
                "started_at": check_time(fact.at),
            }
        ],
    )
    yield match_players.insert(), [_player(fact.match_id, person, name, fact.at) for person, name in fact.players]


def _hand_ended(fact: HandEnded) -> Iterator[Rows]:
    hand = {"match_id": check_text(fact.match_id), "hand": fact.number}
    if fact.amended:
        yield _untold, [{"of": fact.match_id, "hand": fact.number}]
    yield (
        hands.insert(),
        [
            {
                "match_id": fact.match_id,
                "number": fact.number,
                "ended_at": check_time(fact.at),
                "record": encode(fact.record),
                "events": encode(fact.events),
                "result": encode(fact.result),
            }
        ],
    )
    titles: dict[str, str] = fact.result.get("titles", {})
    yield (
        standings.insert(),
        [
            {**hand, "name": check_text(name), "place": place, "title": titles.get(name)}
            for place, name in places(fact.result["standing"])
        ],
    )
    points: dict[str, int] = fact.result["ledger"]
    yield (
        ledger.insert(),
        [
            {**hand, "name": check_text(name), "points": added, "total": fact.totals[name]}
            for name, added in points.items()
        ],
    )
    yield _total, _totals(fact.match_id, fact.totals)


def places(standing: Sequence[Any]) -> Iterator[tuple[int, str]]:
    """Each with their place; those who share one have the same, and the places after it stay empty.

    >>> list(places(["Bob", ["Ana", "Dan"], "Cat"]))
    [(1, 'Bob'), (2, 'Ana'), (2, 'Dan'), (4, 'Cat')]
    """
    place = 1
    for one in standing:
        names = [one] if isinstance(one, str) else list(one)
        for name in names:
            yield place, name
        place += len(names)


def _player(match_id: str, person_id: str | None, name: str, at: datetime) -> dict[str, Any]:
    return {
        "match_id": check_text(match_id),
        "name": check_text(name),
        "person_id": None if person_id is None else check_text(person_id),
        "came_at": check_time(at),
        "won": False,
    }


def _totals(match_id: str, totals: dict[str, int]) -> list[dict[str, Any]]:
    return [{"of": match_id, "who": check_text(name), "points": points} for name, points in totals.items()]


_ended = (
    matches.update()
    .where(matches.c.id == sa.bindparam("of"))
    .values(ended_at=sa.bindparam("at"), winners=sa.bindparam("who"), after=sa.bindparam("then"))
)
_untold = hands.delete().where(hands.c.match_id == sa.bindparam("of"), hands.c.number == sa.bindparam("hand"))
"""Its standings and ledger go with it."""
_one_player = match_players.update().where(
    match_players.c.match_id == sa.bindparam("of"), match_players.c.name == sa.bindparam("who")
)
_total = _one_player.values(total=sa.bindparam("points"))
_won = _one_player.values(won=True)
