"""Arguments of a launch: texts to values, values to memory, memory back to arrays, and everything that is refused."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import numpy.lib.format as npy
import pytest

from kernels.base.architectures import ARCHITECTURES, Gpu
from kernels.base.messages import Message
from kernels.simt.base.launch import Argument, Budget, Dim3, Fill, Filled, IndexArrangement, LaunchRequest
from kernels.simt.ir import (
    BOOL,
    F16,
    F32,
    F64,
    I32,
    I64,
    U32,
    Block,
    Field,
    Kernel,
    Kind,
    Location,
    Pointer,
    Scalar,
    Space,
    Struct,
    Type,
    Variable,
)
from kernels.simt.ir import Array as CArray
from kernels.simt.run import arguments
from kernels.simt.run.arguments import arranged, initial_of, parse_argument, result_of, text_of
from kernels.simt.run.launchable import argument_types, refuse_launch
from kernels.simt.trace.trace import Held

HERE = Location(1, 1)
FLOAT4 = Struct("float4", tuple(Field(name, F32, 4 * place) for place, name in enumerate("xyzw")), 16, 16, vector=True)
PAIR = Struct("Pair", (Field("key", I32, 0), Field("weight", F64, 8)), 16, 8)
BFLOAT16 = Scalar(Kind.FLOAT, 2, brain=True)


def variable(name: str, c_type: Type, space: Space = Space.REGISTER, *, dynamic: bool = False) -> Variable:
    return Variable(name, c_type, space, HERE, dynamic)


def kernel(*parameters: Variable, shared: int = 0, max_threads: int | None = None, cluster: Dim3 = (1, 1, 1)) -> Kernel:
    tile = (variable("tile", CArray(F32, shared // 4), Space.SHARED),) if shared else ()
    return Kernel("scale", "scale", parameters, tile, Block(()), HERE, max_threads, cluster=cluster)


SCALE = kernel(variable("x", Pointer(F32)), variable("n", I32))
T4 = Gpu(ARCHITECTURES["7.5"], 40)
GOOD: dict[str, Argument] = {"x": Filled(8), "n": 8}


def request(**changes: Any) -> LaunchRequest:
    return LaunchRequest(**({"grid": (1, 1, 1), "block": (32, 1, 1), "arguments": GOOD} | changes))


def held(argument: Any, target: Type | None, seed: int = 0) -> Any:
    """The bytes of an array as the launch begins."""
    return initial_of(argument, target, seed).bytes


@pytest.mark.parametrize(
    ("text", "c_type", "value"),
    [
        ("7", I32, 7),
        ("-2147483648", I32, -(2**31)),
        ("0xFFFFFFFF", U32, 2**32 - 1),
        ("2.5", F32, 2.5),
        ("1e-3f", F32, 1e-3),
        (".5", F64, 0.5),
        ("-inf", F64, -np.inf),
        ("true", BOOL, True),
        ("12", Pointer(F32), Filled(12)),
        ("0", Pointer(F32), Filled(0)),
        ("12:zeros", Pointer(None), Filled(12, Fill.ZEROS)),
        ("12:random", Pointer(FLOAT4), Filled(12, Fill.RANDOM)),
        ("12:arange", Pointer(I64), Filled(12, Fill.ARANGE)),
    ],
)
def test_a_text_becomes_a_value(text: str, c_type: Type, value: Argument) -> None:
    assert parse_argument("x", text, c_type) == value


@pytest.mark.parametrize(
    ("text", "c_type", "reason"),
    [
        ("2147483648", I32, "x (int) is from -2147483648 to 2147483647, not 2147483648."),
        ("-1", U32, "x (unsigned int) is from 0"),
        ("2.5", I32, "x (int) is a whole number, not “2.5”."),
        ("9" * 5000, I32, "is a whole number"),
        ("four", F32, "x (float) is a number, not “four”."),
        ("nan(7)", F32, "is a number"),
        ("٣", I32, "is a whole number"),
        ("yes", BOOL, "x is true or false, not “yes”."),
        ("12:ones", Pointer(F32), "COUNT:random"),
        ("-3", Pointer(F32), "not “-3”"),
        ("1.5", Pointer(F32), "not “1.5”"),
        ("", Pointer(F32), "not “”"),
        ("99999999999", Pointer(F32), "256 MiB are allowed"),
        ("9999999999999999", Pointer(F32), "256 MiB are allowed"),
        ("67108865", Pointer(F32), "x takes 257 MiB; 256 MiB are allowed."),
        ("@nowhere.npy", Pointer(F32), "x: nowhere.npy cannot be read"),
        ("3", PAIR, "x (Pair) is given member by member: x.key, x.weight."),
    ],
)
def test_a_text_that_gives_no_value_has_a_reason(text: str, c_type: Type, reason: str) -> None:
    refused = parse_argument("x", text, c_type)
    assert isinstance(refused, Message)
    assert reason in str(refused)


def test_a_file_gives_its_array(tmp_path: Path) -> None:
    array = np.arange(6, dtype=">f4").reshape(2, 3)
    np.save(tmp_path / "a.npy", array)
    found = parse_argument("x", f"@{tmp_path / 'a.npy'}", Pointer(F32))
    assert isinstance(found, np.ndarray)
    np.testing.assert_array_equal(found, array)
    memory = initial_of(found, F32, seed=0).bytes
    assert memory is not None
    np.testing.assert_array_equal(memory.view(np.float32), range(6))
    result = result_of(memory.copy(), found, F32)
    assert result.dtype == array.dtype
    np.testing.assert_array_equal(result, array)


def test_an_empty_file_of_an_empty_array_is_one(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros((0, 3), np.float32))
    found = parse_argument("x", f"@{tmp_path / 'a.npy'}", Pointer(F32))
    assert isinstance(found, np.ndarray)
    assert found.shape == (0, 3)


def hostile_files(folder: Path) -> list[Path]:
    np.save(folder / "objects.npy", np.array([object()]), allow_pickle=True)
    np.savez(folder / "several.npz", a=np.zeros(1))
    (folder / "text.npy").write_text("no array")
    (folder / "nothing.npy").write_bytes(b"")
    with (folder / "huge.npy").open("wb") as stream:
        npy.write_array_header_1_0(stream, {"descr": "<f4", "fortran_order": False, "shape": (1 << 50,)})
    return sorted(folder.iterdir())


WRONG = {
    "huge.npy": "ends too soon: it has 0 of 4503599627370496 bytes.",
    "nothing.npy": "is not an .npy file: numpy.save writes one.",
    "objects.npy": "holds Python objects: an array of numbers is needed.",
    "several.npz": "holds several arrays; one .npy file is needed.",
    "text.npy": "is not an .npy file: numpy.save writes one.",
    "torn.npy": "is a damaged .npy file: its head says nothing of type and shape.",
}


def test_hostile_files_are_refused_in_our_words(tmp_path: Path) -> None:
    (tmp_path / "torn.npy").write_bytes(npy.magic(1, 0) + b"\x10\x00{'descr': '<f4'")
    for path in hostile_files(tmp_path):
        refused = parse_argument("x", f"@{path}", Pointer(F32))
        assert str(refused) == f"x: {path} {WRONG[path.name]}"


def test_a_file_larger_than_allowed_is_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros(1000, np.float32))
    assert isinstance(parse_argument("x", f"@{tmp_path / 'a.npy'}", Pointer(F32), largest=3999), Message)
    assert isinstance(parse_argument("x", f"@{tmp_path / 'a.npy'}", Pointer(F32), largest=4000), np.ndarray)


@pytest.mark.parametrize(
    ("c_type", "expected"),
    [
        (F32, np.arange(5, dtype=np.float32)),
        (F16, np.arange(5, dtype=np.float16)),
        (I64, np.arange(5, dtype=np.int64)),
        (None, np.arange(5, dtype=np.uint8)),
        (FLOAT4, np.arange(20, dtype=np.float32).reshape(5, 4)),
        (BFLOAT16, np.array([0, 0x3F80, 0x4000, 0x4040, 0x4080], np.uint16)),
    ],
)
def test_numbered_elements(c_type: Type | None, expected: Any) -> None:
    filled = Filled(5, Fill.ARANGE)
    found = result_of(held(filled, c_type), filled, c_type)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def test_a_struct_of_several_types_keeps_its_members() -> None:
    filled = Filled(3, Fill.ARANGE)
    found: Any = result_of(held(filled, PAIR), filled, PAIR)
    assert found["key"].tolist() == [0, 2, 4]
    assert found["weight"].tolist() == [1.0, 3.0, 5.0]


def test_random_elements_come_from_the_seed_and_stay_in_range() -> None:
    filled = Filled(4000, Fill.RANDOM)
    first, again, other = (held(filled, F32, seed).view(np.float32) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()
    assert -1 <= first.min() < -0.9
    assert 0.9 < first.max() < 1
    for scalar, most in ((I32, 255), (Scalar(Kind.SIGNED, 1), 127), (BOOL, 1)):
        values = held(filled, scalar, 1).view(np.int32 if scalar is I32 else np.int8)
        assert (values.min(), values.max()) == (0, most)


def test_what_costs_nothing_is_not_made() -> None:
    assert [initial_of(Filled(4, fill), F32, 0).held for fill in (None, Fill.ZEROS)] == [Held.UNDEFINED, Held.ZEROS]


def test_the_memory_of_a_file_comes_back_in_its_shape() -> None:
    array = np.asfortranarray(np.arange(8, dtype=np.float32).reshape(2, 4))
    memory = held(array, FLOAT4).copy()
    np.testing.assert_array_equal(memory.view(np.float32), np.arange(8))
    memory[:4] = 0xFF
    back = result_of(memory, array, FLOAT4)
    assert back.shape == (2, 4)
    assert back.dtype == np.float32
    assert array[0, 0] == 0


def test_a_good_launch_is_not_refused() -> None:
    assert refuse_launch(SCALE, request()) is None
    assert refuse_launch(SCALE, request(block=(32, 32, 1), grid=(2**31 - 1, 65535, 65535), blocks=(0, 2**40))) is None
    assert refuse_launch(kernel(shared=48 * 1024), request(arguments={}, shared_limit=64 * 1024, shared_bytes=16 * 1024)) is None


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"block": (0, 1, 1)}, "from 1 to 1024 threads along x, not 0"),
        ({"block": (1, 1, 65)}, "from 1 to 64 threads along z, not 65"),
        ({"block": (32, 33, 1)}, "32 × 33 × 1 = 1056 threads a block"),
        ({"grid": (1, 65536, 1)}, "from 1 to 65535 blocks along y, not 65536"),
        ({"shared_bytes": -1}, "cannot be -1 bytes"),
        ({"shared_bytes": 49153}, "unless the host asks for more"),
        ({"shared_bytes": 65537, "shared_limit": 65536}, "allows 65536 unless the host asks for more"),
        ({"shared_bytes": 65537, "shared_limit": 65536, "gpu": T4}, "65537 bytes of shared memory a block; this GPU allows 65536."),
        ({"shared_bytes": 300000}, "no GPU allows more than 232448"),
        ({"blocks": (1,)}, "There is no block 1: the grid's blocks are 0 to 0."),
        ({"blocks": ()}, "No block is chosen"),
        ({"blocks": (0, 0)}, "named twice"),
        ({"arguments": {"x": Filled(8)}}, "scale needs a value for n (int)."),
        ({"arguments": GOOD | {"m": 1}}, "scale has no parameter m, but: x, n."),
        ({"arguments": GOOD | {"n": Filled(1)}}, "n is a number (int), not an array."),
        ({"arguments": GOOD | {"n": 2**31}}, "n (int) is from"),
        ({"arguments": GOOD | {"n": 1.5}}, "n (int) is a whole number"),
        ({"arguments": GOOD | {"x": 3}}, "x (float*) needs an array, not a number."),
        ({"arguments": GOOD | {"x": Filled(-1)}}, "x cannot have -1 elements."),
        ({"arguments": GOOD | {"x": np.zeros(3, np.uint8)}}, "x: 3 bytes cannot be divided into elements of 4 bytes (float)."),
        ({"arguments": GOOD | {"x": Filled(1 << 20)}, "budget": Budget(bytes=1 << 20)}, "The arrays take 4 MiB; 1 MiB are allowed."),
    ],
)
def test_a_launch_that_cannot_work_is_refused(changes: dict[str, Any], reason: str) -> None:
    assert reason in str(refuse_launch(SCALE, request(**changes)))


def test_launch_bounds_and_static_shared_memory_are_kept() -> None:
    assert "__launch_bounds__ of scale allows 16" in str(refuse_launch(kernel(max_threads=16), request(arguments={})))
    assert "49156 bytes of static shared memory" in str(refuse_launch(kernel(shared=48 * 1024 + 4), request(arguments={})))


def test_a_grid_is_made_of_whole_clusters() -> None:
    odd = refuse_launch(kernel(cluster=(1, 2, 1)), request(grid=(3, 5, 1), arguments={}))
    assert str(odd) == "5 blocks along y are not whole clusters of 2."
    assert refuse_launch(kernel(cluster=(2, 4, 1)), request(grid=(4, 4, 7), arguments={})) is None


def test_pointers_to_pointers_are_refused() -> None:
    assert "points to pointers" in str(refuse_launch(kernel(variable("x", Pointer(Pointer(F32)))), request(arguments={"x": Filled(1)})))


def test_a_struct_is_given_member_by_member() -> None:
    matrix = Struct("Matrix", (Field("width", I32, 0), Field("elements", Pointer(F32), 8)), 16, 8)
    taking = kernel(variable("A", matrix))
    assert argument_types(taking) == {"A.width": I32, "A.elements": Pointer(F32)}
    assert refuse_launch(taking, request(arguments={"A.width": 2, "A.elements": Filled(4)})) is None


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (None, [0, 1, 2, 0, 1, 2]),
        (IndexArrangement.EQUAL, [2, 2, 2, 2, 2, 2]),
        (IndexArrangement.SORTED, [0, 0, 1, 1, 2, 2]),
        (IndexArrangement.REVERSED, [2, 2, 1, 1, 0, 0]),
        (IndexArrangement.BELOW, [-1, 1, 2, 0, 1, 2]),
        (IndexArrangement.BEYOND, [1 << 28, 1, 2, 0, 1, 2]),
    ],
)
def test_whole_numbers_are_taken_modulo_a_limit_and_brought_into_an_order(order: IndexArrangement | None, expected: list[int]) -> None:
    text = "6:arange:3" + (f":{order}" if order else "")
    given = parse_argument("p", text, Pointer(I32))
    assert given == Filled(6, Fill.ARANGE, 3, order)
    assert text_of(given) == text
    held = initial_of(given, I32, 0).bytes
    assert held is not None
    assert held.view(np.int32).tolist() == expected


def test_floats_keep_their_order_and_a_file_can_be_rearranged(tmp_path: Path) -> None:
    assert np.array_equal(arranged(np.array([2.0, 1.0]), IndexArrangement.SORTED), [2.0, 1.0])
    np.save(tmp_path / "i.npy", np.array([[3, 1], [2, 0]], np.int16))
    given = parse_argument("p", f"@{tmp_path / 'i.npy'}:reversed", Pointer(I32))
    assert isinstance(given, np.ndarray)
    assert given.tolist() == [[3, 2], [1, 0]]
    assert isinstance(parse_argument("p", f"@{tmp_path / 'i.npy'}:shuffled", Pointer(I32)), Message)


def test_what_is_drawn_is_sent_as_its_recipe_and_is_the_same_there() -> None:
    drawn, other = initial_of(Filled(1 << 16, Fill.RANDOM), F32, 3), initial_of(Filled(1 << 16, Fill.RANDOM), F32, 4)
    sent = pickle.dumps(drawn)
    assert len(sent) < 1000
    arguments._made.cache_clear()
    received = pickle.loads(sent)
    assert drawn.bytes is not None
    assert other.bytes is not None
    assert np.array_equal(received.bytes, drawn.bytes)
    assert not np.array_equal(received.bytes, other.bytes)
    assert not received.bytes.flags.writeable
