"""`python -m tools inputs`: list every field that clients can send with its maximum length, or measure CPU time."""

import sys

import click

from app.main import ROUTERS
from tools.inputs.fields import all_input_fields


@click.command()
@click.option("--measure", is_flag=True, help="Measure processor time at sizes n, 2n and 4n, best of five.")
@click.option("--check", is_flag=True, help="Print only the fields without a maximum length.")
def inputs(check: bool, measure: bool) -> None:
    """List every field of messages, requests, headers and files with its maximum length; fail if a field lacks it.

    With --measure, hostile text of several kinds is read in every way that the server has, and the time is printed. The
    command then fails if the time grows faster than the text.
    """
    if measure:
        _measure_reading_times()
        return
    found = list(all_input_fields(ROUTERS))
    missing = [each for each in found if each.most is None]
    for each in missing if check else found:
        most = "NO MAXIMUM" if each.most is None else f"{each.most} {each.unit}"
        click.echo(f"{each.where:60} {each.name:40} {most}")
    if missing:
        sys.exit(f"{len(missing)} of {len(found)} fields have no maximum length: declare one (max_length).")
    click.echo(f"{len(found)} fields, each with a maximum length")


def _measure_reading_times() -> None:
    from tools.inputs.reading_time import all_inputs as ways, measure_inputs

    worst, too_fast, count = None, 0, 0
    click.echo("milliseconds of processor time at n, 2n and 4n characters: the slowest, and what grows too fast")
    for cost in measure_inputs(ways()):
        count += 1
        slowest = worst is None or cost.seconds[-1] > worst
        worst = cost.seconds[-1] if slowest else worst
        if slowest or cost.grows_too_fast:
            times = " ".join(f"{1000 * each:8.2f}" for each in cost.seconds)
            mark = "  GROWS FASTER THAN THE TEXT" if cost.grows_too_fast else ""
            click.echo(f"{cost.input:40} {cost.pattern:24} 4n = {cost.characters:8} {times}{mark}")
        too_fast += cost.grows_too_fast
    if too_fast:
        sys.exit(f"{too_fast} of {count} grow faster than the text")
    click.echo(f"{count} measured: none grows faster than the text")
