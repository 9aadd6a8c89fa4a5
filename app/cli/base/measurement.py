"""Measuring for `run` and `sweep`: the same service as the window's, waited for."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from app import __version__
from app.cli.base.console import Console
from app.cli.base.errors import Refused
from app.cli.base.history import history
from app.cli.base.request import probe
from app.core.base.files.locations import Locations, prepare
from app.core.results.measuring import MeasuringService, Progress
from kernels.base.devices import DeviceStatus
from kernels.base.file_lock import FileLock
from kernels.base.machine_conditions import machine_conditions
from kernels.base.messages import message
from kernels.base.spec import Device
from kernels.base.values import dataclass
from kernels.catalogue.case import Case
from kernels.gpu.process import GpuProcess
from kernels.measure.cores import HostCores
from kernels.measure.protocol import Protocol
from kernels.measure.results import Result, Status
from kernels.measure.sampler import Measurer
from kernels.measure.store import ResultStore
from kernels.mpi.detect import place_among_ranks

POLL_S = 0.05
LONGEST_STOP_S = 30.0
"""Seconds that an interrupted measurement may take to come to its end."""

Statuses = Mapping[Device, DeviceStatus]
Report = Callable[[Sequence[Result], Progress], None]
"""A callback that is given the results since the last call and where everything stands."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results in the order of the points, how many points there were, and whether the user stopped."""

    results: list[Result]
    total: int
    interrupted: bool

    @property
    def failed(self) -> bool:
        """Whether a result was wrong, a run broke down or, though nobody stopped them, points are missing."""
        missing = len(self.results) < self.total and not self.interrupted
        return missing or any(result.status in (Status.WRONG, Status.FAILED) for result in self.results)


def probe_all(points: Sequence[Case], console: Console) -> Statuses:
    """The status of every device that the points need. Refused where ranks are asked for by one that the user's mpiexec has started."""
    _, started = place_among_ranks(console.environment)
    distributed = next((point.variant_id for point in points if point.variant.device is Device.MPI), None)
    if started > 1 and distributed is not None:
        raise Refused(message(
            "{mpiexec} has started {count} ranks, and this command would start others of its own. {command} runs on those that are there.",
            mpiexec="mpiexec", count=started, command=f"tilescope mpi {distributed}",
        ))  # fmt: skip
    return {device: probe(device) for device in dict.fromkeys(point.variant.device for point in points)}


def measure(points: Sequence[Case], statuses: Statuses, protocol: Protocol, console: Console, report: Report) -> Outcome:
    """Measure the points, keep each result in the user's history, and report until all are done or the user interrupts."""
    with history(console) as store:
        return _measure(store, points, statuses, protocol, console, report)


def _measure(
    store: ResultStore, points: Sequence[Case], statuses: Statuses, protocol: Protocol, console: Console, report: Report
) -> Outcome:
    service = measuring_service(store, statuses, console.places, protocol.budget_s)
    results: list[Result] = []

    def collect() -> Progress:
        progress = service.progress()
        new = service.drain()
        results.extend(new)
        report(new, progress)
        return progress

    try:
        interrupted = _wait(service, points, protocol, collect)
        for queue in service.progress().queues:
            if queue.failure is not None:
                console.tell(console.text(queue.failure))
    finally:
        for stuck in service.shutdown(LONGEST_STOP_S):
            console.tell(console.text(stuck))
    return Outcome(sorted(results, key=lambda result: points.index(result.point)), len(points), interrupted)


def _wait(service: MeasuringService, points: Sequence[Case], protocol: Protocol, collect: Callable[[], Progress]) -> bool:
    """Wait until all is done; True if the user interrupted."""
    request = service.start(points, protocol)
    try:
        while collect().busy:
            time.sleep(POLL_S)
    except KeyboardInterrupt:
        service.cancel(request)
        end = time.monotonic() + LONGEST_STOP_S
        while collect().busy and time.monotonic() < end:
            time.sleep(POLL_S)
        return True
    return False


def measurer(device: Device, status: DeviceStatus, places: Locations, budget_s: float) -> Measurer:
    """The process in which a device is measured, to be used by one thread at a time."""
    if device is Device.GPU:
        return GpuProcess(budget_s)
    if device is Device.MPI:
        from kernels.mpi.runner import mpi_process

        return mpi_process(status, budget_s)
    from kernels.jit.runner import cpu_process

    return cpu_process(places.numba_cache if prepare(places.numba_cache) is None else None, budget_s)


def measuring_service(store: ResultStore, statuses: Statuses, places: Locations, budget_s: float) -> MeasuringService:
    """Make the service that measures on these devices, in turn with the other programs of this user that measure."""
    return MeasuringService(
        store,
        {device: partial(measurer, device, status, places, budget_s) for device, status in statuses.items()},
        lambda device: statuses[device],
        partial(machine_conditions, __version__),
        cores=host_cores(places),
    )


def host_cores(places: Locations) -> HostCores:
    """The machine's processors, in turn with the other programs of this user that measure."""
    return HostCores(FileLock(places.turn) if prepare(places.cache) is None else None)
