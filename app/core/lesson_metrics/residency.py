"""Lesson metrics of residency: how many blocks of an executed launch an SM holds at a time, and the registers that this follows from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from app.core.gpu_view.blocks import launch_occupancy
from app.core.gpu_view.index import LaunchIndex
from app.core.lesson_metrics.metric import Metric, Value
from app.core.session.session import DEFAULT_PROFILE, profile_named
from kernels.analysis.device_profiles import Profile
from kernels.analysis.occupancy import ASSUMED_REGISTERS
from kernels.base.messages import Message
from kernels.compiled.kernel import CompiledKernel, CompileSettings
from kernels.compiled.report import compile_kernel
from kernels.nvrtc.tools import find_tools

Count = Callable[[LaunchIndex, Metric], Value | Message]
KEPT = 4
"""Compilations that are kept: several lesson metrics speak of one."""


def _registers(index: LaunchIndex, metric: Metric) -> float:
    """Return the registers of a thread: the option `registers`, else what NVIDIA's compiler says, else, where it is not there or
    refuses, what is usual.
    """
    subject = index.subject
    capability = int(_profile(metric).compute_capability.replace(".", ""))
    given = int(metric.number("registers"))
    return float(given or _compiled(subject.text, subject.entry or index.trace.kernel, capability, tuple(subject.defines.items())))


@lru_cache(maxsize=KEPT)
def _compiled(text: str, entry: str, capability: int, defines: tuple[tuple[str, int | str], ...]) -> int:
    tools = find_tools()
    made = tools if isinstance(tools, Message) else compile_kernel(text, CompileSettings(entry, capability, dict(defines)), tools)
    return made.usage.registers if isinstance(made, CompiledKernel) else ASSUMED_REGISTERS


def _resident(name: str) -> Count:
    def count(index: LaunchIndex, metric: Metric) -> Value | Message:
        result = launch_occupancy(index, _profile(metric), int(_registers(index, metric)))
        return result.refusal or float(getattr(result, name))

    return count


def _profile(metric: Metric) -> Profile:
    return profile_named(metric.text("profile", DEFAULT_PROFILE))


COUNTS: Mapping[str, Count] = {
    "registers": _registers,
    "occupancy": _resident("occupancy"),
    "blocks_per_sm": _resident("blocks_per_sm"),
    "warps_per_sm": _resident("warps_per_sm"),
}
"""`profile` chooses the GPU."""
