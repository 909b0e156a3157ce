"""The views of Chase the Ace, and how its table is drawn: a card before each player, dimes, stock and pot."""

from functools import lru_cache
from typing import Annotated, TypedDict

from app.engine.base.messages import MessageTemplate, TranslatableMessage, join_with_and
from app.engine.cards.cards import describe_cards, format_cards
from app.engine.display.table_display import (
    AtSeat,
    Counter,
    Face,
    OwnFace,
    Tally,
    icon_panel,
    panel_line,
    player_display,
    text_to_json,
)
from app.engine.games.chase_the_ace import trading
from app.engine.games.chase_the_ace.lives_and_pot import RANKS, LivesAndPot
from app.engine.games.chase_the_ace.rules import rules_of
from app.engine.games.chase_the_ace.trading import AceHand
from app.engine.match.context import MatchContext

SWAP = MessageTemplate("chase.swap", "Swap with {name}")
SWAP_WITH_STOCK = MessageTemplate("chase.swap.stock", "Swap with the stock")
ASKED = MessageTemplate("chase.asked", "Your turn: keep your card, or swap it?")
STOCK = MessageTemplate("chase.stock", {"one": "{count} card in the stock", "other": "{count} cards in the stock"})
POT = MessageTemplate("chase.pot", {"one": "{count} dime in the pot", "other": "{count} dimes in the pot"})
HAS = MessageTemplate("chase.dimes", {"one": "{count} dime", "other": "{count} dimes"})
DIMES = MessageTemplate("chase.unit", "Dimes")
LATE = MessageTemplate("chase.late", "A game is being played. You play from the next game.")
LOSES = {
    "lowest": MessageTemplate(
        "chase.loses",
        {
            "one": "{names} loses a dime: {cards} is the lowest card.",
            "other": "{names} lose a dime each: {cards} are the lowest cards.",
        },
    ),
    "ace": MessageTemplate(
        "chase.loses_ace",
        {
            "one": "{names} loses a dime: {cards} is the lowest card. Aces are low.",
            "other": "{names} lose a dime each: {cards} are the lowest cards. Aces are low.",
        },
    ),
    "alone": MessageTemplate("chase.loses_alone", "{names} loses a dime: {cards} is the lowest card without a match."),
}
"""Texts that say which players lose a dime and why, by the situation of their cards."""
NOBODY = MessageTemplate("chase.nobody", "Nobody loses a dime: every card has a match.")
TIE = MessageTemplate("chase.tie", "{names} tie.")
WINS = MessageTemplate("chase.wins", "{name} wins the game.")
LOSES_AND_WINS = MessageTemplate("chase.loses_and_wins", "{loses} {wins}")


class LivesAndPotView(TypedDict):
    """State that lasts between deals."""

    dimes: Annotated[dict[str, int], "Number of dimes of each player, by name; 0: out of the game."]
    pot: Annotated[int, "Points in the pot."]
    shown: Annotated[dict[str, str], "The face-up cards of players, by name."]


class CutView(TypedDict):
    """A card cut to decide a tie."""

    by: Annotated[str, "The player who cut the card."]
    cards: Annotated[str, "The cut card."]


class AceTableView(LivesAndPotView):
    """The public view of a deal.

    A hand is one deal. A game has several deals and ends when only one player has dimes left. So `standing` lists the
    players who are out of the game so far. It is empty until a player loses the last dime, and complete when the
    game is decided. The `ledger` of the first deal of a game has each player's stake, one point for each dime (-3).
    The `ledger` of the last deal has the pot for the winner. The ledgers of other deals are empty.
    """

    turn: Annotated[str | None, "The player whose turn it is; null: the deal is over."]
    ranks: Annotated[str, "The order of ranks, low to high."]
    playing: Annotated[list[str], "Players with a card in this deal, in seating order."]
    waiting: Annotated[list[str], "Newcomers, who play from the next game on."]
    acted: Annotated[list[str], "Players who have had their turn."]
    silent: Annotated[list[str], "Players without a turn, because they have shown a card that says so."]
    stock: Annotated[int, "Number of cards left to cut from."]
    revealed: Annotated[dict[str, str], "The cards of all players by name, after the deal; empty before."]
    lost: Annotated[list[str], "Players who lost a dime in this deal, after it is over."]
    cuts: Annotated[list[CutView], "Cards cut to decide the last tie (ACE-06)."]
    decided: Annotated[bool, "Whether the game is won. The next deal then begins a new game."]


def build_table_view(hand: AceHand) -> AceTableView:
    """Return the public view of a hand of Chase the Ace as JSON: everything but hidden cards."""
    over, acted = hand.phase == "over", hand.players_who_acted
    return {
        "dimes": dict(hand.balance.dimes),
        "pot": hand.balance.pot,
        "shown": {name: format_cards((card,)) for name, card in hand.face_up_card_by_player.items()},
        "turn": next(iter(hand.to_act), None),
        "ranks": RANKS,
        "playing": [name for name in hand.seats if name in hand.order],
        "waiting": [name for name in hand.seats if name not in hand.balance.dimes],
        "acted": [name for name in hand.seats if name in acted],
        "silent": [name for name in hand.seats if name in hand.silent],
        "stock": len(hand.stock),
        "revealed": dict(hand.card_by_player) if over else {},
        "lost": list(hand.lost),
        "cuts": [{"by": name, "cards": card} for name, card in hand.cuts],
        "decided": hand.balance.decided,
    }


def build_lives_and_pot_view(match: MatchContext) -> LivesAndPotView:
    """Return, for the public view between hands of Chase the Ace, dimes (lives) and pot as the last hand left them."""
    balance = LivesAndPot.from_memory(match.memory)
    return {
        "dimes": dict(balance.dimes),
        "pot": balance.pot,
        "shown": {},
    }


def build_own_view(hand: AceHand, player: str) -> OwnFace:
    """Return what only this player is shown in Chase the Ace; empty unless it is their turn.

    It has the question, and the swap button's label with the player who would be asked.
    """
    if player not in hand.to_act:
        return player_display()
    neighbour = trading.find_swap_partner(hand)
    swap = SWAP_WITH_STOCK() if neighbour is None else SWAP(name=neighbour)
    return {**player_display(ASKED()), "labels": {"swap": text_to_json(swap)}}


def build_face_view(match: MatchContext, hand: AceHand | None) -> Face:
    """Return what the middle of the table shows in Chase the Ace: stock and pot, and the tally of dimes (lives)."""
    balance = _current_lives_and_pot(match, hand)
    stock = 0 if hand is None else len(hand.stock)
    lines = [
        panel_line("stock", STOCK(count=stock), icon="pack" if stock else "nothing"),
        panel_line("pot", POT(count=balance.pot), icon="coin"),
    ]
    return {
        "middle": "panels",
        "panels": [icon_panel("chase", lines)],
        "signs": [],
        "prompt": None,
        "newcomers_text": None if balance.decided else text_to_json(LATE()),
        "tally": _build_tally(balance, rules_of(match.options).starting_dimes, hand),
    }


def build_seat_view(match: MatchContext, hand: AceHand | None, player: str) -> AtSeat:
    """Return what is shown at a seat in Chase the Ace: dimes (lives), and the player's card, face up or down.

    Players who left the game, or wait for the next one, are marked.
    """
    balance = _current_lives_and_pot(match, hand)
    seen: AtSeat = {"state": None, "counter": _dime_counter(balance, player), "table_card": None}
    if hand is None:
        return seen
    if player not in hand.order:
        return {**seen, "state": "left" if player in balance.dimes else "waits"}
    card = hand.cards[player][0]
    return {**seen, "table_card": str(card) if hand.phase == "over" or card in hand.face_up else ""}


def _current_lives_and_pot(match: MatchContext, hand: AceHand | None) -> LivesAndPot:
    return LivesAndPot.from_memory(match.memory) if hand is None else hand.balance


def _dime_counter(balance: LivesAndPot, player: str) -> Counter | None:
    left = balance.dimes.get(player)
    return None if left is None else _dime_counter_of(left)


@lru_cache
def _dime_counter_of(dimes: int) -> Counter:
    """Return the display of a number of dimes (lives), cached, because every view contains it."""
    return {"count": dimes, "icon": "coin", "text": text_to_json(HAS(count=dimes))}


def _build_tally(balance: LivesAndPot, most: int, hand: AceHand | None) -> Tally:
    over = hand is not None and hand.phase == "over"
    return {
        "name": text_to_json(DIMES()),
        "icon": "coin",
        "each": dict(balance.dimes),
        "most": most,
        "lost": [] if hand is None else list(hand.lost),
        "result_text": text_to_json(_deal_result_message(hand)) if hand is not None and over else None,
        "points": over and balance.decided,
    }


def _deal_result_message(hand: AceHand) -> TranslatableMessage:
    """Return a message about a finished hand of Chase the Ace: who lost a dime (life), why, and who won the game."""
    loses = _losers_message(hand) if hand.lost else NOBODY()
    if not hand.balance.decided:
        return loses
    first = hand.standing[0]
    wins = TIE(names=join_with_and(first)) if isinstance(first, tuple) else WINS(name=first)
    return LOSES_AND_WINS(loses=loses, wins=wins) if hand.lost else wins


def _losers_message(hand: AceHand) -> TranslatableMessage:
    cards = [hand.card_by_player[name] for name in hand.lost]
    rank = cards[0].rank
    lower = any(RANKS.index(card.rank) < RANKS.index(rank) for card in hand.card_by_player.values())
    why = "alone" if lower else "ace" if rank == RANKS[0] else "lowest"
    return LOSES[why](names=join_with_and(hand.lost), cards=describe_cards(cards), count=len(cards))
