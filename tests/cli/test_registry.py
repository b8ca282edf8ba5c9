"""``jimbo registry`` and ``--register`` as people use them."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.league import Registry

QUICK = ("--games", "2", "--workers", "1")


@pytest.fixture(autouse=True)
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    monkeypatch.setenv("JIMBO_REGISTRY", str(tmp_path / "registry"))
    return Registry()


def jimbo(*arguments: object, code: int = 0) -> Result:
    result = CliRunner().invoke(app, list(map(str, arguments)), env={"COLUMNS": "120"})
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result


def told(*arguments: object) -> str:
    return " ".join(jimbo(*arguments, code=2).stderr.split())


def test_an_agent_is_registered_and_plays(registry: Registry) -> None:
    jimbo("registry", "add", "hasty", "--agent", "expert", "--effort", "0.01")
    registry.move("champion", "hasty", "the only one")
    for name in ("hasty", "champion", registry.resolve("hasty").id[:8]):
        data = json.loads(jimbo("eval", "--agent", f"registry:{name}", *QUICK, "--json").stdout)
        assert (data["agent"], data["options"]) == ("expert", {"effort": 0.01})
    more = ("--set", "joker_order=false", "--effort", "0.02")
    data = json.loads(jimbo("eval", "--agent", "registry:hasty", *more, *QUICK, "--json").stdout)
    assert data["options"] == {"effort": 0.02, "joker_order": False}


def test_what_takes_an_agent_or_a_model_takes_a_name(registry: Registry, tmp_path: Path) -> None:
    from importlib.resources import files

    network = Path(str(files("jimbo.models").joinpath("default.onnx")))
    jimbo("registry", "add", "net", network)
    jimbo("registry", "add", "plain", "--agent", "greedy")
    stored = str(registry.path_of(registry.resolve("net"), "model/default.onnx"))
    assert json.loads(jimbo("eval", "--model", "registry:net", *QUICK, "--json").stdout)["options"] == {"model": stored}
    against = jimbo("eval", "--agent", "registry:plain", "--vs", "registry:net", *QUICK, "--json")
    assert json.loads(against.stdout)["vs"]["agent"] == "network"
    jimbo("watch", "--agent", "registry:net", "--seed", "A", "--until-ante", "2")
    jimbo("ablation", "registry:plain", "other=registry:net", *QUICK)
    jimbo("rollout", "--agent", "registry:plain", "--games", "1", "--out", tmp_path / "games.jsonl")
    offline = jimbo("eval", "--offline", "--model", "registry:net", "--dataset", tmp_path / "games.jsonl", "--json")
    assert json.loads(offline.stdout)["model"]["path"] == stored
    assert "Plays what a trained network" in jimbo("agents", "registry:net").stdout


def test_rollouts_and_evaluations_register_themselves(registry: Registry, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    assert (
        "Registered: dataset games ("
        in jimbo("rollout", "--agent", "greedy", "--games", "1", "--out", out, "--register").stderr
    )
    jimbo("eval", "--agent", "greedy", *QUICK, "--out", tmp_path / "one", "--register", "greedy_2")
    jimbo("eval", "--agent", "greedy", "--vs", "random", *QUICK, "--out", tmp_path / "two", "--register")
    jimbo("eval-matrix", "--agent", "greedy", "--decks", "red", *QUICK, "--out", tmp_path / "cells", "--register")
    jimbo("ablation", "greedy", "random", *QUICK, "--out", tmp_path / "three", "--register")
    jimbo("ablation", "greedy", "random", *QUICK, "--out", tmp_path / "three", "--register")  # nothing new
    assert [entry.name for entry in registry.entries()] == ["games", "greedy_2", "two", "cells", "three"]
    one = registry.resolve("greedy_2")
    assert one.spec["settings"]["seed_set"] == "dev-100"
    assert one.about["results"]["games"] == 2
    assert "greedy/episodes.jsonl" in registry.resolve("two").files
    assert registry.verify() == []


def test_a_training_registers_itself_with_its_data(registry: Registry, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    games, out = tmp_path / "games.parquet", tmp_path / "bc"
    jimbo("rollout", "--agent", "greedy", "--games", "20", "--out", games, "--register", "--workers", "1")
    quick = ("--size", "tiny", "--epochs", "1", "--batch-size", "64", "--device", "cpu")
    jimbo("train", "bc", "--data", games, *quick, "--out", out, "--register")
    entry = registry.resolve("bc")
    assert entry.parents == (registry.resolve("games").id,)
    assert {"best.onnx", "best.safetensors", "config.json", "train_metrics.json"} <= set(entry.files)
    jimbo("eval", "--model", "registry:bc", *QUICK, "--out", tmp_path / "eval", "--register")
    tree = json.loads(jimbo("registry", "lineage", "eval", "--json").stdout)["made_from"]
    assert (tree[0]["name"], tree[0]["made_from"][0]["name"]) == ("bc", "games")
    assert "games dataset" in jimbo("registry", "lineage", "eval").stdout
    assert "bc (model)" in jimbo("registry", "lineage", "games").stdout


def test_what_cannot_be_registered_is_refused_before_the_work(tmp_path: Path) -> None:
    assert "--register keeps files" in told("eval", "--agent", "greedy", *QUICK, "--register")
    out = tmp_path / "games.jsonl"
    assert '"champion" is an alias' in told("rollout", "--agent", "greedy", "--out", out, "--register", "champion")
    assert "is not a name" in told("rollout", "--agent", "greedy", "--out", out, "--register", "a b")
    assert not out.exists()


def test_what_is_not_there_is_refused() -> None:
    assert 'has no "bc". It is empty.' in told("eval", "--agent", "registry:bc", *QUICK)
    assert 'has no "bc". It is empty.' in told("eval", "--model", "registry:bc", *QUICK)
    assert 'has no "bc". It is empty.' in told("train", "rl", "--init", "registry:bc", "--out", "x")
    assert "Say what to register" in told("registry", "add", "bc")


def test_the_list_names_kinds_parents_and_aliases(registry: Registry) -> None:
    assert "There is nothing in" in jimbo("registry", "list").stdout
    jimbo("registry", "add", "old", "--agent", "greedy")
    jimbo("registry", "add", "new", "--agent", "random", "--parent", "old")
    registry.move("champion", "new", "it is newer")
    head, first, second = jimbo("registry", "list").stdout.splitlines()
    assert "name" in head
    assert "new" in first
    assert first.split()[-2:] == ["old", "champion"]
    assert "old" in second
    assert "it is newer" in jimbo("registry", "show", "champion").stdout
    data = json.loads(jimbo("registry", "list", "--kind", "agent", "--json").stdout)
    assert [entry["name"] for entry in data["entries"]] == ["new", "old"]
    assert json.loads(jimbo("registry", "show", "old", "--json").stdout)["spec"]["agent"] == "greedy"


def test_verify_names_what_was_changed(registry: Registry) -> None:
    jimbo("registry", "add", "old", "--agent", "greedy")
    assert "1 entry and all files are as they were written." in jimbo("registry", "verify").stdout
    (path,) = (registry.folder / "entries").iterdir()
    path.write_bytes(path.read_bytes().replace(b"greedy", b"random"))
    assert f"{path.name} is not what was written" in jimbo("registry", "verify", code=1).stdout.replace("\n", "")
    found = json.loads(jimbo("registry", "verify", "--json", code=1).stdout)["problems"]
    assert [problem["file"] for problem in found] == [f"entries/{path.name}"]


def test_prune_removes_what_is_named(registry: Registry) -> None:
    jimbo("registry", "add", "old", "--agent", "greedy")
    jimbo("registry", "add", "new", "--agent", "random", "--parent", "old")
    assert "was made from old" in told("registry", "prune", "old")
    assert "1 file or folder removed." in jimbo("registry", "prune", "new").stdout
    assert [entry.name for entry in registry.entries()] == ["old"]
    assert json.loads(jimbo("registry", "prune", "--json").stdout)["removed"] == []


def test_a_folder_can_be_named(tmp_path: Path, registry: Registry) -> None:
    jimbo("registry", "add", "old", "--agent", "greedy", "--registry", tmp_path / "other")
    assert registry.entries() == []
    assert "old" in jimbo("registry", "list", "--registry", tmp_path / "other").stdout


def test_what_is_not_there_or_would_be_ignored_is_refused(tmp_path: Path) -> None:
    assert "There is no" in told("registry", "add", "net", tmp_path / "best.onnx")
    (tmp_path / "games.jsonl").write_text("", encoding="utf-8")
    assert "name it with --agent" in told("registry", "add", "data", tmp_path / "games.jsonl", "--effort", "2")


def test_a_registered_agent_is_audited_and_packed(tmp_path: Path) -> None:
    jimbo("registry", "add", "plain", "--agent", "greedy")
    short = ("--games", "1", "--max-steps", "20", "--no-wire")
    assert json.loads(jimbo("audit", "--agent", "registry:plain", *short, "--json").stdout)["agent"] == "greedy"
    jimbo("eval", "--agent", "registry:plain", *QUICK, "--out", tmp_path / "eval")
    words = ("--agent", "registry:plain", "--eval", tmp_path / "eval", "--out", tmp_path / "plain.zip")
    assert json.loads(jimbo("package", "export", *words, "--json").stdout)["source_strategy"] == "greedy"


def test_show_tells_what_an_alias_means_from_what_it_meant(registry: Registry) -> None:
    for name in ("one", "two"):
        jimbo("registry", "add", name, "--agent", "greedy")
        registry.move("champion", name, f"it is {name}")
    assert " to " in next(line for line in jimbo("registry", "show", "one").stdout.splitlines() if "champion" in line)
    assert "since " in next(line for line in jimbo("registry", "show", "two").stdout.splitlines() if "champion" in line)
    was, previous = json.loads(jimbo("registry", "show", "one", "--json").stdout)["aliases"]
    (now,) = json.loads(jimbo("registry", "show", "two", "--json").stdout)["aliases"]
    assert [move["alias"] for move in (was, previous, now)] == ["champion", "previous", "champion"]
    assert was["until"] == previous["at"] == now["at"]
    assert (previous["until"], now["until"]) == (None, None)
