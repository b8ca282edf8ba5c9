"""A command that cannot outlive its time: at its end, whatever ends it, all that it has started ends too.

Its output goes to a log as it comes. A file of JSON (safe_run_result_v1) says how it stands, and at last how it ended.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Literal

from jimbo.files import reason, write_text
from jimbo.signals import uninterrupted
from jimbo.system import ProcessTree, has_ended

SCHEMA = "safe_run_result_v1"
TIMED_OUT, NOT_STARTED, INTERRUPTED = 124, 127, 130
"""Exit codes of a command that took too long, could not be started, or was stopped by Ctrl-C."""
END_WITHIN = 3.0
"""Seconds in which a process may end by itself after it was asked to."""
_LOOK_EVERY = 0.05
_PIECE = 65_536
_MAX_LINE = 2_000

Status = Literal["running", "ended", "timed_out", "not_started", "interrupted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SafeRunResult:
    """How a command stands, or ended."""

    command: Sequence[str]
    cwd: str
    status: Status
    exit_code: int | None
    """None while it runs; as shells count where a signal ended it."""
    timed_out: bool
    timeout_sec: float
    started_at: str
    duration_sec: float
    heartbeats: int
    log: str
    log_bytes: int
    pid: int | None
    ended_by_force: int = 0
    """Processes that were still running at the end: of a command that took too long, or left behind by it."""
    error: str = ""
    """Why it could not be started."""
    tail: Sequence[str] = ()
    """The last lines of its output."""
    schema: str = field(default=SCHEMA)


@dataclass(frozen=True, slots=True, kw_only=True)
class SafeRun:
    """What is run, and for how long."""

    command: Sequence[str]
    timeout: float
    log: Path
    """Standard output and standard error, in the order in which they come."""
    result: Path
    """JSON, written anew with each heartbeat."""
    heartbeat: float = 30.0
    tail: int = 100
    echo: IO[bytes] | None = None
    """Where the output is shown as well."""
    env: Mapping[str, str] | None = None
    """Its whole environment, if it is to have another one than this process."""

    def run(self, beat: Callable[[SafeRunResult], None] = lambda result: None) -> SafeRunResult:
        """Run it to its end; OSError only where the log or the result cannot be written. ``beat`` is told how it
        stands every ``heartbeat`` seconds."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.result.parent.mkdir(parents=True, exist_ok=True)
        at, began = datetime.now(UTC).isoformat(timespec="seconds"), time.monotonic()
        now = SafeRunResult(
            command=list(self.command),
            cwd=os.getcwd(),
            status="running",
            exit_code=None,
            timed_out=False,
            timeout_sec=self.timeout,
            started_at=at,
            duration_sec=0.0,
            heartbeats=0,
            log=str(self.log),
            log_bytes=0,
            pid=None,
        )
        with self.log.open("wb") as log:
            output = LoggedOutput(log, self.tail, self.echo)
            pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
            try:
                with ExitStack() as stack:
                    with uninterrupted():  # what has been started is ended in any case
                        tree = stack.enter_context(ProcessTree(self.command, **pipes, env=self.env))
                        now = replace(now, pid=tree.process.pid)
                    ended = self._watch(tree, output, now, began, beat)
            except KeyboardInterrupt:
                ended = replace(now, status="interrupted", exit_code=INTERRUPTED)
            except (OSError, ValueError) as error:
                if now.pid is not None:
                    raise
                said = reason(error) if isinstance(error, OSError) else str(error)
                ended = replace(now, status="not_started", exit_code=NOT_STARTED, error=said)
            ended = self._as_it_stands(ended, output, began)
        self._write(ended)
        return ended

    def _watch(
        self,
        tree: ProcessTree,
        output: LoggedOutput,
        now: SafeRunResult,
        began: float,
        beat: Callable[[SafeRunResult], None],
    ) -> SafeRunResult:
        reader = threading.Thread(target=output.read, args=(tree.process.stdout,), daemon=True)
        status: Status = "ended"
        try:
            reader.start()
            for late in self._waiting(tree.process, began):
                if late:
                    status = "timed_out"
                    break
                now = replace(self._as_it_stands(now, output, began), heartbeats=now.heartbeats + 1)
                self._write(now)
                beat(now)
        except KeyboardInterrupt:
            status = "interrupted"
        left = tree.end(0.0 if status == "ended" else END_WITHIN)
        if reader.ident:  # it was started
            reader.join(END_WITHIN)
        codes: dict[Status, int] = {"timed_out": TIMED_OUT, "interrupted": INTERRUPTED}
        code = codes.get(status, _shell_code(tree.process.returncode))
        return replace(now, status=status, exit_code=code, timed_out=status == "timed_out", ended_by_force=left)

    def _waiting(self, process: subprocess.Popen[bytes], began: float) -> Iterator[bool]:
        """Yield False for each heartbeat, and True when it is too late; end when the process has ended."""
        next_beat = 0.0
        while not has_ended(process):
            passed = time.monotonic() - began
            if passed >= self.timeout:
                yield True
                return
            if passed >= next_beat:
                next_beat += self.heartbeat
                yield False
            time.sleep(_LOOK_EVERY)

    def _as_it_stands(self, now: SafeRunResult, output: LoggedOutput, began: float) -> SafeRunResult:
        passed = round(time.monotonic() - began, 3)
        return replace(now, duration_sec=passed, log_bytes=output.bytes, tail=output.tail())

    def _write(self, result: SafeRunResult) -> None:
        write_text(self.result, json.dumps(asdict(result), indent=2, ensure_ascii=False) + "\n")


def _shell_code(code: int) -> int:
    """128 and the signal, for a process that a signal ended."""
    return 128 - code if code < 0 else code


class LoggedOutput:
    """Takes what a process says, in a thread of its own."""

    def __init__(self, log: IO[bytes], lines: int, echo: IO[bytes] | None) -> None:
        self._log, self._echo = log, echo
        self._lines: deque[bytes] = deque(maxlen=lines)
        self._rest = b""
        self.bytes = 0

    def read(self, pipe: IO[bytes]) -> None:
        """Until nobody holds the other end. What cannot be written is dropped: the process must not wait for it."""
        while piece := os.read(pipe.fileno(), _PIECE):
            self.bytes += len(piece)
            with suppress(OSError, ValueError):
                self._log.write(piece)
                self._log.flush()
            if self._echo:
                with suppress(OSError, ValueError):
                    self._echo.write(piece)
                    self._echo.flush()
            *whole, self._rest = (self._rest + piece).split(b"\n")
            self._rest = self._rest[-_MAX_LINE:]
            self._lines.extend(line[:_MAX_LINE] for line in whole)

    def tail(self) -> list[str]:
        lines = [*self._lines, *([self._rest] if self._rest else [])]
        return [line.decode("utf-8", "replace") for line in lines[-(self._lines.maxlen or 0) :]]
