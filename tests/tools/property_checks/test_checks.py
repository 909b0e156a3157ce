"""Test the checks of random matches: each game is broken on purpose, and a check must notice."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from app.engine.cards.actions import Action, Decree
from app.engine.cards.cards import format_cards
from app.engine.climbing.exchange import WILL_EXCHANGE
from app.engine.climbing.hand import LEADS
from app.engine.display.events import GameEvent
from app.engine.display.point_reasons import PLACE, point_reason
from app.engine.games import GAMES
from app.engine.match.context import MatchContext
from app.engine.match.game import Game
from app.engine.match.hand import HandConclusion, HandTransition
from app.engine.match.match import Match
from app.rooms.views import room_view
from tests.rooms.world import four
from tools.property_checks import worker_jobs
from tools.property_checks.errors import PropertyViolation
from tools.property_checks.information_leaks import check_guests_stay_private
from tools.property_checks.matches import check_match
from tools.property_checks.playout import Playout, check_announcement


def shows_a_card(game: Game) -> Callable[..., Any]:
    """Show everybody each player's first card."""
    before = game.table_view
    return lambda hand: {**before(hand), "first": [cards[:1] for cards in hand.cards.values()]}


def shows_a_neighbour(game: Game) -> Callable[..., Any]:
    """Show each player a neighbour's cards."""
    before = game.private_view

    def own(hand: Any, player: str) -> dict[str, Any]:
        place = hand.seats.index(player)
        return {**before(hand, player), "next": hand.cards.get(hand.seats[place - 1])}

    return own


def shows_by_order(game: Game) -> Callable[..., Any]:
    """Show everybody who holds the highest card."""
    before = game.table_view
    return lambda hand: {**before(hand), "best": max(hand.cards, key=lambda name: max(hand.cards[name], default=""))}


def tells_too_many(game: Game) -> Callable[..., Any]:
    """Add an event about the holder of the highest cards."""
    before = game.apply_action

    def apply(hand: Any, by: str, action: Action, *, stored: bool = False) -> HandTransition:
        step = before(hand, by, action, stored=stored)
        most = max(step.hand.cards, key=lambda name: sorted(step.hand.cards[name], reverse=True))
        return HandTransition(step.hand, (*step.events, GameEvent("hm", most)))

    return apply


def lists_what_is_refused(game: Game) -> Callable[..., Any]:
    """List an action that is refused."""
    before = game.legal_actions

    def legal(hand: Any, by: str | None = None) -> Iterator[tuple[str, Action]]:
        yield from before(hand, by)
        yield from ((name, Decree("Sing", name)) for name in hand.to_act if by in (None, name))

    return legal


def loses_a_card(game: Game) -> Callable[..., Any]:
    """Lose a card now and then."""
    before, seen = game.all_cards, list[Any]()

    def whereabouts(hand: Any) -> Any:
        seen.append(hand)
        return before(hand) if len(seen) % 7 else (*before(hand)[1:], before(hand)[1])

    return whereabouts


def scores_without_a_reason(game: Game) -> Callable[..., Any]:
    """Give the first player a point without a reason."""
    before = game.finish_hand

    def finish(match: MatchContext, hand: Any) -> HandConclusion:
        left = before(match, hand)
        more = {**left.result.ledger, match.seats[0]: left.result.ledger[match.seats[0]] + 1}
        return replace(left, result=replace(left.result, ledger=more))

    return finish


def scores_from_nowhere(game: Game) -> Callable[..., Any]:
    """Give the first player a point that no other player loses."""
    before = game.finish_hand

    def finish(match: MatchContext, hand: Any) -> HandConclusion:
        left = before(match, hand)
        return replace(
            left, result=left.result.with_reason(point_reason(match.seats[0], PLACE(place=1, of=2), 1, game.unit))
        )

    return finish


@pytest.mark.parametrize(
    ("answers", "breaks", "says"),
    [
        ("table_view", shows_a_card, "hidden cards"),
        ("private_view", shows_a_neighbour, "hidden cards"),
        ("table_view", shows_by_order, "hidden cards"),
        ("apply_action", tells_too_many, "hidden cards"),
        ("legal_actions", lists_what_is_refused, "listed as legal"),
        ("all_cards", loses_a_card, "cards lost"),
        ("finish_hand", scores_without_a_reason, "not what its reasons come to"),
        ("finish_hand", scores_from_nowhere, "gains what nobody loses"),
    ],
)
@pytest.mark.parametrize("key", GAMES)
def test_a_deliberately_broken_game_is_detected(
    key: str, answers: str, breaks: Callable[[Game], Callable[..., Any]], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if breaks is scores_from_nowhere and GAMES[key].option_schema.zero_sum is None:
        breaks, says = scores_without_a_reason, "not what its reasons come to"  # points may come from nowhere
    monkeypatch.setattr(type(GAMES[key]), answers, staticmethod(breaks(GAMES[key])))
    with pytest.raises(PropertyViolation, match=says):
        play_and_look(GAMES[key], leaks=answers != "finish_hand")


def play_and_look(game: Game, *, leaks: bool) -> None:
    for number in range(60):
        playout = Playout.random_match(game, Random(number))
        playout.leak_check_rate, playout.refusal_check_rate = float(leaks), 0
        check_match(playout, 2)


def test_announced_cards_must_be_given_unless_the_hand_is_won_at_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES["president"]
    announced = (WILL_EXCHANGE("Ana", to="Bob", count=1, back=1),)
    monkeypatch.setattr(type(game), "next_hand_events", staticmethod(lambda match: announced))
    match = Playout.random_match(game, Random(1)).match
    check_announcement(match, [])
    with pytest.raises(PropertyViolation, match="announced, but not given"):
        check_announcement(match, [LEADS("Ana")])


def test_a_worker_job_that_reveals_hidden_cards_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """The job for a worker process contains a neighbour's cards."""
    made = worker_jobs.encode_search_job

    def tells(match: Match, seat: str, *rest: Any) -> bytes | None:
        job, hand = made(match, seat, *rest), match.current_hand
        neighbour = hand.seats[hand.seats.index(seat) - 1]
        return None if job is None else job + format_cards(hand.cards.get(neighbour, ())).encode()

    monkeypatch.setattr(worker_jobs, "encode_search_job", tells)
    playout = Playout.random_match(GAMES["big_two"], Random(1))
    playout.leak_check_rate = 1
    with pytest.raises(PropertyViolation, match="elsewhere tells hidden cards"):
        playout.play_hand()


def test_a_list_of_guests_that_everybody_sees_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    room, built = four().room, room_view.build_stable_room
    for person in ("ana", "a guest", None):
        check_guests_stay_private(room, person, Random(1))
    monkeypatch.setattr(room_view, "build_stable_room", lambda *of: {**built(*of), "guests": of[1].listed})
    with pytest.raises(PropertyViolation, match="sees the list of guests"):
        check_guests_stay_private(room, "a guest", Random(1))
