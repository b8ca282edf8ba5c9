"""The expert: fair, reproducible, and every part of it can be switched off."""

import itertools
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from agents.played import HIDING_BOSSES, Player, before_the_boss, skip_to_the_boss
from jimbo import agents
from jimbo.agents import Decision
from jimbo.agents.expert_v1 import ExpertV1Agent, ExpertV1Options, load_config
from jimbo.agents.expert_v1.reasons import WinReasons
from jimbo.agents.expert_v1.targets import target_choices
from jimbo.agents.expert_v1.value import Forecaster, Position, Round, blind_margins, log_win
from jimbo.backends import RevealedState
from jimbo.engine import Action, Run
from jimbo.engine.catalog import CONSUMABLES, HANDS, JOKERS, TAGS, VOUCHERS
from rules.situation import Scene

CONSTANTS = Path(agents.__file__).parent / "expert_v1" / "expert.yaml"
QUICK: dict[str, Any] = {"effort": 0.04}


PLAYER = Player("expert-v1", **QUICK)
positions, decided = PLAYER.positions, PLAYER.decided


def flipping_bosses() -> Iterator[Run]:
    for boss in HIDING_BOSSES:
        run = before_the_boss(boss)
        run.step(Action("select_blind"))
        yield run


def test_decisions_do_not_depend_on_what_is_hidden() -> None:
    """Draw order, face-down identities and every random stream replaced: the same decision, to the last figure."""
    phases = set()
    for run in itertools.chain(flipping_bosses(), positions("FAIRPLAY"), positions("FAIRTOO")):
        phases.add(run.phase)
        seen = decided(run)
        for nonce in (11, 12):
            assert decided(run.determinize(nonce)) == seen
    assert phases == {"blind_select", "selecting_hand", "round_eval", "shop", "pack_opening"}


def test_a_nonce_decides_the_same_again() -> None:
    run = list(positions("SAMEOLD", max_steps=12))[-1]
    assert decided(run) == decided(run)


def test_another_nonce_looks_at_other_worlds() -> None:
    hands = [run for run in positions("SAMEOLD", max_steps=20) if run.phase == "selecting_hand"]
    assert any(decided(run, nonce=6).considered != decided(run).considered for run in hands)


def test_more_effort_looks_at_more_worlds() -> None:
    run = Run(seed="WORLDS")
    run.step(Action("select_blind"))
    found = [re.search(r"of (\d+) worlds", decided(run, effort=effort).explanation) for effort in (0.04, 0.2, 1.0)]
    worlds = [int(match[1]) for match in found if match]
    assert worlds == sorted(set(worlds))
    assert (len(worlds), worlds[-1] > 100) == (3, True)


def test_the_clairvoyant_twin_does_depend_on_it() -> None:
    """The check above would notice a leak: with everything revealed, decisions change."""
    runs = [run for run in positions("TWIN") if run.phase == "selecting_hand"]

    def cheated(run: Run) -> Action:
        agent = ExpertV1Agent(ExpertV1Options(**QUICK, clairvoyant=True))
        agent.reset(5)
        return agent.act(RevealedState(run)).action

    assert any(cheated(run) != cheated(run.determinize(3)) for run in runs)


def test_a_decision_says_why() -> None:
    runs = list(positions("REASONS"))
    hand = next(decided(run) for run in runs if run.phase == "selecting_hand")
    assert "clears in" in hand.explanation
    assert 0 <= hand.considered[0].clear <= 1
    assert hand.considered[0].error > 0
    assert hand.seconds > 0
    shops = [decided(run) for run in runs if run.phase == "shop"]
    assert all(shop.explanation for shop in shops)
    assert any(len(shop.considered) > 1 for shop in shops)


def test_what_was_considered_is_told_best_first_with_what_their_values_are() -> None:
    measures: dict[str, set[str]] = {}
    for run in itertools.chain(positions("REASONS"), positions("FAIRPLAY")):
        decision = decided(run)
        values = [round(one.value, 3) for one in decision.considered]
        assert values == sorted(values, reverse=True)
        assert sum(one.chosen for one in decision.considered) == (1 if values else 0)
        if values:
            measures.setdefault(run.phase, set()).add(decision.measure)
            chosen = next(one for one in decision.considered if one.chosen)
            assert chosen.action == decision.action or decision.action.kind == "move_card"
    assert measures["selecting_hand"] >= {"clear"}
    assert measures["shop"] == measures["pack_opening"] == measures["blind_select"] == {"win"}
    run = Run(seed="NOSOLVER")
    run.step(Action("select_blind"))
    assert decided(run, solver=False).measure == "score"


def test_a_gain_is_told_in_percentage_points() -> None:
    """From a chance to win of 20 % to one of 25 %: five points, whatever the ratio."""
    reasons = WinReasons(math.log(0.2))
    gain = math.log(0.25 / 0.2)
    assert reasons.considered(Action("reroll"), gain).value == pytest.approx(5.0)
    assert reasons.text(gain) == "+5.0 points on a chance to win of 20.0 %"


def test_money_without_another_use_is_spent_on_rerolls() -> None:
    """In the shop before the last boss, with more than all it sells costs."""
    run = Run(seed="LASTSHOP")
    run.debug_set_ante(8)
    for _ in range(5):
        run.debug_add_joker("j_cavendish")
    run.debug_raise_level("High Card", 40)
    run.step(Action("skip_blind"))
    if run.phase == "pack_opening":
        run.step(Action("skip_pack"))
    run.step(Action("select_blind"))
    while run.phase == "selecting_hand":
        run.step(Action("play", cards=[0]))
    run.step(Action("cash_out"))
    run.dollars = 60
    agent = ExpertV1Agent(ExpertV1Options(**QUICK))
    agent.reset(1)
    kinds = []
    while run.phase != "blind_select":
        action = agent.act(run.public_state()).action
        kinds.append(action.kind)
        run.step(action)
    assert kinds.count("reroll") > 2


def test_no_chance_is_told_where_none_was_computed() -> None:
    run = Run(seed="BROKE")
    run.debug_raise_level("High Card", 40)
    for action in (Action("select_blind"), Action("play", cards=[0]), Action("cash_out")):
        run.step(action)
    run.dollars = -30
    decision = decided(run)
    assert (decision.action.kind, decision.win, decision.considered) == ("leave_shop", None, ())


def test_without_the_solver_the_best_play_is_played() -> None:
    run = Run(seed="NOSOLVER")
    run.step(Action("select_blind"))
    decision = decided(run, solver=False)
    assert decision.action.kind == "play"
    most = max(run.preview(a.cards, "expected").score for a in run.legal_actions() if a.kind == "play")
    assert run.preview(decision.action.cards, "expected").score == most


def test_without_consumables_none_is_used() -> None:
    run = Run(seed="NOTAROT")
    run.debug_add_consumable("c_mercury")
    run.step(Action("select_blind"))
    assert decided(run, effort=1.0).action.kind == "use"
    assert decided(run, consumables=False).action.kind != "use"
    run.step(Action("play", cards=[0]))
    assert decided(run, effort=1.0).action.kind != "use"  # the time for it is before the first hand


def test_a_consumable_that_does_harm_is_kept() -> None:
    """Ankh would destroy all jokers but one."""
    run = Run(seed="HURT")
    for joker in ("j_joker", "j_gros_michel", "j_duo", "j_cavendish"):
        run.debug_add_joker(joker)
    run.debug_add_consumable("c_ankh")
    run.step(Action("select_blind"))
    assert run.refusal(Action("use", index=0)) is None
    assert decided(run, effort=0.2).action.kind == "play"


def test_jokers_that_only_cost_are_sold() -> None:
    """A rent of $3 a round each, for nothing."""
    jokers = ["j_mr_bones:rental", "j_luchador:rental", "j_ring_master:rental"]
    shop = Scene(phase="shop", jokers=jokers, money=0, ante=4, levels=dict.fromkeys(HANDS, 12))
    assert {decided(shop.build(), nonce, effort=0.2).action.kind for nonce in range(4)} == {"sell_joker"}


def test_another_boss_is_asked_for_where_this_one_is_too_hard() -> None:
    def before(boss: str) -> Run:
        run = Run(seed="BOSS")
        run.debug_redeem("v_directors_cut")
        run.debug_set_ante(8)
        run.debug_set_boss(boss)
        run.dollars = 40
        for hand in HANDS:
            run.debug_raise_level(hand, 10)
        for joker in ("j_joker", "j_cavendish"):
            run.debug_add_joker(joker)
        skip_to_the_boss(run)
        return run

    kinds = {
        boss: [decided(before(boss), nonce, effort=0.2).action.kind for nonce in range(6)]
        for boss in ("bl_final_vessel", "bl_hook")
    }
    assert kinds["bl_final_vessel"].count("reroll_boss") >= 4
    assert set(kinds["bl_hook"]) == {"select_blind"}


def test_a_plan_that_can_no_longer_be_followed_is_given_up() -> None:
    run = Run(seed="PHOTO")
    for joker in ("j_photograph", "j_hanging_chad"):
        run.debug_add_joker(joker)
    run.debug_raise_level("Three of a Kind", 5)
    elsewhere = run.clone()
    run.step(Action("select_blind"))
    for card, enhancement in (("S_K", None), ("H_K", "m_mult"), ("C_K", None)):
        run.debug_add_card(card, enhancement=enhancement)
    agent = ExpertV1Agent(ExpertV1Options(**QUICK, solver=False))
    agent.reset(1)
    assert agent.act(run.public_state()).action.kind == "move_card"  # and the play is planned
    for _ in range(2):
        decision = agent.act(elsewhere.public_state())
        assert elsewhere.refusal(decision.action) is None
        assert decision.explanation != "as planned"


def test_jokers_are_put_in_order() -> None:
    run = Run(seed="ORDER")
    for joker in ("j_cavendish", "j_joker", "j_gros_michel"):
        run.debug_add_joker(joker)
    assert decided(run, joker_order=False).action.kind == "select_blind"
    while (decision := decided(run)).action.kind == "move_joker":
        moved = run.public_state().jokers[decision.action.index].name
        assert decision.explanation == f"{moved} scores more at place {decision.action.to + 1}"
        run.step(decision.action)
    assert decision.action.kind == "select_blind"
    assert run.joker_keys[-1] == "j_cavendish"


def test_played_cards_are_put_in_order() -> None:
    """Photograph doubles at the first face card, which Hanging Chad scores again: more is to be doubled by then."""

    def played(**options: Any) -> tuple[list[str], float]:
        run = Run(seed="PHOTO")
        for joker in ("j_photograph", "j_hanging_chad"):
            run.debug_add_joker(joker)
        run.debug_raise_level("Three of a Kind", 5)
        run.step(Action("select_blind"))
        for card, enhancement in (("S_K", None), ("H_K", "m_mult"), ("C_K", None)):
            run.debug_add_card(card, enhancement=enhancement)
        agent = ExpertV1Agent(ExpertV1Options(**QUICK, solver=False, **options))
        agent.reset(1)
        kinds = []
        while not kinds or kinds[-1] != "play":
            action = agent.act(run.public_state()).action
            kinds.append(action.kind)
            run.step(action)
        return kinds, run.chips

    kinds, score = played()
    plain_kinds, plain_score = played(joker_order=False)
    assert (set(kinds), kinds.count("play"), plain_kinds) == ({"move_card", "play"}, 1, ["play"])
    assert score > plain_score


def test_a_boss_is_ended_by_a_sale() -> None:
    run = Run(seed="LEAF")
    run.debug_set_ante(8)
    for joker in ("j_joker", "j_egg", "j_cavendish", "j_duo", "j_abstract"):
        run.debug_add_joker(joker)
    run.debug_set_boss("bl_final_leaf")
    run.debug_raise_level("Pair", 9)
    while run.on_deck != "boss":
        run.step(Action("skip_blind"))
        if run.phase == "pack_opening":
            run.step(Action("skip_pack"))
    run.step(Action("select_blind"))
    decision = decided(run, effort=1.0)
    assert decision.action.kind == "sell_joker"
    assert run.public_state().jokers[decision.action.index].key in ("j_egg", "j_joker", "j_abstract")


def test_a_blind_is_skipped_for_a_tag_that_is_worth_it(tmp_path: Path) -> None:
    run = Run(seed="SKIPPING")
    tag = run.public_state().blinds[0].tag
    assert tag is not None

    def with_worth(worth: float) -> Decision:
        constants = yaml.safe_load(CONSTANTS.read_text())
        constants["unseen"]["tags"] = {tag.key: worth}
        (tmp_path / "constants.yaml").write_text(yaml.safe_dump(constants))
        return decided(run, config=str(tmp_path / "constants.yaml"))

    assert with_worth(3.0).action == Action("skip_blind")
    assert with_worth(-3.0).action == Action("select_blind")


def test_a_run_goes_far() -> None:
    """Not luck: hardly any of such runs ends before ante 3."""
    last = list(positions("GOESFAR", max_steps=400))[-1]
    assert last.ante >= 3


# --- Constants --------------------------------------------------------------------------------------------------------


def test_effort_scales_the_work() -> None:
    effort = load_config().effort
    assert effort.scaled(2).rollouts == 2 * effort.rollouts
    assert effort.scaled(2).finalists == effort.finalists
    assert effort.scaled(2).judge_worlds == effort.judge_worlds > effort.scaled(0.2).judge_worlds
    assert effort.scaled(0.001).first_worlds == 2
    assert effort.scaled(1e9).rollouts == effort.scaled(1e12).rollouts


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("\nthreshold: 0.001\n", "\n"), "threshold missing"),
        (("\nthreshold:", "\ntreshold:"), "threshold missing"),
        (("  spread:", "  sprad: 1\n  spread:"), "value: sprad unknown"),
        (("forecast:\n  rounds_beyond_boss: 2", "forecast: 2"), "forecast: expected named values, not 2"),
        (("effort:", "effort: ["), r"broken\.yaml, line \d+, is not valid YAML"),
        (("spread: 0.44", "spread: 0"), r"value: spread must be a number from 0.001 to 100, not 0"),
        (("spread: 0.44", "spread: .nan"), "value: spread must be a number from 0.001 to 100, not nan"),
        (("drift: 0.27", "drift: -.inf"), "value: drift must be a number from 0 to 100, not -inf"),
        (("drift: 0.27", "drift:"), "value: drift must be a number from 0 to 100, not None"),
        (("drift: 0.27", "drift: true"), "value: drift must be a number from 0 to 100, not True"),
        (("money_unit: 10.0", "money_unit: ten"), 'value: money_unit must be a number from 0.01 to 1,000, not "ten"'),
        (("known: [0.8, 0.57, 0.32]", "known: [0.8, 0.57]"), "value: known must be a list of 3 numbers"),
        (("known: [0.8, 0.57, 0.32]", "known: 0.8"), "value: known must be a list of 3 numbers"),
        (("0.57, 0.32]", "0.57, x]"), r"value: known\[2\] must be a number from -100 to 100"),
        (("rollouts: 500", "rollouts: 0"), "effort: rollouts must be a whole number from 1 to 10,000,000, not 0"),
        (("rollouts: 500", "rollouts: 2.5"), "effort: rollouts must be a whole number"),
        (("rounds_beyond_boss: 2", "rounds_beyond_boss: 4"), "rounds_beyond_boss must be a whole number from 0 to 3"),
        (("tag_uncommon: 0.04", "tag_uncomon: 0.04"), 'unseen: tags cannot have "tag_uncomon"'),
        (("tag_uncommon: 0.04", "5: 0.04"), "unseen: tags cannot have 5"),
        (("tag_uncommon: 0.04", "tag_uncommon: -101"), "unseen: tags.tag_uncommon must be a number from -100 to 100"),
    ],
)
def test_a_broken_file_of_constants_is_refused(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    text = CONSTANTS.read_text()
    broken = tmp_path / "broken.yaml"
    assert change[0] in text
    broken.write_text(text.replace(*change))
    with pytest.raises(ValueError, match=message) as raised:
        load_config(broken)
    assert "\n" not in str(raised.value)


BOMB = b"- &a0 [x]\n" + b"".join(b"- &a%d [%s]\n" % (n, b", ".join([b"*a%d" % (n - 1)] * 9)) for n in range(1, 10))
"""A few lines that stand for a list of 9 ** 9 texts."""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "expected named values, not None"),
        (b"- 1", "expected named values"),
        (b"effort: &a\n  *a", "is not valid YAML"),
        (b"threshold: 1\nthreshold: 2", "threshold appears twice"),
        (BOMB, "is not valid YAML: it stands for too many values"),
        (b"a: 2020-13-45", "is not valid YAML"),
        (b"\0", "is not valid YAML: unacceptable character"),
        (b"\xff", "cannot be read: not UTF-8 text"),
        (b"[" * 5000, "is not valid YAML: nested too deeply"),
        (b"!!python/object:os.system {}", "line 1, is not valid YAML: could not determine a constructor"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "constants.yaml"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message) as raised:
        load_config(path)
    assert "\n" not in str(raised.value)
    for missing, reason in ((tmp_path, "Is a directory"), (tmp_path / "none.yaml", "No such file")):
        with pytest.raises(ValueError, match=f"{missing} cannot be read: {reason}"):
            load_config(missing)


# --- Value ------------------------------------------------------------------------------------------------------------


def position(log_score: float = 7.0, dollars: float = 10.0, unseen: float = 0.0) -> Position:
    rounds = tuple(Round(log_score + i / 100, 5.7, 0.3, dollars + 5 * i, 8) for i in range(5))
    return Position("b_red", "stake_white", 1, 0, 4, rounds, unseen)


def test_more_score_and_more_money_are_worth_more() -> None:
    config = load_config().value
    values = [log_win(position(log_score), config) for log_score in (5.0, 6.0, 7.0, 9.0)]
    assert values == sorted(values)
    assert log_win(position(dollars=30), config) > log_win(position(dollars=10), config)
    assert log_win(position(unseen=0.2), config) > log_win(position(), config)
    assert len(blind_margins(position(), config)) == 24


def test_the_last_boss_is_the_hardest_and_the_furthest_the_least_certain() -> None:
    margins = blind_margins(position(), load_config().value)
    assert min(margins) == margins[-1]
    assert [m.drift for m in margins] == sorted(m.drift for m in margins)


def test_targets_beyond_the_forecast_are_those_of_the_deck() -> None:
    """The Plasma Deck doubles them. The five blinds of the forecast bring their own."""
    config = load_config().value
    red, plasma = (blind_margins(replace(position(), deck=deck), config) for deck in ("b_red", "b_plasma"))
    harder = [a.mean - b.mean for a, b in zip(red, plasma, strict=True)]
    assert harder == pytest.approx([0.0] * 5 + [math.log(2)] * 19)
    assert Forecaster(load_config(), 1).position(Run(seed="PLASMA", deck="plasma"), 2).deck == "b_plasma"


def test_a_run_that_is_over_has_no_chance() -> None:
    assert log_win(Position("b_red", "stake_white", 1, 0, 4, ()), load_config().value) < -20


def test_what_a_forecast_cannot_see_is_added() -> None:
    config = load_config()
    run = Run(seed="UNSEEN")
    run.debug_add_joker("j_constellation")
    run.debug_redeem("v_overstock_norm")
    expected = config.unseen.jokers["j_constellation"] + config.unseen.vouchers["v_overstock_norm"]
    assert Forecaster(config, 1).position(run, 2).unseen == pytest.approx(expected)


def test_the_tables_name_things_that_exist() -> None:
    unseen = load_config().unseen
    assert unseen.jokers.keys() <= JOKERS.keys()
    assert unseen.vouchers.keys() <= VOUCHERS.keys()
    assert unseen.tags.keys() <= TAGS.keys()


def test_two_forecasts_together_are_their_mean() -> None:
    both = position(6.0).with_more(position(8.0))
    assert both.rounds[0].log_score == pytest.approx(7.0)
    assert both.rounds[0].worlds == 16
    assert both.rounds[0].spread == pytest.approx((0.3**2 + 1.0) ** 0.5)


def test_targets_fit_their_consumable() -> None:
    run = Run(seed="TARGETS")
    run.step(Action("select_blind"))
    hand = run.public_state().hand
    for fact in CONSUMABLES.values():
        choices = target_choices(hand, fact)
        assert choices
        assert all(fact.min_targets <= len(choice) <= fact.max_targets for choice in choices)
        assert len(set(choices)) == len(choices)
