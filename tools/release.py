"""Release a version: `python -m tools.release 0.4.0`, or `make release VERSION=0.4.0`.

All conditions, checks and tests come first. If one fails, nothing has changed. Then the version and its changelog
section are committed, and built as wheel and source archive, each with a list of its parts (an SBOM as CycloneDX JSON).
The wheel is installed in an empty environment and plays there on both databases. At last the commit gets its tag, and
another commit begins the next version. Nothing is uploaded.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import venv
from datetime import UTC, date, datetime
from pathlib import Path

from packaging.version import InvalidVersion, Version

from app import __version__
from tools import changelog

ROOT = Path(__file__).parent.parent
PLACEHOLDER = "security@example.org"
"""The address in SECURITY.md until somebody answers for it."""


def main() -> int:
    """Release the version named on the command line. Returns 0, or 1 after printing what is missing."""
    parser = argparse.ArgumentParser(prog="python -m tools.release", description="Check everything, then release.")
    parser.add_argument("version", help="such as 0.4.0; app/__init__.py has 0.4.0.dev0 until then")
    parser.add_argument("--build", action="store_true", help="only build the version that is in the tree")
    asked = parser.parse_args()
    version = asked.version
    if asked.build:
        print(*build(version, ROOT / "dist"), sep="\n")
        return 0
    missing = missing_for_release(version)
    if missing:
        print("\n".join(missing), file=sys.stderr)
        return 1
    tested = subprocess.run(["make", "check", "test"], cwd=ROOT, env={**os.environ, "CI": "true"}, check=False)
    if tested.returncode:
        print("The checks or the tests failed, so nothing is released.", file=sys.stderr)
        return 1
    before = _run_git("rev-parse", "HEAD")
    text = release_changelog(_read("CHANGELOG.md"), version, datetime.now(UTC).date())
    (ROOT / "CHANGELOG.md").write_text(text, "utf-8")
    _commit_version(version, f"Release {version}")
    try:
        files = build(version, ROOT / "dist")
    except subprocess.CalledProcessError as error:
        _run_git("reset", "--quiet", "--hard", before)
        print(f"The release can’t be built or played, so nothing is released: {error}", file=sys.stderr)
        return 1
    message = f"Pecking Order {version}\n\n{_section(version)}\n"
    _run_git("tag", "--annotate", f"v{version}", "--cleanup=verbatim", "--message", message)
    begun = next_version(version)
    _commit_version(begun, f"Begin {Version(begun).base_version}")
    print(f"The tag v{version} is made. To publish:", *files, sep="\n")
    return 0


def missing_for_release(version: str) -> list[str]:
    """Return a sentence for each condition that is missing for releasing this version; the tests are not run here.

    The conditions are version number, branch, clean tree, a new tag, the changelog, and the address in SECURITY.md.
    """
    missing = []
    if not _is_next(version):
        missing.append(f"app/__init__.py says {__version__}, which does not become {version}.")
    if _run_git("branch", "--show-current") != "main":
        missing.append("This is not the branch main.")
    if _run_git("status", "--porcelain"):
        missing.append("The tree has changes that are not committed.")
    if _run_git("tag", "--list", f"v{version}"):
        missing.append(f"There is a tag v{version} already.")
    faults = changelog.find_faults(_read("CHANGELOG.md"))
    missing += faults
    if not faults and not changelog.parse_changelog(_read("CHANGELOG.md"))[0].lines:
        missing.append("CHANGELOG.md has no entries under Unreleased.")
    if PLACEHOLDER in _read("SECURITY.md"):
        missing.append("SECURITY.md has no address for reports yet: fill it in.")
    return missing


def _is_next(version: str) -> bool:
    try:
        return Version(version).release == Version(__version__).release and not Version(version).is_prerelease
    except InvalidVersion:
        return False


def next_version(version: str) -> str:
    """Return the version of the tree after a release.

    >>> next_version("0.4.1")
    '0.5.0.dev0'
    """
    released = Version(version)
    return f"{released.major}.{released.minor + 1}.0.dev0"


def release_changelog(text: str, version: str, day: date) -> str:
    """Return the changelog with a new version, which gets all entries under Unreleased."""
    return text.replace("## [Unreleased]\n", f"## [Unreleased]\n\n## [{version}] - {day.isoformat()}\n", 1)


def build(version: str, folder: Path) -> list[Path]:
    """Build wheel, source archive, their SBOMs and the text of the release into a folder; return the files.

    The wheel is installed in an empty environment and plays a hand on each database. Raises `CalledProcessError`.
    """
    _run(sys.executable, "-m", "hatchling", "build", "--directory", folder)
    wheel, archive = folder / f"pecking_order-{version}-py3-none-any.whl", folder / f"pecking_order-{version}.tar.gz"
    parts = [Path(f"{built}.cdx.json") for built in (wheel, archive)]
    with tempfile.TemporaryDirectory(prefix="pecking-order-release-") as empty:
        venv.create(empty, with_pip=True)
        python, program = Path(empty, "bin", "python"), Path(empty, "bin", "pecking-order")
        pip = python, "-m", "pip", "--disable-pip-version-check", "--quiet"
        _run(*pip, "install", "--require-hashes", "--requirement", "requirements/run.txt")
        _run(*pip, "install", "--no-deps", wheel)
        _run(*pip, "check")
        _run(sys.executable, "-m", "tests.installed_game", program)
        _run(python, "-m", "pip", "--quiet", "uninstall", "--yes", "pip")
        make = Path(sys.prefix, "release", "bin", "cyclonedx-py")
        shared = "--pyproject", "pyproject.toml", "--output-reproducible", "--output-format", "JSON", "--output-file"
        # The wheel has the parts that this environment got, the archive those that the lock file names.
        _run(make, "environment", *shared, parts[0], python)
        _run(make, "requirements", *shared, parts[1], "requirements/run.txt")
    notes = folder / f"pecking_order-{version}.md"
    notes.write_text(f"{_section(version)}\n", "utf-8")
    return [wheel, archive, *parts, notes]


def _commit_version(version: str, subject: str) -> None:
    """Write a version into the tree, and commit all changes."""
    file = ROOT / "app" / "__init__.py"
    lines = file.read_text("utf-8").splitlines(keepends=True)
    told = [f'__version__ = "{version}"\n' if line.startswith("__version__ = ") else line for line in lines]
    file.write_text("".join(told), "utf-8")
    _run_git("commit", "--quiet", "--all", "--message", subject)


def _section(version: str) -> str:
    """Return the entries of a version in the changelog."""
    versions = changelog.parse_changelog(_read("CHANGELOG.md"))
    return next(part for part in versions if part.name == version).text()


def _read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def _run(*command: str | Path) -> None:
    subprocess.run(command, cwd=ROOT, check=True)


def _run_git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
