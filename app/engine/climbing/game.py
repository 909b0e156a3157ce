"""What the climbing games answer alike at the seam to the match: deals, views, coming and going.

A game derives from `ClimbingGame`, declares its switches and says how a hand begins and what it leaves behind.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from app.engine.base.errors import RuleError
from app.engine.base.messages import Said, Sentence, both
from app.engine.base.options import Declared, Options
from app.engine.base.random_source import Dice
from app.engine.cards.actions import Action, Give, JoinMatch, LeaveMatch, Pass, Play
from app.engine.cards.cards import Card, Cards, in_words
from app.engine.cards.deal_order import DealOrder, from_left_of
from app.engine.climbing import choices, hidden_cards, view_keys
from app.engine.climbing.rule_hooks import HandState, Rules
from app.engine.climbing.view_keys import ClimbingOwn, ClimbingTable
from app.engine.display.events import JOINED, LEFT, Event
from app.engine.display.point_reasons import Unit, because
from app.engine.display.table_display import AtSeat, Face
from app.engine.match.context import AnySociety, Society
from app.engine.match.game import Decrees, Nothing, Told
from app.engine.match.hand import NO_SUCH_DEALER, Deal, Finish, HandStep, Unseen

from . import hand as loop
from .combinations import Combination
from .state import Laid, State, Trick

WAIT_FOR_THE_DEAL = Sentence("refused.wait_for_the_deal", "That belongs to a hand: wait for the deal.")
SO_MANY_CANNOT_PLAY = Sentence(
    "refused.so_many_cannot_play",
    "{name} with these rules is for {low} to {high} players, not {count}.",
)

DEALT_TO_EXACTLY = Sentence("record.dealt_to_exactly", "The deal gives cards to exactly these: {names}.")
NOT_SO_IN_THE_DECK = Sentence(
    "record.not_so_in_the_deck", "The card {card} is not in the deck, or dealt more often than the deck has it."
)


class ClimbingGame:
    """The common part of every climbing game."""

    key: str
    name: str
    sentence: str
    declared: Declared
    actions: frozenset[type] = frozenset({Play, Pass, Give, JoinMatch, LeaveMatch})
    decrees: Decrees | None = None
    unit: Unit = "points"

    # Each game says --------------------------------------------------------------------------------------------

    def players(self, options: Options, *, begun: bool = False) -> tuple[int, int]:
        """Fewest and most players, of a match that begins or of one that has."""
        raise NotImplementedError

    def deck(self, options: Options, count: int) -> Cards:
        """Every card of the game, in a fixed order."""
        raise NotImplementedError

    def worth(self, options: Options, card: Card) -> Any:
        """How good a card is at the start of a hand."""
        raise NotImplementedError

    def dealer(self, match: Society) -> str:
        """Who the rules say deals the next hand."""
        raise NotImplementedError

    def rules(self, options: Options) -> Rules:
        """The rules of a match with these options."""
        raise NotImplementedError

    def no_memory(self) -> object:
        """What the game keeps of a hand in which nothing has happened yet."""
        raise NotImplementedError

    def begin(self, match: Society, deal: Deal) -> HandStep[HandState]:
        """Start a hand with these cards."""
        raise NotImplementedError

    def finish(self, match: Society, hand: HandState) -> Finish:
        """What a hand that is over leaves behind."""
        raise NotImplementedError

    # Alike in all ----------------------------------------------------------------------------------------------

    def check_players(self, options: Options, count: int, *, begun: bool = False) -> None:
        """`bad_player_count` with a sentence if so many can't play."""
        low, high = self.players(options, begun=begun)
        if not low <= count <= high:
            raise RuleError(
                "bad_player_count",
                SO_MANY_CANNOT_PLAY(name=Said(self.name, f"game.{self.key}", {}), low=low, high=high, count=count),
            )

    def titles(self, match: Society) -> Mapping[str, str]:
        """The titles as the last hand left them, by name."""
        last = {} if match.last is None else match.last.titles
        return {name: last[name] for name in match.seats if name in last}

    def first_points(self, options: Options) -> int:
        """The credit everybody starts with."""
        return 0

    def pot(self, match: Society) -> int:
        """Nothing lies in a pot: there is none."""
        return 0

    def newcomer_points(self, match: Society) -> int:
        """What somebody begins with who was never here before and joins between hands."""
        return self.first_points(match.options)

    def sizes(self, match: Society, total: int) -> int:
        """How many cards are dealt out of so many; the rest is stock."""
        return total

    def deal(self, match: Society, pack: Cards, seed: int | None = None, dealer: str | None = None) -> Deal:
        """One card at a time, clockwise from the dealer's left."""
        dealer, seats = dealer or self.dealer(match), match.seats
        dealt = self.sizes(match, len(pack))
        order = from_left_of(dealer, seats)
        cards = {name: pack[place : dealt : len(order)] for place, name in enumerate(order)}
        return Deal(dealer, {name: cards[name] for name in seats}, pack[dealt:], seed)

    def deal_order(self, match: Society) -> DealOrder:
        """Clockwise from the dealer's left."""
        return DealOrder(from_left_of(self.dealer(match), match.seats))

    def check_deal(self, match: Society, deal: Deal) -> None:
        """`bad_record` unless everybody at the table has cards, of the deck, none more often than it has them."""
        if set(deal.cards) != set(match.seats) or not all(deal.cards.values()):
            raise RuleError("bad_record", DEALT_TO_EXACTLY(names=both(match.seats)))
        if deal.dealer not in match.seats:
            raise RuleError("bad_record", NO_SUCH_DEALER(name=deal.dealer))
        left = list(self.deck(match.options, len(match.seats)))
        for card in (*(card for cards in deal.cards.values() for card in cards), *deal.stock):
            if card not in left:
                raise RuleError("bad_record", NOT_SO_IN_THE_DECK(card=in_words((card,))))
            left.remove(card)

    def in_hand(
        self, options: Options, held: Cards, *, on: Combination | None = None, inverted: bool = False
    ) -> Iterable[Sequence[Combination]]:
        """What these cards have in them: each different choice of them that could be led, smallest first, as its
        readings. Lazily. For whoever plans with their own cards: neither turns nor what lies there play a part.

        `on`: what beats this, if it was led."""
        return next(self.in_hands(options, (held,), on=on, inverted=inverted))

    def in_hands(
        self, options: Options, hands: Iterable[Cards], *, on: Combination | None = None, inverted: bool = False
    ) -> Iterator[Iterable[Sequence[Combination]]]:
        """The same of several hands, one after the other: quicker than each by itself."""
        rules = self.rules(options)
        alone = State(
            rules=rules,
            seats=(_ANYBODY,),
            dealer=_ANYBODY,
            cards={},
            to_act=(_ANYBODY,),
            trick=Trick() if on is None else Trick.of(Laid(_ANYBODY, on, inverted=inverted)),
            inverted=inverted,
            opened=True,
            memory=self.no_memory(),
        )
        for held in hands:
            yield rules.found(alone.but(cards={_ANYBODY: held}), held)

    # Without a step between: each action asks these.
    legal, plays_of, apply = staticmethod(loop.legal), staticmethod(loop.plays_of), staticmethod(loop.apply)
    moving = staticmethod(view_keys.moving)

    def unlisted(self, match: Society, hand: HandState | None) -> tuple[Action, ...]:
        """Nothing: everything that may be done is listed."""
        return ()

    def is_quiet(self, hand: HandState) -> bool:
        """In a trick, where the rules leave whoever waits nothing to do, and nothing has to be chosen."""
        return hand.phase == "play" and hand.rules.rests and not hand.due

    def awaited(self, hand: HandState) -> tuple[str, ...]:
        """Return who is to act; where gifts are chosen unseen, every giver until they are given."""
        if hand.phase != "exchange" or hand.exchange is None:
            return hand.to_act
        choosing = hand.exchange.choosing()
        return (*choosing, *[name for name in hand.to_act if name not in choosing])

    def may_break_in(self, hand: HandState) -> tuple[str, ...]:
        """Who may be about to play out of turn."""
        return hand.rules.may_break_in(hand)

    def last_play(self, hand: HandState) -> Laid | None:
        """Return the play to beat."""
        return hand.table

    def standing(self, hand: HandState) -> tuple[str, ...]:
        """Who has which place so far, best first."""
        return hand.rules.standing(hand)

    def set_aside(self, hand: HandState) -> Cards:
        """Cards that nobody holds and nobody played: a stock, or piles not yet handed out."""
        return ()

    def whereabouts(self, hand: HandState) -> Cards:
        """Every card of the hand wherever it lies."""
        held = tuple([card for cards in hand.cards.values() for card in cards])
        return held + hand.pile + _on_table(hand) + self.set_aside(hand)

    def between(self, match: AnySociety, by: str, action: Action) -> tuple[AnySociety, tuple[Event, ...]]:
        """`join` at the right of the first seat and last in the hierarchy, or `leave`."""
        match action:
            case JoinMatch():
                return joined(match, by, match.seats, (*match.hierarchy, by), self.newcomer_points(match))
            case LeaveMatch():
                return left(match, by)
            case _:
                raise RuleError("not_in_this_phase", WAIT_FOR_THE_DEAL())

    def table(self, hand: HandState) -> ClimbingTable:
        """What everybody may know of the hand."""
        return view_keys.table(hand)

    def makes_table(self, hand: HandState) -> tuple[object, ...] | None:
        """In a trick, what stands above it: nothing there goes by the cards that are held, or played now."""
        return view_keys.makes_table(hand) if hand.phase == "play" else None

    def lasting(self, match: Society) -> Mapping[str, Any]:
        """Nothing: between hands the match says it all."""
        return Nothing()

    def own(self, hand: HandState, player: str) -> ClimbingOwn:
        """What only this player may know besides cards and legal actions: `owes` in an exchange."""
        return view_keys.own(hand, player)

    def open_to(self, hand: HandState, player: str) -> tuple[str, ...]:
        """Nobody shows anybody their cards."""
        return ()

    def saw(self, dealt: Cards) -> Cards:
        """None: who gives or swaps a card is told which, and piles may go elsewhere."""
        return ()

    def known_to(self, hand: HandState, player: str) -> HandState | None:
        """A hand without what the game itself keeps of it and this player can't know; None if that can't be drawn
        again."""
        return hand

    def unseen(self, match: Society, hand: HandState, player: str, told: Sequence[Told]) -> Unseen[HandState] | None:
        """In gifts and in tricks, but while something has to be chosen in mid-trick."""
        known = self.known_to(hand, player) if hand.phase in ("exchange", "play") and not hand.due else None
        if known is None or player not in hand.seats:
            return None
        deck = self.deck(match.options, len(hand.seats))
        return hidden_cards.of(known, player, hidden_cards.heard(told, player), deck, len(self.set_aside(hand)))

    def dealt_so(self, hand: HandState, held: Mapping[str, Cards], stock: Cards, pile: Cards, rng: Dice) -> HandState:
        """Gifts that others have chosen are chosen by chance."""
        return hidden_cards.dealt_so(hand, held, pile, rng)

    def ranked(self, match: AnySociety, ranks: tuple[str, ...]) -> AnySociety:
        """Unchanged: no hierarchy lasts from match to match."""
        return match

    def face(self, match: Society, hand: HandState | None) -> Face:
        """The trick, or in an exchange the gifts, and the signs of the rules."""
        return view_keys.face(hand)

    def at_seats(self, match: Society, hand: HandState | None, players: Collection[str]) -> Mapping[str, AtSeat]:
        """Who has passed, and who is out."""
        return view_keys.at_seats(hand, players)

    def state(self, hand: HandState) -> dict[str, Any]:
        """Return the record's `table`, with the call that binds now, and `passed`; and `choice` where something has to
        be chosen in mid-trick."""
        call = hand.rules.called(hand)
        table = None if hand.table is None else hand.table.to_json() | ({} if call is None else {"call": call})
        return {
            "table": table,
            "passed": [name for name in hand.seats if name in hand.trick.passed],
            **({} if (choice := choices.shown(hand)) is None else {"choice": choice}),
        }


_ANYBODY = "anybody"


def _on_table(hand: HandState) -> Cards:
    """Cards of the running trick (a finished one that waits to be cleared is in the pile already)."""
    if hand.rules.pauses(hand):
        return ()
    return tuple([card for laid in hand.trick.plays for card in laid.combination.cards])


NEWCOMERS_CREDIT = Sentence("ledger.newcomer", "The credit of a newcomer")


def joined(
    match: AnySociety, name: str, seats: tuple[str, ...], hierarchy: tuple[str, ...], points: int
) -> tuple[AnySociety, tuple[Event, ...]]:
    """Seat somebody at the right of the first seat, last in the list, and return the match and what is told.

    `hierarchy` has a newcomer in it, and `points` is their credit. A player who comes back keeps their points, and
    before the next deal their rank, too: nobody gets a better one by leaving for a moment.
    """
    hierarchy = _with_returning(match, name) or hierarchy
    totals: Mapping[str, int] = {**match.totals, name: match.totals.get(name, points)}
    credit = points if name not in match.totals else 0
    entered = (*match.entered, because(name, NEWCOMERS_CREDIT(), credit)) if credit else match.entered
    changed = match.but(
        seats=(*seats, name), hierarchy=hierarchy if match.hierarchy else (), totals=totals, entered=entered
    )
    return changed, (JOINED(name),)


def lowest_total(match: Society, start: int) -> int:
    """The lowest total of those who sit at the table, if that is less than the credit to start with."""
    return min([start, *(match.totals[name] for name in match.seats)])


def left(match: AnySociety, name: str) -> tuple[AnySociety, tuple[Event, ...]]:
    """Take somebody from the table; those below move up, and the points stay in the totals."""
    seats = tuple(other for other in match.seats if other != name)
    hierarchy = tuple(other for other in match.hierarchy if other != name)
    memory = {**match.memory, RANKS_SINCE: _with_absent(match)} if match.hierarchy else match.memory
    return match.but(seats=seats, hierarchy=hierarchy, memory=memory), (LEFT(name),)


RANKS_SINCE = "ranks"
"""What a match remembers until the next hand is over once somebody has left: the hierarchy with those who are away."""


def _with_absent(match: Society) -> list[str]:
    """Return the hierarchy with those who have left since the last hand, each below whom they were below."""
    ranks, before = list(match.hierarchy), match.memory.get(RANKS_SINCE, ())
    for at, name in enumerate(before):
        if name not in ranks:
            ranks.insert(ranks.index(before[at - 1]) + 1 if at else 0, name)
    return ranks


def _with_returning(match: Society, name: str) -> tuple[str, ...]:
    """Return the hierarchy with somebody who comes back before the next deal, or nothing if they don't."""
    if not match.hierarchy or name not in match.memory.get(RANKS_SINCE, ()):
        return ()
    return tuple(other for other in _with_absent(match) if other == name or other in match.hierarchy)


def with_ranks(game: ClimbingGame, match: AnySociety, ranks: tuple[str, ...]) -> AnySociety:
    """A match before its first hand, with the hierarchy from before: those who have a rank in its order, best first,
    the others as the game lets newcomers in. Seats and points stay."""
    known = tuple(name for name in ranks if name in match.seats)
    if not known:
        return match
    society = match.but(seats=tuple(name for name in match.seats if name in known), hierarchy=known)
    for name in match.seats:
        if name not in known:
            society, _ = game.between(society, name, JoinMatch())
    return society.but(seats=match.seats, totals=match.totals, entered=match.entered)
