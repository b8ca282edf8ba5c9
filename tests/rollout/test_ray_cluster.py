"""Which Ray is meant. Nothing here needs Ray, for a cluster that does not answer is never joined."""

import socket
from pathlib import Path

import pytest

from jimbo.rollout import ray_cluster


@pytest.fixture(autouse=True)
def _nothing_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))


def note(folder: Path, address: str) -> None:
    (folder / "ray").mkdir()
    (folder / "ray" / "ray_current_cluster").write_text(f"{address}\n")


def test_without_a_cluster_it_is_this_machine_alone(tmp_path: Path) -> None:
    assert ray_cluster._place(None) is None
    note(tmp_path, "127.0.0.1:1")
    assert ray_cluster._place(None) is None, "that one has ended"


def test_a_cluster_that_runs_is_joined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        there = f"127.0.0.1:{server.getsockname()[1]}"
        assert ray_cluster._place(there) == there
        monkeypatch.setenv("RAY_ADDRESS", there)
        assert ray_cluster._place(None) == there
        monkeypatch.delenv("RAY_ADDRESS")
        note(tmp_path, there)
        assert (ray_cluster._place(None), ray_cluster._place("auto")) == (there, there)


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("127.0.0.1:1", "There is no Ray cluster at 127.0.0.1:1. Start one there with ray start --head"),
        ("auto", "There is no Ray cluster at this machine"),
        ("somewhere", "--address must be HOST:PORT, auto or local, not somewhere"),
        ("host:99999999", "There is no Ray cluster at host:99999999"),
    ],
)
def test_no_cluster_is_a_sentence(address: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        ray_cluster._place(address)
    assert str(caught.value).startswith(sentence)


def test_a_named_cluster_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    with pytest.raises(ValueError, match=r"at 127\.0\.0\.1:1"):
        ray_cluster._place(None)
