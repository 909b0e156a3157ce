"""Test that digests stand beside the tags of all images, from a file in place of the registry's answers."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from tools import image_digests

DIGEST = f"sha256:{'0123456789abcdef' * 4}"
IMAGES = ("python:3.13-slim", "postgres:18", "haproxy:3.2")


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in image_digests.FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(image_digests.ROOT / name, tmp_path / name)
    monkeypatch.setattr(image_digests, "ROOT", tmp_path)
    return tmp_path


def write_digests(folder: Path, digest: str) -> int:
    answers = folder / "answers.json"
    answers.write_text(json.dumps(dict.fromkeys(IMAGES, digest)), "utf-8")
    return CliRunner().invoke(image_digests.digests, ["--answers", str(answers)]).exit_code


def test_each_image_gets_its_digest_and_later_a_new_one(copies: Path) -> None:
    for digest in (DIGEST, f"sha256:{'f' * 64}"):
        assert write_digests(copies, digest) == 0
        found = "".join((copies / name).read_text("utf-8") for name in image_digests.FILES)
        assert [found.count(f"{image}@{digest}") for image in IMAGES] == [2, 2, 1]
        assert found.count("@sha256:") == 5


def test_an_answer_without_a_digest_changes_no_file(copies: Path) -> None:
    assert write_digests(copies, "sha256:abc") == 1
    assert "@sha256:" not in (copies / "Dockerfile").read_text("utf-8")
