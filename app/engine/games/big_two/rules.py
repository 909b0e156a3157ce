"""What the loop asks of Big Two, answered from the switches of one match.

`BigTwoRules` is built once from the options; the sections' files hold what each switch means.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from app.engine.base.caching import shared
from app.engine.base.errors import RuleError
from app.engine.base.messages import Said, Sentence, either
from app.engine.base.options import Options
from app.engine.cards.cards import Card, Cards, in_words
from app.engine.climbing.combinations import SINGLE, Combination
from app.engine.climbing.effects import Effect, Remember, Tell
from app.engine.climbing.hand import begin_play, can_play
from app.engine.climbing.rule_hooks import BAN_LIFTED, LEAD_PASSED, HandState, Rules
from app.engine.climbing.state import Laid
from app.engine.climbing.suggestion_data import OfKind, Proposal, these
from app.engine.display.events import Event, EventType
from app.engine.display.table_display import Sign
from app.engine.games.big_two import blocking_rule, combinations, play, scoring, short_tables
from app.engine.games.big_two.hand_memory import BigTwoMemory, memory_of
from app.engine.match.hand import HandStep

from . import deal as dealing
from .combinations import DRAGONS, Combinations
from .deal import LEAD_LOW_CARD, CardOrder, holder, round_from
from .kinds import BY_SUIT, HONOUR_KINDS, SMALL

BY_SUITS = Sentence("big_two.by_suits", "{what} (suits from the lowest: {suits})")
YOUR_HIGHEST = Sentence("big_two.your_highest", "your highest card, {card}")
YOUR_HIGHEST_BEATS = Sentence("big_two.your_highest_beats", "{name} has one card left, and your highest beats this")
OUT_OF_TURN = Sentence(
    "big_two.out_of_turn", "{turn} Out of turn you may only beat somebody else’s play, with {honours}."
)
ANTICLOCKWISE = Sentence("sign.anticlockwise", "Anticlockwise")

HONOUR = EventType("honour", "{by} plays an honour.", you="You play an honour.", stood_out="honour")
LAST_CARDS = EventType(
    "last_cards",
    {"one": "{by} has one card left!", "other": "{by} has {count} cards left!"},
    you={"one": "You have one card left!", "other": "You have {count} cards left!"},
    stood_out="last cards",
    moment=False,
)
LIABLE = EventType(
    "liable", "{by} let it happen, and pays for all.", you="You let it happen, and pay for all.", stood_out="liable"
)
DRAGON = EventType(
    "dragon", "A dragon! {by} wins at once.", you="A dragon! You win at once.", tone="great", stood_out="dragon"
)


class BigTwoRules(Rules):
    """The rules in force in one match."""

    barring = play.PASSING.id
    low_card_rule = LEAD_LOW_CARD.id
    by_worth = True

    def __init__(self, options: Options) -> None:
        self.options = options
        self.card_order = CardOrder.by(options)
        self.directed = dealing.DIRECTIONS[options[dealing.DIRECTION]]
        self.first_card = dealing.FIRST_CARDS[options[dealing.FIRST_CARD]]
        self.starter = dealing.STARTERS[options[dealing.STARTER]]
        self.dealer = dealing.DEALERS[options[dealing.STARTER]]
        self.remembered = dealing.REMEMBERED[options[dealing.STARTER]]
        self.deals = options[dealing.DEALS]
        self.target = options[scoring.TARGET]
        self.combinations = Combinations(options, self.card_order)
        self.passing_bars = play.PASSING_BARS[options[play.PASSING]]
        self.owner_goes_on = play.OWNER_GOES_ON[options[play.PASSING]]
        self.ban = partial(play.BANS[options[play.NO_WIN_ON]], self.combinations)
        self.interrupting = combinations.HONOURS.id if self.combinations.any_time else None
        self.rests = self.interrupting is None
        self.refusing = options[play.NO_WIN_ON] != "none" or options[play.LAST_CARD_DEFENCE] == "required"
        self.defence = play.DEFENCES[options[play.LAST_CARD_DEFENCE]](self.combinations)
        self.is_over = play.OVER[options[play.PLAY_ON]]
        self.announced = options[play.ANNOUNCE]
        self.dragon = DRAGONS[options[combinations.DRAGON]]
        self.must_lead_low = options[dealing.LEAD_LOW_CARD]
        self.odd_card = short_tables.odd_card_rule(options)
        self.tribute = short_tables.TRIBUTES[options[short_tables.TRIBUTE]]
        self.drawing = short_tables.Drawing.of(options, self.card_order)
        self.newcomer_points = scoring.NEWCOMERS[options[scoring.NEWCOMER_POINTS]]

    # Combinations ------------------------------------------------------------------------------------------------

    def worth(self, card: Card) -> int:
        """By rank, then by suit: no two cards are equal."""
        return self.card_order.value[card]

    def deck(self) -> Cards:
        """One pack, from the low card."""
        return self.card_order.deck

    def readings(self, hand: HandState, cards: Cards) -> Sequence[Combination]:
        """What these cards are; never more than one thing."""
        return self.combinations.readings(cards)

    def found(self, hand: HandState, held: Cards) -> Iterator[Sequence[Combination]]:
        """On a lead everything held, smallest first; on a play what beats it."""
        table = hand.table
        return self.combinations.leads(held) if table is None else self.combinations.answers(held, table.combination)

    def beats(self, hand: HandState, by: str, combination: Combination) -> bool:
        """The same kind and number with a higher strength, or a kind that may answer it."""
        assert hand.table is not None
        return self.combinations.beats(combination, hand.table.combination)

    def kinds(self, hand: HandState, by: str) -> list[Proposal]:
        """The kinds; of single cards, where the next player has one card, only the highest."""
        return self._with_duty(hand, by, self.combinations.to_lead())

    def proposals(self, hand: HandState, by: str) -> list[Proposal]:
        """Out of turn only honours would do."""
        assert hand.table is not None
        found = self.combinations.proposals(hand.table.combination, honours_only=by != hand.turn)
        if found and found[0].kinds[0] in BY_SUIT:
            found[0] = replace(found[0], words=BY_SUITS(what=found[0].words, suits=self.card_order.in_words()))
        return self._with_duty(hand, by, found)

    def _with_duty(self, hand: HandState, by: str, found: list[OfKind]) -> list[Proposal]:
        """These, with the one single card that the duty towards the next player leaves."""
        single, only = SINGLE, self.defence.only_single(hand, by)
        if only is None:
            return [*found]
        mine = these(YOUR_HIGHEST(card=in_words((only,))), [only])
        reading = self.combinations.read((only,))
        assert reading is not None, "a card of the deck is a single"
        return [
            mine if one.kinds == (single,) else one for one in found if one.kinds != (single,) or one.covers(reading)
        ]

    def unread_by(self, hand: HandState, cards: Cards) -> str | None:
        """The switch that would make them one."""
        return blocking_rule.unread_by(self.options, cards)

    def unbeaten_by(self, hand: HandState, by: str, combination: Combination) -> str | None:
        """The switch without which it would."""
        assert hand.table is not None
        return blocking_rule.unbeaten_by(self.options, combination, hand.table.combination)

    # Out of turn -------------------------------------------------------------------------------------------------

    def signs(self, hand: HandState) -> Iterator[Sign]:
        if hand.direction == -1:  # as it goes in this game: nothing has been reversed
            yield Sign("direction", "↺", ANTICLOCKWISE(), hot=False)
        yield from short_tables.signs(memory_of(hand).stock)

    def out_of_turn(self, hand: HandState, by: str, combination: Combination) -> bool:
        """Honours, where they may come at any time."""
        return self.combinations.any_time and combination.kind in self.combinations.honours

    def turn_sentence(self, hand: HandState) -> Said:
        """Whose turn it is, and that others may play honours."""
        sentence = super().turn_sentence(hand)
        if not self.combinations.any_time:
            return sentence
        return OUT_OF_TURN(turn=sentence, honours=either(self.combinations.honours_in_words()))

    def interruptions(self, hand: HandState, by: str) -> Iterator[Cards]:
        """The honours of one player that beat the table."""
        if not self.combinations.any_time:
            return iter(())
        assert hand.table is not None
        on, honours = hand.table.combination, self.combinations.honours
        return (honour.cards for (honour,) in self.combinations.answers(hand.cards[by], on, honours))

    # Leading -----------------------------------------------------------------------------------------------------

    def start(self, hand: HandState, events: tuple[Event, ...] = ()) -> HandStep[HandState]:
        """Find who begins, all cards being where they belong."""
        memory = memory_of(hand)
        if memory.leader is not None:
            return begin_play(hand, memory.leader, events)
        low = self.card_order.lowest(card for cards in hand.cards.values() for card in cards)
        if self.must_lead_low:
            hand = hand.but(memory=memory.but(low=low))
        return begin_play(hand, holder(hand.cards, low), events)

    def exchange_over(self, hand: HandState) -> HandStep[HandState]:
        """Go on after the tribute."""
        return self.start(hand)

    def must_lead(self, hand: HandState, by: str) -> Card | None:
        """The first play contains the low card."""
        low = memory_of(hand).low
        return low if low in hand.cards[by] else None

    def may_pass(self, hand: HandState, by: str) -> bool:
        """A leader passes only if the last card may not be led (BIG-20), others where no duty forbids it (BIG-19)."""
        if hand.table is not None:
            return self.defence.lets_pass(hand, by)
        return len(hand.cards[by]) == 1 and not can_play(hand, by)

    def must_play(self, hand: HandState, by: str) -> tuple[Said, str | None]:
        """A leader, or who has a duty towards the next player."""
        if hand.table is None:
            return super().must_play(hand, by)
        following = play.about_to_win(hand, by)
        assert following is not None, "else there is no duty"
        return YOUR_HIGHEST_BEATS(name=following), play.LAST_CARD_DEFENCE.id

    def lead_passed(self, hand: HandState, by: str) -> HandStep[HandState]:
        """The lead goes on; when it has gone all the way round, the ban is lifted."""
        memory, following = memory_of(hand), hand.next_active(by)
        assert following is not None, "a hand with a ban has a second player"
        passes = memory.lead_passes + 1
        lifted = passes >= len(hand.active())
        memory = memory.but(
            lead_passes=0 if lifted else passes,
            ban_lifted=memory.ban_lifted or lifted,
            offences=_without_those_against(memory, by),
        )
        events = [LEAD_PASSED(by, leads=following)]
        if lifted:
            events.append(BAN_LIFTED(None, play.NO_WIN_ON.id))
        return HandStep(hand.but(to_act=(following,), memory=memory), tuple(events))

    # Last cards --------------------------------------------------------------------------------------------------

    def play_refused(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        """The ban on winning with a high card, then the duty towards the next player."""
        return play.banned(hand, by, combination, self.ban) or self.defence.refuses(hand, by, combination)

    def may_refuse(self, hand: HandState, by: str, size: int) -> bool:
        """Return whether the ban on winning cards may refuse this: it is about single cards alone. What the duty
        towards the next player refuses is not proposed (`_with_duty`)."""
        return size == 1 and play.may_ban(hand, by)

    # What happens ------------------------------------------------------------------------------------------------

    def turn_when_all_are_silent(self, hand: HandState) -> str | None:
        """The owner of the last play may go on, or pass to end the trick, where the rules have it so."""
        table = hand.table
        assert table is not None
        return table.by if self.owner_goes_on and hand.cards[table.by] else None

    def over(self, hand: HandState) -> bool:
        """When one is out, or when one is left."""
        return self.is_over(hand)

    def played(self, hand: HandState, laid: Laid) -> Sequence[Effect]:
        """Tell of honours and last cards; remember the winner's play and who opened the door to it."""
        by, memory, effects = laid.by, memory_of(hand), list[Effect]()
        plays, left = hand.trick.plays, len(hand.cards[by])
        if laid.combination.kind in HONOUR_KINDS and (laid.out_of_turn or _on_a_small_one(plays)):
            effects.append(Tell(HONOUR(by, combinations.HONOURS.id)))
        if 0 < left <= self.announced:
            effects.append(Tell(LAST_CARDS(by, play.ANNOUNCE.id, count=left)))
        if hand.out == (by,):
            memory = memory.but(last_play=laid.combination, liable=_who_let_win(memory, by))
            if memory.liable is not None:
                effects.append(Tell(LIABLE(memory.liable, play.LAST_CARD_DEFENCE.id, winner=by)))
        memory = memory.but(low=None, lead_passes=0, offences=self._offences(hand, by, laid))
        return effects if memory == memory_of(hand) else (*effects, Remember(memory))

    def passed(self, hand: HandState, by: str) -> HandStep[HandState]:
        """Remember an open door, and draw; the owner's pass that ends a trick does neither."""
        table, memory = hand.table, memory_of(hand)
        offences = self._offences(hand, by, None)
        if offences != memory.offences:
            hand = hand.but(memory=memory.but(offences=offences))
        if table is None or table.by == by:
            return HandStep(hand)
        return HandStep(*self.drawing.draw(hand, by))

    def trick_over(self, hand: HandState, trick: Sequence[Laid]) -> HandStep[HandState]:
        """Keep an honour that nobody beat."""
        last = trick[-1]
        if last.combination.kind not in HONOUR_KINDS:
            return HandStep(hand)
        memory = memory_of(hand)
        return HandStep(hand.but(memory=memory.but(unbeaten=(*memory.unbeaten, last))))

    def _offences(self, hand: HandState, by: str, laid: Laid | None) -> tuple[tuple[str, str], ...]:
        """The open doors after a play or a pass: those towards this player are closed."""
        open_doors = _without_those_against(memory_of(hand), by)
        if hand.out or not self.defence.opens(hand, by, laid):
            return open_doors
        following = play.about_to_win(hand, by)
        assert following is not None
        return (*open_doors, (by, following))

    # The end -----------------------------------------------------------------------------------------------------

    def standing(self, hand: HandState) -> tuple[str, ...]:
        """Who is out, in order; of a hand that is over then by fewer cards, and nearer to the winner."""
        if hand.phase != "over":
            return hand.out
        near = round_from(hand.seats, hand.out[0], hand.direction)
        rest = [name for name in near if name not in hand.out]
        return (*hand.out, *sorted(rest, key=lambda name: len(hand.cards[name])))

    def won_by_dragon(self, hand: HandState, winner: str) -> HandStep[HandState]:
        """The cards are laid down, and the hand is over before anybody has played."""
        cards = hand.cards[winner]
        hand = hand.with_cards(winner, ()).but(phase="over", out=(winner,), pile=cards, to_act=())
        return HandStep(hand, (DRAGON(winner, combinations.DRAGON.id, cards=" ".join(cards)),))


def _on_a_small_one(plays: Sequence[Laid]) -> bool:
    return len(plays) > 1 and plays[-2].combination.kind in SMALL


def _who_let_win(memory: BigTwoMemory, winner: str) -> str | None:
    return next((name for name, towards in memory.offences if towards == winner), None)


def _without_those_against(memory: BigTwoMemory, by: str) -> tuple[tuple[str, str], ...]:
    return tuple(offence for offence in memory.offences if offence[1] != by) if memory.offences else ()


@shared
def rules_of(options: Options) -> BigTwoRules:
    """The rules of one match, built once for all its hands."""
    return BigTwoRules(options)
