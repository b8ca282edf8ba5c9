"""What networks are given."""

import numpy as np
import pytest

from jimbo.engine import candidate_fields, observation_dtype, observation_fields
from jimbo.models.inputs import input_names, layout, network_inputs, padded
from models.games import recorded

SAMPLES = recorded()
SOME = np.arange(0, len(SAMPLES), 7)


def test_every_value_of_an_observation_is_given_once() -> None:
    parts = layout()
    columns = [parts.state_ids, parts.state_numbers]
    columns += [part for tokens in parts.tokens for part in (tokens.ids, tokens.numbers)]
    given = sorted(
        place * size
        for part in columns
        for places, size in ((part.bytes, 1), (part.words, 2), (part.floats, 4))
        for place in places.reshape(-1)
    )
    sizes = {"uint8": 1, "int16": 2, "float32": 4}
    there = sorted(
        field.offset + number * sizes[field.dtype]
        for field in observation_fields()
        for number in range(int(np.prod(field.shape, dtype=int)))
    )
    assert given == there


def test_inputs_come_under_their_names() -> None:
    inputs = network_inputs(*padded(SAMPLES, SOME))
    assert tuple(inputs) == input_names()


def test_a_list_says_where_it_ends() -> None:
    observations, *_ = batch = padded(SAMPLES, SOME)
    inputs = network_inputs(*batch)
    for name, count in (("hand", "n_hand"), ("jokers", "n_jokers"), ("shop", "n_shop"), ("tags", "n_tags")):
        assert (inputs[f"{name}_ids"][..., 0].sum(axis=1) == observations[count]).all()
        assert inputs[f"{name}_ids"].shape[1] == max(1, observations[count].max())
    assert (inputs["hand_ids"][..., 1] == observations["hand_rank"][:, : inputs["hand_ids"].shape[1]]).all()
    assert (inputs["boosters_ids"][..., 0].sum(axis=1) == (observations["shop_booster"] > 0).sum(axis=1)).all()


def test_whole_numbers_are_given_as_logarithms() -> None:
    field = next(field for field in observation_fields() if field.name == "joker_sell")
    observation = np.zeros(1, observation_dtype())
    observation["n_jokers"], observation["joker_sell"][0, 0] = 1, 9
    ids, numbers = (
        sum(part) for part in ((f.is_id for f in candidate_fields()), (not f.is_id for f in candidate_fields()))
    )
    empty = np.zeros((1, 1, ids), np.uint8), np.zeros((1, 1, numbers), np.float32), np.ones((1, 1), np.bool_)
    given = network_inputs(observation, *empty)["jokers_numbers"]
    assert field.dtype == "int16"
    assert np.isclose(given, np.log(10)).sum() == 1
    assert np.count_nonzero(given) == 1


def test_descriptions_are_those_of_the_candidates() -> None:
    _, ids, _, mask = padded(SAMPLES, SOME)
    inputs = network_inputs(*padded(SAMPLES, SOME))
    descriptions, which = inputs["descriptions"], inputs["candidate_description"]
    width = descriptions.shape[1]
    assert (descriptions[which][mask] == ids[..., :width][mask]).all()
    assert len(np.unique(descriptions, axis=0)) == len(descriptions) < which.size
    assert (inputs["candidate_cards"][mask] == ids[..., -5:][mask]).all()


def test_observations_of_another_layout_are_refused() -> None:
    observations, *rest = padded(SAMPLES, SOME)
    with pytest.raises(ValueError, match=r"dtype that jimbo\.engine makes"):
        network_inputs(np.zeros(len(observations), [("ante", np.int16)]), *rest)


def test_padding_repeats_nothing_that_counts() -> None:
    observations, ids, rows, mask = padded(SAMPLES, SOME)
    for place, index in enumerate(SOME):
        own = slice(SAMPLES.starts[index], SAMPLES.starts[index + 1])
        assert (ids[place][mask[place]] == SAMPLES.candidate_ids[own]).all()
        assert (rows[place][mask[place]] == SAMPLES.candidate_rows[own]).all()
    assert (observations["ante"] == SAMPLES.observations["ante"][SOME]).all()
