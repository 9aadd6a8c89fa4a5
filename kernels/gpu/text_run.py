"""Run of any CUDA C text on the GPU, timed, in a process that it may take down with it; its arguments' types, values and places."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kernels.base.arrays import Matrix
from kernels.base.messages import Message, message
from kernels.base.reference import ReferenceCache
from kernels.base.spec import Output
from kernels.base.values import dataclass
from kernels.base.worker_process import NoAnswer, Why, ask_once
from kernels.catalogue.case import Case
from kernels.measure.protocol import Protocol, stopped_by
from kernels.measure.runner import RunFailed
from kernels.simt.trace.launch_spec import LaunchSpec, NotTraced

if TYPE_CHECKING:
    from kernels.simt.base.types import Pointer, Scalar, Type

LARGEST_BYTES = 4 << 30
"""Of one array."""


def types_of(job: TextRun) -> dict[str, Type]:
    """The types of the parameters, in order."""
    from kernels.simt.frontend.parse import parse
    from kernels.simt.lower.types import Types

    cursor = parse(job.text, job.path, job.defines).function_cursor(_entry(job))
    found: dict[str, Type] = {}
    for parameter in cursor.get_arguments():
        kind = Types().of(parameter.type)
        if kind is not None:
            found[parameter.spelling] = kind
    return found


def _entry(job: LaunchSpec) -> str:
    assert job.entry is not None
    return job.entry


def _leaves(types: Mapping[str, Type]) -> dict[str, Scalar | Pointer]:
    from kernels.simt.base.layout import leaves

    return {path: kind for name, c_type in types.items() for path, kind, _ in leaves(c_type, name)}


def values_of(job: TextRun, types: Mapping[str, Type]) -> dict[str, Any] | Message:
    """What each parameter, or member of one, is given."""
    from kernels.simt.base.types import Pointer, Struct
    from kernels.simt.run.arguments import parse_argument
    from kernels.simt.run.written_objects import WRITTEN

    made = next((name for name, kind in types.items() if isinstance(kind, Struct) and kind.name in WRITTEN), None)
    if made is not None:
        return message("{name} is an object that the runtime makes on a GPU: the kernel is executed here, but not timed.", name=made)
    values: dict[str, Any] = {}
    for path, kind in _leaves(types).items():
        if path in job.launch.arguments:
            values[path] = given = job.launch.arguments[path]
            if isinstance(kind, Pointer) and not isinstance(given, np.ndarray):
                return message("{name} points to a function: its place on the GPU is not known.", name=path)
            continue
        if path not in job.texts:
            return message("The kernel needs a value for {name}.", name=path)
        value = parse_argument(path, job.texts[path], kind, LARGEST_BYTES)
        if isinstance(value, Message):
            return value
        values[path] = value
    return values


def variables_of(job: LaunchSpec, types: Mapping[str, Type]) -> Mapping[str, Any] | Message:
    """The bytes of the `__constant__` and `__device__` variables that something is given for."""
    from kernels.simt.run.arguments import with_arguments
    from kernels.simt.run.reading import read

    known = {*types, *_leaves(types)}
    texts = {name: text for name, text in job.texts.items() if name not in known}
    if not texts:
        return job.launch.variables
    found = read(job)
    launch = found.reason if isinstance(found, NotTraced) else with_arguments(found.kernel, job.launch, texts)
    return launch if isinstance(launch, Message) else launch.variables


def place(values: Mapping[str, Any], types: Mapping[str, Type], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Arrays of bytes on the GPU; what nothing is given for holds bytes of ones, as float32 NaN."""
    import cupy

    from kernels.simt.base.launch import Filled
    from kernels.simt.base.layout import size_of
    from kernels.simt.base.types import Pointer
    from kernels.simt.run.arguments import initial_of

    arrays = {}
    for path, kind in _leaves(types).items():
        if not isinstance(kind, Pointer):
            continue
        value = values[path]
        if isinstance(value, np.ndarray):
            host = np.ascontiguousarray(value).reshape(-1).view(np.uint8)
        elif path in inputs:
            host = np.ascontiguousarray(inputs[path]).reshape(-1).view(np.uint8)
        elif isinstance(value, Filled) and value.fill is None:
            host = np.full(value.count * size_of(kind.target), 0xFF, np.uint8)
        elif isinstance(value, Filled) and value.fill == "zeros" and value.order is None:
            host = np.zeros(value.count * size_of(kind.target), np.uint8)
        else:
            host = np.asarray(initial_of(value, kind.target, 0).bytes)
        arrays[path] = cupy.asarray(host)
    return arrays


class Arguments:
    """The parameters as the driver takes them: addresses of their bytes."""

    def __init__(self, types: Mapping[str, Type], values: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
        from kernels.simt.base.layout import leaves, scalar_dtype, size_of

        self._bytes = []
        for name, c_type in types.items():
            whole = np.zeros(max(size_of(c_type), 1), np.uint8)
            for path, kind, offset in leaves(c_type, name):
                value = arrays[path].data.ptr if path in arrays else values[path]
                scalar = np.array([value]).astype(scalar_dtype(kind))
                whole[offset : offset + scalar.nbytes] = scalar.view(np.uint8)
            self._bytes.append(whole)
        self._pointers = (ctypes.c_void_p * max(len(self._bytes), 1))(*(each.ctypes.data for each in self._bytes))
        self.address = ctypes.addressof(self._pointers)


def _fill_variables(module: Any, variables: Mapping[str, Any]) -> None:
    """Put what the host has written into `__constant__` and `__device__` variables there. Raises RunFailed."""
    import cupy

    for key, content in variables.items():
        name = key.partition(" ")[0]
        try:
            address = module.get_global_var(name)
        except cupy.cuda.driver.CUDADriverError:
            raise RunFailed(message("The variable {name} was not found in the compiled text: it cannot be filled.", name=name)) from None
        cupy.cuda.runtime.memcpy(int(address), content.ctypes.data, content.nbytes, cupy.cuda.runtime.memcpyHostToDevice)


LONGEST_S = 60.0

Conditions = dict[str, str | int | float]


@dataclass(frozen=True, slots=True, eq=False)
class TextRun(LaunchSpec):
    """Launch to be timed, together with what is launched `before`, on the same arguments. `entry` is given.

    With a `point` the arrays A and B hold its inputs, and C is verified as that of its variant is.
    """

    point: Case | None = None
    protocol: Protocol = field(default_factory=Protocol)


@dataclass(frozen=True, slots=True)
class Timed:
    """Milliseconds of each sample, and what they depend on. `reason` says why the output is wrong, where it was verified and is."""

    times_ms: tuple[float, ...]
    conditions: Mapping[str, str | int | float]
    relative_error: float | None = None
    allowed_error: float | None = None
    reason: Message | None = None


def run_apart(
    job: TextRun,
    stopping: Callable[[], bool],
    answer: Callable[[TextRun], Timed | Message] | None = None,
    seconds: float = LONGEST_S,
) -> Timed | Message:
    """What came of a run in a process of its own, after at most `seconds`: a fault of the device ends that process alone."""
    try:
        found: Timed | Message = ask_once(answer or run_text, "gpu-text", job, seconds, stopping)
    except OSError as error:
        return message("The process for the GPU could not be started: {error}", error=str(error))
    except NoAnswer as none:
        return _unanswered(none.why, seconds)
    return found


def _unanswered(why: Why, seconds: float) -> Message:
    if why is Why.CANCELLED:
        return message("The run was stopped.")
    if why is Why.LATE:
        return message("The kernel ran longer than {seconds} s and was stopped.", seconds=seconds)
    return message("The process that ran the kernel ended unexpectedly: the kernel took it down. Nothing else was lost.")


# What follows runs in the process, which is ended afterwards: after a fault the GPU takes nothing more from it.


def run_text(job: TextRun) -> Timed | Message:
    """Compile, run, verify and time."""
    from kernels.gpu.errors import explain
    from kernels.simt.frontend.diagnostics import FrontEndError

    try:
        return _timed(job)
    except RunFailed as failed:
        return failed.reason
    except FrontEndError as error:
        return error.message
    except Exception as error:  # a driver may raise anything, and the window is to be told
        return explain(error)


def _timed(job: TextRun) -> Timed | Message:
    import cupy

    from kernels.gpu.execution import Timer
    from kernels.gpu.launching import enqueue, waits

    types = types_of(job)
    values, variables = values_of(job, types), variables_of(job, types)
    if isinstance(values, Message):
        return values
    if isinstance(variables, Message):
        return variables
    references = ReferenceCache(job.protocol.seed)
    arrays = place(values, types, _inputs(job, references))
    capability = int(cupy.cuda.Device().compute_capability)
    function, conditions = _compiled(replace(job, launch=replace(job.launch, variables=variables)), capability)
    kernels = [(_compiled(job.before, capability)[0], job.before)] if job.before is not None else []
    steps = [*kernels, (function, job)]
    launches = [(kernel, each.launch, waits(each.text, _entry(each))) for kernel, each in steps]
    arguments = Arguments(types, values, arrays)

    def launch() -> None:
        stream = cupy.cuda.get_current_stream().ptr
        for kernel, how, early in launches:
            enqueue(kernel.ptr, how.grid, how.block, how.shared_bytes, stream, arguments.address, early=early)

    timer = Timer(launch)
    first_ms = timer.sample()
    timed = Timed((), {})
    if job.point is not None:
        variant, problem = job.point.variant, job.point.problem
        rows, columns = problem.shapes["C"]
        output = arrays["C"].get().view(np.float32)[: rows * columns].reshape(rows, columns)
        reference = references.reference(problem, lambda: None, variant.output)
        verdict = reference.judging(variant, problem, job.point.parameters).verify(output, lambda: None)
        timed = Timed((), {}, verdict.relative_error, verdict.allowed_error, verdict.reason)
    times = _samples(timer.sample, job.protocol, first_ms) if timed.reason is None else ()
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    conditions |= {"gpu": name, "timer": "CUDA events", "launches_per_sample": timer.launches, "gpu_caches": "warm"}
    return Timed(times, conditions, timed.relative_error, timed.allowed_error, timed.reason)


def _inputs(job: TextRun, references: ReferenceCache) -> Mapping[str, Matrix]:
    """What the arrays of this name are to hold."""
    if job.point is None:
        return {}
    inputs = references.inputs(job.point.problem)
    return {"C": inputs["A"]} if job.point.variant.output is Output.IN_PLACE else inputs


def _samples(sample: Callable[[], float], protocol: Protocol, first_ms: float) -> tuple[float, ...]:
    if first_ms / 1000 * protocol.least_runs > protocol.budget_s / 2:
        return (first_ms,)
    for _ in range(protocol.warm_ups):
        sample()
    times: list[float] = []
    begin = time.perf_counter()
    while stopped_by(times, protocol, time.perf_counter() - begin) is None:
        times.append(sample())
    return tuple(times)


def _compiled(job: LaunchSpec, capability: int) -> tuple[Any, Conditions]:
    """The kernel, ready to be launched."""
    from cupy.cuda import Module, driver

    from kernels.gpu.compiler import allow_shared, compile_entry, compile_options, supported_capabilities

    options = compile_options(capability, supported_capabilities(), job.defines)
    code, symbol = compile_entry(job.text, _entry(job), options, job.path)
    module = Module()
    module.load(code)
    _fill_variables(module, job.launch.variables)
    function = module.get_function(symbol)
    allow_shared(function, job.launch.shared_bytes)
    registers = driver.funcGetAttribute(driver.CU_FUNC_ATTRIBUTE_NUM_REGS, function.ptr)
    static = driver.funcGetAttribute(driver.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function.ptr)
    return function, {
        "grid": " × ".join(map(str, job.launch.grid)), "block": " × ".join(map(str, job.launch.block)), "registers": registers,
        "shared_bytes": static + job.launch.shared_bytes, "nvrtc_options": " ".join(options),
    }  # fmt: skip
