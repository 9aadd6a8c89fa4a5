"""Records what compute-sanitizer's racecheck says of the corpus' kernels that use shared memory, on a machine with a GPU.

    python -m tests.witnesses.racecheck_record prepare FOLDER [all]
                          here, with nvcc: cubins with lines, launches, and FOLDER/run.sh
    FOLDER/run.sh         on the machine with the GPU, which needs no Python: FOLDER/out/logs.tar.gz
    python -m tests.witnesses.racecheck_record read FOLDER/out/logs.tar.gz OUT.json

If not said otherwise those are prepared that OUT.json, the golden record, does not have; what is read is put beside what it has.

The result lies in `tests/golden/racecheck_h100.json`; `test_racecheck.py` compares which kernels race, and between which lines. Kernels
that hang, fault or never end by design are left out. Each runs once in a process of its own (`racecheck_launch.cu`), with the arguments
that its file says.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from elftools.elf.elffile import ELFFile

from kernels.simt import ir
from kernels.simt.base.launch import Filled
from kernels.simt.base.layout import leaves, scalar_dtype, size_of
from kernels.simt.run.arguments import initial_of
from tests.oracle.corpus import Case, files, read
from tests.oracle.instructions import filled

HERE = Path(__file__).parent
RECORD = HERE.parent / "golden" / "racecheck_h100.json"
RACES = frozenset({"data-race", "uninitialised-read", "asynchronous-access"})
"""What a kernel may have that ends on a GPU all the same."""
_HAZARD = re.compile(r"========= (?:Error|Warning|Info): (?:\([^)]*\) )?Potential \w+ hazard")
_PAIR = re.compile(r"Race reported between (?:.*\n=========  .*)*")
_LINE = re.compile(r"\.cu:(\d+)")
_ENTRY = re.compile(r"^\.text\.(\S+)$")
_RUN = """#!/bin/bash
# seconds: 110
# quiet: no
# What racecheck says of each kernel; out/logs.tar.gz holds a log of each.
out=${OUT:-$PWD/out}; mkdir -p "$out" logs
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader > logs/machine.txt 2>&1
compute-sanitizer --version 2>&1 | tail -1 > logs/tool.txt
nvcc -O1 -o launch racecheck_launch.cu -lcuda > logs/build.txt 2>&1 || { cat logs/build.txt; cp logs/build.txt "$out"; exit 1; }
one() {
    name=$(basename "$1" .cubin)
    tool="compute-sanitizer --tool racecheck --racecheck-report all --print-limit 100000"
    timeout 40 $tool ./launch "$1" "${1%.cubin}.job" > "logs/$name.log" 2>&1
    echo "ended with $?" >> "logs/$name.log"
}
export -f one
ls cubins/*.cubin | timeout 100 xargs -P 16 -I@ bash -c 'one @'
tail -qn 1 logs/*.log | sort | uniq -c
tar czf "$out/logs.tar.gz" logs
"""


def chosen() -> list[Path]:
    """The kernels that use shared memory and end whatever races."""
    return [path for path in (*files("bugs"), *files("clean"), *files("instructions")) if _fits(read(path))]


def _fits(case: Case) -> bool:
    """A map of a tensor is made by a program's host side, which there is none of."""
    shared = any(each.space is ir.Space.SHARED for each in case.kernel.globals)
    return shared and {kind for kind, _ in case.findings} <= RACES and "CUtensorMap" not in case.text and " budget: " not in case.text


def prepared(path: Path) -> Case:
    """A kernel with its launch; those of tensor cores with the operands that their file says nothing of."""
    case = read(path)
    return replace(case, request=filled(case.kernel, case.request)) if path.parent.name == "instructions" else case


def prepare(folder: Path, *, everything: bool) -> None:
    """Write all that the machine with the GPU needs."""
    (folder / "cubins").mkdir(parents=True, exist_ok=True)
    known = {} if everything else json.loads(RECORD.read_text(encoding="utf-8"))["kernels"]
    for path in [each for each in chosen() if f"{each.parent.name}/{each.name}" not in known]:
        case, cubin = prepared(path), folder / "cubins" / f"{path.parent.name}.{path.stem}.cubin"
        symbol = _compiled(case, path, cubin)
        cubin.with_suffix(".job").write_text(_job(case, symbol), encoding="ascii")
    shutil.copy(HERE / "racecheck_launch.cu", folder)
    (folder / "run.sh").write_text(_RUN, encoding="ascii")
    (folder / "run.sh").chmod(0o755)


def _compiled(case: Case, path: Path, cubin: Path) -> str:
    """Compile the file, its lines kept, and return the name of its kernel in the code."""
    text = path
    if "<" in case.kernel.entry:  # a template is compiled where something asks for it
        text = cubin.with_name(path.name)
        text.write_text(f"{case.text}\nauto asked_for = {case.kernel.entry};\n", encoding="utf-8")
    command = ["nvcc", "-cubin", "-arch=sm_90a", "-lineinfo", "-std=c++17", "-o", str(cubin), str(text)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    with cubin.open("rb") as code:
        names = {found[1] for section in ELFFile(code).iter_sections() if (found := _ENTRY.match(section.name))}
    bare = case.kernel.entry.partition("<")[0]
    (symbol,) = [each for each in names if bare in each]
    return symbol


def _job(case: Case, symbol: str) -> str:
    """The launch as `racecheck_launch.cu` reads it: a line for the kernel, one for each parameter and one for each array."""
    request = case.request
    together = int("grid_group" in case.text or "this_grid" in case.text)
    written = [f"{symbol} {' '.join(map(str, (*request.grid, *request.block, request.shared_bytes, together)))}"]
    for position, parameter in enumerate(case.kernel.parameters):
        content, arrays = np.zeros(max(size_of(parameter.type), 1), np.uint8), []
        for name, kind, offset in leaves(parameter.type, parameter.name):
            given = request.arguments[name]
            if isinstance(kind, ir.Pointer):
                arrays.append(f"array {position} {offset} {_bytes(given, kind, request.seed).hex() or '00'}")
            else:
                scalar = np.array([given]).astype(scalar_dtype(kind))
                content[offset : offset + scalar.nbytes] = scalar.view(np.uint8)
        written += [f"parameter {content.tobytes().hex()}", *arrays]
    return "\n".join(written) + "\n"


def _bytes(given: Any, kind: ir.Pointer, seed: int) -> bytes:
    """What an array holds before the launch; bytes of ones where nothing is said."""
    initial = initial_of(given, kind.target, seed)
    if initial.bytes is not None and len(initial.bytes):
        return bytes(np.asarray(initial.bytes))
    assert isinstance(given, Filled)
    return (b"\xff" if given.fill is None else b"\x00") * (given.count * size_of(kind.target))


def recorded(log: str) -> dict[str, Any]:
    """How many hazards the tool reports on one kernel, and between which lines; or how it failed."""
    if not log.rstrip().endswith("ended with 0"):
        return {"failed": log[-500:]}
    return {"hazards": len(_HAZARD.findall(log)), "lines": lines_of(log)}


def lines_of(report: str) -> list[list[int]]:
    """The lines of each pair of accesses between which a race is reported, each pair once; a report names one access, then others."""
    found = ([int(line) for line in _LINE.findall(each)] for each in _PAIR.findall(report))
    return [list(pair) for pair in sorted({(min(first, each), max(first, each)) for first, *others in found for each in others})]


def main(logs: Path, out: Path) -> None:
    """Read the logs of all kernels."""
    with tarfile.open(logs) as archive:
        texts = {Path(each.name).name: archive.extractfile(each) for each in archive.getmembers() if each.isfile()}
        read_texts = {name: file.read().decode() for name, file in sorted(texts.items()) if file is not None}
    kernels = {
        name.removesuffix(".log").replace(".", "/", 1) + ".cu": recorded(log) for name, log in read_texts.items() if name.endswith(".log")
    }
    known = json.loads(out.read_text(encoding="utf-8")) if out.exists() else {"kernels": {}}
    machines = dict.fromkeys([*known.get("machine", "").split("; "), read_texts["machine.txt"].splitlines()[0]])
    result = {"machine": "; ".join(filter(None, machines)), "tool": read_texts["tool.txt"].strip(), "kernels": known["kernels"] | kernels}
    out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1] == "prepare":
        prepare(Path(sys.argv[2]), everything=sys.argv[3:] == ["all"])
    else:
        main(Path(sys.argv[2]), Path(sys.argv[3]))
