"""Functions that exist for a kernel without a body: one table, which makes the prelude's declarations and says what a call is.

The prelude is what every program sees before its first line, and what headers add to it: made from the table and the texts beside this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from kernels.base.values import dataclass
from kernels.simt.base.instructions import (
    BARRIER_NAMES,
    BIT_NAMES,
    BULK_NAMES,
    FENCE_NAMES,
    MATRIX_NAMES,
    NUMBERED_BARRIER_NAMES,
    REMOTE_NAMES,
    UPDATE_NAMES,
)


class Known(StrEnum):
    """Kind of a known function: what it does."""

    MATH = "math"
    """A value from values of the same lane."""
    CONVERT = "convert"
    """Between types, with a rounding that its name says, or bits taken as another type."""
    BITS = "bits"
    """Integer and bit tricks of one lane."""
    VECTOR = "vector"
    """make_float4 and the like: a vector from its members."""
    SHUFFLE = "shuffle"
    VOTE = "vote"
    ATOMIC = "atomic"
    BARRIER = "barrier"
    """__syncthreads and its variants, __syncwarp."""
    FENCE = "fence"
    LOAD = "load"
    """A cached load through a pointer: a load like any other."""
    STORE = "store"
    """A cached store through a pointer."""
    LANE = "lane"
    """The lane's number within its warp."""
    ADDRESS = "address"
    """Between a pointer and an address of shared memory as PTX counts it."""
    CLOCK = "clock"
    PRINT = "print"
    ASSERT = "assert"
    """__assertion(condition, text): what assert(condition) becomes."""
    TRAP = "trap"
    COPY = "copy"
    """Asynchronous copies into shared memory, their commits and waits."""
    HEAP = "heap"
    """malloc and free on the device's heap, declared by the prelude."""
    TILE = "tile"
    """A matrix operation of a whole warp (wmma)."""
    MBARRIER = "mbarrier"
    """An operation on a barrier in shared memory."""
    LAUNCH = "launch"
    """What a kernel asks about its launches: its last error, a stream for them."""
    MATRIX = "matrix"
    """An instruction of PTX of a whole warp on matrices, which lane and register hold which element being known."""


@dataclass(frozen=True, slots=True)
class Family:
    """Functions of one kind and shape. `{name}` in a declaration stands for each of `names`, `{type}` for each of `types`. A family of
    a `header` exists only where that header is included."""

    kind: Known
    declarations: str
    names: str
    types: tuple[str, ...] = ("",)
    header: str = ""

    def text(self) -> Iterator[str]:
        """The declarations, one overload a line."""
        for name in self.names.split():
            for type_ in self.types:
                for declaration in self.declarations.replace("{name}", name).replace("{type}", type_).split(";"):
                    yield f"__device__ {declaration.strip()};"


BLOCK_SCOPE = "_block"
"""How the names of atomic functions end that exclude threads of their own block only."""
SYSTEM_SCOPE = "_system"
"""How those end that exclude all that share the memory, the host too."""
INTEGERS = ("int", "unsigned", "long", "unsigned long", "long long", "unsigned long long")
WIDE = (*INTEGERS, "float", "double")
VECTORS = {
    "char": "signed char", "uchar": "unsigned char", "short": "short", "ushort": "unsigned short", "int": "int", "uint": "unsigned",
    "long": "long", "ulong": "unsigned long", "longlong": "long long", "ulonglong": "unsigned long long", "float": "float",
    "double": "double",
}  # fmt: skip
LOADED = (
    "char", "signed char", "unsigned char", "short", "unsigned short", *WIDE,
    *(f"{base}{count}" for base in VECTORS for count in (2, 4) if "long" not in base and (base, count) != ("double", 4)),
    "longlong2", "ulonglong2",
)  # fmt: skip

OF_ONE = (
    "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p sqrt cbrt floor ceil round trunc"
    " rint nearbyint erf erfc tgamma lgamma fabs"
)
OF_TWO = "pow atan2 fmod hypot fmin fmax fdim copysign remainder nextafter"
"""Names of the mathematical functions of one value and of two that a host program can call too."""
_ONE_CUDA = "rsqrt rcbrt exp10 sinpi cospi normcdf erfinv erfcinv"


def _scoped(names: str) -> str:
    """The atomic functions of a scope of their own, too: among the threads of a block, and among all that share the memory."""
    return " ".join(f"{name}{scope}" for name in names.split() for scope in ("", BLOCK_SCOPE, SYSTEM_SCOPE))


def _suffixed(names: str) -> str:
    return " ".join(f"{name}f" for name in names.split())


FAMILIES: tuple[Family, ...] = (
    Family(Known.MATH, "float {name}(float); double {name}(double)", f"{OF_ONE} {_ONE_CUDA}"),
    Family(Known.MATH, "float {name}(float)", f"{_suffixed(OF_ONE)} {_suffixed(_ONE_CUDA)}"),
    Family(Known.MATH, "float {name}(float, float); double {name}(double, double)", OF_TWO),
    Family(Known.MATH, "float {name}(float, float)", _suffixed(OF_TWO)),
    Family(Known.MATH, "float {name}(float, float, float); double {name}(double, double, double)", "fma"),
    Family(Known.MATH, "float {name}(float, float, float)", "fmaf __fmaf_rn __fmaf_rz __fmaf_ru __fmaf_rd norm3df"),
    Family(Known.MATH, "double {name}(double, double, double)", "__fma_rn norm3d"),
    Family(Known.MATH, "double {name}(double, double)", "__dadd_rn __dsub_rn __dmul_rn __ddiv_rn"),
    Family(Known.MATH, "double {name}(double)", "__dsqrt_rn"),
    Family(Known.MATH, "float {name}(float, float)", "__fadd_rn __fsub_rn __fmul_rn __fdiv_rn __fdividef fdividef __powf"),
    Family(Known.MATH, "float {name}(float)", "__sinf __cosf __tanf __expf __exp10f __logf __log2f __log10f __saturatef"),
    Family(Known.MATH, "float {name}(float)", "__fsqrt_rn __frcp_rn __frsqrt_rn"),
    Family(Known.MATH, "void {name}(float, float*, float*)", "sincosf __sincosf sincospif"),
    Family(Known.MATH, "void {name}(double, double*, double*)", "sincos sincospi"),
    Family(Known.MATH, "float {name}(float, int*); double {name}(double, int*)", "frexp"),
    Family(Known.MATH, "float {name}(float, int*)", "frexpf"),
    Family(Known.MATH, "float {name}(float, float*); double {name}(double, double*)", "modf"),
    Family(Known.MATH, "float {name}(float, float*)", "modff"),
    Family(Known.MATH, "float {name}(float); double {name}(double)", "logb"),
    Family(Known.MATH, "float {name}(float)", "logbf"),
    Family(Known.MATH, "int {name}(float); int {name}(double)", "ilogb"),
    Family(Known.MATH, "int {name}(float)", "ilogbf"),
    Family(Known.MATH, "float {name}(float, int); double {name}(double, int)", "ldexp scalbn"),
    Family(Known.MATH, "float {name}(float, int)", "ldexpf scalbnf"),
    Family(Known.MATH, "{type} {name}({type}, {type})", "min max", WIDE),
    Family(Known.MATH, "unsigned {name}(int, unsigned); unsigned {name}(unsigned, int)", "min max"),
    Family(Known.MATH, "unsigned long {name}(long, unsigned long); unsigned long {name}(unsigned long, long)", "min max"),
    Family(
        Known.MATH, "unsigned long long {name}(long long, unsigned long long); unsigned long long {name}(unsigned long long, long long)",
        "min max",
    ),
    Family(Known.MATH, "double {name}(float, double); double {name}(double, float)", "min max"),
    Family(Known.MATH, "{type} {name}({type})", "abs", ("int", "long", "long long", "float", "double")),
    Family(Known.MATH, "long {name}(long)", "labs"),
    Family(Known.MATH, "long long {name}(long long)", "llabs"),
    Family(Known.MATH, "bool {name}(float); bool {name}(double)", "isnan isinf isfinite signbit"),
    Family(Known.CONVERT, "int {name}(float)", "__float2int_rn __float2int_rz __float2int_ru __float2int_rd __float_as_int"),
    Family(Known.CONVERT, "unsigned {name}(float)", "__float2uint_rn __float2uint_rz __float2uint_ru __float2uint_rd __float_as_uint"),
    Family(Known.CONVERT, "long long {name}(float)", "__float2ll_rn __float2ll_rz __float2ll_ru __float2ll_rd"),
    Family(Known.CONVERT, "float {name}(int)", "__int2float_rn __int2float_rz __int2float_ru __int2float_rd __int_as_float"),
    Family(Known.CONVERT, "float {name}(unsigned)", "__uint2float_rn __uint2float_rz __uint_as_float"),
    Family(Known.CONVERT, "float {name}(long long)", "__ll2float_rn"),
    Family(Known.CONVERT, "float {name}(double)", "__double2float_rn __double2float_rz __double2float_ru __double2float_rd"),
    Family(Known.CONVERT, "int {name}(double)", "__double2int_rn __double2int_rz __double2int_ru __double2int_rd"),
    Family(Known.CONVERT, "int {name}(double)", "__double2hiint __double2loint"),
    Family(Known.CONVERT, "double {name}(int)", "__int2double_rn"),
    Family(Known.CONVERT, "double {name}(int, int)", "__hiloint2double"),
    Family(Known.CONVERT, "double {name}(long long)", "__ll2double_rn __longlong_as_double"),
    Family(Known.CONVERT, "long long {name}(double)", "__double_as_longlong __double2ll_rn __double2ll_rz"),
    Family(Known.CONVERT, "long {name}(float); long {name}(double)", "lrint lround"),
    Family(Known.CONVERT, "long {name}(float)", "lrintf lroundf"),
    Family(Known.BITS, "int {name}(unsigned)", "__popc"),
    Family(Known.BITS, "int {name}(unsigned long long)", "__popcll"),
    Family(Known.BITS, "int {name}(int)", "__clz __ffs"),
    Family(Known.BITS, "int {name}(long long)", "__clzll __ffsll"),
    Family(Known.BITS, "unsigned {name}(unsigned)", "__brev"),
    Family(Known.BITS, "unsigned long long {name}(unsigned long long)", "__brevll"),
    Family(Known.BITS, "int {name}(int, int)", "__mul24 __mulhi __hadd __rhadd"),
    Family(Known.BITS, "unsigned {name}(unsigned, unsigned)", "__umul24 __umulhi __uhadd __urhadd"),
    Family(Known.BITS, "long long {name}(long long, long long)", "__mul64hi"),
    Family(Known.BITS, "unsigned long long {name}(unsigned long long, unsigned long long)", "__umul64hi"),
    Family(Known.BITS, "unsigned {name}(int, int, unsigned)", "__sad"),
    Family(Known.BITS, "unsigned {name}(unsigned, unsigned, unsigned)", "__usad __byte_perm __funnelshift_l __funnelshift_r"),
    Family(Known.BITS, "int {name}(int, int, int)", "__dp4a"),
    *(
        Family(Known.VECTOR, f"{base}{count} {{name}}({', '.join([scalar] * count)})", f"make_{base}{count}")
        for base, scalar in VECTORS.items()
        for count in (1, 2, 3, 4)
    ),
    Family(Known.SHUFFLE, "{type} {name}(unsigned, {type}, int, int = 32)", "__shfl_sync __shfl_xor_sync", WIDE),
    Family(Known.SHUFFLE, "{type} {name}(unsigned, {type}, unsigned, int = 32)", "__shfl_up_sync __shfl_down_sync", WIDE),
    Family(Known.VOTE, "int {name}(unsigned, int)", "__any_sync __all_sync __uni_sync"),
    Family(Known.VOTE, "unsigned {name}(unsigned, int)", "__ballot_sync"),
    Family(Known.VOTE, "unsigned {name}()", "__activemask"),
    Family(Known.VOTE, "unsigned {name}(unsigned, {type})", "__match_any_sync", WIDE),
    Family(Known.VOTE, "unsigned {name}(unsigned, {type}, int*)", "__match_all_sync", WIDE),
    Family(Known.VOTE, "{type} {name}(unsigned, {type})", "__reduce_add_sync __reduce_min_sync __reduce_max_sync", ("int", "unsigned")),
    Family(Known.VOTE, "unsigned {name}(unsigned, unsigned)", "__reduce_and_sync __reduce_or_sync __reduce_xor_sync"),
    Family(
        Known.ATOMIC, "{type} {name}({type}*, {type})", _scoped("atomicAdd"),
        ("int", "unsigned", "unsigned long long", "float", "double"),
    ),
    Family(Known.ATOMIC, "{type} {name}({type}*, {type})", _scoped("atomicSub"), ("int", "unsigned")),
    Family(Known.ATOMIC, "{type} {name}({type}*, {type})", _scoped("atomicExch"), ("int", "unsigned", "unsigned long long", "float")),
    Family(
        Known.ATOMIC, "{type} {name}({type}*, {type})", _scoped("atomicMin atomicMax"),
        ("int", "unsigned", "long long", "unsigned long long"),
    ),
    Family(
        Known.ATOMIC, "{type} {name}({type}*, {type})", _scoped("atomicAnd atomicOr atomicXor"),
        ("int", "unsigned", "unsigned long long"),
    ),
    Family(Known.ATOMIC, "unsigned {name}(unsigned*, unsigned)", _scoped("atomicInc atomicDec")),
    Family(Known.ATOMIC, "{type} {name}({type}*, {type}, {type})", _scoped("atomicCAS"), ("int", "unsigned", "unsigned long long")),
    Family(Known.BARRIER, "void {name}()", "__syncthreads __tilescope_grid_sync"),
    Family(Known.BARRIER, "int {name}(int)", "__syncthreads_count __syncthreads_and __syncthreads_or"),
    Family(Known.BARRIER, "void {name}(unsigned = 0xffffffffu)", "__syncwarp"),
    Family(Known.FENCE, "void {name}()", "__threadfence __threadfence_block __threadfence_system"),
    Family(Known.FENCE, "void {name}()", "__tilescope_relaxed __tilescope_release __tilescope_acquire"),
    Family(Known.FENCE, "void {name}()", "__tilescope_release_block __tilescope_acquire_block"),
    Family(Known.LOAD, "{type} {name}(const {type}*)", "__ldg __ldca __ldcg __ldcs __ldlu __ldcv", LOADED),
    Family(Known.STORE, "void {name}({type}*, {type})", "__stwb __stcg __stcs __stwt", LOADED),
    Family(Known.LANE, "unsigned {name}()", "__tilescope_lane"),
    Family(Known.ADDRESS, "size_t {name}(const void*)", "__cvta_generic_to_shared"),
    Family(Known.ADDRESS, "void* {name}(size_t)", "__cvta_shared_to_generic"),
    Family(Known.CLOCK, "int {name}()", "clock"),
    Family(Known.CLOCK, "long long {name}()", "clock64"),
    Family(Known.CLOCK, "void {name}(unsigned)", "__nanosleep"),
    Family(Known.PRINT, "__attribute__((format(printf, 1, 2))) int {name}(const char*, ...)", "printf"),
    Family(Known.ASSERT, "void {name}(bool, const char*)", "__assertion"),
    Family(Known.TRAP, "void {name}()", "__trap __brkpt __tilescope_no_function __tilescope_stack_overflow"),
    Family(Known.COPY, "void {name}(void*, const void*, size_t, size_t = 0)", "__pipeline_memcpy_async"),
    Family(Known.COPY, "void {name}()", "__pipeline_commit"),
    Family(Known.COPY, "void {name}(unsigned)", "__pipeline_wait_prior"),
    Family(Known.MATH, "half {name}(half, half, half)", "__hfma", header="cuda_fp16.h"),
    Family(Known.SHUFFLE, "half {name}(unsigned, half, int, int = 32)", "__shfl_sync __shfl_xor_sync", header="cuda_fp16.h"),
    Family(Known.SHUFFLE, "half {name}(unsigned, half, unsigned, int = 32)", "__shfl_up_sync __shfl_down_sync", header="cuda_fp16.h"),
    Family(Known.CONVERT, "unsigned short {name}(half)", "__half_as_ushort", header="cuda_fp16.h"),
    Family(Known.CONVERT, "half {name}(unsigned short)", "__ushort_as_half", header="cuda_fp16.h"),
    Family(Known.ATOMIC, "half {name}(half*, half)", "atomicAdd", header="cuda_fp16.h"),
)  # fmt: skip

LAUNCH_NAMES = "__tilescope_last_error __tilescope_fail __tilescope_stream __tilescope_event __tilescope_record __tilescope_wait"
"""Declared by the prelude's part of the CUDA runtime."""
TILES = "fill_fragment load_matrix_sync store_matrix_sync mma_sync"
"""Declared as templates by the prelude's mma.h."""

KNOWN: Mapping[str, Known] = MappingProxyType(
    {name: family.kind for family in FAMILIES for name in family.names.split()}
    | dict.fromkeys(TILES.split(), Known.TILE)
    | dict.fromkeys(MATRIX_NAMES, Known.MATRIX)
    | dict.fromkeys(BIT_NAMES, Known.BITS)
    | dict.fromkeys(FENCE_NAMES, Known.FENCE)
    | dict.fromkeys((*BARRIER_NAMES, *NUMBERED_BARRIER_NAMES), Known.MBARRIER)
    | dict.fromkeys((*BULK_NAMES, *REMOTE_NAMES), Known.COPY)
    | dict.fromkeys(_scoped(" ".join(UPDATE_NAMES)).split(), Known.ATOMIC)
    | dict.fromkeys(("__tilescope_dynamic_smem_size", "__tilescope_total_smem_size"), Known.BITS)
    | {"__tilescope_xorwow_skip": Known.BITS, "malloc": Known.HEAP, "free": Known.HEAP}
    | dict.fromkeys(LAUNCH_NAMES.split(), Known.LAUNCH)
)
"""What each known name is. A name that the program itself defines is the program's."""


def declarations(header: str = "") -> str:
    """The text that declares the known functions of `header`, or of the part that every program sees."""
    return "\n".join(line for family in FAMILIES if family.header == header for line in family.text())


FOLDER = "/tilescope-prelude"
"""A folder that exists only in memory: what stands in it is not the program's."""
PRELUDE = f"{FOLDER}/prelude.cuh"
DEFINES = f"{FOLDER}/defines.cuh"
_SIZES = {"char": 1, "short": 2, "int": 4, "float": 4, "long": 8, "double": 8}


def _part(name: str) -> str:
    return files("kernels.simt.frontend").joinpath("prelude", f"{name}.cuh").read_text(encoding="utf-8")


def vector_types() -> str:
    """char1 to double4, aligned as CUDA aligns them: whole vectors of up to 16 bytes, those of three members like one member."""
    lines = []
    for base, scalar in VECTORS.items():
        size = _SIZES[scalar.split()[-1]] if scalar != "unsigned" else 4
        for count in (1, 2, 3, 4):
            align = size if count == 3 else min(16, size * count)
            members = ", ".join("xyzw"[:count])
            lines.append(f"struct __attribute__((aligned({align}))) {base}{count} {{ {scalar} {members}; }};")
    return "\n".join(lines)


HEADERS = frozenset({
    "cooperative_groups.h", "cooperative_groups/reduce.h", "cooperative_groups/memcpy_async.h", "cuda_fp16.h", "cuda_fp16.hpp",
    "cuda_bf16.h", "cuda_bf16.hpp", "mma.h", "curand_kernel.h", "cuda/atomic", "cuda/std/atomic", "cuda/barrier",
    "cuda/std/barrier", "cuda/pipeline", "cuComplex.h",
})  # fmt: skip
"""The headers that add names: a program that includes one of them gets those of all."""


@cache
def prelude(*, extended: bool) -> str:
    """The text that stands before every program; `extended` with what `HEADERS` add."""
    core = (_part("core"), vector_types(), declarations(), _part("variables"), _part("device_runtime"), _part("textures"))
    half = (_part("half"), declarations("cuda_fp16.h"), _part("half_after"))
    more = (
        _part("cooperative_groups"),
        _part("pipeline"),
        *half,
        _part("bfloat16"),
        _part("mma"),
        _part("curand"),
        _part("cu_complex"),
        _part("atomics"),
        _part("barrier"),
    )
    return "\n".join(("#pragma once", *core, *(more if extended else ())))
