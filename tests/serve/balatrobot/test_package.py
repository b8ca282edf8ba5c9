"""The mod's own Python package, its client and its command line, which know nothing of the simulator."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from serve.balatrobot.running import running

pytestmark = pytest.mark.slow
VERSION = "1.5.2"
PYENV = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))

PLAY = """
import json, sys
from balatrobot import APIError, BalatroClient

client = BalatroClient(port=int(sys.argv[1]))
assert client.call("health") == {"status": "ok"}
client.call("menu")
state = client.call("start", {"deck": "RED", "stake": "WHITE", "seed": "TEST123"})
seen, rounds = {state["state"]}, 0
while state["state"] != "GAME_OVER":
    match state["state"]:
        case "BLIND_SELECT":
            state = client.call("select")
        case "SELECTING_HAND":
            if rounds < 4:
                client.call("set", {"chips": 1000000, "money": 50})
            state = client.call("play", {"cards": list(range(min(5, state["hand"]["count"])))})
        case "ROUND_EVAL":
            rounds += 1
            state = client.call("cash_out")
        case "SHOP" if state["packs"]["count"] == 2:
            state = client.call("buy", {"pack": 0})
        case "SMODS_BOOSTER_OPENED":
            state = client.call("pack", {"skip": True})
        case "SHOP":
            state = client.call("next_round")
    seen.add(state["state"])
try:
    client.call("play", {"cards": [0]})
except APIError as error:
    refusal = [error.name, error.code, error.message]
print(json.dumps({"seen": sorted(seen), "rounds": rounds, "refusal": refusal}))
"""


def interpreters() -> Iterator[str]:
    """Of Python 3.13 or newer, which the package needs."""
    if named := os.environ.get("JIMBO_BALATROBOT_PYTHON"):
        yield named
    for name in ("python3.13", "python3.14"):
        if found := shutil.which(name):
            yield found
        yield from map(str, sorted(PYENV.glob(f"versions/{name.removeprefix('python')}*/bin/python")))


def has_package(python: str) -> bool:
    return subprocess.run([python, "-c", "import balatrobot"], capture_output=True, check=False).returncode == 0


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One that has the package; it is installed where that is possible."""
    found = [python for python in interpreters() if not subprocess.run([python, "-c", ""], check=False).returncode]
    if not found:
        pytest.skip("the balatrobot package needs Python 3.13, which is not here")
    for python in found:
        if has_package(python):
            return python
    folder = tmp_path_factory.mktemp("balatrobot")
    subprocess.run([found[0], "-m", "venv", str(folder)], check=True)
    python = str(folder / "bin" / "python")
    install = [python, "-m", "pip", "install", "-q", f"balatrobot=={VERSION}"]
    done = subprocess.run(install, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        pytest.skip(f"the balatrobot package cannot be installed: {done.stderr.strip().splitlines()[-1]}")
    return python


def test_its_client_plays_a_game(python: str, tmp_path: Path) -> None:
    with running(tmp_path) as (port,):
        done = subprocess.run([python, "-c", PLAY, str(port)], capture_output=True, text=True, timeout=60, check=False)
    assert not done.returncode, done.stderr
    found = json.loads(done.stdout)
    assert found["rounds"] >= 4
    assert found["seen"] == sorted(
        ["BLIND_SELECT", "SELECTING_HAND", "ROUND_EVAL", "SHOP", "SMODS_BOOSTER_OPENED", "GAME_OVER"]
    )
    assert found["refusal"] == [
        "INVALID_STATE",
        -32002,
        "Method 'play' requires one of these states: SELECTING_HAND",
    ]


def test_its_command_line(python: str, tmp_path: Path) -> None:
    def api(*words: str) -> subprocess.CompletedProcess[str]:
        command = [python, "-c", "from balatrobot.cli import app; app()", "api", *words, "--port", str(port)]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    with running(tmp_path) as (port,):
        assert json.loads(api("health").stdout) == {"status": "ok"}
        started = api("start", '{"deck": "BLUE", "stake": "RED", "seed": "TEST123"}')
        assert json.loads(started.stdout)["state"] == "BLIND_SELECT"
        assert json.loads(api("save", '{"path": "run.jkr"}').stdout) == {"success": True, "path": "run.jkr"}
        assert json.loads(api("screenshot", '{"path": "shot.png"}').stdout)["success"]
        refused = api("play", '{"cards": [0]}')
    assert refused.returncode == 1
    assert refused.stderr == ("Error: INVALID_STATE - Method 'play' requires one of these states: SELECTING_HAND\n")
    assert {path.name for path in tmp_path.iterdir()} == {"run.jkr", "shot.png"}
