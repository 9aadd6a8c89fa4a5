"""Executes a launch: the one entry of the machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from kernels.simt import ir
from kernels.simt.generate.program import Dim3, Launch, Number, Program, generate
from kernels.simt.intrinsics.half import bfloat16_bits, bfloat16_value
from kernels.simt.intrinsics.rounding import fma
from kernels.simt.launch import Budget, Keep, Mode
from kernels.simt.machine import arithmetic
from kernels.simt.machine.budget import BudgetExceeded, Meter
from kernels.simt.machine.drivers import Drivers, Kernel
from kernels.simt.machine.faults import Faults
from kernels.simt.machine.findings import Findings
from kernels.simt.machine.history import History
from kernels.simt.machine.lanes import Lanes, Masks, Shape, shape
from kernels.simt.machine.log import AccessLog
from kernels.simt.machine.memory import Memory, Shared
from kernels.simt.machine.runtime import Printer, Runtime, merge
from kernels.simt.machine.sites import CallSites, Sites
from kernels.simt.trace import VERSION, WARP, Trace

_ARITHMETIC = (
    arithmetic.wrapped, arithmetic.i32, arithmetic.i64, arithmetic.quotient, arithmetic.remainder, arithmetic.quotients,
    arithmetic.shift_left, arithmetic.shift_right, arithmetic.int_to_float, arithmetic.float_to_int, arithmetic.fma32, arithmetic.one,
    fma, merge, bfloat16_bits, bfloat16_value,
)  # fmt: skip


def run(
    kernel: ir.Kernel,
    memory: Memory,
    arguments: Sequence[Number],
    grid: Dim3,
    block: Dim3,
    functions: Mapping[str, Callable[..., object]],
    *,
    blocks: Sequence[int] | None = None,
    shared_bytes: int = 0,
    mode: Mode = Mode.BLOCK,
    seed: int = 0,
    contract: bool = False,
    budget: Budget | None = None,
    source: str = "",
) -> Trace:
    """Execute some blocks (all: None) and return everything but `Trace.values`.

    `memory` holds what pointers point to and is changed; `arguments` are the scalars and addresses of all parameters one after another, a
    struct's members in order. Raises `Unsupported`. The launch must be one that `launch.refuse_launch` has nothing against.
    """
    launch = _Execution(kernel, memory, grid, block, shared_bytes, budget or Budget(), mode)
    with np.errstate(all="ignore"):
        program = launch.prepare(tuple(arguments), functions, contract=contract)
        indices = range(grid[0] * grid[1] * grid[2]) if blocks is None else blocks
        done = launch.execute(program, indices, seed)
    return launch.trace(source, done)


class _Execution:
    """One launch while it executes."""

    def __init__(self, kernel: ir.Kernel, memory: Memory, grid: Dim3, block: Dim3, shared_bytes: int, budget: Budget, mode: Mode) -> None:
        self._kernel = kernel
        self._memory = memory
        self._grid = grid
        self._mode = mode
        self._shape: Shape = shape(block)
        self._width = self._shape.lanes if mode is Mode.BLOCK else WARP
        self._masks = Masks(self._width)
        self._history = History() if memory.keep is Keep.HISTORY else None
        self._log = AccessLog(self._width, self._history)
        self._findings = Findings()
        self._faults = Faults(memory, self._findings)
        self._sites = Sites(memory, self._log, self._faults, self._masks)
        self._printer = Printer(memory)
        self._flops = 0
        kept = [each for each in kernel.globals if each.space is not ir.Space.SHARED]
        self._regions = {variable: memory.allocate_variable(variable) for variable in kept}
        self._shared: Shared = memory.share((each for each in kernel.globals if each.space is ir.Space.SHARED), shared_bytes)
        held = sum(region.size for region in memory.regions)
        held += sum(initial.bytes.nbytes for initial in memory.initial if initial.bytes is not None)
        self._meter = Meter(budget.seconds, budget.rows, budget.bytes, held, self._log, self._masks)

    def prepare(self, arguments: tuple[Number, ...], functions: Mapping[str, Callable[..., object]], *, contract: bool) -> Program:
        """Generate the code."""
        regions = self._regions | self._shared.by_variable
        return generate(
            self._kernel,
            Launch(self._grid, self._shape.block, arguments, self._shape.lanes, self._memory, regions, functions, contract),
        )

    def execute(self, program: Program, indices: Sequence[int], seed: int) -> tuple[Dim3, ...]:
        """Run block after block; those that were begun."""
        calls = CallSites(self._sites, program.targets)
        drivers = Drivers(self._load(program), program.locations, self._log, self._findings)
        choose = np.random.default_rng(seed)
        done: list[Dim3] = []
        for number, index in enumerate(indices):
            x, y, _ = self._grid
            done.append((index % x, index // x % y, index // (x * y)))
            self._shared.reset()
            self._sites.forget()
            try:
                self._meter.check(self._kernel.location)
                self._block(drivers, calls, program, done[-1], number, choose)
            except BudgetExceeded as stopped:
                self._findings.add_budget(stopped.location, done[-1], stopped.reason)
                break
        return tuple(done)

    def _block(self, drivers: Drivers, calls: CallSites, program: Program, block: Dim3, number: int, choose: np.random.Generator) -> None:
        state: dict[str, Any] = {}
        runtimes = []
        for start in range(0, self._shape.lanes, self._width):
            lanes = Lanes(self._shape, self._masks, block, number, start, self._width)
            runtime = Runtime(lanes, calls, self._log, self._findings, self._printer, state, self._meter, program.locations)
            runtimes.append(runtime)
        try:
            self._log.begin_block(number)
            self._turn(runtimes[0].geometry)
            if self._mode is Mode.BLOCK:
                drivers.in_lock_step(runtimes[0])
            else:
                drivers.by_turns(runtimes, choose, self._turn)
        finally:
            self._flops += sum(runtime.flops for runtime in runtimes)

    def _turn(self, lanes: Lanes) -> None:
        self._faults.lanes = lanes
        self._log.turn(lanes.start // WARP)

    def _load(self, program: Program) -> Kernel:
        """The function, with all that its text names."""
        names: dict[str, Any] = {function.__name__: function for function in _ARITHMETIC}
        names.update(np=np, BASES=self._log.bases, ZERO=self._log.bases.zero, NONE=self._masks.none)
        names.update(where=self._masks.where, minus=self._masks.minus, union=self._masks.union)
        names.update(program.objects)
        names.update({f"SITE{number}": self._sites.add(spec) for number, spec in enumerate(program.sites)})
        exec(program.code, names)
        kernel: Kernel = names["kernel"]
        return kernel

    def trace(self, source: str, blocks: tuple[Dim3, ...]) -> Trace:
        """What happened."""
        rows, masks, bases, barriers = self._log.finish(self._masks.all(), self._shape.lanes, [site.space for site in self._sites.table])
        return Trace(
            VERSION, self._kernel.name, source, self._grid, self._shape.block, self._mode.value, blocks,
            tuple(region.allocation for region in self._memory.regions), tuple(self._sites.table), rows, masks, bases, barriers,
            self._flops, self._findings.all(), tuple(self._printer.lines),
            initial=tuple(self._memory.initial), written=self._history.finish() if self._history is not None else None,
        )  # fmt: skip
