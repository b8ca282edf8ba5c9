"""Events become rows: each number can be checked by hand, and nothing that other programs send breaks anything."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jimbo.telemetry.events import EVENTS, EventData, GamesSkipped, MetricSample, ProgramEnded, TrainingRow
from jimbo.telemetry.rows import MOST_GAMES, RowMaker
from jimbo.telemetry.tables import COLUMNS, TABLES, TableRow, values_of
from telemetry.happening import decision, small_game

SEED_004 = {
    "game_metrics": "session_id ante blind_type chips_scored chips_required money hands_played discards_used "
    "joker_count outcome score_ratio event_count",
    "joker_synergies": "session_id joker_combination synergy_score chips_generated mult_generated effectiveness",
    "decision_points": "session_id decision_type phase context action_taken confidence used_llm outcome_delta",
    "economic_flow": "session_id transaction_type amount balance_before balance_after item_purchased roi",
}
"""The columns that dashboards made for JimBot look for."""


def made(events: Any, game: str = "g") -> list[TableRow]:
    maker = RowMaker("s", "p")
    rows = [row for number, event in enumerate(events) for row in maker.rows(1e9 + number, game, *told(event))]
    return rows + maker.rest()


def told(event: EventData) -> tuple[str, dict[str, Any]]:
    return event.TYPE, event.to_data()


def of(rows: list[TableRow], table: str) -> list[dict[str, Any]]:
    return [dict(zip(COLUMNS[table], values_of(row), strict=True)) for row in rows if table == row.TABLE]


@pytest.mark.parametrize("table", SEED_004)
def test_tables_have_the_columns_that_dashboards_know(table: str) -> None:
    assert set(SEED_004[table].split()) <= COLUMNS[table].keys()


def test_a_blind_is_a_row_and_the_last_says_how_the_game_ended() -> None:
    first, second = of(made(small_game(won=False)), "game_metrics")
    assert first == {
        "session_id": "s",
        "program": "p",
        "game_id": "g",
        "agent": "fast",
        "stake": "stake_white",
        "deck": "b_red",
        "blind_type": "small",
        "outcome": "beaten",
        "blind": "bl_small",
        "round": 1,
        "ante": 1,
        "chips_scored": 576.0,
        "chips_required": 300.0,
        "money": 4.0,
        "hands_played": 1,
        "discards_used": 1,
        "joker_count": 2,
        "score_ratio": 1.92,
        "event_count": 11,
    }
    assert (second["outcome"], second["score_ratio"], second["blind_type"]) == ("lost", 0.5, "big")
    assert [row["outcome"] for row in of(made(small_game(won=True)), "game_metrics")] == ["beaten", "won"]


def test_what_jokers_bring_alone_and_together() -> None:
    """64 without them, 192 with either, 576 with both: of the gain of 512, each alone brings 128."""
    (row,) = of(made(small_game()), "joker_synergies")
    assert row["joker_combination"] == "j_cavendish+j_joker"
    assert row["synergy_score"] == pytest.approx(0.5)
    assert row["effectiveness"] == pytest.approx(512 / 576)
    assert (row["chips_generated"], row["mult_generated"]) == (0.0, 16.0)


def test_decisions_say_what_became_of_the_chance_to_win() -> None:
    rows = of(made(small_game(won=False)), "decision_points")
    assert [row["decision_type"] for row in rows] == [
        "select_blind", "discard", "play", "buy", "sell_joker", "select_blind", "play",
    ]  # fmt: skip
    assert [row["outcome_delta"] for row in rows] == pytest.approx([-0.1, 0.2, 0.0, 0.1, 0.0, 0.0, -0.7])
    assert [row["milliseconds"] for row in rows] == [2.5 * step for step in range(1, 8)]
    assert rows[0]["context"] == "ante 1, step 1"


def test_every_dollar_is_accounted_for() -> None:
    rows = of(made(small_game()), "economic_flow")
    assert [(row["transaction_type"], row["amount"], row["balance_after"]) for row in rows] == [
        ("reward", 5.0, 9.0),
        ("purchase_joker", -6.0, 3.0),
        ("other", -2.0, 1.0),  # a reroll, of which there is no event
        ("sale_joker", 3.0, 4.0),
    ]
    assert all(row["balance_before"] + row["amount"] == row["balance_after"] for row in rows)
    assert [row["roi"] for row in rows] == [None, None, None, -0.5]
    assert [row["item_purchased"] for row in rows] == [None, "j_rocket", None, "j_rocket"]


def test_numbers_have_names() -> None:
    rows = of(
        made(
            [
                TrainingRow(row={"epoch": 1, "train": {"loss": 0.5, "note": "x"}, "nan": float("nan")}, best=True),
                MetricSample(name="memory_usage", value=3, unit="bytes"),
                GamesSkipped(games=7, decisions=70),
                ProgramEnded(program="p", dropped=3),
            ],
            "",
        ),
        "metrics",
    )
    assert [(row["name"], row["value"], row["note"]) for row in rows] == [
        ("epoch", 1.0, "best"),
        ("train.loss", 0.5, "best"),
        ("memory_usage", 3.0, "bytes"),
        ("games_skipped", 7.0, "to save time"),
        ("program_ended", 1.0, "p"),
        ("events_dropped", 3.0, None),
    ]


def test_no_two_rows_of_a_session_have_the_same_time() -> None:
    maker = RowMaker("s", "p")
    rows = [row for event in small_game() for row in maker.rows(5.0, "g", *told(event))]
    rows += [row for _ in range(5) for row in maker.rows(5.0, "", "monitoring.measured", {"name": "a", "value": 1})]
    times = [row.timestamp for row in rows + maker.rest()]
    assert len(set(times)) == len(times) == 20
    assert all(5_000_000_000 <= one < 5_000_000_100 for one in times)


def test_games_that_are_forgotten_lose_nothing() -> None:
    maker = RowMaker("s", "p")
    rows = [row for n in range(MOST_GAMES + 50) for row in maker.rows(n, f"g{n}", *told(decision(1, "play", 0.5)))]
    assert len(rows) == 50
    assert len(rows + maker.rest()) == MOST_GAMES + 50


def test_games_side_by_side_do_not_mix() -> None:
    maker = RowMaker("s", "p")
    rows: list[TableRow] = []
    for number, events in enumerate(zip(small_game("a"), small_game("b"), strict=True)):
        for game, event in zip("xy", events, strict=True):
            rows += maker.rows(number, game, *told(event))
    assert [row["chips_scored"] for row in of(rows, "game_metrics")] == [576.0, 576.0, 225.0, 225.0]
    assert [row["agent"] for row in of(rows, "game_metrics")] == ["a", "b", "a", "b"]


FIELDS = [
    "amount",
    "ante",
    "card_id",
    "chips",
    "cost",
    "dropped",
    "final_score",
    "joker_id",
    "money",
    "mult",
    "reason",
    "required_score",
    "row",
    "score",
    "total",
    "trigger_type",
    "value",
    "win",
    "won",
]
_VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.lists(st.integers(), max_size=2)
)


@given(
    st.lists(
        st.tuples(
            st.sampled_from([*EVENTS, "training.other"]),
            st.dictionaries(
                st.sampled_from(FIELDS),
                _VALUES,
            ),
        ),
        max_size=12,
    )
)
def test_anything_may_come(events: list[tuple[str, dict[str, Any]]]) -> None:
    """Columns hold what their kind says, or nothing, whatever a program sends."""
    maker = RowMaker("s", "p")
    rows = [row for kind, data in events for row in maker.rows(1.0, "g", kind, data)] + maker.rest()
    shapes = {"tag": str, "text": str, "whole": int, "number": float, "flag": bool}
    for row in rows:
        for (name, kind), value in zip(COLUMNS[row.TABLE].items(), values_of(row), strict=True):
            assert value is None or type(value) is shapes[kind], (row.TABLE, name, value)


def test_every_table_has_a_name_of_its_own() -> None:
    assert set(TABLES) == {*SEED_004, "metrics"}
