"""Test that bots choose legal actions in every game, finish their matches and avoid silly choices."""

import random
import sys
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest

from app.bots import BOTS, OUT_OF_TURN_PLAYS, ChooseAction, grant_request
from app.bots.simple.safe_action import actions_by_risk
from app.bots.view.seat_view import SeatReader, cards_of_action
from app.engine.cards.action_codec import ACTION_SPECS
from app.engine.games import GAMES
from app.rooms.model import commands as ask
from app.rooms.views import room_view
from tests.for_each import for_each
from tests.rooms.world import World

MOST_CHOICES = 4000
"""Enough choices for two hands. A match with more choices counts as endless."""

PRESETS = [(game.key, {"preset": preset.key}) for game in GAMES.values() for preset in game.option_schema.presets]
SPECIAL = [
    ("president", {"preset": "landlord", "seating": "fixed"}),
    ("president", {"only_bottom_clears": True}),
    ("president", {"preset": "kings_and_bastards", "ordering": True}),
    ("president", {"middle": "trade", "exchange": "three_one", "exchange_order": "blind"}),
    ("president", {"packs": 2, "jokers": 2, "joker_role": "wild", "wild_alone": "any", "sequences": "all"}),
]


def seats(game: str, options: dict[str, Any]) -> int:
    """Return a legal number of players, six if possible."""
    made = GAMES[game]
    resolved = made.option_schema.resolve_options(options)
    low, high = made.player_limits(resolved)
    return max(low, min(6, high))


def chosen(world: World, name: str) -> dict[str, Any]:
    """Choose an action with one of the bots, or with the rule for an expired clock."""
    seen = room_view.build_bot_view(world.room, name)
    kinds = [*BOTS, "harmless"]
    kind = kinds[world.room.seated_names().index(name) % len(kinds)]
    return next(actions_by_risk(seen)) if kind == "harmless" else BOTS[kind](seen, world.rng)


@pytest.mark.parametrize(("game", "options"), [*PRESETS, *SPECIAL])
def test_bots_choose_legal_actions_and_finish_every_hand(game: str, options: dict[str, Any]) -> None:
    world = World(game=game, options=options, bots=("easy",) * (seats(game, options) - 1))
    world.ok("Ana", ask.Start)
    for _ in range(2):
        for _ in range(MOST_CHOICES):
            if world.room.phase != "playing":
                break
            name = world.to_act
            action = chosen(world, name)
            if name == "Ana":
                world.ok("Ana", ask.Act, action=action)
            else:
                world.tell(ask.BotAct(name, world.room.turn, action))
                made = next(entry for entry in reversed(world.entries) if entry.kind == "acted").data["action"]
                assert made["do"] == action["do"], (action, made)
                assert sorted(str(made.get("cards", "")).split()) == sorted(str(action.get("cards", "")).split())
        else:
            pytest.fail("the hand goes on for ever")
        if world.room.phase == "finished":
            return
        world.ok("Ana", ask.DealNext)


def test_bots_grant_requests_and_use_no_other_optional_action() -> None:
    asked = [{"do": "refuse"}, {"do": "dispense"}, {"do": "cut"}]
    assert [
        grant_request({"you": {"name": "Ana", "off_turn": may}, "table": {}}) for may in (asked, asked[2:], [])
    ] == [
        {"do": "dispense"},
        None,
        None,
    ]


def test_easy_bots_finish_ahead_of_random_bots() -> None:
    world = World(options={"target": None}, bots=("easy", "random", "easy", "random"))
    world.ok("Ana", ask.Watch)
    world.ok("Ana", ask.Start)
    places = {"easy": 0, "random": 0}
    for _ in range(12):
        world.bots()
        assert world.room.match is not None
        assert world.room.match.last is not None
        for place, name in enumerate(world.room.match.last.standing):
            places[world.room.members[name].bot or ""] += place
        world.ok("Ana", ask.DealNext)
    assert 2 * places["easy"] < places["random"]


def view_of(cards: str, legal: list[dict[str, Any]], trick: object = None, others: int = 9, **options: Any) -> Any:
    players = {"Me": {"cards": len(cards.split())}, "You": {"cards": others}}
    return {
        "room": {"options": options},
        "table": {"players": players, "seats": ["Me", "You"], "trick": trick, "inverted": False},
        "you": {"name": "Me", "cards": cards, "legal": legal},
    }


def play(cards: str) -> dict[str, Any]:
    return {"do": "play", "cards": cards}


PASS = {"do": "pass"}
TRICK = {"plays": [{"by": "You", "cards": "3h", "kind": "single"}]}


@for_each(
    ("says", "seen", "choice"),
    [
        ("it leads low", view_of("4c 9d Ks", [play("9d"), play("4c"), play("Ks")]), play("4c")),
        ("many at once", view_of("4c 4d 9s Ks", [play("4c"), play("4c 4d"), play("9s")]), play("4c 4d")),
        ("it goes out", view_of("2s", [play("2s"), PASS], TRICK), play("2s")),
        ("it goes out with a set", view_of("9c 9d", [play("9c"), play("9c 9d")]), play("9c 9d")),
        (
            "it keeps what wins",
            view_of("4c 5c 6c 7c 8c 9c Tc Jc 2s", [PASS, play("2s")], TRICK),
            PASS,
        ),
        ("it follows low", view_of("4c 9d Ks", [PASS, play("Ks"), play("4c"), play("9d")], TRICK), play("4c")),
        (
            "but stops somebody who is nearly out",
            view_of("4c 5c 6c 7c 8c 9c Tc Jc 2s", [PASS, play("2s")], TRICK, 1),
            play("2s"),
        ),
        (
            "it gives what is worth least",
            view_of("4c 9d 2s", [{"do": "give", "cards": "2s"}, {"do": "give", "cards": "4c"}]),
            {"do": "give", "cards": "4c"},
        ),
        ("it hands on a low card", view_of("4c", [{"do": "keep"}, {"do": "swap"}]), {"do": "swap"}),
        ("and keeps a high one", view_of("Qc", [{"do": "keep"}, {"do": "swap"}]), {"do": "keep"}),
        (
            "it offers the cut before it deals",
            view_of("", [{"do": "offer_cut"}, {"do": "deal", "first": "You"}]),
            {"do": "offer_cut"},
        ),
        (
            "it deals to whom it should, who is listed first",
            view_of("", [{"do": "deal", "first": "You"}, {"do": "deal", "first": "Me"}]),
            {"do": "deal", "first": "You"},
        ),
    ],
)
def test_the_easy_bot_chooses_the_expected_action(says: str, seen: Any, choice: dict[str, Any]) -> None:
    assert BOTS["easy"](seen, random.Random(1)) == choice, says


def test_the_easy_bot_keeps_a_card_that_is_allowed_as_its_last() -> None:
    held = "5c 8c 2s"
    seen = view_of(held, [PASS, play("5c"), play("2s"), play("8c")], TRICK)
    assert BOTS["easy"](seen, random.Random(1)) == play("5c")
    seen["you"]["not_last"] = "8c 2s"
    assert BOTS["easy"](seen, random.Random(1)) == play("8c")
    seen["you"]["legal"] = [PASS, play("5c")]
    assert BOTS["easy"](seen, random.Random(1)) == PASS
    seen["you"]["legal"] = [play("5c")]
    assert BOTS["easy"](seen, random.Random(1)) == play("5c"), "who has to play plays"


def give(cards: str) -> dict[str, Any]:
    return {"do": "give", "cards": cards}


def discard(cards: str) -> dict[str, Any]:
    return {"do": "discard", "cards": cards}


JOKER = {"plays": [{"by": "You", "cards": "Xr", "kind": "single"}]}
TURNED = "2AKQJT9876543"
MANY = "3s 4c 5c 6d 7h 8c 9d Tc Jh Qs"


@pytest.mark.parametrize(
    ("says", "seen", "choice"),
    [
        ("it leads something else", view_of("3s 4c 9d", [play("3s"), play("4c"), play("9d")]), play("4c")),
        ("it gives something else", view_of("3s 4c 9d", [give("3s"), give("4c"), give("9d")]), give("4c")),
        ("it beats a joker with it at any time", view_of(MANY, [PASS, play("3s")], JOKER), play("3s")),
        ("rather than with a joker", view_of(f"{MANY} Xb", [PASS, play("Xb"), play("3s")], JOKER), play("3s")),
        ("but goes out if it can", view_of("Xb", [PASS, play("Xb")], JOKER), play("Xb")),
    ],
)
def test_the_easy_bot_keeps_the_three_of_spades_to_beat_a_joker(says: str, seen: Any, choice: dict[str, Any]) -> None:
    seen["table"]["strong"] = "3s"
    assert BOTS["easy"](seen, random.Random(1)) == choice, says


def test_every_bot_can_decide_about_plays_out_of_turn() -> None:
    assert OUT_OF_TURN_PLAYS.keys() == BOTS.keys()


SEVENS = {"plays": [{"by": "Bob", "cards": "7c 7d"}]}


@pytest.mark.parametrize(
    ("says", "held", "cards", "more", "does"),
    [
        ("it completes four", "3c 4c 7h 7s 9d Jc", "7h 7s", {}, True),
        ("goes out by it", "2h 2s", "2h 2s", {}, True),
        ("not where that is a foul", "2h 2s", "2h 2s", {"foul": True, "not_last": "2h 2s"}, False),
        ("keeps its best while it has much to play", "3c 4c 5c 6c 8c 9c 2h 2s", "2h 2s", {}, False),
        ("keeps something to go out with", "9h 9s 2h", "9h 9s", {"not_last": "2h"}, False),
        ("has nothing to do it with", "3c 4c", "", {}, False),
    ],
)
def test_the_easy_bot_plays_out_of_turn_only_if_it_costs_nothing(
    says: str, held: str, cards: str, more: Any, does: bool
) -> None:
    seen = view_of(held, [play(cards)] if cards else [], SEVENS)
    seen["you"] |= more
    assert (OUT_OF_TURN_PLAYS["easy"](seen, random.Random(1)) == play(cards)) is does, says


@pytest.mark.parametrize("strong", ["", "3s"])
@pytest.mark.parametrize("do", [give, discard])
def test_the_easy_bot_does_not_discard_a_card_that_beats_a_joker(
    do: Callable[[str], dict[str, Any]], strong: str
) -> None:
    seen = view_of("3s 4c 2d", [do(""), do("3s"), do("4c"), do("2d")])
    seen["table"] |= {"choice": {"do": do("")["do"], "least": 0, "most": 1}, "strong": strong}
    assert BOTS["easy"](seen, random.Random(1)) == do("4c" if strong else "3s")


@pytest.mark.parametrize("do", [give, discard])
def test_the_easy_bot_values_cards_by_the_ranks_after_the_current_trick(do: Callable[[str], dict[str, Any]]) -> None:
    seen = view_of("4c 9d 2s", [do(""), do("2s"), do("9d"), do("4c")], TRICK)
    seen["table"] |= {"choice": {"do": do("")["do"], "least": 0, "most": 1}, "ranks": TURNED, "inverted": True}
    assert BOTS["easy"](seen, random.Random(1)) == do("2s"), "in a revolution a two is worth least"
    seen["table"]["inverted_for_trick"] = True
    assert BOTS["easy"](seen, random.Random(1)) == do("4c"), "but it is the best again when the trick is over"


def test_the_easy_bot_plays_the_card_that_is_worth_least_after_the_trick() -> None:
    seen = view_of("3c 9d 2s Ks", [PASS, play("9d"), play("3c")], TRICK)
    seen["table"] |= {"ranks": TURNED, "inverted": True, "inverted_for_trick": True}
    assert BOTS["easy"](seen, random.Random(1)) == play("3c")


def test_the_easy_bot_discards_its_lowest_cards_if_not_all_choices_are_listed() -> None:
    seen = view_of("3c 4d 5h 9s Kd 2s", [discard(""), discard("9s Kd")])
    seen["table"]["choice"] = {"do": "discard", "least": 0, "most": 3}
    assert BOTS["easy"](seen, random.Random(1)) == discard("9s Kd"), "all are listed"
    seen["you"]["more"] = True
    assert BOTS["easy"](seen, random.Random(1)) == discard("3c 4d 5h")


def bomb(cards: str, most: int = 1, strong: str = "") -> str:
    """Return the ranks that the easy bot names."""
    ranks = "3456789TJQKA2"
    seen = view_of(cards, [{"do": "bomb", "ranks": "".join(named)} for named in combinations(ranks, most)])
    seen["table"] |= {"choice": {"do": "bomb", "least": most, "most": most}, "strong": strong}
    seen["table"]["players"] |= {name: {"cards": 9} for name in ("Eve", "Fay")}
    return str(BOTS["easy"](seen, random.Random(1))["ranks"])


@pytest.mark.parametrize(
    ("says", "cards", "most", "ranks"),
    [
        ("what others may have that wins tricks", "9c Td 2s 2h", 1, "A"),
        ("the best of it", "4c 9c Td Kh", 1, "2"),
        ("its own low cards, if they are many", "3c 3d 3h 9c Td", 1, "3"),
        ("no low rank that it has none of", "9c Td Ks", 2, "A2"),
        ("all that it has, if that is all", "Qc Qd", 1, "Q"),
        ("all that it has, of two ranks", "Kc 2d", 2, "K2"),
    ],
)
def test_the_easy_bot_chooses_the_expected_ranks_to_bomb(says: str, cards: str, most: int, ranks: str) -> None:
    assert bomb(cards, most) == ranks, says


def test_the_easy_bot_does_not_bomb_threes_if_its_own_three_beats_a_joker() -> None:
    held = "3c 3d 3s 9c Td"
    assert bomb(held) == "3"
    assert bomb(held, strong="3s") != "3"


POWERS = {"giving_ranks": "7", "discarding_ranks": "T", "bombing_ranks": "Q"}
FOULS = {"no_finish": ["best", "enders", "jokers", "spade_three", "revolution"]}


@for_each("preset", ["daifugo", "tycoon", "uecda", "bga_now"])
@for_each("more", [{}, POWERS, FOULS | POWERS, FOULS | {"foul": "refused"}], ids=len)
def test_the_easy_bot_makes_no_silly_plays_with_special_ranks(preset: str, more: dict[str, Any]) -> None:
    for seed in range(2):
        world = World(options={"preset": preset, **more}, bots=("easy",) * 4, seed=seed)
        world.ok("Ana", ask.Start)
        for _ in range(MOST_CHOICES):
            if world.room.phase != "playing":
                break
            name = world.to_act
            seat, action = SeatReader(room_view.build_bot_view(world.room, name)), world.choose(name)
            assert not silly(seat, action), (seed, action, seat.own_view)
            if name == "Ana":
                world.ok("Ana", ask.Act, action=action)
            else:
                world.tell(ask.BotAct(name, world.room.turn, action))


def silly(seat: SeatReader, action: dict[str, Any]) -> str:
    """Return why a choice is silly, or an empty string if it is not."""
    cards = cards_of_action(action)
    others = [other for other in seat.legal if other != action]
    kept = list((Counter(seat.cards) - Counter(cards)).elements())
    if action["do"] == "play":
        if not kept and seat.own_view.get("foul") and others:
            return "a foul that was not needed"
        fair = [
            other for other in others if len(cards_of_action(other)) < len(seat.cards) or not seat.own_view.get("foul")
        ]
        if seat.leaves_only_forbidden_last_cards(cards) and not all(
            seat.leaves_only_forbidden_last_cards(cards_of_action(other)) for other in fair
        ):
            return "nothing is left to go out with"
    elif action["do"] == "bomb":
        gone = set(action["ranks"])
        if seat.cards_per_rank.keys() - gone and any(map(seat.is_control, seat.cards_per_rank.keys() & gone)):
            return "it throws away what wins tricks"
    elif seat.table.get("choice"):
        best_gone, worst_kept = (edge(map(seat.worth, of), default=0) for edge, of in ((max, cards), (min, kept)))
        if cards and kept and best_gone > worst_kept and seat.forbidden_last_cards.isdisjoint(cards):
            return "it keeps worse than it lets go"
        if kept and any(map(seat.is_control, cards)) and seat.legal_actions_of_kind(action["do"])[0] != action:
            return "it lets go what wins tricks"
    return ""


@for_each("do", sorted(ACTION_SPECS))
@for_each("kind", [*BOTS, "harmless"])
def test_bots_can_choose_every_kind_of_action(kind: str, do: str) -> None:
    seen = view_of("4c 9d", [{"do": do, "cards": "4c"} if do == "play" else {"do": do}])
    for seed in range(20):
        action = next(actions_by_risk(seen)) if kind == "harmless" else BOTS[kind](seen, random.Random(seed))
        assert action["do"] == do


def test_the_timeout_action_passes_or_plays_the_lowest_cards() -> None:
    assert next(actions_by_risk(view_of("4c 9d", [play("4c"), PASS]))) == PASS
    assert next(actions_by_risk(view_of("4c 9d", [play("4c 9d"), play("9d"), play("4c")]))) == play("4c")


def calls(choose: ChooseAction, actions: int) -> int:
    """Count the function calls of a bot that chooses among this number of actions.

    The count includes Python's own functions and is the same on every machine.
    """
    legal = [play(" ".join(("3c", "4d", "5h", "6s")[: n % 4 + 1])) for n in range(actions)]
    seen = view_of("3c 4d 5h 6s 7c 8d 9h Ts Jc Qd Kh As 2c", legal)
    made = Counter[str]()
    before = sys.getprofile()
    sys.setprofile(lambda _frame, what, _argument: made.update((what,)))
    try:
        choose(seen, random.Random(1))
    finally:
        sys.setprofile(before)
    return made["call"] + made["c_call"]


@pytest.mark.parametrize("kind", BOTS)
def test_the_work_of_a_bot_grows_linearly_with_the_number_of_actions(kind: str) -> None:
    few, many = calls(BOTS[kind], 300), calls(BOTS[kind], 600)
    assert many < 100 * 600
    assert many <= 2.2 * few, "twice the actions are no more than twice the work"
