"""libclang's English remarks in words for students, in templates of ours; a remark that is not known passes as it is."""

from __future__ import annotations

import re

from kernels.messages import Message, message
from kernels.simt.frontend.known import KNOWN
from kernels.simt.frontend.phrases import HOST_FUNCTION, NAMES, SYNTAX
from kernels.simt.frontend.phrases_of_use import CALLS, MEMORY, VALUES, WARNINGS

_HEADERS = {
    "cuda_fp16.h": r"(__)?half2?|__half2?float\w*|__float2half\w*|__h(add|sub|mul|fma)\w*",
    "cuda_bf16.h": r"(__)?nv_bfloat16\w*",
    "mma.h": "wmma|nvcuda",
    "cooperative_groups.h": "cooperative_groups|cg",
}
_PATTERNS = tuple((re.compile(pattern), template) for pattern, template in (*NAMES, *CALLS, *VALUES, *MEMORY, *WARNINGS, *SYNTAX))


def worded(text: str, notes: tuple[str, ...] = ()) -> Message:
    """A remark of libclang's, with the notes below it, as a `Message`."""
    if (call := re.match(r"no matching function for call to '(.+?)'", text)) and (told := _unfit(call[1], notes)) is not None:
        return told
    unknown = re.match(r"(?:use of undeclared identifier|unknown type name) '(\w+)'", text)
    if unknown and (better := _known_better(unknown[1])) is not None:
        return better
    for pattern, template in _PATTERNS:
        if found := pattern.match(text):
            fields = {name: value for name, value in found.groupdict().items() if value is not None}
            return Message(template.template, tuple({"text": text, **fields}.items()))
    return message("{text}", text=text)


def _known_better(name: str) -> Message | None:
    """What an unknown name was meant to be, or what is missing for it."""
    header = next((header for header, names in _HEADERS.items() if re.fullmatch(names, name)), None)
    if header is not None:
        return message("{name} needs #include <{header}>.", name=name, header=header)
    meant = _BY_BARE_NAME.get(_bare(name))
    return None if meant is None else message("Unknown name {name}: {other} is perhaps meant.", name=name, other=meant)


def _bare(name: str) -> str:
    """A name without what is mistaken first: case, underscores, an s at the end."""
    return name.replace("_", "").lower().rstrip("s")


_BY_BARE_NAME = {_bare(name): name for name in (*sorted(KNOWN), "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize")}


def _unfit(name: str, notes: tuple[str, ...]) -> Message | None:
    """Why the only function of a name does not fit a call, where its note tells."""
    if len(notes) != 1:
        return None
    if "call to __host__ function" in notes[0]:
        return Message(HOST_FUNCTION.template, (("name", name),))
    if count := re.search(r"requires (?:exactly |single argument.*, )?(\d+) arguments?, but (\d+) (?:was|were) provided", notes[0]):
        return message("{name} takes {wanted} arguments, not {given}.", name=name, wanted=int(count[1]), given=int(count[2]))
    return None
