"""The parts of a report: titled sections of tables, plots and remarks, which the terminal and the page both show."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from jimbo.report.svg import Drawing

UNKNOWN = "-"
Interval = tuple[float, float]


class Html(str):
    """A cell that is HTML already."""


class CommandText(str):
    """A cell with a command to be copied."""


@dataclass(frozen=True, slots=True)
class TextTable:
    heads: Sequence[str]
    lines: Sequence[Sequence[str]]
    narrow: Sequence[str] = ()
    """The columns a terminal has room for, without intervals; empty for all columns as they are."""
    whole: Collection[str] = ()
    """Those of the narrow columns that keep their intervals."""
    left: bool = False
    """Aligned to the left in a terminal; otherwise the columns after the first one are aligned to the right."""
    strong: Collection[int] = ()
    """Lines that stand out."""
    wraps: bool = False
    """Its texts are long, so a page breaks them into lines."""

    def narrowed(self) -> TextTable:
        """Return what a terminal shows; of columns with the same name that is the first."""
        if not self.narrow:
            return self
        places = [(self.heads.index(head), head in self.whole) for head in self.narrow]
        lines = [[line[at] if whole else line[at].partition(" (")[0] for at, whole in places] for line in self.lines]
        return TextTable(self.narrow, lines, left=self.left, strong=self.strong)


@dataclass(frozen=True, slots=True)
class BarChart:
    """Bars to the right, one line for each label and series; a terminal shows them too."""

    labels: Sequence[str]
    series: Sequence[Sequence[int]]
    texts: Sequence[Sequence[str]]
    names: Sequence[str] = ("",)
    """What the series are called."""


@dataclass(frozen=True, slots=True)
class HeatCell:
    share: float
    interval: Interval
    hint: str
    link: str


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Shares with their intervals; None where nothing was measured."""

    corner: str
    heads: Sequence[str]
    labels: Sequence[str]
    cells: Sequence[Sequence[HeatCell | None]]


@dataclass(frozen=True, slots=True)
class Folded:
    """What a click opens on a page; a terminal shows it under its title, or not at all."""

    title: str
    parts: Sequence[Part]
    in_terminal: bool = False


Part = TextTable | BarChart | HeatMap | Folded | Drawing | str
"""A text by itself is a remark."""


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    text: str = ""
    """What the page says under the title."""
    parts: Sequence[Part] = ()
    where: Literal["both", "page", "terminal"] = "both"
    half: bool = False
    """Whether the page may show it next to another section."""


def plot(title: str, text: str, drawing: Part, *more: Part) -> Section:
    """Return a section with a plot, for pages; a terminal shows it if it has bars only."""
    where: Literal["both", "page"] = "page" if isinstance(drawing, Drawing) else "both"
    return Section(title, text, (drawing, *more), where, half=True)


@dataclass(frozen=True, slots=True)
class Headline:
    """The number that counts, in large letters at the head of a page."""

    label: str
    value: str
    text: Sequence[str]


@dataclass(frozen=True, slots=True)
class Document:
    title: str
    about: str = ""
    made_with: str = ""
    """The version that a page names after what it is about."""
    notes: Sequence[str] = ()
    """What is wrong with the numbers; commands among them are not broken into lines."""
    headlines: Sequence[Headline] = ()
    sections: Sequence[Section] = ()
    script: str = ""
    """A few lines of JavaScript of the page's own, such as keys that lead through it."""


def share_text(share: float, ci95: Interval) -> str:
    """Return ``64.7 %  (61.7 to 67.6)``."""
    return f"{100 * share:.1f} %  ({100 * ci95[0]:.1f} to {100 * ci95[1]:.1f})"


def mean_text(mean: float, ci95: Interval) -> str:
    """Return ``3.41  (3.20 to 3.62)``."""
    return f"{mean:.2f}  ({ci95[0]:.2f} to {ci95[1]:.2f})"
