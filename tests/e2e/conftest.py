"""Browser tests use the machine's own Chromium; nothing is downloaded for them.

Playwright's blocking interface keeps an event loop running, so tests here are plain functions, and run in a process of
their own (`make test-e2e`).
"""

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.server import Server

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
UNUSED_FEATURES = (
    # From Playwright's own list, since of two such switches Chromium takes only the last.
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
    # Otherwise each window loads two more pages, for an address bar that nobody sees.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
)
QUIET = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    f"--disable-features={','.join(UNUSED_FEATURES)}",
    "--no-first-run",
    # Names that are not this machine's own for the browser, so not secure ones: as on the http of a home network.
    "--host-resolver-rules=MAP *.test 127.0.0.1",
]

# What is expected comes at once or never; a machine that does other things, too, may take longer about it.
expect.set_options(timeout=15_000)


def installed() -> str | None:
    """Where the Chromium is that CHROMIUM names, or that is installed."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Start this Chromium, and keep it from calling home."""
    path = installed()
    if path is None:
        pytest.skip("no Chromium is installed (CHROMIUM=/path/to/it names one elsewhere)")
    return {**browser_type_launch_args, "executable_path": path, "args": QUIET}


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all browser tests; who wants to kill one starts their own."""
    started = Server(tmp_path_factory.mktemp("server"))
    started.start()
    yield started
    started.stop()


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Nobody watches: what moves need not be drawn. No page is kept from one test to the next."""
    return {**browser_context_args, "reduced_motion": "reduce", "service_workers": "block"}
