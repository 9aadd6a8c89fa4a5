"""From a checkout to a bundle that has been checked: collected, stripped, compiled, with its licences, and tried out."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from bundle import checking, finishing, icons, icu, licences, unused_code
from bundle.edition import CONTENTS, LICENCES, ROOT, Edition, program_version

SPECIFICATION = Path(__file__).resolve().parent / "tilescope.spec"


def make(edition: Edition) -> checking.Wants:
    """Make the folder of an edition anew; raises `Broken` or `NoLicence` where something is not as it must be."""
    shutil.rmtree(edition.work, ignore_errors=True)  # nothing of an earlier build gets into this one
    edition.work.mkdir(parents=True)
    on_linux = sys.platform.startswith("linux")
    if not on_linux:
        icons.write_icons()
    _collect(edition)
    folder, date = edition.folder, finishing.source_date()
    wants = checking.inspect(folder) if on_linux else checking.Wants((), (), frozenset())
    finished = _finish(folder) if on_linux else {}
    finishing.lay_out_signatures(folder / CONTENTS)
    finishing.compile_modules(folder / CONTENTS)
    (folder / LICENCES).write_text(licences.notices(edition, _of_system(edition)), encoding="utf-8")
    if on_linux:
        checking.inspect(folder)  # again: what was taken out must not have broken a file
    checking.try_out(folder)
    finishing.make_alike(folder, date)
    cut = json.loads((edition.work / "cut.json").read_text(encoding="utf-8")) | finished
    _report(edition, wants, cut)
    return wants


def _finish(folder: Path) -> dict[str, int]:
    """Make the files of Linux smaller that can be; bytes by what was taken out."""
    data = sum(icu.trim(path) for path in sorted(folder.rglob(icu.LIBRARY)) if not path.is_symlink())
    code = unused_code.trim(folder)
    return {**code, "symbols for debuggers": finishing.strip(folder), "data of ICU that Qt does not ask for": data}


def _collect(edition: Edition) -> None:
    """Run PyInstaller; what it says is kept and judged."""
    options = ["--noconfirm", "--log-level=INFO", f"--workpath={edition.work}", f"--distpath={edition.folder.parent}"]
    command = [sys.executable, "-m", "PyInstaller", *options, str(SPECIFICATION), "--", edition.name]
    environment = {**os.environ, "PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": str(finishing.source_date())}
    finished = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    (edition.work / "pyinstaller.log").write_text(finished.stderr + finished.stdout, encoding="utf-8")
    if finished.returncode != 0:
        raise checking.Broken(finished.stderr[-4000:])
    checking.refuse_warnings(finished.stderr)


def _of_system(edition: Edition) -> Iterator[Path]:
    """The files of the build's own system that were bundled."""
    listed = json.loads((edition.work / "from_system.json").read_text(encoding="utf-8"))
    return (Path(path) for path in listed)


def _report(edition: Edition, wants: checking.Wants, cut: dict[str, int]) -> None:
    remains = _sizes(edition.folder)
    report = {
        "version": program_version(),
        "edition": edition.name,
        "glibc": ".".join(map(str, wants.glibc)),
        "wanted by": wants.by,
        "system libraries": sorted(wants.libraries),
        "bytes": finishing.size_of(edition.folder),
        "cut": cut,
        "remains": remains,
    }
    edition.report.write_text(json.dumps(report, indent=1), encoding="utf-8")


def _sizes(folder: Path) -> dict[str, int]:
    """Bytes of each part of the bundle, the largest first; single files of little size together."""
    sizes = {"the program and Python's modules": sum(path.stat().st_size for path in folder.iterdir() if path.is_file())}
    for path in sorted((folder / CONTENTS).iterdir()):
        if not path.is_symlink():
            size = finishing.size_of(path) if path.is_dir() else path.stat().st_size
            name = path.name if size > 1_000_000 else "small parts"
            sizes[name] = sizes.get(name, 0) + size
    return dict(sorted(sizes.items(), key=lambda item: -item[1]))
