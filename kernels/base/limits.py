"""Limits of devices and kernels: what cannot work, and why; each refusal is a `Message`, shown word for word."""

from __future__ import annotations

from kernels.base.architectures import OPT_IN_SHARED_BYTES, SHARED_BYTES, THREADS_PER_BLOCK
from kernels.base.messages import Message, message
from kernels.base.spec import FLOAT32_BYTES, Device, Output, Parameter, Parameters, Problem, Variant
from kernels.base.values import dataclass

GIB = 1 << 30


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a device. The defaults hold for every CUDA GPU; `memory_bytes` None means that it is not known."""

    threads_per_block: int = THREADS_PER_BLOCK
    shared_bytes_per_block: int = SHARED_BYTES
    opt_in_shared_bytes_per_block: int = OPT_IN_SHARED_BYTES
    """What a kernel gets that asks for dynamic shared memory and opts in; the default is the most that any GPU gives."""
    blocks_along_y: int = 65535
    memory_bytes: int | None = None
    compute_capability: int | None = None
    """90 for 9.0; None where no GPU is known."""
    no_matrix_registers: Message | None = None
    """Why a processor's matrix registers cannot be used; None where they can, or nothing is known of the processor."""


def refuse_parameters(variant: Variant, parameters: Parameters) -> Message | None:
    """The reason why a parameter value is out of its range or unknown, or does not go with the others, or None."""
    known = {parameter.name: parameter for parameter in variant.parameters}
    for name in parameters:
        if name not in known:
            return message("{variant} has no parameter {name}.", variant=variant.id, name=name)
    for parameter in variant.parameters:
        value = parameters[parameter.name]
        if parameter.names and not 0 <= value < len(parameter.names):
            return refuse_name(parameter.name, str(value), parameter)
        if value < parameter.minimum:
            return message("{name} must be at least {minimum}, not {value}.", name=parameter.name, minimum=parameter.minimum, value=value)
        if value > parameter.maximum:
            return message("{name} must be at most {maximum}, not {value}.", name=parameter.name, maximum=parameter.maximum, value=value)
    return None if variant.constraint is None else variant.constraint(parameters)


def refuse_name(called: str | Message, text: str, parameter: Parameter) -> Message:
    """Why `text` is no value of a parameter whose values have names; `called` is what the reader knows the parameter as."""
    return message("{name}: '{text}' is not one of {choices}.", name=called, text=text, choices=", ".join(parameter.names))


def refuse_matrices(variant: Variant, problem: Problem) -> Message | None:
    """The reason why the variant does not work on matrices of this shape, or None."""
    if variant.output is not Output.IN_PLACE or problem.m == problem.n:
        return None
    return message(
        "In place only square matrices are transposed: in {m} × {n} the elements do not change places by two.", m=problem.m, n=problem.n
    )  # fmt: skip


def refuse_execution(variant: Variant) -> Message | None:
    """The reason why the variant cannot be executed without a GPU, as CUDA kernels are, or None."""
    if variant.launch is None:
        return message("{variant} is not a CUDA kernel: there is nothing to execute in its place.", variant=variant.id)
    return variant.measured_only


def refuse_capability(variant: Variant, limits: Limits) -> Message | None:
    """The reason why this processor or GPU does not have what the kernel uses, or None."""
    if variant.needs.matrix_registers and limits.no_matrix_registers is not None:
        return limits.no_matrix_registers
    found, needed = limits.compute_capability, variant.needs.capability
    if found is None or (found == needed if variant.needs.alone else found >= needed):
        return None
    if variant.needs.alone:
        return message(
            "{variant} uses what compute capability {needed} alone has; this GPU has {found}.",
            variant=variant.id, needed=str(needed / 10), found=str(found / 10),
        )  # fmt: skip
    return message(
        "{variant} needs compute capability {needed} or higher; this GPU has {found}.",
        variant=variant.id, needed=str(needed / 10), found=str(found / 10),
    )  # fmt: skip


def refuse_variant_launch(variant: Variant, problem: Problem, parameters: Parameters, limits: Limits) -> Message | None:
    """The reason why the device cannot launch this, or None."""
    if variant.launch is None:
        return None
    launch = variant.launch(problem, parameters)
    x, y = launch.block
    if x * y > limits.threads_per_block:
        return message(
            "{x} × {y} = {threads} threads a block; this GPU allows {limit}.",
            x=x, y=y, threads=x * y, limit=limits.threads_per_block,
        )  # fmt: skip
    allowed = limits.opt_in_shared_bytes_per_block if launch.dynamic_shared_bytes else limits.shared_bytes_per_block
    if launch.shared_bytes > allowed:
        return message("{bytes} bytes of shared memory a block; this GPU allows {limit}.", bytes=launch.shared_bytes, limit=allowed)
    if launch.grid[1] > limits.blocks_along_y:
        return message(
            "{blocks} rows of blocks; this GPU allows {limit}. A larger tile needs fewer.",
            blocks=launch.grid[1], limit=limits.blocks_along_y,
        )  # fmt: skip
    return None


def refuse_size(problem: Problem, limits: Limits, more_bytes: int = 0) -> Message | None:
    """The reason why the problem's size, with `more_bytes` beside its matrices, cannot be run in the device's free memory, or None."""
    sizes = (("m", problem.m), ("n", problem.n), ("k", problem.k)) if problem.shapes else ()
    for name, value in sizes:
        if value < 0 or (value == 0 and name != "k"):
            return message("{name} must be at least {minimum}, not {value}.", name=name, minimum=1, value=value)
    if limits.memory_bytes is not None and problem.bytes + more_bytes > limits.memory_bytes:
        return message(
            "{m} × {n} needs {needed} GiB; {free} GiB are free.",
            m=problem.m, n=problem.n, needed=round((problem.bytes + more_bytes) / GIB, 1), free=round(limits.memory_bytes / GIB, 1),
        )  # fmt: skip
    return None


def refuse(variant: Variant, problem: Problem, parameters: Parameters, limits: Limits) -> Message | None:
    """The first reason why this cannot run, or None: parameters, shape, what the device has, launch, size."""
    return (
        refuse_parameters(variant, parameters)
        or refuse_matrices(variant, problem)
        or refuse_capability(variant, limits)
        or (refuse_variant_launch(variant, problem, parameters, limits) if variant.device is Device.GPU else None)
        or refuse_size(problem, limits, prepared_bytes(variant, problem, parameters))
    )


def prepared_bytes(variant: Variant, problem: Problem, parameters: Parameters) -> int:
    """What a variant needs on the GPU beside the matrices of the problem."""
    return FLOAT32_BYTES * sum(rows * columns for rows, columns in variant.beside(problem, parameters).values())
