"""Python, the compiled core, the compiler that builds it, and the GPU."""

from __future__ import annotations

import importlib.util
import os
import platform
import shlex
import shutil
import subprocess
import sys

from jimbo.serve.doctor.finding import Finding, bad, good

OLDEST, NEWEST = (3, 11), (3, 13)
"""Versions of Python that are tried."""
_COMPILERS = ("c++", "g++", "clang++")
_PROGRAM = "#include <concepts>\n#include <span>\nstatic_assert(std::integral<int>);\n"
"""Needs C++20 and its library."""
_TRY_FOR = 30.0


def check_python(version: tuple[int, int] = sys.version_info[:2]) -> Finding:
    found = f"{platform.python_version()} ({sys.executable})"
    if version < OLDEST:
        return bad("Python", found, "install Python 3.11 or newer, and Jimbo with it", needed=True)
    return good("Python", found if version <= NEWEST else f"{found}, newer than what is tried")


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
    """The first that can do C++20."""
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
