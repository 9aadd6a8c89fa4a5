"""Multiprocessor (SM) that issues machine code: how many cycles the resident blocks of a launch take for a path of their warps.

The machine code is executed for its time alone, not for its values. Each of four partitions issues an instruction a cycle, of its warp
that can go on first, the last one's before others. A warp goes on when its stall count has passed, the scoreboard barriers that it waits
for are clear (`control`), and the pipe is free: 16 lanes for integers, 16 and 16 for float32, so that a warp holds one of them for two
cycles; the load/store unit of the whole SM takes a wavefront of shared memory or a line of global memory a cycle, and the L2 cache and
DRAM give the SM its share of their bandwidth. A barrier of a block holds its warps until the last has come. Where a block has ended the
next one begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kernels.base.architectures import PARTITIONS
from kernels.base.compiled_functions import compiled
from kernels.compiled.control import BARRIERS, REGISTER_BANKS, source_banks
from kernels.compiled.listing import Instruction

Numbers = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Code = np.ndarray[tuple[int, int], np.dtype[np.int64]]

_OTHER, _INTEGER, _HEAVY, _FLOAT, _SHARED_LOAD, _SHARED_STORE, _GLOBAL_LOAD, _GLOBAL_STORE, _BARRIER, _COPY, _SLOW = range(11)
_PIPES = {
    **dict.fromkeys(("FFMA", "FADD", "FMUL"), _FLOAT),
    **dict.fromkeys(("IMAD", "HFMA2"), _HEAVY),
    **dict.fromkeys(("IADD3", "VIADD", "LOP3", "ISETP", "SHF", "LEA", "SEL", "MOV", "PRMT", "VIMNMX", "PLOP3"), _INTEGER),
    **dict.fromkeys(("FSETP", "FSEL", "FMNMX"), _INTEGER),
    **dict.fromkeys(("LDS", "LDSM"), _SHARED_LOAD), "STS": _SHARED_STORE, "LDG": _GLOBAL_LOAD, "LD": _GLOBAL_LOAD,
    **dict.fromkeys(("STG", "ST", "RED"), _GLOBAL_STORE), "BAR": _BARRIER, "LDGSTS": _COPY,
    **dict.fromkeys(("LDC", "S2R", "S2UR", "MUFU"), _SLOW),
}  # fmt: skip
_WAITS_FOR_COPIES = ("LDGDEPBAR", "DEPBAR")
_PIPE, _STALL, _WRITE, _READ, _WAITS, _BYTES, _CONFLICT, _COPIES = range(8)
"""Columns of `Code`."""
_WORD = 4.0
_PIPE_CYCLES = 2.0
_SLOW_CYCLES, _OTHER_CYCLES, _OPERAND_CYCLES = 30.0, 12.0, 6.0
"""Until what is no access has its result, and until operands are read: assumed; they matter little beside memory."""
_QUEUE = 8.0
"""Cycles of work that wait for the load/store unit before a warp is held: assumed."""
_TO_UNIT = 2.0
_NOTHING = -1
_DRAM, _STARTS = 3, 4
"""Places of `_Units.memory`."""


class Costs(NamedTuple):
    """Costs of accesses. Latencies in cycles; wavefronts for 4 bytes of each lane; lines, and sectors that the first-level cache does not
    have, for a request of 4 bytes a lane. Cycles of the SM's share of the L2 cache for a sector that is loaded, for one that is stored, and
    at least for a line that is stored to; of its share of DRAM for a sector that is loaded and for one that is stored, 0 where the cache
    has all. Cycles that a barrier takes after the last warp has come; from the start of a block on the SM to that of the next, and from one
    of its warps to the next."""

    shared_latency: float
    memory_latency: float
    first_level_latency: float
    load_wavefronts: float
    store_wavefronts: float
    load_lines: float
    missed_sectors: float
    store_lookups: float
    stored_lines: float
    stored_sectors: float
    sector_cycles: float
    stored_sector_cycles: float
    stored_line_cycles: float
    dram_load_cycles: float
    dram_store_cycles: float
    barrier: float
    block_start: float
    warp_start: float


class _Units(NamedTuple):
    """When each unit is free: of each partition the scheduler, the integer pipe and the two of float32; `memory` is the load/store unit,
    the L2 cache, the part of a missed sector that the loads so far have added up to, DRAM, and when the SM is given a block.
    Of each warp: when it can go on, its barriers, when its copies have come. Of each partition the warp it last issued for."""

    scheduler: Numbers
    integer: Numbers
    heavy: Numbers
    light: Numbers
    memory: Numbers
    ready: Numbers
    barriers: Numbers
    copied: Numbers
    last: np.ndarray[tuple[int], np.dtype[np.int64]]


def cycles_of(path: Sequence[Instruction], warps: int, blocks: int, rounds: int, costs: Costs, resident: int | None = None) -> float:
    """The cycles until the last of the blocks, each of so many warps, has gone this path so often. At most `resident` are there at a time;
    all of them where that is None."""
    return float(_run(_encoded(path), warps, blocks, min(blocks, resident or blocks), rounds, costs))


def _encoded(path: Sequence[Instruction]) -> Code:
    rows = []
    for each in path:
        control, banks = each.control, source_banks(each.opcode, each.operands)
        name = each.opcode.split(".")[0]
        if control is None:
            raise ValueError("the listing has no control codes")
        write, read = (_NOTHING if barrier is None else barrier for barrier in (control.write_barrier, control.read_barrier))
        conflict = len(banks) > REGISTER_BANKS and len(set(banks)) == 1
        size = each.accesses[0].bytes if each.accesses else int(_WORD)
        waits = sum(1 << barrier for barrier in control.waits)
        rows.append((_PIPES.get(name, _OTHER), max(control.stall, 1), write, read, waits, size, conflict, name in _WAITS_FOR_COPIES))
    return np.array(rows, np.int64).reshape(-1, _COPIES + 1)


@compiled
def _earliest(code: Code, here: int, warp: int, units: _Units) -> float:
    """When a warp could issue its instruction."""
    partition, pipe = warp % PARTITIONS, code[here, _PIPE]
    found = max(units.ready[warp], units.scheduler[partition])
    for barrier in range(BARRIERS):
        if code[here, _WAITS] >> barrier & 1:
            found = max(found, units.barriers[warp, barrier])
    if pipe == _INTEGER:
        found = max(found, units.integer[partition])
    elif pipe == _HEAVY:
        found = max(found, units.heavy[partition])
    elif pipe == _FLOAT:
        found = max(found, min(units.heavy[partition], units.light[partition]))
    elif _SHARED_LOAD <= pipe <= _COPY and pipe != _BARRIER:
        found = max(found, units.memory[0] - _QUEUE)
    return float(found)


@compiled
def _access(code: Code, here: int, warp: int, at: float, units: _Units, costs: Costs) -> tuple[float, float]:
    """When an access has its result, and when it has read its operands."""
    pipe, words = code[here, _PIPE], max(code[here, _BYTES] / _WORD, 1.0)
    start = max(at + _TO_UNIT, units.memory[0])
    if pipe == _SHARED_LOAD:
        units.memory[0] = start + costs.load_wavefronts * words
        return units.memory[0] + costs.shared_latency, start + _TO_UNIT
    if pipe == _SHARED_STORE:
        units.memory[0] = start + costs.store_wavefronts * words
        return units.memory[0], units.memory[0]
    if pipe == _GLOBAL_STORE:
        units.memory[0] = start + costs.store_lookups * words
        sectors = costs.stored_sectors * words
        taken = max(sectors * costs.stored_sector_cycles, costs.stored_lines * words * costs.stored_line_cycles)
        units.memory[1] = max(units.memory[1], start) + taken
        units.memory[_DRAM] = max(units.memory[_DRAM], start) + sectors * costs.dram_store_cycles
        return units.memory[0], units.memory[0]
    units.memory[0] = start + costs.load_lines * words
    units.memory[2] += costs.missed_sectors * words
    result = units.memory[0] + costs.first_level_latency
    if units.memory[2] >= 1.0:
        missed = np.floor(units.memory[2])
        units.memory[2] -= missed
        units.memory[1] = max(units.memory[1], start) + missed * costs.sector_cycles
        units.memory[_DRAM] = max(units.memory[_DRAM], start) + missed * costs.dram_load_cycles
        result = max(units.memory[0], units.memory[1], units.memory[_DRAM]) + costs.memory_latency
    if pipe == _COPY:
        units.copied[warp] = max(units.copied[warp], result)
    return result, start + _TO_UNIT


@compiled
def _issue(code: Code, here: int, warp: int, units: _Units, costs: Costs) -> None:
    """Issue the instruction of a warp: hold the units it takes, set its barriers, and when it can go on."""
    at, partition, pipe = _earliest(code, here, warp, units), warp % PARTITIONS, code[here, _PIPE]
    result, read = at + _OTHER_CYCLES, at + _OPERAND_CYCLES
    if pipe == _INTEGER:
        units.integer[partition] = at + _PIPE_CYCLES
    elif pipe == _HEAVY or (pipe == _FLOAT and units.heavy[partition] < units.light[partition]):
        units.heavy[partition] = at + _PIPE_CYCLES
    elif pipe == _FLOAT:
        units.light[partition] = at + _PIPE_CYCLES
    elif pipe == _SLOW:
        result = at + _SLOW_CYCLES
    elif _SHARED_LOAD <= pipe <= _COPY and pipe != _BARRIER:
        result, read = _access(code, here, warp, at, units, costs)
    if code[here, _COPIES]:
        result = units.copied[warp]
    if code[here, _WRITE] >= 0:
        units.barriers[warp, code[here, _WRITE]] = max(units.barriers[warp, code[here, _WRITE]], result)
    if code[here, _READ] >= 0:
        units.barriers[warp, code[here, _READ]] = max(units.barriers[warp, code[here, _READ]], read)
    units.scheduler[partition] = at + 1 + code[here, _CONFLICT]
    units.last[partition] = warp
    units.ready[warp] = at + code[here, _STALL]


@compiled
def _chosen(code: Code, place: np.ndarray, held: np.ndarray, units: _Units) -> int:
    """The warp whose instruction is issued next: the one that can be first; of equals the last one issued for, else the lowest."""
    best, least = 0, np.inf
    for warp in range(len(place)):
        if not held[warp]:
            found = _earliest(code, place[warp], warp, units) - (0.25 if units.last[warp % PARTITIONS] == warp else 0.0)
            if found < least:
                best, least = warp, found
    return best


@compiled
def _meet(block: int, warps: int, held: np.ndarray, units: _Units, barrier: float) -> None:
    """Let the warps of a block go on when the last has come to the barrier."""
    first, end = block * warps, (block + 1) * warps
    if held[first:end].all():
        units.ready[first:end] = units.ready[first:end].max() + barrier
        held[first:end] = False


@compiled
def _start(block: int, warps: int, at: float, units: _Units, costs: Costs) -> None:
    """Start a block in the place of another one, as soon as the SM is given one."""
    begin = max(at, units.memory[_STARTS])
    units.memory[_STARTS] = begin + costs.block_start
    for each in range(warps):
        warp = block * warps + each
        units.ready[warp] = begin + each * costs.warp_start
        units.barriers[warp] = 0.0
        units.copied[warp] = 0.0


@compiled
def _run(code: Code, warps: int, blocks: int, resident: int, rounds: int, costs: Costs) -> float:
    count = warps * resident
    units = _Units(
        np.zeros(PARTITIONS), np.zeros(PARTITIONS), np.zeros(PARTITIONS), np.zeros(PARTITIONS), np.zeros(_STARTS + 1), np.zeros(count),
        np.zeros((count, BARRIERS)), np.zeros(count), np.full(PARTITIONS, -1),
    )  # fmt: skip
    place, done, held = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.bool_)
    for block in range(resident):
        _start(block, warps, 0.0, units, costs)
    last, left, waiting = 0.0, count, blocks - resident
    while left:
        warp = _chosen(code, place, held, units)
        here, block = place[warp], warp // warps
        first, end = block * warps, (block + 1) * warps
        _issue(code, here, warp, units, costs)
        place[warp] += 1
        if place[warp] == len(code):
            place[warp], done[warp] = 0, done[warp] + 1
        if done[warp] == rounds:
            last, left, held[warp] = max(last, units.ready[warp]), left - 1, True
            if waiting and (done[first:end] == rounds).all():
                done[first:end], held[first:end] = 0, False
                left, waiting = left + warps, waiting - 1
                _start(block, warps, units.ready[first:end].max(), units, costs)
        elif code[here, _PIPE] == _BARRIER:
            held[warp] = True
            _meet(block, warps, held, units, costs.barrier)
    return float(max(last, units.memory[1], units.memory[_DRAM]))
