"""A multi-threaded kernel in a trace: its threads take turns, and their shared memory is recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from kernels.cpu.atomics import TracedWords
from kernels.cpu.team_run import PANELS, handed_out, new_team, shared_shape
from kernels.cpusim.recorder import Recorder, RecordingArray, RecordingCopies, RecordingPanel
from kernels.cpusim.trace import CHUNK_FIELDS
from kernels.cpusim.turns import TurnTaking
from kernels.spec import Parameters, Problem, Variant


def run_team(
    kernel: Callable[..., None],
    operands: Mapping[str, RecordingArray],
    sizes: Mapping[str, int],
    recorder: Recorder,
    variant: Variant,
    problem: Problem,
    parameters: Parameters,
) -> npt.NDArray[np.int64]:
    """Execute the kernel once for each thread of the team that the parameters ask for.

    Returns the chunks that were handed out, as in `Trace.chunks`.
    """
    turns = TurnTaking(parameters["threads"], lambda: len(recorder.lines))
    recorder.turns = turns
    team = new_team(parameters).view(TracedWords)
    team.turns = turns
    shared = _shared_memory(recorder, variant, problem, parameters)
    turns.run(lambda thread: kernel(**operands, **shared, **sizes, team=team, thread=thread))
    return handed_out(team)[:, :CHUNK_FIELDS]


def _shared_memory(recorder: Recorder, variant: Variant, problem: Problem, parameters: Parameters) -> dict[str, RecordingArray]:
    """What the threads share besides the matrices: panels, or copies of C, which are shown where C is."""
    shape = shared_shape(variant, problem, parameters)
    if shape is None:
        return {}
    name, rows, columns = shape
    data = np.zeros((rows, columns), np.float32)
    if name == PANELS:
        return {name: RecordingPanel(recorder, data)}
    elements = problem.m * problem.n
    places = np.arange(data.size).reshape(data.shape) % max(elements, 1)
    return {name: RecordingCopies(recorder, list(problem.shapes).index("C"), data, problem.n, places)}
