"""The doctor's checks of what the window needs: Qt, a display, fonts, and how large and how aloud things are."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
from collections.abc import Mapping
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from app.core.desktop import has_display
from app.core.doctor import Outcome, State, Surroundings
from app.core.doctor_remedies import apt_install
from app.core.qt_loading import qt_obstacle, window_obstacle
from kernels.messages import message

ALWAYS_ALOUD = "QT_LINUX_ACCESSIBILITY_ALWAYS_ON"
_SCALES = ("QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI", "GDK_SCALE")
_CHINESE_FONT = "fonts-wqy-microhei"


def check_qt(surroundings: Surroundings) -> Outcome:
    """Whether Qt is installed and loads."""
    obstacle = qt_obstacle(surroundings.platform)
    if obstacle is not None:
        return State.PROBLEM, obstacle.sentence, obstacle.next_step
    return State.OK, message("PySide6 {qt}, pyqtgraph {plots}", qt=version("PySide6-Essentials"), plots=version("pyqtgraph"))


def check_display(surroundings: Surroundings) -> Outcome:
    """Whether a window can be opened, and on what."""
    environment = surroundings.environment
    if not has_display(environment, surroundings.platform):
        remedy = message("Start it within a desktop session, or over ssh -X. Without one, {command} takes pictures.",
                         command="tilescope screenshot OUT.png")  # fmt: skip
        return State.MISSING, message("There is no display to open a window on."), remedy
    if not surroundings.platform.startswith("linux"):
        return State.OK, message("A window can be opened.")
    kind = "X11" if environment.get("DISPLAY") else "Wayland"
    obstacle = window_obstacle(environment, surroundings.platform)
    if obstacle is not None:
        return State.PROBLEM, obstacle.sentence, obstacle.next_step
    chosen = environment.get("QT_QPA_PLATFORM")
    silent = None if chosen else _silent(environment)
    if silent is not None:
        remedy = message("Start it within the desktop session, or set the variable {name} as it is there.", name=silent)
        return State.PROBLEM, message("No display answers at {address}.", address=f"{silent}={environment[silent]}"), remedy
    if chosen:
        return State.OK, message("A window can be opened; {variable} asks Qt for {system}.", variable="QT_QPA_PLATFORM", system=chosen)
    return State.OK, message("A window can be opened under {system}.", system=kind)


def check_fonts(surroundings: Surroundings) -> Outcome:
    """Whether Chinese can be drawn."""
    folder = files("resources").joinpath("fonts")
    names = sorted(entry.name for entry in folder.iterdir() if "SC" in entry.name) if folder.is_dir() else []
    if names:
        return State.OK, message("Chinese is drawn with the font that comes along: {names}", names=", ".join(names))
    if not surroundings.platform.startswith("linux"):
        return State.OK, message("Chinese is drawn with the fonts of the system.")
    families = _chinese_families()
    if families:
        return State.OK, message("Chinese is drawn with a font of the system: {names}", names=", ".join(families[:3]))
    return State.MISSING, message("No font for Chinese came along, and the system has none."), apt_install(_CHINESE_FONT)


def check_scale(surroundings: Surroundings) -> Outcome:
    """What makes everything larger or smaller, beside the desktop's own setting."""
    given = [f"{name}={surroundings.environment[name]}" for name in _SCALES if surroundings.environment.get(name)]
    enlarge = message("Ctrl + and Ctrl − make everything in the window larger and smaller; {option} does so at the start.", option="--zoom")
    if not given:
        return State.OK, message("The window is as large as the desktop asks for."), enlarge
    return State.OK, message("These variables change how large the window is: {names}", names=", ".join(given)), enlarge


def check_reader(surroundings: Surroundings) -> Outcome:
    """Whether a screen reader is told what is shown."""
    environment = surroundings.environment
    if not surroundings.platform.startswith("linux"):
        return State.OK, message("The screen reader of the system is told what is shown.")
    if not environment.get("DBUS_SESSION_BUS_ADDRESS") and not environment.get("AT_SPI_BUS_ADDRESS"):
        sentence = message("There is no session bus, so a screen reader is not told what is shown.")
        return State.MISSING, sentence, message("With a screen reader, start Tilescope within the desktop session.")
    if environment.get(ALWAYS_ALOUD) == "1":
        return State.OK, message("Screen readers are told what is shown, whether the desktop says that one runs or not.")
    hint = message("If one stays silent, set {name}=1 before the start.", name=ALWAYS_ALOUD)
    return State.OK, message("Screen readers are told what is shown when the desktop says that one runs."), hint


def _silent(environment: Mapping[str, str]) -> str | None:
    """The variable that names a display of this machine where none answers."""
    local = re.fullmatch(r":([0-9]+)(\.[0-9]+)?", environment.get("DISPLAY", ""))
    if local is not None:
        socket_file = f"/tmp/.X11-unix/X{local[1]}"
        return None if _answers(socket_file) or _answers("\0" + socket_file) else "DISPLAY"
    wayland, folder = environment.get("WAYLAND_DISPLAY", ""), environment.get("XDG_RUNTIME_DIR", "")
    if environment.get("DISPLAY") or not wayland or not folder:
        return None
    return None if _answers(str(Path(folder) / wayland)) else "WAYLAND_DISPLAY"


def _answers(address: str) -> bool:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(2)
        try:
            connection.connect(address)
        except OSError:
            return False
        return True


def _chinese_families() -> list[str]:
    """The fonts of the system that have Chinese; none where nobody can tell."""
    tool = shutil.which("fc-list")
    if tool is None:
        return []
    listed = subprocess.run([tool, ":lang=zh", "family"], capture_output=True, text=True, timeout=10, check=False)
    return sorted({line.split(",")[0] for line in listed.stdout.splitlines() if line})
