"""The learning rate rises, falls, and is the same function of the step after every restart."""

import pytest

from jimbo.az.learner import schedule_of
from jimbo.az.settings import TrainConfig


def test_it_rises_and_falls_along_a_cosine() -> None:
    found = schedule_of(TrainConfig(lr=1.0, steps=1100), resumed=False)
    assert found.at(0) == pytest.approx(0.1)
    assert found.at(50) == pytest.approx(0.55)
    assert found.at(100) == pytest.approx(1.0)
    assert found.at(600) == pytest.approx(0.55)
    assert found.at(1100) == pytest.approx(0.1)
    assert found.at(5000) == pytest.approx(0.1)


def test_a_training_that_goes_on_does_not_warm_up_again() -> None:
    assert schedule_of(TrainConfig(lr=1.0, steps=1000), resumed=True).at(0) == pytest.approx(1.0)
    later = schedule_of(TrainConfig(lr=1.0, steps=1000, start_step=3000), resumed=True)
    assert later.at(3000) == pytest.approx(1.0)
    assert later.at(3500) == pytest.approx(0.55)
    assert later.at(4000) == pytest.approx(0.1)


def test_it_can_fall_over_many_trainings() -> None:
    rates = [
        schedule_of(TrainConfig(lr=1.0, steps=100, start_step=100 * i, lr_total_steps=400), resumed=True).at(100 * i)
        for i in range(5)
    ]
    assert rates == sorted(rates, reverse=True)
    assert rates[2] == pytest.approx(0.55)


def test_it_can_stay_as_it_is() -> None:
    assert {schedule_of(TrainConfig(lr=0.5, lr_schedule=False), resumed=False).at(i) for i in (0, 50, 900)} == {0.5}
