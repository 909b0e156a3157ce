"""Ceausescu as a `Game`: its rules for the loop, how a hand begins, and what it leaves behind."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, TypedDict

from app.engine.actions import Action, AskLeave, Cut, Decree, Defy, Dispense, Obey, Refuse
from app.engine.cards import Card, Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.effects import Effect, Tell
from app.engine.climbing.game import ClimbingGame
from app.engine.climbing.hand import begin_play, go_on_exchanging
from app.engine.climbing.moments import HandState, Rules
from app.engine.climbing.state import Laid, State
from app.engine.events import Event, notable, told
from app.engine.hands import Deal, Finish, HandResult, HandStep
from app.engine.options import Declared, Options, Section
from app.engine.proposals import Proposal
from app.engine.society import AnySociety, Society

from . import beaten, bombs, patterns, presets, society
from .beaten import BY_SIZE, READERS

DECLARED = Declared(
    sections=(
        Section("patterns", "Patterns", (), patterns.RULES),
        Section("bombs", "Bombs and missiles", (bombs.NICOLAE,), bombs.RULES),
        Section("lead", "First hand and lead", (), society.HEAD),
        Section("society", "Hierarchy", (society.TITLES, society.EXCHANGE), society.RULES),
    ),
    presets=presets.PRESETS,
    basics=presets.BASICS,
)


class CeausescuRules(Rules):
    """The rules in force in one match."""

    def __init__(self, options: Options) -> None:
        self.crowned = bombs.CROWNING[options.nicolae]
        self.gifts = society.GIFTS[options.exchange]

    def worth(self, card: Card) -> int:
        """As the ranks go: the jokers are the two best."""
        return patterns.VALUE[card]

    def readings(self, hand: HandState, cards: Cards) -> Sequence[Combination]:
        """What these cards are; never more than one thing."""
        for shape in READERS.get(len(cards), ()):
            found = shape.read(cards)
            if found is not None:
                return (found,)
        return ()

    def candidates(self, hand: HandState, held: Cards) -> Iterator[Cards]:
        """On a lead everything held, smallest first; on a play more of its kind and size, then bombs and missiles."""
        on = None if hand.table is None else hand.table.combination
        for size, shape in BY_SIZE:
            if size > len(held):
                return
            if on is None or shape.kind in bombs.LEVEL or (shape.kind == on.kind and size == on.size):
                yield from shape.find(held, size)

    def beats(self, hand: HandState, by: str, combination: Combination) -> bool:
        """The same pattern and size with a higher value, or a higher bomb or missile."""
        assert hand.table is not None
        return bombs.beats(combination, hand.table.combination)

    def kinds(self, hand: HandState, by: str) -> list[Proposal]:
        """The patterns, and bombs and missiles."""
        return beaten.TO_LEAD

    def proposals(self, hand: HandState, by: str) -> list[Proposal]:
        """What beats the table."""
        assert hand.table is not None
        return beaten.proposals(hand.table.combination)

    def unbeaten_by(self, hand: HandState, by: str, combination: Combination) -> str | None:
        """The row of what lies there: it says what beats it."""
        assert hand.table is not None
        kind = hand.table.combination.kind
        return bombs.unbeaten_by(hand.table.combination) or patterns.BY_KIND[kind].id

    def played(self, hand: HandState, laid: Laid) -> Sequence[Effect]:
        """Bombs and missiles are announced; the Nicolae crowns its player and ends the trick."""
        event = bombs.announced(laid.combination, laid.by)
        if event is None:
            return ()
        return self.crowned(laid.by, event) if event.name == "nicolae" else (Tell(event),)

    def exchange_over(self, hand: HandState) -> HandStep:
        """The serf leads."""
        return begin_play(hand, hand.hierarchy[-1])

    def standing(self, hand: HandState) -> tuple[str, ...]:
        """In the order of going out; of a hand that is over, who put down a Nicolae is first."""
        places, king = super().standing(hand), hand.memory
        if king is None or hand.phase != "over":
            return places
        return (king, *(name for name in places if name != king))


class Asking(TypedDict):
    """What stays true between hands."""

    asks_leave: Annotated[str | None, "Between hands: the serf who asks to go and has no answer yet (CEAU-26)."]


class Ceausescu(ClimbingGame):
    """The game object: it has no state."""

    key = "ceausescu"
    name = "Ceausescu"
    declared = DECLARED
    actions = ClimbingGame.actions | {AskLeave, Dispense, Refuse, Cut, Decree, Obey, Defy}
    decrees = society.ORDERS

    def players(self, options: Options, *, begun: bool = False) -> tuple[int, int]:
        """2 to 8."""
        return 2, 8

    def deck(self, options: Options, count: int) -> Cards:
        """One pack and both jokers."""
        return society.PACK

    def sizes(self, match: Society, total: int) -> int:
        """All cards; of two players each gets 17 (CEAU-24)."""
        return 34 if len(match.seats) == 2 else total

    def dealer(self, match: Society) -> str:
        """The serf; the first player deals the first hand."""
        return match.hierarchy[-1] if match.hierarchy else match.seats[0]

    def titles(self, match: Society) -> Mapping[str, str]:
        """By the hierarchy as it stands, newcomers included."""
        return society.titles(match.options.titles, match.hierarchy)

    def begin(self, match: Society, deal: Deal) -> HandStep:
        """Gifts first, if the hierarchy owes any; the holder of the 3♣ leads the first hand, afterwards the serf."""
        self.check_deal(match, deal)
        rules = CeausescuRules(match.options)
        hand = State(
            rules=rules,
            seats=match.seats,
            dealer=deal.dealer,
            cards={name: patterns.ordered(deal.cards[name]) for name in match.seats},
            hierarchy=match.hierarchy,
        )
        dealt = told("dealt", deal.dealer)
        if not hand.hierarchy:
            return begin_play(hand, society.first_leader(hand.cards), (dealt,))
        exchange = society.exchange_of(rules.gifts(hand.hierarchy), hand.cards)
        return go_on_exchanging(hand.but(exchange=exchange), (dealt,))

    def unlisted(self, match: Society) -> tuple[Action, ...]:
        """Between hands a serf may go, and who cuts may cut; a cut may be anywhere."""
        return () if match.running else (AskLeave(), Dispense(), Refuse(), Cut(0))

    def finish(self, match: Society, hand: HandState) -> Finish:
        """The standing is the new hierarchy; first and last get their points, and there is no finish line."""
        standing = self.standing(hand)
        first, last = standing[0], standing[-1]
        events: tuple[Event, ...] = ()
        if hand.hierarchy and (first, last) == (hand.hierarchy[-1], hand.hierarchy[0]):
            events = (notable("ceausescu", first, society.CEAUSESCU.id, fallen=last),)
        ledger = dict.fromkeys(hand.seats, 0) | {first: 1, last: -1}
        titles = society.titles(match.options.titles, standing)
        result = HandResult(hand.dealer, standing, titles, ledger)
        return Finish(result, hand.seats, standing, events=events)

    def between(self, match: AnySociety, by: str, action: Action) -> tuple[AnySociety, tuple[Event, ...]]:
        """Coming and going, the serf's dispensation, the king's cut."""
        return society.between(match, by, action)

    def lasting(self, match: Society) -> Asking:
        """Which serf waits for the king's answer, if one does."""
        return {"asks_leave": society.request(match)}
