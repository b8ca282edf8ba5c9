"""The method of Jimbo's PPO: advantages, clipping, what the heads should expect, and games."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
from jimbo.engine import LAST_ANTE  # noqa: E402
from jimbo.env.wrappers import AnteLimit  # noqa: E402
from jimbo.models import config_of  # noqa: E402
from jimbo.models.inputs import network_inputs  # noqa: E402
from jimbo.models.network import EntityNetwork, judged  # noqa: E402
from jimbo.models.outputs import BLINDS_AHEAD  # noqa: E402
from jimbo.train.core.loop import TrainingFailed  # noqa: E402
from jimbo.train.core.machine import prepare  # noqa: E402
from jimbo.train.ppo import Rule, Targets, improve, losses, policy_loss  # noqa: E402
from jimbo.train.ppo_games import Games, Turn, advantages, choose, collect, outlooks  # noqa: E402
from jimbo.train.ppo_model import (  # noqa: E402
    ActorCritic,
    Decisions,
    Opinion,
    Outlook,
    Workbench,
    opinions,
    workbench,
)
from jimbo.train.settings import Curriculum, RlSettings  # noqa: E402

CPU = prepare("cpu")
BENCH = Workbench(CPU, map)
SETTINGS = RlSettings(rows=16, horizon=8, minibatch=64, steps=1024, candidates=12, eval_games=4)


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    with workbench(CPU, 1):
        yield


def model(seed: int = 1) -> ActorCritic:
    torch.manual_seed(seed)
    return ActorCritic(EntityNetwork(config_of("tiny"))).eval()


# --- Advantages -------------------------------------------------------------------------------------------------------


def plain_advantages(rewards: Any, values: Any, after: Any, goes_on: Any, gamma: float, gae_lambda: float) -> Any:
    """The sum of its definition, row by row."""
    found = np.zeros_like(rewards)
    turns, rows = rewards.shape
    for row in range(rows):
        for turn in range(turns):
            weight, total = 1.0, 0.0
            for later in range(turn, turns):
                total += weight * (rewards[later, row] + gamma * after[later, row] - values[later, row])
                weight *= gamma * gae_lambda
                if not goes_on[later, row]:
                    break
            found[turn, row] = total
    return found


@pytest.mark.parametrize(("gamma", "gae_lambda"), [(0.99, 0.95), (1.0, 1.0), (0.9, 0.0)])
def test_advantages_are_those_of_the_definition(gamma: float, gae_lambda: float) -> None:
    random = np.random.default_rng(3)
    rewards, values, after = random.normal(size=(3, 9, 5))
    goes_on = random.random((9, 5)) < 0.7
    found = advantages(rewards, values, after, goes_on, gamma, gae_lambda)
    assert found == pytest.approx(plain_advantages(rewards, values, after, goes_on, gamma, gae_lambda))


def test_with_lambda_one_the_returns_are_the_rewards_to_come() -> None:
    rewards, values = np.array([[1.0], [2.0], [4.0]]), np.array([[0.3], [0.2], [0.1]])
    after = np.array([[0.2], [0.1], [0.0]])
    ends = np.array([[True], [True], [False]])
    found = advantages(rewards, values, after, ends, 0.5, 1.0)
    assert (found + values)[:, 0] == pytest.approx([1 + 0.5 * (2 + 0.5 * 4), 2 + 0.5 * 4, 4])


# --- The loss ---------------------------------------------------------------------------------------------------------


def test_a_choice_that_moved_far_enough_gains_nothing_more() -> None:
    ratio = torch.tensor([1.5, 0.5, 1.5, 0.5, 1.1], requires_grad=True)
    gains = torch.tensor([1.0, -1.0, -1.0, 1.0, 1.0])
    lost = policy_loss(ratio, gains, 0.2)
    assert lost.tolist() == pytest.approx([-1.2, 0.8, 1.5, -0.5, -1.1])
    lost.sum().backward()
    assert ratio.grad.tolist() == [0, 0, 1, -1, -1], "beyond the clip only what makes it worse is corrected"


def opinion(logits: Any, value: float = 0.0) -> Opinion:
    logits = torch.as_tensor(logits, dtype=torch.float32)
    n = len(logits)
    heads = (torch.zeros(n), torch.zeros(n, BLINDS_AHEAD), torch.zeros(n, LAST_ANTE))
    return Opinion(logits, torch.full((n,), value), *heads)


def target(n: int, advantage: float = 1.0, returns: float = 0.0) -> Targets:
    known = (torch.zeros(n), torch.zeros(n, BLINDS_AHEAD), torch.ones(n, BLINDS_AHEAD), torch.eye(LAST_ANTE)[:n])
    even = torch.full((n,), -float(np.log(2)))
    return Targets(
        torch.zeros(n, dtype=torch.long), even, torch.full((n,), advantage), torch.full((n,), returns), *known
    )


def test_losses_add_up() -> None:
    rule = Rule(replace(SETTINGS, value_weight=0.25), entropy=0.1, spread=4.0)
    found = losses(opinion([[0.0, 0.0, -1e9]] * 2, value=1.0), target(2, returns=3.0), rule)
    assert float(found["entropy"]) == pytest.approx(2 * np.log(2)), "a candidate that is not there counts nothing"
    assert float(found["policy"]) == pytest.approx(-2)
    assert float(found["value"]) == pytest.approx(2 * 0.5 * 4 / 4)
    assert float(found["kl"]) == pytest.approx(0, abs=1e-6)
    whole = -2 + 0.25 * 1 + float(found["outlook"]) - 0.1 * 2 * np.log(2)
    assert float(found["loss"]) == pytest.approx(whole)
    alone = losses(opinion([[0.0, 0.0]] * 2, value=1.0), target(2, returns=3.0), replace(rule, critic_alone=True))
    assert float(alone["loss"]) == pytest.approx(0.25 + float(found["outlook"]))


def test_leaving_the_start_costs() -> None:
    rule = Rule(replace(SETTINGS, start_kl=2.0), entropy=0.0, spread=1.0, start=EntityNetwork(config_of("tiny")))
    asked, given = opinion([[0.0, 0.0]]), target(1, advantage=0.0)
    without = float(losses(asked, given, rule)["loss"])
    same = losses(asked, given, rule, torch.zeros(1, 2))
    other = losses(asked, given, rule, torch.tensor([[np.log(3.0), 0.0]]))
    kl = 0.75 * np.log(0.75 / 0.5) + 0.25 * np.log(0.25 / 0.5)
    assert float(same["loss"]) == pytest.approx(without)
    assert float(other["loss"]) == pytest.approx(without + 2 * kl, abs=1e-5)


def test_a_loss_that_is_not_a_number_ends_it() -> None:
    batch, learner = collected()
    batch.returns[:] = np.nan
    with pytest.raises(TrainingFailed, match=r"The loss became nan\. Try a lower lr"):
        improve(learner, optimizer(learner), batch, Rule(SETTINGS, 0.0, 1.0), np.random.default_rng(1), BENCH)


# --- Choosing and playing ---------------------------------------------------------------------------------------------


def test_candidates_are_chosen_as_often_as_they_should_be() -> None:
    logits = np.log(np.array([[0.5, 0.3, 0.2, 1e-30]], np.float32))
    logits[0, 3] = -1e9
    chosen, log_probs = choose(np.repeat(logits, 20_000, axis=0), np.random.default_rng(1))
    shares = np.bincount(chosen, minlength=4) / 20_000
    assert shares == pytest.approx([0.5, 0.3, 0.2, 0], abs=0.015)
    assert shares[3] == 0
    assert np.exp(log_probs) == pytest.approx(np.array([0.5, 0.3, 0.2])[chosen], abs=1e-5)


def collected(settings: RlSettings = SETTINGS, bench: Workbench = BENCH) -> tuple[Any, ActorCritic]:
    games = Games(settings, 1)
    learner = model()
    return collect(learner, games, settings, np.random.default_rng(1), bench), learner


def optimizer(learner: ActorCritic) -> Any:
    return torch.optim.Adam(learner.parameters(), lr=1e-3, foreach=True)


def played(settings: RlSettings, turns: int) -> Games:
    games = Games(settings, 1)
    actions = np.zeros(settings.rows, np.int32)
    for turn in range(turns):
        games.batch.sample(actions, turn)
        games.deal(games.step(actions).cut)
    return games


def test_pieces_say_what_the_whole_says() -> None:
    seen = played(SETTINGS, 30).seen
    learner = model()
    decisions = Decisions.shown(seen, np.ones(16, np.bool_), CPU)
    assert sorted(np.concatenate(decisions.pieces(np.arange(16), 5)).tolist()) == list(range(16))
    assert max(len(piece) for piece in decisions.pieces(np.arange(16), 5)) <= 5
    arrays = (seen.observations, seen.candidate_ids, seen.candidate_rows, seen.masks)
    with torch.no_grad():
        whole = judged(learner.network, network_inputs(*arrays))
        for piece in decisions.pieces(np.arange(16), 5):
            found = learner(decisions.inputs(piece))
            width = found.logits.shape[1]
            assert width == seen.masks[piece].sum(axis=1).max()
            assert found.logits.numpy() == pytest.approx(whole.logits.numpy()[piece, :width], abs=1e-4)
            assert found.win.numpy() == pytest.approx(whole.win.numpy()[piece], abs=1e-4)
    logits, _, outlook = opinions(learner, decisions, BENCH)
    width = logits.shape[1]
    assert logits[seen.masks[:, :width]] == pytest.approx(whole.logits.numpy()[seen.masks], abs=1e-4)
    assert outlook.win == pytest.approx(whole.win.sigmoid().numpy(), abs=1e-5)


def test_nothing_illegal_is_ever_played() -> None:
    settings = replace(SETTINGS, rows=32, horizon=40, minibatch=1280, steps=1280)
    games = Games(settings, 1)
    batch = collect(model(), games, settings, np.random.default_rng(2), BENCH)
    report = games.report()
    assert report["games"] > 20
    assert report["illegal"] == 0
    assert not games.seen.stats["illegal"].any()
    assert len(batch.actions) == 1280
    assert np.isfinite(batch.log_probs).all(), "each action was listed when it was chosen"
    assert batch.log_probs.max() <= 0


@pytest.mark.slow
def test_nothing_illegal_in_a_hundred_thousand_decisions() -> None:
    settings = RlSettings(rows=256, horizon=400, minibatch=1024, steps=102_400, candidates=16)
    games = Games(settings, 2)
    collect(model(), games, settings, np.random.default_rng(2), BENCH)
    assert games.report()["illegal"] == 0
    assert not games.seen.stats["illegal"].any()


def test_an_update_makes_what_went_well_likelier() -> None:
    batch, learner = collected()
    batch.advantages[:] = np.where(batch.actions == 0, 1.0, -1.0)
    rule = Rule(replace(SETTINGS, epochs=8, value_weight=0.0), entropy=0.0, spread=1.0)
    told = improve(learner, optimizer(learner), batch, rule, np.random.default_rng(1), BENCH)
    assert set(told) == {"loss", "policy", "value", "outlook", "entropy", "kl", "clipped"}
    logits = opinions(learner, batch.decisions, BENCH)[0]
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    now = np.log((shares / shares.sum(axis=1, keepdims=True))[np.arange(len(logits)), batch.actions])
    open_to_choice = batch.log_probs < -0.1
    moved = (now - batch.log_probs)[open_to_choice]
    good = (batch.actions == 0)[open_to_choice]
    assert moved[good].mean() > 0.02
    assert moved[~good].mean() < -0.02


def test_the_critic_alone_leaves_the_policy_as_it_is() -> None:
    batch, learner = collected()
    before = {name: weight.clone() for name, weight in learner.named_parameters()}
    forgetful = EntityNetwork(replace(config_of("tiny"), dropout=0.5))  # says something else each time it is asked
    rule = Rule(replace(SETTINGS, start_kl=1.0), entropy=0.01, spread=1.0, critic_alone=True, start=forgetful)
    improve(learner, optimizer(learner), batch, rule, np.random.default_rng(1), BENCH)
    changed = {name for name, weight in learner.named_parameters() if not torch.equal(weight, before[name])}
    assert changed
    assert all(name.startswith(("critic.", "network.outlook.")) for name in changed)


# --- Ends and cuts ----------------------------------------------------------------------------------------------------


class Oracle(ActorCritic):
    """Every state is worth 5."""

    def forward(self, inputs: Any, critic_alone: bool = False) -> Opinion:
        found = super().forward(inputs, critic_alone)
        return found._replace(value=torch.full_like(found.value, 5.0))


def returns_of(settings: RlSettings) -> tuple[Any, Any, Any]:
    """Rewards to come by the oracle, and which games ended or were cut there, ``[horizon, rows]``."""
    games = Games(settings, 1)
    turns: list[Turn] = []
    step = games.step
    games.step = lambda actions: turns.append(step(actions)) or turns[-1]  # type: ignore[method-assign,func-returns-value]
    torch.manual_seed(1)
    learner = Oracle(EntityNetwork(config_of("tiny"))).eval()
    batch = collect(learner, games, settings, np.random.default_rng(1), BENCH)
    rewards, ended, cut = (np.stack([getattr(turn, name) for turn in turns]) for name in ("rewards", "ended", "cut"))
    return batch.returns.reshape(settings.horizon, -1) - rewards, ended, cut


def test_a_game_that_ended_is_worth_nothing_more_and_one_cut_off_is() -> None:
    settings = replace(SETTINGS, rows=32, horizon=20, gamma=0.5, gae_lambda=0.0, max_steps=7)
    after, ended, cut = returns_of(settings)
    assert ended.sum() > 5
    assert cut.sum() > 5
    assert after[ended] == pytest.approx(0, abs=1e-5)
    assert after[cut] == pytest.approx(2.5, abs=1e-5)
    assert after[~ended & ~cut] == pytest.approx(2.5, abs=1e-5)


def test_a_cut_game_is_followed_by_another() -> None:
    games = Games(replace(SETTINGS, max_steps=3), 1)
    actions = np.zeros(16, np.int32)
    for turn in range(3):
        assert not games.seen.stats["finished"].any()
        games.batch.sample(actions, turn)
        cut = games.step(actions).cut
    assert cut.all()
    seeds = [games.batch.game_seed(row) for row in range(16)]
    games.deal(cut)
    assert all(games.batch.game_seed(row) != seed for row, seed in enumerate(seeds))
    assert games.report()["games"] == 16


def test_the_curriculum_rises_with_success_by_episode() -> None:
    def limit_after(*counts: tuple[int, int], first: int = 2) -> tuple[int, int, int]:
        limit = AnteLimit(initial_max_ante=first, ante_increment=3, success_threshold=0.5, eval_interval=10)
        for successes, episodes in counts:
            limit.count(successes, episodes)
        return limit.max_ante, limit.episodes, limit.successes

    assert limit_after((5, 6)) == (2, 6, 5), "not enough games yet"
    assert limit_after((5, 6), (0, 4)) == (5, 0, 0)
    assert limit_after((5, 6), (0, 5)) == (2, 0, 0), "5 of 11 are too few"
    assert limit_after((10, 10), first=7) == (LAST_ANTE, 0, 0)


def test_the_curriculum_cuts_games_off_beyond_its_ante() -> None:
    games = Games(replace(SETTINGS, curriculum=Curriculum(initial_max_ante=1, success_threshold=1.0)), 1)
    inner = games.batch

    class Rich:
        """The third row comes to ante 2."""

        def step(self, actions: Any) -> None:
            inner.step(actions)
            games.seen.observations["ante"][2] = 2

    games.batch = Rich()  # type: ignore[assignment]
    actions = np.zeros(16, np.int32)
    inner.sample(actions, 1)
    assert np.flatnonzero(games.step(actions).cut).tolist() == [2]
    assert (games.limit.max_ante, games.limit.episodes, games.limit.successes) == (1, 1, 1)


# --- What the heads should expect -------------------------------------------------------------------------------------


def turn(*, ended: list[bool], won: list[bool], ante: list[int], beaten: list[int], cut: list[bool]) -> Turn:
    parts = {name: np.array(value) for name, value in locals().items()}
    return Turn(rewards=np.zeros(2), lost_sight=np.zeros(2, np.bool_), **parts)


def outlook(win: float, clear: float) -> Outlook:
    ante = np.full((2, LAST_ANTE), 1 / LAST_ANTE, np.float32)
    ahead = np.full((2, BLINDS_AHEAD), clear, np.float32)
    return Outlook(np.full(2, win, np.float32), ahead, np.ones_like(ahead), ante)


def test_the_heads_expect_what_came_and_else_what_they_expected() -> None:
    nothing = {"ended": [False, False], "won": [False, False], "ante": [3, 3], "cut": [False, False]}
    turns = [
        turn(**nothing, beaten=[1, 0]),
        turn(ended=[False, True], won=[False, True], ante=[3, 8], beaten=[1, 1], cut=[False, False]),
        turn(**nothing, beaten=[0, 2]),
    ]
    found = outlooks(turns, [None, None, None], outlook(0.2, 0.5))
    assert found.win == pytest.approx([0.2, 1, 0.2, 1, 0.2, 0.2])
    assert found.clear[0] == pytest.approx([1, 1, 0.5, 0.5, 0.5, 0.5])
    assert found.clear[2] == pytest.approx([1, 0.5, 0.5, 0.5, 0.5, 0.5])
    assert found.clear[5] == pytest.approx([1, 1, 0.5, 0.5, 0.5, 0.5])
    assert found.clear_known[3].tolist() == [1, 0, 0, 0, 0, 0], "after a win there are no blinds to be beaten"
    assert found.ante[1].argmax() == found.ante[3].argmax() == LAST_ANTE - 1
    assert found.ante[0] == pytest.approx(1 / LAST_ANTE)


def test_a_game_that_was_cut_off_is_as_expected_there() -> None:
    turns = [turn(ended=[False, True], won=[False, False], ante=[3, 2], beaten=[1, 0], cut=[True, False])]
    cut = Outlook(*(part[:1] for part in outlook(0.9, 0.7)))
    found = outlooks(turns, [cut], outlook(0.2, 0.5))
    assert found.win == pytest.approx([0.9, 0])
    assert found.clear[0] == pytest.approx([1, 0.7, 0.7, 0.7, 0.7, 0.7])
    assert found.clear[1] == pytest.approx(0)
    assert found.clear_known[1] == pytest.approx(1)
    assert found.ante[1].argmax() == 1
