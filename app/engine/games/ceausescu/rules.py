"""Ceausescu's rules for the game loop, derived from the options of one match.

`CeausescuRules` is built once from the options; the files of the sections implement each option.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache, partial

from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.base.options import Options
from app.engine.cards.cards import Card, Cards
from app.engine.climbing.combinations import Combination
from app.engine.climbing.effects import Effect, EmitEvent
from app.engine.climbing.hand import begin_play
from app.engine.climbing.rule_hooks import ClimbingRules, HandState
from app.engine.climbing.state import PlayedCombination
from app.engine.climbing.suggestion_data import Suggestion
from app.engine.games.ceausescu import bombs, patterns, society, suggestions
from app.engine.games.ceausescu.hand_index import ALL_KINDS, cached_hand_index, find_readings
from app.engine.games.ceausescu.hand_memory import memory_of
from app.engine.match.hand import HandTransition

OR_BOMB = MessageTemplate("ceausescu.or_bomb", "{turn} Out of turn, play only bombs and missiles.")


class CeausescuRules(ClimbingRules):
    """Ceausescu's rules in one match, derived from its options; the game loop asks them each question."""

    def __init__(self, options: Options) -> None:
        self.interruption_rule = bombs.BOMBING.id if options[bombs.BOMBING] == "any_time" else None
        self.waiting_players_idle = self.interruption_rule is None
        self.crowning_effects = bombs.CROWNING_EFFECTS[options[bombs.NICOLAE]]
        self.build_gifts = society.GIFTS_BY_OPTION[options[society.EXCHANGE]]
        self.titles_by_player = partial(society.titles, options[society.TITLES])

    def exchange_value(self, card: Card) -> int:
        """Return the value of the card's rank, for Ceausescu's exchange: higher is better, and jokers are best."""
        return patterns.VALUE_BY_CARD[card]

    def single_card_order(self, hand: HandState) -> Sequence[str]:
        """Return the ranks in Ceausescu, and above them the black and the red joker."""
        return (*super().single_card_order(hand), "Xb", "Xr")

    def equivalence_key(self, card: Card) -> Hashable:
        """Return the value of the card's rank, because cards of equal rank beat the same cards in Ceausescu."""
        return patterns.VALUE_BY_CARD[card]

    def readings(self, hand: HandState, cards: Cards) -> Sequence[Combination]:
        """Return the combination that these cards form in Ceausescu, in a sequence with at most one reading."""
        return find_readings(cards)

    def playable_combinations(self, hand: HandState, held: Cards) -> Iterable[Sequence[Combination]]:
        """Return every combination of the held cards that may be led in Ceausescu, smallest first.

        If there is a play to beat, return those that beat it.
        """
        table = hand.play_to_beat
        return (
            cached_hand_index(held).combinations_of(ALL_KINDS)
            if table is None
            else cached_hand_index(held).possible_answers(table.combination)
        )

    def beats(self, hand: HandState, by: str, combination: Combination) -> bool:
        """Return whether a combination beats the table in Ceausescu.

        It must be higher of the same pattern and size, or a higher bomb or missile.
        """
        assert hand.play_to_beat is not None
        return bombs.beats(combination, hand.play_to_beat.combination)

    def lead_suggestions(self, hand: HandState, by: str) -> list[Suggestion]:
        """Return suggestions of combinations that may be led in Ceausescu, after a refused play.

        They name all patterns, bombs and missiles.
        """
        return suggestions.LEAD_SUGGESTIONS

    def beating_suggestions(self, hand: HandState, by: str) -> list[Suggestion]:
        """Return suggestions of what beats the table in Ceausescu, after a refused play.

        Out of turn, only bombs and missiles are suggested.
        """
        assert hand.play_to_beat is not None
        found = suggestions.find_suggestions(hand.play_to_beat.combination)
        return (
            [*found]
            if by == hand.player_to_play
            else [one for one in found if set(one.kinds) <= bombs.LEVEL_BY_KIND.keys()]
        )

    def rule_forbidding_beating(self, hand: HandState, by: str, combination: Combination) -> str | None:
        """Return the id of Ceausescu's rule about the combination on the table, which says what beats it.

        None if it is neither a bomb nor a missile. Errors name the rule.
        """
        assert hand.play_to_beat is not None
        kind = hand.play_to_beat.combination.kind
        return bombs.find_bomb_rule(hand.play_to_beat.combination) or patterns.RULE_BY_KIND[kind].id

    def can_play_out_of_turn(self, hand: HandState, by: str, combination: Combination) -> bool:
        """Return whether the combination may be played out of turn in Ceausescu.

        By an option, bombs and missiles may.
        """
        return self.interruption_rule is not None and combination.kind in bombs.LEVEL_BY_KIND

    def turn_message(self, hand: HandState) -> TranslatableMessage:
        """Return the message about whose turn it is in Ceausescu, with the bombs that others may play, if they may."""
        turn = super().turn_message(hand)
        return turn if self.interruption_rule is None else OR_BOMB(turn=turn)

    def out_of_turn_plays(self, hand: HandState, by: str) -> Iterator[Cards]:
        """Yield this player's bombs and missiles that beat the table, if Ceausescu's options allow them out of turn."""
        assert hand.play_to_beat is not None
        if self.interruption_rule is not None:
            for (one,) in cached_hand_index(hand.cards[by]).possible_answers(hand.play_to_beat.combination):
                if one.kind in bombs.LEVEL_BY_KIND:
                    yield one.cards

    def possible_interrupters(self, hand: HandState) -> tuple[str, ...]:
        """Return the players of Ceausescu who may hold a bomb, once the player of the last play has few cards left.

        Before that the result is empty. Otherwise pages would wait for bombs after every play, and the game would be
        slow.
        """
        table = hand.play_to_beat
        if self.interruption_rule is None or table is None or hand.player_to_play is None:
            return ()
        if len(hand.cards[table.by]) > bombs.NEARLY_OUT_CARD_COUNT:
            return ()
        return tuple(
            name
            for name in hand.players_with_cards()
            if name not in (table.by, hand.player_to_play) and len(hand.cards[name]) > 1
        )

    def effects_of_play(self, hand: HandState, laid: PlayedCombination) -> Sequence[Effect]:
        """Return the effects of a play in Ceausescu: an event for a bomb or missile.

        The Nicolae (highest combination) makes its player king and ends the trick.
        """
        event = bombs.bomb_event(laid.combination, laid.by)
        if event is None:
            return ()
        return self.crowning_effects(laid.by, event) if event.name == bombs.NICOLAE_PLAYED.name else (EmitEvent(event),)

    def after_exchange(self, hand: HandState) -> HandTransition[HandState]:
        """Begin the play after Ceausescu's exchange: the serf, who is ranked last, leads."""
        return begin_play(hand, hand.hierarchy[-1])

    def standing(self, hand: HandState) -> tuple[str, ...]:
        """Return the players in the order of going out; once the hand is over, all, with the player of a Nicolae first.

        The Nicolae is Ceausescu's highest combination and makes its player king.
        """
        places, king = super().standing(hand), memory_of(hand).king
        if king is None or hand.phase != "over":
            return places
        return (king, *(name for name in places if name != king))


@lru_cache(maxsize=64)
def rules_of(options: Options) -> CeausescuRules:
    """Return Ceausescu's rules for these options, from a cache."""
    return CeausescuRules(options)
