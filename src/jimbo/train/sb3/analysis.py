"""How fast trainings were, in files that others can read: JSON, CSV, HTML and a picture."""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from jimbo.extras import require
from jimbo.files import replacing, write_text

_STYLE = (
    "body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}td,th{padding:.3em .8em;text-align:right}"
)


class PerformanceAnalyzer:
    """Collects rows of numbers, such as those of ``measure_throughput``.

    >>> analyzer = PerformanceAnalyzer("my machine")
    >>> analyzer.add(n_envs=8, steps_per_second=1500.0)
    >>> analyzer.export_csv("speed.csv")
    """

    def __init__(self, title: str = "Throughput", rows: Iterable[Mapping[str, Any]] = ()) -> None:
        self.title = title
        self.rows: list[dict[str, Any]] = [dict(row) for row in rows]

    def add(self, **row: Any) -> None:
        self.rows.append(row)

    def export_json(self, path: Path | str) -> Path:
        return self._write(path, json.dumps({"title": self.title, "rows": self.rows}, indent=2) + "\n")

    def export_csv(self, path: Path | str) -> Path:
        text = io.StringIO()
        writer = csv.DictWriter(text, self._columns(), restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return self._write(path, text.getvalue())

    def generate_html_report(self, path: Path | str) -> Path:
        columns = self._columns()
        head = "".join(f"<th>{html.escape(name.replace('_', ' '))}</th>" for name in columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_text(row.get(name, '')))}</td>" for name in columns) + "</tr>\n"
            for row in self.rows
        )
        title = html.escape(self.title)
        return self._write(
            path,
            f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>\n'
            f"<h1>{title}</h1>\n<table>\n<tr>{head}</tr>\n{body}</table>\n</html>\n",
        )

    def plot_throughput_comparison(self, path: Path | str, x: str = "n_envs", y: str = "steps_per_second") -> Path:
        """Draws one line for each algorithm, or one for all where rows name none."""
        rows = [row for row in self.rows if x in row and y in row]
        if not rows:
            raise ValueError(f"there is nothing to plot: no row has {x} and {y}")
        require("matplotlib", "train").use("Agg")
        pyplot = require("matplotlib.pyplot", "train")
        figure, axis = pyplot.subplots(figsize=(6, 4), layout="constrained")
        for name in dict.fromkeys(row.get("algorithm", "") for row in rows):
            own = sorted((row[x], row[y]) for row in rows if row.get("algorithm", "") == name)
            axis.plot(*zip(*own, strict=True), marker="o", label=name or None)
        axis.set(title=self.title, xlabel=x.replace("_", " "), ylabel=y.replace("_", " "), xscale="log")
        axis.grid(alpha=0.3)
        if any(row.get("algorithm") for row in rows):
            axis.legend(frameon=False)
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as beside:
            figure.savefig(beside, format=target.suffix.lstrip(".") or "png", dpi=110)
        pyplot.close(figure)
        return target

    def _columns(self) -> list[str]:
        if not self.rows:
            raise ValueError("there is nothing to write yet: add rows first")
        return list(dict.fromkeys(name for row in self.rows for name in row))

    def _write(self, path: Path | str, text: str) -> Path:
        target = Path(path)
        self._columns()
        target.parent.mkdir(parents=True, exist_ok=True)
        write_text(target, text)
        return target


def _text(value: Any) -> str:
    return f"{value:,.3g}" if isinstance(value, float) else str(value)
