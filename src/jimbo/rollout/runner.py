"""Many games over all cores, written as they end, such that the same command goes on where it was stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from jimbo.data.samples import Game
from jimbo.rollout.instances import Lost
from jimbo.rollout.jsonl_output import JsonlOutput
from jimbo.rollout.output import Claim, NotKept, Output
from jimbo.rollout.plan import Plan
from jimbo.rollout.player import GivenUp, Player
from jimbo.rollout.pool import Died, WorkFailed, run_tasks
from jimbo.signals import uninterrupted

SECONDS_AT_RISK = 20.0
"""After which what was played is made safe from the death of this process."""
TRIES = 3
"""Of a game whose process died, where it is to be tried again."""


class Spread(Protocol):
    """How work, a Player, is spread: over the processes of this machine (``pool``), over a cluster (``ray_pool``), over
    instances of the real game (``instances``)."""

    def __call__(
        self,
        work: Any,
        tasks: Iterable[Any],
        workers: int,
        *,
        timeout: float | None = None,
        tries: int = 1,
    ) -> Generator[tuple[Any, Any]]: ...


@dataclass(slots=True)
class Outcome:
    """How a rollout ended."""

    plan: Plan
    kept: int = 0
    """Games that were there before."""
    played: int = 0
    given_up: list[GivenUp] = field(default_factory=list)
    stopped: bool = False
    """By Ctrl-C."""
    trouble: str = ""
    """Why it could not go on, as a sentence."""


def roll_out(
    plan: Plan,
    out: Path,
    *,
    workers: int = 1,
    restart: bool = False,
    timeout: float | None = None,
    spread: Spread | None = None,
    begun: Callable[[int], None] = lambda kept: None,
    progress: Callable[[Game | GivenUp], None] = lambda end: None,
) -> Outcome:
    """Plays every game of the plan that the file does not hold yet; ValueError if the file is of other settings.

    Ctrl-C ends it early and keeps what is finished; so does a full disk, or worker processes that keep dying.
    ``spread`` plays elsewhere than on this machine; there a game whose worker died is always tried again.
    """
    outcome = Outcome(plan)
    with Claim(out, plan.to_data()), closing(_output(plan, out)) as output:
        done = output.done()
        missing = [number for number in range(plan.games) if number not in done]
        outcome.kept = plan.games - len(missing)
        begun(outcome.kept)
        player = Player(plan, tuple(plan.seeds()))
        if spread is None and workers == 1 and timeout is None:
            games = _alone(player, missing, output)
        else:
            tries = TRIES if restart or spread else 1
            games = _together(player, missing, output, spread or run_tasks, workers, timeout, tries)
        try:
            _follow(games, outcome, progress)
            with uninterrupted():
                output.finish()
        except KeyboardInterrupt:
            outcome.stopped = True
            outcome.trouble = _kept(output)
        except NotKept as error:
            outcome.trouble = str(error)
        except WorkFailed as error:
            outcome.trouble = f"{error} {_kept(output)}".rstrip()
    return outcome


def _kept(output: Output) -> str:
    """Saves what was played; a sentence where that fails."""
    try:
        output.keep()
    except NotKept as error:
        return str(error)
    return ""


def _output(plan: Plan, out: Path) -> Output:
    if plan.format == "parquet":
        from jimbo.rollout.parquet_output import ParquetOutput

        return ParquetOutput(out, plan.to_data())
    return JsonlOutput(out)


def _follow(games: Generator[Game | GivenUp], outcome: Outcome, progress: Callable[[Game | GivenUp], None]) -> None:
    with closing(games):
        for end in games:
            if isinstance(end, GivenUp):
                outcome.given_up.append(end)
            else:
                outcome.played += 1
            progress(end)


class _Clock:
    """Whether it is time to make safe what was played."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def rings(self) -> bool:
        if time.monotonic() - self._last < SECONDS_AT_RISK:
            return False
        self._last = time.monotonic()
        return True


def _alone(player: Player, numbers: list[int], output: Output) -> Generator[Game | GivenUp]:
    """In this process; games are gathered where they are played until there are enough of them to be written."""
    clock = _Clock()
    try:
        for number in numbers:
            end = player.play(number)
            if len(player) >= output.at_once:
                player.hand_over(output)
            if clock.rings():
                player.hand_over(output)
                with uninterrupted():
                    output.keep()
            yield end
    finally:
        player.hand_over(output)


def _together(
    player: Player,
    numbers: list[int],
    output: Output,
    spread: Spread,
    workers: int,
    timeout: float | None,
    tries: int,
) -> Generator[Game | GivenUp]:
    """Over processes, each of which sends whole games."""
    clock = _Clock()
    with closing(spread(player, numbers, workers, timeout=timeout, tries=tries)) as results:
        for number, result in results:
            if isinstance(result, Died | Lost):
                why = result.why if isinstance(result, Lost) else why_died(result, timeout, tries)
                yield GivenUp(number, player.seed(number), why)
                continue
            end, gathered = result
            with uninterrupted():
                if gathered is not None:
                    output.add(gathered)
                if clock.rings():
                    output.keep()
            yield end


def why_died(died: Died, timeout: float | None, tries: int = 1) -> str:
    """As the end of a sentence."""
    often = f" ({tries} times)" if tries > 1 else ""
    if died.timed_out:
        return f"it took more than {timeout:g} second{'' if timeout == 1 else 's'}{often}"
    if died.exit_code is None:
        return f"its worker or machine died{often}"
    return f"its process ended with code {died.exit_code}{often}"
