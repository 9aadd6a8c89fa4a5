"""Record what cachegrind counts: `python tests/witnesses/cachegrind_record.py tests/golden/cachegrind_counts.json`, from the repository's
root, where there are valgrind and gcc. Takes a few minutes. `... tests/golden/cachegrind_plain_counts.json plain`: of plain loops at -O1.

Each case is compiled from `cachegrind_kernels.c` with its sizes as constants and executed under cachegrind, with one call and with two:
what counts is the difference. Only those lines of the
source that access a matrix are added up, so the start of the program does not count. The others must not touch memory but when the
function begins and ends: a loop's variable on the stack would take a line of the cache.
Of plain loops it is recorded how often they do: those over tiles have more variables than there are registers.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).with_name("cachegrind_kernels.c")
PLAIN = sys.argv[2:] == ["plain"]
COMPILE = ("gcc", *(("-O1", "-Dvolatile=") if PLAIN else ("-Og",)), "-g", "-fno-pie", "-no-pie", "-fcf-protection=none")
KERNELS = {
    "cpu.naive": "NAIVE",
    "cpu.loop-order": "LOOPS",
    "cpu.blocked": "BLOCKED",
    "cpu.transpose-naive": "TRANSPOSE",
    "cpu.transpose-blocked": "TRANSPOSE",
}
SHAPES = ((17, 17, 17), (33, 50, 21), (64, 64, 64), (100, 100, 100), (128, 128, 128))
TRANSPOSED = ((17, 17), (50, 33), (64, 64), (256, 256), (500, 300), (512, 512))
TILES = (8, 16, 24)
PLAIN_ROWS = (100, 128, 256)
GEOMETRIES = (
    ("32768,8,64", "1048576,16,64"),
    ("4096,2,64", "32768,4,64"),
    ("8192,1,32", "65536,8,64"),
    ("49152,12,64", "262144,16,64"),
)
"""First and last level: size, ways, line, as cachegrind's options take them."""
LEVELS = {"D1": ("Dr", "Dw", "D1mr", "D1mw"), "LL": ("D1mr", "D1mw", "DLmr", "DLmw")}
ENTRY_AND_EXIT = 20
"""The most accesses outside the marked lines: registers that the function saves, and its return."""
KINDS = ("reads", "writes", "read_misses", "write_misses")
BESIDE = "beside"
"""What is counted on the other lines."""


def main() -> None:
    """Run every case and write the record."""
    target = Path(sys.argv[1])
    recorded = [record(*case) for case in cases()]
    body = ",\n".join(json.dumps(case) for case in recorded)
    target.write_text(f'{{"conditions": {json.dumps(conditions(), indent=1)},\n"cases": [\n{body}\n]}}\n', encoding="utf-8")


def cases() -> list[tuple[str, dict[str, int], tuple[str, str]]]:
    """Every kernel at its sizes and tiles, with every geometry."""
    found: list[tuple[str, dict[str, int], tuple[str, str]]] = []
    for kernel in KERNELS:
        shapes = TRANSPOSED if "transpose" in kernel else SHAPES
        sizes = [dict(zip("mnk", shape, strict=False)) for shape in shapes]
        if kernel == "cpu.loop-order":
            sizes = [{**size, "order": order} for size, order in product(sizes[1:4], range(6))]
        if "blocked" in kernel:
            sizes = [{**size, "tile": tile} for size, tile in product(sizes, TILES)]
        found += [(kernel, size, geometry) for size, geometry in product(sizes, GEOMETRIES)]
    return [case for case in found if case[2] == GEOMETRIES[0] and case[1]["m"] in PLAIN_ROWS] if PLAIN else found


def record(kernel: str, sizes: dict[str, int], geometry: tuple[str, str]) -> dict[str, Any]:
    """One case: what cachegrind counts at both levels on the lines that access matrices."""
    defines = [f"-D{KERNELS[kernel]}", *(f"-D{name.upper()}={value}" for name, value in sizes.items())]
    once, twice = (executed([*defines, f"-DCALLS={calls}"], geometry) for calls in (1, 2))
    counted = {event: twice[event] - once[event] for event in once}
    levels = [{"name": name, **dict(zip(KINDS, (counted[event] for event in events), strict=True))} for name, events in LEVELS.items()]
    beside = {"beside": counted[BESIDE]} if PLAIN else {}
    return {"variant": kernel, "sizes": sizes, "geometry": list(geometry), "levels": levels, **beside}


def executed(defines: list[str], geometry: tuple[str, str]) -> dict[str, int]:
    """The events of one execution."""
    with tempfile.TemporaryDirectory() as folder:
        program, output = Path(folder) / "program", Path(folder) / "counts"
        subprocess.run([*COMPILE, *defines, "-o", str(program), str(SOURCE)], check=True)
        options = [f"--D1={geometry[0]}", f"--LL={geometry[1]}", f"--cachegrind-out-file={output}"]
        subprocess.run(["valgrind", "-q", "--tool=cachegrind", *options, str(program)], check=True, stderr=subprocess.DEVNULL)
        return counts(output.read_text(encoding="utf-8"))


def counts(text: str) -> dict[str, int]:
    """The sums of cachegrind's events over the marked lines."""
    marked = {number for number, line in enumerate(SOURCE.read_text(encoding="utf-8").splitlines(), 1) if line.endswith("//!")}
    events: list[str] = []
    totals: dict[str, int] = {}
    others = 0
    here, function = False, ""
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "events:":
            events = rest.split()
            totals = dict.fromkeys(events, 0)
        elif line.startswith("fl="):
            here = line.endswith(SOURCE.name)
        elif line.startswith("fn="):
            function = line.removeprefix("fn=")
        elif here and function == "kernel" and word.isdigit():
            counted = dict(zip(events, map(int, rest.split()), strict=True))
            if int(word) in marked:
                totals = {event: total + counted[event] for event, total in totals.items()}
            else:
                others += counted["Dr"] + counted["Dw"]
    assert PLAIN or others <= ENTRY_AND_EXIT, f"{others} accesses beside those to the matrices"
    return {**totals, BESIDE: others}


def conditions() -> dict[str, str]:
    """The versions, and how the programs are compiled."""
    answers = {name: subprocess.run([name, "--version"], capture_output=True, text=True, check=True) for name in ("valgrind", "gcc")}
    return {**{name: answer.stdout.splitlines()[0] for name, answer in answers.items()}, "compiled": " ".join(COMPILE)}


if __name__ == "__main__":
    main()
