"""The loop: iterations, the gate, and what a kill costs."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from jimbo.az.gate import Gated, Opponent, gated
from jimbo.az.loop import Loop, read_state, run_loop
from jimbo.az.models import OnnxModel, checkpoints
from jimbo.az.replay import open_replay
from jimbo.az.settings import LoopConfig, read_settings
from jimbo.az.stats import draw_strength, read_stats
from jimbo.engine.az import game_spec

SMALL = {
    "episodes": 40,
    "steps": 20,
    "checkpoint_interval": 10,
    "sims_start": 8,
    "sims_max": 8,
    "gate_games": 8,
    "optimal_positions": 50,
    "eval_simulations": 4,
    "metrics_port": 0,
    "device": "cpu",
    "parallel_games": 16,
}

IN_PROC = pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds the processes of a loop in /proc")


def config_in(folder: Path, **more: Any) -> LoopConfig:
    return read_settings(LoopConfig, {"env_id": "tictactoe", "out_dir": str(folder), **SMALL, **more}, {})


def flags_of(config: LoopConfig, names: list[str]) -> list[str]:
    return [part for name in names for part in (f"--{name.replace('_', '-')}", str(getattr(config, name)))]


def test_a_loop_plays_learns_and_judges(tmp_path: Path) -> None:
    seen: list[str] = []
    told: list[int] = []

    def watch(view: Loop) -> None:
        seen.append(view.state.phase)
        told.append(len(view.state.history))

    config = config_in(tmp_path, iterations=2)
    state = run_loop(config, watch)
    assert told[-1] == 2, "the last iteration is told too"
    assert (state.iteration, state.phase) == (2, "play")
    assert {"play", "train", "gate"} <= set(seen)
    assert [step for step, _ in checkpoints(tmp_path / "models")] == [10, 20, 30, 40]
    stats = read_stats(tmp_path / "stats.json", "tictactoe")
    assert (stats.step, stats.iteration) == (40, 2)
    assert [row["iteration"] for row in stats.iterations] == [0, 1]
    assert [found.opponent for found in stats.eval_history] == ["random", "random", "best"]
    assert stats.best_model is not None
    assert all(0 < row["optimal_moves"] <= 1 for row in stats.iterations)
    first, second = stats.iterations
    assert first["best_optimal"] == first["optimal_moves"]
    assert second["best_optimal"] == (second if second["promoted"] else first)["optimal_moves"]
    OnnxModel(tmp_path / "models" / "best.onnx", game_spec("tictactoe"))
    assert (tmp_path / "strength.svg").read_text().count("<circle") == 6
    with open_replay(config.db) as replay:
        assert replay.written_since(0, "tictactoe").episodes >= 80
    again = run_loop(config, lambda view: None)
    assert again.seconds == state.seconds


@pytest.mark.parametrize(("threshold", "promoted"), [(0.0, True), (1.0, False)])
def test_the_gate_asks_for_enough_points_against_the_best(tmp_path: Path, threshold: float, promoted: bool) -> None:
    from az.made_models import made_model

    config = config_in(tmp_path, gate="best", gate_threshold=threshold)
    made_model(tmp_path / "models" / "model_step_000040.onnx")
    first = gated(config_in(tmp_path, steps=40), 0, None)
    assert (first.promoted, first.best) == (True, None)
    best = Opponent(path=str(made_model(tmp_path / "best.onnx", seed=8)), iteration=0)
    found = gated(config, 1, best)
    assert found.promoted is promoted
    assert found.best is not None
    assert (found.best.opponent, found.best.opponent_iteration, found.best.games_played) == ("best", 0, 8)


def test_with_the_solver_gate_a_share_that_does_not_rise_enough_makes_no_best(tmp_path: Path) -> None:
    """However many games the new model wins against the best."""
    from az.made_models import made_model

    made_model(tmp_path / "models" / "model_step_000040.onnx", seed=8)
    best = Opponent(path=str(made_model(tmp_path / "best.onnx")), iteration=0)

    def judged(margin: float) -> Gated:
        return gated(config_in(tmp_path, gate="solver", gate_margin=margin, gate_threshold=0.0), 1, best)

    found = judged(0.0)
    assert found.optimal is not None
    assert found.best_optimal is not None
    lead = found.optimal - found.best_optimal
    assert lead > 0, "choose other seeds for the two"
    assert found.promoted
    assert not judged(lead + 0.001).promoted
    same = Opponent(path=str(tmp_path / "models" / "model_step_000040.onnx"), iteration=0)
    assert not gated(config_in(tmp_path, gate="solver", gate_margin=0.01, gate_threshold=0.0), 1, same).promoted


def test_shares_are_compared_on_the_same_positions(tmp_path: Path) -> None:
    """Also where a loop goes on with another number of them."""
    config = config_in(tmp_path, iterations=1, optimal_positions=50)
    run_loop(config, lambda view: None)
    state = run_loop(replace(config, iterations=2, optimal_positions=7, gate_margin=1.0), lambda view: None)
    new, best = (7 * state.history[1][name] for name in ("optimal_moves", "best_optimal"))
    assert (new, best) == (pytest.approx(round(new)), pytest.approx(round(best)))


def test_a_picture_of_a_loop_that_always_wins(tmp_path: Path) -> None:
    draw_strength(tmp_path / "strength.svg", [{"iteration": 0, "optimal_moves": None, "random_win_rate": 1.0}])
    assert "100 %" in (tmp_path / "strength.svg").read_text()


@pytest.mark.parametrize("more", [{"env_id": "balatro"}, {"optimal_positions": 0}])
def test_the_solver_gate_needs_a_solver(tmp_path: Path, more: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="--gate best"):
        config_in(tmp_path, gate="solver", **more)


def test_a_loop_of_another_game_is_not_gone_on_with(tmp_path: Path) -> None:
    read_state(config_in(tmp_path)).write(tmp_path)
    with pytest.raises(ValueError, match="a loop of tictactoe"):
        read_state(config_in(tmp_path, env_id="connect4"))


# --- A folder that is not as the loop left it -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def loop_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a loop with one iteration."""
    folder = tmp_path_factory.mktemp("made") / "loop"
    run_loop(config_in(folder, iterations=1), lambda view: None)
    return folder


@pytest.fixture
def copied(loop_folder: Path, tmp_path: Path) -> Path:
    shutil.copytree(loop_folder, tmp_path / "copy")
    return tmp_path / "copy"


def say_of_best(folder: Path, name: str) -> None:
    state = json.loads((folder / "loop.json").read_text())
    (folder / "loop.json").write_text(json.dumps({**state, "best": name}))


def test_a_copied_loop_keeps_to_its_own_models(loop_folder: Path, copied: Path) -> None:
    """Also one that was written when the best model was noted by its path."""
    original = loop_folder / "models" / "best_iteration_0000.onnx"
    before = original.read_bytes()
    say_of_best(copied, str(original))
    state = run_loop(config_in(copied, iterations=2, gate_margin=0.0, gate_threshold=0.0), lambda view: None)
    assert state.iteration == 2
    assert original.read_bytes() == before
    assert [path.name for path in (copied / "models").glob("best_iteration_*")] == [state.best]


@pytest.mark.parametrize("name", ["../../mine.onnx", "/etc/hostname", "loop.json", "best_iteration_0001.onnx", ".."])
def test_a_best_model_that_is_none_is_refused_before_anything_is_removed(copied: Path, name: str) -> None:
    mine = copied.parent / "mine.onnx"
    mine.write_text("")
    say_of_best(copied, name)
    with pytest.raises(ValueError, match=r"loop\.json cannot be resumed: .* model.*Choose another --out"):
        run_loop(config_in(copied, iterations=2), lambda view: None)
    assert mine.exists()
    assert (copied / "models" / "best_iteration_0000.onnx").exists()


@pytest.mark.parametrize("setting", [{"steps": 30}, {"width": 64}, {"network": "resnet"}])
def test_settings_that_a_loop_keeps(copied: Path, setting: dict[str, Any]) -> None:
    known = "steps 20" if "steps" in setting else "width 0" if "width" in setting else "network auto"
    with pytest.raises(ValueError, match=f"it is a loop with --{known}"):
        run_loop(config_in(copied, **{"iterations": 2, **setting}), lambda view: None)


def test_the_steps_of_a_loop_that_did_not_note_them(copied: Path) -> None:
    state = json.loads((copied / "loop.json").read_text())
    del state["settings"]
    (copied / "loop.json").write_text(json.dumps(state))
    with pytest.raises(ValueError, match="it is a loop with --steps 20"):
        run_loop(config_in(copied, iterations=2, steps=30), lambda view: None)


@pytest.mark.parametrize("name", ["loop.json", "stats.json", "gate.json", "judged_positions.npz", "models/latest.pt"])
@pytest.mark.parametrize("content", [b"{", b'{"history": [{}]}', None])
def test_damaged_files_are_named_at_once(copied: Path, name: str, content: bytes | None) -> None:
    path = copied / name
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    for place in range(middle, min(len(data), middle + 128)):  # more than the padding between two parts of an archive
        data[place] ^= 0xFF
    path.write_bytes(content if content is not None else bytes(data))
    with pytest.raises(ValueError, match=re.escape(path.name)):
        run_loop(config_in(copied, iterations=2), lambda view: None)


@pytest.mark.parametrize("name", ["thesis.txt", "models/latest.pt", "models/thesis.txt", "stats.json"])
def test_a_new_loop_leaves_the_folders_of_others_alone(tmp_path: Path, name: str) -> None:
    path = tmp_path / "out" / name
    path.parent.mkdir(parents=True)
    path.write_text("")
    with pytest.raises(ValueError, match=rf"holds other files \({path.name}\)\. Choose another folder"):
        run_loop(config_in(tmp_path / "out"), lambda view: None)
    assert [found for found in tmp_path.rglob("*") if found.is_file()] == [path]


def test_a_store_of_an_unknown_kind_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"mysql://\.\.\. is not a replay store"):
        run_loop(config_in(tmp_path / "out", db="mysql://player:secret@host/x"), lambda view: None)
    assert not (tmp_path / "out").exists()


def test_a_batch_larger_than_an_iteration(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="--batch-size is 100,000, but an iteration has at most 1,584 moves"):
        config_in(tmp_path, batch_size=100_000)


def test_more_positions_than_there_are(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="--optimal-positions can be at most 3,000 in tictactoe, not 100,000,000"):
        config_in(tmp_path, optimal_positions=10**8)


def test_actors_that_fail_again_and_again_end_the_loop(tmp_path: Path) -> None:
    from jimbo.az.loop import LoopFailed

    def put_a_file_there(_: Loop) -> None:
        """While the first actor is being started."""
        if not (tmp_path / "models").exists():
            (tmp_path / "models").write_text("not a folder")

    with pytest.raises(LoopFailed, match="logs says why"):
        run_loop(config_in(tmp_path), put_a_file_there)


def soaked(folder: Path, kills: int, seconds: float, place: str | None = None) -> int:
    """Kills actors, trainers and gates, and now and then the loop itself, which is started again as it was; then lets
    it end, three iterations later. It must end as one that nobody disturbed; returns the iterations that were over when
    the kills were."""
    places = {"db": place} if place else {}
    chance, known = random.Random(7), Known()
    endless = config_in(folder, iterations=100_000, actors=2, **places)
    process = _started(endless, places)
    done = 0
    while done < kills:
        time.sleep(seconds / kills * chance.uniform(0.5, 1.5))
        _check_files(endless, known)
        children = _children(process.pid)
        if not children:
            assert process.poll() is None, "it ended by itself"
        elif done % 10 == 5:
            process.kill()
            process.wait()
            process = _started(endless, places)
            done += 1
        else:
            _kill(chance.choice(children))
            done += 1
    process.kill()
    process.wait()
    meanwhile = read_state(endless).iteration
    config = replace(endless, iterations=meanwhile + 3)
    told, _ = _started(config, places).communicate()
    assert json.loads(told)["iterations"] == config.iterations
    _check_files(config, known)
    stats = read_stats(folder / "stats.json", "tictactoe")
    assert stats.step == config.iterations * config.steps
    assert [row["iteration"] for row in stats.iterations] == list(range(config.iterations))
    logs = "".join(path.read_text() for path in (folder / "logs").iterdir())
    assert "The model in use stays" not in logs
    assert "Traceback" not in logs
    return meanwhile


@IN_PROC
def test_a_loop_that_is_told_to_end_goes_on_later(tmp_path: Path) -> None:
    config = config_in(tmp_path, iterations=1)
    process = _started(config, {})
    while not _children(process.pid):  # one that has only just begun does not listen yet
        assert process.poll() is None
        time.sleep(0.05)
    process.terminate()
    assert process.wait() == 130
    assert run_loop(config, lambda view: None).iteration == 1


def _started(config: LoopConfig, places: dict[str, Any]) -> subprocess.Popen[bytes]:
    names = [*SMALL, *places, "env_id", "out_dir", "iterations", "actors"]
    command = [sys.executable, "-m", "jimbo", "az", "loop", *flags_of(config, names), "--json"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def _children(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            parts = entry.read_text().rpartition(")")[2].split()
            if int(parts[1]) == pid and b"resource_tracker" not in (entry.parent / "cmdline").read_bytes():
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


@dataclass
class Known:
    """What was seen of a loop, and must not go away again."""

    iteration: int = 0
    rows: set[str] = field(default_factory=set)


def _check_files(config: LoopConfig, known: Known) -> None:
    """stats.json parses, models are whole, and every row that was there is still there."""
    folder = Path(config.out_dir)
    if (folder / "stats.json").exists():
        json.loads((folder / "stats.json").read_text())
    for name in ("latest.onnx", "model.onnx", "best.onnx"):
        if (folder / "models" / name).exists():
            OnnxModel(folder / "models" / name, game_spec("tictactoe"))
    state = read_state(config)
    assert state.iteration >= known.iteration
    known.iteration = state.iteration
    with open_replay(config.db, create=True) as replay:
        # In one look: actors write on meanwhile.
        seen = replay._rows("SELECT id, episode_id, step_number, done FROM transitions")
    rows = {row[0] for row in seen}
    started, ended = {row[1] for row in seen if row[2] == 0}, {row[1] for row in seen if row[3]}
    assert known.rows <= rows
    assert started == ended, "a game was written by halves"
    known.rows = rows


@IN_PROC
def test_kills_cost_no_iteration(tmp_path: Path) -> None:
    soaked(tmp_path, kills=6, seconds=8)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["sqlite", "postgres"])
def test_fifty_kills_in_ten_minutes_cost_no_iteration(
    tmp_path: Path, request: pytest.FixtureRequest, where: str
) -> None:
    place = str(request.getfixturevalue("empty_postgres")) if where == "postgres" else None
    meanwhile = soaked(tmp_path, kills=50, seconds=600, place=place)
    assert meanwhile >= 10, "it hardly went on while it was disturbed"
    print(f"{meanwhile} iterations were over after the last kill")


@pytest.mark.slow
def test_tictactoe_from_nothing_is_never_lost(tmp_path: Path) -> None:
    """Against a perfect player, nor against any other: all replies are tried."""
    from az.never_loses import lost_lines
    from jimbo.az.match import ModelPlayer, PerfectPlayer, play_match

    run_loop(
        read_settings(LoopConfig, {"env_id": "tictactoe", "out_dir": str(tmp_path), "metrics_port": 0}, {}),
        lambda view: None,
    )
    model = OnnxModel(tmp_path / "models" / "best.onnx", game_spec("tictactoe"))
    player = ModelPlayer(model, seed=7, simulations=50)
    assert play_match("tictactoe", player, PerfectPlayer(7), 1000).losses == 0
    assert lost_lines("tictactoe", player) == []
