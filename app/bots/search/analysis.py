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
from app.bots.search.monte_carlo import MATTERS, ActionSummary, Budget, SearchResult
from app.bots.search.worker_job import encode_search_job
from app.bots.view.card_order import rule_set_of
from app.bots.view.seat_view import Action, SeatReader, View, cards_of_action, view_of
from app.engine.base.messages import MessageTemplate, MessageValue, TranslatableMessage
from app.engine.cards.cards import Cards, describe_cards, parse_cards
from app.engine.match.match import Match

WORLDS = 30
"""Number of worlds for the hard bot's choice, about the same as during play."""
SEED = 1
PLACES = MATTERS
"""Average lead in places that a choice needs for a reason to be given. A smaller lead is a close call."""
ERRORS = 2.0
"""Number of standard errors that a difference must also exceed."""
OPINION = 0.06
"""Smallest difference in value between Hard's choice and the played action that counts as clear.

Between actions of nearly equal value, Hard's choice is a matter of chance.
"""

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
_CLOSE = {
    "play": MessageTemplate(
        "hindsight.close.play", "Close call: {who} might have played {cards}, with an equal result."
    ),
    "pass": MessageTemplate("hindsight.close.pass", "Close call: {who} might have passed, with an equal result."),
    "give": MessageTemplate(
        "hindsight.close.give", "Close call: {who} might have given {cards}, with an equal result."
    ),
    "keep": MessageTemplate("hindsight.close.keep", "Close call: {who} might have kept the card."),
    "swap": MessageTemplate("hindsight.close.swap", "Close call: {who} might have swapped."),
}
CLOSE = MessageTemplate("hindsight.close", "Close call: {who} might have done something else.")
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

    `match` is the match at that time, and `seat` the player to act. `told` are the events that the seat had been told
    since the deal. `dealt` are the cards dealt to the seat, and `played` is the action that was taken.
    """

    match: Match
    seat: str
    told: Sequence[Mapping[str, Any]]
    """Events that the seat had been told since the deal."""
    dealt: Cards
    played: Action

    @cached_property
    def view(self) -> View:
        """The view that a bot in this seat would have got at the past turn."""
        return view_of(self.match, self.seat, self.told, self.dealt)

    def search_job(self) -> bytes | None:
        """Return a job for a worker to search this past turn as a hard bot would; None if the turn can't be searched.

        The result compares the bot's choice with the action that was played and with passing.
        """
        others = [self.played, *SeatReader(self.view).legal_actions_of_kind("pass")]
        budget = Budget(worlds=WORLDS)
        return encode_search_job(self.match, self.seat, self.told, self.dealt, budget, SEED, others)


@dataclass(frozen=True, slots=True)
class ActionOutcome:
    """One row of the comparison shown for a past turn: an action, its label, and its outcome in words.

    `what` is the label, and `comes_to` is the outcome, such as the average place.
    """

    what: TranslatableMessage
    action: Action
    comes_to: TranslatableMessage


@dataclass(frozen=True, slots=True)
class Hindsight:
    """What a bot would have done at a past turn, with the reasons and a comparison of actions, as shown to a player.

    `by` is the kind of bot, and `action` its choice in `worlds` sampled deals. `says` are sentences to show, and
    `lines` the rows of the comparison. `same`: the player did the same, or as well. `close`: the choice and the played
    action are about equally good.
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
    lines: Sequence[ActionOutcome]
    close: bool = False
    """Whether the choice and the played action are about equally good."""


def explain_turn(turn: PastTurn, thought: SearchResult | None) -> Hindsight:
    """Explain a past turn in words: what a hard bot would have done, and why. `thought` is its search result.

    Without a result (None), or if the turn can't be searched, the medium bot's choice is told. A choice that comes out
    clearly worse than the action played gives way to it.
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
    chosen, *others = _without_equivalent_actions(seat, thought.tries)
    worlds = chosen.worlds
    played = None if same else next((one for one in others if seat.are_equivalent(one.action, turn.played)), None)
    close = played is not None and not (_is_significantly_better(played) and played.gap >= OPINION)
    if played is not None and played.behind < 0 and -played.behind > ERRORS * played.behind_error:
        # Hard chose in fewer worlds. In these worlds the played action is better.
        action, same, close = played.action, True, False
        said = _choice_sentence(HARD, action, same=True)
    elif close:
        same, said = True, _CLOSE.get(action["do"], CLOSE)(who=HARD(), cards=_cards_in_words(action))
    keeps_its_choice = action == thought.action
    lines = [
        ActionOutcome(_action_label(seat, turn, each, at), each.action, _outcome_sentence(each))
        for at, each in enumerate((chosen, *others))
    ]
    against = played if played is not None else others[0] if others else None
    reasons = _reasons_against(chosen, against) if against is not None and keeps_its_choice and not close else ()
    return Hindsight("hard", action, same, worlds, (said, *reasons, WORLDS_SEEN(worlds=worlds)), lines, close)


def _is_significantly_better(other: ActionSummary) -> bool:
    """Return whether the bot's choice beats `other` by at least `PLACES` places, and by more than chance explains."""
    return other.behind >= PLACES and other.behind > ERRORS * other.behind_error


def _without_equivalent_actions(seat: SeatReader, tries: Sequence[ActionSummary]) -> list[ActionSummary]:
    found = list[ActionSummary]()
    for one in tries:
        if not any(seat.are_equivalent(one.action, other.action) for other in found):
            found.append(one)
    return found


def _choice_sentence(level: MessageTemplate, action: Action, *, same: bool) -> TranslatableMessage:
    sentence = (_TOO if same else _WOULD).get(action["do"], SAME if same else ELSE)
    return sentence(who=level(), cards=_cards_in_words(action))


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


def _reasons_against(one: ActionSummary, other: ActionSummary) -> Sequence[TranslatableMessage]:
    """Return reasons for the choice `one` against `other`, or nothing if the difference may be chance.

    The reasons use the numbers shown in the comparison of actions. Fewer turns or more tricks won are not given as
    reasons, because a player may lose sooner by them.
    """
    if not _is_significantly_better(other):
        return ()
    found = [KEEPS(cards=_cards_in_words(other.action))] if one.action["do"] == "pass" else []
    if other.rarer > ERRORS * other.rarer_error and _share_to_world_count(one.first, one) > _share_to_world_count(
        other.first, other
    ):
        found.append(
            FIRST(
                one=_share_to_world_count(one.first, one),
                other=_share_to_world_count(other.first, other),
                worlds=one.worlds,
            )
        )
    else:
        found.append(PLACE(one=f"{one.place:.1f}", other=f"{other.place:.1f}"))
    return found


def _action_label(seat: SeatReader, turn: PastTurn, one: ActionSummary, at: int) -> TranslatableMessage:
    """Return the label of row `at` in a comparison of actions that is shown to a player.

    Row 0 is the hard bot's choice; others are what was played, passing, or the next best. `one` is the action of the
    row.
    """
    if at == 0:
        return CHOICE()
    if seat.are_equivalent(one.action, turn.played):
        return PLAYED()
    return PASSING() if one.action["do"] == "pass" else NEXT()


def _outcome_sentence(one: ActionSummary) -> TranslatableMessage:
    told: dict[str, MessageValue] = {
        "first": _share_to_world_count(one.first, one),
        "worlds": one.worlds,
        "place": f"{one.place:.1f}",
        "turns": f"{one.turns:.1f}",
    }
    if one.action["do"] == "give":
        return GIFT_COMES_TO(**told)
    return COMES_TO(**told, keeps=_share_to_world_count(one.keeps, one))


def _share_to_world_count(share: float, one: ActionSummary) -> int:
    """Convert a share of the sampled deals (worlds), from 0 to 1, to a number of deals, for a text.

    `one` is the tried action; its number of worlds is the whole.
    """
    return round(share * one.worlds)
