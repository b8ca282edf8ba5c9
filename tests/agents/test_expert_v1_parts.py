"""The parts of the expert one by one: the value of a position, the options it compares, the chances it tries out."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from jimbo.agents.expert_v1 import ExpertV1Agent, ExpertV1Options, load_config
from jimbo.agents.expert_v1.chances import Chances
from jimbo.agents.expert_v1.options import Option, pack_options, shop_options
from jimbo.agents.expert_v1.targets import target_choices
from jimbo.agents.expert_v1.value import Position, Round, blind_margins, log_win
from jimbo.agents.seen import Seen
from jimbo.engine import Action, Run
from jimbo.engine.catalog import CONSUMABLES
from rules.situation import Scene

CONFIG = load_config()

# --- Value ------------------------------------------------------------------------------------------------------------

FORECAST, BLINDS = 5, 24
ROUNDS = tuple(Round(7.0 + i / 100, 5.7, 0.3, 10.0 + 5 * i, 8) for i in range(FORECAST))
START = Position("b_red", "stake_white", 1, 0, 4, ROUNDS)


def means(position: Position = START, **changes: Any) -> list[float]:
    return [margin.mean for margin in blind_margins(position, replace(CONFIG.value, **changes))]


def gained(position: Position = START, **changes: Any) -> list[float]:
    """By what the mean of each blind rises when a constant, or the position, is another."""
    return [after - before for before, after in zip(means(), means(position, **changes), strict=True)]


def raised(name: str, place: int) -> dict[str, tuple[float, ...]]:
    """One of three constants, for usual blinds, bosses and the last boss, raised by 1."""
    values: list[float] = list(getattr(CONFIG.value, name))
    values[place] += 1
    return {name: tuple(values)}


def ones(*blinds: int) -> list[float]:
    return [float(i in blinds) for i in range(BLINDS)]


def test_bosses_have_constants_of_their_own_and_the_last_one_too() -> None:
    bosses = range(2, BLINDS, 3)
    usual = [i for i in range(BLINDS) if i not in bosses]
    assert gained(**raised("known", 0)) == pytest.approx(ones(*(i for i in usual if i < FORECAST)))
    assert gained(**raised("known", 1)) == pytest.approx(ones(2))
    assert gained(**raised("known", 2)) == pytest.approx(ones())
    assert gained(**raised("unknown", 0)) == pytest.approx(ones(*(i for i in usual if i >= FORECAST)))
    assert gained(**raised("unknown", 1)) == pytest.approx(ones(*(i for i in bosses if FORECAST <= i < BLINDS - 1)))
    assert gained(**raised("unknown", 2)) == pytest.approx(ones(BLINDS - 1))


def test_scores_grow_blind_by_blind_and_most_at_first() -> None:
    value = CONFIG.value
    assert gained(gain_per_blind=value.gain_per_blind + 1) == pytest.approx(list(range(BLINDS)))
    early = [1 - math.exp(-i / value.early_blinds) for i in range(BLINDS)]
    assert gained(early_gain=value.early_gain + 1) == pytest.approx(early)


def test_what_a_forecast_cannot_see_comes_at_once_or_in_time() -> None:
    assert gained(replace(START, at_once=1.0)) == pytest.approx([1.0] * BLINDS)
    in_time = [1 - math.exp(-i / CONFIG.value.unseen_delay) for i in range(BLINDS)]
    assert gained(replace(START, unseen=1.0)) == pytest.approx(in_time)


def test_money_turns_into_score_with_what_will_be_earned() -> None:
    value = CONFIG.value
    income = (ROUNDS[-1].dollars - START.dollars) / FORECAST
    seen = [float(START.dollars), *(r.dollars for r in ROUNDS[:-1])]
    later = [ROUNDS[-1].dollars + value.income_kept * income * (n + 1) for n in range(BLINDS - FORECAST)]
    worth = [
        math.log1p(dollars / value.money_unit) * (1 - math.exp(-i / value.money_delay))
        for i, dollars in enumerate([*seen, *later])
    ]
    assert gained(money=value.money + 1) == pytest.approx(worth)


def test_each_blind_has_luck_of_its_own_and_all_share_some() -> None:
    value = CONFIG.value
    margins = blind_margins(START, value)
    own = [ROUNDS[i].spread if i < FORECAST else value.unknown_spread[int(i % 3 == 2)] for i in range(BLINDS)]
    assert [margin.noise for margin in margins] == pytest.approx([math.hypot(s, value.spread) for s in own])
    assert [margin.drift for margin in margins] == pytest.approx([value.drift * math.sqrt(i) for i in range(BLINDS)])


def test_the_chance_to_win_is_a_product_over_the_blinds() -> None:
    """Without luck that they share, and with one blind left it is the chance of that one."""
    value = replace(CONFIG.value, drift=0.0)
    last = replace(START, ante=8, slot=2, rounds=ROUNDS[:1])
    chances = [0.5 * math.erfc(-m.mean / m.noise / math.sqrt(2)) for m in blind_margins(START, value)]
    assert log_win(START, value) == pytest.approx(math.log(math.prod(chances)))
    (margin,) = blind_margins(last, value)
    assert log_win(last, value) == pytest.approx(math.log(0.5 * math.erfc(-margin.mean / margin.noise / math.sqrt(2))))


# --- Options ----------------------------------------------------------------------------------------------------------


def in_shop(**more: Any) -> Seen:
    return Seen(Scene(phase="shop", **{"money": 20, **more}).build().public_state())


def offered(shown: Seen, sellable: Sequence[int] = (), *, consumables: bool = True) -> list[Option]:
    return list(shop_options(shown, CONFIG.unseen, sellable, consumables=consumables))


def test_a_pack_costs_its_price_and_is_worth_what_its_kind_brings() -> None:
    packs = ["p_buffoon_normal_1", "p_arcana_jumbo_1", "p_celestial_normal_1"]
    options = offered(in_shop(boosters=packs))
    assert [option.actions for option in options] == [(Action("open_booster", index=n),) for n in range(3)]
    assert [option.after.dollars for option in options] == [16, 14, 16]
    unseen = CONFIG.unseen
    worths = [unseen.buffoon, unseen.arcana * unseen.larger_pack, unseen.celestial]
    assert [option.unseen for option in options] == pytest.approx(worths)
    (full,) = offered(in_shop(boosters=packs[:1], jokers=["j_joker"] * 5))
    assert full.unseen == unseen.buffoon_when_full != unseen.buffoon


def test_consumables_are_used_or_kept_for_later() -> None:
    shown = in_shop(shop=["c_mercury", "c_magician"])
    kinds = [(option.actions[0].kind, option.actions[0].index, option.unseen) for option in offered(shown)]
    assert kinds == [("buy_and_use", 0, 0.0), ("buy", 1, CONFIG.unseen.held_tarot)]
    assert offered(shown, consumables=False) == []


def test_a_joker_is_sold_only_where_there_is_no_room() -> None:
    shop = ["j_duo"]
    assert [o.actions for o in offered(in_shop(shop=shop, jokers=["j_joker"]), [0])] == [(Action("buy", index=0),)]
    full = offered(in_shop(shop=shop, jokers=["j_joker"] * 5), [3, 1])
    assert [o.actions for o in full] == [(Action("sell_joker", index=n), Action("buy", index=0)) for n in (3, 1)]
    assert [o.then for o in full] == ["then buy The Duo"] * 2


def test_picks_are_aimed() -> None:
    scene = Scene(
        phase="pack_opening", pack="p_arcana_normal_1", pack_cards=["c_death", "c_mercury"], hand="2D KS QH", picks=1
    )
    options = list(pack_options(Seen(scene.build().public_state()), consumables=True))
    picks = [(option.actions[0].index, list(option.actions[0].cards)) for option in options]
    assert picks == [(0, [0, 1]), (0, [0, 2]), (1, [])]
    assert list(pack_options(Seen(scene.build().public_state()), consumables=False)) == []


def test_death_copies_to_the_left_what_ranks_higher() -> None:
    hand = Scene(hand="2S KH 5D").build().hand
    assert target_choices(hand, CONSUMABLES["c_death"]) == [(0, 1), (0, 2)]


def test_the_card_of_cerulean_bell_is_always_among_the_chosen() -> None:
    hand = Scene(hand="2D@ KS QH", blind="bl_final_bell").build().hand
    for key in ("c_death", "c_magician", "c_hanged_man", "c_strength", "c_star"):
        choices = target_choices(hand, CONSUMABLES[key])
        assert choices == [choice for choice in choices if 0 in choice] != []


# --- Chances ----------------------------------------------------------------------------------------------------------


@dataclass
class Looked:
    run: Run

    def with_more(self, other: "Looked") -> "Looked":
        return other


class Spender:
    """Stands for a forecaster: the less money a run has, the better."""

    def position(self, run: Run, worlds: int, first_world: int = 0) -> Looked:
        return Looked(run)

    def log_win(self, position: Looked, *, at_once: float = 0.0, later: float = 0.0) -> float:
        return -position.run.dollars + at_once + later


def chances(shown: Seen) -> Chances:
    return Chances(shown, Spender(), CONFIG.effort, 1, clairvoyant=False)  # type: ignore[arg-type]


def test_a_reroll_is_worth_the_best_that_can_be_bought_then() -> None:
    gain = chances(in_shop()).reroll(())
    assert gain is not None
    assert gain.log_now == -20
    assert gain.log > 5  # its price, and what is bought


def test_a_reroll_leaves_money_for_something_or_is_not_tried() -> None:
    assert chances(in_shop(money=7)).reroll(()) is None
    assert chances(in_shop(money=8)).reroll(()) is not None
    assert chances(Seen(Run().public_state())).reroll(()) is None


def test_a_skip_is_worth_its_tag() -> None:
    worth, worthless = (chances(Seen(Run().public_state())).skip(unseen) for unseen in (3.0, 0.0))
    assert worth is not None
    assert worthless is not None
    assert worth.log - worthless.log == 3.0
    assert chances(Seen(Run().public_state())).another_boss() is None


# --- Ranking ----------------------------------------------------------------------------------------------------------


class SecondLook(Spender):
    """At first a run is worth its money, on a longer look the contrary."""

    @dataclass
    class Place:
        value: float

        def with_more(self, other: "SecondLook.Place") -> "SecondLook.Place":
            return other

    def position(self, run: Run, worlds: int, first_world: int = 0) -> Any:
        return self.Place(-run.dollars if first_world else run.dollars)

    def log_win(self, position: Any, *, at_once: float = 0.0, later: float = 0.0) -> float:
        return float(position.value + at_once + later)


def test_the_best_options_are_looked_at_longer_and_ranked_by_that() -> None:
    shown = in_shop(money=0)
    agent = ExpertV1Agent(ExpertV1Options(effort=1.0))
    options = []
    for dollars in range(10):
        after = shown.run.clone()
        after.dollars = dollars
        options.append(Option((Action("leave_shop"),), after))
    ranking = agent._rank(shown, options, SecondLook())  # type: ignore[arg-type]
    assert ranking.longer == CONFIG.effort.finalists == 4
    assert [option.after.dollars for _, option in ranking.options] == [6, 7, 8, 9, 5, 4, 3, 2, 1, 0]
    assert [gain for gain, _ in ranking.options] == [-6, -7, -8, -9, 5, 4, 3, 2, 1, 0]
