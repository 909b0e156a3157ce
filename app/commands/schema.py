"""`pecking-order schema`: the files that are made from the protocol."""

from pathlib import Path

import click

from app.web.schema import files


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; fail if a file is not current.")
def schema(check: bool) -> None:
    """Write the protocol's JSON schema and JavaScript types, in a checkout."""
    root = Path(__file__).parent.parent.parent
    if not all((root / path).parent.is_dir() for path in files()):
        raise click.ClickException("These files belong to a checkout, and this is none.")
    stale = [path for path, text in files().items() if _read(root / path) != text]
    for path in stale:
        if not check:
            (root / path).write_text(files()[path], encoding="utf-8")
        click.echo(f"{path} {'is not current' if check else 'written'}", err=check)
    if check and stale:
        raise SystemExit(1)


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None
