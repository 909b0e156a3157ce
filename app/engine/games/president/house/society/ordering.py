"""Ordering [PRES-24]: calling a run of three single cards, as in Kings and Bastards.

The player of the third of three consecutive singles may call the run by rank, colour or suit. For the rest of the
trick every play must be the very next rank and match the call. Trumps lose their power.
"""

from collections.abc import Iterator, Sequence

from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.base.options import Option, on_off_choice
from app.engine.cards.cards import SUITS, Card, Cards, rank_message
from app.engine.climbing.combinations import SINGLE, Combination
from app.engine.climbing.effects import Effect, EmitEvent
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import PlayedCombination, Trick
from app.engine.climbing.suggestion_data import Suggestion, single_card_suggestion
from app.engine.display.events import GameEventType
from app.engine.display.table_display import Badge
from app.engine.games.president.combinations.beats import PresidentCombinations
from app.engine.games.president.combinations.card_powers import TRUMP_ROLES
from app.engine.games.president.combinations.cards import CardMeanings
from app.engine.games.president.combinations.requirements import PlayRequirement
from app.engine.games.president.house_rule import HouseRule, Judge

CALLS = {
    "rank": MessageTemplate("call.rank", "rank by rank"),
    "red": MessageTemplate("call.red", "red"),
    "black": MessageTemplate("call.black", "black"),
    "c": MessageTemplate("call.c", "clubs"),
    "d": MessageTemplate("call.d", "diamonds"),
    "h": MessageTemplate("call.h", "hearts"),
    "s": MessageTemplate("call.s", "spades"),
}
"""All possible calls, with their names."""
CALLED = MessageTemplate("sign.called", "called {call}")
"""The badge of a call."""

COLOURS = {"red": "dhr", "black": "csb"}
"""The suits of each colour, including jokers."""


def _can_be_in_called_run(faces: CardMeanings, combination: Combination) -> bool:
    return combination.size == 1 and combination.role not in TRUMP_ROLES and combination.rank in faces.natural_ranks


def available_calls(faces: CardMeanings, trick: Trick, new: Combination, *, inverted: bool) -> tuple[str, ...]:
    """Return the calls that the play `new` may announce: none unless it and the two plays before are a run of singles.

    The result is also empty if the trick has a call already. A call is `rank`, a colour or a suit that all three cards
    have.
    """
    plays = trick.plays
    if trick.call is not None or len(plays) < 2:
        return ()
    run = [plays[-2].combination, plays[-1].combination, new]
    if not all(_can_be_in_called_run(faces, one) for one in run):
        return ()
    if "".join(one.rank for one in run) not in faces.ranks_low_to_high(inverted=inverted):
        return ()
    suits = {one.cards[0].suit for one in run}
    colours = (call for call, of in COLOURS.items() if suits <= set(of))
    return ("rank", *colours, *(suit for suit in SUITS if suits == {suit}))


def readings_in_called_run(
    faces: CardMeanings, found: Sequence[Combination], *, inverted: bool
) -> Sequence[Combination]:
    """Return the readings that count in a called run: a card only as its own rank, jokers not at all.

    `found`, the usual readings of the cards, must not be empty. The readings of a wild card stay. Empty if the cards
    can't be in the run.
    """
    cards = found[0].cards
    if len(cards) != 1 or cards[0].is_joker:
        return []
    if faces.is_wild(cards[0]):
        return found
    rank = faces.rank_of(cards[0])
    return [Combination(SINGLE, cards, (faces.rank_level(rank, inverted=inverted),), rank)]


def continues_called_run(faces: CardMeanings, call: str, new: Combination, on: Combination, *, inverted: bool) -> bool:
    """Return whether the play `new` on `on` goes on with the called run: the very next rank, of the called colour or
    suit.

    `call` is `rank`, a colour or a suit. `faces` tells the meaning of each card.
    """
    suit = new.cards[0].suit
    return suit in COLOURS.get(
        call, suit if call == "rank" else call
    ) and on.rank + new.rank in faces.ranks_low_to_high(inverted=inverted)


NEXT_OF_CALLED = {
    call: MessageTemplate(f"president.next_of_called.{call}", f"the next rank ({{rank}}){where}")
    for call, where in {
        "rank": "",
        "red": " in red",
        "black": " in black",
        "c": " in clubs",
        "d": " in diamonds",
        "h": " in hearts",
        "s": " in spades",
    }.items()
}


def next_card_hint(faces: CardMeanings, call: str, on: Combination, *, inverted: bool) -> TranslatableMessage:
    """Return the next card of a called run as text for a suggestion that begins with “Play ”.

    The run must not have reached the highest rank.
    """
    order = faces.ranks_low_to_high(inverted=inverted)
    following = order[order.find(on.rank) + 1]
    return NEXT_OF_CALLED[call](rank=rank_message(following))


ONLY_THE_THIRD = MessageTemplate(
    "president.only_the_third",
    "Only the third of three singles in a row can be called, once per trick.",
)
NOTHING_GOES_ON = MessageTemplate("president.nothing_goes_on", "Nothing beats the top of a called run.")

RUN_CALLED = GameEventType("called", "", stood_out="called", highlighted=False)
"""Without text: the event of the play already reports the call."""


class CalledRuns(HouseRule[None]):
    """A house rule of President: the player of the third of three consecutive singles may call the run.

    Later plays in the trick must then be the very next rank, of a colour or suit if that was called.
    """

    switch = Option(
        id="PRES-24",
        also="calling a run called straight",
        key="ordering",
        label="Run calls",
        domain=on_off_choice("No calls", "Three singles in a row may be called"),
        default=False,
        sentence="Decides whether runs may be called. If three single cards in a row are consecutive, the third "
        "player may call the run. From then on only the next rank may be played, in the called colour or "
        "suit, and trumps lose their power.",
        example="After 4♦ 5♥ 6♦ the player may call “red”: now only 7♦ or 7♥ can be played.",
        source="everything2: Kings and Bastards",
    )
    section = "beating"
    looks_at_suits = True

    def signs(self, hand: HandState) -> Iterator[Badge]:
        call = hand.trick.call
        if call is not None:
            yield Badge("call", "☞", CALLED(call=CALLS[call]()))

    def trick_judge(self, hand: HandState) -> Judge | None:
        call = hand.trick.call
        return None if call is None else CalledRunJudge(self.combination_rules, call)

    def available_calls(self, hand: HandState, combination: Combination) -> Sequence[str]:
        return available_calls(self.card_meanings, hand.trick, combination, inverted=hand.inverted)

    def call_refused_message(self) -> TranslatableMessage:
        return ONLY_THE_THIRD()

    def trick_effects(self, hand: HandState, laid: PlayedCombination) -> Iterator[Effect]:
        if laid.call is not None:
            yield EmitEvent(RUN_CALLED(laid.by, self.switch.id, call=laid.call))


class CalledRunJudge:
    """The `Judge` (decides what beats the table) of a trick in which a run is called: only its next card does."""

    def __init__(self, beating: PresidentCombinations, call: str) -> None:
        self.combination_rules, self.card_meanings, self.call = beating, beating.card_meanings, call

    def readings(self, cards: Cards, on: Combination | None, *, inverted: bool) -> Sequence[Combination]:
        """Return the readings (ways to count cards as a combination) of these cards that count in a called run.

        Without any, return the usual readings, which do not beat the table here.
        """
        found = self.combination_rules.readings(cards, on, inverted=inverted)
        return (readings_in_called_run(self.card_meanings, found, inverted=inverted) or found) if found else found

    def candidate_plays(
        self, held: Cards, on: Combination | None, *, inverted: bool, must: Card | None = None
    ) -> Iterator[Cards]:
        """Yield each different single card, as only singles can continue a called run; some may not beat the table.

        `must` is not needed, because a trick with a call has a lead. The caller checks each choice.
        """
        return iter(dict.fromkeys((card,) for card in held))

    def beats(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        """Return whether the play continues the called run: the very next rank, of the called colour or suit."""
        if not readings_in_called_run(self.card_meanings, [new], inverted=inverted):
            return False
        return continues_called_run(self.card_meanings, self.call, new, on, inverted=inverted)

    def rule_against_beating(self, new: Combination, on: Combination, *, inverted: bool) -> str:
        """Return the id of the rule about called runs, which forbids every other play."""
        return CalledRuns.switch.id

    def suggested_plays(
        self, on: Combination, demands: Sequence[PlayRequirement], *, inverted: bool
    ) -> list[Suggestion]:
        """Return one suggestion with the next cards of the called run, or an empty list without any."""

        def goes(card: Card) -> bool:
            return any(
                self.beats(one, on, inverted=inverted) and all(demand.is_met(one) for demand in demands)
                for one in self.readings((card,), on, inverted=inverted)
            )

        good = [card for card in dict.fromkeys(self.card_meanings.deck()) if goes(card)]
        return (
            [single_card_suggestion(next_card_hint(self.card_meanings, self.call, on, inverted=inverted), good)]
            if good
            else []
        )

    def unbeatable_message(self) -> TranslatableMessage | None:
        """Return the message that nothing beats the table, because the called run has reached its highest rank.

        It is asked only when nothing beats the table.
        """
        return NOTHING_GOES_ON()
