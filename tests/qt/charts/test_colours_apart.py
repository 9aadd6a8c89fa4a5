"""Text can be read on all that it stands on, and colours with different meanings stay apart also where red and green look alike."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from PySide6.QtGui import QColor

from app.core.results.curves import Provenance
from app.core.workbench import window_arguments
from app.qt.base.style import palette
from app.qt.base.theme import Theme, theme
from app.qt.charts.style import LIBRARY_MARKERS, MARKERS, colour_of, line_style, marker_of, marker_path
from app.qt.export.export_view import export_theme
from app.qt.views.frame import CHECK, WARNING
from kernels.base.spec import Device, Operation, Variant
from kernels.catalogue.catalogue import of
from tests.screens import colour_vision as measures

THEMES = {**{name: theme(name) for name in window_arguments.THEMES}, "print": export_theme("print")}
VISIONS = ("full", *measures.MACHADO)
READABLE = 4.5
"""WCAG 2.2, level AA, for text."""
PERCEIVED = 3.0
"""The same for the borders of controls."""
APART = 16.0
SERIES_APART, STEPS_APART, TINTS_APART = 12.0, 8.0, 4.0
"""These are never told by colour alone: series have markers and names, heat maps and tints have their numbers and letters."""
FROM_TROUBLE = 40.0
"""Crosses of what failed stand among the curves: at 30 dark curves of a GPU were taken for them."""
TIMED = (Operation.MATMUL, Operation.TRANSPOSE)
GROUNDS = ("bg0", "bg1", "bg2", "bg3", "now_bg", "bad_bg", "cell", "cell2")
STANDS_ON = {
    "t1": (*GROUNDS, "a_bg", "b_bg", "c_bg"),
    "t2": (*GROUNDS, "a_bg", "b_bg", "c_bg"),
    "t3": ("bg0", "bg1", "bg2", "bg3", "now_bg"),
    "a": (*GROUNDS, "a_bg"),
    "b": (*GROUNDS, "b_bg"),
    "c": (*GROUNDS, "c_bg"),
    "bad": GROUNDS,
    "now_text": ("bg0", "bg1", "bg2", "bg3", "now_bg"),
    "ink_text": ("ink",),
}
MEANINGS = ("a", "b", "c", "now", "bad")


def rgb(colour: QColor) -> tuple[float, float, float]:
    return colour.redF(), colour.greenF(), colour.blueF()


def token(shown: Theme, name: str) -> tuple[float, float, float]:
    return rgb(getattr(shown, name))


def closest(colours: dict[str, tuple[float, float, float]], vision: str) -> tuple[float, str, str]:
    seen = {name: measures.seen(colour, vision) for name, colour in colours.items()}
    return min((measures.difference(seen[one], seen[other]), one, other) for one, other in combinations(seen, 2))


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("text", STANDS_ON)
def test_every_text_can_be_read_on_what_it_stands_on(name: str, text: str) -> None:
    shown = THEMES[name]
    found = {ground: measures.contrast(token(shown, text), token(shown, ground)) for ground in STANDS_ON[text]}
    assert {ground: ratio for ground, ratio in found.items() if ratio < READABLE} == {}


@pytest.mark.parametrize("name", THEMES)
def test_the_borders_of_controls_and_the_mark_of_the_present_are_seen(name: str) -> None:
    shown = THEMES[name]
    assert measures.contrast(token(shown, "line2"), token(shown, "bg1")) >= PERCEIVED
    for ground in ("bg0", "bg1", "bg2", "bg3"):
        assert measures.contrast(token(shown, "now"), token(shown, ground)) >= PERCEIVED
        assert measures.contrast(token(shown, "ink"), token(shown, ground)) >= READABLE


@pytest.mark.parametrize("name", window_arguments.THEMES)
def test_texts_of_the_palette_can_be_read(name: str) -> None:
    made = palette(THEMES[name])
    role = made.ColorRole
    pairs = (
        (role.WindowText, role.Window),
        (role.Text, role.Base),
        (role.ButtonText, role.Button),
        (role.PlaceholderText, role.Base),
        (role.ToolTipText, role.ToolTipBase),
        (role.HighlightedText, role.Highlight),
        (role.Link, role.Base),
    )
    found = {text.name: measures.contrast(rgb(made.color(text)), rgb(made.color(ground))) for text, ground in pairs}
    assert {text: ratio for text, ratio in found.items() if ratio < READABLE} == {}


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("name", THEMES)
def test_meanings_stay_apart(name: str, vision: str) -> None:
    found = closest({meaning: token(THEMES[name], meaning) for meaning in MEANINGS}, vision)
    assert found[0] >= APART, found


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("name", THEMES)
def test_steps_of_heat_and_tints_stay_apart(name: str, vision: str) -> None:
    shown = THEMES[name]
    assert closest({each: token(shown, each) for each in ("a_bg", "b_bg", "c_bg")}, vision)[0] >= TINTS_APART
    steps = [measures.seen(rgb(each), vision) for each in shown.heat]
    assert min(measures.difference(*pair) for pair in pairwise(steps)) >= STEPS_APART


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("operation", TIMED)
@pytest.mark.parametrize("name", THEMES)
def test_any_two_curves_differ_in_their_marker_or_clearly_in_their_colour(name: str, operation: Operation, vision: str) -> None:
    alike: dict[str, dict[str, tuple[float, float, float]]] = {}
    for variant in of(operation):
        alike.setdefault(marker_of(variant), {})[variant.id] = rgb(colour_of(THEMES[name], variant))
    found = min(closest(colours, vision) for colours in alike.values() if len(colours) > 1)
    assert found[0] >= SERIES_APART, found


@pytest.mark.parametrize("operation", TIMED)
@pytest.mark.parametrize("device", Device)
def test_neighbours_on_a_ladder_and_libraries_have_markers_of_their_own(operation: Operation, device: Device) -> None:
    own = [variant for variant in of(operation) if variant.device is device]
    assert all(marker_of(lower) != marker_of(upper) for lower, upper in pairwise(own))
    rungs, libraries = ({marker_of(each) for each in own if each.library is library} for library in (False, True))
    assert not rungs & libraries
    assert len(libraries) == sum(each.library for each in own)
    polygons = [marker_path(each).toFillPolygon().toList() for each in (*MARKERS, *LIBRARY_MARKERS)]
    outlines = {tuple((spot.x(), spot.y()) for spot in polygon) for polygon in polygons}
    assert len(outlines) == len(MARKERS) + len(LIBRARY_MARKERS)


@pytest.mark.parametrize("operation", TIMED)
@pytest.mark.parametrize("name", THEMES)
def test_every_curve_is_seen_on_its_ground(name: str, operation: Operation) -> None:
    found = {each.id: measures.contrast(rgb(colour_of(THEMES[name], each)), token(THEMES[name], "bg1")) for each in of(operation)}
    assert {each: ratio for each, ratio in found.items() if ratio < PERCEIVED} == {}


@pytest.mark.parametrize("name", THEMES)
def test_the_hue_of_a_curve_is_its_devices_and_higher_rungs_stand_out_more(name: str) -> None:
    shown = THEMES[name]
    for device in Device:
        own = [each for each in of(Operation.MATMUL) if each.device is device]
        contrasts = [measures.contrast(rgb(colour_of(shown, each)), token(shown, "bg1")) for each in own if not each.library]
        assert contrasts == sorted(contrasts), device
        assert all(measures.contrast(rgb(colour_of(shown, each)), token(shown, "bg1")) > contrasts[-1] for each in own if each.library)
    hues = {device: {round(_hue(shown, each) / 60) for each in of(Operation.MATMUL) if each.device is device} for device in Device}
    assert not hues[Device.CPU] & hues[Device.GPU], hues


@pytest.mark.parametrize("operation", TIMED)
@pytest.mark.parametrize("name", THEMES)
def test_no_curve_has_the_colour_of_trouble(name: str, operation: Operation) -> None:
    bad = measures.seen(token(THEMES[name], "bad"), "full")
    found = {each.id: measures.difference(bad, measures.seen(rgb(colour_of(THEMES[name], each)), "full")) for each in of(operation)}
    assert {each: apart for each, apart in found.items() if apart < FROM_TROUBLE} == {}


@pytest.mark.parametrize("name", THEMES)
def test_what_has_a_colour_has_a_second_mark(name: str) -> None:
    assert CHECK != WARNING
    variant = of(Operation.MATMUL)[0]
    dashes = [tuple(line_style(THEMES[name], variant, each).pen.dashPattern()) for each in Provenance]
    assert len(set(dashes)) == len(Provenance)


def _hue(shown: Theme, variant: Variant) -> float:
    return colour_of(shown, variant).hueF() * 360


def test_the_measures_know_what_they_are_to_tell_apart() -> None:
    black, white = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
    assert measures.contrast(black, white) == pytest.approx(21)
    assert measures.difference(black, white) == pytest.approx(100, abs=0.1)
    red, green = (0.8, 0.2, 0.1), (0.48, 0.42, 0.1)
    assert measures.difference(red, green) > 60
    assert measures.difference(*(measures.seen(each, "deutan") for each in (red, green))) < 25
    assert measures.seen(red, "full") == red
    for vision in measures.MACHADO:
        assert measures.seen(white, vision) == pytest.approx(white, abs=0.01)


@pytest.mark.parametrize("name", ["contrast-light", "contrast-dark"])
def test_high_contrast_has_text_and_borders_in_ink_on_plain_ground(name: str) -> None:
    shown = THEMES[name]
    assert {each.name() for each in (shown.t1, shown.t2, shown.t3, shown.line2)} == {shown.ink.name()}
    assert measures.contrast(token(shown, "ink"), token(shown, "bg1")) == pytest.approx(21)
    assert shown.dark is (name == "contrast-dark")
