"""Players and dealers [ACE-09]: successive games at one table, joining and leaving.

Nothing here depends on the cards' powers.
"""

from dataclasses import replace

from msgspec import structs

from app.engine.base.errors import RuleError
from app.engine.base.messages import MessageTemplate, join_with_and
from app.engine.base.options import FixedRule, Section
from app.engine.cards.actions import Action, JoinMatch, LeaveMatch
from app.engine.display.events import JOINED, LEFT, GameEvent
from app.engine.games.chase_the_ace.lives_and_pot import (
    DECK,
    LivesAndPot,
    Names,
    build_standing,
    pot_won_event,
    pot_won_reason,
)
from app.engine.match.context import AnySociety
from app.engine.match.hand import Deal

COMING_AND_GOING = FixedRule(
    id="ACE-09",
    name="Joining and leaving",
    sentence="Between games any player may join or leave. During a game a new player waits for the next one, "
    "and a player who leaves gives their dimes to the pot. The last player left wins at once.",
    example="Ana, Bob and Cat have paid 3 each. Cat leaves after the first hand, and the winner gets all 9.",
)

SECTION = Section("table", "The table", (), (COMING_AND_GOING,))


def players_in_next_deal(balance: LivesAndPot, seats: Names) -> Names:
    """Return the players of the next hand of Chase the Ace: in a new game all, else those with dimes (lives).

    `balance` tells which, and `seats` are all seated players.
    """
    return seats if balance.decided else balance.players_with_dimes(seats)


def players_from_left_of(seat: str | None, seats: Names, playing: Names) -> Names:
    """Return the players in `playing` clockwise from the left of a seat, as cards are dealt.

    They begin with the first seat if nobody sits there.
    """
    after = seats.index(seat) + 1 if seat in seats else 0
    return tuple(name for name in seats[after:] + seats[:after] if name in playing)


SOMEBODY_ELSE_DEALS = MessageTemplate(
    "chase_the_ace.somebody_else_deals", "{name} does not play in this hand, so another player deals."
)
ONE_CARD_EACH_FOR = MessageTemplate("chase_the_ace.one_card_each", "Deal one card each to {names}, and none to others.")
ONE_PACK_WITHOUT_JOKERS = MessageTemplate(
    "chase_the_ace.one_pack_without_jokers", "The cards must be those of one deck without jokers, each once."
)


def check_deal(deal: Deal, playing: Names) -> None:
    """Raise `RuleError` (`bad_record`) if a deal of Chase the Ace, which may come from a file, can't be played.

    The dealer must play, each player needs one card, and all cards must be of one deck.
    """
    if deal.dealer not in playing:
        raise RuleError("bad_record", SOMEBODY_ELSE_DEALS(name=deal.dealer))
    dealt = {name: cards for name, cards in deal.cards.items() if cards}
    if dealt.keys() != set(playing) or any(len(cards) != 1 for cards in dealt.values()):
        raise RuleError("bad_record", ONE_CARD_EACH_FOR(names=join_with_and(playing)))
    every = [card for cards in dealt.values() for card in cards] + list(deal.stock)
    if len(set(every)) < len(every) or not set(every) <= set(DECK):
        raise RuleError("bad_record", ONE_PACK_WITHOUT_JOKERS())


NO_CARDS_YET = MessageTemplate(
    "chase_the_ace.no_cards_yet",
    "No cards are dealt yet. Between hands you can only join or leave.",
)


def apply_action_between_deals(match: AnySociety, by: str, action: Action) -> tuple[AnySociety, tuple[GameEvent, ...]]:
    """Return a match of Chase the Ace after a player joined or left between hands, and the events.

    If only one player is left in a game, they win the pot. Other actions raise `RuleError`.
    """
    if isinstance(action, JoinMatch):
        totals = {by: 0, **match.totals}
        return match.replace(seats=(*match.seats, by), totals=totals), (JOINED(by),)
    if not isinstance(action, LeaveMatch):
        raise RuleError("not_in_this_phase", NO_CARDS_YET())
    balance = LivesAndPot.from_memory(match.memory).without_player(by, match.seats)
    seats = tuple(name for name in match.seats if name != by)
    events: tuple[GameEvent, ...] = (LEFT(by),)
    match = match.replace(seats=seats)
    left = balance.players_with_dimes(seats)
    if not balance.decided and len(left) == 1:
        match, won = _award_pot_after_last_hand(match, balance, left[0])
        balance, events = balance.end_game(), (*events, won)
    return match.replace(memory=balance.to_json()), events


def _award_pot_after_last_hand(match: AnySociety, balance: LivesAndPot, winner: str) -> tuple[AnySociety, GameEvent]:
    """Award the pot of Chase the Ace to the only player left: the result of the last hand is changed.

    Returns the match and an event for display only: the next hand's record must not list it again.
    """
    assert match.last is not None, "a game runs, so a hand has been played"
    won = pot_won_event(winner, balance.pot, COMING_AND_GOING.id)
    last = replace(
        match.last.with_reason(pot_won_reason(winner, balance.pot)),
        standing=build_standing((winner,), *balance.fallen),
        goes_on=False,
        events=(*match.last.events, won.name),
    )
    totals = {**match.totals, winner: match.totals[winner] + balance.pot}
    return match.replace(last=last, totals=totals), structs.replace(won, notable=False)
