"""Maps from chances that are said to what comes true."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eval.episode_rows import episode, noted
from jimbo.eval.chances import Said, fit, mapped, mend, mend_all, player_maps, said_to_clear, said_to_win
from jimbo.eval.rows import PhaseWins
from jimbo.eval.runner import Settings
from jimbo.models.chance_maps import ChanceMap, MapFile, hash_of_value, maps_for, read_maps, write_maps
from jimbo.models.value_file import OWN_FILE
from jimbo.seeds.seed_sets import SeedSet


def made(games: int, *, offset: float, slope: float, ante_2: float = 0.0, seed: int = 1) -> Said:
    """Chances of which the truth is another line through the log odds; four a game, in two antes and two phases."""
    random = np.random.default_rng(seed)
    chance = random.beta(2, 2, size=4 * games)
    ante, phase = np.tile([1, 1, 2, 2], games), np.tile(["shop", "blind_select"], 2 * games)
    odds = offset + slope * np.log(chance / (1 - chance)) + ante_2 * (ante == 2)
    happened = random.random(4 * games) < 1 / (1 + np.exp(-odds))
    game = np.repeat(np.arange(games), 4)
    return Said(chance, happened, ante, phase, game, np.arange(4 * games))


def test_a_line_is_found_again() -> None:
    found = fit(made(4000, offset=1.0, slope=0.6, ante_2=-0.8))
    for ante, offset in ((1, 1.0), (2, 0.2)):
        for chance in (0.2, 0.5, 0.8):
            truth = 1 / (1 + np.exp(-(offset + 0.6 * np.log(chance / (1 - chance)))))
            assert found(chance, ante, "shop") == pytest.approx(truth, abs=0.03)


def test_few_games_change_little() -> None:
    found = fit(made(3, offset=5.0, slope=0.2))
    assert abs(found.offset) < 4
    assert 0.5 < found.slope < 1.5
    assert all(abs(change[0]) < 0.4 for change in found.antes.values())


def test_a_map_always_rises_and_stays_inside() -> None:
    steep = ChanceMap(offset=300.0, slope=0.05, antes={"1": (0.0, -5.0)})
    for map in (steep, fit(made(200, offset=-1.0, slope=2.0))):
        told = [map(chance, 1, "shop") for chance in (0.0, 0.1, 0.5, 0.9, 1.0)]
        assert told == sorted(told)
        assert told[0] > 0
        assert told[-1] < 1


def test_mended_chances_come_true_on_seeds_that_the_map_has_not_seen() -> None:
    found = mend(made(2000, offset=1.2, slope=0.7))
    assert found
    said, told = found.said.all.ece.value or 0, found.mended.all.ece.value or 0
    assert said > 0.1
    assert told < 0.03
    assert set(found.mended.by_phase) == {"shop", "blind_select"}
    assert set(found.mended.by_ante) == {"1", "2"}


def test_the_test_is_not_made_on_the_games_of_the_fit() -> None:
    """Two kinds of games with opposite truths: a map fitted on one kind is wrong about the other, and that shows."""
    games = 400
    chance = np.full(games, 0.5)
    happened = np.arange(games) % 2 == 0
    said = Said(chance, happened, np.ones(games, int), np.full(games, "shop"), np.arange(games), np.arange(games))
    found = mend(said)
    assert found
    assert (found.mended.all.ece.value or 0) > 0.9


def test_a_run_said_many_times_counts_once() -> None:
    once = made(300, offset=0.5, slope=1.0)
    often = Said(*(np.concatenate([getattr(once, name)] * 5) for name in Said.__slots__))
    assert fit(often).offset == pytest.approx(fit(once).offset, abs=1e-3)


def rows() -> list[Any]:
    wins = PhaseWins(shop=0.4, blind_select=0.5)
    entry = {"clear": 0.7, "last_clear": 0.9, "wins": wins}
    return [noted(episode(number, won=number % 2 == 0, round=2), entry, entry) for number in range(8)]


def test_chances_of_rows_are_gathered_by_phase() -> None:
    win, clear = said_to_win(rows()), said_to_clear(rows())
    assert set(win.phase) == {"shop", "blind_select"}
    assert set(clear.phase) == {"first", "later"}
    assert set(win.game[win.happened]) == {0, 2, 4, 6}
    assert clear.happened[clear.game == 1].tolist() == [True, True, False, False]


def test_an_agent_without_chances_is_refused() -> None:
    with pytest.raises(ValueError, match="reports no chances"):
        mend_all([noted(episode(1), {})])
    with pytest.raises(ValueError, match="at least 4 games"):
        mend_all(rows()[:1])


def test_maps_of_a_file_are_for_one_value(tmp_path: Path) -> None:
    settings = Settings(agent="fast", stake="stake_gold", seeds=SeedSet("made", 1, ("A",)))
    new = player_maps(settings, rows(), mend_all(rows()))
    assert new.value == hash_of_value(OWN_FILE)
    assert None not in (new.win, new.clear)
    path = tmp_path / "maps.json"
    write_maps(path, MapFile().with_maps(new))
    assert read_maps(path).maps == (new,)
    assert maps_for("fast", OWN_FILE, path) == {"stake_gold": new}
    with pytest.raises(ValueError, match="not about the agent expert"):
        maps_for("expert", OWN_FILE, path)
    other = tmp_path / "other.safetensors"
    other.write_bytes(b"another value")
    with pytest.raises(ValueError, match="for another value"):
        maps_for("fast", other, path)
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(ValueError, match="cannot be used"):
        read_maps(path)


def test_one_map_of_an_agent_and_stake_takes_the_place_of_another() -> None:
    settings = Settings(agent="fast", stake="stake_gold", seeds=SeedSet("made", 1, ("A",)))
    new = player_maps(settings, rows(), mend_all(rows()))
    assert MapFile().with_maps(new).with_maps(new).maps == (new,)


def test_mapped_goes_through_every_chance() -> None:
    said = made(5, offset=0.0, slope=1.0)
    told = mapped(ChanceMap(offset=0.0, slope=1.0), said)
    assert told == pytest.approx(said.chance, abs=1e-3)
