"""The process in which all GPU work of the catalogue is done, and which is replaced when that takes it down."""

from __future__ import annotations

from importlib.util import find_spec

from kernels.devices import Availability, DeviceStatus
from kernels.gpu.detect import look
from kernels.gpu.service import GpuService
from kernels.measure.device_process import DeviceProcess
from kernels.measure.runner import RunFailed
from kernels.messages import message
from kernels.spec import Device


class GpuProcess(DeviceProcess):
    """Has CuPy and the GPU's context. To be used in one thread at a time."""

    def __init__(self, budget_s: float | None = None, answer: GpuService | None = None) -> None:
        """`budget_s` is the time that a point is given, the protocol's by default. `answer` is what the process does with a call."""
        super().__init__("GPU", answer or GpuService(), budget_s)

    def status(self) -> DeviceStatus:
        """The state of the first GPU. Takes a second or two; where there is no CuPy, it starts no process."""
        if find_spec("cupy") is None:
            return look()
        try:
            self.start()
            status: DeviceStatus = self.ask(lambda: None, "status")
        except RunFailed as failed:
            status = DeviceStatus(
                Device.GPU, Availability.FAILED, "", failed.reason,
                message("See that the command {check} lists the GPU.", check="nvidia-smi"),
            )  # fmt: skip
        return status
