"""GameSpeed over numbers of instances: the columns that other tools read, and the plot."""

import csv
import io
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from jimbo.report.sweep import Kind, SweepRow, SweepSummary, as_csv, plot, row_of, summarize
from jimbo.rollout.throughput import GameSpeed, Latency

LATENCY = {"play": Latency(9, 12.5, 12.0, 14.0, 15.0, 16.0), "gamestate": Latency(9, 1.5, 1.0, 2.0, 3.0, 4.0)}


def row(mode: Any, instances: int, repeat: int, rate: float | None) -> SweepRow:
    measured = None if rate is None else GameSpeed(mode, instances, 100, 100 / rate, rate, LATENCY)
    kind = Kind(mode, instances, repeat)
    return row_of(kind, measured, "2026-01-01T00:00:00+00:00", 12346, 0 if measured else 124, "jimbo bench real")


ROWS = [
    *(row("rl_step", 2, 1, 30.0), row("rl_step", 2, 2, 50.0), row("rl_step", 1, 1, 20.0), row("rl_step", 1, 2, None)),
    *(row("action_only", 1, 1, None), row("action_only", 1, 2, None)),
]


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_columns_of_the_details() -> None:
    text = as_csv(SweepRow, ROWS)
    assert text.splitlines()[0] == (
        "timestamp,mode,instances,repeat,steps_s_total,base_port_used,returncode,parse_source,"
        "play_avg_ms,gamestate_avg_ms,cmd"
    )
    first, *_, failed = read(text)
    assert (first["steps_s_total"], first["play_avg_ms"], first["gamestate_avg_ms"]) == ("30.0", "12.5", "1.5")
    assert (first["returncode"], first["base_port_used"], first["parse_source"]) == ("0", "12346", "measured")
    assert (failed["steps_s_total"], failed["play_avg_ms"], failed["returncode"]) == ("", "", "124")


def test_columns_of_the_summary() -> None:
    text = as_csv(SweepSummary, summarize(ROWS))
    assert text.splitlines()[0] == "mode,instances,repeats,mean,stdev,min,max"
    none, one, two = read(text)
    assert (none["mode"], none["repeats"], none["mean"]) == ("action_only", "0", "")
    assert (one["instances"], one["repeats"], one["mean"], one["stdev"]) == ("1", "1", "20.0", "")
    assert (two["instances"], two["mean"], two["min"], two["max"]) == ("2", "40.0", "30.0", "50.0")
    assert float(two["stdev"]) == pytest.approx(200**0.5, abs=0.001)


def test_the_plot_shows_what_was_measured() -> None:
    picture = ET.fromstring(plot(summarize(ROWS)))
    words = [node.text or "" for node in picture.iter() if node.tag.endswith("text")]
    assert {"action_only", "rl_step", "instances", "1", "2"} <= set(words)
    dots = [node for node in picture.iter() if node.tag.endswith("circle")]
    assert len(dots) == 2
    assert {dot[0].text for dot in dots} == {"20.0 (20.0 to 20.0) with 1", "40.0 (30.0 to 50.0) with 2"}
    lower, higher = sorted(dots, key=lambda dot: float(dot.attrib["cx"]))
    assert float(lower.attrib["cy"]) > float(higher.attrib["cy"])
