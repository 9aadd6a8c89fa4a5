"""Results of random small programs with stores that are seen late and loads of old values: what schedules give, the memory model of PTX
allows, and what it allows beyond all interleavings, schedules give.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from kernels.simt.base.launch import Budget, Fill, Filled, LaunchRequest
from kernels.simt.base.schedule import SINGLE_LANES, Hold, Late, Old, Rule, Schedule, Thread
from kernels.simt.frontend.parse import parse
from kernels.simt.ir import Kernel
from kernels.simt.lower import lower
from kernels.simt.run.scheduled import follow
from tests.oracle.ptx_model import Action, Kind, Model, Program, Result

PROGRAMS = int(os.environ.get("TILESCOPE_FUZZ_WEAK", "6"))
"""How many of each seed are tried. A campaign: `TILESCOPE_FUZZ_WEAK=400 python packaging/dev.py test` with this file."""
PLACES, SEEN = 2, 4
THREADS = (((0, 0), (1, 0)), ((0, 0), (0, 32)), ((0, 0), (0, 1)), ((0, 0), (0, 32), (1, 0)))
"""Two blocks, two warps, two lanes of a warp; two warps and another block."""
FILE = Path("run.cu")
KINDS: tuple[Kind, ...] = ("store", "store", "load", "load", "add", "fence")
PATIENT = Budget(seconds=600.0)
"""On a machine with much to do a launch of a few accesses may wait for seconds."""
DRAWN, MOST = 24, 80
"""Schedules that are drawn for a program; programs with more to try are left out of what tries all."""


def drawn(random: Random) -> Program:
    """A few accesses of two places for each thread: so few that all executions can be tried."""
    if random.random() < 0.4:
        return message(random)
    threads = random.choice(THREADS)
    program, value = [], 0
    for thread in threads:
        actions = []
        for _ in range(random.randint(1, 3) if len(threads) == 2 else random.randint(1, 2)):
            value += 1
            kind = random.choice(KINDS)
            place, wide = random.randrange(PLACES), random.random() < 0.7
            actions.append(Action(kind, place, 10**value if kind == "add" else value, wide, random.random() < 0.3))
        program.append((thread, tuple(actions)))
    return tuple(program)


def message(random: Random) -> Program:
    """A message from one thread to another: data, fence, flag; flag, fence, data. Fences may be narrow, or missing."""

    def fence() -> tuple[Action, ...]:
        return (Action("fence", wide=random.random() < 0.8),) * (random.random() < 0.8)

    writer, reader = random.choice(THREADS[:3])
    passed = (Action("store", 0, 1), *fence(), Action("store", 1, 2, strong=True))
    return (writer, passed), (reader, (Action("load", 1, strong=True), *fence(), Action("load", 0)))


def written(action: Action, slot: int) -> str:
    """An action as a line of a kernel."""
    m = f"(({'volatile ' if action.strong else ''}int*)m)[{action.place}]"
    match action.kind:
        case "store":
            return f"{m} = {action.value};"
        case "load":
            return f"r{slot} = {m};"
        case "add":
            return f"r{slot} = atomicAdd{'' if action.wide else '_block'}(&m[{action.place}], {action.value});"
        case "fence":
            return "__threadfence();" if action.wide else "__threadfence_block();"


def text_of(program: Program) -> tuple[str, list[list[int]]]:
    """The program as a kernel, and the lines of each thread's actions."""
    lines, at = ["__global__ void run(int* m, int* out)", "{", f"int {', '.join(f'r{each} = 0' for each in range(SEEN))};"], []
    for number, ((block, lane), actions) in enumerate(program):
        lines.append(f"if (blockIdx.x == {block} && threadIdx.x == {lane}) {{")
        slot, mine = 0, []
        for action in actions:
            lines.append(written(action, slot))
            mine.append(len(lines))
            slot += action.kind in ("load", "add")
        lines.append(" ".join(f"out[{SEEN * number + each}] = r{each};" for each in range(slot)) + "}")
        at.append(mine)
    return "\n".join([*lines, "}\n"]), at


def given(kernel: Kernel, program: Program, schedule: Schedule) -> Result:
    """What a schedule gives."""
    blocks = 1 + max(block for (block, _), _ in program)
    arguments = {"m": Filled(PLACES, Fill.ZEROS), "out": Filled(16, Fill.ZEROS)}
    request = LaunchRequest((blocks, 1, 1), (64, 1, 1), arguments, budget=PATIENT)
    done = follow(kernel, request, schedule)
    assert done.ended
    memory, out = (done.memory[name].view(np.int32).tolist() for name in ("m", "out"))
    counts = [sum(each.kind in ("load", "add") for each in actions) for _, actions in program]
    return tuple(memory), tuple(tuple(out[SEEN * thread : SEEN * thread + count]) for thread, count in enumerate(counts))


def orders(program: Program) -> Iterator[tuple[Hold, ...]]:
    """Holds that make the actions happen in each order."""

    def of(left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not any(left):
            yield ()
        for thread, count in enumerate(left):
            if count:
                for rest in of((*left[:thread], count - 1, *left[thread + 1 :])):
                    yield (thread, *rest)

    for order in of(tuple(len(actions) for _, actions in program)):
        made, holds = [0] * len(program), []
        for before, thread in zip((None, *order), order, strict=False):
            if before is not None and before != thread:
                one, other = (Thread(*program[each][0]) for each in (thread, before))
                holds.append(Hold(one, made[thread], other, made[before]))
            made[thread] += 1
        yield tuple(holds)


def weak(program: Program, at: list[list[int]]) -> Iterator[tuple[tuple[Late, ...], tuple[Old, ...]]]:
    """All choices of plain stores that are seen late and of loads that may be of old values."""
    stores, loads = [], []
    for (thread, actions), lines in zip(program, at, strict=True):
        for action, line in zip(actions, lines, strict=True):
            if action.kind == "store" and not action.strong:
                stores.append((None, Late(Thread(*thread), "", line)))
            if (action.kind == "load" and not action.strong) or (action.kind == "add" and not action.wide):
                loads.append((None, Old(Thread(*thread), "", line), Old(Thread(*thread), "", line, 1)))
    for late, old in product(product(*stores), product(*loads)):
        yield tuple(each for each in late if each is not None), tuple(each for each in old if each is not None)


def programs(seed: int) -> Iterator[tuple[Program, Kernel, list[list[int]], str]]:
    random = Random(seed)
    for _ in range(PROGRAMS):
        program = drawn(random)
        text, at = text_of(program)
        yield program, lower(parse(text, FILE), "run"), at, text


@pytest.mark.parametrize("seed", range(4))
def test_schedules_give_nothing_that_the_memory_model_forbids(seed: int) -> None:
    random = Random(seed)
    for program, kernel, at, text in programs(seed):
        allowed = Model(program, PLACES).results()
        choices, holds = list(weak(program, at)), list(orders(program))
        for number in range(DRAWN):
            late, old = random.choice(choices)
            schedule = Schedule(Rule.IN_ORDER, random.choice(holds), SINGLE_LANES, number, late=late, old=old)
            result = given(kernel, program, schedule)
            assert result in allowed, (text, schedule, result)


@pytest.mark.parametrize("seed", range(4))
def test_schedules_give_what_the_memory_model_allows_beyond_all_interleavings(seed: int) -> None:
    several = 0
    for program, kernel, at, text in programs(seed):
        choices, holds = list(weak(program, at)), list(orders(program))
        if len(choices) * len(holds) > MOST:
            continue
        wanted = {result for result, plain in Model(program, PLACES).results().items() if plain}
        found = {
            given(kernel, program, Schedule(Rule.IN_ORDER, order, SINGLE_LANES, late=late, old=old))
            for (late, old), order in product(choices, holds)
        }
        assert wanted <= found, (text, wanted - found)
        several += len(wanted) > 1
    assert several
