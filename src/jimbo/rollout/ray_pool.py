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

from jimbo.data.record import versions
from jimbo.engine import batch_schema_hash
from jimbo.rollout.pool import MAX_DEATHS_IN_A_ROW, Lost, WorkFailed, all_results, lost_with

Task = TypeVar("Task")
Result = TypeVar("Result")


class _RayWorker:
    """An actor that does tasks in a process of its own, on any machine."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self._work = work

    def hello(self) -> dict[str, str]:
        """Return what it would play with; the answer shows that it has started."""
        return about_here()

    def do(self, task: Any) -> Any:
        return self._work(task)


def about_here() -> dict[str, str]:
    """Return what must be the same on every machine, or the games would differ."""
    return {**versions(), "schema_hash": batch_schema_hash()}


@dataclass(slots=True)
class _Running(Generic[Task]):
    actor: Any
    task: Task
    tries: int
    has_started: bool = False
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
    """Yield results as ``pool.run_tasks`` does, with at most as many workers as the cluster has cores.

    A task whose worker or machine died is done again elsewhere, ``tries`` times in all.
    """
    crew = _RayPool(ray, work, tasks, workers, timeout, tries)
    return all_results(crew, f"{MAX_DEATHS_IN_A_ROW} workers in a row have died; the logs of Ray say why.")


class _RayPool(Generic[Task, Result]):
    """The workers at work, by the answer that is expected of each, and the tasks that wait."""

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
        first = min(worker.deadline for worker in self._crew.values())
        patience = None if first == float("inf") else max(0.0, first - time.monotonic())
        heard, _ = self._ray.wait(list(self._crew), num_returns=1, timeout=patience)
        late = [answer for answer, worker in self._crew.items() if worker.deadline < time.monotonic()]
        found = []
        for answer in {*heard, *late}:
            worker = self._crew.pop(answer)
            result = self._heard(answer, worker, answer not in heard)
            if isinstance(result, Lost) and worker.tries > 1:
                self._waiting.appendleft((worker.task, worker.tries - 1))
            elif result is not None:
                found.append((worker.task, result))
        return found

    def _heard(self, answer: Any, worker: _Running[Task], is_late: bool) -> Any:
        """Return the result of a task; None where the worker has only just started."""
        errors = self._ray.exceptions
        if is_late:
            self._ray.kill(worker.actor)
            return lost_with(None, self._timeout, self._tries)
        try:
            result = self._ray.get(answer)
        except (errors.RayActorError, errors.ObjectLostError, errors.WorkerCrashedError):
            return lost_with(None, None, self._tries)
        except errors.RayTaskError as error:
            lines = str(error.cause).splitlines() or [type(error.cause).__name__]
            raise WorkFailed(f"A worker of the cluster failed: {lines[-1]}.") from None
        if worker.has_started:
            self._give_next(worker.actor)
            return result
        if result != about_here():
            raise WorkFailed(
                "A machine of the cluster has another version of Jimbo. Install the same wheel on each of them."
            )
        self._start(worker.actor, worker.task, worker.tries)
        return None

    def _give_next(self, actor: Any) -> None:
        if self._waiting:
            self._start(actor, *self._waiting.popleft())
        else:
            self._ray.kill(actor)

    def _start(self, actor: Any, task: Task, tries: int) -> None:
        deadline = float("inf") if self._timeout is None else time.monotonic() + self._timeout
        self._crew[actor.do.remote(task)] = _Running(actor, task, tries, True, deadline)

    def dismiss(self) -> None:
        for worker in self._crew.values():
            with suppress(Exception):  # Ray itself may have ended
                self._ray.kill(worker.actor)
