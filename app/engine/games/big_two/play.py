"""Play [BIG-17 … BIG-21]: passing, announcements, and the rules about last cards.

Each rule is a small function or object with one caller; the loop and rules.py decide when it is called.
"""

from collections.abc import Callable
from typing import Protocol

from app.engine.base.errors import RuleError, SuggestedActions
from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.base.options import Choice, Option, Section, on_off_choice
from app.engine.cards.actions import Pass, Play
from app.engine.cards.cards import Card, describe_cards
from app.engine.climbing.combinations import SINGLE, Combination
from app.engine.climbing.rule_hooks import HandState, next_player_about_to_win
from app.engine.climbing.state import PlayedCombination
from app.engine.games.big_two.hand_memory import memory_of

from .combinations import BigTwoCombinations

PASSING = Option(
    id="BIG-17",
    also="过牌 過牌 locked out",
    key="passing",
    domain=Choice(
        {
            "free": "If you pass, you may play later",
            "out": "If you pass, you are out of the trick, and its last player may go on alone",
            "ends": "If you pass, you are out of the trick, which ends when all others are out",
        }
    ),
    default="free",
    sentence="Decides whether you may play again in a trick after you passed. When all others are out of the "
    "trick, the last player to play may go on alone or pass, or the trick ends at once.",
    example="With “may go on alone”, all others pass on 3♦ 3♣, and its player may go on with 8♦ 8♣.",
)

ANNOUNCE = Option(
    id="BIG-18",
    also="last card 报单 報單 报双",
    key="announce",
    label="Last card announcement",
    domain=Choice({0: "Nothing", 1: "The last card", 2: "The last card, and the last two"}),
    default=0,
    sentence="Decides whether a message tells everyone when a player has few cards left.",
    example="With “The last card”, Ana has 9♦ and 4♦ and plays 9♦: everyone reads that Ana has one card left.",
)

LAST_CARD_DEFENCE = Option(
    id="BIG-19",
    also="last card dǐngdà 顶大 頂大 包赔 包賠",
    key="last_card_defence",
    domain=Choice(
        {
            "none": "No duty",
            "required": "Required: a single must be your highest",
            "liable": "Liable: you pay for everyone if you let them win",
        }
    ),
    default="none",
    sentence="Decides what you must do when the next player has one card left. “Required”: play your highest "
    "single, or lead two or more cards. “Liable”: if you did not and that player wins at once, you "
    "pay for everyone.",
    example="Dan, next after Ana, has one card. From 4♣ 6♥ 6♠ 10♦, Ana must lead 10♦ or 6♥ 6♠. 6♥ 6♠ is safe.",
    short={
        "required": "If the next player has one card, a single must be your highest.",
        "liable": "If you let the next player win with one card, you pay for everyone.",
    },
)

NO_WIN_ON = Option(
    id="BIG-20",
    also="illegal finish winning with a two",
    key="no_win_on",
    label="Forbidden last card",
    domain=Choice(
        {
            "none": "Any last play wins",
            "top_card": "Not the highest card alone",
            "single_two": "Not a single two",
        }
    ),
    default="none",
    sentence="Decides which single card may not be the last play of the winner. If you have no other lead, "
    "you pass and the lead moves on. If everyone has had to pass, the ban is lifted for the rest of "
    "the hand.",
    example="With “Not a single two”, a last 2♥ can’t be played, but 2♦ 2♥ together can.",
    short={
        "top_card": "The highest card alone can’t be your last play.",
        "single_two": "A single two can’t be your last play.",
    },
)

PLAY_ON = Option(
    id="BIG-21",
    also="play to the last",
    key="play_on",
    domain=on_off_choice(
        "The hand ends when the first player is out", "The others play on until only one player has cards"
    ),
    default=False,
    sentence="Decides whether players play on for the places after first.",
    example="Ana is out. If nobody beats that last play, the next player with cards leads.",
    short={True: "The others play on for their places."},
)

SECTION = Section(
    "play",
    "Play",
    (
        PASSING,
        ANNOUNCE,
        LAST_CARD_DEFENCE,
        NO_WIN_ON,
        PLAY_ON,
    ),
    importance=2,
)

PASSING_BARS = {"free": False, "out": True, "ends": True}
OWNER_GOES_ON = {"free": False, "out": True, "ends": False}
"""Whether the owner of the last play may go on when all others are out of the trick, by the value of `passing`."""

# The winner's last card ----------------------------------------------------------------------------------------------

BANNED_CARD_BY_OPTION: dict[str, Callable[[BigTwoCombinations, Card], bool]] = {
    "none": lambda combinations, card: False,
    "top_card": lambda combinations, card: combinations.card_order.deck[-1] == card,
    "single_two": lambda combinations, card: card.rank == "2",
}
"""Returns whether a winner's last card may not be this single card."""


NOT_THE_WINNING_CARD = MessageTemplate("big_two.not_the_winning_card", "You can’t finish with {card}. Pass.")


NOT_THE_WINNING_LEAD = MessageTemplate(
    "big_two.not_the_winning_lead", "You can’t finish with {card}. Pass, and the lead moves on."
)


def can_ban_winning_card(hand: HandState, by: str) -> bool:
    """Return whether the rules may forbid this player of Big Two to win with a single card now.

    That is so for their last card, while nobody is out and the ban is not lifted.
    """
    return len(hand.cards[by]) <= 1 and not hand.out and not memory_of(hand).ban_lifted


def find_ban_error(
    hand: HandState, by: str, combination: Combination, is_banned_card: Callable[[Card], bool]
) -> RuleError | None:
    """Return an error if this play of Big Two would win with a card that the rules ban as the last one, else None."""
    if combination.size > 1 or not can_ban_winning_card(hand, by) or not is_banned_card(combination.cards[0]):
        return None
    card = describe_cards(combination.cards)
    if hand.play_to_beat is None:
        return RuleError("must_play", NOT_THE_WINNING_LEAD(card=card), NO_WIN_ON.id, (Pass(),))
    return RuleError("does_not_beat", NOT_THE_WINNING_CARD(card=card), NO_WIN_ON.id, (Pass(),))


# The next player's last card -----------------------------------------------------------------------------------------


class LastCardDefence(Protocol):
    """Big Two's rule on a player's duty when the next player has one card left; one class per value of the option."""

    def find_play_error(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        """Return an error if a play, otherwise legal, breaks the duty towards a next player with one card, or None."""
        ...

    def required_single(self, hand: HandState, by: str) -> Card | None:
        """Return the only single card that the duty towards a next player with one card allows.

        None if any single is allowed.
        """
        ...

    def can_pass(self, hand: HandState, by: str) -> bool:
        """Return whether the player may pass although the next player has one card left."""
        ...

    def lets_next_player_win(self, hand: HandState, by: str, laid: PlayedCombination | None) -> bool:
        """Return whether a play or pass lets the next player, who has one card, win.

        By an option, the player may then have to pay. `laid` is the play, already on the table of `hand`; None for a
        pass.
        """
        ...


class NoLastCardDefence:
    """The rule of Big Two that a player has no duty when the next player has one card left. Nobody pays for others."""

    def __init__(self, combinations: BigTwoCombinations) -> None:
        self.combinations = combinations

    def find_play_error(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        """Return None: without the duty, no play is refused for the next player's last card."""
        return None

    def required_single(self, hand: HandState, by: str) -> Card | None:
        """Return None: without the duty, any single may be played before a player with one card."""
        return None

    def can_pass(self, hand: HandState, by: str) -> bool:
        """Return True: without the duty, passing before a player with one card is allowed."""
        return True

    def lets_next_player_win(self, hand: HandState, by: str, laid: PlayedCombination | None) -> bool:
        """Return False: without the duty, nobody is liable for the next player's win."""
        return False

    def highest_single_beats_table(self, hand: HandState, by: str) -> bool:
        """Return whether another player's single card is on the table and this player's highest card may beat it."""
        table = hand.play_to_beat
        # If the owner of the last play passes, the trick ends: that helps nobody (BIG-17).
        if table is None or table.by == by or table.combination.kind != SINGLE:
            return False
        highest = self.combinations.read_combination((self.combinations.card_order.highest_card(hand.cards[by]),))
        assert highest is not None
        return (
            self.combinations.beats(highest, table.combination) and hand.rules.play_refusal(hand, by, highest) is None
        )


ONE_CARD_LEFT = MessageTemplate("big_two.one_card_left", "{name} has one card left.")
HIGHEST_SINGLE = MessageTemplate("big_two.highest_single", "{why} Play {card}, your highest.")
HIGHEST_OR_LONGER = MessageTemplate(
    "big_two.highest_or_longer",
    "{why} Play {card} (your highest) or several cards.",
)
HIGHEST_OR_PASS = MessageTemplate("big_two.highest_or_pass", "{why} Play {card} (your highest), or pass.")


class RequiredDefence(NoLastCardDefence):
    """The rule of Big Two that protects against a next player with one card: a single must be the player's highest.

    A player who can beat a single with the highest card may not pass. The low card of a first lead takes precedence.
    """

    def find_play_error(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        """Return a `must_play` error for a single below the player's highest card while the next player has one card.

        None for other plays, and for a first lead with the low card. The error suggests legal actions.
        """
        highest, leading = self.required_single(hand, by), hand.play_to_beat is None
        if combination.size > 1 or highest is None or combination.cards[0] == highest:
            return None
        if leading and memory_of(hand).low in combination.cards:
            return None
        said = HIGHEST_SINGLE
        longer = next(
            (led for (led,) in self.combinations.possible_leads(hand.cards[by]) if leading and led.size > 1), None
        )
        would_do: SuggestedActions = (Play((highest,)),)
        if longer is not None:
            said, would_do = HIGHEST_OR_LONGER, (*would_do, Play(longer.cards))
        elif not leading and hand.rules.may_pass(hand, by):
            said, would_do = HIGHEST_OR_PASS, (*would_do, Pass())
        message = said(why=self._one_card_left_reason(hand, by), card=describe_cards((highest,)))
        return RuleError("must_play", message, LAST_CARD_DEFENCE.id, would_do)

    def required_single(self, hand: HandState, by: str) -> Card | None:
        """Return the player's highest card while the next player has one card: the only single allowed. Else None."""
        return (
            None
            if next_player_about_to_win(hand, by) is None
            else self.combinations.card_order.highest_card(hand.cards[by])
        )

    def can_pass(self, hand: HandState, by: str) -> bool:
        """Return whether the player may pass: not if the next has one card and the player's highest beats a single."""
        return next_player_about_to_win(hand, by) is None or not self.highest_single_beats_table(hand, by)

    def _one_card_left_reason(self, hand: HandState, by: str) -> TranslatableMessage:
        return ONE_CARD_LEFT(name=next_player_about_to_win(hand, by) or "")


class LiableDefence(NoLastCardDefence):
    """The rule of Big Two that a player who lets the next player win with one card is remembered as liable.

    All plays are allowed, but the liable player may have to pay for all.
    """

    def lets_next_player_win(self, hand: HandState, by: str, laid: PlayedCombination | None) -> bool:
        """Return whether a player lets the next player, who has one card, win with it.

        That is a pass or a lower single although the highest card would have beaten a single, or an avoidable lead of a
        single. `laid` is the play, already on the table of `hand`; None for a pass.
        """
        if next_player_about_to_win(hand, by) is None:
            return False
        if laid is None:
            return self.highest_single_beats_table(hand, by)
        if laid.combination.size > 1:
            return False
        had = (*hand.cards[by], *laid.combination.cards)
        lower = self.combinations.card_order.highest_card(had) != laid.combination.cards[0]
        if len(hand.trick.plays) > 1:
            return lower
        if memory_of(hand).low is not None:
            return False
        return lower or any(
            led.size > 1 for (led,) in self.combinations.possible_leads(self.combinations.card_order.sort_cards(had))
        )


DEFENCES: dict[str, Callable[[BigTwoCombinations], LastCardDefence]] = {
    "none": NoLastCardDefence,
    "required": RequiredDefence,
    "liable": LiableDefence,
}
