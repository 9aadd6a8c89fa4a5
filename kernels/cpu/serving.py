"""How the threads of a crew take part in the runs of a multi-threaded kernel.

Thread 0 begins each run and ends it. The others wait in compiled code, first awake, then asleep: to wake them through the interpreter
would take longer than many a run.
"""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

from kernels.cpu import schedules

_TEXT = """\
def take_part({arguments}):
    if thread == 0:
        begin_run(team)
        {entry}({arguments})
        end_run(team)
    else:
        runs = 0
        while await_run(team, runs):
            runs += 1
            {entry}({arguments})
            finish_run(team)
"""
_SCHEDULES = {name: getattr(schedules, name) for name in ("begin_run", "end_run", "await_run", "finish_run")}


def serving(entry: FunctionType, names: dict[str, Any]) -> FunctionType:
    """A function with the arguments of a kernel's entry: thread 0 runs the kernel once, the others as often as it does, until the end.

    `names` are those that the kernel's text sees.
    """
    text = _TEXT.format(arguments=", ".join(inspect.signature(entry).parameters), entry=entry.__name__)
    own: dict[str, Any] = {**names, **_SCHEDULES}
    exec(compile(text, entry.__code__.co_filename, "exec"), own)
    function: FunctionType = own["take_part"]
    function.__module__ = entry.__module__
    return function
