"""A run of several threads as it is drawn: bars, pauses, loops, and what is said of each."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from app.core.base.picture_parts import Table
from app.core.timelines.axis import Figure, Part, parts_of
from app.core.timelines.sentences import loop_name, milliseconds, provenance
from kernels.base.messages import Message, message
from kernels.base.values import dataclass
from kernels.jit.team_loops import TeamLoop, team_loops
from kernels.jit.thread_times import Cause, Idle, Shares, idle, shares
from kernels.measure.real_run import Chunks, RunTimeline

COLUMNS = (message("Busy"), message("Idle"), message("Chunks"))
CAUSES = {
    Cause.START: message("has not begun yet"),
    Cause.HANDING_OUT: message("gets its next chunk"),
    Cause.BARRIER: message("waits at the barrier"),
    Cause.END: message("has nothing left to do"),
}


@dataclass(frozen=True, eq=False)
class ThreadChart:
    """Chart of the threads of one recording, analysed once."""

    recording: RunTimeline
    chunks: Chunks

    @cached_property
    def shares(self) -> Shares:
        return shares(self.chunks)

    @cached_property
    def idle(self) -> Idle:
        return idle(self.chunks)

    @cached_property
    def loops(self) -> tuple[TeamLoop, ...]:
        """The loops whose iterations are shared out, in the order of the source."""
        return team_loops(self.recording.point.variant)

    @property
    def row_title(self) -> Message:
        return message("Thread")

    @property
    def rows(self) -> int:
        return self.chunks.threads

    @property
    def elapsed_ms(self) -> float:
        return self.shares.elapsed_ms

    @property
    def warning(self) -> Message | None:
        """Warning of more threads than cores; None where there are enough."""
        cores = self.recording.conditions.get("cores")
        if not isinstance(cores, int) or self.rows <= cores:
            return None
        return message(
            "Oversubscribed: {threads} threads share {cores} cores; a bar lasts longer than its work.", threads=self.rows, cores=cores
        )

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """The numbers of the run, the most important first."""
        found = self.shares
        return (
            Figure(message("{percent} %", percent=100 * found.idle_part), message("of the threads' time idle")),
            Figure(message("{value}", value=found.imbalance), message("imbalance: longest busy time over the mean")),
            Figure(message("{value}", value=found.cores_kept_busy), message("cores kept busy, on average")),
            Figure(message("{value}", value=found.speedup_bound), message("speed-up at most, shared out like this")),
        )

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Work first, then the causes of idleness in the order of `Cause`."""
        threads, elapsed = self.shares.threads, self.elapsed_ms
        causes = (
            Part(CAUSES[cause], parts_of([share.idle_by_cause_ms[cause] for share in threads], elapsed)) for cause in Cause
        )  # fmt: skip
        return (Part(message("works on chunks"), parts_of([share.busy_ms for share in threads], elapsed)), *causes)

    @cached_property
    def facts(self) -> tuple[Message, ...]:
        """The figures as words and what else there is to say, the most important first."""
        found = self.shares
        told = (
            message("idle {percent} %", percent=100 * found.idle_part),
            message("imbalance {ratio}", ratio=found.imbalance),
            message("{cores} cores kept busy", cores=found.cores_kept_busy),
            message("speed-up at most {bound}", bound=found.speedup_bound),
        )
        return (*told, *self.remarks)

    @cached_property
    def remarks(self) -> tuple[Message, ...]:
        """What there is to say besides the figures."""
        found, told = self.shares, []
        if found.left_out:
            told.append(message("{count} chunks were not logged: their time counts as idle.", count=found.left_out))
        if found.handing_out_us is not None:
            told.append(message("handing out {time} µs a chunk", time=found.handing_out_us))
        if self.recording.conditions.get("pinned"):
            told.append(message("threads stay on their cores"))
        return (*told, provenance(self.recording))

    def cells(self, thread: int) -> tuple[Message | int, ...]:
        """The numbers beside a thread, under COLUMNS."""
        share = self.shares.threads[thread]
        return milliseconds(share.busy_ms), milliseconds(share.idle_ms), share.chunks

    def loop_title(self, loop: int) -> Message:
        """A loop by the kernel's own words for what is shared out."""
        return loop_name(self.loops[loop]) if loop < len(self.loops) else message("loop {number}", number=loop + 1)

    def chunk_at(self, thread: int, moment_ms: float) -> int | None:
        """The row of the chunk that the thread works on at a moment, or None."""
        chunks = self.chunks
        found = np.flatnonzero((chunks.thread == thread) & (chunks.start_ms <= moment_ms) & (moment_ms < chunks.end_ms))
        return int(found[0]) if found.size else None

    def tip(self, thread: int, moment_ms: float) -> Message | None:
        """What the thread does at a moment; None beyond the run."""
        if not 0 <= moment_ms <= self.elapsed_ms:
            return None
        row, chunks = self.chunk_at(thread, moment_ms), self.chunks
        if row is not None:
            return message(
                "Thread {thread}, {loop}: iterations {first} to {last}, {time}, from {start} on",
                thread=thread, loop=self.loop_title(int(chunks.loop[row])), first=int(chunks.first[row]), last=int(chunks.last[row]) - 1,
                time=milliseconds(chunks.end_ms[row] - chunks.start_ms[row]), start=milliseconds(chunks.start_ms[row]),
            )  # fmt: skip
        found = self.idle
        pause = np.flatnonzero((found.thread == thread) & (found.start_ms <= moment_ms) & (moment_ms <= found.end_ms))
        if not pause.size:
            return None
        at = int(pause[0])
        length = milliseconds(found.end_ms[at] - found.start_ms[at])
        return message("Thread {thread} {cause}: idle for {time}", thread=thread, cause=CAUSES[Cause(int(found.cause[at]))], time=length)

    def table(self) -> Table:
        """Table of every chunk, in the order in which they were begun."""
        titles = (
            message("Thread"), message("Loop"), message("First"), message("Last"), message("Start, ms"), message("End, ms"),
        )  # fmt: skip
        chunks = self.chunks
        rows = tuple(
            (
                str(chunks.thread[row]), self.loop_title(int(chunks.loop[row])), str(chunks.first[row]), str(chunks.last[row] - 1),
                f"{chunks.start_ms[row]:.4f}", f"{chunks.end_ms[row]:.4f}",
            )
            for row in np.lexsort((chunks.thread, chunks.start_ms)).tolist()
        )  # fmt: skip
        return Table(titles, rows)
