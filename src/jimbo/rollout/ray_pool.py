"""Work spread over the machines of a Ray cluster, one task at a time for each worker, as ``pool`` does on one machine.

Each machine has Jimbo installed; what goes over the network is the work once, tasks, and results.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from jimbo.data import versions
from jimbo.engine import batch_schema_hash
from jimbo.rollout.pool import MAX_DEATHS_IN_A_ROW, Lost, WorkFailed, all_results, lost_with

Task = TypeVar("Task")
Result = TypeVar("Result")


class _RayWorker:
    """Lives in a process of its own, somewhere."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self._work = work

    def hello(self) -> dict[str, str]:
        """What it would play with; the answer tells that it has started."""
        return about_here()

    def do(self, task: Any) -> Any:
        return self._work(task)


def about_here() -> dict[str, str]:
    """What must be the same on every machine, or the games would not be."""
    return {**versions(), "schema_hash": batch_schema_hash()}


@dataclass(slots=True)
class _Running(Generic[Task]):
    actor: Any
    task: Task
    tries: int
    has_begun: bool = False
    deadline: float = float("inf")


def run_tasks_on_ray(
    ray: Any,
    work: Callable[[Task], Result],
    tasks: Iterable[Task],
    workers: int,
    *,
    timeout: float | None = None,
    tries: int = 1,
) -> Generator[tuple[Task, Result | Lost]]:
    """As ``pool.run_tasks``; there are at most as many workers as the cluster has cores.

    A task whose worker or machine died is done again elsewhere, ``tries`` times in all.
    """
    crew = _RayPool(ray, work, tasks, workers, timeout, tries)
    return all_results(crew, f"{MAX_DEATHS_IN_A_ROW} workers in a row have died; the logs of Ray say why.")


class _RayPool(Generic[Task, Result]):
    """The workers that play now, by the answer that is expected of each, and the tasks that wait."""

    def __init__(
        self,
        ray: Any,
        work: Callable[[Task], Result],
        tasks: Iterable[Task],
        workers: int,
        timeout: float | None,
        tries: int,
    ) -> None:
        cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._ray, self._timeout, self._tries = ray, timeout, tries
        self._workers = min(workers, cores)
        self._work = ray.put(work)
        self._make = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(_RayWorker)
        self._waiting = deque((task, tries) for task in tasks)
        self._crew: dict[Any, _Running[Task]] = {}

    def hire(self) -> bool:
        while self._waiting and len(self._crew) < self._workers:
            task, tries = self._waiting.popleft()
            actor = self._make.remote(self._work)
            self._crew[actor.hello.remote()] = _Running(actor, task, tries)
        return bool(self._crew)

    def results(self) -> list[tuple[Task, Result | Lost]]:
        first = min(hand.deadline for hand in self._crew.values())
        patience = None if first == float("inf") else max(0.0, first - time.monotonic())
        heard, _ = self._ray.wait(list(self._crew), num_returns=1, timeout=patience)
        late = [answer for answer, hand in self._crew.items() if hand.deadline < time.monotonic()]
        found = []
        for answer in {*heard, *late}:
            hand = self._crew.pop(answer)
            result = self._heard(answer, hand, answer not in heard)
            if isinstance(result, Lost) and hand.tries > 1:
                self._waiting.appendleft((hand.task, hand.tries - 1))
            elif result is not None:
                found.append((hand.task, result))
        return found

    def _heard(self, answer: Any, hand: _Running[Task], is_late: bool) -> Any:
        """The result of a task; None where the worker has only just started."""
        errors = self._ray.exceptions
        if is_late:
            self._ray.kill(hand.actor)
            return lost_with(None, self._timeout, self._tries)
        try:
            result = self._ray.get(answer)
        except (errors.RayActorError, errors.ObjectLostError, errors.WorkerCrashedError):
            return lost_with(None, None, self._tries)
        except errors.RayTaskError as error:
            told = str(error.cause).splitlines() or [type(error.cause).__name__]
            raise WorkFailed(f"A worker of the cluster failed: {told[-1]}.") from None
        if hand.has_begun:
            self._give_next(hand.actor)
            return result
        if result != about_here():
            raise WorkFailed(
                "A machine of the cluster has another version of Jimbo. Install the same wheel on each of them."
            )
        self._begin(hand.actor, hand.task, hand.tries)
        return None

    def _give_next(self, actor: Any) -> None:
        if self._waiting:
            self._begin(actor, *self._waiting.popleft())
        else:
            self._ray.kill(actor)

    def _begin(self, actor: Any, task: Task, tries: int) -> None:
        deadline = float("inf") if self._timeout is None else time.monotonic() + self._timeout
        self._crew[actor.do.remote(task)] = _Running(actor, task, tries, True, deadline)

    def dismiss(self) -> None:
        for hand in self._crew.values():
            with suppress(Exception):  # whatever is wrong with Ray by now, nothing of it can be mended here
                self._ray.kill(hand.actor)
