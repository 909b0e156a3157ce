"""Who plays, who deals and who comes and goes [ACE-09]: games that follow games at one table.

Nothing here knows what a card does.
"""

from dataclasses import replace

from msgspec import structs

from app.engine.base.errors import RuleError
from app.engine.base.messages import Sentence, both
from app.engine.base.options import Rule, Section
from app.engine.cards.actions import Action, JoinMatch, LeaveMatch
from app.engine.display.events import JOINED, LEFT, Event
from app.engine.games.chase_the_ace.lives_and_pot import DECK, Books, Names, pot_to, pot_won, standing
from app.engine.match.context import AnySociety
from app.engine.match.hand import Deal

COMING_AND_GOING = Rule(
    id="ACE-09",
    name="Coming and going",
    sentence="Between games anybody may come or go. In the middle of a game a newcomer waits for the next one, and who "
    "goes gives up their dimes to the pot; if one is left, they win at once.",
    example="Ana, Bob and Cat have paid 3 each; Cat goes after the first deal, and whoever wins gets all 9.",
)

SECTION = Section("table", "The table", (), (COMING_AND_GOING,))


def playing_next(books: Books, seats: Names) -> Names:
    """Who gets a card in the next deal: all for a new game, else those who still have dimes."""
    return seats if books.decided else books.still_in(seats)


def from_left_of(seat: str | None, seats: Names, playing: Names) -> Names:
    """Those who play, beginning at the left of a seat; at the first, if nobody sits there."""
    after = seats.index(seat) + 1 if seat in seats else 0
    return tuple(name for name in seats[after:] + seats[:after] if name in playing)


SOMEBODY_ELSE_DEALS = Sentence(
    "chase_the_ace.somebody_else_deals", "{name} does not play in this deal, so somebody else deals."
)
ONE_CARD_EACH_FOR = Sentence("chase_the_ace.one_card_each", "One card each for {names}, and none for anybody else.")
ONE_PACK_WITHOUT_JOKERS = Sentence(
    "chase_the_ace.one_pack_without_jokers", "The cards are those of one pack without jokers, each once."
)


def check_deal(deal: Deal, playing: Names) -> None:
    """`bad_record` if these cards can't be played with."""
    if deal.dealer not in playing:
        raise RuleError("bad_record", SOMEBODY_ELSE_DEALS(name=deal.dealer))
    dealt = {name: cards for name, cards in deal.cards.items() if cards}
    if dealt.keys() != set(playing) or any(len(cards) != 1 for cards in dealt.values()):
        raise RuleError("bad_record", ONE_CARD_EACH_FOR(names=both(playing)))
    every = [card for cards in dealt.values() for card in cards] + list(deal.stock)
    if len(set(every)) < len(every) or not set(every) <= set(DECK):
        raise RuleError("bad_record", ONE_PACK_WITHOUT_JOKERS())


NO_CARDS_YET = Sentence(
    "chase_the_ace.no_cards_yet",
    "No cards are dealt yet: between deals you can only come or go.",
)


def between(match: AnySociety, by: str, action: Action) -> tuple[AnySociety, tuple[Event, ...]]:
    """Let somebody come or go between deals."""
    if isinstance(action, JoinMatch):
        totals = {by: 0, **match.totals}
        return match.but(seats=(*match.seats, by), totals=totals), (JOINED(by),)
    if not isinstance(action, LeaveMatch):
        raise RuleError("not_in_this_phase", NO_CARDS_YET())
    books = Books.read(match.memory).without(by, match.seats)
    seats = tuple(name for name in match.seats if name != by)
    events: tuple[Event, ...] = (LEFT(by),)
    match = match.but(seats=seats)
    left = books.still_in(seats)
    if not books.decided and len(left) == 1:
        match, won = _won_in_the_hand_before(match, books, left[0])
        books, events = books.close_game(), (*events, won)
    return match.but(memory=books.to_json()), events


def _won_in_the_hand_before(match: AnySociety, books: Books, winner: str) -> tuple[AnySociety, Event]:
    """All others have gone: the pot is won in the hand that was played last, so its result is told anew.

    The event is for the table only: the next hand's record must not list it too.
    """
    assert match.last is not None, "a game runs, so a hand has been played"
    won = pot_won(winner, books.pot, COMING_AND_GOING.id)
    last = replace(
        match.last.with_more(pot_to(winner, books.pot)),
        standing=standing((winner,), *books.fallen),
        goes_on=False,
        events=(*match.last.events, won.name),
    )
    totals = {**match.totals, winner: match.totals[winner] + books.pot}
    return match.but(last=last, totals=totals), structs.replace(won, notable=False)
