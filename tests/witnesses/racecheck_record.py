"""Records what compute-sanitizer's racecheck says of the corpus' kernels that use shared memory, on a machine with a GPU and CUDA.

    python -m tests.witnesses.racecheck_record OUT.json

The result lies in `tests/golden/racecheck_h200.json`; `test_racecheck.py` compares which kernels race. `lines` are those of each pair of
accesses that the tool's analysis names, as far as it says any; what is recorded so far was made without them. Kernels that hang, fault or
never end by design are left out. Each runs in a process of its own under the tool, once, with the arguments that its file says.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from kernels.gpu.text_run import Arguments, TextRun, place, types_of
from kernels.simt import ir
from tests.oracle.corpus import FOLDER, Case, files, read

SECONDS = 60.0
RACES = frozenset({"data-race"})
_HAZARD = re.compile(r"========= (?:Error|Warning|Info): Potential \w+ hazard")
_PAIR = re.compile(r"Race reported between (?:.*\n=========  .*)*")
_LINE = re.compile(r"\.cu:(\d+)")


def chosen() -> list[Path]:
    """The kernels that use shared memory and at most race."""
    return [path for path in (*files("bugs"), *files("clean")) if _fits(read(path))]


def _fits(case: Case) -> bool:
    shared = any(each.space is ir.Space.SHARED for each in case.kernel.globals)
    return shared and {kind for kind, _ in case.findings} <= RACES


def launch(path: Path) -> None:
    """Launch the kernel of a file once."""
    import cupy
    from cupy.cuda import Module, driver

    from kernels.gpu.build import allow_shared, compile_entry, compile_options, supported_capabilities

    case = read(path)
    job = TextRun(case.text, case.kernel.entry, case.request, path)
    types = types_of(job)
    options = compile_options(int(cupy.cuda.Device().compute_capability), supported_capabilities(), {})
    code, symbol = compile_entry(case.text, case.kernel.entry, (*options, "-lineinfo"), path)
    module = Module()
    module.load(code)
    function = module.get_function(symbol)
    allow_shared(function, case.request.shared_bytes)
    given = Arguments(types, case.request.arguments, place(case.request.arguments, types, {}))
    stream = cupy.cuda.get_current_stream()
    driver.launchKernel(function.ptr, *case.request.grid, *case.request.block, case.request.shared_bytes, stream.ptr, given.address, 0)
    stream.synchronize()


def recorded(path: Path) -> dict[str, Any]:
    """How many hazards the tool reports on one kernel, and between which lines; or why it says nothing."""
    command = ["compute-sanitizer", "--tool", "racecheck", "--racecheck-report", "all", "--print-limit", "100000"]
    run = [*command, sys.executable, "-m", "tests.witnesses.racecheck_record", "--launch", str(path)]
    try:
        ran = subprocess.run(run, capture_output=True, text=True, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return {"failed": f"longer than {SECONDS} s"}
    if ran.returncode:
        return {"failed": (ran.stdout + ran.stderr)[-500:]}
    return {"hazards": len(_HAZARD.findall(ran.stdout)), "lines": lines_of(ran.stdout)}


def lines_of(report: str) -> list[list[int]]:
    """The lines of each pair of accesses between which a race is reported, each pair once."""
    found = (sorted(map(int, _LINE.findall(each))) for each in _PAIR.findall(report))
    return sorted({tuple(pair): pair for pair in found if pair}.values())


def main(out: Path) -> None:
    """Record all."""
    machine = subprocess.run(
        ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True, text=True, check=True
    )
    tool = subprocess.run(["compute-sanitizer", "--version"], capture_output=True, text=True, check=True).stdout.strip().splitlines()[-1]
    paths = chosen()
    with ThreadPoolExecutor(12) as pool:
        found = dict(zip((str(each.relative_to(FOLDER)) for each in paths), pool.map(recorded, paths), strict=True))
    out.write_text(json.dumps({"machine": machine.stdout.strip(), "tool": tool, "kernels": found}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1] == "--launch":
        launch(Path(sys.argv[2]))
    else:
        main(Path(sys.argv[1]))
