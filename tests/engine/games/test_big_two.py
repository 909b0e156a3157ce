"""Test Big Two with random players, options and cards: no card is lost, hands end, and hidden cards stay hidden.

The records in tests/records/big_two show each rule. Here the page's table of combinations is implemented a second time,
as plainly as possible, and compared for every set of cards.
"""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations
from random import Random
from typing import Any, TypeAlias

import pytest

from app.arena.random_rules import random_options
from app.engine.base.errors import RuleError
from app.engine.base.options import Options
from app.engine.cards.action_codec import action_to_json, parse_action
from app.engine.cards.actions import Action, Give, JoinMatch, LeaveMatch, Pass, Play, cards_in_action
from app.engine.cards.card_order import CardOrder
from app.engine.cards.cards import NATURAL_CARDS, RANKS, Card, Cards, parse_cards
from app.engine.cards.shuffling import shuffled
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.suggestion_data import KindSuggestion
from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.engine.games.big_two.combinations import (
    FLUSHES,
    FLUSHES_BY,
    FULL_HOUSE,
    HONOURS,
    QUADS,
    QUADS_OVER,
    STRAIGHT_FLUSH,
    STRAIGHTS,
    TRIPLES,
    BigTwoCombinations,
)
from app.engine.games.big_two.deal import DEALS, LEAD_LOW_CARD, STARTER, SUIT_ORDER
from app.engine.games.big_two.hand_memory import memory_of
from app.engine.games.big_two.play import LAST_CARD_DEFENCE, NO_WIN_ON, PLAY_ON
from app.engine.games.big_two.scoring import SCORING, SETTLEMENT, TARGET
from app.engine.games.big_two.short_tables import DRAW_ON_PASS
from app.engine.match import views
from app.engine.match.hand import Deal
from app.engine.match.match import Match
from tests.for_each import for_each
from tools.property_checks.playout import Playout
from tools.property_checks.random_actions import is_accepted

Played: TypeAlias = list[tuple[str, Action]]

GAME = GAMES["big_two"]
NAMES = ("Ana", "Bob", "Cat", "Dan")
SMALL = 6
"""The largest number of cards of which all subsets are tried."""
LONG = 250
"""Only hands in which passing draws cards may have more actions than this."""


def random_deal(match: Match, rng: Random) -> Deal:
    """Deal a whole pack, or cards of few ranks or suits, so that honours, full houses and last cards are frequent."""
    if rng.random() < 0.3:
        return match.deal(tuple(rng.sample(match.deck(), 52)), rng.randrange(100))
    count, suits = len(match.seats), "".join(rng.sample("cdhs", rng.choice([1, 2, 4])))
    start, width = rng.randrange(13), rng.choice([4, 5, 6, 13])
    ranks = {RANKS[(start + step) % 13] for step in range(width)} | {"2"}
    few = [card for card in NATURAL_CARDS if card.rank in ranks and card.suit in suits]
    few = rng.sample(few, len(few))
    each = min(len(few) // count, rng.choice([1, 2, 4, 7, 7, 12]))
    if each == 0:
        few, each = rng.sample(NATURAL_CARDS, 52), 3
    cards = {name: tuple(few[place * each : (place + 1) * each]) for place, name in enumerate(match.seats)}
    return Deal(GAME.next_dealer(match), cards, tuple(few[each * count :]), rng.choice([None, 5]))


# Plain version of the page's rules ------------------------------------------------------------------------------------

MIDDLE = "34567 45678 56789 6789T 789TJ 89TJQ 9TJQK TJQKA"
ORDERS = {
    "two_low": f"A2345 23456 {MIDDLE}",
    "a2345_top": f"23456 {MIDDLE} A2345",
    "23456_top": f"{MIDDLE} A2345 23456",
    "23456_top_a2345_low": f"A2345 {MIDDLE} 23456",
    "no_a2345": f"23456 {MIDDLE}",
    "two_high": f"23456 {MIDDLE} JQKA2",
    "two_high_23456_second": f"{MIDDLE} 23456 JQKA2",
    "no_wrap": f"{MIDDLE} JQKA2",
    "indonesia": f"{MIDDLE} A2345=23456",
    "hong_kong": f"{MIDDLE} 23456 A2345",
    "no_twos": MIDDLE,
    "wrap_round": f"{MIDDLE} JQKA2=QKA23=KA234=A2345=23456",
}


def run(options: Options, cards: Cards) -> tuple[int, int] | None:
    """Return the position in the order of straights, and the suit of the deciding card."""
    ranks = {card.rank for card in cards}
    for place, runs in enumerate(ORDERS[options[STRAIGHTS]].split()):
        for one in runs.split("="):
            if set(one) == ranks and len(cards) == 5:
                above = place > ORDERS[options[STRAIGHTS]].split().index("TJQKA")
                decides = "2" if above else one[-1]
                suit = next(card.suit for card in cards if card.rank == decides)
                return place, -options[SUIT_ORDER].index(suit)
    return None


def what(options: Options, cards: Cards) -> tuple[str, tuple[Any, ...]] | None:
    """Return kind and strength of some cards."""
    counts = sorted(Counter(card.rank for card in cards).values(), reverse=True)
    by_number = sorted(cards, key=lambda card: (-[c.rank for c in cards].count(card.rank), -RANKS.index(card.rank)))
    most = RANKS.index(by_number[0].rank)
    suits = [-options[SUIT_ORDER].index(card.suit) for card in cards]
    suited, is_run = len(set(suits)) == 1, run(options, cards)
    ranks = sorted((RANKS.index(card.rank) for card in cards), reverse=True)
    if len(counts) == 1 and len(cards) <= 2:
        return ("single", "pair")[len(cards) - 1], (most, max(suits))
    if counts == [3]:
        return ("triple", (most,)) if options[TRIPLES] else None
    if counts == [4]:
        return ("quads", (most,)) if options[QUADS] != "with_card" else None
    if len(cards) == 7:
        fives = [run(options, five) for five in combinations(cards, 5) if len({card.suit for card in five}) == 1]
        found = [(*five,) for five in fives if five is not None]
        return ("straight_flush", max(found)) if options[STRAIGHT_FLUSH] == "seven" and found else None
    if len(cards) != 5:
        return None
    if counts == [4, 1]:
        return ("quads", (most,)) if options[QUADS] == "with_card" else None
    if counts == [3, 2]:
        return "full_house", (most,)
    if is_run is not None:
        if not suited:
            return "straight", is_run
        royal = options[QUADS_OVER] and {card.rank for card in cards} == set("TJQKA")
        return ("royal" if royal else "straight_flush", is_run) if options[STRAIGHT_FLUSH] == "five" else None
    if not suited or not options[FLUSHES]:
        return None
    return "flush", {
        "suit": (suits[0], ranks[0]),
        "top_card": (ranks[0], suits[0]),
        "ranks": (*ranks, suits[0]),
    }[options[FLUSHES_BY]]


def beats(options: Options, new: Cards, old: Cards) -> bool:
    one, other = what(options, new), what(options, old)
    assert other is not None
    if one is None:
        return False
    if one[0] == other[0]:
        return one[1] > other[1]
    if options[QUADS] == "bomb" and "quads" in (one[0], other[0]):
        return one[0] == "quads"
    ladder = ["straight", "flush", "full_house"]
    honours = ["quads", "straight_flush"] if not options[QUADS_OVER] else ["straight_flush", "quads", "royal"]
    if options[QUADS] == "alone":
        honours = ["straight_flush"]
    if one[0] in honours:
        if other[0] in honours:
            return honours.index(one[0]) > honours.index(other[0])
        return len(old) == 5 or options[HONOURS] != "in_class" or options[STRAIGHT_FLUSH] == "seven"
    if options[FULL_HOUSE] == "own_class" or one[0] not in ladder or other[0] not in ladder:
        return False
    return ladder.index(one[0]) > ladder.index(other[0])


def is_honour(options: Options, cards: Cards) -> bool:
    found = what(options, cards)
    return found is not None and (
        found[0] in ("straight_flush", "royal") or (found[0] == "quads" and options[QUADS] != "alone")
    )


def may_play(match: Match, by: str, cards: Cards) -> bool:
    """Whether the page allows the player to play these cards now."""
    hand: HandState = match.hand
    options, table, held = match.options, hand.play_to_beat, hand.cards[by]

    def value(card: Card) -> tuple[int, int]:
        return RANKS.index(card.rank), -options[SUIT_ORDER].index(card.suit)

    if what(options, cards) is None or (table is not None and not beats(options, cards, table.combination.cards)):
        return False
    if by != hand.player_to_play:
        barred = by in hand.trick.barred or table is None or table.by == by
        return options[HONOURS] == "out_of_turn" and is_honour(options, cards) and not barred
    low = min((card for one in hand.cards.values() for card in one), key=value)
    first = not hand.opened and memory_of(hand).leader is None
    must_hold_low = first and options[LEAD_LOW_CARD] and low in held
    if must_hold_low and low not in cards:
        return False
    if len(cards) > 1:
        return True
    banned = {"none": "", "top_card": "2" + options[SUIT_ORDER][0], "single_two": "2"}[options[NO_WIN_ON]]
    if banned and len(held) == 1 and not hand.out and cards[0].startswith(banned) and not memory_of(hand).ban_lifted:
        return False
    following = hand.next_player_with_cards(by)
    duty = options[LAST_CARD_DEFENCE] == "required" and following is not None and len(hand.cards[following]) == 1
    return not duty or cards[0] == max(held, key=value) or must_hold_low


def must_defend(match: Match, by: str) -> bool:
    """Whether the page obliges the player in turn to play their highest card rather than pass (BIG-19)."""
    hand: HandState = match.hand
    table, following = hand.play_to_beat, hand.next_player_with_cards(by)
    if match.options[LAST_CARD_DEFENCE] != "required" or following is None or len(hand.cards[following]) > 1:
        return False
    if table is None or table.by == by or len(table.combination.cards) > 1:
        return False
    suits = match.options[SUIT_ORDER]
    highest = max(hand.cards[by], key=lambda card: (RANKS.index(card.rank), -suits.index(card.suit)))
    return may_play(match, by, (highest,))


# Checks for every position --------------------------------------------------------------------------------------------


def subsets(cards: Cards) -> Iterator[Cards]:
    return chain.from_iterable(combinations(cards, size) for size in range(1, min(len(cards), 7) + 1))


def check_legal(match: Match) -> None:
    """Check that `legal` lists exactly the actions that the page allows and the engine accepts.

    Every player in `to_act` has a legal action.
    """
    hand: HandState = match.hand
    listed = list(match.legal_actions())
    assert len(
        {(by, action_to_json(action)["do"], frozenset(cards_in_action(action))) for by, action in listed}
    ) == len(listed)
    assert set(match.to_act) <= {by for by, _ in listed}
    for name in hand.seats:
        assert [action for by, action in listed if by == name] == [action for _, action in match.legal_actions(name)]
    if match.phase != "play":
        return
    for by in hand.players_with_cards():
        plays = {frozenset(action.cards) for one, action in listed if one == by and isinstance(action, Play)}
        if len(hand.cards[by]) <= SMALL:
            for cards in subsets(hand.cards[by]):
                assert (frozenset(cards) in plays) == may_play(match, by, cards) == is_accepted(match, by, Play(cards))
        else:
            assert all(may_play(match, by, tuple(cards)) for cards in plays)
        assert ((by, Pass()) in listed) == is_accepted(match, by, Pass())
        if by == hand.player_to_play:
            assert ((by, Pass()) in listed) == (
                (hand.play_to_beat is not None or not plays) and not must_defend(match, by)
            )


PUBLIC = {"played", "odd_card", "dragon", "drew_for_deal"}
PRIVATE = {"gave_cards", "drew_cards", "odd_card_seen"}


def check_events(events: tuple[GameEvent, ...]) -> None:
    """Check that everybody sees face-up cards, and only their holders see hidden cards."""
    for event in events:
        json.dumps(event.to_json())
        assert (event.to is not None) == (event.name in PRIVATE)
        if event.to is not None:
            assert views.visible_events((event,), None) == []
        elif "cards" in event.data:
            assert event.name in PUBLIC


# Random matches ------------------------------------------------------------------------------------------------------


class Watched(Playout):
    """A random match (test_random_matches.py) that is compared with the page."""

    def next_deal(self) -> Deal:
        return random_deal(self.match, self.rng)

    def choose_action(self, legal: list[tuple[str, Action]]) -> tuple[str, Action]:
        """Prefer long plays, which are rare. Where passing draws cards, a hand would not end without them."""
        if self.rng.random() < 0.5 or self.actions_in_hand > LONG:
            legal = sorted(legal, key=lambda one: len(cards_in_action(one[1])))[-2:]
        return self.rng.choice(legal)

    def on_step(self, events: tuple[GameEvent, ...]) -> None:
        check_events(events)
        if not self.match.is_hand_running:
            return
        assert views.table_view(self.match)["left"] is None
        assert self.actions_in_hand < LONG or (self.match.options[DRAW_ON_PASS] != "none" and len(self.match.seats) < 4)
        if self.rng.random() < 0.3 and self.actions_in_hand < 80:
            check_legal(self.match)

    def on_hand_end(self) -> None:
        check_result(self.match)


def check_result(match: Match) -> None:
    result = match.last
    assert result is not None
    standing = [*result.standing]
    assert sorted(standing) == sorted(match.seats) == sorted(result.ledger)
    left = [len(match.hand.cards[name]) for name in standing]
    assert left[0] == 0
    assert left == sorted(left)
    if match.options[PLAY_ON] and "dragon" not in result.events:
        assert sum(count > 0 for count in left) == 1
    if match.options[SCORING] == "cards" and match.options[SETTLEMENT] != "penalties":
        assert sum(result.ledger.values()) == 0
    target = match.options[TARGET]
    reached = target is not None and max(abs(match.totals[name]) for name in match.seats) >= target
    assert match.over == (reached or (match.options[DEALS] is not None and match.dealt == match.options[DEALS]))
    assert ("match_won" in result.events) == match.over
    shown = views.table_view(match)["left"]
    assert shown == {
        name: " ".join(match.hand.cards[name]) for name, count in zip(standing, left, strict=True) if count
    }
    deals = match.memory["losers"][0] if match.options[STARTER] == "loser" and match.memory["losers"] else standing[0]
    assert GAME.next_dealer(match) == deals


# Combinations --------------------------------------------------------------------------------------------------------


def of(**asked: Any) -> BigTwoCombinations:
    options = GAME.option_schema.resolve_options(asked)
    return BigTwoCombinations(options, CardOrder.for_suit_order(options[SUIT_ORDER]))


def test_a_deck_has_the_known_number_of_each_combination() -> None:
    """Compare with the numbers of Poker, for a pack of 28 cards to save time. Seven ranks have three straights."""
    pack = tuple(card for card in NATURAL_CARDS if card.rank in "3456789")
    found = Counter(one.kind for (one,) in of().possible_leads(pack))
    assert found == {
        "single": 28,
        "pair": 7 * 6,
        "triple": 7 * 4,
        "straight": 3 * (4**5 - 4),
        "flush": 4 * (21 - 3),
        "full_house": 7 * 4 * 6 * 6,
        "quads": 7 * 24,
        "straight_flush": 4 * 3,
    }


@pytest.mark.parametrize("seed", range(12))
def test_any_two_combinations_compare_as_in_the_written_rules(seed: int) -> None:
    """Compare all combinations of two random sets of cards, under random options, with the plain version."""
    rng = Random(seed)
    options = random_options(GAME, rng)
    rules = BigTwoCombinations(options, CardOrder.for_suit_order(options[SUIT_ORDER]))
    for _ in range(4):
        suits = rng.choice(["cdhs", "cd", "s"])
        few = [card for card in NATURAL_CARDS if card.suit in suits and card.rank in [*rng.sample(RANKS, 7), "2", "A"]]
        cards = rules.card_order.sort_cards(rng.sample(few, min(9, len(few))))
        leads = [one.cards for (one,) in rules.possible_leads(cards)]
        assert rules.largest_size_and_strength(cards) == max(
            (one.size, one.strength) for (one,) in rules.possible_leads(cards)
        )
        assert len({frozenset(one) for one in leads}) == len(leads)
        assert {frozenset(one) for one in leads} == {
            frozenset(one) for one in subsets(cards) if what(options, one) is not None
        }
        others = rules.card_order.sort_cards(rng.sample(NATURAL_CARDS, 9))
        for old in rng.sample(leads, min(4, len(leads))):
            on = rules.read_combination(old)
            assert on is not None
            answers = {frozenset(one.cards) for (one,) in rules.possible_answers(others, on)}
            assert answers == {frozenset(one) for one in subsets(others) if beats(options, one, old)}


# Deals ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "asked", "each", "stock"),
    [
        (4, {}, 13, 0),
        (3, {}, 17, 1),
        (3, {"three_deal": "thirteen"}, 13, 13),
        (2, {}, 17, 18),
        (2, {"two_deal": 21}, 21, 10),
        (2, {"two_deal": 13}, 13, 26),
    ],
)
def test_the_deck_is_dealt_by_number_of_players_and_options(
    count: int, asked: dict[str, Any], each: int, stock: int
) -> None:
    match = Match.start(GAME, GAME.option_schema.resolve_options(asked), NAMES[:count])
    deal = match.deal(match.deck(), 1)
    assert [len(cards) for cards in deal.cards.values()] == [each] * count
    assert len(deal.stock) == stock
    assert sorted([*(card for cards in deal.cards.values() for card in cards), *deal.stock]) == sorted(NATURAL_CARDS)


@pytest.mark.parametrize("direction", ["anticlockwise", "clockwise"])
@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_exposed_card_decides_which_player_gets_the_first_card(count: int, direction: str) -> None:
    """BIG-02: the count starts at 1 with the dealer, and goes round the players in the direction of play."""
    match = Match.start(GAME, GAME.option_schema.resolve_options({"direction": direction}), NAMES[:count])
    onwards = NAMES[:1] + (NAMES[1:count] if direction == "clockwise" else NAMES[count - 1 : 0 : -1])
    for steps, rank in enumerate("A23456789TJQK"):
        pack = list(NATURAL_CARDS)
        place = pack.index(Card(rank + "h"))
        pack[26], pack[place] = pack[place], pack[26]
        pack = tuple(pack)
        first = onwards[steps % count]
        assert match.deal(pack).cards[first][0] == pack[0]
        after = onwards[(steps + 1) % count]
        assert match.deal(pack).cards[after][0] == pack[1]


def test_the_first_card_option_can_give_it_to_the_player_next_to_the_dealer() -> None:
    for direction, first in (("anticlockwise", "Dan"), ("clockwise", "Bob")):
        match = Match.start(
            GAME, GAME.option_schema.resolve_options({"first_card": "next", "direction": direction}), NAMES
        )
        assert match.deal(match.deck()).cards[first][0] == match.deck()[0]


# Refusals -------------------------------------------------------------------------------------------------------------


def begun(hands: dict[str, str], stock: str = "", **asked: Any) -> Match:
    match = Match.start(GAME, GAME.option_schema.resolve_options(asked), tuple(hands))
    named = {name: parse_cards(cards) for name, cards in hands.items()}
    return match.begin_hand(Deal(next(iter(hands)), named, parse_cards(stock))).match


def refused(match: Match, by: str, action: dict[str, Any]) -> RuleError:
    with pytest.raises(RuleError) as caught:
        match.apply_action(by, parse_action(action))
    return caught.value


FOUR = {"Ana": "3d 5c 5h 9d 9c 9h 9s Kd", "Bob": "4d 6d", "Cat": "7d 8d", "Dan": "Td Jd"}


@for_each(
    ("by", "action", "code", "says"),
    [
        ("Bob", {"do": "play", "cards": "4d"}, "not_your_turn", "Ana"),
        ("Ana", {"do": "play", "cards": "3x"}, "bad_card", "The card “3x” does not exist."),
        ("Ana", {"do": "play", "cards": "4d"}, "not_your_cards", "your own cards"),
        ("Ana", {"do": "play", "cards": "3d 3d"}, "not_your_cards", "your own cards"),
        ("Ana", {"do": "play", "cards": "5c 5h"}, "must_play", "3♦"),
        ("Ana", {"do": "play", "cards": "5c 9d"}, "must_play", "3♦"),
        ("Ana", {"do": "pass"}, "must_play", "You lead"),
        ("Ana", {"do": "play", "cards": "3d 5c"}, "not_a_combination", "Not a combination. Your play must include 3♦."),
        ("Ana", {"do": "give", "cards": "3d"}, "not_in_this_phase", "exchange"),
        ("Ana", {"do": "keep"}, "bad_action", "no such action"),
        ("Eve", {"do": "pass"}, "bad_action", "Eve"),
    ],
)
def test_a_refusal_to_the_leader_names_legal_actions(by: str, action: dict[str, Any], code: str, says: str) -> None:
    error = refused(begun(FOUR), by, action)
    assert error.code == code
    assert says in error.sentence


def test_a_refusal_to_a_follower_names_cards_that_would_beat() -> None:
    match = begun({"Ana": "3d 5d 5c", "Bob": "3c Kd"}).apply_action("Ana", Play(parse_cards("3d"))).match
    error = refused(match, "Bob", {"do": "play", "cards": "3c Kd"})
    assert error.code == "not_a_combination"
    match = match.apply_action("Bob", Play(parse_cards("3c"))).match
    error = refused(match, "Ana", {"do": "play", "cards": "5d 5c"})
    assert error.code == "does_not_beat"
    assert "5♦ 5♣ can’t beat 3♣. Play a higher card, or pass." in error.sentence


@for_each(
    ("asked", "on", "kinds"),
    [
        (
            {},
            "3d 4c 5h 6s 7d",
            ["a higher straight", "a flush", "a full house", "four of a kind with a card", "a straight flush"],
        ),
        (
            {"full_house": "own_class"},
            "3d 4c 5h 6s 7d",
            ["a higher straight", "four of a kind with a card", "a straight flush"],
        ),
        ({}, "3d 3c 3h 3s 7d", ["a higher four of a kind with a card", "a straight flush"]),
        ({}, "3d", ["a higher card"]),
        ({"honours": "beat_all"}, "3d", ["a higher card", "four of a kind with a card", "a straight flush"]),
        (
            {"straight_flush": "seven"},
            "3d",
            ["a higher card", "four of a kind with a card", "a straight flush with two more cards"],
        ),
        ({"quads": "alone"}, "3d 3c 3h 3s", ["a higher four of a kind"]),
        ({"quads_over": True}, "3d 4d 5d 6d 7d", ["a higher straight flush", "four of a kind with a card"]),
    ],
)
def test_the_hint_names_every_kind_that_can_beat(asked: dict[str, Any], on: str, kinds: list[str]) -> None:
    match = begun({"Ana": on + " Kc", "Bob": "8h 9h"}, **asked).apply_action("Ana", Play(parse_cards(on))).match
    error = refused(match, "Bob", {"do": "play", "cards": "8h 9h"})
    assert error.code == "not_a_combination"
    assert [one.words for one in error.suggestions if isinstance(one, KindSuggestion)] == kinds
    assert f". Play {kinds[0]}" in error.sentence


def test_a_refusal_by_a_last_card_rule_names_the_alternative() -> None:
    match = (
        begun({"Ana": "2s", "Bob": "3d 4d"}, no_win_on="single_two").apply_action("Bob", Play(parse_cards("3d"))).match
    )
    error = refused(match, "Ana", {"do": "play", "cards": "2s"})
    assert error.code == "does_not_beat"
    assert "2♠" in error.sentence
    match = begun({"Ana": "9s", "Bob": "3d 4d 5d"}, last_card_defence="required", lead_low_card=False)
    error = refused(match, "Bob", {"do": "play", "cards": "4d"})
    assert error.code == "must_play"
    assert "Ana has one card left." in error.sentence
    assert "5♦" in error.sentence


def test_barred_players_are_refused_and_only_honours_are_allowed_out_of_turn() -> None:
    hands = {"Ana": "3d Kd", "Bob": "6d 6c 6h 6s Td Jd", "Cat": "4d 8c", "Dan": "7d 8d"}
    match = begun(hands, passing="out", honours="out_of_turn").apply_action("Ana", Play(parse_cards("3d"))).match
    error = refused(match, "Bob", {"do": "play", "cards": "6d"})
    assert error.code == "not_your_turn"
    assert "four of a kind with a card or a straight flush" in error.sentence
    assert refused(match, "Bob", {"do": "play", "cards": "8d 8c 8h 8s Td"}).code == "not_your_cards"
    match = match.apply_action("Dan", Pass()).match
    assert refused(match, "Dan", {"do": "play", "cards": "7d"}).code == "barred"
    match = match.apply_action("Bob", Play(parse_cards("6d 6c 6h 6s Td"))).match
    assert match.hand.trick.barred == {"Dan"}


def test_the_winner_owes_a_card_after_a_tribute_and_wrong_cards_are_refused() -> None:
    match = begun({"Ana": "3d", "Bob": "4d 5d", "Cat": "6d 7d 8d"}, tribute=True, three_deal="thirteen")
    match = match.apply_action("Ana", Play(parse_cards("3d"))).match
    cards = {"Ana": "4c 5c 9c", "Bob": "3d Td Jd", "Cat": "6c Kd 2h"}
    match = match.begin_hand(Deal("Ana", {name: parse_cards(held) for name, held in cards.items()})).match
    assert match.to_act == ("Ana",)
    assert GAME.private_view(match.hand, "Ana")["must_give"] == [{"to": "Cat", "count": 1, "which": "any"}]
    assert refused(match, "Ana", {"do": "give", "cards": "4c 5c"}).code == "wrong_gift"
    assert refused(match, "Ana", {"do": "give", "cards": "Kd"}).code == "not_your_cards"
    assert refused(match, "Cat", {"do": "give", "cards": "2h"}).code == "not_your_turn"
    assert refused(match, "Bob", {"do": "play", "cards": "3d"}).code == "not_in_this_phase"


@for_each(
    ("asked", "names"),
    [
        ({"quads_over": True, "straight_flush": "seven"}, ("quads_over", "straight_flush")),
        ({"quads_over": True, "quads": "alone"}, ("quads_over", "quads")),
        ({"straight_flush": "seven", "quads": "alone"}, ("straight_flush", "quads")),
        ({"preset": "latta", "quads": "alone"}, ("straight_flush", "quads")),
        ({"quads_over": True, "quads": "bomb"}, ("quads_over", "quads")),
        ({"straight_flush": "seven", "quads": "bomb"}, ("straight_flush", "quads")),
        ({"scoring": "places"}, ("scoring", "play_on")),
        ({"two_deal": "17"}, ("two_deal",)),
        ({"two_deal": 14}, ("two_deal",)),
        ({"doubling": [[10]]}, ("doubling",)),
        ({"stake": 0}, ("stake",)),
        ({"deals": 0}, ("deals",)),
        ({"announce": True}, ("announce",)),
    ],
)
def test_contradictory_and_invalid_options_are_refused_by_name(asked: dict[str, Any], names: tuple[str, ...]) -> None:
    with pytest.raises(RuleError) as caught:
        GAME.option_schema.resolve_options(asked)
    assert caught.value.code == "bad_option"
    assert all(f"“{name}" in caught.value.sentence for name in names)


@pytest.mark.parametrize("count", [1, 5])
def test_fewer_than_two_or_more_than_four_players_are_refused(count: int) -> None:
    with pytest.raises(RuleError) as caught:
        Match.start(GAME, GAME.option_schema.resolve_options(), (*NAMES, "Eve")[:count])
    assert caught.value.code == "bad_player_count"


@pytest.mark.parametrize(
    ("cards", "stock"), [({"Ana": "3d", "Bob": ""}, ""), ({"Ana": "3d", "Bob": "4d"}, "3d"), ({"Ana": "3d"}, "")]
)
def test_an_invalid_deal_is_refused(cards: dict[str, str], stock: str) -> None:
    match = Match.start(GAME, GAME.option_schema.resolve_options(), ("Ana", "Bob"))
    with pytest.raises(RuleError) as caught:
        match.begin_hand(Deal("Ana", {name: parse_cards(held) for name, held in cards.items()}, parse_cards(stock)))
    assert caught.value.code == "bad_record"


def test_a_newcomer_does_not_deal_lead_or_owe_a_tribute() -> None:
    """A newcomer has none of the duties that follow from a hand that they did not play."""
    match = begun({"Ana": "3d", "Bob": "4d"}, tribute=True, starter="winner", three_deal="thirteen")
    match = match.apply_action("Ana", Play(parse_cards("3d"))).match.apply_between_hands("Cat", JoinMatch()).match
    assert GAME.next_dealer(match) == "Ana"
    cards = {"Ana": "4c 5c", "Bob": "3d Td", "Cat": "6c 2h"}
    match = match.begin_hand(Deal("Ana", {name: parse_cards(held) for name, held in cards.items()})).match
    assert match.phase == "exchange"
    assert match.hand.cards["Ana"] == parse_cards("4c 5c Td")
    assert match.apply_action("Ana", Give(parse_cards("4c"))).match.hand.cards["Bob"] == parse_cards("3d 4c")


def test_the_next_player_deals_and_leads_if_the_winner_leaves() -> None:
    match = begun({"Ana": "3d", "Bob": "4d 5d", "Cat": "6d"}, starter="winner", three_deal="thirteen")
    match = match.apply_action("Ana", Play(parse_cards("3d"))).match.apply_between_hands("Ana", LeaveMatch()).match
    assert GAME.next_dealer(match) == "Cat"
    cards = {"Bob": "3d Td", "Cat": "6c 2h"}
    match = match.begin_hand(Deal("Cat", {name: parse_cards(held) for name, held in cards.items()})).match
    assert match.to_act == ("Cat",)


def test_in_the_indonesia_preset_the_player_with_the_highest_drawn_card_deals() -> None:
    """BIG-05: a new match with a fixed number of hands begins with a draw. The winner deals later hands."""
    options = GAME.option_schema.resolve_options({"preset": "indonesia"})
    dealers = set[str]()
    for seed in range(12):
        match = Match.start(GAME, options, ("Ana", "Bob", "Cat", "Dan"))
        deal = match.deal(shuffled(match.deck(), seed), seed)
        step = match.begin_hand(deal)
        [drew] = [event for event in step.events if event.name == "drew_for_deal"]
        drawn = drew.data["cards"]
        order = "3456789TJQKA2"
        best = max(drawn, key=lambda name: (order.index(drawn[name][0]), "dchs".index(drawn[name][1])))
        assert drew.by == deal.dealer == best
        dealers.add(deal.dealer)
    assert len(dealers) > 1
