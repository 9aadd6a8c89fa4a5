"""The machine's conditions are flat, stored as they are, and cheap to find out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from kernels.base.machine_conditions import cache_sizes, cpuinfo_brand, free_memory_bytes, machine_conditions, processor_name, usable_cores


def test_the_conditions_are_flat_and_complete() -> None:
    conditions = machine_conditions("1.2.3")
    caches = {name for name in cache_sizes() if name.endswith("_bytes")} - {"cache_line_bytes"}
    always = {"tilescope", "processor", "cores", "memory_gib", "system", "architecture", "python", "numpy", "numba"}
    assert always | caches == conditions.keys()
    assert conditions["tilescope"] == "1.2.3"
    assert conditions["python"] == ".".join(map(str, sys.version_info[:3]))
    assert json.loads(json.dumps(conditions, allow_nan=False)) == conditions


def test_the_machine_has_a_name_cores_and_memory() -> None:
    assert processor_name()
    assert usable_cores() >= 1
    assert free_memory_bytes() > 1 << 20


def test_the_name_comes_from_the_first_processor() -> None:
    assert cpuinfo_brand("processor\t: 0\nmodel name\t: AMD EPYC: 9B\n\nprocessor\t: 1\nmodel name\t: other\n") == "AMD EPYC: 9B"
    assert cpuinfo_brand("processor\t: 0\nBogoMIPS\t: 50\n") == ""


def test_asking_imports_nothing_heavy() -> None:
    asked = "from kernels.base.machine_conditions import machine_conditions as m; m('1')"
    code = f"import sys; {asked}; print(sys.modules.keys() & {{'numba', 'cupy'}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[4])
    assert done.stdout.strip() == "set()"
