"""Sectors, lines and bytes of requests to global memory."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.analysis.coalescing import cost, global_accesses
from tests.launches.analysis_traces import Recorder, words

LANES = np.arange(32)
ALL = np.ones((1, 32), np.bool_)


@pytest.mark.parametrize(
    ("addresses", "size", "sectors", "lines", "used"),
    [
        (4 * LANES, 4, 4, 1, 128),
        (8 * LANES, 8, 8, 2, 256),
        (16 * LANES, 16, 16, 4, 512),
        (4 * LANES + 4, 4, 5, 2, 128),
        (1024 * LANES, 4, 32, 32, 128),
        (0 * LANES, 4, 1, 1, 4),
        (LANES // 8 * 4, 4, 1, 1, 16),
        (LANES, 1, 1, 1, 32),
        (4 * LANES[::-1], 4, 4, 1, 128),
        (32 * LANES + 30, 4, 33, 9, 128),
        (2 * LANES, 4, 3, 1, 66),
    ],
)
def test_a_request_moves_the_sectors_that_its_bytes_touch(addresses: np.ndarray, size: int, sectors: int, lines: int, used: int) -> None:
    found = cost(addresses[None].astype(np.int64), ALL, size)
    assert (found.sectors[0], found.lines[0], found.bytes_used[0], found.bytes_requested[0]) == (sectors, lines, used, 32 * size)
    assert found.ideal[0] == -(-used // 32)


@pytest.mark.parametrize(
    ("addresses", "sectors", "ideal"),
    [(8 * (LANES // 2), 4, 2), (256 * (LANES // 16), 2, 1), (32 * LANES, 32, 4)],
    ids=["two lanes a word", "two words", "a word each"],
)
def test_what_would_do_counts_each_byte_once(addresses: np.ndarray, sectors: int, ideal: int) -> None:
    """Words that several lanes want are there once, whichever sectors they lie in."""
    found = cost(addresses[None].astype(np.int64), ALL, 4)
    assert (found.sectors[0], found.ideal[0]) == (sectors, ideal)


def test_inactive_lanes_move_nothing() -> None:
    active = np.zeros((2, 32), np.bool_)
    active[0, [3, 20]] = True
    found = cost(np.tile(64 * LANES, (2, 1)) - 100, active, 4)
    assert found.sectors.tolist() == [2, 0]
    assert found.bytes_used.tolist() == [8, 0]
    assert found.ideal.tolist() == [1, 0]


def test_a_trace_is_summed_site_by_site_and_warp_by_warp() -> None:
    recorder = Recorder(threads=64)
    recorder.load("a", 3, words(*range(64)))
    recorder.load("a", 3, words(*range(1, 33)))
    recorder.store("b", 4, words(*[32 * lane for lane in range(64)]))
    recorder.load("s", 5, words(*range(64)))
    load, store = global_accesses(recorder.trace())
    assert (load.requests, load.sectors, load.lines, load.bytes_used, load.bytes_moved) == (3, 13, 4, 384, 416)
    assert (store.requests, store.sectors, store.ideal) == (2, 64, 8)


def test_the_start_of_an_access_counts_modulo_a_line() -> None:
    recorder = Recorder()
    for start in (0, 128, 4, 132, 1024 + 4):
        recorder.load("a", 3, [4 * lane + start for lane in range(32)], offset=start)
    (load,) = global_accesses(recorder.trace())
    assert load.sectors == 2 * 4 + 3 * 5
    assert load.lines == 2 * 1 + 3 * 2


def test_a_row_without_active_lanes_is_no_request() -> None:
    recorder = Recorder(threads=64)
    recorder.load("a", 3, [])
    assert global_accesses(recorder.trace()) == ()
    recorder.load("a", 3, words(1))
    (load,) = global_accesses(recorder.trace())
    assert (load.requests, load.sectors) == (1, 1)
