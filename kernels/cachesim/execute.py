"""Executes an instrumented kernel and hands its accesses on in chunks, in the order in which they happen."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from kernels.base.spec import FLOAT32_BYTES, Parameters, Problem
from kernels.base.values import dataclass
from kernels.cachesim.load import InstrumentedKernel
from kernels.cachesim.numbering import NotInstrumentable
from kernels.cachesim.stream import ADDRESS_BITS, Entries
from kernels.cpu.matrix import ALIGNMENT, Matrix
from kernels.jit.team_run import new_team, shared_shape

CHUNK = 1 << 15
"""Accesses that are handed on at once: 256 KiB, which stay in a processor's second cache."""
WORKING_BYTES = 1 << 20
"""What a kernel may allocate at first; where that is too little it is executed again with more."""
Consumer = Callable[[Entries], bool]
"""Takes the next accesses, in memory that is used again; False ends the execution."""
NO_INPUTS: Mapping[str, Matrix] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """The matrices, one after another from address 0, each at a multiple of `ALIGNMENT`, and after them what the kernel allocates."""

    storage: npt.NDArray[np.uint8]
    owners: npt.NDArray[np.uint8]
    """The number of the array that each `ALIGNMENT` bytes belong to."""
    matrices: dict[str, Matrix]
    end: int
    """Where the matrices end."""

    @staticmethod
    def of(shapes: Mapping[str, tuple[int, int]], numbers: Mapping[str, int], working: int) -> Memory:
        """Memory for matrices of these shapes, which have these numbers, and `working` bytes more."""
        addresses = addresses_of(shapes)
        end = addresses.pop("")
        raw = np.zeros(end + working + ALIGNMENT, np.uint8)
        storage = raw[-raw.ctypes.data % ALIGNMENT :][: end + working]
        owners = np.zeros(len(storage) // ALIGNMENT + 1, np.uint8)
        matrices = {}
        for name, start in addresses.items():
            rows, columns = shapes[name]
            size = rows * columns * FLOAT32_BYTES
            owners[start // ALIGNMENT : -(-(start + size) // ALIGNMENT)] = numbers[name]
            matrices[name] = storage[start : start + size].view(np.float32).reshape(rows, columns)
        return Memory(storage, owners, matrices, end)


def addresses_of(shapes: Mapping[str, tuple[int, int]]) -> dict[str, int]:
    """Where each matrix begins; under the empty name where the last one ends."""
    addresses, start = {}, 0
    for name, (rows, columns) in shapes.items():
        addresses[name] = start
        start += -(-rows * columns * FLOAT32_BYTES // ALIGNMENT) * ALIGNMENT
    return {**addresses, "": start}


def execute(
    kernel: InstrumentedKernel,
    problem: Problem,
    parameters: Parameters,
    consume: Consumer,
    inputs: Mapping[str, Matrix] = NO_INPUTS,
    *,
    runs: bool = False,
) -> Matrix:
    """Run the kernel once, on `inputs` or zeros, and return its result. What `consume` raises ends the execution and is raised here.

    `consume` gets runs as such where `runs` says that it knows them. An execution that runs out of memory is repeated with more; what it
    handed on before is not handed on again.
    """
    parameters = one_thread(kernel, parameters)
    shapes = dict(problem.shapes)
    shared = shared_shape(kernel.variant, problem, parameters) if "team" in kernel.arguments else None
    if shared is not None:
        name, rows, columns = shared
        shapes[name] = rows, columns
    delivery = Delivery(consume, runs=runs)
    working = WORKING_BYTES
    while True:
        memory = Memory.of(shapes, {name: kernel.arrays.index(name) for name in shapes}, working)
        for name, matrix in inputs.items():
            memory.matrices[name][...] = matrix
        try:
            wanted = delivery.run(kernel, memory, parameters)
        except NotInstrumentable:
            if kernel.without_runs is None:
                raise
            kernel = kernel.without_runs()
            continue
        if wanted == 0:
            return memory.matrices["C"]
        working = 2 * wanted
        if memory.end + working > 1 << ADDRESS_BITS:
            raise NotInstrumentable("more memory than can be addressed")
        delivery.repeat()


def one_thread(kernel: InstrumentedKernel, parameters: Parameters) -> Parameters:
    """The parameters with which a multi-threaded kernel runs on one thread; those of another as they are."""
    return {**parameters, "threads": 1} if "team" in kernel.arguments else parameters


def numba_errors() -> type[Exception]:
    """What numba raises of a kernel that it cannot compile."""
    from numba.core.errors import NumbaError

    return NumbaError


class Delivery:
    """Stands between a running kernel and the one who takes its accesses."""

    def __init__(self, consume: Consumer, *, runs: bool) -> None:
        self._consume = consume
        self._runs = runs
        self._entries = np.empty(CHUNK, np.int64)
        self._delivered = 0
        self._skip = 0
        self._failure: BaseException | None = None

    def run(self, kernel: InstrumentedKernel, memory: Memory, parameters: Parameters) -> int:
        """Execute the kernel; 0, or how many bytes beside the matrices it would have needed at least."""
        from kernels.cachesim import arena

        callback = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(self._take)  # lives as long as the kernel runs
        fields = np.zeros(arena.FIELDS, np.int64)
        fields[arena.BASE] = memory.storage.ctypes.data
        fields[arena.SIZE] = len(memory.storage)
        fields[arena.TOP] = memory.end
        fields[arena.OWNERS] = memory.owners.ctypes.data
        fields[arena.ENTRIES] = self._entries.ctypes.data
        fields[arena.CAPACITY] = CHUNK
        fields[arena.CONSUMER] = ctypes.cast(callback, ctypes.c_void_p).value or 0
        team = {"team": new_team(parameters), "thread": 0} if "team" in kernel.arguments else {}
        given = {**memory.matrices, **parameters, **team}
        try:
            kernel.function(*(given[name] for name in kernel.arguments), fields.ctypes.data)
        except (numba_errors(), NotImplementedError) as failure:
            raise NotInstrumentable(str(failure).strip().splitlines()[-1]) from None
        except arena.Stopped:
            if self._failure is not None:
                raise self._failure from None
            return 0
        except arena.MemoryFull:
            return int(fields[arena.WANTED]) - memory.end
        self._hand_on(int(fields[arena.USED]))
        return 0

    def repeat(self) -> None:
        """The next execution begins anew: skip what was handed on."""
        self._skip, self._delivered = self._delivered, 0

    def _take(self, count: int) -> int:
        # an exception cannot pass through machine code: it is kept until the kernel has ended
        try:
            return 0 if self._hand_on(count) else 1
        except BaseException as failure:
            self._failure = failure
            return 1

    def _hand_on(self, count: int) -> bool:
        from kernels.cachesim.runs import taken_apart

        first = min(max(self._skip - self._delivered, 0), count)
        self._delivered += count
        entries = self._entries[first:count]
        return first == count or self._consume(entries if self._runs else taken_apart(entries))
