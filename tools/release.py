"""Create the git tag of a version: `python -m tools.release 0.2.0`, or `make release VERSION=0.2.0`.

All checks run first, and if one fails, no tag is made. The branch must be main with a clean tree. The version must be
the one in app/__init__.py and have entries in the changelog. `make check test` must pass. The annotation of the tag is
the changelog section.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from app import __version__
from tools import changelog

ROOT = Path(__file__).parent.parent


def main() -> int:
    """Check, test and tag the version named on the command line. Returns 0, or 1 after printing what is missing."""
    parser = argparse.ArgumentParser(prog="python -m tools.release", description="Check everything, then make the tag.")
    parser.add_argument("version", help="such as 0.2.0; the one that app/__init__.py has")
    version = parser.parse_args().version
    missing = missing_for_release(version)
    if missing:
        print("\n".join(missing), file=sys.stderr)
        return 1
    tested = subprocess.run(["make", "check", "test"], cwd=ROOT, env={**os.environ, "CI": "true"}, check=False)
    if tested.returncode:
        print("The checks or the tests failed, so there is no tag.", file=sys.stderr)
        return 1
    message = f"Pecking Order {version}\n\n{_changelog_section(version).text()}\n"
    _run_git("tag", "--annotate", f"v{version}", "--cleanup=verbatim", "--message", message)
    print(f"The tag v{version} is made.")
    return 0


def missing_for_release(version: str) -> list[str]:
    """Return a sentence for each condition that is missing for tagging this version; the tests are not run here.

    The conditions are version number, branch, clean tree, a new tag, and the changelog.
    """
    missing = []
    if version != __version__:
        missing.append(f"app/__init__.py says {__version__}, not {version}.")
    if _run_git("branch", "--show-current") != "main":
        missing.append("This is not the branch main.")
    if _run_git("status", "--porcelain"):
        missing.append("The tree has changes that are not committed.")
    if _run_git("tag", "--list", f"v{version}"):
        missing.append(f"There is a tag v{version} already.")
    missing += changelog.find_faults(_read_changelog())
    versions = changelog.parse_changelog(_read_changelog())
    if not any(part.name == version and part.lines for part in versions):
        missing.append(f"CHANGELOG.md has no entries for {version}.")
    if versions and versions[0].lines:
        missing.append(f"CHANGELOG.md has entries under Unreleased: move them below {version}.")
    return missing


def _changelog_section(version: str) -> changelog.Version:
    return next(part for part in changelog.parse_changelog(_read_changelog()) if part.name == version)


def _read_changelog() -> str:
    return (ROOT / "CHANGELOG.md").read_text("utf-8")


def _run_git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
