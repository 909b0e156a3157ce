"""Fixtures for browser tests, which use the installed Chromium and download nothing.

Playwright's blocking interface keeps an event loop running. So these tests are plain functions and run in their own
process (`make test-e2e`).
"""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, expect

from tests.e2e.server import Server

HEADLESS = "chromium-headless-shell"
"""Debian's Chromium without windows, which takes a quarter less CPU to open a room. It knows no push service."""
NewContext = Callable[..., BrowserContext]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
UNUSED_FEATURES = (
    # Playwright's own list, repeated here because Chromium uses only the last of two such switches.
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
    # Without these, each window loads two more pages for the address bar.
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
    # Without windows, Chromium would make letters as wide as whole pixels, unlike other browsers.
    "--font-render-hinting=none",
    # Host names that the browser does not treat as local, so they are not secure, like http in a home network.
    "--host-resolver-rules=MAP *.lan 127.0.0.1",
]

# A slow machine may need longer than Playwright's default.
expect.set_options(timeout=15_000)


def installed(*names: str) -> str | None:
    """Return the path of the Chromium named by CHROMIUM, or of the first of these that is installed."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names or (HEADLESS, *NAMES))), None)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Start the installed Chromium and stop its background requests."""
    path = installed()
    if path is None:
        pytest.skip("no Chromium is installed (CHROMIUM=/path/to/it names one elsewhere)")
    return {**browser_type_launch_args, "executable_path": path, "args": QUIET}


@pytest.fixture(scope="session")
def whole_browser(browser_type: BrowserType, browser_type_launch_args: dict[str, Any]) -> Iterator[Browser]:
    """Start a Chromium that has everything, also a push service."""
    started = browser_type.launch(**{**browser_type_launch_args, "executable_path": installed(*NAMES)})
    yield started
    started.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start one server for all browser tests. Tests that kill a server start another one."""
    started = Server(tmp_path_factory.mktemp("server"))
    started.start()
    yield started
    started.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Server:
    """Return a server for one test, which starts and stops it."""
    return Server(tmp_path)


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Reduce motion, so that tests don't wait for animations, and block service workers, so that no page is cached."""
    return {**browser_context_args, "reduced_motion": "reduce", "service_workers": "block"}


@pytest.fixture
def new_context(new_context: NewContext) -> NewContext:
    """Open contexts that may keep the screen on, as browsers with windows may: else phones show a notice.

    `permissions` replace this one, because Chromium refuses all others once a context grants any.
    """

    def open_context(**more: Any) -> BrowserContext:
        return new_context(**{"permissions": ["screen-wake-lock"], **more})

    return open_context
