"""President's answers to the loop: every section's part in its place, made once from the options of a match."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from app.engine.actions import (
    Action,
    Agree,
    BreakOff,
    Clear,
    Cut,
    DealOut,
    Done,
    Give,
    Join,
    Leave,
    Offer,
    OfferCut,
    Say,
    Shuffle,
    Touch,
)
from app.engine.cards import Card, Cards
from app.engine.climbing import hand as loop
from app.engine.climbing.combinations import Combination
from app.engine.climbing.effects import Effect, EndTrick, Sink, Tell
from app.engine.climbing.exchange import Exchange
from app.engine.climbing.moments import HandState, Rules
from app.engine.climbing.state import Laid
from app.engine.errors import RuleError, under
from app.engine.events import Event, notable, told
from app.engine.face import Sign
from app.engine.hands import HandStep
from app.engine.options import Options
from app.engine.proposals import Proposal, these

from . import collusion, faults, lifting, merchants, opening, ordering, proposing, scum, society
from .beating import Beating
from .cards import HIGH, LOWEST, WILD, Faces
from .memory import Memory
from .powers import HIGH_THREE

NAMED = {WILD: "", HIGH: "", LOWEST: "X", "b": "X", "r": "X", HIGH_THREE: "3"}
"""How the ranks that only this game has are named for players; the others stand for themselves."""


class PresidentRules(Rules):
    """The rules in force in one match of President."""

    barring = "PRES-25"
    low_card_rule = "PRES-30"
    pausing = "PRES-40"

    def __init__(self, options: Options) -> None:
        self.options = options
        self.faces = Faces(options)
        self.beating = Beating(self.faces, options)
        self.passing_bars: bool = options.passing == "out"
        self.one_round: bool = options.rounds == "one"
        self.must_beat: bool = options.must_beat
        self.ordering: bool = options.ordering
        self.calling = ordering.SWITCH.id if self.ordering else None
        self.lead_low_card: bool = options.lead_low_card
        self.throw_in: bool = options.throw_in
        self.bottom_clears: bool = options.only_bottom_clears

    # What the loop asks ------------------------------------------------------------------------------------------

    def worth(self, card: Card) -> float:
        return self.faces.worth(card)

    def ranks(self, hand: HandState) -> str:
        return self.faces.order(inverted=hand.inverted)

    def wild(self) -> str:
        return self.faces.wild_ranks

    def _call(self, hand: HandState) -> str | None:
        return ordering.called(hand.trick.plays) if self.ordering else None

    def readings(self, hand: HandState, cards: Cards) -> Sequence[Combination]:
        on = None if hand.table is None else hand.table.combination
        found = self.beating.readings(cards, on, inverted=hand.inverted)
        if found and self._call(hand) is not None:
            # What is a combination stays one, and does not beat.
            return ordering.readings(self.faces, found, inverted=hand.inverted) or found
        return found

    def candidates(self, hand: HandState, held: Cards) -> Iterator[Cards]:
        if self._call(hand) is not None:
            return iter(dict.fromkeys((card,) for card in held))
        on = None if hand.table is None else hand.table.combination
        return self.beating.candidates(held, on, inverted=hand.inverted, must=self.must_lead(hand, hand.to_act[0]))

    def found(self, hand: HandState, held: Cards) -> Iterator[tuple[Cards, Sequence[Combination]]]:
        if self._call(hand) is not None:
            yield from super().found(hand, held)
            return
        on, inverted = None if hand.table is None else hand.table.combination, hand.inverted
        for cards in self.beating.candidates(held, on, inverted=inverted, must=self.must_lead(hand, hand.to_act[0])):
            yield cards, self.beating.readings(cards, on, inverted=inverted)

    def beats(self, hand: HandState, by: str, combination: Combination) -> bool:
        table = hand.table
        assert table is not None
        call = self._call(hand)
        if call is None:
            return self.beating.beats(combination, table.combination, inverted=hand.inverted)
        if not ordering.readings(self.faces, [combination], inverted=hand.inverted):
            return False
        return ordering.follows(self.faces, call, combination, table.combination, inverted=hand.inverted)

    def must_lead(self, hand: HandState, by: str) -> Card | None:
        if hand.opened or not self.lead_low_card or not opening.leads_by_low_card(hand, self.options):
            return None
        return opening.low_card(self.faces, hand.cards)

    def may_pass(self, hand: HandState, by: str) -> bool:
        return hand.table is not None and not (self.must_beat and loop.can_play(hand, by))

    def must_play(self, hand: HandState, by: str) -> tuple[str, str | None]:
        if hand.table is None:
            return super().must_play(hand, by)
        return "You can beat this, so you must", "PRES-27"

    def named(self, combination: Combination) -> str:
        return NAMED.get(combination.rank, combination.rank)

    def calls(self, hand: HandState, by: str, combination: Combination) -> Sequence[str]:
        if not self.ordering:
            return ()
        return ordering.may_call(self.faces, hand.trick.plays, combination, inverted=hand.inverted)

    def call_sentence(self, hand: HandState, by: str, combination: Combination) -> str:
        possible = self.calls(hand, by, combination)
        if not possible:
            return "Only the third of three consecutive single cards may be called, once a trick: play without a call."
        return f"The cards bear out these calls: {', '.join(possible)}."

    def signs(self, hand: HandState) -> Iterator[Sign]:
        yield from super().signs(hand)
        yield from ordering.signs(hand.trick.plays)

    def kinds(self, hand: HandState, by: str) -> list[Proposal]:
        return self.beating.kinds()

    def proposals(self, hand: HandState, by: str) -> list[Proposal]:
        assert hand.table is not None
        on, call = hand.table.combination, self._call(hand)
        if call is None:
            return proposing.proposals(self.beating, on, inverted=hand.inverted)
        words = ordering.hint(self.faces, call, on, inverted=hand.inverted)
        good = [card for card in dict.fromkeys(self.faces.deck()) if self._follows(hand, by, card)]
        return [these(words, good)] if good else []

    def _follows(self, hand: HandState, by: str, card: Card) -> bool:
        return any(self.beats(hand, by, reading) for reading in self.readings(hand, (card,)))

    def nothing_beats(self, hand: HandState) -> str:
        if self._call(hand) is None:
            return super().nothing_beats(hand)
        return "Nothing goes on this, the highest rank of the called run"

    def unbeaten_by(self, hand: HandState, by: str, combination: Combination) -> str | None:
        assert hand.table is not None
        if self._call(hand) is not None:
            return ordering.SWITCH.id
        return lifting.unbeaten_by(self.options, combination, hand.table.combination, inverted=hand.inverted)

    def pauses(self, hand: HandState) -> bool:
        return hand.memory.waiting is not None

    def pause_sentence(self, hand: HandState) -> str:
        return f"The finished pile has to be cleared first, by {hand.hierarchy[-1]} at the bottom (“clear”)."

    # What the loop tells -----------------------------------------------------------------------------------------

    def played(self, hand: HandState, laid: Laid) -> Iterable[Effect]:
        if laid.call is not None:
            yield Tell(notable("called", laid.by, "PRES-24", call=laid.call))
        others = len(hand.active()) - bool(hand.cards[laid.by])
        yield from self.beating.effects(hand.trick.plays, inverted=hand.inverted, others=others)
        if self._throws_in(hand, laid.by):
            yield Sink(hand.hierarchy[0], notable("thrown_in", hand.hierarchy[0], "PRES-39"))
        if self.beating.ends_trick(laid.combination):
            yield EndTrick()

    def _throws_in(self, hand: HandState, by: str) -> bool:
        return bool(self.throw_in and hand.hierarchy and hand.out == (by,) and by != hand.hierarchy[0])

    def trick_over(self, hand: HandState, trick: Sequence[Laid]) -> HandStep:
        if self.bottom_clears and hand.hierarchy:
            return scum.wait(hand, tuple(trick))
        return HandStep(hand)

    def standing(self, hand: HandState) -> tuple[str, ...]:
        touched = hand.memory.touched
        if hand.phase != "over":
            return tuple(name for name in hand.out if name not in touched)
        places = super().standing(hand)
        return (*(name for name in places if name not in touched), *touched)

    # From the deal to the first lead -----------------------------------------------------------------------------

    def begin(self, hand: HandState) -> HandStep:
        """A hand with its cards dealt: by hand where faults are on, else at once."""
        if not hand.hierarchy:
            return loop.begin_play(hand, opening.leader(hand, self.faces, self.options))
        if self.options.faults:
            deal = faults.HandDeal(due=hand.left_of_dealer)
            memory: Memory = hand.memory
            if memory.faults + 1 < faults.FAULTS_TO_FALL:
                # Who owes what is known already: a deal that can't serve is refused now.
                self._dealt(*self._hand_out(hand, hand.hierarchy))
            waiting = hand.but(
                phase="deal",
                cards=dict.fromkeys(hand.seats, ()),
                to_act=(hand.hierarchy[0],),
                memory=memory.but(piles=hand.cards, hand_deal=deal),
            )
            return HandStep(waiting)
        return self._dealt(*self._hand_out(hand, hand.hierarchy))

    def _dealt(self, hand: HandState, events: tuple[Event, ...]) -> HandStep:
        """Everybody has their cards: begin the exchange."""
        cards = {name: tuple(sorted(held, key=self.order)) for name, held in hand.cards.items()}
        hand = hand.but(cards=cards, phase="exchange")
        memory: Memory = hand.memory
        if self.options.middle == "trade":
            memory = memory.but(trade=merchants.trade(hand.hierarchy))
        gifts = society.exchange(self.options, hand) or Exchange((), (), {})
        if not society.enough_for_gifts(self.options, gifts, hand.cards):
            raise RuleError("bad_record", "Somebody was dealt too few cards for the gifts they owe.")
        step = loop.go_on_exchanging(hand.but(exchange=gifts, memory=memory))
        return HandStep(step.hand, (*events, *step.events))

    def _hand_out(self, hand: HandState, hierarchy: tuple[str, ...]) -> tuple[HandState, tuple[Event, ...]]:
        """The piles, each to whom it is for: by the card turned up, in the order of this hierarchy, or as dealt."""
        if not self.options.expose_card:
            return hand, ()
        start = hand.seats.index(hand.left_of_dealer)
        places = hand.seats[start:] + hand.seats[:start]
        # Sorting is stable: of equal cards the pile dealt earlier comes first.
        piles = sorted((hand.cards[name] for name in places), key=lambda pile: -self.worth(pile[0]))
        given = dict(zip(hierarchy, piles, strict=True))
        exposed = {name: str(pile[0]) for name, pile in given.items()}
        memory: Memory = hand.memory
        return hand.but(cards=given, memory=memory.but(exposed=exposed)), (told("exposed", cards=exposed),)

    def exchanging(self, hand: HandState, exchange: Exchange) -> tuple[str, ...]:
        trade = hand.memory.trade
        return (*exchange.givers(), *(trade.to_act() if trade is not None else ()))

    def exchange_over(self, hand: HandState) -> HandStep:
        memory: Memory = hand.memory
        if self.options.middle == "collude" and not memory.pairs:
            return self._colluding(hand.but(memory=memory.but(pairs=collusion.pairs(hand.hierarchy))), ())
        return self._play(hand, ())

    def _colluding(self, hand: HandState, events: tuple[Event, ...]) -> HandStep:
        pairs: tuple[collusion.Pair, ...] = hand.memory.pairs
        waiting = tuple(name for pair in pairs for name in pair.to_act())
        if not waiting:
            return self._play(hand, events)
        return HandStep(hand.but(phase="exchange", to_act=waiting), events)

    def _play(self, hand: HandState, events: tuple[Event, ...]) -> HandStep:
        return loop.begin_play(hand, opening.leader(hand, self.faces, self.options), events)

    # Actions of the long house rules -----------------------------------------------------------------------------

    def other_legal(self, hand: HandState) -> Iterator[tuple[str, Action]]:
        memory: Memory = hand.memory
        if hand.phase == "deal" and memory.hand_deal is not None:
            yield from faults.legal(hand, memory.hand_deal)
        elif hand.phase == "exchange":
            if memory.trade is not None:
                yield from merchants.legal(memory.trade, hand.cards)
            for pair in memory.pairs:
                yield from collusion.legal(pair)
        elif memory.waiting is not None:
            yield hand.hierarchy[-1], Clear()

    def gift_refused(self, hand: HandState, by: str, action: Give) -> HandStep | None:
        trade = hand.memory.trade
        return self._trade(hand, by, action) if trade is not None and by in trade.to_act() else None

    def other(self, hand: HandState, by: str, action: Action) -> HandStep:
        memory: Memory = hand.memory
        match action:
            case Touch() if self.bottom_clears:
                with under("PRES-40"):
                    return scum.touch(hand, by, action)
            case Clear() if self.bottom_clears:
                with under("PRES-40"):
                    return scum.clear(hand, by, action)
            case Shuffle() | OfferCut() | Cut() | DealOut() if hand.phase == "deal":
                return self._deal_by_hand(hand, by, action)
            case Say() | Offer() | Agree() | BreakOff() | Done() if hand.phase == "exchange":
                if memory.pairs:
                    return self._collude(hand, by, action)
                if memory.trade is not None and not memory.trade.over:
                    return self._trade(hand, by, action)
            case Join() | Leave():
                raise RuleError("not_in_this_phase", "People come and go between hands: wait until this one is over.")
            case _:
                pass
        raise RuleError("not_in_this_phase", f"That can’t be done now: {_PHASES[hand.phase]}.")

    def _deal_by_hand(self, hand: HandState, by: str, action: Action) -> HandStep:
        memory: Memory = hand.memory
        assert memory.hand_deal is not None
        with under("PRES-41"):
            deal, events = faults.act(hand, memory.hand_deal, by, action)
        hand = hand.but(memory=memory.but(hand_deal=deal))
        if not deal.dealt:
            return HandStep(hand.but(to_act=(faults.to_act(hand, deal),)), events)
        wrong = any(event.name == "fault" for event in events)
        count = memory.faults + wrong
        hand = hand.but(cards=memory.piles, memory=memory.but(piles={}, hand_deal=None, faults=count))
        falls = wrong and count >= faults.FAULTS_TO_FALL
        hierarchy = faults.fallen(hand.hierarchy) if falls else hand.hierarchy
        # The piles lie as they were dealt, to the seats of before.
        hand, exposed = self._hand_out(hand, hierarchy)
        if falls:
            events = (*events, notable("landlord_falls", by, "PRES-41"))
            hand = hand.but(
                hierarchy=hierarchy,
                seats=society.seats_after(self.options, hand.seats, hierarchy),
                memory=hand.memory.but(faults=0, unchanged=0),
            )
        return self._dealt(hand, (*events, *exposed))

    def _trade(self, hand: HandState, by: str, action: Action) -> HandStep:
        memory: Memory = hand.memory
        assert memory.trade is not None
        with under("PRES-38"):
            trade, hand, events = merchants.act(hand, memory.trade, by, action)
        return loop.go_on_exchanging(hand.but(memory=memory.but(trade=trade)), events)

    def _collude(self, hand: HandState, by: str, action: Action) -> HandStep:
        memory: Memory = hand.memory
        place, pair = next((place, pair) for place, pair in enumerate(memory.pairs) if by in pair.two)
        with under("PRES-38"):
            pair, hand, events = collusion.act(hand, pair, by, action)
        pairs = (*memory.pairs[:place], pair, *memory.pairs[place + 1 :])
        return self._colluding(hand.but(memory=memory.but(pairs=pairs)), events)


_PHASES = {
    "deal": "the cards are being dealt by hand",
    "exchange": "cards are being exchanged",
    "play": "cards are being played",
    "over": "the hand is over",
}


@lru_cache(maxsize=256)
def rules_of(options: Options) -> PresidentRules:
    """The rules that these options make; the same object for the same options."""
    return PresidentRules(options)
