"""Ceausescu's short rules. Sentences that depend on an option are declared with it."""

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import PlayedExample, ShortRules
from app.engine.games.ceausescu import society

SHORT_RULES = ShortRules(
    play=(
        MessageTemplate("ceausescu.short.aim", "First without cards is King, last is Serf."),
        MessageTemplate("ceausescu.short.order", "Low to high: 3–10, J, Q, K, A, 2, black joker, red joker."),
        MessageTemplate("ceausescu.short.first", "The player with the 3♣ leads; later, the Serf."),
        MessageTemplate(
            "ceausescu.short.leads",
            "Lead a card, a pair, 2–5 pairs in a row, 3–5 cards in a row of one suit, or any 5 of one suit.",
        ),
        MessageTemplate(
            "ceausescu.short.beat", "In turn, play the same kind and number, higher, or pass until your next turn."
        ),
        MessageTemplate("ceausescu.short.end", "Once all pass, the last to play leads."),
        MessageTemplate(
            "ceausescu.short.bombs",
            "Bombs (low to high: 4 4 7 7, three of a kind, both jokers) beat all these. Missiles (4 4 4 7 7 7, four of "
            "a kind) beat bombs.",
        ),
    ),
    result=(society.EXCHANGE, MessageTemplate("ceausescu.short.stop", "Play until you stop.")),
    example=PlayedExample(
        ("5c 5d 6h 6s", "9c 9h Tc Td", "4c 4d 4h"),
        "A player leads two pairs in a row. Higher ones beat them. Three fours beat both.",
    ),
    best_players=(4, 7),
)
