"""A bot that sheds low cards, keeps those that win tricks, and goes out when it can."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.bots.simple.safe_action import harmless
from app.bots.view.seat_view import Action, SeatReader, View, cards_in, completed

_FEW = 4
"""With so few cards left nobody keeps anything for later."""
_OF_A_RANK = 4
"""So many cards of each rank a pack has."""


def choose(view: View, rng: random.Random) -> Action:
    """Choose what to do now."""
    seat = SeatReader(view)
    kinds = {action["do"] for action in seat.legal}
    if "play" in kinds:
        return thumb(seat, seat.legal)
    if seat.table.get("choice"):
        return _chosen(seat)
    if "give" in kinds:
        return thumb(seat, seat.legal)
    if kinds & {"keep", "swap"}:
        return _trade(seat)
    if "deal" in kinds and "offer_cut" not in kinds:
        return seat.doing("deal")[0]
    if "agree" in kinds and rng.random() < 0.5:
        return {"do": "agree"}
    return next(harmless(view), None) or completed(seat, seat.legal[0], rng)


def thumb(seat: SeatReader, among: Sequence[Action]) -> Action:
    """Which of these plays, passes or gifts is best by rules of thumb."""
    gifts = [action for action in among if action["do"] == "give"]
    if gifts:
        return min(gifts, key=lambda action: _gift_cost(seat, action))
    plays = [action for action in among if action["do"] == "play"]
    passing = [action for action in among if action["do"] == "pass"]
    out = [action for action in plays if len(cards_in(action)) == len(seat.cards)]
    if out and not seat.you.get("foul"):
        return out[0]
    # A finish that is a foul comes last of all; where one may pass, not at all.
    fair = [action for action in plays if action not in out]
    if out and not fair and passing:
        return passing[0]
    plays = fair or plays
    best = min(plays, key=lambda action: (not seat.fells(cards_in(action)), _play_cost(seat, action)))
    if passing and (_is_dear(seat, best) or _strands(seat, best)):
        return passing[0]
    return best


def break_in(view: View, rng: random.Random) -> Action | None:
    """Play at once, though it is somebody else's turn, where it costs nothing that is kept for better: the cards are
    gone, and so is what others would have played."""
    seat = SeatReader(view)
    plays = seat.doing("play")
    out = [action for action in plays if len(cards_in(action)) == len(seat.cards)]
    if out and not seat.you.get("foul"):
        return out[0]
    good = [action for action in plays if action not in out and not (_is_dear(seat, action) or _strands(seat, action))]
    return min(good, key=lambda action: _play_cost(seat, action), default=None)


def _strands(seat: SeatReader, action: Action) -> bool:
    """Whether nothing would be left after it to go out with fairly."""
    return bool(seat.not_last) and seat.strands(cards_in(action))


def _play_cost(seat: SeatReader, action: Action) -> tuple[float, ...]:
    """Something kept to go out with; low cards first, many at once when leading, and no set torn up for a single."""
    cards, leads = cards_in(action), seat.leads
    worths, size = [seat.worth(card) for card in cards], len(cards)
    control = sum([worth >= seat.controls for worth in worths])
    keeping = bool(seat.not_last) and seat.strands(cards)
    if leads:
        return (keeping, control, 0, max(worths) - 2 * size, -size)
    ranks = [card[0] for card in cards]
    torn = sum([seat.counts[rank] > ranks.count(rank) for rank in {*ranks}])
    return (keeping, control, torn, max(worths), -size)


def _is_dear(seat: SeatReader, action: Action) -> bool:
    """Whether to pass rather than spend these cards: not near the end, one's own or anybody's."""
    cards = cards_in(action)
    if len(seat.cards) <= _FEW or seat.fewest_of_others() <= 2 or seat.fells(cards):
        return False
    control = sum(seat.is_control(card) for card in cards)
    torn = any(seat.counts[card[0]] > len(cards) + 1 for card in cards)
    return control > 1 or (control == 1 and len(seat.cards) > 2 * _FEW) or torn


def _chosen(seat: SeatReader) -> Action:
    """What to choose in mid-trick: be rid of as many low cards as may be, and of nothing that wins tricks."""
    if len(seat.doing("bomb")) == len(seat.legal):
        gains = {rank: _bombing(seat, rank) for rank in sorted({rank for one in seat.legal for rank in one["ranks"]})}
        return max(seat.legal, key=lambda action: _gain(seat, gains, action["ranks"]))
    return min([*seat.legal, *_lowest(seat)], key=lambda action: _shed_cost(seat, action))


def _lowest(seat: SeatReader) -> Iterator[Action]:
    """The lowest cards, as many as may be chosen: where there are very many choices not all are listed."""
    asked: Mapping[str, Any] = seat.table["choice"]
    if seat.you.get("more"):
        up = sorted(seat.cards, key=seat.worth)
        yield from ({"do": asked["do"], "cards": " ".join(up[:n])} for n in range(asked["least"], asked["most"] + 1))


def _shed_cost(seat: SeatReader, action: Action) -> tuple[int, ...]:
    """Who can be rid of everything is; else low cards go, the lowest first, and the best stay."""
    cards = cards_in(action)
    control = 0 if len(cards) == len(seat.cards) else sum(seat.is_control(card) for card in cards)
    return (_strands(seat, action), control, -len(cards), sum(seat.worth(card) for card in cards))


def _gain(seat: SeatReader, gains: dict[str, float], ranks: str) -> tuple[float, ...]:
    """What it brings to have these ranks laid aside; to be rid of everything is best, and of one's best the worst."""
    lost = sum(seat.is_control(card) for card in seat.cards if card[0] in ranks)
    return (seat.counts.keys() <= set(ranks), -lost, sum(gains[rank] for rank in ranks))


def _bombing(seat: SeatReader, rank: str) -> float:
    """What it brings to have a rank laid aside: low cards are well lost, by oneself and by each of the others, who
    may hold what one does not hold oneself."""
    middle = (len(seat.ranks) - 1) / 2
    mine = sum(middle - seat.worth(card) for card in seat.cards if card[0] == rank)
    theirs = max(_OF_A_RANK - seat.counts[rank], 0) / max(len(seat.table["players"]) - 1, 1)
    return mine - theirs * (middle - seat.worth(rank))


def _gift_cost(seat: SeatReader, action: Action) -> tuple[int, int]:
    """Give what is worth least, rather a lone card than half a pair."""
    cards = cards_in(action)
    torn = sum(1 for card in cards if seat.counts[card[0]] > sum(other[0] == card[0] for other in cards))
    return (sum(seat.worth(card) for card in cards) + 2 * torn, torn)


def _trade(seat: SeatReader) -> Action:
    """Hand on a card in the lower half."""
    low = bool(seat.cards) and seat.worth(seat.cards[0]) < len(seat.ranks) // 2
    swap = seat.doing("swap")
    return swap[0] if swap and low else next(iter(seat.doing("keep")), seat.legal[0])
