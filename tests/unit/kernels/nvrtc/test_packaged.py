"""What differs in the packaged program: where things lie, how ranks start, what other programs are given, what is said to be missing."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kernels.base import packaged
from kernels.base.messages import Message
from kernels.base.packaged import RANK_COMMAND
from kernels.gpu.detect import GpuDetection, status_of
from kernels.gpu.errors import explain
from kernels.mpi.channel import ADDRESS_VARIABLE
from kernels.nvrtc import tools
from kernels.nvrtc.headers import header_folders
from kernels.nvrtc.tools import find_tools

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of what came along with a packaged program."""
    folder = tmp_path / "分块 tilescope" / "_internal"
    folder.mkdir(parents=True)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", str(folder), raising=False)
    monkeypatch.setattr(sys, "executable", str(folder.parent / "tilescope"))
    monkeypatch.delenv(tools.COMPONENTS_VARIABLE, raising=False)
    return folder


def test_where_python_runs_the_program_nothing_differs() -> None:
    assert packaged.contents() is None
    assert packaged.programs() == Path(sys.executable).parent
    assert packaged.rank_command() == [sys.executable, "-m", "kernels.mpi.rank"]
    assert tools.folders({}) == ()


def test_in_the_packaged_program_a_rank_is_a_command_of_it(bundle: Path) -> None:
    assert packaged.rank_command() == [str(bundle.parent / "tilescope"), RANK_COMMAND]
    assert packaged.programs() == bundle / "mpi" / "bin"


def test_a_rank_command_without_a_program_that_waits_for_it_ends() -> None:
    environment = {**os.environ, ADDRESS_VARIABLE: "9:nobody", "PYTHONPATH": str(ROOT)}
    ended = subprocess.run([sys.executable, "-m", "app", RANK_COMMAND], env=environment, timeout=60, check=False)
    assert ended.returncode == 1


@pytest.mark.parametrize(("before", "after"), [({"LD_LIBRARY_PATH_ORIG": "/theirs"}, "/theirs"), ({}, None)])
def test_other_programs_are_given_the_libraries_that_the_user_named(bundle: Path, before: dict[str, str], after: str | None) -> None:
    environment = {"LD_LIBRARY_PATH": str(bundle), **before}
    packaged.prepare(environment, bundle)
    assert environment.get("LD_LIBRARY_PATH") == after
    assert "LD_LIBRARY_PATH_ORIG" not in environment
    assert packaged.MPI_LIBRARY_VARIABLE not in environment  # none came along


def test_ranks_take_the_mpi_that_starts_them(bundle: Path) -> None:
    library = bundle / "mpi" / "lib"
    library.mkdir(parents=True)
    ours: dict[str, str] = {}
    theirs = {"OMPI_COMM_WORLD_RANK": "0"}
    chosen = {packaged.MPI_LIBRARY_VARIABLE: "/opt/mpi/libmpi.so"}
    for environment in (ours, theirs, chosen):
        packaged.prepare(environment, bundle)
    assert ours[packaged.MPI_LIBRARY_VARIABLE] == str(library)
    assert theirs[packaged.MPI_LIBRARY_VARIABLE] == f"{os.pathsep}{library}"  # first where the system looks
    assert chosen[packaged.MPI_LIBRARY_VARIABLE] == "/opt/mpi/libmpi.so"


def test_libraries_that_were_added_go_before_those_that_came_along(bundle: Path, tmp_path: Path) -> None:
    ours, added = bundle / "nvidia" / "cu13" / "lib", tmp_path / "more" / "nvidia" / "cu13" / "lib"
    for folder, names in ((ours, ("libnvrtc.so.13", "libnvrtc-builtins.so.13.5")), (added, ("libcublas.so.13", "libcublasLt.so.13"))):
        folder.mkdir(parents=True)
        for name in names:
            (folder / name).touch()
    folders = tools.folders({tools.COMPONENTS_VARIABLE: str(tmp_path / "more")})
    assert list(tools.found(tools.COMPILER, folders)) == [ours / "libnvrtc-builtins.so.13.5", ours / "libnvrtc.so.13"]
    assert list(tools.found(tools.CUBLAS, folders)) == [added / "libcublasLt.so.13", added / "libcublas.so.13"]
    assert list(tools.found(tools.CUBLAS, tools.folders({}))) == []


def test_each_library_is_loaded_once_and_one_that_is_none_is_left_to_cupy(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []

    def cdll(path: str, mode: int) -> None:
        assert mode == ctypes.RTLD_GLOBAL
        loaded.append(Path(path).name)
        raise OSError("file too short")

    monkeypatch.setattr(ctypes, "CDLL", cdll)
    (bundle / "nvidia").mkdir()
    for name in ("libone.so.1", "libtwo.so.2"):
        (bundle / "nvidia" / name).touch()
    for _ in range(2):
        tools.load(("libtwo.so.*", "libone.so.*", "libnone.so.*"))
    assert loaded == ["libtwo.so.2", "libone.so.1"]


def test_where_there_is_no_pip_cublas_is_put_into_a_folder(bundle: Path) -> None:
    said = str(explain(ImportError("libcublas.so.13: cannot open shared object file")))
    assert said.startswith("cuBLAS was not found. Install CUDA 13, or put cuBLAS into the folder")
    assert f'--target "{bundle.parent / "components"}"' in said


def test_the_small_edition_names_the_other_one_where_something_is_missing(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernels.nvrtc.tools.roots", lambda _environment: ())
    monkeypatch.setattr("kernels.nvrtc.headers.roots", lambda _environment: ())
    remedy = status_of(GpuDetection(system="linux")).remedy
    for said in (remedy, find_tools({}, "linux"), header_folders({})):
        assert isinstance(said, Message)
        assert packaged.GPU_EDITION in str(said)
        assert "pip" not in str(said)
