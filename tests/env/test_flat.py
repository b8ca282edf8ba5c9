"""The observation as one vector."""

from typing import Any

import numpy as np

from env.playing import play_episode, random_action
from jimbo.engine import candidate_fields, observation_fields, step_names, vocabulary
from jimbo.env import FlatLayout, RunEnv
from jimbo.env.flat import CARDS, ITEMS, LONGEST

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
        ranks = part(vector, "hand_rank", "one-hot").reshape(LONGEST, -1)
        assert np.array_equal(ranks.sum(1) * (ranks.argmax(1) + 1), fields["hand_rank"][:LONGEST])
        counts = part(vector, "consumable_id", "counts")
        for number, count in enumerate(counts, 1):
            assert count == (fields["consumable_id"] == number).sum()
        bits = part(vector, "consumable_id", "bits").reshape(LONGEST, 6)
        assert np.array_equal(bits @ (1 << np.arange(6)), fields["consumable_id"][:LONGEST])
        assert np.allclose(part(vector, "n_unseen", "bounded") * 240, fields["n_unseen"])
        assert np.allclose(np.expm1(part(vector, "ante", "log") * 8), fields["ante"])
        assert np.allclose(part(vector, "target_log", "log") * 8, fields["target_log"])


def test_lists_are_cut_and_named_entries_are_not() -> None:
    widths = {(c.field, c.how): c.stop - c.start for c in LAYOUT.columns}
    assert widths["hand_bonus", "log"] == LONGEST
    assert widths["joker_flags", "bounded"] == LONGEST * 6
    assert widths["vouchers", "bounded"] == FIELDS["vouchers"].shape[0]
    assert widths["joker_id", "counts"] == len(vocabulary("joker")) - 1
    assert ("shop_joker", "counts") not in widths
    assert widths["shop_joker", "bits"] == 8 * FIELDS["shop_joker"].shape[0]


def test_candidates_are_a_table_at_the_end() -> None:
    """Every number, what each is about and which cards it takes can be read from its columns."""
    layouts = [RunEnv(actions="candidates", candidates=20, observation=layout) for layout in ("fields", "flat")]
    layout = FlatLayout(observation_fields(), 20, candidate_fields(), 20)
    assert layout.candidate_start == LAYOUT.size
    first = {c.field.removeprefix("candidate_0_"): c for c in layout.columns if c.field.startswith("candidate_0_")}
    start = layout.candidate_start
    ids = {field.name: field.offset for field in candidate_fields() if field.is_id}
    numbers = [field for field in candidate_fields() if not field.is_id]
    kinds_before = np.cumsum([0, *(len(vocabulary(name)) - 1 for name in ITEMS)])
    seen = [env.reset(seed=3)[0] for env in layouts]
    random = np.random.default_rng(3)
    for _ in range(60):
        fields, table = seen[0], seen[1]["observations"][start:].reshape(20, layout.candidate_width)
        items = np.zeros(20, int)
        for name, before in zip(ITEMS, kinds_before, strict=False):
            here = fields["candidate_ids"][:, ids[name]]
            items[here > 0] = here[here > 0] + before
        bits = table[:, first["item"].start - start : first["item"].stop - start]
        assert np.array_equal(bits @ (1 << np.arange(bits.shape[1])), items)
        cards = table[:, first["positions"].start - start : first["positions"].stop - start]
        places = fields["candidate_ids"][:, [ids[name] for name in CARDS]]
        assert np.array_equal(cards, [[place in row for place in range(1, LONGEST + 1)] for row in places])
        for field in numbers:
            column = first[field.name]
            scale = 8 if column.how == "log" else max(abs(field.low), field.high)
            shown = table[:, column.start - start] * scale
            assert np.allclose(shown, fields["candidate_rows"][:, field.offset], rtol=1e-5)
        choice = random_action(layouts[0].action_masks(), random)
        told = [env.step(choice) for env in layouts]
        seen = [env.reset()[0] for env in layouts] if told[0][2] or told[0][3] else [step[0] for step in told]
