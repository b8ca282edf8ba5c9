"""How many simulations of Connect Four a search makes for each second of processor time, on one core, beside a
public package where it is installed (``pip install open_spiel``): ``python tools/search_speed.py``.

All are measured in turns in the same run, and the median counts. Simulations "with playouts" end in a random game, as
those of OpenSpiel do.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import pairwise
from statistics import median
from typing import Any

import numpy as np

from jimbo.engine.az.games import Array, game_spec
from jimbo.engine.az.search import SearchSettings, SelfPlay
from jimbo.extras import require

GAME = "connect4"
GAMES = 256
SIMULATIONS = 800
"""For each move."""
SHORT = 0.5
"""Seconds of processor time for one measurement."""
TIMES = 5
HIDDEN = 128
"""Width of the two layers of the small network."""

Measure = Callable[[], float]
Evaluate = Callable[[Array], list[Array]]


def uniform_speed(settings: SearchSettings, games: int = GAMES, seconds: float = SHORT) -> float:
    play = SelfPlay(GAME, games, settings, seed=1)
    return _speed_of(lambda: play.uniform(SIMULATIONS * 100), lambda: play.simulations, seconds)


def network_speed(evaluate: Evaluate, settings: SearchSettings, games: int = GAMES, seconds: float = SHORT) -> float:
    """Measure a search that ONNX Runtime evaluates; finished games are taken out."""
    play = SelfPlay(GAME, games, settings, seed=1)

    def step() -> None:
        logits, values = evaluate(play.leaves())
        play.evaluated(logits, values)
        play.finished()

    return _speed_of(step, lambda: play.simulations, seconds)


def small_network(seed: int = 1) -> Evaluate:
    """Make a network of two hidden layers with random weights: as fast as a trained one."""
    onnx, runtime = require("onnx", "train"), require("onnxruntime", "models")
    helper, tensors = onnx.helper, onnx.numpy_helper
    random, spec = np.random.default_rng(seed), game_spec(GAME)
    sizes = [spec.obs_size, HIDDEN, HIDDEN]
    weights, nodes, at = [], [], "observation"

    def dense(source: str, name: str, width: int, height: int, activation: str | None) -> str:
        values = (random.standard_normal((width, height)) / np.sqrt(width)).astype(np.float32)
        weights.append(tensors.from_array(values, f"{name}_weights"))
        weights.append(tensors.from_array(np.zeros(height, np.float32), f"{name}_bias"))
        raw = f"{name}_raw" if activation else name
        nodes.append(helper.make_node("Gemm", [source, f"{name}_weights", f"{name}_bias"], [raw]))
        if activation:
            nodes.append(helper.make_node(activation, [raw], [name]))
        return name

    for layer, (width, height) in enumerate(pairwise(sizes)):
        at = dense(at, f"hidden_{layer}", width, height, "Relu")
    dense(at, "policy_logits", HIDDEN, spec.num_actions, None)
    dense(at, "value", HIDDEN, 1, "Tanh")
    info = helper.make_tensor_value_info
    kind = onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        "small",
        [info("observation", kind, ["batch", spec.obs_size])],
        [info("policy_logits", kind, ["batch", spec.num_actions]), info("value", kind, ["batch", 1])],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = runtime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return lambda rows: list(session.run(["policy_logits", "value"], {"observation": rows}))


# --- A public package -------------------------------------------------------------------------------------------------


def openspiel_speed(seconds: float = SHORT) -> float:
    """OpenSpiel's search in C++: PUCT, equal priors, one random game for each simulation."""
    spiel: Any = import_module("pyspiel")
    game = spiel.load_game("connect_four")
    evaluator = spiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
    policy = spiel.ChildSelectionPolicy.PUCT
    bot = spiel.MCTSBot(game, evaluator, 1.25, SIMULATIONS, 1000, False, 1, False, policy)
    made = 0
    state = game.new_initial_state()

    def move() -> None:
        nonlocal made, state
        state.apply_action(bot.step(state))
        made += SIMULATIONS
        if state.is_terminal():
            state = game.new_initial_state()

    return _speed_of(move, lambda: made, seconds)


# --- All of them ------------------------------------------------------------------------------------------------------


def _speed_of(work: Callable[[], object], made: Callable[[], int], seconds: float) -> float:
    work()  # warms up
    first, before = made(), time.process_time()
    while time.process_time() - before < seconds:
        work()
    return (made() - first) / (time.process_time() - before)


def _measures() -> dict[str, Measure]:
    plain = SearchSettings(simulations=SIMULATIONS)
    playouts = SearchSettings(simulations=SIMULATIONS, playouts=True)
    gumbel = SearchSettings(simulations=SIMULATIONS, search="gumbel")
    small = small_network()
    return {
        "equal priors": lambda: uniform_speed(plain),
        "equal priors, with playouts": lambda: uniform_speed(playouts),
        "equal priors, Gumbel": lambda: uniform_speed(gumbel),
        f"a network of {HIDDEN} x {HIDDEN}, {GAMES} games a batch": lambda: network_speed(small, plain),
        f"the same, {4 * GAMES} games a batch": lambda: network_speed(small, plain, 4 * GAMES),
        "OpenSpiel (C++), with playouts": openspiel_speed,
    }


def measured() -> Iterator[tuple[str, float | None]]:
    """Yield each measurement with its simulations a second; None where OpenSpiel is not installed."""
    found: dict[str, list[float]] = {name: [] for name in _measures()}
    for _ in range(TIMES):
        for name, measure in _measures().items():
            try:
                found[name].append(measure())
            except ImportError:
                continue
    for name, speeds in found.items():
        yield name, median(speeds) if speeds else None


if __name__ == "__main__":
    for name, speed in measured():
        print(
            f"{name:44s} " + (f"{speed:14,.0f} simulations/s" if speed else "  not installed (pip install open_spiel)")
        )
