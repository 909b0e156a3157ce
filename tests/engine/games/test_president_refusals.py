"""Test the refusals of President: every code with a sentence about the legal plays, every contradiction by name."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pytest

from app.engine.base.errors import RuleError
from app.engine.base.options import Choice, Ranks
from app.engine.cards.action_codec import parse_action
from app.engine.cards.cards import parse_cards
from app.engine.games import GAMES
from app.engine.match.hand import Deal
from app.engine.match.match import Match
from app.engine.match.record import replay_with_exit_status
from tests.for_each import for_each

GAME = GAMES["president"]
FIRST = {"Ana": "Kc", "Bob": "7c", "Cat": "8c", "Dan": "9c", "Eve": "Tc", "Fay": "Jc"}
"""One card each. Bob, Cat, Dan … go out in order, and Ana is last."""


@dataclass(frozen=True)
class No:
    """A refused action. All actions before it are legal."""

    code: str
    says: str
    cards: tuple[str, ...]
    """The cards of Ana, Bob, Cat …

    The last player has dealt and Ana leads, unless it is a second hand.
    """
    actions: str
    options: dict[str, Any]
    second: bool = False
    """Whether it is a second hand, after Bob came first and Ana last."""


def no(code: str, says: str, cards: str, actions: str, second: bool = False, **options: Any) -> No:
    held = tuple(one.strip() for one in cards.split("|"))
    return No(code, says, held, actions, options, second)


def action(text: str) -> tuple[str, dict[str, Any]]:
    """Parse an action such as `Ana 7c 7d as 7`, `Bob pass`, `Bob give 3c` or `Dan offer 8c claim A`."""
    by, *words = text.split()
    do = words[0] if words[0].replace("_", "").isalpha() and words[0].islower() else "play"
    rest = words[1:] if do != "play" else words
    found: dict[str, Any] = {"do": do}
    cards: list[str] = []
    while rest:
        word = rest.pop(0)
        if word in ("as", "call", "claim", "have", "want", "first"):
            found[word] = rest.pop(0)
        elif word == "at":
            found[word] = int(rest.pop(0))
        else:
            cards.append(word)
    return by, found | ({"cards": " ".join(cards)} if do in ("play", "give", "offer") else {})


def position(case: No) -> Match:
    names = tuple(FIRST)[: len(case.cards)]
    match = Match.start(GAME, GAME.option_schema.resolve_options(case.options), names)
    if case.second:
        match = match.begin_hand(Deal("Ana", {name: parse_cards(FIRST[name]) for name in names})).match
        while match.is_hand_running:
            match = match.apply_action(
                match.to_act[0], parse_action({"do": "play", "cards": FIRST[match.to_act[0]]})
            ).match
    dealer = match.game.next_dealer(match) if case.second else names[-1]
    deal = Deal(dealer, {name: parse_cards(held) for name, held in zip(names, case.cards, strict=True)})
    return match.begin_hand(deal).match


LOCK = "5c 5h 6c 2c | 7c 7h 4d | 9d 9s Kd"
PLAIN = "5c 6c 6d | 7d 8d | 6h 9d"
SIX = "Kh Kd | 3h 4h | 6h 7h | 8h 9h | Th Jh | Qh Ah"
TRADE = {"middle": "trade", "exchange": "none"}
FOUR = "9h Ah | 3d Kd | 4s 5s | 6c 7c"
COLLUDE = {"middle": "collude", "exchange": "none"}
THREE = "Kh Kd | 4h 9h | 6h 7h"
FAULTS = {"faults": True, "dealer": "top", "exchange": "none"}
KINGS = {"preset": "kings_and_bastards", "ordering": True, "first_lead": "dealer_left"}

REFUSED = [
    no("not_your_turn", "Ana’s turn", PLAIN, "Bob 7d"),
    no("not_your_turn", "Bob’s turn", PLAIN, "Ana 5c; Cat pass"),
    no("not_your_turn", "You don’t have to give any cards now.", THREE, "Cat give 6h", second=True),
    no("not_your_turn", "Only Dan and Eve trade now.", SIX, "Cat say have 7", second=True, **TRADE),
    no("not_your_turn", "You are done. Wait for your partner.", FOUR, "Bob done; Bob offer 3d", second=True, **COLLUDE),
    no("not_your_turn", "Wait: Bob must act in the deal.", THREE, "Cat shuffle", second=True, **FAULTS),
    no("not_your_turn", "Only Ana", THREE, "Bob 9h; Cat pass; Ana pass; Cat clear", second=True, exchange="none",
       only_bottom_clears=True),
    no("not_in_this_phase", "You can give cards only in the exchange.", PLAIN, "Ana give 5c"),
    no("not_in_this_phase", "First give the cards for the exchange.", THREE, "Bob 4h", second=True),
    no("not_in_this_phase", "You can’t do that now. Cards are being played.", PLAIN, "Ana offer 5c"),
    no("not_in_this_phase", "You can’t do that now. Cards are being played.", PLAIN, "Ana touch"),
    no("not_in_this_phase", "The table is empty, so you can’t touch a pile.",
       THREE, "Cat touch", second=True, exchange="none",
       only_bottom_clears=True),
    no("not_in_this_phase", "You can clear the pile only after a trick.",
       THREE, "Bob 9h; Ana clear", second=True, exchange="none",
       only_bottom_clears=True),
    no("not_in_this_phase", "Wait until Ana, in last place, clears the pile.",
       THREE, "Bob 9h; Cat pass; Ana pass; Ana Kd", second=True,
       exchange="none", only_bottom_clears=True),
    no("not_in_this_phase", "Deal by hand in order: shuffle, offer the cut, cut, deal.",
       THREE, "Bob deal first Bob", second=True, **FAULTS),
    no("not_in_this_phase", "Announce, offer and agree, or end the talks before you give a card.",
       SIX, "Dan give 8h", second=True, **TRADE),
    no("not_in_this_phase", "The talks have ended. Give one card of your choice.",
       SIX, "Dan break_off; Eve say have T", second=True, **TRADE),
    no("not_in_this_phase", "You can announce a rank, offer, agree or end the talks.",
       SIX, "Dan done", second=True, **TRADE),
    no("not_in_this_phase", "Partners can offer, agree or finish swapping.",
       FOUR, "Bob say have 3", second=True, **COLLUDE),
    no("not_in_this_phase", "Wait until this hand is over to join or leave.", PLAIN, "Ana leave"),
    no("not_in_this_phase", "You can decree from the second hand, to players below you.", PLAIN, "Ana decree"),
    no("not_in_this_phase", "No decree waits", PLAIN, "Ana obey"),
    no("does_not_beat", "Play 3♠, or pass", "2c 6c | Xr 4d | Kc 4h", "Ana 2c; Bob Xr; Cat Kc", jokers=1,
       spade_three="ends"),
    no("not_your_cards", "You don’t have these cards. Choose from your own cards.", PLAIN, "Ana 7d"),
    no("not_your_cards", "You don’t have these cards. Choose from your own cards.", PLAIN, "Ana 5c 5c"),
    no("not_your_cards", "You don’t have these cards. Choose from your own cards.",
       THREE, "Ana give Kh; Bob give 6h", second=True),
    no("not_a_combination", "one card or cards of one rank", PLAIN, "Ana 5c 6c"),
    no("not_a_combination", "Not a combination. Play one card or another kind.",
       PLAIN, "Ana 5c 6c", sequences="single"),
    no("not_a_combination", "Not a combination. Play one card or another kind.", PLAIN, "Ana 5c 6c", sequences="all",
       poker_hands=True),
    no("does_not_beat", "9♦ can’t beat 7♣. Play a higher card in ♣, or pass.",
       LOCK, "Ana 5c; Bob 7c; Cat 9d", suit_lock="full"),
    no("does_not_beat", "9♦ 9♠ can’t beat 7♣ 7♥. Play a higher pair in ♣ and ♥ or 2 jokers.",
       LOCK, "Ana 5c 5h; Bob 7c 7h; Cat 9d 9s", suit_lock="full", jokers=2),
    no("does_not_beat", "9♦ 10♣ J♦ can’t beat 6♦ 7♦ 8♦. Play a higher run in 3 ♦.",
       "3d 4d 5d | 6d 7d 8d 3c | 9d Tc Jd Td Ks", "Ana 3d 4d 5d; Bob 6d 7d 8d; Cat 9d Tc Jd", suit_lock="full",
       sequences="single"),
    no("does_not_beat", "7♥ can’t beat 2♣. Nothing beats that. Pass.",
       LOCK, "Ana 5c; Bob 7c; Cat pass; Ana 2c; Bob 7h", suit_lock="full"),
    no("does_not_beat", "Play a higher card, or pass", PLAIN, "Ana 6c; Bob pass; Cat 6h"),
    no("does_not_beat", "Play a higher pair, or pass", "6c 6d 3c | 4c 4d | 9c 9d", "Ana 6c 6d; Bob 4c 4d"),
    no("does_not_beat", "a higher card of the same suit", PLAIN, "Ana 5c; Bob 7d", follow_suit=True),
    no("does_not_beat", "6♥ can’t beat 8♦. Play a higher card or an equal card.",
       PLAIN, "Ana 6c; Bob 8d; Cat 6h", equal_plays="allowed"),
    no("does_not_beat", "4♣ can’t beat 6♣ 6♦. Play a higher pair or another kind.",
       "6c 6d 3c | 4c 4d | 9c 9d", "Ana 6c 6d; Bob 4c",
       set_size="larger_wins"),
    no("does_not_beat", "4♣ 4♦ can’t beat 6♣ 6♦. Play a higher pair or another kind.",
       "6c 6d 3c | 4c 4d | 9c 9d", "Ana 6c 6d; Bob 4c 4d",
       set_size="larger_if_higher"),
    no("does_not_beat", "4♣ 4♦ can’t beat 6♣ 6♦. Play a higher pair or a two.",
       "6c 6d 3c | 4c 4d | 9c 9d", "Ana 6c 6d; Bob 4c 4d",
       twos="trump"),
    no("does_not_beat", "a lower card", "8c 8d 8h 8s 5c 3c | 4d 7d | 9c 9d",
       "Ana 8c 8d 8h 8s; Bob pass; Cat pass; Ana 5c; Bob 7d", four_of_a_kind="inverts"),
    no("does_not_beat", "That can’t beat the trick. Play a higher straight or another kind.",
       "5c 6d 7h 8c 9d Kc | 4c 5d 6h 7c 8d Ad | 3c 3d", "Ana 5c 6d 7h 8c 9d; Bob 4c 5d 6h 7c 8d", poker_hands=True),
    no("does_not_beat", "red joker can’t count as “K”.",
       "Xr 3c | 4c 4d | 9c 9d", "Ana Xr as K", jokers=1, joker_role="wild"),
    no("does_not_beat", "That can’t beat the trick. Play a higher card or a joker.",
       "Qc 3c | Xr 4d | 9c 9d", "Ana Qc; Bob Xr as J", jokers=1,
       joker_role="wild", wild_alone="any"),
    no("does_not_beat", "the next rank (seven) in red", "4h 9c | 5d 9d | 6h 7h | 7s Kh",
       "Ana 4h; Bob 5d; Cat 6h call red; Dan 7s", **KINGS),
    no("does_not_beat", "7♠ can’t beat 2♥. Nothing beats the top of a called run. Pass.",
       "Kh 9c | Ad 9d | 2h 7h | 7s Kd",
       "Ana Kh; Bob Ad; Cat 2h call red; Dan 7s", ordering=True, twos="any_time"),
    no("must_play", "You lead, so you can’t pass. Play one card or another kind.", PLAIN, "Ana pass"),
    no("must_play", "must contain the 3♣", "3c 4c | 5c 6d | 7c 8d", "Ana 4c", first_lead="low_card",
       lead_low_card=True),
    no("must_play", "You must beat this. Play a higher card.", PLAIN, "Ana 5c; Bob pass", must_beat=True),
    no("barred", "You passed earlier in this trick. Wait for the next one.",
       PLAIN, "Ana 5c; Bob pass; Bob 7d", passing="out"),
    no("wrong_gift", "Give any card to Ana, such as 4♥.", THREE, "Ana give Kh; Bob give 4h 9h", second=True),
    no("wrong_gift", "Give your best card to Bob, such as K♦.", "Kh Kd 5s | 4h 9h | 6h 7h", "Ana give 5s",
       second=True),
    no("wrong_gift", "Give your worst 2 cards to Ana, such as 4♥ 9♦.", "Kh Kd | 4h 9h 9d | 6h 7h", "Bob give 9h 9d",
       second=True, exchange="two", exchange_return="worst"),
    no("wrong_gift", "Each merchant trades one card.", SIX, "Dan offer 8h 9h claim A", second=True, **TRADE),
    no("wrong_gift", "You can agree when both have offered a card.", SIX, "Dan agree", second=True, **TRADE),
    no("wrong_gift", "the same number of cards", FOUR, "Bob offer 3d Kd; Ana offer Ah; Ana agree", second=True,
       **COLLUDE),
    no("wrong_gift", "Offer at least one card, and the same number as your partner.",
       FOUR, "Bob offer", second=True, **COLLUDE),
    no("bad_card", "a rank (3 … 9 T J Q K A 2) and a suit (c d h s)", PLAIN, "Ana 1c"),
    no("bad_card", "The card “5x” does not exist.", THREE, "Ana give 5x", second=True),
    no("bad_action", "President has no such action", PLAIN, "Ana keep"),
    no("bad_action", "Nobody called Zoe", PLAIN, "Zoe pass"),
    no("bad_action", "Nobody called Zoe sits at the table", THREE, "Bob shuffle; Bob deal first Zoe", second=True,
       **FAULTS),
    no("bad_action", "You can’t call anything here. Play without a call.", PLAIN, "Ana 5c call rank"),
    no("bad_action", "these calls: rank", "4h 9c | 5c 9d | 6h 7h", "Ana 4h; Bob 5c; Cat 6h call red", **KINGS),
    no("bad_action", "Only the third of three singles in a row can be called, once per trick.",
       "4h 9c | 6c 9d | 7h 8h", "Ana 4h; Bob 6c; Cat 7h call red",
       **KINGS),
    no("bad_action", "Claim a rank for your offer, truly or not (“claim”).", SIX, "Dan offer 8h", second=True, **TRADE),
    no("bad_action", "Partners see each other’s cards: offer without a claim.",
       FOUR, "Bob offer 3d claim A", second=True, **COLLUDE),
]  # fmt: skip


@for_each("case", REFUSED, ids=lambda case: f"{case.code}: {case.says}")
def test_a_refusal_says_what_would_be_legal(case: No) -> None:
    match = position(case)
    *before, last = case.actions.split(";")
    for text in before:
        by, asked = action(text)
        match = match.apply_action(by, parse_action(asked)).match
    by, asked = action(last)
    with pytest.raises(RuleError) as refused:
        match.apply_action(by, parse_action(asked | ({"text": "Bow"} if asked["do"] == "decree" else {})))
    assert refused.value.code == case.code
    assert case.says in refused.value.sentence
    assert refused.value.sentence.endswith(".")
    assert "_" not in refused.value.sentence, "a sentence is for people"


def test_every_error_code_of_a_hand_has_a_test_case() -> None:
    """`needs_dispensation` belongs to Ceausescu. Codes for options, numbers of players and records are tested below."""
    assert {case.code for case in REFUSED} == {
        "not_your_turn", "not_in_this_phase", "not_your_cards", "not_a_combination", "does_not_beat", "must_play",
        "barred", "wrong_gift", "bad_card", "bad_action",
    }  # fmt: skip


# Options -----------------------------------------------------------------------------------------------------------

TORONTO = {"power_cards": "toronto"}
HIGH = {"threes": "high"}
CONTRADICTIONS: list[dict[str, Any]] = [
    TORONTO | {"rank_order": "ace_high"}, TORONTO | {"rank_order": "three_high"},
    TORONTO | {"twos": "single_wins"}, TORONTO | {"twos": "any_time"}, TORONTO | {"twos": "trump"},
    TORONTO | {"high_cards": "black_threes"}, TORONTO | {"high_cards": "jack_of_diamonds"},
    TORONTO | {"four_of_a_kind": "inverts"}, TORONTO | {"four_of_a_kind": "inverts_and_reverses"},
    TORONTO | {"sequences": "single"}, TORONTO | {"sequences": "all"}, TORONTO | {"poker_hands": True},
    {"wild_ranks": "35", "transparent": "5"}, {"wild_ranks": "35", "strip": "45"}, {"transparent": "5", "strip": "45"},
    HIGH | {"transparent": "3"}, HIGH | {"transparent": "7"}, HIGH | {"high_cards": "black_threes"},
    HIGH | {"high_cards": "jack_of_diamonds"}, HIGH | {"strip": "3"}, HIGH | {"strip": "74"},
    HIGH | {"wild_ranks": "3"}, HIGH | {"wild_ranks": "74"},
    HIGH | {"rank_order": "three_high"}, HIGH | {"rank_order": "ace_high"},
    {"middle": "trade", "exchange": "ladder"},
    *({"twos": value} | other for value in ("single_wins", "any_time", "trump")
      for other in ({"wild_ranks": "32"}, {"strip": "42"}, {"rank_order": "ace_high"})),
    *(TORONTO | {"run_revolution": value} for value in (3, 13)),
    *({"number_lock": value, "ordering": True} for value in ("two", "three")),
    {"faults": True, "dealer": "bottom"}, {"faults": True, "dealer": "rotate"},
]  # fmt: skip


@for_each("asked", CONTRADICTIONS)
def test_contradictions_are_refused_by_name(asked: dict[str, Any]) -> None:
    with pytest.raises(RuleError) as refused:
        GAME.option_schema.resolve_options(asked)
    assert refused.value.code == "bad_option"
    for key, value in asked.items():
        shown = str(value).lower() if isinstance(value, bool) else value
        assert f"“{key}: {shown}”" in refused.value.sentence


POWERS = {
    "ending_ranks", "back_ranks", "giving_ranks", "discarding_ranks", "skipping_ranks", "reversing_ranks",
    "bombing_ranks", "coup_ranks",
}  # fmt: skip
"""Options that give ranks a power."""

VALUES = {
    switch.key: [value for value in switch.domain.labels if value != switch.default]
    if isinstance(switch.domain, Choice)
    else ["3", "7", "42"][: 3 if switch.domain.most > 1 else 2]
    for switch in GAME.option_schema.all_options
    if isinstance(switch.domain, Choice | Ranks)
}


def clash(one: str, mine: Any, other: str, yours: Any) -> bool:
    """Whether these two values contradict each other by the page."""
    for known in CONTRADICTIONS:
        if known == {one: mine, other: yours}:
            return True
    ranks = {"wild_ranks", "transparent", "strip"}
    if {one, other} <= ranks:
        return bool(set(mine) & set(yours))
    pair = {one: mine, other: yours}
    if POWERS & {one, other}:
        if {one, other} & ranks:
            return bool(set(mine) & set(yours))
        if pair.get("threes") == "high":
            return bool({"3", "4"} & {*pair[next(iter(POWERS & {one, other}))]})
        return bool({"back_ranks", "coup_ranks"} & {one, other}) and "power_cards" in pair
    if pair.get("threes") == "high":
        rest = pair.get("wild_ranks", "") + pair.get("strip", "")
        return bool(set(rest) & {"3", "4"}) or "transparent" in pair
    if "twos" in pair:
        return "2" in pair.get("wild_ranks", "") + pair.get("strip", "")
    return False


def test_option_pairs_without_a_listed_contradiction_are_accepted() -> None:
    """Any two values can be combined unless the page says otherwise."""
    for one, other in combinations(VALUES, 2):
        for mine in VALUES[one]:
            for yours in VALUES[other]:
                asked = {one: mine, other: yours}
                asked |= {"dealer": "top"} if "faults" in asked and "dealer" not in asked else {}
                try:
                    GAME.option_schema.resolve_options(asked)
                    refused = False
                except RuleError:
                    refused = True
                assert refused == clash(one, mine, other, yours), asked


@for_each(
    ("asked", "says"),
    [
        ({"packs": 3}, "“packs” can’t be 3. Allowed: one of 1, 2."),
        ({"strip": "345678"}, "“strip” can’t be 345678."),
        ({"transparent": "34"}, "at most 1 different ranks"),
        ({"wild_ranks": "X"}, "different ranks of 3456789TJQKA2"),
        ({"must_beat": 1}, "“must_beat” can’t be 1. Allowed: one of false, true."),
        ({"target": 1.5}, "or null"),
        ({"start_points": None}, "a whole number"),
        ({"titles": ["A", "B"]}, "a list of 5 titles"),
        ({"titles": "emperor"}, "one of president"),
        ({"preset": "bridge"}, "The preset “bridge” does not exist."),
        ({"jokre": 1}, "This game has no option “jokre”."),
        ([], "a preset and options"),
    ],
)
def test_a_refused_option_names_the_valid_values(asked: Any, says: str) -> None:
    with pytest.raises(RuleError) as refused:
        GAME.option_schema.resolve_options(asked)
    assert refused.value.code == "bad_option"
    assert says in refused.value.sentence


@pytest.mark.parametrize(
    ("asked", "count", "says"),
    [
        ({}, 2, "3 to 8 players, not 2"),
        ({}, 9, "3 to 8 players, not 9"),
        ({"packs": 2}, 17, "3 to 16 players, not 17"),
        ({"preset": "bga"}, 3, "4 to 8 players, not 3"),
        ({"preset": "merchants"}, 5, "6 to 8 players, not 5"),
        ({"preset": "collusion"}, 7, "an even number of players, not 7"),
        ({"packs": 2, "exchange": "ladder"}, 16, "With 16 players, one gets only 6 cards but must give 8."),
    ],
    ids=str,
)
def test_a_refused_number_of_players_names_the_allowed_numbers(asked: dict[str, Any], count: int, says: str) -> None:
    with pytest.raises(RuleError) as refused:
        Match.start(GAME, GAME.option_schema.resolve_options(asked), tuple(f"P{number}" for number in range(count)))
    assert refused.value.code == "bad_player_count"
    assert says in refused.value.sentence


# Records -----------------------------------------------------------------------------------------------------------

HAND = {"cards": {"Ana": "Kc", "Bob": "7c", "Cat": "8c"}, "actions": [{"by": "Bob", "do": "play", "cards": "7c"}]}


@for_each(
    ("options", "hands", "where"),
    [
        ({}, [{"cards": {"Ana": "Kc", "Bob": "7c"}}], {"hand": 0}),
        ({}, [{"cards": {"Ana": "Kc", "Bob": "7c", "Cat": ""}}], {"hand": 0}),
        ({}, [{"cards": {"Ana": "Kc", "Bob": "7c", "Cat": "7c"}}], {"hand": 0}),
        ({}, [{"cards": {"Ana": "Kc", "Bob": "7c", "Cat": "Xr"}}], {"hand": 0}),
        ({}, [{"cards": {"Ana": "Kc", "Bob": "7c", "Cat": "1c"}}], {"hand": 0}),
        ({}, [{"cards": HAND["cards"], "dealer": "Zoe"}], {"hand": 0}),
        ({}, [HAND, HAND], {"hand": 1}),
        ({"exchange": "two"}, [HAND | {"actions": [*HAND["actions"], {"by": "Cat", "do": "play", "cards": "8c"}]},
                               HAND],
         {"hand": 1}),
    ],
)  # fmt: skip
def test_a_record_that_cannot_be_used_names_the_hand(options: Any, hands: Any, where: Any) -> None:
    record = {"format": "climbing-record/1", "game": "president", "players": ["Ana", "Bob", "Cat"]}
    result, status = replay_with_exit_status(record | {"options": options, "hands": hands}, GAMES)
    assert status == 2
    assert result.keys() == {"ok", "error"}
    assert {key: value for key, value in result["error"].items() if key not in ("code", "message")} == where
    assert result["error"]["code"] == "bad_record"


@pytest.mark.parametrize(
    ("asked", "cards", "actions", "rule"),
    [
        ({"back_ranks": "J"}, "5c 6c | Jc 4d | Kc Qc", "Ana 5c; Bob Jc; Cat Kc", "PRES-64"),
        ({"coup_ranks": "9"}, "9c 9d 9h 4c | Kc Kd Kh 3d | 5c", "Ana 9c 9d 9h; Bob Kc Kd Kh", "PRES-79"),
        ({"suit_lock": "partial"}, "5c 5h 6c | 7c 7d 4d | 9s 9h 3c", "Ana 5c 5h; Bob 7c 7d; Cat 9s 9h", "PRES-80"),
        ({"number_lock": "two"}, "5c 3h | 6d 4d | Kc Qc", "Ana 5c; Bob 6d; Cat Kc", "PRES-81"),
        ({"no_finish": ["best"], "foul": "refused"}, "5c 6c | 2c | Kc Qc", "Ana 5c; Bob 2c", "PRES-84"),
        ({"giving_ranks": "7"}, "7c 4c 5c | 8c 9c | Kc Qc", "Ana 7c; Ana pass", "PRES-65"),
    ],
    ids=str,
)
def test_a_refusal_names_the_rule_by_which_it_refuses(
    asked: dict[str, Any], cards: str, actions: str, rule: str
) -> None:
    case = no("does_not_beat", "", cards, actions, **asked)
    match, (*before, last) = position(case), [action(each) for each in actions.split("; ")]
    for by, made in before:
        match = match.apply_action(by, parse_action(made)).match
    with pytest.raises(RuleError) as refused:
        match.apply_action(last[0], parse_action(last[1]))
    assert refused.value.rule == rule
