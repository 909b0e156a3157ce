"""Browser tests use the machine's own Chromium; nothing is downloaded for them.

Playwright's blocking interface keeps an event loop running, so tests here are plain functions, and run in a process of
their own (`make test-e2e`).
"""

import os
import shutil
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
QUIET = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Start the Chromium that CHROMIUM names, or that is installed, and keep it from calling home."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("no Chromium is installed (CHROMIUM=/path/to/it names one elsewhere)")
    return {**browser_type_launch_args, "executable_path": path, "args": QUIET}
