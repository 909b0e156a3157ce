"""Test that a tag is made only of a clean, tested and described version."""

import subprocess
import sys
from pathlib import Path

import pytest
from packaging.version import Version

import app
from tools import release

ROOT = Path(__file__).parent.parent.parent


VERSION = Version(app.__version__).base_version


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a small repository that is ready for a release. Building and playing take minutes, so nothing is built."""
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## [Unreleased]\n\n### Before you upgrade\n\n- Nothing to do.\n\n### Added\n\n- A card.\n",
        "utf-8",
    )
    (tmp_path / "SECURITY.md").write_text("Write to someone@example.net.\n", "utf-8")
    (tmp_path / "Makefile").write_text("check test:\n\t@test ! -e broken\n", "utf-8")
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").write_text(f'"""A program."""\n\n__version__ = "{app.__version__}"\n', "utf-8")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "build", lambda version, folder: [folder / version])
    for command in ("init -q -b main", "config user.name T", "config user.email t@example.org", "add ."):
        git(tmp_path, *command.split())
    git(tmp_path, "commit", "-qm", "Begin")
    return tmp_path


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout


def run(monkeypatch: pytest.MonkeyPatch, version: str) -> int:
    monkeypatch.setattr(sys, "argv", ["release", version])
    return release.main()


def test_a_release_is_tagged_and_the_next_version_begins(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, VERSION) == 0
    assert "### Added\n- A card." in git(checkout, "tag", "--list", "--format=%(contents)", f"v{VERSION}")
    assert f'__version__ = "{VERSION}"' in git(checkout, "show", f"v{VERSION}:app/__init__.py")
    assert f"## [Unreleased]\n\n## [{VERSION}] - 20" in git(checkout, "show", f"v{VERSION}:CHANGELOG.md")
    begun = (checkout / "app" / "__init__.py").read_text("utf-8")
    assert f'__version__ = "{release.next_version(VERSION)}"' in begun
    assert git(checkout, "status", "--porcelain") == ""


def test_failing_tests_prevent_the_release(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (checkout / "broken").touch()
    git(checkout, "add", ".")
    git(checkout, "commit", "-qm", "Break")
    check_that_nothing_is_released(checkout, monkeypatch)


def test_a_failing_build_leaves_the_tree_as_it_was(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(version: str, folder: Path) -> list[Path]:
        raise subprocess.CalledProcessError(1, [version, folder])

    monkeypatch.setattr(release, "build", fail)
    check_that_nothing_is_released(checkout, monkeypatch)


def check_that_nothing_is_released(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = git(checkout, "rev-parse", "HEAD")
    assert run(monkeypatch, VERSION) == 1
    assert (git(checkout, "tag"), git(checkout, "rev-parse", "HEAD")) == ("", before)
    assert git(checkout, "status", "--porcelain") == ""


def test_every_missing_release_requirement_is_named(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (checkout / "CHANGELOG.md").write_text("# Changelog\n\n## [Unreleased]\n", "utf-8")
    (checkout / "SECURITY.md").write_text(f"Write to {release.PLACEHOLDER}.\n", "utf-8")
    git(checkout, "tag", "v9.9.9")
    assert release.missing_for_release("9.9.9") == [
        f"app/__init__.py says {app.__version__}, which does not become 9.9.9.",
        "The tree has changes that are not committed.",
        "There is a tag v9.9.9 already.",
        "CHANGELOG.md has no entries under Unreleased.",
        "SECURITY.md has no address for reports yet: fill it in.",
    ]
    git(checkout, "checkout", "-qb", "other")
    assert "This is not the branch main." in release.missing_for_release("9.9.9")
