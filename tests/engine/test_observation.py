"""Observations and candidates of single runs, and the page that describes them."""

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from jimbo.engine import (
    Action,
    FieldSpec,
    Run,
    action_dtype,
    batch_schema_hash,
    candidate_fields,
    candidates,
    observation_dtype,
    observation_fields,
    observe,
    reward_terms,
    stats_dtype,
    step_names,
    vocabulary,
)
from observation_page import markdown

PAGE = Path(__file__).parents[2] / "docs" / "observation.md"
HIDING_BOSSES = ("bl_house", "bl_wheel", "bl_fish", "bl_mark", "bl_final_acorn")


def random_states(seed: int, steps: int) -> Iterator[Run]:
    """A random run, and on the way rounds against bosses that hide something."""
    choice = random.Random(seed)
    run = Run("b_red", "gold", f"SEEN{seed}")
    for key in ("j_joker", "j_egg", "j_idol"):
        run.debug_add_joker(key)
    for _ in range(steps):
        if run.phase == "blind_select":
            run.debug_set_boss(choice.choice(HIDING_BOSSES))
        if run.phase == "selecting_hand" and choice.random() < 0.3:
            run.chips = run.target
        yield run
        actions = run.legal_actions()
        if not actions:
            return
        run.step(choice.choice(actions))


def test_the_dtype_is_the_engines() -> None:
    dtype = observation_dtype()
    assert dtype.names == tuple(field.name for field in observation_fields())
    last = observation_fields()[-1]
    assert last.offset + 1 + 8 <= dtype.itemsize < last.offset + 1 + 8 + 4  # and a number of the engine's own
    assert dtype["joker_flags"].shape == (32, 6)
    assert dtype["deck_fronts"].shape == (4, 13)
    assert action_dtype().itemsize == 16


@pytest.mark.parametrize("field", observation_fields(), ids=lambda field: field.name)
def test_every_field_is_described(field: FieldSpec) -> None:
    assert field.doc.endswith(".")
    assert field.low < field.high
    if field.is_id:
        assert field.categories == len(vocabulary(field.vocabulary))
        assert field.high == field.categories - 1
    if field.parts:
        assert len(field.parts) == field.shape[-1]


def test_ids_are_the_catalogues_keys_from_1_on() -> None:
    run = Run("b_red", "white", "IDS")
    run.debug_add_joker("j_blueprint", edition="e_foil")
    row = observe(run)[0]
    assert vocabulary("joker")[row["joker_id"][0]] == "j_blueprint"
    assert vocabulary("edition")[row["joker_edition"][0]] == "e_foil"
    assert vocabulary("deck")[row["deck"]] == "b_red"
    assert vocabulary("phase")[row["phase"]] == "blind_select"
    assert row["joker_id"][1] == 0
    assert vocabulary("joker")[0] == ""


def test_an_unknown_vocabulary_is_refused() -> None:
    with pytest.raises(ValueError, match="no vocabulary 'moon'"):
        vocabulary("moon")


def test_a_hand_with_selected_cards() -> None:
    run = Run("b_red", "white", "HAND")
    run.step(Action("select_blind"))
    row = observe(run, selected=[0, 2])[0]
    assert row["n_hand"] == 8
    assert row["selected"].tolist() == [1, 0, 1] + [0] * 61
    assert (row["hand_rank"][:8] > 0).all()
    assert not row["hand_rank"][8:].any()
    assert row["deck_fronts"].sum() == 52
    assert row["unseen_fronts"].sum() == row["n_unseen"] == 44
    assert row["target_log"] == pytest.approx(np.log1p(300), rel=1e-6)


def test_nothing_hidden_is_seen() -> None:
    hidden = 0
    for seed in range(4):
        for nonce, run in enumerate(random_states(seed, 150)):
            seen = observe(run)
            hidden += int(seen["hand_face_down"].sum()) + int(seen["joker_flags"][0, :, 5].sum())
            assert seen.tobytes() == observe(run.determinize(nonce)).tobytes()
    assert hidden > 0


def test_determinize_gives_another_world() -> None:
    run = Run("b_red", "white", "WORLD")
    worlds = {run.determinize(nonce).seed for nonce in range(5)}
    assert len(worlds) == 5
    assert run.determinize(3).to_json() == run.determinize(3).to_json()


# --- Candidates -------------------------------------------------------------------------------------------------------


def column(name: str) -> int:
    return next(field.offset for field in candidate_fields() if field.name == name)


def test_candidates_are_allowed_and_described() -> None:
    kinds = vocabulary("action")
    seen = 0
    for run in random_states(11, 120):
        listed = candidates(run, 40, moves=True)
        allowed = set(run.legal_actions(with_moves=True))
        assert set(listed.actions) <= allowed
        assert len(set(listed.actions)) == len(listed.actions)
        assert bool(listed.actions) == bool(allowed)
        assert [kinds[i] for i in listed.ids[:, column("kind")]] == [action.kind for action in listed.actions]
        cards = [len(action.cards) for action in listed.actions]
        assert listed.rows[:, column("cards")].tolist() == cards
        seen += len(cards)
    assert seen > 500


def test_plays_are_ranked_by_their_exact_score() -> None:
    run = Run("b_red", "white", "RANK")
    run.debug_add_joker("j_duo")
    run.step(Action("select_blind"))
    listed = candidates(run, 4096)
    plays = [action for action in listed.actions if action.kind == "play"]
    scores = [run.preview(action.cards, "expected").score for action in plays]
    assert len(plays) == 218
    assert scores == sorted(scores, reverse=True)
    assert listed.rows[:218, column("score_log")] == pytest.approx(np.log1p(scores), rel=1e-5)


def test_no_candidates_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one candidate"):
        candidates(Run(), 0)


# --- Documentation ----------------------------------------------------------------------------------------------------


def test_names_and_hash() -> None:
    assert len(set(step_names())) == len(step_names()) == 377
    assert next(iter(reward_terms())) == "win"
    assert {"return", "finished"} <= set(stats_dtype().names or ())
    assert len(batch_schema_hash()) == 16


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == markdown(), "run: python tools/observation_page.py > docs/observation.md"
