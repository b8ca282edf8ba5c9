"""A Chromium for each module of tests, and a new context, a server and a page for each test."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from serve.web.serving import serving, settings_for

NAMES = ("chromium", "chromium-browser", "google-chrome")
MISSING = "Chromium is not installed: make browser installs it, or JIMBO_CHROMIUM names another."
PATIENCE = 10_000
"""Milliseconds for what should be there at once, on a busy machine."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


def chromium() -> str | None:
    named = os.environ.get("JIMBO_CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Not for the whole session: while it runs, other tests could not start a loop of their own."""
    program = chromium()
    if program is None:
        pytest.skip(MISSING)
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'")
    with api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield found
        found.close()


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with serving(settings_for(tmp_path)) as address:
        yield address


class Watch:
    """What went wrong on pages: errors, and requests to anywhere else."""

    def __init__(self) -> None:
        self.troubles: list[str] = []
        self.allowed: tuple[str, ...] = ()
        """Parts of troubles that a test causes itself."""

    def page(self, page: Any) -> None:
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        page.on("console", lambda line: line.type in ("error", "warning") and self.troubles.append(line.text))
        page.on("request", lambda asked: self._look(asked.url))

    def _look(self, address: str) -> None:
        if not address.startswith(("http://127.0.0.1:", "data:", "blob:")):
            self.troubles.append(f"a request to {address}")

    def check(self) -> None:
        left = [one for one in self.troubles if not any(part in one for part in self.allowed)]
        assert left == []


@pytest.fixture
def watch() -> Iterator[Watch]:
    found = Watch()
    yield found
    found.check()


@pytest.fixture
def context(browser: Any, watch: Watch, url: str) -> Iterator[Any]:
    """It ends before the server does, so that no page misses it."""
    assert url
    found = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    found.on("page", watch.page)
    yield found
    found.close()


@pytest.fixture
def page(context: Any) -> Any:
    return context.new_page()


Begin = Callable[..., Any]


@pytest.fixture
def begin(page: Any, url: str) -> Begin:
    """Start a run and return the page that shows it."""

    def start(seed: str = "ALEEB", deck: str = "Red Deck") -> Any:
        page.goto(f"{url}/play")
        page.get_by_label("Seed").fill(seed)
        page.get_by_label("Deck").select_option(label=deck)
        page.get_by_role("button", name="Start").click()
        page.get_by_role("heading", name="Choose a blind").wait_for()
        return page

    return start
