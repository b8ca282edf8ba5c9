"""Fits to games that nobody played: what follows a position is drawn by the formula, under constants that are known."""

import math
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from jimbo.agents.expert_v1 import ExpertConfig, load_config
from jimbo.agents.expert_v1.value import Position, Round, blind_margins, log_win
from jimbo.train.expert_constants import Game, fit
from jimbo.train.expert_constants.clearing import NEAR, Clearing, chances, fit_value, log_normal
from jimbo.train.expert_constants.estimates import Estimate
from jimbo.train.expert_constants.formula import DRIFT, NOISE, Formula
from jimbo.train.expert_constants.growth import fit_items
from jimbo.train.expert_constants.lines import BlindLine, EndLine, PackLine, Place, SkipLine
from jimbo.train.expert_constants.names import changed, constants
from jimbo.train.expert_constants.packs import fit_packs
from jimbo.train.expert_constants.variation import RANGES, varied

TARGETS = (300, 800, 2000, 5000, 11000, 20000, 35000, 50000, 110000)
BASE = load_config()


def position(random: Random) -> Position:
    """Somewhere in a run that is neither won nor lost already."""
    ante, slot = random.randint(1, 8), random.randrange(3)
    level = math.log(TARGETS[ante - 1]) + random.uniform(-0.6, 1.0)
    rounds = []
    for i in range(5 - slot):
        more, of = divmod(slot + i, 3)
        target = math.log(TARGETS[min(ante - 1 + more, 8)] * (1.0, 1.5, 2.0)[of])
        dollars = 5.0 + 6 * i + random.uniform(0, 40)
        rounds.append(Round(level + random.gauss(0, 0.1), target, random.uniform(0.2, 0.5), dollars, 24))
    return Position("b_red", "stake_white", ante, slot, random.randrange(40), tuple(rounds))


def blinds_after(start: Position, config: ExpertConfig, random: Random) -> list[bool]:
    """Cleared, up to one that was lost."""
    fortune = random.gauss(0, 1)
    results = []
    for margin in blind_margins(start, config.value):
        results.append(margin.mean + fortune * margin.drift + random.gauss(0, margin.noise) > 0)
        if not results[-1]:
            break
    return results


def place(at: Position, *jokers: str) -> Place:
    return Place(at, jokers, ())


def game(number: int, blinds: list[BlindLine], *others: SkipLine | PackLine, result: str = "loss") -> Game:
    skips = tuple(line for line in others if isinstance(line, SkipLine))
    packs = tuple(line for line in others if isinstance(line, PackLine))
    draws = {name: Random(f"{name}{number}").uniform(-1, 1) for name in RANGES}
    return Game(tuple(blinds), skips, packs, EndLine(number, "SEED", 1, result, draws))


def cleared_games(config: ExpertConfig, games: int, seed: int = 1) -> Clearing:
    """One position each."""
    random = Random(seed)
    starts = [position(random) for _ in range(games)]
    results = [blinds_after(start, config, random) for start in starts]
    rows = Formula(BASE).rows(starts)
    known = np.array([ahead < len(results[p]) for p, ahead in zip(rows.position, rows.ahead, strict=True)])
    return Clearing(rows.picked(known), [cleared for result in results for cleared in result], range(games))


def off(estimate: Estimate, true: float) -> float:
    """In standard errors."""
    return (estimate.value - true) / estimate.error


# --- The formula ------------------------------------------------------------------------------------------------------


def test_the_rows_are_the_formula_under_any_constants() -> None:
    random = Random(3)
    starts = [position(random) for _ in range(40)]
    rows = Formula(BASE).rows(starts)
    for number in range(5):
        other, _ = varied(BASE, number)
        other = changed(other, {"value.unknown_spread.1": 0.9, "value.unknown_spread.0": 0.1})
        true = np.concatenate([np.array(blind_margins(start, other.value)) for start in starts])
        assert np.column_stack(rows.margins(constants(other))) == pytest.approx(true, abs=1e-9)


def test_the_chance_of_clearing_all_is_the_chance_to_win() -> None:
    random = Random(4)
    starts = [replace(position(random), unseen=0.3) for _ in range(40)]
    rows = Formula(BASE).rows(starts)
    found = chances(rows.position, 40, rows.margins(constants(BASE)), np.ones(len(rows.position)))
    assert found.log == pytest.approx([log_win(start, BASE.value) for start in starts], abs=1e-5)
    assert log_normal(np.array([-8.0, 0.0, 3.0])) == pytest.approx([-35.0134371, math.log(0.5), -0.00135081], rel=1e-5)


def test_scores_are_slopes() -> None:
    data, present = cleared_games(BASE, 60), constants(BASE)
    _, scores = data.scores(present, tuple(NEAR))
    for place_, name in enumerate(NEAR):
        nudge = 1e-4
        factor = present[name] if name in (*NOISE, DRIFT, "value.money") else 1.0
        up, down = ({**present, name: present[name] + sign * nudge * factor} for sign in (1, -1))
        slope = data.positions * (data.log_chance(up) - data.log_chance(down)) / (2 * nudge)
        assert scores[:, place_].sum() == pytest.approx(slope, rel=0.01, abs=0.02)


# --- The value --------------------------------------------------------------------------------------------------------


def test_the_constants_behind_clears_and_losses_are_found() -> None:
    true = {
        "value.known.0": 0.5,
        "value.known.1": 0.8,
        "value.unknown.1": 0.1,
        "value.early_gain": 3.0,
        "value.money": 0.7,
        "value.spread": 0.6,
        "value.drift": 0.4,
    }
    found = {e.name: e for e in fit_value(cleared_games(changed(BASE, true), 3000), constants(BASE))}
    assert found.keys() == NEAR.keys()
    for name, value in true.items():
        assert found[name].fitted
        assert abs(off(found[name], value)) < 3
    assert abs(off(found["value.early_gain"], BASE.value.early_gain)) > 3
    assert abs(off(found["value.drift"], BASE.value.drift)) > 3


def test_errors_are_as_large_as_misses() -> None:
    """Over several sets of games the misses spread by about one standard error."""
    misses = [
        off(estimate, estimate.before)
        for seed in range(6)
        for estimate in fit_value(cleared_games(BASE, 400, seed), constants(BASE))
        if estimate.fitted
    ]
    assert len(misses) > 30
    assert 0.5 < float(np.std(misses)) < 1.3


def test_more_games_tell_more_and_few_tell_nothing() -> None:
    few, many = (fit_value(cleared_games(BASE, games), constants(BASE)) for games in (30, 2000))
    assert all(a.error < b.error for a, b in zip(many, few, strict=True) if a.fitted and b.fitted)
    assert sum(e.fitted for e in few) < sum(e.fitted for e in many)
    assert [e.name for e in few if not e.fitted]


def test_positions_of_one_game_count_together() -> None:
    """The same game ten times over says no more than once."""
    once = cleared_games(BASE, 300)
    random = Random(1)
    starts = [position(random) for _ in range(300)]
    results = [blinds_after(start, BASE, random) for start in starts]
    rows = Formula(BASE).rows([start for start in starts for _ in range(10)])
    known = np.array([ahead < len(results[p // 10]) for p, ahead in zip(rows.position, rows.ahead, strict=True)])
    cleared = [each for result in results for _ in range(10) for each in result]
    repeated = Clearing(rows.picked(known), cleared, [game_ for game_ in range(300) for _ in range(10)])
    for a, b in zip(fit_value(once, constants(BASE)), fit_value(repeated, constants(BASE)), strict=True):
        assert (a.name, a.value, a.error) == (
            b.name,
            pytest.approx(b.value, abs=0.02),
            pytest.approx(b.error, rel=0.05),
        )


# --- Worths of things -------------------------------------------------------------------------------------------------

WORTHS = {"j_baron": 0.4, "j_joker": -0.3, "j_egg": 0.0, "j_mime": 0.2}


def growing_game(number: int, formula: Formula, random: Random, tag: str = "") -> Game:
    """Blinds one after the other, each forecast anew: more by what the formula expects, what is owned and chance."""
    jokers = tuple(key for key in (*WORTHS, "j_baron") if random.random() < 0.4)
    at = position(random)
    at = replace(at, ante=min(at.ante, 6), slot=0, rounds=(*at.rounds, *at.rounds)[:5])
    blinds, skips = [], []
    if tag:
        skips = [SkipLine(place(at), tag, 0)]
    for slot in range(3):
        blinds.append(BlindLine(place(replace(at, slot=slot), *jokers), "bl_small", 0.1, cleared=True))
        row = formula.rows([replace(at, slot=slot)])
        growth = row.slopes("value.gain_per_blind", "value.early_gain", "value.money")[1] @ (0.04, 3.9, 0.48)
        worth = sum(WORTHS[key] for key in jokers) * row.slopes("unseen")[1, 0]
        rounds = [replace(r, log_score=r.log_score + growth + worth) for r in at.rounds[1:]]
        rounds[0] = replace(rounds[0], log_score=rounds[0].log_score + random.gauss(0, 0.3))
        at = replace(at, rounds=(*rounds, rounds[-1]))
    return game(number, blinds, *skips)


def test_worths_of_things_are_found_and_those_of_seldom_ones_kept() -> None:
    random, formula = Random(5), Formula(BASE)
    games = [growing_game(number, formula, random) for number in range(400)]
    seldom = growing_game(400, formula, random)
    owned = replace(seldom.blinds[0].place, jokers=("j_blueprint",))
    games.append(replace(seldom, blinds=(replace(seldom.blinds[0], place=owned), *seldom.blinds[1:])))
    worths = fit_items(games, BASE)
    found = {estimate.name: estimate for estimate in worths.estimates}
    for key, true in WORTHS.items():
        estimate = found[f"unseen.jokers.{key}"]
        assert estimate.fitted
        assert estimate.games > 100
        assert abs(off(estimate, true)) < 3.5
        assert estimate.error < 0.1
    assert not found["unseen.jokers.j_blueprint"].fitted
    assert found["unseen.jokers.j_blueprint"].games == 1
    assert not found["unseen.vouchers.v_blank"].fitted
    assert found["unseen.vouchers.v_blank"].games == 0


def test_what_is_worth_nothing_is_drawn_to_zero() -> None:
    random, formula = Random(6), Formula(BASE)
    games = [growing_game(number, formula, random) for number in range(60)]
    shuffled = [
        replace(one, blinds=tuple(replace(line, place=replace(line.place, jokers=other.blinds[0].place.jokers))
                                  for line in one.blinds))
        for one, other in zip(games, games[7:] + games[:7], strict=True)
    ]  # fmt: skip
    told, untold = (fit_items(each, BASE) for each in (games, shuffled))
    assert untold.pull > told.pull


# --- Packs ------------------------------------------------------------------------------------------------------------


def opened(random: Random, kind: str, worth: float, *, larger: bool = False) -> PackLine:
    paid = position(random)
    gain = worth + random.gauss(0, 0.05)
    after = replace(paid, rounds=tuple(replace(r, log_score=r.log_score + gain) for r in paid.rounds))
    return PackLine(kind, larger, place(paid), place(after))


def test_worths_of_packs_are_found() -> None:
    random = Random(7)
    games = [
        game(number, [], opened(random, "arcana", 0.06), opened(random, "arcana", 0.12, larger=True))
        for number in range(80)
    ]
    games.append(game(80, [], opened(random, "spectral", 0.5)))
    found = {estimate.name: estimate for estimate in fit_packs(games, BASE)}
    assert found["unseen.arcana"].value == pytest.approx(0.06, abs=0.02)
    assert found["unseen.arcana"].error < 0.02
    assert found["unseen.larger_pack"].value == pytest.approx(2.0, abs=0.5)
    assert found["unseen.arcana"].fitted
    assert not found["unseen.spectral"].fitted
    assert not found["unseen.buffoon"].fitted
    assert found["unseen.buffoon"].value == BASE.unseen.buffoon


# --- All of it --------------------------------------------------------------------------------------------------------


def test_too_few_games_are_refused() -> None:
    with pytest.raises(ValueError, match="At least 10 games are needed for a fit, and there are 3"):
        fit([game(number, []) for number in range(3)], BASE)
    with pytest.raises(ValueError, match="None of the games holds a blind"):
        fit([game(number, []) for number in range(12)], BASE)


def test_what_the_games_cannot_tell_stays_as_it_was() -> None:
    random, formula = Random(8), Formula(BASE)
    games = [growing_game(number, formula, random, "tag_rare") for number in range(12)]
    found = fit(games, BASE)
    before, now = constants(BASE), constants(found.config)
    fitted = {estimate.name for estimate in found.estimates if estimate.fitted}
    assert {name for name in now if now[name] != before.get(name)} <= fitted
    assert not [name for name in fitted if name.startswith("unseen.")]
    assert all(slope.error >= 0 for slope in found.slopes.values())


def test_what_varying_a_constant_did_to_wins_is_told() -> None:
    random, formula = Random(10), Formula(BASE)
    games = [growing_game(number, formula, random) for number in range(150)]
    games = [
        replace(one, end=replace(one.end, result="win" if one.end.draws["money"] + random.gauss(0, 1) > 0 else "loss"))
        for one in games
    ]
    slopes = fit(games, BASE).slopes
    assert slopes.keys() == RANGES.keys()
    assert slopes["money"].points > 4 * slopes["money"].error
    assert sum(abs(slope.points) > 2 * slope.error for slope in slopes.values()) <= 3


def test_an_ante_that_comes_again_ends_what_follows() -> None:
    random = Random(9)
    starts = [replace(position(random), ante=ante, slot=slot) for ante, slot in ((3, 1), (3, 2), (3, 0), (3, 1))]
    blinds = [BlindLine(place(start), "bl_small", 0.1, cleared=True) for start in starts]
    one = game(0, blinds)
    assert [ahead for ahead, _ in one.followers(blinds[0].place, 0)] == [0, 1]
    assert [ahead for ahead, _ in one.followers(blinds[2].place, 2)] == [0, 1]
