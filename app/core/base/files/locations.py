"""Locations of what the program writes: measurements, settings and compiled kernels."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, MutableMapping
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

from app.core.base.files.text_files import is_folder
from app.core.base.parsing import shown
from kernels.base.messages import Message, message
from kernels.base.plain_file import NotPlainError, require_plain
from kernels.base.values import dataclass

HOME_VARIABLE = "TILESCOPE_HOME"
NAME = "tilescope"
LONGEST_PATH = 4096
"""Characters; what a message shows of a longer one ends in an ellipsis."""


@dataclass(frozen=True, slots=True)
class Locations:
    """Folders, none of which need exist yet: the measurements and drafts, the settings and what can be made again."""

    data: Path
    settings: Path
    cache: Path

    @property
    def store(self) -> Path:
        """The file of all measurements."""
        return self.data / "results.sqlite"

    @property
    def drafts(self) -> Path:
        """The folder of the texts that are being edited."""
        return self.data / "drafts"

    @property
    def sessions(self) -> Path:
        """The folder of what the running programs show."""
        return self.data / "sessions"

    @property
    def recent_states(self) -> Path:
        """The file of the states that were looked at."""
        return self.data / "recent.json"

    @property
    def lesson_progress(self) -> Path:
        """The file that tells how far each lesson was."""
        return self.data / "lessons.json"

    @property
    def challenge_progress(self) -> Path:
        """The file that tells what was made of each challenge."""
        return self.data / "challenges.json"

    @property
    def readable_files(self) -> Path:
        """The file of what the user's programs may read."""
        return self.data / "readable.json"

    @property
    def recordings(self) -> Path:
        """The folder of the recordings of other machines."""
        return self.data / "recordings"

    @property
    def logs(self) -> Path:
        """The folder of the log, and of reports on errors that nobody caught."""
        return self.data / "logs"

    @property
    def settings_file(self) -> Path:
        """The file of the settings, in INI form."""
        return self.settings / "settings.ini"

    @property
    def turn(self) -> Path:
        """The lock that the program holds which measures."""
        return self.cache / "measuring.lock"

    @property
    def window_socket(self) -> Path:
        """The socket of the window that takes links over."""
        return self.cache / "window.socket"

    @property
    def numba_cache(self) -> Path:
        """The folder of the compiled CPU kernels."""
        return self.cache / "numba"


@dataclass(frozen=True, slots=True)
class Kept:
    """Files and folders of what the program remembers between two starts; None: it is not kept."""

    drafts: Path | None = None
    """The folder of the texts that are edited."""
    recent_states: Path | None = None
    lesson_progress: Path | None = None
    challenge_progress: Path | None = None
    sessions: Path | None = None
    """The folder of what the running programs show."""
    readable_files: Path | None = None

    @staticmethod
    def at(places: Locations | None) -> Kept:
        """Return the files that are kept in these folders; without folders nothing is kept."""
        if places is None:
            return NOTHING_KEPT
        return Kept(
            places.drafts,
            places.recent_states,
            places.lesson_progress,
            places.challenge_progress,
            places.sessions,
            places.readable_files,
        )


NOTHING_KEPT = Kept()


def find_places(environment: Mapping[str, str], platform: str, home: PurePath) -> Locations:
    """The folders that the system means for them; all below TILESCOPE_HOME where it is set. `platform` as in `sys.platform`."""
    if chosen := environment.get(HOME_VARIABLE):
        root = Path(chosen).absolute()
        return Locations(root / "data", root / "settings", root / "cache")
    if platform == "win32":
        local = PureWindowsPath(environment.get("LOCALAPPDATA") or home / "AppData" / "Local")
        return _places(local / NAME / "data", local / NAME / "settings", local / NAME / "cache")
    if platform == "darwin":
        library = PurePosixPath(home / "Library")
        support = library / "Application Support" / NAME
        return _places(support, support, library / "Caches" / NAME)
    return _places(
        _xdg(environment, "XDG_DATA_HOME", home / ".local" / "share") / NAME,
        _xdg(environment, "XDG_CONFIG_HOME", home / ".config") / NAME,
        _xdg(environment, "XDG_CACHE_HOME", home / ".cache") / NAME,
    )


def settle_home(environment: MutableMapping[str, str]) -> None:
    """Where the system knows no home folder of this user, name one that nothing can be kept in."""
    try:
        Path.home()
    except RuntimeError:
        environment.update(HOME=os.devnull, USERPROFILE=os.devnull)


def prepare(folder: Path) -> Message | None:
    """Make the folder if need be and try to write in it; returns why it cannot be used."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return None
    except OSError as error:
        return message("{folder} cannot be written: {error}.", folder=shown(str(folder), LONGEST_PATH), error=error.strerror or str(error))


def refuse_file(path: Path) -> Message | None:
    """Why a file cannot be written there, or None. Leaves nothing behind."""
    try:
        require_plain(path)
    except NotPlainError as other:
        return other.told(shown(str(path), LONGEST_PATH))
    if not is_folder(path.parent):
        return message("There is no folder {folder}.", folder=shown(str(path.parent), LONGEST_PATH))
    return prepare(path.parent)


def _places(data: PurePath, settings: PurePath, cache: PurePath) -> Locations:
    return Locations(Path(data), Path(settings), Path(cache))


def _xdg(environment: Mapping[str, str], name: str, default: PurePath) -> PurePath:
    """The specification ignores relative paths."""
    chosen = PurePosixPath(environment.get(name, ""))
    return chosen if chosen.is_absolute() else default
