"""One run, and what its row says."""

import json
from dataclasses import replace

from eval.episode_rows import episode
from jimbo.agents import make_agent
from jimbo.backends import Applied, SimBackend
from jimbo.engine import Action, PublicState, Run
from jimbo.eval import Episode, play_episode
from rollout.scripted import Scripted, onward


class LastBoss(SimBackend):
    """Starts before the boss of the last ante, which any hand beats."""

    def reset(
        self, *, deck: str = "b_red", stake: str = "white", seed: str | None = None, challenge: str | None = None
    ) -> PublicState:
        run = Run(deck=deck, stake=stake, seed=seed or "A", challenge=challenge)
        run.debug_set_ante(8)
        state = json.loads(run.to_json())
        state["round"]["on_deck"] = "boss"
        self._run = Run.from_json(json.dumps(state))
        return self.state()

    def apply(self, action: Action) -> Applied:
        applied = super().apply(action)
        if action.kind == "select_blind":
            self._current.chips = self._current.target
        return applied


def test_a_lost_run() -> None:
    row = play_episode(make_agent("greedy"), SimBackend(), seed="EP6C39ZM", nonce=5, episode_id=3)
    assert (row.result, row.seed, row.nonce, row.episode_id, row.agent) == ("loss", "EP6C39ZM", 5, 3, "greedy")
    assert (row.ante_reached, row.final_ante, row.round, row.blinds_cleared, row.blinds_passed) == (1, 1, 1, 0, 0)
    assert (row.failure_reason, row.failure_phase) == ("blind_score_shortfall", "selecting_hand")
    assert (row.death_blind, row.boss_blind_id) == ("bl_small", "bl_head")
    assert (row.best_hand, row.best_hand_name) == (100.0, "Two Pair")
    assert (row.steps, row.hand_steps, row.actions, row.error) == (5, 4, 5, None)
    assert row.money_by_round == (4,)
    assert [(blind.score, blind.target) for blind in row.score_by_round] == [(row.final_chips, 300.0)]


def test_a_longer_run_has_one_entry_for_each_blind() -> None:
    row = play_episode(make_agent("greedy"), SimBackend(), seed="CXQGWN36")
    assert len(row.score_by_round) == len(row.money_by_round) == row.blinds_cleared + 1 == row.round == 3
    assert [blind.number for blind in row.score_by_round] == [1, 2, 3]
    assert all(blind.score >= blind.target for blind in row.score_by_round[:-1])
    assert row.blinds_passed == 2
    assert row.jokers


def test_a_won_run_ends_with_the_last_boss() -> None:
    row = play_episode(Scripted(onward), LastBoss(), seed="TESTSEED")
    assert (row.result, row.won, row.ante_reached, row.final_ante, row.blinds_passed) == ("win", True, 8, 9, 24)
    assert (row.failure_reason, row.failure_phase, row.death_blind, row.steps) == ("", "", "", 2)
    assert row.boss_blind_id == row.score_by_round[0].blind
    assert row.score_by_round[0].ante == 8


def test_skipped_blinds_count_as_passed() -> None:
    def skips(state: PublicState) -> Action:
        skip = Action("skip_blind")
        return skip if state.refusal(skip) is None else onward(state)

    row = play_episode(Scripted(skips), SimBackend(), seed="TESTSEED")
    assert (row.round, row.blinds_cleared, row.blinds_passed) == (1, 0, 2)
    assert row.death_blind == row.boss_blind_id == "bl_head"


def test_an_agent_that_fails_loses() -> None:
    def fails(state: PublicState) -> Action:
        if state.phase == "selecting_hand":
            raise KeyError("lost my mind")
        return onward(state)

    row = play_episode(Scripted(fails), SimBackend(), seed="TESTSEED")
    assert (row.result, row.failure_reason, row.death_blind) == ("loss", "agent_error", "bl_small")
    assert row.error == "KeyError: 'lost my mind'"
    assert row.blinds_passed == 0


class Full(SimBackend):
    """Its runs end when a blind is selected, because there is no room for more."""

    def apply(self, action: Action) -> Applied:
        state = json.loads(self._current.to_json())
        state["phase"], state["flags"]["end"] = "game_over", "no_room"
        self._run = Run.from_json(json.dumps(state))
        return Applied(self.state(), [])


def test_a_run_without_room_is_not_lost() -> None:
    row = play_episode(Scripted(onward), Full(), seed="TESTSEED")
    assert (row.result, row.failure_reason, row.steps) == ("open", "engine_capacity", 1)


def test_an_illegal_action_loses() -> None:
    row = play_episode(Scripted(lambda state: Action("cash_out")), SimBackend(), seed="TESTSEED")
    assert (row.result, row.failure_reason, row.failure_phase) == ("loss", "illegal_action", "blind_select")
    assert row.error


def test_an_agent_without_end_is_stopped() -> None:
    def sorts(state: PublicState) -> Action:
        return Action("sort_hand_by_rank") if state.phase == "selecting_hand" else onward(state)

    row = play_episode(Scripted(sorts), SimBackend(), seed="TESTSEED", max_steps=10)
    assert (row.result, row.failure_reason, row.steps, row.actions) == ("open", "step_limit", 10, 1)


def test_rows_are_json_and_back() -> None:
    for row in (play_episode(make_agent("random"), SimBackend(), seed="CXQGWN36"), episode(won=True)):
        assert Episode.from_json(row.to_json()) == row


def test_a_row_of_an_earlier_version_without_an_end_is_read() -> None:
    row = replace(episode(won=False), result="open")
    assert Episode.from_json(row.to_json().replace('"open"', '"stuck"')) == row


def test_a_row_without_a_word_of_challenges_is_read() -> None:
    data = json.loads(episode().to_json())
    del data["challenge"]
    assert Episode.from_json(json.dumps(data)) == episode()


def test_what_an_agent_says_when_it_fails_can_be_written() -> None:
    def fails(state: PublicState) -> Action:
        raise OSError("no file \udcff")

    row = play_episode(Scripted(fails), SimBackend(), seed="TESTSEED")
    assert row.error == "OSError: no file ?"
    assert Episode.from_json(row.to_json().encode().decode()) == row
