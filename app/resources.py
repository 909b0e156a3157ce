"""Where the files that are not Python live: static/, templates/, docs/ and migrations/.

In a checkout they stand beside app/; in an installed wheel they stand in app/_data/ (see pyproject.toml). Nobody else
needs to know which of the two this is.
"""

from pathlib import Path

_APP = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder of that name, whatever the current folder is."""
    for base in (_APP / "_data", _APP.parent):
        path = base / name
        if path.is_dir():
            return path
    raise FileNotFoundError(f"{name}/ is missing: it should stand beside or inside {_APP}")


def static() -> Path:
    """What browsers may fetch as it is."""
    return folder("static")


def templates() -> Path:
    """What Jinja turns into pages."""
    return folder("templates")


def docs() -> Path:
    """What is written for those who build on it."""
    return folder("docs")


def migrations() -> Path:
    """What Alembic brings a database up to date with."""
    return folder("migrations")
