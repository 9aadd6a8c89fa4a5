"""Records what whole programs print, and how they end, as nvcc builds them and a GPU runs them: the witness for those run without one.

    python tests/witnesses/nvcc_programs.py FOLDER OUT.json      on a machine with nvcc and a GPU; needs nothing of the project

The results lie in `tests/golden/programs_h200.json` and `programs_h100.json`, by the GPU; `test_programs_by_nvcc.py` compares.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

SECONDS = 60.0
CHILD = ("-rdc=true", "-lcudadevrt")
"""What nvcc needs for a program whose kernels launch kernels: its name says so."""


def recorded(source: Path, folder: Path) -> dict[str, Any]:
    """Build and run one program: output, status (128 and the signal where one ended it), or what nvcc says against it."""
    program = folder / source.stem
    linked = CHILD if "child" in source.stem else ()
    command = ["nvcc", "-O2", "-std=c++17", "-arch=native", *linked, "-o", str(program), str(source)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    if built.returncode:
        return {"not_built": built.stderr[-2000:]}
    said = dict(re.findall(r"^// (arguments|input): (.*)$", source.read_text(encoding="utf-8"), re.MULTILINE))
    given, typed = said.get("arguments", "").split(), said.get("input", "").replace("\\n", "\n")
    try:
        ran = subprocess.run(
            [program, *given], input=typed, capture_output=True, text=True, check=False, timeout=SECONDS, cwd=source.parent
        )
    except subprocess.TimeoutExpired:
        return {"timeout": SECONDS}
    return {"stdout": ran.stdout, "status": 128 - ran.returncode if ran.returncode < 0 else ran.returncode}


def _programs(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))["programs"]
    return found


def main(programs: Path, out: Path) -> None:
    """Record every program of a folder that has no record in `out` yet, nor in another file beside it; those without one are left out."""
    machine = subprocess.run(
        ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True, text=True, check=True
    )
    compiler = subprocess.run(["nvcc", "--version"], capture_output=True, text=True, check=True).stdout.strip().splitlines()[-2]
    with tempfile.TemporaryDirectory() as folder:
        known = _programs(out) if out.exists() else {}
        others = {name for each in out.parent.glob("programs_*.json") if each != out for name in _programs(each)}
        sources = sorted(each for each in programs.glob("*.cu") if each.stem in known or each.stem not in others)
        missing = [each for each in sources if each.stem not in known]
        with ThreadPoolExecutor(os.cpu_count()) as pool:  # nvcc takes the time
            known |= dict(zip((each.stem for each in missing), pool.map(lambda each: recorded(each, Path(folder)), missing), strict=True))
        found = {each.stem: known[each.stem] for each in sources}
    out.write_text(
        json.dumps({"machine": machine.stdout.strip(), "compiler": compiler, "programs": found}, indent=1) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
