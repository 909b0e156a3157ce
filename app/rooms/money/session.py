"""The evening in a room: hands without a long gap, over all its matches, and what everybody owes or is owed by them.

A value that the fold carries along (`reducer.py`); what is paid in the end is arithmetic (`settlement.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, TypedDict

from app.engine.match.match import Match
from app.rooms.money.settlement import dues, settle, shared

LONGEST_GAP = 6 * 3600 * 1000
"""Milliseconds from the end of one hand to that of the next within one evening."""


@dataclass(frozen=True, slots=True)
class Account:
    """What somebody has by the hands of the evening."""

    name: str
    points: int = 0


class AccountShown(TypedDict):
    """What somebody has by the hands of the evening."""

    name: Annotated[str, "Who."]
    points: Annotated[int, "Owed to them, or below zero by them, where every point is paid for."]


class PaymentShown(TypedDict):
    """One of the payments that make all even."""

    payer: Annotated[str, "Who pays."]
    payee: Annotated[str, "Whom."]
    points: Annotated[int, "How many points’ worth."]


class EveningShown(TypedDict):
    """The hands of the room without a gap of six hours, over all matches, and who owes whom by them."""

    since: Annotated[int, "When its first hand ended."]
    until: Annotated[int, "When its last one did."]
    hands: Annotated[int, "How many."]
    matches: Annotated[int, "Of so many matches."]
    differences: Annotated[bool, "Whether in some of them everybody settles the difference with everybody."]
    accounts: Annotated[list[AccountShown], "What everybody has, most first."]
    payments: Annotated[list[PaymentShown], "The fewest that make all even."]


@dataclass(frozen=True)
class Evening:
    """The evening so far, or the last one that was."""

    since: int
    """When its first hand ended, in milliseconds since 1970."""
    until: int
    """When its last one did."""
    hands: int = 0
    matches: tuple[str, ...] = ()
    """The ids of its matches."""
    differences: bool = False
    """Whether in some of its hands points do not add up to nothing, so that everybody settles with everybody."""
    accounts: Mapping[str, Account] = field(default_factory=dict[str, Account])
    """By person; of a bot, by its name."""
    pot: int = 0
    """What lies in a pot of the match that runs."""
    sharing: tuple[str, ...] = ()
    """Whose the pot is if nobody wins it any more, as accounts are named."""

    @cached_property
    def balances(self) -> Mapping[str, Account]:
        """The accounts, with a pot given back: they add up to nothing."""
        if not self.pot:
            return self.accounts
        parts = shared(self.pot, [self.accounts[key].points for key in self.sharing])
        return self._with_points(dict(zip(self.sharing, parts, strict=True)))

    @cached_property
    def shown(self) -> EveningShown:
        """What everybody in the room may see."""
        ranked = sorted(self.balances.values(), key=lambda account: -account.points)
        return {
            "since": self.since,
            "until": self.until,
            "hands": self.hands,
            "matches": len(self.matches),
            "differences": self.differences,
            "accounts": [{"name": one.name, "points": one.points} for one in ranked],
            "payments": [
                {"payer": ranked[payer].name, "payee": ranked[payee].name, "points": points}
                for payer, payee, points in settle(tuple(one.points for one in ranked))
            ],
        }

    def renamed(self, person: str, name: str) -> "Evening":
        """The same, with somebody called otherwise."""
        account = self.accounts.get(person)
        if account is None or account.name == name:
            return self
        return replace(self, accounts={**self.accounts, person: replace(account, name=name)})

    def moved(self, before: str | None, person: str, name: str) -> "Evening":
        """The same, with the seat of this name, and so its account, another person's from now on."""
        account = self.accounts.get(before or name)
        if account is None:
            return self
        points = account.points + self.accounts.get(person, Account(name)).points
        rest = {key: each for key, each in self.accounts.items() if key != (before or name)}
        sharing = tuple(person if key == (before or name) else key for key in self.sharing)
        return replace(self, accounts={**rest, person: Account(name, points)}, sharing=sharing)

    def _with_points(self, points: Mapping[str, int]) -> dict[str, Account]:
        accounts = dict(self.accounts)
        for key, more in points.items():
            accounts[key] = replace(accounts[key], points=accounts[key].points + more)
        return accounts

    def _with_names(self, names: Mapping[str, str]) -> "Evening":
        """The same, where these people, by the names they are called, have accounts."""
        new = {key: Account(name) for key, name in names.items() if key not in self.accounts}
        return replace(self, accounts={**self.accounts, **new}) if new else self

    def _with_match(self, match_id: str) -> "Evening":
        """The same in another match: what lay in a pot of the one before is given back for good."""
        if match_id in self.matches:
            return self
        return replace(self, matches=(*self.matches, match_id), accounts=self.balances, pot=0, sharing=())


def after_hand(
    evening: Evening | None, match: Match, match_id: str, names: Mapping[str, str | None], at: int
) -> Evening:
    """The evening after a hand that has just ended; `names` are the people of the match, with who they are."""
    if evening is None or at - evening.until > LONGEST_GAP:
        evening = Evening(at, at)
    evening = _charged(evening._with_match(match_id), match, names)
    counted = _with_last(evening, match, names, 1)
    differs = evening.differences or not _zero_sum(match)
    return replace(counted, until=at, hands=evening.hands + 1, differences=differs)


def _charged(evening: Evening, match: Match, names: Mapping[str, str | None]) -> Evening:
    """The evening before the hand that has just ended, where more lay in the pot by then than the evening knows of: on
    another evening, or in what came before this match, all alike have paid it."""
    assert match.last is not None, "a hand is over"
    before = match.game.pot(match) + sum(match.last.ledger.values()) if _zero_sum(match) else 0
    if before == evening.pot:
        return evening
    people = {names.get(name) or name: name for name in match.seats}
    parts = shared(before - evening.pot, [0] * len(people))
    evening = evening._with_names(people)
    return replace(
        evening, accounts=evening._with_points({key: -part for key, part in zip(people, parts, strict=True)})
    )


def told_anew(evening: Evening | None, before: Match, match: Match, names: Mapping[str, str | None]) -> Evening | None:
    """The evening after something that changed how the last hand ended."""
    if evening is None:
        return None
    return _with_last(_with_last(evening, before, names, -1), match, names, 1)


def _zero_sum(match: Match) -> bool:
    return match.game.declared.is_zero_sum(match.options)


def _with_last(evening: Evening, match: Match, names: Mapping[str, str | None], times: int) -> Evening:
    """The evening with the last hand of this match counted so many times more, and its pot as it lies now."""
    assert match.last is not None, "a hand is over"
    key = {name: names.get(name) or name for name in (*match.last.ledger, *match.seats)}
    evening = evening._with_names({one: name for name, one in key.items()})
    points = dues(match.last.ledger, zero_sum=_zero_sum(match))
    accounts = evening._with_points({key[name]: times * each for name, each in points.items()})
    sharing = tuple(key[name] for name in match.seats)
    return replace(evening, accounts=accounts, pot=match.game.pot(match), sharing=sharing)
