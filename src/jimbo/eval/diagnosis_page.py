"""A diagnosis as parts of the HTML page of an evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jimbo.eval import diagnosis_plots, plots
from jimbo.eval.diagnosis import Diagnosis
from jimbo.eval.diagnosis_tables import (
    ENTERED,
    FORESEEN,
    TERMS,
    ante_table,
    death_table,
    forecast_table,
    remarks,
)
from jimbo.eval.pages import card
from jimbo.eval.text_tables import details, wide


def plot_cards(found: Sequence[Diagnosis]) -> Iterator[str]:
    """What can be drawn; an agent that reports no probabilities has no plots of them."""
    yield card(
        "Power on entering",
        "What a quick player would score with all hands of the blind, over its target: median and quartiles.",
        diagnosis_plots.powers(*found),
    )
    yield card(
        "Multipliers",
        "Jokers held that multiply Mult when a blind is selected: means with 95 % intervals.",
        diagnosis_plots.multipliers(*found),
    )
    yield card("Interest", "Paid in each ante: mean per run that reached it.", diagnosis_plots.interest(*found))
    if all(result.clear for result in found):
        yield card(
            "Chance on entering",
            "The chance to clear that the agent gives itself on entering each blind: means with 95 % intervals.",
            diagnosis_plots.chances(*found),
        )
        yield card(
            "Chance on entering the fatal blind",
            "Low: lost in the shops before. High: lost at the table.",
            diagnosis_plots.fatal_chances(*(result.deaths for result in found)),
        )
        yield card(
            "Is its chance to clear right?",
            "The probability reported on entering a blind, against how often it was cleared.",
            plots.reliability(*(result.clear.all for result in found if result.clear)),
        )
    if all(result.win for result in found):
        yield card(
            "Is its chance to win right?",
            "The win probability reported last before each blind, against how the run ended.",
            plots.reliability(*(result.win.all for result in found if result.win)),
        )


def tables(result: Diagnosis, whose: str) -> str:
    """All numbers of one agent."""
    parts = [wide(ante_table(result)), *(f"<p>{remark}</p>" for remark in remarks(result))]
    if result.deaths.count:
        parts.append(details("Fatal blinds: medians on entering", death_table(result.deaths)))
    if result.win:
        parts.append(details(FORESEEN, forecast_table(result.win)))
    if result.clear:
        parts.append(details("P(clear) on entering a blind, against what happened", forecast_table(result.clear)))
    return card(f"{ENTERED}{f': {whose}' if whose else ''}", TERMS, "".join(parts))
