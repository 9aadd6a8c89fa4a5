"""Which of the device profiles is this machine's own GPU."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from kernels.analysis.devices import Profile
from kernels.devices import DeviceStatus
from kernels.spec import Device

_MODEL = re.compile(r"(?:RTX |GTX )?[A-Z]{0,2}\d{1,4}(?: Ti| SUPER)?\b")


def own_profile(statuses: Mapping[Device, DeviceStatus], profiles: Iterable[Profile]) -> Profile | None:
    """The profile of the GPU that was found here: of the same model and with as many multiprocessors; None where there is no such."""
    status = statuses.get(Device.GPU)
    if status is None or not status.name:
        return None
    return profile_like(status.name, status.details.get("multiprocessors"), profiles)


def profile_like(name: str, sms: object, profiles: Iterable[Profile]) -> Profile | None:
    """The profile of a GPU by the name that its driver gives and its multiprocessors, which may be None; None where there is no such."""
    found = _model(name)
    return next((each for each in profiles if _model(each.name) == found and sms in (None, each.sms)), None)


def _model(name: str) -> str:
    """ "H200" of "NVIDIA H200" and of "H200 SXM 141GB"."""
    match = _MODEL.search(name)
    return match[0] if match else name
