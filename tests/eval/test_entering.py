"""What is noted of the blinds that a run enters."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from eval.episode_rows import episode, noted
from jimbo.agents import Considered, Decision, make_agent
from jimbo.backends import Applied, SimBackend
from jimbo.engine import Action, PublicState, Run
from jimbo.engine.catalog import JOKERS
from jimbo.eval import Episode, play_episode
from jimbo.eval.episodes import MULTIPLIERS, Notebook, multipliers, power
from jimbo.eval.rows import BlindEntry
from jimbo.rollout import Moment
from rollout.scripted import onward


class Talking:
    """Goes on, and tells chances."""

    name = "talking"
    clairvoyant = False

    def __init__(self, clear: Sequence[float | None] = (), win: Sequence[float | None] = ()) -> None:
        self._clear, self._win = list(clear), list(win)

    def reset(self, nonce: int) -> None:
        """Nothing is kept."""

    def act(self, state: PublicState, /) -> Decision:
        action = onward(state)
        if state.phase == "selecting_hand":
            clear = self._clear.pop(0) if self._clear else None
            others = Considered(action, 1.0, "", clear=0.111), Considered(action, 0.5, "", clear=clear, chosen=True)
            return Decision(action, others, win=0.999)
        return Decision(action, win=self._win.pop(0) if self._win else None)


class Strong(SimBackend):
    """Every hand wins its blind, as long as it is told so."""

    def __init__(self, wins: int) -> None:
        super().__init__()
        self._wins = wins

    def apply(self, action: Action) -> Applied:
        if action.kind == "play" and self._wins:
            self._wins -= 1
            self._current.chips = self._current.target
        return super().apply(action)


def entries(agent: Any, backend: SimBackend | None = None, seed: str = "TESTSEED") -> list[BlindEntry]:
    row = play_episode(agent, backend or SimBackend(), seed=seed)
    return [blind.entry for blind in row.score_by_round if blind.entry]


def test_the_chance_told_before_the_first_hand_is_kept() -> None:
    (first,) = entries(Talking(clear=[0.25, 0.5]))
    assert first.clear == 0.25
    (late,) = entries(Talking(clear=[None, 0.5, 0.75]))
    assert late.clear is None


def test_the_last_chance_to_win_before_a_blind_is_kept() -> None:
    # blind, then cash-out, shop and the next blind, of which the last says nothing
    told = entries(Talking(win=[0.5, 0.4, 0.3, None]), Strong(1))
    assert [entry.win for entry in told] == [0.5, 0.3]
    assert [entry.win for entry in entries(Talking(win=[0.5]), Strong(1))] == [0.5, None]


@pytest.mark.parametrize("nonsense", [-0.1, 1.1, float("nan"), float("inf")])
def test_what_is_no_chance_is_not_kept(nonsense: float) -> None:
    (entry,) = entries(Talking(clear=[nonsense], win=[nonsense]))
    assert (entry.clear, entry.win) == (None, None)


def test_interest_belongs_to_the_blind_after_it() -> None:
    class Rich(Strong):
        def apply(self, action: Action) -> Applied:
            if action.kind == "select_blind":
                self._current.dollars = 12
            return super().apply(action)

    assert [entry.interest for entry in entries(Talking(), Rich(2))] == [0, 2, 2]


def notes_of(run: Run, *actions: Action) -> BlindEntry:
    notes = Notebook()
    for action in actions:
        before = run.public_state()
        events = run.step(action)
        notes.happened(Moment(1, before, Decision(action), events, run.public_state()))
    return notes.end_page()


def in_shop(seed: str = "TESTSEED") -> Run:
    """With money, and one joker."""
    run = Run(seed=seed)
    run.debug_raise_level("High Card", 40)
    run.debug_add_joker("j_joker")
    for action in (Action("select_blind"), Action("play", cards=[0]), Action("cash_out")):
        run.step(action)
    run.dollars = 50
    return run


def test_jokers_bought_and_sold_are_counted() -> None:
    run = in_shop()
    place = next(i for i, offer in enumerate(run.public_state().shop) if offer.kind == "joker")
    buy, sell_old, sell_new = Action("buy", index=place), Action("sell_joker", index=0), Action("sell_joker", index=0)
    entry = notes_of(run, buy, sell_old, sell_new)
    assert (entry.bought, entry.sold, entry.sold_soon) == (1, 2, 1)


def test_other_purchases_are_no_jokers() -> None:
    run = in_shop("CXQGWN36")
    place = next(i for i, offer in enumerate(run.public_state().shop) if offer.kind != "joker")
    assert notes_of(run, Action("buy", index=place)).bought == 0


def test_a_joker_of_a_pack_counts_as_bought() -> None:
    run = in_shop()
    packs = [i for i, pack in enumerate(run.public_state().shop_boosters) if "buffoon" in pack.key]
    opened = notes_of(run.clone(), Action("open_booster", index=packs[0]), Action("pick", index=0))
    assert opened.bought == 1
    assert notes_of(run, Action("open_booster", index=packs[0]), Action("skip_pack")).bought == 0


def test_power_is_score_over_target_and_grows_with_the_build() -> None:
    run = Run(seed="TESTSEED")
    weak = power(run.public_state())
    run.debug_raise_level("High Card", 40)
    strong = power(run.public_state())
    assert weak is not None
    assert strong is not None
    assert 0.3 < weak < 3 < 30 < strong
    assert power(run.public_state()) == strong


def test_multipliers_are_what_the_texts_say() -> None:
    assert {"j_cavendish", "j_baron", "j_hologram", "j_photograph", "j_yorick"} <= MULTIPLIERS
    assert not {"j_joker", "j_blueprint", "j_abstract", "j_mime", "j_fortune_teller"} & MULTIPLIERS
    assert all(" Mult" in JOKERS[key].text for key in MULTIPLIERS)
    run = Run(seed="TESTSEED")
    for key, edition in (("j_joker", "e_base"), ("j_cavendish", "e_base"), ("j_joker", "e_polychrome")):
        run.debug_add_joker(key, edition)
    assert multipliers(run.public_state()) == 2
    state = json.loads(run.to_json())
    state["jokers"][1].update(perishable=True, perish_left=0, disabled=True)
    assert multipliers(Run.from_json(json.dumps(state)).public_state()) == 1


def test_the_expert_tells_its_chances_and_plays_as_it_would_unwatched() -> None:
    agent = make_agent("expert", effort=0.02)
    backend = SimBackend()
    row = play_episode(agent, backend, seed="CXQGWN36", nonce=3)
    assert all(blind.entry and blind.entry.clear is not None for blind in row.score_by_round)
    agent.reset(3)
    run, steps = Run(seed="CXQGWN36"), 0
    while not run.public_state().over and not run.won:
        run.step(agent.act(run.public_state()).action)
        steps += 1
    assert (run.to_json(), steps) == (backend.full_state(), row.steps) or json.loads(
        run.to_json()
    ) == backend.full_state()


# --- Rows -------------------------------------------------------------------------------------------------------------


def test_entries_are_json_and_back() -> None:
    row = noted(episode(round=2), {"clear": 0.5, "win": 0.25, "power": 1.5, "interest": 3})
    assert Episode.from_json(row.to_json()) == row


def test_a_row_of_an_old_evaluation_is_read() -> None:
    data = json.loads(episode().to_json())
    for blind in data["score_by_round"]:
        del blind["entry"]
    assert Episode.from_json(json.dumps(data)) == episode()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"clear": 1.5}, "clear must be a number from 0 to 1, not 1.5"),
        ({"win": -1}, "win must be a number from 0 to 1, not -1"),
        ({"power": -0.5}, "power must be a number of at least 0"),
        ({"bought": 0.5}, "bought must be a whole number"),
        ({"more": 1}, "more unknown"),
    ],
)
def test_an_entry_that_cannot_be_is_refused(change: dict[str, Any], complaint: str) -> None:
    data = json.loads(noted(episode()).to_json())
    data["score_by_round"][0]["entry"].update(change)
    with pytest.raises(ValueError, match=complaint):
        Episode.from_json(json.dumps(data))
