"""Reviews: the sums, what they find, and their JSON."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from jimbo.agents import make_agent
from jimbo.data.game_files import game_in
from jimbo.data.record_files import record_text
from jimbo.engine import Action, PublicState
from jimbo.serve.review import (
    REVIEW_SCHEMA,
    Judge,
    Review,
    ReviewFailed,
    explained,
    judgements,
    read_run,
    review_data,
    review_document,
    review_of,
    review_run,
)
from jimbo.serve.review.chances import Chances
from serve.review.conftest import Played, judge


@pytest.fixture(scope="module")
def expert(tmp_path_factory: pytest.TempPathFactory) -> Review:
    played = Played(tmp_path_factory.mktemp("expert") / "run.jsonl", "expert", "OWN", effort=0.2, most=90)
    return review_run(read_run(played.path), judge(effort=0.2))


@pytest.fixture(scope="module")
def careless(tmp_path_factory: pytest.TempPathFactory) -> Review:
    played = Played(tmp_path_factory.mktemp("random") / "run.jsonl", "random", "REVIEW1")
    return review_run(read_run(played.path), judge())


def test_luck_and_skill_account_for_the_whole_change(expert: Review, careless: Review) -> None:
    for made in (expert, careless):
        assert made.start + made.luck - made.given_up == pytest.approx(made.end, abs=1e-9)
        for one, after in zip(made.decisions, [*made.decisions[1:], None], strict=True):
            then = after.win if after else made.end
            assert one.win - one.given_up + one.luck == pytest.approx(then, abs=1e-9)
            assert 0 <= one.given_up <= one.win <= 1
    assert careless.end == 0
    assert careless.result == "loss"


def test_the_experts_own_choices_give_up_nothing_to_speak_of(expert: Review) -> None:
    assert len(expert.decisions) == 90
    assert expert.given_up < 0.02
    assert expert.accuracy > 0.98


def test_a_careless_player_gives_up_nearly_everything(careless: Review) -> None:
    assert careless.given_up > 0.8
    assert careless.counted("blunder") >= 1
    assert careless.accuracy < 0.2


def test_accuracy_is_the_share_of_what_there_was(expert: Review, careless: Review) -> None:
    for made in (expert, careless):
        assert made.luck == made.gave - made.took
        assert made.accuracy == 1 - made.given_up / (made.start + made.gave)
        assert 0 <= made.accuracy <= 1


def test_planted_blunders_are_found_at_the_top(tmp_path: Path) -> None:
    planted: list[int] = []

    def spoil(step: int, state: PublicState, action: Action) -> Action:
        if not planted and state.phase == "shop" and state.ante == 3 and len(state.jokers) >= 3:
            planted.append(step)
            return Action("sell_joker", best_joker(state))
        wasted = state.phase == "selecting_hand" and state.ante == 4 and state.hands_left == 1
        if wasted and action.kind == "play" and len(planted) == 1:
            planted.append(step)
            return Action("play", cards=[len(state.hand) - 1])
        return action

    def best_joker(state: PublicState) -> int:
        chances = Chances(0.05)
        return min(range(len(state.jokers)), key=lambda i: chances.of(state, [Action("sell_joker", i)]))

    played = Played(tmp_path / "run.jsonl", "fast", "PLANT3", spoil=spoil)
    made = review_run(read_run(played.path), judge(effort=0.1))
    assert planted
    assert {one.step for one in made.worst(len(planted))} == set(planted)
    told = explained(made, 1)[0]
    assert told.one.given_up >= 0.05
    assert told.better
    assert told.reason
    assert told.done != told.better


def test_nothing_is_luck_where_nothing_hidden_comes(expert: Review) -> None:
    sure = ("leave_shop", "sell_joker", "move_joker", "move_card", "skip_pack")
    bought = [one for one in expert.decisions if one.action and one.action.kind in sure]
    assert bought
    assert all(one.luck == 0 for one in bought)
    dealt = [one for one in expert.decisions if one.action and one.action.kind == "select_blind"]
    assert any(one.luck != 0 for one in dealt)


def test_several_processes_find_the_same(careless: Review) -> None:
    assert sorted(judgements(careless.run, careless.judge, 2), key=lambda one: one.step) == list(
        judgements(careless.run, careless.judge)
    )


def test_a_review_that_was_stopped_holds_what_was_done(expert: Review) -> None:
    found = list(judgements(replace(expert.run, positions=expert.run.positions[:12]), expert.judge))
    made = review_of(expert.run, expert.judge, [*found, found[0]])
    assert not made.whole
    assert len(made.decisions) == len(found) - 1
    assert made.start + made.luck - made.given_up == pytest.approx(made.end, abs=1e-9)
    assert f"The first {len(made.decisions)} of" in review_document(made, ()).notes[0]
    assert review_of(expert.run, expert.judge, []).decisions == ()


def test_an_agent_that_fails_ends_the_review(fast: Played) -> None:
    run = read_run(fast.path)
    with pytest.raises(ReviewFailed, match="failed in decision 1"):
        list(judgements(run, Judge("serve.review.failing:Failing", {}, 0.05)))


def test_what_follows_the_win_is_not_reviewed(fast: Played) -> None:
    run = read_run(fast.path)
    assert run.end.won
    assert not any(one.state.won for one in run.positions[:-1])


FIELDS = (
    *("schema", "source", "player", "deck", "stake", "seed", "challenge", "result", "ante", "round", "agent"),
    *("options", "effort", "notes", "exact", "whole", "decisions_of_run", "start", "given_up", "gave", "took"),
    *("luck", "end"),
    *("accuracy", "grades", "worst", "decisions"),
)
OF_THE_WORST = ("step", "place", "done", "better", "reason", "own_reason", "given_up", "error", "grade")
OF_A_DECISION = (
    *("step", "ante", "round", "phase", "place", "action", "done", "win", "given_up", "error", "left", "luck"),
    *("grade", "better", "better_words"),
)


def test_the_json_keeps_its_form(careless: Review) -> None:
    worst = explained(careless, 3)
    data = json.loads(json.dumps(review_data(careless, worst), allow_nan=False))
    assert data["schema"] == REVIEW_SCHEMA == "review_v1"
    assert tuple(data) == FIELDS
    assert {tuple(one) for one in data["worst"]} == {OF_THE_WORST}
    assert {tuple(one) for one in data["decisions"]} == {OF_A_DECISION}
    assert [one["step"] for one in data["decisions"]] == list(range(1, len(careless.decisions) + 1))
    assert data["start"] + data["luck"] - data["given_up"] == pytest.approx(data["end"], abs=1e-5)


def test_a_run_goes_on_from_any_decision(fast: Played) -> None:
    run = read_run(fast.path)
    for step in (1, 40, run.decisions):
        saved = record_text(run.saved_at(step)).encode()
        assert game_in(saved, "saved", None).state == fast.states[step - 1]
    with pytest.raises(ValueError, match=f"the run has 1 to {run.decisions}"):
        run.saved_at(run.decisions + 1)


@pytest.mark.slow
def test_what_was_given_up_is_what_games_played_on_lose(tmp_path: Path) -> None:
    """From the worst decision, both ways are played to the end of the run by another agent, in the same worlds."""
    games, player = 80, make_agent("fast")

    def wins(state: PublicState, line: tuple[Action, ...]) -> float:
        won = 0
        for world in range(1, games + 1):
            run = state.imagine(world)
            for action in line:
                run.step(action)
            player.reset(world)
            while not (seen := run.public_state()).over and not seen.won:
                run.step(player.act(seen).action)
            won += seen.won
        return won / games

    def spoil(step: int, state: PublicState, action: Action) -> Action:
        sells = state.phase == "shop" and state.ante == 2 and state.jokers
        return Action("sell_joker", 0) if sells else action

    made = review_run(read_run(Played(tmp_path / "run.jsonl", "fast", "TRUTH", spoil=spoil).path), judge(effort=0.2))
    one = made.worst(1)[0]
    assert one.action
    assert one.given_up > 0.05
    lost = wins(one.state, one.better) - wins(one.state, (one.action,))
    assert lost == pytest.approx(one.given_up, abs=3 * 0.7 / games**0.5)
