"""Goes through a folder and checks every file that the registry knows, on several processes if wanted."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from pathlib import Path

from conformance.corpus import CorpusError, CorpusFile
from conformance.exceptions import Rule, load_rules
from conformance.registry import FOLDERS, Corpus, corpus_of
from conformance.report import Apart, Case, Difference, FileResult, Group, Report
from jimbo.processes import children_without_ctrl_c, end_all

Progress = Callable[[int, int], None]
"""Called with the number of files done and the number of all."""


def verify_folder(
    folder: Path, *, processes: int = 1, every_difference: bool = False, on_progress: Progress | None = None
) -> Report:
    """Checks the files of a folder. Raises CorpusError when there is no such folder or nothing in it is known.

    A file that is broken has an error as its result and does not stop the others. With more than one process, files are
    checked side by side; the calling script then needs the usual ``if __name__ == "__main__"`` guard.
    """
    names = _list_files(folder)
    known = [name for name in names if corpus_of(name)]
    if not known:
        raise CorpusError(f"{folder}: no file of a known layout here (such as rng/*.jsonl.gz or seeds/*.json)")
    # Biggest first, so that no process is left alone with a big file at the end.
    known.sort(key=lambda name: names[name].stat().st_size, reverse=True)
    rules = load_rules()
    jobs = [(names[name], name, rules, every_difference) for name in known]
    results = {name: FileResult(name, checked=False) for name in names}
    run = _check_here if processes <= 1 else _check_in_pool
    with closing(run(jobs, processes)) as checked:
        for done, result in enumerate(checked, 1):
            results[result.file] = result
            if on_progress:
                on_progress(done, len(jobs))
    return Report(tuple(results.values()))


def _list_files(folder: Path) -> dict[str, Path]:
    """All files by name. Markdown describes a corpus and hidden files belong to nobody, so both are left out."""
    if not folder.is_dir():
        what = "is not a folder" if folder.exists() else "does not exist"
        raise CorpusError(f"The folder {folder} {what}.")
    # One of the corpus's own folders can be given by itself.
    own = next((path.name for path in (folder.absolute(), folder.resolve()) if path.name in FOLDERS), "")
    prefix = f"{own}/" if own else ""
    files = {}
    for path in _walk(folder):
        inside = path.relative_to(folder)
        if path.suffix != ".md" and not any(part.startswith(".") for part in inside.parts):
            files[prefix + inside.as_posix()] = path
    return files


def _walk(folder: Path, above: frozenset[Path] = frozenset()) -> Iterator[Path]:
    """The files in a folder and below, also where a link leads to a folder, unless it leads back to one ``above``."""
    here = folder.resolve()
    if here in above:
        return
    with suppress(OSError):
        for path in sorted(folder.iterdir()):
            if path.is_dir():
                yield from _walk(path, above | {here})
            elif path.is_file():
                yield path


Job = tuple[Path, str, tuple[Rule, ...], bool]


def _check_here(jobs: Sequence[Job], _processes: int) -> Generator[FileResult]:
    for job in jobs:
        yield check_file(*job)


def _check_in_pool(jobs: Sequence[Job], processes: int) -> Generator[FileResult]:
    context = multiprocessing.get_context("spawn")
    with children_without_ctrl_c():
        pool = ProcessPoolExecutor(min(processes, len(jobs)), mp_context=context)
    try:
        with children_without_ctrl_c():
            names = {pool.submit(check_file, *job): job[1] for job in jobs}
        for future in as_completed(names):
            try:
                yield future.result()
            except BrokenProcessPool:
                name = names[future]
                yield FileResult(name, checked=False, error=f"{name}: the process that checked it has died")
    finally:
        _end(pool)


def _end(pool: ProcessPoolExecutor) -> None:
    """At once: otherwise the pool would wait for the files that are being checked, however big they are."""
    processes = list(pool._processes.values())  # it has no public way to end them, and forgets them in shutdown
    pool.shutdown(wait=False, cancel_futures=True)
    end_all(processes)


def check_file(path: Path, name: str, rules: Sequence[Rule], every_difference: bool = False) -> FileResult:
    found = corpus_of(name)
    assert found is not None
    corpus, named = found
    file = CorpusFile(path, name, named)
    tally = _Tally(file, corpus, rules, every_difference)
    try:
        for case in corpus.check(file):
            tally.add(case)
        if tally.empty:
            raise file.broken("there is nothing to check in this file")
    except CorpusError as error:
        return tally.result(str(error))
    except Exception as error:  # a file from outside can be wrong in any way
        return tally.result(str(file.broken(f"not in the layout of this file: {_words(error)}")))
    return tally.result()


def _words(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"the field {error} is missing"
    if isinstance(error, TypeError | AttributeError):
        return f"a value has the wrong kind or size ({_first_line(error)})"
    return _first_line(error)


def _first_line(error: Exception) -> str:
    """The compiled core's message continues with a list of what it would accept."""
    lines = str(error).splitlines()
    return lines[0].partition(". The following")[0] if lines else type(error).__name__


class _Tally:
    """What is found in a file, case by case: all of it is told, also of a file that breaks off."""

    def __init__(self, file: CorpusFile, corpus: Corpus, rules: Sequence[Rule], every_difference: bool) -> None:
        self._file, self._bar, self._rules, self._every = file, corpus.bar, rules, every_difference
        self._counts = dict.fromkeys(("cases", "passed", "failed", "excepted", "skipped", "not_reached"), 0)
        self._excepted_by: Counter[str] = Counter()
        self._kept: list[Difference] = []
        self._differing = 0

    @property
    def empty(self) -> bool:
        return not any(self._counts.values())

    def add(self, case: Case | Group | Apart) -> None:
        if isinstance(case, Apart):
            self._counts[case.value] += 1
            return
        self._counts["cases"] += 1
        covering = [self._covering(difference) for difference in case.differences]
        open_differences = [one for one, rule in zip(case.differences, covering, strict=True) if rule is None]
        if not case.differences:
            self._counts["passed"] += 1
        elif not open_differences:
            self._counts["excepted"] += 1
            self._excepted_by.update({rule.name for rule in covering if rule and rule.name})
        else:
            self._counts["failed"] += 1
            self._differing += len(open_differences)
            if self._every or not self._kept:
                self._kept += [Difference(*difference[:3]) for difference in open_differences]

    def _covering(self, difference: Case) -> Rule | None:
        return next((rule for rule in self._rules if rule.covers(self._file.name, difference)), None)

    def result(self, error: str | None = None) -> FileResult:
        """``error``: why the file could not be read to its end."""
        return FileResult(
            file=self._file.name,
            checked=error is None,
            bar=self._bar if error is None else None,
            difference_count=self._differing,
            first_difference=self._kept[0] if self._kept else None,
            differences=tuple(self._kept) if self._every else None,
            error=error,
            excepted_by=dict(sorted(self._excepted_by.items())),
            **self._counts,
        )
