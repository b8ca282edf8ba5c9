"""What a player sees, in plain lines."""

from jimbo.agents import make_agent
from jimbo.backends import SimBackend
from jimbo.data.position import read_position
from jimbo.engine import Action, Phase, PublicState, Run
from jimbo.engine.catalog import JOKERS
from jimbo.rollout.loop import Rollout
from jimbo.text.situation import rules_of_game, situation


def states() -> list[PublicState]:
    rollout = Rollout(SimBackend())
    rollout.start(seed="SITUATION", deck="b_ghost", stake="stake_gold")
    return [moment.before for moment in rollout.play(make_agent("fast"), 1, max_steps=250)]


def test_every_phase_names_what_can_be_chosen() -> None:
    seen: set[Phase] = set()
    for state in states():
        text = "\n".join(situation(state))
        seen.add(state.phase)
        assert f"Ante {state.ante} of 8" in text
        assert all(joker.face_down or joker.name in text for joker in state.jokers)
        assert all(f"b{place} " in text for place in range(1, len(state.shop) + 1) if state.phase == Phase.shop)
        assert "SITUATION" not in text
        assert len(text.encode()) < 4000
    assert seen == {Phase.blind_select, Phase.selecting_hand, Phase.round_eval, Phase.shop, Phase.pack_opening}


def test_what_is_hidden_changes_nothing() -> None:
    for nonce, state in enumerate(states()[::10]):
        assert situation(state.imagine(nonce).public_state()) == situation(state)


def test_a_hand_is_numbered_as_it_is_played() -> None:
    run = Run(seed="ALEEB")
    run.step(Action("select_blind"))
    lines = situation(run.public_state())
    assert "Hand: 1 10♣; 2 10♦; 3 9♠; 4 7♠; 5 6♥; 6 5♥; 7 4♥; 8 2♦." in lines
    assert "Score 0 of 300: 300 to go." in lines
    assert "Not seen yet: 44 cards, ♠11 ♥10 ♣12 ♦11; " in "\n".join(lines)


def test_a_card_has_all_that_is_on_it() -> None:
    state = read_position("hand: 10s(steel, red seal, +5 chips, muted) Ah(locked)")
    assert "Hand: 1 Steel 10♠ Red Seal +5 debuffed; 2 A♥ (always selected)." in situation(state)


def test_jokers_have_their_texts_and_numbers() -> None:
    run = Run(seed="ALEEB")
    run.debug_add_joker("j_green_joker")
    (line,) = (line for line in situation(run.public_state()) if line.startswith("j1 "))
    assert JOKERS["j_green_joker"].text in line
    assert line.endswith("Now: +0 Mult.")


def test_a_run_that_is_over() -> None:
    run = Run(seed="ALEEB")
    run.step(Action("select_blind"))
    while not run.public_state().over:
        run.step(Action("play", cards=[0]))
    assert "The run is over" in situation(run.public_state())[0]


def test_the_rules_of_deck_and_stake() -> None:
    lines = rules_of_game(Run(deck="b_red", stake="red", seed="ALEEB").public_state())
    assert lines == ["Red Deck: +1 discard each round.", "Red Stake: The Small Blind pays no reward."]
