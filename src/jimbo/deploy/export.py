"""Packages made: the files of an agent, its golden decisions, and what an evaluation says of its strength."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jimbo import system
from jimbo.agents import Agent, make_agent
from jimbo.agents.registry import agent_class, agent_source, option_files
from jimbo.backends import SimBackend
from jimbo.data import versions
from jimbo.deploy.card import card
from jimbo.deploy.contents import (
    InferenceConfig,
    Metadata,
    check_agent,
    compatibility_here,
    json_bytes,
    manifest_of,
    read_config,
)
from jimbo.deploy.golden import NETWORK_TOLERANCE, TOLERANCE, Progress, make_golden
from jimbo.deploy.layout import (
    CARD,
    CHECKSUMS,
    CONFIG,
    GOLDEN,
    MANIFEST,
    METADATA,
    METRICS,
    SETTINGS,
    SIGNATURE,
    WEIGHTS,
    checksums_of,
    limit_of,
)
from jimbo.deploy.minisign import SecretKey, sign
from jimbo.deploy.running import check_weights
from jimbo.eval.comparison import read_evaluation
from jimbo.eval.episodes import play_episode
from jimbo.eval.rows import Episode
from jimbo.eval.runner import Evaluation
from jimbo.eval.store import SCHEMA as EVALUATION_SCHEMA
from jimbo.eval.store import Store
from jimbo.eval.summary import complete, summarize
from jimbo.files import read_bytes

REPLAYED = 2
"""Games of the evaluation that are played again: a card must be about what is packed."""
_NAMES = re.compile(r"[^A-Za-z0-9_.-]")


@dataclass(frozen=True, slots=True)
class Exported:
    """The files of a new package, and what it is called."""

    files: dict[str, bytes]
    metadata: Metadata
    config: InferenceConfig


def export(
    agent: str,
    options: Mapping[str, Any],
    evaluation: Path,
    *,
    package_id: str | None = None,
    model_id: str | None = None,
    key: SecretKey | None = None,
    progress: Progress = lambda done, of: None,
) -> Exported:
    """Make the files of a package; ValueError with a sentence where the agent or its evaluation does not allow it.

    The same agent, evaluation, key and checkout give the same bytes.
    """
    for text in filter(None, (package_id, model_id)):
        if _NAMES.search(text):
            raise ValueError(f"The id {text!r} is not made of letters, digits and _.- alone.")
    player = make_agent(agent, **options)
    if player.clairvoyant:
        raise ValueError(f"The agent {agent} must be shown what is hidden, and packages play from public states alone.")
    config, files = packed_options(agent, options)
    measured, settings = _measured(evaluation, agent, options, player)
    files[METRICS] = json_bytes(_metrics(measured, settings, config))
    files[CONFIG] = json_bytes(config)
    files[MANIFEST] = json_bytes(manifest_of(config))
    onnx = any(name.endswith(".onnx") for name in files)
    files[GOLDEN] = make_golden(player, NETWORK_TOLERANCE if onnx else TOLERANCE, progress).encode()
    seeds = measured.settings.seeds
    contents = _hash_of({name: data for name, data in files.items() if name != METRICS})
    models = {name: data for name, data in files.items() if name.endswith(WEIGHTS)}
    metadata = Metadata(
        package_id=package_id or f"{_NAMES.sub('-', agent)}-{contents}",
        model_id=model_id or (f"{_NAMES.sub('-', agent)}-{_hash_of(models)}" if models else agent),
        source_strategy=agent,
        git_commit=system.checkout_commit(),
        created_at=_date(),
        compatibility=compatibility_here(),
        requires=("models",) if onnx else (),
        seed_files=(f"{seeds.name} v{seeds.version} {seeds.hash}",),
        golden_decisions=files[GOLDEN].count(b"\n"),
    )
    files[METADATA] = json_bytes(metadata)
    files[CARD] = card(metadata, config, measured, signed=key is not None).encode()
    files[CHECKSUMS] = json_bytes(checksums_of(files))
    if key:
        comment = f"package:{metadata.package_id}\tfile:{CHECKSUMS}"
        files[SIGNATURE] = sign(files[CHECKSUMS], key, comment).encode()
    check_agent(read_config(files))
    return Exported(files, metadata, config)


def _hash_of(files: Mapping[str, bytes]) -> str:
    whole = hashlib.sha256()
    for name, data in sorted(files.items()):
        whole.update(name.encode() + b"\0" + hashlib.sha256(data).digest())
    return whole.hexdigest()[:12]


def _date() -> str | None:
    text = os.environ.get("SOURCE_DATE_EPOCH")
    if text is None:
        return None
    try:
        return datetime.fromtimestamp(int(text), UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        raise ValueError(f"SOURCE_DATE_EPOCH is {text}, and must be a number of seconds since 1970.") from None


# --- The files of an agent --------------------------------------------------------------------------------------------


def packed_options(agent: str, options: Mapping[str, Any]) -> tuple[InferenceConfig, dict[str, bytes]]:
    """The agent with its options, and the files that they name; also the model that it brings for itself."""
    own = getattr(agent_class(agent), "own_model", None)
    given = {name: value for name, value in options.items() if value is not None}
    if own is not None:
        given.setdefault("model", str(own))
    files: dict[str, bytes] = {}
    named: dict[str, str] = {}
    for option in option_files(given):
        named[option] = _add(files, Path(given[option]))
    if folder := next((name for name, value in given.items() if isinstance(value, str) and Path(value).is_dir()), None):
        raise ValueError(f"The option {folder} names a folder, {given[folder]}. Name the file in it that plays.")
    plain = {name: value for name, value in given.items() if name not in named}
    return InferenceConfig(agent=agent, options=plain, files=named, agent_source=agent_source(agent)), files


def _add(files: dict[str, bytes], path: Path) -> str:
    """Take in a file, and the card beside a model."""
    folder = "model" if path.suffix in WEIGHTS else "config"
    if path.suffix not in (*WEIGHTS, *SETTINGS):
        kinds = ", ".join((*WEIGHTS, *SETTINGS))
        raise ValueError(f"{path} cannot be packed: only files that run no code can, which end in {kinds}.")
    name = f"{folder}/{_NAMES.sub('_', path.name)}"
    data = read_bytes(path, limit_of(name))
    if files.get(name, data) != data:
        raise ValueError(f"Two files of the agent are called {path.name}. Rename one of them.")
    files[name] = data
    check_weights(name, data)
    beside = path.with_suffix(".json")
    if folder == "model" and beside.is_file():
        _add_card(files, name, beside)
    return name


def _add_card(files: dict[str, bytes], name: str, beside: Path) -> None:
    card_name = f"{name.rpartition('.')[0]}.json"
    files[card_name] = read_bytes(beside, limit_of(card_name))


# --- Its evaluation ---------------------------------------------------------------------------------------------------


def _measured(folder: Path, agent: str, options: Mapping[str, Any], player: Agent) -> tuple[Evaluation, dict[str, Any]]:
    """The evaluation in a folder and its settings; ValueError where it is of another agent, or of other rules."""
    settings, evaluation = Store(folder).config(), read_evaluation(folder)
    if settings is None or not evaluation.episodes:
        raise ValueError(f"{folder} does not hold an evaluation. Make one: jimbo eval --agent {agent} --out {folder}.")
    known = {name: value for name, value in options.items() if value is not None}
    there = {name: value for name, value in settings["options"].items() if value is not None}
    hashes, files = settings.get("option_files", {}), option_files(known)
    same = settings["agent"] == agent and _without(there, hashes) == _without(known, files) and hashes == files
    if not same or settings.get("agent_source", {}) != agent_source(agent):
        raise ValueError(f"The evaluation in {folder} is not of this agent with these options and files.")
    if settings.get("backend", "sim") != "sim":
        raise ValueError(f"The evaluation in {folder} is of the real game; a package needs one of the simulator.")
    if settings["versions"]["rules"] != versions()["rules"]:
        raise ValueError(f"The evaluation in {folder} was played by other rules. Evaluate the agent again.")
    if not complete(evaluation):
        raise ValueError(f"The evaluation in {folder} is not complete. The same jimbo eval command continues it.")
    for row in evaluation.episodes[:REPLAYED]:
        _check_row(folder, row, player)
    return evaluation, settings


def _without(options: Mapping[str, Any], files: Mapping[str, str]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in files}


def _check_row(folder: Path, row: Episode, player: Agent) -> None:
    """Play a game of the evaluation again."""
    played = play_episode(
        player,
        SimBackend(),
        seed=row.seed,
        deck=row.deck,
        stake=row.stake,
        challenge=row.challenge,
        nonce=row.nonce,
        episode_id=row.episode_id,
    )
    if played.without_times() != row.without_times():
        raise ValueError(
            f"The evaluation in {folder} was played by something else: on the seed {row.seed} this agent ends in ante "
            f"{played.ante_reached} after {played.steps} decisions, and there it was ante {row.ante_reached} after "
            f"{row.steps}. Evaluate the agent again."
        )


def _metrics(evaluation: Evaluation, settings: Mapping[str, Any], config: InferenceConfig) -> dict[str, Any]:
    """The summary of an evaluation without what belongs to the machine that played it, such as paths."""
    about = {name: value for name, value in settings.items() if name != "seeds"}
    return {
        "schema": EVALUATION_SCHEMA,
        **about,
        "options": {**config.options, **config.files},
        "complete": True,
        **asdict(summarize(evaluation.episodes)),
        "runs": [
            {"seed": row.seed, "result": row.result, "ante": row.ante_reached, "round": row.round, "steps": row.steps}
            for row in evaluation.episodes
        ],
    }
