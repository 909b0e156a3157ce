"""Chase the Ace as a `Game`: start and results of a deal, joining and leaving, and views."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.base.options import Options, OptionSchema
from app.engine.base.random_source import RandomSource
from app.engine.cards.actions import Action, JoinMatch, Keep, LeaveMatch, Swap
from app.engine.cards.cards import Card, Cards, format_cards
from app.engine.cards.deal_order import DealOrder
from app.engine.display.events import DEALT, GameEvent, GameEventType
from app.engine.display.point_reasons import PointReason
from app.engine.display.table_display import AtSeat, Face, Felt, OwnFace
from app.engine.games.chase_the_ace import hidden_cards, lives_and_pot, picture_cards, presets, society, trading, views
from app.engine.games.chase_the_ace.lives_and_pot import DECK, RANKS, LivesAndPot
from app.engine.games.chase_the_ace.trading import AceHand
from app.engine.games.chase_the_ace.views import AceTableView, LivesAndPotView
from app.engine.match.context import AnySociety, MatchContext
from app.engine.match.game import DecreeRules, Nothing, SeatEvent
from app.engine.match.hand import Deal, HandConclusion, HandKnowledge, HandResult, HandTransition, Standing

from .questions import QUESTIONS
from .rules import AceRules, rules_of
from .short_rules import SHORT_RULES

DECLARED = OptionSchema(
    sections=(lives_and_pot.LIVES, picture_cards.SECTION, lives_and_pot.POT, society.SECTION),
    presets=presets.PRESETS,
    zero_sum=lives_and_pot.ZERO_SUM,
    short_rules=SHORT_RULES,
    basics=presets.BASICS,
    questions=QUESTIONS,
    source="pagat.com",
)


TURN_OF = MessageTemplate("chase_the_ace.turn_of", "It is {turn}’s turn. Each player acts once per hand.")
COME_AND_GO_BETWEEN_DEALS = MessageTemplate(
    "chase_the_ace.come_and_go_between_deals",
    "Wait until this hand is over to join or leave.",
)
SO_MANY_CANNOT_PLAY = MessageTemplate(
    "chase_the_ace.so_many_cannot_play",
    "{name} is for {fewest} to {most} players, not for {count}.",
)

GAME_BEGUN = GameEventType(
    "game_begun",
    "A new game starts. Dimes (lives) of each player: {dimes}. Points that each player pays: {stake}.",
    anew="dimes",
)


BEGINS = GameEventType("begins", "{by} begins.", you="You begin.", tone="quiet")
"""Announced before the deal (`Game.next_hand_events`)."""


class ChaseTheAce:
    """The game object of Chase the Ace: its options, deals, actions, results and views. It holds no state."""

    key = "chase_the_ace"
    name = "Chase the Ace"
    sentence = "One card each: keep it or swap it. The lowest card loses a life."
    also = "Ranter-Go-Round, Cuckoo, Coucou, Screw Your Neighbour, Screw Your Neighbor"
    felt: Felt = "slate"
    option_schema = DECLARED
    unit = lives_and_pot.UNIT
    actions: frozenset[type] = frozenset({Keep, Swap, JoinMatch, LeaveMatch})

    def decree_rules(self, options: Options) -> DecreeRules | None:
        """Return None: Chase the Ace has no decrees."""
        return None

    def player_limits(self, options: Options, *, begun: bool = False) -> tuple[int, int]:
        """Return the limits of players in Chase the Ace: always two to twenty."""
        return 2, 20

    def check_players(self, options: Options, count: int, *, begun: bool = False) -> None:
        """Raise `RuleError` (`bad_player_count`) unless `count` is a number of players for Chase the Ace: 2 to 20."""
        fewest, most = self.player_limits(options)
        if not fewest <= count <= most:
            raise RuleError(
                "bad_player_count",
                SO_MANY_CANNOT_PLAY(
                    name=TranslatableMessage(self.name, f"game.{self.key}", {}), fewest=fewest, most=most, count=count
                ),
            )

    def titles(self, match: MatchContext) -> Mapping[str, str]:
        """Return {}: players have no titles in Chase the Ace."""
        return {}

    def deck(self, options: Options, count: int) -> Cards:
        """Return the deck of Chase the Ace: 52 cards, from the aces up, for any number of players."""
        return DECK

    def card_value(self, options: Options, card: Card) -> int:
        """Return the position of the card's rank from the ace (lowest) up, to measure the luck of a deal.

        Suits do not matter in Chase the Ace.
        """
        return RANKS.index(card.rank)

    def starting_credit(self, options: Options) -> int:
        """Return 0, the points with which a player starts: in Chase the Ace, stakes are paid when a game begins."""
        return 0

    def pot(self, match: MatchContext) -> int:
        """Return the points in the pot of the current game of Chase the Ace, or carried into the next."""
        return LivesAndPot.from_memory(match.memory).pot

    def with_previous_hierarchy(self, match: AnySociety, ranks: tuple[str, ...]) -> AnySociety:
        """Return the match unchanged, since Chase the Ace has no hierarchy that could carry over to a new match."""
        return match

    def next_dealer(self, match: MatchContext) -> str:
        """Return who deals the next hand of Chase the Ace: the player at the left of the last dealer.

        Players out of the game are passed over, unless a new game begins.
        """
        balance = LivesAndPot.from_memory(match.memory)
        return society.players_from_left_of(
            balance.after, match.seats, society.players_in_next_deal(balance, match.seats)
        )[0]

    def next_hand_events(self, match: MatchContext) -> tuple[GameEvent, ...]:
        """Return who keeps or swaps first in the next hand of Chase the Ace, as an event."""
        return (BEGINS(self.deal_order(match).seats[0]),) if match.seats else ()

    def deal_cards(self, match: MatchContext, pack: Cards, seed: int | None = None, dealer: str | None = None) -> Deal:
        """Deal a hand of Chase the Ace: one card each, from the dealer's left, and return the deal.

        Only players still in the game get a card, or all for a new game. The rest of the deck is the stock.
        """
        dealer = dealer or self.next_dealer(match)
        order = society.players_from_left_of(
            dealer, match.seats, society.players_in_next_deal(LivesAndPot.from_memory(match.memory), match.seats)
        )
        return Deal(dealer, {name: (card,) for name, card in zip(order, pack, strict=False)}, pack[len(order) :], seed)

    def deal_order(self, match: MatchContext) -> DealOrder:
        """Return the order of the next deal: from the dealer's left, among players still in the game."""
        playing = society.players_in_next_deal(LivesAndPot.from_memory(match.memory), match.seats)
        return DealOrder(society.players_from_left_of(self.next_dealer(match), match.seats, playing))

    def begin_hand(self, match: MatchContext, deal: Deal) -> HandTransition[AceHand]:
        """Start a hand of Chase the Ace with this deal; return it with its events.

        Stakes are paid if a new game begins. By an option, a king that was dealt ends the hand at once. Raises
        `RuleError` for an impossible deal.
        """
        rules, balance, seats = rules_of(match.options), LivesAndPot.from_memory(match.memory), match.seats
        playing = society.players_in_next_deal(balance, seats)
        society.check_deal(deal, playing)
        reasons, events = tuple[PointReason, ...](), tuple[GameEvent, ...]()
        if balance.decided:
            balance, stake = balance.start_game(seats, rules.starting_dimes)
            reasons = lives_and_pot.stake_reasons(seats, stake)
            events = (GAME_BEGUN(None, dimes=rules.starting_dimes, stake=stake, pot=balance.pot),)
        hand = AceHand(
            rules=rules,
            seats=seats,
            order=society.players_from_left_of(deal.dealer, seats, playing),
            cards={name: deal.cards[name] for name in playing},
            stock=deal.stock,
            balance=balance,
            reasons=reasons,
            seed=deal.seed,
            standing=lives_and_pot.build_standing(*balance.fallen),
        )
        step = trading.open_deal(hand)
        return HandTransition(step.hand, (*events, DEALT(deal.dealer), *step.events))

    def legal_actions(self, hand: AceHand, by: str | None = None) -> Iterator[tuple[str, Action]]:
        """Yield the legal actions of the player to act: keep the card, and swap it.

        A dealer can't swap if the stock is empty. Other players have no legal action.
        """
        for name in hand.to_act if by is None else {by}.intersection(hand.to_act):
            yield name, Keep()
            if trading.can_swap(hand):
                yield name, Swap()

    def off_turn_actions(self, match: MatchContext, hand: AceHand | None) -> tuple[Action, ...]:
        """Return (): in Chase the Ace waiting players have only the legal actions."""
        return ()

    def are_waiting_players_idle(self, hand: AceHand) -> bool:
        """Return False: waiting players' views are always updated, as hands of Chase the Ace are short anyway."""
        return False

    def awaited_players(self, hand: AceHand) -> tuple[str, ...]:
        """Return the player to act, as a tuple; empty once the hand is over."""
        return hand.to_act

    def possible_interrupters(self, hand: AceHand) -> tuple[str, ...]:
        """Return (): nobody can act out of turn in Chase the Ace."""
        return ()

    def last_play(self, hand: AceHand) -> None:
        """Return None: no cards are played on others in Chase the Ace."""

    def legal_plays_of_cards(self, hand: AceHand, by: str, cards: Cards) -> Iterator[Action]:
        """Yield nothing: no cards are played on others in Chase the Ace."""
        return iter(())

    def apply_action(self, hand: AceHand, by: str, action: Action, *, stored: bool = False) -> HandTransition[AceHand]:
        """Return the hand of Chase the Ace after the player to act keeps or swaps their card, and the events.

        Other actions and players raise `RuleError`.
        """
        if not isinstance(action, Keep | Swap):
            raise RuleError("not_in_this_phase", COME_AND_GO_BETWEEN_DEALS())
        if by not in hand.to_act:
            turn = hand.to_act[0]
            raise RuleError("not_your_turn", TURN_OF(turn=turn))
        return trading.keep_card(hand) if isinstance(action, Keep) else trading.swap_or_cut(hand)

    def finish_hand(self, match: MatchContext, hand: AceHand) -> HandConclusion:
        """Return the results of a finished hand of Chase the Ace; the match itself never ends.

        A game goes on over several hands until one player has dimes (lives) left.
        """
        result = HandResult.from_reasons(
            hand.dealer,
            hand.standing,
            {},
            hand.seats,
            hand.reasons,
            lives_and_pot.UNIT,
            goes_on=not hand.balance.decided,
        )
        return HandConclusion(result, match.seats, (), memory=hand.balance.to_json())

    def apply_between_hands(
        self, match: AnySociety, by: str, action: Action
    ) -> tuple[AnySociety, tuple[GameEvent, ...]]:
        """Return a match of Chase the Ace after a player joined or left between hands, and the events.

        A newcomer sits at the right of the first seat. The dimes of a leaver go to the pot.
        """
        return society.apply_action_between_deals(match, by, action)

    def standing(self, hand: AceHand) -> Standing:
        """Return the players who are out of the game of Chase the Ace so far; all players once it is decided.

        Players in an inner tuple share a place.
        """
        return hand.standing

    def all_cards(self, hand: AceHand) -> Cards:
        """Return the held cards and the stock; cards that were cut and shown are left out.

        Checks use it to see that no card is lost.
        """
        return tuple([card for cards in hand.cards.values() for card in cards]) + hand.stock

    def table_view(self, hand: AceHand) -> AceTableView:
        """Return the public view of a hand of Chase the Ace: everything but hidden cards."""
        return views.build_table_view(hand)

    def volatile_table_view(self, hand: AceHand) -> Nothing:
        """Return an empty view: the public view of Chase the Ace is small, so no part of it is sent separately."""
        return Nothing()

    def table_cache_key(self, hand: AceHand) -> None:
        """Return None: the public view of Chase the Ace is built each time, not taken from a cache."""

    def between_hands_view(self, match: MatchContext) -> LivesAndPotView:
        """Return, for the public view between hands, each player's dimes (lives) and the pot; empty before the first.

        Players who left since the last hand have changed them.
        """
        return views.build_lives_and_pot_view(match)

    def private_view(self, hand: AceHand, player: str) -> OwnFace:
        """Return the question and the label of the swap button for the player to act in Chase the Ace.

        The label names the neighbour, or the stock for the dealer. Empty for others. It has no cards.
        """
        return views.build_own_view(hand, player)

    def table_display(self, match: MatchContext, hand: AceHand | None) -> Face:
        """Return what the middle of the table shows in Chase the Ace: stock and pot, and the tally of dimes (lives)."""
        return views.build_face_view(match, hand)

    def seat_displays(
        self, match: MatchContext, hand: AceHand | None, players: Collection[str]
    ) -> Mapping[str, AtSeat]:
        """Return what is shown at each seat in Chase the Ace: dimes (lives), and the player's card, face up or down."""
        return {player: views.build_seat_view(match, hand, player) for player in players}

    def players_showing_cards_to(self, hand: AceHand, player: str) -> tuple[str, ...]:
        """Return (): no player shows their cards to only one other in Chase the Ace."""
        return ()

    def build_rules(self, options: Options) -> AceRules:
        """Return the rules of Chase the Ace for these options, from a cache."""
        return rules_of(options)

    def cards_seen_at_deal(self, dealt: Cards) -> Cards:
        """Return the player's first card, which a player of Chase the Ace may be shown after a swap, too.

        The event of a swap does not name the card given away.
        """
        return dealt

    def build_hand_knowledge(
        self, match: MatchContext, hand: AceHand, player: str, events: Sequence[SeatEvent]
    ) -> HandKnowledge[AceHand] | None:
        """Return what a player knows of the hidden cards in Chase the Ace, for bots that search.

        A player who swapped knows where their old card is. None for a spectator and after the hand.
        """
        return (
            hidden_cards.build_unseen(hand, player, events) if player in hand.cards and hand.phase == "play" else None
        )

    def fill_hidden_cards(
        self, hand: AceHand, held: Mapping[str, Cards], stock: Cards, pile: Cards, rng: RandomSource
    ) -> AceHand:
        """Return a hand of Chase the Ace as it might be, with these cards and a random seed for cuts.

        Bots that search sample deals with it.
        """
        return hand.replace(cards={**hand.cards, **held}, stock=stock, seed=rng.getrandbits(30))

    def hand_state_to_json(self, hand: AceHand) -> dict[str, Any]:
        """Return the state of the hand for records, as JSON.

        Keys: `dimes` (lives, by player), `pot`, and `shown` (the cards that lie face up).
        """
        return {
            "dimes": dict(hand.balance.dimes),
            "pot": hand.balance.pot,
            "shown": {name: format_cards((card,)) for name, card in hand.face_up_card_by_player.items()},
        }
