"""The folders of compiled preludes: what a killed process left goes, what another one uses stays."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from kernels.simt.frontend.precompiled import sweep

HOLD = """
import sys, time
from pathlib import Path
from kernels.simt.frontend.precompiled import hold
held = hold(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(60)
"""


def folder_in(parent: Path, name: str) -> Path:
    folder = parent / f"tilescope-prelude-{name}"
    folder.mkdir()
    (folder / "prelude-False.pch").write_bytes(b"compiled")
    return folder


def test_what_a_killed_process_left_is_swept_away_and_what_a_living_one_uses_is_not(tmp_path: Path) -> None:
    folder = folder_in(tmp_path, "a")
    with subprocess.Popen([sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        sweep(tmp_path)
        used = folder.exists()
        process.kill()
    sweep(tmp_path)
    assert used
    assert not folder.exists()


def test_a_folder_that_nobody_holds_yet_stays_for_a_day(tmp_path: Path) -> None:
    new, old = folder_in(tmp_path, "new"), folder_in(tmp_path, "old")
    yesterday = time.time() - 25 * 3600
    os.utime(old, (yesterday, yesterday))
    sweep(tmp_path)
    assert (new.exists(), old.exists()) == (True, False)
