"""The settlement of an evening in words: the payments between players, if the room has a stake. Pure functions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from app.engine.games import GAMES
from app.rooms.model.state import Room
from app.rooms.money.settlement import add_match_balances, fewest_payments
from app.rooms.money.stake import Stake
from app.store.history.room_stats import MatchSum
from app.web.i18n.catalogues import Texts
from app.web.stats.common import PlayerView


@dataclass(frozen=True, slots=True)
class Settlement:
    """The payments between players for a session, in words: only rooms that play for a stake have this."""

    point: str
    """The value of a point."""
    payments: tuple[str, ...]
    differences: bool
    """Whether some matches were settled by the differences between all pairs of players."""
    then: bool = False
    """Whether this is an earlier evening, settled at the current stake."""


def current_settlement(room: Room | None, texts: Texts) -> Settlement | None:
    """Return who owes whom in the room's running session, in words; None without a stake or a session."""
    stake = None if room is None else room.settings.stake
    if room is None or stake is None or room.evening is None:
        return None
    evening = room.evening.view
    payments = (
        texts.t(
            "settle.pays", payer=each["payer"], payee=each["payee"], worth=_amount_text(stake, each["points"], texts)
        )
        for each in evening["payments"]
    )
    return Settlement(_point_value_text(stake, texts), tuple(payments), evening["differences"])


def past_settlement(
    room: Room | None, sums: Sequence[MatchSum], people: Mapping[str, PlayerView], texts: Texts
) -> Settlement | None:
    """Return who owes whom for an earlier session, in words, at the room's present stake.

    None without a stake, or if a game no longer exists. `sums` are the points of each player in each match.
    """
    stake = None if room is None else room.settings.stake
    if stake is None or any(each.game not in GAMES for each in sums):
        return None
    found, differences = session_balances(sums)
    ranked = sorted(found, key=lambda player: -found[player])
    names = {player: people[player].name if player in people else texts.t("me.somebody") for player in found}
    payments = (
        texts.t(
            "settle.pays",
            payer=names[ranked[payer]],
            payee=names[ranked[payee]],
            worth=_amount_text(stake, points, texts),
        )
        for payer, payee, points in fewest_payments(tuple(found[player] for player in ranked))
    )
    return Settlement(_point_value_text(stake, texts), tuple(payments), differences, then=True)


def session_balances(sums: Iterable[MatchSum]) -> tuple[dict[str, int], bool]:
    """Return each player's points won or lost against the others in a session, which add up to 0.

    Also whether a match was settled by the differences between all pairs, as its points don't add up to 0.
    """
    found: dict[str, int] = {}
    differences = False
    by_match = groupby(sorted(sums, key=lambda each: each.match_id), key=lambda each: each.match_id)
    matches = [list(of_match) for _, of_match in by_match]
    for match in sorted(matches, key=_last_hand):
        declared = GAMES[match[0].game].option_schema
        zero_sum = declared.is_zero_sum(declared.resolve_options(match[0].options, already_accepted=True))
        differences = differences or not zero_sum
        brought = {each.player: each.points if zero_sum else each.differences for each in match}
        found = add_match_balances(found, brought, [each.player for each in match if each.last == _last_hand(match)])
    return found, differences


def _last_hand(match: Iterable[MatchSum]) -> int:
    return max(each.last for each in match)


def _point_value_text(stake: Stake, texts: Texts) -> str:
    return texts.t("stake.point", worth=_amount_text(stake, 1, texts))


def _amount_text(stake: Stake, points: int, texts: Texts) -> str:
    amount, unit = stake.amount_for_points(points)
    return texts.t("stake.worth", amount=amount, unit=unit)
