"""The expert: fair, reproducible, with reasons, and weaker in known ways without one of its abilities."""

from typing import Any

from agents.played import HIDING_BOSSES, Player, before_the_boss
from jimbo.agents import make_agent
from jimbo.agents.expert import ExpertAgent, ExpertOptions, scaled
from jimbo.engine import Action, Run
from jimbo.engine.catalog import BOOSTERS

QUICK: dict[str, Any] = {"effort": 0.04}
PLAYER = Player("expert", **QUICK)
positions, decided = PLAYER.positions, PLAYER.decided


def in_the_shop(*, money: int) -> Run:
    run = Run(seed="SHOPPING")
    run.debug_raise_level("High Card", 40)
    for action in (Action("select_blind"), Action("play", cards=[0]), Action("cash_out")):
        run.step(action)
    run.dollars = money
    return run


def test_decisions_do_not_depend_on_what_is_hidden() -> None:
    """Draw order, face-down identities and every random stream replaced: the same decision, to the last figure."""
    runs = list(positions("FAIRPLAY"))
    for run in runs:
        seen = decided(run)
        for nonce in (11, 12):
            assert decided(run.determinize(nonce)) == seen
    assert {run.phase for run in runs} == {"blind_select", "selecting_hand", "round_eval", "shop", "pack_opening"}


def test_what_follows_a_blind_is_sampled_and_never_looked_at() -> None:
    """With so many worlds hands are played for what the value says of the run after the blind."""
    hands = [run for run in positions("AFTER", max_steps=60) if run.phase == "selecting_hand"]
    assert len(hands) > 5
    hiding = [before_the_boss(boss) for boss in HIDING_BOSSES]
    for run in hiding:
        run.step(Action("select_blind"))
    for run in [*hands, *hiding]:
        assert decided(run.determinize(11), effort=0.2) == decided(run, effort=0.2)


def test_the_clairvoyant_twin_does_depend_on_it() -> None:
    """The check above would notice a leak: with everything revealed, decisions change, in hands and outside them."""
    changed = {
        run.phase
        for run in [*positions("TWIN"), in_the_shop(money=50)]
        if decided(run, clairvoyant=True) != decided(run.determinize(3), clairvoyant=True)
    }
    assert {"selecting_hand", "shop"} <= changed


def test_a_nonce_decides_the_same_again_and_another_looks_at_other_worlds() -> None:
    runs = list(positions("SAMEOLD", max_steps=30))
    assert decided(runs[-1]) == decided(runs[-1])
    assert any(decided(run, nonce=6).considered != decided(run).considered for run in runs)


def test_more_effort_looks_at_more_worlds() -> None:
    run = Run(seed="WORLDS")
    run.step(Action("select_blind"))
    errors = [decided(run, effort=effort).considered[0].error or 1.0 for effort in (0.04, 0.2, 1.0)]
    assert errors == sorted(set(errors), reverse=True)
    least, most = scaled(0.001), scaled(1000)
    assert (least.rollouts, least.finalists, least.worlds) == (2, 2, 1)
    assert most.rollouts > most.finalists == most.worlds > 50


def test_without_the_solver_the_best_play_is_played() -> None:
    run = Run(seed="NOSOLVER")
    run.step(Action("select_blind"))
    decision = decided(run, solver=False)
    assert (decision.action.kind, decision.measure) == ("play", "score")
    most = max(run.preview(a.cards, "expected").score for a in run.legal_actions() if a.kind == "play")
    assert run.preview(decision.action.cards, "expected").score == most


def test_without_consumables_none_is_bought_taken_or_used() -> None:
    kinds = set()
    agent = ExpertAgent(ExpertOptions(**QUICK, consumables=False))
    for seed in ("NOTAROT", "NOPLANET", "NOGHOST"):
        run = Run(seed=seed)
        run.debug_add_consumable("c_mercury")
        for _ in range(60):
            if run.phase == "game_over" or run.won:
                break
            state = run.public_state()
            action, held = agent.act(state).action, len(state.consumables)
            kinds.add(action.kind)
            if action.kind == "open_booster":
                assert BOOSTERS[state.shop_boosters[action.index].key].kind in ("Buffoon", "Standard")
            run.step(action)
            if action.kind in ("buy", "pick"):  # seals, tags and jokers give some unasked
                assert len(run.public_state().consumables) <= held
    assert {"buy", "leave_shop"} <= kinds
    assert not {"use", "buy_and_use"} & kinds


def test_jokers_are_put_in_order() -> None:
    run = Run(seed="ORDER")
    for joker in ("j_cavendish", "j_joker", "j_gros_michel"):
        run.debug_add_joker(joker)
    assert decided(run, joker_order=False).action.kind != "move_joker"
    while (decision := decided(run)).action.kind == "move_joker":
        run.step(decision.action)
    assert run.joker_keys[-1] == "j_cavendish"


def test_what_it_is_shows_in_its_name() -> None:
    assert repr(make_agent("expert")) == "<ExpertAgent>"
    assert repr(make_agent("expert", clairvoyant=True)) == "<ExpertAgent, clairvoyant>"
