"""Random whole programs that do nothing undefined: what they print is one text, wherever they run.

    python -m tests.fuzz.random_programs FOLDER COUNT [FIRST_SEED]      writes seed_N.cu
    python -m tests.fuzz.random_programs --compare FOLDER RECORDED.json  says which print something else here than they did there

`tests/witnesses/nvcc_programs.py` records what a GPU makes of a folder. Numbers of floating point stay where every result is exact, but for
one division or root at the end, so that it is no matter which products a compiler adds up unrounded.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from tests.fuzz.random_host import HOST_PARTS
from tests.fuzz.random_kernels import KERNEL_PARTS
from tests.fuzz.random_text import Part, Writer

HEAD = """#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call)                                                                  \\
    do {                                                                             \\
        cudaError_t error_ = (call);                                                 \\
        if (error_ != cudaSuccess) {                                                 \\
            printf("%s in line %d\\n", cudaGetErrorString(error_), __LINE__);         \\
            exit(1);                                                                 \\
        }                                                                            \\
    } while (0)

template <typename T>
unsigned long long checksum(const T* data, size_t n)
{
    unsigned long long sum = 1469598103934665603ull;
    for (size_t i = 0; i < n; ++i) {
        unsigned char bytes[sizeof(T)];
        memcpy(bytes, &data[i], sizeof(T));
        for (unsigned char byte : bytes)
            sum = (sum ^ byte) * 1099511628211ull;
    }
    return sum;
}

__host__ __device__ inline int quotient(int a, int b) { return b == 0 || (b == -1 && a < -2147483647) ? a : a / b; }
__host__ __device__ inline int rest(int a, int b) { return b == 0 || b == -1 ? 0 : a % b; }
"""


def write(seed: int) -> str:
    """The program of a seed."""
    draw = Random(seed)
    writer = Writer(draw)
    kernels = draw.sample(KERNEL_PARTS, draw.randint(2, 3))
    host = draw.sample(HOST_PARTS, draw.randint(2, 4))
    parts: list[Callable[[Writer, int], Part]] = [*kernels, *host]
    draw.shuffle(parts)
    made = [each(writer, number) for number, each in enumerate(parts)]
    functions = "".join(writer.functions)
    before = "\n".join(part.before for part in made)
    calls = "".join(f"    {part.call}\n" for part in made)
    return f"// Drawn with seed {seed}.\n{HEAD}\n{functions}\n{before}\nint main()\n{{\n{calls}    return {draw.randint(0, 3)};\n}}\n"


def compared(folder: Path, recorded: Path) -> Iterator[tuple[str, str]]:
    """The programs of a folder that print something else here than what was recorded, or end otherwise, with what differs."""
    from kernels.simt.host.execution import execute
    from kernels.simt.host.result import NotRun, ProgramJob

    for name, there in json.loads(recorded.read_text(encoding="utf-8"))["programs"].items():
        if "stdout" not in there:
            yield name, f"there: {there}"
            continue
        path = folder / f"{name}.cu"
        here = execute(ProgramJob(path.read_text(encoding="utf-8"), path), lambda _stream, _data: None, lambda _progress: None)
        if isinstance(here, NotRun):
            yield name, f"{here.reason} {[(each.line, str(each.message)) for each in here.diagnostics]}"
            continue
        lines = zip(here.stdout.splitlines(), there["stdout"].splitlines(), strict=False)
        first = next((f"{mine!r} for {other!r}" for mine, other in lines if mine != other), "")
        if (here.stdout, here.status) != (there["stdout"], there["status"]):
            yield name, f"{first} {here.status} for {there['status']} {[str(each.message) for each in here.findings]}"
        elif here.findings:
            yield name, f"found: {[(each.wrong, each.location.line, str(each.message)) for each in here.findings]}"


def main() -> int:
    given = sys.argv[1:]
    if given[0] == "--compare":
        different = list(compared(Path(given[1]), Path(given[2])))
        sys.stdout.write("".join(f"{name}: {what}\n" for name, what in different))
        return int(bool(different))
    first = int(given[2]) if len(given) > 2 else 1
    for seed in range(first, first + int(given[1])):
        (Path(given[0]) / f"seed_{seed}.cu").write_text(write(seed), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
