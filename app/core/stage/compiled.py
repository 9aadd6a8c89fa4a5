"""Compiler output of the shown kernel, asked for in the background: registers, kept accesses, the machine instructions of a line."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from app.core.base.background import BackgroundTasks
from app.core.base.observable import Field
from app.core.gpu_view.index import LaunchIndex
from app.core.inspector.occupancy_sentences import RegisterSource
from app.core.stage.model import StageModel
from kernels.analysis.device_profiles import Profile
from kernels.analysis.occupancy import ASSUMED_REGISTERS
from kernels.base.messages import Message, message
from kernels.compiled.control import source_banks
from kernels.compiled.kernel import CompiledKernel, CompileSettings
from kernels.compiled.listing import Instruction
from kernels.compiled.process import CompileJob, compile_apart
from kernels.nvrtc.tools import find_tools

Answer = CompiledKernel | Message
Key = tuple[str, str, int, tuple[tuple[str, str], ...]]
MOST_KNOWN = 64
REST_S = 1.0
"""How long the same launch must have been shown: what is dragged past is not compiled."""


class Compiled:
    """Follows what the stage shows. `answer` is None while it is not known. One kernel is compiled at a time, once the stage has rested."""

    def __init__(
        self,
        stage: StageModel,
        background_tasks: BackgroundTasks,
        compile_job: Callable[[CompileJob], Answer] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stage = stage
        self._background_tasks = background_tasks
        self._compile = compile_job or (lambda job: compile_apart(job, stopping=self._stopping.is_set))
        self._clock = clock
        self._changed_at = clock()
        self._stopping = threading.Event()
        self._known: dict[Key, Answer] = {}
        self._running = False
        self._chosen: dict[str, int] = {}
        """Registers that the user typed, by kernel."""
        self.answer: Field[Answer | None] = Field(None)
        self.source = Field(RegisterSource.ASSUMED)
        stage.shown.subscribe(lambda _shown: self._follow())
        stage.profile.subscribe(lambda _profile: self._follow())

    def choose_registers(self, registers: int) -> None:
        """Assume so many registers a thread for the shown kernel, whatever the compiler says."""
        shown = self._stage.shown.value
        if isinstance(shown, LaunchIndex):
            self._chosen[_kernel(shown)] = registers
            self._show(shown)

    def _follow(self) -> None:
        shown = self._stage.shown.value
        self._changed_at = self._clock()
        if isinstance(shown, LaunchIndex):
            self._show(shown)

    @property
    def settled(self) -> bool:
        """Whether the compiler has nothing more to say of what is shown."""
        shown = self._stage.shown.value
        key = self._key(shown) if isinstance(shown, LaunchIndex) else None
        return key is None or key in self._known

    def tick(self) -> None:
        """Ask the compiler for what is not known."""
        shown = self._stage.shown.value
        if isinstance(shown, LaunchIndex) and not self._stage.busy.value and self._clock() - self._changed_at > REST_S:
            self._ask(shown)

    def shutdown(self) -> None:
        """Give up what is being compiled."""
        self._stopping.set()

    def _ask(self, shown: LaunchIndex) -> None:
        key = self._key(shown)
        if self._running or key is None or key in self._known:
            return
        tools = find_tools()
        if isinstance(tools, Message):
            self._delivered(key, tools)
            return
        subject = shown.subject
        beside = None if subject.path is None else subject.path.parent
        job = CompileJob(subject.text, CompileSettings(shown.trace.kernel, key[2], subject.defines, beside), subject.path)
        self._running = True
        self._background_tasks.send("compiling", lambda: self._compile(job), lambda answer: self._delivered(key, answer))

    def _delivered(self, key: Key, answer: Answer) -> None:
        self._running = False
        self._known[key] = answer
        while len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
        shown = self._stage.shown.value
        if isinstance(shown, LaunchIndex):
            self._show(shown)

    def _show(self, shown: LaunchIndex) -> None:
        key = self._key(shown)
        answer = self._known.get(key) if key is not None else None
        chosen = self._chosen.get(_kernel(shown))
        if chosen is not None:
            self.source.value, registers = RegisterSource.USER, chosen
        elif isinstance(answer, CompiledKernel):
            self.source.value, registers = RegisterSource.COMPILER, answer.usage.registers
        else:
            self.source.value, registers = RegisterSource.ASSUMED, ASSUMED_REGISTERS
        self._stage.registers.value = registers
        self.answer.value = answer

    def _key(self, shown: LaunchIndex) -> Key | None:
        profile: Profile | None = self._stage.profile.value
        if profile is None:
            return None
        capability = int(profile.compute_capability.replace(".", ""))
        return shown.subject.text, shown.trace.kernel, capability, _pairs(shown.subject.defines)


def _pairs(defines: Mapping[str, str | int]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, str(value)) for name, value in defines.items()))


def _kernel(shown: LaunchIndex) -> str:
    return shown.subject.variant_id or shown.trace.kernel


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
        "Line {line}: {count} of {all} machine instructions for compute capability {capability}. B: barriers that it waits for; R, W: set"
        " until operands are read, until the result is written; Y: other warps first; S: cycles to the next; [ ]: register banks.",
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
        rows.append(_row(instruction))
        last = place
    return tuple(rows)


def _row(instruction: Instruction) -> str:
    control, banks = instruction.control, source_banks(instruction.opcode, instruction.operands)
    code = "" if control is None else f"{control.text}  "
    return f"{instruction.address:04x}  {code}{instruction.text}" + (f"  [{' '.join(map(str, banks))}]" if banks else "")
