"""Records what ldmatrix, stmatrix, cp.async and copies of boxes by tensor maps leave on a GPU of compute capability 9.0.

    python -m tests.witnesses.copies_record tests/golden/copies_9_0.json BOXES.npz

10,000 random sets of each shape of ldmatrix, stmatrix and cp.async are compared with the model there, and random boxes leave their outputs'
hashes in the record. Sets that differ are kept in full, and so are all boxes, in BOXES.npz.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from tests.witnesses.copies_texts import MOVES, Box, Move, box_text, boxes
from tests.witnesses.gpu_tensor_map import DECLARED, encoded
from tests.witnesses.tensor_core_record import compiled

SETS, FIRST = 10_000, 32
"""Operand sets of each shape; the hash of the first of them is kept by itself, for those who execute fewer."""
EXAMPLES = 3


def digest(array: npt.NDArray[Any]) -> str:
    """The first half of the hash of an array's bytes."""
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:32]


def moved(move: Move) -> dict[str, Any]:
    """The record of one shape."""
    import cupy

    data, place, source = move.drawn(SETS)
    wanted = move.expected(data, place, source)
    out = cupy.zeros(wanted.shape, np.uint32)
    compiled(move.text)((SETS,), (32,), (*map(cupy.asarray, (data, place, source)), out))
    found = cupy.asnumpy(out)
    wrong = np.flatnonzero((found != wanted).any(axis=1))
    return {
        "instruction": move.title, "sets": SETS, "differ": len(wrong), "sha256": digest(found), "first": digest(found[:FIRST]),
        "examples": [{"set": int(each), "found": found[each].tolist()} for each in wrong[:EXAMPLES]],
    }  # fmt: skip


def copied(box: Box) -> npt.NDArray[np.uint8]:
    """Shared memory, or the tensor, behind one copy of a box."""
    import cupy

    tensor = box.tensor
    there, image = cupy.asarray(tensor), image_of(box)
    out = cupy.zeros(box.words, np.uint32)
    coordinates = [np.int32(each) for each in (*box.start, 0, 0, 0, 0)[:5]]
    run = compiled(DECLARED + box_text(len(box.box), box.store))
    mapped = encoded(there.data.ptr, tensor, box.box, box.span)
    arguments = (mapped, cupy.asarray(image), out, np.int32(box.bytes), np.int32(box.words), *coordinates)
    run((1,), (32,), arguments, shared_mem=box.words * 4)
    cupy.cuda.runtime.deviceSynchronize()
    return np.ascontiguousarray(cupy.asnumpy(there if box.store else out)).view(np.uint8).ravel()


def image_of(box: Box) -> npt.NDArray[np.uint32]:
    """Shared memory before the copy: numbers from above those of the tensor for a store, ones for a load."""
    words = np.arange(box.words, dtype=np.uint32)
    return np.asarray(words + np.uint32(0xA0000000) if box.store else words | np.uint32(0xFFFFFFFF))


def main(out: Path, whole: Path) -> None:
    """Record all; what fails is told as such, the others are still wanted."""
    import cupy

    properties = cupy.cuda.runtime.getDeviceProperties(0)
    moves, placed, outputs = [], [], dict[str, npt.NDArray[np.uint8]]()
    for move in MOVES:
        try:
            moves.append(moved(move))
        except Exception as error:
            moves.append({"instruction": move.title, "failed": repr(error)[:500]})
    with ProcessPoolExecutor(14, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as pool:  # an error ends a process's GPU
        waiting = [pool.submit(copied, box) for box in boxes()]
        for box, copy in zip(boxes(), waiting, strict=True):
            try:
                outputs[str(box.number)] = copy.result()
                placed.append({"box": box.number, "sha256": digest(outputs[str(box.number)])})
            except Exception as error:
                placed.append({"box": box.number, "failed": repr(error)[:500]})
    record = {"machine": properties["name"].decode(), "runtime": cupy.cuda.runtime.runtimeGetVersion(), "moves": moves, "boxes": placed}
    out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    np.savez_compressed(whole, **cast("dict[str, Any]", outputs))
    bad = [each for each in (*moves, *placed) if each.get("differ") or "failed" in each]
    sys.stdout.write("".join(f"{ {key: value for key, value in each.items() if key != 'examples'} }\n" for each in bad))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
