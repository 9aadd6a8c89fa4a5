"""Launches of the host with those that follow from them: kernels launch kernels, which begin once the grid that launched them has ended.

A grid is complete when all that it launched is; then begin its tail launches, one after the other. So CUDA has it (dynamic parallelism of
CUDA 12 and later, where no kernel waits for another), but for the time: on a GPU a child may begin while its parent runs. That nothing
orders the two is what `child_races` looks for.
"""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np

from kernels.base.messages import message
from kernels.simt import ir
from kernels.simt.base.layout import leaves
from kernels.simt.base.rounding import bfloat16_value
from kernels.simt.host.child_races import Family, races
from kernels.simt.host.errors import TOO_DEEP, TOO_MANY_PENDING
from kernels.simt.host.launches import Asked, launch, not_run, refused_shape
from kernels.simt.host.machine import Call, Machine, named
from kernels.simt.host.recording import Performed
from kernels.simt.host.result import Launched, Wrong
from kernels.simt.host.runtime import runtime
from kernels.simt.run.child_launches import TAIL, ChildLaunch, ChildLaunches, Refused

DEEPEST = 24
"""Launches within each other, the host's not counted; a tail launch is as deep as what launched it."""
PENDING = 2048
"""Launches that may wait at once, unless the host sets cudaLimitDevRuntimePendingLaunchCount."""


class HostLaunch:
    """One launch of the host, with all that follow from it."""

    def __init__(self, machine: Machine, kernels: Mapping[str, ir.Kernel]) -> None:
        self._machine = machine
        self._kernels = kernels
        self._waiting = 0

    def perform(self, kernel: ir.Kernel, call: Call, *, cooperative: bool) -> None:
        """Execute them all."""
        number = len(self._machine.launches)
        performed = launch(self._machine, Asked(kernel, call, partial(self._refuse, 0), cooperative))
        if performed is not None and performed.children.made:
            self._follow(number, performed, 0)
        elif performed is not None:
            self._tell_refused(number, performed.children)

    def _refuse(self, depth: int, child: ChildLaunch, made: int) -> Refused | None:
        """Find what keeps a thread of a grid at some depth from a launch, after so many others of its grid."""
        if child.stream != TAIL and depth >= DEEPEST:
            return TOO_DEEP, message("{limit} launches within each other are the most that a GPU takes.", limit=DEEPEST)
        limit = self._machine.kept.get("pending launches", PENDING)
        if self._waiting + made >= limit:
            return TOO_MANY_PENDING, message(
                "{limit} launches of kernels wait already. On a GPU some may have begun by then; here each begins when its parent has"
                " ended. cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, …) allows more.",
                limit=limit,
            )
        return refused_shape(self._machine, self._kernels[child.entry], child.grid, child.block, child.shared_bytes)

    def _follow(self, number: int, performed: Performed, depth: int) -> Family:
        """Execute what a grid launched; gives all that it and they accessed."""
        families = [Family(None, performed.touched, [])]
        tails: deque[tuple[int, ChildLaunch]] = deque()
        self._launch_all(number, performed.children, depth, families[0], tails)
        while tails and not runtime(self._machine).pending:
            parent, child = tails.popleft()
            tail = self._launch_one(parent, child, depth)
            if tail is None:
                continue
            families.append(Family(child, tail[1].touched, []))
            later: deque[tuple[int, ChildLaunch]] = deque()
            self._launch_all(tail[0], tail[1].children, depth, families[-1], later)
            tails.extendleft(reversed(later))
        return Family(None, families[0].touched, [each for family in families for each in (family, *family.children)][1:])

    def _launch_all(self, number: int, made: ChildLaunches, depth: int, family: Family, tails: deque[tuple[int, ChildLaunch]]) -> None:
        """Execute the children of a grid, and put its tail launches aside."""
        self._tell_refused(number, made)
        self._waiting += len(made.made)
        for child in made.made:
            if child.stream == TAIL:
                tails.append((number, child))
                continue
            performed = self._launch_one(number, child, depth + 1)
            if performed is None:
                continue
            below = self._follow(*performed, depth + 1) if performed[1].children.made else Family(None, performed[1].touched, [])
            family.children.append(Family(child, below.touched, below.children))
        self._tell_races(number, family)

    def _launch_one(self, parent: int, child: ChildLaunch, depth: int) -> tuple[int, Performed] | None:
        """Execute a launch by a thread; None where it does not run, because an earlier one has failed."""
        machine = self._machine
        self._waiting -= 1
        if runtime(machine).pending:
            return None
        kernel, number = self._kernels[child.entry], len(machine.launches)
        given = (*child.grid, *child.block, child.shared_bytes, child.stream, *_bits(kernel, child))
        machine.log.here = child.location
        call = Call("launch", given, "", child.location)
        performed = launch(machine, Asked(kernel, call, partial(self._refuse, depth), parent=parent, by=child.by))
        if performed is not None and not performed.children.made:
            self._tell_refused(number, performed.children)
        return None if performed is None else (number, performed)

    def _tell_refused(self, number: int, made: ChildLaunches) -> None:
        """Find the launches that failed, the first of each kind noted, and those whose threads do not ask."""
        machine, told = self._machine, set()
        for child, (error, reason) in made.refused:
            if (child.location, error) not in told:
                told.add((child.location, error))
                done = Launched(
                    child.entry, child.location, child.grid, child.block, child.shared_bytes, child.stream, parent=number, by=child.by
                )
                not_run(machine, done, error, reason)
        for location in made.unasked:
            text = message("This launch failed, and its thread does not ask: call cudaGetLastError after it.")
            machine.find(Wrong.UNCHECKED, location, text)

    def _tell_races(self, number: int, family: Family) -> None:
        for race in races(family):
            found = self._machine.arena.find(race.address)
            if found is not None:
                self._machine.find(Wrong.CHILD_RACE, race.location, race.text(named(found)), race.other, number)


def _bits(kernel: ir.Kernel, child: ChildLaunch) -> Iterator[int]:
    """Give the arguments as a launch of the host has them: whole numbers, or the bits of a double."""
    kinds = (kind for parameter in kernel.parameters for _, kind, _ in leaves(parameter.type))
    for kind, value in zip(kinds, child.arguments, strict=True):
        if not isinstance(kind, ir.Scalar) or kind.kind is not ir.Kind.FLOAT:
            yield int(value)
            continue
        number = float(bfloat16_value(np.asarray(value))) if kind.brain else float(value)
        yield int(struct.unpack("<q", struct.pack("<d", number))[0])
