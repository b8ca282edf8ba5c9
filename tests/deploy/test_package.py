"""Packages made, checked and played, by the same bytes everywhere."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from deploy.packing import evaluated, packed
from eval.made_network import write_network
from jimbo.agents import Decision
from jimbo.cli.main import app
from jimbo.deploy.export import export
from jimbo.deploy.golden import STARTS, golden_states, make_golden, read_golden
from jimbo.deploy.layout import CARD, METADATA, METRICS, read_files, write_files, zip_bytes
from jimbo.deploy.running import opened, verify
from jimbo.engine import PublicState, Run
from jimbo.seeds.seed_sets import seed_set

COMMAND = [sys.executable, "-I", "-m", "jimbo", "package"]


@pytest.fixture(scope="module")
def fast(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fast")
    write_files(packed(folder / "eval").files, folder / "fast.zip")
    return folder


def test_the_same_agent_gives_the_same_bytes(fast: Path) -> None:
    again = export("fast", {}, fast / "eval")
    assert zip_bytes(again.files) == (fast / "fast.zip").read_bytes()
    with zipfile.ZipFile(fast / "fast.zip") as archive:
        names = archive.namelist()
    assert names == sorted(names)
    assert {"model/value.safetensors", "model/value.json", "model/manifest.json", "golden.jsonl"} <= {*names}
    write_files(again.files, fast / "folder")
    assert read_files(fast / "folder") == read_files(fast / "fast.zip")


@pytest.mark.parametrize(
    ("agent", "options"), [("greedy", {}), ("random", {}), ("expert", {"effort": 0.01, "solver": False})]
)
def test_agents_that_have_names(agent: str, options: dict[str, Any], tmp_path: Path) -> None:
    made = packed(tmp_path / "eval", agent, **options)
    write_files(made.files, tmp_path / "package")
    with opened(tmp_path / "package") as package:
        verify(package)
        assert package.agent.name == agent
        assert {name: package.options[name] for name in options} == options
        assert package.report()["golden_decisions"] == 230
    assert json.loads(made.files[METADATA])["model_id"].startswith(agent)


def test_a_network(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    model = write_network(tmp_path / "my net.onnx")
    made = packed(tmp_path / "eval", "network", model=str(model))
    model.unlink()
    write_files(made.files, tmp_path / "network.zip")
    with opened(tmp_path / "network.zip") as package:
        verify(package)
        assert package.config.files == {"model": "model/my_net.onnx"}
        assert package.metadata.requires == ("models",)


def test_what_cannot_be_packed(fast: Path, tmp_path: Path) -> None:
    (tmp_path / "best.pt").write_bytes(b"PK")
    refused = {
        "is not of this agent": ("greedy", {}),
        "not of this agent with these options": ("fast", {"rollouts": 50}),
        "shown what is hidden": ("expert", {"clairvoyant": True}),
    }
    for sentence, (agent, options) in refused.items():
        with pytest.raises(ValueError, match=sentence):
            export(agent, options, fast / "eval")
    with pytest.raises(ValueError, match="letters, digits"):
        export("fast", {}, fast / "eval", package_id="a\nb")
    with pytest.raises(ValueError, match="not the folder of an evaluation"):
        export("fast", {}, tmp_path)


@contextmanager
def rows_changed(folder: Path, old: str, new: str) -> Iterator[None]:
    rows = folder / "episodes.jsonl"
    text = rows.read_text()
    assert old in text
    rows.write_text(text.replace(old, new))
    try:
        yield
    finally:
        rows.write_text(text)


def test_an_evaluation_by_somebody_else(fast: Path) -> None:
    """The card tells the strength of what is packed, so some of its games are played again."""
    with rows_changed(fast / "eval", '"steps": ', '"steps": 1'), pytest.raises(ValueError, match="by something else"):
        export("fast", {}, fast / "eval")


def test_an_agent_that_changes_its_mind() -> None:
    class Fickle:
        name, clairvoyant, calls = "fickle", False, 0

        def reset(self, nonce: int) -> None: ...

        def act(self, state: PublicState) -> Decision:
            self.calls += 1
            return Decision(state.legal_actions()[0], win=self.calls / 1000)

    with pytest.raises(ValueError, match="decides otherwise when it is asked again"):
        make_golden(Fickle(), 0.0)


def test_the_golden_states_are_of_all_phases_decks_and_antes(fast: Path) -> None:
    states = golden_states()
    assert {str(state.phase) for state in states} == {
        "blind_select", "selecting_hand", "round_eval", "shop", "pack_opening"
    }  # fmt: skip
    assert {(state.deck, state.stake) for state in states} == {(deck, stake) for deck, stake, _ in STARTS}
    assert len({state.ante for state in states}) >= 6
    lines = read_golden(read_files(fast / "fast.zip")["golden.jsonl"])
    assert len(lines) == len(states) >= 200
    assert sum(line.value is not None for line in lines) > 150
    assert not any("seed" in line.state for line in lines)


def test_the_card_says_what_the_evaluation_says(fast: Path) -> None:
    files = read_files(fast / "fast.zip")
    card, metrics = files[CARD].decode(), json.loads(files[METRICS])
    assert f"| won | {metrics['wins']} |" in card
    assert f"| games | {metrics['games']} |" in card
    assert "Red Deck · White Stake, 2 seeds of dev-100" in card
    assert card.startswith("---\nlibrary_name: jimbo-balatro\n")
    assert str(fast) not in "".join(data.decode("latin-1") for data in files.values())


def test_a_date_only_where_somebody_sets_it(fast: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert json.loads(read_files(fast / "fast.zip")[METADATA])["created_at"] is None
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert export("fast", {}, fast / "eval").metadata.created_at == "2023-11-14T22:13:20+00:00"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "today")
    with pytest.raises(ValueError, match="SOURCE_DATE_EPOCH is today"):
        export("fast", {}, fast / "eval")


# --- Agents of others -------------------------------------------------------------------------------------------------

BOT = """
class Bot:
    def act(self, state):
        return state.legal_actions()[0]
"""


def test_an_agent_of_somebody_else_is_named_and_not_brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"packed_bot_{os.getpid()}"
    (tmp_path / f"{name}.py").write_text(BOT)
    monkeypatch.syspath_prepend(tmp_path)
    made = packed(tmp_path / "eval", f"{name}:Bot")
    write_files(made.files, tmp_path / "bot.zip")
    assert not any(b"legal_actions" in data for data in made.files.values())
    with opened(tmp_path / "bot.zip", trust_code=True) as package:
        verify(package)
    with pytest.raises(ValueError, match="code that it does not bring"), opened(tmp_path / "bot.zip"):
        pass
    other = tmp_path / "other"
    other.mkdir()
    (other / f"{name}.py").write_text(BOT + "# changed\n")
    env = os.environ | {"PYTHONPATH": str(other)}
    words = [sys.executable, "-m", "jimbo", "package", "verify", str(tmp_path / "bot.zip"), "--trust-code"]
    done = subprocess.run(words, env=env, cwd=tmp_path / "eval", capture_output=True, text=True, check=False)
    assert "is not the one that was packed: its source_hash is" in done.stderr


# --- The command ------------------------------------------------------------------------------------------------------


def jimbo(*words: str | Path) -> Any:
    return CliRunner().invoke(app, [*map(str, words)])


def run(*words: str | Path) -> Any:
    return jimbo("package", *words)


def test_from_an_evaluation_to_a_package_that_plays(tmp_path: Path) -> None:
    """In an empty folder, by an interpreter that looks nowhere else."""
    evaluated(tmp_path / "eval")
    out = tmp_path / "fast.zip"
    made = run("export", "--agent", "fast", "--eval", tmp_path / "eval", "--out", out, "--json")
    assert made.exit_code == 0
    assert json.loads(made.stdout)["schema"] == "deploy_package_v1"
    here = tmp_path / "here"
    here.mkdir()
    out.rename(here / "given.zip")
    words = [["verify", "given.zip"], ["run", "given.zip", "--games", "2", "--workers", "1", "--json"]]
    checked, played = (
        subprocess.run([*COMMAND, *each], cwd=here, capture_output=True, text=True, check=True).stdout for each in words
    )
    assert "All 230 golden decisions are made as they were." in checked
    told = json.loads(played)
    evaluation = [json.loads(line) for line in (tmp_path / "eval" / "episodes.jsonl").read_text().splitlines()]
    assert told["games"] == 2
    assert told["wins"] == sum(row["result"] == "win" for row in evaluation)
    assert told["decisions"] == sum(row["steps"] for row in evaluation)


def test_a_registered_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JIMBO_REGISTRY", str(tmp_path / "registry"))
    folder, package = tmp_path / "played", tmp_path / "agent.zip"
    jimbo("registry", "add", "mine", "--agent", "fast", "--set", "rollouts=2")
    jimbo("eval", "--agent", "registry:mine", "--games", "2", "--workers", "1", "--out", folder)
    done = run("export", "--agent", "registry:mine", "--eval", folder, "--out", package)
    assert done.exit_code == 0, done.output
    assert run("verify", package).exit_code == 0
    audited = jimbo("audit", "--agent", "registry:mine", "--games", "1", "--max-steps", "20", "--no-wire", "--json")
    assert (audited.exit_code, json.loads(audited.stdout)["agent"]) == (0, "fast")


def test_what_verify_says(fast: Path, tmp_path: Path) -> None:
    good = run("verify", fast / "fast.zip", "--json", "--out", tmp_path / "report.json")
    assert good.exit_code == 0
    assert json.loads(good.stdout) == json.loads((tmp_path / "report.json").read_text())
    assert json.loads(good.stdout)["ok"]
    (tmp_path / "bad.zip").write_bytes((fast / "fast.zip").read_bytes()[:-1])
    bad = run("verify", tmp_path / "bad.zip")
    assert (bad.exit_code, bad.stdout) == (1, "")
    assert "cut or changed" in bad.stderr
    told = run("verify", tmp_path / "bad.zip", "--json")
    assert told.exit_code == 1
    assert not json.loads(told.stdout)["ok"]


def test_a_package_is_not_written_over(fast: Path) -> None:
    before = (fast / "fast.zip").read_bytes()
    done = run("export", "--agent", "fast", "--eval", fast / "eval", "--out", fast / "fast.zip")
    assert done.exit_code == 2
    assert "already exists" in done.stderr
    assert (fast / "fast.zip").read_bytes() == before


@contextmanager
def served(package: Path) -> Iterator[str]:
    command = [*COMMAND, "run", str(package), "--serve", "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=package.parent) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["url"]
        process.terminate()
    assert process.returncode == 0


def asked(url: str, body: bytes, **headers: str) -> Any:
    with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=20) as answer:
        return json.loads(answer.read())


def test_a_package_that_is_served(fast: Path) -> None:
    state = Run(deck="b_red", stake="white", seed=seed_set(None, 1).seeds[0]).public_state()
    with served(fast / "fast.zip") as url:
        assert url.startswith("http://127.0.0.1:")
        advice = asked(url, state.to_json().encode())
        assert advice["schema"] == "advice_v1"
        assert advice["suggestions"][0]["action"]["action_type"] == "SELECT"
        assert asked(url, state.to_json().encode())["suggestions"] == advice["suggestions"]
        assert "not a state" in asked(url, b"[]")["error"]["message"]
        with pytest.raises(urllib.error.HTTPError, match="403"):
            asked(url, state.to_json().encode(), Origin="https://example.com")
        with pytest.raises(urllib.error.HTTPError, match="403"):
            asked(url, state.to_json().encode(), Host="example.com")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--serve", "--games", "2"), "--games goes without --serve."),
        (("--port", "9"), "--port goes with --serve."),
    ],
)
def test_what_is_about_the_other_way_to_run(fast: Path, words: tuple[str, ...], said: str) -> None:
    done = run("run", fast / "fast.zip", *words)
    assert (done.exit_code, said in done.stderr) == (2, True)


# --- Signatures -------------------------------------------------------------------------------------------------------


def key_pair(folder: Path) -> tuple[Path, Path]:
    """As ``minisign -G -W`` writes them, without a password."""
    ed25519 = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ed25519")
    secret = ed25519.Ed25519PrivateKey.generate()
    public = secret.public_key().public_bytes_raw()
    number = os.urandom(8)
    whole = b"Ed\0\0B2" + bytes(48) + number + secret.private_bytes_raw() + public + bytes(32)
    folder.mkdir()
    for name, data in (("key", whole), ("key.pub", b"Ed" + number + public)):
        (folder / name).write_text(f"untrusted comment: minisign\n{base64.b64encode(data).decode()}\n")
    return folder / "key", folder / "key.pub"


def test_a_signed_package(fast: Path, tmp_path: Path) -> None:
    secret, public = key_pair(tmp_path / "mine")
    _, other = key_pair(tmp_path / "other")
    words = ["export", "--agent", "fast", "--eval", fast / "eval", "--sign", secret]
    for name in ("one.zip", "two.zip"):
        assert run(*words, "--out", tmp_path / name).exit_code == 0
    package = tmp_path / "one.zip"
    assert package.read_bytes() == (tmp_path / "two.zip").read_bytes()
    told = run("verify", package, "--trusted-key", public, "--json")
    assert json.loads(told.stdout)["trusted"]
    assert run("verify", package, "--trusted-key", public.read_text().splitlines()[1]).exit_code == 0
    assert "which was not checked" in run("verify", package).stdout
    assert "it is by the key" in run("verify", package, "--trusted-key", other).stderr
    assert "is not signed" in run("verify", fast / "fast.zip", "--trusted-key", public).stderr
    files = read_files(package)
    signature = files.pop("checksums.json.minisig")
    changed = packed(tmp_path / "greedy", "greedy").files | {"checksums.json.minisig": signature}
    write_files(changed, tmp_path / "swapped.zip")
    assert "does not fit what is signed" in run("verify", tmp_path / "swapped.zip", "--trusted-key", public).stderr


def test_keys_that_are_none(fast: Path, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("secret\n")
    words = ["export", "--agent", "fast", "--eval", fast / "eval", "--out", tmp_path / "a.zip", "--sign"]
    assert "is not a secret key of minisign" in run(*words, tmp_path / "key").stderr
    assert "cannot be read" in run(*words, tmp_path / "none").stderr
    told = run("verify", fast / "fast.zip", "--trusted-key", "RWabc")
    assert (told.exit_code, "is not a public key" in told.stderr) == (2, True)
