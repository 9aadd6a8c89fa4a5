"""Runs of multi-threaded kernels: one thread team for a point, pinned where the system allows, and what each thread did when."""

from __future__ import annotations

import inspect
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kernels.base.arrays import CancelCheck, Matrix
from kernels.base.messages import message
from kernels.base.spec import Parameters, Problem, Variant
from kernels.catalogue.case import Case
from kernels.catalogue.source import Kernel, kernel_function, kernel_module
from kernels.cpu import teams
from kernels.cpu.atomics import Words
from kernels.cpu.matrix import ALIGNMENT, aligned_matrix
from kernels.jit.timed_calls import Batch, RaisedError, TimeCalls, timing
from kernels.measure.disturbance_sentences import CALLS
from kernels.measure.real_run import Chunks
from kernels.measure.runner import RunFailed

Work = Callable[[int], None]
"""What every thread of a team but the calling one does, called with its own number."""
_TOPOLOGY = Path("/sys/devices/system/cpu")


class ThreadTeam:
    """Threads, `size` of them, the calling one as number 0; thread t stays on `cores[t]`, taken around. Made and ended by `thread_team`."""

    def __init__(self, size: int, cores: list[int], work: Work) -> None:
        self.size = size
        self.pinned = False
        """Whether the threads stay on their cores."""
        self.error: BaseException | None = None
        """What one of the other threads has raised."""
        self._cores = cores
        self._work = work
        self._threads = [threading.Thread(target=self._take_part, args=(number,), daemon=True) for number in range(1, size)]

    def start(self) -> None:
        """Let the other threads begin their work."""
        self.pinned = self._pin(0)
        for thread in self._threads:
            thread.start()

    def join(self) -> None:
        """Wait until the other threads have done their work."""
        for thread in self._threads:
            if thread.ident is not None:  # the system may have started fewer
                thread.join()

    def _take_part(self, number: int) -> None:
        self._pin(number)
        try:
            self._work(number)
        except BaseException as error:
            self.error = error

    def _pin(self, number: int) -> bool:
        """Keep the calling thread on its core. False where the system has no way to, as macOS and Windows."""
        if not self._cores:
            return False
        try:
            os.sched_setaffinity(0, {self._cores[number % len(self._cores)]})
        except OSError:
            return False
        return True


@contextmanager
def thread_team(size: int, work: Work, stop: Callable[[], None]) -> Iterator[ThreadTeam]:
    """Threads 1 to `size` - 1 at their `work`, which `stop` ends; afterwards they are gone, and the calling thread runs where it could."""
    usable = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    members = ThreadTeam(size, cores_in_order(usable), work)
    try:
        members.start()
        yield members
    finally:
        stop()
        members.join()
        if usable:
            os.sched_setaffinity(0, usable)


def cores_in_order(usable: set[int], topology: Path = _TOPOLOGY) -> list[int]:
    """Logical cores, one of each physical core first, then their siblings."""
    seen: dict[str, int] = {}
    rounds = []
    for core in sorted(usable):
        try:
            siblings = (topology / f"cpu{core}" / "topology" / "thread_siblings_list").read_text().strip()
        except OSError:
            siblings = str(core)
        seen[siblings] = seen.get(siblings, 0) + 1
        rounds.append((seen[siblings], core))
    return [core for _, core in sorted(rounds)]


MOST_CHUNKS = 20_000
"""Rows of a team's log: what is handed out beyond them is worked on, but not logged."""
PANELS, COPIES = "P", "D"
"""Memory that a multi-threaded kernel's threads share besides the matrices: panels of packed copies, or copies of C.

The argument's name says which; `workspace` of the kernel's module says how many rows and columns.
"""


def new_team(parameters: Parameters) -> Words:
    """The team that these parameters ask for."""
    return teams.new_team(parameters.get("schedule", teams.STATIC), parameters.get("chunk", 0), parameters["threads"], MOST_CHUNKS)


def handed_out(team: Words) -> npt.NDArray[np.int64]:
    """The log of a team that has run, `LOGGED_WORDS` for each chunk, in the order in which chunks were handed out."""
    kept = min(int(team[teams.LOGGED]), int(team[teams.CAPACITY]))
    begin = teams.PLACES + int(team[teams.THREADS]) * teams.PLACE_WORDS
    rows = team[begin : begin + kept * teams.LOG_WORDS].reshape(-1, teams.LOG_WORDS)
    return np.array(rows[:, : teams.LOGGED_WORDS])


def shared_shape(variant: Variant, problem: Problem, parameters: Parameters) -> tuple[str, int, int] | None:
    """The name, rows and columns of the memory that the kernel's threads share besides the matrices, or None where they need none."""
    workspace: Callable[..., tuple[int, int]] | None = getattr(kernel_module(variant), "workspace", None)
    if workspace is None:
        return None
    known = {"M": problem.m, "N": problem.n, "K": problem.k, "threads": parameters["threads"]}
    name = next(name for name in inspect.signature(kernel_function(variant)).parameters if name in (PANELS, COPIES))
    return name, *workspace(**{name: known[name] for name in inspect.signature(workspace).parameters})


class TeamRun:
    """One kernel with its operands, its threads and their team. Made by `team_run`, which also ends them."""

    def __init__(
        self,
        operands: dict[str, Matrix],
        team: Words,
        thread_team: ThreadTeam,
        calls: TimeCalls,
        particular: Mapping[str, str | int | float],
    ) -> None:
        """`calls` are those of thread 0, which begin and end a run."""
        self._operands = operands
        self._team = team
        self._threads = thread_team
        self._calls = calls
        self._particular = particular
        self._batch = Batch()
        self._elapsed_ms = 0.0

    def poison(self) -> None:
        """Fill the output with NaN."""
        self._operands["C"].fill(np.nan)

    def sample(self, check: CancelCheck) -> float:
        """Milliseconds of one run on all threads, from before the first starts until after the last has ended.

        The first sample is one run exactly; later ones time several together where one is short.
        """
        check()
        return self._batch.sample(self._time)

    def look(self, check: CancelCheck) -> Chunks:
        """Run exactly once, and tell what the threads did."""
        check()
        self._elapsed_ms = self._time(1, 0)
        return self._chunks()

    def _time(self, calls: int, first: int) -> float:
        elapsed_ms = None
        try:
            elapsed_ms = self._calls(calls, first)
        except RaisedError as raised:
            raise self._threads.error or RunFailed(message("The kernel raised an error.")) from raised
        finally:
            self._team[teams.ABANDONED] |= elapsed_ms is None  # nobody is to wait for this thread
        if self._team[teams.ABANDONED]:
            raise self._threads.error or RunFailed(message("The kernel raised an error."))
        return elapsed_ms

    def output(self) -> Matrix:
        """The output."""
        return self._operands["C"]

    def conditions(self) -> Mapping[str, str | int | float]:
        """Compiler, threads and whether they stay on their cores, alignment, and how many runs the last sample timed together."""
        conditions = {"threads": self._threads.size, "pinned": int(self._threads.pinned)}
        return {**self._particular, **conditions, "alignment_bytes": ALIGNMENT, CALLS: self._batch.calls}

    def _chunks(self) -> Chunks:
        log = handed_out(self._team)
        thread, loop, first, last, start, end = log.T.copy()
        # What passes between the start of the run and of its first chunk is too short to be drawn.
        begin = start.min() if len(log) else 0
        left_out = int(self._team[teams.LOGGED]) - len(log)
        return Chunks(
            self._threads.size, thread, loop, first, last, (start - begin) / 1e6, (end - begin) / 1e6, self._elapsed_ms, left_out
        )  # fmt: skip


@contextmanager
def team_run(
    kernel: Kernel, operands: dict[str, Matrix], numbers: tuple[int, ...], point: Case, particular: Mapping[str, str | int | float]
) -> Iterator[TeamRun]:
    """A multi-threaded kernel with its threads, until the context is left. `numbers` are its arguments behind the memory."""
    team = new_team(point.parameters)
    shape = shared_shape(point.variant, point.problem, point.parameters)
    shared = () if shape is None else (aligned_matrix(shape[1:]),)

    def call(thread: int) -> None:
        try:
            kernel(*operands.values(), *shared, *numbers, team, thread)
        except BaseException:
            team[teams.ABANDONED] = 1  # nobody is to wait for this one
            raise

    def stop() -> None:
        team[teams.ENDED] = 1

    calls = timing(kernel, (*operands.values(), *shared, *numbers, team, 0))
    with thread_team(point.parameters["threads"], call, stop) as threads:
        yield TeamRun(operands, team, threads, calls, particular)
