"""Constants as a file: what was fitted is there with its error, all else is as it was, and the expert reads it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from jimbo.agents.expert_v1 import load_config
from jimbo.agents.expert_v1.config import OWN_FILE
from jimbo.console import make_console
from jimbo.train.expert_constants import Fit, Game, Origin, Plan, constants_text, report_data
from jimbo.train.expert_constants.estimates import Estimate
from jimbo.train.expert_constants.fit import Slope
from jimbo.train.expert_constants.games import data_hash
from jimbo.train.expert_constants.names import changed, constants
from jimbo.train.expert_constants.tables import result

FITTED = {
    "value.known.0": 0.7,
    "value.known.2": -0.25,
    "value.drift": 0.312,
    "unseen.buffoon": 0.2,
    "unseen.jokers.j_joker": -0.111,
    "unseen.jokers.j_obelisk": 0.4,
    "unseen.vouchers.v_blank": 0.0,
    "unseen.tags.tag_rare": 0.5,
}


@pytest.fixture
def found() -> Fit:
    base = load_config()
    present = constants(base)
    estimates = [Estimate(name, value, present.get(name, 0.0), 0.0345, 0.9, 77) for name, value in FITTED.items()]
    estimates += [Estimate("value.money", 0.9, present["value.money"], 0.3, 0.2, 77)]
    estimates += [Estimate("unseen.jokers.j_egg", 0.9, 0.14, 0.3, 0.8, 3)]
    slopes = {"known": Slope(5.0, 1.0), "money": Slope(1.0, 1.0)}
    return Fit(changed(base, FITTED), tuple(estimates), 10.0, (-1.5, -1.25), slopes)


@pytest.fixture
def origin(plan: Plan, games: list[Game]) -> Origin:
    return Origin.of("jimbo train expert-v1 --games 10 --out here", plan, games)


def test_the_file_is_read_as_what_was_fitted(found: Fit, origin: Origin, tmp_path: Path) -> None:
    path = tmp_path / "constants.yaml"
    path.write_text(constants_text(found, origin))
    assert load_config(path) == found.config
    assert {name: constants(load_config(path))[name] for name in FITTED} == FITTED


def test_numbers_have_their_errors_beside_them(found: Fit, origin: Origin) -> None:
    lines = constants_text(found, origin).splitlines()
    starts = [line.partition(";")[0] for line in lines]
    assert "  known: [0.7, 0.57, -0.25] # +- 0.035, kept, +- 0.035" in starts
    assert "  drift: 0.312            # +- 0.035" in starts
    assert "    j_obelisk: 0.4        # +- 0.035, seen in 77 games" in lines
    assert "    j_egg: 0.14           # kept" in lines
    assert "  money: 0.48             # money turns into score: money * log(1 + dollars / money_unit)" in lines
    jokers = lines[lines.index("  jokers:") + 1 :]
    worths = [float(line.partition(":")[2].partition("#")[0]) for line in jokers]
    assert worths == sorted(worths, reverse=True)
    assert len(worths) == len(load_config().unseen.jokers) + 1


def test_all_else_is_the_packages_own_file(found: Fit, origin: Origin) -> None:
    """Nothing fitted: the same lines, but for a heading and the marks of the tables."""
    nothing = replace(found, config=load_config(), estimates=())
    text = constants_text(nothing, origin)
    own = OWN_FILE.read_text()
    body = text.partition("\n\n")[2]
    before_tables, _, _ = own.partition("  tags:\n")
    assert body.startswith(before_tables)
    assert yaml.safe_load(text) == yaml.safe_load(own)


def test_the_heading_says_where_they_come_from(found: Fit, origin: Origin, games: list[Game]) -> None:
    heading, _, _ = constants_text(found, origin).partition("\n\n")
    assert all(line.startswith("#") for line in heading.splitlines())
    for said in (
        "Made by: jimbo train expert-v1 --games 10 --out here",
        "10 games on the seeds train-expert-constants v1",
        f"SHA-256 of the lines of the games: {data_hash(games)}",
        "value: 3 of ",
        "unseen.jokers: 2 of ",
        "effort, forecast, hand, threshold, use_threshold: chosen by hand",
    ):
        assert said in heading


def test_the_report_tells_all(found: Fit, origin: Origin, games: list[Game]) -> None:
    data = json.loads(json.dumps(report_data(found, origin)))
    assert data["sha256"] == data_hash(games)
    assert data["games"] == 10
    assert data["fitted"].keys() == FITTED.keys()
    assert data["fitted"]["value.drift"] == {
        "value": 0.312,
        "before": 0.27,
        "error": 0.0345,
        "share": 0.9,
        "games": 77,
    }
    assert data["kept"]["value.money"] == "the games tell too little of it"
    assert data["kept"]["unseen.jokers.j_egg"] == "seen in 3 games only"
    assert data["kept"]["effort.rollouts"] == data["kept"]["value.money_delay"] == "chosen by hand"
    assert data["fitted"].keys() | data["kept"].keys() == constants(found.config).keys()
    assert data["held_out_log_chance"] == {"before": -1.5, "fitted": -1.25}


def test_the_table(found: Fit, origin: Origin, capsys: pytest.CaptureFixture[str]) -> None:
    make_console(width=80).print(result(found, origin))
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "value.drift 0.27 0.312 0.035" in lines
    assert "value.money 0.48 0.48 kept: the games tell too little of it" in lines
    assert "unseen.jokers: 2 of 3 fitted, all others kept" in lines
    assert "More known moved the win rate: +5.0 +- 1.0 points at its highest" in lines
    assert not [line for line in lines if line.startswith("More money")]
