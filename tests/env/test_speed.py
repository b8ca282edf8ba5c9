"""Measuring environments."""

from jimbo.env.speed import single_speed, vector_speed


def test_single_and_vector_environments_are_measured() -> None:
    """Nobody's machine is so slow that a row takes a millisecond."""
    assert single_speed(steps=100) > 1_000
    assert single_speed(steps=100, actions="whole") > 1_000
    assert vector_speed(8, seconds=0.02, actions="candidates", candidates=8) > 1_000
