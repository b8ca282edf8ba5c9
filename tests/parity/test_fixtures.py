"""Directed fixtures: there is one for everything, they see what they are made for, and say so when they do not."""

import dataclasses
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from jimbo.parity.fixtures.judging import Status, judge
from jimbo.parity.fixtures.report import compare
from jimbo.parity.fixtures.steps import FixtureStep, parse
from jimbo.parity.fixtures.table import KINDS, OPEN, Fixture, chosen, table
from jimbo.parity.playing import Server, simulator
from jimbo.wire.client import Client
from jimbo.wire.errors import Late
from parity.other_games import TOO_MANY, OtherRules, served

ROOT = Path(__file__).parents[2]
FEW = "j_hack j_egg j_hallucination c_star c_judgement bl_hook tag_economy v_overstock_norm m_steel rental point_ox"
CONSTANTS = {
    "hand_order": "point_hand_order",
    "black_hole_poll_after_soul": "point_black_hole",
    "illusion_polls_every_slot": "point_illusion",
    "hone_raises_standard_editions": "point_standard_editions",
    "pareidolia_includes_stone": "point_stone_faces",
    "amber_acorn_shuffles": "point_acorn",
    "creating_items_sorts_hand": "point_hand_unsorted",
    "new_cards_stay_at_the_right": "point_new_cards",
    "copies_are_created_in_their_suit": "point_copies",
    "ox_empties_purse_at_once": "point_ox",
    "negative_keeps_slot_while_acting": "point_negative",
    "matador_pays_at_hook_and_tooth": "point_matador",
    "hallucination_excludes_pack": "point_hallucination",
    "slots_free_up_after_the_pass": "point_riff_raff",
    "typecast_spares_incompatible_jokers": "point_typecast",
    "negative_joker_needs_slots": "point_typecast",
    "chips_cap_is_fixed_before_scoring": "point_rich",
    "reroll_vouchers_cut_present_price": "point_d6",
    "golden_needle_needs_money": "point_needle",
    "inflation_counts_packs_of_tags": "point_inflation",
    "luxury_tax_rewards_debt": "point_luxury_tax",
}


@pytest.fixture(scope="module")
def game() -> Iterator[Server]:
    with simulator() as server:
        yield server


# --- The tables -------------------------------------------------------------------------------------------------------


def test_everything_has_a_fixture() -> None:
    there = {fixture.item for fixture in table().fixtures}
    assert there == {key for keys in KINDS.values() for key in keys} | {*table().points}


def test_every_open_point_is_asked_about() -> None:
    text = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \|", text.split("## Working hypotheses")[1].split("## Capacities")[0], re.MULTILINE)
    points = {name: key for key, name in table().points.items()}
    assert [row for row in rows if row not in ("point", *points)] == []
    assert [name for name in points if name not in text] == []
    header = (ROOT / "engine/rules/open_points.hpp").read_text(encoding="utf-8")
    assert {*re.findall(r"constexpr \S+(?: \w+>)? (\w+)[ {]", header)} == {*CONSTANTS}
    assert {*CONSTANTS.values()} <= {*table().points}


def test_steps_are_read() -> None:
    assert parse("-add $ S_2; +win | play S_2", "j_egg") == (
        FixtureStep("add", ("j_egg",), "-", False),
        FixtureStep("add", ("S_2",), "-", False),
        FixtureStep("set", ("chips=1000000000",), "+", False),
        FixtureStep("play", ("0",), "+", False),
        FixtureStep("play", ("S_2",), "", True),
    )


@pytest.mark.parametrize("text", ["select", "select | play 0 | play 1", "select | dance"])
def test_steps_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"needs one bar|no method"):
        parse(text, "j_egg")


# --- What they say ----------------------------------------------------------------------------------------------------


def check_passes(fixture: Fixture, game: Server, own: Server) -> None:
    result = judge(fixture, game, own)
    assert (result.status, result.why, result.difference, result.beyond) == (Status.passed, "", None, None), fixture


@pytest.mark.parametrize("item", FEW.split())
def test_our_own_server_passes(item: str, game: Server) -> None:
    with simulator() as own:
        for fixture in chosen([item]):
            check_passes(fixture, game, own)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, OPEN])
def test_our_own_server_passes_all(kind: str, game: Server) -> None:
    with simulator() as own:
        for fixture in chosen([kind]):
            check_passes(fixture, game, own)


def test_another_rule_is_found() -> None:
    with served(OtherRules) as game:
        report = compare(chosen(["j_hack", "j_fibonacci"]), game)
    (failed,) = report.failed
    found = failed.difference
    assert failed.fixture.item == "j_hack"
    assert found
    assert (found.path, found.one - found.other) == ("$.chips", TOO_MANY)
    assert found.call.startswith("play(")
    assert report.totals()["jokers"] == {"passed": 1, "failed": 1, "not exercised": 0}


def test_no_effect_is_no_pass(game: Server) -> None:
    (egg,) = chosen(["j_egg"])
    unseen = dataclasses.replace(egg, shows=("money",))
    with simulator() as own:
        result = judge(unseen, game, own)
    assert (result.status, result.why) == (Status.not_exercised, "nothing changed in money")


def test_another_boss_is_no_failure(game: Server) -> None:
    (hook,) = chosen(["bl_hook"])
    with simulator() as own:
        result = judge(dataclasses.replace(hook, needs="bl_goad"), game, own)
    assert result.status == Status.not_exercised
    assert "has not brought The Goad" in result.why


def test_what_cannot_be_set_up_is_no_failure(game: Server) -> None:
    (egg,) = chosen(["j_egg"])
    with simulator() as own:
        for steps, why in (("reroll | play 0", "reroll: Method 'reroll'"), ("select | play C_Z", "no C_Z in hand")):
            result = judge(dataclasses.replace(egg, steps=parse(steps, egg.item)), game, own)
            assert result.status == Status.not_exercised
            assert why in result.why


# --- All of them on a game --------------------------------------------------------------------------------------------


def test_a_run_that_is_being_played_is_left_alone() -> None:
    with simulator() as game:
        client = Client(game.url)
        client.start("RED", "WHITE", "MINE")
        with pytest.raises(ValueError, match="A run is being played"):
            compare(chosen(["j_egg"]), game)
        assert client.gamestate()["seed"] == "MINE"


def test_an_interrupt_keeps_what_there_is() -> None:
    def interrupt(_result: object) -> None:
        raise KeyboardInterrupt

    with simulator() as game:
        report = compare(chosen(["j_egg", "j_joker"]), game, on_result=interrupt)
        assert (len(report.results), report.interrupted) == (1, True)
        assert Client(game.url).gamestate()["state"] == "MENU"


def test_a_game_that_goes_away_keeps_what_there_is() -> None:
    with ExitStack() as stack:
        going = stack.enter_context(simulator())
        report = compare(chosen(["j_egg", "j_joker"]), going, on_result=lambda result: stack.close())
    assert len(report.results) == 1
    assert "Start the game" in report.stopped


def test_a_call_that_is_never_answered_is_no_failure(game: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Versions 1.x of the mod hang when a charged Invisible Joker is sold."""
    act = Client.act

    def hangs(client: Client, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        if method == "sell" and client.url == game.url:
            raise Late("no answer within 30 seconds", method=method, url=client.url)
        return act(client, method, params)

    monkeypatch.setattr(Client, "act", hangs)
    with simulator() as own:
        result = judge(chosen(["j_invisible"])[0], game, own)
    assert result.status == Status.not_exercised
    assert "sell j_invisible: " in result.why
    assert "no answer" in result.why
