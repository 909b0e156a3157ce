"""Test giving a seat to a spectator with the next deal."""

import pytest

from app.rooms.model import commands as ask
from tests.rooms.world import World, playing


def watched(**settings: object) -> World:
    """Return a hand of four players that Eve watches."""
    world = playing(**settings).join("Eve")
    world.ok("Eve", ask.Watch)
    return world


def deal_next(world: World) -> None:
    world.play()
    world.ok("Ana", ask.DealNext)


def test_a_spectator_takes_an_offered_seat_with_the_next_deal_before_people_who_wait() -> None:
    world = watched(options={"exchange": "none"})
    world.ok("Bob", ask.OfferSeat, name="Eve")
    assert world.person("Bob")["offers_seat_to"] == "Eve"
    world.ok("Eve", ask.AnswerSeatOffer, name="Bob", yes=True)
    assert (world.person("Eve")["role"], world.person("Eve")["takes_seat_of"]) == ("waiting", "Bob")
    assert "Eve" not in world.room.seated_names(), "the running hand is played to its end"
    deal_next(world)
    assert set(world.room.seated_names()) == {"Ana", "Eve", "Cat", "Dan"}
    assert (world.person("Bob")["role"], world.person("Bob")["offers_seat_to"]) == ("spectator", None)
    assert world.person("Eve")["takes_seat_of"] is None
    assert world.restarted() == world.room


@pytest.mark.parametrize("end", ["declined", "withdrawn"])
def test_a_player_keeps_a_seat_that_nobody_takes(end: str) -> None:
    world = watched()
    world.ok("Bob", ask.OfferSeat, name="Eve")
    if end == "declined":
        world.ok("Eve", ask.AnswerSeatOffer, name="Bob", yes=False)
    else:
        world.ok("Eve", ask.AnswerSeatOffer, name="Bob", yes=True)
        world.ok("Bob", ask.OfferSeat, name=None)
    assert (world.person("Bob")["offers_seat_to"], world.person("Eve")["role"]) == (None, "spectator")
    assert world.refused("Eve", ask.AnswerSeatOffer, name="Bob", yes=True) == "not_now"
    deal_next(world)
    assert "Bob" in world.room.seated_names()


def test_an_offer_to_another_spectator_withdraws_the_first() -> None:
    world = watched().join("Fay")
    world.ok("Fay", ask.Watch)
    world.ok("Bob", ask.OfferSeat, name="Eve")
    world.ok("Eve", ask.AnswerSeatOffer, name="Bob", yes=True)
    world.ok("Bob", ask.OfferSeat, name="Fay")
    assert [entry.kind for entry in world.entries][-2:] == ["seat_offer_ended", "seat_offered"]
    assert (world.person("Eve")["role"], world.person("Bob")["offers_seat_to"]) == ("spectator", "Fay")


def test_a_player_keeps_the_seat_if_the_spectator_is_gone_at_the_deal() -> None:
    world = watched()
    world.ok("Bob", ask.OfferSeat, name="Eve")
    world.ok("Eve", ask.AnswerSeatOffer, name="Bob", yes=True)
    world.tell(ask.PersonDisconnected("eve"))
    deal_next(world)
    assert "Bob" in world.room.seated_names()
    assert [entry.data["why"] for entry in world.entries if entry.kind == "seat_offer_ended"] == ["gone"]
    assert (world.person("Bob")["offers_seat_to"], world.person("Eve")["role"]) == (None, "spectator")


def test_a_player_keeps_the_seat_if_the_rules_allow_no_newcomer() -> None:
    world = watched(game="chase_the_ace")
    world.ok("Bob", ask.OfferSeat, name="Eve")
    world.ok("Eve", ask.AnswerSeatOffer, name="Bob", yes=True)
    deal_next(world)
    assert ("Bob" in world.room.seated_names()) != ("Eve" in world.room.seated_names())


def test_seats_are_offered_by_players_to_spectators_unless_the_host_forbids_it() -> None:
    world = watched()
    assert world.refused("Eve", ask.OfferSeat, name="Bob") == "not_now"
    assert world.refused("Bob", ask.OfferSeat, name="Cat") == "no_such_name"
    assert world.refused("Bob", ask.OfferSeat, name="Nobody") == "no_such_name"
    assert world.refused("Eve", ask.AnswerSeatOffer, name="Bob", yes=True) == "not_now"
    assert world.refused("Bob", ask.OfferSeat, name=None) == "not_now"
    world.ok("Ana", ask.Configure, seat_offers=False)
    assert world.refused("Bob", ask.OfferSeat, name="Eve") == "not_now"


def test_an_offer_ends_with_the_match_and_with_the_data_of_the_spectator() -> None:
    world = watched()
    world.ok("Bob", ask.OfferSeat, name="Eve")
    world.tell(ask.BeForgotten("eve", "x"))
    assert world.room.members["Bob"].offered_to is None
    world.join("Fay")
    world.ok("Fay", ask.Watch)
    world.ok("Bob", ask.OfferSeat, name="Fay")
    world.ok("Ana", ask.Stop)
    world.ok("Ana", ask.Rematch)
    assert world.person("Bob")["offers_seat_to"] is None
