"""Ray, started here or joined where it runs: quietly, and with sentences where it cannot be done. And its memory."""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from jimbo.extras import require

LOCAL = "local"
TOKEN = "~/.ray/auth_token"
"""The secret by which machines of a cluster know each other; Ray makes it when it first starts on a machine."""
_STORE_SHARE = 4
"""The object store gets one part in this many of the memory."""
_SMALLEST_STORE = 80 * 1024**2
_GIGABYTE = 1024**3
_SECONDS_TO_ANSWER = 5.0


@contextmanager
def ray_cluster(address: str | None = None, memory_gb: float | None = None) -> Iterator[Any]:
    """Give Ray to a block; ValueError with a sentence if there is no cluster at the address.

    ``address``: ``HOST:PORT`` or ``auto`` for a cluster that runs, ``local`` for one of this machine alone. By default
    it is the cluster that ``RAY_ADDRESS`` names or ``ray start`` has started here, and otherwise this machine alone.
    ``memory_gb`` limits the object store of a machine alone to a quarter of it.
    """
    if "ray" in sys.modules and quiet_ray().is_initialized():  # whoever started it ends it
        yield quiet_ray()
        return
    place = None if address == LOCAL else _place(address)
    if place is not None:
        _send_token()
    ray = quiet_ray()
    _start(ray, place, memory_gb)
    try:
        yield ray
    finally:
        ray.shutdown()


def quiet_ray() -> Any:
    """Return Ray without its messages about every actor and deprecation; what matters is raised as an error."""
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    ray = require("ray", "rllib")
    for name in ("ray", "ray.rllib", "ray.tune", "ray.train"):
        logging.getLogger(name).setLevel(logging.ERROR)
    return ray


def _start(ray: Any, place: str | None, memory_gb: float | None) -> None:
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    with _silence():
        if place is not None:
            _join(ray, place, quiet)
            return
        store = {} if memory_gb is None else {"object_store_memory": max(_SMALLEST_STORE, _store(memory_gb))}
        ray.init(address=LOCAL, include_dashboard=False, **quiet, **store)


def _join(ray: Any, place: str, quiet: Mapping[str, Any]) -> None:
    try:
        ray.init(address=place, **quiet)
    except (ConnectionError, RuntimeError, ray.exceptions.RayError) as error:
        raise ValueError(
            f"The Ray cluster at {place} does not let this machine in ({str(error).splitlines()[0].rstrip('.')}). Copy "
            f"{TOKEN} from the machine that leads, and install the same version of Ray on both"
        ) from None


def _send_token() -> None:
    """Send the token to a cluster: one that was started where there is a token asks for it. Set before Ray's import."""
    named = os.environ.get("RAY_AUTH_TOKEN") or os.environ.get("RAY_AUTH_TOKEN_PATH")
    if "ray" not in sys.modules and (named or Path(TOKEN).expanduser().is_file()):
        os.environ.setdefault("RAY_AUTH_MODE", "token")


def _store(memory_gb: float) -> int:
    return int(memory_gb * _GIGABYTE / _STORE_SHARE)


def _place(address: str | None) -> str | None:
    """Return the address of the cluster that was asked for; None where none was, and none runs here.

    Something must answer there: Ray itself would wait for minutes.
    """
    if address in (None, "auto"):
        named = os.environ.get("RAY_ADDRESS") or _started_here()
        if named is None and address is None:
            return None
    else:
        named = address
    if named is not None and _answers(named):
        return named
    if address is None and not os.environ.get("RAY_ADDRESS"):
        return None  # what was started here has ended
    where = named or "this machine"
    raise ValueError(
        f"There is no Ray cluster at {where}. Start one there with ray start --head --port=6379, "
        "or use --address local for this machine alone."
    )


def _started_here() -> str | None:
    """Return the address that ``ray start`` has noted on this machine."""
    note = Path(os.environ.get("RAY_TMPDIR", "/tmp"), "ray", "ray_current_cluster")
    try:
        return note.read_text(encoding="utf-8").strip() or None
    except OSError:
        return None


def _answers(address: str) -> bool:
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise ValueError(f"--address must be HOST:PORT, auto or local, not {address}")
    try:
        socket.create_connection((host, int(port)), timeout=_SECONDS_TO_ANSWER).close()
    except (OSError, OverflowError):
        return False
    return True


@contextmanager
def _silence() -> Iterator[None]:
    """Close standard error: Ray's core writes to it even when it is asked to be quiet."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


# --- Memory -----------------------------------------------------------------------------------------------------------


def memory_in_use(cluster: str) -> int:
    """Return the bytes of this process and of all that it or the Ray cluster of that address started on this machine.

    Memory that processes share is counted once.
    """
    waiting, children = [os.getpid()], defaultdict(list)
    address = f"--gcs-address={cluster}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            process = int(folder.name)
            # The name of the program, which may hold anything, stands in parentheses before the parent.
            children[int((folder / "stat").read_bytes().rsplit(b")", 1)[1].split()[1])].append(process)
            words = (folder / "cmdline").read_bytes().split(b"\0")
            if words[0].endswith(b"/raylet") and address in words:  # the workers of a node live under it
                waiting.append(process)
    found: set[int] = set()
    while waiting:
        process = waiting.pop()
        if process not in found:
            found.add(process)
            waiting += children[process]
    return sum(map(_proportional_memory, found))


def _proportional_memory(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
