"""Python, the compiled core and the compiler that builds it, the GPU, and the packages of each extra."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Literal

OLDEST, NEWEST = (3, 11), (3, 13)
"""Versions of Python that are tried."""
_COMPILERS = ("c++", "g++", "clang++")
_PROGRAM = "#include <concepts>\n#include <span>\nstatic_assert(std::integral<int>);\n"
"""Needs C++20 and its library."""
_TRY_FOR = 30.0
PACKAGE = "jimbo-balatro"
EXTRAS = {
    "env": "environments of Gymnasium",
    "data": "datasets as Parquet",
    "models": "networks that play",
    "tui": "the assistant on the whole screen",
    "events": "the event aggregator",
    "analytics": "questions about telemetry, and metrics for Prometheus",
    "mcp": "tools for language models",
    "graph": "the knowledge graph",
    "web": "the page in a browser",
    "train": "training",
    "track": "logs at Weights & Biases",
    "sign": "signatures of packages",
    "llm": "language models",
    "az": "learning by self-play, with a store on a server",
    "rllib": "training with Ray RLlib",
}
"""What each is for. Those who work on Jimbo itself have ``dev``, which is not asked for here."""
_MOST_SHOWN = 4

Status = Literal["ok", "not needed", "missing"]


@dataclass(frozen=True, slots=True)
class Finding:
    """``not needed`` is absent, or wrong, and nobody waits for it; ``missing`` must be put right."""

    what: str
    status: Status
    found: str
    remedy: str = ""
    """Empty where nothing can be done, or need be."""


def good(what: str, found: str) -> Finding:
    return Finding(what, "ok", found)


def bad(what: str, found: str, remedy: str, *, needed: bool) -> Finding:
    return Finding(what, "missing" if needed else "not needed", found, remedy)


def check_python(running: tuple[int, int] = sys.version_info[:2]) -> Finding:
    found = f"{platform.python_version()} ({sys.executable})"
    if running < OLDEST:
        return bad("Python", found, "install Python 3.11 or newer, and Jimbo with it", needed=True)
    return good("Python", found if running <= NEWEST else f"{found}, newer than what is tried")


def check_engine() -> Finding:
    """A run is started: that shows more than the import."""
    try:
        from jimbo import __version__
        from jimbo.engine import Run

        Run(deck="b_red", stake="white", seed="DOCTOR").legal_actions()
    except Exception as error:
        remedy = "build it: make build in the clone, or pip install . there"
        return bad("engine", f"{type(error).__name__}: {error}", remedy, needed=True)
    return good("engine", f"jimbo {__version__}, compiled")


def check_compiler(*, needed: bool) -> Finding:
    """Find the first that can do C++20."""
    named = [shlex.split(os.environ["CXX"])] if os.environ.get("CXX") else []
    for command in (*named, *([name] for name in _COMPILERS)):
        if shutil.which(command[0]) and _compiles(command):
            return good("compiler", _first_line([*command, "--version"]))
    remedy = "to rebuild the engine, install GCC 12 or newer"
    return bad("compiler", "none with C++20", remedy, needed=needed)


def _compiles(command: list[str]) -> bool:
    try:
        done = subprocess.run(
            [*command, "-std=c++20", "-x", "c++", "-fsyntax-only", "-"],
            input=_PROGRAM.encode(),
            capture_output=True,
            timeout=_TRY_FOR,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _first_line(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=_TRY_FOR, check=False)
    return (done.stdout.splitlines() or [command[0]])[0]


def check_gpu() -> Finding:
    """Only training uses one, and only through torch."""
    if importlib.util.find_spec("torch") is None:
        return bad("GPU", "not looked for: torch is not installed", "only training uses it: see train", needed=False)
    try:
        import torch
    except Exception as error:  # a broken installation can raise anything
        return bad("GPU", f"torch cannot be imported: {error}", "reinstall torch", needed=False)
    if torch.cuda.is_available():
        names = [torch.cuda.get_device_name(place) for place in range(torch.cuda.device_count())]
        return good("GPU", ", ".join(names))
    if torch.backends.mps.is_available():
        return good("GPU", "Apple, by Metal")
    if shutil.which("nvidia-smi"):
        remedy = "torch does not see the card: install a torch with CUDA, or a newer driver"
        return bad("GPU", f"none for torch {torch.__version__}", remedy, needed=False)
    return bad("GPU", "none; networks are trained on the processor", "", needed=False)


# --- Extras -----------------------------------------------------------------------------------------------------------


def check_extras() -> list[Finding]:
    try:
        lines = requires(PACKAGE) or []
    except PackageNotFoundError:
        return [bad("extras", "Jimbo is not installed as a package", "pip install . in the clone", needed=True)]
    return [_check(extra, use, lines) for extra, use in EXTRAS.items()]


def _check(extra: str, use: str, lines: Sequence[str]) -> Finding:
    troubles = [trouble for need in sorted(set(_needs(extra, lines))) if (trouble := _trouble(*need))]
    if not troubles:
        return good(f"extra {extra}", use)
    more = [f"{len(troubles) - _MOST_SHOWN} more"] if len(troubles) > _MOST_SHOWN else []
    remedy = f'pip install ".[{extra}]" in a clone of Jimbo'
    return bad(f"extra {extra}", f"{use}: {', '.join(troubles[:_MOST_SHOWN] + more)}", remedy, needed=False)


def _needs(extra: str, lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Names of packages with their versions, also those of the extras that this one is made of."""
    for line in lines:
        wanted, _, marker = line.partition(";")
        if not re.search(rf"extra == ['\"]{extra}['\"]", marker):
            continue
        found = re.fullmatch(r"([\w.-]+)(?:\[([\w, -]+)\])?\s*\(?(.*?)\)?", wanted.strip())
        if found is None:
            continue
        name, inner, versions = found.groups()
        if name != PACKAGE:
            yield name, versions
            continue
        for one in inner.split(","):
            yield from _needs(one.strip(), lines)


def _trouble(name: str, versions: str) -> str:
    """Say why a package will not do; empty if it will."""
    try:
        installed = version(name)
    except PackageNotFoundError:
        return f"no {name}"
    return "" if all(_fits(installed, limit) for limit in versions.split(",") if limit) else f"{name} {installed}"


def _fits(installed: str, limit: str) -> bool:
    """Check the two kinds of limits that Jimbo sets; others are left to pip."""
    found = re.match(r"\s*(>=|<)\s*([\d.]+)", limit)
    if found is None:
        return True
    here, there = _numbers(installed), _numbers(found[2])
    return here >= there if found[1] == ">=" else here < there


def _numbers(text: str) -> list[int]:
    numbers = [int(number) for number in re.findall(r"\d+", re.split(r"[^\d.]", text)[0])]
    while numbers and numbers[-1] == 0:  # 1.0 is 1
        numbers.pop()
    return numbers
