"""Shows the scene of a step in the running program."""

from __future__ import annotations

from dataclasses import replace

from app.core.compare.comparison import Comparison
from app.core.launch.index import LaunchIndex
from app.core.lessons.scene import Scene
from app.core.session import Workspace
from app.core.stage_model import Shown, StageModel
from app.core.state.snapshot import Snapshot
from app.core.state.states import States
from app.core.timeline import Timeline
from kernels import catalog


def show_scene(scene: Scene, states: States, stage: StageModel, comparison: Comparison, *, before: bool = False) -> None:
    """Set the state; the stage goes to the moment that is meant, or to the step `before` it, when its trace is there.

    Before a page of times, which would tell them, stands the stage; before a real run its animation.
    """
    if _are_there(scene, states, comparison):
        comparison.choose(scene.snapshot.view)
        arrive(scene, stage, before=before)
        return
    comparison.leave()
    if scene.beside is None:
        snapshot = replace(scene.snapshot, workspace=Workspace.STAGE, run=0) if before else scene.snapshot
        states.show_and_then(snapshot, lambda: arrive(scene, stage, before=before))
        return
    first = Snapshot(scene.beside, scene.snapshot.profile, scene.snapshot.caches, view=scene.snapshot.view)

    def pin() -> None:
        comparison.toggle()
        states.show_and_then(scene.snapshot, compare)

    def compare() -> None:
        comparison.choose(scene.snapshot.view)
        arrive(scene, stage, before=before)

    states.show_and_then(first, pin)


def _are_there(scene: Scene, states: States, comparison: Comparison) -> bool:
    """Whether the two launches that the scene compares are beside each other already."""
    pair = comparison.pair.value
    if scene.beside is None or pair is None or states.now().stage != scene.snapshot.stage:
        return False
    return pair.left.subject.variant_id == scene.beside.variant.id


def arrive(scene: Scene, stage: StageModel, *, before: bool = False) -> None:
    """Go to the moment, and begin to move where the scene says so."""
    timeline = stage.timeline
    if scene.unit in timeline.extent.value.units:
        timeline.unit.value = scene.unit
    shown = stage.shown.value
    step = None if shown is None or not scene.line else step_at(shown, scene.line, scene.occurrence)
    timeline.scrub(scene.snapshot.place.time if step is None else step - before)
    if scene.play and not before and not stage.still.value:
        timeline.play()


def step_at(shown: Shown, text: str, occurrence: int = 0) -> int | None:
    """The step, of those on lines that hold a piece of text, that comes after `occurrence` others; the last where there are fewer."""
    if isinstance(shown, LaunchIndex):
        lines = _lines(shown.subject.text, text)
        steps = sorted(step for line in lines for step in shown.steps_of_line(line).tolist())
    else:
        variant = catalog.find(shown.trace.variant_id)
        assert variant is not None, shown.trace.variant_id
        lines = _lines(variant.source_text, text)
        steps = [step for step, line in enumerate(shown.trace.lines.tolist()) if line in lines]
    return steps[min(occurrence, len(steps) - 1)] if steps else None


def is_over(timeline: Timeline) -> bool:
    """Whether the animation was watched to its end."""
    return timeline.extent.value.steps > 0 and timeline.at_end


def _lines(whole: str, text: str) -> set[int]:
    return {number for number, line in enumerate(whole.splitlines(), start=1) if text in line}
