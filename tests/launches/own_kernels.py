"""Kernels as students write them, with the launch that each is shown with, and what their names may be changed to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.core.execution.execute import execute
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.record import LaunchRecord
from app.core.gpu_view.subject import Subject
from kernels.simt.base.launch import Argument, Dim3, Fill, Filled, Keep, LaunchRequest


def full(count: int) -> Filled:
    """An array of different values."""
    return Filled(count, Fill.RANDOM)


@dataclass(frozen=True)
class Own:
    """A text whose names stand between $ signs, and its launch."""

    text: str
    grid: Dim3
    block: Dim3
    arguments: Mapping[str, Argument]

    @property
    def names(self) -> tuple[str, ...]:
        """The names that can be chosen: of parameters and of shared arrays."""
        return tuple(dict.fromkeys(re.findall(r"\$(\w+)\$", self.text)))

    def launched(self, names: Mapping[str, str] | None = None) -> LaunchIndex:
        """The launch with other names."""
        chosen = {name: (names or {}).get(name, name) for name in self.names}
        text = re.sub(r"\$(\w+)\$", lambda found: chosen[found[1]], self.text)
        arguments = {chosen[name]: value for name, value in self.arguments.items()}
        subject = Subject(text, None, LaunchRequest(self.grid, self.block, arguments, keep=Keep.HISTORY), name="own.cu")
        record = execute(subject)
        assert isinstance(record, LaunchRecord), record
        return LaunchIndex(subject, record)


_AT = "int i = blockIdx.x * blockDim.x + threadIdx.x; "
_CELL = "int y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x; "
_THREE = "__global__ void own(const float* $A$, const float* $B$, float* $C$, int $n$) { "
_TWO = "__global__ void own(const float* $A$, float* $C$, int $n$) { "
_SUM = "float s = 0; for (int k = 0; k < $n$; ++k) s += $A$[y * $n$ + k] * $B$[k * $n$ + x]; $C$[y * $n$ + x] = s; }"
_TILES = (
    "__shared__ float $As$[16][16]; __shared__ float $Bs$[16][16]; int v = threadIdx.y, u = threadIdx.x; float s = 0;\n"
    "for (int t = 0; t < $n$ / 16; ++t) {\n"
    "float p = $A$[y * $n$ + t * 16 + u];\n float q = $B$[(t * 16 + v) * $n$ + x];\n"
    "$As$[v][u] = p;\n $Bs$[v][u] = q;\n __syncthreads();\n"
    "for (int k = 0; k < 16; ++k) s += $As$[v][k] * $Bs$[k][u];\n __syncthreads();\n }\n $C$[y * $n$ + x] = s; }"
)
_HALVES = (
    "__shared__ float $As$[256]; int t = threadIdx.x; $As$[t] = i < $n$ ? $A$[i] : 0.0f; __syncthreads();\n"
    "for (int s = 128; s > 0; s /= 2) {\n if (t < s) $As$[t] += $As$[t + s];\n __syncthreads();\n }\n"
    "if (t == 0) $C$[blockIdx.x] = $As$[0]; }"
)
_AROUND = (
    "if (x > 0 && y > 0 && x < $n$ - 1 && y < $n$ - 1)\n"
    "$C$[y * $n$ + x] = $A$[y * $n$ + x - 1] + $A$[y * $n$ + x + 1] + $A$[(y - 1) * $n$ + x] + $A$[(y + 1) * $n$ + x]; }"
)


def _three(count: int, n: int) -> dict[str, Argument]:
    return {"A": full(count), "B": full(count), "C": Filled(count), "n": n}


def _two(count: int, results: int, n: int) -> dict[str, Argument]:
    return {"A": full(count), "C": Filled(results), "n": n}


ADD = Own(_THREE + _AT + "if (i < $n$) $C$[i] = $A$[i] + $B$[i]; }", (4, 1, 1), (256, 1, 1), _three(1024, 1024))
SAXPY = Own(
    "__global__ void own(float $a$, const float* $A$, float* $C$, int $n$) { " + _AT + "if (i < $n$) $C$[i] += $a$ * $A$[i]; }",
    (4, 1, 1), (256, 1, 1), {"a": 2.0, "A": full(1024), "C": full(1024), "n": 1024},
)  # fmt: skip
STRIDING = Own(_THREE + "for (int i = threadIdx.x; i < $n$; i += blockDim.x) $C$[i] = $A$[i] + $B$[i]; }", (1, 1, 1), (32, 1, 1),
               _three(1024, 1024))  # fmt: skip
MATRIX_SUM = Own(_THREE + _CELL + "$C$[y * $n$ + x] = $A$[y * $n$ + x] + $B$[y * $n$ + x]; }", (1, 1, 1), (32, 32, 1), _three(1024, 32))
ALL_PAIRS = Own(_THREE + "float s = 0; for (int k = 0; k < $n$; ++k) s += $A$[k] - $B$[k]; $C$[threadIdx.x] = s; }", (1, 1, 1),
                (256, 1, 1), _three(256, 256))  # fmt: skip
TRANSPOSE = Own(_TWO + _CELL + "$C$[x * $n$ + y] = $A$[y * $n$ + x]; }", (2, 2, 1), (16, 16, 1), _two(1024, 1024, 32))
NAIVE = Own(_THREE + _CELL + "if (x < $n$ && y < $n$) { " + _SUM + " }", (3, 3, 1), (16, 16, 1), _three(1600, 40))
ONE_BLOCK = Own(_THREE + _CELL + _SUM, (1, 1, 1), (16, 16, 1), _three(256, 16))
TILED = Own(_THREE + _CELL + _TILES, (2, 2, 1), (16, 16, 1), _three(1024, 32))
RACING = Own(TILED.text.replace("u];\n __syncthreads();\n }", "u];\n }"), (2, 2, 1), (16, 16, 1), _three(1024, 32))
STENCIL = Own(_TWO + _CELL + _AROUND, (3, 3, 1), (16, 16, 1), _two(2304, 2304, 48))
REDUCTION = Own(_TWO + _AT + _HALVES, (4, 1, 1), (256, 1, 1), _two(1024, 4, 1024))
HISTOGRAM = Own("__global__ void own(const int* $A$, int* $B$, int $n$) { " + _AT + "if (i < $n$) atomicAdd(&$B$[$A$[i] % 16], 1); }",
                (4, 1, 1), (256, 1, 1), {"A": full(1024), "B": Filled(16, Fill.ZEROS), "n": 1024})  # fmt: skip
GATHER = Own("__global__ void own(const int* $A$, const float* $B$, float* $C$) { " + _AT + "$C$[i] = $B$[$A$[i]]; }", (1, 1, 1),
             (256, 1, 1), {"A": full(256), "B": full(256), "C": Filled(256)})  # fmt: skip

EVERY = {
    "add": ADD, "saxpy": SAXPY, "striding": STRIDING, "matrix sum": MATRIX_SUM, "all pairs": ALL_PAIRS, "transpose": TRANSPOSE,
    "naive": NAIVE, "one block": ONE_BLOCK, "tiled": TILED, "racing": RACING, "stencil": STENCIL, "reduction": REDUCTION,
    "histogram": HISTOGRAM, "gather": GATHER,
}  # fmt: skip
