"""What the reliability scripts hear from the windows that they drive, and how they look at what those have started."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import psutil

from tests.reliability.driving import ROOT, last_to_end, name_of
from tests.reliability.saying import Said, events

SPEAKERS = """
import sys, threading
from tests.reliability.saying import say

sys.setswitchinterval(1e-6)
threads = [threading.Thread(target=lambda: [say("kept", number) for number in range(500)]) for _ in range(4)]
for each in threads:
    each.start()
for each in threads:
    each.join()
"""
ENDS_S = 20.0


def test_what_several_threads_say_at_once_is_heard_whole() -> None:
    ran = subprocess.run([sys.executable, "-c", SPEAKERS], capture_output=True, text=True, check=True, cwd=ROOT)
    assert ran.stdout.count("\n") == 4 * 500
    heard = [event.what for event in events(ran.stdout.splitlines(keepends=True)) if event.word == "kept"]
    assert sorted(heard) == sorted([*range(500)] * 4)


def test_an_event_that_comes_in_two_pieces_is_one() -> None:
    reading, writing = os.pipe()
    os.write(writing, b'kept {"at": 1.0, ')
    later = threading.Timer(0.1, os.write, (writing, b'"what": 7}\n'))
    later.start()
    with os.fdopen(reading, encoding="utf-8") as stream:
        assert next(events(stream)) == Said("kept", 1.0, 7)
    later.join()
    os.close(writing)


def test_what_is_no_event_and_what_was_cut_by_a_kill_are_passed_over() -> None:
    others = ("", "kept", "kept 3", 'kept shown {"at": 1.0}', 'kept {"at": 1.0}')
    lines = (*others, 'kept {"at": 2.0, "what": null}', 'kept {"at": 3.0, "what": 1}')
    assert list(events("\n".join(lines).splitlines(keepends=True))) == [Said("kept", 2.0, None)]


def test_a_process_that_has_ended_has_no_name_and_is_not_waited_for() -> None:
    sleeper = "import time; print(flush=True); time.sleep(60)"
    child = subprocess.Popen([sys.executable, "-c", sleeper, "kernels.mpi.rank"], stdout=subprocess.PIPE)
    assert child.stdout is not None
    with child.stdout as ready:
        ready.readline()
        seen = psutil.Process(child.pid)
        assert name_of(seen) == "kernels.mpi.rank"
        assert last_to_end([seen], time.monotonic(), 0.05)[1] == [seen]
        child.kill()
        while seen.status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.01)
        assert name_of(seen) is None
        assert last_to_end([seen], time.monotonic(), ENDS_S)[1] == []
        child.wait()
    assert name_of(seen) is None
    assert last_to_end([seen], time.monotonic(), ENDS_S)[1] == []
