"""What a hard bot would have done at a turn of a hand that is over, and why, in words.

It goes by what that seat knew then and by nothing else, and has one seed and a budget of worlds: the same question gets
the same answer. Where nothing can be thought ahead it is what a medium bot would have done.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from app.bots.network import small_network_bot
from app.bots.network.features import Glimpse
from app.bots.search.monte_carlo import MATTERS, Budget, Thought, Try
from app.bots.search.worker_job import job_of
from app.bots.view.card_order import rules_of
from app.bots.view.seat_view import Action, SeatReader, View, cards_in, view_of
from app.engine.base.messages import Said, Sentence, Word
from app.engine.cards.cards import Cards, in_words, parse_cards
from app.engine.match.match import Match

WORLDS = 30
"""In which the hard bot looks ahead to choose: about as many as while a hand is played."""
SEED = 1
PLACES = MATTERS
"""Places that a choice must be better by, on the average, for a reason to be given. Less is a close call."""
ERRORS = 2.0
"""Standard errors that a difference has to exceed, too."""
OPINION = 0.06
"""How much less than its choice Hard must have thought of what was played. Of what it likes about as well it might have
chosen either, by chance."""

HARD = Sentence("hindsight.hard", "Hard")
MEDIUM = Sentence("hindsight.steady", "Medium")

_WOULD = {
    "play": Sentence("hindsight.would.play", "{who} would have played {cards}."),
    "pass": Sentence("hindsight.would.pass", "{who} would have passed."),
    "give": Sentence("hindsight.would.give", "{who} would have given {cards}."),
    "keep": Sentence("hindsight.would.keep", "{who} would have kept the card."),
    "swap": Sentence("hindsight.would.swap", "{who} would have swapped."),
}
_TOO = {
    "play": Sentence("hindsight.too.play", "{who} would have played {cards}, too."),
    "pass": Sentence("hindsight.too.pass", "{who} would have passed, too."),
    "give": Sentence("hindsight.too.give", "{who} would have given {cards}, too."),
    "keep": Sentence("hindsight.too.keep", "{who} would have kept the card, too."),
    "swap": Sentence("hindsight.too.swap", "{who} would have swapped, too."),
}
_CLOSE = {
    "play": Sentence(
        "hindsight.close.play", "A close call: {who} might have played {cards}, and it comes to the same."
    ),
    "pass": Sentence("hindsight.close.pass", "A close call: {who} might have passed, and it comes to the same."),
    "give": Sentence("hindsight.close.give", "A close call: {who} might have given {cards}, and it comes to the same."),
    "keep": Sentence("hindsight.close.keep", "A close call: {who} might have kept the card."),
    "swap": Sentence("hindsight.close.swap", "A close call: {who} might have swapped."),
}
CLOSE = Sentence("hindsight.close", "A close call: {who} might have done something else.")
SAME = Sentence("hindsight.too", "{who} would have done the same.")
ELSE = Sentence("hindsight.would", "{who} would have done something else.")

NOTHING_ELSE = Sentence("hindsight.nothing_else", "There was nothing else to do.")
ALL_OUT = Sentence("hindsight.all_out", "With it one is out at once.")
SURE = Sentence("hindsight.sure", "Nobody can beat it, and all the rest goes out after it.")
NEARLY_SURE = Sentence(
    "hindsight.nearly_sure", "Only a bomb or the like could beat it, and all the rest goes out after it."
)
NOT_AHEAD = Sentence("hindsight.not_ahead", "Here Hard can’t think ahead, and does as Medium does.")
WORLDS_SEEN = Sentence(
    "hindsight.worlds", "It played this turn out in {worlds} deals that were possible, going by what you knew then."
)
KEEPS = Sentence("hindsight.keeps", "Passing would have kept {cards}.")
FIRST = Sentence("hindsight.first", "It goes out first more often: in {one} of {worlds} deals, not in {other}.")
PLACE = Sentence("hindsight.place", "It ends on a better place: {one} on the average, not {other}.")
CHOICE = Sentence("hindsight.choice", "Hard’s choice")
PLAYED = Sentence("hindsight.played", "What was played")
PASSING = Sentence("hindsight.passing", "Passing")
NEXT = Sentence("hindsight.next", "What it thought of next")
COMES_TO = Sentence(
    "hindsight.comes_to",
    "First in {first} of {worlds} deals, place {place} on the average. Wins the trick in {keeps}. About {turns} turns.",
)
GIFT_COMES_TO = Sentence(
    "hindsight.gift_comes_to", "First in {first} of {worlds} deals, place {place} on the average. About {turns} turns."
)


@dataclass(frozen=True)
class TurnThen:
    """A turn of a hand that is over, as its seat saw it then."""

    match: Match
    seat: str
    told: Sequence[Mapping[str, Any]]
    """What it had been told since the deal."""
    dealt: Cards
    played: Action

    @cached_property
    def view(self) -> View:
        """What a bot in its place would have got."""
        return view_of(self.match, self.seat, self.told, self.dealt)

    def job(self) -> bytes | None:
        """What is to be thought about; None where nothing can be thought ahead."""
        others = [self.played, *SeatReader(self.view).doing("pass")]
        budget = Budget(worlds=WORLDS)
        return job_of(self.match, self.seat, self.told, self.dealt, budget, SEED, others)


@dataclass(frozen=True, slots=True)
class Weighed:
    """What came of one action."""

    what: Said
    action: Action
    comes_to: Said


@dataclass(frozen=True, slots=True)
class Hindsight:
    """What would have been done, and why."""

    by: str
    """The kind of bot whose choice it is."""
    action: Action
    same: bool
    """Whether that is what was played, or no worse; cards of the same ranks are the same where suits don't count."""
    worlds: int
    """In how many worlds it was compared."""
    says: Sequence[Said]
    """The choice first, then why."""
    lines: Sequence[Weighed]
    close: bool = False
    """Whether it is a close call between that and what was played."""


def hindsight(turn: TurnThen, thought: Thought | None) -> Hindsight:
    """Put in words what the turn's job came to; None: there was none."""
    seat = SeatReader(turn.view)
    if thought is None or not small_network_bot.understands(seat):
        action = small_network_bot.choose(turn.view, Random(SEED))
        same = seat.alike(action, turn.played)
        return Hindsight("steady", action, same, 0, (_would(MEDIUM, action, same=same), NOT_AHEAD()), ())
    action = thought.action
    same = seat.alike(action, turn.played)
    said = _would(HARD, action, same=same)
    if not thought.tries:
        return Hindsight("hard", action, same, 0, (said, _at_once(seat, turn.view, action)), ())
    chosen, *others = _each_once(seat, thought.tries)
    worlds = chosen.worlds
    played = None if same else next((one for one in others if seat.alike(one.action, turn.played)), None)
    close = played is not None and not (_is_better(played) and played.gap >= OPINION)
    if played is not None and played.behind < 0 and -played.behind > ERRORS * played.behind_error:
        # Hard chose by fewer worlds. In these what was played comes to more.
        action, same, close = played.action, True, False
        said = _would(HARD, action, same=True)
    elif close:
        same, said = True, _CLOSE.get(action["do"], CLOSE)(who=HARD(), cards=_cards(action))
    keeps_its_choice = action == thought.action
    lines = [
        Weighed(_what(seat, turn, each, at), each.action, _comes_to(each)) for at, each in enumerate((chosen, *others))
    ]
    against = played if played is not None else others[0] if others else None
    reasons = _reasons(chosen, against) if against is not None and keeps_its_choice and not close else ()
    return Hindsight("hard", action, same, worlds, (said, *reasons, WORLDS_SEEN(worlds=worlds)), lines, close)


def _is_better(other: Try) -> bool:
    """Return whether the choice is better than another action by more than chance."""
    return other.behind >= PLACES and other.behind > ERRORS * other.behind_error


def _each_once(seat: SeatReader, tries: Sequence[Try]) -> list[Try]:
    found = list[Try]()
    for one in tries:
        if not any(seat.alike(one.action, other.action) for other in found):
            found.append(one)
    return found


def _would(who: Sentence, action: Action, *, same: bool) -> Said:
    sentence = (_TOO if same else _WOULD).get(action["do"], SAME if same else ELSE)
    return sentence(who=who(), cards=_cards(action))


def _cards(action: Action) -> Word:
    return in_words(parse_cards(" ".join(cards_in(action))))


def _at_once(seat: SeatReader, view: View, action: Action) -> Said:
    """Return why nothing had to be thought about."""
    if len(cards_in(action)) == len(seat.cards):
        return ALL_OUT()
    if len(small_network_bot.weighed(seat)) < 2:
        return NOTHING_ELSE()
    rules = rules_of(view["room"])
    sure = rules is not None and not Glimpse(seat, view["told"], rules).may_be_beaten(action)
    return SURE() if sure else NEARLY_SURE()


def _reasons(one: Try, other: Try) -> Sequence[Said]:
    """Return what speaks for the choice and against another action; nothing where chance might have made it.

    These are the very numbers of the table. That a hand takes fewer turns, or a trick is won more often, is no reason:
    somebody may lose all the sooner by it.
    """
    if not _is_better(other):
        return ()
    found = [KEEPS(cards=_cards(other.action))] if one.action["do"] == "pass" else []
    if other.rarer > ERRORS * other.rarer_error and _of(one.first, one) > _of(other.first, other):
        found.append(FIRST(one=_of(one.first, one), other=_of(other.first, other), worlds=one.worlds))
    else:
        found.append(PLACE(one=f"{one.place:.1f}", other=f"{other.place:.1f}"))
    return found


def _what(seat: SeatReader, turn: TurnThen, one: Try, at: int) -> Said:
    """What an action is among those that are compared."""
    if at == 0:
        return CHOICE()
    if seat.alike(one.action, turn.played):
        return PLAYED()
    return PASSING() if one.action["do"] == "pass" else NEXT()


def _comes_to(one: Try) -> Said:
    told: dict[str, Word] = {
        "first": _of(one.first, one),
        "worlds": one.worlds,
        "place": f"{one.place:.1f}",
        "turns": f"{one.turns:.1f}",
    }
    if one.action["do"] == "give":
        return GIFT_COMES_TO(**told)
    return COMES_TO(**told, keeps=_of(one.keeps, one))


def _of(share: float, one: Try) -> int:
    """A share of the worlds as a number of them."""
    return round(share * one.worlds)
