"""Roofline of a launch on a device: the speed that memory and arithmetic allow it."""

from __future__ import annotations

from app.core.gpu_view.counters import intensity
from app.core.gpu_view.index import LaunchIndex
from kernels.analysis.device_profiles import Profile
from kernels.base.messages import Message, message
from kernels.base.values import dataclass


@dataclass(frozen=True, slots=True)
class Roofline:
    """A device's roof, and the launch's FLOP for each byte that moves, as written. None: it moves or computes nothing."""

    profile: Profile
    intensity: float | None

    @property
    def attainable(self) -> float:
        """GFLOP/s at the launch's intensity, if every byte comes from DRAM."""
        return attainable(self.profile, self.intensity or 0.0)

    @property
    def memory_limits(self) -> bool:
        return self.intensity is not None and self.intensity < self.profile.ridge

    @property
    def words(self) -> Message:
        """What limits the launch on this device."""
        if self.intensity is None:
            return message("This launch computes nothing: only memory can limit it.")
        flops, ridge = _short(self.intensity), _short(self.profile.ridge)
        if self.memory_limits:
            return message(
                "Of memory and arithmetic, memory limits: {flops} FLOP per byte as written; this GPU needs {ridge} to be limited by "
                "arithmetic.",
                flops=flops,
                ridge=ridge,
            )
        return message(
            "Of memory and arithmetic, arithmetic limits: {flops} FLOP per byte as written; from {ridge} on memory is fast enough.",
            flops=flops,
            ridge=ridge,
        )


def roofline(index: LaunchIndex, profile: Profile) -> Roofline:
    """Return the place of a launch in the roofline of a device."""
    return Roofline(profile, intensity(index))


def attainable(profile: Profile, intensity: float) -> float:
    """GFLOP/s that the device reaches at most with so many FLOP for each byte from DRAM."""
    return min(profile.fp32_gflops, profile.memory_bandwidth_gb_s * intensity)


def _short(value: float) -> float | int:
    """A figure without needless digits: 3.56, 14, 0.25."""
    return round(value) if value >= 10 else float(f"{value:.3g}")
