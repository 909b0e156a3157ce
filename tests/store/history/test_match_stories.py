"""Test the queries of a match's page, with rooms that were really played."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from app.engine.games import GAMES
from app.rooms.model import commands as ask
from app.rooms.ports.facts import HandEnded, MatchStarted, PointsEntered
from app.stats.hand_story import Story, StoryLine, build_hand_story
from app.stats.match_story import standings_by_hand
from app.store.db.database import Database
from app.store.db.schema import matches
from app.store.event_log.event_log import EventLog
from app.store.history.match_stories import MatchStories
from tests.rooms.world import World
from tests.store.played import keep, play
from tests.store.samples import entry, hand, started


@pytest.fixture
async def log(database: Database) -> AsyncIterator[EventLog]:
    log = EventLog(database)
    yield log
    await log.close()


def names(*lines: StoryLine) -> list[Any]:
    return [each["e"] for line in lines for each in line.texts if not isinstance(each, str)]


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_match_story_lists_its_hands_page_by_page(database: Database, log: EventLog, game: str) -> None:
    world = play(World(game=game, seed=4, bots=("easy",)).join("Bob", "Cat"), 3)
    await keep(log, database, world)
    [match_id] = [fact.match_id for fact in world.facts if isinstance(fact, MatchStarted)]
    pages = await MatchStories(database).load_story_page(match_id, person_id="ana")
    assert pages is not None
    assert [told.number for told in pages.hands] == list(range(pages.last + 1))
    ended = {fact.number for fact in world.facts if isinstance(fact, HandEnded)}
    for told in pages.hands:
        assert told.stored.cut_off == (told.number not in ended)
        assert build_hand_story(told.stored).played or build_hand_story(told.stored).ends
        # The stored moments are the same as those computed from the events.
        assert names(*build_hand_story(replace(told.stored, moments=None)).played) == names(
            *build_hand_story(told.stored).played
        )
    # A page has a limited number of hands, starting at any hand.
    some = await MatchStories(database).load_story_page(match_id, first=1, limit=1)
    assert some is not None
    assert ([told.number for told in some.hands], some.last) == ([1], pages.last)
    assert await MatchStories(database).load_story_page("no such match") is None


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_standings_are_told_without_the_actions_of_the_hands(
    database: Database, log: EventLog, game: str
) -> None:
    world = play(World(game=game, seed=4, bots=("easy",)).join("Bob", "Cat"), 12)
    await keep(log, database, world)
    [match_id] = [fact.match_id for fact in world.facts if isinstance(fact, MatchStarted)]
    pages = await MatchStories(database).load_story_page(match_id)
    brief = await MatchStories(database).load_standings(match_id)
    assert pages is not None
    assert brief is not None
    assert brief.match == pages.match
    assert standings_by_hand(brief.hands) == standings_by_hand(pages.hands) != []
    assert all("actions" not in hand.stored.record for hand in brief.hands)
    assert sum(len(hand.stored.events) for hand in brief.hands) < sum(len(told.stored.events) for told in pages.hands)
    assert await MatchStories(database).load_standings("no such match") is None


async def test_decrees_are_shown_before_or_after_the_right_hand(database: Database, log: EventLog) -> None:
    world = play(World(game="ceausescu", seed=5).join("Bob", "Cat"), 1, stop=False)
    match = world.room.match
    assert match is not None
    king, *others = match.hierarchy
    world.ok(king, ask.Act, action={"do": "decree", "text": "Sing", "to": others[0]})
    world.ok(others[0], ask.Act, action={"do": "defy"})
    world.ok("Ana", ask.DealNext)
    world.play()
    assert world.room.match is not None
    world.ok(world.room.match.hierarchy[0], ask.Act, action={"do": "decree", "text": "Dance"})
    world.ok("Ana", ask.Stop)
    await keep(log, database, world)
    [match_id] = [fact.match_id for fact in world.facts if isinstance(fact, MatchStarted)]
    pages = await MatchStories(database).load_story_page(match_id)
    assert pages is not None
    first, second = (build_hand_story(told.stored) for told in pages.hands)
    assert (names(*first.before), names(*first.after)) == ([], [])
    assert names(*second.before) == ["decree", "defied"]
    assert names(*second.after) == ["decree"]
    assert texts(second) == ["Sing", "Sing", "Dance"]


def texts(told: Story) -> list[str]:
    lines = (*told.before, *told.after)
    return [each["text"] for line in lines for each in line.texts if not isinstance(each, str)]


async def test_points_entered_before_a_hand_are_shown_with_that_hand(database: Database, log: EventLog) -> None:
    world = play(World(game="chase_the_ace", seed=5).join("Bob", "Cat"), 1)
    await keep(log, database, world)
    [match_id] = [fact.match_id for fact in world.facts if isinstance(fact, MatchStarted)]
    pages = await MatchStories(database).load_story_page(match_id)
    assert pages is not None
    entered = {fact.hand: fact.reasons for fact in world.facts if isinstance(fact, PointsEntered)}
    assert {told.number: list(told.entered) for told in pages.hands if told.entered} == {
        number: sorted(reasons, key=lambda reason: reason["name"]) for number, reasons in entered.items()
    }


async def test_highlights_of_all_hands_are_listed_page_by_page(database: Database, log: EventLog) -> None:
    world = play(World(game="ceausescu", seed=5).join("Bob", "Cat", "Dan"), 6, stop=False)
    match = world.room.match
    assert match is not None
    world.ok(match.hierarchy[0], ask.Act, action={"do": "decree", "text": "Dance"})
    world.ok("Ana", ask.DealNext)
    world.play(until=60)
    world.ok("Ana", ask.Stop)
    await keep(log, database, world)
    [match_id] = [fact.match_id for fact in world.facts if isinstance(fact, MatchStarted)]
    stories = MatchStories(database)
    pages, told = await stories.load_story_page(match_id), await stories.load_highlighted_hands(match_id)
    assert pages is not None
    assert told is not None
    # The last hand was aborted and is not in the stats, but the page shows it.
    listed = {hand.number: build_hand_story(hand.stored).spoken for hand in told.hands}
    assert listed == {
        hand.number: lines
        for hand in pages.hands
        if (lines := build_hand_story(hand.stored).spoken) or hand.stored.cut_off
    }
    kinds = [name for lines in listed.values() for line in lines for name in names(line)]
    assert {"bomb", "decree"} <= set(kinds)
    assert not {"out_first", "cleared_the_way"} & set(kinds), "that is of its hand only"
    assert told.next is None

    some, first = [], 0
    while first is not None:
        page = await stories.load_highlighted_hands(match_id, first=first, limit=2)
        assert page is not None
        assert 0 < len(page.hands) <= 2
        some += [hand.number for hand in page.hands]
        first = page.next
    assert some == list(listed)
    assert await stories.load_highlighted_hands("no such match") is None

    # Among many bombs, the single decree is the rarest moment, followed by the end of the match.
    rarest = await stories.load_rarest_highlights(match_id, most=3)
    assert rarest.more
    assert (6, None) in rarest.moves, kinds
    assert len(rarest.moves) == 3
    assert {number for number, _ in rarest.moves} == {hand.number for hand in rarest.hands}


async def test_continued_matches_are_linked_to_each_other(database: Database, log: EventLog) -> None:
    world = World().join("Bob")
    await keep(log, database, world)
    seq = len(world.entries)
    for number in range(3):
        told = [started(f"m{number}", "the-room", seconds=number), hand(f"m{number}", 0, room="the-room")]
        await log.append("the-room", seq + number, [entry()], told)
    link = matches.update().where(matches.c.id == "m1").values(previous_match_id="m0")
    await database.write(lambda connection: connection.execute(link))
    linked = [await MatchStories(database).load_story_page(each) for each in ("m0", "m1", "m2")]
    assert [(each.continues, each.continued_by) for each in linked if each] == [
        (None, "m1"),
        ("m0", None),
        (None, None),
    ]
