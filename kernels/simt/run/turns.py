"""Executes a launch: the one entry of the machine, with two ways to let a block's warps take turns through the same generated code."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernels.simt import ir
from kernels.simt.base.launch import Budget, Keep, Mode
from kernels.simt.base.rounding import bfloat16_bits, bfloat16_value, fma
from kernels.simt.base.types import Location, Scope
from kernels.simt.generate.program import Dim3, Launch, Number, Program, generate
from kernels.simt.generate.statements import GRID
from kernels.simt.generate.walk import waits_for_grid
from kernels.simt.machine import arithmetic
from kernels.simt.machine.budget import BudgetExceeded, Meter
from kernels.simt.machine.faults import Faults
from kernels.simt.machine.findings import Findings
from kernels.simt.machine.lanes import Lanes, Mask, Masks, Shape, shape
from kernels.simt.machine.log import AccessLog, History, Left
from kernels.simt.machine.memory import Bits, Bytes, Memory, Shared
from kernels.simt.machine.sites import CallSites, Sites
from kernels.simt.run.runtime import Printer, Runtime, merge
from kernels.simt.trace.trace import VERSION, WARP, Trace

Arrival = tuple[int, Mask, str | None, Any]
"""At a block barrier: the number of its location, the active lanes, what to reduce, and each lane's predicate."""
Running = Generator[Arrival | None, int | None, None]
Kernel = Callable[[Runtime, Lanes], Running]


@dataclass(slots=True)
class Strand:
    """Code under way for some lanes."""

    lanes: Lanes
    running: Running
    arrival: Arrival | None = None
    ended: bool = False

    def resume(self, result: int | None) -> None:
        """Go on to the next barrier or to the end."""
        try:
            self.arrival = self.running.send(result)
        except StopIteration:
            self.arrival, self.ended = None, True


class Drivers:
    """Runs the blocks of one program. Each way yields where the block waits for all others: the location of the grid's barrier."""

    def __init__(self, kernel: Kernel, locations: Sequence[Location], log: AccessLog, findings: Findings) -> None:
        self._kernel = kernel
        self._locations = locations
        self._log = log
        self._findings = findings

    def in_lock_step(self, runtime: Runtime) -> Iterator[Location]:
        """All warps of a block together."""
        strand = self._start(runtime)
        result: int | None = None
        while True:
            strand.resume(result)
            if strand.arrival is None:
                runtime.finish()
                return
            number, mask, reduce, predicate = strand.arrival
            grid = reduce == GRID
            self._findings.check_block_barrier(strand.lanes, mask, self._locations[number], grid=grid)
            self._log.meet(self._locations[number], mask)
            if grid:
                yield self._locations[number]
                self._log.meet(self._locations[number], mask, Scope.GRID)
            self._log.next_epoch()
            result = reduced(reduce, [np.broadcast_to(np.asarray(predicate), mask.active.shape)[mask.active]])

    def by_turns(self, runtimes: Sequence[Runtime], choose: np.random.Generator, begin: Callable[[Lanes], None]) -> Iterator[Location]:
        """One warp after the other up to the next barrier, in an order drawn anew each time. `begin` is told whose turn it is."""
        strands = [self._start(runtime) for runtime in runtimes]
        result: int | None = None
        while True:
            waiting = [strand for strand in strands if not strand.ended]
            if not waiting:
                break
            for turn in choose.permutation(len(waiting)):
                begin(waiting[turn].lanes)
                waiting[turn].resume(result)
            arrived = self._meet(waiting, begin)
            if arrived:
                number, mask, reduce, _ = arrived[0]
                if reduce == GRID:
                    yield self._locations[number]
                    self._log.meet(self._locations[number], mask, Scope.GRID)
                self._log.next_epoch()
                predicates = [np.broadcast_to(np.asarray(given), mask.active.shape)[mask.active] for _, mask, _, given in arrived]
                result = reduced(reduce, predicates)
        for runtime in runtimes:
            begin(runtime.geometry)
            runtime.finish()

    def _start(self, runtime: Runtime) -> Strand:
        running = self._kernel(runtime, runtime.geometry)
        next(running)
        return Strand(runtime.geometry, running)

    def _meet(self, strands: Sequence[Strand], begin: Callable[[Lanes], None]) -> list[Arrival]:
        """The warps of one interval at its end: who waits must wait at one barrier, and nobody may have run past it."""
        arrived = [(strand, strand.arrival) for strand in strands if strand.arrival is not None]
        if not arrived:
            return []
        first, grid = self._locations[arrived[0][1][0]], arrived[0][1][2] == GRID
        for strand, (number, mask, reduce, _) in arrived:
            location = self._locations[number]
            self._findings.check_block_barrier(strand.lanes, mask, location, grid=reduce == GRID)
            if location != first:
                self._findings.add_missing(strand.lanes, strand.lanes.live.indices, first, grid=grid)
        for strand in strands:
            if strand.ended and strand.lanes.live:
                self._findings.add_missing(strand.lanes, strand.lanes.live.indices, first, grid=grid)
                strand.lanes.leave(strand.lanes.live)
        for strand, (number, mask, _, _) in arrived:
            begin(strand.lanes)
            self._log.meet(self._locations[number], mask)
        return [arrival for _, arrival in arrived]


def reduced(kind: str | None, predicates: Sequence[np.ndarray[Any, Any]]) -> int | None:
    """What `__syncthreads_count`, `_and` and `_or` give."""
    if kind is None or kind == GRID:
        return None
    truth = np.concatenate(predicates) != 0
    return {"count": int(np.count_nonzero(truth)), "and": int(truth.all()), "or": int(truth.any())}[kind]


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
    recorded_rows: int | None = None,
) -> Trace:
    """Execute some blocks (all: None) and return everything but `Trace.values`.

    `memory` holds what pointers point to and is changed; `arguments` are the scalars and addresses of all parameters one after another, a
    struct's members in order. Of blocks that begin after `recorded_rows` rows no access is recorded. Raises `Unsupported`. The launch must
    be one that `launch.refuse_launch` has nothing against.
    """
    launch = _Execution(kernel, memory, grid, block, shared_bytes, budget or Budget(), mode, recorded_rows)
    with np.errstate(all="ignore"):
        program = launch.prepare(tuple(arguments), functions, contract=contract)
        whole = blocks is None or waits_for_grid(kernel.body)
        indices = range(grid[0] * grid[1] * grid[2]) if whole or blocks is None else blocks
        done = launch.execute(program, indices, seed)
    return launch.trace(source, done)


@dataclass(frozen=True, slots=True)
class _Block:
    """Block under way."""

    runtimes: list[Runtime]
    running: Iterator[Location]


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Block that waits at the barrier of the whole grid, with what its memory held."""

    block: _Block
    location: Location
    shared: tuple[Bytes, Bits]
    local: list[Bytes]
    left: Left


class _Execution:
    """One launch while it executes."""

    def __init__(
        self, kernel: ir.Kernel, memory: Memory, grid: Dim3, block: Dim3, shared_bytes: int, budget: Budget, mode: Mode, most: int | None
    ) -> None:
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
        """Run block after block, or all together where they wait for each other; those that were begun."""
        calls = CallSites(self._sites, program.targets)
        drivers = Drivers(self._load(program), program.locations, self._log, self._findings)
        choose = np.random.default_rng(seed)
        done: list[Dim3] = []
        x, y, _ = self._grid
        waiting: list[_Waiting] = []
        try:
            for number, index in enumerate(indices):
                done.append((index % x, index // x % y, index // (x * y)))
                self._shared.reset()
                self._sites.forget()
                self._meter.check(self._kernel.location)
                self._log.begin_block(number)
                block = self._block(drivers, calls, program, done[-1], number, choose)
                self._go_on(block, waiting)
            while waiting:
                self._next_interval(waiting)
        except BudgetExceeded as stopped:
            self._findings.add_budget(stopped.location, done[-1], stopped.reason)
        return tuple(done)

    def _block(self, drivers: Drivers, calls: CallSites, program: Program, block: Dim3, number: int, choose: np.random.Generator) -> _Block:
        state: dict[str, Any] = {}
        runtimes = []
        for start in range(0, self._shape.lanes, self._width):
            lanes = Lanes(self._shape, self._masks, block, number, start, self._width)
            runtime = Runtime(lanes, calls, self._log, self._findings, self._printer, state, self._meter, program.locations)
            runtimes.append(runtime)
        lock_step = self._mode is Mode.BLOCK
        return _Block(runtimes, drivers.in_lock_step(runtimes[0]) if lock_step else drivers.by_turns(runtimes, choose, self._turn))

    def _go_on(self, block: _Block, waiting: list[_Waiting]) -> None:
        """Run a block to its end, or until it waits for all others."""
        self._turn(block.runtimes[0].geometry)
        before = sum(runtime.flops for runtime in block.runtimes)
        try:
            location = next(block.running, None)
        finally:
            self._flops += sum(runtime.flops for runtime in block.runtimes) - before
        if location is not None:
            self._meter.check(location)
            held = self._shared.held(), self._memory.held_locally(), self._log.leave_block()
            waiting.append(_Waiting(block, location, *held))

    def _next_interval(self, waiting: list[_Waiting]) -> None:
        """All blocks are at the grid's barrier, or have ended: those that wait go on."""
        if len(waiting) < self._grid[0] * self._grid[1] * self._grid[2]:
            each = waiting[0]
            lanes = each.block.runtimes[0].geometry
            self._findings.add_missing(lanes, lanes.live.indices, each.location, grid=True)
        now, waiting[:] = list(waiting), []
        for each in now:
            self._shared.put(each.shared)
            self._memory.put_locally(each.local)
            self._sites.forget()
            self._log.return_to(each.left)
            self._go_on(each.block, waiting)

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
        """Return the trace of what happened."""
        rows, masks, bases, barriers = self._log.finish(self._masks.all(), self._shape.lanes, [site.space for site in self._sites.table])
        return Trace(
            VERSION, self._kernel.name, source, self._grid, self._shape.block, self._mode.value, blocks,
            tuple(region.allocation for region in self._memory.regions), tuple(self._sites.table), rows, masks, bases, barriers,
            self._flops, self._findings.all(), tuple(self._printer.lines),
            initial=tuple(self._memory.initial), written=self._history.finish() if self._history is not None else None,
        )  # fmt: skip
