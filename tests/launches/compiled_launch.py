"""A launch executed by compiled code, as a program's are, to be compared with what the interpreter leaves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kernels.base.messages import Message
from kernels.simt import ir
from kernels.simt.base.launch import Filled, LaunchRequest
from kernels.simt.base.layout import leaves, size_of
from kernels.simt.base.types import Location
from kernels.simt.host.arena import Arena, ArenaAllocation, Home
from kernels.simt.host.device_memory import DeviceMemory
from kernels.simt.host.grids import Before, Grids
from kernels.simt.run.arguments import initial_of
from kernels.simt.run.execution import number
from kernels.simt.trace.trace import Held

MOST = 1 << 30


@dataclass(frozen=True, slots=True)
class Left:
    """What a launch left: the bytes of each array, and which of them count as written; `refused` says why it was not executed, and that the
    interpreter has to, `faulted` whether that was found out on the way."""

    arrays: dict[str, npt.NDArray[np.uint8]]
    defined: dict[str, npt.NDArray[np.bool_]]
    refused: Message | None = None
    faulted: bool = False


def leave(kernel: ir.Kernel, request: LaunchRequest) -> Left:
    """Execute a launch by compiled code alone."""
    arena = Arena(MOST, 1 << 33)
    bits: list[int] = []
    places: dict[str, ArenaAllocation] = {}
    for parameter in kernel.parameters:
        for name, kind, _ in leaves(parameter.type, parameter.name):
            argument = request.arguments[name]
            if isinstance(kind, ir.Pointer):
                assert isinstance(argument, Filled | np.ndarray)
                initial = initial_of(argument, kind.target, request.seed + len(places))
                size = argument.nbytes if isinstance(argument, np.ndarray) else argument.count * size_of(kind.target)
                made = arena.allocate(Home.DEVICE, size, Location(0, 0), name)
                assert made is not None
                if initial.bytes is not None:
                    arena.view(made.address, size)[:] = initial.bytes
                if initial.held is Held.UNDEFINED:
                    made.defined = np.zeros(-(-size // 16) * 16, np.bool_)
                places[name] = made
                bits.append(made.address)
            else:
                assert not isinstance(argument, Filled | np.ndarray)
                bits.append(_bits(argument, kind))
    grid = Grids(arena).prepare(kernel, DeviceMemory(arena, {}, {}), request.block, request.shared_bytes, bits)
    if isinstance(grid, Message):
        return Left({}, {}, grid)
    before = {name: arena.view(each.address, each.bytes).copy() for name, each in places.items()}
    refused = grid.execute(request.grid, Before(grid.written), lambda _done: None)
    arrays = {name: arena.view(each.address, each.bytes).copy() for name, each in places.items()}
    if refused is not None:
        assert all(np.array_equal(arrays[name], before[name]) for name in arrays)
    defined = {name: np.ones(each.bytes, np.bool_) if each.defined is None else each.defined[: each.bytes] for name, each in places.items()}
    return Left(arrays, defined, refused, faulted=refused is not None)


def _bits(value: bool | int | float, kind: ir.Scalar) -> int:
    """Give a scalar argument as the host hands it over."""
    if kind.kind is ir.Kind.FLOAT:
        return int(np.float64(number(value, kind)).view(np.int64))
    return int(value)
