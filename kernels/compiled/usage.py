"""Registers and memory of a kernel, as NVIDIA's assembler reports them with `--ptxas-options=-v`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_FUNCTION = re.compile(r"Compiling entry function '([^']+)' for 'sm_\w+'")
_STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_REGISTERS = re.compile(r"Used (\d+) registers")
_BARRIERS = re.compile(r"used (\d+) barriers")
_SHARED = re.compile(r"(\d+)(?:\+\d+)? bytes smem")


@dataclass(frozen=True, slots=True)
class Usage:
    """What one thread (registers, stack, spills) and one block (barriers, shared bytes declared in the text) take.

    Spilled registers live in the stack, in local memory: `spill_store_bytes` and `spill_load_bytes` are of the instructions in the
    text, not of their executions.
    """

    registers: int
    static_shared_bytes: int
    barriers: int
    stack_bytes: int
    spill_store_bytes: int
    spill_load_bytes: int


def parse_usage(log: str) -> Mapping[str, Usage]:
    """The usage of each kernel in the assembler's report, by its symbol."""
    parts = _FUNCTION.split(log)[1:]
    return {symbol: _usage(text) for symbol, text in zip(parts[::2], parts[1::2], strict=True) if _REGISTERS.search(text)}


def _usage(text: str) -> Usage:
    stack = _STACK.search(text)
    frame, stores, loads = map(int, stack.groups()) if stack else (0, 0, 0)
    return Usage(_number(_REGISTERS, text), _number(_SHARED, text), _number(_BARRIERS, text), frame, stores, loads)


def _number(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.search(text)
    return int(found[1]) if found else 0
