"""What a network is shown of a state is what single runs are looked at with; and actions drawn at random."""

import numpy as np
import pytest

from jimbo.engine import (
    Action,
    ActionKind,
    Describer,
    PublicState,
    Run,
    candidates,
    describe,
    observation_dtype,
    observe,
)

K = 64


def states() -> list[PublicState]:
    """Of random games, all phases included."""
    found = []
    for seed in ("DESCRIBE", "SHOWN", "WALK"):
        run = Run(seed=seed)
        run.debug_add_joker("j_joker")
        run.debug_add_consumable("c_magician")
        for nonce in range(60):
            if run.phase == "selecting_hand" and nonce % 3 == 0:
                run.chips = run.target
            if (state := run.public_state()).over:
                break
            found.append(state)
            run.step(state.draw_action(nonce))
    assert {state.phase for state in found} == {"blind_select", "selecting_hand", "round_eval", "shop", "pack_opening"}
    return found


def as_actions(rows: np.ndarray) -> list[Action]:
    kinds = tuple(ActionKind)
    return [
        Action(kinds[kind], index, to, [place for place in range(64) if cards >> place & 1])
        for kind, index, to, cards in rows.tolist()
    ]


def test_a_description_is_what_is_observed_and_listed() -> None:
    for state in states():
        shown, listed = describe(state), candidates(state, K)
        assert shown.observation.tobytes() == observe(state).tobytes()
        assert as_actions(shown.actions) == listed.actions
        assert np.array_equal(shown.ids, listed.ids)
        assert np.array_equal(shown.rows, listed.rows)


def test_places_are_reused_from_state_to_state() -> None:
    describer = Describer(K)
    seen = np.zeros(observation_dtype().itemsize, np.uint8)
    ids, rows = np.zeros((K, 22), np.uint8), np.zeros((K, 24), np.float32)
    for state in states():
        shown = describe(state)
        count = describer.into(state, seen, ids, rows)
        assert count == len(shown.actions)
        assert seen.tobytes() == shown.observation.tobytes()
        assert np.array_equal(ids[:count], shown.ids)
        assert np.array_equal(rows[:count], shown.rows)
        actions = as_actions(shown.actions)
        assert describer.places(actions[::-1]) == list(range(count))[::-1]
        assert describer.places([Action("move_joker", 5, 6)]) == [-1]


def test_wrong_places_are_refused() -> None:
    state = Run().public_state()
    seen = np.zeros(observation_dtype().itemsize, np.uint8)
    ids, rows = np.zeros((K, 22), np.uint8), np.zeros((K, 24), np.float32)
    with pytest.raises(ValueError, match="rows must be a C-contiguous writable float32 array"):
        Describer(K).into(state, seen, ids, rows[:10])
    with pytest.raises(ValueError, match="ids must be a C-contiguous writable uint8 array"):
        Describer(K).into(state, seen, ids.astype(np.int16), rows)
    with pytest.raises(ValueError, match="at least one candidate"):
        Describer(0)
    with pytest.raises(ValueError, match="out must be a C-contiguous writable uint8 array"):
        Describer(K).into(state, seen[1:], ids, rows)


def test_drawn_actions_depend_on_their_nonce_and_are_allowed() -> None:
    for state in states():
        allowed = set(state.legal_actions())
        drawn = [state.draw_action(nonce) for nonce in range(8)]
        assert set(drawn) <= allowed
        assert drawn == [state.draw_action(nonce) for nonce in range(8)]
        assert not any(action.kind.startswith(("sell", "move", "sort")) for action in drawn)


def test_there_is_nothing_to_draw_when_the_run_is_over() -> None:
    run = Run()
    run.step(Action("select_blind"))
    while not (state := run.public_state()).over:
        run.step(Action("play", cards=[0]))
    with pytest.raises(ValueError, match="the run is over"):
        state.draw_action(0)
