"""Threads of a team: how they share out the iterations of a loop (static, dynamic, guided, as OpenMP names it), and how they wait.

A team is one array of words that all threads share: the schedule, a counter for each loop, a place for each thread, and the log of
which thread worked on which iterations from when to when. numba compiles these very functions.
"""

from __future__ import annotations

import numpy as np

from kernels.cpu.atomics import Words, compare_and_swap, fetch, fetch_add, meet, now, pause, sleep_while, wake

STATIC, DYNAMIC, GUIDED = 0, 1, 2
NAMES = ("static", "dynamic", "guided")

LINE = 8
"""Words of a cache line. What one thread writes while others read or write something else lies on a line of its own, or all of them
would wait for that line, and the longer the farther from their cores the system happened to put it."""
SCHEDULE, CHUNK, THREADS, CAPACITY, ABANDONED, ENDED = range(6)
"""Words of a team that are read again and again and hardly ever written: what was chosen, and whether it is over."""
ARRIVED, PASSED, LOGGED, STARTED, FINISHED, ASLEEP, COUNTERS = range(LINE, 8 * LINE, LINE)
"""Words that threads wait for and count up: the barrier's state, how much is logged, runs, how many threads sleep; from COUNTERS on the
next iteration of each loop."""
MOST_LOOPS = 8
PLACES = COUNTERS + MOST_LOOPS
LOOP, TAKEN, OPEN = 0, 1, 2
"""Words of a thread's place: the loop it is in, chunks taken in it, and the row of the log that is open, or -1."""
PLACE_WORDS = LINE
SPIN_NS = 50_000
"""How long a thread waits awake before it sleeps: longer than threads that all have a core wait for each other, and much shorter than
the system takes to give a core to one that has none, which a waiting thread would only keep from it."""
LOG_WORDS, LOGGED_WORDS = LINE, 6
"""Words of a row of the log, and how many of them are used: thread, loop, first, last (exclusive), start and end in nanoseconds."""


def new_team(schedule: int, chunk: int, threads: int, capacity: int) -> Words:
    """A team with an empty log of at most `capacity` chunks. `chunk` 0 leaves the size to the schedule."""
    size = PLACES + threads * PLACE_WORDS + capacity * LOG_WORDS
    memory = np.zeros(size + LINE, np.int64)
    first = -memory.ctypes.data // memory.itemsize % LINE  # the start of a line
    team = memory[first : first + size]
    team[[SCHEDULE, CHUNK, THREADS, CAPACITY]] = schedule, chunk, threads, capacity
    for thread in range(threads):
        take_place(team, thread)
    return team


def reset(team: Words) -> None:
    """Make a team ready for another run: no iteration handed out, nothing logged. A thread that is lost stays lost."""
    team[ARRIVED] = team[PASSED] = team[LOGGED] = 0
    for word in range(COUNTERS, COUNTERS + MOST_LOOPS):
        team[word] = 0


def take_place(team: Words, thread: int) -> None:
    """Have a thread stand before the first loop. Each does that for itself: its place is in the cache of its core."""
    place = PLACES + thread * PLACE_WORDS
    team[place + LOOP] = team[place + TAKEN] = 0
    team[place + OPEN] = -1


def next_chunk(team: Words, thread: int, total: int) -> tuple[int, int]:
    """The iterations that `thread` works on next, as first and last (exclusive), of a loop of `total`; first = last: there are no more.

    The call that finds none left ends the thread's part in this loop: the next call is for the next loop.
    """
    place = PLACES + thread * PLACE_WORDS
    if team[place + OPEN] >= 0:
        team[team[place + OPEN] + 5] = now()
    meet(team)
    first, last = claim(team, thread, total)
    team[place + OPEN] = -1
    if first == last:
        team[place + LOOP] += 1
        team[place + TAKEN] = 0
        return 0, 0
    team[place + TAKEN] += 1
    row = fetch_add(team, LOGGED, 1)
    if row < team[CAPACITY]:
        entry = PLACES + team[THREADS] * PLACE_WORDS + row * LOG_WORDS
        team[entry], team[entry + 1], team[entry + 2], team[entry + 3] = thread, team[place + LOOP], first, last
        team[place + OPEN] = entry
        team[entry + 4] = now()
    return first, last


def claim(team: Words, thread: int, total: int) -> tuple[int, int]:
    """The next iterations by the team's schedule, which are then the thread's own."""
    place = PLACES + thread * PLACE_WORDS
    threads, chunk = team[THREADS], team[CHUNK]
    if team[SCHEDULE] == STATIC:
        if chunk == 0:
            first = thread * total // threads if team[place + TAKEN] == 0 else total
            return min(first, total), (thread + 1) * total // threads if first < total else total
        first = min((team[place + TAKEN] * threads + thread) * chunk, total)
        return first, min(first + chunk, total)
    counter = COUNTERS + team[place + LOOP]
    first = fetch(team, counter)
    while first < total:
        size = max(chunk, 1)
        if team[SCHEDULE] == GUIDED:
            size = max(size, (total - first) // threads)
        last = min(first + size, total)
        before = compare_and_swap(team, counter, first, last)
        if before == first:
            return first, last
        first = before
    return total, total


def wait_for_all(team: Words) -> None:
    """A barrier: return when every thread of the team has arrived here."""
    passed = fetch(team, PASSED)
    if fetch_add(team, ARRIVED, 1) == team[THREADS] - 1:
        fetch_add(team, ARRIVED, -team[THREADS])
        advance(team, PASSED)
    else:
        wait_while(team, PASSED, passed)


def wait_while(team: Words, index: int, value: int) -> None:
    """Return when a word is no longer `value`, or nobody will change it any more: awake for a moment, then asleep."""
    begin = now()
    while fetch(team, index) == value and fetch(team, ABANDONED) == 0 and fetch(team, ENDED) == 0:
        if now() - begin < SPIN_NS:
            pause(team)
        else:
            fetch_add(team, ASLEEP, 1)
            sleep_while(team, index, value)
            fetch_add(team, ASLEEP, -1)


def advance(team: Words, index: int) -> None:
    """Count a word up, and wake those that sleep while it is what it was."""
    fetch_add(team, index, 1)
    if fetch(team, ASLEEP) != 0:
        wake(team, index)


def begin_run(team: Words) -> None:
    """Make the team ready, and let the threads that wait in `await_run` begin. For thread 0."""
    reset(team)
    take_place(team, 0)
    fetch_add(team, FINISHED, -fetch(team, FINISHED))
    advance(team, STARTED)


def await_run(team: Words, thread: int, runs: int) -> bool:
    """Wait for the run after so many; False: there will be none. For the other threads, each of which calls `finish_run` afterwards."""
    wait_while(team, STARTED, runs)
    take_place(team, thread)
    return fetch(team, STARTED) != runs


def finish_run(team: Words) -> None:
    """Tell thread 0 that the calling thread has done its part."""
    advance(team, FINISHED)


def end_run(team: Words) -> None:
    """Wait until the other threads have done their parts. For thread 0."""
    finished = fetch(team, FINISHED)
    while finished < team[THREADS] - 1 and fetch(team, ABANDONED) == 0:
        wait_while(team, FINISHED, finished)
        finished = fetch(team, FINISHED)
