"""The survey behind Classic [PRES-94]: the number of descriptions and apps that give each answer.

The rules page in docs/rules/president.md counts descriptions and apps apart.
"""

from app.engine.base.options import Survey

CLASSIC = Survey(
    {
        "Do players change seats?": "Not mentioned: 39. Yes: 4.",
        "Exchange with four or more players": "Two cards and one: 17. One card: 3. Two cards: 2. By the number of "
        "players: 1.",
        "Exchange with three players": "Two cards: 2. One card: 2.",
        "Can you play again in a trick after a pass?": "No: 11. Yes: 3.",
        "Order of ranks": "3 … K A 2: 27. 2 … K A: 1.",
        "Jokers": "None: 17. One or two: 7.",
        "Power of a two": "Only the highest rank: 17. It ends the trick or beats sets: 11.",
        "First lead of the match": "Holder of a low card: 18. Dealer’s left neighbour: 8. Another player: 5.",
        "Must the low card be led?": "Yes: 8. No: 3.",
        "First lead of the next hand": "Last place: 11. First place: 9. Holder of a low card: 1.",
        "Equal cards": "Don’t beat: 21. May be played and skip a player: 9. May be played: 6.",
        "Points": "For every place: 3. For the first two places: 2. For first place: 1.",
        "End of the match": "A number of points: 6. A number of hands: 3.",
    },
    sources="pagat.com, Wikipedia (en, fr, de, it), Wikibooks, groupgames.xyz, cachedcards.com, cardgameheaven.com, "
    "palace-of-cards.com, forcardslovers.com, answers.com, balagamenight.com, citymaxgames.ca, allekartenspiele.de, "
    "kartenspiel.org, regledujeu.fr, jeux-regles.com, regles2jeux.fr, adpoker.fr, jeuxdecartes.net, studentgames.nl, "
    "kortspillguiden, cardgames.tips, brewthis.com, happy-hour.com, everything2.com, benfoxall; Board Game Arena, "
    "Élysée, tjger, victorz.ca, bambousoft.com, downloads.zdnet.com, PlayPop, niaquinto.com, Truduku, greentube.com, "
    "bnicholson98, michaelboyd08, hildigerr, ItsSebis, Mistayan",
)
