"""Tokens, by which Ray lets a machine into a cluster. Nothing here needs Ray."""

import os
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jimbo.rollout import ray_cluster


class _Ray(SimpleNamespace):
    """A Ray that lets nobody in."""

    exceptions = SimpleNamespace(RayError=OSError)

    def is_initialized(self) -> bool:
        return False

    def init(self, **_: Any) -> None:
        raise ConnectionError("Failed to connect.\nIts second line.")


@pytest.fixture(autouse=True)
def _machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that has never heard of Ray."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH", "RAY_BACKEND_LOG_LEVEL", "RAY_AUTH_MODE"):
        monkeypatch.setenv(name, "")  # so that what is set here is forgotten
        monkeypatch.delenv(name)
    monkeypatch.setattr(ray_cluster, "require", lambda *_: _Ray())
    monkeypatch.setattr(ray_cluster, "_answers", lambda _: True)


def join(address: str) -> None:
    with suppress(ValueError), ray_cluster.ray_cluster(address):
        pass


@pytest.mark.parametrize(
    ("there", "address", "mode"),
    [(False, "here:1", None), (True, "here:1", "token"), (True, "local", None)],
    ids=["no token", "joined", "alone"],
)
def test_a_token_is_shown_to_a_cluster_where_there_is_one(
    there: bool, address: str, mode: str | None, tmp_path: Path
) -> None:
    if there:
        (tmp_path / ".ray").mkdir()
        (tmp_path / ".ray" / "auth_token").write_text("secret")
    with suppress(ConnectionError):
        join(address)
    assert os.environ.get("RAY_AUTH_MODE") == mode, "alone Ray knows by itself"


def test_what_the_user_says_about_tokens_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_AUTH_TOKEN", "secret")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    join("here:1")
    assert os.environ["RAY_AUTH_MODE"] == "disabled"


def test_a_cluster_that_lets_nobody_in_is_a_sentence() -> None:
    sentence = r"The Ray cluster at here:1 does not let this machine in \(Failed to connect\)\. Copy ~/\.ray/auth_token"
    with pytest.raises(ValueError, match=sentence), ray_cluster.ray_cluster("here:1"):
        pass
