"""Test that a tag is made only of a clean, tested and described version."""

import subprocess
import sys
from pathlib import Path

import pytest

import app
from tools import release

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a small repository with a changelog for release.py."""
    changes = f"# Changelog\n\n## [Unreleased]\n\n## [{app.__version__}] - 2026-11-26\n\n### Added\n\n- A card.\n"
    (tmp_path / "CHANGELOG.md").write_text(changes, "utf-8")
    (tmp_path / "Makefile").write_text("check test:\n\t@test ! -e broken\n", "utf-8")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    for command in ("init -q -b main", "config user.name T", "config user.email t@example.org", "add ."):
        git(tmp_path, *command.split())
    git(tmp_path, "commit", "-qm", "Begin")
    return tmp_path


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout


def run(monkeypatch: pytest.MonkeyPatch, version: str) -> int:
    monkeypatch.setattr(sys, "argv", ["release", version])
    return release.main()


def test_a_version_that_is_ready_is_tagged_with_its_changelog_entries(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(monkeypatch, app.__version__) == 0
    assert "### Added\n- A card." in git(checkout, "tag", "--list", "--format=%(contents)", f"v{app.__version__}")


def test_failing_tests_prevent_the_tag(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (checkout / "broken").touch()
    git(checkout, "add", ".")
    git(checkout, "commit", "-qm", "Break")
    assert run(monkeypatch, app.__version__) == 1
    assert git(checkout, "tag") == ""


def test_every_missing_release_requirement_is_named(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (checkout / "CHANGELOG.md").write_text("# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A card.\n", "utf-8")
    git(checkout, "tag", "v9.9.9")
    assert release.missing_for_release("9.9.9") == [
        f"app/__init__.py says {app.__version__}, not 9.9.9.",
        "The tree has changes that are not committed.",
        "There is a tag v9.9.9 already.",
        "CHANGELOG.md has no entries for 9.9.9.",
        "CHANGELOG.md has entries under Unreleased: move them below 9.9.9.",
    ]
    git(checkout, "checkout", "-qb", "other")
    assert "This is not the branch main." in release.missing_for_release("9.9.9")
