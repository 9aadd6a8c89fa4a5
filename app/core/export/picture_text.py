"""Text of a picture beside what is drawn: its title, its caption, and where it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from app import __version__
from app.core.compare.pairing import Pair
from app.core.compare.sentences import name_of_side, step_of_both
from app.core.cpu_view.cache_sentences import preset_title
from app.core.programs.frame import ProgramFrame
from app.core.programs.sentences import place, sentence, told_below
from app.core.results.curves import Provenance
from app.core.results.labels import name_of, parameter_text
from app.core.session.draft import Draft
from app.core.session.session import Session
from app.core.stage.model import AnyPicture, GpuPicture
from app.core.timelines.sentences import provenance
from app.core.timing.recordings import day_of
from kernels.analysis.trust import trust_text
from kernels.base.machine_conditions import processor_name
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Operation, Problem
from kernels.base.values import dataclass
from kernels.measure.real_run import RunTimeline
from kernels.measure.rows import AnyResult, named_machines

_THREADS_READ = message("A row is a thread, a bar a chunk of its iterations; hatched, it is idle. Time goes from left to right.")
_RANKS_READ = message("A row is a rank; hatched, it waits. An arrow is a message, from when it is sent until it is there.")


@dataclass(frozen=True, slots=True)
class PictureText:
    """Text of one picture. `aside` stands beside the title; `sources` say what was executed or timed, where, and by which version.

    `moment` are those of the sources that say which step it is.
    """

    title: Message
    aside: Message | None
    caption: Message | None
    sources: tuple[Message, ...]
    moment: tuple[Message, ...] = ()


def without_moment(text: PictureText) -> PictureText:
    """The text with the sources alone that hold for all steps."""
    return replace(text, sources=tuple(source for source in text.sources if source not in text.moment), moment=())


@dataclass(frozen=True, slots=True)
class ExportSubject:
    """Subject of a picture of the stage: what it is called, and what belongs to it, from the variant to the device."""

    title: Message
    sources: tuple[Message, ...]


def subject_of_stage(session: Session) -> ExportSubject:
    """Return the subject that the stage of a session shows."""
    choice, draft = session.stage.value, session.draft_editor.shown
    if draft is not None:
        executed = message("as written, executed for {device}", device=session.profile.value.name)
        return ExportSubject(draft.title, (_text_from(draft), executed))
    sources = [message("{variant}", variant=choice.variant.id)]
    sizes = _sizes(choice.problem)
    if sizes is not None:
        sources.append(sizes)
    sources += [parameter_text(choice.variant, name, value) for name, value in choice.parameters.items()]
    if choice.variant.launch is not None:
        sources.append(message("as written, executed for {device}", device=session.profile.value.name))
    else:
        sources.append(message("as written, caches by a model: {caches}", caches=preset_title(session.caches.value.preset)))
    return ExportSubject(name_of(choice.variant, choice.parameters), tuple(sources))


def _text_from(draft: Draft) -> Message:
    if draft.changed:
        return message("edited text")
    return message("own file") if draft.path is not None else message("{text}", text=draft.variant_id or draft.name)


def text_of_stage(subject: ExportSubject, picture: AnyPicture) -> PictureText:
    """Return the words of one moment of the stage."""
    steps = picture.index.steps if isinstance(picture, GpuPicture) else picture.index.trace.steps
    place = message("step {step} of {steps}", step=picture.frame.step + 1, steps=steps)
    trusted = (trust_text(picture.index.record.trust),) if isinstance(picture, GpuPicture) else ()
    return PictureText(
        subject.title, picture.description.title, picture.description.sentence, (*subject.sources, place, *trusted, version()), (place,)
    )


def text_of_program(title: Message, frame: ProgramFrame, device: str) -> PictureText:
    """Return the words of one event of a whole program: what happens, then what is wrong there, what is printed, or the time."""
    executed = message("executed without a GPU, times of {device}", device=device)
    return PictureText(
        title, place(frame), message("{first} {other}", first=sentence(frame), other=told_below(frame, device)), (executed, version())
    )


def text_of_comparison(pair: Pair, left: GpuPicture, right: GpuPicture, device: str) -> PictureText:
    """What is said of one moment of two launches. The steps are the right one's, which the left one follows."""
    places = tuple(
        message(
            "{variant}, step {step} of {steps}", variant=side.index.subject.variant_id, step=side.frame.step + 1, steps=side.index.steps
        )
        for side in (left, right)
    )
    title = message("{left} / {right}", left=name_of_side(pair.left, pair.right), right=name_of_side(pair.right, pair.left))
    executed = message("as written, executed for {device}", device=device)
    trusted = dict.fromkeys(trust_text(side.index.record.trust) for side in (left, right))
    _, said = step_of_both(left.description, right.description)
    return PictureText(title, None, said, (*places, executed, *trusted, version()), places)


def text_of_runs(headline: Message, recordings: Sequence[RunTimeline]) -> PictureText:
    """What is said of real runs on this machine, the newest first."""
    newest = recordings[0]
    machine = message("{processor}, {cores} cores", processor=processor_name(), cores=newest.conditions["cores"])
    reading = _RANKS_READ if newest.point.variant.device is Device.MPI else _THREADS_READ
    return PictureText(headline, name_of(newest.point.variant, newest.point.parameters), reading, (provenance(newest), machine, version()))


def text_of_results(title: Message, caption: Message | None, sources: Iterable[Message]) -> PictureText:
    """Return the words of a picture of times."""
    return PictureText(title, None, caption, (*dict.fromkeys(sources), version()))


def source_of_results(provenance: Provenance, results: Iterable[AnyResult]) -> Message:
    """Where times are from: on which machines, and when."""
    known = tuple(results)
    machines, day = ", ".join(named_machines(known)), day_of(known)
    if provenance is Provenance.PUBLISHED:
        reports = dict.fromkeys(str(result.conditions.get("source", "")) for result in known)
        named = ", ".join(report for report in reports if report)
        return message("published: {reports}", reports=named) if named else message("published")
    if provenance is Provenance.MEASURED:
        return message("measured on {machine}, {day}", machine=machines, day=day) if machines else message("measured here")
    return message("recorded on {machine}, {day}", machine=machines, day=day) if machines else message("recorded")


def version() -> Message:
    """Return the program and its version, as the maker of a picture."""
    return message("{program} {version}", program="Tilescope", version=__version__)


def _sizes(problem: Problem) -> Message | None:
    if problem.operation is Operation.HELLO:
        return None
    if problem.operation is Operation.TRANSPOSE:
        return message("{m} × {n}", m=problem.m, n=problem.n)
    return message("{m} × {k} times {k} × {n}", m=problem.m, k=problem.k, n=problem.n)
