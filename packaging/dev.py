"""Start Tilescope, or test it, from a checkout: makes the environment first, and is quick when it is there.

    python3 packaging/dev.py run [arguments of tilescope]
    python3 packaging/dev.py test [arguments of pytest]

Needs nothing but Python. Everything is installed into `.venv` in the checkout, at the versions and hashes of `packaging/locks`.
Written for Linux, macOS and Windows; tried on Debian and Ubuntu only.
"""

# No `from __future__ import annotations` here: an older Python must get as far as the sentence below.
import argparse
import hashlib
import os
import subprocess
import sys
from pathlib import Path

if not (3, 11) <= sys.version_info[:2] <= (3, 13):
    sys.exit(
        "Tilescope needs Python 3.11, 3.12 or 3.13, and this is Python {}.{}. "
        "Type the same command with one of those in place of python3, for example python3.11.".format(*sys.version_info[:2])
    )

import debian
from bundle.edition import EDITIONS

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / "packaging" / "locks"
QT_PACKAGES = ("pyside6-essentials", "shiboken6", "pyqtgraph", "pytest-qt")
LOCK_TOOL = "uv>=0.13,<1"
HELP = {"-h", "--help"}
ON_ALL_CORES = ("--numprocesses=logical", "--dist=worksteal")


class Environment:
    """A virtual environment in the checkout, filled from one lock file."""

    def __init__(self, folder: str, lock: str) -> None:
        self.folder = ROOT / folder
        self.lock = LOCKS / lock
        self.scripts = self.folder / ("Scripts" if os.name == "nt" else "bin")
        self.python = self.scripts / ("python.exe" if os.name == "nt" else "python")

    def ready(self) -> "Environment":
        """Make and fill the environment unless this was done before for the same lock, settings, interpreter and place."""
        stamp = self.folder / f"{self.lock.stem}.stamp"
        if not stamp.is_file() or stamp.read_text() != self._digest():
            stamp.unlink(missing_ok=True)
            self.create()
            self._fill()
            stamp.write_text(self._digest())
        self._compile_catalogues()
        return self

    def call(self, *arguments: str | Path) -> int:
        """Run the environment's Python in the checkout and return its exit status."""
        return subprocess.run([self.python, *arguments], cwd=ROOT, env=_keeping_bytecode(), check=False).returncode

    def create(self) -> None:
        """Make the environment, empty but for pip, unless it is there for this interpreter."""
        configuration = self.folder / "pyvenv.cfg"
        version = "version = {}.{}.{}".format(*sys.version_info[:3])
        if self.python.exists() and configuration.is_file() and version in configuration.read_text(encoding="utf-8").splitlines():
            return
        print(f"Making the environment {self.folder.name} ...", flush=True)
        self.do("-m", "venv", "--clear", self.folder, python=sys.executable)

    def do(self, *arguments: str | Path, python: str | Path | None = None) -> None:
        """Run a Python (the environment's if none is named) in the checkout; ends the script with a sentence if it fails."""
        status = subprocess.run([python or self.python, *arguments], cwd=ROOT, env=_keeping_bytecode(), check=False).returncode
        if status != 0:
            sys.exit(f"This step failed, see above: {' '.join(str(part) for part in arguments)}\nThe same command tries it again.")

    def _digest(self) -> str:
        settings = (self.lock, ROOT / "pyproject.toml", ROOT / "packaging" / "hatch_build.py")
        parts = (sys.version, str(ROOT), *(file.read_text(encoding="utf-8") for file in settings))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def _fill(self) -> None:
        print(f"Installing the libraries of packaging/locks/{self.lock.name} (some hundred megabytes the first time) ...", flush=True)
        install = ("-m", "pip", "install", "--disable-pip-version-check", "--no-deps")
        self.do(*install, "--require-hashes", "--requirement", self.lock)
        self.do(*install, "--quiet", "--no-build-isolation", "--editable", ROOT)

    def _compile_catalogues(self) -> None:
        sources = (ROOT / "resources" / "i18n").glob("*/LC_MESSAGES/*.po")
        if any(_older(source.with_suffix(".mo"), source) for source in sources):
            self.do("packaging/catalogues.py", "compile")


def _keeping_bytecode() -> dict[str, str]:
    """The environment, in which Python keeps what it compiled: tests start many processes, and starts are measured as users have them."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _older(made: Path, source: Path) -> bool:
    return not made.is_file() or made.stat().st_mtime < source.stat().st_mtime


def environment(with_qt: bool = True, lock: str = "test.txt") -> Environment:
    """The environment for `lock`, made if need be, after the system's libraries that it needs."""
    debian.ensure_packages(with_qt)
    return Environment(".venv" if with_qt else ".venv-noqt", lock).ready()


def run(arguments: list[str]) -> int:
    """Open the application, or pass its arguments to the command line."""
    program = environment(lock="run.txt").scripts / "tilescope"
    if os.name == "posix":  # become the application, so that signals and the exit status are its own
        os.execv(program, [str(program), *arguments])
    return subprocess.run([program, *arguments], check=False).returncode


def test(arguments: list[str]) -> int:
    """Run the tests of the window, and all others where Qt is not installed, on all cores; arguments go to pytest with Qt, on one core."""
    os.environ.setdefault(
        "MALLOC_PERTURB_", "165"
    )  # with glibc what Qt has freed is overwritten: using it fails each time, not now and then
    if arguments:
        return environment().call("-m", "pytest", *arguments)
    failed = test_core([])
    return environment().call("-m", "pytest", "tests/qt", *ON_ALL_CORES) or failed


def test_core(arguments: list[str]) -> int:
    """Run the tests of everything that works without a window, in an environment that has no Qt."""
    return environment(with_qt=False, lock="core.txt").call("-m", "pytest", *(arguments or ON_ALL_CORES))


def check(arguments: list[str]) -> int:
    """Check style, format, types and the import contracts."""
    made = environment()
    failed = made.call("-m", "ruff", "check", *arguments)
    failed |= made.call("-m", "ruff", "format", "--check")
    failed |= made.call("-m", "mypy")
    failed |= made.call("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-cache")
    return int(failed != 0)


def screenshots(arguments: list[str]) -> int:
    """Draw pictures of the program into a folder (default build/screenshots) and check them; `--help` tells which."""
    return environment().call("packaging/screenshots.py", *arguments)


def players(arguments: list[str]) -> int:
    """Open players in Chromium and Firefox, and keep pictures, sizes and times: `players FOLDER OUT`."""
    return environment().call("packaging/browser_players.py", *arguments)


def player_pixels(arguments: list[str]) -> int:
    """Compare players in browsers with what the window draws: `player-pixels FOLDER OUT`."""
    return environment().call("packaging/player_pixels.py", *arguments)


def package(arguments: list[str]) -> int:
    """Make the packages of an edition below dist: `package --edition gpu --format deb`; without arguments those of the CPU edition."""
    if HELP.intersection(arguments):  # without filling the edition's environment for it
        return environment().call("packaging/package.py", *arguments)
    edition = next((name for name in EDITIONS if name in arguments or f"--edition={name}" in arguments), "cpu")
    debian.ensure_packages(with_qt=True, building=True)
    made = Environment(f".venv-package-{edition}", f"package-{edition}.txt").ready()
    return made.call("packaging/package.py", *arguments)


def compare(arguments: list[str]) -> int:
    """Tell what differs between two packages, archives or folders: `compare FIRST SECOND`."""
    return subprocess.run([sys.executable, ROOT / "packaging" / "compare.py", *arguments], check=False).returncode


def smoke(arguments: list[str]) -> int:
    """Try a package on a minimal system: `smoke dist/PACKAGE`; needs root's rights."""
    return subprocess.run([sys.executable, "packaging/smoke_test.py", *arguments], cwd=ROOT, check=False).returncode


def bench(arguments: list[str]) -> int:
    """Run the benchmarks, all or those named, beside their limits and the last time; `--list` says what each measures."""
    return environment().call("-m", "tests.perf.bench", *arguments)


def translate(arguments: list[str]) -> int:
    """Collect the texts of the source into the catalogues and compile them."""
    return environment().call("packaging/catalogues.py", *(arguments or ["update"]))


def lock(arguments: list[str]) -> int:
    """Pin the dependencies anew; `--upgrade` takes the newest versions that pyproject.toml allows."""
    if HELP.intersection(arguments):
        print(lock.__doc__)
        return 0
    made = Environment(".venv-lock", "run.txt")
    debian.ensure_packages(with_qt=False)
    made.create()
    made.do("-m", "pip", "install", "--quiet", "--disable-pip-version-check", LOCK_TOOL)
    compiling = ("-m", "uv", "pip", "compile", "--quiet", "--universal", "--generate-hashes", "--no-emit-index-url")
    settings = ("--custom-compile-command", "python3 packaging/dev.py lock", *arguments, "pyproject.toml")
    omitted = [f"--no-emit-package={name}" for name in QT_PACKAGES]
    tests = ("--extra=test", "--extra=compiled", "--extra=mpi")
    made.do(*compiling, *settings, *tests, "--output-file", LOCKS / "test.txt")
    pinned = ("--constraint", LOCKS / "test.txt")
    made.do(*compiling, *settings, *pinned, "--group=build", "--extra=mpi", "--output-file", LOCKS / "run.txt")
    made.do(*compiling, *settings, *pinned, *tests, *omitted, "--output-file", LOCKS / "core.txt")
    for edition in EDITIONS.values():
        extras = [f"--extra={extra}" for extra in edition.extras]
        made.do(*compiling, *settings, *pinned, "--group=build", *extras, "--output-file", LOCKS / f"package-{edition.name}.txt")
    return 0


COMMANDS = {
    "run": run,
    "test": test,
    "test-core": test_core,
    "check": check,
    "screenshots": screenshots,
    "players": players,
    "player-pixels": player_pixels,
    "package": package,
    "compare": compare,
    "smoke": smoke,
    "bench": bench,
    "translate": translate,
    "lock": lock,
}


def main(arguments: list[str]) -> int:
    """Do what the command line says and return the exit status."""
    parser = argparse.ArgumentParser(prog="dev.py", description="Start Tilescope, or test it, from a checkout.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        commands.add_parser(name, help=command.__doc__, add_help=False)
    chosen = parser.parse_args(arguments[:1]).command
    try:
        return COMMANDS[chosen](arguments[1:])
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
