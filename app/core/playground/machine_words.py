"""The machine instructions of a source line, in words and rows."""

from __future__ import annotations

from kernels.compiled.kernel import CompiledKernel
from kernels.messages import Message, message

WAITING = message("The compiler is asked once the stage rests.")


def machine_head(answer: CompiledKernel | Message | None, line: int | None) -> Message:
    """What the rows are, or why there are none."""
    if answer is None:
        return WAITING
    if isinstance(answer, Message):
        return answer
    capability = f"{answer.capability // 10}.{answer.capability % 10}"
    if line is None:
        return message("{count} machine instructions for compute capability {capability}.",
                       count=len(answer.instructions), capability=capability)  # fmt: skip
    return message(
        "Line {line}: {count} of {all} machine instructions for compute capability {capability}.",
        line=line, count=len(answer.on_line(line)), all=len(answer.instructions), capability=capability,
    )  # fmt: skip


def machine_rows(answer: CompiledKernel | Message | None, line: int | None) -> tuple[str, ...]:
    """The instructions of a line; of no line, none. Those that do not follow each other are set apart."""
    if not isinstance(answer, CompiledKernel) or line is None:
        return ()
    places = {instruction.address: number for number, instruction in enumerate(answer.instructions)}
    rows: list[str] = []
    last = None
    for instruction in answer.on_line(line):
        place = places[instruction.address]
        if last is not None and place != last + 1:
            rows.append("…")
        rows.append(f"{instruction.address:04x}  {instruction.text}")
        last = place
    return tuple(rows)
