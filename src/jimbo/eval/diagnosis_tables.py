"""A diagnosis as tables and sentences, for the terminal and for pages."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from jimbo.engine import BLINDS_PER_ANTE
from jimbo.engine.catalog import BLINDS
from jimbo.eval.bootstrap import Estimate
from jimbo.eval.calibration import Forecast
from jimbo.eval.diagnosis import Death, Deaths, Diagnosis, Quartiles
from jimbo.eval.text_tables import UNKNOWN, TextTable, calibration_table, number
from jimbo.text import counted, money_text, percent_text

ENTERED = "How blinds are entered"
FORESEEN = "P(win) on entering a blind, against how the run ended"
TERMS = (
    "To clear: the chance that the agent gives itself on entering a blind. Power: what a quick player would score with "
    "all hands of the small, big and boss blind, over the target; the median. xMult: jokers held that multiply Mult. "
    "Interest, bought and sold jokers: per run that reached the ante."
)
_IN_THE_TERMINAL = ("ante", "games", "said", "happened", "Brier", "base", "log loss", "AUC")


def ante_table(result: Diagnosis) -> TextTable:
    """A line for each ante, and one for the whole run."""
    heads = ("ante", "games", "to clear", "power", "money", "interest", "bought", "sold", "xMult")
    lines = [
        (
            f"{row.ante}",
            f"{row.games}",
            _clear(result.clear, row.ante),
            _powers(result, row.ante),
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


def _powers(result: Diagnosis, ante: int) -> str:
    powers = {blind.number: blind.power for blind in result.blinds}
    first = (ante - 1) * BLINDS_PER_ANTE + 1
    return " / ".join(times_text(powers.get(first + slot)) for slot in range(BLINDS_PER_ANTE))


def times_text(power: Quartiles | None) -> str:
    """The median, short."""
    return UNKNOWN if power is None else f"{power[1]:.3g}" if power[1] >= 100 else f"{power[1]:.1f}"


def _dollars(estimate: Estimate) -> str:
    return UNKNOWN if estimate.value is None else f"{'-' if estimate.value < 0 else ''}${abs(estimate.value):.1f}"


def _mean(estimate: Estimate) -> str:
    return UNKNOWN if estimate.value is None else f"{estimate.value:.1f}"


def win_table(result: Diagnosis) -> TextTable | None:
    """How good the agent's chances to win are, by ante; None for an agent that tells none."""
    return forecast_table(result.win).narrow(_IN_THE_TERMINAL, ("AUC",)) if result.win else None


def forecast_table(forecast: Forecast) -> TextTable:
    rows = {f"{ante}": row for ante, row in forecast.by_ante.items()}
    return calibration_table({**rows, "all": forecast.all}, "ante")


def death_table(deaths: Deaths) -> TextTable:
    """By the blind that was lost to, most first."""
    groups: dict[str, list[Death]] = {}
    for death in deaths.all:
        groups.setdefault(death.blind, []).append(death)
    ranked = sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return TextTable(
        ("lost to", "runs", "to clear", "power", "money", "xMult"),
        [(BLINDS[key].name, f"{len(group)}", *_medians(group)) for key, group in ranked],
    )


def _medians(group: list[Death]) -> Iterator[str]:
    told = [death.clear for death in group if death.clear is not None]
    yield percent_text(median(told)) if told else UNKNOWN
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
