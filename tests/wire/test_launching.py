"""Instances that are started here: until they answer, when they do not, and how they end."""

import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from jimbo import system
from jimbo.wire import launching
from jimbo.wire.launching import Launch, LaunchFailed, StartedGame, launched

STAND_IN = Path(__file__).with_name("stand_in.py")


def free_ports(count: int = 1) -> int:
    """The first of some that nobody uses, below those that systems give to connections."""
    while True:
        port = random.randrange(20_000, 32_000)
        with suppress(OSError), ExitStack() as taken:
            for place in range(count):
                taken.enter_context(socket.create_server(("127.0.0.1", port + place)))
            return port


def launch(how: str, logs: Path, *, count: int = 1, **more: Any) -> Launch:
    settings = {"ready_within": 20.0, "stagger_start": 0.0, **more}
    command = f"{sys.executable} {STAND_IN} {how}"
    return Launch(launcher="direct", balatrobot_cmd=command, base_port=free_ports(count), logs=logs, **settings)


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def pid_of(instance: StartedGame) -> int:
    assert instance._process is not None
    return instance._process.pid


def test_instances_are_started_and_stopped(tmp_path: Path) -> None:
    with launched(launch("answers", tmp_path, count=2), 2) as instances:
        pids = [pid_of(instance) for instance in instances]
        assert all(instance.answers() for instance in instances)
        assert instances[1].port == instances[0].port + 1
        assert all(map(is_alive, pids))
    assert not any(map(is_alive, pids))
    assert not any(instance.answers() for instance in instances)
    said = instances[0].log.read_text()
    assert f"arguments: serve --headless --fast --host 127.0.0.1 --port {instances[0].port}" in said


def test_one_that_comes_up_slowly_is_waited_for(tmp_path: Path) -> None:
    with launched(launch("slow", tmp_path), 1) as (instance,):
        assert instance.answers()


def test_one_that_dies_is_told_with_its_last_words(tmp_path: Path) -> None:
    with (
        pytest.raises(LaunchFailed, match=r"ended with code 3\. Its log, .*\.log, ends with: .*Lovely was not found"),
        launched(launch("dies", tmp_path), 1),
    ):
        pass


def test_the_words_of_an_earlier_one_are_not_its_last(tmp_path: Path) -> None:
    settings = launch("dies", tmp_path)
    (tmp_path / f"{settings.base_port}.log").write_text("an earlier game\n")
    with pytest.raises(LaunchFailed, match="Lovely was not found") as failed, launched(settings, 1):
        pass
    assert "ends with: arguments: serve" in str(failed.value)
    assert "an earlier game" in (tmp_path / f"{settings.base_port}.log").read_text()


def test_one_that_hangs_is_stopped(tmp_path: Path) -> None:
    instance = StartedGame(launch("hangs", tmp_path, ready_within=0.5), free_ports())
    instance.start()
    pid = pid_of(instance)
    with pytest.raises(LaunchFailed, match=r"does not answer after 0\.5 seconds"):
        instance.wait_ready()
    instance.stop()
    assert not is_alive(pid)


def test_one_that_does_not_want_to_end_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launching, "STOP_WITHIN", 0.2)
    with launched(launch("stubborn", tmp_path), 1) as (instance,):
        pid = pid_of(instance)
    assert not is_alive(pid)


def test_what_it_has_started_ends_with_it(tmp_path: Path) -> None:
    with launched(launch("family", tmp_path), 1) as (instance,):
        found = re.search(r"child: (\d+)", instance.log.read_text())
        assert found
        assert is_alive(int(found[1]))
    deadline = time.monotonic() + 5
    while is_alive(int(found[1])) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_alive(int(found[1]))


def test_others_are_left_alone(tmp_path: Path) -> None:
    other = subprocess.Popen([sys.executable, str(STAND_IN), "answers", "--host", "127.0.0.1", "--port", "0"])
    try:
        with launched(launch("answers", tmp_path), 1):
            pass
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_a_port_that_is_taken_is_refused(tmp_path: Path) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(LaunchFailed, match=r"is in use already\. Choose another with --base-port"),
    ):
        StartedGame(launch("answers", tmp_path), taken.getsockname()[1]).start()


def test_all_are_stopped_when_one_fails(tmp_path: Path) -> None:
    settings = launch("answers", tmp_path, count=2)
    started: list[int] = []
    with socket.create_server(("127.0.0.1", settings.base_port + 1)), pytest.MonkeyPatch.context() as patch:
        start = StartedGame.start

        def noted(instance: StartedGame) -> None:
            start(instance)
            started.append(pid_of(instance))

        patch.setattr(StartedGame, "start", noted)
        with pytest.raises(LaunchFailed), launched(settings, 2):
            pass
    assert len(started) == 1
    assert not is_alive(started[0])


def test_one_that_has_died_is_started_anew(tmp_path: Path) -> None:
    with launched(launch("answers", tmp_path), 1) as (instance,):
        first = pid_of(instance)
        os.kill(first, 9)
        while is_alive(first):
            time.sleep(0.01)
        assert not instance.answers()
        instance.restart()
        assert instance.answers()
        assert pid_of(instance) != first


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    settings = Launch(uvx_path="no-such-uvx", logs=tmp_path, base_port=free_ports())
    with pytest.raises(LaunchFailed, match=r"no-such-uvx cannot be started: No such file.*--uvx-path"):
        StartedGame(settings, settings.base_port).start()


@pytest.mark.parametrize(
    ("given", "port", "why"),
    [
        ({}, 65536, r"There is no port 65536; the last one is 65535\. Choose a lower --base-port"),
        (
            {"base_host": "nowhere.invalid"},
            20_000,
            r"There is no host nowhere\.invalid\. Choose another with --base-host",
        ),
        ({"logs": Path("/dev/null/logs")}, None, r"The log /dev/null/logs/\d+\.log cannot be written: Not a directory"),
    ],
)
def test_places_that_are_none(tmp_path: Path, given: dict[str, Any], port: int | None, why: str) -> None:
    settings = Launch(launcher="direct", balatrobot_cmd=sys.executable, **{"logs": tmp_path, **given})
    with pytest.raises(LaunchFailed, match=why):
        StartedGame(settings, port or free_ports()).start()


def test_hosts_with_colons_stand_in_brackets() -> None:
    assert StartedGame(Launch(base_host="::1"), 7).url == "http://[::1]:7"


def test_how_programs_are_called(tmp_path: Path) -> None:
    flags = ["serve", "--headless", "--fast", "--host", "127.0.0.1", "--port", "5"]
    assert Launch(uvx_path="/bin/uvx").arguments(5) == ["/bin/uvx", "balatrobot", *flags]
    paths = {"love_path": tmp_path / "love", "lovely_path": tmp_path / "lovely"}
    told = Launch(launcher="direct", balatrobot_cmd="env A=1 balatrobot", **paths).arguments(5)
    given = ["--love-path", str(paths["love_path"]), "--lovely-path", str(paths["lovely_path"])]
    assert told == ["env", "A=1", "balatrobot", *flags, *given]


def test_a_number_that_may_be_another_s_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the end of a process has been taken note of, the system may give its number to any other."""
    signalled: list[bool] = []
    kill = os.killpg

    def noted(group: int, number: int) -> None:
        signalled.append(Path(f"/proc/{group}").exists())
        kill(group, number)

    monkeypatch.setattr(os, "killpg", noted)
    with pytest.raises(LaunchFailed, match="ended with code 3"), launched(launch("dies", tmp_path), 1):
        pass
    with launched(launch("answers", tmp_path), 1):
        pass
    assert signalled
    assert all(signalled)


def test_how_it_is_done_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launching, "_WINDOWS", True)
    command = '"C:\\Program Files\\bot.exe" --quiet'
    assert Launch(launcher="direct", balatrobot_cmd=command).arguments(5)[:3] == [
        "C:\\Program Files\\bot.exe",
        "--quiet",
        "serve",
    ]
    done: list[list[str]] = []
    monkeypatch.delattr(os, "killpg")
    monkeypatch.setattr(system.subprocess, "run", lambda words, **_: done.append(words))
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    system.end_group(process, within=0.1)
    assert process.returncode == -signal.SIGTERM
    system.end_group(process, within=0.1)  # it has ended, and its number may be another's
    pid = str(process.pid)
    assert done == [["taskkill", "/T", "/PID", pid], ["taskkill", "/T", "/F", "/PID", pid]]
