"""Words and screens need nothing but what the player may know."""

import ast
import io
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console, RenderableType

import jimbo
from jimbo.console import THEME
from jimbo.data import Decision
from jimbo.engine import Action, Event, PublicState, Run
from jimbo.env.run_env import screen_of
from jimbo.rollout import Moment
from jimbo.serve.game import BadInput
from jimbo.serve.terminal import details
from jimbo.serve.terminal.decision import moment_text
from jimbo.serve.terminal.screen import screen
from jimbo.text import refusal_words, tell_jokers
from rules.scene import Scene

SOURCES = sorted(
    path
    for room in ("text", "serve")
    for path in Path(jimbo.__file__).with_name(room).rglob("*.py")
    # A server plays the simulator itself, and the doctor tries whether it starts: neither shows a run to a player.
    if path.stem != "__init__" and path.parent.name not in ("balatrobot", "doctor")
    # A review plays steps and imagined runs, a record of a client's run keeps the run; neither is shown.
    if (path.parent.name, path.stem) not in (("review", "chances"), ("review", "reading"), ("mcp", "records"))
    # What a seed holds is no secret of a run in play: whoever asks for it has named the seed.
    if (path.parent.name, path.stem) not in (("serve", "seed_runs"), ("web", "seeds"))
    # Reasons are worked out on runs imagined from public states; the last test here shows that no more goes in.
    if path.parent.name != "assistant"
    or path.stem not in ("build_reasons", "changes", "deals", "hand_reasons", "scoring", "split", "what_if", "worths")
)
WIDTH = 90


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_no_module_of_words_or_screens_knows_a_run(path: Path) -> None:
    tree = ast.parse(path.read_text())
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.alias)}
    names |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not names & {"Run", "_core"}
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not attributes & {"full_state", "open_hand"}


def shown(*contents: RenderableType) -> str:
    file = io.StringIO()
    Console(file=file, width=WIDTH, theme=THEME, force_terminal=True).print(*contents, sep="\n")
    return file.getvalue()


def everything(before: PublicState, action: Action, events: list[Event], after: PublicState) -> str:
    """All that can be shown and said of a step."""
    parts = [
        shown(screen(before, "SEED", WIDTH), screen(before, "SEED", 80, 23)),
        shown(details.help_text(before), details.levels(before), details.deck(before, WIDTH)),
        shown(*inspected(before)),
        shown(moment_text(Moment(1, before, Decision(action), events, after), WIDTH)),
        screen_of(before, "SEED"),
        *map(str, tell_jokers(before, after)),
        *refused(before),
    ]
    faces = [i for i, card in enumerate(before.hand) if not card.face_down]
    if before.phase == "selecting_hand" and before.refusal(Action("play", cards=faces[:2])) is None:
        parts.append(shown(details.preview(before, faces[:2], "", WIDTH)))
    return "\n".join(parts)


def inspected(state: PublicState) -> Iterator[RenderableType]:
    yield details.inspect(state, "boss")
    for letter in ("", *"jcbvokt"):
        for number in range(1, 9):
            try:
                yield details.inspect(state, f"{letter}{number}")
            except BadInput:
                break


def refused(state: PublicState) -> Iterator[str]:
    for action in map(Action, ("buy", "redeem", "reroll", "use", "play", "cash_out")):
        if refusal := state.refusal(action):
            yield refusal_words(action, refusal, state)


def steps(
    run: Run, chance: random.Random, limit: int
) -> Iterator[tuple[PublicState, Action, list[Event], PublicState]]:
    """A run played at random, blinds won more often than not."""
    for _ in range(limit):
        before = run.public_state()
        actions = run.legal_actions(with_moves=chance.random() < 0.1)
        if not actions:
            return
        kind = chance.choice(sorted({action.kind for action in actions}))
        action = chance.choice([action for action in actions if action.kind == kind])
        if kind == "play" and chance.random() < 0.5:
            run.chips = run.target
            before = run.public_state()
        events = run.step(action)
        yield before, action, events, run.public_state()


@pytest.mark.parametrize("boss", ["bl_house", "bl_wheel", "bl_mark", "bl_final_acorn", "bl_final_bell", "bl_hook"])
def test_states_made_from_json_give_the_same_screens_and_words(boss: str) -> None:
    jokers = ["j_blueprint", "j_runner:rental", "j_swashbuckler:perishable", "j_idol:e_negative"]
    scene = Scene(
        blind=boss, phase="blind_select", jokers=jokers, consumables=["c_magician", "c_hermit"], money=60, stake="gold"
    )
    phases = set()
    for before, action, events, after in steps(scene.build(), random.Random(boss), 30):
        again = [PublicState.from_json(state.to_json()) for state in (before, after)]
        assert everything(before, action, events, after) == everything(again[0], action, events, again[1])
        phases.add(before.phase)
    assert {"blind_select", "selecting_hand"} < phases
