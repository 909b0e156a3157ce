"""Test stand-ins: bots for a turn or a seat, who may ask for them and when, and links to lost seats."""

from collections.abc import Mapping

import pytest

from app.rooms.log.deadlines import timer_requests
from app.rooms.model import commands as ask
from app.rooms.model.decision import AskBot, Decision
from app.rooms.model.state import to_milliseconds
from app.rooms.ports.facts import PlayersMerged, PlayersSeparated
from app.rooms.seats.stand_ins import LINK_MS
from app.rooms.views import room_view
from tests.for_each import for_each
from tests.rooms.world import World, four, playing


def awaited(*names: str) -> World:
    """Return four players at the turn of one of these."""
    world = playing()
    while world.to_act not in names:
        world.play(1)
    return world


def helper(world: World) -> str:
    """Return a player who is neither the host nor in turn."""
    return next(name for name in ("Bob", "Cat", "Dan") if name != world.to_act)


def shown_helps(world: World, person: str) -> Mapping[str, int]:
    """Return the waiting times, in milliseconds, after which this person may let a bot play for each player."""
    as_whom = room_view.build_you(world.room, person)["let_bot_play_as"]
    return room_view.build_stable_room(world.room)["let_bot_play_after"][as_whom]


# Waiting time -------------------------------------------------------------------------------------------------


def test_the_room_shows_the_start_of_the_current_wait() -> None:
    world = playing()
    first, began = world.to_act, to_milliseconds(world.now)
    world.wait(100)
    assert room_view.build_room(world.room)["waiting_since"] == {first: began}
    assert room_view.build_room(world.room)["clock"]["patience"] == 45
    world.ok(first, ask.Act, action=world.choose(first))
    assert room_view.build_room(world.room)["waiting_since"] == {world.to_act: to_milliseconds(world.now)}
    world.play()
    assert room_view.build_room(world.room)["waiting_since"] == {}


def test_the_host_can_set_the_patience_of_the_room() -> None:
    world = awaited("Bob", "Cat", "Dan")
    world.ok("Ana", ask.Configure, clock={"patience": 5})
    world.wait(5)
    world.ok("Ana", ask.LetBotPlay, name=world.to_act)
    assert world.refused("Ana", ask.Configure, clock={"patience": None}) == "bad_setting"


# Permissions and delays ---------------------------------------------------------------------------------------


def test_the_host_can_let_a_bot_play_a_turn_after_the_patience_time() -> None:
    world = awaited("Bob", "Cat", "Dan")
    sleeper = world.to_act
    world.wait(44.9)
    assert world.refused("Ana", ask.LetBotPlay, name=sleeper) == "not_now"
    world.wait(0.1)
    world.ok("Ana", ask.LetBotPlay, name=sleeper)
    assert timer_requests(world.room) == (AskBot(sleeper, "easy", 0),)
    world.bots()
    assert world.to_act != sleeper or world.run.hand.actions[-1][0] == sleeper
    assert world.person(sleeper)["stand_in"] is None
    assert world.person(sleeper)["missed_turns"] == 0
    acted = [entry.data for entry in world.entries if entry.kind == "acted"][-1]
    assert (acted["by"], acted["auto"]) == (sleeper, "bot")


def test_a_bot_that_plays_a_single_turn_does_not_lead_the_next_trick() -> None:
    world = World(options={"twos": "single_wins"}).join("Bob", "Cat")
    world.ok("Ana", ask.Start)
    for _ in range(60):
        name = world.to_act
        world.wait(45)
        world.ok("Ana" if name != "Ana" else "Bob", ask.LetBotPlay, name=name)
        turn = world.room.turn
        world.bots()
        if world.room.phase != "playing":
            return
        assert world.room.turn == turn + 1
        assert world.person(name)["stand_in"] is None
    raise AssertionError("the hand has no end")


def test_other_players_can_let_a_bot_play_after_twice_the_patience_time() -> None:
    world = awaited("Bob", "Cat", "Dan")
    world.wait(89.9)
    world.join("Eve")
    assert world.refused(helper(world), ask.LetBotPlay, name=world.to_act) == "not_now"
    assert world.refused("Eve", ask.LetBotPlay, name=world.to_act) == "not_host"
    assert world.refused("stranger", ask.LetBotPlay, name=world.to_act) == "not_a_member"
    assert world.refused("Ana", ask.LetBotPlay, name=helper(world)) == "not_now"
    assert world.refused("Ana", ask.LetBotPlay, name="Ana") == "not_now"
    assert world.refused("Ana", ask.LetBotPlay, name="Nobody") == "no_such_name"
    assert world.refused("Ana", ask.LetBotPlay, name="Eve") == "no_such_name"
    world.wait(0.1)
    assert world.refused("Eve", ask.LetBotPlay, name=world.to_act) == "not_host"
    world.ok(helper(world), ask.LetBotPlay, name=world.to_act)


def test_any_player_can_let_a_bot_play_for_a_slow_host() -> None:
    world = awaited("Ana")
    world.join("Eve")
    world.wait(44)
    assert world.refused("Bob", ask.LetBotPlay, name="Ana") == "not_now"
    world.wait(1)
    assert world.refused("Eve", ask.LetBotPlay, name="Ana") == "not_host"
    assert world.refused("Ana", ask.LetBotPlay, name="Ana") == "not_now"
    world.ok("Bob", ask.LetBotPlay, name="Ana", seat=True)
    world.bots()
    # A bot plays for the host, so only the other players can help the next slow one.
    sleeper = world.to_act
    world.wait(45)
    world.ok(helper(world), ask.LetBotPlay, name=sleeper)


def test_the_host_can_let_a_bot_play_for_an_absent_player_at_once() -> None:
    world = playing()
    world.tell(ask.PersonDisconnected("bob"))
    assert world.refused("Cat", ask.LetBotPlay, name="Bob") == "not_now"
    world.ok("Ana", ask.LetBotPlay, name="Bob", seat=True)
    assert world.person("Bob")["stand_in"] == "easy"
    assert world.room.clocks.away == {}
    assert world.refused("Ana", ask.LetBotPlay, name="Bob", seat=True) == "not_now"
    world.tell(ask.PersonConnected("bob"))
    assert world.person("Bob")["stand_in"] is None


def test_a_bot_cannot_be_put_in_for_a_player_between_hands() -> None:
    world = playing()
    world.play()
    assert world.refused("Ana", ask.LetBotPlay, name="Bob") == "not_now"


def test_each_player_sees_the_delay_until_they_may_let_a_bot_play() -> None:
    world = awaited("Bob", "Cat", "Dan")
    assert shown_helps(world, "ana")[world.to_act] == 45_000
    assert shown_helps(world, helper(world).lower())[world.to_act] == 90_000
    world = awaited("Ana")
    assert shown_helps(world, "bob")["Ana"] == 45_000
    world.tell(ask.PersonDisconnected("bob"))
    assert shown_helps(world, "ana")["Bob"] == 0
    world.ok("Dan", ask.Watch)
    assert room_view.build_you(world.room, "dan")["let_bot_play_as"] is None


# Until the owner acts -----------------------------------------------------------------------------------------


def lent() -> tuple[World, str]:
    """Return a room in which a bot plays for a connected player, and that player's name."""
    world = awaited("Bob", "Cat", "Dan")
    sleeper = world.to_act
    world.wait(45)
    world.ok("Ana", ask.LetBotPlay, name=sleeper, seat=True)
    return world, sleeper


def test_a_bot_plays_a_lent_seat_until_its_owner_acts() -> None:
    world, sleeper = lent()
    world.play()
    assert world.person(sleeper)["stand_in"] == "easy"
    world.promise(sleeper)
    world.tell(ask.PersonConnected(sleeper.lower()))
    assert world.person(sleeper)["stand_in"] == "easy", "what a page does by itself is no touch"
    world.ok("Ana", ask.DealNext)
    world.reveal(sleeper)
    assert world.person(sleeper)["stand_in"] == "easy"
    world.restarted()
    world.ok(sleeper, ask.ResumeSeat)
    assert world.person(sleeper)["stand_in"] is None
    world.play()


def test_a_bot_playing_a_single_turn_can_be_given_the_whole_seat() -> None:
    world = awaited("Bob", "Cat", "Dan")
    sleeper = world.to_act
    world.wait(45)
    world.ok("Ana", ask.LetBotPlay, name=sleeper)
    assert world.refused("Ana", ask.LetBotPlay, name=sleeper) == "not_now"
    world.ok("Ana", ask.LetBotPlay, name=sleeper, seat=True)
    world.bots()
    assert world.person(sleeper)["stand_in"] == "easy"


def test_a_player_who_acts_before_the_bot_gets_the_seat_back() -> None:
    world, sleeper = lent()
    world.ok(sleeper, ask.Act, action=world.choose(sleeper))
    assert world.person(sleeper)["stand_in"] is None
    late = ask.BotAct(sleeper, world.room.turn - 1, {"do": "pass"})
    assert world.tell(late).append_request is None


def test_a_bot_cannot_be_put_in_for_a_player_who_has_just_acted() -> None:
    world = awaited("Bob", "Cat", "Dan")
    sleeper = world.to_act
    world.wait(45)
    world.ok(sleeper, ask.Act, action=world.choose(sleeper))
    outcome = world.ask("Ana", ask.LetBotPlay, name=sleeper)
    assert not outcome.reply.ok
    assert outcome.reply.message in (
        f"Nobody is waiting for {sleeper} now.",
        f"{sleeper} has had 0 s; a bot may play from 45 s on.",
    )


def test_a_player_who_acts_after_the_bot_is_told_the_turn_was_played() -> None:
    world = awaited("Bob", "Cat", "Dan")
    sleeper = world.to_act
    action, request = world.choose(sleeper), world.run.requests.request_number_of(sleeper)
    world.wait(45)
    world.ok("Ana", ask.LetBotPlay, name=sleeper)
    world.bots()
    assert world.to_act != sleeper
    answer = world.ask(sleeper, ask.Act, action=action, request=request).reply
    assert answer.code == "too_late"
    assert answer.message == "Too late: a bot has played your turn."


def test_a_bot_asked_for_a_single_turn_plays_the_whole_exchange() -> None:
    world = playing(options={"exchange": "two_one"})
    for _ in range(20):
        world.play()
        if world.room.phase == "finished":
            world.ok("Ana", ask.Rematch)
            world.ok("Ana", ask.Start)
            continue
        world.ok("Ana", ask.DealNext)
        assert world.room.match is not None
        if world.room.match.phase == "exchange":
            break
    giver = world.to_act
    world.wait(45)
    world.ok("Bob" if giver == "Ana" else "Ana", ask.LetBotPlay, name=giver)
    world.bots()
    assert world.person(giver)["stand_in"] is None


# The turn clock, during a match -------------------------------------------------------------------------------


def test_a_turn_clock_set_or_cleared_during_a_hand_applies_to_the_current_turn() -> None:
    world = playing()
    world.wait(1000)
    for seconds in (60, 20):
        world.ok("Ana", ask.Configure, clock={"turn": seconds})
        assert world.room.clocks.turns == {world.to_act: to_milliseconds(world.now) + seconds * 1000}
        world.wait(1)
    world.ok("Ana", ask.Configure, clock={"turn": None})
    assert world.room.clocks.turns == {}
    assert world.refused("Bob", ask.Configure, clock={"turn": 5}) == "not_host"


# A seat is given to another browser ---------------------------------------------------------------------------


def away(name: str = "Bob", seconds: float = 60) -> World:
    """Return four players, one of whom has been away for this time, while no bot plays yet."""
    world = playing(clock={"away": 600})
    world.tell(ask.PersonDisconnected(name.lower()))
    world.wait(seconds)
    return world


def lost() -> World:
    """Return a room in which Bob has lost his phone and Ana has made a link for him."""
    world = away()
    world.ok("Ana", ask.MakeLink, name="Bob", digest="d1")
    return world


def given() -> World:
    """Return a room in which a new phone has taken Bob's seat by Ana's link."""
    world = lost()
    world.ok("new phone", ask.TakeSeat, digest="d1")
    world.tell(ask.PersonConnected("new phone"))
    return world


def test_a_seat_link_works_once_for_a_single_browser() -> None:
    world = lost()
    held = room_view.build_you(world.room, "bob")["cards"]
    assert b"d1" not in str(room_view.build_room(world.room)).encode()
    world.ok("new phone", ask.TakeSeat, digest="d1")
    assert room_view.build_you(world.room, "new phone")["cards"] == held
    assert room_view.build_you(world.room, "bob")["name"] is None
    assert world.refused("third", ask.TakeSeat, digest="d1") == "bad_link"
    assert world.refused("bob", ask.Act, action={"do": "pass"}) == "not_a_member"
    world.tell(ask.PersonConnected("new phone"))
    assert world.person("Bob")["present"]
    world.restarted()
    world.play()


def test_a_player_who_takes_the_seat_of_an_api_client_counts_as_a_person() -> None:
    world = playing()
    world.ok("bob", ask.Join, name="Bob", program=True)
    world.tell(ask.PersonDisconnected("bob"))
    world.wait(60)
    world.ok("Ana", ask.MakeLink, name="Bob", digest="d1")
    assert world.person("Bob")["program"]
    world.ok("new phone", ask.TakeSeat, digest="d1")
    assert not world.person("Bob")["program"]


def test_a_seat_can_be_given_only_after_a_minute_of_unbroken_absence() -> None:
    world = away(seconds=59.9)
    assert world.refused("Ana", ask.MakeLink, name="Bob", digest="d1") == "not_now"
    assert world.person("Bob")["link_allowed_from"] == to_milliseconds(world.now) + 100
    world.tell(ask.PersonConnected("bob"))
    assert world.person("Bob")["link_allowed_from"] is None
    world.tell(ask.PersonDisconnected("bob"))
    world.wait(59.9)
    assert world.refused("Ana", ask.MakeLink, name="Bob", digest="d1") == "not_now"
    world.wait(0.1)
    world.ok("Ana", ask.MakeLink, name="Bob", digest="d1")


def test_a_refused_link_says_how_many_seconds_are_left() -> None:
    world = away(seconds=17.5)
    answer = world.ask("Ana", ask.MakeLink, name="Bob", digest="d1").reply
    assert answer.message == "Bob has just lost the connection. Try again in 43 seconds."
    world.wait(42)
    answer = world.ask("Ana", ask.MakeLink, name="Bob", digest="d1").reply
    assert answer.message == "Bob has just lost the connection. Try again in 1 second."


def test_a_restart_does_not_shorten_the_minute_before_a_seat_link() -> None:
    world = playing()
    world.wait(100)
    world.tell(ask.RoomLoaded())
    world.tell(ask.PersonConnected("ana"))
    assert world.refused("Ana", ask.MakeLink, name="Bob", digest="d1") == "not_now"
    world.wait(60)
    world.ok("Ana", ask.MakeLink, name="Bob", digest="d1")
    world = away(seconds=50)
    world.tell(ask.RoomLoaded())
    world.tell(ask.PersonConnected("ana"))
    world.wait(10)
    world.ok("Ana", ask.MakeLink, name="Bob", digest="d1")


def test_a_host_can_make_a_link_to_a_seat_played_by_a_bot() -> None:
    world = playing()
    world.tell(ask.PersonDisconnected("bob"))
    world.wait(60)
    assert world.person("Bob")["stand_in"] == "easy"
    world.ok("Ana", ask.MakeLink, name="Bob", digest="d1")
    world.ok("new phone", ask.TakeSeat, digest="d1")


def test_a_seat_link_needs_an_absent_player_and_ends_when_they_return() -> None:
    world = lost()
    assert world.refused("Ana", ask.MakeLink, name="Cat", digest="d2") == "not_now"
    assert world.refused("Cat", ask.MakeLink, name="Bob", digest="d2") == "not_host"
    assert world.refused("Ana", ask.MakeLink, name="Nobody", digest="d2") == "no_such_name"
    world.tell(ask.PersonConnected("bob"))
    assert world.refused("new phone", ask.TakeSeat, digest="d1") == "bad_link"
    world.tell(ask.PersonDisconnected("bob"))
    world.wait(60)
    assert world.refused("new phone", ask.TakeSeat, digest="d1") == "bad_link"


def test_a_seat_link_expires_and_is_replaced_by_a_newer_link() -> None:
    world = lost()
    world.ok("Ana", ask.MakeLink, name="Bob", digest="d2")
    assert world.refused("new phone", ask.TakeSeat, digest="d1") == "bad_link"
    world.wait(LINK_MS / 1000)
    assert world.refused("new phone", ask.TakeSeat, digest="d2") == "bad_link"


def test_a_seated_player_cannot_use_a_link_to_a_second_seat() -> None:
    world = lost().join("Eve")
    assert world.refused("Dan", ask.TakeSeat, digest="d1") == "not_now"
    world.ok("Eve", ask.TakeSeat, digest="d1")
    assert "Eve" not in world.names()
    assert world.room.members["Bob"].person == "eve"


def test_a_banned_person_cannot_use_a_seat_link() -> None:
    world = lost()
    world.ok("Ana", ask.Remove, name="Dan", ban=True)
    assert world.refused("Dan", ask.TakeSeat, digest="d1") == "removed"
    world.ok("Ana", ask.Remove, name="Bob", ban=True)
    assert world.refused("new phone", ask.TakeSeat, digest="d1") == "bad_link"


def events_of(*outcomes: Decision) -> list[Mapping[str, object]]:
    return [event.to_json() for outcome in outcomes for event in outcome.game_events]


def test_seat_links_and_moved_seats_are_announced_to_everyone() -> None:
    world = away()
    made = world.ok("Ana", ask.MakeLink, name="Bob", digest="d1")
    used = world.ok("new phone", ask.TakeSeat, digest="d1")
    back = world.ok("bob", ask.TakeSeatBack)
    asked = world.ok("Bob", ask.AskForLink)
    assert events_of(made, used, back, asked) == [
        {"e": "seat_link_made", "by": "Bob", "host": "Ana"},
        {"e": "seat_moved", "by": "Bob", "host": "Ana"},
        {"e": "seat_taken_back", "by": "Bob"},
        {"e": "seat_link_allowed", "by": "Bob"},
    ]


# The seat of a player who was removed -------------------------------------------------------------------------


@pytest.mark.parametrize("ban", [False, True])
def test_the_seat_of_a_removed_player_cannot_be_given_and_a_bot_plays_it(ban: bool) -> None:
    world = away()
    world.ok("Ana", ask.Remove, name="Bob", ban=ban)
    code = "no_such_name" if ban else "not_now"
    assert world.person("Bob")["link_allowed_from"] is None
    assert world.refused("Ana", ask.MakeLink, name="Bob", digest="d1") == code
    assert world.person("Bob")["stand_in"] == "easy"
    world.play()
    assert world.room.phase == "between_hands"
    world.ok("Ana", ask.DealNext)
    assert world.refused("Ana", ask.MakeLink, name="Bob", digest="d1") == code


@pytest.mark.parametrize("ban", [False, True])
def test_removing_a_player_ends_a_link_to_their_seat(ban: bool) -> None:
    world = lost()
    world.ok("Ana", ask.Remove, name="Bob", ban=ban)
    assert world.refused("new phone", ask.TakeSeat, digest="d1") == "bad_link"


def test_the_seat_of_a_player_who_left_can_be_given_at_once() -> None:
    world = playing()
    world.ok("Bob", ask.Leave)
    world.tell(ask.PersonDisconnected("bob"))
    world.ok("Ana", ask.MakeLink, name="Bob", digest="d1")
    world.ok("new phone", ask.TakeSeat, digest="d1")
    assert world.person("Bob")["leaving_as"] is None


def test_a_player_removed_before_the_match_can_get_a_seat_link_after_rejoining() -> None:
    world = four()
    world.ok("Ana", ask.Remove, name="Bob", ban=False)
    world.tell(ask.PersonDisconnected("bob"))
    world.wait(60)
    assert world.refused("Ana", ask.MakeLink, name="Bob", digest="d1") == "not_now"
    world.tell(ask.PersonConnected("bob"))
    world.ok("Bob", ask.Join, name="Bob")
    world.tell(ask.PersonDisconnected("bob"))
    world.wait(60)
    world.ok("Ana", ask.MakeLink, name="Bob", digest="d1")


# The first device returns -------------------------------------------------------------------------------------


def test_a_player_whose_seat_was_given_away_is_offered_it_back() -> None:
    world = given()
    asked = room_view.build_you(world.room, "bob")["seat_given"]
    assert asked == {"name": "Bob", "by": "Ana", "at": to_milliseconds(world.now)}
    assert room_view.build_you(world.room, "new phone")["seat_given"] is None
    assert room_view.build_you(world.room, "stranger")["seat_given"] is None
    assert world.refused("stranger", ask.TakeSeatBack) == "not_now"


def test_only_the_holder_of_a_given_seat_sees_its_cards() -> None:
    world = given()
    assert room_view.build_you(world.room, "new phone")["cards"]
    assert not room_view.build_you(world.room, "bob").keys() & {"cards", "legal"}
    world.ok("bob", ask.TakeSeatBack)
    assert room_view.build_you(world.room, "bob")["cards"]
    assert not room_view.build_you(world.room, "new phone").keys() & {"cards", "legal"}


def test_a_player_can_take_back_a_given_seat_with_its_cards() -> None:
    world = given()
    held = room_view.build_you(world.room, "new phone")["cards"]
    assert world.run.names["Bob"] == "new phone", "what is played now counts for them"
    world.ok("bob", ask.TakeSeatBack)
    assert room_view.build_you(world.room, "bob")["cards"] == held
    assert world.person("Bob")["present"]
    assert room_view.build_you(world.room, "bob")["seat_given"] is None
    assert room_view.build_you(world.room, "new phone")["name"] is None
    assert world.refused("new phone", ask.Act, action={"do": "pass"}) == "not_a_member"
    assert world.refused("new phone", ask.TakeSeatBack) == "not_now"
    world.restarted()
    world.play()
    assert world.run.names["Bob"] == "bob"


def test_after_a_seat_is_taken_back_a_new_link_needs_a_request_of_the_player() -> None:
    world = given()
    world.ok("bob", ask.TakeSeatBack)
    assert room_view.build_you(world.room, "bob")["links_blocked"]
    world.tell(ask.PersonDisconnected("bob"))
    world.wait(60)
    assert world.person("Bob")["link_allowed_from"] is None
    assert world.refused("Ana", ask.MakeLink, name="Bob", digest="d2") == "not_now"
    world.tell(ask.PersonConnected("bob"))
    world.ok("Bob", ask.AskForLink)
    world.tell(ask.PersonDisconnected("bob"))
    world.wait(60)
    world.ok("Ana", ask.MakeLink, name="Bob", digest="d2")
    world.ok("second phone", ask.TakeSeat, digest="d2")


def test_taking_a_seat_back_releases_the_name_used_as_spectator() -> None:
    world = given()
    world.ok("bob", ask.Join, name="Robert")
    assert room_view.build_you(world.room, "bob")["seat_given"]["name"] == "Bob"
    world.ok("bob", ask.TakeSeatBack)
    assert "Robert" not in world.names()
    assert world.room.members["Bob"].person == "bob"


def test_a_player_with_another_seat_cannot_take_the_first_seat_back() -> None:
    world = given()
    world.ok("bob", ask.Join, name="Robert")
    world.play()
    world.ok("Ana", ask.DealNext)
    assert world.room.has_match_seat("Robert")
    assert world.refused("bob", ask.TakeSeatBack) == "not_now"


def test_earlier_holders_of_a_seat_can_take_it_back_from_later_holders() -> None:
    world = given()
    world.tell(ask.PersonDisconnected("new phone"))
    world.wait(60)
    world.ok("Ana", ask.MakeLink, name="Bob", digest="d2")
    world.ok("ana's friend", ask.TakeSeat, digest="d2")
    assert room_view.build_you(world.room, "bob")["seat_given"]["name"] == "Bob"
    world.ok("new phone", ask.TakeSeatBack)
    assert world.refused("ana's friend", ask.TakeSeatBack) == "not_now"
    world.ok("bob", ask.TakeSeatBack)
    assert world.refused("new phone", ask.TakeSeatBack) == "not_now"


def test_a_player_can_rejoin_under_their_name_after_the_other_browser_leaves() -> None:
    world = given()
    world.ok("new phone", ask.Leave)
    world.play()
    world.ok("Ana", ask.DealNext)
    assert "Bob" not in world.names()
    assert world.refused("stranger", ask.Join, name="Bob") == "name_taken"
    world.ok("bob", ask.Join, name="Bob")
    world.restarted()


def test_a_banned_person_cannot_take_a_seat_back() -> None:
    world = given()
    world.ok("bob", ask.Join, name="Robert")
    world.ok("Ana", ask.Remove, name="Robert", ban=True)
    assert world.refused("bob", ask.TakeSeatBack) == "removed"


def test_a_forgotten_person_has_no_claim_to_a_seat() -> None:
    world = given()
    world.ok("bob", ask.BeForgotten)
    assert room_view.build_you(world.room, "bob")["seat_given"] is None


# A link ends with the role of the host who made it ------------------------------------------------------------


@pytest.mark.parametrize("way", ["hands over", "leaves", "is removed", "is banned", "loses the seat"])
def test_a_seat_link_ends_when_the_host_who_made_it_loses_the_role_or_leaves(way: str) -> None:
    world = lost()
    if way == "hands over":
        world.ok("Ana", ask.TransferHost, name="Cat")
    elif way == "leaves":
        world.ok("Ana", ask.Leave)
    else:
        world.tell(ask.PersonDisconnected("ana"))
        world.wait(600)
        assert world.room.host == "Cat"
    if way in ("is removed", "is banned"):
        world.ok("Cat", ask.Remove, name="Ana", ban=way == "is banned")
    elif way == "loses the seat":
        world.ok("Cat", ask.MakeLink, name="Ana", digest="ana's")
        world.ok("ana's tablet", ask.TakeSeat, digest="ana's")
    assert world.refused("new phone", ask.TakeSeat, digest="d1") == "bad_link"


def test_a_seat_link_still_works_after_the_host_who_made_it_was_away() -> None:
    world = lost()
    world.tell(ask.PersonDisconnected("ana"))
    world.wait(600)
    assert world.room.host == "Cat"
    world.tell(ask.PersonConnected("ana"))
    world.ok("new phone", ask.TakeSeat, digest="d1")
    assert room_view.build_you(world.room, "bob")["seat_given"]["by"] == "Ana"


def test_a_seat_link_stays_invalid_after_the_host_role_returns() -> None:
    world = lost()
    world.ok("Ana", ask.TransferHost, name="Cat")
    world.ok("Cat", ask.TransferHost, name="Ana")
    assert world.refused("new phone", ask.TakeSeat, digest="d1") == "bad_link"


# Returning with another browser ------------------------------------------------------------------------------------


def test_the_host_can_approve_a_seat_request_from_another_device() -> None:
    world = away("Bob", seconds=10)
    world.ok("bob's tablet", ask.AskForSeat, name="Bob")
    assert world.person("Bob")["seat_requested"]
    assert room_view.build_you(world.room, "bob's tablet")["requested_seat"] == "Bob"
    assert world.refused("Ana", ask.AnswerSeatRequest, name="Bob") == "not_now", "the first minute is Bob's"
    assert world.refused("Cat", ask.AnswerSeatRequest, name="Bob") == "not_host"
    world.wait(50)
    world.ok("Ana", ask.AnswerSeatRequest, name="Bob")
    assert world.room.members["Bob"].person == "bob's tablet"
    assert world.person("Bob")["counted_as_one"]
    assert not world.person("Bob")["seat_requested"]
    assert [fact for fact in world.facts if isinstance(fact, PlayersMerged)] == [
        PlayersMerged("the-room", "bob", "bob's tablet")
    ]


def absent(state: str) -> World:
    """Return a running hand in which Bob is in this state."""
    world = playing(clock={"away": 30})
    if state.startswith("left"):
        world.ok("Bob", ask.Leave)
    elif state.startswith(("removed", "banned")):
        world.ok("Ana", ask.Remove, name="Bob", ban=state.startswith("banned"))
    if state.endswith("dealt out"):
        world.play()
        if state.startswith("removed"):
            world.ok("Ana", ask.DealNext)
            world.ok("Bob", ask.Leave)
        else:
            world.ok("Ana", ask.DealNext)
        assert "Bob" not in world.names()
    elif state != "connected":
        world.tell(ask.PersonDisconnected("bob"))
    if state == "replaced by a bot":
        world.wait(31)
        assert world.person("Bob")["stand_in"]
    return world


@for_each(
    "state",
    [
        "connected",
        "away",
        "left",
        "left, dealt out",
        "removed",
        "removed, dealt out",
        "banned",
        "banned, dealt out",
        "replaced by a bot",
    ],
)
def test_each_absent_player_comes_back_or_hears_what_to_do(state: str) -> None:
    world = absent(state)
    outcome = world.ask("bob's tablet", ask.AskForSeat, name="Bob")
    if state.startswith(("connected", "removed", "banned")):
        assert not outcome.reply.ok
        assert outcome.reply.message is not None
        assert outcome.reply.message.endswith(".")
        return
    assert outcome.reply.ok
    if not state.startswith("left"):
        assert world.refused("Ana", ask.AnswerSeatRequest, name="Bob") == "not_now", "Bob can object for a minute"
        world.wait(60)
    world.ok("Ana", ask.AnswerSeatRequest, name="Bob")
    world.tell(ask.PersonConnected("bob's tablet"))
    if state.endswith("dealt out"):
        assert world.person("Bob")["role"] == "waiting"
        world.play()
        world.ok("Ana", ask.DealNext)
    assert world.person("Bob")["role"] == "seated"
    back = world.person("Bob")
    assert (back["present"], back["stand_in"], back["leaving_as"]) == (True, None, None)
    assert world.room.members["Bob"].person == "bob's tablet"


def test_a_player_who_left_comes_back_with_points_and_history() -> None:
    world = absent("left, dealt out")
    points = world.run.match.totals["Bob"]
    assert points
    assert room_view.build_room(world.room)["left_players"] == [
        {"name": "Bob", "points": points, "seat_requested": False}
    ]
    world.ok("bob's tablet", ask.AskForSeat, name="bob")
    assert room_view.build_room(world.room)["left_players"][0]["seat_requested"]
    assert room_view.build_you(world.room, "bob's tablet")["requested_seat"] == "Bob"
    assert world.refused("Cat", ask.AnswerSeatRequest, name="Bob") == "not_host"
    assert world.refused("Ana", ask.MakeLink, name="Bob", digest="d1") == "no_such_name"
    world.restarted()
    world.ok("Ana", ask.AnswerSeatRequest, name="Bob")
    world.tell(ask.PersonConnected("bob's tablet"))
    assert room_view.build_room(world.room)["left_players"] == []
    assert world.facts[-1] == PlayersMerged("the-room", "bob", "bob's tablet")
    world.play()
    world.ok("Ana", ask.DealNext)
    assert world.room.has_match_seat("Bob")
    assert world.run.match.totals["Bob"] == points
    assert room_view.build_you(world.room, "bob")["seat_given"]["name"] == "Bob", "the first browser can object"


def test_a_refused_request_for_a_lost_seat_changes_nothing() -> None:
    world = absent("left, dealt out")
    world.ok("eve", ask.AskForSeat, name="Bob")
    assert world.refused("zed", ask.AskForSeat, name="Bob") == "not_now"
    world.ok("Ana", ask.AnswerSeatRequest, name="Bob", yes=False)
    assert "Bob" not in world.names()
    assert world.refused("Ana", ask.AnswerSeatRequest, name="Bob") == "not_now"


def test_a_request_for_a_lost_seat_ends_when_the_player_comes_back_or_is_forgotten() -> None:
    world = absent("left, dealt out")
    world.ok("eve", ask.AskForSeat, name="Bob")
    world.ok("bob", ask.Join, name="Bob")
    assert not world.room.departed
    assert world.refused("Ana", ask.AnswerSeatRequest, name="Bob") == "not_now"
    world = absent("left, dealt out")
    world.ok("eve", ask.AskForSeat, name="Bob")
    world.ok("bob", ask.BeForgotten)
    assert world.refused("zed", ask.AskForSeat, name="Bob") == "no_such_name"


def test_a_seat_has_one_request_at_a_time() -> None:
    world = away("Bob")
    world.ok("eve", ask.AskForSeat, name="Bob")
    assert world.refused("zed", ask.AskForSeat, name="Bob") == "not_now"
    world.ok("Ana", ask.AnswerSeatRequest, name="Bob", yes=False)
    assert not world.person("Bob")["seat_requested"]
    world.ok("zed", ask.AskForSeat, name="Bob")
    world.wait(5 * 60)
    world.ok("eve", ask.AskForSeat, name="bob")
    assert world.room.members["Bob"].requested_by == "eve"


def test_a_request_ends_when_the_player_is_back() -> None:
    world = away("Bob")
    world.ok("eve", ask.AskForSeat, name="Bob")
    world.tell(ask.PersonConnected("bob"))
    assert not world.person("Bob")["seat_requested"]
    assert world.refused("Ana", ask.AnswerSeatRequest, name="Bob") == "not_now"
    assert world.refused("eve", ask.AskForSeat, name="Bob") == "not_now"


def test_a_seat_request_in_an_empty_room_points_to_the_recovery_link() -> None:
    world = away("Bob")
    for person in ("ana", "cat", "dan"):
        world.tell(ask.PersonDisconnected(person))
    outcome = world.ask("eve", ask.AskForSeat, name="Bob")
    assert outcome.reply.message is not None
    assert "recovery link" in outcome.reply.message


def test_the_host_or_the_first_device_can_separate_joined_identities() -> None:
    world = away("Bob")
    world.ok("eve", ask.AskForSeat, name="Bob")
    world.ok("Ana", ask.AnswerSeatRequest, name="Bob")
    world.ok("Ana", ask.CountSeparately, name="Bob")
    assert not world.person("Bob")["counted_as_one"]
    assert world.refused("Ana", ask.CountSeparately, name="Bob") == "not_now"
    assert world.facts[-1] == PlayersSeparated("the-room", "eve")
    world.ok("bob", ask.TakeSeatBack)
    assert world.facts[-1] == PlayersSeparated("the-room", "eve")


def test_a_returning_former_host_can_become_host_again() -> None:
    world = four()
    world.tell(ask.PersonDisconnected("ana"))
    world.wait(70)
    acting = world.room.host
    assert acting not in (None, "Ana")
    world.ok("ana's tablet", ask.AskForSeat, name="Ana")
    world.ok(acting, ask.AnswerSeatRequest, name="Ana")
    world.tell(ask.PersonConnected("ana's tablet"))
    assert world.room.host == acting
    assert room_view.build_you(world.room, "ana's tablet")["was_host"]
    assert world.refused("Cat" if acting != "Cat" else "Dan", ask.TakeHostBack) == "not_now"
    world.ok("ana's tablet", ask.TakeHostBack)
    assert world.room.host == "Ana"
    assert world.refused("ana's tablet", ask.TakeHostBack) == "not_now"
