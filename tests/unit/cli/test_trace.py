"""`tilescope trace`: the counts, findings, outputs and words of launches whose numbers are known by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels.base.messages import Message, message
from kernels.simt.run.worker import Tracer
from tests.command_line import Answer, CommandLine

SOURCE = """\
#include <cstdio>
__global__ void scale(float* x, int n, float factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= factor;
}

__global__ void turn(const float4* in, float4* out)
{
    out[threadIdx.x] = in[blockDim.x - 1 - threadIdx.x];
}

__constant__ float weights[2];
__device__ int first;
__global__ void weighted(float* x)
{
    x[threadIdx.x] = weights[threadIdx.x % 2] + first;
}

template <int N> __global__ void fill(int* x)
{
    x[threadIdx.x] = N;
}

__global__ void neighbour(int* out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[(threadIdx.x + 32) % 64];
}

__global__ void greet(int n)
{
    extern __shared__ int s[];
    s[threadIdx.x] = n;
    if (threadIdx.x == 2)
        printf("%d of %d\\n", threadIdx.x, s[2]);
}

int main() { undeclared(); }
"""
NAMES = ["kernel", "grid", "block", "blocks_traced", "mode", "totals", "lines", "findings", "diagnostics", "printed", "trust"]
TOTALS = {
    "global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors", "shared_load_requests",
    "shared_store_requests", "shared_atomic_requests", "shared_load_wavefronts", "shared_store_wavefronts", "shared_atomic_wavefronts",
    "shared_operand_wavefronts", "shared_wavefronts_ideal", "shared_barrier_requests", "shared_copied_bytes",
    "global_atomic_requests", "barriers", "flops",
}  # fmt: skip


@pytest.fixture(scope="module")
def process() -> Iterator[Tracer]:
    tracer = Tracer()
    tracer.start()
    yield tracer
    tracer.close()


class Trace:
    """`tilescope trace` in a folder with `kernels.cu`."""

    def __init__(self, command: CommandLine) -> None:
        self.command = command

    def __call__(self, options: str, *more: str) -> Answer:
        return self.command("trace", *options.split(), *more)

    def json(self, options: str, status: int = 0) -> dict[str, Any]:
        answer = self(options, "--json")
        assert (answer.status, answer.err) == (status, ""), answer
        document: dict[str, Any] = answer.json
        return document


@pytest.fixture
def trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], process: Tracer) -> Trace:
    """Every command is served by one process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("app.cli.trace.Tracer", lambda: process)
    monkeypatch.setattr(process, "close", lambda: None)
    (tmp_path / "kernels.cu").write_text(SOURCE, encoding="utf-8")
    return Trace(CommandLine(tmp_path / "home", monkeypatch, capsys))


SCALE = "kernels.cu --kernel scale --grid 2 --block 32 --arg n=50 --arg factor=2"


def test_the_document_has_every_name(trace: Trace) -> None:
    found = trace.json(f"{SCALE} --arg x=64:arange")
    assert list(found) == NAMES
    assert set(found["totals"]) == TOTALS
    assert {name: found[name] for name in ("kernel", "grid", "block", "blocks_traced", "mode", "findings", "diagnostics", "printed")} == {
        "kernel": "scale", "grid": [2, 1, 1], "block": [32, 1, 1], "blocks_traced": 2, "mode": "block",
        "findings": [], "diagnostics": [], "printed": [],
    }  # fmt: skip


def test_requests_sectors_and_operations_are_counted(trace: Trace) -> None:
    """32 floats are four sectors; the 18 of the second block are 72 bytes, three sectors."""
    found = trace.json(f"{SCALE} --arg x=64:arange")
    counted = {name: value for name, value in found["totals"].items() if value}
    assert counted == {
        "global_load_requests": 2, "global_load_sectors": 7, "global_store_requests": 2, "global_store_sectors": 7, "flops": 50,
    }  # fmt: skip
    wanted = {"line": 6, "space": "global", "requests": 2, "sectors": 7}
    lines = {line["operation"]: line for line in found["lines"]}
    assert set(lines) == {"load", "store"}
    for line in lines.values():
        assert wanted.items() <= line.items()


@pytest.mark.parametrize("dtype", [">f4", "<f4", ">i4", ">u2"])
def test_a_saved_array_is_as_its_file_was(trace: Trace, tmp_path: Path, dtype: str) -> None:
    given = np.arange(64 * 4 // np.dtype(dtype).itemsize, dtype=dtype).reshape(2, -1)
    np.save(tmp_path / "in.npy", given)
    trace.json(f"{SCALE} --arg x=@in.npy --save x=out.npy")
    saved = np.load(tmp_path / "out.npy")
    assert (saved.dtype, saved.shape) == (given.dtype, given.shape)


def test_a_big_endian_file_holds_its_numbers(trace: Trace, tmp_path: Path) -> None:
    np.save(tmp_path / "in.npy", np.arange(64, dtype=">f4"))
    trace.json(f"{SCALE} --arg x=@in.npy --save x=out.npy")
    trace.json(f"{SCALE} --arg x=64:arange --save x=same.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), np.load(tmp_path / "same.npy"))


def test_an_arguments_memory_is_saved(trace: Trace, tmp_path: Path) -> None:
    trace.json(f"{SCALE} --arg x=64:arange --save x=x.npy")
    expected = np.arange(64, dtype=np.float32)
    expected[:50] *= 2
    saved = np.load(tmp_path / "x.npy")
    assert saved.dtype == np.float32
    np.testing.assert_array_equal(saved, expected)
    assert {each.name for each in tmp_path.iterdir()} == {"kernels.cu", "x.npy"}


def test_a_files_bytes_count_and_come_back_in_its_type_and_shape(trace: Trace, tmp_path: Path) -> None:
    data = np.arange(128, dtype=np.float32).reshape(2, 64)
    np.save(tmp_path / "in.npy", data)
    np.save(tmp_path / "out.npy", np.zeros((64, 2), np.float32))
    launch = "kernels.cu --kernel turn --grid 1 --block 32 --arg in=@in.npy --arg out=@out.npy --save in=copy.npy --save out=out.npy"
    assert trace.json(launch)["totals"]["global_load_sectors"] == 16
    np.testing.assert_array_equal(np.load(tmp_path / "copy.npy"), data)
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), data.reshape(32, 4)[::-1].reshape(64, 2))


def test_variables_of_the_device_begin_as_they_are_given(trace: Trace, tmp_path: Path) -> None:
    launch = "kernels.cu --kernel weighted --grid 1 --block 4 --arg x=4 --save x=x.npy"
    trace.json(f"{launch} --arg weights=2:arange --arg first=10")
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), np.array([10, 11, 10, 11], np.float32))
    trace.json(launch)
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), np.zeros(4, np.float32))
    assert "weights has 2 elements" in trace(f"{launch} --arg weights=3:arange").err
    assert "no parameter second, but: x, weights, first" in trace(f"{launch} --arg second=1").err


def test_an_instance_of_a_template_is_traced(trace: Trace, tmp_path: Path) -> None:
    trace.json("kernels.cu --entry fill<7> --grid 1 --block 8 --arg x=8 --save x=x.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), np.full(8, 7, np.int32))
    trace.json("kernels.cu --kernel fill --entry fill<-3> --grid 1 --block 8 --arg x=8 --save x=x.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), np.full(8, -3, np.int32))


def test_a_race_is_a_finding_with_both_lines_and_status_3(trace: Trace) -> None:
    found = trace.json("kernels.cu --kernel neighbour --grid 1 --block 64 --arg out=64", status=3)
    (race,) = found["findings"]
    assert race["kind"] == "data-race"
    assert {race["line"], race["other_line"]} == {29, 30}
    assert race["block"] == [0, 0, 0]
    assert all(len(thread) == 3 for thread in race["threads"])
    assert race["message"]


def test_a_missing_barrier_shows_wrong_numbers_when_warps_take_turns(trace: Trace, tmp_path: Path) -> None:
    launch = "kernels.cu --kernel neighbour --grid 1 --block 64 --arg out=64 --save out=out.npy"
    right = (np.arange(64) + 32) % 64
    trace.json(f"{launch} --mode block", status=3)
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), right)
    assert trace.json(f"{launch} --mode warp --seed 3", status=3)["mode"] == "warp"
    assert not np.array_equal(np.load(tmp_path / "out.npy"), right)


def test_what_is_out_of_bounds_is_a_finding(trace: Trace) -> None:
    found = trace.json("kernels.cu --kernel scale --grid 2 --block 32 --arg n=64 --arg factor=2 --arg x=60:zeros", status=3)
    assert {(finding["kind"], finding["line"]) for finding in found["findings"]} == {("out-of-bounds", 6)}


def test_what_was_never_written_is_poisoned(trace: Trace) -> None:
    found = trace.json(f"{SCALE} --arg x=64", status=3)
    assert {finding["kind"] for finding in found["findings"]} == {"uninitialised-read"}


def test_printed_text_stands_in_the_document(trace: Trace) -> None:
    found = trace.json("kernels.cu --kernel greet --grid 1 --block 4 --shared 16 --arg n=9")
    assert found["printed"] == [{"block": [0, 0, 0], "thread": [2, 0, 0], "text": "2 of 9\n"}]


def test_blocks_can_be_chosen(trace: Trace) -> None:
    found = trace.json(f"{SCALE} --arg x=64:zeros --blocks 1")
    assert found["blocks_traced"] == 1
    assert found["totals"]["global_load_sectors"] == 3


def test_a_variant_brings_its_launch(trace: Trace, tmp_path: Path) -> None:
    """16 blocks, four tiles each, eight warps that load two elements a thread: 1,024 requests of two half rows, four sectors each."""
    found = trace.json("gpu.tiled --n 64 --save A=A.npy --save B=B.npy --save C=C.npy")
    totals = found["totals"]
    assert (found["grid"], found["block"]) == ([4, 4, 1], [16, 16, 1])
    assert (totals["global_load_requests"], totals["global_load_sectors"]) == (1024, 4096)
    assert (totals["global_store_requests"], totals["global_store_sectors"]) == (128, 512)
    assert totals["barriers"] == 16 * 4 * 2
    a, b, c = (np.load(tmp_path / f"{name}.npy").astype(np.float64).reshape(64, 64) for name in "ABC")
    np.testing.assert_allclose(a @ b, c, atol=1e-4)
    assert not np.array_equal(a, b)


def test_a_variants_parameters_sizes_and_arguments_can_be_given(trace: Trace) -> None:
    found = trace.json("gpu.naive --n 20 --m 10 --k 5 --tile 8 --arg B=100:zeros")
    assert (found["grid"], found["block"]) == ([3, 2, 1], [8, 8, 1])
    assert found["totals"]["flops"] == 2 * 20 * 10 * 5


def test_hello_has_blocks_and_threads_but_no_matrices(trace: Trace) -> None:
    found = trace.json("gpu.hello --blocks 3 --threads-x 2 --threads-y 1")
    assert (found["grid"], found["block"], found["blocks_traced"]) == ([3, 1, 1], [2, 1, 1], 3)
    assert [each["text"] for each in found["printed"]] == [
        f"Hello World from Thread ({x}, 0) in Block {block}!\n" for block in range(3) for x in range(2)
    ]
    assert trace.json("gpu.hello")["blocks_traced"] == 2


def test_the_seed_chooses_the_random_values(trace: Trace, tmp_path: Path) -> None:
    saved = []
    for seed in ("1", "1", "2"):
        trace.json(f"{SCALE} --arg x=64:random --seed {seed} --save x=x.npy")
        saved.append(np.load(tmp_path / "x.npy"))
    np.testing.assert_array_equal(saved[0], saved[1])
    assert not np.array_equal(saved[0], saved[2])


def test_an_endless_loop_ends_with_a_finding(trace: Trace, tmp_path: Path) -> None:
    (tmp_path / "endless.cu").write_text("__global__ void f(int* x)\n{\n    while (x[0] == 0)\n        x[1]++;\n}\n", encoding="utf-8")
    found = trace.json("endless.cu --grid 1 --block 1 --arg x=2:zeros --budget 0.3", status=3)
    assert [finding["kind"] for finding in found["findings"]] == ["budget-exceeded"]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_without_json_it_is_tables_in_the_users_language(trace: Trace, language: str) -> None:
    answer = trace(f"{SCALE} --arg x=64:arange --lang {language}")
    assert (answer.status, answer.err) == (0, "")
    assert "scale" in answer.out
    assert "Global loads" in answer.out or language != "en"
    assert any(line.split()[:1] == ["6"] for line in answer.out.splitlines())


def test_findings_are_lines_that_an_editor_understands(trace: Trace) -> None:
    answer = trace("kernels.cu --kernel neighbour --grid 1 --block 64 --arg out=64")
    assert answer.status == 3
    assert any(line.startswith(("kernels.cu:29", "kernels.cu:30")) and ": data-race: " in line for line in answer.out.splitlines())
    (note,) = [line for line in answer.out.splitlines() if ": note: " in line]
    assert note.startswith(("kernels.cu:29", "kernels.cu:30"))
    assert note.split(":")[1] != next(line.split(":")[1] for line in answer.out.splitlines() if ": data-race: " in line)


def test_what_the_compiler_made_of_it_stands_in_the_document_on_request(trace: Trace) -> None:
    from kernels.nvrtc.tools import find_tools

    missing = find_tools()
    if isinstance(missing, Message):
        pytest.skip(str(missing))
    compiled = trace.json("gpu.tiled --n 32 --tile 32 --cc 9.0")["compiled"]
    assert (compiled["compute_capability"], compiled["static_shared_bytes"]) == ("9.0", 8192)
    loads = [line for line in compiled["lines"] if (line["operation"], line["space"]) == ("load", "shared")]
    assert {(line["bytes"], line["instructions"]) for line in loads} == {(16, 8), (4, 32)}
    at = loads[0]["line"]
    assert sum(each["text"].startswith("FFMA") for each in compiled["code"] if each["line"] == at) == 32
    rows = trace("gpu.tiled --n 32 --tile 32 --cc 9.0").out.splitlines()
    assert any(row.startswith(f"{at} ") and row.endswith("  8 × 16 bytes, 32 × 4 bytes") for row in rows)


def test_without_the_compiler_there_is_a_plain_reason(trace: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernels.compiled.process.find_tools", lambda: message("There is no compiler."))
    assert trace.json("gpu.tiled --n 32 --cc 9.0")["compiled"] == {"reason": "There is no compiler."}
    assert "There is no compiler." in trace("gpu.tiled --n 32 --cc 9.0").out


def test_a_process_of_its_own_is_started_and_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The suite's leak check sees to the end."""
    answer = CommandLine(tmp_path / "home", monkeypatch, capsys)("trace", "gpu.transpose-padded", "--n", "32", "--json")
    assert answer.status == 0
    assert answer.json["kernel"] == "transpose_padded"
