"""Draft editor: opening, editing, launch settings, reverting, closing. A rejected change returns its reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.base.files.atomic_write import write_whole
from app.core.base.files.log import LOG, without_texts
from app.core.base.files.text_files import is_folder, read_source
from app.core.base.observable import Field
from app.core.base.parsing import dimensions, whole_number
from app.core.session.draft import Draft, LaunchSettings, copy_of, draft_of, followed, relaunched, with_kernel, with_kernels
from app.core.session.draft_arguments import named, refuse_text
from kernels.base.architectures import OPT_IN_SHARED_BYTES
from kernels.base.messages import Message, message
from kernels.base.spec import Device, Variant
from kernels.simt.base.launch import Dim3
from kernels.simt.base.signature import KernelSignature
from kernels.simt.run.launchable import refuse_bounds, refuse_shape

if TYPE_CHECKING:
    from kernels.catalogue.case import Case

LONGEST_TEMPLATE = 200
MOST_FILES = 8
"""Files that were opened last, which are remembered."""
_CPU_REASON = message("CPU kernels cannot be edited here: their text is compiled into the program. CUDA kernels can be.")
_LIBRARY_REASON = message("This is a library's routine: there is no text of it to edit.")


def refuse_copy(variant: Variant) -> Message | None:
    """Why there can be no editable copy of a variant, or None."""
    if variant.device is not Device.GPU:
        return _CPU_REASON
    return _LIBRARY_REASON if variant.launch is None else variant.measured_only


def _launched_as(choice: Case, draft: Draft) -> Draft:
    """A copy of the chosen variant with the launch that was chosen for it; one whose launch is its own as it is."""
    return relaunched(draft, choice.problem, choice.parameters) if draft.as_in_the_catalogue else draft


class DraftEditor:
    """Editor of at most one draft, which is on the stage, or set aside while a variant of the catalogue is shown."""

    def __init__(self, stage: Field[Case]) -> None:
        self.draft: Field[Draft | None] = Field(None)
        self.on_stage = Field(value=False)
        """Whether the stage shows the draft."""
        self.opened = 0
        """How many texts were opened so far: another number for another text."""
        self.recent_files: Field[tuple[Path, ...]] = Field(())
        """What was opened or saved last, the newest first."""
        self.launches: Field[Mapping[Path, LaunchSettings]] = Field({})
        """How each recent file was launched last: so it is when it is opened again."""
        self.folder: Field[str] = Field("")
        """Where a file was opened or saved last: there a dialog begins."""
        self.kept: tuple[Draft, ...] = ()
        """Edited texts that others were opened over, the newest last: whoever opens one again has it as it was left."""
        self.left: tuple[Draft, ...] = ()
        """Edited texts that an earlier program left, the newest first: whoever opens the file of one has it as it was left."""
        self._stage = stage
        stage.subscribe(self._stage_changed)
        self.draft.subscribe(self._remember_launch)

    @property
    def shown(self) -> Draft | None:
        """The draft, if the stage shows it."""
        return self.draft.value if self.on_stage.value else None

    @property
    def begin(self) -> str:
        """The folder in which a dialog begins: the last one, or what is left of the way to it. One that is not there would be taken for a
        file's name."""
        last = Path(self.folder.value)
        return str(next((folder for folder in (last, *last.parents) if is_folder(folder)), Path.home()))

    def beside(self, name: str) -> str:
        """A file of this name in the folder in which a dialog begins."""
        return str(Path(self.begin, name))

    def visit(self, file: Path) -> None:
        """Note where a file lies that was opened or saved, be it a text or something else."""
        self.folder.value = str(file.parent)

    def edit_copy(self) -> Message | None:
        """Begin to edit a copy of what the stage shows. One that was begun from the same variant is taken up again.

        That is launched as the stage shows the variant, unless its own form has said otherwise.
        """
        choice, draft = self._stage.value, self.draft.value
        reason = refuse_copy(choice.variant)
        if reason is not None:
            return reason
        if draft is None or draft.variant_id != choice.variant.id:
            known = self._newest(lambda each: each.path is None and each.variant_id == choice.variant.id)
            self.take(copy_of(choice.variant, choice.problem, choice.parameters) if known is None else _launched_as(choice, known))
        else:
            self.resume()
        return None

    def resume(self) -> None:
        """Put the draft that was set aside on the stage again, launched as was chosen meanwhile for its variant."""
        draft, choice = self.draft.value, self._stage.value
        if draft is not None and draft.variant_id == choice.variant.id:
            self._change(partial(_launched_as, choice))
        self.show()

    def open_file(self, path: Path) -> Message | None:
        """Edit a file's text; one that was edited and not saved is taken up again as it was left."""
        draft, file = self.draft.value, path.absolute()
        if draft is not None and draft.changed and draft.path == file:
            self.show()
            return None
        known = self._newest(lambda each: each.path == file) or next((each for each in self.left if each.path == file), None)
        if known is not None:
            self.take(known)
            return None
        text = read_source(path)
        if isinstance(text, Message):
            LOG.info("text refused: %s", without_texts(text))
            return text
        draft = draft_of(file, text)
        self.take(replace(draft, settings=self.launches.value.get(file, draft.settings)))
        return None

    def take(self, draft: Draft) -> None:
        """Open a draft, and put it on the stage; an edited one that was there is kept."""
        self.opened += 1
        self.on_stage.value = False  # so that nobody sees the new one as the old one changed
        before = self.draft.value
        others = self.kept if before is None or not before.changed or before.lent else (*self.kept, before)
        self.kept = tuple(each for each in others if not each.same_text(draft))
        self.draft.value = draft
        self._remember(draft.path)
        self.show()

    def show(self) -> None:
        """Show the draft on the stage again, with the variant that it began as chosen beside it."""
        draft = self.draft.value
        if draft is None:
            return
        self.on_stage.value = True
        if draft.problem is not None and draft.variant_id != self._stage.value.variant.id:
            from kernels.catalogue.case import Case

            self._stage.value = Case(draft.variant_id, draft.problem, draft.parameters)

    def set_aside(self) -> None:
        """Show the catalogue's variant; the draft is kept."""
        self.on_stage.value = False

    def close(self) -> None:
        """Give the draft up."""
        self.on_stage.value = False
        self.draft.value = None

    def change_text(self, text: str) -> None:
        """Take over what was typed."""
        self._change(lambda draft: replace(draft, text=text))

    def revert(self) -> None:
        """Go back to the text that the draft began as."""
        self._change(lambda draft: replace(draft, text=draft.original))

    def reload(self, text: str) -> None:
        """Take over what another editor has made of the file."""
        self._change(lambda draft: replace(draft, text=text, original=text))

    def rebase(self, text: str) -> None:
        """Keep what is written, as a change of what the file says now."""
        self._change(lambda draft: replace(draft, original=text))

    def unchanged_file(self) -> Path | None:
        """The file that the draft came from, as long as no one else has changed it."""
        draft = self.draft.value
        file = None if draft is None else draft.path
        return file if draft is not None and file is not None and read_source(file) == draft.original else None

    def save(self, path: Path) -> Message | None:
        """Write the text to a file, which the draft is from then on."""
        draft = self.draft.value
        if draft is None:
            return None
        reason = write_whole(path, draft.text)
        if reason is None:
            self._change(lambda draft: replace(draft, path=path.absolute(), name=path.name, original=draft.text, lent=False))
            self._remember(path.absolute())
        return reason

    def found(self, kernels: tuple[KernelSignature, ...]) -> None:
        """Take over which kernels the text was found to hold."""
        self._change(lambda draft: with_kernels(draft, kernels))

    def choose_kernel(self, name: str) -> None:
        """Launch another kernel of the text."""
        draft = self.draft.value
        kernel = next((each for each in draft.kernels if each.name == name), None) if draft is not None else None
        if kernel is not None:
            self._change(lambda draft: with_kernel(draft, kernel))

    def set_template(self, text: str) -> Message | None:
        """Change the arguments of the kernel's template."""
        if not text.strip() or len(text) > LONGEST_TEMPLATE or "\n" in text:
            return message("Template arguments are what stands between < and >, such as 128, 4.")
        return self._set(None, lambda settings: replace(settings, template=text.strip()))

    def set_grid(self, text: str) -> Message | None:
        """Change the number of blocks, `X`, `X,Y` or `X,Y,Z`."""
        return self._shape("grid", message("Grid"), text, lambda draft, grid: (grid, draft.settings.block))

    def set_block(self, text: str) -> Message | None:
        """Change the threads of a block."""
        return self._shape("block", message("Block"), text, lambda draft, block: (draft.settings.grid, block))

    def set_shared(self, text: str) -> Message | None:
        """Change the bytes of dynamic shared memory."""
        count = whole_number(message("Dynamic shared memory"), text, 0, OPT_IN_SHARED_BYTES)
        if isinstance(count, Message):
            return count
        return self._set(None, lambda settings: replace(settings, shared_bytes=count))

    def set_argument(self, name: str, text: str) -> Message | None:
        """Change what a parameter is given."""
        draft = self.draft.value
        kernel = None if draft is None else draft.kernel
        variables = (kernel.variables or ()) if kernel is not None else ()
        parameter = next((each for each in (*named(kernel), *variables) if each.name == name), None) if kernel is not None else None
        if draft is None or parameter is None:
            return message("There is no parameter {name}.", name=name)
        if parameter in variables and not text.strip():  # as the text says
            kept = {other: given for other, given in draft.settings.arguments.items() if other != name}
            return self._set(None, lambda old: replace(old, arguments=kept))
        given = {**draft.settings.arguments, name: text.strip()}
        key = f"argument {name}"
        return self._set(refuse_text(parameter, text), lambda old: replace(old, arguments=given, guessed=old.guessed - {key}))

    def launch_as(self, settings: LaunchSettings) -> None:
        """Launch the draft as it was launched before."""
        self._change(lambda draft: replace(draft, settings=settings))

    def _remember(self, file: Path | None) -> None:
        if file is not None:
            others = (each for each in self.recent_files.value if each != file)
            self.recent_files.value = (file, *others)[:MOST_FILES]
            self.visit(file)

    def _remember_launch(self, draft: Draft | None) -> None:
        if draft is not None and draft.path is not None and draft.settings.entry is not None and not draft.lent:
            launches = {**self.launches.value, draft.path: draft.settings}
            self.launches.value = {file: launches[file] for file in (*self.recent_files.value, draft.path) if file in launches}

    def _newest(self, wanted: Callable[[Draft], bool]) -> Draft | None:
        """The kept text that was edited last of those that are wanted."""
        return next((each for each in reversed(self.kept) if wanted(each)), None)

    def _shape(self, key: str, name: Message, text: str, shape: Callable[[Draft, Dim3], tuple[Dim3, Dim3]]) -> Message | None:
        sizes, draft = dimensions(name, text.replace("×", ",").replace("x", ",")), self.draft.value
        if isinstance(sizes, Message) or draft is None:
            return sizes if isinstance(sizes, Message) else None
        grid, block = shape(draft, sizes)
        reason = refuse_shape(grid, block)
        if reason is None and draft.kernel is not None:
            reason = refuse_bounds(draft.kernel.name, draft.kernel.max_threads, block)
        return self._set(reason, lambda settings: replace(settings, grid=grid, block=block, guessed=settings.guessed - {key}))

    def _set(self, reason: Message | None, change: Callable[[LaunchSettings], LaunchSettings]) -> Message | None:
        """Change the settings unless there is a reason against it, which is returned."""
        if reason is None:
            self._change(lambda draft: followed(replace(draft, settings=replace(change(draft.settings), turned=False))))
        return reason

    def _change(self, change: Callable[[Draft], Draft]) -> None:
        if self.draft.value is not None:
            self.draft.value = change(self.draft.value)

    def _stage_changed(self, choice: Case) -> None:
        """A draft is launched as the inspector says, until its own form says otherwise."""
        draft = self.shown
        if draft is None:
            return
        if draft.variant_id != choice.variant.id:
            self.set_aside()
        elif (draft.problem, draft.parameters) != (choice.problem, choice.parameters):
            self.draft.value = relaunched(draft, choice.problem, choice.parameters)
