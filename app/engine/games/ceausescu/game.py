"""Ceausescu as a `Game`: how a hand begins, what it leaves behind, coming and going, and what may be seen."""

from collections.abc import Mapping
from typing import Annotated, TypedDict

from app.engine.base.options import Declared, Options
from app.engine.cards.actions import Action, AskLeave, Cut, Decree, Defy, Dispense, Obey, Refuse
from app.engine.cards.cards import Card, Cards
from app.engine.climbing.game import ClimbingGame, with_ranks
from app.engine.climbing.hand import begin_play, go_on_exchanging
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import State
from app.engine.display.events import DEALT, Event
from app.engine.games.ceausescu.hand_memory import CeausescuMemory
from app.engine.match.context import AnySociety, Society
from app.engine.match.hand import Deal, Finish, HandResult, HandStep

from . import bombs, patterns, presets, society
from .rules import CeausescuRules, rules_of

DECLARED = Declared(
    sections=(patterns.SECTION, bombs.SECTION, society.LEADS, society.SECTION),
    presets=presets.PRESETS,
    zero_sum=society.ZERO_SUM,
    basics=presets.BASICS,
)


class Asking(TypedDict):
    """What stays true between hands."""

    asks_leave: Annotated[str | None, "Between hands: the serf who asks to go and has no answer yet (CEAU-26)."]


class Ceausescu(ClimbingGame):
    """The game object: it has no state."""

    key = "ceausescu"
    name = "Ceausescu"
    sentence = "A king, a serf, bombs and missiles. Anything different isn’t really it."
    also = "Ceaușescu"
    declared = DECLARED
    actions = ClimbingGame.actions | {AskLeave, Dispense, Refuse, Cut, Decree, Obey, Defy}
    decrees = society.ORDERS

    def players(self, options: Options, *, begun: bool = False) -> tuple[int, int]:
        """Two to eight may play."""
        return 2, 8

    def rules(self, options: Options) -> CeausescuRules:
        """Made once for each set of options."""
        return rules_of(options)

    def no_memory(self) -> CeausescuMemory:
        """What a hand begins with."""
        return CeausescuMemory()

    def deck(self, options: Options, count: int) -> Cards:
        """One pack and both jokers."""
        return society.PACK

    def worth(self, options: Options, card: Card) -> int:
        """As in an exchange."""
        return rules_of(options).worth(card)

    def sizes(self, match: Society, total: int) -> int:
        """All cards; of two players each gets 17 (CEAU-24)."""
        return 34 if len(match.seats) == 2 else total

    def dealer(self, match: Society) -> str:
        """The serf; the first player deals the first hand."""
        return match.hierarchy[-1] if match.hierarchy else match.seats[0]

    def ranked(self, match: AnySociety, ranks: tuple[str, ...]) -> AnySociety:
        """The king is king when the next match begins, and the serf pays."""
        return with_ranks(self, match, ranks)

    def titles(self, match: Society) -> Mapping[str, str]:
        """By the hierarchy as it stands, newcomers included."""
        return rules_of(match.options).titles(match.hierarchy)

    def begin(self, match: Society, deal: Deal) -> HandStep[HandState]:
        """Gifts first, if the hierarchy owes any; the holder of the 3♣ leads the first hand, afterwards the serf."""
        self.check_deal(match, deal)
        rules = rules_of(match.options)
        hand = State(
            rules=rules,
            seats=match.seats,
            dealer=deal.dealer,
            cards={name: patterns.ordered(deal.cards[name]) for name in match.seats},
            hierarchy=match.hierarchy,
            memory=CeausescuMemory(),
        )
        dealt = DEALT(deal.dealer)
        if not hand.hierarchy:
            return begin_play(hand, society.first_leader(hand.cards), (dealt,))
        exchange = society.exchange_of(rules.gifts(hand.hierarchy), hand.cards)
        return go_on_exchanging(hand.but(exchange=exchange), (dealt,))

    def unlisted(self, match: Society, hand: HandState | None) -> tuple[Action, ...]:
        """Between hands a serf may go, and who cuts may cut; a cut may be anywhere."""
        return () if match.running else (AskLeave(), Dispense(), Refuse(), Cut(0))

    def finish(self, match: Society, hand: HandState) -> Finish:
        """The standing is the new hierarchy; first and last get their points, and there is no finish line."""
        standing = self.standing(hand)
        first, last = standing[0], standing[-1]
        events: tuple[Event, ...] = ()
        if hand.hierarchy and (first, last) == (hand.hierarchy[-1], hand.hierarchy[0]):
            events = (society.SERF_HAS_WON(first, society.CEAUSESCU.id, fallen=last),)
        reasons = society.reigns(first, last)
        titles = rules_of(match.options).titles(standing)
        result = HandResult.of(hand.dealer, standing, titles, hand.seats, reasons)
        return Finish(result, hand.seats, standing, events=events)

    def between(self, match: AnySociety, by: str, action: Action) -> tuple[AnySociety, tuple[Event, ...]]:
        """Coming and going, the serf's dispensation, the king's cut."""
        return society.between(match, by, action)

    def lasting(self, match: Society) -> Asking:
        """Which serf waits for the king's answer, if one does."""
        return {"asks_leave": society.request(match)}
