"""What is worth measuring first."""

from __future__ import annotations

import pytest

from app.core.results.curves import Provenance
from app.core.results.first_look import AT_MOST_S, first_choice, first_look, nothing_measured
from app.core.results.known_results import Results
from app.core.session.session import SIZE_AXIS, Session
from app.core.timing.model import about_seconds, points_of
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import message
from kernels.base.spec import Device, Operation
from tests.measured.timing_results import measured, refused

CPU = DeviceStatus(Device.CPU, Availability.READY, "Two cores")
GPU = DeviceStatus(Device.GPU, Availability.READY, "Toy GPU")
NO_GPU = DeviceStatus(Device.GPU, Availability.NO_DRIVER, "", message("No NVIDIA GPU found."))
SLOW_CORE_MS = {128: 4.0, 256: 40.0, 512: 700.0}
"""A run of the naive multiplication on a core of a laptop at 0.4 GFLOP/s."""


@pytest.mark.parametrize("operation", [Operation.MATMUL, Operation.TRANSPOSE])
@pytest.mark.parametrize("gpu", [GPU, NO_GPU])
def test_six_rungs_from_the_first_to_the_best_of_the_devices_that_are_here(operation: Operation, gpu: DeviceStatus) -> None:
    rungs = first_look(operation, {Device.CPU: CPU, Device.GPU: gpu})
    assert len(set(rungs)) == 6
    assert {rung.operation for rung in rungs} == {operation}
    assert {rung.device for rung in rungs} == ({Device.CPU, Device.GPU} if gpu.ready else {Device.CPU})
    assert rungs[-1].library or operation is Operation.TRANSPOSE
    if operation is Operation.MATMUL:
        assert [rung.library for rung in rungs].count(True) == len({rung.device for rung in rungs})


def test_the_choice_keeps_what_else_was_chosen() -> None:
    choice = Session().timing.value
    first = first_choice(choice, {Device.CPU: CPU, Device.GPU: NO_GPU})
    assert len(first.variants) == 6
    assert (first.axis, first.parameters) == (SIZE_AXIS, choice.parameters)
    assert len(points_of(first)) == 6 * len(first.sizes)


def test_the_slowest_of_them_leaves_time_for_the_others_on_a_slow_core() -> None:
    first = first_choice(Session().timing.value, {Device.CPU: CPU, Device.GPU: NO_GPU})
    known = [measured("cpu.naive", n, ms) for n, ms in SLOW_CORE_MS.items()]
    known += [measured(rung.id, n, ms / 10) for rung in first.variants[1:] for n, ms in SLOW_CORE_MS.items()]
    assert about_seconds(first, Results({Provenance.MEASURED: known})) < AT_MOST_S


def test_a_refused_point_is_no_measurement() -> None:
    refusal = refused("cpu.naive", 128, message("It takes minutes."))
    recorded = measured("cpu.naive", 128, 1.0)
    assert nothing_measured(Results({Provenance.MEASURED: (refusal,), Provenance.RECORDED: (recorded,)}), Operation.MATMUL)
    assert not nothing_measured(
        Results({Provenance.MEASURED: (refused("cpu.naive", 256, message("It takes minutes.")), recorded)}), Operation.MATMUL
    )
    assert nothing_measured(Results({Provenance.MEASURED: (recorded,)}), Operation.TRANSPOSE)
