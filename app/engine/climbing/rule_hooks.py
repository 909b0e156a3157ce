"""What the loop asks of a game's rules, and what it tells them.

`Rules` answers for the plainest climbing game: no special cards, passing is free, the last with cards ends the hand. A
game overrides what it does differently. The loop and this file name no switch.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TypeAlias

from app.engine.base.errors import RuleError
from app.engine.base.messages import Said, Sentence
from app.engine.cards.actions import Action, Give
from app.engine.cards.cards import RANKS, Card, Cards, pack
from app.engine.climbing.combinations import KIND_OF_SET, SINGLE, Combination
from app.engine.climbing.effects import Effect, EndTrick
from app.engine.climbing.exchange import Exchange
from app.engine.climbing.state import Laid, State
from app.engine.climbing.suggestion_data import OfKind, Proposal
from app.engine.display.events import EventType
from app.engine.display.table_display import OwnFace, Panel, Sign, own_face
from app.engine.match.hand import HandStep

HandState: TypeAlias = State["Rules"]
"""One hand with the rules in force."""


NOTHING_TO_CALL = Sentence("refused.nothing_to_call", "Nothing can be called here: play without a call.")
LEADERS_PLAY = Sentence("refused.leaders_play", "You lead, and passing is for those who follow")
SOMETHING_FIRST = Sentence("refused.something_first", "Something else has to be done first.")
TURN_OF = Sentence("refused.turn_of", "It is {turn}’s turn.")
NOTHING_BEATS = Sentence("could.nothing_beats", "Nothing beats that")
ONE_CARD = Sentence("what.one_card", "one card")
OF_ONE_RANK = Sentence("what.of_one_rank", "cards of one rank")
INVERTED = Sentence("sign.inverted", "Revolution: low beats high")
TURNED = Sentence("sign.turned", "Till the trick ends: low beats high")
TURNED_BACK = Sentence("sign.turned_back", "Till the trick ends: high beats low")
REVERSED = Sentence("sign.reversed", "Reversed: anticlockwise")
LEAD_PASSED = EventType(
    "lead_passed",
    "{by} has nothing to lead; {leads} leads.",
    you="You have nothing to lead; {leads} leads.",
    leads_you="{by} has nothing to lead; you lead.",
)
BAN_LIFTED = EventType("ban_lifted", "Everybody had to pass: the ban on last cards is lifted.")
NOT_NOW = Sentence("refused.not_now", "That can’t be done now.")


class Rules:
    """One set of rules in force. Stateless: made once from the options of a match."""

    passing_bars: bool = False
    """Whether who passes is out of the trick."""
    barring: str | None = None
    """The id of the rule that says so."""
    low_card_rule: str | None = None
    """The id of the rule by which the first lead must contain the low card."""
    pausing: str | None = None
    """The id of the rule by which something else has to be done first."""
    calling: str | None = None
    """The id of the rule about what may be called."""
    interrupting: str | None = None
    """The id of the rule about what may be played out of turn; None where nothing may."""
    keeps_pile: bool = False
    """Whether finished tricks stay to be looked at."""
    one_round: bool = False
    """Whether everybody has a single turn in a trick."""
    refusing: bool = False
    """Whether `play_refused` may refuse anything."""
    by_cards: bool = True
    """Whether what answers a play hangs on nothing but the cards, and which way up the ranks are."""
    by_worth: bool = False
    """Whether of two single cards the one of more worth beats the other, and nothing else is to be said of them."""
    may_end: bool = False
    """Whether `ends` may end any trick."""
    strong: str = ""
    """Cards that are worth more than their rank, since they beat higher ones by a power of their own."""
    rests: bool = False
    """Whether who waits for their turn in a trick sees nothing of their own but their cards, and can do nothing."""

    # What the loop asks ------------------------------------------------------------------------------------

    def worth(self, card: Card) -> float:
        """How good a card is in an exchange: higher is better, equal is the giver's choice."""
        raise NotImplementedError

    def order(self, card: Card) -> tuple[float, Card]:
        """Where a card stands among one's cards, for showing them sorted."""
        return (self.worth(card), card)

    def ranks(self, hand: HandState) -> str:
        """Natural ranks from low to high, as in force now: for showing, and for bots."""
        return RANKS

    def wild(self) -> str:
        """Ranks that are wild."""
        return ""

    def alike(self, card: Card) -> Hashable:
        """What decides of a card which single cards beat it, and what it beats alone: the same for cards that differ
        in name only. For whoever asks about a whole deck."""
        return card

    def deck(self) -> Cards:
        """Every card of the game."""
        return pack()

    def pack_ranks(self) -> str:
        """The ranks of the pack, jokers apart, from low to high at the start of a hand."""
        return RANKS

    def readings(self, hand: HandState, cards: Cards) -> Sequence[Combination]:
        """Every combination that these cards may be read as at this table, strongest first."""
        raise NotImplementedError

    def found(self, hand: HandState, held: Cards) -> Iterable[Sequence[Combination]]:
        """What may be led, or beats the table, among cards held by who is to act: of each different choice of cards,
        smallest first, the readings that do, strongest first. Lazily: of some hands there are very many."""
        raise NotImplementedError

    def beats(self, hand: HandState, by: str, combination: Combination) -> bool:
        """Whether it beats the combination on the table (there is one)."""
        table = hand.table
        assert table is not None
        on = table.combination
        same = combination.kind == on.kind and combination.size == on.size
        return same and combination.strength > on.strength

    def must_lead(self, hand: HandState, by: str) -> Card | None:
        """The card that this lead must contain: the low card, where it must."""
        return None

    def play_refused(self, hand: HandState, by: str, combination: Combination) -> RuleError | None:
        """Why a combination that would beat (or lead) is not allowed all the same: last-card rules. Asked of what is
        listed only where the rules are `refusing`."""
        return None

    def may_refuse(self, hand: HandState, by: str, size: int) -> bool:
        """Return whether `play_refused` may refuse this player a proposed play of `size` cards, whatever cards they
        hold besides: rules on last plays refuse no play that leaves its player a card."""
        return self.refusing and size >= len(hand.cards[by])

    def may_pass(self, hand: HandState, by: str) -> bool:
        """Whether this player, whose turn it is, may pass now."""
        return hand.table is not None

    def named(self, combination: Combination) -> str:
        """What `as` calls this reading, whatever else lies or is in force; empty if there is no name for it."""
        return combination.rank

    def calls(self, hand: HandState, by: str, combination: Combination) -> Sequence[str]:
        """What may be called with this play."""
        return ()

    def called(self, hand: HandState) -> str | None:
        """Return what is called now, and so binds the plays on what lies on the table."""
        return None if hand.table is None else hand.table.call

    def call_sentence(self, hand: HandState, by: str, combination: Combination) -> Said:
        """Why this can't be called, and what could be."""
        return NOTHING_TO_CALL()

    def must_play(self, hand: HandState, by: str) -> tuple[Said, str | None]:
        """Why somebody who may not pass may not, for a sentence that goes on with what they could play; and by which
        rule."""
        return LEADERS_PLAY(), None

    def kinds(self, hand: HandState, by: str) -> list[Proposal]:
        """What may be led."""
        return [OfKind(ONE_CARD(), (SINGLE,)), OfKind(OF_ONE_RANK(), KIND_OF_SET[2:])]

    def unread_by(self, hand: HandState, cards: Cards) -> str | None:
        """The id of the rule by which these cards are no combination, if it is a rule of its own."""
        return None

    def unbeaten_by(self, hand: HandState, by: str, combination: Combination) -> str | None:
        """The id of the rule by which this combination does not beat the table, if it is a rule of its own."""
        return None

    def pauses(self, hand: HandState) -> bool:
        """Whether nobody may play or pass because something else has to be done first."""
        return False

    def pause_sentence(self, hand: HandState) -> Said:
        """What has to be done first."""
        return SOMETHING_FIRST()

    def exchanging(self, hand: HandState, exchange: Exchange) -> tuple[str, ...]:
        """Who has something to do in the exchange."""
        return exchange.givers()

    def out_of_turn(self, hand: HandState, by: str, combination: Combination) -> bool:
        """Whether this may be played though somebody else is to act."""
        return False

    def turn_sentence(self, hand: HandState) -> Said:
        """Whose turn it is, and what may be played out of turn."""
        return TURN_OF(turn=hand.turn or "")

    def interruptions(self, hand: HandState, by: str) -> Iterator[Cards]:
        """All that this player, who is not to act, may play now, each once."""
        return iter(())

    def may_break_in(self, hand: HandState) -> tuple[str, ...]:
        """Who may be about to play out of turn, for all that everybody can see."""
        return ()

    def turn_when_all_are_silent(self, hand: HandState) -> str | None:
        """Whose turn it is when nobody is left to answer the last play; None ends the trick."""
        return None

    def over(self, hand: HandState) -> bool:
        """Whether the hand is over."""
        return len(hand.active()) <= 1

    def proposals(self, hand: HandState, by: str) -> list[Proposal]:
        """What beats the table, whoever held it besides their own cards: found by asking what `beats` asks."""
        raise NotImplementedError

    def nothing_beats(self, hand: HandState) -> Said:
        """That nothing does, for a sentence."""
        return NOTHING_BEATS()

    def signs(self, hand: HandState) -> Iterable[Sign]:
        """What is out of the ordinary now, for all to see; a game adds its own."""
        if hand.revolution:
            yield Sign("inverted", "⇅", INVERTED())
        if hand.trick.turned:
            yield Sign("turned", "↯", TURNED_BACK() if hand.revolution else TURNED())
        if hand.direction == -1:
            yield Sign("direction", "↺", REVERSED())

    def panels(self, hand: HandState) -> Iterable[Panel]:
        """What is to be read or seen in the middle of the table besides gifts, where no trick lies there."""
        return ()

    def waits_for(self, hand: HandState) -> Said | None:
        """What all wait for, where it is neither a play nor a gift."""
        return None

    def shows(self, hand: HandState, player: str) -> OwnFace:
        """What only this player is shown and asked besides plays and gifts."""
        return own_face()

    # What the loop tells -----------------------------------------------------------------------------------

    def ends(self, hand: HandState, laid: Laid) -> EndTrick | None:
        """Whether the trick is over with a play; asked where the rules `may_end`, before it is put on the table."""
        return None

    def played(self, hand: HandState, laid: Laid) -> Iterable[Effect]:
        """After cards were put on the table, before the turn moves on. `hand` has the play in it."""
        return ()

    def went_out(self, hand: HandState, name: str) -> Iterable[Effect]:
        """After somebody went out by a choice in mid-trick."""
        return ()

    def passed(self, hand: HandState, by: str) -> HandStep[HandState]:
        """After somebody passed on a play, before the turn moves on."""
        return HandStep(hand)

    def lead_passed(self, hand: HandState, by: str) -> HandStep[HandState]:
        """After a leader passed, where that is allowed."""
        raise NotImplementedError

    def trick_over(self, hand: HandState, trick: Sequence[Laid]) -> HandStep[HandState]:
        """After a trick, the leader of the next being to act."""
        return HandStep(hand)

    def exchange_over(self, hand: HandState) -> HandStep[HandState]:
        """When all gifts have changed hands: what comes next (play, for most)."""
        raise NotImplementedError

    def other(self, hand: HandState, by: str, action: Action) -> HandStep[HandState]:
        """An action that only this game has."""
        raise RuleError("not_in_this_phase", NOT_NOW())

    def other_legal(self, hand: HandState) -> Iterator[tuple[str, Action]]:
        """Legal actions besides play, pass and give, of those in `to_act`."""
        return iter(())

    def gift_refused(self, hand: HandState, by: str, action: Give) -> HandStep[HandState] | None:
        """A gift outside the list of gifts (a trade broken off); None: not this game's."""
        return None

    def standing(self, hand: HandState) -> tuple[str, ...]:
        """Places so far; of a hand that is over, all of them."""
        if hand.phase != "over":
            return hand.out
        rest = tuple(name for name in hand.seats if name not in hand.out and name not in hand.sunk)
        return (*hand.out, *rest, *hand.sunk)
