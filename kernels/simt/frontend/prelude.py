"""What every program sees before its first line, and the headers that exist for it: texts, from this folder and the table of functions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from kernels.simt.frontend.known import VECTORS, declarations

FOLDER = "/tilescope-prelude"
"""A folder that exists only in memory: what stands in it is not the program's."""
PRELUDE = f"{FOLDER}/prelude.cuh"
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


@cache
def prelude() -> str:
    """The text that is included before every program."""
    return "\n".join(("#pragma once", _part("core"), vector_types(), declarations(), _part("variables")))


def _half() -> str:
    return "\n".join(("#pragma once", _part("half"), declarations("cuda_fp16.h"), _part("half_after")))


@cache
def headers() -> Mapping[str, str]:
    """The headers that give a program something, by the name that it includes. All others are empty."""
    groups = "#pragma once\n" + _part("cooperative_groups")
    copies = "#pragma once\n#include <cooperative_groups.h>\n" + _part("pipeline")
    tiles = "#pragma once\n#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n" + _part("mma")
    return MappingProxyType(
        {
            "cooperative_groups.h": groups,
            "cooperative_groups/reduce.h": "#include <cooperative_groups.h>\n",
            "cooperative_groups/memcpy_async.h": copies,
            "cuda_fp16.h": _half(),
            "cuda_fp16.hpp": "#include <cuda_fp16.h>\n",
            "cuda_bf16.h": "#pragma once\n" + _part("bfloat16"),
            "mma.h": tiles,
        }
    )


@cache
def virtual_files() -> Mapping[str, str]:
    """The prelude and its headers by the names that libclang is given."""
    return MappingProxyType({PRELUDE: prelude(), **{f"{FOLDER}/{name}": text for name, text in headers().items()}})
