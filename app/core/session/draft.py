"""A text that is being edited, with the launch that it is executed with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path

from app.core.session.draft_arguments import named
from app.core.session.launch_inference import BLOCK, Said, launch_of
from kernels.base.messages import Message, message
from kernels.base.spec import PREPARED, Operation, Parameters, Problem, Variant
from kernels.base.values import dataclass
from kernels.simt.base.launch import Dim3, Filled
from kernels.simt.base.signature import KernelSignature
from kernels.simt.run.launchable import refuse_shape
from kernels.simt.run.variant_launch import launch_spec
from kernels.simt.trace.launch_spec import LaunchSpec


@dataclass(frozen=True, slots=True)
class LaunchSettings:
    """Settings of a draft's launch. `arguments` are texts by parameter; what is not given there has a default that its type tells."""

    entry: str | None = None
    """The kernel's name; None until the kernels of the text are known."""
    template: str = ""
    """The arguments of a template, as they stand between < and >."""
    grid: Dim3 = (1, 1, 1)
    block: Dim3 = (BLOCK, 1, 1)
    shared_bytes: int = 0
    arguments: Mapping[str, str] = field(default_factory=dict)
    defines: Mapping[str, int] = field(default_factory=dict)
    guessed: frozenset[str] = frozenset()
    """The fields of the form (`launch_fields`) that nobody has said: neither the text nor the user."""
    turned: bool = False
    """Whether blocks go from the last to the first, and warps take turns: an edge that was tried so. What the form changes ends it."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An edited text. `original` is what it began as: a file's content, or the text of the variant `variant_id`.

    `problem` and `parameters` are those of the variant; a file has none. `kernels` is what the text was last found to hold.
    """

    name: str
    text: str
    original: str
    settings: LaunchSettings
    path: Path | None = None
    variant_id: str = ""
    problem: Problem | None = None
    parameters: Parameters = field(default_factory=dict)
    kernels: tuple[KernelSignature, ...] = ()
    lent: bool = False
    """Whether it is a challenge's, which keeps what is made of it itself."""

    @property
    def title(self) -> Message:
        """Title of the draft."""
        return message("Copy of {file}", file=self.name) if self.variant_id and self.path is None else message("{file}", file=self.name)

    @property
    def changed(self) -> bool:
        """Whether the text differs from what it began as."""
        return self.text != self.original

    def same_text(self, other: Draft) -> bool:
        """Whether another draft has the same text for the same file or variant."""
        return (self.path, self.variant_id, self.name, self.text) == (other.path, other.variant_id, other.name, other.text)

    @property
    def kernel(self) -> KernelSignature | None:
        """The kernel that is launched; None while it is not known."""
        return next((kernel for kernel in self.kernels if kernel.name == self.settings.entry), None)

    @property
    def as_in_the_catalogue(self) -> bool:
        """Whether it is launched as the variant that it began as."""
        if self.problem is None or not self.variant_id:
            return False
        from kernels.catalogue.catalogue import find

        variant = find(self.variant_id)
        return variant is not None and replace(self.settings, template="") == settings_of(variant, self.problem, self.parameters)


def copy_of(variant: Variant, problem: Problem, parameters: Parameters) -> Draft:
    """A copy of a CUDA variant, launched as the variant is."""
    name, text, settings = variant.source.rsplit("/", 1)[-1], variant.source_text, settings_of(variant, problem, parameters)
    return Draft(name, text, text, settings, None, variant.id, problem, dict(parameters))


def draft_of(path: Path, text: str) -> Draft:
    """A file's text as a draft."""
    return Draft(path.name, text, text, LaunchSettings(), path)


def settings_of(variant: Variant, problem: Problem, parameters: Parameters) -> LaunchSettings:
    """The launch of a CUDA variant, its arguments as a user would write them."""
    taken = launch_spec(variant, problem, parameters)
    arguments = {}
    for name, (rows, columns) in problem.shapes.items():
        given = taken.launch.arguments.get(name)
        if isinstance(given, Filled):
            arguments[name] = f"{rows}x{columns}" + ("" if given.fill is None else ":random")
    if problem.shapes:
        arguments |= {"M": str(problem.m), "N": str(problem.n)}
    if problem.operation is Operation.MATMUL:
        arguments["K"] = str(problem.k)
    assert variant.launch is not None
    launch = variant.launch(problem, parameters)
    if PREPARED in launch.prepared:
        arguments[PREPARED] = "{}x{}".format(*launch.prepared[PREPARED])
    return LaunchSettings(
        variant.entry, "", taken.launch.grid, taken.launch.block, taken.launch.shared_bytes, arguments, dict(launch.defines)
    )


def prepared_by(draft: Draft) -> LaunchSpec | None:
    """What is launched before the draft, where that is done for its variant: it stands in the same text."""
    from kernels.catalogue.catalogue import find

    variant = find(draft.variant_id)
    if variant is None or draft.problem is None or draft.settings.entry != variant.entry:
        return None
    return launch_spec(variant, draft.problem, draft.parameters).before


def relaunched(draft: Draft, problem: Problem, parameters: Parameters) -> Draft:
    """The draft of a variant with the launch that the variant has for other parameters."""
    from kernels.catalogue.catalogue import by_id

    variant = by_id(draft.variant_id)
    return replace(draft, settings=settings_of(variant, problem, parameters), problem=problem, parameters=dict(parameters))


def with_kernels(draft: Draft, kernels: tuple[KernelSignature, ...]) -> Draft:
    """The draft after its text was found to hold these kernels: one that is no longer there gives way to the first."""
    before = {each.name: each.variables for each in draft.kernels}
    known = replace(
        draft, kernels=tuple(replace(each, variables=before.get(each.name)) if each.variables is None else each for each in kernels)
    )
    if kernels and known.kernel is None:
        return with_kernel(known, kernels[0], kept=draft.settings.entry is not None)
    return known if known.kernel is None else followed(replace(known, settings=_complete(known, known.kernel)))


def with_kernel(draft: Draft, kernel: KernelSignature, *, kept: bool = False) -> Draft:
    """The draft with another of its kernels launched: a file's as its text says, or as it is guessed, but for what is `kept` because
    somebody has said it; that of a copy as before, in a block that fits the kernel's launch bounds."""
    settings = replace(draft.settings, entry=kernel.name, template=template_default(kernel), turned=False)
    threads = settings.block[0] * settings.block[1] * settings.block[2]
    if draft.variant_id:
        if kernel.max_threads is not None and threads > kernel.max_threads:
            settings = replace(settings, block=(kernel.max_threads, 1, 1))
        return replace(draft, settings=_complete(replace(draft, settings=settings), kernel))
    found = launch_of(draft.text, kernel, tuple(named(kernel)))
    fresh = replace(
        settings, template=found.template or settings.template, grid=found.grid, block=found.block, shared_bytes=found.shared_bytes,
        arguments=found.arguments, guessed=found.guessed,
    )  # fmt: skip
    if not kept:
        return followed(replace(draft, settings=fresh))
    block = settings.block if kernel.max_threads is None or threads <= kernel.max_threads else (kernel.max_threads, 1, 1)
    return followed(replace(draft, settings=_complete(replace(draft, settings=replace(settings, block=block)), kernel)))


def _complete(draft: Draft, kernel: KernelSignature) -> LaunchSettings:
    """The settings with a guess for each parameter that nothing is given for."""
    settings, parameters = draft.settings, tuple(named(kernel))
    missing = {each.name for each in parameters if each.name not in settings.arguments}
    if not missing:
        return settings
    found = launch_of(draft.text, kernel, parameters)
    new = {name: text for name, text in found.arguments.items() if name in missing}
    guessed = settings.guessed | (found.guessed & {f"argument {name}" for name in missing})
    return replace(settings, arguments={**settings.arguments, **new}, guessed=guessed)


def followed(draft: Draft) -> Draft:
    """The draft of a file with what nobody has said guessed anew: arrays and grid follow the sizes and the block that were said."""
    settings, kernel = draft.settings, draft.kernel
    if kernel is None or draft.variant_id or not settings.guessed:
        return draft
    numbers = {
        name: int(text) for name, text in settings.arguments.items() if f"argument {name}" not in settings.guessed and text.isdecimal()
    }
    block = None if "block" in settings.guessed else settings.block
    found = launch_of(draft.text, kernel, tuple(named(kernel)), Said(numbers, block))
    arguments = {
        name: found.arguments.get(name, text) if f"argument {name}" in settings.guessed else text
        for name, text in settings.arguments.items()
    }
    grid = found.grid if "grid" in settings.guessed and refuse_shape(found.grid, settings.block) is None else settings.grid
    return replace(draft, settings=replace(settings, grid=grid, arguments=arguments))


def template_default(kernel: KernelSignature) -> str:
    """Arguments for a kernel's template: its own defaults, else 16 for a number and float for a type."""
    texts = []
    for each in kernel.template:
        named, equals, default = each.partition("=")
        kind = "float" if named.split()[0] in ("typename", "class") else "true" if named.split()[0] == "bool" else "16"
        texts.append(default.strip() if equals else kind)
    return ", ".join(texts)
