"""Arguments in the machine's memory and back."""

from __future__ import annotations

import numpy as np

from kernels.simt.base.launch import Fill, Filled, LaunchRequest
from kernels.simt.ir import BOOL, F32, I32, Block, Field, Kernel, Kind, Location, Pointer, Scalar, Space, Struct, Type, Variable
from kernels.simt.machine.memory import Memory
from kernels.simt.run.execution import place_arguments, results
from kernels.simt.trace.trace import GUARD

HERE = Location(1, 1)
MATRIX = Struct("Matrix", (Field("width", I32, 0), Field("elements", Pointer(F32), 8)), 16, 8)
BFLOAT16 = Scalar(Kind.FLOAT, 2, brain=True)


def variable(name: str, c_type: Type) -> Variable:
    return Variable(name, c_type, Space.REGISTER, HERE)


PARAMETERS = (
    variable("x", Pointer(F32)), variable("A", MATRIX), variable("y", Pointer(I32)), variable("s", F32), variable("b", BOOL),
    variable("h", BFLOAT16),
)  # fmt: skip
KERNEL = Kernel("k", "k", PARAMETERS, (), Block(()), HERE)
GIVEN = np.arange(6, dtype=np.float32).reshape(2, 3)
REQUEST = LaunchRequest(
    (1, 1, 1), (1, 1, 1),
    {"x": Filled(3), "A.width": 2, "A.elements": GIVEN, "y": Filled(2, Fill.ARANGE), "s": 0.1, "b": 1, "h": 1.0},
)  # fmt: skip


def test_parameters_hold_numbers_and_addresses_of_aligned_arrays() -> None:
    memory = Memory()
    placed = place_arguments(KERNEL, REQUEST, memory)
    x, A, y, s, b, h = (placed.values[parameter] for parameter in PARAMETERS)
    assert (A[0], s, b, h) == (2, (np.float32(0.1),), (True,), (0x3F80,))
    assert type(s[0]) is np.float32
    addresses = [x[0], A[1], y[0]]
    assert addresses == [placed.regions[name].address for name in ("x", "A.elements", "y")]
    assert all(address and address % GUARD == 0 for address in addresses)
    assert [(each.allocation.name, each.allocation.shape, each.allocation.element) for each in memory.regions] == [
        ("x", (3,), "float"), ("A.elements", (6,), "float"), ("y", (2,), "int"),
    ]  # fmt: skip


def test_only_arrays_without_a_fill_begin_undefined() -> None:
    placed = place_arguments(KERNEL, REQUEST, Memory())
    assert {name for name, region in placed.regions.items() if region.defined is not None} == {"x"}


def test_what_the_kernel_wrote_comes_back_and_the_given_array_stays() -> None:
    placed = place_arguments(KERNEL, REQUEST, Memory())
    placed.regions["A.elements"].bytes[:4] = np.frombuffer(np.float32(9).tobytes(), np.uint8)
    found = results(KERNEL, REQUEST, placed)
    assert found["A.elements"].tolist() == [[9, 1, 2], [3, 4, 5]]
    assert found["y"].tolist() == [0, 1]
    assert GIVEN[0, 0] == 0


def test_arrays_that_are_filled_at_random_differ() -> None:
    kernel = Kernel("k", "k", (variable("x", Pointer(F32)), variable("y", Pointer(F32))), (), Block(()), HERE)
    filled = Filled(8, Fill.RANDOM)
    placed = place_arguments(kernel, LaunchRequest((1, 1, 1), (1, 1, 1), {"x": filled, "y": filled}), Memory())
    assert placed.regions["x"].bytes.tolist() != placed.regions["y"].bytes.tolist()
