"""Texts of a frame of a CPU kernel, derived from what the step reads and writes: caption, sentence of the step, facts.

For a kernel that adds blocks before and after it calls itself they say which of its products a step belongs to, and at what level.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.core.base.i18n import digits_text
from app.core.cpu_view.frame import Frame, Touch
from app.core.cpu_view.index import TraceIndex
from app.core.cpu_view.matrices import clears, equation
from app.core.frames.matrix import Box
from app.core.frames.step_description import StepDescription, Term
from kernels.base.messages import Message, message
from kernels.base.spec import Operation
from kernels.cpusim.loops import CallRole, Statement
from kernels.cpusim.trace import READ, WRITE

_SHOWN_LOOPS = 3


def tell(index: TraceIndex, frame: Frame) -> StepDescription:
    """Tell the words of a frame of this trace."""
    return StepDescription(
        title(index, frame),
        equation(index, frame),
        phase(frame),
        place(index, frame),
        sentence(index, frame),
        _facts(index, frame),
        _coming(frame),
        reuse(index, frame),
    )


def title(index: TraceIndex, frame: Frame) -> Message:
    """Which unit of work this is, of how many."""
    if index.is_library:
        return message("One call of a library")
    total, number = int(index.groups.computes.sum()), int(index.groups.computes[: frame.group + 1].sum())
    computing = bool(index.groups.computes[frame.group])
    if not computing and 0 < total == number:
        return message("After the last multiplication")
    number = number if computing else min(number + 1, total)
    here, before = _UNITS[_unit(index, number)]
    return Message((here if computing else before).template, (("number", number), ("total", total)))


_UNITS = {
    "tile": (message("Tile step {number} of {total}"), message("Before tile step {number} of {total}")),
    "element": (message("Element {number} of {total}"), message("Before element {number} of {total}")),
    "part": (message("Part {number} of {total}"), message("Before part {number} of {total}")),
    "row": (message("Row step {number} of {total}"), message("Before row step {number} of {total}")),
}


def _unit(index: TraceIndex, number: int) -> str:
    """What a unit of work is, by the rectangle of the output that it works on; units are counted from 1."""
    if index.tiled:
        return "tile"
    computing = np.flatnonzero(index.groups.computes)
    top, bottom, left, right = index.groups.boxes[index.output][computing[number - 1]].tolist() if number else (0, 0, 0, 0)
    rows, columns = bottom - top, right - left
    return "element" if rows * columns == 1 else "part" if min(rows, columns) > 1 else "row"


def phase(frame: Frame) -> Message:
    """Return one word for what the step does."""
    reads = any(touch.kind == READ and touch.matrix != "C" for touch in frame.touches)
    writes = any(touch.kind == WRITE for touch in frame.touches)
    if reads and writes:
        return message("copy") if len(frame.matrices) == 2 else message("add")
    if frame.pending or (reads and all(touch.held for touch in frame.touches)):
        return message("add")
    return message("store") if writes else message("read")


def place(index: TraceIndex, frame: Frame) -> Message:
    """The source line and the running loops, innermost last; where there are several threads the one whose turn it is."""
    running = [f"{loop.name} = {loop.current}" for loop in frame.loops if loop.current is not None]
    indices = ", ".join(running[-_SHOWN_LOOPS:])
    if len(index.trace.threads):
        thread = int(index.trace.threads[frame.step])
        if not running:
            return message("Thread {thread}, line {line}", thread=thread, line=frame.line)
        return message("Thread {thread}, line {line}, {indices}", thread=thread, line=frame.line, indices=indices)
    if not running:
        return message("Line {line}", line=frame.line)
    return message("Line {line}, {indices}", line=frame.line, indices=indices)


def sentence(index: TraceIndex, frame: Frame) -> Message:
    """Return the sentence of what this step does."""
    names, written, output_read = _names(index, frame), frame.touched("C", WRITE), frame.touched("C", READ)
    sources = [touch for touch in frame.touches if touch.kind == READ and touch.matrix != "C"]
    if index.is_library:
        return message("NumPy multiplies A by B in one call. What BLAS does inside it cannot be seen here.")
    if written and not sources:
        return _stored(index, frame, output_read, names["C"])
    if index.trace.problem.operation is Operation.TRANSPOSE and written and sources:
        return message("Copies {a} to {c}: row and column change places.", a=names["A"], c=names["C"])
    if len(sources) == 2 and {"A", "B"} <= names.keys() and written and output_read:
        return _accumulation(index, frame, written)
    if len(sources) == 2 and {touch.matrix for touch in sources if touch.held} == {"A", "B"} and not written:
        return message("Adds {a} times {b}, from their packed copies, to the register tile.", a=names["A"], b=names["B"])
    if len(sources) == 2 and {"A", "B"} <= names.keys() and frame.pending and frame.target:
        return message("Adds {a} × {b} to the sum for {c}.", a=names["A"], b=names["B"], c=box_name("C", frame.target, index))
    if not written and len(read := [*sources, *([output_read] if output_read else [])]) == 1:
        return _kept(index, frame, read[0])
    return message("Touches {names}.", names=", ".join(names[name] for name in index.trace.arrays if name in names))


def _stored(index: TraceIndex, frame: Frame, output_read: Touch | None, c: str) -> Message:
    """A step that writes C without reading an input."""
    if output_read is not None:
        return message("Adds a partial sum to {c}.", c=c)
    first, stop = index.trace.access_start[frame.step : frame.step + 2]
    whole = stop == first + 1 and index.trace.rows[first] * index.trace.columns[first] > 1
    if clears(index, frame) or (whole and index.trace.value[first] == 0):
        return message("Sets {c} to 0.", c=c)
    if index.trace.problem.operation is Operation.TRANSPOSE:
        return message("Writes {c} from registers: row and column have changed places.", c=c)
    return message("Stores the finished sum in {c}.", c=c)


def reuse(index: TraceIndex, frame: Frame) -> Message | None:
    """How often the values of a multiplication's unit of work are used, or None where nothing can be said."""
    told = index.groups.computes[frame.group] and not index.is_library and not index.combines
    if index.trace.problem.operation is not Operation.MATMUL or not told or not frame.reuse.distinct:
        return None
    uses = frame.reuse.uses
    if uses <= 1:
        return message("Each value serves 1 multiplication here: nothing is used again.")
    if not index.tiled and uses == int(uses):
        return message("Here each value serves {times} multiplications.", times=int(uses))
    if not index.tiled:
        return message("Here a value serves {times} multiplications on average.", times=round(uses, 2))
    if uses == int(uses):
        return message("In this tile step each value serves {times} multiplications.", times=int(uses))
    return message("In this tile step a value serves {times} multiplications on average.", times=round(uses, 2))


def _names(index: TraceIndex, frame: Frame) -> dict[str, str]:
    return {touch.matrix: box_name(touch.matrix, touch.box, index) for touch in frame.touches}


def _accumulation(index: TraceIndex, frame: Frame, written: Touch) -> Message:
    names = _names(index, frame)
    factors = [touch.box for touch in frame.touches if touch.kind == READ and touch.matrix != "C"]
    if written.box.columns > 1 and all(box.rows == 1 for box in (*factors, written.box)):
        k = next(touch.box.row for touch in frame.touches if touch.matrix == "B")
        if index.tiled:
            return message("Row {i} of the C tile: adds {a} times row {k} of the B tile.", i=written.box.row, a=names["A"], k=k)
        return message("Row {i} of C: adds {a} times row {k} of B.", i=written.box.row, a=names["A"], k=k)
    return message("Adds {a} × {b} to {c}.", a=names["A"], b=names["B"], c=names["C"])


def _kept(index: TraceIndex, frame: Frame, source: Touch) -> Message:
    """A step that only reads one input: for how many steps its value is held."""
    stop = int(index.groups.start[frame.group + 1])
    later = index.elements_of(frame.step + 1, stop)
    again = later.where((later.matrix == index.trace.arrays.index(source.matrix)) & (later.kind == READ)).step
    count = (int(again[0]) if len(again) else stop) - frame.step - 1
    name = box_name(source.matrix, source.box, index)
    return (
        message("Reads {name} and holds it for the next {count} steps.", name=name, count=count)
        if count > 1
        else message("Reads {name}.", name=name)
    )


def _facts(index: TraceIndex, frame: Frame) -> tuple[tuple[Message, Message], ...]:
    facts = []
    read = sorted((touch for touch in frame.touches if touch.kind == READ and touch.matrix != "C"), key=lambda touch: touch.matrix)
    if read:
        facts.append((message("Read"), _listed([_valued(index, touch) for touch in read])))
    if frame.target is not None:
        label = message("Goes to") if frame.pending else message("Written")
        facts.append((label, _plain(box_name("C", frame.target, index))))
    if frame.added[1] > 1:
        label = message("This tile of C") if index.tiled else message("This part of C")
        facts.append((label, message("{done} of {total} steps added", done=frame.added[0], total=frame.added[1])))
    facts.append((message("So far"), message("{reads} values read, {writes} written", reads=frame.reads, writes=frame.writes)))
    return tuple(facts)


def _coming(frame: Frame) -> Message:
    return message("the end") if frame.next_line is None else message("line {line}", line=frame.next_line)


def _valued(index: TraceIndex, touch: Touch) -> Message:
    name = box_name(touch.matrix, touch.box, index)
    if touch.box.rows * touch.box.columns > 1:
        return _plain(name)
    value = digits_text(float(index.trace.inputs[touch.matrix][touch.box.row, touch.box.column]))
    if touch.held:
        return message("{name} = {value} (held)", name=name, value=value)
    return message("{name} = {value}", name=name, value=value)


def _listed(items: list[Message]) -> Message:
    return items[0] if len(items) == 1 else message("{first}, {second}", first=items[0], second=items[1])


def _plain(text: str) -> Message:
    return message("{text}", text=text)


def box_name(matrix: str, box: Box, index: TraceIndex) -> str:
    """A rectangle as the source would write it: A[1][2], B[2][4..7], or the name alone for a whole matrix."""
    if (box.rows, box.columns) == index.shapes[matrix] and box.rows * box.columns > 1:
        return matrix
    return f"{matrix}[{_range(box.row, box.rows)}][{_range(box.column, box.columns)}]"


def _range(first: int, count: int) -> str:
    return str(first) if count == 1 else f"{first}..{first + count - 1}"


_SIGNS = {"add": message("+"), "subtract": message("−")}


def tell_recursion(description: StepDescription, index: TraceIndex, frame: Frame) -> StepDescription:
    """The description of a step with the product that it belongs to; unchanged outside of all calls."""
    statements = index.statements(frame.step)
    if not index.combines or not statements:
        return description
    inner, level = statements[-1], len(statements)
    said = _sentence(inner, index, frame)
    return replace(description, title=_title(inner, level), equation=_equation(inner), sentence=said or description.sentence)


def _title(inner: Statement, level: int) -> Message:
    words = {
        CallRole.CALL: message("Level {level}: product {number} of {count}"),
        CallRole.BEFORE: message("Level {level}: before product {number} of {count}"),
        CallRole.AFTER: message("Level {level}: after product {number} of {count}"),
    }[inner.role]
    return Message(words.template, (("level", level), ("number", inner.number), ("count", inner.count)))


def _equation(inner: Statement) -> tuple[Term, ...]:
    """What the statement computes, with the blocks called as in the source."""
    first, other, result = (Term(message("{text}", text=name), _matrix(name)) for name in inner.arguments[:3])
    sign = message("×") if inner.role is CallRole.CALL else _SIGNS.get(inner.function, message("{text}", text=inner.function))
    return result, Term(message("=")), first, Term(sign), other


def _matrix(block: str) -> str:
    """Which matrix a block is of, by its name; "" where it is one of the kernel's own."""
    return block[0] if block[0] in "ABC" else ""


def _sentence(inner: Statement, index: TraceIndex, frame: Frame) -> Message | None:
    """What the step does; None where it is as in every other kernel."""
    block, number = inner.arguments[2], inner.number
    if inner.role is CallRole.BEFORE:
        return message("Works out {block}, which product {number} multiplies.", block=block, number=number)
    if inner.role is CallRole.AFTER:
        return message("Takes product {number} into {block}.", block=block, number=number)
    if frame.touched(index.output, WRITE) is not None:
        return message("Writes product {number} to {block}.", block=block, number=number)
    if not frame.touches:
        return message("Reads {block}, which is in no matrix.", block=" / ".join(each for each in inner.arguments[:2] if not _matrix(each)))
    return None
