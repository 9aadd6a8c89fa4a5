"""What could be compared with a launch whose comparison with the shown one is refused: a kernel of the catalogue at the same size."""

from __future__ import annotations

from app.core.gpu_view.index import LaunchIndex
from app.core.session.session import Session
from kernels.base.messages import Message, message
from kernels.base.spec import Operation, Problem, Variant
from kernels.base.values import dataclass
from kernels.catalogue.catalogue import find

USUAL = {Operation.MATMUL: "gpu.tiled", Operation.TRANSPOSE: "gpu.transpose-shared"}
"""What a launch is compared with where nothing is chosen that does the same."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Launch of the catalogue that does the same work as another one."""

    variant: Variant
    problem: Problem

    @property
    def title(self) -> Message:
        """What the offer is called."""
        title = message("{rung} {title}", rung=self.variant.rung, title=self.variant.title)
        return message("Show {variant} at n = {n}", variant=title, n=self.problem.n)


def offer_for(pinned: LaunchIndex) -> Offer | None:
    """The offer for a launch; None where no kernel of the catalogue does the same, as far as its accesses show."""
    roles = {role.letter: role for role in pinned.roles.values() if role.letter and not role.prepared}
    if set(roles) == {"A", "B", "C"}:
        operation, problem = Operation.MATMUL, Problem(Operation.MATMUL, roles["A"].rows, roles["B"].columns, roles["A"].columns)
    elif set(roles) == {"A", "C"}:
        operation, problem = Operation.TRANSPOSE, Problem(Operation.TRANSPOSE, roles["A"].rows, roles["A"].columns)
    else:
        return None
    variant = find(USUAL[operation])
    assert variant is not None
    return Offer(variant, problem)


def take(session: Session, offer: Offer) -> Message | None:
    """Show what is offered; returns why that cannot be."""
    session.choose_variant(offer.variant)
    return session.set_stage_problem(offer.problem)
