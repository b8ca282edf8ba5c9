"""Makes the pictures of the page in docs/web.md: ``python docs/web_pictures.py``, with Chromium and ``.[dev]``.

It plays a run, trains and evaluates a little in a temporary folder, so the pictures show what anybody would see. With
the name of a folder it is done there, and kept for the next time.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

DOCS = Path(__file__).parent
JIMBO = Path(sys.executable).with_name("jimbo")
WIDE = {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"}
NARROW = {"viewport": {"width": 380, "height": 760}, "color_scheme": "dark", "device_scale_factor": 1}
_POSITION = (
    "hand: Kd(steel, red seal) 10h 10c 9h As 8c 7d 2s; jokers: Baron (foil, eternal), Ride the Bus (mult 12), "
    "Misprint; blind: The Psychic; ante: 2; levels: Pair 3"
)
_PATIENCE = 180_000
"""Milliseconds; the doctor takes its time on a busy machine."""
BOTH = (("", WIDE), ("-narrow", NARROW))


def main() -> None:
    program = os.environ.get("JIMBO_CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else temporary).resolve()
        runs = folder / "runs"
        os.environ["JIMBO_REGISTRY"] = str(folder / "registry")
        if not runs.exists():
            _make(runs)
        line = [
            JIMBO,
            "web",
            "--port",
            "0",
            "--json",
            "--effort",
            "0.2",
            "--games",
            Path(temporary) / "games",
            "--runs",
            runs,
        ]
        with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as server, sync_playwright() as playwright:
            assert server.stdout
            url = json.loads(server.stdout.readline())["url"]
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            try:
                for ending, how in BOTH:
                    page = browser.new_context(locale="en-GB", **how).new_page()
                    page.set_default_timeout(_PATIENCE)
                    page.route("**/api/doctor", _without_folders)
                    _draw(page, url, ending)
                    _review(page, url, ending, runs.parent / "fast.jsonl")
                    _board(page, url, ending)
                    _seeds(page, url, ending)
            finally:
                browser.close()
                server.terminate()


def _make(runs: Path) -> None:
    """A dataset, two trainings and an evaluation, as small as they can be."""
    quiet: dict[str, Any] = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    games = runs / "games.parquet"
    rollout = ["rollout", "--agent", "expert", "--effort", "0.05", "--games", "24", "--set", "joker_order=false"]
    train = ["train", "bc", "--data", games, "--size", "tiny"]
    runs.mkdir()
    to_review: list[Any] = [
        "rollout",
        "--agent",
        "fast",
        "--games",
        "1",
        "--stake",
        "gold",
        "--seed",
        "JIMBO",
        "--out",
        runs.parent / "fast.jsonl",
    ]
    for line in (
        to_review,
        [*rollout, "--out", games, "--register", "games"],
        [*train, "--epochs", "8", "--patience", "8", "--out", runs / "plain", "--register", "plain"],
        [*train, "--epochs", "8", "--patience", "8", "--set", "dropout=0", "--out", runs / "no-dropout"],
        ["eval", "--agent", "fast", "--games", "100", "--out", runs / "fast", "--register", "fast-games"],
        ["eval", "--agent", "fast", "--games", "40", "--stake", "gold", "--out", runs / "fast-gold"],
        ["eval", "--agent", "fast", "--games", "40", "--deck", "b_blue", "--out", runs / "fast-blue"],
        ["registry", "add", "fast", "--agent", "fast"],
        ["league", "promote", "fast"],
        ["registry", "add", "greedy", "--agent", "greedy"],
    ):
        subprocess.run([JIMBO, *line], **quiet)
    challenge = ["league", "challenge", "greedy", "--gate", "smoke"]
    subprocess.run([JIMBO, *challenge], **{**quiet, "check": False})  # it says by its exit code that it lost


def _draw(page: Any, url: str, ending: str) -> None:
    page.goto(url)
    page.get_by_label("Seed").fill("ALEEB")
    page.get_by_role("button", name="Start").click()
    page.get_by_role("combobox", name="Suggestions").select_option(label="always")
    _until(page, "Shop", 2)
    _keep(page, f"web-shop{ending}")
    _until(page, "Big Blind", 3)
    for key in "12":
        page.keyboard.press(key)
    page.get_by_role("region", name="Hand").get_by_role("button").first.hover()
    _keep(page, f"web-play{ending}")
    page.get_by_role("combobox", name="Suggestions").select_option(label="after I choose")
    page.keyboard.press("p")
    page.get_by_text("The agent would").first.wait_for()
    _keep(page, f"web-lesson{ending}", page.get_by_role("region", name="Adviser"))
    page.goto(f"{url}training?run=plain&run=no-dropout")
    page.get_by_role("figure").first.wait_for()
    _keep(page, f"web-training{ending}")
    page.goto(f"{url}training?run=fast&run=fast-gold&run=fast-blue")
    page.get_by_role("region", name="Speed and memory").get_by_role("figure").nth(2).wait_for()
    _keep(page, f"web-speed{ending}", page.get_by_role("region", name="Strength by judged games"))
    page.goto(f"{url}models")
    page.get_by_role("region", name="Decks and stakes").get_by_role("row").nth(2).wait_for()
    _keep(page, f"web-models{ending}")
    page.get_by_role("region", name="Entries").get_by_text("plain").first.click()
    _keep(page, f"web-card{ending}")
    page.goto(f"{url}health")
    page.get_by_text("needed is missing").wait_for()
    _keep(page, f"web-health{ending}")


def _review(page: Any, url: str, ending: str, run: Path) -> None:
    page.goto(f"{url}review")
    page.get_by_label("Choose a file").set_input_files(run)
    page.get_by_role("link", name="Page (HTML)").wait_for(timeout=10 * _PATIENCE)
    _keep(page, f"web-review{ending}")
    page.get_by_role("button", name="Learn from your mistakes").click()
    page.get_by_role("button", name="Show me").click()
    page.get_by_text("In the run").wait_for()
    _keep(page, f"web-learn{ending}")


def _seeds(page: Any, url: str, ending: str) -> None:
    """A line with a route, and the odds of a search."""
    page.goto(f"{url}seeds?seed=TESTSEED&line=beat.beat")
    route = page.get_by_role("region", name="Route")
    route.get_by_label("What do you want?").fill("smeared joker @ 1\njudgement @ 2-3")
    route.get_by_role("button", name="Find the cheapest line").click()
    route.get_by_role("button", name=re.compile("^Do these")).wait_for(timeout=120_000)
    (route if ending else page.get_by_role("heading", name="TESTSEED")).scroll_into_view_if_needed()
    page.mouse.wheel(0, 220)
    page.wait_for_timeout(300)
    _keep(page, f"web-seeds{ending}")
    page.goto(f"{url}seeds?find=")
    page.get_by_label("Must turn up").fill("negative blueprint|negative brainstorm @ 1-2\nnegative tag @ 2")
    page.get_by_label("Must not turn up").fill("the needle @ 1-4")
    page.get_by_role("button", name="Odds").click()
    odds = page.get_by_role("region", name="The odds")
    odds.wait_for(timeout=120_000)
    odds.scroll_into_view_if_needed()
    page.wait_for_timeout(300)
    _keep(page, f"web-find{ending}")


def _board(page: Any, url: str, ending: str) -> None:
    page.goto(f"{url}board?{urlencode({'p': _POSITION, 'cards': '0,1,2,3,4'})}")
    page.get_by_role("region", name="Score", exact=True).wait_for()
    _keep(page, f"web-board{ending}")


def _without_folders(route: Any) -> None:
    """What the doctor finds, with the folder of this clone shortened."""
    answer = route.fetch(timeout=_PATIENCE)
    route.fulfill(response=answer, body=answer.text().replace(str(DOCS.resolve().parent), "~/jimbo"))


def _until(page: Any, place: str, jokers: int) -> None:
    """Do what is suggested until the run is at a place, with some jokers."""
    for _ in range(120):
        page.get_by_role("button", name=re.compile("^Do it")).first.wait_for()
        there = page.get_by_role("heading", level=1).inner_text() == place
        if there and page.locator(".jokers .item").count() >= jokers:
            return
        done = page.locator(".log b").count()
        page.keyboard.press("y")
        with suppress(Exception):
            page.wait_for_function(f"() => document.querySelectorAll('.log b').length !== {done}", timeout=1000)


def _keep(page: Any, name: str, seen: Any = None) -> None:
    page.evaluate("scrollTo(0, 0)")
    if seen:
        seen.evaluate("part => scrollTo(0, part.offsetTop > 400 ? part.offsetTop - 110 : 0)")
    time.sleep(0.4)  # the adviser and the curves are drawn
    page.screenshot(path=DOCS / f"{name}.png")


if __name__ == "__main__":
    main()
