"""A minimal Debian in a folder, in which programs are started that see nothing else of this machine."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bundle.system import PROVIDED

MIRROR = "http://deb.debian.org/debian"
SUITE = "bookworm"
WANTED = tuple(sorted({*PROVIDED.values()}))
"""What the package itself asks for. Anything else that it turns out to need is a fault of the package."""
STUDENT = 1000
"""The user without rights who starts the program."""
PATIENCE_S = 300


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: its exit status (124: it did not) and what it wrote."""

    status: int
    text: str


class MinimalSystem:
    """The folder `root` with what is in it. All of its methods need root's rights."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def make(self) -> None:
        """Install the system unless it is there; a few minutes, and a connection to a mirror of Debian."""
        if (self.root / "etc" / "debian_version").is_file():
            return
        if shutil.which("debootstrap") is None:
            sys.exit("debootstrap is needed to make a minimal system; on Debian and Ubuntu: apt-get install debootstrap")
        shutil.rmtree(self.root, ignore_errors=True)
        command = ["debootstrap", "--variant=minbase", f"--include={','.join(WANTED)}", SUITE, str(self.root), MIRROR]
        if subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode != 0:
            sys.exit("debootstrap failed, see above")

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """What programs expect of a running system: processes, shared memory, and the X servers of the machine around it."""
        places = {"proc": ("-t", "proc", "proc"), "dev/shm": ("-t", "tmpfs", "tmpfs"), "tmp/.X11-unix": ("--bind", "/tmp/.X11-unix")}
        Path("/tmp/.X11-unix").mkdir(exist_ok=True)
        try:
            for place, source in places.items():
                (self.root / place).mkdir(parents=True, exist_ok=True)
                subprocess.run(["mount", *source, str(self.root / place)], check=True)
            yield
        finally:
            for place in reversed(places):
                subprocess.run(["umount", "--lazy", str(self.root / place)], check=False, stderr=subprocess.DEVNULL)

    def install(self, package: Path, folder: str) -> str:
        """Put a package in, a .deb where it says, an archive below `folder`; the path of its program as seen inside."""
        if package.suffix == ".deb":
            shutil.copy(package, self.root / "tmp" / package.name)
            ended = self.start(["dpkg", "-i", f"/tmp/{package.name}"], {}, user=0)
            if ended.status != 0:
                sys.exit(f"dpkg refuses {package.name}:\n{ended.text}")
            return "/usr/bin/tilescope"
        place = self.root / folder.lstrip("/")
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        subprocess.run(["tar", "-xf", str(package), "-C", str(place)], check=True)
        (program,) = place.glob("*/tilescope")
        return f"/{program.relative_to(self.root)}"

    def home(self, name: str, mode: int = 0o700) -> str:
        """A new, empty home of the student's; with mode 0o555 it is another's and cannot be written to."""
        place = self.root / "home" / name
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        if mode & 0o200:
            shutil.chown(place, STUDENT, STUDENT)
        place.chmod(mode)
        return f"/home/{name}"

    def command(self, words: list[str], user: int = STUDENT) -> list[str]:
        """The command line that starts a program inside."""
        return ["chroot", f"--userspec={user}:{user}", str(self.root), *words]

    def start(self, words: list[str], environment: Mapping[str, str], user: int = STUDENT) -> Ended:
        """Start a program inside with these variables and no others, and wait for its end."""
        try:
            done = subprocess.run(
                self.command(words, user), env=surroundings(environment), capture_output=True, timeout=PATIENCE_S, check=False
            )
        except subprocess.TimeoutExpired:
            return Ended(124, f"did not end within {PATIENCE_S} s")
        return Ended(done.returncode, (done.stdout + done.stderr).decode(errors="replace"))

    def file(self, path: str) -> Path:
        """A file of the system as it is found from outside."""
        return self.root / path.lstrip("/")


def surroundings(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables of a program: a path, and what is given."""
    return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", **environment}
