"""Test the album: which matches make an evening, what each person sees of it, and its pages."""

from datetime import timedelta

from app.rooms.ports.facts import HandEnded
from app.store.db.database import Database
from app.store.evenings import AlbumPage, Evenings, MonthRivalry
from app.store.event_log.event_log import EventLog
from app.store.repositories.people import People
from tests.store.samples import T0, address, ended, entry, hand, started

HOUR = 3600


def ids(page: AlbumPage) -> list[list[str]]:
    return [[match.id for match in evening.matches] for evening in page.evenings]


async def test_an_evening_lasts_until_a_pause_of_six_hours_and_shows_each_person_their_matches(
    database: Database,
) -> None:
    log, people, evenings = EventLog(database), People(database), Evenings(database)
    ana, bob = [(await people.create(T0, name))[0].person.id for name in ("Ana", "Bob")]
    both, alone = (ana, bob, None), (ana, None, None)

    async def play(room: str, match: str, hours: float, length: float, *, hands: int = 1, bob_too: bool = True) -> None:
        who, begun, over = (both if bob_too else alone), hours * HOUR, (hours + length) * HOUR
        entries[room] += 1
        played: list[HandEnded] = [hand(match, n, over - 60, room, who) for n in range(hands)]
        facts = [started(match, room, who, begun), *played, ended(match, hands, over)]
        await log.append(room, entries[room], [entry()], facts)

    entries = {"KQ7F3M": 0, "OTHER1": 0}
    for room in entries:
        await log.create(room, address(room), [entry("opened")])
    await play("KQ7F3M", "m1", 0, 1)
    await play("KQ7F3M", "m2", 6.9, 1, bob_too=False)  # 5.9 hours after m1
    await play("OTHER1", "o1", 8, 1)
    await play("KQ7F3M", "m3", 13, 1, hands=4)
    await play("KQ7F3M", "m4", 15, 1, hands=0)  # ended without a finished hand
    await play("KQ7F3M", "m5", 22.1, 1)  # 6.1 hours later
    await log.append("KQ7F3M", entries["KQ7F3M"] + 1, [entry()], [started("m6", "KQ7F3M", both, 23.2 * HOUR)])

    page = await evenings.evenings_of_person(ana, limit=10)
    assert ids(page) == [["m6", "m5"], ["o1"], ["m3", "m2", "m1"]]
    assert page.next is None
    assert ids(await evenings.evenings_of_person(bob, limit=10)) == [["m6", "m5"], ["o1"], ["m3", "m1"]]
    assert ids(await evenings.evenings_of_room("KQ7F3M", viewer=bob, limit=10)) == [["m6", "m5"], ["m3", "m2", "m1"]]
    assert ids(await evenings.evenings_of_person("nobody", limit=10)) == []

    first = await evenings.evenings_of_person(ana, limit=2)
    assert ids(first) == [["m6", "m5"], ["o1"]]
    rest = await evenings.evenings_of_person(ana, limit=2, before=first.next)
    assert (ids(rest), rest.next) == ([["m3", "m2", "m1"]], None)

    running, other, oldest = page.evenings
    assert (running.matches[0].ended_at, running.ahead) == (None, "Ana")
    assert (other.kind, other.saved_faces.keys()) == ("evening", {"Ana", "Bob"})
    assert oldest.best is not None
    assert (oldest.best.line.match_id, oldest.best.line.highlight.what) == ("m3", "revolution")
    # Ana was always above Bob, so there is no rivalry.
    assert page.rivalries == {}
    await log.close()


async def test_two_who_met_often_and_both_won_are_the_rivalry_of_the_month(database: Database) -> None:
    log, people, evenings = EventLog(database), People(database), Evenings(database)
    ana, bob = [(await people.create(T0, name))[0].person.id for name in ("Ana", "Bob")]
    await log.create("KQ7F3M", address("KQ7F3M"), [entry("opened")])
    # The sample hand is always won by the first name, so the two change their names.
    for at, (who, hands) in enumerate((((ana, bob, None), 4), ((bob, ana, None), 2)), 1):
        match, seconds = f"m{at}", at * 1000.0
        played = [hand(match, n, seconds + n, people=who) for n in range(hands)]
        await log.append("KQ7F3M", at, [entry()], [started(match, "KQ7F3M", who, seconds), *played])
    month = (T0 + timedelta(hours=1)).year, T0.month
    for page in (
        await evenings.evenings_of_person(bob, limit=5),
        await evenings.evenings_of_room("KQ7F3M", viewer=ana, limit=5),
    ):
        assert page.rivalries == {month: MonthRivalry("Ana", "Bob", 4, 2)}
    await log.close()
