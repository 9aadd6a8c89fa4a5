"""Random CUDA kernels that are valid C++ too and do nothing undefined: what they compute is one value, bit for bit, wherever they run.

No thread reads what another writes. Each thread ends by writing its variables to `out`, `SLOTS` numbers a thread, floats as their bits.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt

from tests.oracle.blocks import Nested
from tests.oracle.effects import SCRATCH
from tests.oracle.expressions import INTEGERS, REALS, Name
from tests.oracle.statements import INPUTS

PREAMBLE = Path(__file__).with_name("preamble.cuh").read_text(encoding="utf-8")
GRID, BLOCK = 2, 40
SLOTS = 8
ENTRY = "fuzz"
INPUT_ARRAYS = (Name("in", "int", INPUTS, writable=False), Name("real", "float", INPUTS, writable=False))
PARAMETERS = "const int* in, const float* real, int* scratch"
HEAD = f"""__global__ void {ENTRY}({PARAMETERS}, unsigned long long* out, int n)
{{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
"""


def arguments(seed: int, threads: int = GRID * BLOCK) -> dict[str, npt.NDArray[np.generic] | int]:
    """What the kernels are launched with: small and extreme integers and floats."""
    random = np.random.default_rng(seed)
    integers = random.integers(-(2**31), 2**31, INPUTS, dtype=np.int32) >> random.integers(0, 32, INPUTS, dtype=np.int32)
    reals = (random.standard_normal(INPUTS) * 10.0 ** random.integers(-6, 7, INPUTS)).astype(np.float32)
    reals[:4] = 0.0, -0.0, np.inf, 1e-40
    return {
        "in": integers.astype(np.int32),
        "real": reals,
        "scratch": np.zeros(threads * SCRATCH, np.int32),
        "out": np.zeros(threads * SLOTS, np.uint64),
        "n": 23,
    }


def write(random: Random) -> str:
    """The text of a translation unit with the kernel `ENTRY`."""
    return Author(random).program(random.randrange(2, 8))


class Author(Nested):
    """Writes whole programs."""

    def program(self, statements: int) -> str:
        functions = self.start()
        lines = self.opening()
        self.escapes = ["return;"]
        for _ in range(statements):
            lines += self.statement(3)
        return f"{PREAMBLE}{functions}{HEAD}" + "".join(f"    {line}\n" for line in [*lines, *self.results()]) + "}\n"

    def start(self) -> str:
        """Device functions, and the names that a kernel has at its start."""
        functions = "".join(self.function() for _ in range(self.random.randrange(3)))
        self.scope = [*INPUT_ARRAYS, Name("own", "int"), Name("mine", "float")]
        self.escapes = []
        return functions

    def opening(self) -> list[str]:
        """The first declarations: values that differ from thread to thread, and one variable of each kind."""
        lines = [line for make in (self.integer_variable, self.real_variable, self.array) for line in make()]
        return ["int own = in[tid & 63];", "float mine = real[tid * 7 & 63];", *lines]

    def function(self) -> str:
        """A device function that returns int."""
        types = tuple(self.random.choice(INTEGERS + REALS) for _ in range(self.random.randrange(1, 4)))
        parameters = [Name(self.fresh("p"), each) for each in types]
        self.scope = [*INPUT_ARRAYS, *parameters]
        self.escapes = [f"return {self.random.randrange(9)};"]
        body = [line for _ in range(self.random.randrange(1, 4)) for line in self.statement(1)]
        body.append(f"return (int)({self.integer(2)});")
        self.scope = []
        name = self.fresh("f")
        listed = ", ".join([PARAMETERS, "int tid", "int n", *(f"{each.type} {each.text}" for each in parameters)])
        text = f"__device__ int {name}({listed})\n{{\n" + "".join(f"    {line}\n" for line in body) + "}\n\n"
        self.functions.append((f"{name}", types))
        return text

    def results(self) -> list[str]:
        """Each variable of the outermost scope goes to a slot of `out`."""
        values = [f"(unsigned long long)({name.text})" for name in self.names(INTEGERS)]
        values += [f"bits({name.text})" for name in self.names(REALS)]
        values += [f"bits({name.text}.b) + {name.text}.a + {name.text}.c[0] + {name.text}.d" for name in self.names(("Pair",))]
        values += [f"(unsigned long long){name.text}.x + {name.text}.z" for name in self.names(("int4",))]
        values += [f"bits({name.text}.y) + bits({name.text}.w)" for name in self.names(("float4",))]
        values += [
            f"(unsigned long long)({'bits' if name.type in REALS else ''}({name.text}[{i}]))"
            for name in self.scope if name.writable
            for i in range(name.length)
        ]  # fmt: skip
        slots = [" ^ ".join(f"({each}) * {2 * i + 1}ull" for i, each in enumerate(values[slot::SLOTS])) for slot in range(SLOTS)]
        return [f"out[tid * {SLOTS} + {slot}] = {value};" for slot, value in enumerate(slots) if value]
