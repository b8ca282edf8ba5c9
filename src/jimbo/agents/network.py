"""A network as an agent: it chooses what it finds most likely to be right, without any search."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from jimbo.agents.protocol import Considered, Decision
from jimbo.data.samples import MAX_CANDIDATES
from jimbo.declared import Declared, declared
from jimbo.engine import PublicState, candidates, observe
from jimbo.models.runtime import load_policy
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

    def __init__(self, options: NetworkOptions | None = None) -> None:
        model = options.model if options else None
        self._policy = load_policy(Path(model) if model else None)

    def __repr__(self) -> str:
        return f"<NetworkAgent {self._policy.path.name}>"

    def act(self, state: PublicState) -> Decision:
        started = time.perf_counter()
        run = state.imagine(0)
        listed = candidates(run, MAX_CANDIDATES)
        mask = np.ones((1, len(listed.actions)), np.bool_)
        found = self._policy.evaluate(observe(run), listed.ids[None], listed.rows[None], mask)
        shares = found.probabilities()[0]
        best = np.argsort(-shares, kind="stable")[:_SHOWN]
        considered = tuple(
            Considered(listed.actions[place], float(shares[place]), "", chosen=bool(place == best[0])) for place in best
        )
        win, clear, ante = float(found.win[0]), float(found.clear[0, 0]), float(found.ante[0])
        return Decision(
            considered[0].action,
            considered,
            f"expects to end in ante {ante:.1f}; {percent_text(clear)} to beat one more blind",
            time.perf_counter() - started,
            measure="choice",
            win=win,
        )
