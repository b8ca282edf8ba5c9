"""A matrix of decks and stakes for people: a heat map, and the numbers of all cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from jimbo.data import versions
from jimbo.engine.catalog import BLINDS, DECKS, STAKES
from jimbo.eval.diagnosis import diagnose
from jimbo.eval.matrix import Cell, Matrix, Place
from jimbo.eval.summary import agent_label, complete
from jimbo.report.sections import UNKNOWN, Document, HeatCell, HeatMap, Section, TextTable, mean_text, share_text
from jimbo.text import counted, percent_text

_TERMS = (
    "In brackets: 95 % intervals. Fatal chance: the chance to clear that the agent gave itself on entering the blind "
    "that was lost; the median."
)
_INTERVALS = "Share of runs won, with Wilson's 95 % interval below it. All cells are played on the same seeds."


def matrix_report(result: Matrix, link: Callable[[Place], str]) -> Document:
    """``link``: where the report of a cell is. With all stakes it fits into 80 columns."""
    settings = result.settings
    seeds = settings.seeds
    played = f"{counted(len(seeds.seeds), 'seed')} of {seeds.name} v{seeds.version} ({seeds.hash})"
    label = agent_label(settings)
    return Document(
        f"{label}: decks and stakes",
        f"{label}, {played}",
        versions()["engine"],
        tuple(_notes(result)),
        sections=[
            Section("Runs won", "A click opens the report of a cell.", [_heat_map(result, link), _INTERVALS]),
            Section("All cells", _TERMS, [cell_table(result)], where="page"),
        ],
    )


def _notes(result: Matrix) -> Iterator[str]:
    """What is wrong with the numbers, if anything is."""
    for cell in result.cells:
        name, summary = _name(cell), cell.summary
        if not complete(cell.evaluation):
            yield f"{name}: only {summary.games} of {len(cell.evaluation.settings.seeds.seeds)} runs were played."
        if summary.errors:
            yield f"{name}: the agent failed in {counted(summary.errors, 'run')}."


def _name(cell: Cell) -> str:
    deck, stake = cell.place
    return f"{DECKS[deck].name} · {STAKES[stake].name}"


def _heat_map(result: Matrix, link: Callable[[Place], str]) -> HeatMap:
    """Decks below each other, stakes side by side."""

    def shown(cell: Cell | None) -> HeatCell | None:
        if cell is None:
            return None
        summary = cell.summary
        hint = f"{_name(cell)}: {summary.wins} of {counted(summary.games, 'run')} won"
        return HeatCell(summary.win_rate, summary.ci95, hint, link(cell.place))

    return HeatMap(
        "won",
        [STAKES[stake].name.removesuffix(" Stake") for stake in result.stakes],
        [DECKS[deck].name.removesuffix(" Deck") for deck in result.decks],
        [[shown(result.at(deck, stake)) for stake in result.stakes] for deck in result.decks],
    )


def cell_table(result: Matrix) -> TextTable:
    heads = ("cell", "runs", "won", "ante 1 cleared", "mean ante", "fatal chance", "ms per decision", "lost to most")
    return TextTable(heads, [list(_line(cell)) for cell in result.cells])


def _line(cell: Cell) -> Iterator[str]:
    summary = cell.summary
    yield _name(cell)
    yield f"{summary.games}"
    yield share_text(summary.win_rate, summary.ci95)
    yield share_text(summary.ante1_clear, summary.ante1_clear_ci95)
    yield mean_text(summary.mean_ante, summary.mean_ante_ci95)
    found = diagnose(cell.evaluation.episodes)
    yield percent_text(found.deaths.clear[1]) if found and found.deaths.clear else UNKNOWN
    yield f"{summary.ms_per_decision:.2f}"
    yield ", ".join(f"{BLINDS[key].name} {count}" for key, count in list(summary.deaths.items())[:3])
