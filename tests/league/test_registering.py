"""What is registered: who plays, with which files, and what it was made from."""

import json
import shutil
from pathlib import Path

import pytest

from jimbo.agents import make_agent
from jimbo.league import Registry, player_of
from jimbo.league.journal import Damaged
from jimbo.league.players import registered_file
from jimbo.league.registering import made_of, name_for, played_by, register
from jimbo.models.value_file import OWN_FILE
from jimbo.rollout.runner import RolloutPlan, roll_out


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    monkeypatch.setenv("JIMBO_REGISTRY", str(tmp_path / "registry"))
    return Registry()


@pytest.fixture
def value(tmp_path: Path) -> Path:
    """A value of one's own: the card stands beside the weights."""
    for suffix in (".safetensors", ".json"):
        shutil.copy(OWN_FILE.with_suffix(suffix), tmp_path / f"mine{suffix}")
    return tmp_path / "mine.safetensors"


def test_an_agent_plays_by_its_name_with_copies_of_its_files(registry: Registry, value: Path) -> None:
    entry = register(played_by("fast", {"rollouts": 10, "model": str(value)}), "mine")
    assert entry.kind == "agent"
    assert set(entry.files) == {"model/mine.safetensors", "model/mine.json"}
    for suffix in (".safetensors", ".json"):
        value.with_suffix(suffix).unlink()
    agent, options = player_of("registry:mine")
    assert (agent, options["rollouts"]) == ("fast", 10)
    assert Path(options["model"]).is_relative_to(registry.folder)
    assert make_agent(agent, **options).name == "fast"
    assert registered_file("registry:mine") == options["model"]
    assert registered_file("mine.onnx") == "mine.onnx"


def test_changed_files_do_not_play(registry: Registry, value: Path) -> None:
    entry = register(made_of(value), "mine")
    path = registry.path_of(entry, "model/mine.safetensors")
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(Damaged, match=r"mine\.safetensors is not what was written"):
        player_of("mine")


def test_what_cannot_play_says_so(registry: Registry) -> None:
    registry.add("games", kind="dataset", spec={}, files={})
    register(played_by("greedy", {}), "plain")
    with pytest.raises(ValueError, match="games is registered as dataset, which cannot play"):
        player_of("games")
    with pytest.raises(ValueError, match="the agent greedy without a file of weights"):
        registered_file("registry:plain")


def test_parents_are_found_by_the_content_of_files(registry: Registry, value: Path, tmp_path: Path) -> None:
    model = register(made_of(value), "mine")
    agent, options = player_of("mine")
    plan = RolloutPlan(agent=agent, options={**options, "effort": 0.001}, games=1, format="jsonl", max_steps=3)
    roll_out(plan, tmp_path / "games.jsonl", workers=1)
    data = register(made_of(tmp_path / "games.jsonl"), "games")
    assert data.kind == "dataset"
    assert data.parents == (model.id,)
    assert data.spec["settings"]["agent"] == "expert"
    assert set(data.files) == {"games.jsonl", "games.jsonl.config.json"}

    training = tmp_path / "training"
    (training / "games").mkdir(parents=True)
    (training / "games" / "episodes.jsonl").touch()  # its network has played
    config = {"settings": {"lr": 0.1}, "data": {"files": {"games.jsonl": data.files["games.jsonl"].hash[:16]}}}
    (training / "config.json").write_text(json.dumps(config))
    for name in ("best.onnx", "last.onnx", "resume.safetensors", "notes.pkl"):
        (training / name).write_bytes(name.encode())
    trained = register(made_of(training), name_for(training), command="jimbo train bc")
    assert trained.name == "training"
    assert trained.parents == (data.id,)
    assert set(trained.files) == {"best.onnx", "config.json"}
    assert trained.spec["training"] == config
    assert trained.about["command"] == "jimbo train bc"


def test_the_same_is_registered_once(registry: Registry, value: Path) -> None:
    first = register(made_of(value), "mine")
    assert register(made_of(value), "mine") == first
    assert register(made_of(value), "other") != first
    shutil.copy(value.with_suffix(".json"), value)
    assert register(made_of(value), "mine") != first
    assert len(registry.entries()) == 3


@pytest.mark.parametrize(
    ("name", "told"),
    [("nothing", "There is no"), ("notes.txt", "is none of what can be registered"), ("empty", "holds neither")],
)
def test_other_things_cannot_be_registered(tmp_path: Path, name: str, told: str) -> None:
    (tmp_path / "notes.txt").touch()
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=told):
        made_of(tmp_path / name)


def test_names_are_made_of_paths(tmp_path: Path) -> None:
    assert name_for(Path("runs/my games (2).jsonl")) == "my_games_2_"
    (tmp_path / "pv.small").mkdir()
    assert name_for(tmp_path / "pv.small") == "pv.small"
    assert name_for(Path("...")) == "unnamed"
