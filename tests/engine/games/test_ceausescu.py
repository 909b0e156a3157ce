"""Test Ceausescu with random players, options and cards: no card is lost, hands end, and hidden cards stay hidden.

The records in tests/records/ceausescu show each rule.
"""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations
from random import Random
from typing import Any, TypeAlias

import pytest

from app.engine.base.errors import RuleError
from app.engine.cards.action_codec import parse_action
from app.engine.cards.actions import (
    Action,
    Cut,
    Decree,
    Give,
    GrantLeave,
    JoinMatch,
    LeaveMatch,
    Obey,
    Pass,
    Play,
    RefuseLeave,
    RequestLeave,
    cards_in_action,
)
from app.engine.cards.cards import JOKERS, RANKS, Card, Cards, build_deck, parse_cards
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.engine.games.ceausescu.society import TITLES
from app.engine.match import views
from app.engine.match.hand import Deal
from app.engine.match.match import Match
from tests.for_each import for_each
from tools.property_checks.playout import Playout
from tools.property_checks.random_actions import is_accepted

Played: TypeAlias = list[tuple[str, Action]]

GAME = GAMES["ceausescu"]
PACK = build_deck(jokers=2)
SMALL = 6
"""The largest number of cards of which all subsets are tried."""


def random_deal(match: Match, rng: Random) -> Deal:
    """Deal a whole pack, or cards sorted by rank. With all 4s and 7s in one hand there are bombs and missiles."""
    kind = rng.choice(["whole", "clumps", "4s and 7s"])
    if kind == "whole":
        return match.deal(tuple(rng.sample(PACK, len(PACK))))
    values: dict[str, float] = dict(zip("X" + RANKS, rng.sample(range(14), 14), strict=True))
    noise, each, most = rng.choice([0, 1, 3]), rng.randint(3, 6), min(len(PACK) // len(match.seats), 12)
    if kind == "4s and 7s":
        values["4"], values["7"], noise, each = -1, -1, 0, most
    pile = sorted(PACK, key=lambda card: values[card.rank] + noise * rng.random())
    some = rng.sample(range(len(match.seats)), len(match.seats))
    return Deal(
        GAME.next_dealer(match),
        {name: tuple(pile[place * each : (place + 1) * each]) for name, place in zip(match.seats, some, strict=True)},
    )


def subsets(cards: Cards) -> Iterator[Cards]:
    return chain.from_iterable(combinations(cards, size) for size in range(1, len(cards) + 1))


def what(cards: Cards) -> tuple[int, str, tuple[int, ...]] | None:
    """Return level, kind and values of some cards, by a plain version of the page's tables."""
    order = [*RANKS, "Xb", "Xr"]
    values = sorted((order.index(card if card.is_joker else card.rank) for card in cards), reverse=True)
    counts = Counter(values)
    each, top = set(counts.values()), values[0]
    natural = top < len(RANKS)
    row = top - values[-1] == len(counts) - 1
    fours_and_sevens = {RANKS.index("4"): len(cards) // 2, RANKS.index("7"): len(cards) // 2}
    if counts == fours_and_sevens and len(cards) in {4, 6, 8}:
        return ({4: 1, 6: 4, 8: 6}[len(cards)], "47", (0,))
    if set(cards) == set(JOKERS):
        return (3, "jokers", (0,))
    if natural and row and each in ({3}, {4}):
        return (2 if each == {3} else 5, "sets", (top,))
    if len(cards) == 1:
        return (0, "single", (top,))
    if natural and row and each == {2} and len(counts) <= 5:
        return (0, f"pairs {len(counts)}", (top,))
    if natural and len({card.suit for card in cards}) == 1:
        if row and 3 <= len(cards) <= 5:
            return (0, f"straight flush {len(cards)}", (top,))
        if len(cards) == 5 and not row:
            return (0, "flush", tuple(values))
    return None


def allowed_by_the_page(hand: HandState, cards: Cards) -> bool:
    one = what(cards)
    if one is None or hand.play_to_beat is None:
        return one is not None
    on = what(hand.play_to_beat.combination.cards)
    assert on is not None
    return one > on if one[:2] == on[:2] else one[0] > on[0]


def check_legal(match: Match) -> None:
    """Check that `legal` lists exactly the actions that the page allows, and that all players in `to_act` can act."""
    hand: HandState = match.hand
    listed = list(match.legal_actions())
    assert len(set(listed)) == len(listed)
    may_act = {by for by, _ in listed}
    if match.options.values_by_key["bombing"] == "any_time" and hand.player_to_play is not None:
        assert may_act >= set(match.to_act)
    else:
        assert may_act == set(match.to_act)
    if hand.player_to_play is None:
        return
    by, held = hand.player_to_play, hand.cards[hand.player_to_play]
    plays = {frozenset(action.cards) for _, action in listed if isinstance(action, Play)}
    assert (
        (Pass() in [action for _, action in listed])
        == (hand.play_to_beat is not None)
        == is_accepted(match, by, Pass())
    )
    if len(held) <= SMALL:
        for cards in subsets(held):
            assert (
                (frozenset(cards) in plays) == is_accepted(match, by, Play(cards)) == allowed_by_the_page(hand, cards)
            )
    else:
        assert all(allowed_by_the_page(hand, action.cards) for _, action in listed if isinstance(action, Play))


def check_gifts(match: Match) -> None:
    """Check for a small hand that exactly the listed ways to give its cards are accepted."""

    def gifts(by: str, action: Action) -> tuple[str, tuple[frozenset[Card], ...]]:
        assert isinstance(action, Give)
        return by, tuple(frozenset(cards) for _, cards in action.to) or (frozenset(action.cards),)

    listed = {gifts(by, action) for by, action in match.legal_actions()}
    for by in match.to_act:
        held = match.hand.cards[by]
        owed = GAME.private_view(match.hand, by)["must_give"]
        if len(held) > SMALL or len(owed) > 2:
            continue
        for first in combinations(held, owed[0]["count"]):
            for second in combinations(held, owed[1]["count"]) if len(owed) == 2 else [()]:
                action = Give(to=((owed[0]["to"], first), (owed[1]["to"], second))) if second else Give(first)
                assert (gifts(by, action) in listed) == is_accepted(match, by, action)


def check_events(events: tuple[GameEvent, ...]) -> None:
    """Check that everybody sees played cards, and only giver and receiver see given cards."""
    for event in events:
        told = json.dumps(views.visible_events((event,), None))
        if event.name == "gave_cards":
            assert event.to == (event.by, event.data["to"])
            assert told == "[]"
        else:
            assert event.to is None
            assert ("cards" in event.data) == (event.name == "played")


class Watched(Playout):
    """A random match (test_random_matches.py) that is compared with the page."""

    def next_deal(self) -> Deal:
        return random_deal(self.match, self.rng)

    def choose_action(self, legal: list[tuple[str, Action]]) -> tuple[str, Action]:
        """Prefer long plays, which are rare, so that hands have bombs and runs."""
        if self.rng.random() < 0.5:
            legal = sorted(legal, key=lambda one: len(cards_in_action(one[1])))[-3:]
        return self.rng.choice(legal)

    def on_step(self, events: tuple[GameEvent, ...]) -> None:
        check_events(events)
        if self.match.is_hand_running:
            check_legal(self.match)
        if self.match.phase == "exchange":
            check_gifts(self.match)

    def on_hand_end(self) -> None:
        check_result(self.match_before_hand, self.match, self.hand_events)


def check_result(before: Match, match: Match, events: list[GameEvent]) -> None:
    """Check the places, the titles and the ledger.

    A Nicolae makes its player first. First and last get one point up and down.
    """
    result = match.last
    assert result is not None
    standing = [*result.standing]
    assert sorted(standing) == sorted(match.seats)
    assert match.hierarchy == result.standing
    assert sum(result.ledger.values()) == 0
    assert (result.ledger[standing[0]], result.ledger[standing[-1]]) == (1, -1)
    out = [event.by for event in events if event.name == "out"]
    crowned = [event.by for event in events if event.name == "nicolae"]
    if crowned:
        assert standing[0] == crowned[0]
    assert [name for name in out if name not in crowned] == [
        name for name in standing if name in out and name not in crowned
    ]
    own = match.options[TITLES]
    titles = own if isinstance(own, list) else ["King", "High Two", "Middle Class", "Low Two", "Serf"]
    assert (result.titles[standing[0]], result.titles[standing[-1]]) == (titles[0], titles[4])
    assert views.table_view(match)["players"][standing[0]]["title"] == titles[0]
    turned = bool(before.hierarchy) and (standing[0], standing[-1]) == (before.hierarchy[-1], before.hierarchy[0])
    assert ("ceausescu" in result.events) == turned
    assert not match.over


def test_combinations_are_recognised_as_in_the_written_rules() -> None:
    """Try every subset of small hands of few ranks and suits: bombs, runs, 47s and cards that only resemble them."""
    rng = Random(47)
    for _ in range(40):
        ranks, suits = rng.choice([("3478", "cdhs"), ("47A2X", "cdhs"), ("3456789", "c"), ("KA23", "cd")])
        some = [card for card in PACK if card.rank in ranks and (card.suit in suits or card.is_joker)]
        held = tuple(rng.sample(some, min(8, len(some))))
        rest = [Card("9d"), Card("Td")]
        match = Match.start(GAME, GAME.option_schema.resolve_options(), ("Ana", "Bob"))
        match = match.begin_hand(Deal("Ana", {"Ana": held, "Bob": tuple(rest)})).match
        match = match.replace(hand=match.hand.replace(to_act=("Ana",)))
        listed = {frozenset(action.cards) for _, action in match.legal_actions() if isinstance(action, Play)}
        assert listed == {frozenset(cards) for cards in subsets(held) if what(cards) is not None}
        assert listed == {frozenset(cards) for cards in subsets(held) if is_accepted(match, "Ana", Play(cards))}


def test_plays_beat_each_other_as_in_the_written_rules() -> None:
    """An answer must be accepted exactly if the page says so, for leads and answers from one pack."""
    rng = Random(11)
    tried = Counter[tuple[int, bool]]()
    for _ in range(200):
        ranks = {*rng.sample("35689TJQKA2", 2), "4", "7", "X"}
        some = [card for card in PACK if card.rank in ranks and card != "3c"]
        rng.shuffle(some)
        hands = {"Ana": (*some[::2], Card("3c")), "Bob": (*some[1::2],)}
        match = (
            Match.start(GAME, GAME.option_schema.resolve_options(), ("Ana", "Bob")).begin_hand(Deal("Ana", hands)).match
        )
        leads: dict[int, list[Action]] = {}
        for _, action in match.legal_actions():
            assert isinstance(action, Play)
            one = what(action.cards)
            assert one is not None
            leads.setdefault(one[0], []).append(action)
        level = rng.choice(list(leads))
        led = match.apply_action("Ana", rng.choice(leads[level])).match
        if led.to_act != ("Bob",):
            continue
        answers = {frozenset(action.cards) for _, action in led.legal_actions() if isinstance(action, Play)}
        could = [action for _, action in GAME.legal_actions(match.hand.replace(to_act=("Bob",)))]
        for action in could:
            assert isinstance(action, Play)
            good = allowed_by_the_page(led.hand, action.cards)
            assert good == (frozenset(action.cards) in answers) == is_accepted(led, "Bob", action)
            tried[level, good] += 1
    assert tried.keys() >= {(level, good) for level in range(6) for good in (False, True)}


@pytest.mark.parametrize("count", range(2, 9))
def test_two_players_get_17_cards_each_and_more_players_get_the_whole_deck(count: int) -> None:
    match = Match.start(GAME, GAME.option_schema.resolve_options(), tuple("ABCDEFGH"[:count]))
    deal = match.deal(PACK)
    sizes = [len(cards) for cards in deal.cards.values()]
    if count == 2:
        assert sizes == [17, 17]
        assert len(deal.stock) == 20
    else:
        assert sum(sizes) == 54
        assert max(sizes) - min(sizes) <= 1
        assert deal.stock == ()
    assert deal.dealer == "A"
    assert deal.cards["B"][0] == PACK[0]


def test_titles_follow_the_hierarchy_between_hands() -> None:
    match = played_once("3c", "4d", "5h", "6s")
    match = match.apply_between_hands("Eve", JoinMatch()).match
    assert views.table_view(match)["players"]["Eve"]["title"] == "Middle Class"
    match = match.apply_between_hands("Ana", LeaveMatch()).match
    assert [views.table_view(match)["players"][name]["title"] for name in ("Bob", "Eve", "Cat", "Dan")] == [
        "King",
        "High Two",
        "Low Two",
        "Serf",
    ]


def test_the_table_view_shows_leave_requests_and_decrees() -> None:
    match = played_once("3c", "4d", "5h")
    match = match.apply_between_hands("Cat", RequestLeave()).match
    match = match.apply_between_hands("Ana", Decree("Sing", "Bob")).match
    match = match.apply_between_hands("Ana", Decree("Louder")).match
    table = views.table_view(Match.from_json(json.loads(json.dumps(match.to_json())), GAMES))
    assert table["asks_leave"] == "Cat"
    assert table["decrees"] == {"Bob": "Sing", "Cat": "Louder"}
    match = match.apply_between_hands("Bob", Obey()).match
    assert match.next_decree_by_player() == {"Bob": "Louder", "Cat": "Louder"}
    match = match.apply_between_hands("Ana", GrantLeave()).match
    table = views.table_view(match)
    assert table["asks_leave"] is None
    assert table["decrees"] == {"Bob": "Louder"}


def played_once(*singles: str, **options: Any) -> Match:
    """Return a match after a first hand in which each player in turn played their only card."""
    names = ("Ana", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")[: len(singles)]
    match = Match.start(GAME, GAME.option_schema.resolve_options(options), names)
    match = match.begin_hand(
        Deal("Ana", {name: parse_cards(card) for name, card in zip(names, singles, strict=True)})
    ).match
    for name, card in zip(names[:-1], singles, strict=False):
        match = match.apply_action(name, Play(parse_cards(card))).match
    assert match.hierarchy == names
    return match


def refusal(match: Match, by: str, **action: Any) -> str:
    with pytest.raises(RuleError) as caught:
        match.apply_action(by, parse_action(action))
    return str(caught.value)


def test_refusals_name_legal_alternatives() -> None:
    deal = {"Ana": "3c 3d 4c 7d Xb", "Bob": "9c 9d Th", "Cat": "2c 2d 2h"}
    match = Match.start(GAME, GAME.option_schema.resolve_options(), ("Ana", "Bob", "Cat"))
    match = match.begin_hand(Deal("Ana", {name: parse_cards(cards) for name, cards in deal.items()})).match
    assert refusal(match, "Ana", do="pass").startswith("must_play: You lead")
    assert "Not a combination. Play one card, a pair" in refusal(match, "Ana", do="play", cards="4c 7d")
    assert refusal(match, "Ana", do="play", cards="5c 5d").startswith(
        "not_your_cards: You don’t have these cards. Choose from your own cards."
    )
    assert refusal(match, "Ana", do="play", cards="3x").startswith("bad_card: The card “3x” does not exist.")
    assert refusal(match, "Bob", do="play", cards="9c").startswith("not_your_turn: It is Ana’s turn")
    assert refusal(match, "Ana", do="give", cards="3c").startswith(
        "not_in_this_phase: You can give cards only in the exchange"
    )
    assert refusal(match, "Zoe", do="pass").startswith("bad_action: Nobody called Zoe")
    assert refusal(match, "Ana", do="swap").startswith("bad_action: Ceausescu has no such action")
    assert refusal(match, "Ana", do="ask_leave").startswith("not_in_this_phase")
    match = match.apply_action("Ana", Play(parse_cards("3c 3d"))).match
    assert refusal(match, "Bob", do="play", cards="Th") == (
        "does_not_beat: 10♥ can’t beat 3♣ 3♦. Play a higher pair or another kind."
    )


@for_each(
    ("on", "held", "tried", "hint"),
    [
        ("9c", "8d", "8d", "8♦ can’t beat 9♣. Play a higher card or any bomb or missile."),
        (
            "5c 5d 6c 6d",
            "3d 3h 4d 4h",
            "3d 3h 4d 4h",
            "That can’t beat the trick. Play 2 higher pairs in a row or another kind.",
        ),
        ("8c 9c Tc", "3h 4h 5h", "3h 4h 5h", "That can’t beat the trick."),
        (
            "8c 9c Tc Jc 2c",
            "3h 4h 5h 6h 8h",
            "3h 4h 5h 6h 8h",
            "That can’t beat the trick. Play a higher flush or another kind.",
        ),
        ("4c 4d 7c 7d", "9d", "9d", "9♦ can’t beat 4♣ 4♦ 7♣ 7♦. Play three of a kind or another kind."),
        (
            "6c 6d 6h",
            "5c 5d 5h",
            "5c 5d 5h",
            "That can’t beat the trick.",
        ),
        ("2c 2d 2h", "5c 5d 5h", "5c 5d 5h", "That can’t beat the trick. Play both jokers or any missile."),
        (
            "Xb Xr",
            "5c 5d 5h",
            "5c 5d 5h",
            "Play any missile, or pass.",
        ),
        ("4c 4d 4h 7c 7d 7h", "Xb Xr", "Xb Xr", "Play four of a kind, or pass."),
        ("9c 9d 9h 9s", "8c 8d 8h 8s", "8c 8d 8h 8s", "That can’t beat the trick."),
        ("2c 2d 2h 2s", "8c 8d 8h 8s", "8c 8d 8h 8s", "Play all 4s and 7s, or pass."),
    ],
)
def test_a_refusal_names_the_combinations_that_beat_the_last_play(on: str, held: str, tried: str, hint: str) -> None:
    match = Match.start(GAME, GAME.option_schema.resolve_options(), ("Ana", "Bob"))
    match = match.begin_hand(
        Deal("Ana", {"Ana": (*parse_cards(on), Card("3c")), "Bob": (*parse_cards(held), Card("3s"))})
    ).match
    match = match.apply_action("Ana", Play(parse_cards(on))).match
    assert hint in refusal(match, "Bob", do="play", cards=tried)


def test_a_refused_exchange_names_the_cards_owed() -> None:
    match = played_once("3c", "4d", "5h")
    deal = {"Ana": "5c 6d 9h Ks", "Bob": "8c 8d Th Js", "Cat": "2c 2d Ac Ad"}
    match = match.begin_hand(Deal("Cat", {name: parse_cards(cards) for name, cards in deal.items()})).match
    owed = "wrong_gift: Give any 2 cards to Cat and any card to Bob"
    assert refusal(match, "Ana", do="give", cards="5c 6d") == f"{owed}. Choose the cards for each player."
    said = f"{owed}, such as 5♣ 6♦ to Cat and 9♥ to Bob."
    assert refusal(match, "Ana", do="give", to={"Cat": "5c", "Bob": "6d"}) == said
    assert refusal(match, "Cat", do="give", to={"Ana": "2c Ac", "Bob": "2d"}) == (
        "wrong_gift: Give your best 2 cards to Ana and your best card to Bob, such as 2♣ 2♦ to Ana and A♣ to Bob."
    )
    assert refusal(match, "Ana", do="pass").startswith("not_in_this_phase: First give the cards")
    assert refusal(match, "Ana", do="give", cards="2c 2d").startswith("not_your_cards")
    match = match.apply_action("Ana", parse_action({"do": "give", "to": {"Cat": "5c 6d", "Bob": "9h"}})).match
    assert refusal(match, "Ana", do="give", to={"Cat": "5c 6d", "Bob": "9h"}).startswith("not_your_turn")


@for_each(
    ("done", "by", "action", "said"),
    [
        ((), "Cat", LeaveMatch(), "needs_dispensation: The Serf can’t leave without permission."),
        ((), "Bob", RequestLeave(), "not_in_this_phase: Only the Serf must ask. You can leave between hands."),
        ((), "Ana", GrantLeave(), "not_in_this_phase: Nobody has asked to leave"),
        ((("Cat", RequestLeave()),), "Bob", RefuseLeave(), "not_in_this_phase: Only the King Ana can answer the Serf."),
        ((("Cat", RequestLeave()),), "Cat", RequestLeave(), "not_in_this_phase: You have asked already"),
        (
            (("Cat", RequestLeave()), ("Ana", RefuseLeave())),
            "Cat",
            RequestLeave(),
            "not_in_this_phase: The King has refused. Ask again after the next hand.",
        ),
        ((), "Cat", Cut(3), "not_in_this_phase: Only the King Ana can cut."),
        ((), "Ana", Cut(55), "bad_action: The deck has 54 cards. Cut it after at most 54 cards."),
        ((), "Bob", Decree("Sing"), "not_in_this_phase: Only the King can give decrees."),
        ((), "Ana", Decree("Sing", "Ana"), "bad_action: Address the decree to another player, or to everyone."),
        ((), "Bob", Obey(), "not_in_this_phase: No decree waits"),
        ((), "Bob", Pass(), "not_in_this_phase: No cards are dealt yet"),
        ((), "Bob", JoinMatch(), "bad_action: A player called Bob already sits at the table."),
    ],
)
def test_refusals_between_hands_give_the_reason(done: Played, by: str, action: Action, said: str) -> None:
    match = played_once("3c", "4d", "5h")
    for name, one in done:
        match = match.apply_between_hands(name, one).match
    with pytest.raises(RuleError) as caught:
        match.apply_between_hands(by, action)
    assert str(caught.value).startswith(said)


def test_invalid_players_options_and_deals_are_refused_with_the_reason() -> None:
    with pytest.raises(RuleError, match="bad_player_count: With these rules Ceausescu is for 2 to 8 players, not 9"):
        Match.start(GAME, GAME.option_schema.resolve_options(), tuple("ABCDEFGHI"))
    with pytest.raises(RuleError, match=r"bad_option: “nicolae” can’t be never\. Allowed: one of at_end, at_once"):
        GAME.option_schema.resolve_options({"nicolae": "never"})
    with pytest.raises(RuleError, match=r"bad_option: “titles” can’t be .*a list of 5 titles of your own"):
        GAME.option_schema.resolve_options({"titles": ["Boss"]})
    match = played_once("3c", "4d", "5h")
    with pytest.raises(RuleError, match="bad_record: Cat must give 3 cards in the exchange"):
        match.begin_hand(
            Deal("Cat", {"Ana": parse_cards("3c 4c 5c"), "Bob": parse_cards("6c 7c"), "Cat": parse_cards("8c 9c")})
        )
    with pytest.raises(RuleError, match=r"not_in_this_phase: Only the King can give decrees\."):
        Match.start(GAME, GAME.option_schema.resolve_options(), ("Ana", "Bob")).apply_between_hands(
            "Ana", Decree("Sing")
        )
