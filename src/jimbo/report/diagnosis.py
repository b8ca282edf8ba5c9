"""A diagnosis for people: how blinds are entered, which are lost, and whether the agent's probabilities come true."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import TypeVar

import numpy as np

from jimbo.engine import BLINDS_PER_ANTE, LAST_ANTE
from jimbo.engine.catalog import BLINDS
from jimbo.eval.calibration import BINS, Bin, Calibration, Estimate, Forecast
from jimbo.eval.chances import Mended
from jimbo.eval.diagnosis import AnteRow, BlindRow, Death, Deaths, Diagnosis
from jimbo.eval.rows import ALL_BLINDS
from jimbo.report import svg
from jimbo.report.sections import UNKNOWN, Folded, Section, TextTable, plot
from jimbo.report.svg import Axis, Drawing, Point
from jimbo.text import counted, money_text, percent_text

FEWEST = 3
"""A mean of fewer runs says nothing about the agent."""
_TERMS = (
    "To clear: the chance that the agent gives itself on entering a blind. Power: what a quick player would score with "
    "all hands of the small, big and boss blind, over the target; the median. xMult: jokers held that multiply Mult. "
    "Interest, bought and sold jokers: per run that reached the ante."
)
_MENDED = ("decisions", "said", "happened", "Brier", "ECE", "AUC")
_BY_WHAT = ("decisions", "said", "happened", "Brier", "ECE", "AUC")
_IN_THE_TERMINAL = ("ante", "games", "said", "happened", "Brier", "base", "log loss", "AUC")
_SLOTS = ("small", "big", "boss")
ANTES = Axis(0.5, LAST_ANTE + 0.5, [(ante, f"{ante}") for ante in range(1, LAST_ANTE + 1)], "ante")

R = TypeVar("R", BlindRow, AnteRow)

# --- Tables -----------------------------------------------------------------------------------------------------------


def diagnosis_section(result: Diagnosis, whose: str) -> Section:
    """All numbers of one agent."""
    folded = [Folded("Fatal blinds: medians on entering", [death_table(result.deaths)])] if result.deaths.count else []
    if result.win:
        title = "P(win) on entering a blind, against how the run ended"
        folded.append(Folded(title, [forecast_table(result.win)], in_terminal=True))
    if result.clear:
        folded.append(Folded("P(clear) on entering a blind, against what happened", [forecast_table(result.clear)]))
    title = f"How blinds are entered{f': {whose}' if whose else ''}"
    return Section(title, _TERMS, [ante_table(result), *remarks(result), *folded])


def ante_table(result: Diagnosis) -> TextTable:
    """A line for each ante, and one for the whole run."""
    heads = ("ante", "games", "to clear", "power", "money", "interest", "bought", "sold", "xMult")
    powers = {blind.number: _times(blind.power[1]) for blind in result.blinds if blind.power}
    lines = [
        (
            f"{row.ante}",
            f"{row.games}",
            _clear(result.clear, row.ante),
            " / ".join(powers.get(number, UNKNOWN) for number in _numbers_of(row.ante)),
            _dollars(row.money),
            _dollars(row.interest),
            _mean(row.bought),
            _mean(row.sold),
            _mean(row.multipliers),
        )
        for row in result.antes
    ]
    sums = result.per_game
    whole = ("all", f"{result.games}", _clear(result.clear), "", "", _dollars(sums["interest"]))
    return TextTable(heads, [*lines, (*whole, _mean(sums["bought"]), _mean(sums["sold"]), "")])


def _clear(forecast: Forecast | None, ante: int | None = None) -> str:
    row = forecast and (forecast.all if ante is None else forecast.by_ante.get(ante))
    return percent_text(row.predicted) if row else UNKNOWN


def _numbers_of(ante: int) -> range:
    """The blinds of an ante, by their numbers."""
    return range((ante - 1) * BLINDS_PER_ANTE + 1, ante * BLINDS_PER_ANTE + 1)


def _times(power: float) -> str:
    return f"{power:.3g}" if power >= 100 else f"{power:.1f}"


def _dollars(estimate: Estimate) -> str:
    return known(estimate, lambda value: f"{'-' if value < 0 else ''}${abs(value):.1f}")


def _mean(estimate: Estimate) -> str:
    return known(estimate, "{:.1f}".format)


def forecast_table(forecast: Forecast) -> TextTable:
    """How good the agent's probabilities are, by ante."""
    return calibration_table({**by_ante(forecast), "all": forecast.all}, "ante", _IN_THE_TERMINAL, ("AUC",))


def mended_sections(found: Mapping[str, Mended]) -> Iterator[Section]:
    """Chances as they are said, and as maps tell them that were fitted on other seeds than those they are tested on."""
    for name, mended in found.items():
        kinds = {"as said": mended.said, "calibrated": mended.mended}
        rows = {words: reliable.all for words, reliable in kinds.items()}
        tables = [
            Folded(f"{words}, by {what}", [calibration_table(getattr(reliable, f"by_{what}"), what, (what, *_BY_WHAT))])
            for words, reliable in kinds.items()
            for what in ("ante", "phase")
        ]
        yield Section(
            f"Calibration of P({name})",
            "Each half of the seeds is tested with a map that was fitted on the other half.",
            [
                calibration_table(rows, f"P({name})", (f"P({name})", *_MENDED), ("ECE",)),
                *(replace(table, in_terminal=True) for table in tables[2:]),
            ],
        )
        yield plot(
            f"P({name}), before and after",
            "What is said against what happened: as the agent says it, and calibrated.",
            reliability(mended.said.all, mended.mended.all),
            *tables[:2],
        )


def death_table(deaths: Deaths) -> TextTable:
    """A line for each blind that was lost to, most first."""
    groups: dict[str, list[Death]] = {}
    for death in deaths.all:
        groups.setdefault(death.blind, []).append(death)
    ranked = sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return TextTable(
        ("lost to", "runs", "to clear", "power", "money", "xMult"),
        [(BLINDS[key].name, f"{len(group)}", *_medians(group)) for key, group in ranked],
    )


def _medians(group: list[Death]) -> Iterator[str]:
    chances = [death.clear for death in group if death.clear is not None]
    yield percent_text(median(chances)) if chances else UNKNOWN
    powers = [death.power for death in group if death.power is not None]
    yield f"{median(powers):.2f}" if powers else UNKNOWN
    yield money_text(median(death.money for death in group))
    yield f"{median(death.multipliers for death in group):g}"


def remarks(result: Diagnosis) -> Iterator[str]:
    """What stands out about the blinds that were lost, and about trading."""
    deaths = result.deaths
    if deaths.clear:
        below, above = _of(deaths.below_half, deaths.told), _of(deaths.sure, deaths.told)
        entered = f"{counted(deaths.told, 'fatal blind')} entered at a median chance to clear of"
        yield f"{entered} {percent_text(deaths.clear[1])}: {below} below 50 %, {above} above 90 %."
    if deaths.power:
        rich, none = _of(deaths.rich, deaths.count), _of(deaths.no_multiplier, deaths.count)
        few = _of(deaths.no_multiplier + deaths.one_multiplier, deaths.count)
        held = f"{rich} with $20 or more in hand; {none} without an xMult joker, {few} with at most one"
        yield f"Of {counted(deaths.count, 'fatal blind')}: power over target {deaths.power[1]:.2f} (median); {held}."
    soon, sold = result.per_game["sold_soon"].value or 0.0, result.per_game["sold"].value or 0.0
    if sold:
        yield f"Of {sold:.1f} jokers sold in a run, {soon:.1f} had been bought at most two rounds before."
    if result.clear:
        said, happened = result.clear.all.predicted, result.clear.all.happened.value or 0.0
        yield (
            f"On entering, blinds were given {percent_text(said)} to be cleared; {percent_text(happened)} were "
            f"(AUC {number(result.clear.all.auc)})."
        )


def _of(count: int, total: int) -> str:
    """``46 (69 %)``."""
    return f"{count} ({100 * count / total:.0f} %)"


# --- Plots, each with a curve for every agent -------------------------------------------------------------------------


def diagnosis_plots(found: Sequence[Diagnosis]) -> Iterator[Section]:
    """What can be drawn; an agent that reports no probabilities has no plots of them."""
    yield plot(
        "Power on entering",
        "What a quick player would score with all hands of the blind, over its target: median and quartiles.",
        power_curves([[_power(row) for row in _blinds(result) if row.power] for result in found], "power / target"),
    )
    yield plot(
        "Multipliers",
        "Jokers held that multiply Mult when a blind is selected: means with 95 % intervals.",
        _by_ante(found, lambda row: row.multipliers, "xMult jokers held", ""),
    )
    yield plot(
        "Interest",
        "Paid in each ante: mean per run that reached it.",
        _by_ante(found, lambda row: row.interest, "interest in the ante", "$"),
    )
    clears = [result.clear.all for result in found if result.clear]
    if len(clears) == len(found):
        chances = [[_chance(row) for row in _blinds(result) if row.clear.value is not None] for result in found]
        yield plot(
            "Chance on entering",
            "The chance to clear that the agent gives itself on entering each blind: means with 95 % intervals.",
            svg.curves(chances, blind_axis(1), svg.share_axis("chance to clear")),
        )
        yield plot(
            "Chance on entering the fatal blind",
            "Low: lost in the shops before. High: lost at the table.",
            _fatal_chances([result.deaths for result in found]),
        )
        yield plot(
            "Is its chance to clear right?",
            "The probability reported on entering a blind, against how often it was cleared.",
            reliability(*clears),
        )
    wins = [result.win.all for result in found if result.win]
    if len(wins) == len(found):
        yield plot(
            "Is its chance to win right?",
            "The win probability reported last before each blind, against how the run ended.",
            reliability(*wins),
        )


def blind_name(number: int) -> str:
    return f"ante {(number - 1) // BLINDS_PER_ANTE + 1} {_SLOTS[(number - 1) % BLINDS_PER_ANTE]}"


def blind_axis(first: int) -> Axis:
    ticks = [(BLINDS_PER_ANTE * ante, f"{ante}") for ante in range(1, LAST_ANTE + 1)]
    return Axis(first, ALL_BLINDS, ticks, "boss of ante")


def power_curves(series: Sequence[Sequence[Point]], label: str) -> Drawing:
    """Draw how many times the target, blind by blind, with a line at once."""
    ends = [end for points in series for point in points for end in (point.low, point.high)]
    axis = svg.log_axis(min(ends, default=0.1), max(ends, default=10.0), label, "x")
    return svg.curves(series, blind_axis(1), axis, line_at=1.0)


def _enough(rows: Iterable[R], result: Diagnosis) -> list[R]:
    return [row for row in rows if row.games >= min(FEWEST, result.games)]


def _blinds(result: Diagnosis) -> list[BlindRow]:
    return [row for row in _enough(result.blinds, result) if row.number in range(1, ALL_BLINDS + 1)]


def _chance(row: BlindRow) -> Point:
    said, happened = 100 * (row.clear.value or 0.0), 100 * row.cleared
    return _point(row.number, row.clear, f"{blind_name(row.number)}: said {said:.1f} %, cleared {happened:.1f} %", row)


def _power(row: BlindRow) -> Point:
    low, middle, high = row.power or (0.0, 0.0, 0.0)
    text = f"{blind_name(row.number)}: {middle:.2f} times the target ({counted(row.games, 'run')})"
    return Point(row.number, middle, low, high, text)


def _fatal_chances(agents: Sequence[Deaths]) -> Drawing:
    """Draw how many runs were lost in blinds that were entered at each chance, in ten bins."""
    counts = [
        np.histogram([death.clear for death in deaths.all if death.clear is not None], BINS, (0, 1))[0].tolist()
        for deaths in agents
    ]
    series = [
        [
            Point(bin + 0.5, count, count, count, f"{10 * bin} to {10 * bin + 10} %: {counted(count, 'run')}")
            for bin, count in enumerate(values)
        ]
        for values in counts
    ]
    across = Axis(0, BINS, [(place, f"{10 * place} %") for place in range(0, BINS + 1, 2)], "chance on entering")
    highest = max((count for values in counts for count in values), default=1)
    return svg.columns(series, across, svg.number_axis(highest, "runs lost"))


def _by_ante(agents: Sequence[Diagnosis], value: Callable[[AnteRow], Estimate], label: str, sign: str) -> Drawing:
    series = [
        [
            _point(row.ante, value(row), f"ante {row.ante}: {sign}{value(row).value:.2f}", row)
            for row in _enough(result.antes, result)
            if row.ante in range(1, LAST_ANTE + 1)
        ]
        for result in agents
    ]
    highest = max((point.high for points in series for point in points), default=1.0)
    return svg.columns(series, ANTES, svg.number_axis(highest, label, sign=sign))


def _point(x: float, estimate: Estimate, text: str, row: BlindRow | AnteRow) -> Point:
    value = estimate.value or 0.0
    low, high = estimate.ci95 or (value, value)
    return Point(x, value, low, high, f"{text} ({counted(row.games, 'run')})")


# --- Whether probabilities come true ----------------------------------------------------------------------------------


def known(estimate: Estimate, text: Callable[[float], str]) -> str:
    """Return the number without its interval."""
    return UNKNOWN if estimate.value is None else text(estimate.value)


def number(estimate: Estimate) -> str:
    """Return ``0.612 (0.601 to 0.623)``."""
    return _with_interval(estimate, "{:.3f}".format)


def percent(estimate: Estimate) -> str:
    """Return ``61.2 % (60.1 to 62.3)``."""
    return _with_interval(estimate, lambda value: f"{100 * value:.1f}", " %")


def _with_interval(estimate: Estimate, text: Callable[[float], str], unit: str = "") -> str:
    interval = f" ({text(estimate.ci95[0])} to {text(estimate.ci95[1])})" if estimate.ci95 else ""
    return known(estimate, lambda value: f"{text(value)}{unit}{interval}")


def by_ante(forecast: Forecast) -> dict[str, Calibration]:
    return {f"{ante}": row for ante, row in forecast.by_ante.items()}


def calibration_table(
    rows: Mapping[str, Calibration], what: str, narrow: tuple[str, ...] = (), whole: tuple[str, ...] = ()
) -> TextTable:
    """Return how good some probabilities are; ``what`` tells them apart."""
    heads = (what, "decisions", "games", "said", "happened", "Brier", "base", "log loss", "ECE", "AUC")
    lines = [
        (
            name,
            *_said_and_happened(row),
            number(row.brier),
            f"{row.base_brier:.3f}",
            number(row.log_loss),
            number(row.ece),
            number(row.auc),
        )
        for name, row in rows.items()
    ]
    return TextTable(heads, lines, narrow, whole)


def bin_table(row: Calibration) -> TextTable:
    heads = ("said", "decisions", "games", "mean", "happened")
    lines = [(f"{100 * bin.low:.0f} to {100 * bin.high:.0f} %", *_said_and_happened(bin)) for bin in row.bins]
    return TextTable(heads, lines)


def _said_and_happened(row: Calibration | Bin) -> tuple[str, ...]:
    return f"{row.decisions:,}", f"{row.games:,}", percent_text(row.predicted), percent(row.happened)


def reliability(*agents: Calibration) -> Drawing:
    """Draw what is said against what happened, in bins: on the diagonal they are the same."""
    series = [[_bin_point(bin, bin.happened.value or 0.0) for bin in row.bins] for row in agents]
    return svg.curves(series, svg.share_axis("said"), svg.share_axis("happened"), diagonal=True)


def _bin_point(bin: Bin, share: float) -> Point:
    text = f"said {100 * bin.predicted:.1f} %, happened {100 * share:.1f} % ({counted(bin.decisions, 'decision')})"
    return Point(bin.predicted, share, *(bin.happened.ci95 or (share, share)), text)
