"""What every program sees before its first line, and what headers add to it: made from the texts beside this and the table of functions."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from kernels.simt.frontend.known import VECTORS, declarations

FOLDER = "/tilescope-prelude"
"""A folder that exists only in memory: what stands in it is not the program's."""
PRELUDE = f"{FOLDER}/prelude.cuh"
DEFINES = f"{FOLDER}/defines.cuh"
_SIZES = {"char": 1, "short": 2, "int": 4, "float": 4, "long": 8, "double": 8}


def _part(name: str) -> str:
    return files("kernels.simt.frontend").joinpath("prelude", f"{name}.cuh").read_text(encoding="utf-8")


def vector_types() -> str:
    """char1 to double4, aligned as CUDA aligns them: whole vectors of up to 16 bytes, those of three members like one member."""
    lines = []
    for base, scalar in VECTORS.items():
        size = _SIZES[scalar.split()[-1]] if scalar != "unsigned" else 4
        for count in (1, 2, 3, 4):
            align = size if count == 3 else min(16, size * count)
            members = ", ".join("xyzw"[:count])
            lines.append(f"struct __attribute__((aligned({align}))) {base}{count} {{ {scalar} {members}; }};")
    return "\n".join(lines)


HEADERS = frozenset({
    "cooperative_groups.h", "cooperative_groups/reduce.h", "cooperative_groups/memcpy_async.h", "cuda_fp16.h", "cuda_fp16.hpp",
    "cuda_bf16.h", "cuda_bf16.hpp", "mma.h",
})  # fmt: skip
"""The headers that add names: a program that includes one of them gets those of all."""


@cache
def prelude(*, extended: bool) -> str:
    """The text that stands before every program; `extended` with what `HEADERS` add."""
    core = (_part("core"), vector_types(), declarations(), _part("variables"))
    half = (_part("half"), declarations("cuda_fp16.h"), _part("half_after"))
    more = (_part("cooperative_groups"), _part("pipeline"), *half, _part("bfloat16"), _part("mma"))
    return "\n".join(("#pragma once", *core, *(more if extended else ())))
