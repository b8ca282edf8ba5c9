"""Trainings as events."""

import pytest

from jimbo.telemetry.events import TrainingProgress
from jimbo.train.core import events
from jimbo.train.core.events import TrainingEvents
from rollout.hearing import Heard


def test_progress_is_told_once_a_second_and_at_the_end_of_a_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    heard, now = Heard(), [0.0]
    monkeypatch.setattr(events.time, "monotonic", lambda: now[0])
    watcher = TrainingEvents(heard)
    for done in range(101):
        now[0] = done / 20
        watcher.progress("learning", done, 100, "steps", "loss 1")
    watcher.progress("testing", 0, 3)
    told = [(one["phase"], one["done"]) for one in heard.of(TrainingProgress.TYPE)]
    assert told == [("learning", done) for done in (0, 20, 40, 60, 80, 100)] + [("testing", 0)]
    assert heard.of("training.progress")[0]["unit"] == "steps"


def test_rows_and_sentences_are_told() -> None:
    heard = Heard()
    watcher = TrainingEvents(heard)
    watcher.say("Epoch 1: loss 2")
    watcher.row({"epoch": 1, "val": {"top1": 0.5}}, True)
    assert heard.of("training.note") == [{"text": "Epoch 1: loss 2"}]
    assert heard.of("training.row") == [{"row": {"epoch": 1, "val": {"top1": 0.5}}, "best": True}]
