"""Executes a launch: the one entry of the machine. Blocks run one after the other, or together where they wait for each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from kernels.base.architectures import H100, Gpu
from kernels.base.values import dataclass
from kernels.simt import ir
from kernels.simt.base.launch import Budget, Dim3, Keep, Mode, index_in
from kernels.simt.base.rounding import bfloat16_bits, bfloat16_value, fma
from kernels.simt.generate.generated_kernel import GeneratedKernel, Number, PlacedLaunch
from kernels.simt.generate.kernel_cache import KernelCache
from kernels.simt.generate.uniformity import Uniformity
from kernels.simt.generate.waiting_loops import Preempt
from kernels.simt.generate.walk import parted_barriers, waits_for_grid
from kernels.simt.intrinsics.functions import FUNCTIONS
from kernels.simt.intrinsics.launches import CHILDREN
from kernels.simt.machine import arithmetic
from kernels.simt.machine.budget import BudgetExceeded, Meter
from kernels.simt.machine.clusters import Clusters, Member
from kernels.simt.machine.faults import Faults
from kernels.simt.machine.findings import Findings
from kernels.simt.machine.lanes import Lanes, Masks, Shape, shape
from kernels.simt.machine.log import AccessLog, History, Left
from kernels.simt.machine.memory import Bits, Bytes, Memory, Shared
from kernels.simt.machine.sites import CallSites, Sites
from kernels.simt.run.child_launches import ChildLaunches
from kernels.simt.run.deadlocks import Wait, deadlocks
from kernels.simt.run.drivers import Drivers, Halt, Kernel, Stalled, Strand, Version
from kernels.simt.run.runtime import Printer, Runtime, merge
from kernels.simt.trace.trace import WARP, Trace

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
    *,
    blocks: Sequence[int] | None = None,
    shared_bytes: int = 0,
    mode: Mode = Mode.BLOCK,
    seed: int = 0,
    contract: bool = False,
    budget: Budget | None = None,
    source: str = "",
    recorded_rows: int | None = None,
    children: ChildLaunches | None = None,
    kernel_cache: KernelCache | None = None,
    gpu: Gpu = H100,
) -> Trace:
    """Execute some blocks (all: None) and return everything but `Trace.values`.

    `memory` holds what pointers point to and is changed; `arguments` are the scalars and addresses of all parameters one after another, a
    struct's members in order. Of blocks that begin after `recorded_rows` rows no access is recorded. `children` takes the launches that
    threads make: they are not executed here. `kernel_cache` is of the launches before of the same text. Of blocks that wait for each other
    as many are under way as `gpu` has room for. The launch must be one that `launch.refuse_launch` has nothing against. Raises
    `Unsupported`, and `Stalled` where in lock step, or without the other blocks, threads wait for ever.
    """
    if mode is Mode.BLOCK and _warps_part(kernel, block):
        mode = Mode.WARP
    launch = Execution(kernel, memory, grid, block, shared_bytes, budget or Budget(), mode, recorded_rows, children, kernel_cache, gpu)
    with np.errstate(all="ignore"):
        generated = launch.prepare(tuple(arguments), contract=contract)
        whole = blocks is None or waits_for_grid(kernel.body)
        indices = launch.clusters.whole(range(prod(grid)) if whole or blocks is None else blocks)
        done = launch.execute(generated, indices, seed)
    return launch.trace(source, done)


def _warps_part(kernel: ir.Kernel, block: Dim3) -> bool:
    """Whether warps of a block may wait at different barriers for each other: in lock step they would not meet."""
    choices = parted_barriers(kernel.body)
    return bool(choices) and any(map(Uniformity(kernel, block).divergent, choices))


@dataclass(frozen=True, slots=True)
class _Block:
    """Block under way."""

    number: int
    runtimes: list[Runtime]
    strands: list[Strand]
    running: Iterator[Halt]


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Block that lets others go on, with what its memory held."""

    block: _Block
    halt: Halt
    shared: tuple[Bytes, Bits]
    local: list[Bytes]
    left: Left


class Execution:
    """One launch while it executes."""

    def __init__(
        self, kernel: ir.Kernel, memory: Memory, grid: Dim3, block: Dim3, shared_bytes: int, budget: Budget, mode: Mode, most: int | None,
        children: ChildLaunches | None = None, kernel_cache: KernelCache | None = None, gpu: Gpu = H100,
    ) -> None:  # fmt: skip
        self._kernel = kernel
        self._memory = memory
        self._grid = grid
        self._mode = mode
        self._shape: Shape = shape(block)
        self._width = self._shape.lanes if mode is Mode.BLOCK else WARP
        self._masks = Masks(self._width)
        self._history = History() if memory.keep is Keep.HISTORY else None
        self._log = AccessLog(self._width, self._history, most)
        self._findings = Findings()
        self._faults = Faults(memory, self._findings)
        self._sites = Sites(memory, self._log, self._faults, self._masks)
        self._printer = Printer(memory)
        self._flops = 0
        self._children = ChildLaunches() if children is None else children
        self._kernel_cache = KernelCache() if kernel_cache is None else kernel_cache
        self._waits: list[Wait] = []
        """Who waits for ever."""
        kept = [each for each in kernel.globals if each.space is not ir.Space.SHARED]
        self._regions = {variable: memory.allocate_variable(variable) for variable in kept}
        self._shared: Shared = memory.share((each for each in kernel.globals if each.space is ir.Space.SHARED), shared_bytes)
        held = sum(region.size for region in memory.regions)
        held += sum(initial.bytes.nbytes for initial in memory.initial if initial.bytes is not None)
        self._room = max(gpu.blocks_at_once(prod(block), self._shared.size), 1)
        """How many blocks can be on the GPU at once."""
        self.clusters = Clusters(memory, self._shared, kernel.cluster, grid, prod(block))
        self._meter = Meter(budget.seconds, budget.rows, budget.bytes, held, self._log, self._masks)

    def prepare(
        self,
        arguments: tuple[Number, ...],
        *,
        contract: bool,
        preempt: Preempt = Preempt.SPINS,
    ) -> GeneratedKernel:
        """Generate the code."""
        regions = self._regions | self._shared.by_variable
        return self._kernel_cache.generated(
            self._kernel,
            PlacedLaunch(self._grid, self._shape.block, arguments, self._shape.lanes, self._memory, regions, FUNCTIONS, contract, preempt),
        )

    def execute(self, generated: GeneratedKernel, indices: Sequence[int], seed: int) -> tuple[Dim3, ...]:
        """Run block after block, or all together where they wait for each other; those that were begun."""
        calls = CallSites(self._sites, generated.targets)
        drivers = Drivers(self._load(generated), generated.locations, self._log, self._findings, self._version)
        choose = np.random.default_rng(seed)
        done: list[Dim3] = []
        waiting: list[_Waiting] = []
        try:
            for number, index in enumerate(indices):
                while len(waiting) >= self._room:
                    self._let_spin(waiting)
                done.append(index_in(self._grid, index))
                self._shared.reset()
                self._sites.forget()
                self._meter.check(self._kernel.location)
                self._log.begin_block(number)
                block = self._block(drivers, calls, generated, done[-1], number, choose)
                self._go_on(block, waiting)
            while waiting:
                if any(each.halt.spins for each in waiting):
                    self._let_spin(waiting)
                else:
                    self._next_interval(waiting)
        except BudgetExceeded as stopped:
            self._findings.add_budget(stopped.location, done[-1], stopped.reason)
        except Stalled:
            if self._mode is Mode.BLOCK or len(indices) < prod(self._grid):
                raise
            self._waits = [wait for each in waiting for wait in _waits(each.block, generated)]
        return tuple(done)

    def _block(
        self, drivers: Drivers, calls: CallSites, generated: GeneratedKernel, block: Dim3, number: int, choose: np.random.Generator
    ) -> _Block:
        state = self.clusters.begin(block, self._shape.lanes).state
        state[CHILDREN] = self._children
        starts = range(0, self._shape.lanes, self._width)
        runtimes = [self.runtime(self.lanes(block, number, start), calls, generated, state) for start in starts]
        if self._mode is Mode.BLOCK:
            return _Block(number, runtimes, [], drivers.in_lock_step(runtimes[0]))
        strands = [drivers.start(runtime) for runtime in runtimes]
        return _Block(number, runtimes, strands, drivers.by_turns(runtimes, strands, choose, self._turn))

    def lanes(self, block: Dim3, number: int, start: int) -> Lanes:
        """Lanes that execute together: of a block, from one on."""
        return Lanes(self._shape, self._masks, block, number, start, self._width)

    def runtime(self, lanes: Lanes, calls: CallSites, generated: GeneratedKernel, state: dict[str, Any]) -> Runtime:
        """What some lanes of a block call; `state` is the block's."""
        return Runtime(lanes, calls, self._log, self._findings, self._printer, state, self._meter, generated.locations)

    def _go_on(self, block: _Block, waiting: list[_Waiting]) -> None:
        """Run a block to its end, or until it waits for others."""
        self._turn(block.runtimes[0].geometry)
        member: Member = block.runtimes[0].state["cluster member"]
        self.clusters.enter(member)
        before = sum(runtime.flops for runtime in block.runtimes)
        try:
            halt = next(block.running, None)
        finally:
            self._flops += sum(runtime.flops for runtime in block.runtimes) - before
        if halt is None:
            self.clusters.leave(member, None)
            return
        self._meter.check(halt.location)
        held = self._shared.held(), self._memory.held_locally(), self._log.leave_block()
        self.clusters.leave(member, held[0])
        waiting.append(_Waiting(block, halt, *held))

    def _let_spin(self, waiting: list[_Waiting]) -> None:
        """Let the blocks that spin go on, one after the other. Raises Stalled where nothing that any of them does changes anything."""
        before = self._changes()
        spinning = [each for each in waiting if each.halt.spins]
        waiting[:] = [each for each in waiting if not each.halt.spins]
        for number, each in enumerate(spinning):
            try:
                self._return(each, waiting)
            except BudgetExceeded:
                waiting += spinning[number + 1 :]
                raise
        if sum(each.halt.stuck for each in waiting) == len(spinning) and self._changes() == before:
            raise Stalled

    def _changes(self) -> tuple[int, int]:
        """Equal numbers while global and shared memory hold the same."""
        return self._log.changes, self._faults.changes

    def _version(self) -> Version:
        return *self._changes(), *(region.tobytes() for region in self._memory.held_locally())

    def _next_interval(self, waiting: list[_Waiting]) -> None:
        """All blocks are at the grid's barrier, or have ended: those that wait go on."""
        if len(waiting) < self._grid[0] * self._grid[1] * self._grid[2]:
            each = waiting[0]
            lanes = each.block.runtimes[0].geometry
            self._findings.add_missing(lanes, lanes.live.indices, each.halt.location, grid=True)
        now, waiting[:] = list(waiting), []
        for each in now:
            self._return(each, waiting)

    def _return(self, each: _Waiting, waiting: list[_Waiting]) -> None:
        """Go on with a block."""
        self._shared.put(each.shared)
        self._memory.put_locally(each.local)
        self._sites.forget()
        self._log.return_to(each.left)
        self._go_on(each.block, waiting)

    def _turn(self, lanes: Lanes) -> None:
        self._sites.turn(lanes)

    def _load(self, generated: GeneratedKernel) -> Kernel:
        """The function, with all that its text names."""
        names: dict[str, Any] = {function.__name__: function for function in _ARITHMETIC}
        names.update(np=np, BASES=self._log.bases, ZERO=self._log.bases.zero, NONE=self._masks.none)
        names.update(where=self._masks.where, minus=self._masks.minus, union=self._masks.union)
        names.update(generated.objects)
        names.update({f"SITE{number}": self._sites.add(spec) for number, spec in enumerate(generated.sites)})
        exec(generated.code, names)
        kernel: Kernel = names["kernel"]
        return kernel

    def trace(self, source: str, blocks: tuple[Dim3, ...]) -> Trace:
        """Return the trace of what happened."""
        rows, masks, bases, barriers, events = self._log.finish(
            self._masks.all(), self._shape.lanes, [site.space for site in self._sites.table]
        )
        trace = Trace(
            self._kernel.name, source, self._grid, self._shape.block, self._mode.value, blocks,
            tuple(region.allocation for region in self._memory.regions), tuple(self._sites.table), rows, masks, bases, barriers,
            self._flops, self._findings.all(), tuple(self._printer.lines),
            initial=tuple(self._memory.initial), written=self._history.finish() if self._history is not None else None,
            events=events, cluster=self._kernel.cluster,
        )  # fmt: skip
        if not self._waits:
            return trace
        room = self._room if len(blocks) < prod(self._grid) else None
        return replace(trace, findings=(*trace.findings, *deadlocks(trace, self._waits, room)))


def _waits(block: _Block, generated: GeneratedKernel) -> Iterator[Wait]:
    """Where the threads of a block wait."""
    for strand in block.strands:
        if strand.arrival is None:
            continue
        number, mask, _, behind = strand.arrival
        start, live = strand.lanes.start, strand.lanes.live
        threads, others = (tuple((lanes + start).tolist()) for lanes in (mask.indices, np.setdiff1d(live.indices, mask.indices)))
        yield Wait(block.number, threads, others, generated.locations[number], generated.locations[behind] if strand.spins else None)
