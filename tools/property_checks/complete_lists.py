"""Check lists of legal actions in both directions: what is listed is accepted, and what is accepted is listed.

`check_lists` plays random matches with hands of at most `MAX_HELD` cards. At random positions it tries every choice of
each player's cards, with every name of a reading (`as`) and every call, and compares what is accepted with the list.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, combinations
from random import Random
from typing import ClassVar, TypeAlias

from app.arena.random_rules import PLAYER_NAMES
from app.engine.base.errors import RuleError
from app.engine.base.options import Options
from app.engine.cards.action_codec import action_to_json
from app.engine.cards.actions import Action, Discard, Give, Pass, Play, cards_in_action
from app.engine.cards.cards import RANKS, Card, Cards
from app.engine.display.events import GameEvent
from app.engine.games import GAMES
from app.engine.match import record
from app.engine.match.hand import Deal
from app.engine.match.match import Match

from .errors import PropertyViolation
from .playout import Playout
from .random_actions import complete_action

MAX_HELD = 9
"""Largest number of cards of a player: 511 choices."""
CHECKED_WAITING = 0.2
"""Probability of checking a player for whom nobody waits, too."""
CALLS = ("rank", "red", "black", "c", "d", "h", "s")
KINDS_NAMED = ("run", "run_of_pairs", "run_of_triples", "run_of_fours")
"""Kinds that `as` may name with a rank."""
_NAMES = (*RANKS, "X", *(f"{kind} {rank}" for kind in KINDS_NAMED for rank in RANKS))

DonePlay: TypeAlias = tuple[str, tuple[Card, ...], str, str, str]
"""What a play comes to: its player, cards, kind, rank and call. For other actions their name and cards."""


@dataclass
class ListStats:
    """Counts of what `check_lists` has compared."""

    positions: int = 0
    tried: int = 0
    """Number of actions that were tried."""
    listed: int = 0
    """Number of legal actions in the lists."""


@dataclass
class SmallHands(Playout):
    """A random match with few cards and few ranks, in which the lists of legal actions are checked."""

    stats: ListStats = field(default_factory=ListStats)
    max_listed_actions: int = 1000
    options_changed: ClassVar[tuple[int, ...]] = (2, 8, 30, 100)

    def next_deal(self) -> Deal:
        """Deal up to four players up to `MAX_HELD` cards each of close ranks, and a few cards to the others.

        If the rules refuse such a deal, all cards are dealt.
        """
        whole, rng = super().next_deal(), self.rng
        names = list(whole.cards)
        for _ in range(5):
            first, more = rng.randrange(len(names)), rng.randint(2, MAX_HELD)
            many = {names[(first + place) % len(names)]: more for place in range(4)}
            counts = {name: rng.randint(1, 3) for name in names} | many
            low, near = rng.randrange(len(RANKS)), list[Card]()
            for step in range(len(RANKS)):
                near += [card for card in self.match.deck() if card.rank == RANKS[(low + step) % len(RANKS)]]
                if len(near) >= len(many) * more:
                    break
            jokers = [card for card in self.match.deck() if card.is_joker]
            near = rng.sample([*near, *jokers], len(near) + len(jokers))
            others = list((Counter(self.match.deck()) - Counter(near)).elements())
            pack = [*near, *rng.sample(others, len(others))]
            held = dict[str, Cards]()
            for name in sorted(names, key=lambda name: -counts[name]):
                held[name], pack = tuple(pack[: counts[name]]), pack[counts[name] :]
            small = Deal(whole.dealer, {name: held[name] for name in names}, (), whole.seed)
            if self._can_begin(small):
                return small
        return whole

    def _can_begin(self, deal: Deal) -> bool:
        try:
            self.match.begin_hand(deal)
        except RuleError:
            return False
        return True

    def choose_action(self, legal: list[tuple[str, Action]]) -> tuple[str, Action]:
        """Choose a number of cards first: most legal plays are single cards, and a long play is rarely led."""
        sizes = sorted({len(cards_in_action(action)) for _, action in legal})
        size = self.rng.choice(sizes)
        return self.rng.choice([one for one in legal if len(cards_in_action(one[1])) == size])

    def on_step(self, events: tuple[GameEvent, ...]) -> None:
        """Compare the lists of a position in which players have few cards."""
        hand, rng = self.match.hand, self.rng
        if hand is None or hand.phase == "over" or max(map(len, hand.cards.values())) > MAX_HELD:
            return
        held = max(len(hand.cards[name]) for name in hand.to_act)
        if rng.random() < held / MAX_HELD:  # positions with few cards are many, and much alike
            self.stats.positions += 1
            waiting = rng.choices(hand.seats, k=int(rng.random() < CHECKED_WAITING))
            for by in dict.fromkeys((*hand.to_act, *waiting)):
                _check_list(self.match, by, rng, self.stats)


def check_lists(game: str, positions: int, seed: int, options: Options | None = None) -> ListStats:
    """Compare lists and accepted actions at this number of positions of a game, under random rules or `options`.

    Returns what was compared. Raises `PropertyViolation` with the position and its options if a list is wrong.
    """
    stats, number = ListStats(), seed
    while stats.positions < positions:
        if options is None:
            playout = SmallHands.random_match(GAMES[game], Random(number))
        else:
            names = PLAYER_NAMES[: GAMES[game].player_limits(options)[0]]
            playout = SmallHands.for_match(Match.start(GAMES[game], options, names), Random(number))
        playout.stats = stats
        for _ in range(3):
            if not playout.match.over and stats.positions < positions:
                playout.play_hand(check=False)
        number += 1
    return stats


def _check_list(match: Match, by: str, rng: Random, stats: ListStats) -> None:
    """Compare the actions that are listed for a player with those that are accepted; raise `PropertyViolation`."""
    listed = Counter[DonePlay]()
    offered = [action for _, action in match.legal_actions(by)]
    for action in offered:
        done = _result(match, by, complete_action(match, by, action, rng))
        if done is None:
            raise _wrong_list(match, by, action, "is listed and refused")
        listed[done] += 1
    accepted = dict[DonePlay, Action]()
    for action in _every_action(match, by, rng):
        stats.tried += 1
        done = _result(match, by, action)
        if done is not None:
            accepted.setdefault(done, action)
    stats.listed += len(offered)
    for done in (*accepted.keys() - listed.keys(), *(each for each, count in listed.items() if count > 1)):
        if done in accepted:
            raise _wrong_list(match, by, accepted[done], f"is listed {listed[done]} times")
    tried = (action for action in offered if isinstance(action, COMPARED) and not getattr(action, "to", ()))
    lost = [action for action in tried if _result(match, by, action) not in accepted]
    if lost:
        raise _wrong_list(match, by, lost[0], "is listed, but no choice of cards comes to it")
    _check_pass(match, by, accepted)


COMPARED = (Play, Give, Discard, Pass)
"""Types of actions of which every choice is tried."""


def _every_action(match: Match, by: str, rng: Random) -> Iterator[Action]:
    """Yield a pass and every choice of the player's cards as a play, a gift and a discard.

    Plays that are accepted are tried with all names of readings and all calls; a few others are, too.
    """
    hand, types = match.current_hand, match.game.actions
    yield Pass()
    held = hand.cards.get(by, ())
    choices = chain.from_iterable(combinations(held, size) for size in range(len(held) + 1))
    for cards in dict.fromkeys(tuple(sorted(some)) for some in choices):
        yield from (kind(cards) for kind in (Give, Discard) if kind in types)
        if hand.phase != "play" or not cards:
            continue
        # Named cards must be as good in any order.
        some: Cards = tuple(rng.sample(cards, len(cards)))
        yield Play(some)
        if _result(match, by, Play(some)) is not None:
            names = [None, *_NAMES] if len(cards) < MAX_HELD or rng.random() < 0.5 else [None]
            for name in names:
                if name is None or _result(match, by, Play(some, name)) is not None:
                    yield from (Play(some, name, call) for call in (None, *CALLS))
        elif rng.random() < 0.02:
            yield from (Play(some, name) for name in _NAMES)


def _result(match: Match, by: str, action: Action) -> DonePlay | None:
    """Return what an action comes to, or None if it is refused."""
    try:
        step = match.apply_action(by, action)
    except RuleError:
        return None
    if isinstance(action, Play):
        data = next(event.data for event in step.events if event.name == "played")
        return by, tuple(sorted(action.cards)), str(data["kind"]), str(data.get("as", "")), str(data.get("call", ""))
    fields = action_to_json(action)
    cards = fields.pop("cards", "") if isinstance(action, COMPARED) else ""
    return by, tuple(sorted(map(Card, cards.split()))), str(fields.pop("do")), str(fields), ""


def _check_pass(match: Match, by: str, accepted: dict[DonePlay, Action]) -> None:
    """Check that a player who has no play may pass, and that a leader or a player who must beat may not, with a play.

    Raises `PropertyViolation`. It asks what is accepted, never how the rules find it.
    """
    state = match.game.hand_state_to_json(match.current_hand)
    if match.phase != "play" or match.to_act != (by,) or state.get("choice"):
        return
    kinds = Counter(type(action) for action in accepted.values())
    plays, passes = kinds[Play], kinds[Pass]
    leads, must = state.get("table") is None, bool(match.options.to_json().get("must_beat"))
    waits = kinds.total() > plays + passes or any(not isinstance(one, COMPARED) for _, one in match.legal_actions(by))
    if plays and passes and (leads or must):
        raise _wrong_list(match, by, Pass(), "is accepted, though the player must play")
    if not plays and not passes and not waits:
        raise _wrong_list(match, by, Pass(), "is refused, though the player has no play")
    if not passes and not leads and not must and match.game.key == "president" and not waits:
        raise _wrong_list(match, by, Pass(), "is refused, though nobody must beat")


def _wrong_list(match: Match, by: str, action: Action, what: str) -> PropertyViolation:
    position = {"options": match.options.to_json(), **record.position_to_json(match)}
    return PropertyViolation(f"{match.game.key}: {action_to_json(action, by)} {what}: {position}")
