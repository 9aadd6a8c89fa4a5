"""Makes the packages of an edition. Run by `dev.py package`, in an environment of what the edition has in it."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Iterable
from pathlib import Path

from bundle import archive, build, deb, elsewhere, finishing
from bundle.checking import Broken
from bundle.edition import EDITIONS, PROGRAM, ROOT, Edition, program_version
from bundle.holes import UnknownLayout
from bundle.licences import NoLicence

FORMATS = {"linux": ("tar", "deb"), "win32": ("installer",), "darwin": ("image",)}.get(sys.platform, ())
"""What is made of the folder here."""
AIM = (2, 35)
"""The oldest glibc that the packages are meant for: Ubuntu 22.04's."""
MIB = 1 << 20


def main(arguments: list[str]) -> int:
    """Make the bundle of one edition and its packages."""
    parser = argparse.ArgumentParser(prog="dev.py package", description=__doc__)
    parser.add_argument("--edition", choices=EDITIONS, default="cpu")
    parser.add_argument("--format", choices=("folder", *FORMATS), action="append", help="may be given several times; without it, all")
    parser.add_argument("--quick", action="store_const", const=0, default=6, dest="effort", help="larger files, in a tenth of the time")
    chosen = parser.parse_args(arguments)
    edition = EDITIONS[chosen.edition]
    try:
        wants = build.make(edition)
    except (Broken, NoLicence, UnknownLayout) as reason:
        sys.exit(str(reason))
    _tell(edition)
    if wants.glibc > AIM:
        print(f"This is newer than {AIM[0]}.{AIM[1]}, because of: {', '.join(wants.by)}")
    if changed := finishing.uncommitted():
        print(f"No clean checkout makes the same, because these are not committed: {', '.join(changed)}")
    for package in _write(edition, chosen.format or FORMATS, chosen.effort):
        print(f"{package.stat().st_size / MIB:8.1f} MiB  {package.relative_to(ROOT)}", flush=True)
    return 0


def _write(edition: Edition, formats: Iterable[str], effort: int) -> list[Path]:
    version, date = program_version(), finishing.source_date()
    targets = {each: ROOT / "dist" / file_name(edition, each, version) for each in formats if each != "folder"}
    for made, target in targets.items():
        match made:
            case "tar":
                archive.write_archive(edition.folder, target, target.name.removesuffix(".tar.xz"), date, effort)
            case "deb":
                deb.write_package(edition, target, version, date, effort)
            case "installer":
                elsewhere.write_installer(edition, target, version)
            case "image":
                elsewhere.write_image(edition, target)
    return list(targets.values())


def file_name(edition: Edition, made: str, version: str) -> str:
    """What a package is called."""
    machine = platform.machine().lower().replace("amd64", "x86_64")
    return {
        "tar": f"{PROGRAM}-{version}-{edition.name}-linux-{machine}.tar.xz",
        "deb": f"{edition.package}_{version}_amd64.deb",
        "installer": f"{PROGRAM}-{version}-{edition.name}-windows-{machine}.exe",
        "image": f"{PROGRAM}-{version}-{edition.name}-macos-{machine}.dmg",
    }[made]


def _tell(edition: Edition) -> None:
    report = json.loads(edition.report.read_text(encoding="utf-8"))
    print(f"{edition.folder.relative_to(ROOT)}: {report['bytes'] / MIB:.0f} MiB, needs glibc {report['glibc']} and from the system")
    print(f"  {' '.join(report['system libraries'])}")
    for title in ("cut", "remains"):
        print(f"{title}, MiB")
        for name, size in sorted(report[title].items(), key=lambda item: -item[1]):
            print(f"{size / MIB:8.1f}  {name}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
