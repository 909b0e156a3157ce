"""The interface between the game loop and a game's rules.

`ClimbingRules` implements the simplest climbing game: no special cards, passing is always allowed except for the
leader, and the hand ends when only one player has cards. A game overrides what differs. Neither the loop nor this
file refers to a game's options. docs/hooks.md lists all methods, with a game that overrides each.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TypeAlias, final

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.cards.actions import Action, Give
from app.engine.cards.cards import RANKS, Card, Cards, build_deck
from app.engine.climbing.combinations import KIND_OF_SET, SINGLE, Combination
from app.engine.climbing.effects import Effect, EndTrick
from app.engine.climbing.exchange import Exchange
from app.engine.climbing.state import ClimbingHand, PlayedCombination
from app.engine.climbing.suggestion_data import KindSuggestion, Suggestion
from app.engine.display.events import GameEventType
from app.engine.display.table_display import Badge, OwnFace, Panel, player_display
from app.engine.match.hand import HandTransition

HandState: TypeAlias = ClimbingHand["ClimbingRules"]
"""One hand together with its rules."""


NOTHING_TO_CALL = MessageTemplate("refused.nothing_to_call", "You can’t call anything here. Play without a call.")
LEADERS_PLAY = MessageTemplate("refused.leaders_play", "You lead, so you can’t pass.")
TURN_OF = MessageTemplate("refused.turn_of", "It is {turn}’s turn.")
NOTHING_BEATS = MessageTemplate("could.nothing_beats", "Nothing beats that.")
ONE_CARD = MessageTemplate("what.one_card", "one card")
OF_ONE_RANK = MessageTemplate("what.of_one_rank", "cards of one rank")
INVERTED = MessageTemplate("sign.inverted", "Revolution: low beats high")
TURNED = MessageTemplate("sign.turned", "Until the trick ends: low beats high")
TURNED_BACK = MessageTemplate("sign.turned_back", "Until the trick ends: high beats low")
REVERSED = MessageTemplate("sign.reversed", "Reversed: play goes anticlockwise")
ANTICLOCKWISE = MessageTemplate("sign.anticlockwise", "Anticlockwise")
LEAD_PASSED = GameEventType(
    "lead_passed",
    "{by} has nothing to lead, so {leads} leads.",
    you="You have nothing to lead, so {leads} leads.",
    leads_you="{by} has nothing to lead, so you lead.",
)
BAN_LIFTED = GameEventType("ban_lifted", "Every player had to pass, so all last plays are allowed in this hand.")
LAST_CARDS = GameEventType(
    "last_cards",
    {"one": "{by} has one card left!", "other": "{by} has {count} cards left!"},
    you={"one": "You have one card left!", "other": "You have {count} cards left!"},
    stood_out="last cards",
    highlighted=False,
)
LIABLE = GameEventType(
    "liable",
    "{by} let the winner finish, and pays for all.",
    you="You let the winner finish, and pay for all.",
    stood_out="liable",
)
BOMB_DROPPED = GameEventType(
    "bomb", "{by} drops a bomb!", you="You drop a bomb!", tone="great", stood_out="bomb", celebrated="blast"
)
NOT_NOW = MessageTemplate("refused.not_now", "You can’t do that now.")


def standing_by_cards_left(hand: HandState) -> tuple[str, ...]:
    """Return the players who are out, in order; once the hand is over, then the others by fewest cards.

    Among equals, the player nearer to the winner in the direction of play is first.
    """
    if hand.phase != "over":
        return hand.out
    near = [name for name in hand.others_in_play_order(hand.out[0]) if name not in hand.out]
    return (*hand.out, *sorted(near, key=lambda name: len(hand.cards[name])))


def next_player_about_to_win(hand: HandState, by: str) -> str | None:
    """Return the next player after `by` who has cards, if they have exactly one card left; else None.

    In some games that player's possible win limits what `by` may do.
    """
    following = hand.next_player_with_cards(by)
    return following if following is not None and len(hand.cards[following]) == 1 else None


class ClimbingRules:
    """The rules of one match of a climbing game, derived once from its options; the game loop asks it each question.

    It holds no state of a hand, and its methods are the defaults that games override. Fields named `…_rule` are ids of
    rules for error messages, or None.
    """

    pass_bars_player: bool = False
    """Whether a player who passes may not act again in the trick."""
    barring_rule: str | None = None
    """The id of the rule by which a pass bars a player."""
    barred_may_interrupt: bool = False
    """Whether a player barred by a pass may still play out of turn."""
    low_card_rule: str | None = None
    """The id of the rule by which the first lead must contain the low card."""
    call_rule: str | None = None
    """The id of the rule about calls; None if nothing can be called."""
    interruption_rule: str | None = None
    """The id of the rule about plays out of turn; None if they are never allowed."""
    direction_is_fixed: bool = False
    """Whether no play can reverse the direction. Anticlockwise play is then usual."""
    keeps_pile: bool = False
    """Whether the cards of finished tricks stay visible."""
    single_round_tricks: bool = False
    """Whether each player has only one turn in a trick."""
    can_refuse_plays: bool = False
    """Whether `play_refusal` can ever refuse a play."""
    by_cards: bool = True
    """Whether the legal answers to a play depend only on the cards and on whether ranks are inverted."""
    by_worth: bool = False
    """Whether a single card beats another exactly if its value is higher."""
    can_end_tricks: bool = False
    """Whether `trick_ending_effect` can ever end a trick."""
    suits_count: bool = False
    """Whether cards of the same rank may beat, or be beaten by, different cards."""
    strong: str = ""
    """Cards that are worth more than their rank, since they beat higher ones by a special power."""
    waiting_players_idle: bool = False
    """Whether waiting players have no legal actions in a trick and no private view apart from their cards."""

    # What the loop asks ------------------------------------------------------------------------------------

    def exchange_value(self, card: Card) -> float:
        """Return how good a card is in an exchange: higher is better; among equal cards the giver chooses."""
        raise NotImplementedError

    @final
    def card_sort_key(self, card: Card) -> tuple[float, Card]:
        """Return the key by which a player's cards are sorted, for display and for repeatable results."""
        return (self.exchange_value(card), card)

    def ranks_low_to_high(self, hand: HandState) -> str:
        """Return the natural ranks in their current order, from low to high, as shown to players and used by bots."""
        return RANKS

    def suits_low_to_high(self, hand: HandState) -> str:
        """Return the suits from low to high if they decide between cards of one rank; else an empty text."""
        return ""

    def single_card_order(self, hand: HandState) -> Sequence[str]:
        """Return ranks and cards from low to high, as single cards beat each other now; equal ones in one element."""
        return tuple(self.ranks_low_to_high(hand))

    def special_cards(self, hand: HandState) -> Sequence[str]:
        """Return ranks and cards that mean more than their place in the order says: none by default."""
        return ()

    def wild_ranks(self) -> str:
        """Return the ranks whose cards are wild (may stand for other cards): none, unless the game has them."""
        return ""

    def equivalence_key(self, card: Card) -> Hashable:
        """Return a key that is equal for cards that beat, and are beaten by, the same single cards.

        A caller that goes through a whole deck looks at only one of such cards. By default each card has its own key.
        """
        return card

    def deck(self) -> Cards:
        """Return every card of the game under these rules: one deck of 52 by default."""
        return build_deck()

    def deck_ranks(self) -> str:
        """Return the ranks of the game's deck without jokers, low to high at the start of a hand."""
        return RANKS

    def readings(self, hand: HandState, cards: Cards) -> Sequence[Combination]:
        """Return every combination that these cards may be read as in this hand, strongest first.

        With wild cards there may be several. The result is empty if they form no combination. Whether it beats the
        table is not checked.
        """
        raise NotImplementedError

    def playable_combinations(self, hand: HandState, held: Cards) -> Iterable[Sequence[Combination]]:
        """Yield the choices from the held cards that the player to act may lead, or that beat the table.

        Each different choice of cards is given by its playable readings, strongest first; small choices come first.
        Results are lazy, since some hands have very many. A reading is one way to count cards as a combination.
        """
        raise NotImplementedError

    def beats(self, hand: HandState, by: str, combination: Combination) -> bool:
        """Return whether a combination beats the one on the table. Call it only if there is one.

        By default it must have the same kind and number of cards, and be stronger.
        """
        table = hand.play_to_beat
        assert table is not None
        on = table.combination
        same = combination.kind == on.kind and combination.size == on.size
        return same and combination.strength > on.strength

    def required_lead_card(self, hand: HandState, by: str) -> Card | None:
        """Return the card that this player's lead must contain, usually the lowest card of the deal.

        None (the default) if any lead is allowed.
        """
        return None

    def play_refusal(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        """Return why a combination that leads or beats is forbidden all the same; None if it is allowed.

        None by default. Games with rules on last cards override it and set `can_refuse_plays`, else it is never asked.
        """
        return None

    def may_refuse(self, hand: HandState, by: str, size: int) -> bool:
        """Return whether `play_refusal` may refuse this player a play of `size` cards, with any cards they may hold.

        Rules on last plays never refuse a play that leaves the player a card.
        """
        return self.can_refuse_plays and size >= len(hand.cards[by])

    def may_pass(self, hand: HandState, by: str) -> bool:
        """Return whether the player whose turn it is may pass; by default, all but a leader may."""
        return hand.play_to_beat is not None

    def reading_name(self, combination: Combination) -> str:
        """Return the name by which a player selects this reading of the cards (`as` in the action).

        A reading is one way to count cards as a combination: with wild cards, there may be several. The name is empty
        in games without wild cards. It depends on the combination alone, not on the table.
        """
        return combination.rank

    def possible_calls(self, hand: HandState, by: str, combination: Combination) -> Sequence[str]:
        """Return the calls (announced limits on the next plays) that are possible with this play: none by default."""
        return ()

    def call_refusal_message(self, hand: HandState, by: str, combination: Combination) -> TranslatableMessage:
        """Return a message that says why a call can't be announced with this play, and which calls are possible."""
        return NOTHING_TO_CALL()

    def pass_refusal(self, hand: HandState, by: str) -> tuple[TranslatableMessage, str | None]:
        """Return why this player may not pass, and the id of the rule, or None for the basic rules.

        The message is the first half of a sentence that goes on with possible plays.
        """
        return LEADERS_PLAY(), None

    def lead_suggestions(self, hand: HandState, by: str) -> list[Suggestion]:
        """Return suggestions of what a player may lead, for the message that refuses another play."""
        return [KindSuggestion(ONE_CARD(), (SINGLE,)), KindSuggestion(OF_ONE_RANK(), KIND_OF_SET[2:])]

    def rule_forbidding_combination(self, hand: HandState, cards: Cards) -> str | None:
        """Return the id of the special rule by which these cards form no combination, or None; errors name the rule."""
        return None

    def rule_forbidding_beating(self, hand: HandState, by: str, combination: Combination) -> str | None:
        """Return the id of the special rule by which this combination does not beat the table, or None.

        The error names this rule.
        """
        return None

    def pause_refusal(self, hand: HandState) -> RuleError | None:
        """Return what must be done before anybody plays or passes, such as clearing the trick; None by default."""
        return None

    def players_to_exchange(self, hand: HandState, exchange: Exchange) -> tuple[str, ...]:
        """Return the players who must act in the exchange: those with a gift to choose, unless the game adds others."""
        return exchange.awaited_givers()

    def can_play_out_of_turn(self, hand: HandState, by: str, combination: Combination) -> bool:
        """Return whether player `by` may play this combination during another player's turn: never by default."""
        return False

    def turn_message(self, hand: HandState) -> TranslatableMessage:
        """Return a message that names the player whose turn it is, for players who tried to play too early.

        Games with plays out of turn also tell which are possible.
        """
        return TURN_OF(turn=hand.player_to_play or "")

    def out_of_turn_plays(self, hand: HandState, by: str) -> Iterator[Cards]:
        """Yield every choice of cards that this player may play out of turn now, each once; none by default."""
        return iter(())

    def possible_interrupters(self, hand: HandState) -> tuple[str, ...]:
        """Return the players who might play out of turn now, judging by public information only; none by default."""
        return ()

    def next_player_after_silence(self, hand: HandState) -> str | None:
        """Return the next player when nobody is left to answer the last play; None (the default) ends the trick."""
        return None

    def has_hand_ended(self, hand: HandState) -> bool:
        """Return whether the hand is over: by default, if at most one player has cards."""
        return len(hand.players_with_cards()) <= 1

    def beating_suggestions(self, hand: HandState, by: str) -> list[Suggestion]:
        """Return suggestions of cards that beat the table, even if the player does not hold them, for refusals.

        Implementations must use the same test as `beats`.
        """
        raise NotImplementedError

    def nothing_beats_message(self, hand: HandState) -> TranslatableMessage:
        """Return the message that no cards can beat the table, which tells a refused player to pass."""
        return NOTHING_BEATS()

    def badges(self, hand: HandState) -> Iterable[Badge]:
        """Yield badges for unusual states of the hand that all players see, such as a revolution.

        Games add their own.
        """
        if hand.is_revolution:
            yield Badge("inverted", "⇅", INVERTED())
        if hand.trick.turned:
            yield Badge("turned", "↯", TURNED_BACK() if hand.is_revolution else TURNED())
        if hand.direction == -1:
            hot = not self.direction_is_fixed
            yield Badge("direction", "↺", REVERSED() if hot else ANTICLOCKWISE(), hot=hot)

    def panels(self, hand: HandState) -> Iterable[Panel]:
        """Return panels of the rules for the middle of the table, apart from the exchange.

        They are shown without a trick on the table.
        """
        return ()

    def waiting_message(self, hand: HandState) -> TranslatableMessage | None:
        """Return a message with what all players wait for, if it is neither a play nor a gift; else None."""
        return None

    def private_display(self, hand: HandState, player: str) -> OwnFace:
        """Return what the rules show to, and ask of, this player alone, apart from plays and gifts.

        There is nothing by default.
        """
        return player_display()

    # What the loop tells -----------------------------------------------------------------------------------

    def trick_ending_effect(self, hand: HandState, laid: PlayedCombination) -> EndTrick | None:
        """Return the effect that ends the trick with this play; None (the default) if the trick goes on.

        Called only if `can_end_tricks`. `laid` is the play, not yet on the table of `hand`.
        """
        return None

    def effects_of_play(self, hand: HandState, laid: PlayedCombination) -> Iterable[Effect]:
        """Return the effects of a play, such as skips, before the turn moves on; none by default.

        `laid` is the play, already on the table of `hand`.
        """
        return ()

    def effects_of_going_out(self, hand: HandState, name: str) -> Iterable[Effect]:
        """Return the effects when a player goes out by a choice in mid-trick, not by a play; none by default."""
        return ()

    def after_pass(self, hand: HandState, by: str) -> HandTransition[HandState]:
        """Return the hand, with events, after a player passed on a play, before the turn moves on.

        It is unchanged by default.
        """
        return HandTransition(hand)

    def after_lead_passed(self, hand: HandState, by: str) -> HandTransition[HandState]:
        """Return the hand, with events, after the leader passed. Games that allow this must override it.

        By default it raises `NotImplementedError`, because no leader may pass.
        """
        raise NotImplementedError

    def after_trick(self, hand: HandState, trick: Sequence[PlayedCombination]) -> HandTransition[HandState]:
        """Return the hand, with events, after a trick; unchanged by default.

        The leader of the next one is already to act.
        """
        return HandTransition(hand)

    def after_exchange(self, hand: HandState) -> HandTransition[HandState]:
        """Return the hand, with events, when all gifts have been given; in most games, play begins."""
        raise NotImplementedError

    def apply_other_action(self, hand: HandState, by: str, action: Action) -> HandTransition[HandState]:
        """Return the hand after an action that only this game has; raise `RuleError` by default."""
        raise RuleError("not_in_this_phase", NOT_NOW())

    def other_legal_actions(self, hand: HandState) -> Iterator[tuple[str, Action]]:
        """Yield legal actions of this game other than play, pass and give, each with its player; none by default."""
        return iter(())

    def apply_unlisted_gift(self, hand: HandState, by: str, action: Give) -> HandTransition[HandState] | None:
        """Return the hand after a gift that is not in the exchange's list, such as after a failed trade.

        None (the default) means that the gift is an ordinary one.
        """
        return None

    def standing(self, hand: HandState) -> tuple[str, ...]:
        """Return the players with a final place so far, best first; all players once the hand is over."""
        if hand.phase != "over":
            return hand.out
        rest = tuple(name for name in hand.seats if name not in hand.out and name not in hand.sunk)
        return (*hand.out, *rest, *hand.sunk)
