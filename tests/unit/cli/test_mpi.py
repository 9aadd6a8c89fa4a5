"""The distributed rungs on the command line, through the program and under an mpiexec of one's own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import CommandLine
from tests.devices.mpi_ranks import MPIEXEC, TOY_CUPY, needs_mpi

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def tilescope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


def under_mpiexec(home: Path, ranks: int, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [MPIEXEC, "-n", str(ranks), sys.executable, "-m", "app", *arguments]
    environment = {**os.environ, "TILESCOPE_HOME": str(home), "LANGUAGE": "en", **variables}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)


def require_moved(timeline: dict[str, Any]) -> None:
    for rank in timeline["ranks"]:
        assert rank["sent_bytes"] == rank["expected_sent_bytes"]
        assert rank["received_bytes"] == rank["expected_received_bytes"]
        parts = [rank[f"{activity}_ms"] for activity in ("computing", "waiting", "communicating")]
        assert sum(parts) == pytest.approx(timeline["duration_ms"])
    for message in timeline["messages"]:
        assert 0 <= message["start_ms"] <= message["end_ms"] <= timeline["duration_ms"]


@needs_mpi
def test_a_run_is_measured_verified_and_says_on_how_many_ranks(tilescope: CommandLine) -> None:
    answer = tilescope("run", "mpi.rows", "--n", "37", "--ranks", "2", "--budget", "5", "--json")
    assert answer.status == 0, answer
    assert answer.json["verified"]
    assert answer.json["parameters"] == {"ranks": 2}
    assert answer.json["conditions"]["ranks"] == 2
    assert answer.json["conditions"]["mpi"]


@needs_mpi
def test_more_ranks_than_cores_are_allowed_and_said(tilescope: CommandLine) -> None:
    ranks = (os.cpu_count() or 1) + 1
    if ranks > 9:
        pytest.skip("too many cores to want more ranks than that")
    answer = tilescope("run", "mpi.point-to-point", "--n", "20", "--ranks", str(ranks), "--budget", "5")
    assert answer.status == 0, answer
    assert f"Oversubscribed: {ranks} ranks share" in answer.out


@needs_mpi
def test_a_sweep_takes_ranks_as_values(tilescope: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "ranks.json"
    answer = tilescope("sweep", "mpi.rows", "--n", "16", "--ranks", "1,2", "--budget", "5", "--out", out)
    assert answer.status == 0, answer
    assert [entry["parameters"]["ranks"] for entry in json.loads(out.read_text())] == [1, 2]


@needs_mpi
def test_the_timeline_of_ranks_that_were_started_for_it(tilescope: CommandLine) -> None:
    answer = tilescope("mpi", "mpi.blocks", "--n", "10", "--m", "7", "--k", "13", "--ranks", "3", "--budget", "5", "--json")
    assert answer.status == 0, answer
    timeline = answer.json["timeline"]
    assert timeline["grid"] == [2, 1]
    assert len(timeline["ranks"]) == 3
    require_moved(timeline)


@needs_mpi
def test_under_an_mpiexec_of_ones_own_no_other_ranks_are_started(tmp_path: Path) -> None:
    done = under_mpiexec(tmp_path, 2, "mpi", "mpi.rows", "--n", "8", "--ranks", "3", "--budget", "5")
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert done.stderr.count("tilescope: --ranks: mpiexec has started 2 ranks already.") == 1, done.stderr


@needs_mpi
def test_under_an_mpiexec_of_ones_own_run_says_which_command_uses_it(tmp_path: Path) -> None:
    done = under_mpiexec(tmp_path, 2, "run", "mpi.rows", "--n", "8", "--ranks", "2", "--budget", "5")
    assert done.returncode != 0
    assert done.stdout == ""
    assert done.stderr.count("tilescope mpi mpi.rows runs on those that are there.") == 1, done.stderr


def test_under_an_mpiexec_of_ones_own_rank_0_alone_writes(tmp_path: Path) -> None:
    answer = under_mpiexec(tmp_path, 4, "mpi", "mpi.summa", "--n", "23", "--budget", "5", "--json")
    assert answer.returncode == 0, answer
    found = json.loads(answer.stdout)
    assert found["verified"]
    assert found["parameters"] == {"ranks": 4}
    require_moved(found["timeline"])


@needs_mpi
def test_under_an_mpiexec_of_ones_own_a_refusal_is_said_once(tmp_path: Path) -> None:
    answer = under_mpiexec(tmp_path, 2, "mpi", "mpi.rows", "--n", "0")
    assert answer.returncode == 2
    assert answer.stderr.count("tilescope:") == 1
    assert answer.stdout == ""


@needs_mpi
def test_a_rank_without_a_gpu_of_its_own_refuses_for_all(tmp_path: Path) -> None:
    variables = {"PYTHONPATH": str(TOY_CUPY), "TOY_GPUS": "1"}
    answer = under_mpiexec(tmp_path, 2, "mpi", "mpi.gpu-summa", "--n", "8", "--budget", "5", **variables)
    assert (answer.returncode, answer.stdout) == (2, ""), answer
    assert answer.stderr.count("2 ranks need a GPU each; there are 1.") == 1, answer.stderr


@needs_mpi
def test_what_a_gpus_rank_lacks_is_named(tmp_path: Path) -> None:
    (tmp_path / "cupy.py").write_text("import sys; sys.modules['cupy.cuda'] = __import__('types').SimpleNamespace(\n"
        " cublas=1, runtime=__import__('types').SimpleNamespace(getDeviceCount=lambda: 2))")  # fmt: skip
    script = (
        "import sys; from kernels.mpi.gpu_job import _obstacle\n"
        "for folder in ('/nowhere', sys.argv[1]): sys.path.insert(0, folder); print(_obstacle(0, 1, 2))"
    )  # fmt: skip
    done = subprocess.run(
        [MPIEXEC, "-n", "1", sys.executable, "-c", script, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    without, unlinked = done.stdout.splitlines()
    assert "does not have CuPy, by which ranks use their GPUs. Install it: pip install" in without
    assert "does not have NCCL, by which GPUs send to each other" in unlinked


@needs_mpi
def test_people_get_a_line_for_each_rank_and_the_result_is_kept(tilescope: CommandLine, tmp_path: Path) -> None:
    answer = tilescope("mpi", "mpi.rows", "--n", "8", "--ranks", "2", "--budget", "5")
    lines = answer.out.splitlines()
    titles = next(number for number, line in enumerate(lines) if line.startswith("Rank"))
    assert [line.split()[0] for line in lines[titles + 1 :]] == ["0", "1"]
    assert all(line.split()[-1] == line.split()[-2] for line in lines[titles + 1 :])
    assert tilescope("export", "recording", tmp_path / "kept.json", "--json").json["results"] == 1


def test_what_does_not_run_on_ranks_is_refused(tilescope: CommandLine) -> None:
    assert "cpu.naive does not run on ranks" in tilescope.refused("mpi", "cpu.naive", "--n", "8")


def test_without_mpi4py_the_reason_and_the_next_step_are_said(tilescope: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernels.mpi.detect.find_spec", lambda _: None)
    monkeypatch.setattr("app.cli.mpi.find_spec", lambda _: None)
    for command in (("run", "mpi.rows", "--n", "8"), ("mpi", "mpi.rows", "--n", "8", "--ranks", "2"), ("mpi", "mpi.rows", "--n", "8")):
        assert "The package mpi4py is not installed. Install it: pip install 'tilescope[mpi]'" in tilescope.refused(*command)
    findings = {finding["id"]: finding for finding in tilescope("doctor", "--json").json}
    assert findings["mpi"]["state"] == "missing"
    assert "pip install 'tilescope[mpi]'" in findings["mpi"]["next_step"]


def test_without_mpiexec_too(tilescope: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernels.mpi.detect.find_spec", lambda _: object())
    monkeypatch.setattr("kernels.mpi.detect.find_mpiexec", lambda: None)
    assert "there is no mpiexec" in tilescope.refused("run", "mpi.rows", "--n", "8")


SCRIPTS = ROOT / "resources" / "several-machines"
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")


def with_stubs(folder: Path, script: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a script whose programs only tell what they were asked; `tilescope` fails for what runs on 2 ranks."""
    for name in ("ip", "tilescope"):
        (folder / name).write_text(f'#!/bin/sh\necho {name} "$@"\n[ "$TILESCOPE_TEST_RANKS" != 2 ]\n')
        (folder / name).chmod(0o755)
    (folder / "mpiexec").write_text('#!/bin/sh\nshift; export TILESCOPE_TEST_RANKS=$1; shift; exec "$@"\n')
    (folder / "mpiexec").chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", **variables}
    command = ["bash", str(SCRIPTS / script), *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=True)


@needs_bash
def test_the_launcher_runs_a_command_on_the_host_that_mpiexec_names(tmp_path: Path) -> None:
    asked = with_stubs(tmp_path, "two_hosts.sh", "-x", "10.77.0.3", "proxy", "--port", "9").stdout
    assert asked == "ip netns exec node3 unshare --uts sh -c hostname node3; proxy --port 9\n"


@needs_bash
def test_a_batch_goes_on_after_a_point_that_fails_and_leaves_one_recording(tmp_path: Path) -> None:
    done = with_stubs(tmp_path, "sweep.sh", RUNGS="mpi.rows", SIZES="8 16", RANKS="1 2 4", SLURM_JOB_ID="7")
    folder = tmp_path / "tilescope-7"
    assert done.stdout == f"tilescope export recording {folder}/cluster.json\n"
    assert done.stderr.splitlines() == [f"not measured: mpi.rows, n = {n}, 2 ranks" for n in (8, 16)]
    assert (folder / "mpi.rows-16-4.json").read_text() == "tilescope mpi mpi.rows --n 16 --budget 60 --json\n"
