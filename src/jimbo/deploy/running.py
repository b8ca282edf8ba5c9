"""Packages opened: checked, unpacked where nobody else writes; the agent made from them alone, also behind a port."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jimbo.agents import Agent, make_agent
from jimbo.agents.registry import agent_class, agent_names, option_files
from jimbo.deploy.contents import (
    InferenceConfig,
    Metadata,
    check_agent,
    check_manifest,
    check_metrics,
    read_config,
    read_metadata,
)
from jimbo.deploy.golden import GoldenDecision, NotTheSame, Progress, check_golden, read_golden
from jimbo.deploy.layout import CHECKSUMS, GOLDEN, SIGNATURE, WEIGHTS, BadPackage, read_files, unpack
from jimbo.deploy.minisign import PublicKey, check, signer_of
from jimbo.engine import PublicState
from jimbo.files import bytes_hash
from jimbo.models.runtime import has_outside_weights
from jimbo.models.value_file import read_tensors
from jimbo.rollout import AgentFailed
from jimbo.serve.assistant import Adviser, advice_data
from jimbo.serve.balatrobot.rpc import error as rpc_error
from jimbo.wire.errors import BAD_REQUEST, INTERNAL_ERROR

REPORT_SCHEMA = "package_verify_report_v1"


@dataclass(frozen=True, slots=True)
class OpenPackage:
    """A package whose files are what they say."""

    path: Path
    files: dict[str, bytes]
    metadata: Metadata
    config: InferenceConfig
    golden: list[GoldenDecision]
    agent: Agent
    options: dict[str, Any]
    """With the unpacked files; the agent was made with them."""
    signed_by: str | None = None
    """The name of the key, whether it was checked or not."""
    trusted: bool = False
    """The signature was checked, and holds."""

    def report(self) -> dict[str, Any]:
        return {
            "schema": REPORT_SCHEMA,
            "package": str(self.path),
            "ok": True,
            "issues": [],
            "package_id": self.metadata.package_id,
            "model_id": self.metadata.model_id,
            "agent": self.config.agent,
            "files": len(self.files),
            "size_bytes": sum(map(len, self.files.values())),
            "checksums_sha256": bytes_hash(self.files[CHECKSUMS]),
            "golden_decisions": len(self.golden),
            "signed_by": self.signed_by,
            "trusted": self.trusted,
        }


@contextmanager
def opened(path: Path, *, trusted_key: PublicKey | None = None, trust_code: bool = False) -> Iterator[OpenPackage]:
    """Check a package and make its agent; BadPackage with a sentence for one that is not whole, or not for here.

    A module that the package names, and does not bring, is imported only with ``trust_code``.
    """
    files = read_files(path)
    signed_by = _check_signature(files, trusted_key)
    metadata, config = read_metadata(files), read_config(files)
    _check_player(config, trust_code)
    check_manifest(files, config)
    check_metrics(files, config)
    golden = _golden(files, metadata)
    for name, data in files.items():
        check_weights(name, data)
    with tempfile.TemporaryDirectory(prefix="jimbo-package-") as folder:
        unpack(files, Path(folder))
        options = {**config.options, **{name: str(Path(folder) / file) for name, file in config.files.items()}}
        try:
            agent = make_agent(config.agent, **options)
        except ValueError as error:
            told = str(error).replace(f"{folder}/", "").rstrip(".")
            raise BadPackage(f"The agent of the package cannot be made: {told}.") from None
        if agent.clairvoyant:
            raise BadPackage("The agent of the package must be shown what is hidden; such agents are not run.")
        yield OpenPackage(path, files, metadata, config, golden, agent, options, signed_by, trusted_key is not None)


def _check_player(config: InferenceConfig, trust_code: bool) -> None:
    """BadPackage where the agent is not here, or would use what the package does not hold."""
    if config.is_foreign and not trust_code:
        raise BadPackage(
            f"The package plays {ascii(config.agent)[:120]}, code that it does not bring. If you trust what is "
            "installed here under that name, add --trust-code."
        )
    if not config.is_foreign and config.agent not in agent_names():
        raise BadPackage(f"The package plays the agent {ascii(config.agent)[:120]}, and there is none here.")
    check_agent(config)
    if "model" not in config.files and getattr(agent_class(config.agent), "own_model", None) is not None:
        raise BadPackage(f"The package does not hold the model of the agent {config.agent}.")
    if elsewhere := option_files(config.options):
        raise BadPackage(f"The option {next(iter(elsewhere))} names a file that is not in the package.")


def verify(package: OpenPackage, progress: Progress = lambda done, of: None) -> None:
    """Ask the agent for every golden decision again; BadPackage where it makes another one."""
    try:
        check_golden(package.agent, package.golden, progress)
    except NotTheSame as error:
        raise BadPackage(f"{package.path} does not play as it did: {error}.") from None
    except ValueError as error:
        raise BadPackage(f"{GOLDEN} cannot be checked: {str(error).rstrip('.')}.") from None


def check_weights(name: str, data: bytes) -> None:
    """BadPackage for a file of weights that is none, or that names others."""
    if name.endswith(".onnx"):
        try:
            outside = has_outside_weights(data)
        except ValueError:
            raise BadPackage(f"{name} is not a network in the format ONNX.") from None
        if outside:
            raise BadPackage(f"{name} keeps weights in other files, which a package does not allow.")
    elif name.endswith(WEIGHTS):
        read_tensors(data, name)


def _check_signature(files: dict[str, bytes], trusted_key: PublicKey | None) -> str | None:
    if SIGNATURE not in files:
        if trusted_key:
            raise BadPackage(f"The package is not signed, and {trusted_key.name} was to have signed it.")
        return None
    try:
        text = files[SIGNATURE].decode("utf-8", "replace")
        if trusted_key:
            check(files[CHECKSUMS], text, trusted_key)
        return signer_of(text)
    except ValueError as error:
        raise BadPackage(f"{SIGNATURE} does not hold: {error}.") from None


def _golden(files: dict[str, bytes], metadata: Metadata) -> list[GoldenDecision]:
    try:
        golden = read_golden(files[GOLDEN])
    except ValueError as error:
        raise BadPackage(f"{GOLDEN} cannot be used: {error}.") from None
    if len(golden) != metadata.golden_decisions:
        raise BadPackage(f"{GOLDEN} holds {len(golden)} decisions, and {metadata.golden_decisions} are announced.")
    return golden


# --- Behind a port ----------------------------------------------------------------------------------------------------


class Oracle:
    """Answers the body of a POST, a public state (public_v1), with advice (advice_v1). It keeps nothing between two."""

    def __init__(self, agent: Agent) -> None:
        self._adviser = Adviser(agent)

    def __call__(self, body: bytes) -> bytes:
        """Return JSON; an error, with a sentence, for what is not a state or cannot be decided. Never raises."""
        try:
            state = PublicState.from_json(body.decode("utf-8"))
        except ValueError as trouble:
            return rpc_error(BAD_REQUEST, f"This is not a state that can be played (public_v1): {trouble}")
        try:
            advice = self._adviser.advise(state)
        except AgentFailed as failure:
            return rpc_error(INTERNAL_ERROR, str(failure))
        return json.dumps(advice_data(advice, advice.suggestions)).encode()
