"""One agent on several decks and stakes."""

import re
from dataclasses import replace

import pytest

from eval.episode_rows import episode
from jimbo.engine.catalog import STAKES
from jimbo.eval import Evaluation, SeedSet, Settings, wilson
from jimbo.eval.comparison import Matrix, matrix, matrix_data, places_of
from jimbo.report import html
from jimbo.report.evaluation import cell_table, matrix_report
from report.shown import shown

SEEDS = SeedSet("dev-100", 1, tuple(f"SEED{i}" for i in range(4)))


def cell(deck: str, stake: str, wins: int, games: int = 4) -> Evaluation:
    rows = tuple(replace(episode(i, won=i < wins, round=5), deck=deck, stake=stake) for i in range(games))
    return Evaluation(Settings(agent="made", seeds=SEEDS, deck=deck, stake=stake), rows)


def made() -> Matrix:
    return matrix(
        [cell("b_plasma", "stake_gold", 0), cell("b_red", "stake_gold", 1), cell("b_red", "stake_white", 3, games=3)]
    )


def link(place: tuple[str, str]) -> str:
    return f"cells/{'-'.join(place)}/report.html"


def text_of(result: Matrix) -> str:
    return shown(matrix_report(result, link))


def test_names_of_decks_and_stakes() -> None:
    assert places_of("blue, Red Deck,b_red", "gold,white") == [
        ("b_red", "stake_white"),
        ("b_red", "stake_gold"),
        ("b_blue", "stake_white"),
        ("b_blue", "stake_gold"),
    ]
    everything = places_of("all", "ALL")
    assert len(everything) == 15 * 8
    assert "b_challenge" not in {deck for deck, _ in everything}


@pytest.mark.parametrize(
    ("decks", "stakes"), [("rde", "white"), ("red,", "white"), ("red", "whiet"), ("all,red", "all")]
)
def test_names_that_mean_nothing_are_refused(decks: str, stakes: str) -> None:
    with pytest.raises(ValueError, match=r"deck|stake"):
        places_of(decks, stakes)


def test_cells_come_in_the_order_of_the_game() -> None:
    result = made()
    assert [cell.place for cell in result.cells] == [
        ("b_red", "stake_white"),
        ("b_red", "stake_gold"),
        ("b_plasma", "stake_gold"),
    ]
    assert (result.decks, result.stakes) == (["b_red", "b_plasma"], ["stake_white", "stake_gold"])
    assert result.at("b_plasma", "stake_white") is None


def test_cells_without_a_run_are_left_out() -> None:
    assert len(matrix([cell("b_red", "stake_white", 1), cell("b_blue", "stake_white", 0, games=0)]).cells) == 1
    with pytest.raises(ValueError, match="No run"):
        matrix([cell("b_red", "stake_white", 0, games=0)])


def test_data_for_machines() -> None:
    data = matrix_data(made())
    assert (data["schema"], data["agent"], data["seed_set"]) == ("jimbo_matrix_v1", "made", "dev-100")
    first = data["cells"][0]
    assert (first["deck"], first["stake"], first["games"], first["complete"]) == ("b_red", "stake_white", 3, False)
    assert data["cells"][1]["ci95"] == wilson(1, 4)


def test_the_table() -> None:
    lines = text_of(made()).splitlines()
    assert lines[4].split() == ["won", "White", "Gold"]
    assert [line.split() for line in lines[5:9]] == [
        ["Red", "100.0", "25.0"],
        ["44-100", "5-70"],
        ["Plasma", "0.0"],
        ["0-49"],
    ]
    assert any("Red Deck · White Stake: only 3 of 4 runs were played." in line for line in lines)


def test_all_stakes_fit() -> None:
    text = text_of(matrix([cell("b_abandoned", stake, 4) for stake in STAKES]))
    assert max(map(len, text.splitlines())) <= 80


def test_the_page() -> None:
    text = html(matrix_report(made(), link))
    assert re.findall(r'href="([^"]*)"', text) == [
        "cells/b_red-stake_white/report.html",
        "cells/b_red-stake_gold/report.html",
        "cells/b_plasma-stake_gold/report.html",
    ]
    colours = re.findall(r"background: (#[0-9a-f]{6})", text.split("<main>")[1])
    assert len(set(colours)) == 3
    assert "<b>25.0 %</b><br><small>5 to 70</small>" in text
    assert 'title="Red Deck · Gold Stake: 1 of 4 runs won"' in text
    assert "<script" not in text
    assert cell_table(made()).lines[1][1:3] == ["4", "25.0 %  (4.6 to 69.9)"]
