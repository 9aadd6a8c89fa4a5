"""Makes the packages of an edition. Run by `dev.py package`, in an environment of what the edition has in it."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from bundle import archive, build, deb, finishing
from bundle.checking import Broken
from bundle.edition import EDITIONS, PROGRAM, ROOT, Edition, program_version
from bundle.licences import NoLicence

FORMATS = ("folder", "tar", "deb")
AIM = (2, 35)
"""The oldest glibc that the packages are meant for: Ubuntu 22.04's."""
MIB = 1 << 20


def main(arguments: list[str]) -> int:
    """Make the bundle of one edition and its packages."""
    parser = argparse.ArgumentParser(prog="dev.py package", description=__doc__)
    parser.add_argument("--edition", choices=EDITIONS, default="cpu")
    parser.add_argument("--format", choices=FORMATS, action="append", help="may be given several times; without it, all")
    chosen = parser.parse_args(arguments)
    edition = EDITIONS[chosen.edition]
    try:
        wants = build.make(edition)
    except (Broken, NoLicence) as reason:
        sys.exit(str(reason))
    _tell(edition)
    if wants.glibc > AIM:
        print(f"This is newer than {AIM[0]}.{AIM[1]}, because of: {', '.join(wants.by)}")
    for package in _write(edition, chosen.format or FORMATS):
        print(f"{package.stat().st_size / MIB:8.1f} MiB  {package.relative_to(ROOT)}", flush=True)
    return 0


def _write(edition: Edition, formats: list[str] | tuple[str, ...]) -> list[Path]:
    version, date = program_version(), finishing.source_date()
    made = []
    if "tar" in formats:
        name = f"{PROGRAM}-{version}-{edition.name}-linux-x86_64"
        made.append(ROOT / "dist" / f"{name}.tar.xz")
        archive.write_archive(edition.folder, made[-1], name, date)
    if "deb" in formats:
        made.append(ROOT / "dist" / f"{edition.package}_{version}_amd64.deb")
        deb.write_package(edition, made[-1], version, date)
    return made


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
