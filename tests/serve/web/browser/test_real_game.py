"""The page beside a server that plays the real game's part: it follows, and plays only where it is armed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from serve.balatrobot.running import running
from serve.web.browser.test_playing import hand
from serve.web.serving import serving, settings_for
from serve.web.test_real import joined


def test_it_follows_and_takes_no_step(page: Any, tmp_path: Path) -> None:
    with running(tmp_path) as (port,):
        backend, somebody = joined(port)
        with serving(settings_for(tmp_path, real=backend)) as address:
            page.goto(f"{address}/play")
            page.get_by_role("link", name="Look at it").click()
            page.get_by_text("start jimbo web with --arm").wait_for()
            assert page.get_by_role("button", name="play Small Blind", exact=True).is_disabled()
            assert page.get_by_role("button", name="Autoplay").is_disabled()
            somebody.select()
            hand(page).nth(7).wait_for()
            page.keyboard.press("1")
            page.get_by_text("High Card").first.wait_for()
            assert page.get_by_role("button", name=re.compile("^play ")).is_disabled()
            page.get_by_role("button", name="Hint").click()
            page.get_by_role("list", name="Suggestions, best first").wait_for()
            assert page.get_by_role("button", name=re.compile("^Do it")).first.is_disabled()
            assert somebody.gamestate()["state"] == "SELECTING_HAND"
            page.goto(f"{address}/health")  # it lets go of the stream before the server ends
            page.get_by_role("heading", name="Health").wait_for()


def test_armed_it_plays(page: Any, tmp_path: Path) -> None:
    with running(tmp_path) as (port,):
        backend, somebody = joined(port)
        with serving(settings_for(tmp_path, real=backend, armed=True)) as address:
            page.goto(f"{address}/play/real")
            page.get_by_text("Armed: what you do here is done in the real game.").wait_for()
            page.get_by_role("button", name="play Small Blind", exact=True).click()
            hand(page).nth(7).wait_for()
            assert somebody.gamestate()["state"] == "SELECTING_HAND"
            assert page.get_by_role("button", name="Undo").is_disabled()
            page.goto(f"{address}/health")
            page.get_by_role("heading", name="Health").wait_for()
