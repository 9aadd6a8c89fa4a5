"""Lesson metrics that follow from a variant, its sizes and parameters alone: launches, limits, occupancy, volumes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from math import prod

from app.core.lesson_metrics.metric import Metric, Value
from app.core.session.session import DEFAULT_PROFILE, profile_named
from kernels.analysis.occupancy import occupancy
from kernels.base.limits import Limits, refuse
from kernels.base.messages import Message, message
from kernels.base.reference import error_bound
from kernels.base.spec import FLOAT32_BYTES, Device, Launch
from kernels.compiled.kernel import CompiledKernel, CompileSettings
from kernels.compiled.report import compile_kernel
from kernels.jit.team_run import COPIES, shared_shape
from kernels.measure.protocol import Protocol
from kernels.mpi.communication_volume import per_worker, volume
from kernels.nvrtc.tools import find_tools

Count = Callable[[Metric], Value | Message]


def count_of_setting(metric: Metric) -> Value | Message:
    """Return a lesson metric that needs no execution."""
    return COUNTS[metric.count](metric)


def _launch(metric: Metric) -> Launch | Message:
    setting = metric.of
    if setting.variant.launch is None:
        return message("{variant} launches no kernel of its own.", variant=setting.variant.id)
    return setting.variant.launch(setting.problem, setting.parameters)


def _threads(metric: Metric) -> Value | Message:
    launch = _launch(metric)
    return launch if isinstance(launch, Message) else float(prod(launch.block))


def _blocks(metric: Metric) -> Value | Message:
    launch = _launch(metric)
    return launch if isinstance(launch, Message) else float(prod(launch.grid))


def _shared(metric: Metric) -> Value | Message:
    launch = _launch(metric)
    return launch if isinstance(launch, Message) else float(launch.shared_bytes)


def _refused(metric: Metric) -> Value | Message:
    """1 where no GPU or processor could run it, else 0."""
    setting = metric.of
    return float(refuse(setting.variant, setting.problem, setting.parameters, Limits()) is not None)


def _registers(metric: Metric) -> float | Message:
    """Return the registers of a thread: the option `registers`, else what NVIDIA's compiler says, or why that is not known."""
    if given := metric.number("registers"):
        return given
    launch, tools = _launch(metric), find_tools()
    if isinstance(launch, Message):
        return launch
    if isinstance(tools, Message):
        return tools
    profile = profile_named(metric.text("profile", DEFAULT_PROFILE))
    capability = int(profile.compute_capability.replace(".", ""))
    variant = metric.of.variant
    made = compile_kernel(
        variant.source_text, CompileSettings(variant.entry, capability, launch.defines, specific=variant.needs.alone), tools
    )
    return float(made.usage.registers) if isinstance(made, CompiledKernel) else made


def _occupancy(name: str) -> Count:
    def found(metric: Metric) -> Value | Message:
        launch, registers = _launch(metric), _registers(metric)
        if isinstance(launch, Message):
            return launch
        if isinstance(registers, Message):
            return registers
        profile = profile_named(metric.text("profile", DEFAULT_PROFILE))
        result = occupancy(profile.compute_capability, prod(launch.block), int(registers), launch.shared_bytes)
        return result.refusal or float(getattr(result, name))

    return found


def _sent(of_all: Callable[[tuple[int, ...]], int]) -> Count:
    """Bytes that ranks send."""

    def found(metric: Metric) -> Value | Message:
        setting = metric.of
        if setting.variant.device is not Device.MPI:
            return message("{variant} sends no messages.", variant=setting.variant.id)
        return float(of_all(volume(setting.variant.id, setting.problem, setting.parameters.get("ranks", 4)).sent))

    return found


def _received(metric: Metric) -> Value | Message:
    """Bytes that each rank receives which multiplies, other than rank 0, by the formula."""
    setting = metric.of
    if setting.variant.device is not Device.MPI:
        return message("{variant} sends no messages.", variant=setting.variant.id)
    return float(per_worker(setting.variant.id, setting.problem, setting.parameters.get("ranks", 4)))


def _copies(metric: Metric) -> Value | Message:
    """Bytes of the copies of C that threads have for themselves."""
    setting = metric.of
    if setting.variant.device is not Device.CPU or "threads" not in setting.variant.features:
        return message("{variant} does not share its work out to threads.", variant=setting.variant.id)
    shape = shared_shape(setting.variant, setting.problem, setting.parameters)
    return float(FLOAT32_BYTES * shape[1] * shape[2]) if shape is not None and shape[0] == COPIES else 0.0


def _growth(metric: Metric) -> Value | Message:
    """How many times the error of ordinary summation the variant is allowed."""
    growth = metric.of.variant.error_growth
    return 1.0 if growth is None else growth(metric.of.problem, metric.of.parameters)


def _cost(metric: Metric) -> Value | Message:
    """What the variant itself says of its costs, by `name`."""
    setting = metric.of
    costs = {} if setting.variant.costs is None else setting.variant.costs(setting.problem, setting.parameters)
    name = metric.text("name")
    return float(costs[name]) if name in costs else message("{variant} tells no {name}.", variant=setting.variant.id, name=name)


def _protocol(metric: Metric) -> Value | Message:
    """How points are measured where nothing else is said, by `name`."""
    known, name = asdict(Protocol()), metric.text("name")
    return float(known[name]) if name in known else message("The protocol of measuring tells no {name}.", name=name)


def _peak(name: str) -> Count:
    return lambda metric: float(getattr(profile_named(metric.text("profile", DEFAULT_PROFILE)), name))


def _latency(name: str) -> Count:
    """Cycles from a load to its value."""

    def found(metric: Metric) -> Value | Message:
        profile = profile_named(metric.text("profile", DEFAULT_PROFILE))
        if profile.latencies is None:
            return message("The latencies of {device} are not known.", device=profile.name)
        return float(getattr(profile.latencies, name))

    return found


COUNTS: Mapping[str, Count] = {
    "refused": _refused,
    "launch_threads": _threads,
    "launch_blocks": _blocks,
    "launch_shared_bytes": _shared,
    "registers": _registers,
    "occupancy": _occupancy("occupancy"),
    "blocks_per_sm": _occupancy("blocks_per_sm"),
    "warps_per_sm": _occupancy("warps_per_sm"),
    "sent_bytes": _sent(sum),
    "most_sent_bytes": _sent(max),
    "received_bytes": _received,
    "copies_bytes": _copies,
    "cost": _cost,
    "error_growth": _growth,
    "protocol": _protocol,
    "problem_flops": lambda metric: float(metric.of.problem.flops),
    "problem_bytes": lambda metric: float(metric.of.problem.bytes),
    "error_bound": lambda metric: error_bound(max(metric.of.problem.k, 1)),
    "peak_gflops": _peak("fp32_gflops"),
    "memory_gb_s": _peak("memory_bandwidth_gb_s"),
    "sms": _peak("sms"),
    "l2_bytes": _peak("l2_bytes"),
    "ridge": _peak("ridge"),
    **{name: _latency(name) for name in ("shared_latency", "l2_latency", "dram_latency")},
}
