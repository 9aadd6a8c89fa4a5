"""A launch of the catalogue executed by the interpreter, as far as its counts need it, and scaled to the whole grid."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace
from math import prod

import numpy as np

from app.core.gpu_view.counters import coverage_of
from app.core.gpu_view.subject import MOST_STEPS, block_of_each_kind, work
from app.core.predictions.question import launches_of
from kernels.analysis.analytical_time import Chain, chain
from kernels.analysis.as_compiled import Accesses, Place, as_compiled
from kernels.analysis.trust import Trust, trust
from kernels.analysis.workload import Workload, total, workload
from kernels.base.architectures import OPT_IN_SHARED_BYTES
from kernels.base.limits import refuse_execution
from kernels.base.messages import Message, ReasonedError, message
from kernels.base.spec import Launch, Operation, Parameters, Problem, Variant
from kernels.base.values import dataclass
from kernels.compiled.kernel import CompiledKernel, CompileSettings
from kernels.compiled.report import compile_kernel
from kernels.nvrtc.tools import find_tools
from kernels.simt.base.launch import Argument, Budget, Dim3, Fill, Filled, LaunchRequest
from kernels.simt.ir import Kernel
from kernels.simt.run.reading import Read, read
from kernels.simt.run.variant_launch import arguments
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced
from kernels.simt.trace.trace import Trace

BUDGET = Budget(seconds=60.0, rows=8_000_000, bytes=16 << 30)
PERIOD = 64
"""Steps along k after which every kernel does the same again: tiles and alignments divide it."""
RUN_IN = 256
"""Steps along k in which every kernel has filled its stages."""
LINE = 32
"""Floats in a line of memory, 128 bytes."""


@dataclass(frozen=True, slots=True, eq=False)
class PredictedLaunch:
    """One kernel launch. Workloads are of the whole grid: as the text says, and with loads joined as the machine code has them."""

    entry: str
    launch: Launch
    counted: LaunchCounts
    machine: CompiledKernel | Message
    """What the compiler made of it, or why that is not known."""

    @property
    def blocks(self) -> int:
        return prod(self.launch.grid)

    @property
    def threads(self) -> int:
        return prod(self.launch.block)

    @property
    def uses_tensor_cores(self) -> bool:
        """Whether the text or the machine code has operations of tensor cores."""
        instructions = self.machine.instructions if isinstance(self.machine, CompiledKernel) else ()
        return self.counted.written.tile_operations + self.counted.written.operand_requests > 0 or any(
            each.opcode.split(".")[0].endswith("MMA") for each in instructions
        )


@dataclass(frozen=True, slots=True)
class LaunchCounts:
    """Counts of launches. `compiled` equals `written` where the machine code is not known; `exact`: every block was executed."""

    written: Workload
    compiled: Workload
    chain: Chain
    exact: bool
    trust: Trust
    executed: Mapping[Place, int]
    """How often a block executed the accesses of each place, as compiled, at the k that was executed."""


class _NotCounted(ReasonedError):
    """Refusal to count: the interpreter does not know all that a text uses, or has too little memory for its matrices."""


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """A kernel of a variant with what it takes."""

    read: Read
    launch: Launch
    machine: CompiledKernel | Message
    kinds: tuple[tuple[int, ...], ...]
    """Blocks that speak for all, in groups that are executed together."""
    weights: tuple[float, ...]
    """How many such groups each stands for; empty where their places in the grid say it."""


def launched(variant: Variant, problem: Problem, parameters: Parameters, capability: int) -> tuple[PredictedLaunch, ...] | Message:
    """The launches of a variant in order, compiled for a compute capability (90 for 9.0); or why there are none."""
    reason = refuse_execution(variant)
    if reason is not None:
        return reason
    try:
        return tuple(_launched(variant, problem, parameters, entry, capability) for entry in launches_of(variant, problem, parameters))
    except _NotCounted as error:
        return message("{variant} cannot be executed here: {reason}", variant=variant.id, reason=error.reason)


def accesses(machine: CompiledKernel | Message) -> Accesses:
    """The accesses of the machine code at each place of the text; empty where it is not known."""
    found: defaultdict[Place, Counter[int]] = defaultdict(Counter)
    if isinstance(machine, CompiledKernel):
        for (line, access), count in machine.accesses().items():
            found[line, access.operation, access.space][access.bytes] += count
    return found


def blocks_alike(variant: Variant, problem: Problem, parameters: Parameters, entry: str) -> bool:
    """Whether every block counts the same: of a product whose blocks are all whole, and whose rows all begin with a line of memory."""
    if problem.operation is not Operation.MATMUL or problem.n % LINE or problem.k % LINE:
        return False
    grid, *larger = (
        launches_of(variant, each, parameters).get(entry)
        for each in (problem, replace(problem, m=problem.m + 1), replace(problem, n=problem.n + 1))
    )
    assert grid is not None
    return all(each is not None and each.grid != grid.grid for each in larger)


def _launched(variant: Variant, problem: Problem, parameters: Parameters, entry: str, capability: int) -> PredictedLaunch:
    text, launch = variant.source_text, launches_of(variant, problem, parameters)[entry]
    settings = CompileSettings(entry, capability, launch.defines, specific=variant.needs.alone)
    tools = find_tools()
    machine = tools if isinstance(tools, Message) else compile_kernel(text, settings, tools)
    found = read(LaunchSpec(text, entry, LaunchRequest((1, 1, 1), (1, 1, 1)), defines=launch.defines))
    if isinstance(found, NotTraced):
        raise _NotCounted(found.reason)
    kernel = found.kernel

    def at(k: int) -> LaunchCounts:
        smaller = replace(problem, k=k)
        there = launches_of(variant, smaller, parameters)[entry]
        preparing = entry != variant.entry
        kinds, weights = _columns(*there.grid) if preparing else (_kinds(variant, smaller, parameters, entry, there.grid), ())
        step = _Step(found, there, machine, kinds, weights)
        return _counted(step, smaller, _values(variant, smaller, parameters, kernel))

    first = RUN_IN + problem.k % PERIOD
    shorter = (launches_of(variant, replace(problem, k=k), parameters).get(entry) for k in (first, first + PERIOD))
    far = problem.k > first + PERIOD and all(each is not None and _same(each, launch) for each in shorter)
    counted = _on_a_line(at(first), at(first + PERIOD), (problem.k - first) / PERIOD) if far else at(problem.k)
    return PredictedLaunch(entry, launch, counted, machine)


def _kinds(variant: Variant, problem: Problem, parameters: Parameters, entry: str, grid: tuple[int, int]) -> tuple[tuple[int, ...], ...]:
    """The blocks of the kernel itself that are executed."""
    if blocks_alike(variant, problem, parameters, entry):
        return ((0,),)
    return tuple((number,) for number in block_of_each_kind((*grid, 1)))


def _columns(across: int, down: int) -> tuple[tuple[tuple[int, ...], ...], tuple[float, ...]]:
    """The blocks that are executed of what prepares a launch, and how many columns each stands for. Each row of blocks may do another
    thing, as with A first and then with B, and the first block what is done once.
    """
    found = {0: 1.0} | ({1: across - 2.0} if across > 2 else {}) | ({across - 1: 1.0} if across > 1 else {})
    return tuple(tuple(range(x, across * down, across)) for x in found), tuple(found.values())


def _same(one: Launch, other: Launch) -> bool:
    """Whether the same blocks of the same code are launched."""
    return (one.grid, one.block, one.defines) == (other.grid, other.block, other.defines)


def _on_a_line(first: LaunchCounts, second: LaunchCounts, steps: float) -> LaunchCounts:
    """What is counted so many steps after the first, if it grows evenly: as it does along k."""
    written, compiled = (
        Workload(*(a + steps * (b - a) for a, b in zip(astuple(one), astuple(other), strict=True)))
        for one, other in ((first.written, second.written), (first.compiled, second.compiled))
    )
    waits = (round(a + steps * (b - a)) for a, b in zip(astuple(first.chain), astuple(second.chain), strict=True))
    smaller = message("A smaller k was executed: what is counted grows evenly along it.")
    trusted = replace(first.trust, left_out=(*first.trust.left_out, smaller))
    return LaunchCounts(written, compiled, Chain(*waits), first.exact, trusted, first.executed)


def _values(variant: Variant, problem: Problem, parameters: Parameters, kernel: Kernel) -> Mapping[str, Argument]:
    """Every matrix holds zeros, also the output: their memory is touched only where a kernel reaches it."""
    assert variant.launch is not None
    shapes = {**problem.shapes, **variant.launch(problem, parameters).prepared}
    matrices = {name: Filled(rows * columns, Fill.ZEROS) for name, (rows, columns) in shapes.items()}
    wanted = {parameter.name for parameter in kernel.parameters}
    return {name: value for name, value in {**arguments(problem), **matrices}.items() if name in wanted}


def _counted(step: _Step, problem: Problem, values: Mapping[str, Argument]) -> LaunchCounts:
    grid: Dim3 = (*step.launch.grid, 1)
    whole = work(problem) <= MOST_STEPS
    traces = [_traced(step, values, None)] if whole else [_traced(step, values, numbers) for numbers in step.kinds]
    stands = (1.0,) if whole else coverage_of(grid, tuple(trace.blocks[0] for trace in traces)).weights
    # a block of a cluster with all the others of it shares what it stands for
    weights = stands if whole else step.weights or tuple(w / len(trace.blocks) for w, trace in zip(stands, traces, strict=True))
    machine = accesses(step.machine)
    left = [as_compiled(trace, machine) for trace in traces]
    written, compiled = (
        total(workload(trace).times(weight) for trace, weight in zip(each, weights, strict=True)) for each in (traces, left)
    )
    return LaunchCounts(written, compiled, chain(left[0]), whole, _trust(step, traces), executions(left[0]))


def executions(trace: Trace) -> Mapping[Place, int]:
    """How often the first block of a trace executed the accesses of each place."""
    times = np.bincount(trace.rows.site[trace.rows.block == 0], minlength=len(trace.sites)).tolist()
    found: Counter[Place] = Counter()
    for site, count in zip(trace.sites, times, strict=True):
        found[site.location.line, site.operation, str(site.space)] += count
    return found


def _trust(step: _Step, traces: Sequence[Trace]) -> Trust:
    """How far the traces of some blocks of a launch can be trusted."""
    each = [trust(trace, step.read.flows, ()) for trace in traces]
    blocks, count = sum(found.traced for found in each), each[0].blocks
    others = message("{count} of {blocks} blocks were not executed: the others stand for them.", count=count - blocks, blocks=count)
    return replace(each[0], traced=blocks, accesses=sum(found.accesses for found in each), left_out=(others,) if blocks < count else ())


def _traced(step: _Step, values: Mapping[str, Argument], blocks: tuple[int, ...] | None) -> Trace:
    from kernels.simt.run.execution import NotExecuted, execute

    launch = step.launch
    request = LaunchRequest(
        (*launch.grid, 1), (*launch.block, 1), values, launch.dynamic_shared_bytes, blocks=blocks, contract_fma=True, budget=BUDGET,
        shared_limit=OPT_IN_SHARED_BYTES,
    )  # fmt: skip
    try:
        return execute(step.read.kernel, request, "", step.read.kernel_cache)
    except NotExecuted as error:
        raise _NotCounted(error.reason) from error
