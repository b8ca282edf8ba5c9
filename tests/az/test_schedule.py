"""The learning rate rises, falls, and is the same function of the step after every restart."""

import pytest

from jimbo.az.settings import TrainConfig
from jimbo.az.trainer import rate_at


def test_it_rises_and_falls_along_a_cosine() -> None:
    config = TrainConfig(lr=1.0, steps=1100)
    assert rate_at(config, 0, resumed=False) == pytest.approx(0.1)
    assert rate_at(config, 50, resumed=False) == pytest.approx(0.55)
    assert rate_at(config, 100, resumed=False) == pytest.approx(1.0)
    assert rate_at(config, 600, resumed=False) == pytest.approx(0.55)
    assert rate_at(config, 1100, resumed=False) == pytest.approx(0.1)
    assert rate_at(config, 5000, resumed=False) == pytest.approx(0.1)


def test_a_training_that_goes_on_does_not_warm_up_again() -> None:
    assert rate_at(TrainConfig(lr=1.0, steps=1000), 0, resumed=True) == pytest.approx(1.0)
    later = TrainConfig(lr=1.0, steps=1000, start_step=3000)
    assert rate_at(later, 3000, resumed=True) == pytest.approx(1.0)
    assert rate_at(later, 3500, resumed=True) == pytest.approx(0.55)
    assert rate_at(later, 4000, resumed=True) == pytest.approx(0.1)


def test_it_can_fall_over_many_trainings() -> None:
    rates = [
        rate_at(TrainConfig(lr=1.0, steps=100, start_step=100 * i, lr_total_steps=400), 100 * i, resumed=True)
        for i in range(5)
    ]
    assert rates == sorted(rates, reverse=True)
    assert rates[2] == pytest.approx(0.55)


def test_it_can_stay_as_it_is() -> None:
    assert {rate_at(TrainConfig(lr=0.5, lr_schedule=False), i, resumed=False) for i in (0, 50, 900)} == {0.5}
