"""Champion and challengers: what becomes of them, and what is written about it."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jimbo.declared import from_dict
from jimbo.eval.rows import Episode
from jimbo.eval.runner import Settings
from jimbo.league import Entry, Registry
from jimbo.league.champion import DECISION_FILES, aliased, challenge, league_data, promote, rollback, status_of
from jimbo.league.decision import GateDecision
from jimbo.league.spec import GateSpec
from jimbo.models.value_file import OWN_FILE, read_value, write_value
from league.made_games import MADE, MadeFarm, by_strength, made_farm

SPEC = from_dict(GateSpec, {"name": "test", "games": {"h1": 10, "pairs": 2000}})


@pytest.fixture(autouse=True)
def farm(monkeypatch: pytest.MonkeyPatch) -> MadeFarm:
    return made_farm(monkeypatch)


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return Registry(tmp_path / "registry")


def agent(registry: Registry, name: str, strength: float, **files: Path) -> Entry:
    spec = {"agent": MADE, "options": {"strength": strength}, "files": {option: option for option in files}}
    return registry.add(name, kind="agent", spec=spec, files=files)


def challenged(registry: Registry, entry: Entry, tmp_path: Path) -> GateDecision | str:
    return challenge(registry, entry, SPEC, folder=tmp_path / entry.id)


def test_the_way_to_the_top_and_back(registry: Registry, tmp_path: Path) -> None:
    old, new = agent(registry, "old", 0.5), agent(registry, "new", 0.8)
    assert status_of(registry, old) == "candidate"
    first = promote(registry, old)
    assert (first.final, first.reason, first.baseline) == ("promote", "it is the first champion", None)
    early = promote(registry, new)
    assert (early.final, aliased(registry, "champion")) == ("hold_for_more_data", old)
    decision = challenged(registry, new, tmp_path)
    assert isinstance(decision, GateDecision)
    assert (decision.verdict, status_of(registry, new)) == ("promote", "gated")
    done = promote(registry, new)
    assert done.final == "promote"
    assert [aliased(registry, alias) for alias in ("champion", "previous")] == [new, old]
    assert dict(done.statuses) == {"old": "retired", "new": "champion"}
    back = rollback(registry, "it plays badly at night")
    assert back.final == "rolled_back"
    assert [aliased(registry, alias) for alias in ("champion", "previous")] == [old, None]
    assert [status_of(registry, one) for one in (old, new)] == ["champion", "rolled back"]
    again = promote(registry, new)
    assert (again.final, again.reason) == ("rolled_back", "it plays badly at night")
    with pytest.raises(ValueError, match="no champion before this one"):
        rollback(registry, "again")


def test_after_a_rollback_the_champion_before_is_known(registry: Registry, tmp_path: Path) -> None:
    entries = [agent(registry, f"a{n}", strength) for n, strength in enumerate((0.2, 0.5, 0.8))]
    for entry in entries:
        if entry is not entries[0]:
            challenged(registry, entry, tmp_path)
        assert promote(registry, entry).final == "promote"
    rollback(registry, "one")
    assert [aliased(registry, alias) for alias in ("champion", "previous")] == [entries[1], entries[0]]
    rollback(registry, "two")
    assert [aliased(registry, alias) for alias in ("champion", "previous")] == [entries[0], None]


@pytest.mark.parametrize("lines", [1, 2])
def test_a_rollback_that_is_killed_can_be_repeated_and_holds(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: int
) -> None:
    old, new = agent(registry, "old", 0.4), agent(registry, "new", 0.8)
    promote(registry, old)
    challenged(registry, new, tmp_path)
    promote(registry, new)
    append, written = Registry._append, list[int]()

    def killed(self: Registry, kind: str, data: Mapping[str, Any]) -> int:
        if len(written) == lines:
            raise KeyboardInterrupt
        written.append(append(self, kind, data))
        return written[-1]

    monkeypatch.setattr(Registry, "_append", killed)
    with pytest.raises(KeyboardInterrupt):
        rollback(registry, "by hand")
    monkeypatch.setattr(Registry, "_append", append)
    assert status_of(registry, new) == "rolled back"
    if lines == 1:
        rollback(registry, "by hand")
    assert [aliased(registry, alias) for alias in ("champion", "previous")] == [old, None]
    assert promote(registry, new).final == "rolled_back"


def test_a_worse_one_is_rejected_with_the_reason(registry: Registry, tmp_path: Path) -> None:
    promote(registry, agent(registry, "old", 0.6))
    worse = agent(registry, "worse", 0.2)
    challenged(registry, worse, tmp_path)
    assert status_of(registry, worse) == "rejected"
    decision = promote(registry, worse)
    assert decision.final == "reject"
    assert "gate test: reject, it is not better by 10" in decision.reason


def test_a_gate_against_another_champion_does_not_count(registry: Registry, tmp_path: Path) -> None:
    a, b, c = (agent(registry, name, strength) for name, strength in (("a", 0.2), ("b", 0.5), ("c", 0.8)))
    promote(registry, a)
    challenged(registry, b, tmp_path)
    challenged(registry, c, tmp_path)
    assert promote(registry, c).final == "promote"
    held = promote(registry, b)
    assert (held.final, held.reason) == ("hold_for_more_data", "no gate has compared it with c")


def test_whoever_was_challenged_may_challenge_the_next_champion(registry: Registry, tmp_path: Path) -> None:
    a, b, c = (agent(registry, name, strength) for name, strength in (("a", 0.2), ("b", 0.4), ("c", 0.8)))
    promote(registry, a)
    challenged(registry, c, tmp_path)
    challenged(registry, b, tmp_path)
    promote(registry, b)
    again = challenged(registry, c, tmp_path)
    assert isinstance(again, GateDecision)
    assert again.about["champion"]["name"] == "b"
    assert promote(registry, c).final == "promote"


def test_a_changed_file_is_refused(registry: Registry, tmp_path: Path) -> None:
    model = tmp_path / "model.safetensors"
    model.write_bytes(b"weights")
    promote(registry, agent(registry, "old", 0.5))
    new = agent(registry, "new", 0.9, model=model)
    challenged(registry, new, tmp_path)
    path = registry.path_of(new, "model")
    path.chmod(0o644)
    path.write_bytes(b"other!!")
    decision = promote(registry, new)
    assert decision.final == "reject"
    assert "is not what was written" in decision.reason
    with pytest.raises(ValueError, match="is not what was written"):
        challenged(registry, new, tmp_path)


@pytest.mark.parametrize("reason", ["illegal_action", "agent_error"])
def test_smoke_games_reject_what_fails(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    def faulty(settings: Settings, row: Episode) -> Episode:
        if settings.options["strength"] == 0.9:
            return replace(row, failure_reason=reason, error="no such card")
        return by_strength(settings, row)

    farm = made_farm(monkeypatch, faulty)
    promote(registry, agent(registry, "old", 0.5))
    new = agent(registry, "new", 0.9)
    found = challenged(registry, new, tmp_path)
    assert isinstance(found, str)
    assert found.startswith("legality: in 2 of 2 games, first on seed ")
    assert "no such card" in found
    assert (status_of(registry, new), sum(map(len, farm.played))) == ("rejected", 4)
    assert promote(registry, new).reason == f"smoke games: {found}"


def test_a_value_of_what_is_no_number_is_rejected(registry: Registry, tmp_path: Path) -> None:
    weights, _ = read_value(OWN_FILE)
    weights["second.bias"][3] = np.nan
    write_value(tmp_path / "value.safetensors", weights, {})
    promote(registry, agent(registry, "old", 0.5))
    files = {"model": tmp_path / "value.safetensors", "model.json": tmp_path / "value.json"}
    spec = {"agent": "fast", "options": {}, "files": {"model": "model/value.safetensors"}}
    new = registry.add("new", kind="model", spec=spec, files={f"model/{path.name}": path for path in files.values()})
    found = challenged(registry, new, tmp_path)
    assert isinstance(found, str)
    assert "weights that are not finite" in found
    assert status_of(registry, new) == "rejected"


def test_a_challenge_that_is_repeated_says_the_same_and_notes_nothing(registry: Registry, tmp_path: Path) -> None:
    promote(registry, agent(registry, "old", 0.5))
    new = agent(registry, "new", 0.8)
    first = challenged(registry, new, tmp_path)
    events = len(list(registry.events()))
    second = challenged(registry, new, tmp_path)
    assert isinstance(first, GateDecision)
    assert isinstance(second, GateDecision)
    assert second.data == first.data
    assert len(list(registry.events())) == events


def test_nobody_to_challenge(registry: Registry, tmp_path: Path) -> None:
    old = agent(registry, "old", 0.5)
    with pytest.raises(ValueError, match="jimbo league promote old makes it the first"):
        challenged(registry, old, tmp_path)
    promote(registry, old)
    with pytest.raises(ValueError, match="old is the champion already"):
        challenged(registry, old, tmp_path)
    with pytest.raises(ValueError, match="old is the champion already"):
        promote(registry, old)


def test_what_is_written(registry: Registry, tmp_path: Path) -> None:
    promote(registry, agent(registry, "old", 0.5))
    new = agent(registry, "new", 0.8)
    challenged(registry, new, tmp_path)
    promote(registry, new).keep(tmp_path / "out")
    data: dict[str, Any] = json.loads((tmp_path / "out" / DECISION_FILES[0]).read_text())
    assert data["schema"] == "champion_decision_v3"
    assert (data["final_decision"], data["perf_gate_pass"], data["risk_guard_pass"]) == ("promote", True, True)
    assert data["baseline"]["name"] == "old"
    assert data["candidate"] == {"name": "new", "entry": new.id}
    assert data["gate"]["stages"][0]["line"].startswith("LLR ")
    text = (tmp_path / "out" / DECISION_FILES[1]).read_text()
    assert text.startswith("# promote: new")
    assert "LLR " in text


def test_status_counts_tests(registry: Registry, tmp_path: Path) -> None:
    promote(registry, agent(registry, "old", 0.6))
    for name, strength in (("x", 0.3), ("y", 0.4)):
        challenged(registry, agent(registry, name, strength), tmp_path)
    data = league_data(registry)
    assert (data["champion"]["name"], data["canary"], data["tests_of_champion"]) == ("old", None, 2)
    assert data["expected_false_promotions"] == pytest.approx(0.1)
    assert {one["name"]: one["status"] for one in data["entries"]} == {
        "old": "champion",
        "x": "rejected",
        "y": "rejected",
    }
