"""The answers of kings, queens and jacks when a player asks for a swap [ACE-03, 04, 05, 07].

Nothing here depends on turns or seats.
"""

from dataclasses import dataclass

from app.engine.base.options import Choice, FixedRule, Option, Options, Section
from app.engine.display.events import GameEventType

KINGS = Option(
    id="ACE-03",
    also="blocker stop",
    key="kings",
    domain=Choice(
        {
            "block": "A king asked for is shown and stays, and its player has no turn",
            "ordinary": "A king is swapped like any card",
            "face_up": "A king is shown right after the deal, and nobody may swap",
            "end_trading": "A king asked for is shown, and then nobody may swap",
        }
    ),
    default="block",
    sentence="Decides what kings do. If the dealer cuts a king, the dealer keeps their old card, unless kings "
    "are ordinary.",
    example="Bob has 3♦ and asks Cat, who shows K♥: both keep their cards.",
    short={
        "block": "Only a neighbour with a king refuses, and shows it.",
        "face_up": "A king in the deal ends all swaps.",
        "end_trading": "A neighbour with a king shows it and ends all swaps.",
    },
)

QUEENS = Option(
    id="ACE-04",
    also="lady queen keeps the turn",
    key="queens",
    domain=Choice(
        {
            "ordinary": "A queen is swapped like any card",
            "redirect": "A player who asks the holder of a queen must swap with the player on their own right instead",
        }
    ),
    default="ordinary",
    sentence="Decides what happens if you ask a player who has a queen. If your right neighbour has a queen, "
    "too, nobody swaps; a king or jack there works as usual. The player with the queen keeps their "
    "turn.",
    example="Cat asks Dan, who shows Q♠: Cat must swap with Bob, on the right of Cat.",
    short={"redirect": "If you ask a player with a queen, you swap with your right neighbour instead."},
)

JACKS = Option(
    id="ACE-05",
    also="knave valet",
    key="jacks",
    domain=Choice(
        {
            "ordinary": "A jack is swapped like any card",
            "block": "A jack asked for is shown and stays, but its player keeps the turn",
        }
    ),
    default="ordinary",
    sentence="Decides what jacks do.",
    example="Bob asks Cat, who shows J♥: no swap. Then Cat may keep the jack or swap it away.",
    short={"block": "A neighbour with a jack shows it and refuses."},
)

FACE_UP = FixedRule(
    id="ACE-07",
    name="Face up",
    sentence="A king, queen or jack that was shown stays face up until the end of the hand, even if it is swapped.",
    example="Cat has shown J♥ and swaps it to Dan: now everyone sees it before Dan.",
)

SECTION = Section("pictures", "Kings, queens and jacks", (KINGS, QUEENS, JACKS), (FACE_UP,), importance=2)

KING_SHOWN = GameEventType(
    "king_shown", "{by} shows the {cards}.", you="You show the {cards}.", stood_out="king shown", highlighted=False
)
QUEEN_SHOWN = GameEventType(
    "queen_shown",
    "{by} shows the {cards}: swap with the other neighbour.",
    you="You show the {cards}: the other neighbour must swap.",
    stood_out="queen shown",
    highlighted=False,
)
JACK_SHOWN = GameEventType(
    "jack_shown",
    "{by} shows the {cards}: no swap.",
    you="You show the {cards}: no swap.",
    stood_out="jack shown",
    highlighted=False,
)


@dataclass(frozen=True, slots=True)
class PictureAnswer:
    """The answer of a king, queen or jack whose holder is asked for a swap in Chase the Ace: no swap.

    `event` tells the players, and `cause` is the rule's id.
    """

    event: GameEventType
    cause: str
    redirects: bool = False
    """The asker must ask the player at their right instead."""
    silences: bool = False
    """The holder loses their turn."""
    ends: bool = False
    """The deal ends: no further turns."""


KING_ANSWERS = {
    "block": PictureAnswer(KING_SHOWN, KINGS.id, silences=True),
    "end_trading": PictureAnswer(KING_SHOWN, KINGS.id, ends=True),
}
QUEEN_ANSWERS = {"redirect": PictureAnswer(QUEEN_SHOWN, QUEENS.id, redirects=True)}
JACK_ANSWERS = {"block": PictureAnswer(JACK_SHOWN, JACKS.id)}
"""The answers of each rank by option value. A value without an entry: the card is swapped like any other."""


def answer_by_rank(options: Options) -> dict[str, PictureAnswer]:
    """Return, by rank, how picture cards refuse a swap in Chase the Ace; ranks that don't refuse are left out."""
    by_rank = {
        "K": KING_ANSWERS.get(options[KINGS]),
        "Q": QUEEN_ANSWERS.get(options[QUEENS]),
        "J": JACK_ANSWERS.get(options[JACKS]),
    }
    return {rank: answer for rank, answer in by_rank.items() if answer is not None}


def king_ends_deal(options: Options) -> bool:
    """Return whether, by an option of Chase the Ace, a king that was dealt is shown at once and ends the hand."""
    return options[KINGS] == "face_up"


def keeps_card_when_king_cut(options: Options) -> bool:
    """Return whether, by an option of Chase the Ace, a dealer who cuts a king from the stock keeps the old card."""
    return options[KINGS] != "ordinary"
