"""Compiles many kernels in one run of g++ and executes each as plain C++."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tests.oracle.programs import BLOCK, ENTRY, GRID, PREAMBLE

HEADER = Path(__file__).with_name("host.hpp")
OPTIONS = ("-std=c++20", "-w", "-fwrapv", "-ffp-contract=off", "-frounding-math", "-fno-strict-aliasing")
"""Without -frounding-math, GCC 12 makes -x of 0.0f - x where x is a converted integer: -0.0 where 0.0 is right."""
WRITTEN = ("scratch", "out")
MISSING = "needs g++ on Linux to compare with"


def available() -> bool:
    """Whether there is a g++ whose programs can have several stacks."""
    return shutil.which("g++") is not None and sys.platform.startswith("linux")


def source(programs: Sequence[str], block: int = BLOCK) -> str:
    """One C++ program: it reads the arguments, runs each kernel on a fresh copy, and writes what each has written."""
    own = [text.removeprefix(PREAMBLE).replace("#include", "//") for text in programs]
    spaces = "".join(f"namespace program{i} {{\n{text}}}\n" for i, text in enumerate(own))
    calls = "".join(f"    run(program{i}::{ENTRY});\n" for i in range(len(programs)))
    return f"""#include "{HEADER.as_posix()}"
#include <vector>
{PREAMBLE}
{spaces}
template <typename T> static std::vector<T> taken()
{{
    unsigned long long count;
    if (fread(&count, sizeof count, 1, stdin) != 1) abort();
    std::vector<T> all(count);
    if (fread(all.data(), sizeof(T), count, stdin) != count) abort();
    return all;
}}
int main()
{{
    auto in = taken<int>();
    auto real = taken<float>();
    auto scratch = taken<int>();
    auto out = taken<unsigned long long>();
    int n = taken<int>()[0];
    auto run = [&](auto kernel) {{
        auto s = scratch;
        auto o = out;
        launch({{{GRID}, 1, 1}}, {{{block}, 1, 1}}, [&] {{ kernel(in.data(), real.data(), s.data(), o.data(), n); }});
        fwrite(s.data(), sizeof s[0], s.size(), stdout);
        fwrite(o.data(), sizeof o[0], o.size(), stdout);
    }};
{calls}}}
"""


def run(
    programs: Sequence[str],
    arguments: Mapping[str, npt.NDArray[np.generic] | int],
    folder: Path,
    options: Sequence[str] = ("-O0",),
    block: int = BLOCK,
) -> list[dict[str, npt.NDArray[np.generic]]]:
    """For each program what its launch leaves in the arrays that it writes."""
    text, binary = folder / "programs.cpp", folder / "programs"
    text.write_text(source(programs, block), encoding="utf-8")
    built = subprocess.run(["g++", *OPTIONS, *options, str(text), "-o", str(binary)], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr[:4000]
    data = b""
    for value in arguments.values():
        array = np.atleast_1d(np.asarray(value, np.int32) if isinstance(value, int) else value)
        data += np.uint64(array.size).tobytes() + array.tobytes()
    written = subprocess.run([str(binary)], input=data, capture_output=True, check=True).stdout
    results: list[dict[str, npt.NDArray[np.generic]]] = []
    for _ in programs:
        results.append({})
        for name in WRITTEN:
            given = arguments[name]
            assert isinstance(given, np.ndarray)
            results[-1][name] = np.frombuffer(written[: given.nbytes], given.dtype)
            written = written[given.nbytes :]
    return results
