"""Ray, started here or joined where it runs: quietly, and with sentences where it cannot be done."""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jimbo.extras import require

LOCAL = "local"
TOKEN = "~/.ray/auth_token"
"""By which the machines of a cluster know each other; Ray makes it when it is first started on a machine."""
_STORE_SHARE = 4
"""The object store gets one part in this many of the memory."""
_SMALLEST_STORE = 80 * 1024**2
_GIGABYTE = 1024**3
_SECONDS_TO_ANSWER = 5.0


@contextmanager
def ray_cluster(address: str | None = None, memory_gb: float | None = None) -> Iterator[Any]:
    """Ray while the block lasts; ValueError with a sentence if there is none at the address.

    ``address``: ``HOST:PORT`` or ``auto`` for a cluster that runs, ``local`` for one of this machine alone. By default
    it is the cluster that ``RAY_ADDRESS`` names or ``ray start`` has begun here, and otherwise this machine alone.
    ``memory_gb`` limits the object store of a machine alone to a quarter of it.
    """
    if "ray" in sys.modules and quiet_ray().is_initialized():  # whoever started it ends it
        yield quiet_ray()
        return
    place = None if address == LOCAL else _place(address)
    if place is not None:
        _show_token()
    ray = quiet_ray()
    _begin(ray, place, memory_gb)
    try:
        yield ray
    finally:
        ray.shutdown()


def quiet_ray() -> Any:
    """It tells of every actor and deprecation; what matters reaches the caller as an error."""
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    ray = require("ray", "rllib")
    for name in ("ray", "ray.rllib", "ray.tune", "ray.train"):
        logging.getLogger(name).setLevel(logging.ERROR)
    return ray


def _begin(ray: Any, place: str | None, memory_gb: float | None) -> None:
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


def _show_token() -> None:
    """A cluster that was started where a token is asks for it. Ray reads this once, when it is imported."""
    named = os.environ.get("RAY_AUTH_TOKEN") or os.environ.get("RAY_AUTH_TOKEN_PATH")
    if "ray" not in sys.modules and (named or Path(TOKEN).expanduser().is_file()):
        os.environ.setdefault("RAY_AUTH_MODE", "token")


def _store(memory_gb: float) -> int:
    return int(memory_gb * _GIGABYTE / _STORE_SHARE)


def _place(address: str | None) -> str | None:
    """Where the cluster is that was asked for; None where none was, and none runs here.

    Somebody must answer there: Ray itself would wait for minutes.
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
    """What ``ray start`` has noted on this machine."""
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
    """Ray's core writes to standard error by itself that it was told to be quiet."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
