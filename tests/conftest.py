"""What every test is held to: it leaves no thread and no child process behind. Without Qt the tests of the window are not collected."""

from __future__ import annotations

import gc
import importlib.util
import os
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing import forkserver, resource_tracker
from pathlib import Path

import psutil
import pytest
from copied_workers import copy_workers
from hypothesis import HealthCheck, settings

from kernels.base import worker_process
from kernels.base.compiled_functions import CACHE_VARIABLE
from kernels.base.messages import Message
from kernels.nvrtc.tools import Tools, find_tools

pytest_plugins = ["pytester"]

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before anything imports Qt
collect_ignore = [] if importlib.util.find_spec("PySide6") else ["qt"]

KERNELS = Path(__file__).parent.parent / "build" / "cache" / "tilescope" / "numba"
os.environ.setdefault(CACHE_VARIABLE, str(KERNELS))  # compiled once for all tests, for packaging/screenshots.py, and for the next time

untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # how long anything takes fails no test
settings.register_profile("searching", untimed)  # pytest --hypothesis-profile=searching: other examples each time, those that failed first
settings.register_profile("repeatable", untimed, derandomize=True)  # a build that fails has a cause in what was built
settings.load_profile("repeatable")

as_in_the_program = worker_process._context
copy_workers("copied_predictions")  # which the tests ask for in most windows, each in a process of its own

PATIENCE_S = 20.0
"""How long something that a test has told to end may take to be gone."""


def remaining(find: Callable[[], set[str]]) -> set[str]:
    """What `find` still finds when it has found nothing, or when patience ends."""
    deadline = time.monotonic() + PATIENCE_S
    while (found := find()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


strangers: set[int] = set()
"""Processes that were there at the last look, and are nobody's here: they are not asked again whose they are."""


def _parent(pid: int) -> int:
    try:
        return int(psutil.Process(pid).ppid())
    except psutil.NoSuchProcess:
        return 0


def _children() -> set[int]:
    """The child processes, and those that were copied from a preloaded one; less that one and the tracker, which Python's multiprocessing
    keeps for itself until the end."""
    tracker = getattr(resource_tracker._resource_tracker, "_pid", None)
    server = getattr(forkserver._forkserver, "_forkserver_pid", None)
    running = set(psutil.pids())
    found = {pid for pid in running - strangers if _parent(pid) in (os.getpid(), server)}
    strangers.intersection_update(running)
    strangers.update(running - found)
    return found - {tracker, server}


def pytest_collection_finish() -> None:
    """Have the collector pass over what all modules are made of: it is called after most tests, and would look at a million objects."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def kernels_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps compiled kernels where the other tests find them, wherever a test keeps its own."""
    monkeypatch.setenv(CACHE_VARIABLE, os.environ[CACHE_VARIABLE])


@pytest.fixture(scope="session")
def tools() -> Tools:
    """NVIDIA's compiler and the tools beside it; a test that asks for them is passed over where they are not installed."""
    found = find_tools()
    if isinstance(found, Message):
        pytest.skip(str(found))
    return found


@pytest.fixture
def workers_new(monkeypatch: pytest.MonkeyPatch) -> None:
    """Starts workers as the program does."""
    monkeypatch.setattr(worker_process, "_context", as_in_the_program)


@pytest.fixture(autouse=True)
def import_path_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets no command line that is called in a test's own process take folders from the import path of later tests' processes."""
    monkeypatch.setenv("PYTHONSAFEPATH", "")


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    """Fails a test after which a Python thread still runs that it found not running."""
    before = {thread.ident for thread in threading.enumerate()}
    yield
    left = remaining(lambda: {thread.name for thread in threading.enumerate() if thread.ident not in before})
    assert not left, f"threads left running: {sorted(left)}"


@pytest.fixture(autouse=True)
def no_process_left() -> Iterator[None]:
    """Fails a test that leaves a child process, running or not waited for."""
    before = _children()
    yield
    left = remaining(lambda: {str(pid) for pid in _children() - before})
    assert not left, f"child processes left: {sorted(left)}"
