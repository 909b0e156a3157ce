"""Society [CEAU-13 … CEAU-29]: first lead, titles, exchange, newcomers, dispensation, cut.

Nothing here depends on which cards may be played together. The match handles decrees [CEAU-28]: they change nothing
in the play.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from app.engine.base.errors import RuleError, SuggestedActions
from app.engine.base.messages import MessageTemplate, declare_titles
from app.engine.base.options import FixedRule, Option, Section, Titles, ZeroSum, on_off_choice
from app.engine.cards.actions import Action, Cut, GrantLeave, JoinMatch, LeaveMatch, RefuseLeave, RequestLeave
from app.engine.cards.cards import JOKERS, RANKS, SUITS, Card, Cards, build_deck
from app.engine.climbing.exchange import Exchange, Gift
from app.engine.climbing.game import add_player, remove_player
from app.engine.display.events import CUT, GameEvent, GameEventType
from app.engine.display.point_reasons import PointReason, point_reason
from app.engine.match.context import AnySociety, MatchContext
from app.engine.match.game import DecreeRules

Names = tuple[str, ...]
MatchAndEvents: TypeAlias = tuple[AnySociety, tuple[GameEvent, ...]]
"""A match after an action between hands, and the events."""

PACK = build_deck(jokers=2)
"""One deck with both jokers."""

FIRST_LEAD = FixedRule(
    id="CEAU-13",
    name="First lead",
    sentence="In the first hand the player with the 3♣ leads any play. If nobody was dealt the 3♣, the player "
    "with the 4♣ leads, and so on up the clubs.",
    example="Two play, and the 3♣ is unused: the player with the 4♣ leads.",
)
SERF_LEADS = FixedRule(
    id="CEAU-14",
    name="Later leads",
    sentence="From the second hand on the Serf leads any play.",
    example="The King holds the 3♣, but the Serf leads the J♦.",
)
CONTROL = FixedRule(
    id="CEAU-15",
    name="End of a trick",
    sentence="When all other players have passed, the last player to play leads the next trick. If that "
    "player has no cards left, the next player clockwise with cards leads. If you pass, you may play "
    "later in the trick.",
    example="7♦, 10♣, K♥, pass, pass, A♦, pass, 2♣, pass, pass, pass: the player of the 2♣ leads.",
)
PLACES = ("King", "High Two", "Middle Class", "Low Two", "Serf")
declare_titles(PLACES)
TITLES = Option(
    id="CEAU-20",
    also="ranks names of the places",
    key="titles",
    domain=Titles({"ceausescu": ", ".join(PLACES)}, PLACES),
    default="ceausescu",
    sentence="Sets the titles. First is King, last is Serf, next to them are the High Two and the Low Two, "
    "everyone else is Middle Class. Or enter five titles of your own.",
    example="Five players: King, High Two, Middle Class, Low Two, Serf. Three players have no High Two and no Low Two.",
)
DEALING = FixedRule(
    id="CEAU-21",
    name="Shuffling, cutting and dealing",
    sentence="The Serf shuffles and deals. The King may cut before the deal.",
    example="Dan is Serf and deals. The player at the left gets the first card, and Dan leads.",
)
EXCHANGE = Option(
    id="CEAU-22",
    also="tax tribute 进贡 進貢",
    key="exchange",
    domain=on_off_choice("No exchange", "Low places give cards to high places after the deal"),
    default=True,
    sentence="Decides whether cards are exchanged after the deal. The Serf gives the King their two best "
    "cards and gets any two. Second-last gives second their best card and gets any one. All choose "
    "unseen, and the cards change hands together.",
    example="The Serf holds A♦ K♣ 4♥ 3♦ and gives A♦ K♣; the King, who can’t see them yet, gives 5♣ 6♦.",
    short={True: "Next hand, the King takes the Serf’s 2 best cards and gives back any 2."},
)
THREE_PLAYERS = FixedRule(
    id="CEAU-23",
    name="Exchange for three",
    sentence="The Serf gives their two best cards to the King and the third best to the Middle Class. The "
    "Middle Class gives their best card to the King and any card to the Serf. The King gives any two "
    "cards to the Serf and any one to the Middle Class.",
    example="The Serf holds A♦ K♣ Q♦ 4♥: A♦ K♣ go to the King, Q♦ to the Middle Class.",
)
TWO_PLAYERS = FixedRule(
    id="CEAU-24",
    name="Two players",
    sentence="Two players get 17 cards each, and 20 cards stay unused. The Serf gives their two best cards, "
    "the King any two.",
    example="The Serf holds A♦ K♣ 3♦ and gives A♦ K♣; the King gives 5♣ 9♥.",
)
CEAUSESCU = FixedRule(
    id="CEAU-25",
    name="A Ceausescu",
    sentence="If the Serf finishes first and the King comes last in the same hand, the hand is a Ceausescu.",
    example="Cat was Serf and finishes first; Ana was King and is the last player with cards.",
)
DISPENSATION = FixedRule(
    id="CEAU-26",
    name="Leaving",
    sentence="The Serf may leave only if the King allows it: between hands the Serf asks, and the King allows "
    "or refuses. All other players may leave after any hand; the players below them move up.",
    example="Dan, the Serf, asks and may leave: Cat, the next one above, is now Serf and leads.",
)
NEWCOMERS = FixedRule(
    id="CEAU-27",
    name="New players",
    sentence="A player who joins between hands enters in the middle of the ranking (the lower middle if the "
    "number was odd). A player who leaves and comes back before the next deal keeps their place.",
    example="A fifth player comes in as number three, a sixth as number four.",
)
DECREES = FixedRule(
    id="CEAU-28",
    name="Decrees",
    sentence="The King may give a decree at any time, to one player or to all. Each player who gets it may "
    "answer once: obey or defy.",
    example="“Everyone sing!”: Cat obeys, Bob defies, and play goes on as before.",
)


def _players_below_king(hierarchy: tuple[str, ...], player: str) -> tuple[str, ...]:
    return hierarchy[1:] if hierarchy[:1] == (player,) else ()


WHO_DECREES = MessageTemplate("ceausescu.who_decrees", "Only the King can give decrees.")
KING_DECREES = DecreeRules(DECREES.id, _players_below_king, WHO_DECREES())

NO_FINISH_LINE = FixedRule(
    id="CEAU-29",
    name="No end",
    sentence="The match has no end: play until you want to stop. You score +1 for each hand as King and −1 "
    "for each hand as Serf.",
    example="King, King, Serf: +1 in total.",
)

KING = MessageTemplate("ceausescu.reason.king", "First place: King")
SERF = MessageTemplate("ceausescu.reason.serf", "Last place: Serf")


def reign_reasons(first: str, last: str) -> tuple[PointReason, ...]:
    """Return the ledger lines of a hand of Ceausescu: +1 for the first player (king), −1 for the last (serf)."""
    return point_reason(first, KING(), 1), point_reason(last, SERF(), -1)


ZERO_SUM = ZeroSum("The points of each hand add up to zero.")

LEADS = Section("lead", "First hand and leads", (), (FIRST_LEAD, SERF_LEADS, CONTROL))
SECTION = Section(
    "society",
    "Hierarchy",
    (TITLES, EXCHANGE),
    (DEALING, THREE_PLAYERS, TWO_PLAYERS, CEAUSESCU, DISPENSATION, NEWCOMERS, DECREES, NO_FINISH_LINE),
    importance=1,
)

LOW_CARDS: Cards = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS) + JOKERS
"""Cards in order of precedence for the first lead: clubs from the 3♣ up, then diamonds, hearts, spades."""


def first_leader(cards: Mapping[str, Cards]) -> str:
    """Return the leader of Ceausescu's first hand: the holder of the lowest club dealt.

    Without clubs, the lowest diamond decides, then hearts and spades.

    >>> first_leader({"Ana": (Card("3d"), Card("5c")), "Bob": (Card("4c"),)})
    'Bob'
    """
    low = next(card for card in LOW_CARDS if any(card in held for held in cards.values()))
    return next(name for name, held in cards.items() if low in held)


def titles(chosen: str | Sequence[str], hierarchy: Names) -> dict[str, str]:
    """Return each player's title in Ceausescu.

    `chosen` is a theme or the host's own list of five titles. `hierarchy` is best first.

    >>> titles("ceausescu", ("Ana", "Bob", "Cat"))
    {'Ana': 'King', 'Bob': 'Middle Class', 'Cat': 'Serf'}
    """
    king, high, middle, low, serf = PLACES if isinstance(chosen, str) else chosen
    between = len(hierarchy) - 2
    rest = [middle] * between if between < 2 else [high, *[middle] * (between - 2), low]
    return dict(zip(hierarchy, [king, *rest, serf], strict=False))


def _build_gifts(hierarchy: Names) -> tuple[Gift, ...]:
    king, serf = hierarchy[0], hierarchy[-1]
    if len(hierarchy) == 3:
        middle, rule = hierarchy[1], THREE_PLAYERS.id
        return (
            Gift(serf, king, 2, "best", rule),
            Gift(serf, middle, 1, "best", rule),
            Gift(middle, king, 1, "best", rule),
            Gift(middle, serf, 1, "any", rule),
            Gift(king, serf, 2, "any", rule),
            Gift(king, middle, 1, "any", rule),
        )
    rule = TWO_PLAYERS.id if len(hierarchy) == 2 else EXCHANGE.id
    outer = (Gift(serf, king, 2, "best", rule), Gift(king, serf, 2, "any", rule))
    if len(hierarchy) == 2:
        return outer
    high, low = hierarchy[1], hierarchy[-2]
    return (*outer, Gift(low, high, 1, "best", rule), Gift(high, low, 1, "any", rule))


GIFTS_BY_OPTION: dict[bool, Callable[[Names], tuple[Gift, ...]]] = {True: _build_gifts, False: lambda _: ()}
"""Returns the gifts in a hierarchy, by the value of `exchange`. Each giver chooses gifts in this order."""


DEALT_TOO_FEW_TO_GIVE = MessageTemplate(
    "ceausescu.dealt_too_few_to_give",
    {
        "one": "{name} must give a card in the exchange, but was dealt none.",
        "other": "{name} must give {count} cards in the exchange, but was dealt fewer.",
    },
)


def build_exchange(gifts: tuple[Gift, ...], cards: Mapping[str, Cards]) -> Exchange:
    """Return the exchange of a hand: gifts are chosen unseen and delivered together. Ceausescu and President use it.

    Raises `RuleError` (`bad_record`) if a player was dealt fewer cards than they owe.
    """
    for name, held in cards.items():
        owed = sum(gift.count for gift in gifts if gift.giver == name)
        if len(held) < owed:
            raise RuleError("bad_record", DEALT_TOO_FEW_TO_GIVE(name=name, count=owed))
    return Exchange(gifts, (tuple(range(len(gifts))),), cards)


def find_serf(match: MatchContext) -> str | None:
    """Return Ceausescu's serf, the last player in the hierarchy.

    None before the first hand is over, or with one player left.
    """
    return match.hierarchy[-1] if len(match.hierarchy) > 1 else None


NO_CARDS_YET = MessageTemplate("ceausescu.no_cards_yet", "No cards are dealt yet. Wait for the next hand.")


def apply_action_between_hands(match: AnySociety, by: str, action: Action) -> MatchAndEvents[AnySociety]:
    """Return the match after an action between hands of Ceausescu, and the events.

    The actions are joining, leaving, asking for leave and its answer, and the king's cut. Raises `RuleError` if the
    action is not allowed.
    """
    match action:
        case JoinMatch():
            return _join_match(match, by)
        case LeaveMatch():
            return _leave_match(match, by)
        case RequestLeave():
            return _ask_leave(match, by)
        case GrantLeave():
            return _grant_leave(match, by)
        case RefuseLeave():
            return _refuse_leave(match, by)
        case Cut():
            return _cut_pack(match, by, action)
        case _:
            raise RuleError("not_in_this_phase", NO_CARDS_YET())


def find_leave_request(match: MatchContext) -> str | None:
    """Return the serf (ranked last) whose request to leave the king has not answered, or None."""
    return _serf_with_request_state(match, "asked")


def _serf_with_request_state(match: MatchContext, state: str) -> str | None:
    name = match.memory.get(state)
    return name if name is not None and name == find_serf(match) else None


def _join_match(match: AnySociety, by: str) -> MatchAndEvents[AnySociety]:
    there = match.hierarchy
    place = (len(there) + 1) // 2
    return add_player(match, by, match.seats, (*there[:place], by, *there[place:]), 0)


NOT_LEAVE_REFUSED = MessageTemplate(
    "ceausescu.not_leave.refused",
    "The King {king} has refused. Ask again after the next hand.",
)
NO_LEAVE_REQUESTED = MessageTemplate(
    "ceausescu.not_leave.asked", "You have asked to leave. Wait for an answer from the King {king}."
)
NOT_LEAVE_ASK = MessageTemplate(
    "ceausescu.not_leave.ask", "The Serf can’t leave without permission. Ask the King {king} first."
)


def _leave_match(match: AnySociety, by: str) -> MatchAndEvents[AnySociety]:
    if by == find_serf(match):
        king = match.hierarchy[0]
        would_do: SuggestedActions = ()
        if _serf_with_request_state(match, "refused") is not None:
            said = NOT_LEAVE_REFUSED(king=king)
        elif find_leave_request(match) is not None:
            said = NO_LEAVE_REQUESTED(king=king)
        else:
            said, would_do = NOT_LEAVE_ASK(king=king), (RequestLeave(),)
        raise RuleError("needs_dispensation", said, DISPENSATION.id, would_do)
    return remove_player(match, by)


KING_HAS_REFUSED = MessageTemplate(
    "ceausescu.king_has_refused",
    "The King has refused. Ask again after the next hand.",
)
ASKED_ALREADY = MessageTemplate("ceausescu.asked_already", "You have asked already. Wait for the King’s answer.")
ONLY_THE_SERF_ASKS = MessageTemplate(
    "ceausescu.only_the_serf_asks",
    "Only the Serf must ask. You can leave between hands.",
)


ASKED_LEAVE = GameEventType("asked_leave", "{by} asks to leave.", you="You ask to leave.")
DISPENSED = GameEventType(
    "dispensed",
    "{king} lets {by} leave.",
    you="{king} lets you leave.",
    king_you="You let {by} leave.",
    stood_out="dispensed",
)
REFUSED = GameEventType(
    "refused",
    "{by} does not let {to} leave.",
    you="You do not let {to} leave.",
    to_you="{by} does not let you leave.",
)
SERF_HAS_WON = GameEventType(
    "ceausescu",
    "Ceausescu! The Serf {by} has won, and the King {fallen} has fallen.",
    you="Ceausescu! You, the Serf, have won, and the King {fallen} has fallen.",
    fallen_you="Ceausescu! The Serf {by} has won, and you, the King, have fallen.",
    tone="great",
    stood_out="ceausescu",
)


def _ask_leave(match: AnySociety, by: str) -> MatchAndEvents[AnySociety]:
    if by != find_serf(match):
        raise RuleError(
            "not_in_this_phase",
            ONLY_THE_SERF_ASKS(),
            DISPENSATION.id,
        )
    if find_leave_request(match) is not None:
        raise RuleError("not_in_this_phase", ASKED_ALREADY(), DISPENSATION.id)
    if _serf_with_request_state(match, "refused") is not None:
        raise RuleError("not_in_this_phase", KING_HAS_REFUSED(), DISPENSATION.id)
    return _with_leave_request(match, asked=by), (ASKED_LEAVE(by),)


ONLY_THE_KING_ANSWERS = MessageTemplate(
    "ceausescu.only_the_king_answers",
    "Only the King {king} can answer the Serf.",
)
NOBODY_HAS_ASKED = MessageTemplate(
    "ceausescu.nobody_has_asked",
    "Nobody has asked to leave.",
)


def _find_serf_to_answer(match: MatchContext, by: str) -> str:
    """Return the serf who waits for an answer to a request to leave; raise `RuleError` if `by` may not answer.

    Only the king answers, and only after a request.
    """
    asking = find_leave_request(match)
    if asking is None:
        raise RuleError("not_in_this_phase", NOBODY_HAS_ASKED(), DISPENSATION.id)
    if by != match.hierarchy[0]:
        raise RuleError("not_in_this_phase", ONLY_THE_KING_ANSWERS(king=match.hierarchy[0]), DISPENSATION.id)
    return asking


def _grant_leave(match: AnySociety, by: str) -> MatchAndEvents[AnySociety]:
    asking = _find_serf_to_answer(match, by)
    match, events = remove_player(_with_leave_request(match), asking)
    return match, (DISPENSED(asking, DISPENSATION.id, king=by), *events)


def _refuse_leave(match: AnySociety, by: str) -> MatchAndEvents[AnySociety]:
    asking = _find_serf_to_answer(match, by)
    return _with_leave_request(match, refused=asking), (REFUSED(by, to=asking),)


def _with_leave_request(match: AnySociety, **changes: Any) -> AnySociety:
    """Return the match with a new state of the serf's request to leave: `asked`, `refused` (with the name) or none."""
    rest = {key: value for key, value in match.memory.items() if key not in ("asked", "refused")}
    return match.replace(memory=rest | changes)


CUT_WITHIN_THE_PACK = MessageTemplate(
    "ceausescu.cut_within_the_pack",
    "The deck has {whole} cards. Cut it after at most {whole} cards.",
)
ONLY_THE_KING_CUTS = MessageTemplate("ceausescu.only_the_king_cuts", "Only the King {king} can cut.")
NO_KING_YET = MessageTemplate("ceausescu.no_king_yet", "Nobody can cut before the first hand is over.")


def _cut_pack(match: AnySociety, by: str, action: Cut) -> MatchAndEvents[AnySociety]:
    if not match.hierarchy:
        raise RuleError("not_in_this_phase", NO_KING_YET(), DEALING.id)
    if by != match.hierarchy[0]:
        raise RuleError("not_in_this_phase", ONLY_THE_KING_CUTS(king=match.hierarchy[0]), DEALING.id)
    whole = len(PACK)
    if action.at is None or action.at > whole:
        raise RuleError("bad_action", CUT_WITHIN_THE_PACK(whole=whole))
    return match, (CUT(by, at=action.at),)
