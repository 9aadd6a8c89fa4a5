"""Puts the workbench together from its parts: the composition root of everything but the window."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from app import __version__
from app.core.base.background import BackgroundTasks
from app.core.base.files.locations import Kept, Locations, prepare
from app.core.results.curves import Provenance
from app.core.results.device_detection import Devices
from app.core.results.gpu_uses import Uses, recorded_cpu, recorded_uses
from app.core.results.known_results import Results
from app.core.results.measuring import MeasuringService
from app.core.results.published import load_published, recorded_files
from app.core.results.stillness import Stillness
from app.core.session.session import Session
from app.core.timing.recordings import Recordings
from app.core.timing.tuner import MeasuringSetup, Tuner
from app.core.timing.use_timer import UseTimer
from app.core.tracing.stage_tracer import StageTracer
from app.core.workbench.tracing_process import new_tracing
from app.core.workbench.workbench import Workbench, Workers
from kernels.base.devices import DeviceStatus
from kernels.base.file_lock import FileLock
from kernels.base.machine_conditions import machine_conditions, processor_name
from kernels.base.messages import Message, message
from kernels.base.spec import Device
from kernels.base.values import dataclass
from kernels.gpu.process import GpuProcess
from kernels.jit.compile import set_cache_directory
from kernels.jit.detect import probe_cpu
from kernels.measure.cores import HostCores
from kernels.measure.recording_file import load_recorded
from kernels.measure.sampler import Measurer
from kernels.measure.store import ResultStore

PAUSE_S = 0.001
"""After some rows of the history: else what draws the window waits for the interpreter's lock again and again."""


@dataclass(frozen=True, slots=True)
class Assembly:
    """A workbench, and how to bring in what takes time to read."""

    workbench: Workbench
    background_tasks: BackgroundTasks
    store: ResultStore
    recordings: Recordings

    def start(self) -> None:
        """Set the workers going and read earlier results in the background."""
        self.workbench.start()
        self.read()

    def read(self) -> None:
        """Read earlier results in the background."""
        self.background_tasks.send("history", self._read_history, self.workbench.load_history)
        self.recordings.start()
        self.background_tasks.send("uses", self._read_uses, self.workbench.load_uses)

    def _read_history(self) -> Results | Message:
        try:
            recorded = [result for path in recorded_files() for result in load_recorded(path)]
            known = Results({Provenance.RECORDED: recorded, Provenance.PUBLISHED: load_published()})
            for rows in self.store.rows(processor_name()):
                known.add(Provenance.MEASURED, rows)
                time.sleep(PAUSE_S)
            return known
        except (OSError, ValueError, KeyError, sqlite3.Error) as error:
            return message("Earlier results could not be read: {error}", error=str(error))

    def _read_uses(self) -> Uses | Message:
        try:
            return Uses(tuple(self.store.uses()), recorded_uses(), recorded_cpu())
        except (OSError, ValueError, KeyError, sqlite3.Error) as error:
            return message("Earlier results could not be read: {error}", error=str(error))


def assemble(session: Session, places: Locations | None) -> Assembly:
    """The workbench with its real workers. Without places nothing is read from or written to the user's folders."""
    store = ResultStore.open(places.store) if places else ResultStore.in_memory()
    cache = places.numba_cache if places and set_cache_directory(places.numba_cache) else None  # inherited by those that trace, too
    background_tasks = BackgroundTasks()
    gpu = GpuProcess()
    devices = Devices({Device.CPU: probe_cpu, Device.GPU: gpu.status, Device.MPI: _probe_mpi}, background_tasks)
    measurers: dict[Device, Callable[[], Measurer]] = {
        Device.CPU: partial(_cpu_process, cache),
        Device.GPU: lambda: gpu,
        Device.MPI: partial(_mpi_process, devices),
    }
    conditions, stillness = partial(machine_conditions, __version__), Stillness()
    turn = FileLock(places.turn) if places and prepare(places.cache) is None else None
    measuring = MeasuringService(
        store, measurers, devices.wait, conditions, at_end=gpu.close, still=stillness.hold, cores=HostCores(turn)
    )  # fmt: skip
    around = MeasuringSetup(measuring.lend, devices.wait, conditions, store)
    workers = Workers(
        StageTracer(new_tracing(), new_tracing()), measuring, Tuner(around), UseTimer(around), devices, background_tasks, store,
        stillness, Kept.at(places),
    )  # fmt: skip
    workbench = Workbench(session, workers)
    recordings = Recordings(places.recordings if places else None, workbench.timing, background_tasks, workbench.tell)
    return Assembly(workbench, background_tasks, store, recordings)


def _probe_mpi() -> DeviceStatus:
    from kernels.mpi.detect import probe_mpi

    return probe_mpi()


def _cpu_process(cache: Path | None) -> Measurer:
    from kernels.jit.runner import cpu_process

    return cpu_process(cache)


def _mpi_process(devices: Devices) -> Measurer:
    from kernels.mpi.runner import mpi_process

    return mpi_process(devices.wait(Device.MPI))
