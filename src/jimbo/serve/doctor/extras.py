"""Whether the packages of each extra are installed, in versions that go."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, requires, version

from jimbo.serve.doctor.finding import Finding, bad, good

PACKAGE = "jimbo-balatro"
EXTRAS = {
    "env": "environments of Gymnasium",
    "data": "datasets as Parquet",
    "models": "networks that play",
    "tui": "the assistant on the whole screen",
    "train": "training",
    "track": "logs at Weights & Biases",
    "az": "learning by self-play, with a store on a server",
    "rllib": "training with Ray RLlib",
}
"""What each is for. Those who work on Jimbo itself have ``dev``, which is not asked for here."""
_TOLD = 4


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
    more = [f"{len(troubles) - _TOLD} more"] if len(troubles) > _TOLD else []
    remedy = f'pip install ".[{extra}]" in a clone of Jimbo'
    return bad(f"extra {extra}", f"{use}: {', '.join(troubles[:_TOLD] + more)}", remedy, needed=False)


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
    """Why a package will not do; empty if it will."""
    try:
        installed = version(name)
    except PackageNotFoundError:
        return f"no {name}"
    return "" if all(_fits(installed, limit) for limit in versions.split(",") if limit) else f"{name} {installed}"


def _fits(installed: str, limit: str) -> bool:
    """For the two kinds of limits that Jimbo sets; others are left to pip."""
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
