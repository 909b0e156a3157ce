"""`pecking-order status` and `doctor`: the state of a site, and what to do about its faults."""

import json

import click

from app.commands.operate.checks import format_lines, make_lines, sort_faults
from app.commands.operate.facts import collect_facts
from app.commands.operate.probe import probe_address
from app.commands.shared import errors
from app.commands.shared.options import database_option, json_option


@click.command()
@database_option
@json_option
def status(database: str | None, as_json: bool) -> None:
    """Show the state of this site: server, nodes, rooms, database, backup, proxies, open files and warnings.

    The server may be running or not. Run the command as the user of the server, or as root. Figures of a server come
    only from this machine; the lines name the node that answered.
    """
    settings = errors.load_settings_or_fail(database_url=database)
    with errors.show_database_errors(settings.unpooled_database_url):
        lines = make_lines(collect_facts(settings))
    if as_json:
        click.echo(json.dumps({key: line.value for key, line in lines.items()}, indent=2))
    else:
        click.echo(format_lines(lines))


@click.command()
@database_option
@json_option
@click.option("--report", is_flag=True, help="Print a block for a bug report, without names and addresses.")
def doctor(database: str | None, as_json: bool, report: bool) -> None:
    """Check this site and say what to do about each fault, the most harmful first. Status 1 if there is one.

    The command checks the lines of `status`, and tries the address that friends get. What is stored is checked by
    `check`.
    """
    settings = errors.load_settings_or_fail(database_url=database)
    with errors.show_database_errors(settings.unpooled_database_url):
        lines = make_lines(collect_facts(settings))
    probe = probe_address(settings)
    faults = sort_faults(fault for fault in (*(line.fault for line in lines.values()), probe.fault) if fault)
    if as_json:
        found = [{"harm": fault.harm, "what": fault.what, "to_do": fault.to_do} for fault in faults]
        values = {key: line.value for key, line in lines.items()}
        click.echo(json.dumps({**values, "address": probe.url, "faults": found}, indent=2))
    elif report:
        harms = [f"{key}: {line.fault.harm}" for key, line in lines.items() if line.fault]
        harms += [f"address: {probe.fault.harm}"] if probe.fault else []
        click.echo(f"```text\n{format_lines(lines, public=True)}\nfaults: {', '.join(harms) or 'none'}\n```")
    else:
        for number, fault in enumerate(faults, 1):
            click.echo(f"{number}. ({fault.harm}) {fault.what}\n   {fault.to_do}")
        click.echo(f"{len(faults) or 'No'} fault{'' if len(faults) == 1 else 's'} found.")
        click.echo(probe.to_try)
    raise SystemExit(1 if faults else 0)
