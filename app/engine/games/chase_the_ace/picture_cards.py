"""What kings, queens and jacks do when they are asked for [ACE-03, 04, 05, 07].

Nothing here knows whose turn it is or who sits where.
"""

from dataclasses import dataclass

from app.engine.base.options import Choice, Options, Rule, Section, Switch
from app.engine.display.events import EventType

KINGS = Switch(
    id="ACE-03",
    also="blocker stop",
    key="kings",
    domain=Choice(
        {
            "block": "A king asked for is shown and stays, and its holder has no turn any more",
            "ordinary": "A king is traded like any card",
            "face_up": "A king is shown right after the deal, and nobody may trade",
            "end_trading": "A king asked for is shown, and then nobody may trade any more",
        }
    ),
    default="block",
    sentence="What kings do. Unless they are ordinary, the dealer who cuts a king keeps the old card.",
    example="Bob has 3♦ and asks Cat, who shows K♥: both keep their cards.",
)

QUEENS = Switch(
    id="ACE-04",
    also="lady queen keeps the turn",
    key="queens",
    domain=Choice(
        {
            "ordinary": "A queen is traded like any card",
            "redirect": "Who asks for a queen must swap with the player on their own right instead",
        }
    ),
    default="ordinary",
    sentence="What queens do. A king, jack or queen on that right-hand side stays where it is; the queen’s holder "
    "keeps the turn.",
    example="Cat asks Dan, who shows Q♠: Cat must swap with Bob, on her right.",
)

JACKS = Switch(
    id="ACE-05",
    also="knave valet",
    key="jacks",
    domain=Choice(
        {
            "ordinary": "A jack is traded like any card",
            "block": "A jack asked for is shown and stays, but its holder keeps the turn",
        }
    ),
    default="ordinary",
    sentence="What jacks do.",
    example="Bob asks Cat, who shows J♥: no swap. Then Cat may keep the jack or swap it away.",
)

FACE_UP = Rule(
    id="ACE-07",
    name="Face up",
    sentence="A king, queen or jack that was shown stays face up for all to see until the end of the deal, wherever it "
    "is swapped to.",
    example="Cat has shown J♥ and swaps it to Dan: now everybody sees it before Dan.",
)

SECTION = Section("pictures", "Kings, queens and jacks", (KINGS, QUEENS, JACKS), (FACE_UP,), tells=2)

KING_SHOWN = EventType(
    "king_shown", "{by} shows the {cards}.", you="You show the {cards}.", stood_out="king shown", moment=False
)
QUEEN_SHOWN = EventType(
    "queen_shown",
    "{by} shows the {cards}: ask the other side.",
    you="You show the {cards}: the other side is asked.",
    stood_out="queen shown",
    moment=False,
)
JACK_SHOWN = EventType(
    "jack_shown",
    "{by} shows the {cards}: no swap.",
    you="You show the {cards}: no swap.",
    stood_out="jack shown",
    moment=False,
)


@dataclass(frozen=True, slots=True)
class PictureAnswer:
    """What a picture card does when it is asked for; there is no swap with its holder."""

    event: EventType
    cause: str
    redirects: bool = False
    """The asker turns to their own right."""
    silences: bool = False
    """The holder has no turn any more."""
    ends: bool = False
    """Nobody has a turn any more."""


OF_KINGS = {
    "block": PictureAnswer(KING_SHOWN, KINGS.id, silences=True),
    "end_trading": PictureAnswer(KING_SHOWN, KINGS.id, ends=True),
}
OF_QUEENS = {"redirect": PictureAnswer(QUEEN_SHOWN, QUEENS.id, redirects=True)}
OF_JACKS = {"block": PictureAnswer(JACK_SHOWN, JACKS.id)}
"""What each value of their switches answers. Where nothing stands the card is traded."""


def answers(options: Options) -> dict[str, PictureAnswer]:
    """By rank, what is answered instead of a swap."""
    by_rank = {
        "K": OF_KINGS.get(options[KINGS]),
        "Q": OF_QUEENS.get(options[QUEENS]),
        "J": OF_JACKS.get(options[JACKS]),
    }
    return {rank: answer for rank, answer in by_rank.items() if answer is not None}


def king_ends_deal(options: Options) -> bool:
    """Whether a king that was dealt is shown at once, and nobody trades."""
    return options[KINGS] == "face_up"


def cut_king_stays(options: Options) -> bool:
    """Whether the dealer who cuts a king keeps the old card."""
    return options[KINGS] != "ordinary"
