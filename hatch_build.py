"""Write the commit into wheels and source archives, so that an installed program knows what it was built from."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CommitHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds app/_commit.txt to what is built. A build outside a git checkout keeps the file that it finds, if any."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Ask git for the commit and include it. `version` is hatch's name of the kind of build, unused here."""
        git = shutil.which("git")
        if git is None or not (Path(self.root) / ".git").exists():
            return
        asked = subprocess.run(  # noqa: S603
            [git, "rev-parse", "HEAD"], cwd=self.root, capture_output=True, text=True, timeout=30, check=False
        )
        if asked.returncode == 0:
            file = Path(self.directory) / "commit.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(asked.stdout, "ascii")
            build_data["force_include"][str(file)] = "app/_commit.txt"
