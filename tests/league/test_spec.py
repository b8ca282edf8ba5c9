"""Gates as people write them."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from jimbo.league.spec import GatePlace, GateSpec, read_spec, schedule, shipped

GAME = "games: {h1: 2, pairs: 10}"


def spec_of(tmp_path: Path, text: str, name: str = "gate.yaml") -> GateSpec:
    (tmp_path / name).write_text(text)
    return read_spec(str(tmp_path / name))


def test_shipped_gates_can_be_read() -> None:
    assert shipped() == ["full", "quick", "smoke"]
    assert [read_spec(name).name for name in shipped()] == shipped()


def test_yaml_and_toml_mean_the_same(tmp_path: Path) -> None:
    yaml = spec_of(tmp_path, "name: a\ngames:\n  h1: 2\n  pairs: 10\n  places: [{deck: blue}]\nguards: {ece: null}\n")
    text = 'name = "a"\n[games]\nh1 = 2\npairs = 10\nplaces = [{deck = "blue"}]\n'
    toml = spec_of(tmp_path, text, "gate.toml")
    assert yaml.games == toml.games
    assert yaml.games.places[0].deck == "b_blue"
    assert replace(yaml, guards=toml.guards).hash == toml.hash != yaml.hash


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GAME, "name missing"),
        (f"name: a\n{GAME}\nplaces: 3", "places unknown"),
        ("name: a\ngames: {h1: 2, h0: 3, pairs: 10}", "h0 must be less than h1"),
        ("name: a\ngames: {h1: 2, h0: -1, pairs: 10}", "h0 must not be negative"),
        ("name: a\ngames: {kind: no_regression, h1: 2, pairs: 10}", "h0 must be negative"),
        ("name: a\ngames: {kind: better, h1: 2, pairs: 10}", "kind must be one of gain, no_regression"),
        ("name: a\ngames: {h1: 2, pairs: 10, alpha: 0.9}", "alpha must be a number from"),
        ("name: a\ngames: {h1: 2, pairs: 10, quick: {beta: 0.05}}", "quick.beta is a part of beta"),
        ("name: a\ngames: {h1: 2, pairs: 10, places: []}", "places must name at least one"),
        ("name: a\ngames: {h1: 2, pairs: 10, places: [{deck: pink}]}", "pink"),
        ("name: [", "is not valid YAML"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ValueError, match=r"gate\.yaml") as error:
        spec_of(tmp_path, text)
    assert said in str(error.value)


def test_unknown_gates_and_broken_toml_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r'no gate "quik"\. Choose full, quick, smoke, p18'):
        read_spec("quik")
    with pytest.raises(ValueError, match="cannot be read"):
        read_spec(str(tmp_path / "none.yaml"))
    with pytest.raises(ValueError, match="not valid TOML"):
        spec_of(tmp_path, "name = ", "gate.toml")


def test_a_quick_stage_takes_its_part_of_beta() -> None:
    stages = read_spec("full").games.stages()
    assert [stage.name for stage in stages] == ["quick", "full"]
    assert sum(stage.test.beta for stage in stages) == pytest.approx(0.05)
    assert stages[0].effort < stages[1].effort == 1


def test_places_have_their_share_at_any_time() -> None:
    places = [GatePlace(weight=3), GatePlace(deck="blue"), GatePlace(stake="gold", weight=2)]
    order = schedule(places, 600)
    assert Counter(order) == {0: 300, 1: 100, 2: 200}
    for size in (10, 77, 301):
        counts = Counter(order[:size])
        assert all(abs(counts[place] - places[place].weight / 6 * size) <= 1 for place in range(3))
