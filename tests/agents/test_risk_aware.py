"""The agent risk_aware, and the expert with a budget: fair, reproducible, cheap where little is at stake."""

import math
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agents.played import HIDING_BOSSES, Player, before_the_boss
from jimbo.agents import make_agent
from jimbo.agents.risk import CAREFUL, CHEAP, EXPERT, Router, Routing, expected_loss, read_routing
from jimbo.agents.told import ChancesHere
from jimbo.data import decision_line
from jimbo.data.record_files import read_decision
from jimbo.engine import Action, Run
from jimbo.files import json_object
from jimbo.serve.assistant import Adviser, advice_data

CONFIG = "cheap: 0.01\ncareful: 0.02\nexpert: 0.05\ncareful_from: 0.2\nexpert_from: 0.5\n"


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("risk") / "risk.yaml"
    path.write_text(CONFIG, encoding="utf-8")
    return str(path)


@pytest.fixture
def player(config: str) -> Player:
    return Player("risk_aware", config=config)


def test_decisions_do_not_depend_on_what_is_hidden(player: Player) -> None:
    runs = [*player.positions("FAIRPLAY")]
    for boss in HIDING_BOSSES:
        run = before_the_boss(boss)
        runs.append(run.clone())
        run.step(Action("select_blind"))
        runs.append(run)
    for run in runs:
        seen = player.decided(run)
        assert player.decided(run.determinize(11)) == seen


def played(agent: Any, seed: str, nonce: int) -> list[Any]:
    agent.reset(nonce)
    run = Run(seed=seed)
    decisions: list[Any] = []
    while not (run.phase == "game_over" or run.won) and len(decisions) < 150:
        decisions.append(agent.act(run.public_state()))
        run.step(decisions[-1].action)
    return decisions


def test_a_run_is_the_same_again_and_every_action_is_allowed(config: str) -> None:
    agent = make_agent("risk_aware", config=config)
    first = played(agent, "RISKY", 3)
    assert first == played(agent, "RISKY", 3)
    assert first == played(make_agent("risk_aware", config=config), "RISKY", 3)
    routes = [decision.route for decision in first if decision.route]
    assert {route.selected_policy for route in routes} == {CHEAP, CAREFUL, EXPERT}
    for route in routes:
        assert 0 <= route.risk_score <= 1
        assert (route.selected_policy == CHEAP) == (route.fallback_reason == "")


def test_a_plan_is_carried_out_without_being_weighed_again(config: str) -> None:
    first = played(make_agent("risk_aware", config=config), "ALIKE", 3)
    planned = [decision for decision in first if not decision.considered]
    assert planned
    assert all(decision.route is None for decision in planned)


def test_a_route_is_kept_with_its_decision(config: str) -> None:
    decision = next(one for one in played(make_agent("risk_aware", config=config), "KEPT", 1) if one.route)
    assert read_decision(json_object(decision_line(1, decision))) == decision


def test_the_assistant_tells_who_decided(config: str) -> None:
    advice = Adviser(make_agent("risk_aware", config=config)).advise(Run(seed="TOLD").public_state())
    route = advice_data(advice, advice.suggestions)["route"]
    assert set(route) == {"selected_policy", "risk_score", "fallback_reason"}
    plain = Adviser(make_agent("fast", rollouts=4)).advise(Run(seed="TOLD").public_state())
    assert advice_data(plain, plain.suggestions)["route"] is None


@pytest.mark.parametrize("gap", [0.0, 0.1, 0.5])
def test_what_a_mistake_costs_on_average(gap: float) -> None:
    """Against the integral: the second is better by x, which is normal around -gap."""
    spread, steps = 0.3, 20_000
    width = 6 * spread
    xs = [width * (i + 0.5) / steps for i in range(steps)]
    density = [math.exp(-(((x + gap) / spread) ** 2) / 2) / (spread * math.sqrt(2 * math.pi)) for x in xs]
    integral = sum(x * p for x, p in zip(xs, density, strict=True)) * width / steps
    assert expected_loss(gap, spread) == pytest.approx(integral, abs=1e-5)
    assert expected_loss(gap, 0.0) == 0.0


def test_thresholds_say_who_decides() -> None:
    routing = Routing(careful_from=0.3, expert_from=0.6)
    assert [routing.who(risk) for risk in (0.0, 0.29, 0.3, 0.59, 0.6, 1.0)] == [CHEAP] * 2 + [CAREFUL] * 2 + [
        EXPERT
    ] * 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("careful_from: 0.9\nexpert_from: 0.1\n", "must not be above"),
        ("sure: 1\n", "sure unknown"),
        ("cheap: -1\n", "cheap"),
    ],
)
def test_a_config_that_does_not_fit_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "risk.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=said):
        read_routing(str(path))
    with pytest.raises(ValueError, match=said):
        make_agent("risk_aware", config=str(path))


def test_an_empty_config_is_the_default(tmp_path: Path) -> None:
    path = tmp_path / "risk.yaml"
    path.write_text("", encoding="utf-8")
    assert read_routing(str(path)) == read_routing(None) == Routing()


class Clock:
    """Processor time that passes only where somebody thinks."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def thread_time(self) -> float:
        return self.seconds


@dataclass(frozen=True)
class Thinker:
    """Takes four milliseconds at effort 1, and finds that there is only one thing to do."""

    effort: float
    clock: Clock

    def reset(self, nonce: int) -> None:
        """It keeps nothing."""

    def decide(self, run: Any) -> Any:
        self.clock.seconds += 0.004 * self.effort**0.8
        return SimpleNamespace(kind="only", action=SimpleNamespace(kind="cash_out"), options=[], solved=[])


@pytest.mark.parametrize("budget", [0.05, 0.5, 3.0, 40.0])
def test_a_budget_is_kept_in_the_mean_of_a_run(budget: float, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr("jimbo.agents.risk.time", clock)
    router = Router(lambda effort: Thinker(effort, clock), Routing(), budget)  # type: ignore[arg-type,return-value]
    run: Any = SimpleNamespace(hand=())
    for _ in range(3):
        router.reset(1)
        began = clock.seconds
        for _ in range(200):
            router.decide(run, ChancesHere(None, 1, "shop", "first"), 0.0)
        assert 1000 * (clock.seconds - began) / 200 == pytest.approx(budget, rel=0.15)


def test_the_expert_plays_whole_runs_by_a_budget() -> None:
    decisions = played(make_agent("expert", budget_ms=0.5), "BUDGET", 1)
    assert len(decisions) > 20
    assert any(decision.route for decision in decisions)
