"""Profiles of GPUs for the models: what their makers publish of them. One file each in `resources/devices`, every value with its source."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from functools import cache
from importlib.resources import files

from kernels.base.architectures import ARCHITECTURES, Architecture, Gpu
from kernels.base.values import dataclass


@dataclass(frozen=True, slots=True)
class Latencies:
    """Latencies of a device in cycles, from a load to its value, and what else the time model needs besides."""

    shared_latency: float
    l2_latency: float
    dram_latency: float
    l2_bytes_per_clock: float
    """What the L2 cache gives to all SMs in a cycle."""
    launch_us: float
    """Microseconds from the end of a kernel to the start of the next one in a stream."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """The peaks of the tensor cores on dense matrices, in GFLOP/s, with sums in float32."""

    tf32_gflops: float
    bf16_gflops: float


@dataclass(frozen=True, slots=True)
class Profile:
    """Profile of a GPU as published. Clock in MHz, bandwidth in GB/s (10^9), sizes in bytes."""

    id: str
    name: str
    compute_capability: str
    sms: int
    fp32_lanes_per_sm: int
    boost_clock_mhz: int
    memory_bandwidth_gb_s: float
    memory_bytes: int
    l2_bytes: int
    sources: tuple[tuple[str, str], ...]
    """For each of the fields above but the id, where it is published; for those of `latencies` and `tensor` too."""
    latencies: Latencies | None = None
    """None where not all of it is published for this GPU: then there is no time model."""
    tensor: Tensor | None = None
    """None where it has no tensor cores of these precisions, or where that is not entered."""

    @property
    def architecture(self) -> Architecture:
        """The limits of an SM: warps, blocks, shared memory."""
        return ARCHITECTURES[self.compute_capability]

    @property
    def gpu(self) -> Gpu:
        """The GPU as a launch meets it."""
        return Gpu(self.architecture, self.sms)

    @property
    def fp32_gflops(self) -> float:
        """The float32 peak at the boost clock: a fused multiply-add a lane and cycle counts two."""
        return 2 * self.sms * self.fp32_lanes_per_sm * self.boost_clock_mhz / 1000

    @property
    def ridge(self) -> float:
        """Operations for each byte of memory traffic from which on arithmetic limits, not memory."""
        return self.fp32_gflops / self.memory_bandwidth_gb_s


@cache
def profiles() -> tuple[Profile, ...]:
    """All profiles, oldest compute capability first, then by name."""
    entries = [entry for entry in files("resources").joinpath("devices").iterdir() if entry.name.endswith(".toml")]
    found = [read_profile(entry.name.removesuffix(".toml"), entry.read_text("utf-8")) for entry in entries]
    return tuple(sorted(found, key=lambda profile: (float(profile.compute_capability), profile.name)))


def read_profile(identifier: str, text: str) -> Profile:
    """The profile in a file's text: a table of `value` and `source` for each field; for those of `Latencies` all or none, so of `Tensor`.

    ValueError where one is missing or too many.
    """
    tables = tomllib.loads(text)
    wanted = {field.name for field in fields(Profile)} - {"id", "sources", "latencies", "tensor"}
    latencies, tensor = ({field.name for field in fields(part)} for part in (Latencies, Tensor))
    allowed = (wanted, wanted | latencies, wanted | tensor, wanted | latencies | tensor)
    if set(tables) not in allowed or any(set(table) != {"value", "source"} for table in tables.values()):
        raise ValueError(f"{identifier}: a profile has a value and a source for each of {', '.join(sorted(wanted))}")
    values = {name: table["value"] for name, table in tables.items()}
    return Profile(
        id=identifier, **{name: values[name] for name in wanted},
        sources=tuple((name, str(table["source"])) for name, table in tables.items()),
        latencies=Latencies(**{name: values[name] for name in latencies}) if latencies <= set(values) else None,
        tensor=Tensor(**{name: values[name] for name in tensor}) if tensor <= set(values) else None,
    )  # fmt: skip
