"""A match of any game played at random, with legal actions only; what must hold of every position is looked at.

All chance comes in as a `Random`. What must hold of a whole match stands in match_list.py.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any, Self

from app.arena.random_rules import NAMES, random_count, random_options
from app.bots import BOTS, BREAKING_IN, THINKING
from app.bots.search import search_bot
from app.bots.search.monte_carlo import Budget
from app.bots.view.seat_view import view_of
from app.engine.base.errors import RuleError
from app.engine.cards.action_codec import action_json, parse_action
from app.engine.cards.actions import Action, Decree, Defy, JoinMatch, LeaveMatch, Obey, Play, cards_of
from app.engine.cards.cards import Card, Cards, show
from app.engine.climbing.state import State
from app.engine.display.events import Event
from app.engine.display.point_reasons import Reason
from app.engine.match import record, views
from app.engine.match.game import AnyGame
from app.engine.match.hand import Deal, HandResult
from app.engine.match.hidden_state import veil
from app.engine.match.match import Match, Step

from .error_messages import Refusals, check_refusals, refused
from .errors import Broken
from .information_leaks import check_no_leak, check_veil
from .random_actions import accepts, completed
from .worker_jobs import check_job

BY_BOTS = 0.1
"""How often a bot chooses, from what its seat sees; what it chooses must be legal like anything else."""
THINKS, SMALL = 0.05, Budget(worlds=2)
"""How often that is one that thinks ahead, and how far: it takes as long as fifty others."""
PATIENCE = 500
"""Actions in a hand, after which everybody plays what they can."""
CARRIED = 0.3
"""How often people come with ranks from a match before."""
MOST_ACTIONS = 3000
"""No hand is longer: one that gets here does not end."""


@dataclass
class Playout:
    """A match played at random; `elements` are the hands of its record. Who looks for more derives from it."""

    match: Match
    rng: Random
    elements: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    actions: int = 0
    start: dict[str, Any] = field(default_factory=dict[str, Any])
    told: list[Event] = field(default_factory=list[Event])
    """What the running hand, or the last one, has told so far."""
    dealt: Mapping[str, Cards] = field(default_factory=dict[str, Cards])
    """The cards of the running hand, or the last one, as they were dealt."""
    before: Match = field(init=False)
    """The match as it was dealt the last hand."""
    most: int = 60
    """Legal actions that a random player chooses among: some hands have very many."""
    refusals: float = 0.002
    """How often it is tried whether refusals tell the truth."""
    costs: float = 0.02
    """How often it is looked at what refusals cost."""
    refused: Refusals = field(default_factory=Refusals)
    """The refusals so far."""
    looks: float = 0.02
    """How often it is tried whether what is listed is accepted, and whether hidden cards are seen."""
    entered: list[Reason] = field(default_factory=list[Reason])
    """What was added to totals before hands: credits, for one."""
    _ended: list[HandResult] = field(default_factory=list[HandResult])
    ranks: tuple[str, ...] = ()
    """The hierarchy from a match before, best first."""
    taken: int = 0
    """Actions in the running hand."""

    def __post_init__(self) -> None:
        self.before = self.match

    @classmethod
    def random(cls, game: AnyGame, rng: Random) -> Self:
        """A match of this game with random options and people."""
        while True:
            options = random_options(game, rng)
            count = random_count(game, options, rng)
            if count is not None:
                ranks = rng.sample(NAMES[:count], rng.randint(1, count)) if rng.random() < CARRIED else ()
                return cls.of(Match.start(game, options, NAMES[:count]), rng, tuple(ranks))

    @classmethod
    def of(cls, match: Match, rng: Random, ranks: tuple[str, ...] = ()) -> Self:
        """A playout of this match, which has not begun, among people with these ranks from before."""
        start = {
            "format": record.FORMAT,
            "game": match.game.key,
            "options": match.options.to_json(),
            "players": list(match.seats),
        }
        return cls(match.ranked(ranks), rng, start=start, ranks=ranks)

    def record(self) -> dict[str, Any]:
        """Everything so far, as a record file has it: `format`, `game`, `options`, `players` and `hands`."""
        return {**self.start, "hands": self.elements}

    def results(self) -> list[HandResult]:
        """What the hands so far came to. The last may be told again by who goes after it."""
        last = self.match.last
        return [*self._ended, last] if last is not None else []

    # For who looks for more ------------------------------------------------------------------------------------------

    def deal(self) -> Deal:
        """The cards of the next hand."""
        pack = list(self.match.deck())
        self.rng.shuffle(pack)
        return self.match.deal(tuple(pack), self.rng.randrange(1 << 30))

    def choose(self, legal: list[tuple[str, Action]]) -> tuple[str, Action]:
        """One of these legal actions, the plainest first."""
        return self.rng.choice(legal)

    def look(self, events: tuple[Event, ...]) -> None:
        """Look at the position after each step of a hand, and at what the step told."""

    def look_back(self) -> None:
        """Look at what a hand came to."""

    # One hand --------------------------------------------------------------------------------------------------------

    def hand(self, *, come_and_go: bool = True, check: bool = True) -> None:
        """Play one hand to its end, people coming and going before it."""
        between = list(self._between()) if come_and_go and self.elements else []
        deal = self.deal()
        element = deal.to_json() | ({"between": between} if between else {})
        if self.ranks and not self.elements:
            element["ranks"] = list(self.ranks)
        actions: list[dict[str, Any]] = []
        self.elements.append(element | {"actions": actions})
        if self.match.last is not None:
            self._ended.append(self.match.last)
        self.entered += self.match.entered
        self.before, self.told, self.taken, self.dealt = self.match, [], 0, deal.cards
        self._go(self.match.begin(deal))
        began_with = Counter(self.match.game.whereabouts(self.match.the_hand))
        while self.match.running:
            if self.taken > MOST_ACTIONS:
                raise Broken("the hand does not end")
            if self.rng.random() < self.refusals:
                check_refusals(self.match, self.rng, self.refused)
            if self.rng.random() < self.costs:
                self.look_at_costs()
            by, action = self._chosen()
            if check and self.rng.random() < self.looks:
                self._check_legal_is_accepted()
                check_no_leak(self.match, self.told, by, action, self.rng)
                self.check_veil()
            actions.append(action_json(action, by))
            self.taken += 1
            self._go(self.match.act(by, action))
            if check:
                check_cards(self.match, began_with)
        if check:
            check_views(self.match)
        self.look_back()

    def _go(self, step: Step) -> None:
        self.match = step.match
        self.actions += 1
        self.told += step.events
        self.look(step.events)

    def _chosen(self) -> tuple[str, Action]:
        match, rng = self.match, self.rng
        extra = self._at_any_time() if rng.random() < 0.02 else None
        if extra is not None:
            return extra
        legal = list(islice(match.legal(), self.most))
        if not legal:
            raise Broken(f"nobody can act: {match.phase}, {match.to_act}")
        if rng.random() < BY_BOTS:
            eager = match.game.may_break_in(match.the_hand)
            by = rng.choice([*match.to_act, *eager])
            chosen = self._by_bot(by)
            if chosen is not None:
                return by, parse_action(chosen)
        plays = [one for one in legal if isinstance(one[1], Play)]
        if plays and self.taken > PATIENCE:
            # Who draws for every pass can go on for ever; people end such a hand, so these do too.
            by, action = max(plays, key=lambda one: len(cards_of(one[1])))
        else:
            by, action = self.choose(legal)
        return by, completed(match, by, action, rng)

    def _by_bot(self, by: str) -> dict[str, Any] | None:
        match, rng, told = self.match, self.rng, views.events_for(self.told, by)
        view = view_of(match, by, told, self.dealt.get(by, ()))
        if by not in match.to_act:
            return rng.choice(list(BREAKING_IN.values()))(view, rng)
        if rng.random() < THINKS:
            return search_bot.choose({**view, "veiled": veil(match, by, told)}, rng, SMALL)
        return BOTS[rng.choice([kind for kind in BOTS if kind not in THINKING])](view, rng)

    def _at_any_time(self) -> tuple[str, Action] | None:
        """Something that may be done now and waits for nobody, by somebody who may do it."""
        match, rng = self.match, self.rng
        anything: list[Action] = [*match.game.unlisted(match, match.hand), Obey(), Defy()]
        anything.append(Decree("Fetch the snacks", rng.choice([None, *match.hierarchy[-1:]])))
        for action in rng.sample(anything, len(anything)):
            for by in rng.sample(match.seats, len(match.seats)):
                asked = completed(match, by, action, rng)
                if type(action) in match.game.actions and accepts(match, by, asked):
                    return by, asked
        return None

    def _between(self) -> Iterator[dict[str, Any]]:
        """Some of what people do between hands; joining and leaving only as the next deal can bear it."""
        while self.rng.random() < 0.2:
            match, rng = self.match, self.rng
            away = [name for name in NAMES if name not in match.seats]
            tries: list[tuple[str, Action]] = [(rng.choice(match.seats), LeaveMatch())]
            tries += [(rng.choice(away), JoinMatch())] if away else []
            extra = self._at_any_time()
            tries += [extra] if extra is not None else []
            by, action = rng.choice(tries)
            try:
                step = match.between(by, action)
                step.match.game.check_players(step.match.options, len(step.match.seats), begun=True)
            except RuleError:
                continue
            if not step.match.over:
                self.match = step.match
                yield action_json(action, by)

    def look_at_costs(self) -> None:
        """Try what may be wrong here; `Dear` if a refusal costs too much. What else happens does not go by it."""
        for _ in refused(self.match, Random(self.actions), self.refused):
            pass

    def check_veil(self) -> None:
        """Look at what is veiled for somebody."""
        match, viewer = self.match, self.rng.choice(self.match.the_hand.seats)
        dealt = self.dealt.get(viewer, ())
        check_veil(match, self.told, match.game.saw(dealt), viewer, self.rng)
        check_job(match, self.told, dealt, viewer, self.rng)

    def _check_legal_is_accepted(self) -> None:
        for by, action in islice(self.match.legal(), self.most):
            if not accepts(self.match, by, completed(self.match, by, action, self.rng)):
                raise Broken(f"listed as legal, but refused: {by} {action_json(action)}")


def check_cards(match: Match, began_with: Counter[Card]) -> None:
    """`Broken` unless every card that the hand began with is in exactly one place.

    Outside climbing games some may be turned up and lie beside the game; there only too many are wrong.
    """
    there = Counter(match.game.whereabouts(match.the_hand))
    complete = there == began_with or not isinstance(match.hand, State)
    if there - began_with or not complete:
        raise Broken(f"cards lost {began_with - there}, cards too many {there - began_with}")


def check_views(match: Match) -> None:
    """`Broken` unless everybody sees their own cards, and the table how many everybody has."""
    table = views.table(match)
    for name in match.the_hand.seats:
        held = match.the_hand.cards.get(name, ())
        if views.seat(match, name)["cards"] != show(held):
            raise Broken(f"{name} does not see their own cards")
        if table["players"][name]["cards"] != len(held):
            raise Broken(f"the table miscounts the cards of {name}")
