"""The table in words: short enough for every step, and what it lists can be done."""

import random
import re
from collections.abc import Iterator

import pytest

from jimbo.agents import make_agent
from jimbo.engine import Action, PublicState, Run
from jimbo.serve.game import BadInput
from jimbo.serve.mcp.answers import in_one_line
from jimbo.serve.mcp.view import brief, full, possible, where
from jimbo.serve.terminal.input import read_action, typed

MOST_TOKENS = 400


def tokens(text: str) -> int:
    """More than any usual tokenizer makes of it: words in pieces of four letters, numbers of two digits, each other
    sign by itself, and those that are not ASCII as two."""
    words = sum(-(-len(word) // 4) for word in re.findall(r"[A-Za-z]+", text))
    numbers = sum(-(-len(number) // 2) for number in re.findall(r"\d+", text))
    signs = re.findall(r"[^A-Za-z0-9\s]", text)
    return words + numbers + sum(1 if sign.isascii() else 2 for sign in signs) + text.count("\n")


def played(deck: str, stake: str, seed: str) -> Iterator[PublicState]:
    """A run of an agent that buys much, and sometimes anything."""
    chance = random.Random(seed)
    agent = make_agent("fast", rollouts=10)
    agent.reset(0)
    run = Run(deck=deck, stake=stake, seed=seed)
    while not run.public_state().over and run.public_state().ante < 9:
        state = run.public_state()
        yield state
        run.step(chance.choice(run.legal_actions()) if chance.random() < 0.05 else agent.act(state).action)
    yield run.public_state()


@pytest.mark.parametrize(("deck", "stake"), [("b_magic", "gold"), ("b_red", "white"), ("b_erratic", "black")])
def test_the_short_form_is_short(deck: str, stake: str) -> None:
    longest = 0
    for state in played(deck, stake, "VIEWS"):
        text = "\n".join(["run r1, token 123-abcdef", where(state), *brief(state), in_one_line(possible(state))])
        longest = max(longest, tokens(text))
        assert all(line == line.strip() and "\n" not in line for line in full(state))
    assert 100 < longest <= MOST_TOKENS


def test_what_is_listed_can_be_done_as_it_is_written() -> None:
    kinds = set()
    for state in played("b_magic", "gold", "LISTED"):
        for text in possible(state):
            action = read_action(text, state)
            kinds.add(action.kind)
            assert state.refusal(action) is None, text
    assert len(kinds) >= 15


def test_every_legal_action_is_written_as_it_is_read() -> None:
    kinds = set()
    for state in played("b_ghost", "white", "TYPED"):
        moves = [Action(kind, index=0, to=1) for kind in ("move_joker", "move_consumable", "move_card")]
        moves += [Action("sort_hand_by_rank"), Action("sort_hand_by_suit")]
        for action in [*state.imagine(0).legal_actions(), *(one for one in moves if state.refusal(one) is None)]:
            assert read_action(typed(action), state) == action
            kinds.add(action.kind)
    assert len(kinds) >= 17


def test_a_line_of_actions_shares_its_words() -> None:
    actions = [
        "next (leave the shop)",
        "sell j1 ($3)",
        "sell c1 ($1)",
        "use c1",
        "use c2 1 (any 1 card)",
        "reroll ($5)",
    ]
    assert in_one_line(actions) == (
        "next (leave the shop) | sell j1 ($3) or c1 ($1) | use c1 | use c2 1 (any 1 card) | reroll ($5)"
    )
    with pytest.raises(BadInput, match="is not a command"):
        read_action("hop (over)", Run(seed="A").public_state())


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Play cards 1, 2", "play 1 2"),
        ("play [1, 2]", "play 1 2"),
        ("discard 1-3", "discard 1 2 3"),
        ("sort by suit", "sort suit"),
    ],
)
def test_actions_are_read_as_models_write_them(text: str, same: str) -> None:
    run = Run(seed="ALEEB")
    run.step(Action("select_blind"))
    state = run.public_state()
    assert read_action(text, state) == read_action(same, state)


@pytest.mark.parametrize("text", ["next", "select_blind", "select the blind", "Next (play Small Blind)", "n"])
def test_what_needs_nothing_more_has_several_names(text: str) -> None:
    assert read_action(text, Run(seed="ALEEB").public_state()) == Action("select_blind")


def test_a_name_of_another_phase_is_not_what_is_next() -> None:
    state = Run(seed="ALEEB").public_state()
    assert state.refusal(read_action("leave shop", state)) is not None
