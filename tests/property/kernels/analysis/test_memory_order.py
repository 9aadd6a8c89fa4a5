"""Races of random small programs with fences, atomics and locks are those that some interleaving shows, whichever one was executed."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from itertools import islice
from random import Random

import pytest

from kernels.analysis.races import races
from kernels.simt.base.types import ThreadScope
from kernels.simt.trace.trace import Trace
from tests.launches.analysis_traces import Recorder, words
from tests.oracle.memory_model import Action, Pair, Program, Step, Thread, executions

PROGRAMS = int(os.environ.get("TILESCOPE_FUZZ_ORDER", "45"))
"""How many of each kind are tried. A campaign: `TILESCOPE_FUZZ_ORDER=20000 python packaging/dev.py test` with this file."""
PLACES: tuple[tuple[Thread, ...], ...] = (((0, 0), (1, 0)), ((0, 0), (0, 32)), ((0, 0), (0, 1)), ((0, 0), (0, 32), (1, 0)))
"""Two blocks, two warps, two lanes of a warp, two warps of a block and another block."""
INTERLEAVINGS = 300
"""Programs with more are left out."""
VARIABLE, FLAG, LOCK = 0, 1000, 2000
"""Words at which the places of each kind begin."""


def with_flags(random: Random) -> Program:
    """Threads that hand over to each other: behind a flag that another sets they access, fence or not, and set one of their own."""
    threads = random.choice(PLACES)
    line, program, flags = 0, dict[Thread, tuple[Action, ...]](), list[int]()
    for thread in random.sample(threads, len(threads)):
        actions: list[Action] = []
        known = list(flags)
        for _ in range(random.randint(1, 2) if len(threads) == 2 else 1):
            parts = ["access", "fence", "set"]
            if known and random.random() < 0.85:
                parts.insert(0, "wait")
            if random.random() < 0.2:
                random.shuffle(parts)
            for part in parts:
                line += 1
                wide = random.random() < 0.75
                if part == "access":
                    actions.append(Action(random.choice(["store", "load"]), line, int(random.random() < 0.3)))
                elif part == "fence" and random.random() < 0.8:
                    actions.append(Action("fence", line, wide=wide))
                elif part == "set":
                    actions.append(Action("set", line, len(flags), wide))
                    flags.append(len(flags))
                elif part == "wait":
                    actions.append(Action("wait", line, random.choice(known), wide))
        program[thread] = tuple(actions)
    return tuple(sorted(program.items()))


def with_locks(random: Random, *, outside: bool) -> Program:
    """Threads that work under locks, with fences or without; `outside`: not only there."""
    threads = random.choices(PLACES, (4, 4, 4, 1))[0]
    line, program = 0, []
    for thread in threads:
        actions: list[Action] = []
        for _ in range(random.randint(1, 2) if len(threads) == 2 else 1):
            if outside and random.random() < 0.5:
                line += 1
                actions.append(Action(random.choice(["store", "load"]), line, random.randrange(2)))
            lock = int(outside and random.random() < 0.2)
            wide = random.random() < 0.8
            line += 1
            actions.append(Action("take", line, lock, wide))
            if random.random() < 0.85:
                actions.append(Action("fence", line, wide=random.random() < 0.7))
            line += 1
            actions.append(Action(random.choice(["store", "load"]), line, random.randrange(2)))
            if random.random() < 0.85:
                actions.append(Action("fence", line, wide=random.random() < 0.7))
            actions.append(Action("free", line, lock, wide))
        program.append((thread, tuple(actions)))
    return tuple(program)


def recorded(program: Program, steps: list[Step]) -> Trace:
    """The trace of an interleaving."""
    recorder = Recorder(threads=64, blocks=2, recorded_values=False)
    for number, action in steps:
        recorder.block, lane = program[number][0]
        scope = ThreadScope.DEVICE if action.wide else ThreadScope.BLOCK
        start = {"set": FLAG, "wait": FLAG, "take": LOCK, "free": LOCK}.get(action.kind, VARIABLE)
        place = words(*[None] * lane, start + 64 * action.place)
        match action.kind:
            case "store" | "load":
                getattr(recorder, action.kind)("a", action.line, place)
            case "fence":
                recorder.fence(lane, scope)
            case "set" | "wait":
                recorder.atomic("a", 100 + action.line, place, function="atomicOr", scope=scope, update=(action.kind == "wait", 1))
            case "take":
                recorder.atomic("a", 100 + action.line, place, function="atomicCAS", scope=scope, update=(0, 1))
            case "free":
                recorder.atomic("a", 100 + action.line, place, function="atomicExch", scope=scope, update=(1, 0))
    return recorder.trace()


def found_in(program: Program, steps: list[Step]) -> set[Pair]:
    """The lines of the races that are found in the trace of an interleaving, those of atomics whose scopes part them left out."""
    lines = {frozenset((each.location.line, each.other.line if each.other else 0)) for each in races(recorded(program, steps))}
    return {pair for pair in lines if max(pair) < 100}


def shown(draw: Callable[[], Program]) -> tuple[Program, list[list[Step]], set[Pair]]:
    """A program of which all interleavings can be tried, with these, and the races that any of them shows."""
    while True:
        program = draw()
        found = list(islice(executions(program), INTERLEAVINGS + 1))
        if 0 < len(found) <= INTERLEAVINGS:
            return program, [steps for steps, _ in found], set().union(*(races for _, races in found))


@pytest.mark.parametrize("seed", range(3))
def test_with_flags_every_execution_gives_all_races(seed: int) -> None:
    random, racing = Random(seed), []
    for _ in range(PROGRAMS // 3):
        program, orders, possible = shown(partial(with_flags, random))
        racing.append(bool(possible))
        steps = random.choice(orders)
        assert found_in(program, steps) == possible, (program, steps)
    assert any(racing)
    assert not all(racing)


@pytest.mark.parametrize("seed", range(3))
def test_under_locks_every_execution_gives_all_races(seed: int) -> None:
    random = Random(seed)
    for _ in range(PROGRAMS // 3):
        program, orders, possible = shown(partial(with_locks, random, outside=False))
        steps = random.choice(orders)
        assert found_in(program, steps) == possible, (program, steps)


@pytest.mark.parametrize("seed", range(3))
def test_beside_locks_nothing_is_found_that_cannot_be(seed: int) -> None:
    random = Random(seed)
    for _ in range(PROGRAMS // 3):
        program, orders, possible = shown(partial(with_locks, random, outside=True))
        steps = random.choice(orders)
        assert found_in(program, steps) <= possible, (program, steps)
