"""Play [PDK-14, PDK-15]: the duty to beat, and the duty before a player with one card."""

from collections.abc import Sequence

from app.engine.base.errors import RuleError, SuggestedActions
from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Choice, Option, Section, on_off_choice
from app.engine.cards.actions import Play
from app.engine.cards.cards import Card, describe_cards
from app.engine.climbing.combinations import SINGLE, Combination
from app.engine.climbing.rule_hooks import HandState, next_player_about_to_win
from app.engine.climbing.state import PlayedCombination

from .combinations import rank_index
from .hand_memory import memory_of
from .judging import PaoDeKuaiJudge

MUST_BEAT = Option(
    id="PDK-14",
    also="有大必出 有大必压 能管必管 可不要 forced play",
    key="must_beat",
    label="Must beat",
    domain=on_off_choice("You may always pass", "You must beat if you can"),
    default=True,
    sentence="Decides whether you may pass although you can beat the play on the table.",
    example="Ana leads 9♣. With “You must beat if you can”, Bob must play 2♠, even if that is the only higher card.",
    source="hackmd.io",
)

LAST_CARD = Option(
    id="PDK-15",
    also="报单 報單 顶大 頂大 放走包赔 放走包賠 last card",
    key="last_card_duty",
    label="Next player with one card",
    domain=Choice(
        {
            "highest": "A single must be of your highest rank",
            "liable": "You pay for all if you let them win",
            "none": "No duty",
        }
    ),
    default="highest",
    sentence="Decides what you must do when the next player has one card left. “You pay for all” applies if that "
    "player wins at once. It counts after a single below your highest, an avoidable lead of a single, or a pass "
    "on a single that you could beat.",
    example="Dan, next after Ana, has one card. From 4♣ 6♥ 6♠ 10♦, Ana may lead 10♦ or 6♥ 6♠, but not 4♣.",
    source="Paodekuai Native",
    short={
        "highest": "If the next player has one card, a single must be your highest.",
        "liable": "If you let the next player win with one card, you pay for all.",
    },
)

SECTION = Section("play", "Play", (MUST_BEAT, LAST_CARD), importance=2)

YOU_MUST = MessageTemplate("pao_de_kuai.you_must", "You must beat this.")
ONE_CARD_LEFT = MessageTemplate("pao_de_kuai.one_card_left", "{name} has one card left.")
HIGHEST_SINGLE = MessageTemplate("pao_de_kuai.highest_single", "{why} Play {card}, your highest.")
HIGHEST_OR_LONGER = MessageTemplate(
    "pao_de_kuai.highest_or_longer", "{why} Play {card} (your highest) or several cards."
)
YOUR_HIGHEST = MessageTemplate("pao_de_kuai.your_highest", "{card}, your highest")


def highest_card(cards: Sequence[Card]) -> Card:
    """Return a card of the highest rank of some cards."""
    return max(cards, key=rank_index)


def find_low_single_error(
    hand: HandState, by: str, combination: Combination, judge: PaoDeKuaiJudge
) -> RuleError | None:
    """Return an error if a single is below the player's highest rank while the next player has one card [PDK-15]."""
    following, highest = next_player_about_to_win(hand, by), highest_card(hand.cards[by])
    if combination.size > 1 or following is None or rank_index(combination.cards[0]) == rank_index(highest):
        return None
    if hand.play_to_beat is None and memory_of(hand).low in combination.cards:
        return None
    longer = judge.longer_play(hand.cards[by], hand.play_to_beat)
    would_do: SuggestedActions = (Play((highest,)),) if longer is None else (Play((highest,)), Play(longer.cards))
    said = HIGHEST_SINGLE if longer is None else HIGHEST_OR_LONGER
    message = said(why=ONE_CARD_LEFT(name=following), card=describe_cards((highest,)))
    return RuleError("must_play", message, LAST_CARD.id, would_do)


def highest_beats_single(hand: HandState, by: str) -> bool:
    """Return whether a single is to be beaten, and the player's highest card beats it."""
    table = hand.play_to_beat
    if table is None or table.combination.kind != SINGLE:
        return False
    return rank_index(highest_card(hand.cards[by])) > table.combination.strength[0]


def lets_next_player_win(hand: HandState, by: str, laid: PlayedCombination | None, judge: PaoDeKuaiJudge) -> bool:
    """Return whether an act makes a player liable if the next player wins at once with one card [PDK-15].

    `laid` is the play, already on the table of `hand`; None for a pass.
    """
    if next_player_about_to_win(hand, by) is None:
        return False
    if laid is None:
        return highest_beats_single(hand, by)
    if laid.combination.size > 1 or memory_of(hand).low in laid.combination.cards:
        return False
    had = (*hand.cards[by], *laid.combination.cards)
    lower = rank_index(laid.combination.cards[0]) < rank_index(highest_card(had))
    return lower or (len(hand.trick.plays) == 1 and judge.longer_play(had, None) is not None)
