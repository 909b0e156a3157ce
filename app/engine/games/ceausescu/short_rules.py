"""Ceausescu's short rules. Sentences that depend on an option are declared with it."""

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import PlayedExample, ShortRules
from app.engine.games.ceausescu import society

SHORT_RULES = ShortRules(
    play=(
        MessageTemplate("ceausescu.short.aim", "Be first without cards."),
        MessageTemplate("ceausescu.short.order", "Low to high: 3 to 10, J, Q, K, A, 2, black joker, red joker."),
        MessageTemplate("ceausescu.short.first", "The player with the 3♣ leads; later, the Serf."),
        MessageTemplate(
            "ceausescu.short.leads",
            "Lead one card, a pair, pairs in a row, three to five in a row of one suit, or a flush.",
        ),
        MessageTemplate(
            "ceausescu.short.beat", "The next player plays the same kind and number, but higher, or passes for now."
        ),
        MessageTemplate("ceausescu.short.end", "If all others pass, the last to play leads."),
        MessageTemplate(
            "ceausescu.short.bombs",
            "Bombs beat all these: 4 4 7 7, three of a kind, both jokers. Missiles beat bombs: 4 4 4 7 7 7, "
            "four of a kind.",
        ),
    ),
    result=(
        MessageTemplate("ceausescu.short.places", "First out is King, last Serf; play until you stop."),
        society.EXCHANGE,
    ),
    example=PlayedExample(
        ("5c 5d 6h 6s", "9c 9h Tc Td", "4c 4d 4h"),
        "A player leads two pairs in a row. Higher ones beat them. Three fours beat both.",
    ),
    best_players=(4, 7),
)
