"""Find the folders of non-Python files: static/, templates/, locale/, docs/ and migrations/.

In a checkout they are beside app/; in an installed wheel they are in app/_data/ (see pyproject.toml). Only this module
knows the difference.
"""

from pathlib import Path

_APP = Path(__file__).resolve().parent


def find_folder(name: str) -> Path:
    """Return the path of a folder with non-Python files, such as static, in a checkout or an installed program.

    Raises FileNotFoundError if it is missing.
    """
    for base in (_APP / "_data", _APP.parent):
        path = base / name
        if path.is_dir():
            return path
    raise FileNotFoundError(f"{name}/ is missing: it should stand beside or inside {_APP}")


def static_folder() -> Path:
    """Return the folder of files for browsers: scripts, style sheets, pictures, and English texts."""
    return find_folder("static")


def templates_folder() -> Path:
    """Return the folder of the Jinja templates from which HTML pages are made."""
    return find_folder("templates")


def locale_folder() -> Path:
    """Return the folder of translations, one PO file for each language."""
    return find_folder("locale")


def docs_folder() -> Path:
    """Return the folder of the documentation, parts of which the server shows."""
    return find_folder("docs")


def migrations_folder() -> Path:
    """Return the folder of Alembic migrations, which bring the database up to date."""
    return find_folder("migrations")
