"""What `tilescope trace` cannot do: status 2, no standard output, and one clear line, or the source errors as compilers write them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from kernels.simt.run.worker import Tracer
from tests.command_line import CommandLine

SOURCE = """\
__global__ void scale(float* x, int n, float factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= factor;
}

template <int N> __global__ void fill(int* x)
{
    x[threadIdx.x] = N;
}
"""
ARGUMENTS = "--arg x=64:arange --arg n=64 --arg factor=2"
LAUNCH = f"--kernel scale --grid 2 --block 32 {ARGUMENTS}"


@pytest.fixture(scope="module")
def process() -> Iterator[Tracer]:
    tracer = Tracer()
    tracer.start()
    yield tracer
    tracer.close()


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], process: Tracer) -> CommandLine:
    """In a folder with `scale.cu`; every command is served by one process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("app.cli.trace.Tracer", lambda: process)
    monkeypatch.setattr(process, "close", lambda: None)
    (tmp_path / "scale.cu").write_text(SOURCE, encoding="utf-8")
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


OPTIONS = [
    ("nowhere.cu --grid 1 --block 32", "There is no file nowhere.cu."),
    ("folder.cu --grid 1 --block 32", "folder.cu is a folder, not a file."),
    ("gpu.tield", "There is no variant 'gpu.tield'. The closest is gpu.tiled."),
    ("cpu.naive", "cpu.naive is not a CUDA kernel: there is nothing to execute in its place."),
    ("gpu.cublas", "gpu.cublas is not a CUDA kernel: there is nothing to execute in its place."),
    ("gpu.tiled --tile 64", "64 × 64 = 4096 threads a block; this GPU allows 1024."),
    ("gpu.tiled --n 0", "--n must be at least 1, not 0."),
    ("gpu.transpose-padded --k 3", "--k is for a multiplication; gpu.transpose-padded is a transposition."),
    ("gpu.tiled --rows 2", "gpu.tiled has no parameter --rows."),
    ("gpu.vectorized-k8 --tile 100", "--tile must be a multiple of --results: 100 = 12 × 8 + 4."),
    ("gpu.hello --n 3", "--n is a size of matrices; gpu.hello has none."),
    ("gpu.hello --threads-x 33", "--threads-x must be at most 32, not 33."),
    ("gpu.hello --blocks 1,2", "--blocks: '1,2' is not a whole number."),
    ("scale.cu --threads-y 3", "--threads-y is for a variant of the catalogue, not for a file."),
    ("gpu.tiled --threads 2", "There is no option --threads here. Is --threads-y meant? See tilescope --help."),
    ("scale.cu --n 64", "--n is for a variant of the catalogue, not for a file."),
    ("scale.cu --tile 16", "--tile is for a variant of the catalogue, not for a file."),
    ("scale.cu --kernel scale --block 32", "--grid is needed for a file."),
    ("scale.cu --kernel scale --grid 1", "--block is needed for a file."),
    ("scale.cu --grid two --block 32", "--grid: 'two' is not a whole number."),
    ("scale.cu --grid 0 --block 32", "--grid must be at least 1, not 0."),
    ("scale.cu --grid 1,2,3,4 --block 32", "--grid: '1,2,3,4' has more than three sizes."),
    ("scale.cu --grid 1,,2 --block 32", "--grid: '' is not a whole number."),
    ("scale.cu --grid 1 --block 32 --shared much", "--shared: 'much' is not a whole number."),
    ("scale.cu --grid 1 --block 32 --shared 999999", "--shared must be at most 232\u202f448, not 999\u202f999."),
    ("scale.cu --grid 1 --block 32 --mode fast", "--mode: 'fast' is not one of block, warp."),
    ("scale.cu --grid 1 --block 32 --blocks 0,x", "--blocks: 'x' is not a whole number."),
    ("scale.cu --grid 1 --block 32 --blocks 0,-1", "--blocks must be at least 0, not −1."),
    ("scale.cu --grid 1 --block 32 --seed x", "--seed: 'x' is not a whole number."),
    ("scale.cu --grid 1 --block 32 --budget 0", "--budget: '0' is not a number of seconds above 0 and up to 3600."),
    ("scale.cu --grid 1 --block 32 --budget 4000", "--budget: '4000' is not a number of seconds above 0 and up to 3600."),
    ("scale.cu --grid 1 --block 32 --cc 9", "--cc: '9' is not a compute capability such as 9.0."),
    ("scale.cu --grid 1 --block 32 --arg x", "--arg: 'x' is not NAME=VALUE."),
    ("scale.cu --grid 1 --block 32 --arg =3", "--arg: '=3' is not NAME=VALUE."),
    ("scale.cu --grid 1 --block 32 --arg n=3 --arg n=4", "--arg: n is given twice."),
    ("scale.cu --grid 1 --block 32 --entry fill<3> --kernel scale", "--entry fill<3> is not an instance of --kernel scale."),
    (f"scale.cu {LAUNCH} --save x", "--save: 'x' is not NAME=FILE.npy."),
    (f"scale.cu {LAUNCH} --save x=out.txt", "--save: 'out.txt' must end in .npy."),
    (f"scale.cu {LAUNCH} --save x=missing/out.npy", "--save: There is no folder {folder}/missing."),
    (f"scale.cu {LAUNCH} --save x=folder.npy", "--save: {folder}/folder.npy is a folder, not a file."),
    (f"scale.cu {LAUNCH} --save y=out.npy", "--save: no argument y is given."),
    (f"scale.cu {LAUNCH} --save x=a.npy --save n=a.npy", "--save: two arguments would go into one file."),
    ("", "Missing: FILE.cu|VARIANT. See tilescope trace --help."),
]


@pytest.mark.parametrize(("command", "reason"), OPTIONS)
def test_wrong_options_are_refused_before_anything_is_executed(
    tilescope: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, reason: str
) -> None:
    monkeypatch.setattr("app.cli.trace.Tracer", None)
    for name in ("folder.cu", "folder.npy"):
        (tmp_path / name).mkdir()
    assert tilescope.refused("trace", "--json", *command.split()) == f"tilescope: {reason.replace('{folder}', str(tmp_path))}"
    assert not list(tmp_path.glob("out*"))


LAUNCHES = [
    (f"--grid 1 --block 32 {ARGUMENTS}", "several kernels"),
    (f"--kernel shift --grid 1 --block 32 {ARGUMENTS}", "There is no kernel shift in this text, but: scale, fill."),
    ("--kernel scale --grid 1 --block 32 --arg x=64 --arg n=3", "scale needs a value for factor (float)."),
    (f"--kernel scale --grid 1 --block 32 {ARGUMENTS} --arg y=3", "scale has no parameter y, but: x, n, factor."),
    ("--kernel scale --grid 1 --block 32 --arg x=many --arg n=3 --arg factor=1", "@FILE.npy"),
    ("--kernel scale --grid 1 --block 32 --arg x=64:ones --arg n=3 --arg factor=1", "@FILE.npy"),
    ("--kernel scale --grid 1 --block 32 --arg x=64 --arg n=1.5 --arg factor=1", "n (int) is a whole number"),
    ("--kernel scale --grid 1 --block 32 --arg x=64 --arg n=3000000000 --arg factor=1", "n (int) is from"),
    ("--kernel scale --grid 1 --block 32 --arg x=@no.npy --arg n=3 --arg factor=1", "no.npy cannot be read: No such file or directory."),
    (
        "--kernel scale --grid 1 --block 32 --arg x=@scale.cu --arg n=3 --arg factor=1",
        "scale.cu is not an .npy file: numpy.save writes one.",
    ),
    (
        "--kernel scale --grid 1 --block 32 --arg x=@odd.npy --arg n=3 --arg factor=1",
        "x: 6 bytes cannot be divided into elements of 4 bytes (float).",
    ),
    (
        "--kernel scale --grid 1 --block 32 --arg x=@objects.npy --arg n=3 --arg factor=1",
        "objects.npy holds Python objects: an array of numbers is needed.",
    ),
    (f"--kernel scale --grid 1 --block 2048 {ARGUMENTS}", "A block has from 1 to"),
    (f"--kernel scale --grid 1 --block 64,32 {ARGUMENTS}", "threads a block; a GPU allows"),
    (f"--kernel scale --grid 1,70000 --block 32 {ARGUMENTS}", "A grid has from 1 to"),
    (f"--kernel scale --grid 2 --block 32 --blocks 2 {ARGUMENTS}", "There is no block 2: the grid's blocks are 0 to 1."),
    ("--kernel fill --grid 1 --block 32 --arg x=32", "fill is a template: write fill<...> with values for <int N>."),
    ("--entry fill<x> --grid 1 --block 32 --arg x=32", "fill"),
    ("--entry scale<3> --grid 1 --block 32 --arg x=32", "scale is not a template"),
    (f"{LAUNCH} --save n=out.npy", "--save: n is not an array."),
]


@pytest.mark.parametrize(("command", "part"), LAUNCHES)
def test_what_does_not_fit_the_kernel_is_refused_in_one_line(tilescope: CommandLine, tmp_path: Path, command: str, part: str) -> None:
    np.save(tmp_path / "odd.npy", np.zeros(6, np.uint8))
    np.save(tmp_path / "objects.npy", np.array([{}, []], object), allow_pickle=True)
    assert part in tilescope.refused("trace", "scale.cu", "--json", *command.split())
    assert not list(tmp_path.glob("out*"))


SOURCES = [
    ("x[0] = y;", ["bad.cu:3:12: error: Unknown name y."]),
    ("x[0] = 1", ["bad.cu:3:13: error: A ; is missing here."]),
    ('asm("bar.red 0;");', ["bad.cu:3:10: error: bar.red: .red is not executed"]),
    ("x[0] = y; x[1] = z;", ["bad.cu:3:12: error: Unknown name y.", "bad.cu:3:22: error: Unknown name z."]),
]


@pytest.mark.parametrize(("statement", "errors"), SOURCES)
def test_errors_of_the_source_are_written_as_compilers_do(
    tilescope: CommandLine, tmp_path: Path, statement: str, errors: list[str]
) -> None:
    (tmp_path / "bad.cu").write_text(f"__global__ void f(float* x)\n{{\n    {statement}\n}}\n", encoding="utf-8")
    answer = tilescope("trace", "bad.cu", "--grid", "1", "--block", "1", "--arg", "x=4", "--json")
    assert (answer.status, answer.out) == (2, "")
    lines = answer.err.splitlines()
    assert len(lines) == len(errors)
    for line, error in zip(lines, errors, strict=True):
        assert line.startswith(error)


@pytest.mark.parametrize(("content", "reason"), [
    (b"__global__ void f() {}\n\xff\n", "bad.cu is not UTF-8 text: line 2 has a byte that does not belong."),
    (b"int main() { return 0; }\n", "There is no kernel in this text: a kernel is a function with __global__ before it."),
    (b"", "There is no kernel in this text: a kernel is a function with __global__ before it."),
    (b" " * ((1 << 21) + 1), "bad.cu is larger than 2\u202f097\u202f152 bytes."),
])  # fmt: skip
def test_a_file_that_is_no_cuda_text_is_refused(tilescope: CommandLine, tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "bad.cu").write_bytes(content)
    assert tilescope.refused("trace", "bad.cu", "--grid", "1", "--block", "1") == f"tilescope: {reason}"


def test_reasons_are_in_the_users_language(tilescope: CommandLine) -> None:
    line = tilescope.refused("trace", "scale.cu", "--grid", "0", "--block", "32", "--lang", "zh_CN")
    assert line != tilescope.refused("trace", "scale.cu", "--grid", "0", "--block", "32")
