"""The version of the program, and the commit that it was built from."""

import functools
import shutil
import subprocess
from pathlib import Path

from app import __version__

_APP = Path(__file__).resolve().parent
_BUILT_FROM = _APP / "_commit.txt"
"""Written into wheels and images when they are built: see hatch_build.py and Dockerfile."""

_HASH_DIGITS = 12


@functools.cache
def commit_hash() -> str | None:
    """Return the first 12 hex digits of the commit that the program was built from, or None if unknown.

    An installed program reads the file that its build left. A checkout asks git, and adds `+` if files were changed
    since that commit.
    """
    if _BUILT_FROM.is_file():
        return _BUILT_FROM.read_text("ascii").strip()[:_HASH_DIGITS] or None
    git = shutil.which("git")
    if git is None or not (_APP.parent / ".git").exists():
        return None
    command = [git, "describe", "--always", f"--abbrev={_HASH_DIGITS}", "--dirty=+", "--exclude=*"]
    try:
        done = subprocess.run(command, cwd=_APP.parent, capture_output=True, text=True, timeout=5, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None


def version_with_commit() -> str:
    """Return the version and its commit, such as `0.2.0 (1a2b3c4d5e6f)`, or the version alone if no commit is known."""
    known = commit_hash()
    return f"{__version__} ({known})" if known else __version__
