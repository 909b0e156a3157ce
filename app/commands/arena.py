"""`pecking-order arena`: compare any two bots under any rules."""

import time
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import click
from msgspec import DecodeError, ValidationError, json

from app.arena.duplicate_deals import BotComparison, ComparisonScore, DealResult, summarize_deals
from app.arena.external_bot import ExternalBot, ExternalBotError
from app.bots import BOTS, ChooseAction
from app.bots.search import search_bot
from app.bots.search.monte_carlo import Budget
from app.commands.shared.options import former_option, parse_option
from app.engine.base.errors import RuleError
from app.engine.games import GAMES

_EXTERNAL = "external"
_KINDS = click.Choice([*BOTS, _EXTERNAL])


@click.command()
@click.option("--one", type=_KINDS, default="easy", show_default=True, help="The first bot.")
@click.option("--other", type=_KINDS, default="random", show_default=True, help="The bot to compare it with.")
@click.option(
    "--game", "games", multiple=True, type=click.Choice(list(GAMES)), help="Play this game only (repeatable)."
)
@click.option(
    "--preset",
    "presets",
    multiple=True,
    help="Play this preset, or “all” (repeatable). Default: the first preset of each game.",
)
@click.option("--option", "options", multiple=True, help="Set an option, as KEY=VALUE (repeatable).")
@click.option("--random-options", is_flag=True, help="Set random options, new ones every three deals.")
@click.option("--deals", type=click.IntRange(1), default=100, show_default=True, help="Deals for each set of rules.")
@click.option(
    "--table", "turns", default="abab", show_default=True, help="Seats in order: a is the first bot, b the other."
)
@click.option("--seed", default="arena", show_default=True, help="Random seed.")
@click.option(
    "--seconds", type=click.FloatRange(0, min_open=True), help="Stop each set of rules after this many seconds."
)
@click.option(
    "--file",
    "place",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save deals to this file, and continue from it.",
)
@click.option(
    "--think", type=click.FloatRange(0, min_open=True), help="CPU seconds for a decision of a hard bot. Default: 0.1."
)
@click.option(
    "--samples",
    type=click.IntRange(1),
    help="Sampled deals for a decision of a hard bot, for equal results on every machine.",
)
@former_option("--switch", "--option")
@former_option("--random-switches", "--random-options", is_flag=True)
@former_option("--worlds", "--samples")
@click.option("--external", "command", help="Command of the bot “external”, which reads and writes JSON lines.")
def arena(
    one: str,
    other: str,
    games: tuple[str, ...],
    presets: tuple[str, ...],
    options: tuple[str, ...],
    *,
    random_options: bool,
    deals: int,
    turns: str,
    seed: str,
    seconds: float | None,
    place: Path | None,
    think: float | None,
    samples: int | None,
    command: str | None,
) -> None:
    """Let two bots play the same deals in each other's seats, and print the share of opponents that the first beats.

    50 % is equal. A number behind ± is the 95 % interval over deals. Points are those of a hand, for each seat. Times
    are milliseconds of processor time for a decision: the median and the 99th percentile.

    With --file each deal becomes a line as it is played, and deals that the file has already are not played again.

    A program given by --external reads a line with `room`, `table`, `you` and `told` for each turn. It answers each
    with an action, such as {"do": "pass"}: see docs/bots.md.
    """
    if set(turns) != {"a", "b"}:
        raise click.BadParameter(f"{turns!r}: a table has a's and b's, such as abab or abbb.", param_hint="--table")
    if _EXTERNAL in (one, other) and not command:
        raise click.UsageError("The bot “external” needs --external with the command to run.")
    given = dict(map(parse_option, options))
    budget = Budget(samples, think) if samples or think else search_bot.DEFAULT_BUDGET
    bouts = [
        BotComparison(GAMES[key], preset, None if random_options else given, one, other, turns, seed, str(budget))
        for key in games or GAMES
        for preset in _selected_presets(key, () if random_options else presets)
    ]
    if not bouts:
        raise click.UsageError("No selected game has this preset.")
    with ExitStack() as stack:
        bots: dict[str, ChooseAction] = {**BOTS, "hard": partial(search_bot.choose, budget=budget)}
        if command:
            bots[_EXTERNAL] = stack.enter_context(ExternalBot(command)).choose
        known = _load_results(place)
        click.echo(_HEAD)
        for bout in bouts:
            try:
                click.echo(_format_result(bout, _play_deals(bout, bots, known, deals, seconds, place)))
            except RuleError as error:
                raise click.ClickException(f"{bout.rules_label}: {error.sentence}") from None
            except ExternalBotError as error:
                raise click.ClickException(str(error)) from None


def _play_deals(
    bout: BotComparison,
    bots: Mapping[str, ChooseAction],
    saved_results: Mapping[tuple[str, int], DealResult],
    deals: int,
    seconds: float | None,
    results_file: Path | None,
) -> ComparisonScore:
    played, began = list[DealResult](), time.monotonic()
    for deal in range(deals):
        there = saved_results.get((bout.result_key, deal))
        if there is None:
            if seconds is not None and time.monotonic() - began > seconds:
                break
            there = bout.play_deal(deal, bots)
            if results_file is not None:
                with results_file.open("ab") as file:
                    file.write(json.encode(there) + b"\n")
        played.append(there)
    return summarize_deals(played)


def _selected_presets(game: str, preset_keys: tuple[str, ...]) -> list[str]:
    there = [preset.key for preset in GAMES[game].option_schema.presets]
    return (
        there[:1]
        if not preset_keys
        else there
        if "all" in preset_keys
        else [preset for preset in there if preset in preset_keys]
    )


def _load_results(results_file: Path | None) -> dict[tuple[str, int], DealResult]:
    """Load the results in a file of the arena, by comparison and deal; empty without a file.

    An incomplete line is ignored, so that its deal is played again. A line of another kind raises ClickException.
    """
    if results_file is None or not results_file.exists():
        return {}
    found = dict[tuple[str, int], DealResult]()
    for line in results_file.read_bytes().splitlines():
        try:
            played = json.decode(line, type=DealResult)
        except ValidationError as error:
            raise click.ClickException(
                f"{results_file} has a line that is not a result of the arena: {error}."
            ) from None
        except DecodeError:
            continue
        found[played.key, played.deal] = played
    return found


_HEAD = (
    f"{'rules':34} {'one':>9} : {'other':9} {'deals':>6} {'hands':>7}  {'pairs won':>14}  {'points a hand':>29}"
    "  ms p50, p99"
)


def _format_result(bout: BotComparison, score: ComparisonScore) -> str:
    one, other = score.times_one, score.times_other
    points = [*map(_format_points, (score.points_one, score.points_other), score.points_within)]
    return (
        f"{bout.rules_label[:34]:34} {bout.one:>9} : {bout.other:9} {score.deals:6} {score.hands:7}  "
        f"{100 * score.won:5.1f} ± {100 * score.within:4.1f} %  {' : '.join(points)}  "
        f"{one[0]:.2f}, {one[1]:.2f} : {other[0]:.2f}, {other[1]:.2f}"
    )


def _format_points(points: float, within: float) -> str:
    return f"{points:+6.2f} ± {min(99.0, within):.2f}"
