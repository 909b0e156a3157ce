"""Random matches over random options: for soaking, benches and tests. All chance comes in as a `Random`.

`random_options` turns any declared switch, so a new one is played the day it is declared; `Playout` plays hands
with legal actions only, and its checks say what must hold of every hand of every game.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from typing import Any

from app.bots import BOTS
from app.engine import record, views
from app.engine.actions import (
    Action,
    Cut,
    Decree,
    Defy,
    Join,
    Leave,
    Obey,
    Offer,
    Play,
    Say,
    Touch,
    action_json,
    cards_of,
    parse_action,
)
from app.engine.cards import RANKS, Card, show
from app.engine.climbing.game import ClimbingGame
from app.engine.climbing.state import State
from app.engine.errors import RuleError
from app.engine.game import Game
from app.engine.match import Match, Step
from app.engine.options import Choice, Number, Options, Ranks, Steps, Titles
from app.soak.refusals import check_refusals

_SOME = "Ana Bob Cat Dan Eve Fay Gus Hal Ivy Jon Kim Lou Mia Ned Oda Pia Quin Rex Sue Tom Uma Vic Wim Xia Yan Zoe"
NAMES = tuple(_SOME.split())
LOOKS_AT = 60
"""Legal actions that a random player chooses among: some hands have very many."""
BY_BOTS = 0.1
"""How often a bot chooses, from what its seat sees; what it chooses must be legal like anything else."""
PATIENCE = 500
"""Actions in a hand, after which everybody plays what they can."""
MOST_ACTIONS = 3000
"""No hand is longer: one that gets here does not end."""


class Broken(AssertionError):
    """Something that must hold of every hand did not."""


def random_value(domain: object, rng: Random) -> Any:
    """A value that a switch of this domain may have."""
    match domain:
        case Choice(labels):
            return rng.choice(list(labels))
        case Number(low, high, none_label):
            near = [value for value in (0, 1, 2, 3, 5, 11, 20, -10, low, high) if low <= value <= high]
            return rng.choice([*near, *([None] if none_label is not None else [])])
        case Ranks(most, of):
            return "".join(rng.sample(of, rng.choice([0, 0, 1, 1, min(2, most), most])))
        case Titles(labels, places):
            return rng.choice([*labels, [f"Number {place}" for place in range(1, len(places) + 1)]])
        case Steps():
            return [[rng.randint(1, 20), rng.randint(1, 5)] for _ in range(rng.randint(0, 3))]
        case _:
            raise AssertionError(f"no random value for {domain}")


def random_options(game: Game, rng: Random) -> Options:
    """A preset with some switches turned; contradictions are drawn again."""
    while True:
        asked: dict[str, Any] = {"preset": rng.choice(game.declared.presets).key}
        turned = rng.choice([0, 1, 2, 4, 8, 30])
        for switch in rng.sample(game.declared.switches, min(turned, len(game.declared.switches))):
            asked[switch.key] = random_value(switch.domain, rng)
        try:
            return game.declared.resolve(asked)
        except RuleError:
            continue


def random_count(game: Game, options: Options, rng: Random) -> int | None:
    """A number of players that may play this; None if there is none."""
    low, high = game.players(options)
    possible = [count for count in range(low, high + 1) if _may_play(game, options, count)]
    return rng.choice(possible) if possible else None


def _may_play(game: Game, options: Options, count: int) -> bool:
    try:
        game.check_players(options, count)
    except RuleError:
        return False
    return True


@dataclass
class Playout:
    """A match played at random; `elements` are the hands of its record."""

    match: Match
    rng: Random
    elements: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    actions: int = 0
    start: dict[str, Any] = field(default_factory=dict[str, Any])
    refusals: float = 0.002
    """How often it is tried whether refusals lie."""
    _long: int = 0

    @classmethod
    def random(cls, game: Game, rng: Random) -> "Playout":
        """A match of this game with random options and people."""
        while True:
            options = random_options(game, rng)
            count = random_count(game, options, rng)
            if count is not None:
                return cls.of(Match.start(game, options, NAMES[:count]), rng)

    @classmethod
    def of(cls, match: Match, rng: Random) -> "Playout":
        """A playout of this match, which has not begun."""
        start = {
            "format": record.FORMAT,
            "game": match.game.key,
            "options": match.options.to_json(),
            "players": list(match.seats),
        }
        return cls(match, rng, start=start)

    def record(self) -> dict[str, Any]:
        """Everything so far, as a record file has it."""
        return {**self.start, "hands": self.elements}

    def hand(self, *, come_and_go: bool = True, check: bool = True) -> None:
        """Play one hand to its end, people coming and going before it."""
        between = list(self._between()) if come_and_go and self.elements else []
        pack = list(self.match.deck())
        self.rng.shuffle(pack)
        deal = self.match.deal(tuple(pack), self.rng.randrange(1 << 30))
        element = deal.to_json() | ({"between": between} if between else {})
        taken: list[dict[str, Any]] = []
        self.elements.append(element | {"actions": taken})
        self._go(self.match.begin(deal))
        began_with = Counter(self.match.game.whereabouts(self.match.hand))
        while self.match.running:
            if len(taken) > MOST_ACTIONS:
                raise Broken("the hand does not end")
            self._long = len(taken)
            if self.rng.random() < self.refusals:
                check_refusals(self.match, self.rng)
            by, action = self._choose()
            if check and self.rng.random() < 0.02:
                self._check_legal_is_accepted()
                check_no_leak(self.match, self.rng)
            taken.append(action_json(action, by))
            self._go(self.match.act(by, action))
            if check:
                check_cards(self.match, began_with)

    def _go(self, step: Step) -> None:
        self.match = step.match
        self.actions += 1

    def _choose(self) -> tuple[str, Action]:
        match, rng = self.match, self.rng
        extra = self._at_any_time()
        if extra is not None:
            return extra
        legal = list(islice(match.legal(), LOOKS_AT))
        if not legal:
            raise Broken(f"nobody can act: {match.phase}, {match.to_act}")
        if rng.random() < BY_BOTS:
            by = rng.choice(match.to_act)
            view = {"table": views.table(match), "you": views.seat(match, by)}
            return by, parse_action(rng.choice(list(BOTS.values()))(view, rng))
        plays = [one for one in legal if isinstance(one[1], Play)]
        if plays and self._long > PATIENCE:
            # Who draws for every pass can go on for ever; people end such a hand, so these do too.
            by, action = max(plays, key=lambda one: len(cards_of(one[1])))
        else:
            by, action = rng.choice(legal)
        return by, completed(match, by, action, rng)

    def _at_any_time(self) -> tuple[str, Action] | None:
        match, rng = self.match, self.rng
        if rng.random() > 0.02:
            return None
        anytime: list[Action] = [Touch(), Obey(), Defy()]
        tries = [(rng.choice(match.seats), rng.choice(anytime))]
        if match.hierarchy:
            to = rng.choice([None, match.hierarchy[-1]])
            tries.append((rng.choice(match.seats), Decree("Fetch the snacks", to)))
        return next((one for one in tries if _accepts(match, *one)), None)

    def _between(self) -> Iterator[dict[str, Any]]:
        """Some joining and leaving that the next deal can bear."""
        match, rng = self.match, self.rng
        if rng.random() > 0.2:
            return
        away = [name for name in NAMES if name not in match.seats]
        tries: list[tuple[str, Action]] = [(rng.choice(match.seats), Leave())]
        if away:
            tries.append((rng.choice(away), Join()))
        for by, action in rng.sample(tries, len(tries)):
            try:
                step = self.match.between(by, action)
                step.match.game.check_players(step.match.options, len(step.match.seats), begun=True)
            except RuleError:
                continue
            if step.match.over:
                continue
            self.match = step.match
            yield action_json(action, by)

    def _check_legal_is_accepted(self) -> None:
        for by, action in islice(self.match.legal(), LOOKS_AT):
            if not _accepts(self.match, by, completed(self.match, by, action, self.rng)):
                raise Broken(f"listed as legal, but refused: {by} {action_json(action)}")


def completed(match: Match, by: str, action: Action, rng: Random) -> Action:
    """An action that `legal` lists without its particulars, with some."""
    match action:
        case Say(None, None):
            return Say(have=rng.choice(RANKS + "X"))
        case Offer(()):
            held = match.hand.cards[by]
            trade = match.game.table(match.hand).get("trade") is not None
            count = 1 if trade else rng.randint(1, min(3, len(held)))
            return Offer(tuple(rng.sample(held, count)), rng.choice(RANKS) if trade else None)
        case Cut(None):
            return Cut(rng.randint(0, 30))
        case _:
            return action


def _accepts(match: Match, by: str, action: Action) -> bool:
    try:
        match.act(by, parse_action(action_json(action)))
    except RuleError:
        return False
    return True


def check_cards(match: Match, began_with: Counter[Card]) -> None:
    """`Broken` unless every card that the hand began with is in exactly one place.

    Cards that a dealer cuts in Chase the Ace are turned up and lie beside the game; there only too many are wrong.
    """
    there = Counter(match.game.whereabouts(match.hand))
    complete = there == began_with or not isinstance(match.game, ClimbingGame)
    if there - began_with or not complete:
        raise Broken(f"cards lost {began_with - there}, cards too many {there - began_with}")


def check_replay(playout: Playout) -> None:
    """`Broken` unless replaying the record gives what was played."""
    out = record.replay(playout.record(), {playout.match.game.key: playout.match.game})
    if not out["ok"]:
        raise Broken(f"the replay refuses what was played: {out['error']}")
    if out["totals"] != dict(playout.match.totals) or out["match_over"] != playout.match.over:
        raise Broken(f"the replay ends differently: {out['totals']}, {dict(playout.match.totals)}")
    if out["state"] != record.state(playout.match):
        raise Broken("the replay ends in another position")


def check_saved(match: Match) -> None:
    """`Broken` unless a match that is saved and loaded between hands is the same."""
    saved = json.loads(json.dumps(match.save()))
    if Match.load(saved, {match.game.key: match.game}).save() != saved:
        raise Broken("a match changes by being saved and loaded")


def check_no_leak(match: Match, rng: Random) -> None:
    """`Broken` if a view changes by a byte when two hidden cards of others change places."""
    hand = match.hand
    if not isinstance(hand, State):
        return  # Chase the Ace shows some cards: its own tests know which
    viewer = rng.choice([None, *hand.seats])
    shown = () if viewer is None else (viewer, views.seat(match, viewer).get("partner", {}).get("name"))
    holders = [name for name in hand.active() if name not in shown]
    if len(holders) < 2:
        return
    one, other = rng.sample(holders, 2)
    mine, theirs = rng.choice(hand.cards[one]), rng.choice(hand.cards[other])
    swapped = {
        one: tuple(theirs if card == mine else card for card in hand.cards[one]),
        other: tuple(mine if card == theirs else card for card in hand.cards[other]),
    }
    if any(len(set(hand.cards[name])) < len(hand.cards[name]) for name in (one, other)):
        return  # the same card twice: replacing it by name would replace both
    changed = replace(match, hand=hand.but(cards={**hand.cards, **swapped}))
    if _seen(match, viewer) != _seen(changed, viewer):
        raise Broken(f"{viewer or 'a watcher'} sees that {one} and {other} hold other cards")


def _seen(match: Match, viewer: str | None) -> str:
    return json.dumps([views.table(match), None if viewer is None else views.seat(match, viewer)])


def check_views(match: Match) -> None:
    """`Broken` if a watcher's or a player's view tells a hidden card's name."""
    if not match.running:
        return
    table = views.table(match)
    for name in match.hand.seats:
        own = views.seat(match, name)
        if own["cards"] != show(match.hand.cards.get(name, ())):
            raise Broken(f"{name} does not see their own cards")
        if table["players"][name]["cards"] != len(match.hand.cards.get(name, ())):
            raise Broken(f"the table miscounts the cards of {name}")


def check_match(playout: Playout, hands: int) -> None:
    """Play so many hands, or until the match is over, with every check; `Broken` if one fails."""
    for _ in range(hands):
        if playout.match.over:
            break
        playout.hand()
        check_saved(playout.match)
        check_views(playout.match)
    check_replay(playout)
