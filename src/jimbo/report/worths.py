"""Learnt worths for players: a page in Markdown with pictures beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from jimbo.engine import LAST_ANTE
from jimbo.engine.catalog import HANDS, JOKERS, STAKES, VOUCHERS
from jimbo.eval.worths import MONEY, Worth, Worths
from jimbo.files import write_text
from jimbo.report import svg
from jimbo.report.svg import Point
from jimbo.text import counted, percent_text

_ANTES = range(1, LAST_ANTE + 1)
_JOKERS_SHOWN, _OTHERS_SHOWN = 30, 16
_WORST_SHOWN = 10
_MONEY_ANTES = (2, 5, 8)
_FEWEST = 10
"""Positions that a mean must have to be shown."""

_INTRODUCTION = """\
The numbers are points: by how much the chance to win a run changes, in the opinion of the value that the agent `fast`
decides by ([value.md](value.md)), when a thing is given to a run for nothing just before a blind. Jokers are given as
Negative ones, so that they need no room. The runs are the agent's own, with the Red Deck, at most sixty moments of each
ante. A joker's number is high where it suits the builds that this agent plays.

This is what one network has learnt from playing, not a proof; [value.md](value.md) says how strong it is. It knows
little of antes that its runs seldom reach. Things that often go along with success are overrated, money above all. What
is given can hardly hurt: most numbers below zero are its mistakes, from games that tried such things and played worse.
"""

ByAnte = Mapping[int, Worth]


def write_page(path: Path, found: Sequence[Worths], command: str) -> list[Path]:
    """The page and its pictures; returns all that was written."""
    pictures = {
        path.with_name(f"{path.stem}-{_short(worths.stake)}-{name}.svg"): drawn
        for worths in found
        for name, drawn in _pictures(worths)
    }
    for place, drawn in pictures.items():
        write_text(place, drawn)
    write_text(path, "\n".join(_lines(path, found, command)))
    return [path, *pictures]


def _short(stake: str) -> str:
    return stake.removeprefix("stake_")


def _pictures(worths: Worths) -> Iterator[tuple[str, str]]:
    yield "jokers", _heat(worths.jokers, {key: fact.name for key, fact in JOKERS.items()}, _JOKERS_SHOWN)
    yield "vouchers", _heat(worths.vouchers, {key: fact.name for key, fact in VOUCHERS.items()}, _OTHERS_SHOWN)
    yield "hands", _heat(worths.hands, {key: fact.name for key, fact in HANDS.items()}, _OTHERS_SHOWN)
    yield "money", _money(worths)


def _heat(table: Mapping[str, ByAnte], names: Mapping[str, str], shown: int) -> str:
    best = sorted(table, key=lambda key: -_mean(table[key]))[:shown]
    values = [[_shown(table[key].get(ante)) for ante in _ANTES] for key in best]
    return svg.heat([names[key] for key in best], [f"ante {ante}" for ante in _ANTES], values)


def _is_known(worth: Worth) -> bool:
    return worth.positions >= _FEWEST


def _shown(worth: Worth | None) -> float | None:
    return worth.mean if worth and _is_known(worth) else None


def _mean(by_ante: ByAnte) -> float:
    """Over the antes, each counting alike."""
    means = [worth.mean for worth in by_ante.values() if _is_known(worth)]
    return float(np.mean(means)) if means else float("-inf")


def _money(worths: Worths) -> str:
    antes = [ante for ante in _MONEY_ANTES if ante in worths.money]
    series = [
        [
            Point(dollars, win, win, win, f"${dollars}: {percent_text(win)}")
            for dollars, win in worths.money[ante].items()
        ]
        for ante in antes
    ]
    axis = svg.number_axis(MONEY[-1], "dollars before the blind", sign="$")
    plot = svg.curves(series, axis, svg.share_axis("chance to win"))
    return svg.picture(plot, [f"ante {ante}" for ante in antes])


def _lines(path: Path, found: Sequence[Worths], command: str) -> Iterator[str]:
    yield "# What wins: the learnt worth of jokers, vouchers, levels and money\n"
    yield f"Made by `{command}`; do not edit it by hand.\n"
    yield _INTRODUCTION
    for worths in found:
        yield from _stake_lines(path, worths)


def _stake_lines(path: Path, worths: Worths) -> Iterator[str]:
    stake = _short(worths.stake)

    def image(name: str, words: str) -> str:
        return f"![{words}]({path.stem}-{stake}-{name}.svg)\n"

    name = STAKES[worths.stake].name
    wins = ", ".join(f"{percent_text(win)}" for win in worths.win.values())
    yield f"## {name}\n"
    yield f"From {counted(worths.games, 'game')}. Chance to win before anything is given, by ante: {wins}.\n"
    yield f"### Jokers\n\n{image('jokers', f'Jokers worth most at {name}, by ante')}"
    known = [key for key, by_ante in worths.jokers.items() if any(map(_is_known, by_ante.values()))]
    worst = sorted(known, key=lambda key: _mean(worths.jokers[key]))[:_WORST_SHOWN]
    if worst:
        yield f"Worth least: {', '.join(_named(key, worths.jokers[key]) for key in worst)}. {_errors(worths)}\n"
    yield f"### Vouchers\n\n{image('vouchers', f'Vouchers worth most at {name}, by ante')}"
    yield f"### One more level of a poker hand\n\n{image('hands', f'Poker hands worth most at {name}, by ante')}"
    yield f"### Money\n\n{image('money', f'Chance to win by money at {name}')}"


def _errors(worths: Worths) -> str:
    errors = [worth.error for by_ante in worths.jokers.values() for worth in by_ante.values() if _is_known(worth)]
    return f"Standard errors of jokers' numbers: {np.median(errors):.1f} at the median, {max(errors):.1f} at most."


def _named(key: str, by_ante: ByAnte) -> str:
    return f"{JOKERS[key].name} {_mean(by_ante):+.1f}"
