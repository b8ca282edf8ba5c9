"""``jimbo doctor``: each check on machines that have a thing, and on those that have not."""

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.serve import doctor as checks
from jimbo.serve.doctor import Finding, machine, real_game
from jimbo.serve.doctor.real_game import check_game
from jimbo.wire import client
from jimbo.wire.methods import API_VERSION
from serve.balatrobot.running import running
from wire.scripted import STATE, error, raw, result, scripted
from wire.test_launching import free_ports

ROOT = Path(__file__).resolve().parents[2]
HEALTHY = result({"status": "ok"})


def has(finding: Finding, what: str, status: str, *words: str) -> bool:
    told = f"{finding.found} {finding.remedy}"
    return (finding.what, finding.status) == (what, status) and all(word in told for word in words)


# --- The machine ------------------------------------------------------------------------------------------------------


def test_python() -> None:
    assert has(machine.check_python(), "Python", "ok", sys.executable)
    assert has(machine.check_python((3, 10)), "Python", "missing", "install Python 3.11 or newer")
    assert has(machine.check_python((3, 99)), "Python", "ok", "newer than what is tried")


def test_the_engine_works_here() -> None:
    assert has(machine.check_engine(), "engine", "ok", "compiled")


def test_an_engine_that_cannot_be_imported_is_found_out() -> None:
    """In a process of its own, where nothing else may need it either."""
    code = "import sys; sys.modules['jimbo.engine._core'] = None; sys.modules['torch'] = None\n"
    command = [sys.executable, "-c", f"{code}from jimbo.cli.main import app\napp(['doctor', '--json'])"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    told = {one["what"]: one for one in json.loads(done.stdout)["findings"]}
    assert told["engine"]["status"] == "missing"
    assert "make build" in told["engine"]["remedy"]
    assert told["Python"]["status"] == "ok"
    assert "game" in told


def fake_program(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
def test_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    monkeypatch.setattr(machine, "_COMPILERS", ("old-c++", "new-c++"))
    assert has(machine.check_compiler(needed=True), "compiler", "missing", "install GCC 12")
    fake_program(tmp_path, "old-c++", "exit 1")
    assert has(machine.check_compiler(needed=False), "compiler", "not needed", "none with C++20")
    fake_program(tmp_path, "new-c++", 'if [ "$1" = --version ]; then echo new 99; else grep -q concepts; fi')
    assert has(machine.check_compiler(needed=True), "compiler", "ok", "new 99")
    fake_program(tmp_path, "mine", 'if [ "$2" = --version ]; then echo mine 1; fi')
    monkeypatch.setenv("CXX", "mine -pipe")
    assert has(machine.check_compiler(needed=True), "compiler", "ok", "mine 1")


def torch(**parts: Any) -> SimpleNamespace:
    cuda = {"is_available": lambda: False, "device_count": lambda: 2, "get_device_name": "card {}".format}
    mps = SimpleNamespace(is_available=lambda: parts.get("mps", False))
    return SimpleNamespace(
        cuda=SimpleNamespace(**{**cuda, **parts}), backends=SimpleNamespace(mps=mps), __version__="9", __spec__=None
    )


@pytest.mark.parametrize(
    ("parts", "driver", "status", "said"),
    [
        ({"is_available": lambda: True}, False, "ok", "card 0, card 1"),
        ({"mps": True}, False, "ok", "Metal"),
        ({}, False, "not needed", "on the processor"),
        ({}, True, "not needed", "install a torch with CUDA"),
    ],
)
def test_the_gpu(parts: dict[str, Any], driver: bool, status: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", torch(**parts))
    monkeypatch.setattr(machine.importlib.util, "find_spec", lambda name: name)
    monkeypatch.setattr(machine.shutil, "which", lambda name: name if driver else None)
    assert has(machine.check_gpu(), "GPU", status, said)


def test_no_torch_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine.importlib.util, "find_spec", lambda name: None)
    assert has(machine.check_gpu(), "GPU", "not needed", "torch is not installed")


# --- Extras -----------------------------------------------------------------------------------------------------------


def test_every_extra_is_asked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert machine.EXTRAS.keys() | {"dev"} == project["optional-dependencies"].keys()


def test_extras_are_made_of_extras() -> None:
    names = {name for name, _ in machine._needs("train", requires(machine.PACKAGE) or [])}
    assert {"torch", "gymnasium", "pyarrow", "onnxruntime"} < names
    assert "wandb" not in names


def test_packages_that_are_absent_or_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        if name == "textual":
            raise PackageNotFoundError(name)
        return {"pyarrow": "17.0.1", "gymnasium": "1.5.0"}.get(name, "99.1")

    monkeypatch.setattr(machine, "version", version)
    found = {finding.what: finding for finding in machine.check_extras()}
    assert has(found["extra tui"], "extra tui", "not needed", "no textual", 'pip install ".[tui]"')
    assert has(found["extra data"], "extra data", "not needed", "pyarrow 17.0.1")
    assert has(found["extra env"], "extra env", "not needed", "gymnasium 1.5.0")
    assert has(found["extra models"], "extra models", "ok", "networks that play")


@pytest.mark.parametrize(
    ("installed", "limit", "fits"),
    [
        *(("1.20.0", ">=1.20", True), ("1.9", ">=1.20", False), ("2.13.0+cpu", ">=2.6", True), ("3.0rc1", ">=3", True)),
        *(("1.5", "<1.5", False), ("1.5.0", "<1.5", False), ("1.4.9", "<1.5", True), ("1", "!=1", True)),
    ],
)
def test_versions(installed: str, limit: str, fits: bool) -> None:
    assert machine._fits(installed, limit) == fits


def test_jimbo_itself_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "PACKAGE", "no-such-package")
    (found,) = machine.check_extras()
    assert has(found, "extras", "missing", "pip install .")


# --- The game that runs -----------------------------------------------------------------------------------------------


def test_a_game_that_answers(tmp_path: Path) -> None:
    with running(tmp_path) as (port,):
        url = f"http://127.0.0.1:{port}"
        where, mod = check_game(url, real=True)
    assert has(where, "port", "ok", url, "the game answers")
    assert has(mod, "mod", "ok", f"Jimbo's own server, which speaks balatrobot {API_VERSION}", "MENU")


def test_a_port_at_which_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"http://127.0.0.1:{free_ports()}"
    (told,) = check_game(url, real=True)
    assert has(told, "port", "missing", "nobody answers", "uvx balatrobot serve")
    monkeypatch.setattr(client, "URL", url)
    (told,) = check_game(None, real=True)
    assert has(told, "port", "ok", "free")


@pytest.mark.parametrize("real", [True, False])
def test_another_program_at_the_port(real: bool) -> None:
    with scripted(raw(b"SSH-2.0-x\r\n")) as server:
        (told,) = check_game(server.url, real=real)
    assert has(told, "port", "missing" if real else "not needed", "another program has this port")


@pytest.mark.parametrize(
    ("replies", "status", "said"),
    [
        ((result(STATE), result({"info": {"version": "1.5.3"}})), "ok", "balatrobot 1.5.3, the game is in SHOP"),
        ((result(STATE), result({"info": {"version": "v2.0.0"}})), "ok", "balatrobot 2.0.0"),
        ((result(STATE), result({"info": {"version": "1.3.9"}})), "missing", "install balatrobot 1.4 or newer"),
        ((result(STATE), result({"info": []})), "missing", "does not report its version"),
        ((result(STATE), error(-32001, "Unknown method: rpc.discover")), "missing", "does not report its version"),
        ((result([]),), "missing", "not a gamestate"),
        ((error(-32000, "the mod failed"),), "missing", "the mod failed"),
    ],
)
def test_versions_of_the_mod(replies: Any, status: str, said: str) -> None:
    with scripted(HEALTHY, *replies) as server:
        _, mod = check_game(server.url, real=True)
    assert has(mod, "mod", status, said), mod
    assert "Jimbo" not in mod.found


def test_a_game_in_another_language() -> None:
    """The menu has no texts, so nothing is said there."""
    told = {**STATE, "blinds": {"boss": {"effect": "所有方片牌 都被削弱"}}}
    with scripted(HEALTHY, result(told), result({"info": {"version": "1.5.2"}})) as server:
        *_, language = check_game(server.url, real=True)
    assert has(language, "language", "not needed", "not English", "Choose English")


# --- What starts it ---------------------------------------------------------------------------------------------------


def put(path: Path, text: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_places_of_each_system(system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    usual = real_game.usual_places(system, tmp_path, {"APPDATA": str(tmp_path / "roaming")})
    given = real_game.Given(None, None, {"APPDATA": str(tmp_path / "roaming"), "DISPLAY": ":0"})
    game, lovely, mods, *_ = real_game.check_places(system, given, needed=True)
    assert has(game, "game", "missing", "install Balatro from Steam")
    assert has(lovely, "Lovely", "missing", "lovely-injector", "--lovely-path")
    assert has(mods, "mods", "missing", "no Steamodded and no balatrobot")
    put(usual.mods[0] / "smods-main" / "manifest.json", "{}")
    put(usual.mods[0] / "BalatroBot" / "balatrobot.json", '{"version": "1.5.3"}')
    if system != "win32":  # whose game is not in the home folder
        put(usual.lovely[0])
        put(usual.game[0] / "x" if system == "linux" else usual.game[0])
    game, lovely, mods, _, *display = real_game.check_places(system, given, needed=True)
    assert has(mods, "mods", "ok", "Steamodded, balatrobot 1.5.3", "Mods")
    assert [finding.status for finding in display] == (["ok"] if system == "linux" else [])
    if system != "win32":
        assert (game.status, lovely.status) == ("ok", "ok")
        assert game.found.startswith("~/")


def test_places_that_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    put(tmp_path / "Balatro.exe")
    put(tmp_path / "version.dll")
    by_option = real_game.Given(tmp_path / "Balatro.exe", tmp_path / "version.dll", {})
    by_variable = real_game.Given(
        *(None, None),
        {
            "BALATROBOT_LOVE_PATH": str(tmp_path / "Balatro.exe"),
            "BALATROBOT_PATH_LOVELY": str(tmp_path / "version.dll"),
        },
    )
    for given in (by_option, by_variable):
        game, lovely, mods, *_ = real_game.check_places("win32", given, needed=True)
        assert (game.status, lovely.status, mods.status) == ("ok", "ok", "missing")
    wrong = real_game.Given(tmp_path / "nothing", None, {})
    assert has(real_game.check_places("linux", wrong, needed=False)[0], "game", "not needed", "nothing")


def test_what_starts_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    given = real_game.Given(None, None, {})
    monkeypatch.setattr(real_game.shutil, "which", lambda name: None)
    *_, starter, display = real_game.check_places("linux", given, needed=True)
    assert has(starter, "starter", "missing", "install uv")
    assert has(display, "display", "missing", "DISPLAY")
    monkeypatch.setattr(real_game.shutil, "which", lambda name: f"/bin/{name}" if name == "balatrobot" else None)
    assert has(real_game.check_places("linux", given, needed=True)[3], "starter", "ok", "/bin/balatrobot")


# --- The command ------------------------------------------------------------------------------------------------------


def doctor(*words: str) -> Result:
    return CliRunner().invoke(app, ["doctor", *words], env={"COLUMNS": "200"})


@pytest.fixture
def _bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No game here, no torch that takes seconds, and nobody at the usual port."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(client, "URL", f"http://127.0.0.1:{free_ports()}")
    monkeypatch.setattr(checks, "check_gpu", lambda: Finding("GPU", "not needed", "none"))
    monkeypatch.setattr(machine, "_compiles", lambda command: True)


@contextmanager
def answering(folder: Path) -> Iterator[str]:
    with running(folder / "saves") as (port,):
        yield f"http://127.0.0.1:{port}"


@pytest.mark.usefixtures("_bare")
def test_the_simulator_needs_no_game() -> None:
    done = doctor()
    assert done.exit_code == 0, done.output
    assert "Nothing that is needed is missing." in done.stdout
    lines = {line.split()[0]: line for line in done.stdout.splitlines() if line[:1].strip()}
    assert "not needed" in lines["game"]
    assert " ok " in lines["engine"]


@pytest.mark.usefixtures("_bare")
def test_the_real_game_must_answer_or_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = doctor("--backend", "real", "--json")
    told = json.loads(done.stdout)
    statuses = {one["what"]: one["status"] for one in told["findings"]}
    assert (done.exit_code, told["ok"], statuses["game"], statuses["mods"]) == (1, False, "missing", "missing")
    assert statuses["port"] == "ok"
    with answering(tmp_path) as url:
        monkeypatch.setattr(client, "URL", url)
        done = doctor("--backend", "real", "--json")
        statuses = {one["what"]: one["status"] for one in json.loads(done.stdout)["findings"]}
        assert (done.exit_code, statuses["mod"], statuses["game"]) == (0, "ok", "not needed")


@pytest.mark.usefixtures("_bare")
def test_a_named_game_must_answer(tmp_path: Path) -> None:
    done = doctor("--backend", "real", "--base-url", f"http://127.0.0.1:{free_ports()}")
    assert done.exit_code == 1
    assert done.stdout.splitlines()[-1] == "Missing: port."
    with answering(tmp_path) as url:
        assert doctor("--backend", "real", "--base-url", url).exit_code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--base-url", "http://127.0.0.1:1"), "add --backend real"),
        (("--backend", "real", "--base-url", "ftp://x"), "not an address"),
        (("--backend", "moon"), 'no backend "moon"'),
    ],
)
@pytest.mark.usefixtures("_bare")
def test_bad_input(words: tuple[str, ...], said: str) -> None:
    done = doctor(*words)
    assert (done.exit_code, said in done.stderr) == (2, True), done.output
