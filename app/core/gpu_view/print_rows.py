"""A row for each text that a thread printed: what a launch is made of that touches no memory."""

from __future__ import annotations

import re
from dataclasses import replace
from math import prod

import numpy as np

from kernels.simt.base.launch import Dim3, Mode
from kernels.simt.base.types import Location, Space
from kernels.simt.trace.trace import Printed, Rows, Site, Trace

NOWHERE = -1
PRINT = "print"
"""The operation of a site that prints. It reaches no memory: its space is REGISTER and it moves 0 bytes."""
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_CALL = re.compile(r'\bprintf\s*\(\s*"((?:[^"\\]|\\.)*)"')
_CONVERSION = re.compile(r"%%|%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?(?:hh|h|ll|l|j|z|t|L)?[a-zA-Z]")
_ESCAPES = {r"\n": "\n", r"\t": "\t", r"\"": '"', r"\\": "\\"}


def with_prints(trace: Trace, text: str) -> Trace:
    """The trace with a row for each printed text, in the order printed, where it has no rows at all; else the trace as it is."""
    if len(trace.rows.site) or not trace.printed:
        return trace
    lanes, numbers = trace.masks.shape[1], {block: number for number, block in enumerate(trace.blocks)}
    sites, found = _sites(trace.printed, text)
    count = len(found)
    zeros = np.zeros(count, np.int32)
    thread = np.array([thread_number(trace.block, each.thread) for each in trace.printed], np.int32)
    block = np.array([numbers[each.block] for each in trace.printed], np.int32)
    rows = Rows(np.array(found, np.int32), thread, zeros, np.zeros(count, np.int64), zeros, zeros, block)
    masks, bases = np.eye(prod(trace.block), lanes, dtype=np.bool_), np.zeros((1, lanes), np.int64)
    return replace(trace, mode=Mode.WARP, sites=sites, rows=rows, masks=masks, bases=bases)


def thread_number(block: Dim3, thread: Dim3) -> int:
    """The number of a thread in its block: x counts first, then y, then z."""
    return thread[0] + block[0] * (thread[1] + block[1] * thread[2])


def _sites(printed: tuple[Printed, ...], text: str) -> tuple[tuple[Site, ...], list[int]]:
    """The calls in the text as sites, and for each printed text the one that it fits."""
    code = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    calls = [(_pattern(found[1]), _location(code, found.start())) for found in _CALL.finditer(code)]
    calls = calls or [(re.compile(""), Location(1, 1))]
    sites = tuple(Site(PRINT, Space.REGISTER, 0, NOWHERE, place, "printf") for _, place in calls)
    known: dict[str, int] = {}
    for each in printed:
        if each.text not in known:
            known[each.text] = next((number for number, (pattern, _) in enumerate(calls) if pattern.match(each.text)), 0)
    return sites, [known[each.text] for each in printed]


def _pattern(template: str) -> re.Pattern[str]:
    """What texts of a format begin with: its own characters, and anything for a conversion."""
    plain = re.sub(r"\\.", lambda found: _ESCAPES.get(found[0], found[0]), template)
    parts, end = [], 0
    for found in _CONVERSION.finditer(plain):
        parts += [re.escape(plain[end : found.start()]), "%" if found[0] == "%%" else ".*?"]
        end = found.end()
    return re.compile("".join(parts) + re.escape(plain[end:]), re.DOTALL)


def _location(code: str, place: int) -> Location:
    line = code.count("\n", 0, place)
    return Location(line + 1, place - code.rfind("\n", 0, place))
