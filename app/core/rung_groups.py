"""What the ladder says of its groups: where their rungs run, and why they do not."""

from __future__ import annotations

from app.core.session import TimingChoice
from kernels.catalog import of
from kernels.devices import Availability, DeviceStatus
from kernels.messages import Message, message
from kernels.spec import Device

_WORKERS = {Device.CPU: "threads", Device.MPI: "ranks"}
"""The parameter that says how many compute at once."""


def asked_workers(choice: TimingChoice, device: Device) -> int:
    """The most threads or ranks that rungs of a device are timed with; 0 where they have neither."""
    name = _WORKERS.get(device)
    own = [variant for variant in of(choice.operation) if variant.device is device and name in variant.defaults]
    if name is None or not own:
        return 0
    chosen = max(choice.parameters[variant.id][name] for variant in own)
    swept = choice.values(name) if choice.axis == name and any(variant.id in choice.ticked for variant in own) else ()
    return max(chosen, *swept, 0)


def group_state(status: DeviceStatus, workers: int) -> Message | None:
    """A few words beside the group's name, for as many threads or ranks as are asked for; None while the device is looked for."""
    if status.availability is Availability.PROBING:
        return None
    if not status.ready:
        absent = status.device is Device.MPI and status.availability is Availability.NO_PACKAGE
        return message("not installed") if absent else message("watch only")
    cores = cores_of(status)
    if not cores:
        return message("{name}", name=status.name)
    if workers <= cores:
        return message("{cores} cores", cores=cores) if cores > 1 else message("one core")
    if status.device is Device.MPI:
        return message("ranks: {ranks}, cores: {cores}", ranks=workers, cores=cores)
    return message("threads: {threads}, cores: {cores}", threads=workers, cores=cores)


def group_hint(status: DeviceStatus, workers: int) -> tuple[Message, ...]:
    """What there is to know besides: the product, or why it cannot be used and what would help; what too many workers mean."""
    if not status.ready:
        return tuple(part for part in (status.reason, status.remedy) if part is not None)
    crowded = 0 < cores_of(status) < workers
    name = (message("{name}", name=status.name),) if status.name else ()
    return (*name, message("More than there are cores: they take turns, and gain nothing by it.")) if crowded else name


def cores_of(status: DeviceStatus) -> int:
    """The cores that threads or ranks can have; 0 where it is not known or not the question."""
    return int(status.details.get("cores", status.details.get("logical_cores", 0)))
