"""The loop of one hand: `legal` and `apply` for gifts, plays and passes, for every climbing game.

It knows turns, tricks and who is out. Everything else it asks of the hand's rules, and carries out their effects.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain

from msgspec.structs import replace

from app.engine.base.errors import RuleError, WouldDo
from app.engine.base.messages import Said, Sentence
from app.engine.cards.actions import Action, Give, Pass, Play
from app.engine.cards.cards import Card, Cards, check_held, holds, in_words, is_card, without
from app.engine.climbing import choices
from app.engine.climbing.rule_hooks import TURN_OF, HandState
from app.engine.climbing.suggestions import could_do
from app.engine.display.events import OUT, Event, EventType
from app.engine.match.hand import HandStep

from . import exchange as gifts
from .combinations import Combination
from .effects import Choose, Effect, EndTrick, Invert, Remember, Reverse, Rise, Sink, Skip, Tell, Turn
from .state import Laid, Passed, Skipped, Trick


def legal(hand: HandState, by: str | None = None) -> Iterator[tuple[str, Action]]:
    """Every legal action of those in `to_act`, each once, or of one player; and what may be played out of turn."""
    if by is not None and by not in hand.to_act and hand.rules.rests:
        return  # who waits can do nothing
    if hand.phase == "exchange" and hand.exchange is not None:
        for giver in hand.exchange.givers():
            if by in (None, giver):
                for chosen in gifts.options(hand.exchange, giver, hand.cards[giver], hand.rules.worth):
                    yield giver, gifts.action_for(hand.exchange, giver, chosen)
    for name, other in hand.rules.other_legal(hand):
        if by in (None, name):
            yield name, other
    turn = hand.turn
    if turn is None or hand.rules.pauses(hand):
        return
    if hand.due and hand.choice is not None:
        if by in (None, turn):
            for answer in choices.answers(hand, hand.choice):
                yield turn, answer
        return
    if by is None or by == turn:
        if hand.rules.may_pass(hand, turn):
            yield turn, Pass()
        for play in plays(hand, turn):
            yield turn, play
    if hand.rules.interrupting is not None and hand.table is not None:
        silenced = {turn, hand.table.by, *hand.trick.barred}
        for name in hand.active() if by is None else (by,):
            if name not in silenced:
                for cards in hand.rules.interruptions(hand, name):
                    yield name, Play(cards)


def plays(hand: HandState, by: str) -> Iterator[Play]:
    """Every legal play of one player, as if it were their turn."""
    rules, low = hand.rules, _low_card(hand, by)
    plain = rules.calling is None and not rules.refusing
    for readings in rules.found(hand, hand.cards[by]):
        cards = readings[0].cards
        if low is None or low in cards:
            if plain and len(readings) == 1:
                yield Play(cards)
            else:
                yield from _ways(hand, by, cards, readings)


def plays_of(hand: HandState, by: str, cards: Cards) -> Iterator[Action]:
    """Every legal way in which a player may use exactly these cards now, in turn or out of it."""
    if hand.turn is None or hand.rules.pauses(hand) or not cards or not holds(hand.cards.get(by, ()), cards):
        return
    if hand.choice is not None:
        answer = choices.with_cards(hand, hand.choice, cards) if by == hand.turn else None
        if answer is not None:
            yield answer
        return
    if by == hand.turn:
        low = _low_card(hand, by)
        if low is None or low in cards:
            yield from _ways(hand, by, cards, beating(hand, by, hand.rules.readings(hand, cards)))
    elif by not in hand.trick.barred:
        with suppress(RuleError):
            if _out_of_turn(hand, by, cards) is not None:
                yield Play(cards)


def _low_card(hand: HandState, by: str) -> Card | None:
    """The card that must be in this player's lead, if there is one."""
    return hand.rules.must_lead(hand, by) if hand.table is None else None


def _ways(hand: HandState, by: str, cards: Cards, readings: Sequence[Combination]) -> list[Play]:
    """The legal plays of some cards with those of their readings that lead or beat."""
    rules = hand.rules
    possible = [one for one in readings if rules.play_refused(hand, by, one) is None] if rules.refusing else readings
    if len(possible) == 1 and rules.calling is None:
        return [Play(cards)]
    # Of readings with one name the strongest counts. The strongest of all comes first: it is the usual one.
    named: dict[str, Combination] = {}
    for reading in possible:
        named.setdefault(rules.named(reading), reading)
    ways = list[Play]()
    for name, reading in named.items():
        as_ = name if len(named) > 1 else None
        ways.append(Play(cards, as_))
        for call in rules.calls(hand, by, reading):
            ways.append(Play(cards, as_, call))
    return ways


def can_play(hand: HandState, by: str) -> bool:
    """Whether this player has any legal play."""
    return next(plays(hand, by), None) is not None


def beating(hand: HandState, by: str, readings: Sequence[Combination]) -> Sequence[Combination]:
    """Those readings of some cards that lead, or beat what lies there."""
    return readings if hand.table is None else [one for one in readings if hand.rules.beats(hand, by, one)]


def apply(hand: HandState, by: str, action: Action) -> HandStep[HandState]:
    """The hand after one action; `RuleError` if it is not legal."""
    if hand.due and hand.choice is not None and isinstance(action, IN_TURN):
        return _choose(hand, by, action, hand.choice)
    if type(action) is Play:
        return _play(hand, by, action)
    if type(action) is Pass:
        return _pass(hand, by)
    if type(action) is Give:
        return _give(hand, by, action)
    return hand.rules.other(hand, by, action)


IN_TURN = (Play, Pass, *choices.CHOOSING)
"""What only whoever is to act may do."""

LEADS = EventType("leads", "{by} leads.", you="You lead.", tone="quiet")


def begin_play(hand: HandState, starter: str, events: tuple[Event, ...] = ()) -> HandStep[HandState]:
    """Cards are dealt and given: `starter` leads."""
    ready = hand.but(phase="play", to_act=(starter,), starter=starter, exchange=None)
    return HandStep(ready, (*events, LEADS(starter)))


PASSED_EARLIER = Sentence("refused.passed_earlier", "You passed earlier in this trick: wait for the next one.")
NOT_THE_TIME_TO_PLAY = Sentence("refused.not_the_time_to_play", "Now is not the time to play: the phase is “{phase}”.")


def _check_turn(hand: HandState, by: str) -> None:
    if hand.phase != "play":
        raise RuleError("not_in_this_phase", _what_first(hand, by))
    if hand.rules.passing_bars and by in hand.trick.barred:
        raise RuleError("barred", PASSED_EARLIER(), hand.rules.barring)


GIVE_FIRST = Sentence("refused.give_first", "Now is not the time to play: give the cards you owe first.")
WAIT_FOR_EXCHANGE = Sentence(
    "refused.wait_for_exchange", "Now is not the time to play: wait until the exchange is over."
)


def _what_first(hand: HandState, by: str) -> Said:
    """What comes before the play, to this player."""
    if hand.phase != "exchange":
        return NOT_THE_TIME_TO_PLAY(phase=hand.phase)
    owes = hand.exchange is not None and any(gift.giver == by and gift.chosen is None for gift in hand.exchange.gifts)
    return GIVE_FIRST() if owes else WAIT_FOR_EXCHANGE()


def _play(hand: HandState, by: str, action: Play) -> HandStep[HandState]:
    _check_turn(hand, by)
    laid = _read(hand, by, action)
    return put_down(hand, laid)


LOW_CARD_FIRST = Sentence(
    "refused.low_card_first", "The first lead must contain the {card}, alone or in a combination."
)
LOW_CARD_IS_NOT_YOURS = Sentence(
    "refused.low_card_is_not_yours",
    "The first lead must contain the {card}, which is not yours: pass, and the lead goes on.",
)
NO_COMBINATION = Sentence("refused.no_combination", "{cards} is no combination here. {could}")


def _read(hand: HandState, by: str, action: Play) -> Laid:
    """What the cards of an action are, after every check in the order of the rules."""
    rules, cards = hand.rules, action.cards
    if by != hand.turn:
        found = _out_of_turn(hand, by, cards)
        if found is None:
            raise RuleError("not_your_turn", rules.turn_sentence(hand), rules.interrupting)
        return Laid(by, found, out_of_turn=True, inverted=hand.inverted)
    if rules.pauses(hand):
        raise RuleError("not_in_this_phase", rules.pause_sentence(hand), rules.pausing)
    check_held(hand.cards[by], cards)
    leading = hand.table is None
    low = rules.must_lead(hand, by) if leading else None
    if low is not None and low not in cards:
        raise _without_the_low_card(hand, by, low)
    readings = rules.readings(hand, cards)
    if not readings:
        could, would_do = could_do(hand, by)
        said = NO_COMBINATION(cards=in_words(cards), could=could)
        raise RuleError("not_a_combination", said, rules.unread_by(hand, cards), would_do)
    good = beating(hand, by, readings)
    if action.as_ is not None:
        good = [reading for reading in good if rules.named(reading) == action.as_]
    if not good:
        raise _does_not_beat(hand, by, action, readings)
    allowed = [one for one in good if rules.play_refused(hand, by, one) is None] if rules.refusing else good
    if not allowed:
        refused = rules.play_refused(hand, by, good[0])
        assert refused is not None
        raise refused
    if action.call is not None:
        if action.call not in rules.calls(hand, by, allowed[0]):
            raise _miscalled(hand, by, action, allowed[0])
        return Laid(by, allowed[0], action.call, inverted=hand.inverted)
    return Laid(by, allowed[0], inverted=hand.inverted)


def _without_the_low_card(hand: HandState, by: str, low: Card) -> RuleError:
    card, rule = in_words((low,)), hand.rules.low_card_rule
    if low in hand.cards[by]:
        return RuleError("must_play", LOW_CARD_FIRST(card=card), rule, (Play((low,)),))
    return RuleError("must_play", LOW_CARD_IS_NOT_YOURS(card=card), rule, (Pass(),))


def _miscalled(hand: HandState, by: str, action: Play, played: Combination) -> RuleError:
    rules, cards, as_ = hand.rules, action.cards, action.as_
    would_do: WouldDo = tuple([Play(cards, as_, call) for call in rules.calls(hand, by, played)])
    said = rules.call_sentence(hand, by, played)
    return RuleError("bad_action", said, rules.calling, would_do or (Play(cards, as_),))


DOES_NOT_BEAT = Sentence("refused.does_not_beat", "{cards} does not beat {table}. {could}")
DOES_NOT_BEAT_AS = Sentence("refused.does_not_beat_as", "{cards} as “{rank}” does not beat {table}. {could}")
CANNOT_STAND_FOR = Sentence("refused.cannot_stand_for", "{cards} can’t stand for “{rank}”.")


def _does_not_beat(hand: HandState, by: str, action: Play, readings: Sequence[Combination]) -> RuleError:
    rules, cards = hand.rules, in_words(action.cards)
    meant = [reading for reading in readings if action.as_ in (None, rules.named(reading))]
    if not meant and action.as_ is not None:
        return RuleError("does_not_beat", CANNOT_STAND_FOR(cards=cards, rank=action.as_))
    assert hand.table is not None
    could, would_do = could_do(hand, by)
    table = in_words(hand.table.combination.cards)
    if action.as_ is None:
        said = DOES_NOT_BEAT(cards=cards, table=table, could=could)
    else:
        said = DOES_NOT_BEAT_AS(cards=cards, rank=action.as_, table=table, could=could)
    return RuleError("does_not_beat", said, rules.unbeaten_by(hand, by, meant[0]), would_do)


def _out_of_turn(hand: HandState, by: str, cards: Cards) -> Combination | None:
    """The combination that these cards may be played as though it is somebody else's turn."""
    table = hand.table
    if table is None or not all(is_card(card) for card in cards):
        return None
    readings = [r for r in hand.rules.readings(hand, cards) if hand.rules.out_of_turn(hand, by, r)]
    if not readings or table.by == by:
        return None
    check_held(hand.cards[by], cards)
    good = beating(hand, by, readings)
    if not good:
        raise _does_not_beat(hand, by, Play(cards), readings)
    for reading in good:
        if hand.rules.play_refused(hand, by, reading) is None:
            return reading
    refused = hand.rules.play_refused(hand, by, good[0])
    assert refused is not None
    raise refused


PLAYED = EventType(
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


def put_down(hand: HandState, laid: Laid) -> HandStep[HandState]:
    """Cards go on the table; their effects follow, and the turn moves on."""
    by = laid.by
    rest = without(hand.cards[by], laid.combination.cards)
    out = hand.out if rest else (*hand.out, by)
    ending = hand.rules.ends(hand, laid) if hand.rules.may_end else None
    if ending is not None:
        laid = replace(laid, ends=True)
    hand = hand.but(cards={**hand.cards, by: rest}, trick=hand.trick.but(laid), opened=True, to_act=(by,), out=out)
    played = {**laid.shown(hand.rules.named)}
    del played["by"]
    events = [PLAYED(by, **played, left=len(rest))]
    if not rest:
        events.append(OUT(by, place=len(hand.out)))
    effects = hand.rules.played(hand, laid)
    return _carry_on(hand, effects if ending is None else chain(effects, (ending,)), events)


AT_LAST = (Choose, Skip, EndTrick)
"""What falls away when the hand is over."""


def _carry_on(hand: HandState, effects: Iterable[Effect], events: list[Event]) -> HandStep[HandState]:
    """Carry out what a play has set off, in order, until something has to be chosen; then the turn moves on."""
    ends, left = False, iter(effects)
    more: tuple[Event, ...] = ()
    for effect in left:
        if isinstance(effect, AT_LAST) and hand.rules.over(hand):
            break
        match effect:
            case EndTrick(event):
                ends = True
                more = () if event is None else (event,)
            case Skip():
                hand, more = _skip(hand, effect)
            case Choose():
                if not hand.cards[hand.to_act[0]]:
                    continue
                only = choices.only_answer(hand, effect)
                if only is None:
                    return HandStep(hand.but(due=(effect, *left)), tuple(events))
                hand, more = _chosen(hand, effect, only)
            case _:
                hand, more = _carried_out(hand, effect)
        events += more
    if hand.rules.over(hand):
        return HandStep(_end(hand), tuple(events))
    return _move_on(hand, events, ends=ends)


def _choose(hand: HandState, by: str, action: Action, asked: Choose) -> HandStep[HandState]:
    """Answer the open choice; what waited for it follows."""
    if by != hand.turn:
        raise RuleError("not_your_turn", TURN_OF(turn=hand.turn or ""), asked.cause)
    choices.check(hand, asked, by, action)
    left = hand.due[1:]
    hand, events = _chosen(hand.but(due=()), asked, action)
    return _carry_on(hand, left, [*events])


def _chosen(hand: HandState, asked: Choose, answer: Action) -> tuple[HandState, tuple[Event, ...]]:
    """The hand after a choice. Who has no cards left by it goes out, in the direction of play, the chooser last; the
    last of all is last, cards or none."""
    by, before = hand.to_act[0], hand.cards
    hand, events = choices.chosen(hand, asked, answer)
    emptied = [name for name in (*hand.after(by), by) if before[name] and not hand.cards[name]]
    for place, name in enumerate(emptied):
        if len(hand.active()) + len(emptied) - place <= 1:
            break
        hand = hand.but(out=(*hand.out, name))
        events = (*events, OUT(name, place=len(hand.out)))
        for effect in hand.rules.went_out(hand, name):
            hand, more = _carried_out(hand, effect)
            events = (*events, *more)
    return hand, events


REVOLUTION = EventType(
    "revolution",
    "Revolution! Low cards beat high ones now.",
    tone="great",
    stood_out="revolution",
    celebrated="turn",
)
COUNTER_REVOLUTION = EventType(
    "counter_revolution",
    "Counter-revolution: high cards are high again.",
    tone="great",
    stood_out="counter revolution",
    celebrated="turn",
)
DIRECTION_REVERSED = EventType(
    "direction_reversed",
    "The direction of play turns round.",
    stood_out="direction reversed",
    celebrated="reverse",
)


def _carried_out(hand: HandState, effect: Effect) -> tuple[HandState, tuple[Event, ...]]:
    """The hand after one effect (EndTrick is the loop's own business), and what is told of it."""
    match effect:
        case Invert(cause):
            event = (COUNTER_REVOLUTION if hand.revolution else REVOLUTION)(hand.turn, cause)
            return hand.but(inverted=not hand.inverted), (event,)
        case Turn(event):
            trick = replace(hand.trick, turned=not hand.trick.turned)
            return hand.but(inverted=not hand.inverted, trick=trick), (event,)
        case Reverse(cause):
            return hand.but(direction=-hand.direction), (DIRECTION_REVERSED(hand.turn, cause),)
        case Sink(player, event):
            laid_aside = hand.cards[player]
            pile = hand.pile + laid_aside
            out = tuple(name for name in hand.out if name != player)
            return hand.with_cards(player, ()).but(sunk=(player, *hand.sunk), out=out, pile=pile), (event,)
        case Rise(player, event):
            laid_aside = hand.cards[player]
            pile = hand.pile + laid_aside
            out = (player, *(name for name in hand.out if name != player))
            events = (event, OUT(player, place=1)) if laid_aside else (event,)
            return hand.with_cards(player, ()).but(out=out, pile=pile), events
        case Remember(memory):
            return hand.but(memory=memory), ()
        case Tell(event):
            return hand, (event,)
        case Skip() | EndTrick() | Choose():
            raise AssertionError("the loop does this itself")


SKIPPED = EventType("skipped", "{by} is skipped.", you="You are skipped.", stood_out="skipped", moment=False)


def _skip(hand: HandState, skip: Skip) -> tuple[HandState, tuple[Event, ...]]:
    skipped = list(_awaited(hand))[: skip.count]
    hand = hand.but(trick=hand.trick.but(*map(Skipped, skipped)))
    return hand, tuple(SKIPPED(name, skip.cause) for name in skipped)


MUST_PLAY = Sentence("refused.must_play", "{why}: {could}")
PASSED = EventType("passed", "{by} passes.", you="You pass.", tone="still")


def _pass(hand: HandState, by: str) -> HandStep[HandState]:
    _check_turn(hand, by)
    if by != hand.turn:
        raise RuleError("not_your_turn", TURN_OF(turn=hand.turn or ""))
    rules = hand.rules
    if rules.pauses(hand):
        raise RuleError("not_in_this_phase", rules.pause_sentence(hand), rules.pausing)
    if not rules.may_pass(hand, by):
        why, rule = rules.must_play(hand, by)
        could, would_do = could_do(hand, by, then=True)
        raise RuleError("must_play", MUST_PLAY(why=why, could=could), rule, would_do)
    return pass_on(hand, by)


def pass_on(hand: HandState, by: str) -> HandStep[HandState]:
    """Somebody passes who may; `put_down` is the like for plays. Whoever asks has seen to it that it is legal."""
    rules = hand.rules
    if hand.table is None:
        return rules.lead_passed(hand, by)
    ends = hand.table.by == by
    step = rules.passed(hand.but(trick=hand.trick.but(Passed(by, rules.passing_bars))), by)
    return _move_on(step.hand, [PASSED(by), *step.events], ends=ends)


OWES_NOBODY = Sentence("refused.owes_nobody", "You owe nobody a card now.")
GIVEN_IN_THE_EXCHANGE = Sentence(
    "refused.given_in_the_exchange",
    "Cards are given in the exchange, between the deal and the first lead.",
)


def _give(hand: HandState, by: str, action: Give) -> HandStep[HandState]:
    rules = hand.rules
    if hand.phase != "exchange":
        raise RuleError("not_in_this_phase", GIVEN_IN_THE_EXCHANGE())
    special = rules.gift_refused(hand, by, action)
    if special is not None:
        return special
    if hand.exchange is None or not hand.exchange.pending(by):
        raise RuleError("not_your_turn", OWES_NOBODY())
    chosen = gifts.read_gift(hand.exchange, by, hand.cards[by], action, rules.worth)
    return go_on_exchanging(hand.but(exchange=gifts.choose(hand.exchange, by, chosen)))


def go_on_exchanging(hand: HandState, events: tuple[Event, ...] = ()) -> HandStep[HandState]:
    """Deliver and force what can be; then ask those who owe, or go on to what follows the exchange."""
    rules = hand.rules
    assert hand.exchange is not None
    exchange, held, more = gifts.settle(hand.exchange, hand.cards, rules.worth)
    held = {name: tuple(sorted(cards, key=rules.order)) for name, cards in held.items()}
    hand = hand.but(exchange=exchange, cards=held, phase="exchange", to_act=rules.exchanging(hand, exchange))
    events = (*events, *more)
    if hand.to_act:
        return HandStep(hand, events)
    step = rules.exchange_over(hand)
    return HandStep(step.hand, (*events, *step.events))


def _awaited(hand: HandState) -> Iterator[str]:
    """Who may still answer the last play, in the order in which they would."""
    trick, table, rules, cards = hand.trick, hand.table, hand.rules, hand.cards
    assert table is not None
    done = trick.silent
    if rules.passing_bars:
        done |= trick.barred
    if rules.one_round:
        done |= trick.acted
    for name in hand.after(hand.to_act[0]):
        if cards[name] and name != table.by and name not in done:
            yield name


def _move_on(hand: HandState, events: list[Event], *, ends: bool) -> HandStep[HandState]:
    """Give the turn to the next player, or end the trick."""
    following = None if ends else next(_awaited(hand), None) or hand.rules.turn_when_all_are_silent(hand)
    if following is not None:
        return HandStep(hand.but(to_act=(following,)), tuple(events))
    step = end_trick(hand)
    return HandStep(step.hand, (*events, *step.events))


TRICK_OVER = EventType(
    "trick_over", "{by} takes the trick.", you="You take the trick.", tone="quiet", ways=(("table", "by"),)
)


def end_trick(hand: HandState) -> HandStep[HandState]:
    """The last play stands: its owner leads, or the next player who has cards."""
    table = hand.table
    assert table is not None
    leader = table.by if hand.cards[table.by] else hand.next_active(table.by)
    assert leader is not None
    trick = hand.trick.plays
    pile = hand.pile + tuple([card for laid in trick for card in laid.combination.cards])
    if hand.trick.turned:
        hand = hand.but(inverted=hand.revolution)
    hand = hand.but(trick=Trick(), last_trick=trick, pile=pile, to_act=(leader,))
    step = hand.rules.trick_over(hand, trick)
    return HandStep(step.hand, (TRICK_OVER(table.by, leads=leader), *step.events))


def _end(hand: HandState) -> HandState:
    plays = hand.trick.plays
    pile = hand.pile + tuple([card for laid in plays for card in laid.combination.cards])
    inverted = hand.revolution
    return hand.but(
        phase="over", to_act=(), inverted=inverted, last_trick=plays or hand.last_trick, trick=Trick(), pile=pile
    )
