"""What the JSON files of a package say: who plays, made with which versions, from which models."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

from jimbo.agents.registry import BUILT_IN, agent_source
from jimbo.data import versions
from jimbo.declared import Declared, declared, from_dict
from jimbo.deploy.layout import CONFIG, MANIFEST, METADATA, METRICS, BadPackage, Files, parsed
from jimbo.engine.catalog import GAME_VERSION
from jimbo.eval.store import SCHEMA as EVALUATION_SCHEMA
from jimbo.league.entry import schema_hashes

SCHEMA = "deploy_package_v1"
CONFIG_SCHEMA = "inference_config_v1"
MANIFEST_SCHEMA = "model_manifest_v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Compatibility(Declared):
    """What must be the same where a package plays."""

    sim_version: str = declared(nonempty=True)
    """The version of Jimbo that made it; another one with the same rules and schemas will do."""
    game_version: str = declared(nonempty=True)
    rules_signature: str = declared(nonempty=True)
    schema_hashes: Mapping[str, str]
    """Of states (state_v1), public states (public_v1), observations and the inputs of a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata(Declared):
    package_id: str = declared(nonempty=True)
    model_id: str = declared(nonempty=True)
    source_strategy: str = declared(nonempty=True)
    """The agent."""
    git_commit: str | None = None
    """Of the checkout that made it; null where Jimbo was installed."""
    created_at: str | None = None
    """From SOURCE_DATE_EPOCH; null where that is not set, so that nothing but the input decides the bytes."""
    compatibility: Compatibility
    requires: tuple[str, ...] = ()
    """Extras of Jimbo that it needs to play."""
    seed_files: tuple[str, ...] = ()
    """The set of seeds of its evaluation: name, version and hash."""
    golden_decisions: int = declared(min=0)
    schema: str = SCHEMA


@dataclass(frozen=True, slots=True, kw_only=True)
class InferenceConfig(Declared):
    """The agent and its options."""

    agent: str = declared(nonempty=True)
    options: Mapping[str, Any] = field(default_factory=dict)
    """Without those that name files."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Options that name files of the package."""
    agent_source: Mapping[str, str] = field(default_factory=dict)
    """What tells an agent that Jimbo does not bring: its class, package and version, the hash of its source."""
    schema: str = CONFIG_SCHEMA

    @property
    def is_foreign(self) -> bool:
        """Whether the agent's code must be here already, and not as an agent with a name."""
        return ":" in self.agent


def compatibility_here() -> Compatibility:
    here = versions()
    return Compatibility(
        sim_version=here["jimbo"],
        game_version=GAME_VERSION,
        rules_signature=here["rules"],
        schema_hashes=schema_hashes(),
    )


def json_bytes(data: Any) -> bytes:
    plain = asdict(data) if isinstance(data, Declared) else data  # type: ignore[call-overload]
    return (json.dumps(plain, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


# --- Reading ----------------------------------------------------------------------------------------------------------

T = TypeVar("T")


def read_metadata(files: Files) -> Metadata:
    """BadPackage with a sentence for a package that does not fit this version."""
    found = _read(Metadata, files, METADATA)
    _check_schema(METADATA, found.schema, SCHEMA)
    there, here = found.compatibility, compatibility_here()
    pairs = [
        ("the game's version", there.game_version, here.game_version),
        ("the signature of the rules", there.rules_signature, here.rules_signature),
        *(
            (f"the schema of {name}", there.schema_hashes.get(name), known)
            for name, known in here.schema_hashes.items()
        ),
    ]
    for what, other, known in pairs:
        if other != known:
            raise BadPackage(
                f"The package was made for something else: {what} is {other} there and {known} here. Use Jimbo "
                f"{there.sim_version} as it was then, or export the agent again with this version."
            )
    return found


def read_config(files: Files) -> InferenceConfig:
    found = _read(InferenceConfig, files, CONFIG)
    _check_schema(CONFIG, found.schema, CONFIG_SCHEMA)
    if missing := [name for name in found.files.values() if name not in files]:
        raise BadPackage(f"{CONFIG} names {ascii(missing[0])[:120]}, which is not in the package.")
    return found


def check_manifest(files: Files, config: InferenceConfig) -> None:
    manifest = parsed(files, MANIFEST)
    _check_schema(MANIFEST, manifest.get("schema"), MANIFEST_SCHEMA)
    if manifest != manifest_of(config):
        raise BadPackage(f"{MANIFEST} describes other models than those of the package.")


def check_metrics(files: Files, config: InferenceConfig) -> None:
    metrics = parsed(files, METRICS)
    _check_schema(METRICS, metrics.get("schema"), EVALUATION_SCHEMA)
    if metrics.get("agent") != config.agent:
        raise BadPackage(f"{METRICS} is about another agent than {CONFIG}.")


def manifest_of(config: InferenceConfig) -> dict[str, Any]:
    """Which option of the agent each model is for."""
    models = [
        {"option": option, "file": name} for option, name in sorted(config.files.items()) if name.startswith("model/")
    ]
    return {"schema": MANIFEST_SCHEMA, "models": models}


def check_agent(config: InferenceConfig) -> None:
    """BadPackage where the agent's code is not here as it was."""
    if config.agent in BUILT_IN:
        return
    here = agent_source(config.agent)
    wanted = dict(config.agent_source)
    if here == wanted:
        return
    brought = wanted.get("package") or f"the module of {wanted.get('class', config.agent)}"
    if not here:
        raise BadPackage(f"The package plays the agent {config.agent}, which is not here. Install {brought}.")
    changed = next(name for name in {**wanted, **here} if wanted.get(name) != here.get(name))
    raise BadPackage(
        f"The agent {config.agent} is not the one that was packed: its {changed} is {here.get(changed)} here and was "
        f"{wanted.get(changed)}. Install {brought}, or export it again."
    )


def _check_schema(name: str, found: object, wanted: str) -> None:
    if found != wanted:
        raise BadPackage(f"{name} has the schema {ascii(found)[:60]}, and this version reads {wanted}.")


def _read(kind: type[T], files: Files, name: str) -> T:
    try:
        return from_dict(kind, parsed(files, name))
    except BadPackage:
        raise
    except ValueError as error:
        raise BadPackage(f"{name} cannot be used: {error}.") from None
