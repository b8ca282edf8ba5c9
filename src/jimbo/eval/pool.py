"""Work spread over several processes, one task at a time for each, that survives the death of any of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Generic, TypeVar

from jimbo.files import trouble
from jimbo.processes import deaf_children

Task = TypeVar("Task")
Result = TypeVar("Result")

_MAX_DEATHS_IN_A_ROW = 3


@dataclass(frozen=True, slots=True)
class Died:
    """Stands for the result of a task whose process ended."""

    exit_code: int | None


class WorkFailed(RuntimeError):
    """No process does the work; the sentence says why."""


@dataclass(slots=True)
class _Worker(Generic[Task]):
    process: SpawnProcess
    task: Task


def run_tasks(
    work: Callable[[Task], Result], tasks: Iterable[Task], workers: int
) -> Generator[tuple[Task, Result | Died]]:
    """Results as they come. ``work`` goes to every process once, so it must be picklable.

    WorkFailed if one process after another dies, or none can be started. Closing the iterator ends the processes.
    """
    waiting = deque(tasks)
    crew: dict[Connection[Task, Result], _Worker[Task]] = {}
    deaths = 0
    try:
        while waiting or crew:
            while waiting and len(crew) < workers:
                with deaf_children():
                    _hire(work, waiting.popleft(), crew)
            for connection in wait(list(crew)):
                assert isinstance(connection, Connection)
                worker = crew.pop(connection)
                task = worker.task
                try:
                    result: Result | Died = connection.recv()
                    deaths = 0
                except (EOFError, ConnectionResetError):
                    worker.process.join()
                    result = Died(worker.process.exitcode)
                    deaths += 1
                if isinstance(result, Died) or not waiting:
                    connection.close()
                else:
                    worker.task = waiting.popleft()
                    connection.send(worker.task)
                    crew[connection] = worker
                yield task, result
                if deaths == _MAX_DEATHS_IN_A_ROW:
                    raise WorkFailed(f"{deaths} worker processes in a row have died; their messages are above.")
    finally:
        for connection, worker in crew.items():
            worker.process.terminate()
            worker.process.join()
            connection.close()


def _hire(work: Callable[[Task], Result], task: Task, crew: dict[Connection[Task, Result], _Worker[Task]]) -> None:
    context = get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there, work), daemon=True)
    try:
        process.start()
    except OSError as error:
        raise WorkFailed(f"A worker process cannot be started: {trouble(error)}.") from None
    there.close()
    here.send(task)
    crew[here] = _Worker(process, task)


def _serve(connection: Connection[Result, Task], work: Callable[[Task], Result]) -> None:
    """The life of a worker: it ends when nobody has tasks for it or wants its result any more."""
    while True:
        try:
            task = connection.recv()
        except (EOFError, ConnectionResetError):
            return
        result = work(task)
        try:
            connection.send(result)
        except (BrokenPipeError, ConnectionResetError):
            return
