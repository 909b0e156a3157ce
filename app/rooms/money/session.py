"""The session of a room: consecutive hands over all its matches, and the balance of each player.

It is part of the room's state (`reducer.py`). The payments are computed in `settlement.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, TypedDict

from app.engine.match.match import Match
from app.rooms.money.settlement import fewest_payments, points_to_settle, split_pot

MAX_GAP_MS = 6 * 3600 * 1000
"""Maximum milliseconds between the ends of two hands in one session."""


@dataclass(frozen=True, slots=True)
class Account:
    """The balance of one player in a session, in points: positive if others owe them."""

    name: str
    points: int = 0


class AccountView(TypedDict):
    """The points of one player in a session."""

    name: Annotated[str, "The name of the player."]
    points: Annotated[int, "Points that the others owe this player. If negative, this player owes the others."]


class PaymentView(TypedDict):
    """One payment that settles a session."""

    payer: Annotated[str, "The name of the player who pays."]
    payee: Annotated[str, "The name of the player who is paid."]
    points: Annotated[int, "Number of points to settle with this payment."]


class SessionView(TypedDict):
    """A session: consecutive hands of a room without a break of six hours, over all its matches."""

    since: Annotated[int, "When the first hand of the session ended, in epoch milliseconds."]
    until: Annotated[int, "When the last hand of the session ended, in epoch milliseconds."]
    hands: Annotated[int, "Number of finished hands."]
    matches: Annotated[int, "Number of matches."]
    differences: Annotated[bool, "Whether in some matches every two players settle the difference of their points."]
    accounts: Annotated[list[AccountView], "The points of each player, highest first."]
    payments: Annotated[list[PaymentView], "The fewest payments that settle all points."]


@dataclass(frozen=True)
class GameSession:
    """The hands that a room has played without a gap of six hours, over all its matches, with players' balances.

    Used to show each player's debts at any time.
    """

    since: int
    """When the first hand ended, in milliseconds since 1970."""
    until: int
    """When the last hand ended, in milliseconds since 1970."""
    hands: int = 0
    matches: tuple[str, ...] = ()
    """The ids of its matches."""
    differences: bool = False
    """Whether the points of some hands don't add up to zero, so that every two players settle their difference."""
    accounts: Mapping[str, Account] = field(default_factory=dict[str, Account])
    """Accounts by person id, or by the name of a bot."""
    pot: int = 0
    """Points in the pot of the running match."""
    sharing: tuple[str, ...] = ()
    """Keys of the accounts that share the pot if nobody wins it."""

    @cached_property
    def accounts_without_pot(self) -> Mapping[str, Account]:
        """The session's accounts as if the pot of the running match were divided among its players now.

        The balances then add up to zero, so that payments can be computed.
        """
        if not self.pot:
            return self.accounts
        parts = split_pot(self.pot, [self.accounts[key].points for key in self.sharing])
        return self._accounts_with_points(dict(zip(self.sharing, parts, strict=True)))

    @cached_property
    def view(self) -> SessionView:
        """The session as JSON for the room's public view: balances, and the fewest payments that settle them."""
        ranked = sorted(self.accounts_without_pot.values(), key=lambda account: -account.points)
        return {
            "since": self.since,
            "until": self.until,
            "hands": self.hands,
            "matches": len(self.matches),
            "differences": self.differences,
            "accounts": [{"name": one.name, "points": one.points} for one in ranked],
            "payments": [
                {"payer": ranked[payer].name, "payee": ranked[payee].name, "points": points}
                for payer, payee, points in fewest_payments(tuple(one.points for one in ranked))
            ],
        }

    def with_account_name(self, person: str, name: str) -> "GameSession":
        """Copy of the session with this person's account under their new name.

        Unchanged if they have no account.
        """
        account = self.accounts.get(person)
        if account is None or account.name == name:
            return self
        return replace(self, accounts={**self.accounts, person: replace(account, name=name)})

    def with_account_moved(self, before: str | None, person: str, name: str) -> "GameSession":
        """Copy of the session with a seat's account moved to `person`, who gets the seat with another browser.

        Its points are added to those that `person` has. `before`: the person who had the seat; None: a bot, whose
        account has its `name` as key.
        """
        account = self.accounts.get(before or name)
        if account is None:
            return self
        points = account.points + self.accounts.get(person, Account(name)).points
        rest = {key: each for key, each in self.accounts.items() if key != (before or name)}
        sharing = tuple(person if key == (before or name) else key for key in self.sharing)
        return replace(self, accounts={**rest, person: Account(name, points)}, sharing=sharing)

    def _accounts_with_points(self, points: Mapping[str, int]) -> dict[str, Account]:
        accounts = dict(self.accounts)
        for key, more in points.items():
            accounts[key] = replace(accounts[key], points=accounts[key].points + more)
        return accounts

    def _with_names(self, names: Mapping[str, str]) -> "GameSession":
        """Copy of the session with empty accounts for players who have none yet, given as names by account key."""
        new = {key: Account(name) for key, name in names.items() if key not in self.accounts}
        return replace(self, accounts={**self.accounts, **new}) if new else self

    def _with_match(self, match_id: str) -> "GameSession":
        """Copy of the session with this match as the current one; unchanged if it is in the session already.

        Otherwise the pot of the previous match is paid back to the accounts in `sharing`.
        """
        if match_id in self.matches:
            return self
        return replace(self, matches=(*self.matches, match_id), accounts=self.accounts_without_pot, pot=0, sharing=())


def session_after_hand(
    evening: GameSession | None, match: Match, match_id: str, names: Mapping[str, str | None], at: int
) -> GameSession:
    """Return the room's session after a hand that has just ended, with its points added to the balances.

    A new session begins after a gap of six hours. `names`: person ids of the match by name. `at`: end of the hand, in
    milliseconds since 1970.
    """
    if evening is None or at - evening.until > MAX_GAP_MS:
        evening = GameSession(at, at)
    evening = _with_pot_charged(evening._with_match(match_id), match, names)
    counted = _with_last_hand(evening, match, names, 1)
    differs = evening.differences or not _is_zero_sum(match)
    return replace(counted, until=at, hands=evening.hands + 1, differences=differs)


def _with_pot_charged(evening: GameSession, match: Match, names: Mapping[str, str | None]) -> GameSession:
    """Return the session after charging all players for points in the pot that came from outside of the session.

    The pot was larger before the hand than is known here, if points came from an earlier session or match. Each player
    is charged the same part.
    """
    assert match.last is not None, "a hand is over"
    before = match.game.pot(match) + sum(match.last.ledger.values()) if _is_zero_sum(match) else 0
    if before == evening.pot:
        return evening
    people = {names.get(name) or name: name for name in match.seats}
    parts = split_pot(before - evening.pot, [0] * len(people))
    evening = evening._with_names(people)
    return replace(
        evening, accounts=evening._accounts_with_points({key: -part for key, part in zip(people, parts, strict=True)})
    )


def session_after_correction(
    evening: GameSession | None, before: Match, match: Match, names: Mapping[str, str | None]
) -> GameSession | None:
    """Return the session after an action between hands corrected the last hand's result: old points out, new ones in.

    `before`: the match with the old result. None without a session.
    """
    if evening is None:
        return None
    return _with_last_hand(_with_last_hand(evening, before, names, -1), match, names, 1)


def _is_zero_sum(match: Match) -> bool:
    return match.game.option_schema.is_zero_sum(match.options)


def _with_last_hand(evening: GameSession, match: Match, names: Mapping[str, str | None], factor: int) -> GameSession:
    """Return the session with the points of the match's last hand added (`factor` 1) or taken away (-1).

    The match's current pot is stored too.
    """
    assert match.last is not None, "a hand is over"
    key = {name: names.get(name) or name for name in (*match.last.ledger, *match.seats)}
    evening = evening._with_names({one: name for name, one in key.items()})
    points = points_to_settle(match.last.ledger, zero_sum=_is_zero_sum(match))
    accounts = evening._accounts_with_points({key[name]: factor * each for name, each in points.items()})
    sharing = tuple(key[name] for name in match.seats)
    return replace(evening, accounts=accounts, pot=match.game.pot(match), sharing=sharing)
