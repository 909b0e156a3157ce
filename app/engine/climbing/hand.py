"""The game loop of one hand, for every climbing game: find legal actions, and apply plays, passes and gifts.

The loop handles turns, tricks and players going out. For everything else it asks the hand's rules and applies the
effects that they return.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain

from msgspec.structs import replace

from app.engine.base.errors import RuleError, SuggestedActions
from app.engine.base.messages import MessageTemplate, TranslatableMessage
from app.engine.cards.actions import Action, Give, Pass, Play
from app.engine.cards.cards import Card, Cards, check_held, contains_cards, describe_cards, is_card_name, remove_cards
from app.engine.climbing import choices
from app.engine.climbing.rule_hooks import TURN_OF, HandState
from app.engine.climbing.suggestions import explain_with_alternatives
from app.engine.display.events import OUT, GameEvent, GameEventType
from app.engine.match.hand import HandTransition

from . import exchange as gifts
from .combinations import Combination
from .effects import (
    Effect,
    EmitEvent,
    EndTrick,
    InvertForHand,
    InvertForTrick,
    MoveToBottom,
    MoveToTop,
    RequireChoice,
    ReverseDirection,
    SetMemory,
    SkipPlayers,
)
from .state import Passed, PlayedCombination, Skipped, Trick


def legal_actions(hand: HandState, by: str | None = None) -> Iterator[tuple[str, Action]]:
    """Yield every legal action of a hand now, once, with its player; for all players or only for `by`.

    Plays out of turn are included where the rules allow them.
    """
    if by is not None and by not in hand.to_act and hand.rules.waiting_players_idle:
        return  # skip the search: the rules leave waiting players nothing to do
    if hand.phase == "exchange" and hand.exchange is not None:
        for giver in hand.exchange.awaited_givers():
            if by in (None, giver):
                for chosen in gifts.pending_gift_choices(
                    hand.exchange, giver, hand.cards[giver], hand.rules.exchange_value
                ):
                    yield giver, gifts.build_give_action(hand.exchange, giver, chosen)
    for name, other in hand.rules.other_legal_actions(hand):
        if by in (None, name):
            yield name, other
    turn = hand.player_to_play
    if turn is None or hand.rules.pause_refusal(hand):
        return
    if hand.due and hand.open_choice is not None:
        if by in (None, turn):
            for answer in choices.possible_answers(hand, hand.open_choice):
                yield turn, answer
        return
    if by is None or by == turn:
        if hand.rules.may_pass(hand, turn):
            yield turn, Pass()
        for play in legal_plays(hand, turn):
            yield turn, play
    if hand.rules.interruption_rule is not None and hand.play_to_beat is not None:
        silenced = {turn, hand.play_to_beat.by, *_players_barred_out_of_turn(hand)}
        for name in hand.players_with_cards() if by is None else (by,):
            if name not in silenced:
                for cards in hand.rules.out_of_turn_plays(hand, name):
                    yield name, Play(cards)


def legal_plays(hand: HandState, by: str) -> Iterator[Play]:
    """Yield every legal play of one player in the hand, as if it were their turn; passes are left out."""
    rules, low = hand.rules, _required_lead_card(hand, by)
    plain = rules.call_rule is None and not rules.can_refuse_plays
    for readings in rules.playable_combinations(hand, hand.cards[by]):
        cards = readings[0].cards
        if low is None or low in cards:
            if plain and len(readings) == 1:
                yield Play(cards)
            else:
                yield from _build_plays(hand, by, cards, readings)


def legal_plays_of_cards(hand: HandState, by: str, cards: Cards) -> Iterator[Action]:
    """Yield every legal action of a player with exactly these cards: a play in or out of turn, or an answer.

    While a choice in mid-trick is open, only answers to it are possible.
    """
    if (
        hand.player_to_play is None
        or hand.rules.pause_refusal(hand)
        or not cards
        or not contains_cards(hand.cards.get(by, ()), cards)
    ):
        return
    if hand.open_choice is not None:
        answer = choices.answer_from_cards(hand, hand.open_choice, cards) if by == hand.player_to_play else None
        if answer is not None:
            yield answer
        return
    if by == hand.player_to_play:
        low = _required_lead_card(hand, by)
        if low is None or low in cards:
            yield from _build_plays(hand, by, cards, playable_readings(hand, by, hand.rules.readings(hand, cards)))
    elif by not in _players_barred_out_of_turn(hand):
        with suppress(RuleError):
            if _find_out_of_turn_combination(hand, by, cards) is not None:
                yield Play(cards)


def _players_barred_out_of_turn(hand: HandState) -> frozenset[str]:
    """Return the players who may not even play out of turn in this trick, because they passed."""
    return frozenset() if hand.rules.barred_may_interrupt else hand.trick.barred


def _required_lead_card(hand: HandState, by: str) -> Card | None:
    """Return the card that this player's lead must contain by the rules.

    None if the rules ask for none, or if there is a play to beat.
    """
    return hand.rules.required_lead_card(hand, by) if hand.play_to_beat is None else None


def _build_plays(hand: HandState, by: str, cards: Cards, readings: Sequence[Combination]) -> list[Play]:
    """Return the legal plays of some cards: one for each reading that needs naming, and for each possible call.

    `readings` are those with which the cards may lead or beat the table. A reading is one way to count the cards as a
    combination; `as` names it if there are several.
    """
    rules = hand.rules
    possible = (
        [one for one in readings if rules.play_refusal(hand, by, one) is None] if rules.can_refuse_plays else readings
    )
    if len(possible) == 1 and rules.call_rule is None:
        return [Play(cards)]
    # Readings are sorted, strongest first: keep the strongest of each name; the strongest of all is the default.
    named: dict[str, Combination] = {}
    for reading in possible:
        rank, exact = _reading_names(hand, reading)
        named.setdefault(exact if rank in named and named[rank].kind != reading.kind else rank, reading)
    ways = list[Play]()
    for name, reading in named.items():
        as_ = name if len(named) > 1 else None
        ways.append(Play(cards, as_))
        for call in rules.possible_calls(hand, by, reading):
            ways.append(Play(cards, as_, call))
    return ways


def _reading_names(hand: HandState, reading: Combination) -> tuple[str, str]:
    """Return the texts with which `as` selects a reading of cards: its rank, and its kind and rank.

    The rank alone selects the strongest reading of that rank: the set, if the cards are a set and a run.
    """
    rank = hand.rules.reading_name(reading)
    return rank, f"{reading.kind} {rank}"


def can_play(hand: HandState, by: str) -> bool:
    """Return whether this player has a legal play in the hand, as if it were their turn."""
    return next(legal_plays(hand, by), None) is not None


def playable_readings(hand: HandState, by: str, readings: Sequence[Combination]) -> Sequence[Combination]:
    """Return those readings of some cards that may lead, or that beat the play on the table.

    A reading is one way to count the cards as a combination. Empty if no reading may be played by `by`.
    """
    return readings if hand.play_to_beat is None else [one for one in readings if hand.rules.beats(hand, by, one)]


def apply_action(hand: HandState, by: str, action: Action, *, stored: bool = False) -> HandTransition[HandState]:
    """Return the hand after one action of a player, with events; raise `RuleError` if the action is not legal.

    `stored`: earlier rules have accepted the action. Then a pass on a play stays legal, even if the player could beat.
    """
    if hand.due and hand.open_choice is not None and isinstance(action, TURN_ACTIONS):
        return _apply_choice(hand, by, action, hand.open_choice)
    if type(action) is Play:
        return _apply_play(hand, by, action)
    if type(action) is Pass:
        return _apply_pass(hand, by, stored=stored)
    if type(action) is Give:
        return _apply_give(hand, by, action)
    return hand.rules.apply_other_action(hand, by, action)


TURN_ACTIONS = (Play, Pass, *choices.ANSWER_ACTIONS)
"""Types of actions that need the turn."""

LEADS = GameEventType("leads", "{by} leads.", you="You lead.", tone="quiet")
LOWEST_CARD_LEADS = GameEventType("lowest_card_leads", "The holder of the lowest card leads.", tone="quiet")
WINNER_LEADS = GameEventType("winner_leads", "{by} leads, as the winner.", you="You lead, as the winner.", tone="quiet")
LAST_LEADS = GameEventType(
    "last_leads", "{by} leads, as the last player.", you="You lead, as the last player.", tone="quiet"
)


def announce_lead(leader: str | None, hierarchy: tuple[str, ...]) -> GameEvent:
    """Return the event that announces before the deal who leads the next hand, with the reason.

    `hierarchy` is best first. Without a `leader`, it is the holder of the lowest card, who is not known yet.
    """
    if leader is None:
        return LOWEST_CARD_LEADS()
    if (leader,) == hierarchy[:1]:
        return WINNER_LEADS(leader)
    return (LAST_LEADS if (leader,) == hierarchy[-1:] else LEADS)(leader)


def begin_play(hand: HandState, starter: str, events: tuple[GameEvent, ...] = ()) -> HandTransition[HandState]:
    """Start the play phase after deal and exchange: `starter` leads.

    Returns the hand and its events, with `events` put first.
    """
    ready = hand.replace(phase="play", to_act=(starter,), starter=starter, exchange=None)
    return HandTransition(ready, (*events, LEADS(starter)))


def win_at_deal(hand: HandState, winner: str, events: tuple[GameEvent, ...]) -> HandTransition[HandState]:
    """End a hand before its first play, because of the cards that `winner` was dealt; they go to the pile."""
    cards = hand.cards[winner]
    ended = hand.with_player_cards(winner, ()).replace(phase="over", out=(winner,), pile=cards, to_act=())
    return HandTransition(ended, events)


PASSED_EARLIER = MessageTemplate("refused.passed_earlier", "You passed earlier in this trick. Wait for the next one.")
NOT_THE_TIME_TO_PLAY = MessageTemplate("refused.not_the_time_to_play", "You can’t play in the phase “{phase}”.")


def _check_may_act(hand: HandState, by: str, barred: frozenset[str]) -> None:
    if hand.phase != "play":
        raise RuleError("not_in_this_phase", _wrong_phase_message(hand, by))
    if hand.rules.pass_bars_player and by in barred:
        raise _barred_error(hand)


def _barred_error(hand: HandState) -> RuleError:
    return RuleError("barred", PASSED_EARLIER(), hand.rules.barring_rule)


GIVE_FIRST = MessageTemplate("refused.give_first", "First give the cards for the exchange.")
WAIT_FOR_EXCHANGE = MessageTemplate("refused.wait_for_exchange", "Wait until the exchange is over.")


def _wrong_phase_message(hand: HandState, by: str) -> TranslatableMessage:
    """Return a message that tells a player why it is too early to play: gifts owed, or an exchange to wait for."""
    if hand.phase != "exchange":
        return NOT_THE_TIME_TO_PLAY(phase=hand.phase)
    owes = hand.exchange is not None and any(gift.giver == by and gift.chosen is None for gift in hand.exchange.gifts)
    return GIVE_FIRST() if owes else WAIT_FOR_EXCHANGE()


def _apply_play(hand: HandState, by: str, action: Play) -> HandTransition[HandState]:
    _check_may_act(hand, by, _players_barred_out_of_turn(hand))
    laid = _validate_play(hand, by, action)
    return play_cards(hand, laid)


LOW_CARD_FIRST = MessageTemplate("refused.low_card_first", "The first play must contain the {card}.")
LOW_CARD_IS_NOT_YOURS = MessageTemplate(
    "refused.low_card_is_not_yours",
    "The first play must contain the {card}, which you don’t have. Pass.",
)
NO_COMBINATION = MessageTemplate("refused.no_combination", "Not a combination. {could}")


def _validate_play(hand: HandState, by: str, action: Play) -> PlayedCombination:
    """Return the combination that a player's play puts on the table, after all checks in the order of the rules.

    Raises `RuleError` with the reason, the rule and legal alternatives if a check fails.
    """
    rules, cards = hand.rules, action.cards
    if by != hand.player_to_play:
        found = _find_out_of_turn_combination(hand, by, cards)
        if found is None and by in hand.trick.barred:
            raise _barred_error(hand)
        if found is None:
            raise RuleError("not_your_turn", rules.turn_message(hand), rules.interruption_rule)
        return PlayedCombination(by, found, out_of_turn=True, inverted=hand.inverted)
    if (paused := rules.pause_refusal(hand)) is not None:
        raise paused
    check_held(hand.cards[by], cards)
    leading = hand.play_to_beat is None
    low = rules.required_lead_card(hand, by) if leading else None
    if low is not None and low not in cards:
        raise _missing_low_card_error(hand, by, low)
    readings = rules.readings(hand, cards)
    if not readings:
        said, would_do = explain_with_alternatives(hand, by, lambda could: NO_COMBINATION(could=could))
        raise RuleError("not_a_combination", said, rules.rule_forbidding_combination(hand, cards), would_do)
    good = playable_readings(hand, by, readings)
    if action.as_ is not None:
        good = [reading for reading in good if action.as_ in _reading_names(hand, reading)]
    if not good:
        raise _does_not_beat_error(hand, by, action, readings)
    allowed = [one for one in good if rules.play_refusal(hand, by, one) is None] if rules.can_refuse_plays else good
    if not allowed:
        refused = rules.play_refusal(hand, by, good[0])
        assert refused is not None
        raise refused
    if action.call is not None:
        if action.call not in rules.possible_calls(hand, by, allowed[0]):
            raise _illegal_call_error(hand, by, action, allowed[0])
        return PlayedCombination(by, allowed[0], action.call, inverted=hand.inverted)
    return PlayedCombination(by, allowed[0], inverted=hand.inverted)


def _missing_low_card_error(hand: HandState, by: str, low: Card) -> RuleError:
    card, rule = describe_cards((low,)), hand.rules.low_card_rule
    if low in hand.cards[by]:
        return RuleError("must_play", LOW_CARD_FIRST(card=card), rule, (Play((low,)),))
    return RuleError("must_play", LOW_CARD_IS_NOT_YOURS(card=card), rule, (Pass(),))


def _illegal_call_error(hand: HandState, by: str, action: Play, played: Combination) -> RuleError:
    rules, cards, as_ = hand.rules, action.cards, action.as_
    would_do: SuggestedActions = tuple([Play(cards, as_, call) for call in rules.possible_calls(hand, by, played)])
    said = rules.call_refusal_message(hand, by, played)
    return RuleError("bad_action", said, rules.call_rule, would_do or (Play(cards, as_),))


DOES_NOT_BEAT = MessageTemplate("refused.does_not_beat", "{cards} can’t beat {table}. {could}")
DOES_NOT_BEAT_AS = MessageTemplate("refused.does_not_beat_as", "{cards} as “{rank}” can’t beat {table}. {could}")
DOES_NOT_BEAT_TRICK = MessageTemplate("refused.does_not_beat_trick", "That can’t beat the trick. {could}")
CANNOT_STAND_FOR = MessageTemplate("refused.cannot_stand_for", "{cards} can’t count as “{rank}”.")


def _does_not_beat_error(hand: HandState, by: str, action: Play, readings: Sequence[Combination]) -> RuleError:
    rules, cards = hand.rules, describe_cards(action.cards)
    meant = [reading for reading in readings if action.as_ in (None, *_reading_names(hand, reading))]
    if not meant and action.as_ is not None:
        return RuleError("does_not_beat", CANNOT_STAND_FOR(cards=cards, rank=action.as_))
    assert hand.play_to_beat is not None
    table, as_ = describe_cards(hand.play_to_beat.combination.cards), action.as_

    def with_cards(could: TranslatableMessage) -> TranslatableMessage:
        if as_ is None:
            return DOES_NOT_BEAT(cards=cards, table=table, could=could)
        return DOES_NOT_BEAT_AS(cards=cards, rank=as_, table=table, could=could)

    said, would_do = explain_with_alternatives(hand, by, with_cards, lambda could: DOES_NOT_BEAT_TRICK(could=could))
    return RuleError("does_not_beat", said, rules.rule_forbidding_beating(hand, by, meant[0]), would_do)


def _find_out_of_turn_combination(hand: HandState, by: str, cards: Cards) -> Combination | None:
    """Return the combination as which a player may play these cards out of turn; None if the rules allow none.

    Raises `RuleError` if the cards could be played out of turn, but the player lacks them, they do not beat the table
    or a rule on last plays refuses them.
    """
    table = hand.play_to_beat
    if table is None or not all(is_card_name(card) for card in cards):
        return None
    readings = [r for r in hand.rules.readings(hand, cards) if hand.rules.can_play_out_of_turn(hand, by, r)]
    if not readings or table.by == by:
        return None
    check_held(hand.cards[by], cards)
    good = playable_readings(hand, by, readings)
    if not good:
        raise _does_not_beat_error(hand, by, Play(cards), readings)
    for reading in good:
        if hand.rules.play_refusal(hand, by, reading) is None:
            return reading
    refused = hand.rules.play_refusal(hand, by, good[0])
    assert refused is not None
    raise refused


PLAYED = GameEventType(
    "played",
    "{by} plays {cards}.",
    as_="{by} plays {cards} as {as}.",
    call="{by} plays {cards} and calls {call}.",
    you="You play {cards}.",
    tone="move",
    you_as="You play {cards} as {as}.",
    you_call="You play {cards} and call {call}.",
    ways=(("by", "table"),),
)


def play_cards(hand: HandState, laid: PlayedCombination) -> HandTransition[HandState]:
    """Return the hand after a checked combination was put on the table, with events.

    `laid` is the play and its player. Its effects are applied, and the turn moves on. The player goes out if no cards
    are left.
    """
    by = laid.by
    rest = remove_cards(hand.cards[by], laid.combination.cards)
    out = hand.out if rest else (*hand.out, by)
    ending = hand.rules.trick_ending_effect(hand, laid) if hand.rules.can_end_tricks else None
    if ending is not None:
        laid = replace(laid, ends=True)
    hand = hand.replace(
        cards={**hand.cards, by: rest}, trick=hand.trick.with_acts(laid), opened=True, to_act=(by,), out=out
    )
    played = {**laid.cached_view(hand.rules.reading_name)}
    del played["by"]
    events = [PLAYED(by, **played, left=len(rest))]
    if not rest:
        events.append(OUT(by, place=len(hand.out)))
    effects = hand.rules.effects_of_play(hand, laid)
    return _apply_effects(hand, effects if ending is None else chain(effects, (ending,)), events)


VOID_WHEN_HAND_OVER = (RequireChoice, SkipPlayers, EndTrick)
"""Effects that are dropped when the hand is over."""


def _apply_effects(hand: HandState, effects: Iterable[Effect], events: list[GameEvent]) -> HandTransition[HandState]:
    """Apply the effects of a play in order, then move the turn on; stop early if a player has to make a choice.

    The effects that are left wait in `due` until the choice is made. Ends the hand if it is decided. New events are
    added to `events`, which the result contains.
    """
    ends, left = False, iter(effects)
    more: tuple[GameEvent, ...] = ()
    for effect in left:
        if isinstance(effect, VOID_WHEN_HAND_OVER) and hand.rules.has_hand_ended(hand):
            break
        match effect:
            case EndTrick(event):
                ends = True
                more = () if event is None else (event,)
            case SkipPlayers():
                hand, more = _apply_skip(hand, effect)
            case RequireChoice():
                if not hand.cards[hand.to_act[0]]:
                    continue
                only = choices.forced_answer(hand, effect)
                if only is None:
                    return HandTransition(hand.replace(due=(effect, *left)), tuple(events))
                hand, more = _resolve_choice(hand, effect, only)
            case _:
                hand, more = _apply_effect(hand, effect)
        events += more
    if hand.rules.has_hand_ended(hand):
        return HandTransition(_end_hand(hand), tuple(events))
    return _advance_turn(hand, events, ends=ends)


def _apply_choice(hand: HandState, by: str, action: Action, choice: RequireChoice) -> HandTransition[HandState]:
    """Apply a player's answer to the open mid-trick choice, then the effects that waited for it.

    Raises `RuleError` if the answer is illegal or from another player.
    """
    if by != hand.player_to_play:
        raise RuleError("not_your_turn", TURN_OF(turn=hand.player_to_play or ""), choice.cause)
    choices.check_answer(hand, choice, by, action)
    left = hand.due[1:]
    hand, events = _resolve_choice(hand.replace(due=()), choice, action)
    return _apply_effects(hand, left, [*events])


def _resolve_choice(hand: HandState, choice: RequireChoice, answer: Action) -> tuple[HandState, tuple[GameEvent, ...]]:
    """Return the hand after an answer to a mid-trick choice, with events.

    Players who lose their last card go out in the order of play, the player who chose last. The last remaining player
    gets no place here and finishes last, with or without cards.
    """
    by, before = hand.to_act[0], hand.cards
    hand, events = choices.apply_answer(hand, choice, answer)
    emptied = [name for name in (*hand.others_in_play_order(by), by) if before[name] and not hand.cards[name]]
    for place, name in enumerate(emptied):
        if len(hand.players_with_cards()) + len(emptied) - place <= 1:
            break
        hand = hand.replace(out=(*hand.out, name))
        events = (*events, OUT(name, place=len(hand.out)))
        for effect in hand.rules.effects_of_going_out(hand, name):
            hand, more = _apply_effect(hand, effect)
            events = (*events, *more)
    return hand, events


REVOLUTION = GameEventType(
    "revolution",
    "Revolution! Low cards now beat high cards.",
    tone="great",
    stood_out="revolution",
    celebrated="turn",
)
COUNTER_REVOLUTION = GameEventType(
    "counter_revolution",
    "Counter-revolution! High cards beat low cards again.",
    tone="great",
    stood_out="counter-revolution",
    celebrated="turn",
    remark="undone",
)
DIRECTION_REVERSED = GameEventType(
    "direction_reversed",
    "The direction of play reverses.",
    stood_out="direction reversed",
    celebrated="reverse",
)


def _apply_effect(hand: HandState, effect: Effect) -> tuple[HandState, tuple[GameEvent, ...]]:
    """Return the hand after one effect of a play, and its events.

    Ending the trick, skips and choices must not be passed here: `_apply_effects` handles them.
    """
    match effect:
        case InvertForHand(cause):
            event = (COUNTER_REVOLUTION if hand.is_revolution else REVOLUTION)(hand.player_to_play, cause)
            return hand.replace(inverted=not hand.inverted), (event,)
        case InvertForTrick(event):
            trick = replace(hand.trick, turned=not hand.trick.turned)
            return hand.replace(inverted=not hand.inverted, trick=trick), (event,)
        case ReverseDirection(cause):
            return hand.replace(direction=-hand.direction), (DIRECTION_REVERSED(hand.player_to_play, cause),)
        case MoveToBottom(player, event):
            laid_aside = hand.cards[player]
            pile = hand.pile + laid_aside
            out = tuple(name for name in hand.out if name != player)
            return hand.with_player_cards(player, ()).replace(sunk=(player, *hand.sunk), out=out, pile=pile), (event,)
        case MoveToTop(player, event):
            laid_aside = hand.cards[player]
            pile = hand.pile + laid_aside
            out = (player, *(name for name in hand.out if name != player))
            events = (event, OUT(player, place=1)) if laid_aside else (event,)
            return hand.with_player_cards(player, ()).replace(out=out, pile=pile), events
        case SetMemory(memory):
            return hand.replace(memory=memory), ()
        case EmitEvent(event):
            return hand, (event,)
        case SkipPlayers() | EndTrick() | RequireChoice():
            raise AssertionError("the loop does this itself")


SKIPPED = GameEventType("skipped", "{by} is skipped.", you="You are skipped.", stood_out="skipped", highlighted=False)


def _apply_skip(hand: HandState, skip: SkipPlayers) -> tuple[HandState, tuple[GameEvent, ...]]:
    skipped = list(_players_left_to_answer(hand))[: skip.count]
    hand = hand.replace(trick=hand.trick.with_acts(*map(Skipped, skipped)))
    return hand, tuple(SKIPPED(name, skip.cause) for name in skipped)


MUST_PLAY = MessageTemplate("refused.must_play", "{why} {could}")
PASSED = GameEventType("passed", "{by} passes.", you="You pass.", tone="still", remark="passes")


def _apply_pass(hand: HandState, by: str, *, stored: bool) -> HandTransition[HandState]:
    _check_may_act(hand, by, hand.trick.barred)
    if by != hand.player_to_play:
        raise RuleError("not_your_turn", TURN_OF(turn=hand.player_to_play or ""))
    rules = hand.rules
    if (paused := rules.pause_refusal(hand)) is not None:
        raise paused
    # An earlier version listed fewer plays, so it let players pass who must beat by today's list.
    if not (stored and hand.play_to_beat is not None) and not rules.may_pass(hand, by):
        why, rule = rules.pass_refusal(hand, by)
        said, would_do = explain_with_alternatives(hand, by, lambda could: MUST_PLAY(why=why, could=could))
        raise RuleError("must_play", said, rule, would_do)
    return record_pass(hand, by)


def record_pass(hand: HandState, by: str) -> HandTransition[HandState]:
    """Return the hand after a pass that is already known to be legal, with events; the trick may end by it.

    For a play, use `play_cards`.
    """
    rules = hand.rules
    if hand.play_to_beat is None:
        return rules.after_lead_passed(hand, by)
    ends = hand.play_to_beat.by == by
    step = rules.after_pass(hand.replace(trick=hand.trick.with_acts(Passed(by, rules.pass_bars_player))), by)
    return _advance_turn(step.hand, [PASSED(by), *step.events], ends=ends)


OWES_NOBODY = MessageTemplate("refused.owes_nobody", "You don’t have to give any cards now.")
GIVEN_IN_THE_EXCHANGE = MessageTemplate(
    "refused.given_in_the_exchange",
    "You can give cards only in the exchange.",
)


def _apply_give(hand: HandState, by: str, action: Give) -> HandTransition[HandState]:
    rules = hand.rules
    if hand.phase != "exchange":
        raise RuleError("not_in_this_phase", GIVEN_IN_THE_EXCHANGE())
    special = rules.apply_unlisted_gift(hand, by, action)
    if special is not None:
        return special
    if hand.exchange is None or not hand.exchange.pending_gifts(by):
        raise RuleError("not_your_turn", OWES_NOBODY())
    chosen = gifts.parse_gift_choice(hand.exchange, by, hand.cards[by], action, rules.exchange_value)
    return continue_exchange(hand.replace(exchange=gifts.record_gift_choice(hand.exchange, by, chosen)))


def continue_exchange(hand: HandState, events: tuple[GameEvent, ...] = ()) -> HandTransition[HandState]:
    """Deliver gifts of the exchange, and choose for givers with only one choice.

    Then wait for the other givers, or end the exchange if all have chosen. `events` are put first.
    """
    rules = hand.rules
    assert hand.exchange is not None
    exchange, held, more = gifts.deliver_and_force_gifts(hand.exchange, hand.cards, rules.exchange_value)
    held = {name: tuple(sorted(cards, key=rules.card_sort_key)) for name, cards in held.items()}
    hand = hand.replace(
        exchange=exchange, cards=held, phase="exchange", to_act=rules.players_to_exchange(hand, exchange)
    )
    events = (*events, *more)
    if hand.to_act:
        return HandTransition(hand, events)
    step = rules.after_exchange(hand)
    return HandTransition(step.hand, (*events, *step.events))


def _players_left_to_answer(hand: HandState) -> Iterator[str]:
    """Yield the players who may still answer the last play of the trick, in order of play."""
    trick, table, rules, cards = hand.trick, hand.play_to_beat, hand.rules, hand.cards
    assert table is not None
    done = trick.silent
    if rules.pass_bars_player:
        done |= trick.barred
    if rules.single_round_tricks:
        done |= trick.players_who_acted
    for name in hand.others_in_play_order(hand.to_act[0]):
        if cards[name] and name != table.by and name not in done:
            yield name


def _advance_turn(hand: HandState, events: list[GameEvent], *, ends: bool) -> HandTransition[HandState]:
    """Give the turn to the next player who may answer the last play.

    The trick ends without such a player, or if `ends` is true. New events are added to `events`, which the result
    contains.
    """
    following = (
        None if ends else next(_players_left_to_answer(hand), None) or hand.rules.next_player_after_silence(hand)
    )
    if following is not None:
        return HandTransition(hand.replace(to_act=(following,)), tuple(events))
    step = end_trick(hand)
    return HandTransition(step.hand, (*events, *step.events))


TRICK_OVER = GameEventType(
    "trick_over",
    "{by} wins the trick.",
    you="You win the trick.",
    leads="{by} wins the trick and is out, so {leads} leads.",
    you_leads="You win the trick and are out, so {leads} leads.",
    leads_you="{by} wins the trick and is out, so you lead.",
    tone="quiet",
    ways=(("table", "by"),),
)


def end_trick(hand: HandState) -> HandTransition[HandState]:
    """End the trick: its cards go to the pile, and the player of the last play leads.

    If that player has no cards, the next player with cards leads. Rules for the end of a trick follow.
    """
    table = hand.play_to_beat
    assert table is not None
    leader = table.by if hand.cards[table.by] else hand.next_player_with_cards(table.by)
    assert leader is not None
    trick = hand.trick.plays
    pile = hand.pile + tuple([card for laid in trick for card in laid.combination.cards])
    if hand.trick.turned:
        hand = hand.replace(inverted=hand.is_revolution)
    hand = hand.replace(trick=Trick(), last_trick=trick, pile=pile, to_act=(leader,))
    step = hand.rules.after_trick(hand, trick)
    return HandTransition(step.hand, (TRICK_OVER(table.by, leads=leader), *step.events))


def _end_hand(hand: HandState) -> HandState:
    plays = hand.trick.plays
    pile = hand.pile + tuple([card for laid in plays for card in laid.combination.cards])
    inverted = hand.is_revolution
    return hand.replace(
        phase="over", to_act=(), inverted=inverted, last_trick=plays or hand.last_trick, trick=Trick(), pile=pile
    )
