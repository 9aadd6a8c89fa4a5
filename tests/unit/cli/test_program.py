"""`tilescope program`: output and status are the program's, findings are on standard error, the report is JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.program_corpus import FOLDER, samples

OUTPUT = {sample.name: sample.output for sample in samples()}


@pytest.fixture
def command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(tmp_path, monkeypatch, capsys)


def test_bytes_and_status_are_the_programs() -> None:
    command = [sys.executable, "-m", "app", "program", str(FOLDER / "arguments.cu"), "--", "3", "0.5", "--lang", "-7"]
    done = subprocess.run(command, capture_output=True, check=False, cwd=FOLDER.parent.parent.parent)
    assert done.stdout == b"4 arguments\nn=3 factor=0.500 word=--lang (6) number=-7 rest=''\n0 1 4\n"
    assert (done.returncode, done.stderr) == (0, b"")


def test_nothing_is_imported_from_the_folder_that_one_is_in(tmp_path: Path) -> None:
    for name in ("socket", "numpy", "kernels"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError", encoding="utf-8")
    (tmp_path / "own.cu").write_text('#include <cstdio>\nint main() { puts("here"); }\n', encoding="utf-8")
    start = tmp_path / "bin" / "start.py"
    start.parent.mkdir()
    start.write_text('if __name__ == "__main__":\n    from app.cli import main\n    main(["program", "own.cu"])\n', encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    done = subprocess.run([sys.executable, str(start)], capture_output=True, check=False, cwd=tmp_path, env=environment)
    assert (done.stdout, done.stderr) == (b"here\n", b"")


def test_findings_and_report(command_line: CommandLine, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    path = FOLDER / "defect_too_many_threads.cu"
    answer = command_line("program", str(path), "--json", str(report))
    assert (answer.status, answer.out) == (0, OUTPUT["defect_too_many_threads"])
    assert f"{path}:14:5: unchecked-launch:" in answer.err
    found = json.loads(report.read_text(encoding="utf-8"))
    assert [each["kind"] for each in found["findings"]] == ["launch-failed", "unchecked-launch"]
    (launch,) = found["launches"]
    assert (launch["kernel"], launch["block"], launch["error"]) == ("one", [64, 64, 1], "cudaErrorInvalidConfiguration")
    assert found["copies"][0]["function"] == "cudaMemset"


def test_a_race_is_told_with_both_lines_and_its_launch(command_line: CommandLine, tmp_path: Path) -> None:
    path, report = tmp_path / "own.cu", tmp_path / "report.json"
    path.write_text(
        "__global__ void last(int* p) {\n    p[0] = threadIdx.x;\n    p[1] = p[0];\n}\nint main() {\n    int h[2], *p;\n"
        "    cudaMalloc(&p, 8);\n    last<<<1, 64>>>(p);\n    cudaMemcpy(h, p, 8, cudaMemcpyDeviceToHost);\n    cudaFree(p);\n}\n",
        encoding="utf-8",
    )
    answer = command_line("program", str(path), "--json", str(report))
    races = [line for line in answer.err.splitlines() if "data-race" in line]
    assert any(line.endswith("(line 2, launched in line 8)") for line in races)
    found = json.loads(report.read_text(encoding="utf-8"))
    assert {(each["kind"], each["other"], each["launch"]) for each in found["findings"]} == {("data-race", 2, 0)}
    assert (found["launches"][0]["blocks_searched_for_races"], found["coverage"]) == (1, None)


def test_the_status_of_a_program_that_fails(command_line: CommandLine) -> None:
    answer = command_line("program", str(FOLDER / "defect_division.cu"))
    assert (answer.status, answer.out) == (136, OUTPUT["defect_division"])


def test_what_is_no_program_is_refused(command_line: CommandLine, tmp_path: Path) -> None:
    kernel = tmp_path / "kernel.cu"
    kernel.write_text("__global__ void k(int* p) { p[0] = 1; }\n", encoding="utf-8")
    answer = command_line("program", str(kernel))
    assert (answer.status, answer.out) == (2, "")
    assert "main" in answer.err
    broken = tmp_path / "broken.cu"
    broken.write_text("int main() {\n    return nothing;\n}\n", encoding="utf-8")
    answer = command_line("program", str(broken))
    assert answer.status == 2
    assert f"{broken}:2:12: error:" in answer.err
    for wrong in (("--seconds", "0"), ("--memory", "x"), ("--device", "nothing")):
        answer = command_line("program", str(broken), *wrong)
        assert answer.status == 2
        assert wrong[0] in answer.err or "GPU" in answer.err


def test_a_large_launch_is_compiled_and_says_how_far_it_is(
    command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.cli.program.FIRST_AFTER_S", 0.0)
    path, report = tmp_path / "large.cu", tmp_path / "report.json"
    path.write_text(
        "__global__ void sum(const int* a, int* b, int rounds) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0;\n"
        "    for (int k = 0; k < rounds; ++k) s += a[k];\n"
        "    b[i] = s;\n}\n"
        "int main() {\n    int *a, *b;\n    cudaMalloc(&a, 40000);\n    cudaMalloc(&b, 8192);\n    cudaMemset(a, 0, 40000);\n"
        "    sum<<<64, 32>>>(a, b, 10000);\n    int h;\n    cudaMemcpy(&h, b, 4, cudaMemcpyDeviceToHost);\n"
        "    cudaFree(a);\n    cudaFree(b);\n    return h;\n}\n",
        encoding="utf-8",
    )
    answer = command_line("program", str(path), "--json", str(report))
    assert (answer.status, answer.out) == (0, "")
    assert "sum: 1 of 64 blocks executed…" in answer.err
    (launch,) = json.loads(report.read_text(encoding="utf-8"))["launches"]
    assert (launch["blocks"], launch["blocks_recorded"], launch["compiled"], launch["not_compiled"]) == (64, 2, True, None)
    assert launch["accesses"] == 64 * 10001
    assert launch["trust"]["exact"] == {"blocks_traced": 2, "blocks": 64, "accesses": 2 * 32 * 10001}
    assert launch["trust"]["left_out"] == ["62 of 64 blocks ran as compiled code: same results, no record."]


def test_the_report_says_how_far_a_launch_can_be_trusted(command_line: CommandLine, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    command_line("program", str(FOLDER / "histogram.cu"), "--json", str(report))
    (launch,) = json.loads(report.read_text(encoding="utf-8"))["launches"]
    (modelled,) = launch["trust"]["modelled"]
    assert (modelled["what"], modelled["reaches"], launch["trust"]["left_out"]) == ("atomics-order", [], [])


def test_files_are_read_where_that_is_allowed(command_line: CommandLine, tmp_path: Path) -> None:
    program, report = FOLDER / "file_matrix.cu", tmp_path / "report.json"
    refused = command_line("program", str(program), "--json", str(report))
    assert (refused.status, refused.out) == (1, "")
    assert f"{program}:25:18: refused: fopen wants to read file_matrix.txt, which is not allowed yet." in refused.err
    assert "--read-files" in refused.err
    assert json.loads(report.read_text(encoding="utf-8"))["files"] == [{"name": "file_matrix.txt", "bytes": None, "line": 25, "column": 18}]
    allowed = command_line("program", str(program), "--read-files", "--json", str(report))
    assert (allowed.status, allowed.out, "refused" in allowed.err) == (0, OUTPUT["file_matrix"], False)
    assert [each["bytes"] for each in json.loads(report.read_text(encoding="utf-8"))["files"]] == [79]


def test_watching_and_trying_edges_read_the_same_files(command_line: CommandLine) -> None:
    program = str(FOLDER / "file_image.cu")
    assert "23 x 11" in command_line("watch", program, "--times", "1", "--read-files").out
    tried = command_line("check-edges", program, "--read-files")
    assert "file_image.pgm" not in tried.out + tried.err
