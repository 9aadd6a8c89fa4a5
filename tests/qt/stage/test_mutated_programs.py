"""Programs with something changed at random are drawn, whatever becomes of them: their page, and their launches on the stage in every view.

`TILESCOPE_MUTATIONS` is how many; `tests/fuzz/program_mutations.py --draw` draws a campaign of them.
"""

from __future__ import annotations

import os

import pytest
from PySide6.QtWidgets import QApplication

from kernels.simt.host.process import Programs
from kernels.simt.host.result import Limits, ProgramJob
from tests.fuzz.drawn_programs import draw
from tests.fuzz.program_mutations import mutation, texts
from tests.program_corpus import FOLDER

COUNT = int(os.environ.get("TILESCOPE_MUTATIONS", "8"))
PRINTS_ONLY = """#include <cstdio>
__global__ void hello() { printf("%d\\n", threadIdx.x); }
int main() { hello<<<1, 4>>>(); cudaDeviceSynchronize(); }
"""


def drawn(text: str) -> int:
    """How many launches of a program were on the stage."""
    path = FOLDER / "mutation.cu"
    outcome = Programs().run(ProgramJob(text, path, (), Limits(seconds=5.0, bytes=1 << 30, output=1 << 20)))
    return draw(path, text, outcome)


@pytest.mark.timeout(0)
def test_mutated_programs_are_drawn(qapp: QApplication) -> None:
    originals, seed = texts(), int(os.environ.get("TILESCOPE_SEED", "6"))
    assert sum(drawn(mutation(originals, seed, number)) for number in range(COUNT))


def test_a_launch_that_only_prints_is_drawn_in_every_view(qapp: QApplication) -> None:
    assert drawn(PRINTS_ONLY) == 1
