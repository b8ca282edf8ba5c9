"""The canary: what the shadow would have done, and what is rolled back without anybody's doing."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from jimbo.agents.baselines import GreedyAgent, RandomAgent
from jimbo.agents.protocol import BareAgent, Considered, Decision, Seat
from jimbo.backends import SimBackend
from jimbo.engine import Action, PublicState
from jimbo.eval.episodes import play_episode
from jimbo.eval.rows import Episode, Shadow
from jimbo.eval.runner import Settings, evaluate
from jimbo.eval.store import Store, read_rows
from jimbo.league import Entry, Registry
from jimbo.league.canary import SUMMARY, CanarySpec, CanaryState, canary_of, watch
from jimbo.league.champion import ChampionDecision, aliased, promote, status_of
from jimbo.league.gate import Contestant
from jimbo.league.shadow import ShadowedAgent, ShadowSettings
from jimbo.seeds.seed_sets import seed_set
from league.made_games import MADE, by_strength, made_farm

# --- The shadow -------------------------------------------------------------------------------------------------------


def shadowed(other: BareAgent, games: int = 1) -> Shadow:
    player = ShadowedAgent(Seat(GreedyAgent(), "greedy"), Seat(other, "other"), "other")
    for _ in range(games):
        play_episode(player, SimBackend(), seed="7LB2WVPK")
    return player.notes()


def test_the_actor_plays_as_if_nobody_watched() -> None:
    seeds = seed_set("dev-100", 3)
    alone = evaluate(Settings(agent="greedy", seeds=seeds), workers=1).episodes
    other = Contestant(name="other", agent="random")
    watched = evaluate(ShadowSettings(agent="greedy", seeds=seeds, shadow=other), workers=1).episodes
    assert [replace(row, shadow=None).without_times() for row in watched] == [row.without_times() for row in alone]


def test_disagreements_are_kept_with_both_values(tmp_path: Path) -> None:
    other = Contestant(name="shadow", agent="expert", options={"effort": 0.001})
    settings = ShadowSettings(agent="greedy", seeds=seed_set("dev-100", 2), shadow=other)
    with Store(tmp_path / "games") as store:
        rows = evaluate(settings, workers=1, store=store).episodes
    assert tuple(read_rows(tmp_path / "games" / "episodes.jsonl")) == rows
    notes = [row.shadow for row in rows if row.shadow]
    assert [(each.agent, each.decisions, each.fault) for each in notes] == [("shadow", row.steps, "") for row in rows]
    found = [one for each in notes for one in each.disagreements]
    hand = next(one for one in found if one.phase == "selecting_hand" and one.other_value is not None)
    assert hand.action != hand.other
    assert (hand.value or 0) > 1
    assert 0 <= (hand.other_value or 0) <= 1


def test_an_agent_agrees_with_itself() -> None:
    notes = shadowed(GreedyAgent(), games=2)
    assert (notes.disagreements, notes.fault) == ((), "")
    assert notes.decisions > 5
    assert len(shadowed(RandomAgent()).disagreements) > 0


class Failing:
    def act(self, state: PublicState) -> Decision:
        raise RuntimeError("out of luck")


class Cheating:
    def act(self, state: PublicState) -> Action:
        return Action("cash_out")


class NoNumber:
    def act(self, state: PublicState) -> Decision:
        action = GreedyAgent().act(state).action
        return Decision(action, (Considered(action, float("nan"), "", chosen=True),))


class Unsure:
    def act(self, state: PublicState) -> Decision:
        return Decision(GreedyAgent().act(state).action, win=float("nan"))


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (Failing, "it failed in decision 1: RuntimeError: out of luck"),
        (Cheating, "it chose what is not allowed in decision 1: "),
        (NoNumber, "it valued actions by what is not a number in decision 1"),
        (Unsure, "it failed in decision 1: TypeError: win of a Decision must be a chance between 0 and 1, not nan"),
    ],
)
def test_faults_of_the_shadow_do_not_stop_the_game(other: Callable[[], BareAgent], said: str) -> None:
    notes = shadowed(other())
    assert notes.fault.startswith(said)
    assert notes.decisions == 1


# --- The watch --------------------------------------------------------------------------------------------------------


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return Registry(tmp_path / "registry")


def agent(registry: Registry, name: str, strength: float, **options: float) -> Entry:
    return registry.add(
        name, kind="agent", spec={"agent": MADE, "options": {"strength": strength, **options}}, files={}
    )


def with_shadows(settings: Settings, row: Episode) -> Episode:
    """The options ``fault`` and ``pace`` of the shadow come true."""
    row = by_strength(settings, row)
    if not isinstance(settings, ShadowSettings):
        return row
    said = settings.shadow.options
    fault = "it failed in decision 3" if row.episode_id == said.get("fault") else ""
    mine = float(settings.options.get("pace", 1.0))
    notes = Shadow(
        agent="x",
        decisions=9,
        p95_ms=float(said.get("pace", 1.0)),
        acting_p95_ms=mine,
        disagreements=(),
        fault=fault,
    )
    return replace(row, shadow=notes)


@pytest.fixture(autouse=True)
def _seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jimbo.league.canary.secrets.token_hex", lambda _: "panel")


def watched(registry: Registry, entry: Entry, folder: Path, games: int) -> tuple[CanaryState, ChampionDecision | None]:
    return watch(registry, *canary_of(registry, entry), CanarySpec(), folder, games=games)


def test_an_equal_one_stays_and_the_watch_goes_on(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    farm = made_farm(monkeypatch, with_shadows)
    champion, new = agent(registry, "champion-1", 0.6), agent(registry, "new", 0.6)
    promote(registry, champion)
    state, decision = watched(registry, new, tmp_path / "canary", 10)
    assert (state.tally.pairs, state.reason, decision) == (10, "", None)
    assert (aliased(registry, "canary"), status_of(registry, new)) == (new, "canary")
    before = sum(map(len, farm.played))
    state, _ = watched(registry, new, tmp_path / "canary", 7)
    assert state.tally.pairs == 17
    assert sum(map(len, farm.played)) - before == 14
    data = json.loads((tmp_path / "canary" / SUMMARY).read_text())
    assert (data["status"], data["games"], data["decisions"]) == ("PASS", 17, 17 * 9)
    assert aliased(registry, "champion") == champion


def test_a_worse_one_is_rolled_back(registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made_farm(monkeypatch, with_shadows)
    champion, new = agent(registry, "champion-1", 0.9), agent(registry, "new", 0.5)
    promote(registry, champion)
    state, decision = watched(registry, new, tmp_path / "canary", 2000)
    assert "worse by more than 2 points" in state.reason
    assert state.tally.pairs < 200
    assert state.evidence >= state.bound == 40
    assert decision
    assert decision.final == "rolled_back"
    assert (aliased(registry, "canary"), status_of(registry, new)) == (None, "rolled back")
    assert json.loads((tmp_path / "canary" / "champion_decision.json").read_text())["final_decision"] == "rolled_back"


@pytest.mark.parametrize(
    ("options", "said"), [({"fault": 6}, "it failed in decision 3"), ({"pace": 3.1}, "more than 2 times as long")]
)
def test_faults_and_slowness_are_rolled_back(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, float], said: str
) -> None:
    made_farm(monkeypatch, with_shadows)
    promote(registry, agent(registry, "champion-1", 0.6))
    new = agent(registry, "new", 0.6, **options)
    state, decision = watched(registry, new, tmp_path / "canary", 100)
    assert said in state.reason
    assert state.tally.pairs < 40
    assert decision


def test_a_champion_that_disappoints_gives_way_to_the_one_before(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_farm(monkeypatch, with_shadows)
    old, new = agent(registry, "old", 0.9), agent(registry, "new", 0.4)
    promote(registry, old)
    registry.move("champion", new, "a mistake")
    assert canary_of(registry, None) == (new, old)
    state, decision = watch(registry, new, old, CanarySpec(), tmp_path / "canary", games=500)
    assert state.reason
    assert decision
    assert [aliased(registry, alias) for alias in ("champion", "previous")] == [old, None]
    assert [status_of(registry, one) for one in (old, new)] == ["champion", "rolled back"]


def test_a_changed_file_is_rolled_back(registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made_farm(monkeypatch, with_shadows)
    promote(registry, agent(registry, "champion-1", 0.6))
    model = tmp_path / "model"
    model.write_bytes(b"weights")
    spec = {"agent": MADE, "options": {"strength": 0.6}, "files": {"model": "model"}}
    new = registry.add("new", kind="agent", spec=spec, files={"model": model})
    assert watched(registry, new, tmp_path / "canary", 5)[1] is None
    path = registry.path_of(new, "model")
    path.chmod(0o644)
    path.write_bytes(b"others!")
    state, decision = watched(registry, new, tmp_path / "canary", 5)
    assert "is not what was written" in state.reason
    assert decision
    assert status_of(registry, new) == "rolled back"


def test_a_reference_that_fails_does_not_cost_the_champion_its_place(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails_at_once(settings: Settings, row: Episode) -> Episode:
        row = with_shadows(settings, row)
        shadow = row.shadow and replace(row.shadow, p95_ms=0.0, fault="it failed in decision 1")
        return replace(row, shadow=shadow)

    made_farm(monkeypatch, fails_at_once)
    old, new = agent(registry, "old", 0.6), agent(registry, "new", 0.6)
    promote(registry, old)
    registry.move("champion", new, "a test")
    state, decision = watch(registry, new, old, CanarySpec(), tmp_path / "canary", games=100)
    assert (state.slower, state.reason, decision) == (0, "", None)


def test_a_reference_whose_file_was_changed_is_told_and_nobody_is_rolled_back(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_farm(monkeypatch, with_shadows)
    model = tmp_path / "model"
    model.write_bytes(b"weights")
    spec = {"agent": MADE, "options": {"strength": 0.6}, "files": {"model": "model"}}
    old, new = registry.add("old", kind="agent", spec=spec, files={"model": model}), agent(registry, "new", 0.6)
    promote(registry, old)
    registry.move("champion", new, "a test")
    path = registry.path_of(old, "model")
    path.chmod(0o644)
    path.write_bytes(b"others!")
    with pytest.raises(ValueError, match="is not what was written"):
        watch(registry, new, old, CanarySpec(), tmp_path / "canary", games=5)
    assert aliased(registry, "champion") == new


def test_who_is_watched(registry: Registry) -> None:
    with pytest.raises(ValueError, match="no champion yet"):
        canary_of(registry, None)
    champion, new = agent(registry, "champion-1", 0.6), agent(registry, "new", 0.6)
    promote(registry, champion)
    with pytest.raises(ValueError, match="none before it to compare it with"):
        canary_of(registry, None)
    assert canary_of(registry, new) == (new, champion)
    registry.move("canary", new, "test")
    assert canary_of(registry, None) == (new, champion)
