"""The real game behind the protocol of backends, played against our own server."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jimbo.agents import make_agent
from jimbo.backends import Applied, Backend, NotSupportedByMod, RealBackend, SimBackend, UnsupportedAction
from jimbo.data import Decision
from jimbo.engine import Action, IllegalAction, PublicState
from jimbo.engine.catalog import DECKS
from jimbo.rollout import Rollout
from jimbo.rollout.games import RestrictedAgent
from jimbo.wire.calls import ModLimits
from jimbo.wire.client import Client
from jimbo.wire.errors import BadRequest, NotPossible, OtherLanguage, Surprise, Unreadable
from jimbo.wire.methods import METHODS
from wire.direct import direct_backend, direct_client
from wire.scripted import STATE, result, scripted

PLAYED = [key for key in DECKS if key != "b_challenge"]


@pytest.fixture
def backend(tmp_path: Path) -> RealBackend:
    backend = direct_backend(tmp_path)
    backend.reset(seed="REAL1")
    return backend


def into_the_shop(backend: RealBackend) -> PublicState:
    backend.apply(Action("select_blind"))
    backend.client.set(chips=1_000_000, money=100)
    backend.look()
    backend.apply(Action("play", cards=[0]))
    return backend.apply(Action("cash_out")).state


def same_as_the_simulator(folder: Path, deck: str, stake: str, seed: str, steps: int, effort: float) -> int:
    """Plays the expert over the wire and beside it; the number of steps."""
    real, sim = direct_backend(folder), SimBackend()
    there = RestrictedAgent(make_agent("expert", effort=effort), real)
    here = RestrictedAgent(make_agent("expert", effort=effort), real)
    state, other = (world.reset(deck=deck, stake=stake, seed=seed) for world in (real, sim))
    there.reset(1), here.reset(1)
    taken = 0
    while not state.over and not state.won and taken < steps:
        assert state == other
        decision = there.act(state)
        assert here.act(other).action == decision.action
        try:
            state, told = real.apply(decision.action)
        except NotSupportedByMod:  # both agents know it now
            continue
        other, events = sim.apply(decision.action)
        assert real.differences == ()
        assert list(map(str, told)) == list(map(str, events))
        taken += 1
    assert state == other
    return taken


@pytest.mark.parametrize("deck", PLAYED)
def test_it_is_the_same_over_the_wire(tmp_path: Path, deck: str) -> None:
    stake = "gold" if PLAYED.index(deck) % 2 else "white"
    assert same_as_the_simulator(tmp_path, deck, stake, f"W{PLAYED.index(deck)}", steps=14, effort=0.001) > 3


@pytest.mark.slow
@pytest.mark.parametrize("stake", ["white", "gold"])
@pytest.mark.parametrize("deck", PLAYED)
def test_whole_games_are_the_same_over_the_wire(tmp_path: Path, deck: str, stake: str) -> None:
    same_as_the_simulator(tmp_path, deck, stake, f"WH0LE{PLAYED.index(deck)}", steps=2000, effort=0.05)


class _Chinese(Client):
    """A game whose texts are in Chinese: the numbers are there, the words cannot be read."""

    def _state(self, method: str, result: Any) -> dict[str, Any]:
        return _translated(super()._state(method, result))


def _translated(value: Any) -> Any:
    if isinstance(value, list):
        return [_translated(part) for part in value]
    if not isinstance(value, dict):
        return value
    return {name: _chinese(part) if name == "effect" else _translated(part) for name, part in value.items()}


def _chinese(text: str) -> str:
    return re.sub(r"[A-Za-z]{2,}", "筹码", text)


def test_a_game_in_another_language_is_followed_from_its_start(tmp_path: Path) -> None:
    real, sim = RealBackend(direct_client(tmp_path, kind=_Chinese)), SimBackend()
    agent = RestrictedAgent(make_agent("expert", effort=0.001), real)
    state, other = (world.reset(seed="CHINESE") for world in (real, sim))
    agent.reset(1)
    for _ in range(60):
        if state.over:
            break
        action = agent.act(state).action
        state, other = real.apply(action).state, sim.apply(action).state
        assert state == other
    assert real.whole
    assert state.jokers
    assert real.other_language is None


def test_what_another_language_keeps_back_is_told(tmp_path: Path) -> None:
    """Somebody who plays is warned; where nobody is, the game ends."""
    real = RealBackend(direct_client(tmp_path, kind=_Chinese))
    real.reset(seed="CHINESE")
    real.apply(Action("select_blind"))
    for key in ("j_constellation", "j_todo_list"):
        real.client.add(key)  # no engine foresees it
    real.look()
    said = str(real.other_language)
    assert "the game's texts are not English, and what they say of To Do List cannot be read" in said
    assert "Choose English in the game's main menu" in said
    with pytest.raises(OtherLanguage, match="To Do List"):
        real.apply(Action("discard", cards=[0]))
    real.join()
    real.apply(Action("discard", cards=[0]))
    assert real.other_language is not None


class _Untold(RealBackend):
    """A game that does not tell its seed, as good as one whose chances are not the engine's: a profile without all
    cards, another version."""

    def _follow(self, state: dict[str, Any]) -> None:
        super()._follow({name: value for name, value in state.items() if name != "seed"})


@pytest.mark.parametrize("deck", ["b_red", "b_ghost", "b_abandoned"])
def test_a_game_whose_chances_nobody_knows(tmp_path: Path, deck: str) -> None:
    """All that matters now is the same as in the simulator."""
    real, sim = _Untold(direct_client(tmp_path)), SimBackend()
    agent = RestrictedAgent(make_agent("expert", effort=0.001), real)
    state, other = (world.reset(deck=deck, seed=f"UNT0LD{deck[2]}".upper()) for world in (real, sim))
    agent.reset(1)
    steps = 0
    while not state.over and not state.won and steps < 40:
        assert seen(state) == seen(other)
        action = agent.act(state).action
        state, other = real.apply(action).state, sim.apply(action).state
        steps += 1
    assert not real.whole
    assert steps > 10


def seen(state: PublicState) -> dict[str, Any]:
    """What is told, without the numbers of cards."""
    data = without_ids(state.to_data())
    data["unseen"] = sorted(map(str, data.get("unseen", [])))
    data["discarded"] = len(data.get("discarded", []))
    told = "phase ante round dollars chips hands_left discards_left hand unseen discarded jokers consumables shop "
    told += (
        "shop_vouchers shop_boosters pack hands vouchers boss on_deck reroll_price hand_limit joker_room targets tags"
    )
    return {name: data.get(name) for name in told.split()}


def without_ids(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_ids(part) for name, part in value.items() if name != "id"}
    return [without_ids(part) for part in value] if isinstance(value, list) else value


def test_it_is_a_backend(backend: RealBackend) -> None:
    world: Backend = backend
    assert world.state().phase == "blind_select"
    assert world.full_state() is None
    assert backend.seed == "REAL1"
    world.close()
    with pytest.raises(RuntimeError, match=r"call reset\(\) or join\(\) first"):
        world.state()


def test_a_new_run_can_be_started_from_anywhere(backend: RealBackend) -> None:
    for seed in ("A", "B"):
        into_the_shop(backend)
        assert backend.reset(deck="b_blue", stake="stake_red", seed=seed).phase == "blind_select"
        assert (backend.state().deck, backend.state().stake, backend.seed) == ("b_blue", "stake_red", seed)


def test_what_is_forbidden_is_not_sent(backend: RealBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    monkeypatch.setattr(backend.client, "_sent", lambda method, params: sent.append(method))
    with pytest.raises(IllegalAction):
        backend.apply(Action("reroll"))
    for key in ("j_joker", "j_egg"):
        backend._current.run.debug_add_joker(key)
    with pytest.raises(NotPossible, match="rearrange only in a round"):
        backend.apply(Action("move_joker", index=0, to=1))
    assert sent == []


def test_a_refusal_leaves_the_truth(backend: RealBackend) -> None:
    assert into_the_shop(backend).dollars > 0
    backend.client.set(money=0)  # by somebody else
    with pytest.raises(BadRequest, match="is not affordable"):
        backend.apply(Action("buy", index=0))
    assert backend.state().dollars == 0


def test_buying_and_using_are_two_calls(backend: RealBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    state = into_the_shop(backend)
    while not any(offer.consumable and offer.consumable in PLANETS for offer in state.shop):
        backend.client.set(money=500)
        backend.look()
        state = backend.apply(Action("reroll")).state
    monkeypatch.setattr(backend.client, "_sent", lambda method, params: sent.append(method))
    place = next(i for i, offer in enumerate(state.shop) if offer.consumable in PLANETS)
    after = backend.apply(Action("buy_and_use", index=place)).state
    assert sent == ["buy", "use"]
    assert sum(hand.level for hand in after.hands) > sum(hand.level for hand in state.hands)
    assert len(after.consumables) == len(state.consumables)


PLANETS = ("c_mercury", "c_venus", "c_earth", "c_mars", "c_jupiter", "c_saturn", "c_uranus", "c_neptune", "c_pluto")


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (Action("reroll_boss"), "reroll bosses"),
        (Action("sort_hand_by_suit"), "how the hand is sorted"),
        (Action("sell_joker", index=0), "sell only in a round and in the shop"),
        (Action("use", index=0), "use consumables only in a round and in the shop"),
        (Action("move_joker", index=0, to=1), "rearrange only in a round"),
    ],
)
def test_what_version_1_cannot_do(backend: RealBackend, action: Action, why: str) -> None:
    assert why in str(backend.cannot(action))
    backend._limits = type(backend.limits)(2)
    assert backend.cannot(action) is None


def test_an_agent_takes_the_next_best(backend: RealBackend) -> None:
    class Bossy:
        name, clairvoyant = "bossy", False

        def reset(self, nonce: int) -> None: ...

        def act(self, state: PublicState, /) -> Decision:
            return Decision(Action("reroll_boss"))

    into_the_shop(backend)
    backend.apply(Action("leave_shop"))
    run = backend._current.run
    run.debug_redeem("v_directors_cut")
    run.dollars = 50
    decision = RestrictedAgent(Bossy(), backend).act(backend.state())
    assert decision.action.kind in ("select_blind", "skip_blind")
    assert decision.explanation == "the next best: the mod cannot reroll bosses before its version 2"


def test_selling_in_packs_is_tried_once(backend: RealBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    into_the_shop(backend)
    for key in ("j_joker", "j_egg"):
        backend.client.add(key)
    state = backend.look()
    place = next(i for i, pack in enumerate(state.shop_boosters) if "buffoon" in pack.key)
    backend.apply(Action("open_booster", index=place))
    sell = Action("sell_joker", index=0)
    assert backend.cannot(sell) is None
    before = backend.state()
    with pytest.raises(NotSupportedByMod):
        backend.apply(sell)
    assert backend.state() == before
    assert "sell only in a round and in the shop" in str(backend.cannot(sell))
    backend._limits = ModLimits()
    monkeypatch.setitem(METHODS, "sell", replace(METHODS["sell"], states=()))  # as in some builds of the mod
    assert len(backend.apply(sell).state.jokers) == len(before.jokers) - 1


def test_what_a_world_turns_out_to_be_unable_to_do_is_decided_anew(tmp_path: Path) -> None:
    class Older(SimBackend):
        tries = 0

        def apply(self, action: Action) -> Applied:
            self.tries += 1
            if self.tries == 1:
                raise UnsupportedAction("no")
            return super().apply(action)

    world = Older()
    rollout = Rollout(world)
    rollout.start(seed="A")
    next(rollout.play(make_agent("greedy"), 1))
    assert (world.tries, rollout.steps) == (2, 1)


def test_a_clairvoyant_has_no_place_here(backend: RealBackend) -> None:
    with pytest.raises(ValueError, match="must be shown what is hidden"):
        RestrictedAgent(make_agent("expert", clairvoyant=True), backend)


def test_challenges_need_version_2(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"Challenges need version 2 of balatrobot"):
        direct_backend(tmp_path).reset(challenge="c_omelette_1")


def test_a_run_that_somebody_plays_is_joined(tmp_path: Path) -> None:
    client = direct_client(tmp_path)
    backend = RealBackend(client)
    with pytest.raises(ValueError, match=r"No run is being played at http://127\.0\.0\.1:1\. Start one"):
        backend.join()
    client.start("RED", "WHITE", "J01N")
    client.select()
    state = backend.join()
    assert (state.phase, len(state.hand), backend.seed) == ("selecting_hand", 8, "J01N")
    client.discard([0])
    assert backend.look().discards_left == state.discards_left - 1
    client.menu()
    with pytest.raises(Surprise, match="the run has been left"):
        backend.look()


def test_another_run_than_asked_for_is_a_surprise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    backend = direct_backend(tmp_path)
    start = backend.client.start
    monkeypatch.setattr(backend.client, "start", lambda deck, *others: start("BLUE", *others))
    with pytest.raises(Surprise, match="the game started b_blue, stake_white, seed A, not what was asked for"):
        backend.reset(seed="A")


def test_a_gamestate_that_makes_no_sense() -> None:
    with scripted(result({**STATE, "deck": "RED", "stake": "WHITE", "hands": 3, "jokers": {"cards": [7]}})) as server:
        backend = RealBackend(Client(server.url, settle=0.0))
        with pytest.raises(Unreadable, match="the gamestate cannot be understood"):
            backend.join()


def test_a_number_that_is_too_large_makes_no_sense() -> None:
    state = {**STATE, "deck": "RED", "stake": "WHITE", "money": float("inf")}
    with scripted(result(state)) as server:
        backend = RealBackend(Client(server.url, settle=0.0))
        with pytest.raises(Unreadable, match="the gamestate cannot be understood"):
            backend.join()


@pytest.mark.parametrize("info", [[], {}, "2", None])
def test_a_version_that_is_not_told(info: Any) -> None:
    with scripted(result({"info": info})) as server:
        assert not RealBackend(Client(server.url)).limits.newer


def test_a_start_that_is_refused_is_told_as_it_was_first(tmp_path: Path) -> None:
    """Another version's words for the deck are tried, and their refusal says nothing of the seed."""
    backend = direct_backend(tmp_path)
    backend.client.gamestate()
    said = []

    def start(deck: str, *others: Any) -> Any:
        said.append(deck)
        raise BadRequest(f"no {deck}", method="start", url="")

    backend.client.start = start  # type: ignore[method-assign]
    with pytest.raises(BadRequest, match="no RED"):
        backend.reset(seed="A")
    assert said == ["RED", "b_red"]
