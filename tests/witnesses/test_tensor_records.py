"""What the interpreter makes of single matrix instructions and copies, and of the tensor-core rungs, against records of a GPU, bit for bit.

`tensor_core_record.py`, `copies_record.py` and `tensor_rungs_record.py` made the records; the texts executed here are those that ran there.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kernels.base.reference import random_inputs
from kernels.catalogue.case import Case
from kernels.simt.base.launch import Argument, Budget
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute
from kernels.simt.run.variant_launch import launch_spec
from kernels.simt.trace.launch_spec import LaunchSpec
from kernels.simt.trace.trace import Trace
from tests.launches.simt_launch import launch
from tests.unit.kernels.simt.lower.ptx.test_tensor_maps import tensor_map
from tests.witnesses.copies_record import FIRST as FIRST_MOVED
from tests.witnesses.copies_record import digest, image_of
from tests.witnesses.copies_texts import MOVES, Box, Move, box_text, boxes
from tests.witnesses.tensor_core_record import FEWER, FIRST, IMAGE_BYTES, SORTS, drawn, expected, images, sets_of
from tests.witnesses.tensor_core_texts import MMA, WGMMA, Instruction, mma_text, wgmma_text
from tests.witnesses.tensor_rungs_record import digest as output_digest
from tests.witnesses.tensor_rungs_record import key, points

Array = npt.NDArray[Any]
ROOT = Path(__file__).resolve().parents[2]
GOLDEN, HELP = ROOT / "tests" / "golden", ROOT / "resources" / "help"
SUMS = {"f32": np.float32, "f16": np.uint32, "s32": np.int32, "f64": np.float64}
EVERY = [(instruction, sort) for instruction in (*MMA, *WGMMA) for sort in FEWER.get(instruction.kind, SORTS)]


@cache
def recorded(name: str) -> dict[str, Any]:
    """A record."""
    found: dict[str, Any] = json.loads((GOLDEN / f"{name}_9_0.json").read_text(encoding="utf-8"))
    return found


@cache
def products() -> dict[tuple[str, str], dict[str, Any]]:
    """The record of each instruction and sort."""
    return {(each["instruction"], each["sort"]): each for each in recorded("tensor_cores")["records"]}


def interpreted(instruction: Instruction, a: Array, b: Array, c: Array) -> Array:
    """What the interpreter makes of the text that was launched."""
    maps = instruction.maps()
    start = np.ascontiguousarray(maps[-1].pack(c))
    given: dict[str, Argument]
    registers: dict[str, Argument] = {name: start.ravel().view(SUMS[instruction.sums]) for name in "CD"}
    if instruction.span is None:
        inputs = np.float64 if instruction.kind == "f64" else np.uint32
        given = {name: each.pack(bits).ravel().view(inputs) for name, each, bits in zip("AB", maps, (a, b), strict=False)}
        trace = launch(mma_text(instruction), len(a), 32, given | registers)
    else:
        image, a_bits, b_bits = images(instruction, a, b)
        given = {"image": image.ravel().view(np.uint32), "a": a_bits, "b": b_bits}
        trace = launch(wgmma_text(instruction, IMAGE_BYTES), len(a), 128, given | registers, shared_bytes=IMAGE_BYTES)
    return maps[-1].elements(trace.values["D"].view(start.dtype).reshape(start.shape))


@pytest.mark.parametrize(("instruction", "sort"), EVERY, ids=str)
def test_the_first_operand_sets_give_what_the_gpu_gave(instruction: Instruction, sort: str) -> None:
    given = tuple(each[:FIRST] for each in drawn(instruction, sort, sets_of(instruction)))
    found = expected(instruction, *given)
    assert digest(found) == products()[instruction.name, sort]["first"]
    if sort in ("wide", "any"):
        few = tuple(each[:4] for each in given)
        assert (interpreted(instruction, *few) == found[:4]).all()


def test_of_ten_thousand_sets_of_each_none_differs() -> None:
    assert set(products()) == {(instruction.name, sort) for instruction, sort in EVERY}
    assert {name: each["differ"] for name, each in products().items() if each["differ"]} == {}


@pytest.mark.parametrize(("language", "millions"), [("en", "{:.0f} million"), ("zh_CN", "{:.2f} 亿")])
def test_the_help_says_how_many_instructions_and_sums_were_compared(language: str, millions: str) -> None:
    page = (HELP / language / "tensor-cores.md").read_text(encoding="utf-8").replace("\n", " ")
    sums = sum(each["outputs"] for each in products().values())
    assert millions.format(sums / (1e6 if language == "en" else 1e8)) in page
    assert re.search(rf"\b{len({name for name, _ in products()})} (instructions|种指令)", page)


@pytest.mark.parametrize("move", MOVES, ids=lambda move: move.title)
def test_moves_leave_what_they_left_on_the_gpu(move: Move) -> None:
    (found,) = (each for each in recorded("copies")["moves"] if each["instruction"] == move.title)
    data, place, source = (each[:FIRST_MOVED] for each in move.drawn(found["sets"]))
    wanted = move.expected(data, place, source)
    assert found["differ"] == 0
    assert found["first"] == digest(wanted)
    arguments: dict[str, Argument] = {"data": data.ravel(), "place": place.ravel(), "from": source.ravel(),
                                      "out": np.zeros(wanted.size, np.uint32)}  # fmt: skip
    assert (launch(move.text, len(data), 32, arguments).values["out"].reshape(wanted.shape) == wanted).all()


def copied(box: Box) -> Trace:
    """The text that was launched, executed here."""
    given = {f"c{axis}": each for axis, each in enumerate((*box.start, 0, 0, 0, 0)[:5])}
    arguments: dict[str, Argument] = {
        **tensor_map(box.tensor, box.box, box.span), "in": image_of(box), "out": np.zeros(box.words, np.uint32), "bytes": box.bytes,
        "words": box.words, **given,
    }  # fmt: skip
    return launch("#include <cuda.h>\n" + box_text(len(box.box), box.store), 1, 32, arguments, shared_bytes=box.words * 4)


@pytest.mark.parametrize("box", boxes(), ids=lambda box: str(box.number))
def test_boxes_leave_what_they_left_on_the_gpu(box: Box) -> None:
    """Where a GPU stops with an illegal instruction, there is a finding."""
    (found,) = (each for each in recorded("copies")["boxes"] if each["box"] == box.number)
    trace = copied(box)
    assert bool(trace.findings) is ("failed" in found)
    if "failed" not in found:
        assert found["sha256"] == digest(trace.values["map.address" if box.store else "out"].view(np.uint8))


def computed(point: Case) -> Array:
    """A rung's output: its kernels, one after the other."""
    given: dict[str, Argument] = {name: matrix.ravel() for name, matrix in random_inputs(point.problem, 0).items()}
    spec: LaunchSpec | None = launch_spec(point.variant, point.problem, point.parameters)
    assert spec is not None
    for each in (spec.before, spec) if spec.before is not None else (spec,):
        assert each.entry is not None
        request = replace(each.launch, arguments={**each.launch.arguments, **given}, budget=Budget(seconds=300))
        trace = execute(lower(parse(each.text, defines=each.defines), each.entry), request, each.text)
        given.update({name: values for name, values in trace.values.items() if name not in "AB"})
    return np.asarray(given["C"])


@pytest.mark.parametrize("point", points(), ids=key)
def test_rungs_leave_what_they_left_on_the_gpu(point: Case) -> None:
    assert output_digest(computed(point)) == recorded("tensor_rungs")["outputs"][key(point)]
