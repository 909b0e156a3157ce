"""Chase the Ace as a `Game`: how a deal begins, what it leaves behind, coming and going, and what may be seen."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from app.engine.base.errors import RuleError
from app.engine.base.messages import Said, Sentence
from app.engine.base.options import Declared, Options
from app.engine.base.random_source import Dice
from app.engine.cards.actions import Action, JoinMatch, Keep, LeaveMatch, Swap
from app.engine.cards.cards import Card, Cards, show
from app.engine.cards.deal_order import DealOrder
from app.engine.display.events import DEALT, Event, EventType
from app.engine.display.point_reasons import Reason
from app.engine.display.table_display import AtSeat, Face, OwnFace
from app.engine.games.chase_the_ace import hidden_cards, lives_and_pot, picture_cards, presets, society, trading, views
from app.engine.games.chase_the_ace.lives_and_pot import DECK, RANKS, Books
from app.engine.games.chase_the_ace.trading import Trading
from app.engine.games.chase_the_ace.views import AceBooks, AceTable
from app.engine.match.context import AnySociety, Society
from app.engine.match.game import Decrees, Nothing, Told
from app.engine.match.hand import Deal, Finish, HandResult, HandStep, Standing, Unseen

from .rules import AceRules, rules_of

DECLARED = Declared(
    sections=(lives_and_pot.LIVES, picture_cards.SECTION, lives_and_pot.POT, society.SECTION),
    presets=presets.PRESETS,
    zero_sum=lives_and_pot.ZERO_SUM,
    basics=presets.BASICS,
)


TURN_OF = Sentence("chase_the_ace.turn_of", "It is {turn}’s turn; each player acts once, from the dealer’s left.")
COME_AND_GO_BETWEEN_DEALS = Sentence(
    "chase_the_ace.come_and_go_between_deals",
    "People come and go between deals: wait until this one is over.",
)
SO_MANY_CANNOT_PLAY = Sentence(
    "chase_the_ace.so_many_cannot_play",
    "{name} is for {fewest} to {most} players, not for {count}.",
)

GAME_BEGUN = EventType("game_begun", "A new game: everybody pays in {stake} for {dimes} dimes.", anew="dimes")


class ChaseTheAce:
    """The game object: it has no state."""

    key = "chase_the_ace"
    name = "Chase the Ace"
    sentence = "One card each. Keep it or push it on; the lowest loses a life."
    also = "Ranter-Go-Round, Cuckoo, Coucou, Screw Your Neighbour, Screw Your Neighbor"
    declared = DECLARED
    unit = lives_and_pot.UNIT
    actions: frozenset[type] = frozenset({Keep, Swap, JoinMatch, LeaveMatch})
    decrees: Decrees | None = None

    def players(self, options: Options, *, begun: bool = False) -> tuple[int, int]:
        """Two to twenty may play."""
        return 2, 20

    def check_players(self, options: Options, count: int, *, begun: bool = False) -> None:
        """`bad_player_count` unless 2 to 20 are at the table."""
        fewest, most = self.players(options)
        if not fewest <= count <= most:
            raise RuleError(
                "bad_player_count",
                SO_MANY_CANNOT_PLAY(
                    name=Said(self.name, f"game.{self.key}", {}), fewest=fewest, most=most, count=count
                ),
            )

    def titles(self, match: Society) -> Mapping[str, str]:
        """Nobody has a title: nobody is above anybody."""
        return {}

    def deck(self, options: Options, count: int) -> Cards:
        """One pack, from the aces."""
        return DECK

    def worth(self, options: Options, card: Card) -> int:
        """From the ace up; suits don't matter."""
        return RANKS.index(card.rank)

    def first_points(self, options: Options) -> int:
        """Nothing: stakes are entered when a game begins."""
        return 0

    def pot(self, match: Society) -> int:
        """What the winner of the game that runs will get, or what was carried into the next."""
        return Books.read(match.memory).pot

    def ranked(self, match: AnySociety, ranks: tuple[str, ...]) -> AnySociety:
        """Return it unchanged: there is no hierarchy."""
        return match

    def dealer(self, match: Society) -> str:
        """The next to the left of the last dealer: in a running game of those still in, for a new one of all."""
        books = Books.read(match.memory)
        return society.from_left_of(books.after, match.seats, society.playing_next(books, match.seats))[0]

    def deal(self, match: Society, pack: Cards, seed: int | None = None, dealer: str | None = None) -> Deal:
        """A card each, from the dealer's left."""
        dealer = dealer or self.dealer(match)
        order = society.from_left_of(dealer, match.seats, society.playing_next(Books.read(match.memory), match.seats))
        return Deal(dealer, {name: (card,) for name, card in zip(order, pack, strict=False)}, pack[len(order) :], seed)

    def deal_order(self, match: Society) -> DealOrder:
        """From the dealer's left, among those who still play."""
        playing = society.playing_next(Books.read(match.memory), match.seats)
        return DealOrder(society.from_left_of(self.dealer(match), match.seats, playing))

    def begin(self, match: Society, deal: Deal) -> HandStep[Trading]:
        """Pay the stakes if a new game begins, and see whether a king ends the deal before it began."""
        rules, books, seats = rules_of(match.options), Books.read(match.memory), match.seats
        playing = society.playing_next(books, seats)
        society.check_deal(deal, playing)
        reasons, events = tuple[Reason, ...](), tuple[Event, ...]()
        if books.decided:
            books, stake = books.open_game(seats, rules.dimes)
            reasons = lives_and_pot.stakes_paid(seats, stake)
            events = (GAME_BEGUN(None, dimes=rules.dimes, stake=stake, pot=books.pot),)
        hand = Trading(
            rules=rules,
            seats=seats,
            order=society.from_left_of(deal.dealer, seats, playing),
            cards={name: deal.cards[name] for name in playing},
            stock=deal.stock,
            books=books,
            reasons=reasons,
            seed=deal.seed,
            standing=lives_and_pot.standing(*books.fallen),
        )
        step = trading.opened(hand)
        return HandStep(step.hand, (*events, DEALT(deal.dealer), *step.events))

    def legal(self, hand: Trading, by: str | None = None) -> Iterator[tuple[str, Action]]:
        """One may keep, and nearly always swap."""
        for name in hand.to_act if by is None else {by}.intersection(hand.to_act):
            yield name, Keep()
            if trading.may_swap(hand):
                yield name, Swap()

    def unlisted(self, match: Society, hand: Trading | None) -> tuple[Action, ...]:
        """Nothing: everything that may be done is listed."""
        return ()

    def is_quiet(self, hand: Trading) -> bool:
        """Never, as far as anybody need know: deals are short."""
        return False

    def awaited(self, hand: Trading) -> tuple[str, ...]:
        """Return who is to act."""
        return hand.to_act

    def may_break_in(self, hand: Trading) -> tuple[str, ...]:
        """Nobody: who is not to act waits."""
        return ()

    def last_play(self, hand: Trading) -> None:
        """Nothing: cards are not played here."""

    def plays_of(self, hand: Trading, by: str, cards: Cards) -> Iterator[Action]:
        """Cards are not played here."""
        return iter(())

    def apply(self, hand: Trading, by: str, action: Action) -> HandStep[Trading]:
        """The one action of whoever's turn it is."""
        if not isinstance(action, Keep | Swap):
            raise RuleError("not_in_this_phase", COME_AND_GO_BETWEEN_DEALS())
        if by not in hand.to_act:
            turn = hand.to_act[0]
            raise RuleError("not_your_turn", TURN_OF(turn=turn))
        return trading.keep(hand) if isinstance(action, Keep) else trading.swap(hand)

    def finish(self, match: Society, hand: Trading) -> Finish:
        """A deal leaves its books; the match itself goes on until the table stops."""
        result = HandResult.of(
            hand.dealer, hand.standing, {}, hand.seats, hand.reasons, lives_and_pot.UNIT, goes_on=not hand.books.decided
        )
        return Finish(result, match.seats, (), memory=hand.books.to_json())

    def between(self, match: AnySociety, by: str, action: Action) -> tuple[AnySociety, tuple[Event, ...]]:
        """Newcomers sit down at the right of the first seat, and who goes gives up their dimes."""
        return society.between(match, by, action)

    def standing(self, hand: Trading) -> Standing:
        """Who is out of the game so far; of one that is decided, everybody."""
        return hand.standing

    def whereabouts(self, hand: Trading) -> Cards:
        """Cards held and in the stock; those that were cut lie open and count no more."""
        return tuple([card for cards in hand.cards.values() for card in cards]) + hand.stock

    def table(self, hand: Trading) -> AceTable:
        """Everything but the cards that are still hidden."""
        return views.table(hand)

    def moving(self, hand: Trading) -> Nothing:
        """There is little on this table, and all of it may change."""
        return Nothing()

    def makes_table(self, hand: Trading) -> None:
        """So it is made anew."""

    def lasting(self, match: Society) -> AceBooks:
        """Dimes and pot, as the last deal left them."""
        return views.lasting(match)

    def own(self, hand: Trading, player: str) -> OwnFace:
        """What to choose, and with whom a swap would be."""
        return views.own(hand, player)

    def face(self, match: Society, hand: Trading | None) -> Face:
        """The stock and the pot, and the dimes as a result tells of them."""
        return views.face(match, hand)

    def at_seats(self, match: Society, hand: Trading | None, players: Collection[str]) -> Mapping[str, AtSeat]:
        """Dimes, and the card that lies before somebody, face up or down."""
        return {player: views.at_seat(match, hand, player) for player in players}

    def open_to(self, hand: Trading, player: str) -> tuple[str, ...]:
        """Nobody shows anybody their cards."""
        return ()

    def rules(self, options: Options) -> AceRules:
        """Made once for each set of options."""
        return rules_of(options)

    def saw(self, dealt: Cards) -> Cards:
        """The first card: a swap tells who got it, not which it was."""
        return dealt

    def unseen(self, match: Society, hand: Trading, player: str, told: Sequence[Told]) -> Unseen[Trading] | None:
        """Somebody who swapped knows where their card is."""
        return hidden_cards.of(hand, player, told) if player in hand.cards and hand.phase == "play" else None

    def dealt_so(self, hand: Trading, held: Mapping[str, Cards], stock: Cards, pile: Cards, rng: Dice) -> Trading:
        """Ties are cut for by chance."""
        return hand.but(cards={**hand.cards, **held}, stock=stock, seed=rng.getrandbits(30))

    def state(self, hand: Trading) -> dict[str, Any]:
        """`dimes` by name, the `pot`, and the cards that lie face up, `shown`."""
        return {
            "dimes": dict(hand.books.dimes),
            "pot": hand.books.pot,
            "shown": {name: show((card,)) for name, card in hand.shown.items()},
        }
