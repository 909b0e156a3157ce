"""Test the stats of rooms that were really played, with a second and plain computation."""

from collections import Counter
from collections.abc import AsyncIterator
from datetime import timedelta
from itertools import combinations

import pytest
import sqlalchemy as sa

from app.engine.games import GAMES
from app.rooms.model import commands as ask
from app.rooms.ports.facts import HandAborted, HandEnded, MatchEnded
from app.stats import tallies as count
from app.stats.counted_hand import player_id
from app.store.db.database import Database
from app.store.db.schema import counted_hand_players
from app.store.event_log.event_log import EventLog
from app.store.event_log.history_writer import counted_hand
from app.store.history import person_stats, room_stats, sums_cache
from app.store.history.match_history import MatchHistory
from app.store.history.match_list import MatchFilter, MatchList
from app.store.history.person_stats import PersonStatsQueries
from app.store.history.room_stats import RoomStatsQueries
from app.store.history.sums_cache import SumsCache
from app.web.stats.settlement_view import session_balances
from tests.rooms.world import World
from tests.store.played import keep, play


@pytest.fixture
async def log(database: Database) -> AsyncIterator[EventLog]:
    log = EventLog(database)
    yield log
    await log.close()


def told(world: World) -> list[HandEnded]:
    """Return the final results of a room's hands."""
    found: dict[tuple[str, int], HandEnded] = {}
    for fact in world.facts:
        if isinstance(fact, HandEnded):
            found[fact.match_id, fact.number] = fact
    return list(found.values())


def placed(hand: HandEnded) -> dict[str, int]:
    """Return the place of each player."""
    places: dict[str, int] = {}
    for names in hand.result["standing"]:
        names = [names] if isinstance(names, str) else names
        places |= dict.fromkeys(names, len(places) + 1)
    return places


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_room_and_person_stats_match_the_hands_played(
    database: Database, log: EventLog, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(game=game, seed=4, bots=("easy",)).join("Bob", "Cat")
    play(world, 4)
    first = len(told(world))
    settled = settled_by_room(world)
    world.now += timedelta(hours=7)
    world.ok("Ana", ask.Rematch)
    play(world, 3)
    await keep(log, database, world)
    books, persons = RoomStatsQueries(database), PersonStatsQueries(database)
    book = await books.stats_of_room("the-room")
    assert book is not None
    hands = told(world)
    assert (book.hands, book.evenings) == (len(hands), 2)
    found = book.tallies[game]
    [bot] = [player for player in found if player.startswith(":")]
    ids = {"Ana": "ana", "Bob": "bob", "Cat": "cat", bot[1:]: bot}
    assert {player.name: player.player for player in book.players} == ids
    assert found == recount(hands)
    for name, player in ids.items():
        if player != bot:
            person = (await persons.stats_of_person(player)).games[game]
            assert person.tallies == found[player]
            places = [placed(hand) for hand in hands]
            rated = [there for there in places if name in there and len({"Ana", "Bob", "Cat"} & there.keys()) > 1]
            assert (0 if person.rating is None else person.rating.hands) == len(rated)
            for rival in (*person.nemeses, *person.victims):
                there = [placed(hand) for hand in hands]
                both = [(p[name], p[rival.name or ""]) for p in there if name in p and rival.name in p]
                assert (rival.together, rival.above, rival.below) == (
                    len(both),
                    sum(one < other for one, other in both),
                    sum(one > other for one, other in both),
                )
    await check_evenings(books, world, ids, first)
    # The same numbers of the second evening only, and of the hands since it began.
    evening = (first + 1, len(hands))
    assert await books.hands_of_evening("the-room", 1) == (1, (1, first))
    assert {await books.hands_of_evening("the-room", number) for number in (None, 2, 9)} == {(2, evening)}
    since = await books.hands_since("the-room", counted_hand(hands[first]).at)
    for some in (evening, since):
        of_evening = await books.stats_of_room("the-room", some)
        assert of_evening is not None
        assert of_evening.tallies[game] == recount(hands[first:])
        assert of_evening.hands == book.hands
    later = await books.hands_since("the-room", counted_hand(hands[-1]).at + timedelta(seconds=1))
    none = await books.stats_of_room("the-room", later)
    assert none is not None
    assert (none.tallies, none.players, none.reigns) == ({}, (), ())
    monkeypatch.setattr(room_stats, "ENOUGH", 4)
    scores: dict[str, list[int]] = {}
    for each in map(counted_hand, hands):
        for seat in each.seats:
            if (score := count.performance_score(each, seat)) is not None:
                scores.setdefault(seat.player, []).append(score)
    assert await books.mean_places("the-room", room_stats.ALL_HANDS) == {
        who: pytest.approx(sum(of) / len(of)) for who, of in scores.items() if len(of) >= 4
    }
    for number, by_room in ((1, settled), (2, settled_by_room(world))):
        found_again, _ = session_balances(await books.evening_sums_by_match("the-room", number))
        assert {player.removeprefix(":"): points for player, points in found_again.items()} == by_room
    assert {(reign.end, reign.began): (reign.player, reign.hands) for reign in book.reigns} == recount_reigns(hands)


def recount(hands: list[HandEnded]) -> dict[str, dict[str, int]]:
    """Return all numbers of each player by a plain count, hand by hand, without those that are 0."""
    found: dict[str, Counter[str]] = {}
    for hand in map(counted_hand, hands):
        places = [seat.place for seat in hand.seats if seat.place is not None]
        last, last_before = (max(getattr(seat, rank) or 0 for seat in hand.seats) for rank in ("rank", "rank_before"))
        for seat in hand.seats:
            mine = found.setdefault(seat.player, Counter())
            mine[count.HANDS] += 1
            mine[count.WITH_BOTS] += any(each.player.startswith(":") for each in hand.seats)
            mine[count.POINTS] += seat.points
            mine[count.FIRST] += seat.place == 1
            mine[count.LAST] += seat.place is not None and 1 < seat.place == max(places)
            mine[count.TOP] += seat.rank == 1
            mine[count.BOTTOM] += 1 < last == seat.rank
            mine[count.FELL] += seat.rank_before == 1 < last == seat.rank
            mine[count.ROSE] += seat.rank == 1 < last_before == seat.rank_before
            if seat.title is not None:
                mine[count.TITLE + seat.title] += 1
            if seat.place is not None and seat.luck is not None:
                beaten = sum((seat.place < place) + (seat.place == place) / 2 for place in places) - 1 / 2
                mine[count.DEALT] += 1
                mine[count.LUCK] += seat.luck
                mine[count.PERFORMANCE] += round(100 * beaten / (len(places) - 1)) if len(places) > 1 else 50
        for moment in hand.moments:
            if moment.player is not None and moment.what not in (count.FELL, count.ROSE):
                found[moment.player][count.HIGHLIGHT + moment.what] += 1
    return {player: {key: n for key, n in mine.items() if n} for player, mine in found.items()}


def recount_reigns(hands: list[HandEnded]) -> dict[tuple[str, int], tuple[str, int]]:
    """Return the player and length of each reign, by the end of the hierarchy and the number of its first hand."""
    found: dict[tuple[str, int], tuple[str, int]] = {}
    for end, place in (("top", 0), ("bottom", -1)):
        began = 0
        for number, hand in enumerate(hands, 1):
            ranks = hand.ranks
            if len(ranks.after) < 2:
                continue
            now = player_id(hand.people.get(ranks.after[place]), ranks.after[place])
            stayed = ranks.before[place:][:1] == ranks.after[place:][:1]
            if began and stayed and found[end, began][0] == now:
                found[end, began] = now, found[end, began][1] + 1
            else:
                began = number
                found[end, began] = now, 1
    return found


def settled_by_room(world: World) -> dict[str, int]:
    """Return all players' points of the session, as the room has them."""
    assert world.room.evening is not None
    return {key: account.points for key, account in world.room.evening.accounts_without_pot.items()}


async def check_evenings(books: RoomStatsQueries, world: World, ids: dict[str, str], first: int) -> None:
    """Check that the sums and charts of the evenings agree with the hands."""
    hands = told(world)
    page = await books.evenings_of_room("the-room")
    assert [(evening.number, evening.hands) for evening in page.evenings] == [(2, len(hands) - first), (1, first)]
    for evening in page.evenings:
        mine = hands[evening.first - 1 : evening.first - 1 + evening.hands]
        points = Counter[str]()
        for hand in mine:
            points.update({ids[name]: n for name, n in hand.result["ledger"].items()})
        assert {score.player: score.points for score in evening.scores} == {who: points[who] for who in points}
        chart = await books.evening_chart("the-room", evening.number)
        assert [(hand.match_id, hand.hand) for hand in chart] == [(hand.match_id, hand.number) for hand in mine]
        last = {seat.player: seat.sum for hand in chart for seat in hand.seats}
        assert last == {who: points[who] for who in last}
        given = Counter[str]()
        for one in await books.evening_sums_by_reason("the-room", evening.number):
            given[one.player] += one.amount
        told_sums = Counter[str]()
        for hand in mine:
            for line in hand.result["reasons"]:
                told_sums[ids[line["name"]]] += line["amount"]
        assert given == told_sums
        thinned = await books.evening_chart("the-room", evening.number, max_hands=2)
        step = -(-len(chart) // 2)
        assert thinned == tuple(hand for n, hand in enumerate(chart) if n % step == 0 or n == len(chart) - 1)


async def test_a_stopped_hand_is_marked_in_the_history_and_excluded_from_stats(
    database: Database, log: EventLog
) -> None:
    world = play(World(game="president", seed=2).join("Bob", "Cat"), 2)
    await keep(log, database, world)
    cut = next(fact for fact in world.facts if isinstance(fact, HandAborted))
    history = MatchHistory(database)
    detail = await history.find_match(cut.match_id)
    assert detail is not None
    assert [line.cut_off for line in detail.hands] == [False, False, True]
    assert detail.match.hands == 2
    assert (detail.hands[2].points, detail.hands[2].totals) == ({}, {})
    record = await history.load_record(cut.match_id)
    assert record is not None
    assert len(record["hands"]) == 3
    assert record["hands"][2]["actions"] == cut.record["actions"] != []
    book = await RoomStatsQueries(database).stats_of_room("the-room")
    assert book is not None
    assert book.hands == 2, "it counts for nothing"


def test_a_player_who_is_out_gets_a_place_when_the_game_is_decided() -> None:
    world = play(World(game="chase_the_ace", options={"dimes": 1}, seed=3).join("Bob", "Cat"), 6, stop=False)
    hands = [fact for fact in world.facts if isinstance(fact, HandEnded)]
    running = [hand for hand in hands if hand.result.get("goes_on")]
    assert any(hand.result["standing"] for hand in running), "somebody is out"
    assert {seat.place for hand in running for seat in counted_hand(hand).seats} == {None}
    decided = [hand for hand in hands if not hand.result.get("goes_on")]
    assert decided
    assert all(1 in {seat.place for seat in counted_hand(hand).seats} for hand in decided)


async def test_a_hand_won_at_the_deal_counts_with_places_and_luck(database: Database, log: EventLog) -> None:
    """In Tien Len some cards win at once, so nobody plays."""
    for seed in range(50):
        world = World(game="tien_len", seed=seed).join("Bob", "Cat", "Dan")
        world.ok("Ana", ask.Start)
        if told(world):
            break
    [hand] = told(world)
    assert [name for name in hand.result["events"] if name.startswith("instant_")]
    winner, *others = placed(hand)
    assert hand.result["ledger"] == {winner: 6, **dict.fromkeys(others, -2)}
    assert sorted(hand.luck) == ["Ana", "Bob", "Cat", "Dan"]
    await keep(log, database, world)
    book = await RoomStatsQueries(database).stats_of_room("the-room")
    assert book is not None
    found = book.tallies["tien_len"]
    assert {who for who, n in found.items() if n.get(count.FIRST)} == {winner.lower()}
    assert {n[count.HANDS] for n in found.values()} == {n[count.DEALT] for n in found.values()} == {1}


async def test_a_hand_saved_again_is_counted_once(database: Database, log: EventLog) -> None:
    """A player who leaves Chase the Ace between deals may change the result of the last one."""
    world = World(game="chase_the_ace", options={"dimes": 1}, seed=3).join("Bob", "Cat")
    world.ok("Ana", ask.Start)
    world.play()
    out = next(moment.by for moment in told(world)[0].moments if moment.name == "out")
    leaving, staying = (name for name in ("Ana", "Bob", "Cat") if name != out)
    before = told(world)[0].result["ledger"]
    world.ok(leaving, ask.Leave)
    world.ok(world.room.host or "", ask.DealNext)
    [hand, *_] = told(world)
    assert hand.amended
    assert hand.result["ledger"] != before
    await keep(log, database, world)
    book = await RoomStatsQueries(database).stats_of_room("the-room")
    assert book is not None
    assert book.hands == 1
    found = book.tallies["chase_the_ace"]
    assert {who: n.get(count.POINTS, 0) for who, n in found.items()} == {
        name.lower(): points for name, points in hand.result["ledger"].items()
    }
    assert found[staying.lower()][count.FIRST] == 1
    assert {n[count.HANDS] for n in found.values()} == {1}
    met = {frozenset((pair.player, pair.other)): pair.together for pair in book.pairs["chase_the_ace"]}
    places = [name.lower() for name in placed(hand)]
    assert {pair for pair, n in met.items() if n} == set(map(frozenset, combinations(places, 2)))


async def test_decrees_are_listed_with_their_hand_and_player(database: Database, log: EventLog) -> None:
    world = play(World(game="ceausescu", seed=5).join("Bob", "Cat"), 1, stop=False)
    match = world.room.match
    assert match is not None
    king, *others = match.hierarchy
    world.ok(king, ask.Act, action={"do": "decree", "text": "Sing", "to": others[0]})
    world.ok(others[0], ask.Act, action={"do": "defy"})
    world.ok("Ana", ask.DealNext)
    world.play()
    king = match.hierarchy[0] if world.room.match is None else world.room.match.hierarchy[0]
    world.ok(king, ask.Act, action={"do": "decree", "text": "Dance"})
    world.ok("Ana", ask.Stop)
    await keep(log, database, world)
    page = await RoomStatsQueries(database).highlights_of_room("the-room", event_names=("decree", "obeyed", "defied"))
    assert [
        (line.highlight.what, line.hand, line.highlight.n, line.highlight.values["text"]) for line in page.moments
    ] == [
        ("decree", 1, None, "Dance"),  # after the last hand
        ("defied", 1, None, "Sing"),
        ("decree", 1, None, "Sing"),
    ]
    assert page.moments[-1].highlight.name in world.room.members
    last = next(fact for fact in reversed(world.facts) if isinstance(fact, MatchEnded))
    assert page.moments[0].match_id == last.match_id
    first = await RoomStatsQueries(database).highlights_of_room("the-room", limit=1)
    assert first.next is not None
    rest = await RoomStatsQueries(database).highlights_of_room("the-room", before=first.next)
    assert len(rest.moments) == len((await RoomStatsQueries(database).highlights_of_room("the-room")).moments) - 1
    # Page by page, with and without decrees, and for one person: nothing is missing or repeated.
    books, persons = RoomStatsQueries(database), PersonStatsQueries(database)
    everything = (await books.highlights_of_room("the-room")).moments
    rest = [line for line in everything if line.highlight.what not in ("decree", "obeyed", "defied")]
    paged, before = [], None
    while True:
        one = await books.highlights_of_room(
            "the-room", excluded_event_names=("decree", "obeyed", "defied"), limit=1, before=before
        )
        paged += one.moments
        if (before := one.next) is None:
            break
    assert paged == rest
    own, last_one = [], None
    while True:
        some = await persons.highlights_of_person(king.lower(), limit=1, before=last_one)
        own += some.moments
        if (last_one := some.next) is None:
            break
    assert sorted(own, key=lambda line: (line.nth, line.place), reverse=True) == [
        line for line in everything if line.highlight.player == king.lower()
    ]


async def test_hands_with_bots_are_counted_separately(database: Database, log: EventLog) -> None:
    await keep(log, database, with_and_without_a_bot())
    books = RoomStatsQueries(database)
    book = await books.stats_of_room("the-room")
    assert book is not None
    [evening] = (await books.evenings_of_room("the-room")).evenings
    assert (evening.hands, evening.with_bots) == (5, 2)
    for player in ("ana", "bob", "cat"):
        tallied = book.tallies["president"][player]
        assert (tallied[count.HANDS], tallied[count.WITH_BOTS]) == (5, 2)
        [room] = (await PersonStatsQueries(database).stats_of_person(player)).rooms
        assert (room.hands, room.with_bots) == (5, 2)
        matches = (await MatchList(database).search(MatchFilter(person=player))).matches
        assert [(match.hands, match.with_bots) for match in matches] == [(3, 0), (2, 2)]


def with_and_without_a_bot() -> World:
    """Return a room whose first match of two hands had a bot, and whose second of three had none."""
    world = World(game="president", seed=4, bots=("easy",)).join("Bob", "Cat")
    play(world, 2, stop=False)
    world.ok("Ana", ask.Stop)
    [bot] = [member.name for member in world.room.members.values() if member.bot]
    world.ok("Ana", ask.Rematch)
    world.ok("Ana", ask.RemoveBot, name=bot)
    play(world, 3, stop=False)
    return world


async def test_stats_count_a_player_with_two_browsers_once(database: Database, log: EventLog) -> None:
    world = World(game="president", seed=4).join("Bob", "Cat")
    play(world, 2, stop=False)
    world.tell(ask.PersonDisconnected("bob"))
    world.wait(60)
    world.ok("bob's tablet", ask.AskForSeat, name="Bob")
    world.ok("Ana", ask.AnswerSeatRequest, name="Bob")
    world.tell(ask.PersonConnected("bob's tablet"))
    world.ok("Ana", ask.DealNext)
    world.play()
    await keep(log, database, world)
    books, hands = RoomStatsQueries(database), told(world)
    book = await books.stats_of_room("the-room")
    assert book is not None
    assert {(player.player, player.name, player.hands) for player in book.players} == {
        ("ana", "Ana", 3),
        ("bob's tablet", "Bob", 3),
        ("cat", "Cat", 3),
    }
    points = sum(hand.result["ledger"]["Bob"] for hand in hands)
    tallied = book.tallies["president"]
    assert tallied.keys() == {"ana", "bob's tablet", "cat"}
    assert (tallied["bob's tablet"][count.HANDS], tallied["bob's tablet"].get(count.POINTS, 0)) == (3, points)
    assert [(pair.player, pair.other, pair.together) for pair in book.pairs["president"]] == [
        ("ana", "bob's tablet", 3),
        ("ana", "cat", 3),
        ("bob's tablet", "cat", 3),
    ]
    [evening] = (await books.evenings_of_room("the-room")).evenings
    assert {score.player: score.hands for score in evening.scores} == dict.fromkeys(tallied, 3)
    last = {seat.player: seat.sum for hand in await books.evening_chart("the-room", 1) for seat in hand.seats}
    assert last["bob's tablet"] == points
    rivals = (await PersonStatsQueries(database).stats_of_person("ana")).games["president"]
    met = [rival.person for rival in (*rivals.nemeses, *rivals.victims)]
    assert "bob" not in met
    assert len(set(met)) == len(met)


async def test_stats_count_two_people_separately_if_the_host_separates_them(database: Database, log: EventLog) -> None:
    world = World(game="president", seed=4).join("Bob", "Cat")
    play(world, 1, stop=False)
    world.tell(ask.PersonDisconnected("bob"))
    world.wait(60)
    world.ok("eve", ask.AskForSeat, name="Bob")
    world.ok("Ana", ask.AnswerSeatRequest, name="Bob")
    world.tell(ask.PersonConnected("eve"))
    world.ok("Ana", ask.DealNext)
    world.play()
    world.ok("Ana", ask.CountSeparately, name="Bob")
    await keep(log, database, world)
    book = await RoomStatsQueries(database).stats_of_room("the-room")
    assert book is not None
    assert {player.player: player.hands for player in book.players} == {"ana": 2, "bob": 1, "eve": 1, "cat": 2}


async def test_two_people_who_played_side_by_side_are_not_counted_as_one(database: Database, log: EventLog) -> None:
    world = World(game="president", seed=4).join("Bob", "Cat", "Bert")
    play(world, 2, stop=False)
    world.ok("Bert", ask.Leave)
    world.ok("Ana", ask.DealNext)
    world.tell(ask.PersonDisconnected("bob"))
    world.wait(60)
    world.ok("Bert", ask.AskForSeat, name="Bob")
    world.ok("Ana", ask.AnswerSeatRequest, name="Bob")
    assert not world.person("Bob")["counted_as_one"]
    world.tell(ask.PersonConnected("bert"))
    world.play()
    await keep(log, database, world)
    book = await RoomStatsQueries(database).stats_of_room("the-room")
    assert book is not None
    hands = {player.player: player.hands for player in book.players}
    assert max(hands.values()) == len(told(world)) == 3
    assert hands["bob"] + hands["bert"] == 5


async def test_a_person_is_no_rival_of_themselves(database: Database, log: EventLog) -> None:
    world = World(game="president", seed=4).join("Bob", "Cat", "Bert")
    play(world, 2)
    world.ok("Bert", ask.Leave)
    world.ok("Ana", ask.Rematch)
    play(world, 1, stop=False)
    world.tell(ask.PersonDisconnected("bob"))
    world.wait(60)
    world.ok("Bert", ask.AskForSeat, name="Bob")
    world.ok("Ana", ask.AnswerSeatRequest, name="Bob")
    assert world.person("Bob")["counted_as_one"], "in an earlier match they sat side by side"
    world.ok("Ana", ask.DealNext)
    await keep(log, database, world)
    for person in ("bob", "bert"):
        rivals = (await PersonStatsQueries(database).stats_of_person(person)).games["president"]
        met = {rival.person for rival in (*rivals.nemeses, *rivals.victims)}
        assert met
        assert met <= {"ana", "cat"}


async def test_sums_of_a_person_are_cached_until_a_room_has_another_last_hand(
    database: Database, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    await keep(log, database, play(World(seed=4).join("Bob", "Cat"), 3))
    computed = list[str]()
    compute = person_stats._load_sums

    def counted(connection: sa.Connection, person: str, rooms: list[str]) -> object:
        computed.append(person)
        return compute(connection, person, rooms)

    monkeypatch.setattr(person_stats, "_load_sums", counted)
    cache = SumsCache()
    persons = PersonStatsQueries(database, cache)

    async def points() -> int:
        found = await persons.stats_of_person("ana")
        assert found == await PersonStatsQueries(database).stats_of_person("ana")
        computed.remove("ana")  # without the cache
        return found.games["president"].tallies.get(count.POINTS, 0)

    first = await points()
    assert (await points(), computed) == (first, ["ana"])
    last = sa.select(sa.func.max(counted_hand_players.c.room_hand_number)).scalar_subquery()
    of_ana = counted_hand_players.c.player_key == "ana", counted_hand_players.c.room_hand_number == last
    change = counted_hand_players.update().where(*of_ana).values(points=counted_hand_players.c.points + 100)
    await database.write(lambda connection: connection.execute(change))
    assert (await points(), computed) == (first + 100, ["ana", "ana"])
    cache.clear()
    assert (await points(), computed) == (first + 100, ["ana"] * 3)
    monkeypatch.setattr(sums_cache, "MAX_SECONDS", -1)
    assert (await points(), computed) == (first + 100, ["ana"] * 4)
