"""What a GPU's maker publishes as the most that it can: of a multiplication in its precision, of a transposition its memory."""

from __future__ import annotations

from functools import cache

from app.core.inspector.own_profile import profile_like
from kernels.analysis.devices import Profile, profiles
from kernels.measure.rows import AnyResult
from kernels.spec import Device, Operation


def peak_of(result: AnyResult) -> float | None:
    """GFLOP/s or GB/s of the GPU that a result names; None where it is no GPU, or nothing is published of it in this precision."""
    variant = result.point.variant
    if variant.device is not Device.GPU:
        return None
    conditions = result.conditions
    profile = _profile(str(conditions.get("gpu", "")), int(conditions.get("multiprocessors", 0)))
    if profile is None:
        return None
    if variant.operation is Operation.TRANSPOSE:
        return profile.memory_bandwidth_gb_s
    if variant.precision is None:
        return profile.fp32_gflops
    tensor = profile.tensor
    return None if tensor is None else {"TF32": tensor.tf32_gflops, "bfloat16": tensor.bf16_gflops}.get(variant.precision.name)


@cache
def _profile(name: str, sms: int) -> Profile | None:
    return profile_like(name, sms or None, profiles())
