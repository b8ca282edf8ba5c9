"""Small plots as SVG text, without any library.

Colours are attributes, so that a plot looks the same wherever it is put. Hovering shows the numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

COLOURS = ("#d1493f", "#2f6fb3", "#4d8a3c")
INK, MUTED, GRID = "#26303a", "#7a8691", "#e6e9ec"
WIDTH, HEIGHT = 560, 270
WIDE = 820
"""Of a plot that has a line of the page for itself."""
LEFT, RIGHT, TOP, BOTTOM = 60, 20, 12, 40
ROW, ROW_LABEL, ROW_VALUE = 20, 128, 92
HEAT_LABEL, CELL = 140, 46
SPAN_LABEL, NETWORK_EDGE = 300, 150

Tick = tuple[float, str]


class Drawing(str):
    """A plot as SVG."""


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: float
    low: float
    """Lower end of what belongs to it: an interval, or quartiles."""
    high: float
    text: str
    """What hovering shows."""


@dataclass(frozen=True, slots=True)
class TimelineMoment:
    """A point of a timeline."""

    x: float
    y: float
    text: str
    """What hovering shows."""
    link: str = ""
    """Where a click leads."""
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Axis:
    low: float
    high: float
    ticks: Sequence[Tick]
    label: str
    log: bool = False

    def place(self, start: float, end: float) -> Callable[[float], float]:
        """Where a value lies between two coordinates; values beyond the ends lie on them."""
        scale: Callable[[float], float] = math.log10 if self.log else float
        low, high = scale(self.low), scale(self.high)

        def at(value: float) -> float:
            inside = min(max(value, self.low), self.high)
            return start + (end - start) * (scale(inside) - low) / (high - low)

        return at


def share_axis(label: str, lowest: float = 0.0) -> Axis:
    """An axis up to 100 %, from a round share at or below the lowest."""
    step = next(step for step in (1, 2, 5, 10, 25) if 100 * (1 - lowest) <= 5 * step)
    low = min(math.floor(100 * lowest / step) * step, 100 - step)
    return Axis(low / 100, 1.0, [(share / 100, f"{share} %") for share in range(low, 101, step)], label)


def number_axis(highest: float, label: str, *, sign: str = "") -> Axis:
    """An axis from 0 to a round number above the highest."""
    top = max(highest, 1.0)
    size = 10.0 ** math.floor(math.log10(top))
    step = next(size * factor for factor in (0.2, 0.25, 0.5, 1.0, 2.0) if top / (size * factor) <= 5)
    count = math.ceil(top / step)
    return Axis(0.0, step * count, [(step * i, f"{sign}{step * i:g}") for i in range(count + 1)], label)


def log_axis(lowest: float, highest: float, label: str, unit: str = "") -> Axis:
    """An axis between powers of ten around the values."""
    first = min(-1, math.floor(math.log10(max(lowest, 1e-3))))
    last = max(1, math.ceil(math.log10(max(highest, 1.0))))
    step = -(-(last - first) // 6)
    ticks = [(10.0**power, f"{unit}{10.0**power:g}") for power in range(first, last + 1, step)]
    return Axis(10.0**first, 10.0**last, ticks, label, log=True)


def curves(
    series: Sequence[Sequence[Point]], x: Axis, y: Axis, *, line_at: float | None = None, diagonal: bool = False
) -> Drawing:
    """One curve for each series, with what lies between low and high behind it."""
    across, up = x.place(LEFT, WIDTH - RIGHT), y.place(HEIGHT - BOTTOM, TOP)
    parts = list(_frame(x, y))
    if line_at is not None:
        parts.append(_line(LEFT, up(line_at), WIDTH - RIGHT, up(line_at), MUTED, dash="4 3"))
    if diagonal:
        parts.append(_line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, TOP, MUTED, dash="4 3"))
    for points, colour in zip(series, COLOURS, strict=False):
        around = [(across(p.x), up(p.high)) for p in points] + [(across(p.x), up(p.low)) for p in reversed(points)]
        parts.append(f'<polygon points="{_places(around)}" fill="{colour}" fill-opacity="0.13"/>')
    for points, colour in zip(series, COLOURS, strict=False):
        line = _places((across(p.x), up(p.y)) for p in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2.2"/>')
        for p in points:
            dot = f'<circle cx="{across(p.x):.1f}" cy="{up(p.y):.1f}" r="3" fill="{colour}">'
            parts.append(f"{dot}<title>{escape(p.text)}</title></circle>")
    return _svg(WIDTH, HEIGHT, parts)


def timeline(moments: Sequence[TimelineMoment], x: Axis, y: Axis) -> Drawing:
    """What became of one number; a click anywhere leads to the moment there, and some moments are marked."""
    across, up = x.place(LEFT, WIDE - RIGHT), y.place(HEIGHT - BOTTOM, TOP)
    places = [(across(one.x), up(one.y)) for one in moments]
    below = [(places[-1][0], up(y.low)), (places[0][0], up(y.low))]
    parts = list(_frame(x, y, WIDE))
    parts.append(f'<polygon points="{_places([*places, *below])}" fill="{COLOURS[1]}" fill-opacity="0.13"/>')
    parts.append(f'<polyline points="{_places(places)}" fill="none" stroke="{COLOURS[1]}" stroke-width="1.8"/>')
    for one, (left, _), (right, _) in zip(moments, places, places[1:], strict=False):
        size = f'width="{max(0.5, right - left):.1f}" height="{HEIGHT - BOTTOM - TOP}"'
        area = f'<rect x="{left:.1f}" y="{TOP}" {size} fill-opacity="0"><title>{escape(one.text)}</title></rect>'
        parts.append(_linked(area, one, focus=False))
    for one, (left, top) in zip(moments, places, strict=True):
        if one.marked:
            dot = f'<circle cx="{left:.1f}" cy="{top:.1f}" r="4" fill="{COLOURS[0]}">'
            parts.append(_linked(f"{dot}<title>{escape(one.text)}</title></circle>", one, focus=True))
    return _svg(WIDE, HEIGHT, parts)


def _linked(part: str, one: TimelineMoment, *, focus: bool) -> str:
    if not one.link:
        return part
    label = f' aria-label="{escape(one.text)}"' if focus else ' tabindex="-1" aria-hidden="true"'
    return f'<a href="{escape(one.link)}"{label}>{part}</a>'


def columns(series: Sequence[Sequence[Point]], x: Axis, y: Axis) -> Drawing:
    """Columns side by side, each with its interval."""
    across, up = x.place(LEFT, WIDTH - RIGHT), y.place(HEIGHT - BOTTOM, TOP)
    parts = list(_frame(x, y))
    width = 0.62 * (across(x.low + 1) - across(x.low)) / len(series)
    for place, (points, colour) in enumerate(zip(series, COLOURS, strict=False)):
        for p in points:
            left = across(p.x) + (place - len(series) / 2) * width
            size = f'width="{width - 2:.1f}" height="{up(0) - up(p.y):.1f}"'
            box = f'<rect x="{left + 1:.1f}" y="{up(p.y):.1f}" {size} rx="1.5" fill="{colour}" fill-opacity="0.85">'
            parts.append(f"{box}<title>{escape(p.text)}</title></rect>")
            parts.append(_line(left + width / 2, up(p.low), left + width / 2, up(p.high), INK, width=1.2))
    return _svg(WIDTH, HEIGHT, parts)


def rows(labels: Sequence[str], series: Sequence[Sequence[int]], texts: Sequence[Sequence[str]]) -> Drawing:
    """Bars to the right, one line for each label and series."""
    thick = ROW if len(series) == 1 else ROW * 0.72
    pitch = thick * len(series) + 8
    highest = max((value for values in series for value in values), default=1) or 1
    room = WIDTH - ROW_LABEL - ROW_VALUE
    parts = []
    for i, label in enumerate(labels):
        top = TOP + i * pitch
        parts.append(_text(ROW_LABEL - 8, top + thick * len(series) / 2 + 4, label, anchor="end", colour=INK))
        for j, (values, words) in enumerate(zip(series, texts, strict=True)):
            y, length = top + j * thick, room * values[i] / highest
            size = f'width="{length:.1f}" height="{thick - 3:.1f}"'
            parts.append(f'<rect x="{ROW_LABEL}" y="{y:.1f}" {size} rx="1.5" fill="{COLOURS[j]}" fill-opacity="0.85"/>')
            parts.append(_text(ROW_LABEL + length + 6, y + thick / 2 + 2.5, words[i]))
    return _svg(WIDTH, round(TOP + len(labels) * pitch + 4), parts)


def heat(labels: Sequence[str], heads: Sequence[str], values: Sequence[Sequence[float | None]]) -> str:
    """A cell for each number, the bluer the higher and the redder the lower; a file of its own."""
    most = max((abs(value) for line in values for value in line if value is not None), default=1.0) or 1.0
    width, height = HEAT_LABEL + CELL * len(heads) + 8, ROW * (len(labels) + 1) + 8
    parts = []
    for column, head in enumerate(heads):
        parts.append(_text(HEAT_LABEL + CELL * (column + 0.5), 15, head, anchor="middle", colour=INK))
    for row, (label, line) in enumerate(zip(labels, values, strict=True)):
        top = ROW * (row + 1) + 2
        parts.append(_text(HEAT_LABEL - 8, top + 14, label, anchor="end", colour=INK))
        for column, value in enumerate(line):
            if value is not None:
                parts.extend(_heat_cell(HEAT_LABEL + CELL * column, top, value, abs(value) / most))
    return _file(width, height, parts)


def _heat_cell(left: float, top: float, value: float, strength: float) -> Iterator[str]:
    colour = COLOURS[1] if value >= 0 else COLOURS[0]
    size = f'width="{CELL - 2}" height="{ROW - 2}" rx="2"'
    yield f'<rect x="{left + 1}" y="{top + 1}" {size} fill="{colour}" fill-opacity="{0.06 + 0.84 * strength:.2f}"/>'
    ink = "#ffffff" if strength > 0.6 else INK
    yield _text(left + CELL / 2, top + 14, f"{value:+.1f}", anchor="middle", colour=ink)


def spans(labels: Sequence[str], points: Sequence[tuple[float, float, float]], axis: Axis) -> str:
    """A dot with its interval for each label: low, middle, high; a file of its own. Grey where it crosses zero."""
    left, width = SPAN_LABEL, WIDE
    across = axis.place(left, width - RIGHT)
    bottom = TOP + ROW * len(labels) + 8
    parts = [_line(across(value), TOP, across(value), bottom, MUTED if value == 0 else GRID) for value, _ in axis.ticks]
    parts += [_text(across(value), bottom + 15, label, anchor="middle") for value, label in axis.ticks]
    parts.append(_text((left + width - RIGHT) / 2, bottom + 32, axis.label, anchor="middle"))
    for row, (label, (low, middle, high)) in enumerate(zip(labels, points, strict=True)):
        y = TOP + ROW * (row + 0.5)
        colour = MUTED if low <= 0 <= high else COLOURS[1] if middle > 0 else COLOURS[0]
        parts.append(_text(left - 8, y + 4, label, anchor="end", colour=INK))
        parts.append(_line(across(low), y, across(high), y, colour, width=2))
        dot = f'<circle cx="{across(middle):.1f}" cy="{y:.1f}" r="4" fill="{colour}">'
        parts.append(f"{dot}<title>{escape(f'{middle:+.2f} ({low:+.2f} to {high:+.2f})')}</title></circle>")
    return _file(width, round(bottom + 40), parts)


def network(names: Sequence[str], links: Sequence[tuple[int, int, float]]) -> str:
    """Things on a circle, in the order given, with lines between them: thicker for a larger weight (0 to 1)."""
    size, radius = WIDE, WIDE / 2 - NETWORK_EDGE
    centre = size / 2
    turns = [2 * math.pi * place / max(len(names), 1) - math.pi / 2 for place in range(len(names))]
    places = [(centre + radius * math.cos(turn), centre + radius * math.sin(turn)) for turn in turns]
    parts = []
    for first, second, weight in sorted(links, key=lambda link: link[2]):
        (x1, y1), (x2, y2) = places[first], places[second]
        way = f"M{x1:.1f} {y1:.1f} Q{centre:.1f} {centre:.1f} {x2:.1f} {y2:.1f}"
        look = f'fill="none" stroke="{COLOURS[1]}" stroke-width="{0.6 + 4.4 * weight:.1f}"'
        title = escape(f"{names[first]} + {names[second]}: {weight:.2f}")
        parts.append(f'<path d="{way}" {look} stroke-opacity="{0.2 + 0.6 * weight:.2f}"><title>{title}</title></path>')
    for name, turn, (x, y) in zip(names, turns, places, strict=True):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{COLOURS[0]}"/>')
        is_right = math.cos(turn) >= 0
        degrees = math.degrees(turn) + (0 if is_right else 180)
        x, y = x + 9 * math.cos(turn), y + 9 * math.sin(turn)
        turned = f'transform="rotate({degrees:.1f} {x:.1f} {y:.1f})" dominant-baseline="middle"'
        parts.append(_text(x, y, name, anchor="start" if is_right else "end", colour=INK, more=turned))
    return _file(size, size, parts)


def picture(plot: str, names: Sequence[str]) -> str:
    """A plot as a file of its own: with letters, a ground, and the names of its series above it."""
    parts, left = [], LEFT
    for name, colour in zip(names, COLOURS, strict=False):
        parts.append(f'<rect x="{left}" y="5" width="10" height="10" rx="1.5" fill="{colour}"/>')
        parts.append(_text(left + 15, 14, name, colour=INK))
        left += 40 + 7 * len(name)
    parts.append(plot.replace('width="100%"', f'y="{ROW}" width="{WIDTH}" height="{HEIGHT}"', 1))
    return _file(WIDTH, HEIGHT + ROW, parts)


def _file(width: int, height: int, parts: Iterable[str]) -> str:
    """A picture of its own, on a white ground."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    ground = '<rect width="100%" height="100%" fill="#ffffff"/>'
    return f'{head} font-family="sans-serif" font-size="11.5">{ground}{"".join(parts)}</svg>\n'


def _frame(x: Axis, y: Axis, width: int = WIDTH) -> Iterator[str]:
    across, up = x.place(LEFT, width - RIGHT), y.place(HEIGHT - BOTTOM, TOP)
    for value, label in y.ticks:
        yield _line(LEFT, up(value), width - RIGHT, up(value), GRID)
        yield _text(LEFT - 7, up(value) + 4, label, anchor="end")
    for value, label in x.ticks:
        yield _text(across(value), HEIGHT - BOTTOM + 16, label, anchor="middle")
    yield _line(LEFT, HEIGHT - BOTTOM, width - RIGHT, HEIGHT - BOTTOM, MUTED)
    yield _text((LEFT + width - RIGHT) / 2, HEIGHT - 6, x.label, anchor="middle")
    middle = (TOP + HEIGHT - BOTTOM) / 2
    turned = f'transform="rotate(-90 12 {middle:.0f})"'
    yield _text(12, middle, y.label, anchor="middle", more=turned)


def _svg(width: int, height: int, parts: Iterable[str]) -> Drawing:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="100%" role="img"'
    return Drawing(f'{head} font-family="inherit" font-size="11.5">{"".join(parts)}</svg>')


def _places(places: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, *, width: float = 1.0, dash: str = "") -> str:
    more = f' stroke-dasharray="{dash}"' if dash else ""
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width}"{more}/>'


def _text(x: float, y: float, words: str, *, anchor: str = "start", colour: str = MUTED, more: str = "") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"'
    return f"<text {place} {more}>{escape(words)}</text>"
