"""Compares the model of tensor cores with a GPU of compute capability 9.0, on a machine with one and CuPy. Takes a minute on 16 cores.

    python -m tests.witnesses.tensor_core_record tests/golden/tensor_cores_9_0.json [NAME ...]
    python -m tests.witnesses.tensor_core_record tests/golden/tensor_cores_9_0.json again

With names of instructions only these are recorded, and what is in the file of others stays. The second compares what the model computes now
with the hashes of all outputs that differed, and needs no GPU.

Each instruction gets seeded random operands of several sorts, packed into registers or shared memory as `kernels/simt/base` says; what
comes out is compared bit by bit. Of each sort the record has how many outputs differ, the hash of all outputs and of the first sets', and
the first differences with their operands: what to change in the model can be read off them. One-hot operands tell a wrong place from wrong
arithmetic.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.gpu.compiler import compile_text
from kernels.simt.base.fragments import BITS
from kernels.simt.base.swizzle import MatrixDescriptor
from kernels.simt.base.tensor_cores import product
from tests.witnesses.tensor_core_texts import MMA, WGMMA, WGMMA_COLUMNS, Instruction, mma_text, wgmma_text

Array = npt.NDArray[Any]
SETS = {"mma": 10_000, "wgmma": 2_000, "f64": 10_000, "large": 200}
"""Operand sets of each instruction and sort."""
FIRST = 32
"""The hash of so many sets is kept by itself, for those who execute fewer."""
EXAMPLES = 20
IMAGE_BYTES, B_AT = 16384, 8192
SORTS = ("near", "wide", "any", "tiny", "low", "cancelling", "special", "one-hot")
FEWER = {"s8": ("any",), "f64": ("near", "wide", "cancelling", "one-hot")}
"""Those of whole numbers, and of what is slow here with exponents far apart."""
VALUES = {"f16": np.float16, "tf32": np.float32, "f64": np.float64, "f32": np.float32, "s8": np.int8, "s32": np.int32}
EXPONENTS = {"f16": (10, 31), "bf16": (7, 255), "tf32": (23, 255), "f32": (23, 255), "f64": (52, 2047)}
"""Bits of the fraction, and the exponent of what is no number, as stored."""
LOW = {"f16": (1, 9), "bf16": (50, 68), "tf32": (50, 68)}
"""Exponents, as stored, whose products are about the least number of a sum."""


def operands(random: np.random.Generator, kind: str, shape: tuple[int, ...], sort: str) -> Array:
    """Bits of random numbers: within few or many powers of two, any, close to zero, with products close to the least number that a sum
    can be, with infinities, or a single 1 in each set."""
    size = BITS.get(kind, 32)
    bits = random.integers(0, 1 << size, shape, np.uint64, endpoint=False) if size < 64 else random.integers(0, 2**64 - 1, shape, np.uint64)
    if kind in ("s8", "s32"):
        return bits.astype(f"u{size // 8}")
    fraction, limit = EXPONENTS[kind]
    middle = limit // 2
    low, high = {"near": (middle - 2, middle + 3), "wide": (middle - 12, middle + 12), "cancelling": (middle - 8, middle + 8),
                 "tiny": (0, 4), "low": LOW.get(kind, (0, 4)), "any": (0, limit)}.get(sort, (0, 1))  # fmt: skip
    exponent = random.integers(low, min(high, limit), shape, np.uint64)
    sign, rest = bits >> np.uint64(size - 1) << np.uint64(size - 1), bits & np.uint64((1 << fraction) - 1)
    if sort == "special":  # few of them, and zeros of both signs
        exponent = np.where(
            random.random(shape) < 0.97, np.uint64(middle), np.where(random.random(shape) < 0.5, np.uint64(limit), np.uint64(0))
        )
        rest = np.where(random.random(shape) < 0.5, rest, np.uint64(0))
    if sort == "one-hot":
        sign, rest, exponent = (np.zeros(shape, np.uint64) for _ in range(3))
        exponent.reshape(shape[0], -1)[np.arange(shape[0]), random.integers(0, exponent[0].size, shape[0])] = middle
    stored = np.asarray(sign | exponent << np.uint64(fraction) | rest).astype(f"u{size // 8}")
    if sort == "cancelling":  # neighbours along the last axis differ in sign alone
        stored[..., 1::2] = stored[..., : stored.shape[-1] // 2 * 2 : 2] ^ np.asarray(1 << size - 1, stored.dtype)
    return stored


def drawn(instruction: Instruction, sort: str, sets: int) -> tuple[Array, Array, Array]:
    """A, B and C of each set, as bits; the same for the same name."""
    random = np.random.default_rng(list(f"{instruction.name} {sort}".encode()))
    m, n, k = instruction.m, instruction.n, instruction.k
    shapes, kinds = ((sets, m, k), (sets, k, n), (sets, m, n)), (instruction.kind, instruction.kind, instruction.sums)
    a, b, c = (operands(random, kind, shape, sort) for kind, shape in zip(kinds, shapes, strict=True))
    if sort == "low":
        c = operands(random, instruction.sums, shapes[2], "tiny")
        c[::2] = 0
    if sort == "one-hot":
        c[:] = 0
        if instruction.kind not in ("s8", "s32"):  # B has as many different numbers as a half can count
            b = np.arange(sets * k * n).reshape(b.shape) % 251 + 1
            b = {"bf16": lambda: (b.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)}.get(
                instruction.kind, lambda: b.astype(VALUES[instruction.kind]).view(a.dtype))()  # fmt: skip
    return a, b, c


def expected(instruction: Instruction, a: Array, b: Array, c: Array) -> Array:
    """What the model computes, as bits; a few sets at a time."""
    start = c.view(VALUES[instruction.sums])
    parts = [product(a[i : i + 200], b[i : i + 200], start[i : i + 200], instruction.kind) for i in range(0, len(a), 200)]
    return np.concatenate(parts).view(c.dtype)


def images(instruction: Instruction, a: Array, b: Array) -> tuple[Array, int, int]:
    """Shared memory of each set, with the bits of both descriptors, which count from its beginning."""
    span, size = instruction.span or 0, BITS[instruction.kind]
    offsets = {("K", True): (16, 8 * span), ("K", False): (128, 256), ("MN", True): (16 * span, 8 * span), ("MN", False): (1024, 128)}
    leading, stride = offsets[instruction.major, span > 0]
    image = np.zeros((len(a), IMAGE_BYTES * 8 // size), a.dtype)
    found = []
    for matrix, at in ((a, 0), (b.swapaxes(1, 2), B_AT)):
        descriptor = MatrixDescriptor(at, leading, stride, span)
        places = descriptor.addresses(matrix.shape[1], instruction.k, size, instruction.major) * 8 // size
        image[:, places] = matrix
        found.append(descriptor.bits)
    return image, found[0], found[1]


def executed(instruction: Instruction, a: Array, b: Array, c: Array) -> Array:
    """What the GPU computes, as bits."""
    import cupy

    sets, maps = len(a), instruction.maps()
    start = cupy.asarray(np.ascontiguousarray(maps[-1].pack(c)))
    out = cupy.zeros_like(start)
    if instruction.span is None:
        run = compiled(mma_text(instruction))
        run((sets,), (32,), (cupy.asarray(maps[0].pack(a)), cupy.asarray(maps[1].pack(b)), start, out))
    else:
        run = compiled(wgmma_text(instruction, IMAGE_BYTES))
        image, a_bits, b_bits = images(instruction, a, b)
        run((sets,), (128,), (cupy.asarray(image), start, out, np.uint64(a_bits), np.uint64(b_bits)), shared_mem=IMAGE_BYTES)
    return maps[-1].elements(cupy.asnumpy(out))


@cache
def compiled(text: str) -> Any:
    """The kernel of a text, ready to be launched."""
    from cupy.cuda import Module

    module = Module()
    module.load(compile_text(text, "run.cu", ("--gpu-architecture=sm_90a",)))
    return module.get_function("run")


def sets_of(instruction: Instruction) -> int:
    """How many operand sets an instruction gets of each sort."""
    if instruction.span is not None:
        return SETS["large" if instruction.n > WGMMA_COLUMNS else "wgmma"]
    return SETS.get(instruction.kind, SETS["mma"])


def modelled(instruction: Instruction, sort: str) -> tuple[Array, ...]:
    """All operand sets of a sort, and what the model computes of them."""
    given = drawn(instruction, sort, sets_of(instruction))
    return *given, expected(instruction, *given)


def compared(instruction: Instruction, sort: str, a: Array, b: Array, c: Array, here: Array) -> dict[str, Any]:
    """The record of one instruction and sort; `here` is what the model computes."""
    there = executed(instruction, a, b, c)
    places = np.argwhere(there != here)
    examples = [{"a": hexadecimal(a[s, i]), "b": hexadecimal(b[s, :, j]), "c": hexadecimal(c[s, i, j]), "gpu": hexadecimal(there[s, i, j]),
                 "model": hexadecimal(here[s, i, j])} for s, i, j in places[:EXAMPLES].tolist()]  # fmt: skip
    return {
        "instruction": instruction.name, "sort": sort, "sets": len(a), "outputs": there.size, "differ": len(places),
        "sha256": digest(there), "first": digest(there[:FIRST]), "examples": examples,
    }  # fmt: skip


def digest(array: Array) -> str:
    """The first half of the hash of an array's bytes."""
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:32]


def hexadecimal(bits: Array) -> str:
    """Numbers in hexadecimal, the first one first."""
    return " ".join(f"{int(each):0{2 * bits.dtype.itemsize}x}" for each in np.atleast_1d(bits))


def records(only: list[str]) -> Iterator[dict[str, Any]]:
    """One record after the other, of all or of some instructions; what fails is told as such."""
    chosen = [each for each in (*MMA, *WGMMA) if not only or each.name in only]
    every = [(instruction, sort) for instruction in chosen for sort in FEWER.get(instruction.kind, SORTS)]
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        waiting = [pool.submit(modelled, *each) for each in every]
        for (instruction, sort), done in zip(every, waiting, strict=True):
            try:
                yield compared(instruction, sort, *done.result())
            except Exception as error:  # the others are still wanted
                yield {"instruction": instruction.name, "sort": sort, "failed": repr(error)[:500]}


def again(path: Path) -> None:
    """Where the model now leaves the GPU's hash, nothing differs any more."""
    record = json.loads(path.read_text(encoding="utf-8"))
    for each in record["records"]:
        if each["differ"]:
            instruction = next(one for one in (*MMA, *WGMMA) if one.name == each["instruction"])
            if digest(modelled(instruction, each["sort"])[-1]) == each["sha256"]:
                each.update(differ=0, examples=[])
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def main(out: Path, only: list[str]) -> None:
    """Compare, write what there is after each comparison, say what differs."""
    import cupy

    properties = cupy.cuda.runtime.getDeviceProperties(0)
    known = json.loads(out.read_text(encoding="utf-8"))["records"] if only and out.exists() else []
    record: dict[str, Any] = {"machine": properties["name"].decode(), "runtime": cupy.cuda.runtime.runtimeGetVersion(),
                              "records": [each for each in known if each["instruction"] not in only]}  # fmt: skip
    for each in records(only):
        record["records"].append(each)
        out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        if each.get("differ") or "failed" in each:
            said = each.get("failed") or f"{each['differ']} of {each['outputs']} differ"
            sys.stdout.write(f"{each['instruction']} {each.get('sort', '')}: {said}\n")


if __name__ == "__main__":
    again(Path(sys.argv[1])) if sys.argv[2:] == ["again"] else main(Path(sys.argv[1]), sys.argv[2:])
