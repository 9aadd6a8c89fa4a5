"""Records what a GPU leaves in the outputs of tests/corpus/instructions, bit for bit, on a machine with an H200, CuPy and CUDA's headers.

    python -m tests.witnesses.instructions_record tests/golden/instructions_9_0.json [NAME ...]

Each kernel runs once, compiled for sm_90a, in a process of its own: some never end or end with an error, by design. Written is the output's
bytes in hexadecimal, or what became of the kernel, and whether a clean kernel left what `tests/oracle/instructions.py` says. The kernels
are read without the interpreter, so that those are recorded too that it does not execute. Maps of tensors are made as a program's host side
makes them.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.oracle.instructions import OUTPUTS, small
from tests.witnesses.gpu_tensor_map import DECLARED, encoded

FOLDER = Path(__file__).resolve().parents[1] / "corpus" / "instructions"
SECONDS = 20.0
TYPES = {
    "unsigned short": "u2", "unsigned": "u4", "int": "i4", "float": "f4", "double": "f8", "signed char": "i1", "__half": "f2",
    "__nv_bfloat16": "u2",
}  # fmt: skip
_KERNEL = re.compile(r"__global__[^;{]*?void (\w+)\(([^)]*)\)")
_MAP = re.compile(r"^// launch: .* (\w+)=(\w+):arange:box=(\w+):swizzle=(\d+)", re.MULTILINE)
_LAUNCH = re.compile(r"^// launch: grid=(\S+) block=(\S+) args: (.*?)(?: budget: .*)?$", re.MULTILINE)


def parts(path: Path) -> tuple[str, str, list[tuple[str, str]], re.Match[str]]:
    """Text, the kernel's name, the types and names of its parameters, and the line that says how it is launched."""
    text = path.read_text(encoding="utf-8")
    kernel, launch = _KERNEL.search(text), _LAUNCH.search(text)
    assert kernel is not None
    assert launch is not None
    declared = [each.replace("const ", "").replace("__grid_constant__ ", "").strip().rsplit(" ", 1) for each in kernel[2].split(",")]
    return text, kernel[1], [(kind, name) for kind, name in declared], launch


def given(path: Path) -> dict[str, Any]:
    """The arguments in the order of the parameters: arrays, and whole numbers."""
    _, _, parameters, launch = parts(path)
    written = dict(each.split("=", 1) for each in launch[3].split())
    seeds = {name: seed for seed, name in enumerate((each for each in "AB" if each in written), 1)}
    return {name: _value(kind, written[name], seeds.get(name)) for kind, name in parameters if kind != "CUtensorMap"}


def _value(kind: str, written: str, seed: int | None) -> Any:
    if kind == "int":
        return np.int32(written)
    count, _, fill = written.partition(":")
    numbers = np.arange(int(count)) if fill == "arange" else np.zeros(int(count))
    if seed is not None:
        numbers = small(int(count), seed)
    if kind == "__nv_bfloat16*":
        return (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return numbers.astype(TYPES[kind.rstrip("*")])


def expected(name: str, arguments: dict[str, Any]) -> npt.NDArray[np.float64] | None:
    """What a clean kernel should leave; None for a defect."""
    if name.startswith("defect-"):
        return None
    values = OUTPUTS[name]
    operands = {each: small(len(arguments[each]), seed) for seed, each in enumerate((n for n in "AB" if n in arguments), 1)}
    return np.asarray(values(operands) if callable(values) else values, np.float64)


def launch_once(path: Path) -> None:
    """Launch the kernel of a file, and print its output's bytes."""
    import cupy
    from cupy.cuda import Module

    from kernels.gpu.compiler import compile_options, compile_text, supported_capabilities

    text, kernel, _, launch = parts(path)
    options = compile_options(90, supported_capabilities(), {}, specific=True)
    module = Module()
    module.load(
        compile_text(text.replace("__global__", 'extern "C" __global__', 1).replace("#include <cuda.h>\n", DECLARED), path.name, options)
    )
    arguments = given(path)
    placed = {name: cupy.asarray(value) if isinstance(value, np.ndarray) else value for name, value in arguments.items()}
    mapped = _MAP.search(text)
    if mapped is not None:
        rows, columns = (tuple(map(int, mapped[each].split("x"))) for each in (2, 3))
        tensor = np.arange(np.prod(rows), dtype=np.float32).reshape(rows)
        there = cupy.asarray(tensor)
        placed[mapped[1]] = encoded(there.data.ptr, tensor, columns[::-1], int(mapped[4]))
    grid, block = (tuple(map(int, launch[each].split(","))) for each in (1, 2))
    module.get_function(kernel)(grid, block, tuple(placed[name] for _, name in parts(path)[2]))
    cupy.cuda.runtime.deviceSynchronize()
    output = placed["C" if "C" in placed else "out"].get()
    wanted = expected(path.stem, arguments)
    sys.stdout.write(json.dumps({
        "output": output.tobytes().hex(), "right": None if wanted is None else bool(np.array_equal(output.astype(np.float64), wanted)),
    }))  # fmt: skip


def recorded(path: Path) -> dict[str, Any]:
    """What one kernel left, or what became of it."""
    run = [sys.executable, "-m", "tests.witnesses.instructions_record", "--launch", str(path)]
    try:
        ran = subprocess.run(run, capture_output=True, text=True, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return {"never_ended": SECONDS}
    found: dict[str, Any] = json.loads(ran.stdout) if ran.returncode == 0 else {"failed": ran.stderr.strip().splitlines()[-1:]}
    return found


def main(out: Path, only: list[str]) -> None:
    """Record all, or some beside what is known, and say which are not right."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    machine = subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    paths = [path for path in sorted(FOLDER.glob("*.cu")) if not only or path.stem in only]
    before = json.loads(out.read_text(encoding="utf-8")) if only and out.exists() else {"kernels": {}}
    known, machines = before["kernels"], "; ".join(dict.fromkeys([*before.get("machine", machine).split("; "), machine]))
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        kernels = known | dict(zip((path.stem for path in paths), pool.map(recorded, paths), strict=True))
    out.write_text(json.dumps({"machine": machines, "kernels": kernels}, indent=1) + "\n", encoding="utf-8")
    wrong = [name for name, found in kernels.items() if not name.startswith("defect-") and not found.get("right")]
    sys.stdout.write(f"{len(kernels)} kernels, not right: {', '.join(wrong) or 'none'}\n")


if __name__ == "__main__":
    if sys.argv[1] == "--launch":
        launch_once(Path(sys.argv[2]))
    else:
        main(Path(sys.argv[1]), sys.argv[2:])
