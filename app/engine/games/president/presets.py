"""The presets of President [PRES-50 … PRES-62]: bundles of switches, each only how it differs from the basic game."""

from app.engine.options import Preset

BASICS = (
    (
        "Ranks go from low to high: 3 4 5 6 7 8 9 10 J Q K A 2; suits don’t count. All cards are dealt. Be "
        "rid of yours: whoever is the last with cards is the bottom of the society."
    ),
    (
        "To lead, play a single card or a set of equal rank, up to four. Whoever follows clockwise plays as "
        "many cards of a higher rank, or passes; who passed may play later. When everybody else has passed, "
        "the last play’s owner leads anew, anything they like. Who goes out may still be beaten; if nobody "
        "does, the next player with cards leads."
    ),
    (
        "Places go by the order of going out: President, Vice-President, Citizens, Vice-Scum, Scum. For the "
        "next hand people sit in order of rank, the Scum deals, the first card goes to the President; the "
        "Scum gives the best card to the President and gets any one card back, and the President leads."
    ),
    "The first out scores 2, the second 1. The match ends when somebody has 11 and is alone in the lead.",
)
"""The basic game, for somebody who never played it."""

PRESETS = (
    Preset("PRES-00", "pagat", "President", "The basic game: shed your cards, become President."),
    Preset(
        "PRES-50",
        "bga",
        "Board Game Arena",
        "Jokers are trumps, four of a kind makes a revolution, the Beggar leads, and points run down from 50.",
        {
            "jokers": 2,
            "joker_role": "trump",
            "passing": "out",
            "skip_best": False,
            "four_of_a_kind": "inverts",
            "seating": "fixed",
            "exchange": "two_one",
            "next_lead": "bottom",
            "titles": "bga",
            "scoring": "bga",
            "start_points": 50,
            "target": None,
            "floor": 0,
        },
        source="Board Game Arena",
        players=(4, 8),
    ),
    Preset(
        "PRES-51",
        "kings_and_bastards",
        "Kings and Bastards",
        "Twos are trumps, the three of clubs leads, and the bastard gives three cards to the king.",
        {
            "twos": "trump",
            "joker_role": "trump",
            "passing": "out",
            "first_lead": "low_card",
            "next_lead": "low_card",
            "lead_low_card": True,
            "seating": "fixed",
            "exchange": "three_one",
            "exchange_return": "worst",
            "titles": "king",
            "scoring": "none",
            "target": None,
        },
        source="everything2: Kings and Bastards",
    ),
    Preset(
        "PRES-52",
        "australian",
        "Australian",
        "Who passes is out of the trick; from Warlord to Scumbag.",
        {"passing": "out", "titles": "warlord"},
    ),
    Preset(
        "PRES-53",
        "klootzakken",
        "Klootzakken",
        "The Dutch game: 7 to A, then 2 and 3; two cards change hands and the bottom leads.",
        {
            "strip": "456",
            "rank_order": "three_high",
            "pile": "kept",
            "seating": "fixed",
            "exchange": "two",
            "next_lead": "bottom",
        },
    ),
    Preset(
        "PRES-54",
        "huberes",
        "Hűbéres",
        "The Hungarian game: jokers, twos and threes are wild, and everybody exchanges, from the outside in.",
        {
            "jokers": 2,
            "joker_role": "wild",
            "wild_ranks": "23",
            "wild_alone": "highest",
            "exchange": "ladder",
            "titles": "huberes",
        },
    ),
    Preset(
        "PRES-55",
        "butthead",
        "Butthead",
        "The bottom gives two cards and gets three.",
        {"exchange": "butthead"},
    ),
    Preset(
        "PRES-56",
        "revolution",
        "Revolution",
        "Hamish Allan’s game: equal plays, transparent threes, any-time twos, revolutions that turn the table round.",
        {
            "equal_plays": "allowed",
            "transparent": "3",
            "twos": "any_time",
            "four_of_a_kind": "inverts_and_reverses",
            "throw_in": True,
            "titles": "rich",
        },
    ),
    Preset(
        "PRES-57",
        "toronto",
        "Toronto",
        "A few twos, jacks or jokers beat pairs, triples and fours.",
        {"jokers": 2, "power_cards": "toronto"},
    ),
    Preset(
        "PRES-58",
        "wild_threes",
        "Wild threes",
        "Threes and jokers are wild, and alone they are what you name.",
        {"jokers": 2, "joker_role": "wild", "wild_ranks": "3", "wild_alone": "any"},
    ),
    Preset(
        "PRES-59",
        "merchants",
        "Merchants",
        "Two cards and one go up and down, and the two in the middle haggle. For six or more.",
        {"middle": "trade", "exchange": "two_one", "titles": "merchant"},
    ),
    Preset(
        "PRES-60",
        "collusion",
        "Hand of Collusion",
        "First and last see each other’s cards and swap; the best pair wins the hand. For an even number of people.",
        {"jokers": 2, "middle": "collude", "exchange": "none", "scoring": "ladder", "target": None},
    ),
    Preset(
        "PRES-61",
        "landlord",
        "Landlord",
        "The Landlord deals by hand and falls for faults.",
        {"faults": True, "dealer": "top", "titles": "merchant"},
    ),
    Preset(
        "PRES-62",
        "zheng_shangyou",
        "Zheng Shangyou",
        "Runs of cards, pairs and triples; no target.",
        {"sequences": "all", "target": None},
    ),
)
