"""``jimbo/Run-v0``, one run at a time, and its screen as text."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray

from jimbo.engine import PublicState, Run
from jimbo.env.layouts import Observation
from jimbo.env.options import EpisodeOptions, RunOptions, choices_of_one, options_from
from jimbo.env.rows import ClosedRows, EnvRows, SnapshotMixin, plain_rows
from jimbo.text import card_short, counted, money_text, number_text
from jimbo.text.picture import picture_of

RENDERED = ("ansi", "rgb_array")
FIRST = np.zeros(1, np.intp)


class RunEnv(SnapshotMixin, gymnasium.Env[Observation, Any]):
    """``jimbo/Run-v0``: a run from its first blind to its end.

    Keyword arguments are the fields of ``RunOptions``, and ``render_mode``: None, "ansi" (text) or "rgb_array".

    Actions: ``Discrete``; ``action_masks()`` and the observation's ``action_mask`` say which are allowed. Any other is
    refused: nothing changes, it costs ``illegal_penalty`` and is counted in ``info["illegal"]``. With
    ``actions="whole"``: ``MultiDiscrete``, see ``jimbo.env.whole``; an ``Action`` can be given just as well.

    Observation: ``Dict``; what a player sees, and ``action_mask``. See ``FieldLayout``, ``FlatLayout`` and
    ``PackedLayout``. Its arrays never change while somebody holds them, or a view of them.

    ``info``: ``game_seed``, ``ante``, ``illegal`` (refused actions in this episode), and at the end ``result``: won,
    end (won, lost, no_room, max_ante, max_steps), return, best_hand (highest score of one hand), ante, round, blinds
    (beaten), money, length (steps), decisions (whole actions among them), illegal.

    ``reset(seed=...)`` fixes all games that follow. ``reset(options={"seed": "ABCD1234", "deck": "b_blue", "stake":
    "gold", "challenge": ...})`` names a game, for this episode only; each of the four may be left out.
    After a named seed the list ``seeds`` begins again. ``options={"run": run}``, or ``{"save": run.save()}``, starts
    the episode from a copy of a run, wherever it stands; its statistics count from there.
    """

    metadata = {"render_modes": [*RENDERED], "render_fps": 4}  # noqa: RUF012 (gymnasium declares it so)

    options_type: ClassVar[type[EpisodeOptions]] = RunOptions

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        if render_mode not in (None, *RENDERED):
            raise ValueError(f'render_mode must be "ansi", "rgb_array" or None, not {render_mode!r}')
        self.metadata = dict(self.metadata)
        self.render_mode = render_mode
        self.options = options_from(options, self.options_type)
        self._rows = EnvRows(1, self.options, "disabled", alone=True)
        self.observation_space = self._rows.layout.space
        self.action_space = self._rows.action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        choices = choices_of_one(options or {})
        super().reset(seed=seed)
        if seed is not None or not self._rows.seeded:
            self._rows.seed([int(self.np_random.integers(1 << 63)) if seed is None else seed])
        self._rows.reset(np.ones(1, np.bool_), choices)
        return self._shown()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        rows = self._rows
        reward, terminated, truncated, finished, ante, illegal = rows.step_one(action)
        info = {"game_seed": rows.game_seeds[0], "ante": ante, "illegal": illegal}
        if finished:
            info["result"] = self.result()
        return rows.observations(), reward, terminated, truncated, info

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the run as ``render_mode`` says: a few lines of text, or a picture ``[360, 640, 3]``."""
        run = self.run()
        if self.render_mode is None:
            return None
        state = run.public_state()
        return screen_of(state, run.seed) if self.render_mode == "ansi" else picture_of(state)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are allowed now, ``[A]``."""
        masks: NDArray[np.bool_] = self._rows.masks[0]
        return masks

    def sample_action(self, seed: int) -> Any:
        """Return a random allowed action, each as likely as any other; the same for the same seed."""
        return self._rows.sample(seed)[0]

    def result(self) -> dict[str, Any]:
        """Return statistics of the episode so far, as ``info["result"]`` has them at its end."""
        return plain_rows(self._rows.results(FIRST))[0]

    def run(self) -> Run:
        """Return a copy of the run, hidden things included: for tools, not for agents."""
        return self._rows.batch.run(0)

    def close(self) -> None:
        self._rows = ClosedRows.instead()

    def __repr__(self) -> str:
        name = type(self).__name__
        if isinstance(self._rows, ClosedRows):
            return f"<{name} that was closed>"
        seed = self._rows.game_seeds[0]
        return f"<{name} playing {seed}>" if seed else f"<{name} before its first game>"

    def _shown(self) -> tuple[Observation, dict[str, Any]]:
        return self._rows.observations(), plain_rows(self._rows.status())[0]


def screen_of(state: PublicState, seed: str) -> str:
    """Return a run in a few lines of text: blind, score, money, jokers, hand."""
    lines = [
        f"{seed}: ante {state.ante}, round {state.round}, {state.phase}, {money_text(state.dollars)}",
        f"score {number_text(state.chips)} of {number_text(state.blind.target)}, "
        f"{counted(state.hands_left, 'hand')}, {counted(state.discards_left, 'discard')}",
        "jokers: " + (", ".join("??" if joker.face_down else joker.name for joker in state.jokers) or "none"),
        "hand: " + (" ".join("??" if card.face_down else card_short(card) for card in state.hand) or "none"),
    ]
    return "\n".join(lines)
