"""Play [TIEN-14 … TIEN-16]: passing, last plays with twos, and the end of a hand."""

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Choice, Option, Section, on_off_choice
from app.engine.cards.actions import Pass, Play
from app.engine.cards.cards import describe_cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.rule_hooks import HandState

from .combinations import is_two
from .hand_memory import memory_of
from .table import ORDER

PASSING = Option(
    id="TIEN-14",
    also="bỏ lượt locked out",
    key="passing",
    domain=Choice({"out": "If you pass, you are out of the trick", "free": "If you pass, you may play later"}),
    default="out",
    sentence="Decides whether you may play again in a trick, in turn, after you passed.",
    example="Ana passes on 9♦, then Bob plays J♠. With “you may play later”, Ana may play Q♣.",
    source="house rule",
)

NO_LAST_TWOS = Option(
    id="TIEN-15",
    also="thối hai illegal finish",
    key="no_last_twos",
    label="Last play with a two",
    domain=on_off_choice("Any last play is allowed", "The last play must not contain a two"),
    default=False,
    sentence="Decides whether you may finish with a two. If you have no other lead, you pass and the lead moves on. If "
    "everyone has had to pass, the ban is lifted for the rest of the hand.",
    example="With 5♦ and 2♠ left, you must play the two first.",
    source="Tiến lên miền Bắc",
    short={True: "Your last play must not contain a two."},
)

PLAY_ON = Option(
    id="TIEN-16",
    also="nhất ăn tất play to the last",
    key="play_on",
    label="End of a hand",
    domain=on_off_choice(
        "The hand ends when the first player is out", "The others play on until only one player has cards"
    ),
    default=True,
    sentence="Decides whether players play on for the places after first.",
    example="Ana is out. If nobody beats that last play, the next player with cards leads.",
)

SECTION = Section("play", "Play", (PASSING, NO_LAST_TWOS, PLAY_ON), importance=2)

NOT_WITH_TWOS = MessageTemplate("tien_len.not_with_twos", "You can’t finish with {cards}.")
NOT_WITH_TWOS_PASS = MessageTemplate("tien_len.not_with_twos_pass", "You can’t finish with {cards}. Pass.")
NOT_WITH_A_LAST_TWO = MessageTemplate(
    "tien_len.not_with_a_last_two", "You can’t finish with {cards}. Pass, and the lead moves on."
)
FEWER_TWOS = MessageTemplate("tien_len.fewer_twos", "You can’t finish with {cards}. Play fewer cards.")


def find_last_twos_error(hand: HandState, by: str, combination: Combination) -> RuleError | None:
    """Return an error if this play would be the player's last and contains a two, which the rules forbid [TIEN-15].

    Such a combination has only twos, because no run contains them.
    """
    last = combination.size >= len(hand.cards[by])
    if not last or memory_of(hand).ban_lifted or not is_two(combination.cards[0]):
        return None
    cards = describe_cards(combination.cards)
    if hand.play_to_beat is not None:
        in_turn = by == hand.player_to_play
        said = NOT_WITH_TWOS_PASS if in_turn else NOT_WITH_TWOS
        return RuleError("does_not_beat", said(cards=cards), NO_LAST_TWOS.id, (Pass(),) if in_turn else ())
    if combination.size > 1:
        lowest = ORDER.lowest_card(combination.cards)
        return RuleError("must_play", FEWER_TWOS(cards=cards), NO_LAST_TWOS.id, (Play((lowest,)),))
    return RuleError("must_play", NOT_WITH_A_LAST_TWO(cards=cards), NO_LAST_TWOS.id, (Pass(),))
