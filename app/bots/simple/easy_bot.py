"""The easy bot: it plays low cards, keeps cards that win tricks, and goes out when it can."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.bots.simple.safe_action import actions_by_risk
from app.bots.view.seat_view import Action, SeatReader, View, cards_of_action, complete_action

_FEW = 4
"""With this number of cards or fewer, the bot keeps no card for later."""
_OF_A_RANK = 4
"""Number of cards of each rank in a deck."""


def choose(view: View, rng: random.Random) -> Action:
    """Choose the easy bot's action at any kind of turn, by simple rules.

    `rng` decides whether to agree to requests, and fills in actions that need details.
    """
    seat = SeatReader(view)
    kinds = {action["do"] for action in seat.legal}
    if "play" in kinds:
        return best_by_rules_of_thumb(seat, seat.legal)
    if seat.table.get("choice"):
        return _choose_mid_trick(seat)
    if "give" in kinds:
        return best_by_rules_of_thumb(seat, seat.legal)
    if kinds & {"keep", "swap"}:
        return _keep_or_swap(seat)
    if "deal" in kinds and "offer_cut" not in kinds:
        return seat.legal_actions_of_kind("deal")[0]
    if "agree" in kinds and rng.random() < 0.5:
        return {"do": "agree"}
    return next(actions_by_risk(view), None) or complete_action(seat, seat.legal[0], rng)


def best_by_rules_of_thumb(seat: SeatReader, actions: Sequence[Action]) -> Action:
    """Return the easy bot's choice among the given plays, passes or gives, by simple rules.

    It goes out if it can without a foul, else takes the cheapest, or passes if that is too expensive.
    """
    gifts = [action for action in actions if action["do"] == "give"]
    if gifts:
        return min(gifts, key=lambda action: _gift_cost(seat, action))
    plays = [action for action in actions if action["do"] == "play"]
    passing = [action for action in actions if action["do"] == "pass"]
    out = [action for action in plays if len(cards_of_action(action)) == len(seat.cards)]
    if out and not seat.own_view.get("foul"):
        return out[0]
    # Going out by a foul is the last resort; pass instead where passing is allowed.
    fair = [action for action in plays if action not in out]
    if out and not fair and passing:
        return passing[0]
    plays = fair or plays
    best = min(plays, key=lambda action: (not seat.beats_best_card(cards_of_action(action)), _play_cost(seat, action)))
    if passing and (_is_too_expensive(seat, best) or _leaves_only_forbidden_last_cards(seat, best)):
        return passing[0]
    return best


def out_of_turn_play(view: View, rng: random.Random) -> Action | None:
    """Choose a play for a bot during another player's turn, or None if every play would spend cards worth keeping.

    Only where the rules allow plays out of turn. They get rid of cards before other players can play.
    """
    seat = SeatReader(view)
    plays = seat.legal_actions_of_kind("play")
    out = [action for action in plays if len(cards_of_action(action)) == len(seat.cards)]
    if out and not seat.own_view.get("foul"):
        return out[0]
    good = [
        action
        for action in plays
        if action not in out
        and not (_is_too_expensive(seat, action) or _leaves_only_forbidden_last_cards(seat, action))
    ]
    return min(good, key=lambda action: _play_cost(seat, action), default=None)


def _leaves_only_forbidden_last_cards(seat: SeatReader, action: Action) -> bool:
    """Return whether all cards left after the action would be forbidden as last cards.

    The player could then not go out without a foul.
    """
    return bool(seat.forbidden_last_cards) and seat.leaves_only_forbidden_last_cards(cards_of_action(action))


def _play_cost(seat: SeatReader, action: Action) -> tuple[float, ...]:
    """Return the cost of a play for the easy bot, as a sort key: the lowest is best.

    Keep a legal last card, then keep cards that win tricks, then keep sets whole, then play low cards. When leading,
    playing many cards at once is cheaper.
    """
    cards, leads = cards_of_action(action), seat.is_leading
    worths, size = [seat.worth(card) for card in cards], len(cards)
    control = sum([worth >= seat.min_control_worth for worth in worths])
    keeping = bool(seat.forbidden_last_cards) and seat.leaves_only_forbidden_last_cards(cards)
    if leads:
        return (keeping, control, 0, max(worths) - 2 * size, -size)
    ranks = [card[0] for card in cards]
    torn = sum([seat.cards_per_rank[rank] > ranks.count(rank) for rank in {*ranks}])
    return (keeping, control, torn, max(worths), -size)


def _is_too_expensive(seat: SeatReader, action: Action) -> bool:
    """Return whether passing is better than this play: it spends cards that win tricks, or breaks up a set.

    Near the end of the hand, for the bot or for another player, no play is too expensive.
    """
    cards = cards_of_action(action)
    if len(seat.cards) <= _FEW or seat.fewest_cards_of_opponents() <= 2 or seat.beats_best_card(cards):
        return False
    control = sum(seat.is_control(card) for card in cards)
    torn = any(seat.cards_per_rank[card[0]] > len(cards) + 1 for card in cards)
    return control > 1 or (control == 1 and len(seat.cards) > 2 * _FEW) or torn


def _choose_mid_trick(seat: SeatReader) -> Action:
    """Choose for the easy bot in mid-trick: cards to give or discard (many low cards), or ranks to bomb.

    Bombing a rank makes all players discard it. Cards that win tricks are kept where possible.
    """
    if len(seat.legal_actions_of_kind("bomb")) == len(seat.legal):
        gains = {
            rank: _gain_from_bombing_rank(seat, rank)
            for rank in sorted({rank for one in seat.legal for rank in one["ranks"]})
        }
        return max(seat.legal, key=lambda action: _rank_bomb_gain(seat, gains, action["ranks"]))
    return min([*seat.legal, *_lowest_card_discards(seat)], key=lambda action: _shed_cost(seat, action))


def _lowest_card_discards(seat: SeatReader) -> Iterator[Action]:
    """Yield discards of the lowest cards, one for each allowed number.

    Nothing is yielded if the seat's `legal` lists all choices anyway.
    """
    choice: Mapping[str, Any] = seat.table["choice"]
    if seat.own_view.get("more"):
        up = sorted(seat.cards, key=seat.worth)
        yield from ({"do": choice["do"], "cards": " ".join(up[:n])} for n in range(choice["least"], choice["most"] + 1))


def _shed_cost(seat: SeatReader, action: Action) -> tuple[int, ...]:
    """Return the cost of giving or discarding cards in mid-trick, as a sort key: the lowest is best.

    Keep a legal last card, then keep cards that win tricks unless all cards go, then choose more cards, then lower
    cards.
    """
    cards = cards_of_action(action)
    control = 0 if len(cards) == len(seat.cards) else sum(seat.is_control(card) for card in cards)
    return (
        _leaves_only_forbidden_last_cards(seat, action),
        control,
        -len(cards),
        sum(seat.worth(card) for card in cards),
    )


def _rank_bomb_gain(seat: SeatReader, gains: dict[str, float], ranks: str) -> tuple[float, ...]:
    """Return the gain of bombing these ranks (all players discard them), as a sort key: the highest is best.

    Getting rid of all own cards counts first, then few lost cards that win tricks, then the sum of gains.
    """
    lost = sum(seat.is_control(card) for card in seat.cards if card[0] in ranks)
    return (seat.cards_per_rank.keys() <= set(ranks), -lost, sum(gains[rank] for rank in ranks))


def _gain_from_bombing_rank(seat: SeatReader, rank: str) -> float:
    """Return the gain of bombing a rank: losing low cards is good for the bot, and good for opponents too.

    Bombing a rank makes all players discard it. Cards that the bot does not hold are shared out evenly among the
    opponents.
    """
    middle = (len(seat.ranks) - 1) / 2
    own = sum(middle - seat.worth(card) for card in seat.cards if card[0] == rank)
    theirs = max(_OF_A_RANK - seat.cards_per_rank[rank], 0) / max(len(seat.table["players"]) - 1, 1)
    return own - theirs * (middle - seat.worth(rank))


def _gift_cost(seat: SeatReader, action: Action) -> tuple[int, int]:
    """Return the cost of giving cards, as a sort key: the easy bot gives the cards with the lowest.

    Cards of low worth are cheap, and breaking up a set costs more.
    """
    cards = cards_of_action(action)
    torn = sum(1 for card in cards if seat.cards_per_rank[card[0]] > sum(other[0] == card[0] for other in cards))
    return (sum(seat.worth(card) for card in cards) + 2 * torn, torn)


def _keep_or_swap(seat: SeatReader) -> Action:
    """Choose for the easy bot in a game of one card each: swap a card of the lower half of ranks, keep a higher one."""
    low = bool(seat.cards) and seat.worth(seat.cards[0]) < len(seat.ranks) // 2
    swap = seat.legal_actions_of_kind("swap")
    return swap[0] if swap and low else next(iter(seat.legal_actions_of_kind("keep")), seat.legal[0])
