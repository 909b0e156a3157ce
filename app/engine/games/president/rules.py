"""President's answers to the loop: the sections' and the house rules' answers joined, one way for each question.

`PresidentRules` is made once from the options of a match. It names no house rule: it holds those in force, sorted by
the questions that they have answers to, so that a hand asks only these.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain

from app.engine.base.caching import shared
from app.engine.base.errors import RuleError
from app.engine.base.messages import Said, Sentence
from app.engine.base.options import Options
from app.engine.cards.actions import Action, Give, JoinMatch, LeaveMatch
from app.engine.cards.cards import Card, Cards, show
from app.engine.climbing import hand as loop
from app.engine.climbing.combinations import Combination
from app.engine.climbing.effects import Effect, EndTrick
from app.engine.climbing.exchange import Exchange
from app.engine.climbing.rule_hooks import HandState, Rules
from app.engine.climbing.state import Laid
from app.engine.climbing.suggestion_data import Proposal
from app.engine.display.events import DEALT, Event
from app.engine.display.table_display import OwnFace, Panel, Sign, own_face, together
from app.engine.games.president import house, opening, society, trick
from app.engine.games.president.combinations import blocking_rule
from app.engine.games.president.combinations.beats import FOUR_OF_A_KIND, Beating
from app.engine.games.president.combinations.card_powers import HIGH_THREE
from app.engine.games.president.combinations.cards import HIGH, LOWEST, WILD, CardMeanings
from app.engine.games.president.combinations.requirements import Demand
from app.engine.games.president.house_rule import Judge, Part, asked
from app.engine.match.context import COME_AND_GO_BETWEEN_HANDS
from app.engine.match.hand import HandStep

from .judging import Usual

NAMED = {WILD: "", HIGH: "", LOWEST: "X", "b": "X", "r": "X", HIGH_THREE: "3"}
"""How the ranks that only this game has are named for players; the others stand for themselves."""


NOT_NOW_BUT = {
    phase: Sentence(f"president.not_now.{phase}", f"That can’t be done now: {what}.")
    for phase, what in {
        "deal": "the cards are being dealt by hand",
        "exchange": "cards are being exchanged",
        "play": "cards are being played",
        "over": "the hand is over",
    }.items()
}
DEALT_TOO_FEW_FOR_GIFTS = Sentence(
    "president.dealt_too_few_for_gifts", "Somebody was dealt too few cards for the gifts they owe."
)
CALLS_ARE = Sentence("president.calls_are", "The cards bear out these calls: {calls}.")


class PresidentRules(Rules):
    """The rules in force in one match of President."""

    barring = trick.PASSING.id
    low_card_rule = opening.LEAD_LOW_CARD.id

    def __init__(self, options: Options) -> None:
        self.options = options
        self.faces = CardMeanings(options)
        self.beating = Beating(self.faces, options)
        self.usual = Usual(self.beating, options)
        self.opening = opening.Opening(self.faces, options)
        self.passing_bars = trick.passing_bars(options)
        self.one_round = trick.one_round(options)
        self.keeps_pile = trick.keeps_pile(options)
        self.parts = parts = house.in_force(options, self.beating)
        self._deals = asked(parts, Part.deals)
        self._hands_out = asked(parts, Part.hands_out)
        self._before_gifts = asked(parts, Part.before_gifts)
        self._after_gifts = asked(parts, Part.after_gifts)
        self._exchanging = asked(parts, Part.exchanging)
        self._judge = asked(parts, Part.judge)
        self._asks = asked(parts, Part.asks)
        self._calls = asked(parts, Part.calls)
        self._must_play = asked(parts, Part.must_play)
        self._marks = asked(parts, Part.marks)
        self._played = asked(parts, Part.played)
        self._ends = asked(parts, Part.ends)
        self._interrupting = asked(parts, Part.interrupting)
        self._may_break_in = asked(parts, Part.may_break_in)
        self._fouls = asked(parts, Part.fouls)
        self._chooses = asked(parts, Part.chooses)
        self._refusing = tuple(part for part in parts if part.refusing)
        self.refusing = bool(self._refusing)
        self._skips = asked(parts, Part.skips)
        self._went_out = asked(parts, Part.went_out)
        self._signs = asked(parts, Part.signs)
        self._panels = asked(parts, Part.panels)
        self._waits_for = asked(parts, Part.waits_for)
        self._shows = asked(parts, Part.shows)
        self._trick_over = asked(parts, Part.trick_over)
        self.telling = asked(parts, Part.own)
        """Those that tell one player what only they may know."""
        self._pauses = asked(parts, Part.pauses)
        self._places = asked(parts, Part.places)
        self._legal = asked(parts, Part.legal)
        self._act = asked(parts, Part.act)
        self.unlisted = tuple(action for part in parts for action in part.unlisted)
        self.strong = show(tuple(dict.fromkeys(card for power in self.beating.powers for card in power.strong())))
        self.may_end = bool(self._ends or self.beating.powers)
        self.interrupting = next((part.switch.id for part in parts if part.interrupts), None)
        self.rests = not (self.interrupting or self._legal or self._shows or self.unlisted or self.telling)
        """Then no rule shows anybody anything of their own, whether they wait or not."""
        self.by_cards = not (self._judge or self._asks)
        self.by_rank = self.beating.by_rank and self.by_cards
        self.calling = self._calls[0].switch.id if self._calls else None
        self.pausing = self._pauses[0].switch.id if self._pauses else None

    # Cards -------------------------------------------------------------------------------------------------------

    def worth(self, card: Card) -> float:
        return self.faces.worth(card)

    def ranks(self, hand: HandState) -> str:
        return self.faces.order(inverted=hand.inverted)

    def wild(self) -> str:
        return self.faces.wild_ranks

    def alike(self, card: Card) -> Hashable:
        if self.beating.by_suit:
            return card
        return self.faces.rank(card), card.rank, self.faces.is_wild(card), card in self.strong

    def deck(self) -> Cards:
        return self.faces.deck()

    def pack_ranks(self) -> str:
        return self.faces.natural

    def named(self, combination: Combination) -> str:
        return NAMED.get(combination.rank, combination.rank)

    # What may be played ------------------------------------------------------------------------------------------

    def judge(self, hand: HandState) -> Judge:
        """Who judges this trick: the first house rule that has a judge for it, or nobody but the rules of beating."""
        for part in self._judge:
            judge = part.judge(hand)
            if judge is not None:
                return judge
        return self.usual

    def demands(self, hand: HandState) -> list[Demand]:
        """What the house rules ask of every play on this table."""
        return [demand for _, demand in self._demands(hand)]

    def _demands(self, hand: HandState) -> Iterator[tuple[Part[object], Demand]]:
        for part in self._asks:
            demand = part.asks(hand)
            if demand is not None:
                yield part, demand

    def readings(self, hand: HandState, cards: Cards) -> Sequence[Combination]:
        on = None if hand.table is None else hand.table.combination
        return self.judge(hand).readings(cards, on, inverted=hand.inverted)

    def candidates(self, hand: HandState, held: Cards) -> Iterator[Cards]:
        """Choices of held cards among which are all that may be played, and few others."""
        on = None if hand.table is None else hand.table.combination
        must = self.must_lead(hand, hand.to_act[0])
        return self.judge(hand).candidates(held, on, inverted=hand.inverted, must=must)

    def found(self, hand: HandState, held: Cards) -> Iterator[Sequence[Combination]]:
        if self.by_rank and not self.faces.has_wild(held):
            on = None if hand.table is None else hand.table.combination
            return self.beating.natural_sets(held, on, inverted=hand.inverted)
        return self._tried(hand, held)

    def _tried(self, hand: HandState, held: Cards) -> Iterator[Sequence[Combination]]:
        """Every candidate's readings that lead or beat: what is asked of all of them is found once."""
        judge = self.judge(hand) if self._judge else self.usual
        on, inverted = None if hand.table is None else hand.table.combination, hand.inverted
        demands = self.demands(hand) if self._asks else ()
        if judge is self.usual:
            must = self.must_lead(hand, hand.to_act[0])
            found = self.beating.found(held, on, inverted=inverted, must=must)
        else:
            found = (judge.readings(cards, on, inverted=inverted) for cards in self.candidates(hand, held))
        if on is None:
            yield from filter(None, found)
            return
        for some in found:
            good = [one for one in some if judge.beats(one, on, inverted=inverted)]
            for demand in demands:
                good = list(filter(demand.is_met, good))
            if good:
                yield good

    def beats(self, hand: HandState, by: str, combination: Combination) -> bool:
        table = hand.table
        assert table is not None
        judge = self.judge(hand) if self._judge else self.usual
        if not judge.beats(combination, table.combination, inverted=hand.inverted):
            return False
        return not self._asks or all(demand.is_met(combination) for demand in self.demands(hand))

    def must_lead(self, hand: HandState, by: str) -> Card | None:
        return self.opening.must_lead(hand)

    def out_of_turn(self, hand: HandState, by: str, combination: Combination) -> bool:
        if self.interrupting is None or self.pauses(hand):
            return False
        return any(part.interrupting(hand, combination) for part in self._interrupting)

    def interruptions(self, hand: HandState, by: str) -> Iterator[Cards]:
        for cards in chain.from_iterable(part.interruptions(hand, by) for part in self._interrupting):
            readings = self.readings(hand, cards)
            good = (one for one in readings if self.out_of_turn(hand, by, one))
            if any(self.play_refused(hand, by, one) is None for one in good):
                yield cards

    def may_break_in(self, hand: HandState) -> tuple[str, ...]:
        return tuple([name for part in self._may_break_in for name in part.may_break_in(hand)])

    def turn_sentence(self, hand: HandState) -> Said:
        turn = super().turn_sentence(hand)
        for part in self._interrupting:
            turn = part.turn_words(turn) if part.interrupts else turn
        return turn

    def calls(self, hand: HandState, by: str, combination: Combination) -> Sequence[str]:
        return [call for part in self._calls for call in part.calls(hand, combination)] if self._calls else ()

    def called(self, hand: HandState) -> str | None:
        """Return the call of a run until it ends, whoever made it."""
        return next((call for part in self._calls if (call := part.called(hand)) is not None), None)

    def may_pass(self, hand: HandState, by: str) -> bool:
        if hand.table is None:
            return self.refusing and not loop.can_play(hand, by)
        return not self._must_play or not any(part.must_play(hand, by) for part in self._must_play)

    def play_refused(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        return next(filter(None, (part.refuses(hand, by, combination) for part in self._refusing)), None)

    def lead_passed(self, hand: HandState, by: str) -> HandStep[HandState]:
        steps = (part.lead_passed(hand, by) for part in self._refusing)
        return next(filter(None, steps), None) or super().lead_passed(hand, by)

    # What a refusal says -----------------------------------------------------------------------------------------

    def must_play(self, hand: HandState, by: str) -> tuple[Said, str | None]:
        reasons = () if hand.table is None else ((part.must_play(hand, by), part) for part in self._must_play)
        found = next(((why, part.switch.id) for why, part in reasons if why is not None), None)
        return found or super().must_play(hand, by)

    def call_sentence(self, hand: HandState, by: str, combination: Combination) -> Said:
        possible = self.calls(hand, by, combination)
        if possible:
            return CALLS_ARE(calls=", ".join(possible))
        return self._calls[0].uncalled() if self._calls else super().call_sentence(hand, by, combination)

    def kinds(self, hand: HandState, by: str) -> list[Proposal]:
        return self.beating.kinds()

    def proposals(self, hand: HandState, by: str) -> list[Proposal]:
        assert hand.table is not None
        return self.judge(hand).proposals(hand.table.combination, self.demands(hand), inverted=hand.inverted)

    def nothing_beats(self, hand: HandState) -> Said:
        return self.judge(hand).nothing_beats() or super().nothing_beats(hand)

    def unread_by(self, hand: HandState, cards: Cards) -> str | None:
        return blocking_rule.unread_by(self.options, cards, inverted=hand.inverted)

    def unbeaten_by(self, hand: HandState, by: str, combination: Combination) -> str | None:
        assert hand.table is not None
        judge, on = self.judge(hand), hand.table.combination
        if not judge.beats(combination, on, inverted=hand.inverted):
            rule = judge.unbeaten_by(combination, on, inverted=hand.inverted)
            return self._turned_by(hand) if rule == FOUR_OF_A_KIND.id else rule
        return next((part.switch.id for part, demand in self._demands(hand) if not demand.is_met(combination)), None)

    def _turned_by(self, hand: HandState) -> str:
        """The id of the rule by which the ranks are upside down."""
        if not hand.trick.turned and self.beating.four_sets_off:
            return FOUR_OF_A_KIND.id
        turned = "trick" if hand.trick.turned else "hand"
        return next((part.switch.id for part in self.parts if part.turns == turned), FOUR_OF_A_KIND.id)

    def pauses(self, hand: HandState) -> bool:
        return bool(self._pauses) and any(part.pauses(hand) for part in self._pauses)

    def pause_sentence(self, hand: HandState) -> Said:
        return next(filter(None, (part.pauses(hand) for part in self._pauses)), super().pause_sentence(hand))

    def signs(self, hand: HandState) -> Sequence[Sign]:
        return [*super().signs(hand), *[sign for part in self._signs for sign in part.signs(hand)]]

    def panels(self, hand: HandState) -> Sequence[Panel]:
        return [panel for part in self._panels for panel in part.panels(hand)]

    def waits_for(self, hand: HandState) -> Said | None:
        said = [words for part in self._waits_for if (words := part.waits_for(hand)) is not None]
        return said[0] if said else None

    def shows(self, hand: HandState, player: str) -> OwnFace:
        return together(part.shows(hand, player) for part in self._shows) if self._shows else own_face()

    # What follows a play -----------------------------------------------------------------------------------------

    def played(self, hand: HandState, laid: Laid) -> Iterable[Effect]:
        if laid.combination.role:
            yield from self.beating.telling(hand.trick.plays)
        for part in self._marks:
            yield from part.marks(hand, laid)
        if self.beating.four_sets_off:
            yield from self.beating.turns(hand.trick.plays)
        for part in self._played:
            yield from part.played(hand, laid)
        if not hand.cards[laid.by]:
            fouls = [effect for part in self._fouls for effect in part.fouls(hand, laid)]
            yield from fouls or self.went_out(hand, laid.by)
        for part in self._chooses:
            yield from part.chooses(hand, laid)
        if laid.ends:
            return
        if self.beating.equal_skips:
            others = len(hand.active()) - bool(hand.cards[laid.by])
            yield from self.beating.skips(hand.trick.plays, inverted=hand.inverted, others=others)
        for part in self._skips:
            yield from part.skips(hand, laid)

    def ends(self, hand: HandState, laid: Laid) -> EndTrick | None:
        for part in self._ends:
            ending = part.ends(hand, laid)
            if ending is not None:
                return ending
        return self.beating.ending(laid)

    def went_out(self, hand: HandState, name: str) -> Iterable[Effect]:
        return chain.from_iterable(part.went_out(hand, name) for part in self._went_out)

    def trick_over(self, hand: HandState, trick: Sequence[Laid]) -> HandStep[HandState]:
        return next(filter(None, (part.trick_over(hand, trick) for part in self._trick_over)), HandStep(hand))

    def standing(self, hand: HandState) -> tuple[str, ...]:
        places = super().standing(hand)
        for part in self._places:
            places = part.places(hand, places)
        return places

    # From the deal to the first lead -----------------------------------------------------------------------------

    def begin(self, hand: HandState) -> HandStep[HandState]:
        """A hand with its cards dealt, as far as it goes by itself."""
        step = self._deal(hand, ()) if hand.hierarchy else self._play(hand, ())
        if step.hand.phase == "deal":
            return step
        return HandStep(step.hand, (DEALT(hand.dealer), *step.events))

    def _deal(self, hand: HandState, events: tuple[Event, ...]) -> HandStep[HandState]:
        """Wait for whoever deals by hand; else go on."""
        for part in self._deals:
            step = part.deals(hand, self._dealt)
            if step is not None:
                return HandStep(step.hand, (*events, *step.events))
        return self._dealt(hand, events)

    def _dealt(self, hand: HandState, events: tuple[Event, ...] = ()) -> HandStep[HandState]:
        """Everybody gets their cards: begin the exchange."""
        for part in self._hands_out:
            step = part.hands_out(hand)
            hand, events = step.hand, (*events, *step.events)
        # The piles lay as they were dealt, to the seats of before: whoever fell in the deal changes seats now.
        seats = society.seats_after(self.options, hand.seats, hand.hierarchy)
        cards = {name: tuple(sorted(held, key=self.order)) for name, held in hand.cards.items()}
        hand = hand.but(seats=seats, cards=cards, phase="exchange")
        for part in self._before_gifts:
            hand = part.before_gifts(hand)
        gifts = society.exchange(self.options, hand) or Exchange((), (), {})
        if not society.enough_for_gifts(self.options, gifts, hand.cards):
            raise RuleError("bad_record", DEALT_TOO_FEW_FOR_GIFTS())
        step = loop.go_on_exchanging(hand.but(exchange=gifts))
        return HandStep(step.hand, (*events, *step.events))

    def exchanging(self, hand: HandState, exchange: Exchange) -> tuple[str, ...]:
        return (*exchange.givers(), *chain.from_iterable(part.exchanging(hand) for part in self._exchanging))

    def exchange_over(self, hand: HandState) -> HandStep[HandState]:
        for part in self._after_gifts:
            more = part.after_gifts(hand)
            if more is not None:
                return loop.go_on_exchanging(more)
        return self._play(hand, ())

    def _play(self, hand: HandState, events: tuple[Event, ...]) -> HandStep[HandState]:
        return loop.begin_play(hand, self.opening.leader(hand), events)

    # Actions of the house rules ----------------------------------------------------------------------------------

    def other_legal(self, hand: HandState) -> Iterator[tuple[str, Action]]:
        return chain.from_iterable(part.legal(hand) for part in self._legal) if self._legal else iter(())

    def gift_refused(self, hand: HandState, by: str, action: Give) -> HandStep[HandState] | None:
        return self._acted(hand, by, action)

    def other(self, hand: HandState, by: str, action: Action) -> HandStep[HandState]:
        step = self._acted(hand, by, action)
        if step is None:
            if isinstance(action, JoinMatch | LeaveMatch):
                raise RuleError("not_in_this_phase", COME_AND_GO_BETWEEN_HANDS())
            raise RuleError("not_in_this_phase", NOT_NOW_BUT[hand.phase]())
        # A deal by hand may be done.
        return self._deal(step.hand, step.events) if step.hand.phase == "deal" else step

    def _acted(self, hand: HandState, by: str, action: Action) -> HandStep[HandState] | None:
        for part in self._act:
            try:
                step = part.act(hand, by, action)
            except RuleError as error:
                error.put_under(part.switch.id)
                raise
            if step is not None:
                return step
        return None


@shared
def rules_of(options: Options) -> PresidentRules:
    """The rules that these options make; the same object for the same options."""
    return PresidentRules(options)
