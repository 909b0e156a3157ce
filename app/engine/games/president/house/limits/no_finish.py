"""Forbidden finishes [PRES-83]: kinshi agari, hansoku agari."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypedDict

from app.engine.base.errors import RuleError
from app.engine.base.messages import Sentence
from app.engine.base.options import Options, Several, Switch, Value
from app.engine.cards.cards import Cards, in_words
from app.engine.climbing.combinations import KIND_OF_SET, Combination
from app.engine.climbing.effects import Effect, Remember, Sink
from app.engine.climbing.rule_hooks import BAN_LIFTED, LEAD_PASSED, HandState
from app.engine.climbing.state import Laid, Trick
from app.engine.display.events import EventType
from app.engine.games.president.combinations.beats import Beating
from app.engine.games.president.combinations.card_powers import HIGH_THREE, SEEN_THROUGH, OnAJoker
from app.engine.games.president.combinations.sequences import WIDTH_OF
from app.engine.games.president.forbidden_finish import FOUL, refuses
from app.engine.games.president.house.effects.coup import Coup
from app.engine.games.president.house.effects.end_trick import Ending
from app.engine.games.president.house.effects.run_revolution import RunRevolution
from app.engine.games.president.house_rule import Part
from app.engine.match.hand import HandStep

NOT_THE_LAST = Sentence("president.not_the_last", "{cards} may not be your last play: play something else, or pass.")
NOT_THE_LAST_LEAD = Sentence(
    "president.not_the_last_lead",
    "{cards} may not be your last play: lead something else; who has nothing else passes, and the lead goes on.",
)
FOULED = EventType(
    "foul",
    "A foul: {by} may not go out so, and is last.",
    you="A foul: you may not go out so, and are last.",
    stood_out="foul",
)


@dataclass(frozen=True, slots=True)
class Finishes:
    """How a hand goes out so far."""

    fouls: tuple[str, ...] = ()
    """Who went out by a foul, the latest first."""
    lead_passes: int = 0
    """How many have had to pass the lead, one after the other."""
    lifted: bool = False
    """Whether the ban is lifted for the rest of the hand."""


class FoulShown(TypedDict):
    """What would be a foul."""

    foul: Annotated[bool, "Whether playing all one's cards at once now would be a foul (PRES-83)."]
    not_last: Annotated[
        str,
        "Where one may play now, in turn or not: those of one's cards that may not be led as the last card (PRES-83).",
    ]


class NoFinish(Part[Finishes]):
    """Some plays may not be the last of anybody."""

    switch = Switch(
        id="PRES-83",
        also="kinshi agari hansoku agari 禁止上がり 禁止あがり 反則上がり 反則あがり illegal finish",
        key="no_finish",
        domain=Several(
            {
                "best": "With the best rank",
                "enders": "With a rank that ends the trick",
                "jokers": "With a joker",
                "spade_three": "With the three of spades on a joker",
                "revolution": "With a revolution",
            }
        ),
        default=[],
        sentence="Plays that may not be the last of anybody. Only plays offend: who hands on or lays aside the last "
        "card does not.",
        example="With the best rank forbidden, nobody may go out with a two, nor with a three in a revolution.",
        source="Daifugō",
        label="Forbidden finishes",
    )
    section = "going_out"
    at = ("best",)
    key = "finishes"

    def __init__(self, beating: Beating, options: Options) -> None:
        super().__init__(beating, options)
        self.offences = [OFFENCES[one] for one in options[self.switch]]
        self.ending = Ending(beating, options)
        turning = (one for one in (RunRevolution, Coup) if one.is_on(options[one.switch]))
        self.turning: list[Part[Any]] = [one(beating, options) for one in turning]
        self.refusing = refuses(options)

    @classmethod
    def is_on(cls, value: Value) -> bool:
        return bool(value)

    def begin(self, hand: HandState, kept: Mapping[str, Any]) -> HandState:
        return self.keep(hand, Finishes())

    @classmethod
    def own(cls, hand: HandState, player: str) -> FoulShown:
        held = hand.cards.get(player, ())
        if cls.of(hand) is None or not held or player not in (hand.turn, *hand.rules.may_break_in(hand)):
            return {"foul": False, "not_last": ""}
        parts: Sequence[Part[Any]] = getattr(hand.rules, "parts", ())
        part = next(one for one in parts if isinstance(one, cls))
        lead = hand.but(trick=Trick())
        not_last = " ".join(card for card in held if part._is_foul(lead, player, (card,)))
        return {"foul": hand.choice is None and part._is_foul(hand, player, held), "not_last": not_last}

    def _is_foul(self, hand: HandState, by: str, cards: Cards) -> bool:
        """Whether these cards are a play that may not be this player's last."""
        readings = hand.rules.readings(hand, cards)
        return bool(readings) and self._offends(hand, by, readings[0])

    def places(self, hand: HandState, standing: tuple[str, ...]) -> tuple[str, ...]:
        fouls = self._finishes(hand).fouls
        others = tuple(name for name in standing if name not in fouls)
        return (*others, *fouls) if hand.phase == "over" else others

    def _offends(self, hand: HandState, by: str, play: Combination) -> bool:
        """Whether this may not be the last play of this player, as the position was before it."""
        return any(offence(self, hand, by, play) for offence in self.offences)

    def fouls(self, hand: HandState, laid: Laid) -> Iterator[Effect]:
        before = hand.but(trick=hand.trick.before_last(), inverted=laid.inverted)
        if self.refusing or not self._offends(before, laid.by, laid.combination):
            return
        finishes = self._finishes(hand)
        yield Remember(self.keep(hand, replace(finishes, fouls=(laid.by, *finishes.fouls))).memory)
        yield Sink(laid.by, FOULED(laid.by, self.switch.id))

    def refuses(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        if combination.size < len(hand.cards[by]) or self._finishes(hand).lifted:
            return None
        if not self._offends(hand, by, combination):
            return None
        cards = in_words(combination.cards)
        if hand.table is None:
            return RuleError("must_play", NOT_THE_LAST_LEAD(cards=cards), FOUL.id)
        return RuleError("does_not_beat", NOT_THE_LAST(cards=cards), FOUL.id)

    def lead_passed(self, hand: HandState, by: str) -> HandStep[HandState]:
        """The lead goes on; when it has gone all the way round, the ban is lifted."""
        finishes, following = self._finishes(hand), hand.next_active(by)
        assert following is not None, "a hand with a ban has a second player"
        passes = finishes.lead_passes + 1
        lifted = passes >= len(hand.active())
        finishes = replace(finishes, lead_passes=0 if lifted else passes, lifted=lifted or finishes.lifted)
        events = (LEAD_PASSED(by, leads=following), *((BAN_LIFTED(None, FOUL.id),) if lifted else ()))
        return HandStep(self.keep(hand.but(to_act=(following,)), finishes), events)

    def played(self, hand: HandState, laid: Laid) -> Iterator[Effect]:
        finishes = self._finishes(hand)
        if finishes.lead_passes:
            yield Remember(self.keep(hand, replace(finishes, lead_passes=0)).memory)

    def _finishes(self, hand: HandState) -> Finishes:
        return self.of(hand) or Finishes()


def _with_best(rule: NoFinish, hand: HandState, by: str, play: Combination) -> bool:
    """The best rank in force is in it; wild cards are what they stand for."""
    best = rule.faces.best(inverted=hand.inverted)
    if play.role in SEEN_THROUGH:
        return False
    if play.kind in KIND_OF_SET:
        return (("3" if hand.inverted else "") if play.rank == HIGH_THREE else play.rank) == best
    if play.kind in WIDTH_OF:
        return best in rule.beating.sequences.window(play)
    return any(rule.faces.rank(card) == best for card in play.cards)


def _with_ender(rule: NoFinish, hand: HandState, by: str, play: Combination) -> bool:
    """A rank acts in it that ends the trick."""
    return bool(rule.ending.ranks) and rule.ending.number(play) > 0


def _with_joker(rule: NoFinish, hand: HandState, by: str, play: Combination) -> bool:
    """There is a joker in it."""
    return any(card.is_joker for card in play.cards)


def _with_spade_three(rule: NoFinish, hand: HandState, by: str, play: Combination) -> bool:
    """It is the three of spades on a joker."""
    return play.role == OnAJoker.role


def _with_revolution(rule: NoFinish, hand: HandState, by: str, play: Combination) -> bool:
    """It turns the ranks for the hand."""
    laid = Laid(by, play)
    turned = bool(rule.beating.four_sets_off) and any(True for _ in rule.beating.turns((*hand.trick.plays, laid)))
    return turned or any(bool(list(part.played(hand, laid))) for part in rule.turning)


OFFENCES: dict[str, Callable[[NoFinish, HandState, str, Combination], bool]] = {
    "best": _with_best,
    "enders": _with_ender,
    "jokers": _with_joker,
    "spade_three": _with_spade_three,
    "revolution": _with_revolution,
}
"""Whether a play may not be the last, for each value that the switch may have in it."""
