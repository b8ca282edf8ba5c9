"""The game's own save as a backend: looked at again and again, and left as it is."""

import os
from pathlib import Path

import pytest

from jimbo.backends import SaveBackend, UnsupportedAction
from jimbo.engine import Action, Run
from wire.made_saves import save_of, written


def put(path: Path, run: Run, when: int) -> bytes:
    """The game saves."""
    data = written(save_of(run))
    path.write_bytes(data)
    os.utime(path, (when, when))
    return data


@pytest.fixture
def run() -> Run:
    return Run(seed="TESTSEED")


def test_it_follows_what_the_game_saves(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "1" / "save.jkr"
    path.parent.mkdir()
    kept = put(path, run, 1000)
    backend = SaveBackend(tmp_path)
    assert (backend.path, backend.look().phase, backend.notes) == (path, "blind_select", ())
    run.step(Action("select_blind"))
    data = put(path, run, 1001)
    assert len(backend.look().hand) == 8
    assert (path.read_bytes(), list(path.parent.iterdir())) == (data, [path])
    assert kept != data


def test_a_save_that_is_being_written_or_gone_is_waited_for(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "save.jkr"
    whole = put(path, run, 1000)
    backend = SaveBackend(path)
    path.write_bytes(whole[:500])
    os.utime(path, (1001, 1001))
    assert (backend.look().phase, backend.notes) == ("blind_select", ())
    backend.look()
    assert "its end is missing" in backend.notes[0]
    path.unlink()
    assert backend.look().phase == "blind_select"
    assert "is gone: the run has ended." in backend.notes[0]
    put(path, run, 1002)
    assert (backend.look().phase, backend.notes) == ("blind_select", ())


def test_nothing_is_done_to_it(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "save.jkr"
    put(path, run, 1000)
    backend = SaveBackend(path)
    assert backend.cannot(Action("select_blind")) == "a save is only looked at: play in the game"
    for act in (lambda: backend.apply(Action("select_blind")), lambda: backend.reset(seed="A")):
        with pytest.raises(UnsupportedAction):
            act()
    assert backend.full_state() is None
    assert not hasattr(backend, "seed")


def test_what_cannot_be_read_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "save.jkr").write_bytes(b"not a save")
    with pytest.raises(ValueError, match="is not a save that can be advised on: it is not packed as saves are"):
        SaveBackend(tmp_path)
    with pytest.raises(FileNotFoundError):
        SaveBackend(tmp_path / "gone.jkr")
