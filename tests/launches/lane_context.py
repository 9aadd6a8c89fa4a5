"""What a CUDA function sees of the machine, made by hand: lanes, a mask, a call of given types, memory that is written down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from kernels.base.messages import Message
from kernels.simt.base.layout import scalar_dtype
from kernels.simt.intrinsics.functions import FUNCTIONS
from kernels.simt.ir import Call, Const, Location, Scalar, Type

HERE = Location(1, 1)


class LaneContext:
    """Stands for the machine's context. `stores` and `named` record what was written and which masks were synchronised."""

    def __init__(self, lanes: int = 32, active: Sequence[bool] | None = None) -> None:
        self.lanes = lanes
        self.active = np.ones(lanes, np.bool_) if active is None else np.array(active, np.bool_)
        self.call: Call | None = None
        self.state: dict[str, Any] = {}
        self.stores: list[tuple[Any, Any, Scalar]] = []
        self.named: list[Any] = []
        self.memory = np.zeros(1 << 16, np.uint8)
        self.printed: list[tuple[int, str]] = []
        self.ended: list[str] = []

    @property
    def location(self) -> Location:
        assert self.call is not None
        return self.call.location

    def print(self, lane: int, text: str) -> None:
        self.printed.append((lane, text))

    def end_launch(self, reason: Message) -> None:
        self.ended.append(str(reason))

    def vector(self, value: Any, dtype: Any = None) -> Any:
        return np.broadcast_to(np.asarray(value, dtype), (self.lanes,))

    def join_warp(self, named: Any) -> None:
        self.named.append(named)

    def store(self, address: Any, value: Any, scalar: Scalar) -> None:
        self.stores.append((address, value, scalar))
        stored = np.ascontiguousarray(self.vector(value)).reshape(-1, 1).view(np.uint8)
        self.memory[self._bytes(address, scalar)[self.active]] = stored[self.active]

    def place(self, address: Any, values: Any) -> None:
        """Put an array into memory."""
        self.memory[address : address + values.nbytes] = np.frombuffer(values.tobytes(), np.uint8)

    def load(self, address: Any, scalar: Scalar) -> Any:
        return self.memory[self._bytes(address, scalar)].view(scalar_dtype(scalar))[:, 0]

    def _bytes(self, address: Any, scalar: Scalar) -> Any:
        return np.where(self.active, self.vector(address), 0)[:, None] + np.arange(scalar.size)

    def atomic(self, address: Any, scalar: Scalar, update: Callable[..., Any], *operands: Any) -> Any:
        """All lanes at one address of a memory that begins as 0, one after the other."""
        memory = np.zeros(1, operands[0].dtype)
        old = np.zeros(self.lanes, memory.dtype)
        for lane in np.flatnonzero(self.active):
            old[lane : lane + 1] = memory
            memory = np.asarray(update(memory, *(operand[lane : lane + 1] for operand in operands)))
        self.state["memory"] = memory
        return old


def invoke(name: str, result: Type | None, types: Sequence[Type], *values: Any, context: LaneContext | None = None) -> Any:
    """Call a function of the interpreter as generated code does."""
    there = context or LaneContext(np.size(values[0]) if values else 32)
    there.call = Call(name, tuple(Const(0, each) for each in types), result, HERE)
    with np.errstate(all="ignore"):
        return FUNCTIONS[name](there, *values)
