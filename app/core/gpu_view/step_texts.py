"""Texts of a frame of a launch, derived from what the step accesses: caption, sentence, facts.

Elements of an array are written as the source would write them: A[10..11][0..15].
"""

from __future__ import annotations

import re
from math import prod

import numpy as np

from app.core.base.picture_parts import MatrixRole
from app.core.frames.matrix import OUTPUT
from app.core.frames.step_description import StepDescription, Term
from app.core.gpu_view.blocks import place, times
from app.core.gpu_view.frame import Frame
from app.core.gpu_view.index import LaunchIndex
from app.core.gpu_view.packed_values import packed_kind
from app.core.gpu_view.phases import StepPhase
from app.core.gpu_view.plurals import lanes, sectors, values, wavefronts
from app.core.gpu_view.print_rows import PRINT
from app.core.gpu_view.prints import says
from app.core.gpu_view.synchronisation.pipeline_stages import FilledTiles
from app.core.gpu_view.unseen_writes import unseen_words
from kernels.analysis.columns import Bools, Ints
from kernels.base.messages import Message, message
from kernels.base.spec import Output
from kernels.catalogue.catalogue import find
from kernels.simt.base.types import Space
from kernels.simt.base.windows import RANK_SHIFT
from kernels.simt.trace.finding_kinds import FindingKind
from kernels.simt.trace.trace import WARP, Site


def shape_of(index: LaunchIndex, allocation: int) -> tuple[int, ...]:
    """The shape that an array is named by: that of the matrix that it is, or its own."""
    role, array = index.roles.get(allocation), index.trace.allocations[allocation]
    if role is not None and role.rows * role.columns * array.element_bytes <= array.bytes:
        return role.rows, role.columns
    count = array.bytes // max(array.element_bytes, 1)
    return array.shape if array.shape and prod(array.shape) == count else (count,)


def region_name(index: LaunchIndex, allocation: int, elements: Ints) -> str:
    """The smallest range of indices around some elements where they fill it, else the array's name."""
    array, shape = index.trace.allocations[allocation], shape_of(index, allocation)
    different = np.unique(elements)
    if not len(different) or different[-1] >= prod(shape):
        return array.name
    places = np.unravel_index(different, shape)
    ranges = [(int(place.min()), int(place.max())) for place in places]
    if prod(last - first + 1 for first, last in ranges) != len(different):
        return array.name
    return array.name + "".join(f"[{first}]" if first == last else f"[{first}..{last}]" for first, last in ranges)


def _named(index: LaunchIndex, site: Site, allocation: int, elements: Ints) -> str:
    """The region of some elements, with the member where a step touches only that of each, as the text has it."""
    region, array = region_name(index, allocation, elements), index.trace.allocations[allocation]
    if site.bytes >= array.element_bytes or not region.endswith("]"):
        return region
    text = site.text
    while text != (shorter := _INDEX.sub("#", text)):
        text = shorter
    found = re.fullmatch(rf"{re.escape(array.name)}#+(?P<member>(?:\.\w+)+)", text)
    return region if found is None else region + found["member"]


_INDEX = re.compile(r"\[[^][]*\]")
PHASES = {StepPhase.LOAD: message("load"), StepPhase.COMPUTE: message("compute"), StepPhase.STORE: message("store")}
_DEEDS = {
    ("load", Space.GLOBAL): message("Warp {warp} reads {region} from global memory."),
    ("store", Space.GLOBAL): message("Warp {warp} writes {region} to global memory."),
    ("atomic", Space.GLOBAL): message("Warp {warp} updates {region} in global memory, one lane after the other."),
    ("load", Space.SHARED): message("Warp {warp} reads {region} from shared memory."),
    ("store", Space.SHARED): message("Warp {warp} writes {region} in shared memory."),
    ("atomic", Space.SHARED): message("Warp {warp} updates {region} in shared memory, one lane after the other."),
}
_TENSOR_CORES = message("Tensor cores read {region} from shared memory for warp {warp}.")
_COPY_ENGINE = {
    ("load", Space.GLOBAL): message("The copy engine reads {region} from global memory for warp {warp}."),
    ("store", Space.GLOBAL): message("The copy engine writes {region} to global memory for warp {warp}."),
    ("atomic", Space.GLOBAL): message("The copy engine updates {region} in global memory for warp {warp}."),
    ("load", Space.SHARED): message("The copy engine reads {region} from shared memory for warp {warp}."),
    ("store", Space.SHARED): message("The copy engine writes {region} in shared memory for warp {warp}."),
    ("atomic", Space.SHARED): message("The copy engine updates {region} in shared memory for warp {warp}."),
}
_AT_BARRIERS = {
    ".arrive": message("Warp {warp} arrives at {region}."),
    ".test_wait": message("Warp {warp} looks whether the phase of {region} is complete."),
}
"""By a part of the function's name: one that looks changes nothing."""
NONE_SELECTED: Bools = np.zeros(WARP, np.bool_)
_ELSEWHERE = message("Warp {warp} reads {region}.")
_OF_TILES = tuple(f"{space}_{operation}_of_tile" for space in (Space.GLOBAL, Space.SHARED) for operation in ("load", "store"))
_UNSPECIFIED = message("the addresses of its lanes, and so its wavefronts, are not specified")
_COPY = message("Warp {warp} puts values of {matrix} into {region} in shared memory.")
_BROADCAST = message("Warp {warp} reads {region} from shared memory: {values} for {lanes}.")
_WIDE_BROADCAST = message("Warp {warp} reads {region} from shared memory: {values} for {lanes}, {each} each.")


def tell_launch(index: LaunchIndex, frame: Frame, selected: Bools = NONE_SELECTED) -> StepDescription:
    """Tell the words of a frame of a launch; of the lanes that are selected what the first of them reaches."""
    return StepDescription(
        _title(index, frame),
        _equation(index, frame),
        message("print") if frame.site.operation == PRINT else PHASES[frame.phase],
        message("Line {line}, warp {warp} of block {block}", line=frame.line, warp=frame.warp, block=place(frame.block, index.trace.grid)),
        unseen_words(index, frame) or _with_source(index, frame, _sentence(index, frame)),
        _facts(index, frame, selected),
        message("the end") if frame.next_line is None else message("line {line}", line=frame.next_line),
        None,
    )


def block_of(index: LaunchIndex, frame: Frame) -> Message:
    """Return which block this is, of which grid."""
    return message("Block {block} of {grid}", block=place(frame.block, index.trace.grid), grid=times(index.trace.grid))


def _title(index: LaunchIndex, frame: Frame) -> Message:
    """The tile step, or in a kernel without such steps the block."""
    if frame.site.operation == PRINT:
        return message("Printed line {number} of {total}", number=frame.step + 1, total=frame.steps)
    if frame.tiles == 1:
        return block_of(index, frame)
    place, letter = index.output(frame.step), next((role.word for role in index.roles.values() if role.letter == OUTPUT), "")
    if place is not None:
        return message(
            "{matrix} tile {tile} of {tiles}: tile step {number} of {total}",
            matrix=letter, tile=place.number + 1, tiles=place.of, number=place.step + 1, total=place.tile.steps,
        )  # fmt: skip
    if frame.band.block in index.record.outputs:
        return message(
            "Tile step {number} of {total}; which {matrix} tile it is for cannot be told",
            number=frame.tile + 1, total=frame.tiles, matrix=letter,
        )  # fmt: skip
    if _runs_ahead(index, frame):
        return message(
            "Tile step {number} of {total}, warp {warp} in {next}",
            number=frame.tile + 1, total=frame.tiles, warp=frame.warp, next=frame.tile + 2,
        )  # fmt: skip
    filled = index.once(FilledTiles).of(index, frame.band.block, frame.step)
    if filled is not None and filled != frame.tile:
        return message(
            "Tile step {number} of {total}, copies for {filled} (t = {t})",
            number=frame.tile + 1, total=frame.tiles, filled=filled + 1, t=filled,
        )  # fmt: skip
    return message("Tile step {number} of {total}", number=frame.tile + 1, total=frame.tiles)


def _runs_ahead(index: LaunchIndex, frame: Frame) -> bool:
    """Whether the warp fills the next tile while others compute with this one, as nothing holds it back: it has computed since the last
    barrier, and this line races. Of a kernel with two tiles in turn that is meant so, and no race."""
    if frame.phase is not StepPhase.LOAD or frame.tile + 1 >= frame.tiles or frame.line not in index.once(_racing_lines):
        return False
    record, (first, _) = index.record, index.warp_ranges(frame.band)[frame.warp]
    before = slice(first, frame.step)
    own = record.order.row[before][record.order.warp[before] == frame.warp]
    return bool((record.phases[index.trace.rows.site[own]] == StepPhase.COMPUTE).any())


def _racing_lines(index: LaunchIndex) -> frozenset[int]:
    races = (each for each in index.record.findings if each.kind is FindingKind.DATA_RACE)
    return frozenset(place.line for each in races for place in (each.location, each.other) if place is not None and not place.file)


def _equation(index: LaunchIndex, frame: Frame) -> tuple[Term, ...]:
    """What a launch computes: of tiles; a product without tile steps, of the matrices."""
    letters = {role.letter: role.word for role in index.roles.values()}
    said = message("{matrix} tile") if frame.tiles > 1 or "B" not in letters else message("{matrix}")
    terms = {letter: Term(Message(said.template, (("matrix", word),)), letter) for letter, word in letters.items()}
    variant = find(index.subject.variant_id)
    if variant is None or not any(role.letter for role in index.subject.matrices):  # what another text makes of its arguments is not known
        return ()
    if {"A", "B", "C"} <= set(terms):
        product = terms["C"], Term(message("+=")), terms["A"], Term(message("×")), terms["B"]
        both = _both_prepared(index)
        return product if both is None else (*product, Term(message("from {array}", array=both.name), both.letter))
    if {"A", "C"} <= set(terms):
        equal = terms["C"], Term(message("=")), terms["A"]
        return equal if variant.output is Output.COPY else (*equal, Term(message("transposed")))
    return ()


def _both_prepared(index: LaunchIndex) -> MatrixRole | None:
    """What a launch before this one prepared of A, where this one reads B from there too."""
    prepared = next((role for role in index.roles.values() if role.prepared), None)
    own = {number for number, role in index.roles.items() if role.letter == "B"}
    return None if any(site.allocation in own for site in index.trace.sites) else prepared


def _with_source(index: LaunchIndex, frame: Frame, said: Message) -> Message:
    """A sentence; of a read of what a launch before this one prepared, what that is."""
    allocation = _reached(index, frame)[0]
    role = index.roles.get(allocation)
    if role is None or not role.prepared or (frame.site.operation, frame.site.space) != ("load", Space.GLOBAL):
        return said
    whole = message("{array} holds A and B as the launch before packed them.", array=role.name)
    if kind := packed_kind(index, allocation):
        whole = message("{array} holds A and B as the launch before packed them, two {kind} in one element.", array=role.name, kind=kind)
    turned = message("{array} holds A as the launch before turned it.", array=role.name)
    return message("{first} {other}", first=said, other=turned if _both_prepared(index) is None else whole)


def _sentence(index: LaunchIndex, frame: Frame) -> Message:
    if frame.site.operation == PRINT:
        return says(index, frame)
    allocation, elements = _reached(index, frame)
    if allocation < 0 and frame.site.space is Space.SHARED and (frame.lanes.address >> RANK_SHIFT).max() > 0:
        return _in_another_block(frame)
    if allocation < 0:
        return message("Warp {warp} reaches beyond every array.", warp=frame.warp)
    region, space = _named(index, frame.site, allocation, elements), frame.site.space
    if frame.site.engine:
        tensor_cores = frame.site.operand
        deed = _TENSOR_CORES if tensor_cores else _COPY_ENGINE.get((frame.site.operation, space), _ELSEWHERE)
        return Message(deed.template, (("warp", frame.warp), ("region", region)))
    at_barrier = next((deed for part, deed in _AT_BARRIERS.items() if part in frame.site.function), None)
    if at_barrier is not None:
        return Message(at_barrier.template, (("warp", frame.warp), ("region", region)))
    issued = index.trace.rows.issued
    if issued is not None and space is Space.SHARED and issued[index.record.order.row[frame.step]] >= 0:
        return message("What warp {warp} copied arrives in {region}.", warp=frame.warp, region=region)
    letter, different = index.record.letters[allocation], len(np.unique(elements))
    if frame.site.operation == "store" and space is Space.SHARED and letter and not frame.site.tile:  # what tensor cores store are sums
        word = next(role.word for role in index.roles.values() if role.letter == letter)
        return Message(_COPY.template, (("warp", frame.warp), ("matrix", word), ("region", region)))
    if frame.site.operation == "load" and space is Space.SHARED and different < len(elements):
        told = (("warp", frame.warp), ("region", region), ("values", values(different)), ("lanes", lanes(int(frame.lanes.active.sum()))))
        each = index.span(frame.site, allocation)
        return Message(_BROADCAST.template, told) if each == 1 else Message(_WIDE_BROADCAST.template, (*told, ("each", each)))
    deed = _DEEDS.get((frame.site.operation, space), _ELSEWHERE)
    return Message(deed.template, (("warp", frame.warp), ("region", region)))


def _in_another_block(frame: Frame) -> Message:
    """Of an access to shared memory of other blocks of the cluster their ranks."""
    ranks = ", ".join(str(rank - 1) for rank in np.unique(frame.lanes.address[frame.lanes.active] >> RANK_SHIFT).tolist() if rank)
    deed = {
        "load": message("Warp {warp} reads shared memory of another block of the cluster: rank {ranks}."),
        "store": message("Warp {warp} writes shared memory of another block of the cluster: rank {ranks}."),
        "atomic": message("Warp {warp} updates shared memory of another block of the cluster: rank {ranks}."),
    }[frame.site.operation]
    return Message(deed.template, (("warp", frame.warp), ("ranks", ranks)))


def _reached(index: LaunchIndex, frame: Frame) -> tuple[int, Ints]:
    """The array that most lanes reach (-1: none), and the elements of it that they reach."""
    reached = frame.lanes.allocation[frame.lanes.allocation >= 0]
    if not len(reached):
        return -1, reached
    allocation = int(np.bincount(reached).argmax())
    first = frame.lanes.element[frame.lanes.allocation == allocation]
    span = index.span(frame.site, allocation)
    return allocation, (first[:, None] + np.arange(span)).reshape(-1)


def _facts(index: LaunchIndex, frame: Frame, selected: Bools) -> tuple[tuple[Message, Message], ...]:
    active = int(frame.lanes.active.sum())
    facts = []
    if frame.site.tile:
        facts.append((message("Tile operation"), _UNSPECIFIED))
    elif frame.site.space is Space.GLOBAL:
        moved, served = sectors(frame.sectors), lanes(active)
        fitting = frame.sectors_ideal
        cost = message("{sectors} for {lanes}; side by side, their bytes fit in {ideal}", sectors=moved, lanes=served, ideal=fitting)
        good = message("{sectors} for {lanes}, as few as can be", sectors=moved, lanes=served)
        facts.append((message("Global memory"), cost if frame.sectors > frame.sectors_ideal else good))
    elif frame.site.barrier:
        facts.append((message("Shared memory"), message("a barrier: no bank, no wavefront")))
    elif frame.site.space is Space.SHARED and frame.site.copied:
        facts.append((message("Shared memory"), message("{bytes} bytes, by no warp instruction: no wavefront", bytes=frame.site.bytes)))
    elif frame.site.space is Space.SHARED:
        cost = message("{wavefronts}: {degree}-way conflict", wavefronts=wavefronts(frame.wavefronts), degree=frame.degree)
        good = message("{wavefronts}, no conflict", wavefronts=wavefronts(frame.wavefronts))
        facts.append((message("Shared memory"), cost if frame.degree > 1 else good))
    if 0 < active < len(frame.lanes.active):
        facts.append((message("Active"), message("{lanes} of 32 lanes", lanes=active)))
    most, _ = _reached(index, frame)
    if most >= 0 and not (frame.site.engine or frame.site.tile):
        own = np.flatnonzero(selected & (frame.lanes.allocation >= 0))
        lane = int(own[0] if len(own) else np.flatnonzero(frame.lanes.allocation == most)[0])
        allocation = int(frame.lanes.allocation[lane])
        elements = frame.lanes.element[lane] + np.arange(index.span(frame.site, allocation))
        facts.append((message("Lane {lane}", lane=lane), _plain(_named(index, frame.site, allocation, elements))))
    facts.append((message("So far"), _so_far(index, frame)))
    return tuple(facts)


def _so_far(index: LaunchIndex, frame: Frame) -> Message:
    sums, after = index.record.sums, frame.step + 1
    told = message(
        "{sectors}, {wavefronts}", sectors=sectors(int(sums["sectors"][after])), wavefronts=wavefronts(int(sums["wavefronts"][after]))
    )
    uncounted = any(sums[kind][after] for kind in _OF_TILES if kind in sums)
    return message("{told}, without those of tile operations", told=told) if uncounted else told


def _plain(text: str) -> Message:
    return message("{text}", text=text)
