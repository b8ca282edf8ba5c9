"""Old days become numbers: right ones, once, and whole whatever happens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jimbo.telemetry.analysis import rollup as rolling
from jimbo.telemetry.analysis.archive import Archive, NoTelemetry
from jimbo.telemetry.analysis.rollup import roll_up
from telemetry.analysis.planting import NOON, small_archive, write

pytest.importorskip("duckdb", reason="duckdb is not installed: pip install -e '.[analytics]'")
DAY = 86_400


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for day in ("2026-11-19", "2026-11-20", "2026-11-27"):
        write(tmp_path / f"{day}.jsonl", small_archive())
    (tmp_path / "notes.jsonl").write_text("not telemetry\n")
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def daily(folder: Path) -> list[tuple[Any, ...]]:
    archive = Archive([folder])
    try:
        return archive.ask("SELECT * FROM daily ORDER BY ALL")[1]
    finally:
        archive.close()


def test_days_beyond_the_last_ones_are_rolled_up(folder: Path) -> None:
    done = list(roll_up(folder, 7, now=NOON + 8 * DAY))
    assert [(one.day, one.rows, one.trouble) for one in done] == [("2026-11-19", 96, "")]
    assert names(folder) == ["2026-11-19.daily.parquet", "2026-11-20.jsonl", "2026-11-27.jsonl", "notes.jsonl"]
    found = {row[1:6]: row[6:] for row in daily(folder)}
    assert found["decision_points", "jimbo rollout", "fast", "buy", "milliseconds"] == pytest.approx(
        (80, 1830 + 2000, 3830 / 80, 1.0, 100.0, 40.5, 100.0)
    )
    assert found["game_metrics", "jimbo rollout", "fast", "won", "score_ratio"][:3] == (2, 5.5, 2.75)
    assert sum(row[0] for key, row in found.items() if key[-1] == "rows") == 96
    assert list(roll_up(folder, 7, now=NOON + 8 * DAY)) == []


def test_rows_can_be_kept_as_parquet(folder: Path) -> None:
    before = Archive([folder]).ask("SELECT * FROM decision_points ORDER BY ALL")[1]
    list(roll_up(folder, 1, keep_rows=True, now=NOON + 30 * DAY))
    assert "2026-11-19.parquet" in names(folder)
    assert not [name for name in names(folder) if name.startswith("2026") and name.endswith(".jsonl")]
    assert Archive([folder]).ask("SELECT * FROM decision_points ORDER BY ALL")[1] == before
    assert sum(Archive([folder]).counts().values()) > 3 * 96


@pytest.mark.parametrize("fails_at", [0, 1, 2])
def test_a_roll_up_that_is_killed_is_made_again(folder: Path, fails_at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it ends, everything is there once, for whoever reads, and the next one finishes."""
    whole = Archive([folder]).counts()
    write_one, calls = rolling._write, iter(range(3))

    def fail(archive: Archive, table: str, path: Path) -> None:
        if next(calls, 9) == fails_at:
            raise KeyboardInterrupt
        write_one(archive, table, path)

    def unlink(self: Path, missing_ok: bool = False) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(rolling, "_write", fail)
        if fails_at == 2:
            patch.setattr(Path, "unlink", unlink)
        with pytest.raises(KeyboardInterrupt):
            list(roll_up(folder, 7, keep_rows=True, now=NOON + 8 * DAY))
    assert Archive([folder]).counts() == whole
    (done,) = roll_up(folder, 7, keep_rows=True, now=NOON + 8 * DAY)
    assert done.rows == 96
    after = Archive([folder]).counts()
    assert after.pop("daily") > 0
    assert after == {name: count for name, count in whole.items() if name != "daily"}


def test_a_day_that_was_rolled_up_with_more_rows_is_left(folder: Path) -> None:
    list(roll_up(folder, 7, now=NOON + 8 * DAY))
    before = daily(folder)
    write(folder / "2026-11-19.jsonl", small_archive()[:5])  # somebody's clock went back
    (done,) = roll_up(folder, 7, now=NOON + 8 * DAY)
    assert done.trouble == f"{folder}/2026-11-19.jsonl has 5 rows, and 96 were rolled up before. It is left as it is."
    (folder / "2026-11-19.jsonl").unlink()
    assert daily(folder) == before


def test_a_file_is_no_folder(folder: Path) -> None:
    with pytest.raises(NoTelemetry, match="is not a folder"):
        list(roll_up(folder / "2026-11-19.jsonl"))
