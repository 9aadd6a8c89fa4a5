"""Counters of a launch from its machine instructions, as Nsight Compute's source page lists them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

Cells = Mapping[str, tuple[str, int]]
"""A line's cells by the names of their columns, with the number of the line."""
Number = Callable[[str, int, str], float | None]

_EXECUTED, _THREADS = "Instructions Executed", "Predicated-On Thread Instructions Executed"
_BY_OPCODE = {
    "LDS": (_EXECUTED, "smsp__inst_executed_op_shared_ld.sum"),
    "STS": (_EXECUTED, "smsp__inst_executed_op_shared_st.sum"),
    "ATOMS": (_EXECUTED, "smsp__inst_executed_op_shared_atom.sum"),
    "FFMA": (_THREADS, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"),
    "FADD": (_THREADS, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"),
    "FMUL": (_THREADS, "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"),
}
_OF_ALL = {
    _EXECUTED: "smsp__inst_executed.sum",
    "L1 Wavefronts Shared": "memory_l1_wavefronts_shared",
}


def of_instructions(instructions: Sequence[Cells], number: Number) -> Mapping[str, float]:
    """The metrics that the instructions add up to."""
    sums = Counter[str]()
    for cells in instructions:
        opcode = _opcode(cells["Source"][0])
        wanted = list(_OF_ALL.items()) + ([_BY_OPCODE[opcode]] if opcode in _BY_OPCODE else [])
        for column, metric in wanted:
            if column in cells:
                text, line = cells[column]
                sums[metric] += number(text, line, column) or 0.0  # type: ignore[assignment]
    return dict(sums)


def _opcode(source: str) -> str:
    """ "LDS" of "@!P0 LDS.128 R4, [R2]"."""
    return next((part for part in source.split() if not part.startswith("@")), "").split(".")[0]
