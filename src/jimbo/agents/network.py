"""A network as an agent: it chooses what it finds most likely to be right, without any search."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from jimbo.agents.protocol import Considered, Decision
from jimbo.data.samples import MAX_CANDIDATES
from jimbo.declared import Declared, declared
from jimbo.engine import PublicState, candidates, observe
from jimbo.models.outputs import Outputs
from jimbo.models.runtime import load_policy, model_file
from jimbo.text import percent_text

_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkOptions(Declared):
    model: str | None = declared(
        None,
        "an .onnx file or the folder of a training, in place of the network that comes with the package",
        nonempty=True,
    )


class NetworkAgent:
    """Plays what a trained network finds best: no search, a millisecond a decision."""

    Options = NetworkOptions
    own_model = model_file(None)
    """What plays where the option model is not given."""

    def __init__(self, options: NetworkOptions | None = None) -> None:
        self._model = model = options.model if options else None
        self._policy = load_policy(Path(model) if model else None)
        # A network is asked about no more candidates than it has learnt to choose from.
        self._listed = min(MAX_CANDIDATES, int(self._policy.card.get("candidates", MAX_CANDIDATES)))

    def __repr__(self) -> str:
        return f"<NetworkAgent {self._model}>" if self._model else "<NetworkAgent>"

    def act(self, state: PublicState) -> Decision:
        started = time.perf_counter()
        run = state.imagine(0)
        listed = candidates(run, self._listed)
        mask = np.ones((1, len(listed.actions)), np.bool_)
        found = self._policy.evaluate(observe(run), listed.ids[None], listed.rows[None], mask)
        shares = found.probabilities()[0]
        best = np.argsort(-shares, kind="stable")[:_SHOWN]
        # What is expected is expected of the network's own choice.
        clear = float(found.clear[0, 0]) if self._policy.foresees and state.phase == "selecting_hand" else None
        first, *others = (Considered(listed.actions[place], float(shares[place]), "") for place in best)
        considered = (replace(first, clear=clear, chosen=True), *others)
        return Decision(
            first.action,
            considered,
            self._outlook(found),
            time.perf_counter() - started,
            measure="choice",
            win=float(found.win[0]) if self._policy.foresees else None,
        )

    def _outlook(self, found: Outputs) -> str:
        if not self._policy.foresees:
            return "the network's first choice"
        ante, clear = float(found.ante[0]), float(found.clear[0, 0])
        return f"expects to end in ante {ante:.1f}; {percent_text(clear)} to beat one more blind"
