"""The presets of President [PRES-50 … PRES-62, PRES-88 … PRES-91]: named sets of options.

Each lists only its differences from the basic game.
"""

from app.engine.base.options import Preset, ShortRules

SHORT_RULES = ShortRules(
    sentences=(
        "Be the first player without cards.",
        "Low to high: 3 to 10, J, Q, K, A, 2. Suits don’t count.",
        (
            "Lead one card, or up to four of one rank. The next player plays the same number of cards, of a "
            "higher rank, or passes."
        ),
        "If all others pass, the trick ends; its last player leads or, if out, the next.",
        (
            "The first player out becomes President, the last one Scum. Next hand, the President gets the Scum’s "
            "best card, gives any card back, and leads."
        ),
        "The first place scores 2 points, the second 1. The match ends at 11.",
    ),
    example=("8c 8d", "Jh Js", "2c 2d"),
    caption="A player leads two eights. Two jacks beat them. Two twos beat every other pair.",
    best_players=(4, 7),
)
KINGS_AND_BASTARDS = ShortRules(
    sentences=(
        "Be the first player without cards.",
        "Low to high: 3 to 10, J, Q, K, A. Twos are trumps: a single two beats any play without twos.",
        "The player with the 3♣ leads it.",
        (
            "Lead one card, or up to four of one rank. The next player plays the same number of a higher rank, or "
            "a two. Passing ends the trick for you."
        ),
        "If all others pass, the player of the last cards leads.",
        (
            "The first player out is King, the last is Bastard. Next hand, the Bastard gives the King three best "
            "cards for the King’s three worst."
        ),
    ),
    example=("9c 9d", "Kh Ks", "2c"),
    caption="A player leads two nines. Two kings beat them. A single two is a trump and beats both kings.",
    best_players=(4, 7),
)

BASICS = (
    (
        "Cards rank 3 (low) 4 5 6 7 8 9 10 J Q K A 2 (high). Suits don’t matter. All cards are dealt. "
        "Get rid of yours: the last player holding cards comes last."
    ),
    (
        "The leader plays one card, or two to four of the same rank. Going clockwise, each player plays "
        "the same number of cards of a higher rank, or passes. If you pass you may still play later in "
        "the trick. When everyone else has passed, the last player to play leads the next trick. If that "
        "player has no cards left, the next player with cards leads."
    ),
    (
        "Players finish as President, Vice-President, Citizens, Vice-Scum and Scum. In the next hand "
        "everyone sits in that order and the Scum deals. The Scum gives the President their best card "
        "and gets back any one card. The President leads."
    ),
    (
        "The first player to finish scores 2 points, the second 1. The match ends when a player leads "
        "alone with at least 11 points."
    ),
)
"""The basic game, explained for beginners."""

DAIFUGO = ["Daifugō", "Fugō", "Heimin", "Hinmin", "Daihinmin"]
"""Titles of the places as used in Japan."""

PRESETS = (
    Preset(
        id="PRES-00",
        key="pagat",
        name="President",
        picture="Qd Kc 2s",
        sentence="The basic game: get rid of your cards and become President.",
    ),
    Preset(
        id="PRES-50",
        key="bga",
        name="Board Game Arena",
        picture="4c 4d 4h 4s",
        mark="⇅",
        also="BGA",
        variant="Its help page",
        sentence="Jokers are trumps, four of a kind starts a revolution, the Beggar leads, and points count down "
        "from 50.",
        changes={
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
        id="PRES-51",
        key="kings_and_bastards",
        name="Kings and Bastards",
        picture="Kd Kh 2c",
        mark="♛",
        sentence="Twos are trumps, the three of clubs leads, and the Bastard gives three cards to the King.",
        changes={
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
        short_rules=KINGS_AND_BASTARDS,
    ),
    Preset(
        id="PRES-52",
        key="australian",
        name="Australian",
        picture="9c 9d",
        mark="⊘",
        also="Warlords and Scumbags",
        sentence="If you pass, you are out of the trick. Titles go from Warlord to Scumbag.",
        changes={"passing": "out", "titles": "warlord"},
    ),
    Preset(
        id="PRES-53",
        key="klootzakken",
        name="Klootzakken",
        picture="7c 2d 3h",
        also="Klootzak",
        sentence="The Dutch game: 7 to A, then 2 and 3. Two cards are exchanged, and last place leads.",
        changes={
            "strip": "456",
            "rank_order": "three_high",
            "pile": "kept",
            "seating": "fixed",
            "exchange": "two",
            "next_lead": "bottom",
        },
    ),
    Preset(
        id="PRES-54",
        key="huberes",
        name="Hűbéres",
        picture="2d 3c Xr",
        mark="∗",
        also="Vassal",
        sentence="The Hungarian game: jokers, twos and threes are wild, and all players exchange cards.",
        changes={
            "jokers": 2,
            "joker_role": "wild",
            "wild_ranks": "23",
            "wild_alone": "highest",
            "exchange": "ladder",
            "titles": "huberes",
        },
    ),
    Preset(
        id="PRES-55",
        key="butthead",
        name="Butthead",
        picture="Kd Ah 2c",
        mark="⇄",
        sentence="Last place gives two cards and gets three.",
        changes={"exchange": "butthead"},
    ),
    Preset(
        id="PRES-56",
        key="revolution",
        name="Revolution",
        picture="5c 5d 5h 5s",
        mark="↺",
        sentence="The game of Hamish Allan: equal plays, transparent threes, twos at any time, and revolutions "
        "that reverse direction.",
        changes={
            "equal_plays": "allowed",
            "transparent": "3",
            "twos": "any_time",
            "four_of_a_kind": "inverts_and_reverses",
            "throw_in": True,
            "titles": "rich",
        },
    ),
    Preset(
        id="PRES-57",
        key="toronto",
        name="Toronto",
        picture="Jc Jd 2s",
        mark="↑",
        sentence="A few twos, jacks or jokers beat pairs, triples and fours.",
        changes={"jokers": 2, "power_cards": "toronto"},
    ),
    Preset(
        id="PRES-58",
        key="wild_threes",
        name="Wild threes",
        picture="8c 8d 3s",
        mark="∗",
        sentence="Threes and jokers are wild. Played alone, they count as the rank you name.",
        changes={"jokers": 2, "joker_role": "wild", "wild_ranks": "3", "wild_alone": "any"},
    ),
    Preset(
        id="PRES-59",
        key="merchants",
        name="Merchants",
        picture="6h 9c",
        mark="⇄",
        sentence="Two cards and one are exchanged, and the two middle players trade. For six or more players.",
        changes={"middle": "trade", "exchange": "two_one", "titles": "merchant"},
    ),
    Preset(
        id="PRES-60",
        key="collusion",
        name="Hand of Collusion",
        picture="Ac Ad",
        mark="2",
        sentence="First and last place see each other’s cards and swap. The best pair wins the hand. For an even "
        "number of players.",
        changes={"jokers": 2, "middle": "collude", "exchange": "none", "scoring": "ladder", "target": None},
    ),
    Preset(
        id="PRES-61",
        key="landlord",
        name="Landlord",
        picture="Kc",
        mark="!",
        sentence="The Landlord deals by hand, and falls for faults.",
        changes={"faults": True, "dealer": "top", "titles": "merchant"},
    ),
    Preset(
        id="PRES-62",
        key="zheng_shangyou",
        name="Zheng Shangyou",
        picture="5c 6d 7h 8s",
        also="争上游, 爭上游, Zhēng Shàngyóu",
        sentence="Runs of cards, pairs and triples, and bombs of four. No target.",
        changes={"sequences": "all", "bombs": "fours", "target": None},
    ),
    Preset(
        id="PRES-88",
        key="daifugo",
        name="Daifugō",
        picture="8c Jd 3s Xr",
        also="Daihinmin, Dai Fugō, Dai Hinmin, Grand Millionaire, Very Poor Man, 大富豪, 大貧民, 大贫民",
        sentence="The plain Japanese game: eights end tricks, jacks reverse the ranks, suits lock, 3♠ beats "
        "jokers, and a fallen first place comes last.",
        changes={
            "jokers": 2,
            "joker_role": "wild",
            "wild_sets": "any",
            "four_of_a_kind": "inverts",
            "sequences": "single",
            "sequence_suits": "one",
            "ending_ranks": "8",
            "back_ranks": "J",
            "spade_three": "ends",
            "suit_lock": "full",
            "no_finish": ["best", "enders", "jokers", "spade_three"],
            "throw_in": True,
            "first_lead": "low_card",
            "low_suit": "d",
            "lead_low_card": True,
            "next_lead": "bottom",
            "seating": "fixed",
            "exchange": "two_one",
            "titles": DAIFUGO,
            "scoring": "ladder",
            "target": None,
        },
        source="Daifugō",
    ),
    Preset(
        id="PRES-89",
        key="tycoon",
        name="Tycoon",
        picture="8h 2c",
        mark="3",
        also="Persona 5, Daifugō, Daihinmin, 大富豪, 大貧民",
        sentence="The game of Persona for four players: eights, revolutions, 3♠ on jokers, bankruptcy, three hands.",
        changes={
            "jokers": 2,
            "joker_role": "wild",
            "four_of_a_kind": "inverts",
            "ending_ranks": "8",
            "spade_three": "ends",
            "throw_in": True,
            "first_lead": "low_card",
            "low_suit": "d",
            "next_lead": "bottom",
            "seating": "fixed",
            "exchange": "two_one",
            "titles": ["Tycoon", "Rich", "Commoner", "Poor", "Beggar"],
            "scoring": [30, 20, 15, 10, 0],
            "hands": 3,
            "target": None,
        },
        source="Persona 5 Royal",
    ),
    Preset(
        id="PRES-90",
        key="uecda",
        name="UECda",
        picture="6h 7h 8h 9h",
        also="Daihinmin, 大貧民, コンピュータ大貧民大会, University of Electro-Communications",
        sentence="The game of the computer contest for five players: runs of one suit up to the two. If you pass, "
        "you are out of the trick.",
        changes={
            "jokers": 1,
            "joker_role": "wild",
            "wild_sets": "any",
            "four_of_a_kind": "inverts",
            "sequences": "single",
            "sequence_suits": "one",
            "sequence_ranks": "all",
            "sequence_beats": "wholly_higher",
            "run_revolution": 5,
            "ending_ranks": "8",
            "powers_in": "all",
            "spade_three": "ends",
            "suit_lock": "full",
            "passing": "out",
            "first_lead": "low_card",
            "next_lead": "low_card",
            "low_suit": "d",
            "seating": "fixed",
            "exchange": "two_one",
            "titles": DAIFUGO,
            "scoring": "ladder",
            "hands": 100,
            "target": None,
        },
        source="UECda",
    ),
    Preset(
        id="PRES-91",
        key="bga_now",
        name="Board Game Arena today",
        picture="4d 5d 6d Xr",
        mark="⇅",
        variant_of="bga",
        variant="Its tables in 2026",
        sentence="One wild joker, long runs reverse the ranks, the Beggar leads, and you score a point for each "
        "player beaten.",
        changes={
            "jokers": 1,
            "joker_role": "wild",
            "wild_sets": "any",
            "four_of_a_kind": "inverts",
            "run_revolution": 4,
            "seating": "fixed",
            "exchange": "two_one",
            "next_lead": "bottom",
            "two_deal": 15,
            "titles": "bga",
            "scoring": "beaten",
            "target": 12,
        },
        source="Board Game Arena",
    ),
)
