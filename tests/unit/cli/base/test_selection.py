"""What patterns of `sweep` mean, and what becomes of variants whose device is missing."""

from __future__ import annotations

import pytest

from app.cli.base.errors import Refused
from app.cli.base.selection import Selection, selection_of, without_missing
from kernels.base.devices import Availability, DeviceStatus
from kernels.base.messages import message
from kernels.base.spec import Device, Operation
from kernels.catalogue.catalogue import of


def ids(selection: Selection) -> list[str]:
    return [variant.id for variant in selection.variants]


def only_cpu(device: Device) -> DeviceStatus:
    if device is Device.CPU:
        return DeviceStatus(device, Availability.READY, "A processor")
    return DeviceStatus(device, Availability.NO_PACKAGE, "", reason=message("No {device} here.", device=device.value))


def test_all_are_the_multiplications_and_a_pattern_those_it_matches() -> None:
    assert ids(selection_of(["all"])) == [variant.id for variant in of(Operation.MATMUL)]
    assert ids(selection_of(["mpi.*"])) == [variant.id for variant in of(Operation.MATMUL) if variant.device is Device.MPI]
    assert ids(selection_of(["cpu.transpose-*"])) == [variant.id for variant in of(Operation.TRANSPOSE) if variant.device is Device.CPU]


def test_what_is_named_decides_the_operation_and_nothing_is_there_twice() -> None:
    chosen = selection_of(["cpu.*", "cpu.transpose-blocked"])
    assert {variant.operation for variant in chosen.variants} == {Operation.TRANSPOSE}
    assert len(ids(chosen)) == len(set(ids(chosen)))
    assert chosen.found == frozenset(ids(chosen)) - {"cpu.transpose-blocked"}
    assert ids(selection_of(["cpu.numpy", "cpu.n*"])) == ["cpu.numpy", "cpu.naive"]


def test_only_what_a_pattern_found_is_left_out_without_its_device() -> None:
    variants, told = without_missing(selection_of(["gpu.tiled", "all"]), only_cpu)
    assert {variant.device for variant in variants} == {Device.CPU, Device.GPU}
    assert [variant.id for variant in variants if variant.device is Device.GPU] == ["gpu.tiled"]
    assert [str(notice).partition(":")[0] for notice in told] == ["Left out", "Left out"]
    assert any("mpi.summa" in str(notice) and "No mpi here." in str(notice) for notice in told)
    with pytest.raises(Refused, match=r"gpu\.cublas.*\. No gpu here\."):
        without_missing(selection_of(["gpu.*"]), only_cpu)


def test_nothing_is_left_out_where_everything_is_there() -> None:
    chosen = selection_of(["cpu.*"])
    assert without_missing(chosen, only_cpu) == (chosen.variants, ())
