"""The observation as one vector."""

from typing import Any

import numpy as np

from env.playing import play_episode
from jimbo.engine import observation_fields, step_names, vocabulary
from jimbo.env import FlatLayout, RunEnv

LAYOUT = FlatLayout(observation_fields(), len(step_names()))
FIELDS = {field.name: field for field in observation_fields()}


def pairs(seed: int) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The same episode as fields and as a vector."""
    seen = []
    for observation in ("fields", "flat"):
        env = RunEnv(observation=observation, deck="b_magic")
        first, _ = env.reset(seed=seed)
        steps = play_episode(env, np.random.default_rng(seed))
        seen.append([first, *(step[0] for step in steps)])
    return list(zip(*seen, strict=True))


def part(vector: np.ndarray[Any, Any], field: str, how: str) -> np.ndarray[Any, Any]:
    (columns,) = [c for c in LAYOUT.columns if (c.field, c.how) == (field, how)]
    return vector[columns.start : columns.stop]


def test_columns_cover_the_vector_without_gaps() -> None:
    assert [c.start for c in LAYOUT.columns] == [0, *(c.stop for c in LAYOUT.columns[:-1])]
    assert LAYOUT.columns[-1].stop == LAYOUT.size == LAYOUT.space["observations"].shape[0]  # type: ignore[index]
    assert {c.field for c in LAYOUT.columns} == set(FIELDS)


def test_every_kind_of_column_says_what_the_field_says() -> None:
    for fields, flat in pairs(1):
        vector = flat["observations"]
        assert np.array_equal(flat["action_mask"], fields["action_mask"])
        phase = part(vector, "phase", "one-hot")
        assert phase.sum() == 1
        assert phase.argmax() == fields["phase"][0] - 1
        ranks = part(vector, "hand_rank", "one-hot").reshape(16, -1)
        assert np.array_equal(ranks.sum(1) * (ranks.argmax(1) + 1), fields["hand_rank"][:16])
        counts = part(vector, "consumable_id", "counts")
        for number, count in enumerate(counts, 1):
            assert count == (fields["consumable_id"] == number).sum()
        bits = part(vector, "consumable_id", "bits").reshape(16, 8)
        assert np.array_equal(bits @ (1 << np.arange(8)), fields["consumable_id"][:16])
        assert np.allclose(part(vector, "n_unseen", "bounded") * 240, fields["n_unseen"])
        assert np.allclose(np.expm1(part(vector, "ante", "log") * 8), fields["ante"])
        assert np.allclose(part(vector, "target_log", "log") * 8, fields["target_log"])


def test_lists_are_cut_and_named_entries_are_not() -> None:
    widths = {(c.field, c.how): c.stop - c.start for c in LAYOUT.columns}
    assert widths["hand_bonus", "log"] == 16
    assert widths["joker_flags", "bounded"] == 16 * 6
    assert widths["vouchers", "bounded"] == FIELDS["vouchers"].shape[0]
    assert widths["joker_id", "counts"] == len(vocabulary("joker")) - 1
