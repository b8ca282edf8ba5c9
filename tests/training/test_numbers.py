"""Metrics, curves, tables, checkpoints and reports: nothing of it needs torch."""

import csv
import json
import logging
from pathlib import Path

import numpy as np
import pytest

from jimbo.training.framework import CheckpointManager
from jimbo.training.metrics import BalatroMetrics, compute_moving_average, plot_training_curves, print_comparison_table
from jimbo.training.performance_analysis import PerformanceAnalyzer
from jimbo.training.utils import setup_logging


def metrics() -> BalatroMetrics:
    found = BalatroMetrics()
    found.add_episode(reward=1.0, ante=2, score=100, length=10)
    found.add_episode(reward=3.0, ante=8, score=300, length=30, won=True, timestep=40)
    return found


def test_a_summary_has_means_and_bests() -> None:
    summary = metrics().get_summary()
    assert (summary["mean_reward"], summary["std_reward"], summary["mean_ante"], summary["max_ante"]) == (
        2.0,
        1.0,
        5.0,
        8,
    )
    assert (summary["max_score"], summary["mean_length"], summary["win_rate"]) == (300.0, 20.0, 0.5)
    assert set(BalatroMetrics().get_summary().values()) == {0}
    json.dumps(metrics().to_dict())
    assert metrics().to_dict()["episode_antes"] == [2, 8]


def test_a_moving_average_looks_back() -> None:
    assert compute_moving_average([1, 2, 3, 4], window=2).tolist() == [1.0, 1.5, 2.5, 3.5]
    assert compute_moving_average([]).tolist() == []
    with pytest.raises(ValueError, match="window"):
        compute_moving_average([1], window=0)
    values = np.random.default_rng(1).normal(size=50)
    assert compute_moving_average(values, 7)[-1] == pytest.approx(values[-7:].mean())


def test_curves_are_drawn_for_one_and_for_several(tmp_path: Path) -> None:
    assert plot_training_curves(metrics().to_dict(), save_path=tmp_path / "one.png").stat().st_size > 1000
    plot_training_curves({"PPO": metrics().to_dict(), "A2C": metrics().to_dict()}, tmp_path / "a" / "two.png")
    plot_training_curves(metrics(), tmp_path / "three.png")
    plot_training_curves({"PPO": metrics(), "A2C": metrics().to_dict()}, tmp_path / "four.png")
    plot_training_curves({"rewards": [1.0, 2.0], "antes": [1, 2]}, tmp_path / "five.png")
    assert len(list(tmp_path.glob("*.png"))) == 4
    for wrong in ({"losses": [1]}, {"PPO": [1, 2]}, metrics().get_summary(), [1, 2], {}):
        with pytest.raises(ValueError, match="nothing to plot in this: give a BalatroMetrics, "):
            plot_training_curves(wrong, tmp_path / "three.png")  # type: ignore[arg-type]


def test_a_comparison_shows_the_best_first(capsys: pytest.CaptureFixture[str]) -> None:
    print_comparison_table([{"algorithm": "A2C", "mean_reward": 0.1}, {"algorithm": "PPO", "mean_reward": 0.4}])
    shown = capsys.readouterr().out
    assert shown.index("PPO") < shown.index("A2C")
    worse = BalatroMetrics()
    worse.add_episode(reward=0.5, ante=1, score=10, length=5)
    for compared in (
        {"A2C": worse, "PPO": metrics()},
        {"A2C": worse.to_dict(), "PPO": metrics().get_summary()},
        {"A2C": {"mean_reward": 0.5, "mean_antes": 1.0}, "PPO": {"mean_reward": 2.0, "mean_antes": 5.0}},
    ):
        print_comparison_table(compared)
        best, other = capsys.readouterr().out.splitlines()[-2:]
        assert (best.split()[0], other.split()[0]) == ("PPO", "A2C")
        assert {"2.000", "5.000"} <= set(best.split())
    for wrong in ([1, 2], {"PPO": [1, 2]}, {"PPO": {"losses": [1]}}):
        with pytest.raises(ValueError, match="nothing to compare in this: give results"):
            print_comparison_table(wrong)  # type: ignore[arg-type]


class TestCheckpoints:
    def test_the_newest_and_the_best_are_kept(self, tmp_path: Path) -> None:
        manager = CheckpointManager(tmp_path / "run", keep=2)
        assert manager.latest() is None
        for step in (900, 1000, 20_000):
            manager.save(lambda path, step=step: Path(path).write_text(str(step)), step)
        assert [path.read_text() for path in manager.checkpoints()] == ["1000", "20000"]
        assert manager.save_best(lambda path: Path(path).write_text("a"), 1, 0.5)
        assert not manager.save_best(lambda path: Path(path).write_text("b"), 2, 0.5)
        best = manager.best()
        assert best is not None
        assert best.read_text() == "a"
        assert not [path for path in manager.folder.iterdir() if path.name.startswith(".")]

    def test_what_fails_leaves_the_old_one(self, tmp_path: Path) -> None:
        manager = CheckpointManager(tmp_path)
        manager.save_best(lambda path: Path(path).write_text("a"), 1, 0.5)

        def fails(path: str) -> None:
            Path(path).write_text("half")
            raise OSError

        with pytest.raises(OSError, match=r"^$"):
            manager.save_best(fails, 2, 0.9)
        assert (manager.best_value(), (tmp_path / "best_model.zip").read_text()) == (0.5, "a")


class TestAnalyzer:
    def test_rows_become_files(self, tmp_path: Path) -> None:
        analyzer = PerformanceAnalyzer("A <b>machine</b>", [{"n_envs": 1, "steps_per_second": 10.0}])
        analyzer.add(n_envs=4, steps_per_second=30.0, algorithm="PPO")
        assert json.loads(analyzer.export_json(tmp_path / "a.json").read_text())["rows"] == analyzer.rows
        rows = list(csv.DictReader(analyzer.export_csv(tmp_path / "a.csv").open()))
        assert rows[1] == {"n_envs": "4", "steps_per_second": "30.0", "algorithm": "PPO"}
        page = analyzer.generate_html_report(tmp_path / "a.html").read_text()
        assert "A &lt;b&gt;machine" in page
        assert page.count("<tr>") == 3
        assert analyzer.plot_throughput_comparison(tmp_path / "a.png").stat().st_size > 1000

    def test_nothing_cannot_be_written(self, tmp_path: Path) -> None:
        for write in (PerformanceAnalyzer().export_csv, PerformanceAnalyzer().plot_throughput_comparison):
            with pytest.raises(ValueError, match="there is nothing to"):
                write(tmp_path / "x")


def test_messages_go_to_the_stream_and_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    setup_logging("debug", tmp_path / "logs" / "x.log")
    logger = setup_logging("info", tmp_path / "logs" / "x.log")
    try:
        logging.getLogger("jimbo.train").info("hello")
        logging.getLogger("jimbo.train").debug("not this")
        assert capsys.readouterr().err.count("hello") == 1
        assert (tmp_path / "logs" / "x.log").read_text().count("\n") == 1
    finally:
        for handler in list(logger.handlers):
            logger.removeHandler(handler)
            handler.close()
