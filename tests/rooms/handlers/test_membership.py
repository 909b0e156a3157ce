"""Test the members of a room: names, seats, spectators, the host's rights, joining and leaving between hands."""

from typing import Any

import pytest

from app.bots import LEVELS
from app.engine.cards.actions import JoinMatch, LeaveMatch
from app.rooms import events as log
from app.rooms.log import snapshots
from app.rooms.log.reducer import MAX_PERSONS_WITH_ANSWERS, apply_event
from app.rooms.model import commands as ask
from app.rooms.model.state import MOST_PEOPLE
from app.rooms.ports.addresses import Address
from app.rooms.ports.facts import AddressChanged, MatchEnded, PlayerJoinedMatch
from app.rooms.views import room_view
from tests.for_each import for_each
from tests.rooms.world import World, four, playing

# Joining ------------------------------------------------------------------------------------------------------


def test_players_can_join_with_only_a_name_and_get_seats() -> None:
    world = four()
    assert world.names() == ["Ana", "Bob", "Cat", "Dan"]
    assert world.room.host == "Ana"
    assert all(world.person(name)["role"] == "seated" for name in world.names())


def test_a_player_can_mark_ready_and_becoming_a_spectator_clears_it() -> None:
    world = four()
    for ready, event in ((True, "ready"), (False, "not_ready"), (True, "ready")):
        told = world.ok("bob", ask.Ready, ready=ready).game_events
        assert [each.to_json()["e"] for each in told] == [event]
        assert world.person("Bob")["ready"] == ready
    world.ok("bob", ask.Watch)
    assert not world.person("Bob")["ready"]
    assert world.refused("bob", ask.Ready) == "not_now"


def test_an_api_client_is_shown_as_such_to_everyone_after_a_restart() -> None:
    world = World().join("Bob")
    world.ok("robin", ask.Join, name="Robin", program=True)
    assert {name: world.person(name)["program"] for name in world.names()} == {
        "Ana": False,
        "Bob": False,
        "Robin": True,
    }
    world.ok("Ana", ask.Start)
    assert room_view.build_room(world.restarted()) == room_view.build_room(world.room)
    world.ok("bob", ask.Join, name="Bob", program=True)
    world.ok("robin", ask.Join, name="Robin")
    assert (world.person("Bob")["program"], world.person("Robin")["program"]) == (True, False)
    assert world.person("Bob")["role"] == "seated"
    before = world.room.seq
    world.ok("bob", ask.Join, name="Bob", program=True)
    assert world.room.seq == before


def test_a_member_without_a_stored_program_flag_counts_as_a_person() -> None:
    joined = log.decode("joined", {"person": "bob", "name": "Bob", "role": "seated", "present": True})
    room, _ = apply_event(World().room, joined, 0)
    assert room.members["Bob"].view()["program"] is False
    kept = snapshots.room_to_json(room)
    for each in kept["members"]:
        del each["program"]
    assert snapshots.room_from_json(kept, room.seq).members == room.members


@pytest.mark.parametrize("name", ["ana", " ANA ", "A\u200bna", "\uff21na", "An\u0061"])
def test_joining_under_the_name_of_a_member_never_takes_their_seat(name: str) -> None:
    world = four()
    assert world.refused("eve", ask.Join, name=name) == "name_taken"
    assert world.room.members["Ana"].person == "ana"


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "\u0301", "x" * 21, "\u3164"])
def test_a_name_without_visible_text_or_over_20_characters_is_refused(name: str) -> None:
    assert World().refused("bob", ask.Join, name=name) == "bad_name"


def test_names_are_normalised() -> None:
    world = World()
    world.ok("bob", ask.Join, name="  Jose\u0301  \t Lu\u0000is ")
    assert "José Luis" in world.room.members


@for_each(
    "name", ["Ana\u180b", "Ana\U0001d159", "\u0410na", "An\u03b1", "\uff21na", "\U0001d400na", "ANA", "Ana\ufffc"]
)
def test_a_name_that_looks_like_the_name_of_a_member_is_refused(name: str) -> None:
    assert World().refused("bob", ask.Join, name=name) == "name_taken"


@pytest.mark.parametrize(
    ("one", "other"), [("Ilse", "llse"), ("Bob0", "BobO"), ("Вера", "вера"), ("Δημήτρης", "δημήτρης")]
)
def test_names_that_differ_only_in_case_or_lookalike_letters_are_taken(one: str, other: str) -> None:
    assert World().join(one).refused("eve", ask.Join, name=other) == "name_taken"
    World().join("Вера", "Вета", "Hans", "Hanns", "Al", "Ali")


def test_joining_again_keeps_the_seat_and_can_rename_before_the_match() -> None:
    world = four()
    world.ok("Bob", ask.Join, name="Bob")
    assert len(world.names()) == 4
    world.ok("Ana", ask.Join, name="Anna")
    assert world.names() == ["Anna", "Bob", "Cat", "Dan"]
    assert world.room.host == "Anna"
    world.ok("Ana", ask.Start)
    assert world.refused("Bob", ask.Join, name="Robert") == "not_now"


def test_a_person_who_has_not_joined_cannot_start_or_act() -> None:
    world = four()
    assert world.refused("eve", ask.Start) == "not_a_member"
    assert world.refused("eve", ask.Act, action={"do": "pass"}) == "not_a_member"


def test_a_newcomer_to_a_full_room_waits_and_gets_the_next_free_seat() -> None:
    world = World().join(*(f"P{n}" for n in range(2, 9)))
    assert len(world.room.seated_names()) == 8
    world.join("Late")
    assert world.person("Late")["role"] == "waiting"
    world.ok("P3", ask.Leave)
    assert world.person("Late")["role"] == "seated"


# The host -----------------------------------------------------------------------------------------------------


POWERS = [kind for kind in ask.MESSAGES_BY_TAG.values() if kind.allowed_for == "host"]


def test_starting_configuring_removing_and_stopping_are_host_commands() -> None:
    assert {ask.Start, ask.Configure, ask.AddBot, ask.RemoveBot, ask.Remove, ask.TransferHost, ask.Stop} < set(POWERS)


@for_each("kind", POWERS)
def test_host_commands_are_refused_for_everyone_else(kind: type[ask.Message]) -> None:
    world = four()
    fields = {key: value for key, value in {"name": "Cat", "kind": "easy"}.items() if key in kind.__struct_fields__}
    assert world.refused("Bob", kind, **fields) == "not_host"
    assert world.refused("Eve", kind, **fields) == "not_a_member"


def test_a_locked_room_refuses_newcomers_but_lets_former_players_return() -> None:
    world = playing()
    assert world.refused("Bob", ask.Lock) == "not_host"
    assert [event.name for event in world.ok("Ana", ask.Lock).game_events] == ["room_locked"]
    assert world.ok("Ana", ask.Lock).append_request is None
    assert world.refused("Eve", ask.Join, name="Eve") == "not_now"
    assert room_view.build_you(world.room, "eve")["join_blocked"]["key"] == "room.locked"
    world.ok("Bob", ask.Leave)
    world.play()
    world.ok("Ana", ask.DealNext)
    assert "Bob" not in world.room.members
    assert room_view.build_you(world.room, "bob")["join_blocked"] is None
    world.room = world.restarted()
    assert world.room.settings.locked
    assert world.refused("Eve", ask.Join, name="Eve") == "not_now"
    world.ok("Bob", ask.Join, name="Bob")
    world.ok("Ana", ask.Configure, clock={"turn": 30})
    assert world.refused("Eve", ask.Join, name="Eve") == "not_now"
    assert [event.name for event in world.ok("Ana", ask.Lock, locked=False).game_events] == ["room_opened"]
    world.ok("Eve", ask.Join, name="Eve")


def test_the_host_can_configure_the_room_and_invalid_settings_are_refused() -> None:
    world = four()
    world.ok("Ana", ask.Configure, options={"preset": "bga"}, clock={"turn": 30, "pause": 5}, bots_delay=0)
    assert world.room.settings.options.preset == "bga"
    assert world.room.settings.turn == 30
    assert world.refused("Ana", ask.Configure, options={"jokers": 9}) == "bad_option"
    assert world.refused("Ana", ask.Configure, game="poker") == "bad_setting"
    assert world.refused("Ana", ask.Configure, clock={"turn": -1}) == "bad_setting"
    assert world.refused("Ana", ask.Configure, clock={"turn": True}) == "bad_setting"
    world.ok("Ana", ask.Start)
    assert world.refused("Ana", ask.Configure, options={"preset": "pagat"}) == "not_now"
    world.ok("Ana", ask.Configure, clock={"turn": None})


def test_a_match_cannot_start_with_too_few_players_and_the_room_says_why() -> None:
    world = World().join("Bob")
    assert world.room.deal_refusal()
    assert world.refused("Ana", ask.Start) == "bad_player_count"
    world.ok("Ana", ask.AddBot)
    assert world.room.deal_refusal() is None
    world.ok("Ana", ask.Start)


def test_bots_have_unique_names_and_the_host_can_remove_them() -> None:
    world = World()
    for _ in range(7):
        world.ok("Ana", ask.AddBot)
    assert len(set(world.names())) == 8
    assert world.refused("Ana", ask.AddBot) == "room_full"
    bot = world.names()[-1]
    world.ok("Ana", ask.RemoveBot, name=bot)
    assert bot not in world.names()
    assert world.refused("Ana", ask.RemoveBot, name="Ana") == "no_such_name"
    assert world.refused("Ana", ask.AddBot, kind="genius") == "bad_setting"
    assert world.refused("Ana", ask.AddBot, name="ANA") == "name_taken"
    world.ok("Ana", ask.AddBot, kind="random", name="Hal")
    assert world.person("Hal")["bot"] == "random"


def test_a_bot_gets_a_free_name_of_its_level() -> None:
    world = World(game="chase_the_ace", bots=("hard", "hard")).join("pip")
    for kind in ("easy", "medium", "easy"):
        world.ok("Ana", ask.AddBot, kind=kind)
    chicks, hens, foxes = (LEVELS[kind].names for kind in ("easy", "medium", "hard"))
    assert world.names() == ["Ana", *foxes[:2], "pip", chicks[1], hens[0], chicks[2]]
    for _ in range(12):
        world.ok("Ana", ask.AddBot, kind="hard")
    assert world.names()[-2:] == [f"{name} 2" for name in foxes[:2]]
    assert len({*chicks, *hens, *foxes}) == len(chicks) + len(hens) + len(foxes)


def test_a_banned_player_is_removed_and_cannot_rejoin() -> None:
    world = four()
    assert world.refused("Ana", ask.Remove, name="Ana") == "not_now"
    world.ok("Ana", ask.Remove, name="Dan", ban=True)
    assert "Dan" not in world.names()
    assert world.refused("Dan", ask.Join, name="Daniel") == "removed"


def test_a_player_removed_before_the_match_becomes_a_spectator_and_can_rejoin() -> None:
    world = four()
    world.ok("Ana", ask.Remove, name="Dan")
    assert world.person("Dan")["role"] == "spectator"
    assert world.refused("Ana", ask.Remove, name="Dan") == "not_now"
    world.ok("Dan", ask.Join, name="Dan")
    assert world.person("Dan")["role"] == "seated"


def test_a_host_can_undo_a_removal_in_the_waiting_room() -> None:
    world = four()
    assert world.refused("Ana", ask.Reseat, name="Dan") == "not_now"
    world.ok("Ana", ask.Remove, name="Dan")
    assert world.person("Dan")["unseated"]
    world.ok("Ana", ask.Reseat, name="Dan")
    assert (world.person("Dan")["role"], world.person("Dan")["unseated"]) == ("seated", False)
    assert world.refused("Ana", ask.Reseat, name="Dan") == "not_now"
    world.ok("Dan", ask.Watch)
    assert world.refused("Ana", ask.Reseat, name="Dan") == "not_now", "nobody is made to play"


def test_changed_rules_reset_ready_marks() -> None:
    world = four()
    world.ok("Bob", ask.Ready)
    world.ok("Ana", ask.Configure, pace="fast")
    assert world.person("Bob")["ready"], "how fast bots play is no rule"
    world.ok("Ana", ask.Configure, options={"equal_plays": "skip"})
    assert not world.person("Bob")["ready"]


def test_a_player_removed_during_a_hand_cannot_take_the_seat_back_from_the_bot() -> None:
    world = playing()
    world.ok("Ana", ask.Remove, name="Dan")
    assert (world.person("Dan")["stand_in"], world.person("Dan")["leaving_as"]) == ("easy", "spectator")
    assert world.refused("Dan", ask.Act, action={"do": "pass"}) == "not_now"
    for command, fields in (
        (ask.Join, {"name": "Dan"}),
        (ask.ResumeSeat, {}),
        (ask.Leave, {}),
        (ask.Join, {"name": "Dan"}),
    ):
        world.ask("Dan", command, **fields)
        assert world.person("Dan")["stand_in"] == "easy", "the seat is not theirs again by any command"
    world.tell(ask.PersonDisconnected("dan"))
    world.tell(ask.PersonConnected("dan"))
    assert world.person("Dan")["stand_in"] == "easy"


def test_a_removed_player_sees_their_own_cards_to_the_end_of_the_hand_and_a_banned_player_nothing() -> None:
    for ban in (False, True):
        world = playing()
        world.ok("Ana", ask.Remove, name="Dan", ban=ban)
        seen = room_view.build_you(world.room, "dan")
        assert seen.get("cards") == (None if ban else " ".join(world.run.match.current_hand.cards["Dan"]))
        world.play()
        world.ok("Ana", ask.DealNext)
        assert not room_view.build_you(world.room, "dan").keys() & {"cards", "legal"}


def test_a_removed_player_can_rejoin_from_a_later_deal() -> None:
    world = playing()
    world.ok("Ana", ask.Remove, name="Dan")
    world.play()
    assert world.refused("Dan", ask.Join, name="Dan") == "not_now"
    world.ok("Ana", ask.DealNext)
    assert world.person("Dan")["role"] == "spectator"
    world.ok("Dan", ask.Join, name="Dan")
    world.play()
    world.ok("Ana", ask.DealNext)
    assert (world.person("Dan")["role"], world.person("Dan")["stand_in"]) == ("seated", None)


def test_a_removal_in_an_older_event_log_counts_as_a_ban() -> None:
    assert log.decode("removed", {"name": "Dan"}) == log.MemberRemoved("Dan", ban=True)
    assert log.decode("stood_in", {"name": "Dan", "bot": "easy"}) == log.BotTookOver("Dan", "easy", None, None)


def test_a_bot_plays_the_seat_of_a_banned_player_to_the_end_of_the_hand() -> None:
    world = playing()
    world.ok("Ana", ask.Remove, name="Dan", ban=True)
    assert world.person("Dan")["stand_in"] == "easy"
    assert world.refused("Dan", ask.Act, action={"do": "pass"}) == "not_a_member"
    world.play()
    assert world.room.phase == "between_hands"
    assert "Dan" in world.names()
    world.ok("Ana", ask.DealNext)
    assert "Dan" not in world.names()
    assert world.room.match is not None
    assert len(world.room.match.seats) == 3


def test_a_host_who_hands_over_or_leaves_is_replaced_as_host() -> None:
    world = four()
    world.ok("Ana", ask.TransferHost, name="Cat")
    assert world.room.host == "Cat"
    assert world.refused("Ana", ask.Start) == "not_host"
    world.ok("Cat", ask.Leave)
    assert world.room.host == "Ana"


def test_a_present_player_becomes_host_when_the_host_is_away_too_long() -> None:
    world = four(clock={"away": 60})
    world.tell(ask.PersonDisconnected("bob"))
    world.tell(ask.PersonDisconnected("ana"))
    world.wait(59)
    assert world.room.host == "Ana"
    world.wait(1)
    assert world.room.host == "Cat"
    world.tell(ask.PersonConnected("ana"))
    assert world.room.host == "Cat"


def test_a_host_who_comes_back_in_time_stays_host() -> None:
    world = four(clock={"away": 60})
    world.tell(ask.PersonDisconnected("ana"))
    world.wait(50)
    world.tell(ask.PersonConnected("ana"))
    world.wait(100)
    assert world.room.host == "Ana"


def test_the_first_player_to_join_an_empty_room_becomes_host() -> None:
    world = World()
    world.ok("Ana", ask.Leave)
    assert world.room.host is None
    world.join("Bob")
    assert world.room.host == "Bob"


# Joining and leaving ------------------------------------------------------------------------------------------


def test_a_newcomer_waits_for_the_next_deal() -> None:
    world = playing().join("Eve")
    assert world.person("Eve")["role"] == "waiting"
    world.play()
    world.ok("Ana", ask.DealNext)
    assert world.person("Eve")["role"] == "seated"
    assert world.room.match is not None
    assert "Eve" in world.room.match.seats
    assert [fact.name for fact in world.facts if isinstance(fact, PlayerJoinedMatch)] == ["Eve"]
    assert [action for _, action in world.run.hand.between] == [JoinMatch()]
    world.play()


def test_only_connected_waiting_players_get_a_seat_with_the_next_deal() -> None:
    world = playing().join("Eve", "Fay")
    world.tell(ask.PersonDisconnected("eve"))
    world.play()
    world.ok("Ana", ask.DealNext)
    assert world.person("Eve")["role"] == "waiting"
    assert world.person("Fay")["role"] == "seated"


def test_a_bot_plays_for_a_player_who_leaves_until_the_next_deal() -> None:
    world = playing()
    world.ok("Dan", ask.Leave)
    assert world.person("Dan")["leaving_as"] == "gone"
    assert world.person("Dan")["stand_in"] == "easy"
    assert world.refused("Dan", ask.Act, action={"do": "pass"}) == "not_now"
    world.play()
    world.ok("Ana", ask.DealNext)
    assert "Dan" not in world.names()
    assert [action for _, action in world.run.hand.between] == [LeaveMatch()]


def test_a_player_who_rejoins_before_the_next_deal_keeps_the_seat() -> None:
    world = playing()
    world.ok("Dan", ask.Leave)
    world.ok("Dan", ask.Join, name="Dan")
    assert world.person("Dan")["leaving_as"] is None
    assert world.person("Dan")["stand_in"] is None
    world.play()
    world.ok("Ana", ask.DealNext)
    assert "Dan" in world.names()


def test_a_player_who_gives_up_the_seat_becomes_a_spectator_after_the_hand() -> None:
    world = playing()
    world.ok("Dan", ask.Watch)
    world.play()
    world.ok("Ana", ask.DealNext)
    assert world.person("Dan")["role"] == "spectator"
    world.ok("Dan", ask.Join, name="Dan")
    assert world.person("Dan")["role"] == "waiting"
    world.play()
    world.ok("Ana", ask.DealNext)
    assert world.person("Dan")["role"] == "seated"


def test_a_name_with_points_in_the_match_stays_reserved_for_its_player() -> None:
    world = playing()
    world.ok("Dan", ask.Leave)
    world.play()
    world.ok("Ana", ask.DealNext)
    assert world.refused("eve", ask.Join, name="dan") == "name_taken"
    assert world.refused("Ana", ask.AddBot, name="Dan") == "name_taken"
    world.ok("Dan", ask.Join, name="Dan")


def test_a_player_who_left_a_match_can_rejoin_it_only_under_the_same_name() -> None:
    world = playing(options={"scoring": "ladder", "target": None})
    world.ok("Dan", ask.Leave)
    world.play()
    world.ok("Ana", ask.DealNext)
    assert world.room.match is not None
    points = world.room.match.totals["Dan"]
    assert points
    assert "Dan" not in world.names()
    assert world.refused("Dan", ask.Join, name="Eve") == "not_now"
    sentence = world.ask("Dan", ask.Join, name="Eve").reply.message
    assert sentence == "You are Dan in this match. Come back as Dan, or after the match."
    world.ok("Dan", ask.Join, name="DAN")
    world.play()
    world.ok("Ana", ask.DealNext)
    assert "Dan" in world.room.match.seats
    assert world.room.match.totals == {**world.room.match.totals, "Dan": points}
    assert set(world.room.match.totals) == {"Ana", "Bob", "Cat", "Dan"}
    world.restarted()


def test_a_player_who_left_a_match_can_rename_after_it_ends() -> None:
    world = playing()
    world.ok("Dan", ask.Leave)
    world.play()
    world.ok("Ana", ask.DealNext)
    world.ok("Ana", ask.Stop)
    world.ok("Dan", ask.Join, name="Eve")
    assert set(world.room.members) == {"Ana", "Bob", "Cat", "Eve"}


@pytest.mark.parametrize(("preset", "begin"), [("merchants", 6), ("collusion", 4)])
def test_a_match_continues_without_trade_or_pairs_when_a_player_leaves(preset: str, begin: int) -> None:
    names = ("Bob", "Cat", "Dan", "Eve", "Fay")[: begin - 1]
    world = World(options={"preset": preset}).join(*names[:-1])
    assert world.refused("Ana", ask.Start) == "bad_player_count"
    world.join(names[-1])
    world.ok("Ana", ask.Start)
    world.play()
    world.ok("Ana", ask.DealNext)
    world.ok(names[-1], ask.Leave)
    world.play()
    assert world.room.deal_refusal() is None
    world.ok("Ana", ask.DealNext)
    assert world.room.match is not None
    assert len(world.room.match.seats) == begin - 1
    shown = room_view.build_table(world.room)
    assert shown is not None
    assert (shown["trade"], shown["pairs"]) == (None, [])


def test_a_room_with_too_few_players_waits_until_a_bot_is_added() -> None:
    world = World().join("Bob", "Cat")
    world.ok("Ana", ask.Start)
    world.ok("Cat", ask.Leave)
    world.play()
    assert world.room.deal_refusal()
    assert world.refused("Ana", ask.DealNext) == "bad_player_count"
    assert "Cat" in world.names(), "a deal that can't be made changes nothing"
    world.ok("Ana", ask.AddBot)
    assert world.room.deal_refusal() is None
    world.ok("Ana", ask.DealNext)
    world.play()


def test_a_bot_removed_during_a_hand_leaves_at_the_next_deal() -> None:
    world = World(bots=("easy",) * 4)
    world.ok("Ana", ask.Start)
    bot = world.names()[1]
    world.ok("Ana", ask.RemoveBot, name=bot)
    assert bot in world.names()
    world.play()
    world.ok("Ana", ask.DealNext)
    assert bot not in world.names()


def test_the_match_ends_when_all_people_have_left() -> None:
    world = World(bots=("easy",) * 3)
    world.ok("Ana", ask.Start)
    world.ok("Ana", ask.Leave)
    assert world.room.phase == "finished"
    assert isinstance(world.facts[-1], MatchEnded)
    assert world.room.host is None


def test_a_player_in_last_place_needs_the_permission_of_the_king_to_leave() -> None:
    world = four(game="ceausescu")
    world.ok("Ana", ask.Start)
    world.play()
    assert world.room.match is not None
    king, *_, serf = world.room.match.hierarchy
    assert world.refused(serf, ask.Leave) == "needs_dispensation"
    world.ok(serf, ask.Act, action={"do": "ask_leave"})
    world.ok(king, ask.Act, action={"do": "dispense"})
    assert world.person(serf)["role"] == "spectator"
    world.ok(world.room.host or "", ask.DealNext)
    assert serf not in world.room.seated_names()


def test_a_bot_in_first_place_lets_the_player_in_last_place_leave() -> None:
    world = World(game="ceausescu", bots=("easy",) * 3)
    for seed in range(30):
        world = World(game="ceausescu", bots=("easy",) * 3, seed=seed)
        world.ok("Ana", ask.Start)
        world.play()
        assert world.room.match is not None
        if world.room.match.hierarchy[-1] == "Ana":
            break
    world.ok("Ana", ask.Act, action={"do": "ask_leave"})
    assert world.person("Ana")["role"] == "spectator"


def test_leaving_cannot_be_sent_as_a_game_action() -> None:
    world = playing()
    assert world.refused("Ana", ask.Act, action={"do": "leave"}) == "bad_action"
    world.play()
    assert world.refused("Ana", ask.Act, action={"do": "leave"}) == "bad_action"


def test_a_full_room_drops_an_absent_spectator_for_a_newcomer() -> None:
    world = World(game="chase_the_ace")
    for n in range(39):
        world.join(f"P{n}")
    assert world.refused("eve", ask.Join, name="Eve") == "room_full"
    world.ok("P30", ask.Watch)
    world.tell(ask.PersonDisconnected("p30"))
    world.join("Eve")
    assert "P30" not in world.names()


def test_log_entries_survive_decoding_and_encoding() -> None:
    world = playing()
    world.play()
    assert world.room.phase == "between_hands"
    for entry in world.entries:
        kind, data = log.encode(log.decode(entry.kind, entry.data))
        assert kind == entry.kind
        assert data == {name: value for name, value in entry.data.items() if name != "cmd"}


def test_the_host_can_renew_the_code_and_invitation_of_a_room() -> None:
    world = World().join("Bob")
    room = world.room
    assert world.refused("Bob", ask.RotateCode) == "not_host"
    world.ok("Ana", ask.RotateCode)
    assert (world.room.id, room.code, room.invite) == (room.id, "CODE42", "invitation")
    assert world.room.code not in ("", room.code)
    assert world.room.invite not in ("", room.invite)
    assert world.facts[-1] == AddressChanged(
        room.id, Address(world.room.code, world.room.invite), ("ana", "bob"), world.now
    )


def test_a_ban_changes_the_room_code_but_a_removal_does_not() -> None:
    world = World().join("Bob", "Cat")
    code = world.room.code
    world.ok("Ana", ask.Remove, name="Cat")
    assert world.room.code == code  # a removal only frees the seat
    world.ok("Ana", ask.Remove, name="Bob", ban=True)
    assert world.room.code != code
    last = world.facts[-1]
    assert isinstance(last, AddressChanged)
    assert last.members == ("ana", "cat")


def test_a_changed_bird_and_colour_are_visible_and_do_not_affect_the_match() -> None:
    world = playing()
    before = world.room
    world.ok("Bob", ask.Introduce, bird="owl", colour="sea")
    assert (world.person("Bob")["bird"], world.person("Bob")["colour"]) == ("owl", "sea")
    assert world.room.match is before.match
    seq = world.room.seq
    world.ok("Bob", ask.Introduce, bird="owl", colour="sea")  # no change
    assert world.room.seq == seq


def test_a_rename_during_a_match_takes_effect_with_the_rematch() -> None:
    world = playing()
    world.ok("Bob", ask.Introduce, bird=None, colour=None, name="Robert")
    assert world.person("Bob")["chosen_name"] == "Robert"
    # After another rename, only the last name counts.
    world.ok("Bob", ask.Introduce, bird=None, colour=None, name="Rob")
    world.ok("Ana", ask.Stop)
    assert "Bob" in world.names()  # the result keeps the names of the match
    world.ok("Ana", ask.Rematch)
    assert "Rob" in world.names()
    assert "Bob" not in world.names()
    assert world.room.members["Rob"].person == "bob"


def test_a_rename_to_a_taken_name_is_ignored() -> None:
    world = four()
    world.ok("Bob", ask.Introduce, bird=None, colour=None, name="ana")
    assert world.names() == ["Ana", "Bob", "Cat", "Dan"]
    assert world.person("Bob")["chosen_name"] is None
    world.ok("Bob", ask.Introduce, bird=None, colour=None, name="Robert")
    assert world.names() == ["Ana", "Robert", "Cat", "Dan"]


def test_a_pending_new_name_is_announced_at_once_and_reserved() -> None:
    world = playing()
    told = world.ok("Bob", ask.Introduce, bird=None, colour=None, name="Eve").game_events
    changed = {"e": "chosen_name_changed", "by": "Bob", "before": "Bob", "now": "Eve"}
    assert [event.to_json() for event in told] == [changed]
    assert world.person("Bob")["chosen_name"] == "Eve"
    assert world.refused("Eve", ask.Join, name="eve") == "name_taken"
    world.ok("Cat", ask.Introduce, bird=None, colour=None, name="Eve")
    assert world.person("Cat")["chosen_name"] is None
    world.ok("Ana", ask.Stop)
    # The result of the match keeps its names. The next match uses the new ones.
    world.ok("Bob", ask.Introduce, bird="owl", colour=None, name="Eve")
    assert "Bob" in world.names()
    world.ok("Ana", ask.Rematch)
    assert world.names() == ["Ana", "Eve", "Cat", "Dan"]
    assert world.room.members["Eve"].person == "bob"


def test_the_host_can_change_the_level_of_a_bot_at_any_time() -> None:
    world = World(bots=("easy",) * 3)
    bot = next(name for name in world.names() if name != "Ana")
    world.ok("Ana", ask.SetBot, name=bot, kind="medium")
    world.ok("Ana", ask.Start)
    events = world.ok("Ana", ask.SetBot, name=bot, kind="easy").game_events
    assert [event.name for event in events] == ["bot_level_changed"]
    assert world.person(bot)["bot"] == "easy"
    before = world.room
    world.ok("Ana", ask.SetBot, name=bot, kind="easy")
    assert world.room.members == before.members
    world.play()
    assert world.room.phase == "between_hands"
    assert world.refused("Ana", ask.SetBot, name=bot, kind="genius") == "bad_setting"
    assert world.refused("Ana", ask.SetBot, name="Ana", kind="medium") == "no_such_name"
    world.join("Bob")
    assert world.refused("Bob", ask.SetBot, name=bot, kind="medium") == "not_host"


def test_a_repeated_command_acts_once_even_after_many_guests_came_and_left() -> None:
    world = World()
    world.ok("Ana", ask.AddBot, kind="easy", cmd="add")
    for number in range(MAX_PERSONS_WITH_ANSWERS):
        world.ok(f"Guest {number}", ask.Join, name=f"Guest {number}")
        world.ok(f"Guest {number}", ask.Leave)
    world.join("Bob")
    before = world.names()
    world.ok("Ana", ask.AddBot, kind="easy", cmd="add")
    assert world.names() == before


def test_answers_are_stored_for_a_limited_number_of_people() -> None:
    world = World()
    for number in range(MAX_PERSONS_WITH_ANSWERS + 5):
        world.ok(f"Guest {number}", ask.Join, name=f"Guest {number}")
        world.ok(f"Guest {number}", ask.Leave)
    assert len(world.room.answers) == MAX_PERSONS_WITH_ANSWERS


# Spectators ---------------------------------------------------------------------------------------------------


def test_the_host_asks_a_spectator_to_leave() -> None:
    world = four().join("Eve")
    world.ok("Eve", ask.Watch)
    world.guests = {7: "a guest"}
    code = world.room.code
    for asked, person in (({"name": "Eve"}, "eve"), ({"number": 7}, "a guest")):
        world.ok("Ana", ask.RemoveSpectator, **asked)
        assert world.room.dismissed[person] == world.room.seq
    assert (world.room.code, world.room.banned, "Eve" in world.room.members) == (code, frozenset(), True)
    assert world.restarted() == world.room

    assert world.refused("Bob", ask.RemoveSpectator, number=7) == "not_host"
    assert world.refused("Ana", ask.RemoveSpectator, number=8) == "no_such_name"
    assert world.refused("Ana", ask.RemoveSpectator) == "no_such_name"
    assert world.refused("Ana", ask.RemoveSpectator, name="Bob") == "no_such_name"
    world.guests = {7: "bob"}
    assert world.refused("Ana", ask.RemoveSpectator, number=7) == "no_such_name"
    for n in range(2 * MOST_PEOPLE):
        world.guests = {7: f"guest {n}"}
        world.ok("Ana", ask.RemoveSpectator, number=7)
    assert list(world.room.dismissed) == [f"guest {n}" for n in range(MOST_PEOPLE, 2 * MOST_PEOPLE)]


@pytest.mark.parametrize("asked", [{"name": "Eve"}, {"number": 7}])
def test_a_banned_spectator_stays_outside_until_their_data_is_deleted(asked: dict[str, Any]) -> None:
    world = four().join("Eve")
    world.ok("Eve", ask.Watch)
    world.guests = {7: "a guest", 8: "another"}
    person, code = "eve" if "name" in asked else "a guest", world.room.code
    world.ok("Ana", ask.RemoveSpectator, **asked, ban=True)
    assert (world.room.banned, world.room.guests_out_at) == ({person}, 0)
    assert world.room.code != code
    [fact] = [fact for fact in world.facts if isinstance(fact, AddressChanged)]
    others = {"ana", "bob", "cat", "dan", "eve", "a guest", "another"} - {person}
    assert {*fact.members} == others, "these people may still use the old code"
    assert world.refused(person, ask.Join, name="Zoe") == "removed"
    assert world.restarted().banned == {person}
    world.tell(ask.BeForgotten(person, "f"))
    assert world.room.banned == frozenset()


def test_all_guests_leave_after_a_new_code_or_the_ban_of_a_player() -> None:
    world = four()
    world.ok("Ana", ask.RotateCode)
    assert world.room.guests_out_at == world.room.seq
    world.ok("Ana", ask.Remove, name="Bob", ban=True)
    assert world.room.guests_out_at == world.room.seq
