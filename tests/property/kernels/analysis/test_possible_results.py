"""Results of random small programs: those that a checker of all interleavings finds, schedules give, and they give no others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import pytest

from kernels.simt.base.launch import Fill, Filled, LaunchRequest
from kernels.simt.base.schedule import SINGLE_LANES, Hold, Rule, Schedule, Thread
from kernels.simt.frontend.parse import parse
from kernels.simt.ir import Kernel
from kernels.simt.lower import lower
from kernels.simt.run.scheduled import follow

PROGRAMS = int(os.environ.get("TILESCOPE_FUZZ_RESULTS", "4"))
"""How many of each seed are tried."""
THREADS = (0, 1, 32, 33)
"""Two lanes of each of two warps."""
VARIABLES, LOCK, SEEN, MOST = 2, 2, 4, 24
DRAWN = 12


@dataclass(frozen=True)
class Action:
    """One access: a store of a constant, a load, an atomic addition, an attempt to take the lock, an increment under it in two accesses,
    and its return. What is under the lock is left out where it was not taken. A fence is no access."""

    kind: str
    place: int = 0
    value: int = 0


Program = tuple[tuple[Action, ...], ...]
State = tuple[tuple[int, ...], tuple[tuple[int, ...], ...], tuple[int, ...], tuple[bool, ...]]
"""Memory; what each thread has read; its next action; whether it has the lock."""
Result = tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]


def drawn(random: Random) -> Program:
    """A few accesses for each of two to four threads, in all so few that every interleaving can be tried."""
    threads = []
    for thread in range(random.randint(2, 4)):
        actions: list[Action] = []
        for _ in range(random.randint(1, 2)):
            place, value = random.randrange(VARIABLES), 10 * (thread + 1) + len(actions)
            kind = random.choice(["store", "load", "add", "locked"])
            if kind == "locked":
                actions += [Action("take", LOCK), Action("inner load", place), Action("inner store", place), Action("free", LOCK)]
                break
            actions.append(Action(kind, place, value))
            if random.random() < 0.3:
                actions.append(Action("fence"))
        threads.append(tuple(actions))
    return tuple(threads)


TEXTS = {
    "store": "m[{place}] = {value};",
    "load": "int r{slot} = m[{place}];",
    "add": "int r{slot} = atomicAdd(&m[{place}], {value});",
    "fence": "__threadfence();",
    "take": "int r{slot} = 7; if (atomicCAS(&m[{place}], 0, 1) == 0) {{",
    "inner load": "r{slot} = m[{place}];",
    "inner store": "m[{place}] = r{slot} + 1;",
    "free": "atomicExch(&m[{place}], 0); }}",
}


def text_of(program: Program) -> str:
    """The program as a kernel."""
    parts = []
    for thread, actions in enumerate(program):
        lines, slot = [], 0
        for action in actions:
            lines.append(TEXTS[action.kind].format(place=action.place, value=action.value, slot=slot))
            slot += action.kind in ("load", "add", "free")
        stores = " ".join(f"out[{SEEN * thread + each}] = r{each};" for each in range(slot))
        parts.append(f"    if (threadIdx.x == {THREADS[thread]}) {{ {' '.join(lines)} {stores} }}")
    return "__global__ void run(int* m, int* out)\n{\n" + "\n".join(parts) + "\n}\n"


def step(program: Program, state: State, thread: int) -> State | None:
    """The state after the next access of a thread; None where it has come to its end."""
    memory, seen, at, holds = state
    place = at[thread]
    while place < len(program[thread]) and (
        program[thread][place].kind == "fence"
        or (program[thread][place].kind in ("inner load", "inner store", "free") and not holds[thread])
    ):
        place += 1
    if place >= len(program[thread]):
        return None
    action, cells, read, held = program[thread][place], list(memory), list(seen[thread]), holds[thread]
    old = cells[action.place]
    match action.kind:
        case "store":
            cells[action.place] = action.value
        case "load":
            read.append(old)
        case "add":
            read.append(old)
            cells[action.place] = old + action.value
        case "take":
            held = old == 0
            cells[action.place] = 1
            read += [] if held else [7]
        case "inner load":
            read.append(old)
        case "inner store":
            cells[action.place] = read[-1] + 1
        case "free":
            cells[action.place] = 0
            held = False
    return (
        tuple(cells), (*seen[:thread], tuple(read), *seen[thread + 1 :]), (*at[:thread], place + 1, *at[thread + 1 :]),
        (*holds[:thread], held, *holds[thread + 1 :]),
    )  # fmt: skip


def results(program: Program) -> dict[Result, tuple[int, ...]]:
    """All results, each with an order of the threads' accesses that gives it."""
    count = len(program)
    start: State = ((0,) * (LOCK + 1), ((),) * count, (0,) * count, (False,) * count)
    found: dict[Result, tuple[int, ...]] = {}
    known: dict[State, tuple[int, ...]] = {start: ()}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        after = [(thread, next_) for thread in range(count) if (next_ := step(program, state, thread)) is not None]
        if not after:
            found.setdefault((state[0], state[1]), known[state])
        for thread, next_ in after:
            if next_ not in known:
                known[next_] = (*known[state], thread)
                waiting.append(next_)
    return found


def held(order: tuple[int, ...]) -> tuple[Hold, ...]:
    """What makes the threads' accesses happen in an order."""
    made = [0] * len(THREADS)
    holds, before = [], None
    for thread in order:
        if before is not None and before != thread:
            holds.append(Hold(Thread(0, THREADS[thread]), made[thread], Thread(0, THREADS[before]), made[before]))
        made[thread] += 1
        before = thread
    return tuple(holds)


def result(kernel: Kernel, program: Program, schedule: Schedule) -> Result:
    """What a schedule of the kernel gives."""
    request = LaunchRequest((1, 1, 1), (64, 1, 1), {"m": Filled(LOCK + 1, Fill.ZEROS), "out": Filled(MOST, Fill.ZEROS)})
    done = follow(kernel, request, schedule)
    assert done.ended
    assert done.possible
    memory, out = (done.memory[name].view(np.int32).tolist() for name in ("m", "out"))
    counts = [sum(each.kind in ("load", "add", "take") for each in actions) for actions in program]
    return tuple(memory), tuple(tuple(out[SEEN * thread : SEEN * thread + count]) for thread, count in enumerate(counts))


def programs(seed: int) -> Iterator[tuple[Program, Kernel]]:
    random = Random(seed)
    for _ in range(PROGRAMS):
        program = drawn(random)
        text = text_of(program)
        yield program, lower(parse(text, Path("run.cu")), "run")


@pytest.mark.parametrize("seed", range(4))
def test_schedules_give_all_possible_results_and_no_others(seed: int) -> None:
    several = False
    for program, kernel in programs(seed):
        possible = results(program)
        several = several or len(possible) > 1
        for expected, order in possible.items():
            given = result(kernel, program, Schedule(Rule.IN_ORDER, held(order), SINGLE_LANES))
            assert given == expected, (text_of(program), order)
        for number in range(DRAWN):
            schedule = Schedule(Rule.RANDOM, (), SINGLE_LANES, number, 3, 20)
            assert result(kernel, program, schedule) in possible, (text_of(program), number)
    assert several
