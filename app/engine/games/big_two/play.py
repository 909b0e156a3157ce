"""Play [BIG-17 … BIG-21]: what passing means, what is announced, and the rules about last cards.

Each rule is a small function or object that is asked at one place; the loop and `rules.py` know when.
"""

from collections.abc import Callable
from typing import Protocol

from app.engine.base.errors import RuleError, WouldDo
from app.engine.base.messages import Said, Sentence
from app.engine.base.options import Choice, Section, Switch, flag
from app.engine.cards.actions import Pass, Play
from app.engine.cards.cards import Card, in_words
from app.engine.climbing.combinations import SINGLE, Combination
from app.engine.climbing.rule_hooks import HandState
from app.engine.climbing.state import Laid
from app.engine.games.big_two.hand_memory import memory_of

from .combinations import Combinations

PASSING = Switch(
    id="BIG-17",
    also="过牌 過牌 locked out",
    key="passing",
    domain=Choice(
        {
            "free": "Who passes may play later",
            "out": "Who passes is out of the trick, and its last player may go on alone",
            "ends": "Who passes is out of the trick, which ends when all others are",
        }
    ),
    default="free",
    sentence="What passing means for the rest of the trick. When it has put all others out, the owner of the last play "
    "may go on beating it, or pass to end the trick and lead anew; or the trick is over at once.",
    example="With “out”, all having passed on 3♦ 3♣, its owner may go on with 8♦ 8♣.",
)

ANNOUNCE = Switch(
    id="BIG-18",
    also="last card 报单 報單 报双",
    key="announce",
    domain=Choice({0: "Nothing", 1: "The last card", 2: "The last card, and the last two"}),
    default=0,
    sentence="Whether the table is told when a play leaves somebody with few cards.",
    example="With 1: Ana, who had 9♦ and 4♦, plays 9♦, and everybody hears that she has one card.",
)

LAST_CARD_DEFENCE = Switch(
    id="BIG-19",
    also="last card dǐngdà 顶大 頂大 包赔 包賠",
    key="last_card_defence",
    domain=Choice(
        {
            "none": "No duty",
            "required": "A single must be your highest",
            "liable": "Who leaves the door open pays for all",
        }
    ),
    default="none",
    sentence="What one owes the table when the next player has a single card left. With the duty one may lead two "
    "cards or more, and passes on a single only if one’s highest card does not beat it. Liable is who didn’t play the "
    "highest single on a single, or led a single for no need, if that player then wins at once.",
    example="Dan, next after Ana, has one card. Ana leads from 4♣ 6♥ 6♠ 10♦: 10♦ or 6♥ 6♠ (to be safe from paying: 6♥ "
    "6♠).",
)

NO_WIN_ON = Switch(
    id="BIG-20",
    also="illegal finish winning with a two",
    key="no_win_on",
    domain=Choice(
        {
            "none": "Any last play wins",
            "top_card": "Not with the highest card alone",
            "single_two": "Not with a single two",
        }
    ),
    default="none",
    sentence="Which single card may not be the winner’s last play. A leader who has nothing else passes, and the lead "
    "goes on; if everybody in turn has had to, the ban is lifted for the rest of the hand.",
    example="With “single_two” a last 2♥ can’t be played, but 2♦ 2♥ together can.",
)

PLAY_ON = Switch(
    id="BIG-21",
    also="play to the last",
    key="play_on",
    domain=flag("The hand ends when one player is out", "The others play on until one has cards"),
    default=False,
    sentence="Whether places after the first are played for.",
    example="Ana is out; the next player who has cards leads when nobody beats her last play.",
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
    tells=2,
)

PASSING_BARS = {"free": False, "out": True, "ends": True}
OWNER_GOES_ON = {"free": False, "out": True, "ends": False}
"""Whether the owner of the last play may go on when all others are out of the trick, by the value of `passing`."""

# The winner's last card ----------------------------------------------------------------------------------------------

BANS: dict[str, Callable[[Combinations, Card], bool]] = {
    "none": lambda combinations, card: False,
    "top_card": lambda combinations, card: combinations.order.deck[-1] == card,
    "single_two": lambda combinations, card: card.rank == "2",
}
"""Whether this single card may not be the last one of a winner."""


NOT_THE_WINNING_CARD = Sentence("big_two.not_the_winning_card", "{card} may not be the card you win with: pass.")


NOT_THE_WINNING_LEAD = Sentence(
    "big_two.not_the_winning_lead", "{card} may not be the card you win with: pass, and the lead goes on."
)


def may_ban(hand: HandState, by: str) -> bool:
    """Return whether a single card may be banned as this player's winning play."""
    return len(hand.cards[by]) <= 1 and not hand.out and not memory_of(hand).ban_lifted


def banned(hand: HandState, by: str, combination: Combination, ban: Callable[[Card], bool]) -> RuleError | None:
    """Return why this may not be the play that wins, or None if it may."""
    if combination.size > 1 or not may_ban(hand, by) or not ban(combination.cards[0]):
        return None
    card = in_words(combination.cards)
    if hand.table is None:
        return RuleError("must_play", NOT_THE_WINNING_LEAD(card=card), NO_WIN_ON.id, (Pass(),))
    return RuleError("does_not_beat", NOT_THE_WINNING_CARD(card=card), NO_WIN_ON.id, (Pass(),))


# The next player's last card -----------------------------------------------------------------------------------------


def about_to_win(hand: HandState, by: str) -> str | None:
    """The next player who has cards, if they have one card left."""
    following = hand.next_active(by)
    return following if following is not None and len(hand.cards[following]) == 1 else None


class Defence(Protocol):
    """A value of `last_card_defence`."""

    def refuses(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        """Why a play that would beat, or lead, breaks the duty."""
        ...

    def only_single(self, hand: HandState, by: str) -> Card | None:
        """The one single card that the duty leaves, if it leaves but one."""
        ...

    def lets_pass(self, hand: HandState, by: str) -> bool:
        """Whether passing on the table keeps the duty."""
        ...

    def opens(self, hand: HandState, by: str, laid: Laid | None) -> bool:
        """Whether a play (on the table of `hand` by now) or a pass lets the next player, who has one card, win."""
        ...


class NoDefence:
    """No duty, and nobody pays for others."""

    def __init__(self, combinations: Combinations) -> None:
        self.combinations = combinations

    def refuses(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        """No play is refused."""
        return None

    def only_single(self, hand: HandState, by: str) -> Card | None:
        """Any single may be played."""
        return None

    def lets_pass(self, hand: HandState, by: str) -> bool:
        """Everybody may pass."""
        return True

    def opens(self, hand: HandState, by: str, laid: Laid | None) -> bool:
        """Nobody opens a door."""
        return False

    def highest_beats(self, hand: HandState, by: str) -> bool:
        """Whether there is somebody else's single on the table that one's highest card beats, and may be played on."""
        table = hand.table
        # The owner's pass ends a trick that nobody else is left in: it gives nothing away (BIG-17).
        if table is None or table.by == by or table.combination.kind != SINGLE:
            return False
        highest = self.combinations.read((self.combinations.order.highest(hand.cards[by]),))
        assert highest is not None
        return (
            self.combinations.beats(highest, table.combination) and hand.rules.play_refused(hand, by, highest) is None
        )


ONE_CARD_LEFT = Sentence("big_two.one_card_left", "{name} has one card left")
HIGHEST_SINGLE = Sentence("big_two.highest_single", "{why}: a single must be your highest. Play {card}.")
HIGHEST_OR_LONGER = Sentence(
    "big_two.highest_or_longer",
    "{why}: a single must be your highest. Play {card}, or lead two cards or more.",
)
HIGHEST_OR_PASS = Sentence("big_two.highest_or_pass", "{why}: a single must be your highest. Play {card}, or pass.")


class Required(NoDefence):
    """A single must be one's highest, and who has one that beats a single may not pass; the low card of a first lead
    comes before that."""

    def refuses(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        """Refuse a lower single with `must_play`."""
        highest, leading = self.only_single(hand, by), hand.table is None
        if combination.size > 1 or highest is None or combination.cards[0] == highest:
            return None
        if leading and memory_of(hand).low in combination.cards:
            return None
        said = HIGHEST_SINGLE
        longer = next((led for (led,) in self.combinations.leads(hand.cards[by]) if leading and led.size > 1), None)
        would_do: WouldDo = (Play((highest,)),)
        if longer is not None:
            said, would_do = HIGHEST_OR_LONGER, (*would_do, Play(longer.cards))
        elif not leading and hand.rules.may_pass(hand, by):
            said, would_do = HIGHEST_OR_PASS, (*would_do, Pass())
        told = said(why=self._why(hand, by), card=in_words((highest,)))
        return RuleError("must_play", told, LAST_CARD_DEFENCE.id, would_do)

    def only_single(self, hand: HandState, by: str) -> Card | None:
        """The highest, while the next player has one card."""
        return None if about_to_win(hand, by) is None else self.combinations.order.highest(hand.cards[by])

    def lets_pass(self, hand: HandState, by: str) -> bool:
        """Not for who lets a single stand that they could beat."""
        return about_to_win(hand, by) is None or not self.highest_beats(hand, by)

    def _why(self, hand: HandState, by: str) -> Said:
        return ONE_CARD_LEFT(name=about_to_win(hand, by) or "")


class Liable(NoDefence):
    """Everything is allowed, and the table remembers who opened the door."""

    def opens(self, hand: HandState, by: str, laid: Laid | None) -> bool:
        """A pass, or a single below one's highest, where that would have beaten a single; a single led for no need."""
        if about_to_win(hand, by) is None:
            return False
        if laid is None:
            return self.highest_beats(hand, by)
        if laid.combination.size > 1:
            return False
        had = (*hand.cards[by], *laid.combination.cards)
        lower = self.combinations.order.highest(had) != laid.combination.cards[0]
        if len(hand.trick.plays) > 1:
            return lower
        if memory_of(hand).low is not None:
            return False
        return lower or any(led.size > 1 for (led,) in self.combinations.leads(self.combinations.order.sorted(had)))


DEFENCES: dict[str, Callable[[Combinations], Defence]] = {"none": NoDefence, "required": Required, "liable": Liable}

# How long a hand lasts -----------------------------------------------------------------------------------------------

OVER: dict[bool, Callable[[HandState], bool]] = {
    False: lambda hand: bool(hand.out),
    True: lambda hand: len(hand.active()) <= 1,
}
"""Whether a hand is over, by the value of `play_on`."""
