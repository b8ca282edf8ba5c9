"""The folder of a run: whose it is, and which run it holds."""

import json
from pathlib import Path
from typing import Any

import pytest

from jimbo.run_folder import CONFIG, RunFolder, differences

SETTINGS: dict[str, Any] = {"settings": {"lr": 0.001, "epochs": 3, "stages": [1, 2]}, "data": {"games": 5}}


def folder_at(path: Path) -> RunFolder:
    return RunFolder(path / "run", schema="test_v1", writer="training", option="--out")


def changed(**settings: Any) -> dict[str, Any]:
    return {**SETTINGS, "settings": {**SETTINGS["settings"], **settings}}


def test_a_run_is_begun_once_and_then_resumed(tmp_path: Path) -> None:
    for resumed in (False, True):
        with folder_at(tmp_path) as folder:
            assert folder.begin(SETTINGS) is resumed
            assert folder.config() == {"schema": "test_v1", **SETTINGS}


@pytest.mark.parametrize(
    ("config", "told"),
    [
        (changed(lr=0.1), "(lr: 0.001, not 0.1)"),
        (changed(lr=0.1, epochs=4), "(lr: 0.001, not 0.1; epochs: 3, not 4)"),
        (changed(stages=[1]), "(stages)"),
        ({**SETTINGS, "data": {"games": 6}}, "(data.games: 5, not 6)"),
        (changed(a=1, b=2, c=3, d=4), "(a: None, not 1; b: None, not 2; c: None, not 3; and 1 more)"),
    ],
)
def test_the_setting_that_differs_is_named(tmp_path: Path, config: dict[str, Any], told: str) -> None:
    with folder_at(tmp_path) as folder:
        folder.begin(SETTINGS)
        before = folder.path(CONFIG).read_bytes()
        with pytest.raises(ValueError, match="holds a training with other settings or data") as error:
            folder.begin(config)
        assert f"{told}. Choose another --out, or repeat the settings in config.json." in str(error.value)
        assert folder.path(CONFIG).read_bytes() == before


def test_a_setting_may_be_allowed_to_change(tmp_path: Path) -> None:
    with folder_at(tmp_path) as folder:
        folder.begin(SETTINGS)
        assert folder.begin(changed(epochs=9), may_change=("settings.epochs",))
        assert json.loads(folder.path(CONFIG).read_text())["settings"]["epochs"] == 9


@pytest.mark.parametrize("text", ['{"schema": "other_v1"}', "[]"])
def test_another_kind_of_run_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / CONFIG).write_text(text)
    with folder_at(tmp_path) as folder, pytest.raises(ValueError, match="does not hold a training"):
        folder.begin(SETTINGS)


def test_settings_that_cannot_be_read_get_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / CONFIG).write_text("{")
    with folder_at(tmp_path) as folder, pytest.raises(ValueError, match=r"config\.json cannot be used: it is not JSON"):
        folder.begin(SETTINGS)


def test_one_process_writes_at_a_time(tmp_path: Path) -> None:
    with folder_at(tmp_path), pytest.raises(ValueError, match="Another training is writing to"), folder_at(tmp_path):
        pass


def test_differences_are_named_where_they_are() -> None:
    assert differences({"a": {"b": {"c": 1}}, "d": 1}, {"a": {"b": {"c": 2}}, "e": 1}) == ["a.b.c", "e", "d"]
