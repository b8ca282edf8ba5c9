"""Odds, labels, lines and routes of seeds, as text for people."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from jimbo.colours import CYAN, GOLD, GREEN, QUIET
from jimbo.seeds.labels import Label, Labels, Place, item_words, places
from jimbo.seeds.odds import Chance, Odds
from jimbo.seeds.route import FoundRoute
from jimbo.serve.seed_runs import ToldStep, spent_text
from jimbo.text import counted, money_text

PARTS = {
    "boss": "boss",
    "voucher": "voucher",
    "tag": "tag",
    "shop": "shop",
    "pack": "pack",
    "card": "in pack",
    "soul": "The Soul",
}
_MOST_CAUSES = 3
_OFTEN = 0.3
"""Chances above this are told as shares of a hundred."""
_SIGNS = {"certain": ("●", GREEN), "own": ("◐", GREEN), "depends": ("○", GOLD)}


def chance_words(chance: Chance) -> str:
    """``1 in 13 (exact)``, ``1 in 1,300 (1,100 to 1,500)``, ``less than 1 in 3,300``, ``86 in 100 (85 to 87)``."""
    if not chance.value and chance.exact:
        return "never"
    if not chance.value:
        return f"less than 1 in {_one_in(chance.high)}"
    if chance.value > _OFTEN:
        ends = "exact" if chance.exact else f"{100 * chance.low:.0f} to {100 * chance.high:.0f}"
        return f"{100 * chance.value:.0f} in 100 ({ends})"
    if chance.exact:
        return f"1 in {_one_in(chance.value)} (exact)"
    high = _one_in(chance.low) if chance.low else "any number"
    return f"1 in {_one_in(chance.value)} ({_one_in(chance.high)} to {high})"


def _one_in(share: float) -> str:
    number = 1 / share
    if number < 10:
        return f"{number:.1f}"
    digits = max(0, len(str(int(number))) - 3)
    return f"{round(number, -digits):,.0f}"


def time_words(seconds: float) -> str:
    """``2 s``, ``4 min``, ``3 h``, ``12 days``."""
    if not math.isfinite(seconds):
        return "for ever"
    for size, name in ((86400 * 365.25, "years"), (86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {name}"
    return f"{seconds:.0f} s" if seconds >= 1 else "less than 1 s"


def odds_lines(odds: Odds, words: Sequence[str]) -> Iterator[str]:
    """What is to be expected of a search, before it begins."""
    yield f"Odds: {chance_words(odds.all)} seeds. {odds.rate:,.0f} seeds a second here: {expected_words(odds)}."
    if len(words) > 1:
        least = odds.bottleneck
        yield f"Rarest: {words[least]}, {chance_words(odds.each[least])}."
    if odds.independent:
        yield "Together they are too rare to be drawn by chance: they are counted as independent of one another."


def expected_words(odds: Odds) -> str:
    if not odds.all.value:
        return "none was drawn, so the search may take long"
    half, most = odds.seconds_until(0.5), odds.seconds_until(0.95)
    return (
        f"a hit takes {time_words(odds.seconds_for_one)} in the mean, {time_words(half)} in half of all cases, "
        f"{time_words(most)} in 95 %"
    )


# --- Labels -----------------------------------------------------------------------------------------------------------


def print_labels(console: Console, labels: Labels) -> None:
    table = Table.grid(padding=(0, 1))
    for _ in range(4):
        table.add_column()
    ante = 0
    for place, item in places(labels.antes):
        if place[0] != ante:
            ante = place[0]
            table.add_row("", Text(f"Ante {ante}", style="bold"))
        sign, style = _SIGNS[labels.of[place].kind]
        table.add_row(
            Text(sign, style=style), Text(place_name(place), style=QUIET), item_words(item), _why(labels.of[place])
        )
    console.print(table)
    console.print(
        Text("● certain  ◐ certain unless you have it already  ○ depends on what stands beside it", style=QUIET)
    )


def place_name(place: Place) -> str:
    """``shop 3``, ``pack 2``, ``in pack 2``."""
    part = PARTS[place[1]]
    return part if place[1] in ("boss", "voucher") else f"{part} {place[2] + 1}"


def _why(label: Label) -> Text:
    shown = [f"{one.words}{f' → {one.then}' if one.then else ''}" for one in label.causes[:_MOST_CAUSES]]
    more = len(label.causes) - _MOST_CAUSES
    return Text("; ".join([*shown, *([f"{more} more"] if more > 0 else [])]), style=QUIET)


# --- Lines and routes -------------------------------------------------------------------------------------------------


def print_steps(console: Console, steps: Sequence[ToldStep]) -> None:
    table = Table.grid(padding=(0, 2))
    for number, step in enumerate(steps, 1):
        paid = money_text(-step.paid) if step.paid else ""
        table.add_row(
            Text(f"{number:>3}", style=QUIET),
            Text(f"ante {step.ante}", style=QUIET),
            step.text,
            paid,
            Text(money_text(step.money), style=QUIET),
        )
    console.print(table)


def print_route(console: Console, route: FoundRoute, wishes: Sequence[str], steps: Sequence[ToldStep]) -> None:
    print_steps(console, steps)
    for got in route.got:
        console.print(Text.assemble((got.name, CYAN), f": {got.how} in ante {got.ante}, step {got.word}"))
    for wish in route.missing:
        why = "turns up nowhere on the way" if wish in route.unseen else "cannot be had with the others"
        console.print(f"{wishes[wish]}: {why}.")
    console.print(f"Cost: {spent_text(route.spent)}. {money_text(route.money)} left.")
    if not route.is_cheapest:
        console.print("The search ran out of time: a cheaper line may exist. --seconds gives it more.")
    console.print(Text(route.assumed, style=QUIET))
    console.print(Text(f"{counted(route.tried, 'line')} tried. As a line: {' '.join(route.words)}", style=QUIET))
