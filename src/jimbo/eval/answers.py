"""What a network says to recorded decisions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.data.samples import Samples
from jimbo.models.inputs import padded
from jimbo.models.outputs import BLINDS_AHEAD
from jimbo.models.runtime import Policy

Array = NDArray[Any]
_BATCH = 256


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Rows are the decisions. What is about the action taken is nothing (NaN) where ``counted`` says no."""

    counted: Array
    """Whether there was a choice: more than one candidate, and the action taken among them."""
    top1: Array
    """1 where the action taken is the network's first choice, else 0; a share where several are equally good to it."""
    top3: Array
    """The same for its first three choices."""
    probability: Array
    """With which the network would choose the action taken."""
    cross_entropy: Array
    """Minus the logarithm of it."""
    first: Array
    """The row of the network's first choice among all candidates."""
    win: Array
    """P(win)."""
    clear: Array
    """``[n, BLINDS_AHEAD]``: P(at least 1, 2, ... further blinds are beaten)."""
    ante: Array
    """The final ante that is expected."""


def candidate_counts(samples: Samples) -> Array:
    return np.diff(samples.starts)


def ask(policy: Policy, samples: Samples, progress: Callable[[int], None] | None = None) -> Answers:
    """Answers to all decisions; ``progress`` is told how many more are done. ValueError for answers of no use."""
    size = len(samples)
    counts = candidate_counts(samples)
    answers = Answers(
        counted=(counts > 1) & (samples.chosen >= 0),
        first=np.zeros(size, np.int64),
        clear=np.zeros((size, BLINDS_AHEAD)),
        **{name: np.full(size, np.nan) for name in ("top1", "top3", "probability", "cross_entropy", "win", "ante")},
    )
    order = np.argsort(counts, kind="stable")  # lists of about the same length together: less to fill up
    for begin in range(0, size, _BATCH):
        indices = order[begin : begin + _BATCH]
        _ask_some(policy, samples, indices, answers)
        if progress:
            progress(len(indices))
    return answers


def _ask_some(policy: Policy, samples: Samples, indices: Array, answers: Answers) -> None:
    inputs = padded(samples, indices)
    outputs = policy.evaluate(*inputs)
    answers.win[indices], answers.clear[indices], answers.ante[indices] = outputs.win, outputs.clear, outputs.ante
    logits = np.where(inputs[-1], outputs.logits.astype(float), -np.inf)
    answers.first[indices] = samples.starts[indices] + logits.argmax(axis=1)
    here = answers.counted[indices]
    _judge(logits[here], samples.chosen[indices][here], indices[here], answers)
    sound = np.isfinite(outputs.win) & np.isfinite(outputs.clear).all(axis=1) & np.isfinite(outputs.ante)
    sound &= ~here | ~np.isnan(answers.cross_entropy[indices])
    if not sound.all():
        at = indices[~sound][0]
        game = samples.played[samples.games[at]]
        raise ValueError(
            f"The network's answer to decision {samples.steps[at]} on the seed {game.seed} is not a number."
        )


def _judge(logits: Array, chosen: Array, indices: Array, answers: Answers) -> None:
    taken = np.take_along_axis(logits, chosen[:, None].astype(np.intp), axis=1)
    better, equal = (logits > taken).sum(axis=1), (logits == taken).sum(axis=1)
    for k, share in ((1, answers.top1), (3, answers.top3)):
        share[indices] = np.clip((k - better) / equal, 0.0, 1.0)
    best = logits.max(axis=1, keepdims=True)
    loss = best[:, 0] + np.log(np.exp(logits - best).sum(axis=1)) - taken[:, 0]
    answers.cross_entropy[indices], answers.probability[indices] = loss, np.exp(-loss)
