"""Who pays whom after an evening, as the page of a book says it; nothing where nothing is played for. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from app.engine.games import GAMES
from app.rooms.model.state import Room
from app.rooms.money.settlement import settle, with_match
from app.rooms.money.stake import Stake
from app.store.history.room_stats import MatchSum
from app.web.i18n.catalogues import Texts
from app.web.stats.common import Named


@dataclass(frozen=True, slots=True)
class Settlement:
    """An evening settled, in words."""

    point: str
    """What a point is worth."""
    payments: tuple[str, ...]
    differences: bool
    """Whether in some hands everybody settled the difference with everybody."""
    then: bool = False
    """Whether it is an evening before the last one, at the stake as it is now."""


def of_now(room: Room | None, texts: Texts) -> Settlement | None:
    """Settle the last evening of a room, as the table does."""
    stake = None if room is None else room.settings.stake
    if room is None or stake is None or room.evening is None:
        return None
    evening = room.evening.shown
    payments = (
        texts.t("settle.pays", payer=each["payer"], payee=each["payee"], worth=_worth(stake, each["points"], texts))
        for each in evening["payments"]
    )
    return Settlement(_point(stake, texts), tuple(payments), evening["differences"])


def of_then(
    room: Room | None, sums: Sequence[MatchSum], people: Mapping[str, Named], texts: Texts
) -> Settlement | None:
    """Settle an evening that was, from what its hands brought."""
    stake = None if room is None else room.settings.stake
    if stake is None or any(each.game not in GAMES for each in sums):
        return None
    found, differences = balances(sums)
    ranked = sorted(found, key=lambda player: -found[player])
    names = {player: people[player].name if player in people else texts.t("me.somebody") for player in found}
    payments = (
        texts.t(
            "settle.pays", payer=names[ranked[payer]], payee=names[ranked[payee]], worth=_worth(stake, points, texts)
        )
        for payer, payee, points in settle(tuple(found[player] for player in ranked))
    )
    return Settlement(_point(stake, texts), tuple(payments), differences, then=True)


def balances(sums: Iterable[MatchSum]) -> tuple[dict[str, int], bool]:
    """What everybody has by an evening, which adds up to nothing, and whether differences were settled in it."""
    found: dict[str, int] = {}
    differences = False
    by_match = groupby(sorted(sums, key=lambda each: each.match_id), key=lambda each: each.match_id)
    matches = [list(of_match) for _, of_match in by_match]
    for match in sorted(matches, key=_last):
        declared = GAMES[match[0].game].declared
        zero_sum = declared.is_zero_sum(declared.resolve(match[0].options, kept=True))
        differences = differences or not zero_sum
        brought = {each.player: each.points if zero_sum else each.differences for each in match}
        found = with_match(found, brought, [each.player for each in match if each.last == _last(match)])
    return found, differences


def _last(match: Iterable[MatchSum]) -> int:
    return max(each.last for each in match)


def _point(stake: Stake, texts: Texts) -> str:
    return texts.t("stake.point", worth=_worth(stake, 1, texts))


def _worth(stake: Stake, points: int, texts: Texts) -> str:
    amount, unit = stake.worth(points)
    return texts.t("stake.worth", amount=amount, unit=unit)
