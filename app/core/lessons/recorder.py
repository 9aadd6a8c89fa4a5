"""Recorder of the shown state as a further step of a lesson of one's own, in lines of TOML that `read` makes a scene of.

Nothing is written unless the lesson can be read afterwards.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

from app.core.base.files.atomic_write import write_whole
from app.core.base.files.locations import prepare
from app.core.base.files.text_files import read_source
from app.core.base.i18n import LANGUAGES, Translator
from app.core.base.timeline import Unit
from app.core.lessons.prose import LONGEST_HEADLINE
from app.core.lessons.read import STRUCTURE, read_lesson
from app.core.session.draft import Draft
from app.core.session.session import DEFAULT_PROFILE, Workspace
from app.core.state.snapshot import Snapshot, views_of
from app.core.timing.model import TimingPage
from kernels.base.messages import Message, message
from kernels.base.spec import Operation
from kernels.cachesim.presets import SCALED
from kernels.catalogue.case import Case

Written = str | int | float | bool | list[str] | list[int]


def step_lines(name: str, snapshot: Snapshot, kernel: str = "") -> str:
    """The table `[[step]]` whose scene is a snapshot; `kernel` names the lesson's own text that the stage shows."""
    fields: dict[str, Written] = {"kernel": kernel} if kernel else stage_fields(snapshot.stage)
    if snapshot.profile != DEFAULT_PROFILE:
        fields["profile"] = snapshot.profile
    if snapshot.caches.preset != SCALED:
        fields["preset"] = snapshot.caches.preset
    if snapshot.workspace is Workspace.TIMING:
        fields["page"] = str(snapshot.page)
        fields |= {"ladder_n": snapshot.ladder_n} if snapshot.page is TimingPage.LADDER and snapshot.ladder_n else {}
        fields |= {"published": True} if snapshot.page is TimingPage.CURVES and snapshot.published else {}
    else:
        fields |= {"run": snapshot.run} if snapshot.run else {}
        there = set(views_of(snapshot.stage, edited=bool(kernel)))  # what was alone of a launch stays noted while a CPU kernel is shown
        fields |= {"view": snapshot.view} if snapshot.view in there else {}
        fields |= {"time": round(snapshot.place.time, 3)} if snapshot.place.time else {}
        fields |= {"unit": str(snapshot.place.unit)} if snapshot.place.unit is not Unit.STEP else {}
    timing = _timing(snapshot)
    return f"\n[[step]]\nname = {_value(name)}\nshow = {_inline(fields, timing)}\n"


def kernel_lines(name: str, file: str, draft: Draft) -> str:
    """The table `[[kernel]]` of an edited text, with its launch."""
    settings = draft.settings
    launch: dict[str, Written] = {"grid": list(settings.grid), "block": list(settings.block)}
    launch |= {"entry": settings.entry} if settings.entry else {}
    launch |= {"template": settings.template} if settings.template else {}
    launch |= {"shared_bytes": settings.shared_bytes} if settings.shared_bytes else {}
    launch |= {"turned": True} if settings.turned else {}
    lines = ["", "[[kernel]]", f"name = {_value(name)}", f"file = {_value(file)}", "", "[kernel.launch]"]
    lines += [f"{key} = {_value(value)}" for key, value in launch.items()]
    for table, values in (("arguments", settings.arguments), ("defines", settings.defines)):
        if values:
            lines.append(f"{table} = {_inline(dict(values))}")
    return "\n".join(lines) + "\n"


def stage_fields(choice: Case) -> dict[str, Written]:
    """The variant with its sizes and the parameters that differ from its defaults."""
    variant, problem = choice.variant, choice.problem
    fields: dict[str, Written] = {"variant": variant.id}
    if problem.operation is not Operation.HELLO:
        fields["n"] = problem.n
        fields |= {name: size for name, size in (("m", problem.m), ("k", problem.k)) if size and size != problem.n}
    for parameter in variant.parameters:
        value = choice.parameters[parameter.name]
        if value != parameter.default:
            fields[parameter.name] = parameter.names[value] if parameter.names else value
    return fields


def _timing(snapshot: Snapshot) -> str:
    """What is ticked and over which sizes, where that is what is shown."""
    timing = snapshot.timing
    if timing is None or snapshot.workspace is not Workspace.TIMING or snapshot.page is not TimingPage.CURVES:
        return ""
    if timing.operation is not snapshot.stage.variant.operation or not timing.ticked:
        return ""
    return _inline({"ticked": sorted(timing.ticked), "sizes": list(timing.sizes), "axis": timing.axis})


def _inline(fields: Mapping[str, Written], timing: str = "") -> str:
    parts = [f"{name} = {_value(value)}" for name, value in fields.items()]
    return f"{{ {', '.join([*parts, *([f'timing = {timing}'] if timing else [])])} }}"


def _value(value: Written) -> str:
    """JSON's texts, numbers and lists are TOML's too."""
    return json.dumps(value, ensure_ascii=True)


Words = tuple[Message, Message]
"""What the new step is called, and what it says."""
MOST_NAMES = 1000
NEW_LESSON = 'topic = "own"\nminutes = 5\n'


def record_step(folder: Path, snapshot: Snapshot, words: Words) -> Message | str:
    """Add a step that shows a snapshot at the end of the lesson in a folder, which is begun where there is none.

    Returns the step's name, or why it cannot be added: then nothing is changed.
    """
    before = _texts_of(folder)
    if isinstance(before, Message):
        return before
    name = _free("step", re.findall(r'^name = "(.*)"$', before.get(STRUCTURE, ""), re.MULTILINE))
    draft = snapshot.draft if snapshot.edited else None
    after = _with_step(before, name, snapshot, words, draft, folder.name)
    refusal = _refuse(folder.name, before, after) or prepare(folder)
    if refusal is None:
        refusal = _write(folder, before, after)
    return name if refusal is None else refusal


def _texts_of(folder: Path) -> dict[str, str] | Message:
    """The files of a lesson by name; empty where the folder has none."""
    texts: dict[str, str] = {}
    try:
        files = sorted(each for each in folder.iterdir() if _is_part(each.name)) if folder.is_dir() else []
    except OSError as error:
        return message("{path} cannot be read: {error}.", path=str(folder), error=error.strerror or str(error))
    for file in files:
        text = read_source(file)
        if isinstance(text, Message):
            return text
        texts[file.name] = text
    return texts


def _is_part(name: str) -> bool:
    return name == STRUCTURE or name.endswith(".cu") or name in {f"{language}.md" for language in LANGUAGES}


def _with_step(before: Mapping[str, str], name: str, snapshot: Snapshot, words: Words, draft: Draft | None, title: str) -> dict[str, str]:
    """The files with one more step: new ones, or old ones with more at their ends."""
    after = dict(before)
    structure, kernel = before.get(STRUCTURE, NEW_LESSON), ""
    if draft is not None:
        kernel = _free("kernel", [file.removesuffix(".cu") for file in before])
        after[f"{kernel}.cu"] = draft.text
        structure = _ended(structure) + kernel_lines(kernel, f"{kernel}.cu", draft)
    after[STRUCTURE] = _ended(structure) + step_lines(name, snapshot, kernel)
    spoken = [language for language in LANGUAGES if f"{language}.md" in before] or list(LANGUAGES)
    for language in spoken:
        headline, sentence = (_plain(Translator(language).text(each)) for each in words)
        prose = before.get(f"{language}.md", f"# {_plain(title)}\n")
        after[f"{language}.md"] = _ended(prose) + f"\n## {name}\n{headline[:LONGEST_HEADLINE]}\n\n{sentence}\n"
    return after


def _refuse(folder_name: str, before: Mapping[str, str], after: Mapping[str, str]) -> Message | None:
    """Why the lesson could not be read, as it is or with the new step."""
    for texts in (before, after):
        if STRUCTURE not in texts:
            continue
        with tempfile.TemporaryDirectory() as place:
            trial = Path(place) / (folder_name or "lesson")
            trial.mkdir()
            for name, text in texts.items():
                (trial / name).write_text(text, encoding="utf-8", newline="")
            lesson = read_lesson(trial)
        if isinstance(lesson, Message):
            return lesson
    return None


def _write(folder: Path, before: Mapping[str, str], after: Mapping[str, str]) -> Message | None:
    """Write what changed, all of it or nothing."""
    changed = [name for name in after if after[name] != before.get(name)]
    for place, name in enumerate(changed):
        refusal = write_whole(folder / name, after[name])
        if refusal is not None:
            for done in changed[:place]:
                _put_back(folder / done, before.get(done))
            return refusal
    return None


def _put_back(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink(missing_ok=True)
    else:
        write_whole(path, text)


def _free(stem: str, taken: list[str]) -> str:
    return next(name for number in range(1, MOST_NAMES) if (name := f"{stem}-{number}") not in taken)


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _plain(text: str) -> str:
    """Return the text without what prose takes for marks, numbers, entries of lists or headings."""
    return re.sub(r"\s+", " ", text.replace("{", "(").replace("}", ")").replace("`", "'").replace("**", "")).lstrip("#- ").strip() or "…"
