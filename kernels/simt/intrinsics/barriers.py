"""Barriers in shared memory (mbarrier): a word that counts arrivals and bytes, phase after phase.

The word has, from its lowest bit: 20 bits of arrivals that are missing in this phase, 20 bits of arrivals a phase, 21 bits of bytes that
are to come (from -2^20 on), 3 bits that count phases. NVIDIA does not say how its word is made; it is only read through these functions.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kernels.base.messages import message
from kernels.simt.base.types import U64
from kernels.simt.base.windows import SHARED_WINDOW
from kernels.simt.intrinsics.bulk import complete
from kernels.simt.intrinsics.copies import arrivals_behind_copies, arrive_behind_copies
from kernels.simt.trace.events import Happening
from kernels.simt.trace.finding_kinds import FindingKind

if TYPE_CHECKING:
    from kernels.simt.machine.context import Context, Function, Value, Vector

_COUNT = (1 << 20) - 1
_ZERO_BYTES = 1 << 20
TOO_MANY = message("More arrivals come to this barrier than its phase waits for: what happens then is not defined.")


def _word(pending: Any, count: Any, transfer: Any, phase: Any) -> Vector:
    fields = (pending & _COUNT, (count & _COUNT) << 20, ((transfer + _ZERO_BYTES) & 0x1FFFFF) << 40)
    whole = fields[0] | fields[1] | fields[2]
    return np.asarray(whole).astype(np.uint64) | (np.asarray(phase & 7).astype(np.uint64) << np.uint64(61))


def _fields(word: Vector) -> tuple[npt.NDArray[np.int64], ...]:
    """Arrivals missing, arrivals a phase, bytes to come, phases so far modulo 8."""
    low = (word & np.uint64((1 << 61) - 1)).astype(np.int64)
    return low & _COUNT, low >> 20 & _COUNT, (low >> 40) - _ZERO_BYTES, (word >> np.uint64(61)).astype(np.int64)


def _changed(word: Vector, arrivals: Any, transfer: Any) -> Vector:
    """The word after some arrivals and bytes more (or less) to come; where nothing is missing then, at the next phase."""
    missing, count, bytes_, phase = _fields(np.asarray(word))
    left, to_come = missing - arrivals, bytes_ + transfer
    done = (left == 0) & (to_come == 0)
    return _word(np.where(done, count, left), count, to_come, phase + done)


def _init(context: Context, address: Value, count: Value) -> None:
    number = context.vector(count).astype(np.int64)
    context.store(address, _word(number, number, 0, np.zeros(context.lanes, np.int64)), U64)
    _note(context, Happening.BARRIER_INIT, address, number)


def _invalidate(context: Context, address: Value) -> None:
    context.store(address, np.zeros(context.lanes, np.uint64), U64)


def _note(context: Context, kind: Happening, address: Value, value: Any) -> None:
    """One event for each barrier that active lanes name."""
    places, values = (np.broadcast_to(np.asarray(each), (context.lanes,)).astype(np.int64) for each in (address, value))
    for lane in context.mask.indices.tolist():
        context.note(kind, int(places[lane]) - SHARED_WINDOW, int(values[lane]), lane=lane)


def _arrive(context: Context, address: Value, arrivals: Value, transfer: Value, drop: bool = False) -> Value:
    """Arrive, having announced bytes to come; the word before it."""
    count, bytes_ = (context.vector(each).astype(np.int64) for each in (arrivals, transfer))

    def update(word: Vector, some: Vector, more: Vector) -> Vector:
        if drop:
            missing, whole, to_come, phase = _fields(word)
            word = _word(missing, whole - some, to_come, phase)
        return _changed(word, some, more)

    before = context.atomic(address, U64, update, count, bytes_)
    missing, _, to_come, phase = _fields(before)
    if bytes_[context.active].any():
        _note(context, Happening.BARRIER_EXPECT, address, bytes_)
    if count[context.active].any():
        _note(context, Happening.BARRIER_ARRIVE, address, count)
    over = np.flatnonzero(context.active & (count > missing))
    context.find_in(FindingKind.ASYNCHRONOUS_ACCESS, TOO_MANY, over.tolist())
    _note_phases(context, address, (missing == count) & (to_come + bytes_ == 0), phase + 1)
    return before


def _note_phases(context: Context, address: Value, done: Vector, phase: Vector) -> None:
    places = context.vector(address).astype(np.int64)
    for lane in np.flatnonzero(context.active & done).tolist():
        context.note(Happening.BARRIER_PHASE, int(places[lane]) - SHARED_WINDOW, int(phase[lane]) & 7, lane=lane)


def _test(context: Context, address: Value, expected: Value, by_parity: bool, phases: int = 2) -> Value:
    """Whether the phase of a parity, or of the word that an arrival gave, is complete. What was copied comes in first. `phases`: so many
    are told apart; through a barrier with a number others may have gone more than once since."""
    places = context.vector(address).astype(np.int64)
    for place in np.unique(places[context.active]).tolist():
        complete(context, place, _complete_transfer)
        _arrive_late(context, place)
    word = context.atomic(address, U64, lambda old: old)
    phase = _fields(word)[3]
    wanted = context.vector(expected)
    asked = wanted.astype(np.int64) if by_parity else _fields(wanted.astype(np.uint64))[3]
    done, parity = (phase - asked) % phases != 0, asked & 1
    if (done & context.active).any():
        first = int(np.flatnonzero(done & context.active)[0])
        context.note(Happening.BARRIER_WAITED, int(places[first]) - SHARED_WINDOW, int(parity[first]), lane=first)
    return done


def _complete_transfer(context: Context, barrier: int, size: int) -> None:
    """Bytes have come: of the lane that is active here."""
    moved = np.full(context.lanes, -size, np.int64)
    before = context.atomic(barrier, U64, lambda word, more: _changed(word, 0, more), moved)
    missing, _, to_come, phase = _fields(before)
    _note_phases(context, barrier, (missing == 0) & (to_come == size), phase + 1)


def _arrive_when_copied(context: Context, address: Value, counted: bool) -> None:
    """Arrive when the copies so far have come; not `counted`: the phase waits for one arrival more then."""
    places = context.vector(address).astype(np.int64)
    if not counted:
        context.atomic(address, U64, lambda word, more: _changed(word, -more, 0), np.ones(context.lanes, np.int64))
    for place in np.unique(places[context.active]).tolist():
        arrive_behind_copies(context, place, context.active & (places == place))


def _arrive_late(context: Context, barrier: int) -> None:
    """The copies have come that arrivals at a barrier wait for: the threads arrive, which copied."""
    waiting = arrivals_behind_copies(context)
    come = [each for each in waiting if each.barrier == barrier]
    if not come:
        return
    waiting[:] = [each for each in waiting if each.barrier != barrier]
    for arrival in come:
        own = arrival.context
        own.acting(own.geometry)
        arrival.complete()
        call, mask = own.call, own.mask
        own.call, own.mask = arrival.call, own.geometry.masks.intern(arrival.lanes)
        own.release()
        _arrive(own, barrier, 1, 0)
        own.call, own.mask = call, mask
    context.acting(context.geometry)


def _meet(context: Context, address: Value, count: Value) -> Value:
    """Arrive at a barrier with a number, which the first of each phase says how many threads meet at; the word before it."""
    places, threads = (context.vector(each).astype(np.int64) for each in (address, count))
    for place in np.unique(places[context.active]).tolist():
        context.zero_if_undefined(place, U64.size)

    def update(word: Vector, of: Vector) -> Vector:
        missing, _, _, phase = _fields(word)
        left = np.where(missing == 0, of, missing) - 1
        return _word(left, 0 * left, 0, phase + (left == 0))

    return context.atomic(address, U64, update, threads)


def _pending(_context: Context, word: Value) -> Value:
    return _fields(np.asarray(word, np.uint64))[0].astype(np.uint32)


def functions() -> dict[str, Function]:
    """Return the operations on barriers by the names of their calls."""
    return {
        "mbarrier.init": _init,
        "mbarrier.inval": _invalidate,
        "mbarrier.arrive": _arrive,
        "mbarrier.arrive_drop": partial(_arrive, drop=True),
        "mbarrier.test_wait": partial(_test, by_parity=False),
        "mbarrier.test_wait.parity": partial(_test, by_parity=True),
        "mbarrier.pending_count": _pending,
        "cp.async.mbarrier.arrive": partial(_arrive_when_copied, counted=False),
        "cp.async.mbarrier.arrive.noinc": partial(_arrive_when_copied, counted=True),
        "barrier.arrive": _meet,
        "barrier.test_wait": partial(_test, by_parity=False, phases=8),
    }
