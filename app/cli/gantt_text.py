"""A Gantt chart of threads in characters, for terminals and mail."""

from __future__ import annotations

import numpy as np

from kernels.jit.thread_times import elapsed_ms
from kernels.measure.real_run import Chunks

IDLE, BEGINS = ".", "["


def gantt_rows(chunks: Chunks, width: int) -> list[str]:
    """A line for each thread, in which a character stands for the same share of the run's time.

    It is the number of the loop, from 1, that the thread is busy with for the most of that time, or IDLE; BEGINS where a chunk
    begins that goes on in the next character.
    """
    return [_row(chunks, thread, width) for thread in range(chunks.threads)]


def _row(chunks: Chunks, thread: int, width: int) -> str:
    mine = chunks.thread == thread
    scale = width / max(elapsed_ms(chunks), 1e-9)
    start, end, loop = chunks.start_ms[mine] * scale, chunks.end_ms[mine] * scale, chunks.loop[mine]
    edges = np.arange(width)[:, None]
    covered = np.clip(np.minimum(end, edges + 1) - np.maximum(start, edges), 0, 1)
    text = [IDLE] * width
    for column in np.flatnonzero(covered.sum(axis=1) >= 0.5).tolist():
        text[column] = str((int(loop[covered[column].argmax()]) + 1) % 10)
    for first, last in zip(np.floor(start).astype(int).tolist(), np.ceil(end).astype(int).tolist(), strict=True):
        if last - first > 2 and text[first] != IDLE:
            text[first] = BEGINS
    return "".join(text)
