"""From a kernel's text to what the compiler made of it."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from kernels.base.messages import Message, message
from kernels.compiled.kernel import CompiledKernel, CompileSettings
from kernels.compiled.listing import parse_listing, parse_usage
from kernels.nvrtc.bindings import CompilerRefused, MachineCode, Nvrtc
from kernels.nvrtc.headers import FIRST, KNOWN_HEADERS, OPTIONS, compiled_anew, header_folders, included, stand_in_headers
from kernels.nvrtc.tools import Tools

NAME = "kernel.cu"
"""What the compiler calls the text, in its listing and in its errors."""
DISASSEMBLY_SECONDS = 30


def compile_kernel(source: str, build: CompileSettings, tools: Tools) -> CompiledKernel | Message:
    """Compile and disassemble, or say why that does not work. The compiler runs in this process and cannot be interrupted."""
    try:
        nvrtc = Nvrtc(tools.nvrtc)
        if build.capability not in nvrtc.capabilities():
            return _unknown_capability(build.capability, nvrtc.capabilities())
        folders = _folders(source, build, nvrtc)
        code = nvrtc.compile(source, NAME, build.entry, _options(build, folders, nvrtc.version()), stand_in_headers(source, folders))
        instructions = parse_listing(_disassemble(code, tools.nvdisasm), NAME)[code.symbol]
        return CompiledKernel(build.capability, nvrtc.version(), parse_usage(code.log)[code.symbol], instructions)
    except CompilerRefused as refused:
        return message("The CUDA compiler refuses this source: {text}", text=str(refused))
    except (OSError, KeyError, subprocess.SubprocessError) as error:
        return message("The CUDA compiler's tools do not work here: {error}", error=str(error))


def _options(build: CompileSettings, folders: Sequence[Path], version: tuple[int, int]) -> tuple[str, ...]:
    architecture = f"--gpu-architecture=sm_{build.capability}{'a' if build.specific else ''}"
    options = [architecture, *OPTIONS, "--ptxas-options=-v", "-lineinfo", f"--pre-include={FIRST}", *compiled_anew(version)]
    options += [f"-D{name}={value}" for name, value in sorted(build.defines.items())]
    if not build.contract:
        options.append("--fmad=false")
    return (*options, *(f"--include-path={folder}" for folder in folders))


def _folders(source: str, build: CompileSettings, nvrtc: Nvrtc) -> tuple[Path, ...]:
    """Where included files are looked for. CUDA's own headers are unpacked where they are wanted, else they are those installed."""
    beside = () if build.beside is None else (build.beside,)
    if all(name in KNOWN_HEADERS for name in included(source)):
        return beside
    if build.headers is not None and nvrtc.install_headers(build.headers):
        return (*beside, build.headers, build.headers / "cccl")
    installed = header_folders()
    return beside if isinstance(installed, Message) else (*beside, *installed)


def _disassemble(code: MachineCode, nvdisasm: Path) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kernel.cubin"
        file.write_bytes(code.cubin)
        command = [str(nvdisasm), "--print-code", "--print-line-info-inline", "--print-instruction-encoding", str(file)]
        finished = subprocess.run(command, capture_output=True, timeout=DISASSEMBLY_SECONDS, check=True)
    return finished.stdout.decode(errors="replace")


def _unknown_capability(capability: int, known: tuple[int, ...]) -> Message:
    names = ", ".join(f"{number // 10}.{number % 10}" for number in known)
    return message(
        "This release of the CUDA compiler does not compile for compute capability {capability}; it knows {known}.",
        capability=f"{capability // 10}.{capability % 10}", known=names,
    )  # fmt: skip
