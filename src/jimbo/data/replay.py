"""Recorded games, played again in the simulator."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from jimbo.data.game_rows import Rows
from jimbo.data.record import Considered, Decision
from jimbo.data.results import Outcome, outcome_of, result_of
from jimbo.data.samples import MEASURES, Game
from jimbo.declared import short_repr
from jimbo.engine import Action, ActionKind, PublicState, Run, describe

Step = tuple[PublicState, Decision, Outcome]
"""What was seen, what was decided, and its outcome."""

_KINDS = tuple(ActionKind)


def replay(game: Game, decide: Callable[[PublicState, int], Decision]) -> Iterator[Step]:
    """The decisions of a game from 0 on, as ``decide`` tells them.

    ValueError says what is not allowed, or how the game ends in another way.
    """
    run = Run(deck=game.deck, stake=game.stake, seed=game.seed, challenge=game.challenge)
    state, beaten = run.public_state(), 0
    for number in range(game.steps):
        decision = decide(state, number)
        if refusal := run.refusal(decision.action):
            raise ValueError(f"the action is not allowed where the game is then: {refusal.sentence}")
        run.step(decision.action)
        before, state = state, run.public_state()
        outcome = outcome_of(before, state)
        beaten += outcome.beaten
        if number + 1 == game.steps:
            _check_end(game, state, beaten)
        yield before, decision, outcome


def _check_end(game: Game, state: PublicState, beaten: int) -> None:
    found = {"result": result_of(state), "final_ante": state.ante, "final_round": state.round, "blinds_total": beaten}
    said = {"result": game.result, "final_ante": game.ante, "final_round": game.round, "blinds_total": game.blinds}
    for name, value in found.items():
        if value != said[name]:
            raise ValueError(differs(name, said[name], value))


def differs(name: str, said: object, found: object) -> str:
    return f"{name} is {short_repr(said)}, but the game has {short_repr(found)}"


def replay_rows(rows: Rows, game: int, first: int) -> Iterator[Step]:
    """The same from columns: a game by its place among those played, whose first row is ``first``.

    Values are those of candidates; what else was considered, and in which words, columns do not tell.
    """
    return replay(rows.samples.played[game], lambda state, number: _decision(rows, first + number, state))


def _decision(rows: Rows, row: int, state: PublicState) -> Decision:
    samples, plain = rows.samples, {name: values[row] for name, values in rows.plain.items()}
    start, end = samples.starts[row], samples.starts[row + 1]
    values, chosen = samples.values[start:end].tolist(), int(samples.chosen[row])
    considered: list[Considered] = []
    if not all(map(math.isnan, values)):
        actions = [_action(*parts) for parts in describe(state).actions.tolist()]
        if len(actions) != len(values):
            raise ValueError(f"there are {len(values)} candidates, but the game has {len(actions)}")
        considered = [
            Considered(action, value, "", chosen=place == chosen)
            for place, (action, value) in enumerate(zip(actions, values, strict=True))
            if not math.isnan(value)
        ]
    return Decision(
        action=Action(plain["action"], plain["index"], plain["to"], list(plain["cards"])),
        considered=tuple(sorted(considered, key=lambda other: -other.value)),
        explanation=plain["explanation"],
        measure=MEASURES[samples.measures[row]],
        win=plain["win"],
    )


def _action(kind: int, index: int, to: int, cards: int) -> Action:
    return Action(_KINDS[kind], index, to, [place for place in range(cards.bit_length()) if cards >> place & 1])
