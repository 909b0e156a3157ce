"""President's short rules: the lines that depend on several options. Most sentences are declared with their option."""

from app.engine.base.messages import MessageTemplate, TranslatableMessage, join_with_and
from app.engine.base.options import Options, PlayedExample, ShortRules
from app.engine.cards.cards import describe_cards, parse_cards, printed_rank
from app.engine.games.president import opening, scoring, society, titles, trick
from app.engine.games.president.combinations import beats, cards, sequences
from app.engine.games.president.combinations.cards import CardMeanings

AIM = MessageTemplate("president.short.aim", "Be first without cards.")

RANKS = MessageTemplate("president.short.ranks", "Low to high: {ranks}.")
RANKS_AND_JOKERS = MessageTemplate("president.short.ranks_and_jokers", "Low to high: {ranks}, joker.")


def say_order(options: Options) -> TranslatableMessage:
    """Say the order of the ranks, without wild ranks and ranks with a power of their own."""
    faces = CardMeanings(options)
    special = faces.wild_ranks + ("" if options[cards.TWOS] == "rank" else "2") + ("3" if faces.threes_high else "")
    ranks = [rank for rank in faces.ranks_low_to_high(inverted=False) if rank not in special]
    numbers = [rank for rank in ranks if rank in "3456789T"]
    if ranks[: len(numbers)] == numbers and len(numbers) > 2:
        rest = ranks[len(numbers) :]
        shown = ", ".join([f"{numbers[0]} to {printed_rank(numbers[-1])}", *rest])
    else:
        shown = ", ".join(map(printed_rank, ranks))
    jokers_have_a_rank = options[cards.JOKERS] > 0 and options[cards.JOKER_ROLE] == "rank"
    return (RANKS_AND_JOKERS if jokers_have_a_rank else RANKS)(ranks=shown)


JOKERS = MessageTemplate("president.short.jokers", "Jokers")
TRUMPS = MessageTemplate("president.short.trumps", "One joker beats any play without jokers.")
WILD = {
    "highest": MessageTemplate("president.short.wild_highest", "{cards} stand for any rank, alone for the highest."),
    "any": MessageTemplate("president.short.wild_any", "{cards} stand for any rank, even alone."),
    "lowest": MessageTemplate("president.short.wild_lowest", "{cards} stand for any rank, alone for the lowest."),
}


def say_wild_cards(options: Options) -> TranslatableMessage | None:
    """Say which cards are wild, or that jokers are trumps; None if neither is so."""
    role = options[cards.JOKER_ROLE] if options[cards.JOKERS] else "rank"
    wild: list[str] = [JOKERS()] if role in ("wild", "wild_only") else []
    wild_ranks = options[cards.WILD_RANKS]
    wild += [printed_rank(rank) for rank in wild_ranks]
    if wild:
        alone = "lowest" if role == "wild_only" else options[cards.WILD_ALONE]
        return WILD[alone](cards=join_with_and(wild))
    return TRUMPS() if role == "trump" else None


DEALER_LEFT = MessageTemplate("president.short.dealer_left", "The dealer’s left neighbour leads first.")
LOW_CARD = MessageTemplate("president.short.low_card", "The player with the {card} leads.")
LOW_CARD_LED = MessageTemplate("president.short.low_card_led", "The player with the {card} leads it.")


def say_first_lead(options: Options) -> TranslatableMessage:
    """Say which player leads the first hand, and whether with the low card."""
    if options[opening.FIRST_LEAD] == "dealer_left":
        return DEALER_LEFT()
    stripped = options[cards.STRIP]
    rank = next(rank for rank in "3456789TJQKA2" if rank not in stripped)
    card = describe_cards(parse_cards(rank + options[opening.LOW_SUIT]))
    return (LOW_CARD_LED if options[opening.LEAD_LOW_CARD] else LOW_CARD)(card=card)


SETS = MessageTemplate("president.short.sets", "Lead one to four cards of a rank.")
RUNS = MessageTemplate("president.short.runs", "Lead one to four cards of a rank, or a run of three or more.")
SUITED_RUNS = MessageTemplate("president.short.suited_runs", "Lead one to four cards of a rank, or a run of one suit.")
ALL_RUNS = MessageTemplate(
    "president.short.all_runs", "Lead one to four cards of a rank, or a run of single cards, pairs or triples."
)
BEAT = {
    "free": MessageTemplate(
        "president.short.beat", "The next player plays the same number of cards, but higher, or passes for now."
    ),
    "out": MessageTemplate(
        "president.short.beat_out",
        "The next player plays the same number of cards, but higher, or passes until the trick ends.",
    ),
}
BEAT_RUNS = {
    "free": MessageTemplate(
        "president.short.beat_runs", "The next player plays the same kind and number, but higher, or passes for now."
    ),
    "out": MessageTemplate(
        "president.short.beat_runs_out",
        "The next player plays the same kind and number, but higher, or passes until the trick ends.",
    ),
}


def say_leads(options: Options) -> TranslatableMessage:
    """Say which cards can be led."""
    if options[sequences.SWITCH] == "none":
        return SETS()
    if options[sequences.SWITCH] == "all":
        return ALL_RUNS()
    return SUITED_RUNS() if options[sequences.SUITS] == "one" else RUNS()


def say_plays(options: Options) -> TranslatableMessage:
    """Say which cards can be played on others, and for how long a pass lasts."""
    return (BEAT if options[sequences.SWITCH] == "none" else BEAT_RUNS)[options[trick.PASSING]]()


PLACES = MessageTemplate("president.short.places", "First out is {first}, last out {last}.")


def say_titles(options: Options) -> TranslatableMessage:
    """Say the titles of the first and the last place."""
    first, *_, last = titles.titles_for_options(options, "12345").values()
    return PLACES(first=_say_title(first), last=_say_title(last))


def _say_title(title: str) -> TranslatableMessage:
    return TranslatableMessage(title, f"title.{title}", {})


OWN_POINTS = MessageTemplate("president.short.own_points", "Places score {points}.")
TARGET = MessageTemplate("president.short.target", "The match ends at {count} points.")
FLOOR = MessageTemplate("president.short.floor", "Start with {start} points; the match ends when a player has {count}.")
HANDS = MessageTemplate("president.short.hands", "The match ends after {count} hands.")


def say_own_points(options: Options) -> TranslatableMessage | None:
    """Say the points of the places, if the host has chosen them."""
    points = options[scoring.SCORING]
    return None if isinstance(points, str) else OWN_POINTS(points=", ".join(map(str, points)))


def say_match_end(options: Options) -> TranslatableMessage | None:
    """Say when the match ends; None if only the players end it."""
    if options[scoring.SCORING] == "none":
        return None
    for option, text in ((scoring.TARGET, TARGET), (scoring.FLOOR, FLOOR), (scoring.HANDS, HANDS)):
        if (count := options[option]) is not None:
            return text(count=count, start=options[scoring.START_POINTS])
    return None


SHORT_RULES = ShortRules(
    play=(
        AIM,
        say_order,
        say_wild_cards,
        cards.TWOS,
        cards.TRANSPARENT,
        cards.POWER_CARDS,
        say_first_lead,
        say_leads,
        say_plays,
        beats.EQUAL_PLAYS,
        trick.ROUNDS,
    ),
    if_room=(say_titles,),
    result=(
        society.EXCHANGE,
        society.EXCHANGE_RETURN,
        opening.NEXT_LEAD,
        scoring.SCORING,
        say_own_points,
        say_match_end,
    ),
    example=PlayedExample(
        ("8c 8d", "Jh Js", "2c 2d"), "A player leads two eights. Two jacks beat them. Two twos beat every other pair."
    ),
    best_players=(4, 7),
)
