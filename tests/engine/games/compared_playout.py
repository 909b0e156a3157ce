"""Compare the engine with a plain model of a rules page in every position and result of random matches."""

from collections.abc import Mapping
from random import Random
from types import ModuleType
from typing import Any, ClassVar

from app.engine.base.errors import RuleError
from app.engine.cards.action_codec import action_to_json
from app.engine.cards.actions import Action, Pass, Play, cards_in_action
from app.engine.cards.cards import Cards, parse_cards
from app.engine.display.events import GameEvent
from app.engine.match.hand import Deal
from app.engine.match.match import Match
from tools.property_checks.playout import Playout


class ComparedPlayout(Playout):
    """A random match (test_random_matches.py) that is also played by a model. They are compared after each action."""

    page: ClassVar[ModuleType]
    """The model of the game's page, such as tien_len_model.py."""
    options_changed = (3, 30, 30)  # mostly all, because each rule should apply often
    pack: Cards = ()
    """The shuffled deck of the latest hand, if it was dealt by the rules."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.model = self.page.new_match(self.match.options.to_json(), self.match.seats)

    def choose_cards(self) -> Mapping[str, Cards]:
        """Choose cards for each player by which rare rules apply often."""
        raise NotImplementedError

    def next_deal(self) -> Deal:
        """Deal a whole deck by the rules, or chosen cards."""
        match, rng = self.match, self.rng
        if rng.random() < 0.8:
            self.pack = ()
            return Deal(match.game.next_dealer(match), self.choose_cards())
        self.pack = tuple(rng.sample(match.deck(), len(match.deck())))
        return match.deal(self.pack, rng.randrange(100))

    def on_step(self, events: tuple[GameEvent, ...]) -> None:
        """Do the same in the model, and compare the position."""
        element, model = self.hand_records[-1], self.model
        if element["actions"]:
            act(model, element["actions"][-1])
        else:
            for action in element.get("between", ()):
                {"join": model.join, "leave": model.leave}[action["do"]](action["by"])
            if self.pack:
                deck, each = self.page.deck(model.options, len(model.players))
                assert {*self.pack} == deck
                assert self.dealt == model.share_out(self.pack, each)
            model.deal(self.dealt)
        check_position(self.match, model)
        if self.match.phase == "play" and self.rng.random() < 0.05:
            check_refusals(self.match, model.hand, self.rng)

    def on_hand_end(self) -> None:
        """Compare the result of the hand."""
        result, hand = self.match.last, self.model.hand
        assert result is not None
        assert [*result.standing] == hand.standing
        assert result.ledger == hand.ledger
        assert [*result.events] == hand.events
        assert sum(result.ledger.values()) == 0
        assert self.match.totals == self.model.totals


def act(model: Any, action: dict[str, Any]) -> None:
    """Do an action of a record in the model."""
    named = (action["as"],) if "as" in action else ()
    model.act(action["by"], action["do"], parse_cards(action.get("cards", "")), *named)


def check_position(match: Match, model: Any) -> None:
    """Check that engine and model agree on the players who may act, all legal actions, the table and the cards held."""
    hand, wanted = match.current_hand, model.hand
    listed = [(by, *plain_action(action)) for by, action in match.legal_actions()]
    assert len({*listed}) == len(listed)
    assert {*listed} == {(by, *action) for by in wanted.players for action in wanted.legal(by)}
    assert match.to_act == (() if wanted.over else (wanted.turn,))
    assert {name: {*cards} for name, cards in hand.cards.items()} == wanted.cards
    assert [*match.standing()] == wanted.standing
    assert match.dealer == wanted.dealer
    if match.phase == "play":
        state = match.game.hand_state_to_json(hand)
        table = state["table"] or {"kind": None, "cards": "", "by": None}
        assert (table["kind"], {*parse_cards(table["cards"])}, table["by"]) == wanted.shown_table()
        assert {*state["passed"]} == wanted.shown_as_passed


def plain_action(action: Action) -> tuple[object, ...]:
    """Return an action as the models list it: what it does, its cards, and the name of a reading if it has one."""
    named = (action.as_,) if isinstance(action, Play) and action.as_ is not None else ()
    return (action_to_json(action)["do"], frozenset(cards_in_action(action)), *named)


def check_refusals(match: Match, hand: Any, rng: Random) -> None:
    """Check that the engine accepts exactly the legal actions among a few, and refuses others with the page's code."""
    for by, held in match.current_hand.cards.items():
        plays = hand.possible_sets(by)
        tried = [frozenset(), *rng.sample(plays, min(len(plays), 6))]
        tried += [frozenset(rng.sample(held, rng.randint(1, min(len(held), 4)))) for _ in range(3 if held else 0)]
        legal = {cards for _, cards, *_ in hand.legal(by)}
        for cards in tried:
            wanted = None if cards in legal else hand.refusal(by, cards)
            assert refusal_code(match, by, Play(tuple(cards)) if cards else Pass()) == wanted


def refusal_code(match: Match, by: str, action: Action) -> str | None:
    """Return the code of the error by which an action is refused, or None."""
    try:
        match.apply_action(by, action)
    except RuleError as error:
        return error.code
    return None
