"""Bombs and missiles [CEAU-06 … CEAU-12]: their kinds and levels, and the effects of the Nicolae.

Three and four of a kind are never ordinary patterns, and the 47 combinations have no other reading. Nothing here
depends on turns.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Choice, FixedRule, Option, Section
from app.engine.cards.cards import JOKERS, RANKS, Card, Cards
from app.engine.climbing.combinations import Combination, declare_kind
from app.engine.climbing.effects import Effect, EmitEvent, EndTrick, MoveToTop, SetMemory
from app.engine.climbing.rule_hooks import BOMB_DROPPED
from app.engine.display.events import GameEvent, GameEventType
from app.engine.games.ceausescu.hand_memory import CeausescuMemory

from .patterns import CombinationKind, build_combination, find_runs_of_sets, group_by_value, is_run_of_sets

BOMB_47 = FixedRule(
    id="CEAU-06",
    name="47 bomb",
    sentence="Two 4s and two 7s are the lowest bomb. It beats every combination except other bombs and missiles.",
    example="2♦ 2♥ is beaten by 4♣ 4♦ 7♣ 7♦, and that by 3♦ 3♥ 3♠.",
)
BOMB = FixedRule(
    id="CEAU-07",
    name="Bomb",
    sentence="Three of a kind beats every combination, the 47 bomb and lower bombs.",
    example="A flush is beaten by 10♦ 10♥ 10♠, and that by 2♣ 2♦ 2♥.",
)
JOKER_BOMB = FixedRule(
    id="CEAU-08",
    name="Joker bomb",
    sentence="Both jokers are the highest bomb. Only missiles beat it.",
    example="2♣ 2♦ 2♥ is beaten by both jokers, and the jokers by 6♣ 6♦ 6♥ 6♠.",
)
MISSILE_47 = FixedRule(
    id="CEAU-09",
    name="47 missile",
    sentence="Three 4s and three 7s are the lowest missile. It beats every bomb, and any other missile beats it.",
    example="Both jokers are beaten by 4♣ 4♦ 4♥ 7♣ 7♦ 7♥, and those by 3♣ 3♦ 3♥ 3♠.",
)
MISSILE = FixedRule(
    id="CEAU-10",
    name="Missile",
    sentence="Four of a kind beats everything except a higher missile and the Nicolae.",
    example="6♣ 6♦ 6♥ 6♠ is beaten by 9♣ 9♦ 9♥ 9♠.",
)
NICOLAE = Option(
    id="CEAU-11",
    also="fours and sevens instant king Ceaușescu",
    key="nicolae",
    domain=Choice(
        {
            "at_end": "They play on, and get first place when the hand is over",
            "at_once": "They are first from that moment and discard their other cards",
        }
    ),
    default="at_end",
    sentence="Decides when the player of the Nicolae (all 4s and 7s) becomes King. Nothing beats the Nicolae; "
    "it ends its trick.",
    example="Ana plays 4♣ 4♦ 4♥ 4♠ 7♣ 7♦ 7♥ 7♠ and has two more cards. She leads one of them, or with “from "
    "that moment” the next player leads.",
    label="The Nicolae",
    short={"at_once": "All fours and sevens together make you King at once."},
)
RUNS = FixedRule(
    id="CEAU-12",
    name="Runs of bombs and missiles",
    sentence="Bombs of consecutive ranks, or missiles of consecutive ranks, may be played together. They "
    "count as a single bomb or missile of their top rank.",
    example="7♣ 7♦ 7♥ 8♣ 8♦ 8♥ beats 6♣ 6♦ 6♥ and is beaten by Q♣ Q♦ Q♥.",
)

BOMBING = Option(
    id="CEAU-30",
    also="out of turn bombs",
    key="bombing",
    domain=Choice({"own_turn": "On your own turn only", "any_time": "At any time during a trick"}),
    default="own_turn",
    sentence="Decides when bombs and missiles may be played. With “At any time”, any player except the owner "
    "of the last play may beat it, and play goes on from there.",
    example="Ana leads 3♣, and it is Bob’s turn. Cat plays 6♦ 6♥ 6♠ at once; Ana is next.",
    label="Bombs out of turn",
    short={"any_time": "Bombs and missiles may be played out of turn."},
)

SECTION = Section(
    "bombs",
    "Bombs and missiles",
    (NICOLAE, BOMBING),
    (BOMB_47, BOMB, JOKER_BOMB, MISSILE_47, MISSILE, RUNS),
    importance=2,
)

LEVEL_BY_KIND = {
    "bomb_47": 1,
    "bomb": 2,
    "bombs": 2,
    "joker_bomb": 3,
    "missile_47": 4,
    "missile": 5,
    "missiles": 5,
    "nicolae": 6,
}
"""The level of each kind of bomb or missile; ordinary patterns have level 0."""

MISSILE_FIRED = GameEventType(
    "missile",
    "{by} fires a missile!",
    you="You fire a missile!",
    tone="great",
    stood_out="missile",
    celebrated="launch",
)
NICOLAE_PLAYED = GameEventType(
    "nicolae",
    "The Nicolae! {by} will be King.",
    you="The Nicolae! You will be King.",
    tone="great",
    stood_out="nicolae",
    celebrated="crown",
)

_EVENT_BY_LEVEL = {
    1: BOMB_DROPPED,
    2: BOMB_DROPPED,
    3: BOMB_DROPPED,
    4: MISSILE_FIRED,
    5: MISSILE_FIRED,
    6: NICOLAE_PLAYED,
}
_RULE_ID_BY_KIND = {
    "bomb_47": BOMB_47.id,
    "bomb": BOMB.id,
    "bombs": RUNS.id,
    "joker_bomb": JOKER_BOMB.id,
    "missile_47": MISSILE_47.id,
    "missile": MISSILE.id,
    "missiles": RUNS.id,
    "nicolae": NICOLAE.id,
}


def beats(new: Combination, on: Combination) -> bool:
    """Return whether `new` beats `on` in Ceausescu: by a higher level, or on the same level by higher strength.

    Levels are those of bombs and missiles. Ordinary patterns must have the same kind and size, too.
    """
    level, below = LEVEL_BY_KIND.get(new.kind, 0), LEVEL_BY_KIND.get(on.kind, 0)
    if level != below:
        return level > below
    same = level > 0 or (new.kind == on.kind and new.size == on.size)
    return same and new.strength > on.strength


def bomb_event(combination: Combination, by: str) -> GameEvent | None:
    """Return the event of playing a bomb, a missile or the Nicolae (Ceausescu's highest combination); else None."""
    level = LEVEL_BY_KIND.get(combination.kind, 0)
    return _EVENT_BY_LEVEL[level](by, _RULE_ID_BY_KIND[combination.kind]) if level else None


def _crown_at_end_of_hand(by: str, event: GameEvent) -> Sequence[Effect]:
    return EmitEvent(event), SetMemory(CeausescuMemory(king=by)), EndTrick()


def _crown_at_once(by: str, event: GameEvent) -> Sequence[Effect]:
    return MoveToTop(by, event), EndTrick()


CROWNING_EFFECTS: dict[str, Callable[[str, GameEvent], Sequence[Effect]]] = {
    "at_end": _crown_at_end_of_hand,
    "at_once": _crown_at_once,
}
"""Returns the effects of a Nicolae, by option value. With `at_end`, its player is put first when the hand is over."""


NEARLY_OUT_CARD_COUNT = 3
"""If the owner of the last play has at most this number of cards, pages give others time to bomb."""


def find_bomb_rule(on: Combination) -> str | None:
    """Return the id of Ceausescu's rule about this bomb or missile; None for other combinations."""
    return _RULE_ID_BY_KIND.get(on.kind)


LEVEL_NAMES = {
    1: MessageTemplate("what.two_47", "two 4s and two 7s"),
    2: MessageTemplate("ceausescu.three_of_a_kind", "three of a kind"),
    3: MessageTemplate("what.both_jokers", "both jokers"),
    4: MessageTemplate("what.three_47", "three 4s and three 7s"),
    5: MessageTemplate("ceausescu.four_of_a_kind", "four of a kind"),
    6: MessageTemplate("what.all_47", "all 4s and 7s"),
}
"""The name of each level for a sentence; a run counts as its highest rank, so it needs no separate name."""
LOWEST_MISSILE = LEVEL_BY_KIND["missile_47"]


def _are_fours_and_sevens(cards: Cards, each: int) -> bool:
    ranks = [card.rank for card in cards]
    return ranks.count("4") == ranks.count("7") == each


def _choices_of_fours_and_sevens(held: Cards, each: int) -> Iterator[Cards]:
    fours, sevens = (group_by_value(held).get(RANKS.index(rank), ()) for rank in "47")
    for some in combinations(fours, each):
        for others in combinations(sevens, each):
            yield some + others


def _build_47_kind(kind: str, each: int) -> CombinationKind:
    def read(cards: Cards) -> Combination | None:
        return build_combination(kind, cards, (0,), rank="") if _are_fours_and_sevens(cards, each) else None

    return CombinationKind(kind, (2 * each,), read, lambda held, size: _choices_of_fours_and_sevens(held, each))


def _build_sets_kind(kind: str, each: int, counts: range) -> CombinationKind:
    def read(cards: Cards) -> Combination | None:
        return build_combination(kind, cards) if is_run_of_sets(cards, each) else None

    return CombinationKind(
        kind,
        tuple(each * count for count in counts),
        read,
        lambda held, size: find_runs_of_sets(held, each, size // each),
    )


def _read_joker_bomb(cards: Cards) -> Combination | None:
    return build_combination("joker_bomb", cards) if set(cards) == set(JOKERS) else None


def _find_joker_bombs(held: Cards, size: int) -> Iterator[Cards]:
    if all(joker in held for joker in JOKERS):
        yield tuple[Card, ...](JOKERS)


BOMBS = (
    _build_47_kind(declare_kind("bomb_47", "47 bomb"), 2),
    _build_sets_kind(declare_kind("bomb", "bomb"), 3, range(1, 2)),
    _build_sets_kind(declare_kind("bombs", "run of bombs"), 3, range(2, len(RANKS) + 1)),
    CombinationKind(declare_kind("joker_bomb", "joker bomb"), (2,), _read_joker_bomb, _find_joker_bombs),
    _build_47_kind(declare_kind("missile_47", "47 missile"), 3),
    _build_sets_kind(declare_kind("missile", "missile"), 4, range(1, 2)),
    _build_sets_kind(declare_kind("missiles", "run of missiles"), 4, range(2, len(RANKS) + 1)),
    _build_47_kind(declare_kind("nicolae", "the Nicolae"), 4),
)
"""Bombs and missiles, from the lowest."""
