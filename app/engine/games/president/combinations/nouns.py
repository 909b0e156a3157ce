"""Phrases for higher, lower and equal combinations, for the middle of a sentence: “a higher pair”.

Each phrase has its own key, because the adjective depends on the noun in other languages.
"""

from app.engine.base.messages import MessageTemplate
from app.engine.climbing.combinations import KIND_OF_RUN, KIND_OF_SET, SINGLE
from app.engine.games.president.combinations import poker_hands

_SIZES = ("four", "five", "six", "seven", "eight")
_NOUNS = {
    **{kind: kind.replace("_", " ") for kind in (*KIND_OF_SET[2:4], *KIND_OF_RUN.values(), *poker_hands.KINDS)},
    SINGLE: "card",
    "quads": "four of a kind with a card",
    **{kind: f"set of {kind}" for kind in _SIZES},
}
HIGHER = {kind: MessageTemplate(f"president.higher.{kind}", f"a higher {noun}") for kind, noun in _NOUNS.items()}
LOWER = {kind: MessageTemplate(f"president.lower.{kind}", f"a lower {noun}") for kind, noun in _NOUNS.items()}
EQUAL = {
    kind: MessageTemplate(f"president.equal.{kind}", f"an equal {_NOUNS[kind]}") for kind in filter(None, KIND_OF_SET)
}
