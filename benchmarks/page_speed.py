"""The speed of ``jimbo web`` in Chromium: ``python benchmarks/page_speed.py``, with ``.[dev]``.

First paint on loopback, how long a click on a card takes until its score is shown, how long a step takes until the
adviser has spoken. Each is a median in wall-clock time, with its 90th percentile, and in processor time of the server
and of the page, which other programs on the machine disturb less.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

from jimbo.system import load

PAINTS, CLICKS, STEPS = 15, 60, 60
EFFORT = "0.2"
_CLICK = """async place => {
  const now = () => document.querySelector('.verdict-line')?.innerText ?? '';
  const cards = document.querySelectorAll('.hand .card');
  const before = now(), began = performance.now();
  const table = document.querySelector('.table');
  await new Promise(done => {
    const seen = new MutationObserver(() => now() !== before && (seen.disconnect(), done()));
    seen.observe(table, { subtree: true, childList: true, characterData: true });
    cards[place].click();
  });
  return performance.now() - began;
}"""
_STEP = """async () => {
  const done = () => document.querySelectorAll('.log li').length + document.querySelector('h1').innerText
    + [...document.querySelectorAll('.hand .card')].map(card => card.ariaLabel).join();
  const button = document.querySelector('.suggestions button');
  if (!button) return null;
  const before = done(), began = performance.now();
  button.click();
  while (done() === before || !document.querySelector('.suggestions button')) {
    if (performance.now() - began > 20000) return null;
    await new Promise(next => setTimeout(next, 1));
  }
  return performance.now() - began;
}"""


def main() -> None:
    program = os.environ.get("JIMBO_CHROMIUM") or shutil.which("chromium")
    jimbo = Path(sys.executable).with_name("jimbo")
    print(f"load {load()}, {os.cpu_count()} cores, effort {EFFORT}")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        line = [jimbo, "web", "--port", "0", "--json", "--effort", EFFORT, "--games", folder, "--runs", folder]
        with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            url = json.loads(server.stdout.readline())["url"]
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            try:
                _paint(browser, url)
                page = browser.new_context(locale="en-GB").new_page()
                page.goto(f"{url}play")
                page.get_by_label("Seed").fill("ALEEB")
                page.get_by_role("button", name="Start").click()
                page.get_by_role("button", name="play Small Blind", exact=True).click()
                page.locator(".hand .card").nth(7).wait_for()
                page.evaluate(_CLICK, 0)
                _told("click on a card, to its score", server.pid, lambda: page.evaluate(_CLICK, 1), CLICKS)
                page.keyboard.press("Escape")
                page.get_by_role("combobox", name="Suggestions").select_option(label="always")
                page.locator(".suggestions button").first.wait_for()
                _told("step, to the advice on what follows", server.pid, lambda: page.evaluate(_STEP), STEPS)
            finally:
                browser.close()
                server.terminate()


def _paint(browser: Any, url: str) -> None:
    found, ready, threads = [], [], []
    for _ in range(PAINTS):
        before = set(_renderers())
        context = browser.new_context(locale="en-GB")
        page = context.new_page()
        page.goto(f"{url}play")
        page.wait_for_function("() => document.querySelector('main h1')")
        ready.append(page.evaluate("performance.now()"))
        found.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        threads.append(sum(map(_processor_ms, set(_renderers()) - before)))
        context.close()
    _line("first paint", found, "")
    _line("the whole page", ready, f"it worked {median(threads):.0f} ms")


def _renderers() -> list[int]:
    """The processes below this one in which Chromium runs pages."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (folder / "cmdline").read_bytes()
            if b"--type=renderer" in words and str(os.getpid()).encode() in _above(folder):
                found.append(int(folder.name))
    return found


def _above(folder: Path) -> list[bytes]:
    """The processes above one."""
    parents: list[bytes] = []
    while folder.name not in ("0", "1"):
        parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
        parents.append(parent.encode())
        folder = folder.parent / parent
    return parents


def _told(name: str, server: int, once: Callable[[], float | None], times: int) -> None:
    pages = _renderers()
    before, page_before = _processor_ms(server), sum(map(_processor_ms, pages))
    found = [one for one in (once() for _ in range(times)) if one is not None]
    count = max(1, len(found))
    worked, drawn = (_processor_ms(server) - before) / count, (sum(map(_processor_ms, pages)) - page_before) / count
    _line(name, found, f"the server worked {worked:.0f} ms each, the page {drawn:.0f}")


def _line(name: str, found: Sequence[float], more: str) -> None:
    told = f"{name}: median {median(found):.0f} ms, p90 {quantiles(found, n=10)[-1]:.0f}, {len(found)} times"
    print("; ".join(filter(None, (told, more))))


def _processor_ms(pid: int) -> float:
    """What a process has worked, where the system tells it."""
    try:
        parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return time.process_time()
    return 1000 * (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
