"""Words of a program's page: what an event does, what stands at its boxes, bars and arrows, and the page as a table."""

from __future__ import annotations

from app.core.base.picture_parts import Table
from app.core.programs.frame import AllocationState, Bar, Box, Cell, LaunchTime, ProgramFrame, Side, fills, sides_of
from app.core.programs.host_program import extent, not_opened
from app.core.programs.page import event_of
from kernels.base.messages import Message, message
from kernels.simt.host.result import Allocated, Copied, EventKind, HostFinding, Launched, ProgramRun

_KINDS = {
    EventKind.ALLOCATE: message("allocate"),
    EventKind.FREE: message("free"),
    EventKind.COPY: message("copy"),
    EventKind.LAUNCH: message("launch"),
    EventKind.WAIT: message("wait"),
    EventKind.PRINT: message("print"),
    EventKind.END: message("end"),
}
_CHILD = message("child")
_FILL = message("fill")
SIDES = {Side.HOST: message("host"), Side.DEVICE: message("device")}
_HOMES = {
    "host": message("host memory"),
    "pinned": message("pinned host memory"),
    "managed": message("managed memory, which both sides reach"),
    "device": message("device memory"),
}
_VARIABLE = message("a variable")
_OF_CONTAINERS = {
    AllocationState.AHEAD: message("container, not yet"),
    AllocationState.LIVE: message("container"),
    AllocationState.FREED: message("container, freed"),
}
_WRITTEN = {"new_array": "new[]", "new_zeroed": "new[]"}
"""How functions are written that are not called by their names."""


def cell_word(cell: Cell) -> Message:
    """What happens at an event, in a word; a launch by a kernel is a child."""
    return _CHILD if cell.child else _FILL if cell.fills else _KINDS[cell.kind]


def time_text(milliseconds: float) -> Message:
    """A time on the page's clock, in the unit that leaves few zeros."""
    if milliseconds >= 1:
        return message("{time} ms", time=round(milliseconds, 2))
    return message("{time} µs", time=round(milliseconds * 1000, 2 if milliseconds < 0.01 else 1))


def size_text(count: int) -> Message:
    """An amount of memory, without decimals where it is whole in its unit."""
    for unit, words in ((1 << 30, message("{count} GiB")), (1 << 20, message("{count} MiB")), (1 << 10, message("{count} KiB"))):
        if count >= unit:
            return Message(words.template, (("count", count // unit if count % unit == 0 else count / unit),))
    return message("{count} B", count=count)


def place(frame: ProgramFrame) -> Message:
    """Which event it is, and of how many."""
    number, count, line = frame.selected + 1, len(frame.run.events), frame.cells[frame.selected].line
    said = message("Event {number} of {count}", number=number, count=count)
    if line is not None:
        said = message("Event {number} of {count} · line {line}", number=number, count=count, line=line)
    more = frame.run.events_left_out
    return message("{place} · {count} further events were not kept", place=said, count=more) if more else said


def sentence(frame: ProgramFrame, event: int | None = None) -> Message:
    """What an event does, the selected one where none is named."""
    run, this = frame.run, frame.run.events[frame.selected if event is None else event]
    match this.kind:
        case EventKind.ALLOCATE:
            return _allocated(run.allocations[this.number])
        case EventKind.FREE:
            made = run.allocations[this.number]
            return message("{name} is freed: {bytes} of {home}.", name=_called(made), bytes=size_text(made.bytes), home=_HOMES[made.home])
        case EventKind.COPY:
            return _copied(frame, run.copies[this.number])
        case EventKind.LAUNCH:
            return _launched(run.launches[this.number])
        case EventKind.WAIT:
            return message("The host waits until the device has done all that it was given.")
        case EventKind.PRINT:
            return message("The program prints.")
        case EventKind.END:
            return message("The program ends with status {status}.", status=run.status)


def clock_sentence(frame: ProgramFrame, device: str) -> Message:
    """What is said of the clock at the selected event."""
    event = frame.event
    kept = recorded(frame.run.launches[event.number]) if event.kind is EventKind.LAUNCH else None
    told = _clock(frame, device)
    return told if kept is None else message("{first} {other}", first=told, other=kept)


def _clock(frame: ProgramFrame, device: str) -> Message:
    began, ended = frame.clock
    bar = next((bar for bar in frame.bars if bar.now), None)
    if bar is None or began == ended:
        return message("At {time} on the device's clock.", time=time_text(began))
    if bar.kind is EventKind.COPY:
        return message("{time} on the clock, if the bus moves 25 GB/s.", time=time_text(ended - began))
    if bar.time is not None:
        return _launch_time(bar.time, device)
    return message("{time} on the clock, from its accesses and operations alone.", time=time_text(ended - began))


def _launch_time(time: LaunchTime, device: str) -> Message:
    predicted = None
    if time.predicted is not None:
        predicted = message("{time} on {device}, predicted by the model as written.", time=time_text(time.predicted), device=device)
    if time.measured is None:
        assert predicted is not None
        return predicted
    measured = message("{time} on {gpu}, the median of {count} samples.", time=time_text(time.measured), gpu=time.gpu, count=time.samples)
    return measured if predicted is None else message("{first} {other}", first=measured, other=predicted)


def bar_title(frame: ProgramFrame, bar: Bar) -> Message:
    """What a bar is called."""
    if bar.kind is EventKind.LAUNCH:
        return message("{kernel}", kernel=frame.run.launches[bar.number].entry)
    return message("{bytes}", bytes=size_text(frame.run.copies[bar.number].bytes))


def box_title(box: Box) -> Message:
    """What a box is called: by its variable, else by what made it."""
    if box.allocation is None:
        return message("{name}", name=box.name) if box.name else _VARIABLE
    return _called(box.allocation)


def box_fact(box: Box) -> Message:
    """Where an allocation was made, and what has become of it."""
    made = box.allocation
    if box.container is not None:
        return _OF_CONTAINERS[box.state]
    if made is None:
        return message("variable")
    line = made.location.line
    if box.state is AllocationState.AHEAD:
        return message("line {line}, not yet", line=line)
    if box.state is AllocationState.FREED and made.freed is not None:
        return message("line {line}, freed in line {freed}", line=line, freed=made.freed.line)
    if box.state is AllocationState.LEAKED:
        return message("line {line}, never freed", line=line)
    managed = made.home == "managed"
    return message("line {line}, both sides reach it", line=line) if managed else message("line {line}", line=line)


def box_tip(box: Box) -> Message:
    """All that is known of a box."""
    if box.bytes is None:
        return message("{name}: {fact}", name=box_title(box), fact=box_fact(box))
    size = size_text(box.bytes)
    return message("{name}: {bytes}, {fact}", name=box_title(box), bytes=size, fact=box_fact(box))


def as_table(frame: ProgramFrame) -> Table:
    """All events, one row each."""
    titles = (message("Event"), message("Line"), message("What"), message("Begins"), message("Takes"))
    times = {bar.event: (bar.began, bar.ended) for bar in frame.bars}
    rows: list[tuple[Message | str, ...]] = []
    for number, cell in enumerate(frame.cells):
        took: tuple[Message | str, Message | str] = ("", "")
        if number in times:
            began, ended = times[number]
            took = time_text(began), time_text(ended - began)
        rows.append((str(number + 1), "" if cell.line is None else str(cell.line), sentence(frame, number), *took))
    return Table(titles, tuple(rows))


def _called(made: Allocated) -> Message:
    return message("{name}", name=made.name or _WRITTEN.get(made.function, made.function))


def _allocated(made: Allocated) -> Message:
    return message(
        "{function} makes {name}: {bytes} of {home}.",
        function=_WRITTEN.get(made.function, made.function), name=_called(made), bytes=size_text(made.bytes), home=_HOMES[made.home],
    )  # fmt: skip


def _copied(frame: ProgramFrame, copied: Copied) -> Message:
    allocations = frame.run.allocations
    source, target = (
        _called(allocations[number]) if number is not None else message("{name}", name=name) if name else _VARIABLE
        for number, name in zip((copied.source, copied.target), copied.names, strict=True)
    )
    size = size_text(copied.bytes)
    if fills(copied):
        return message("{function} fills {bytes} of {target}.", function=copied.function, bytes=size, target=target)
    first, second = (SIDES[side] for side in sides_of(copied))
    return message(
        "{bytes} go from {source} ({first}) to {target} ({second}).", bytes=size, source=source, first=first, target=target, second=second
    )


def _launched(launched: Launched) -> Message:
    if launched.refused is not None:
        return message("{kernel} does not run: {reason}", kernel=launched.entry, reason=launched.refused)
    if launched.parent is not None and launched.by is not None:
        return message(
            "{kernel} runs, launched by thread {thread} of block {by} of launch {parent}: grid {grid}, block {block}.",
            kernel=launched.entry, thread=_index(launched.by[1]), by=_index(launched.by[0]), parent=launched.parent + 1,
            grid=extent(launched.grid), block=extent(launched.block),
        )  # fmt: skip
    return message(
        "{kernel} runs: grid {grid}, block {block}.", kernel=launched.entry, grid=extent(launched.grid), block=extent(launched.block)
    )


def _index(place: tuple[int, int, int]) -> str:
    """The index of a block or a thread, without the zeros at its end."""
    x, y, z = place
    return f"({x}, {y}, {z})" if z else f"({x}, {y})" if y else f"{x}"


def not_opened_text(frame: ProgramFrame) -> Message | None:
    """What is said in place of opening the selected event on the stage; None where it is a launch that can be opened."""
    if frame.event.kind is not EventKind.LAUNCH:
        return message("← and → go through the events; Return opens a launch on the stage.")
    launched = frame.run.launches[frame.event.number]
    return not_opened(launched)


def finding_text(finding: HostFinding) -> Message:
    """A finding with its line."""
    line = finding.location.line
    if not line:
        return finding.message
    if finding.count > 1:
        return message("line {line}: {finding} ({count} times)", line=line, finding=finding.message, count=finding.count)
    return message("line {line}: {finding}", line=line, finding=finding.message)


def findings_count(run: ProgramRun) -> Message | None:
    """How many findings a run has; None where there is none."""
    count = len(run.findings)
    if not count:
        return None
    return message("1 finding") if count == 1 else message("{count} findings", count=count)


def files_sentence(run: ProgramRun) -> Message | None:
    """Which files beside it a program reads or wants to read; None where it opens none."""
    wanted = [each for each in run.files if each.bytes is None]
    if wanted:
        return message(
            "In line {line} this program wants to read {file} in its folder. It may not yet, and ends there. It writes nothing, and"
            " reaches no other file.", line=wanted[0].location.line, file=wanted[0].name,
        )  # fmt: skip
    if not run.files:
        return None
    said = message("{file} ({bytes})", file=run.files[0].name, bytes=size_text(run.files[0].bytes or 0))
    for each in run.files[1:]:
        said = message("{first}, {other} ({bytes})", first=said, other=each.name, bytes=size_text(each.bytes or 0))
    return message("You allowed this program to read in its folder: {files}.", files=said)


def told_below(frame: ProgramFrame, device: str) -> Message:
    """What is told of the selected event besides its sentence: what is wrong there, what is printed, or the time."""
    wrong, printed = findings_at(frame), " ".join(printed_at(frame).split())
    if wrong:
        return wrong[0]
    return message("Output: {printed}", printed=printed) if printed else clock_sentence(frame, device)


def findings_at(frame: ProgramFrame) -> tuple[Message, ...]:
    """What is wrong at the selected event."""
    return tuple(finding_text(each) for each in frame.run.findings if event_of(frame.run, each) == frame.selected)


def printed_at(frame: ProgramFrame) -> str:
    """What the program has written since the event before the selected one."""
    begin = frame.run.events[frame.selected - 1].output if frame.selected else 0
    return frame.run.stdout[begin : frame.event.output]


def recorded(launched: Launched) -> Message | None:
    """How much of a launch was recorded, where that is not all."""
    if not launched.accesses or launched.recorded >= launched.blocks:
        return None
    return message("{recorded} of {blocks} blocks were recorded.", recorded=launched.recorded, blocks=launched.blocks)
