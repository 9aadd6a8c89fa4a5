"""What is ticked at first and together, and what the ladder says of its groups."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.ladder.sentences import asked_workers, group_hint, group_state
from app.core.session.session import Session, first_ticked, that_may_run
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.limits import Limits
from kernels.base.messages import message
from kernels.base.spec import Device, Operation
from kernels.catalogue.catalogue import by_id, of

REASON, REMEDY = message("Nothing is there."), message("Put something there.")


def ready(device: Device, **details: int) -> DeviceStatus:
    return DeviceStatus(device, Availability.READY, "Model 1", details=details)


def missing(device: Device, availability: Availability = Availability.NO_PACKAGE) -> DeviceStatus:
    return DeviceStatus(device, availability, "", reason=REASON, remedy=REMEDY)


@pytest.mark.parametrize("operation", [Operation.MATMUL, Operation.TRANSPOSE])
def test_a_few_rungs_and_the_library_are_ticked_at_first(operation: Operation) -> None:
    ticked = first_ticked(operation)
    own = [variant for variant in of(operation) if variant.id in ticked and not variant.library]
    libraries = {variant.id for variant in of(operation) if variant.device is Device.CPU and variant.library}
    assert len(ticked) == len(own) + len(libraries)
    assert 3 <= len(own) < 6
    assert libraries <= ticked
    assert own[0].rung == 1


def test_many_are_ticked_at_once_and_an_axis_that_is_gone_is_left() -> None:
    session = Session()
    rungs = of(Operation.MATMUL)
    session.tick_all(rungs, ticked=True)
    assert session.timing.value.ticked == {variant.id for variant in rungs}
    session.timing.value = replace(session.timing.value, axis="ranks")
    session.tick_all([variant for variant in rungs if variant.device is Device.MPI], ticked=False)
    assert session.timing.value.axis == "n"
    assert not any(identifier.startswith("mpi.") for identifier in session.timing.value.ticked)


def test_rungs_whose_device_is_missing_are_not_among_those_that_may_run() -> None:
    devices = {
        Device.CPU: ready(Device.CPU),
        Device.MPI: DeviceStatus(Device.MPI, Availability.PROBING, ""),
        Device.GPU: missing(Device.GPU),
    }
    assert {variant.device for variant in that_may_run(Operation.MATMUL, devices)} == {Device.CPU, Device.MPI}


def test_a_group_says_what_there_is_or_that_it_is_not_there() -> None:
    assert str(group_state(ready(Device.CPU, logical_cores=8), 8)) == "8 cores"
    assert str(group_state(ready(Device.CPU, logical_cores=1), 1)) == "one core"
    assert str(group_state(ready(Device.GPU), 0)) == "Model 1"
    assert str(group_state(missing(Device.MPI), 0)) == "not installed"
    assert str(group_state(missing(Device.GPU, Availability.NO_DRIVER), 0)) == "watch only"
    assert group_state(DeviceStatus(Device.GPU, Availability.PROBING, ""), 0) is None
    assert group_hint(missing(Device.GPU), 0) == (REASON, REMEDY)


def test_more_ranks_or_threads_than_cores_are_told_of() -> None:
    crowded = ready(Device.MPI, cores=2)
    assert str(group_state(crowded, 4)) == "ranks: 4, cores: 2"
    assert str(group_state(ready(Device.CPU, logical_cores=2), 8)) == "threads: 8, cores: 2"
    assert [str(hint) for hint in group_hint(crowded, 4)][-1].startswith("More than there are cores")
    assert [str(hint) for hint in group_hint(crowded, 2)] == ["Model 1"]


def test_workers_are_those_that_are_chosen_and_those_that_are_swept() -> None:
    session = Session()
    blocks = by_id("mpi.blocks")
    assert asked_workers(session.timing.value, Device.MPI) == 2
    assert asked_workers(session.timing.value, Device.GPU) == 0
    assert session.set_run_parameter(blocks, "ranks", 7, Limits()) is None
    assert asked_workers(session.timing.value, Device.MPI) == 7
    session.tick(blocks, ticked=True)
    swept = {**session.timing.value.swept, "ranks": (1, 13)}
    session.timing.value = replace(session.timing.value, axis="ranks", swept=swept)
    assert asked_workers(session.timing.value, Device.MPI) == 13
