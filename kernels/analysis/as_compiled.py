"""Trace as compiled: the accesses left where the compiler joins those that lie side by side, keeps in registers what was stored, and
splits what it does not move at once.

The machine code tells the widths of the accesses on each line, and how many there are; the trace tells which of the line's places go
through memory element by element, so that their neighbours can have been joined, and which read what the thread itself has written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from kernels.analysis.columns import Bools, Ints
from kernels.simt.trace.trace import Rows, Trace

Place = tuple[int, str, str]
"""Line, operation and memory."""
Accesses = Mapping[Place, Mapping[int, int]]
"""How many accesses of how many bytes the machine code has at each place of the text."""


def as_compiled(trace: Trace, machine: Accesses) -> Trace:
    """The trace with as many accesses as the machine code has. Only what counting looks at is kept true: sites and rows."""
    return _split(_joined(_without_reloads(trace, machine), machine), machine)


def _without_reloads(trace: Trace, machine: Accesses) -> Trace:
    """Return the trace without loads of what the thread has stored, where the machine code has fewer loads for each store of a line than
    the text.
    """
    keep = np.ones(len(trace.rows.site), np.bool_)
    written = Counter((site.location.line, site.operation, str(site.space)) for site in trace.sites)
    for (line, operation, space), loads in written.items():
        load, store = (line, "load", space), (line, "store", space)
        if operation == "load" and load in machine and store in machine:
            there, stores = sum(machine[load].values()), sum(machine[store].values())
            if there * written[store] < stores * loads:
                keep &= ~_reloads(trace, load)
    return replace(trace, rows=_chosen(trace.rows, keep))


def _reloads(trace: Trace, place: Place) -> Bools:
    """For each row whether it is a load at this place of what the same threads have stored before."""
    rows, (line, _, space) = trace.rows, place
    alike = [site.operation if str(site.space) == space else "" for site in trace.sites]
    here = [site.location.line == line for site in trace.sites]
    stored = np.array([each == "store" for each in alike])[rows.site]
    loaded = np.array([each == "load" and own for each, own in zip(alike, here, strict=True)])[rows.site]
    _, key = np.unique(np.stack([rows.block, rows.mask, rows.base, rows.offset]), axis=1, return_inverse=True)
    first = np.full(len(key), len(key))
    np.minimum.at(first, key[stored], np.flatnonzero(stored))
    return loaded & (first[key] < np.arange(len(key)))


def _joined(trace: Trace, machine: Accesses) -> Trace:
    sites, keep = list(trace.sites), np.ones(len(trace.rows.site), np.bool_)
    for number, site in enumerate(trace.sites):
        if site.tile or site.location.file:
            continue
        own = trace.rows.site == number
        width = _width(trace, own, site.bytes, machine.get((site.location.line, site.operation, str(site.space)), {}))
        if width > site.bytes:
            keep &= ~own | _begins(trace, own, width)
            sites[number] = replace(site, bytes=width)
    return replace(trace, sites=tuple(sites), rows=_chosen(trace.rows, keep))


def _split(trace: Trace, machine: Accesses) -> Trace:
    """Return the trace with stores in pieces where all that the machine code has at their place are of one smaller width.

    Not with loads: of one whose value is used in part only that part may be left.
    """
    sites, pieces = list(trace.sites), np.ones(len(trace.sites), np.int64)
    for number, site in enumerate(trace.sites):
        known = machine.get((site.location.line, site.operation, str(site.space)), {})
        named = site.tile or site.function or site.location.file  # an instruction by its name is never split
        if named or site.operation != "store" or len(known) != 1:
            continue
        ((width, count),) = known.items()
        if width < site.bytes and width * count % site.bytes == 0:
            pieces[number] = site.bytes // width
            sites[number] = replace(site, bytes=width)
    if (pieces == 1).all():
        return trace
    times = pieces[trace.rows.site]
    again = np.repeat(np.arange(len(times)), times)
    piece = np.arange(len(again)) - np.repeat(np.cumsum(times) - times, times)
    rows, size = _chosen(trace.rows, again), np.array([site.bytes for site in sites], np.int64)
    return replace(trace, sites=tuple(sites), rows=replace(rows, offset=rows.offset + piece * size[rows.site]))


def _width(trace: Trace, own: Bools, size: int, known: Collection[int]) -> int:
    """The widest of the known accesses that a site can have become, `size` if none."""
    wider = (width for width in sorted(known, reverse=True) if width > size)
    return next((width for width in wider if _in_whole_pieces(trace, own, size, width)), size)


def _in_whole_pieces(trace: Trace, own: Bools, size: int, width: int) -> bool:
    """Whether all that a site reaches between two barriers falls into whole pieces of `width` bytes, for all threads alike."""
    rows, lane = trace.rows, trace.masks.argmax(axis=1)
    for mask, base in np.unique(np.stack([rows.mask[own], rows.base[own]]), axis=1).T:
        if ((trace.bases[base][trace.masks[mask]] - trace.bases[base, lane[mask]]) % width).any():
            return False
    address = trace.bases[rows.base[own], lane[rows.mask[own]]] + rows.offset[own]
    elements, pieces = (
        np.unique(np.stack([rows.block[own], rows.epoch[own], rows.mask[own], rows.base[own], place]), axis=1).shape[1]
        for place in (address, address // width)
    )
    return bool(elements) and elements * size == pieces * width


def _begins(trace: Trace, own: Bools, width: int) -> Bools:
    """For each row whether an access of `width` bytes can begin there: its first active lane is aligned to that."""
    rows = np.flatnonzero(own)
    lane = trace.masks.argmax(axis=1)[trace.rows.mask[rows]]
    address = trace.bases[trace.rows.base[rows], lane] + trace.rows.offset[rows]
    found = np.zeros(len(own), np.bool_)
    found[rows[address % width == 0]] = True
    return found


def _chosen(rows: Rows, keep: Bools | Ints) -> Rows:
    return Rows(
        rows.site[keep], rows.mask[keep], rows.base[keep], rows.offset[keep], rows.epoch[keep], rows.warp_epoch[keep], rows.block[keep]
    )  # fmt: skip
