"""What holds for every run, tried on random ones."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from jimbo.engine import Action, ActionKind, Run
from jimbo.engine.catalog import DECKS, STAKES

decks = st.sampled_from([key for key in DECKS if key != "b_challenge"])
stakes = st.sampled_from(list(STAKES))
seeds = st.text("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1, max_size=8)
choices = st.lists(st.integers(0, 10_000), max_size=60)
actions = st.builds(
    Action,
    st.sampled_from(list(ActionKind)),
    st.integers(0, 9),
    st.integers(0, 9),
    st.lists(st.integers(0, 12), max_size=6),
)
few = settings(max_examples=40, deadline=None)


def played(deck: str, stake: str, seed: str, picks: list[int]) -> tuple[Run, list[Action]]:
    run, taken = Run(deck, stake, seed), []
    for pick in picks:
        legal = run.legal_actions(with_moves=True)
        if not legal:
            break
        taken.append(legal[pick % len(legal)])
        run.step(taken[-1])
    return run, taken


@few
@given(decks, stakes, seeds, choices)
def test_the_same_actions_give_the_same_run(deck: str, stake: str, seed: str, picks: list[int]) -> None:
    run, taken = played(deck, stake, seed, picks)
    again = Run(deck, stake, seed)
    for action in taken:
        again.step(action)
    assert again.to_json() == run.to_json()


@few
@given(decks, stakes, seeds, choices)
def test_json_and_saves_come_back_equal(deck: str, stake: str, seed: str, picks: list[int]) -> None:
    run, _ = played(deck, stake, seed, picks)
    text = run.to_json()
    assert Run.from_json(text).to_json() == text
    assert Run.load(run.save()).to_json() == text
    assert json.loads(text)["rng"]["seed"] == seed


@few
@given(decks, stakes, seeds, choices, st.lists(actions, max_size=20))
def test_an_action_is_listed_exactly_when_it_is_allowed(
    deck: str, stake: str, seed: str, picks: list[int], tried: list[Action]
) -> None:
    run, _ = played(deck, stake, seed, picks)
    listed = set(run.legal_actions(with_moves=True))
    for action in tried:
        normal = Action(*_named(action))
        assert (run.refusal(normal) is None) == (normal in listed), normal


@few
@given(decks, stakes, seeds, choices)
def test_a_loaded_run_goes_on_like_the_first(deck: str, stake: str, seed: str, picks: list[int]) -> None:
    run, _ = played(deck, stake, seed, picks)
    twin = Run.load(run.save())
    for pick in picks[:10]:
        legal = run.legal_actions()
        assert twin.legal_actions() == legal
        if not legal:
            break
        run.step(legal[pick % len(legal)])
        twin.step(legal[pick % len(legal)])
    assert twin.to_json() == run.to_json()


WITH_INDEX = {
    "buy", "buy_and_use", "redeem", "open_booster", "pick", "use", "sell_joker", "sell_consumable", "move_joker",
    "move_consumable", "move_card",
}  # fmt: skip
WITH_CARDS = {"play", "discard", "buy_and_use", "pick", "use"}


def _named(action: Action) -> tuple[str, int, int, list[int]]:
    """Without the numbers that its kind does not look at."""
    return (
        action.kind,
        action.index if action.kind in WITH_INDEX else 0,
        action.to if action.kind.startswith("move_") else 0,
        action.cards if action.kind in WITH_CARDS else [],
    )
