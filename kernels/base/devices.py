"""Devices as values: what one is and whether it can be used here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from kernels.base.limits import Limits
from kernels.base.messages import Message
from kernels.base.spec import Device
from kernels.base.values import dataclass


class Availability(StrEnum):
    """Whether a device can run kernels, or which obstacle comes first."""

    READY = "ready"
    PROBING = "probing"
    NO_PACKAGE = "no-package"
    NO_DRIVER = "no-driver"
    DRIVER_TOO_OLD = "driver-too-old"
    DEVICE_TOO_OLD = "device-too-old"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class DeviceStatus:
    """Status of a device of this machine. `reason` says in words why it cannot run kernels, `remedy` what would help."""

    device: Device
    availability: Availability
    name: str
    """The product's name, for example "NVIDIA H200"; empty where it is not known."""
    reason: Message | None = None
    remedy: Message | None = None
    limits: Limits = field(default_factory=Limits)
    details: Mapping[str, str | int | float] = field(default_factory=dict)
    """Versions and properties, for the doctor and for the conditions of results."""

    @property
    def ready(self) -> bool:
        return self.availability is Availability.READY
