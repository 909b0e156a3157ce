"""The order of single cards, for the line “Low to high” on the table."""

from collections.abc import Sequence

from app.engine.games.president.combinations.cards import CardMeanings


def single_card_order(faces: CardMeanings, *, inverted: bool) -> list[str]:
    """Return ranks and cards from low to high, as single cards beat each other now.

    An element has a rank, or equal ranks and cards with spaces between them, such as `2 3 X` for wild cards. Cards
    without a fixed place are left out: wild cards that may have any rank, and high threes during a revolution.
    """
    powerful_two = faces.twos in ("single_wins", "trump")
    left_out = faces.wild_ranks + ("2" if powerful_two else "") + ("3" if faces.threes_high else "")
    ranks = [rank for rank in faces.ranks_low_to_high(inverted=inverted) if rank not in left_out]
    if faces.threes_high and not inverted:
        ranks.insert(len(ranks) if powerful_two else ranks.index("2"), "3")
    high = [" ".join(sorted(card for card in faces.high_cards if card[0] not in faces.stripped_ranks))]
    jokers = ["X"] if faces.jokers else []
    if faces.red_high:
        jokers = ["Xb", "Xr"][2 - faces.jokers :]
    wild = [*faces.wild_ranks, *(jokers if faces.joker_role == "wild" else ())]
    found = [
        *(jokers if faces.joker_role == "wild_only" else ()),
        *(high if inverted else ()),
        *ranks,
        *(() if inverted else high),
        *([" ".join(wild)] if faces.wild_alone == "highest" else ()),
        *(jokers if faces.joker_role == "rank" else ()),
        *(["2"] if powerful_two else ()),
        *(jokers if faces.joker_role == "trump" else ()),
    ]
    return [each for each in found if each]


def special_cards(faces: CardMeanings, *, spade_three: bool, inverted: bool) -> Sequence[str]:
    """Return ranks and cards that mean more than their place in the order says, so that players read the rules."""
    any_time = "A" if inverted else "2"
    found = [
        *faces.wild_ranks,
        *({"rank": "", "any_time": any_time}.get(faces.twos, "2")),
        *faces.transparent_rank,
        *("3" if faces.threes_high else ""),
        *("2J" if faces.toronto else ""),
        *(["3s"] if spade_three else ()),
        *("X" if faces.jokers and (faces.joker_role != "rank" or faces.toronto) else ""),
    ]
    return sorted(dict.fromkeys(found), key=lambda each: (each == "X", faces.natural_ranks.find(each[0])))
