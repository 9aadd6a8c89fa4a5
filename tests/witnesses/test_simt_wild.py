"""Whole programs in the styles that are found in the wild run unmodified, give what NumPy gives, and nothing is found wrong with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from kernels.analysis.findings import findings
from kernels.simt.base.launch import LaunchRequest, Mode
from kernels.simt.frontend.parse import parse
from kernels.simt.lower import lower
from kernels.simt.run.execution import execute
from tests.oracle import wild_arrays, wild_science, wild_styles
from tests.oracle.corpus import FOLDER, files
from tests.oracle.wild import Program

PROGRAMS = [*wild_arrays.PROGRAMS, *wild_science.PROGRAMS, *wild_styles.PROGRAMS]


def name(program: Program) -> str:
    return f"{program.file}:{program.entry}"


def text_of(path: Path) -> str:
    """As it is: with its line ends, and a byte order mark where it has one."""
    return path.read_bytes().decode()


def check(program: Program, argument: str, given: npt.NDArray[np.generic]) -> None:
    expected = program.expected[argument]
    if program.tolerance == 0:
        np.testing.assert_array_equal(given.reshape(expected.shape), expected)
    else:
        scale = float(np.abs(np.asarray(expected, np.float64)).max())
        error = np.abs(given.reshape(expected.shape).astype(np.float64) - expected.astype(np.float64)).max()
        assert error <= program.tolerance * scale


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("program", PROGRAMS, ids=name)
def test_a_program_computes_what_numpy_does(program: Program, mode: Mode) -> None:
    path = FOLDER / "wild" / f"{program.file}.cu"
    unit = parse(text_of(path), path)
    assert unit.diagnostics == ()
    request = LaunchRequest(program.grid, program.block, program.arguments, program.shared_bytes, mode, seed=3)
    trace = execute(lower(unit, program.entry), request)
    assert findings(trace) == ()
    for argument, expected in program.expected.items():
        given = program.arguments[argument]
        assert isinstance(given, np.ndarray)
        assert given.size == expected.size
        check(program, argument, np.frombuffer(trace.values[argument].tobytes(), given.dtype))


def test_every_program_has_its_kernels_run() -> None:
    assert len(files("wild")) >= 26
    launched = {(program.file, program.entry.partition("<")[0]) for program in PROGRAMS}
    written = {(path.stem, kernel.name) for path in files("wild") for kernel in parse(text_of(path), path).kernels}
    assert launched == written


def test_programs_are_there_as_other_systems_write_them() -> None:
    texts = [text_of(path) for path in files("wild")]
    assert any(text.startswith("\ufeff") for text in texts)
    assert sum("\r\n\t" in text for text in texts) >= 2
