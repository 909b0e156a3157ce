"""Explain which action a hard bot would have chosen at a turn of a finished hand, and why.

Only what the seat knew then is used. The seed and the number of worlds are fixed, so the answer is always the same.
If the turn can't be searched, the medium bot's choice is shown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from app.bots.network import small_network_bot
from app.bots.network.features import FeatureState
from app.bots.search.monte_carlo import FIRSTS_THAT_MATTER, PLACES_THAT_MATTER, ActionSummary, Budget, SearchResult
from app.bots.search.worker_job import encode_search_job
from app.bots.view.card_order import rule_set_of
from app.bots.view.seat_view import Action, SeatReader, View, cards_of_action, view_of
from app.engine.base.messages import MessageTemplate, MessageValue, TranslatableMessage
from app.engine.cards.cards import Cards, describe_cards, parse_cards
from app.engine.match.match import Match

WORLDS = 30
"""Number of worlds for the hard bot's choice, about the same as during play."""
SEED = 1
ERRORS = 2.0
"""Number of standard errors that a difference must exceed; a smaller one is called equal."""
FAR = 1.75
"""If the player chose as the hard bot does, another action is named only if its lead is this many times larger."""

HARD = MessageTemplate("hindsight.hard", "The hard bot")
MEDIUM = MessageTemplate("hindsight.medium", "The medium bot")

_WOULD = {
    "play": MessageTemplate("hindsight.would.play", "{who} would have played {cards}."),
    "pass": MessageTemplate("hindsight.would.pass", "{who} would have passed."),
    "give": MessageTemplate("hindsight.would.give", "{who} would have given {cards}."),
    "keep": MessageTemplate("hindsight.would.keep", "{who} would have kept the card."),
    "swap": MessageTemplate("hindsight.would.swap", "{who} would have swapped."),
}
_TOO = {
    "play": MessageTemplate("hindsight.too.play", "{who} would also have played {cards}."),
    "pass": MessageTemplate("hindsight.too.pass", "{who} would also have passed."),
    "give": MessageTemplate("hindsight.too.give", "{who} would also have given {cards}."),
    "keep": MessageTemplate("hindsight.too.keep", "{who} would also have kept the card."),
    "swap": MessageTemplate("hindsight.too.swap", "{who} would also have swapped."),
}
_EQUAL = {
    "play": MessageTemplate(
        "hindsight.close.play", "Close call. {who} might have played {cards}, with an equal result."
    ),
    "pass": MessageTemplate("hindsight.close.pass", "Close call. {who} might have passed, with an equal result."),
    "give": MessageTemplate(
        "hindsight.close.give", "Close call. {who} might have given {cards}, with an equal result."
    ),
}
_SLIGHTLY = {
    "play": MessageTemplate("hindsight.slightly.play", "Close call: to play {cards} was slightly better."),
    "pass": MessageTemplate("hindsight.slightly.pass", "Close call: to pass was slightly better."),
    "give": MessageTemplate("hindsight.slightly.give", "Close call: to give {cards} was slightly better."),
}
_BETTER = {
    "play": MessageTemplate("hindsight.better.play", "In the comparison, to play {cards} was better."),
    "pass": MessageTemplate("hindsight.better.pass", "In the comparison, to pass was better."),
    "give": MessageTemplate("hindsight.better.give", "In the comparison, to give {cards} was better."),
}
_WORSE = {
    "play": MessageTemplate("hindsight.worse.play", "Your choice was better than that of the hard bot, {cards}."),
    "pass": MessageTemplate("hindsight.worse.pass", "Your choice was better than the pass of the hard bot."),
    "give": MessageTemplate("hindsight.worse.give", "Your choice was better than that of the hard bot, {cards}."),
}
EQUAL = MessageTemplate("hindsight.close", "Close call. {who} might have done something else.")
SAME = MessageTemplate("hindsight.too", "{who} would have done the same.")
ELSE = MessageTemplate("hindsight.would", "{who} would have done something else.")

NOTHING_ELSE = MessageTemplate("hindsight.nothing_else", "No other action was possible.")
ALL_OUT = MessageTemplate("hindsight.all_out", "This play empties the hand at once.")
SURE = MessageTemplate("hindsight.sure", "Nobody can beat it, and all other cards can follow.")
NEARLY_SURE = MessageTemplate(
    "hindsight.nearly_sure", "Only a bomb or a similar play can beat it, and all other cards can follow."
)
NOT_AHEAD = MessageTemplate(
    "hindsight.not_ahead", "The hard bot can’t think ahead here, so it plays like the medium bot."
)
WORLDS_SEEN = MessageTemplate(
    "hindsight.worlds", "It simulated this turn in {worlds} possible deals, using only what you knew then."
)
KEEPS = MessageTemplate("hindsight.keeps", "A pass would have kept {cards}.")
FIRST = MessageTemplate(
    "hindsight.first", "It finishes first more often: in {one} of {worlds} deals, compared with {other}."
)
PLACE = MessageTemplate("hindsight.place", "It finishes in a better place: {one} on average, compared with {other}.")
CHOICE = MessageTemplate("hindsight.choice", "Choice of the hard bot")
BEST = MessageTemplate("hindsight.best", "Best in the comparison")
PLAYED = MessageTemplate("hindsight.played", "Actual play")
PASSING = MessageTemplate("hindsight.passing", "Pass")
NEXT = MessageTemplate("hindsight.next", "Second choice")
COMES_TO = MessageTemplate(
    "hindsight.comes_to",
    "First in {first} of {worlds} deals, place {place} on average. Wins the trick in {keeps}. About {turns} turns.",
)
GIFT_COMES_TO = MessageTemplate(
    "hindsight.gift_comes_to", "First in {first} of {worlds} deals, place {place} on average. About {turns} turns."
)


@dataclass(frozen=True)
class PastTurn:
    """A turn of a finished hand, as its seat saw it at that time, to explain what a hard bot would have done.

    `match` is the match at that time, and `seat` the player to act. `dealt` are the cards dealt to the seat, and
    `played` is the action that was taken.
    """

    match: Match
    seat: str
    events: Sequence[Mapping[str, Any]]
    """Events that the seat had seen since the deal."""
    dealt: Cards
    played: Action

    @cached_property
    def view(self) -> View:
        """The view that a bot in this seat would have got at the past turn."""
        return view_of(self.match, self.seat, self.events, self.dealt)

    def search_job(self) -> bytes | None:
        """Return a job for a worker to search this past turn as a hard bot would; None if the turn can't be searched.

        The result compares the action that was played with passing and with the bot's choice.
        """
        others = [self.played, *SeatReader(self.view).legal_actions_of_kind("pass")]
        budget = Budget(worlds=WORLDS)
        return encode_search_job(self.match, self.seat, self.events, self.dealt, budget, SEED, others)


@dataclass(frozen=True, slots=True)
class ActionForecast:
    """One row of the comparison shown for a past turn: an action, its label, and its outcome in words.

    `what` is the label, and `comes_to` is the outcome, such as the average place.
    """

    what: TranslatableMessage
    action: Action
    comes_to: TranslatableMessage


@dataclass(frozen=True, slots=True)
class Hindsight:
    """What a bot would have done at a past turn, with the reasons and a comparison of actions, as shown to a player.

    `action` is the best action: its choice, or a better one in `worlds` sampled deals. `lines` are the rows of the
    comparison.
    """

    by: str
    """The kind of bot that made the choice."""
    action: Action
    same: bool
    """Whether the played action equals the choice or is about as good. Where suits don't count, only ranks matter."""
    worlds: int
    """Number of worlds in which the actions were compared."""
    says: Sequence[TranslatableMessage]
    """Sentences to show: the choice first, then the reasons."""
    lines: Sequence[ActionForecast]
    close: bool = False
    """Whether the best action and the played one differ little."""


def explain_turn(turn: PastTurn, thought: SearchResult | None) -> Hindsight:
    """Explain a past turn in words: what a hard bot would have done, and why. `thought` is its search result.

    Without a result (None), or if the turn can't be searched, the medium bot's choice is shown. The sentences follow
    the comparison: if the bot's choice is not the best row, they name that row.
    """
    seat = SeatReader(turn.view)
    if thought is None or not small_network_bot.can_evaluate(seat):
        action = small_network_bot.choose(turn.view, Random(SEED))
        same = seat.are_equivalent(action, turn.played)
        return Hindsight("medium", action, same, 0, (_choice_sentence(MEDIUM, action, same=same), NOT_AHEAD()), ())
    action = thought.action
    same = seat.are_equivalent(action, turn.played)
    said = _choice_sentence(HARD, action, same=same)
    if not thought.tries:
        return Hindsight("hard", action, same, 0, (said, _reason_without_search(seat, turn.view, action)), ())
    played, *others = _without_equivalent_actions(seat, thought.tries)
    choice = next(one for one in (played, *others) if seat.are_equivalent(one.action, action))
    better = [one for one in others if _is_better(one)]
    if same:
        better = [one for one in better if _lead(one) >= FAR]
    best = max(better, key=lambda one: (_lead(one), one is choice), default=choice)
    if choice in better and _lead(choice) >= 1:
        best = choice
    was_worse, close = best in better and _lead(best) >= 1, False
    if was_worse:
        named = () if best is choice else (_sentence(_BETTER, best.action),)
        said_first = (*((said,) if same or best is choice else ()), *named)
    elif same:
        said_first = (said,)
    else:
        close = True
        is_worse = best is choice and choice.behind > 0 and _is_worse(choice)
        kind = _WORSE if is_worse else _SLIGHTLY if best in better else _EQUAL
        said_first = (_sentence(kind, best.action),)
    rows = [best, *(one for one in (played, *others) if one is not best)]
    lines = [
        ActionForecast(_row_label(seat, turn, one, action, best=one is best), one.action, _forecast_sentence(one))
        for one in rows
    ]
    reasons = _reasons_for(best, played) if best in better else ()
    says = (*said_first, *reasons, WORLDS_SEEN(worlds=played.worlds))
    return Hindsight("hard", best.action, not was_worse, played.worlds, says, lines, close)


def _is_better(other: ActionSummary) -> bool:
    """Return whether an action beats the one played by more than chance explains, in places or in first places."""
    return _exceeds_chance(-other.behind, other.behind_error, -other.rarer, other.rarer_error)


def _is_worse(other: ActionSummary) -> bool:
    return _exceeds_chance(other.behind, other.behind_error, other.rarer, other.rarer_error)


def _exceeds_chance(places: float, places_error: float, firsts: float, firsts_error: float) -> bool:
    """Return whether a lead, positive where it helps, is more than chance, and both measures together say so."""
    clear = places > ERRORS * places_error or firsts > ERRORS * firsts_error
    return clear and places / PLACES_THAT_MATTER + firsts / FIRSTS_THAT_MATTER > 0


def _lead(other: ActionSummary) -> float:
    """Return how far an action leads the one played: from 1 on, clearly. By the larger of its two differences."""
    return max(-other.behind / PLACES_THAT_MATTER, -other.rarer / FIRSTS_THAT_MATTER)


def _without_equivalent_actions(seat: SeatReader, tries: Sequence[ActionSummary]) -> list[ActionSummary]:
    found = list[ActionSummary]()
    for one in tries:
        if not any(seat.are_equivalent(one.action, other.action) for other in found):
            found.append(one)
    return found


def _choice_sentence(level: MessageTemplate, action: Action, *, same: bool) -> TranslatableMessage:
    sentence = (_TOO if same else _WOULD).get(action["do"], SAME if same else ELSE)
    return sentence(who=level(), cards=_cards_in_words(action))


def _sentence(kind: Mapping[str, MessageTemplate], action: Action) -> TranslatableMessage:
    return kind.get(action["do"], EQUAL)(who=HARD(), cards=_cards_in_words(action))


def _cards_in_words(action: Action) -> MessageValue:
    return describe_cards(parse_cards(" ".join(cards_of_action(action))))


def _reason_without_search(seat: SeatReader, view: View, action: Action) -> TranslatableMessage:
    """Return why the bot's choice needed no search: going out, a single option, or a play (nearly) sure to win."""
    if len(cards_of_action(action)) == len(seat.cards):
        return ALL_OUT()
    if len(small_network_bot.candidate_actions(seat)) < 2:
        return NOTHING_ELSE()
    rules = rule_set_of(view["room"])
    sure = rules is not None and not FeatureState(seat, view["told"], rules).may_be_beaten(action)
    return SURE() if sure else NEARLY_SURE()


def _reasons_for(best: ActionSummary, played: ActionSummary) -> Sequence[TranslatableMessage]:
    """Return reasons for the better action, by the numbers shown in the comparison.

    Fewer turns or more tricks won are not given as reasons, because a player may lose sooner by them.
    """
    found = [KEEPS(cards=_cards_in_words(played.action))] if best.action["do"] == "pass" else []
    one, other = _share_to_world_count(best.first, best), _share_to_world_count(played.first, played)
    if -best.rarer > ERRORS * best.rarer_error and one > other:
        return [*found, FIRST(one=one, other=other, worlds=best.worlds)]
    return [*found, PLACE(one=f"{best.place:.1f}", other=f"{played.place:.1f}")]


def _row_label(
    seat: SeatReader, turn: PastTurn, one: ActionSummary, choice: Action, *, best: bool
) -> TranslatableMessage:
    """Return the label of a row in the comparison; `choice` is the hard bot's."""
    if seat.are_equivalent(one.action, choice):
        return CHOICE()
    if seat.are_equivalent(one.action, turn.played):
        return PLAYED()
    if best:
        return BEST()
    return PASSING() if one.action["do"] == "pass" else NEXT()


def _forecast_sentence(one: ActionSummary) -> TranslatableMessage:
    values: dict[str, MessageValue] = {
        "first": _share_to_world_count(one.first, one),
        "worlds": one.worlds,
        "place": f"{one.place:.1f}",
        "turns": f"{one.turns:.1f}",
    }
    if one.action["do"] == "give":
        return GIFT_COMES_TO(**values)
    return COMES_TO(**values, keeps=_share_to_world_count(one.keeps, one))


def _share_to_world_count(share: float, one: ActionSummary) -> int:
    """Convert a share of the sampled deals (worlds), from 0 to 1, to a number of deals, for a text.

    `one` is the tried action; its number of worlds is the whole.
    """
    return round(share * one.worlds)
