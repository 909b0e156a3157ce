"""Burning [PRES-82]: four of a rank end the trick, even if several plays together make four."""

from collections.abc import Iterator, Sequence

from app.engine.base.messages import MessageTemplate, TranslatableMessage, join_with_and
from app.engine.base.options import Choice, Option, Options, OptionValue
from app.engine.cards.cards import Card, Cards, rank_message
from app.engine.climbing.combinations import KIND_OF_SET, Combination, distinct_choices
from app.engine.climbing.effects import EndTrick
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.climbing.suggestion_data import GroupSuggestion, Suggestion
from app.engine.display.events import GameEventType
from app.engine.display.table_display import Badge
from app.engine.games.president.combinations.beats import PresidentCombinations
from app.engine.games.president.combinations.requirements import PlayRequirement
from app.engine.games.president.house_rule import HouseRule, Judge
from app.engine.games.president.judging import DefaultJudge

COMPLETED = "completed"
"""The role of a play that completes four of a rank."""
FOUR = 4

THE_LAST = MessageTemplate(
    "president.the_last_of_a_rank",
    {"one": "the last card of rank {rank}", "other": "the last {count} cards of rank {rank}"},
)
OR_COMPLETE = MessageTemplate("president.or_complete", "{turn} You can only complete four of a rank now.")
ANYBODY = MessageTemplate("sign.burn", "Anyone can complete the four")
ANYBODY_BUT = MessageTemplate("sign.burn.but", "Anyone except {names} can complete the four")
BURNED = GameEventType(
    "burned",
    "{by} burns the trick.",
    you="You burn the trick.",
    turn="{by} completes the four before {turn} can play, and burns the trick!",
    you_turn="You complete the four before {turn} can play, and burn the trick!",
    turn_you="{by} completes the four before you can play, and burns the trick!",
    tone="great",
    stood_out="burned",
    highlighted=False,
)
"""`turn` names the player whose turn it was, if the play was out of turn."""


class Burn(HouseRule[None]):
    """A house rule of President: four of a rank end the trick; by option values, also if several plays make four.

    Then players may complete the four even if higher cards are asked for, or out of turn.
    """

    switch = Option(
        id="PRES-82",
        also="bomb four-card burn completing fours",
        key="burn",
        domain=Choice(
            {
                "none": "Four of a rank are an ordinary set",
                "set": "A set of four ends the trick",
                "complete": "Also cards that make four with the last plays",
                "any_time": "Also out of turn, by any other player",
            }
        ),
        default="none",
        sentence="Decides whether four of a rank end the trick. Their player leads. Natural cards of any number "
        "may also complete four of a rank with the last plays (eight with two decks).",
        example="7♦ 7♥ 7♠ on 7♣ end the trick. With “out of turn”, any player except the owner of 7♣ may play "
        "them at any time.",
        source="common",
        short={
            "set": "Four of a kind ends the trick.",
            "complete": "Cards that complete four of a kind end the trick.",
            "any_time": "Cards that complete four of a kind end the trick, even out of turn.",
        },
    )
    section = "beating"
    active_value = "any_time"

    def __init__(self, combination_rules: PresidentCombinations, options: Options) -> None:
        super().__init__(combination_rules, options)
        self.allows_completing_four = options[self.switch] in ("complete", "any_time")
        self.allows_interruptions = options[self.switch] == "any_time"
        self.default_judge = DefaultJudge(combination_rules, options)
        self.cards_per_rank = FOUR * self.card_meanings.packs
        """Number of natural cards of a rank that complete it."""

    @classmethod
    def is_active(cls, value: OptionValue) -> bool:
        return value != "none"

    def find_trick_end(self, hand: HandState, laid: PlayedCombination) -> EndTrick | None:
        play = laid.combination
        burns = play.role == COMPLETED or (play.kind in KIND_OF_SET and play.size >= FOUR)
        if not burns:
            return None
        if hand.player_to_play == laid.by:
            return EndTrick(BURNED(laid.by, self.switch.id))
        return EndTrick(BURNED(laid.by, self.switch.id, turn=hand.player_to_play))

    def trick_judge(self, hand: HandState) -> Judge | None:
        if not self.allows_completing_four:
            return None
        rank, lies = self._count_natural_in_row(hand.trick.plays)
        return CompletingFourJudge(self.default_judge, rank, self.cards_per_rank - lies) if lies else None

    def can_interrupt_with(self, hand: HandState, combination: Combination) -> bool:
        return self.allows_interruptions and combination.role == COMPLETED

    def interrupting_plays(self, hand: HandState, by: str) -> Iterator[Cards]:
        judge = self.trick_judge(hand) if self.allows_interruptions else None
        return judge.choices_completing_four(hand.cards[by]) if isinstance(judge, CompletingFourJudge) else iter(())

    def possible_interrupters(self, hand: HandState) -> tuple[str, ...]:
        # Report interrupters only from half of the rank on, or pages would wait after every single card.
        table = hand.play_to_beat
        if (
            not self.allows_interruptions
            or table is None
            or hand.player_to_play is None
            or hand.open_choice
            or hand.rules.pause_refusal(hand)
        ):
            return ()
        _, lies = self._count_natural_in_row(hand.trick.plays)
        if 2 * lies < self.cards_per_rank:
            return ()
        silenced = {table.by, hand.player_to_play, *hand.trick.barred}
        return tuple(name for name in hand.players_with_cards() if name not in silenced)

    def signs(self, hand: HandState) -> Iterator[Badge]:
        table = hand.play_to_beat
        if table is not None and self.possible_interrupters(hand):
            silenced = [name for name in hand.players_with_cards() if name in {table.by, *hand.trick.barred}]
            yield Badge("burn", "✹", ANYBODY_BUT(names=join_with_and(silenced)) if silenced else ANYBODY())

    def turn_message(self, turn: TranslatableMessage) -> TranslatableMessage:
        return OR_COMPLETE(turn=turn)

    def _count_natural_in_row(self, plays: Sequence[PlayedCombination]) -> tuple[str, int]:
        """Return the rank of the last plays, and the number of its natural cards in successive plays.

        The number is 0 if nothing can be completed to four. That is so if the last play is not a natural set or beat by
        a power, or if the rank is complete already.
        """
        rank, lies = "", 0
        for place, laid in reversed(list(enumerate(plays))):
            play = laid.combination
            natural = play.kind in KIND_OF_SET and not (play.role and place)
            if not natural or not self._is_natural_set_of_rank(
                play.cards, rank or self.card_meanings.rank_of(play.cards[0])
            ):
                break
            rank, lies = self.card_meanings.rank_of(play.cards[0]), lies + play.size
        return rank, lies if lies < self.cards_per_rank else 0

    def _is_natural_set_of_rank(self, cards: Cards, rank: str) -> bool:
        return rank in self.card_meanings.natural_ranks and all(
            not self.card_meanings.is_wild(card) and self.card_meanings.rank_of(card) == rank for card in cards
        )


class CompletingFourJudge:
    """The `Judge` (decides what beats the table) of a trick in which `missing` natural cards would complete four.

    Such cards beat anything. All else is left to the default judge.
    """

    def __init__(self, usual: DefaultJudge, rank: str, missing: int) -> None:
        self.default_judge, self.card_meanings, self.rank, self.missing = (
            usual,
            usual.combination_rules.card_meanings,
            rank,
            missing,
        )

    def _completes_four(self, cards: Sequence[Card]) -> bool:
        return len(cards) == self.missing and all(
            self.card_meanings.rank_of(card) == self.rank and not self.card_meanings.is_wild(card) for card in cards
        )

    def choices_completing_four(self, held: Cards) -> Iterator[Cards]:
        """Yield every choice of held cards that completes four of the rank on the table."""
        alike = tuple(card for card in held if self._completes_four((card,) * self.missing))
        return iter(distinct_choices(alike, self.missing))

    def readings(self, cards: Cards, on: Combination | None, *, inverted: bool) -> Sequence[Combination]:
        """Return the default readings (ways to count cards as a combination) of these cards, played on `on`.

        Cards that complete four of a rank have only the reading as cards of that rank.
        """
        if on is None or not self._completes_four(cards):
            return self.default_judge.readings(cards, on, inverted=inverted)
        strength = (self.card_meanings.rank_level(self.rank, inverted=inverted),)
        return [Combination(KIND_OF_SET[len(cards)], cards, strength, self.rank, COMPLETED)]

    def candidate_plays(
        self, held: Cards, on: Combination | None, *, inverted: bool, must: Card | None = None
    ) -> Iterator[Cards]:
        """Yield the choices of held cards that complete four of a rank, then all others that may be played on `on`.

        The others contain `must`, if given. Some may not beat the table; the caller checks each choice.
        """
        yield from self.choices_completing_four(held)
        for cards in self.default_judge.candidate_plays(held, on, inverted=inverted, must=must):
            if not self._completes_four(cards):
                yield cards

    def beats(self, new: Combination, on: Combination, *, inverted: bool) -> bool:
        """Return whether the play completes four of a rank, which beats anything, or beats by the usual rules."""
        return new.role == COMPLETED or self.default_judge.beats(new, on, inverted=inverted)

    def rule_against_beating(self, new: Combination, on: Combination, *, inverted: bool) -> str:
        """Return the id of the rule by which `new` does not beat `on`; the same as without this house rule."""
        return self.default_judge.rule_against_beating(new, on, inverted=inverted)

    def suggested_plays(
        self, on: Combination, demands: Sequence[PlayRequirement], *, inverted: bool
    ) -> list[Suggestion]:
        """Return the default suggestions of what beats the table, plus the cards that complete four of a rank."""
        found = self.default_judge.suggested_plays(on, demands, inverted=inverted)
        group = tuple(card for card in self.card_meanings.deck() if self._completes_four((card,) * self.missing))
        left = tuple(card for card in group if card not in on.cards)
        if len(left) >= self.missing:
            words = THE_LAST(count=self.missing, rank=rank_message(self.rank))
            found.append(GroupSuggestion(words, (self.missing,), (left,)))
        return found

    def unbeatable_message(self) -> TranslatableMessage | None:
        """Return None: this house rule adds no reason why nothing beats the table."""
        return None
