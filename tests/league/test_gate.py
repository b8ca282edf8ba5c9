"""Gates from the first game to the verdict, with games by chance."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jimbo.declared import from_dict
from jimbo.eval.rows import Episode
from jimbo.eval.runner import Settings
from jimbo.league.decision import DECISION, GateDecision
from jimbo.league.gate import Contestant, gates_of, run_gate
from jimbo.league.registry import Registry
from jimbo.league.spec import GatePlace, GateSpec
from league.made_games import MadeFarm, as_won, by_strength, chance, made_farm

GAIN = {"h1": 10, "pairs": 2000}


def spec(guards: dict[str, Any] | None = None, **games: Any) -> GateSpec:
    return from_dict(GateSpec, {"name": "test", "games": {**GAIN, **games}, "guards": guards or {}})


def player(strength: float, number: int = 0, **options: Any) -> Contestant:
    given = {"strength": strength, **options}
    return Contestant(name=f"agent {strength:g} {number}", agent="greedy", options=given, number=number)


@pytest.fixture
def farm(monkeypatch: pytest.MonkeyPatch) -> MadeFarm:
    return made_farm(monkeypatch)


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return Registry(tmp_path / "registry")


def gate(
    registry: Registry, challenger: float, champion: float, folder: Path | None = None, **games: Any
) -> GateDecision:
    return run_gate(
        spec(**games), player(challenger, 1), player(champion, 0), registry=registry, folder=folder, workers=1
    )


@pytest.mark.usefixtures("farm")
def test_verdicts(registry: Registry) -> None:
    better = gate(registry, 0.75, 0.5)
    assert (better.verdict, better.stages[-1].outcome) == ("promote", "h1")
    assert "better by more than 0" in better.reason
    worse = gate(registry, 0.3, 0.5)
    assert worse.verdict == "reject"
    assert "not better by 10" in worse.reason
    same = run_gate(spec(), player(0.5), player(0.5), registry=registry)
    assert same.verdict == "equivalent"
    assert "neither better by 10 nor worse by as much" in same.reason
    few = gate(registry, 0.55, 0.5, pairs=8)
    assert few.verdict == "inconclusive"
    assert few.stages[-1].tally.pairs == 8
    assert gate(registry, 0.5, 0.5, kind="no_regression", h0=-10, h1=0).verdict == "promote"
    assert gate(registry, 0.3, 0.5, kind="no_regression", h0=-10, h1=0).verdict == "reject"


@pytest.mark.usefixtures("farm")
def test_an_agent_against_itself_is_never_promoted(registry: Registry) -> None:
    """200 gates: with the same random choices there is not one pair that differs."""
    verdicts = [run_gate(spec(pairs=200), player(0.5), player(0.5), registry=registry).verdict for _ in range(200)]
    assert set(verdicts) == {"equivalent"}


@pytest.mark.slow
@pytest.mark.usefixtures("farm")
def test_an_agent_against_itself_with_other_choices_is_promoted_as_often_as_allowed(registry: Registry) -> None:
    gates = [run_gate(spec(h1=15), player(0.5), player(0.5, 1), registry=registry) for _ in range(200)]
    promoted = sum(decision.verdict == "promote" for decision in gates)
    assert promoted <= 200 * 0.05 + 2.58 * math.sqrt(200 * 0.05 * 0.95)


def test_games_are_played_in_pairs_and_end_with_the_answer(registry: Registry, farm: MadeFarm) -> None:
    decision = gate(registry, 0.9, 0.1, guards={"determinism": 0})
    played = farm.played[0]
    assert played[:4] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert len(played) == 2 * decision.stages[0].tally.pairs < 100


def test_games_count_in_the_order_of_seeds_whenever_they_end(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lost games end sooner: here all games of the champion end before the first of the challenger."""
    forth = made_farm(monkeypatch)
    first = gate(registry, 0.7, 0.5)
    back = MadeFarm()
    monkeypatch.setattr(
        "jimbo.eval.runner.play_games",
        lambda player, games, *rest, **more: back(
            player, sorted(games, key=lambda game: -game[0])[:4000], *rest, **more
        ),
    )
    again = gate(registry, 0.7, 0.5)
    assert len(back.played[0]) > len(forth.played[0])
    assert again.verdict == first.verdict == "promote"
    assert again.stages[0].tally.pairs < len(back.played[0]) / 4


def test_a_stopped_gate_goes_on_where_it_was(registry: Registry, tmp_path: Path, farm: MadeFarm) -> None:
    folder, champion = tmp_path / "gate", player(0.5)

    def stop(now: object) -> None:
        if farm.played and len(farm.played[-1]) == 31:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_gate(spec(), player(0.75, 1), champion, registry=registry, folder=folder, progress=stop)
    decision = run_gate(spec(), player(0.75, 1), champion, registry=registry, folder=folder)
    assert len(farm.played[1]) == 2 * decision.stages[0].tally.pairs - 31
    assert len(gates_of(registry, champion.key)) == 1
    assert json.loads((folder / DECISION).read_text()) == json.loads(json.dumps(decision.data))
    # The same seeds at one go decide the same.
    again = run_gate(spec(), player(0.75, 1), champion, registry=registry, folder=folder)
    assert again.data == decision.data
    assert farm.played[2:] == [[(0, 0), (0, 1)]] * 2 or all(len(games) <= 2 for games in farm.played[2:])


@pytest.mark.usefixtures("farm")
def test_a_folder_of_another_gate_is_refused(registry: Registry, tmp_path: Path) -> None:
    gate(registry, 0.75, 0.5, tmp_path / "gate")
    with pytest.raises(ValueError, match=r"h1: 10\.0, not 12"):
        gate(registry, 0.75, 0.5, tmp_path / "gate", h1=12)
    with pytest.raises(ValueError, match="holds a gate with other settings"):
        gate(registry, 0.8, 0.5, tmp_path / "gate")


@pytest.mark.usefixtures("farm")
def test_tests_of_a_champion_are_counted_and_share_no_seed(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[str] = []

    def noted(settings: Settings, row: Episode) -> Episode:
        if settings.options["strength"] == 0.5:
            seeds.append(row.seed)
        return by_strength(settings, row)

    made_farm(monkeypatch, noted)
    decisions = [gate(registry, strength, 0.5, guards={"determinism": 0}) for strength in (0.6, 0.7, 0.8)]
    assert len(seeds) == len(set(seeds))
    assert [decision.about["tests_of_champion"] for decision in decisions] == [1, 2, 3]
    assert decisions[-1].about["expected_false_promotions"] == pytest.approx(0.15)
    other = gate(registry, 0.6, 0.4)
    assert other.about["tests_of_champion"] == 1


def test_seeds_of_an_earlier_test_are_left_out(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if, against all odds, two panels have the same name."""
    seen: list[str] = []

    def noted(settings: Settings, row: Episode) -> Episode:
        seen.append(row.seed)
        return by_strength(settings, row)

    made_farm(monkeypatch, noted)
    first = gate(registry, 0.7, 0.5, guards={"determinism": 0}, pairs=40)
    panel = first.about["panel"]
    used = set(seen)
    seen.clear()
    registry.note("gate", {"champion": player(0.5).key, "panel": f"{panel}x", "seeds": 40, "alpha": 0.05})
    monkeypatch.setattr(
        "jimbo.league.gate.gate_seeds", lambda name: iter([*sorted(used), *(f"S{i}" for i in range(99))])
    )
    gate(registry, 0.7, 0.5, guards={"determinism": 0}, pairs=40)
    assert not used & set(seen)


def by_effort(settings: Settings, row: Episode) -> Episode:
    return as_won(row, chance(row.seed) < min(0.95, settings.options.get("effort", 1)))


def test_a_quick_stage_ends_it_early_and_promotes_nobody(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    made_farm(monkeypatch, by_effort)
    asked = spec(quick={"pairs": 150, "beta": 0.01, "effort": 0.5})
    high, low = (Contestant(name=f"{x}", agent="expert", options={"effort": x}) for x in (0.9, 0.3))
    bad = run_gate(asked, low, high, registry=registry)
    assert ([stage.name for stage in bad.stages], bad.verdict) == (["quick"], "reject")
    good = run_gate(asked, high, low, registry=registry)
    assert ([stage.name for stage in good.stages], good.verdict) == (["quick", "full"], "promote")
    without = run_gate(asked, player(0.9), player(0.3), registry=registry)
    assert [stage.name for stage in without.stages] == ["full"]


def test_effort_is_scaled_only_where_both_have_it(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    efforts: list[tuple[str, Any]] = []

    def noted(settings: Settings, row: Episode) -> Episode:
        efforts.append((settings.agent, settings.options.get("effort")))
        return as_won(row, settings.options.get("effort", 1) > 0.3)

    made_farm(monkeypatch, noted)
    high, low = (Contestant(name=f"{x}", agent="expert", options={"effort": x} if x != 1 else {}) for x in (1, 0.5))
    asked = spec(effort=0.5, guards={"determinism": 0})
    assert run_gate(asked, high, low, registry=registry).verdict == "promote"
    assert set(efforts) == {("expert", 0.5), ("expert", 0.25)}
    efforts.clear()
    run_gate(asked, high, Contestant(name="fast", agent="fast"), registry=registry)
    assert set(efforts) == {("expert", None), ("fast", None)}


def test_places_are_played_by_their_weights(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    at: list[str] = []

    def noted(settings: Settings, row: Episode) -> Episode:
        at.append(row.deck)
        return by_strength(settings, row)

    made_farm(monkeypatch, noted)
    gate(registry, 0.5, 0.5, places=[{"deck": "red", "weight": 3}, {"deck": "blue"}], guards={"determinism": 0})
    assert at.count("b_red") / len(at) == pytest.approx(0.75, abs=0.05)


def test_crashed_games_are_lost(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    def crashing(settings: Settings, row: Episode) -> Episode:
        if settings.options["strength"] == 0.9:
            return replace(row, result="open", failure_reason="worker_died", error="its process ended with code 11")
        return by_strength(settings, row)

    made_farm(monkeypatch, crashing)
    decision = gate(registry, 0.9, 0.5)
    assert decision.verdict == "reject"
    assert decision.stages[0].tally.better == decision.stages[0].tally.both == 0


# --- Planted faults ---------------------------------------------------------------------------------------------------


def failed(decision: GateDecision) -> list[str]:
    return [guard.name for guard in decision.guards if not guard.passed]


def test_worse_at_one_deck_is_refused(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    """Better by much with the red deck, five points worse with the blue one."""

    def uneven(settings: Settings, row: Episode) -> Episode:
        strength = settings.options["strength"]
        if strength == 0.9 and row.deck == "b_blue":
            strength = 0.75
        return as_won(row, chance_of(row) < strength)

    def chance_of(row: Episode) -> float:
        return by_seed[row.seed] if row.seed in by_seed else by_seed.setdefault(row.seed, len(by_seed) * 0.618 % 1)

    by_seed: dict[str, float] = {}
    made_farm(monkeypatch, uneven)
    places = [{"deck": "red"}, {"deck": "blue"}]
    decision = gate(registry, 0.9, 0.8, places=places, guards={"slice_pairs": 300, "determinism": 0}, h1=2)
    assert decision.verdict == "reject"
    assert failed(decision) == ["slice"]
    assert "Blue Deck" in decision.reason
    assert "-5" in decision.reason


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"failure_reason": "illegal_action", "error": "no card"}, "it chose what is not allowed: no card"),
        ({"failure_reason": "agent_error", "error": "no luck"}, "it failed: no luck"),
        ({"not_numbers": 3}, "it valued actions by what is not a number, in 3 decisions"),
    ],
)
def test_faults_of_the_challenger_end_it_at_once(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, fault: dict[str, Any], said: str
) -> None:
    def faulty(settings: Settings, row: Episode) -> Episode:
        if settings.options["strength"] == 0.9 and row.episode_id == 5:
            return replace(by_strength(settings, row), **fault)
        return by_strength(settings, row)

    farm = made_farm(monkeypatch, faulty)
    decision = gate(registry, 0.9, 0.5)
    assert decision.verdict == "reject"
    assert "legality" in failed(decision)
    assert "first on seed" in decision.reason
    assert said in decision.reason
    assert len(farm.played[0]) <= 12


@pytest.mark.usefixtures("farm")
def test_three_times_slower_is_refused(registry: Registry) -> None:
    slow, quick = player(0.9, ms=6.3), player(0.5, ms=2.0)
    decision = run_gate(spec(), slow, quick, registry=registry)
    assert (decision.verdict, failed(decision)) == ("reject", ["time"])
    assert "3.15 times" in decision.reason
    assert run_gate(spec({"time_ratio": 4}), slow, quick, registry=registry).verdict == "promote"


def test_other_games_from_the_same_choices_are_refused(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = 0

    def moody(settings: Settings, row: Episode) -> Episode:
        nonlocal rows
        rows += 1
        return replace(by_strength(settings, row), steps=rows if settings.options["strength"] == 0.9 else 5)

    made_farm(monkeypatch, moody)
    decision = gate(registry, 0.9, 0.5)
    assert (decision.verdict, failed(decision)) == ("reject", ["determinism"])


@pytest.mark.usefixtures("farm")
def test_a_report_names_everything(registry: Registry, tmp_path: Path) -> None:
    gate(registry, 0.75, 0.5, tmp_path / "gate", places=[{"deck": "red"}, {"stake": "gold"}])
    text = (tmp_path / "gate" / "gate_decision.md").read_text()
    assert text.startswith("# promote: agent 0.75 1 against agent 0.5 0, gate test")
    for part in ("LLR ", "| legality |", "Begun so far: 1.", "Reason: it is better by more than 0: ", "| gained |"):
        assert part in text
    assert "<html" in (tmp_path / "gate" / "report.html").read_text()


def test_a_place_has_a_name() -> None:
    assert GatePlace(deck="blue", stake="gold").name == "Blue Deck, Gold Stake"
