"""Runs a kernel on the oracle: the threads of a block in turn, each up to where it meets the others."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from kernels.simt import ir
from tests.oracle import arithmetic, functions
from tests.oracle.memory import Memory, Value, size_of
from tests.oracle.walker import Flow, Thread, WarpSync

WARP = 32
Index = tuple[int, int, int]


def run(
    kernel: ir.Kernel,
    grid: Index,
    block: Index,
    arguments: Mapping[str, npt.NDArray[np.generic] | int | float],
    shared_bytes: int = 0,
    blocks: Iterable[Index] | None = None,
    most_statements: float = math.inf,
) -> dict[str, npt.NDArray[np.generic]]:
    """The memory of the array arguments after the blocks (all, where None) have run one after another. Raises `TooLong`."""
    patience = [most_statements]
    memory = Memory()
    arrays: dict[str, int] = {}
    values: list[tuple[ir.Variable, Value]] = []
    for parameter, given in ((each, arguments[each.name]) for each in kernel.parameters):
        if isinstance(given, np.ndarray):
            arrays[parameter.name] = address = memory.allocate(given.nbytes)
            memory.bytes[address : address + given.nbytes] = given.tobytes()
            values.append((parameter, address))
        else:
            values.append((parameter, arithmetic.convert(given if isinstance(given, int) else np.float64(given), parameter.type)))
    fixed = {each: _initialised(memory, each) for each in kernel.globals if each.space is not ir.Space.SHARED}
    with np.errstate(all="ignore"):
        for index in blocks if blocks is not None else _indices(grid):
            shared = _shared(memory, kernel, shared_bytes)
            threads = [
                Thread(memory, fixed | shared, _specials(grid, block, index, thread), values, patience) for thread in _indices(block)
            ]
            _run_block([thread.run(kernel.body) for thread in threads])
    return {
        name: np.frombuffer(bytes(memory.bytes[arrays[name] :][: given.nbytes]), given.dtype).reshape(given.shape)
        for name, given in arguments.items()
        if isinstance(given, np.ndarray)
    }


def _shared(memory: Memory, kernel: ir.Kernel, dynamic_bytes: int) -> dict[ir.Variable, int]:
    """Fresh shared memory of a block. All dynamic arrays are one."""
    dynamic = memory.allocate(dynamic_bytes)
    names = [each for each in kernel.globals if each.space is ir.Space.SHARED]
    return {each: dynamic if each.dynamic else memory.allocate(size_of(each.type)) for each in names}


def _indices(extent: Index) -> Iterable[Index]:
    return ((x, y, z) for z, y, x in itertools.product(*(range(n) for n in reversed(extent))))


def _specials(grid: Index, block: Index, index: Index, thread: Index) -> dict[str, int]:
    linear = thread[0] + block[0] * (thread[1] + block[1] * thread[2])
    named = {"gridDim": grid, "blockDim": block, "blockIdx": index, "threadIdx": thread}
    return {f"{name}.{axis}": value[i] for name, value in named.items() for i, axis in enumerate("xyz")} | {
        "warpSize": WARP, "laneid": linear % WARP,
    }  # fmt: skip


def _initialised(memory: Memory, variable: ir.Variable) -> int:
    address = memory.allocate(size_of(variable.type))
    if variable.initial is not None:
        scalar = variable.type
        while isinstance(scalar, ir.Array):
            scalar = scalar.element
        for i, value in enumerate(variable.initial):
            assert not isinstance(value, ir.AddressIn)
            given = value if isinstance(value, int) else np.float64(value)
            memory.write(address + i * size_of(scalar), scalar, arithmetic.convert(given, scalar))
    return address


def _run_block(threads: list[Flow]) -> None:
    """Run each thread to where it waits, then let go those whose meeting is complete, until all have returned."""
    waiting: dict[int, WarpSync] = {}
    going: dict[int, functions.Peers | None] = dict.fromkeys(range(len(threads)))
    while going:
        for number, peers in going.items():
            waiting.pop(number, None)
            try:
                waiting[number] = next(threads[number]) if peers is None else threads[number].send(peers)
            except StopIteration:
                continue
        going = {}
        for number, meeting in waiting.items():
            together = _participants(number, meeting, waiting)
            if together is not None:
                going[number] = {each % WARP if meeting.scope is ir.Scope.WARP else each: waiting[each].value for each in together}
    assert not waiting, "threads wait for each other for ever"


def _participants(number: int, meeting: WarpSync, waiting: Mapping[int, WarpSync]) -> list[int] | None:
    """The threads that meet, when all of them that have not returned are there."""
    if meeting.scope is ir.Scope.BLOCK:
        together = list(waiting)
    else:
        together = [each for each in waiting if each // WARP == number // WARP and meeting.mask >> each % WARP & 1]
    return together if all(waiting[each].scope is meeting.scope and waiting[each].mask == meeting.mask for each in together) else None
