"""Model of the ladder page: what is chosen, the picture that follows, and the expectations about its rungs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.core.base.observable import Field
from app.core.insights.evidence import gather
from app.core.insights.pairs import Expectation
from app.core.ladder.picture import Ladder, at_size, best_size, ladders, sizes_of
from app.core.ladder.sentences import untimed
from app.core.results.curves import Provenance
from app.core.results.known_results import Results
from app.core.session.session import Session, TimingChoice
from app.core.timing.model import TimingModel
from kernels.base.messages import Message
from kernels.base.spec import Device, Operation
from kernels.base.values import dataclass
from kernels.catalogue.catalogue import of


def expectations_of(ladder: Ladder, results: Results, choice: TimingChoice) -> Mapping[str, tuple[Message, ...]]:
    """What expectations say at the ladder's n, by the id of the rung that they are about."""
    from app.core.insights.rules import RULES

    everything = replace(choice, ticked=frozenset(variant.id for variant in of(ladder.operation)))
    said: dict[str, tuple[Message, ...]] = {}
    for evidence in gather(at_size(results, ladder.operation, ladder.n), everything):
        if (evidence.provenance, evidence.machine) != (ladder.provenance, ladder.machine):
            continue
        for expectation in (rule for rule in RULES if isinstance(rule, Expectation)):
            pair = expectation.find(evidence) or (None if evidence.uneven is None else expectation.find(evidence.uneven))
            sentence = expectation(evidence) or expectation.unevenly(evidence)
            if pair is not None and sentence is not None and pair.rung.variant.device is ladder.device:
                said[pair.rung.variant_id] = (*said.get(pair.rung.variant_id, ()), sentence)
    return said


Source = tuple[Provenance, str]
"""Where the times of a ladder are from: its provenance and its machine."""


@dataclass(frozen=True, slots=True)
class LadderChoice:
    """None, 0 and "" mean what fits best: the device of the rung on the stage, the n with most times, what was measured here."""

    device: Device | None = None
    n: int = 0
    source: Source | None = None
    rung: str = ""
    """The id of the variant that is explained; "" for the rung on the stage."""


@dataclass(frozen=True, slots=True)
class LadderPicture:
    """A ladder, what else could be shown, and the explained rung with the sentences about it."""

    ladder: Ladder
    sources: tuple[Ladder, ...]
    devices: tuple[Device, ...]
    sizes: tuple[int, ...]
    chosen: str
    sentences: Mapping[str, tuple[Message, ...]]


class LadderModel:
    """Follows the operation and the rung on the stage."""

    def __init__(self, session: Session, timing: TimingModel) -> None:
        self._session, self.timing = session, timing
        self.choice = Field(LadderChoice())

    @property
    def session(self) -> Session:
        """The choices that are shared with the rest of the window."""
        return self._session

    def choose_device(self, device: Device) -> None:
        """Show the rungs of another device, at the n with most times."""
        self.choice.value = LadderChoice(device)

    def choose_size(self, n: int) -> Message | None:
        """Show another n: of the device that is shown, else of the first that has times at it. Returns why that cannot be."""
        shown, known = self._device(), {device: self._sizes_of(device) for device in self._devices()}
        device = next((each for each in (shown, *known) if each is not None and n in known[each]), None)
        if device is None:
            return untimed(n, sorted({size for sizes in known.values() for size in sizes}))
        self.choice.value = replace(self.choice.value, n=n) if device is shown else LadderChoice(device, n)
        return None

    def choose_source(self, source: Source) -> None:
        """Show the times of another machine."""
        self.choice.value = replace(self.choice.value, source=source)

    def explain(self, variant_id: str) -> None:
        """Explain another rung."""
        self.choice.value = replace(self.choice.value, rung=variant_id)

    def picture(self) -> LadderPicture | None:
        """What is known; None where no rung of the operation was timed."""

        results, timing, choice = self.timing.results, self._session.timing.value, self.choice.value
        device, sizes = self._device(), self._sizes()
        if device is None or not sizes:
            return None
        best = best_size(results, timing.operation, device) or sizes[-1]
        found = ladders(results, timing, device, choice.n if choice.n in sizes else best)
        if not found:
            return None
        ladder = next((each for each in found if (each.provenance, each.machine) == choice.source), found[0])
        return LadderPicture(ladder, found, self._devices(), sizes, self._chosen(ladder), expectations_of(ladder, results, timing))

    def _chosen(self, ladder: Ladder) -> str:
        """The chosen rung, else that on the stage, else the last that is no library's and has a time."""
        wanted = (self.choice.value.rung, self._session.stage.value.variant.id)
        own = [rung.variant.id for rung in ladder.rungs if rung.ms is not None and not rung.variant.library]
        return next((each for each in wanted if ladder.rung(each) is not None), own[-1] if own else ladder.rungs[-1].variant.id)

    def _devices(self) -> tuple[Device, ...]:
        operation, results = self._session.operation, self.timing.results
        if operation is Operation.HELLO:
            return ()
        return tuple(device for device in (Device.GPU, Device.CPU, Device.MPI) if sizes_of(results, operation, device))

    def _device(self) -> Device | None:
        devices = self._devices()
        wanted = (self.choice.value.device, self._session.stage.value.variant.device)
        return next((device for device in wanted if device in devices), devices[0] if devices else None)

    def _sizes(self) -> tuple[int, ...]:
        device = self._device()
        return () if device is None else self._sizes_of(device)

    def _sizes_of(self, device: Device) -> tuple[int, ...]:
        return sizes_of(self.timing.results, self._session.operation, device)
