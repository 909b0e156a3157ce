"""Test Pao De Kuai with random players, options and cards.

The records in tests/records/pao_de_kuai show each rule. Here the page's combinations and payments are implemented a
second time, as plainly as possible, and compared for every set of cards.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from app.engine.base.options import Options
from app.engine.cards.cards import RANKS, Card, Cards, format_cards, parse_cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.rule_hooks import HandState
from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.engine.games.pao_de_kuai.bombs import ACE_BOMB, BEATEN_BOMBS, BOMB_POINTS
from app.engine.games.pao_de_kuai.combinations import ACE_IN_RUNS, FOURS_WITH, LOOSE_CARDS, PAIR_RUNS, SHORT_LAST
from app.engine.games.pao_de_kuai.hand_memory import memory_of
from app.engine.games.pao_de_kuai.judging import PaoDeKuaiJudge
from app.engine.games.pao_de_kuai.payments import HEART_TEN, ONE_LEFT, SPRING
from app.engine.games.pao_de_kuai.play import LAST_CARD, MUST_BEAT
from app.engine.games.pao_de_kuai.table import FIRST_CARD, LOW_CARD_LEAD
from app.engine.match.match import Match
from tests.engine.games.plain_rules import WatchedClimbing

GAME = GAMES["pao_de_kuai"]
NAMES = {
    1: ("single", "run"),
    2: ("pair", "run_of_pairs"),
    3: ("triple", "run_of_triples"),
    4: ("four", ""),
}
NUMBERS = ("", "_one", "_two", "_three")
FEWEST = {1: 5, 3: 2}
"""The fewest ranks in a run, by its number of cards of each rank; for pairs an option decides."""


def height(card: Card) -> int:
    return RANKS.index(card.rank)


# Plain version of the page's rules ------------------------------------------------------------------------------------


class Body(NamedTuple):
    """The part of a combination that decides: consecutive ranks with the same number of cards of each."""

    width: int
    length: int
    top: int
    loose: int
    """The number of all other cards."""


def ranks_of(cards: Cards) -> str:
    return "".join(sorted(card.rank for card in cards))


@lru_cache(100_000)
def bodies(options: Options, ranks: str) -> tuple[Body, ...]:
    """Return every body of cards with some ranks; the other cards count as loose."""
    return tuple(find_bodies(options, ranks))


def find_bodies(options: Options, ranks: str) -> Iterator[Body]:
    counts = Counter(map(RANKS.index, ranks))
    for low in range(13):
        for top in range(low, 13):
            if top > low and top > (11 if options[ACE_IN_RUNS] else 10):
                continue
            for width in range(1, min(counts[rank] for rank in range(low, top + 1)) + 1):
                length = top - low + 1
                yield Body(width, length, top, len(ranks) - width * length)


def is_bomb(options: Options, cards: Cards) -> bool:
    ranks = {card.rank for card in cards}
    return len(ranks) == 1 and (len(cards) == 4 or (options[ACE_BOMB] and len(cards) == 3 and ranks == {"A"}))


def kind_of(options: Options, body: Body) -> str | None:
    """Return the kind that a body and its loose cards are, or None."""
    width, length, _, loose = body
    if length > 1 and (width == 4 or length < FEWEST.get(width, int(options[PAIR_RUNS]))):
        return None
    each = loose / length
    allowed = {
        1: {0},
        2: {0},
        3: {"two": {2}, "one": {1}, "any": {0, 1, 2}}[options[LOOSE_CARDS]],
        4: {"none": set[int](), "two": {2}, "three": {3}}[options[FOURS_WITH]],
    }
    return NAMES[width][length > 1] + NUMBERS[int(each)] if each in allowed[width] else None


def kinds(options: Options, cards: Cards) -> dict[str, int]:
    """Return the kinds that some cards are, each with its highest rank, without short last plays."""
    return {"bomb": height(cards[0])} if is_bomb(options, cards) else ordinary_kinds(options, ranks_of(cards))


@lru_cache(100_000)
def ordinary_kinds(options: Options, ranks: str) -> dict[str, int]:
    found = dict[str, int]()
    for body in sorted(bodies(options, ranks), key=lambda body: body.top):
        kind = kind_of(options, body)
        if kind is not None:
            found[kind] = body.top
    return found


def short_tops(options: Options, cards: Cards, length: int | None, most: int) -> list[int]:
    """Return the highest ranks of triples among less than `most` cards, for one number of triples or for any."""
    if is_bomb(options, cards) or len(cards) >= most:
        return []
    return [body.top for body in bodies(options, ranks_of(cards)) if body.width == 3 and length in (None, body.length)]


def can_lead(options: Options, cards: Cards, held: Cards) -> bool:
    if kinds(options, cards):
        return True
    whole = 4 if options[LOOSE_CARDS] == "one" else 5
    return (
        options[SHORT_LAST] != "never"
        and len(cards) == len(held)
        and any(
            body.width == 3 and len(cards) < whole * body.length
            for body in bodies(options, ranks_of(cards))
            if not is_bomb(options, cards)
        )
    )


def beats(options: Options, cards: Cards, trick: Sequence[Combination], held: Cards) -> bool:
    """Whether the page lets some of the held cards beat the last play of a trick."""
    old = trick[-1]
    if is_bomb(options, cards):
        return not is_bomb(options, old.cards) or height(cards[0]) > height(old.cards[0])
    if is_bomb(options, old.cards):
        return False
    top = kinds(options, old.cards)[old.kind]
    if len(cards) == len(old.cards) and kinds(options, cards).get(old.kind, -1) > top:
        return True
    if (
        options[SHORT_LAST] != "always"
        or len(cards) < len(held)
        or not old.kind.startswith(("triple", "run_of_triples"))
    ):
        return False
    length = len(old.cards) // (3 + NUMBERS.index(old.kind.removeprefix("run_of_triples").removeprefix("triple")))
    return any(found > top for found in short_tops(options, cards, length, len(old.cards)))


def next_has_one_card(hand: HandState, by: str) -> bool:
    place, step = hand.seats.index(by), hand.direction
    return len(hand.cards[hand.seats[(place + step) % len(hand.seats)]]) == 1


def may_play(match: Match, by: str, cards: Cards) -> bool:
    """Whether the page allows the player to play these cards now."""
    hand: HandState = match.hand
    options, held, trick = match.options, hand.cards[by], [laid.combination for laid in hand.trick.plays]
    if by != hand.player_to_play:
        return False
    if not (beats(options, cards, trick, held) if trick else can_lead(options, cards, held)):
        return False
    order = {"spades": "scdh", "hearts": "hdcs"}[options[FIRST_CARD]]
    dealt = [card for one in hand.cards.values() for card in one]
    low = min(dealt, key=lambda card: (height(card), order.index(card.suit)))
    forced = not hand.opened and memory_of(hand).leader is None and options[LOW_CARD_LEAD] == "within"
    if forced and low not in cards:
        return False
    duty = options[LAST_CARD] == "highest" and next_has_one_card(hand, by) and not forced
    return not (duty and len(cards) == 1 and height(cards[0]) < max(map(height, held)))


def may_pass(match: Match, by: str, *, can_play: bool) -> bool:
    hand, options = match.hand, match.options
    if hand.play_to_beat is None:
        return False
    single = hand.play_to_beat.combination.cards
    duty = options[LAST_CARD] == "highest" and next_has_one_card(hand, by) and len(single) == 1
    beaten = duty and max(map(height, hand.cards[by])) > height(single[0])
    return not (can_play and options[MUST_BEAT]) and not beaten


class PaoDeKuaiPage:
    """The rules of the page for the comparisons in plain_rules.py."""

    can_lead = staticmethod(can_lead)
    beats = staticmethod(beats)
    may_play = staticmethod(may_play)
    may_pass = staticmethod(may_pass)


PLAIN = PaoDeKuaiPage()


# Payments -------------------------------------------------------------------------------------------------------------


def ledger(match: Match, events: Sequence[GameEvent]) -> dict[str, int]:
    """Return the points of a hand by the page, from its events and the cards left."""
    options, hand = match.options, match.hand
    acts = [event for event in events if event.name in ("played", "passed")]
    plays = [(event.by or "", parse_cards(event.data["cards"])) for event in acts if event.name == "played"]
    winner, *others = sorted(hand.seats, key=lambda name: len(hand.cards[name]) > 0)
    points = dict.fromkeys(hand.seats, 0)

    def pay(payer: str, receiver: str, amount: int) -> None:
        points[payer] -= amount
        points[receiver] += amount

    for place, event in enumerate(acts):
        by, cards = event.by or "", parse_cards(event.data.get("cards", ""))
        if cards and is_bomb(options, cards):
            answers = acts[place + 1 : place + len(points)]
            beaten = any(one.name == "played" for one in answers)
            for name in points:
                if name != by and not (beaten and options[BEATEN_BOMBS] == "nothing"):
                    pay(name, by, options[BOMB_POINTS])
    liable = next((event.by for event in events if event.name == "liable"), None)
    held = {
        name: [*hand.cards[name], *(card for by, cards in plays if by == name for card in cards)] for name in points
    }
    for name in others:
        left = len(hand.cards[name])
        amount = 0 if left == 1 and options[ONE_LEFT] == "free" else left
        if options[SPRING] == "double" and name not in {by for by, _ in plays}:
            amount *= 2
        if options[HEART_TEN] == "double" and "Th" in (*held[name], *held[winner]):
            amount *= 2
        pay(liable or name, winner, amount)
    return points


class Watched(WatchedClimbing):
    """A random match (test_random_matches.py) that is compared with the page."""

    plain = PLAIN

    def on_hand_end(self) -> None:
        match, result = self.match, self.match.last
        assert result is not None
        left = [len(match.hand.cards[name]) for name in result.standing]
        assert left[0] == 0
        assert left == sorted(left)
        assert all(left[1:])
        assert dict(result.ledger) == ledger(match, self.hand_events)
        never = set(match.seats) - {event.by for event in self.hand_events if event.name == "played"}
        assert result.events.count("spring") == len(never)


# Combinations ---------------------------------------------------------------------------------------------------------


def test_a_deck_has_the_known_number_of_each_combination() -> None:
    """Count the combinations of six ranks in a row, each with two or three cards."""
    game, options = GAME, GAME.option_schema.resolve_options({})
    cards = parse_cards("3s 3c 4s 4c 5s 5c 6s 6c 7s 7c 7d 8s")
    judge = PaoDeKuaiJudge(options)
    assert game.deck(options, 3).count(Card("2s")) == 1
    assert Counter(one.kind for one in judge.possible_leads(cards)) == {
        "single": 12,
        "pair": 4 + 3,
        "run": 2**4 * 3 + 2**3 * 3 * 1 + 2**4 * 3 * 1,
        "run_of_pairs": (3 + 3) + (2 + 3) + (1 + 3) + 3,
        "triple_two": 9 * 8 // 2,
    }


def test_triples_and_fours_are_read_with_the_highest_body() -> None:
    """Loose cards never decide, and four of a kind alone are a bomb."""
    judge = PaoDeKuaiJudge(GAME.option_schema.resolve_options({"loose_cards": "any", "fours_with": "two"}))

    def read(cards: str) -> list[tuple[str, str]]:
        return [(one.kind, one.rank) for one in judge.combinations.readings(parse_cards(cards))]

    assert read("3c 3d 3h 4c 4d 4h 5c 5d 5h 7c") == [("run_of_triples_two", "5")]
    assert read("3c 3d 3h 4c 4d 4h 5c 5d 5h 6c 6d 6h") == [("run_of_triples", "6"), ("run_of_triples_one", "6")]
    assert read("9c 9d 9h 9s") == [("four", "9")]
    assert read("9c 9d 9h 9s 3c") == [("triple_two", "9")]
    assert read("9c 9d 9h 9s 3c 3d") == [("four_two", "9")]
    assert read("Kc Ah 2s") == []


def test_a_suggested_answer_beats_the_table() -> None:
    """A refusal names only kinds of which the deck has a higher one."""
    options = GAME.option_schema.resolve_options({})
    judge, deck = PaoDeKuaiJudge(options), GAME.deck(options, 3)

    def words(on: str) -> list[str]:
        (reading,) = judge.combinations.readings(parse_cards(on))
        return [str(one.words) for one in judge.suggested_answers(reading, deck)]

    assert words("Ac") == ["a higher card", "a bomb"]
    assert words("2s") == ["a bomb"]
    assert words("Ac Ad") == ["a bomb"]
    assert words("7s 7c 7d 3h 4h") == ["a higher triple", "a bomb"]
    assert words("Ts Jc Qd Kh Ah") == ["a bomb"]
    assert words("Ks Kc Kd Kh") == []
    assert format_cards(deck[:4]) == "3c 3d 3h 3s"
