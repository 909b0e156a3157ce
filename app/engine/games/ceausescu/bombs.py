"""Bombs and missiles [CEAU-06 … CEAU-12]: what they are, how they climb over everything, and what the Nicolae does.

Three and four of a kind are never ordinary patterns, and the 47 combinations are never read as anything else. Like the
patterns they know nothing of turns.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from app.engine.base.messages import Sentence
from app.engine.base.options import Choice, Rule, Section, Switch
from app.engine.cards.cards import JOKERS, RANKS, Card, Cards
from app.engine.climbing.combinations import Combination, kind
from app.engine.climbing.effects import Effect, EndTrick, Remember, Rise, Tell
from app.engine.display.events import Event, EventType
from app.engine.games.ceausescu.hand_memory import CeausescuMemory

from .patterns import SHEET, Shape, by_value, is_sets_in_a_row, made, sets_in_a_row

BOMB_47 = Rule(
    id="CEAU-06",
    name="47 bomb",
    sentence="Two 4s and two 7s: the lowest bomb. It beats every ordinary pattern; any other bomb or missile beats it.",
    example="2♦ 2♥ is beaten by 4♣ 4♦ 7♣ 7♦, and that by 3♦ 3♥ 3♠.",
    source=SHEET,
)
BOMB = Rule(
    id="CEAU-07",
    name="Bomb",
    sentence="Three of a kind beats every ordinary pattern, the 47 bomb and lower bombs.",
    example="A flush is beaten by 10♦ 10♥ 10♠, and that by 2♣ 2♦ 2♥.",
    source=SHEET,
)
JOKER_BOMB = Rule(
    id="CEAU-08",
    name="Joker bomb",
    sentence="Both jokers: the highest bomb. Only missiles beat it.",
    example="2♣ 2♦ 2♥ is beaten by both jokers, and they by 6♣ 6♦ 6♥ 6♠.",
    source=SHEET,
)
MISSILE_47 = Rule(
    id="CEAU-09",
    name="47 missile",
    sentence="Three 4s and three 7s: the lowest missile. It beats every bomb, and any other missile beats it.",
    example="Both jokers are beaten by 4♣ 4♦ 4♥ 7♣ 7♦ 7♥, and those by 3♣ 3♦ 3♥ 3♠.",
    source=SHEET,
)
MISSILE = Rule(
    id="CEAU-10",
    name="Missile",
    sentence="Four of a kind beats everything but a higher missile and the Nicolae.",
    example="6♣ 6♦ 6♥ 6♠ is beaten by 9♣ 9♦ 9♥ 9♠.",
    source=SHEET,
)
NICOLAE = Switch(
    id="CEAU-11",
    also="fours and sevens instant king Ceaușescu",
    key="nicolae",
    domain=Choice(
        {
            "at_end": "They play on, and are put first when the hand is over",
            "at_once": "They are first from that moment and lay their other cards aside",
        }
    ),
    default="at_end",
    sentence="When whoever puts down the Nicolae, all 4s and 7s, becomes king. Nothing beats it; it ends its trick.",
    example="4♣ 4♦ 4♥ 4♠ 7♣ 7♦ 7♥ 7♠ with two more cards in hand: at_end they lead one of those, at_once the "
    "next player leads.",
    source=SHEET,
    label="The Nicolae",
)
RUNS = Rule(
    id="CEAU-12",
    name="Runs of bombs and missiles",
    sentence="Bombs of consecutive ranks, or missiles, may be played together. They count as one of their top rank.",
    example="7♣ 7♦ 7♥ 8♣ 8♦ 8♥ beats 6♣ 6♦ 6♥ and is beaten by Q♣ Q♦ Q♥.",
    source=SHEET,
)

BOMBING = Switch(
    id="CEAU-30",
    also="out of turn bombs",
    key="bombing",
    domain=Choice({"own_turn": "On your own turn only", "any_time": "At any time while a trick runs"}),
    default="own_turn",
    sentence="When bombs and missiles may be played. At any time: whatever beats the play on the table may be played "
    "by anybody but the owner of that play, and play goes on from there.",
    example="Ana leads 3♣, and it is Bob’s turn. Cat plays 6♦ 6♥ 6♠ at once; Ana is next.",
    source=SHEET,
    label="Bombs out of turn",
)

SECTION = Section(
    "bombs", "Bombs and missiles", (NICOLAE, BOMBING), (BOMB_47, BOMB, JOKER_BOMB, MISSILE_47, MISSILE, RUNS), tells=2
)

LEVEL = {
    "bomb_47": 1,
    "bomb": 2,
    "bombs": 2,
    "joker_bomb": 3,
    "missile_47": 4,
    "missile": 5,
    "missiles": 5,
    "nicolae": 6,
}
"""The ladder of bombs and missiles; ordinary patterns are below it, at nought."""

BOMB_DROPPED = EventType(
    "bomb", "{by} drops a bomb!", you="You drop a bomb!", tone="great", stood_out="bomb", celebrated="blast"
)
MISSILE_FIRED = EventType(
    "missile",
    "{by} fires a missile!",
    you="You fire a missile!",
    tone="great",
    stood_out="missile",
    celebrated="launch",
)
NICOLAE_PLAYED = EventType(
    "nicolae",
    "The Nicolae! {by} will be king.",
    you="The Nicolae! You will be king.",
    tone="great",
    stood_out="nicolae",
    celebrated="crown",
)

_EVENT = {1: BOMB_DROPPED, 2: BOMB_DROPPED, 3: BOMB_DROPPED, 4: MISSILE_FIRED, 5: MISSILE_FIRED, 6: NICOLAE_PLAYED}
_ID = {
    "bomb_47": BOMB_47.id,
    "bomb": BOMB.id,
    "bombs": RUNS.id,
    "joker_bomb": JOKER_BOMB.id,
    "missile_47": MISSILE_47.id,
    "missile": MISSILE.id,
    "missiles": RUNS.id,
    "nicolae": NICOLAE.id,
}


def beats(combination: Combination, on: Combination) -> bool:
    """Whether one beats the other: a higher step of the ladder, or on the same step a higher value."""
    level, below = LEVEL.get(combination.kind, 0), LEVEL.get(on.kind, 0)
    if level != below:
        return level > below
    same = level > 0 or (combination.kind == on.kind and combination.size == on.size)
    return same and combination.strength > on.strength


def announced(combination: Combination, by: str) -> Event | None:
    """The event that a play makes by being a bomb, a missile or the Nicolae."""
    level = LEVEL.get(combination.kind, 0)
    return _EVENT[level](by, _ID[combination.kind]) if level else None


def _first_at_end(by: str, event: Event) -> Sequence[Effect]:
    return Tell(event), Remember(CeausescuMemory(king=by)), EndTrick()


def _first_at_once(by: str, event: Event) -> Sequence[Effect]:
    return Rise(by, event), EndTrick()


CROWNING: dict[str, Callable[[str, Event], Sequence[Effect]]] = {"at_end": _first_at_end, "at_once": _first_at_once}
"""What a Nicolae does, by the value of its switch. At the end of the hand the king it remembers is put first."""


A_FEW = 3
"""Cards that the owner of the last play has left, at most, where others are given time to bomb it."""


def unbeaten_by(on: Combination) -> str | None:
    """The id of the row that says what beats a bomb or a missile."""
    return _ID.get(on.kind)


WORDS = {
    1: Sentence("what.two_47", "two 4s and two 7s"),
    2: Sentence("ceausescu.three_of_a_kind", "three of a kind"),
    3: Sentence("what.both_jokers", "both jokers"),
    4: Sentence("what.three_47", "three 4s and three 7s"),
    5: Sentence("ceausescu.four_of_a_kind", "four of a kind"),
    6: Sentence("what.all_47", "all 4s and 7s"),
}
"""Each step of the ladder for a sentence; a run counts as one of its top rank, so it needs no words of its own."""
LOWEST_MISSILE = LEVEL["missile_47"]


def _are_47(cards: Cards, each: int) -> bool:
    ranks = [card.rank for card in cards]
    return ranks.count("4") == ranks.count("7") == each


def _of_47(held: Cards, each: int) -> Iterator[Cards]:
    fours, sevens = (by_value(held).get(RANKS.index(rank), ()) for rank in "47")
    for some in combinations(fours, each):
        for others in combinations(sevens, each):
            yield some + others


def _shape_47(kind: str, each: int) -> Shape:
    def read(cards: Cards) -> Combination | None:
        return made(kind, cards, (0,), rank="") if _are_47(cards, each) else None

    return Shape(kind, (2 * each,), read, lambda held, size: _of_47(held, each))


def _shape_of_sets(kind: str, each: int, counts: range) -> Shape:
    def read(cards: Cards) -> Combination | None:
        return made(kind, cards) if is_sets_in_a_row(cards, each) else None

    return Shape(
        kind, tuple(each * count for count in counts), read, lambda held, size: sets_in_a_row(held, each, size // each)
    )


def _joker_bomb(cards: Cards) -> Combination | None:
    return made("joker_bomb", cards) if set(cards) == set(JOKERS) else None


def _joker_bombs(held: Cards, size: int) -> Iterator[Cards]:
    if all(joker in held for joker in JOKERS):
        yield tuple[Card, ...](JOKERS)


BOMBS = (
    _shape_47(kind("bomb_47", "47 bomb"), 2),
    _shape_of_sets(kind("bomb", "bomb"), 3, range(1, 2)),
    _shape_of_sets(kind("bombs", "run of bombs"), 3, range(2, len(RANKS) + 1)),
    Shape(kind("joker_bomb", "joker bomb"), (2,), _joker_bomb, _joker_bombs),
    _shape_47(kind("missile_47", "47 missile"), 3),
    _shape_of_sets(kind("missile", "missile"), 4, range(1, 2)),
    _shape_of_sets(kind("missiles", "run of missiles"), 4, range(2, len(RANKS) + 1)),
    _shape_47(kind("nicolae", "the Nicolae"), 4),
)
"""Bombs and missiles, from the lowest."""
