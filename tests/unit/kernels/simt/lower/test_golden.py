"""What small kernels are lowered to, construct by construct, as text (tests.launches.ir_text)."""

from __future__ import annotations

import pytest

from tests.launches.lowered import body, lines

GROUPS = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;"
VECTOR = "#define FLOAT4(x) (*reinterpret_cast<float4*>(&(x)))"
POINT = """struct P {
    float x = 1.5f; int b[2];
    __device__ P() {}
    __device__ P(float v) : x(v), b{1, 2} {}
    __device__ float at(int i) const { return x * b[i]; }
    __device__ P operator+(const P& o) const { return P(x + o.x); }
    __device__ P& operator+=(float v) { x += v; return *this; }
};"""

STATEMENTS = {
    "conversions": ("short s = n; s += 3; s = -s; a[0] = s / 2;",
                    "i16 s = i16(n);\ns += 3;\ns = i16(-i32(s));\n*a = f32(i32(s) / 2);"),
    "unsigned arithmetic": ("unsigned u = n; u -= 1; u = u * 2 % 5; n = u >> 1; bool b = n; b = !b;",
                            "u32 u = u32(n);\nu -= 1:u32;\nu = (u * 2:u32) % 5:u32;\nn = i32(u >> 1);\nbool b = bool(n);\nb = !b;"),
    "compound assignment computes in the wider type": ("n += 2.5; n <<= 3L; a[0] += n;", "n += 2.5:f64;\nn <<= 3;\n*a += f32(n);"),
    "constants fold as C computes": ("n = -7 / 2 + -7 % 2; n = 1 << 31 >> 31; unsigned u = 1 - 2u; n = sizeof(float4) + 'a';",
                                     "n = -4;\nn = -1;\nu32 u = 4294967295:u32;\nn = 113;"),
    "literals": ("double d = 1e3; long long l = 1LL << 40; float f = 0.1f; n = true + 'x';",
                 "f64 d = 1000.0:f64;\ni64 l = 1099511627776:i64;\nf32 f = 0.10000000149011612:f32;\nn = 121;"),
    "if and prunes": ("if (n > 3) a[0] = 1; else if (sizeof(n) == 4) a[1] = 2; else a[2] = 3;",
                      "if n > 3 {\n  *a = 1.0:f32;\n}\nelse {\n  block {\n    *(a +> 1) = 2.0:f32;\n  }\n}"),
    "for": ("for (int i = 0, j = 9; i < j; i++, --j) a[i] = a[j];",
            "loop [i32 i = 0; i32 j = 9;] i < j [i += 1; j += -1;] {\n  *(a +> i) = *(a +> j);\n}"),
    "for without parts": ("for (;;) { if (n) break; else continue; }",
                          "loop [] true [] {\n  if bool(n) {\n    break;\n  }\n  else {\n    continue;\n  }\n}"),
    "for with a condition only": ("for (; n < 3;) n++;", "loop [] n < 3 [] {\n  n += 1;\n}"),
    "while and do": ("while (n) n--; do n++; while (n < 3);", "loop [] bool(n) [] {\n  n += -1;\n}\nuntil [] n < 3 [] {\n  n += 1;\n}"),
    "while with a variable": ("while (int w = n) n = w - 1;",
                              "loop [] true [] {\n  i32 w = n;\n  if !bool(w) {\n    break;\n  }\n  n = w - 1;\n}"),
    "unroll": ("#pragma unroll\nfor (int i = 0; i < 4; ++i) a[i] = 0;\n#pragma unroll 2\nwhile (n) n--;",
               "loop [i32 i = 0;] i < 4 [i += 1;] {\n  *(a +> i) = 0.0:f32;\n}\nloop [] bool(n) [] {\n  n += -1;\n}"),
    "switch": ("switch (n) { case 1: case 2: n = 3; break; case 4: n = 5; default: ; }",
               "switch n {\n1, 2:\n  n = 3;\n  break;\n4:\n  n = 5;\ndefault:\n  block {\n  }\n}"),
    "short circuit and select": ("a[0] = n > 3 && a[1] > 0 || !n ? a[2] : 1;",
                                 "*a = (((n > 3) && (*(a +> 1) > 0.0:f32)) || (!bool(n))) ? *(a +> 2) : 1.0:f32;"),
    "operators for their effects": ("n > 0 && (a[0] = 1); n ? a[1] = 2 : a[2] = 3; n++, n--; (void)n; a[n];",
                                    "if n > 0 {\n  *a = 1.0:f32;\n}\nif bool(n) {\n  *(a +> 1) = 2.0:f32;\n}\n"
                                    "else {\n  *(a +> 2) = 3.0:f32;\n}\nn += 1;\nn += -1;"),
    "comma, assignment and increment as values": ("n = (n++, n + 1); int m = n = 3; a[n++] = --m; a[0] = a[1] += 2;",
                                                  "n = inlined i32 { n += 1; return n + 1; };\ni32 m = n := 3;\n"
                                                  "block {\n  f32 value = f32(--m);\n  f32* pointer = a +> (n++);\n  *pointer = value;\n}\n"
                                                  "*a = inlined f32 { f32* pointer = a +> 1; return *pointer := *pointer + 2.0:f32; };"),
    "local arrays": ("float m[2][2] = {1, 2, 3}; int e[] = {1, n}; float z[4] = {}; char s[4] = \"a\\n\"; m[n][0] = z[1];",
                     "f32[2][2] m = f32[2][2]{f32[2]{1.0:f32, 2.0:f32}, f32[2]{3.0:f32}};\ni32[2] e = i32[2]{1, n};\nf32[4] z = f32[4]{};\n"
                     "i8[4] s = i8[4]{97:i8, 10:i8};\nm[n][0] = z[1];"),
    "pointers": ("float* p = a + n; p++; p -= 2; *p = p[1]; n = p - a; if (p < a || !p) p = nullptr; p = &a[3]; p = 0; void* v = p;",
                 "f32* p = a +> n;\np = p +> 1;\np = p +> -2;\n*p = *(p +> 1);\nn = i32(p <-> a);\nif (p < a) || (!(p != 0:f32*)) {\n"
                 "  p = 0:f32*;\n}\np = a +> 3;\np = 0:f32*;\nvoid* v = void*(p);"),
    "minus an unsigned index": ("unsigned u = n; a[-1] = *(a - u);", "u32 u = u32(n);\n*(a +> -1) = *(a +> (-i64(u)));"),
    "references": ("float& r = a[n]; n++; r = 1; int x = 3, &y = x; y++;"
                   "const float& c = 2.0f; r = c; float t[4]; float (&u)[4] = t; u[1] = r;",
                   "f32* pointer = a +> n;\nn += 1;\n*pointer = 1.0:f32;\ni32 x = 3;\nx += 1;\n"
                   "f32 c = 2.0:f32;\n*pointer = c;\nf32[4] t;\nt[1] = *pointer;"),
    "special variables": ("n = threadIdx.x + blockIdx.y * blockDim.z + gridDim.x + warpSize; dim3 d = blockDim; n = d.x;",
                          "n = i32(((threadIdx.x + (blockIdx.y * blockDim.z)) + gridDim.x) + u32(warpSize));\n"
                          "dim3 d = dim3{blockDim.x, blockDim.y, blockDim.z};\nn = i32(d.x);"),
    "barriers": ("__syncthreads(); __syncwarp(); __syncwarp(3); n = __syncthreads_count(n > 1);",
                 "barrier block;\nbarrier warp 4294967295:u32;\nbarrier warp 3:u32;\n"
                 "n = inlined i32 { i32 joined; joined = barrier block count i32(n > 1); return joined; };"),
    "shuffles and votes": ("a[0] = __shfl_down_sync(~0u, a[1], 4); n = __ballot_sync(~0u, n) + __any_sync(~0u, n);",
                           "*a = __shfl_down_sync(4294967295:u32, *(a +> 1), 4:u32, 32);\n"
                           "n = i32(__ballot_sync(4294967295:u32, n) + u32(__any_sync(4294967295:u32, n)));"),
    "atomics": ("atomicAdd(&a[n], 1); atomicAdd(a + 1, 2.f); n = atomicCAS(&n, 0, 1);",
                "atomicAdd(&*(a +> n), 1.0:f32);\natomicAdd(&*(a +> 1), 2.0:f32);\nn = atomicCAS(&n, 0, 1);"),
    "cached accesses": ("a[0] = __ldg(a + n) + __ldcg(&a[1]); __stcs(a + 2, 1.0f);",
                        "*a = *(a +> n) + *(a +> 1);\n*(a +> 2) = 1.0:f32;"),
    "math": ("a[0] = expf(a[1]) + max(n, 3) + fabs(a[2]); n = min(3u, 2u); a[1] = sqrt(n);",
             "*a = (expf(*(a +> 1)) + f32(max(n, 3))) + fabs(*(a +> 2));\nn = i32(min(3:u32, 2:u32));\n*(a +> 1) = f32(sqrt(f64(n)));"),
    "printf and assert": ('printf("%d %f\\t\\x41\\n" "end", n, a[0]); assert(n > 0 && "n");',
                          "print '%d %f\\tA\\nend' (n, f64(*a));\nassert (n > 0) && True 'n > 0 && \"n\"';"),
    "fences and clock stay calls": ("__threadfence(); n = clock();", "__threadfence();\nn = clock();"),
    "hints vanish": ("if (__builtin_expect(n, 1)) __builtin_assume(n > 3);", "if bool(i64(n)) {\n}"),
}  # fmt: skip


@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(name: str) -> None:
    text, expected = STATEMENTS[name]
    assert body(text) == expected


WITH_DECLARATIONS = {
    "macros and constants": (
        "#define TILE 16\n#define AT(i, j) a[(i) * TILE + (j)]\nconstexpr int WIDE = TILE * 2; const float HALF = 0.5f; enum { Q = 7 };",
        "AT(n, 3) = WIDE + HALF + Q;",
        "*(a +> ((n * 16) + 3)) = (32.0:f32 + 0.5:f32) + 7.0:f32;",
    ),
    "shared, constant and global memory": (
        "__constant__ int c[2][2] = {{1, 2}, {3}}; __device__ float g = 2; __device__ int z[3];",
        "__shared__ float s[4][5]; s[n][1] = c[1][n] + g; z[0]++;",
        "shared f32[4][5] s;\nconstant i32[2][2] c = 1, 2, 3, 0;\nglobal f32 g = 2.0;\nglobal i32[3] z;\n"
        "s[n][1] = f32(c[1][n]) + g;\nz[0] += 1;",
    ),
    "dynamic shared memory": (
        "",
        "extern __shared__ __align__(16) unsigned char raw[]; float* f = (float*)raw; int* i = (int*)(f + 64); i[n] = f[0];",
        "dynamic shared u8[0] raw;\nf32* f = f32*(&raw[0]);\ni32* i = i32*(f +> 64);\n*(i +> n) = i32(*f);",
    ),
    "static constants": ("", "static const int t[2] = {4, 5}; n = t[n];", "global i32[2] t = 4, 5;\nn = t[n];"),
    "a row of a shared array": (
        "",
        "__shared__ float s[2][8][8]; float (*row)[8] = s[n & 1]; row[1][n] = (*row)[2];",
        "shared f32[2][8][8] s;\n(f32[8])* row = &s[n & 1][0];\n*(row +> 1)[n] = *row[2];",
    ),
    "structs": (
        "struct V { float x; int y[3]; }; struct W { V v; int k; };",
        "W w = {{1, {2, 3}}, n}; V v{}; w.v = v; w.v.y[n] = 4; V* p = &v; p->x = (*p).y[1];",
        "W w = W{V{1.0:f32, i32[3]{2, 3}}, n};\nV v = V{0.0:f32, i32[3]{}};\nw.v = v;\nw.v.y[n] = 4;\nV* p = &v;\n*p.x = f32(*p.y[1]);",
    ),
    "constructors": (
        POINT, "P p(2.0f); P q; P r = p;",
        "P p;\np.x = 2.0:f32;\np.b[0] = 1;\np.b[1] = 2;\nP q;\nq.x = 1.5:f32;\nP r = p;",
    ),
    "methods and operators": (
        POINT, "P p; p += 2; a[0] = p.at(n); P q = p + p;",
        "P p;\np.x = 1.5:f32;\np.x += 2.0:f32;\n*a = p.x * f32(p.b[n]);\n"
        "P q = inlined P { P object; f32 v = p.x + p.x; object.x = v; object.b[0] = 1; object.b[1] = 2; return object; };",
    ),
    "vectors": (
        VECTOR,
        "FLOAT4(a[4 * n]) = FLOAT4(a[n]); float4 v = make_float4(1, 2, n, 4); v.x += v.y; a[0] = reinterpret_cast<float4*>(a)[n].w;",
        "*float4*(a +> (4 * n)) = *float4*(a +> n);\nfloat4 v = float4{1.0:f32, 2.0:f32, f32(n), 4.0:f32};\nv.x += v.y;\n"
        "*a = *(float4*(a) +> n).w;",
    ),
    "vectors over local arrays are their elements": (
        VECTOR, "float r[8]; FLOAT4(r[n]) = FLOAT4(a[0]); FLOAT4(a[0]) = FLOAT4(r[4]); FLOAT4(r[0]).y = 1;",
        "f32[8] r;\nfloat4 vector = *float4*(a);\nr[n] = vector.x;\nr[n + 1] = vector.y;\nr[n + 2] = vector.z;\nr[n + 3] = vector.w;\n"
        "*float4*(a) = float4{r[4], r[5], r[6], r[7]};\nr[1] = 1.0:f32;",
    ),
    "inlined by value": (
        "__device__ float clip(float x, float high) { if (x > high) return high; return x; }",
        "a[0] = clip(a[1], 2);",
        "*a = inlined f32 { f32 x = *(a +> 1); if x > 2.0:f32 { return 2.0:f32; } return x; };",
    ),
    "an expression is inlined as one": (
        "__device__ int index(int row, int column) { return row * 8 + column; }", "a[index(n, threadIdx.x + 1)] = 0;",
        "*(a +> ((n * 8) + i32(threadIdx.x + 1:u32))) = 0.0:f32;",
    ),
    "but floating-point work is not repeated": (
        "__device__ float square(float x) { return x * x; }", "a[0] = square(a[1] + 1);",
        "*a = inlined f32 { f32 x = *(a +> 1) + 1.0:f32; return x * x; };",
    ),
    "inlined by reference": (
        "__device__ void add(float& x, const float& y, int& i) { x += y; i++; x = i; }",
        "__shared__ float s[4]; add(s[n], a[n], n);",
        "shared f32[4] s;\ni32 index = n;\nf32* pointer = a +> n;\ns[index] += *pointer;\nn += 1;\ns[index] = f32(n);",
    ),
    "arrays to functions": (
        "__device__ void f(float (&r)[4]) { r[1] = 2; } __device__ void g(float* r, int n) { for (int i = 0; i < n; ++i) r[i] = 0; }",
        "float r[4]; f(r); g(r, 4); g(a + n, 2);",
        "f32[4] r;\nr[1] = 2.0:f32;\nloop [i32 i = 0;] i < 4 [i += 1;] {\n  r[i] = 0.0:f32;\n}\n"
        "f32* r = a +> n;\nloop [i32 i = 0;] i < 2 [i += 1;] {\n  *(r +> i) = 0.0:f32;\n}",
    ),
    "a void function that returns early": (
        "__device__ void set(float* p, int n) { if (n < 0) return; p[n] = 1; }", "set(a, n);",
        "inlined void { f32* p = a; i32 n = n; if n < 0 { return; } *(p +> n) = 1.0:f32; };",
    ),
    "default arguments": ("__device__ int f(int x, int y = 3) { return x + y; }", "n = f(n);", "n = n + 3;"),
    "a function that gives a reference": (
        "struct T { float d[4][5]; __device__ float& at(int i, int j) { return d[i][j]; } };",
        "__shared__ T t; t.at(n, 1) = a[0]; a[1] = t.at(threadIdx.x, n);",
        "shared T t;\nt.d[n][1] = *a;\n*(a +> 1) = t.d[i32(threadIdx.x)][n];",
    ),
    "a functor and a function as template argument": (
        "struct Add { __device__ int operator()(int a, int b) const { return a + b; } };\n"
        "__device__ int twice(int x) { return 2 * x; } template <int (*f)(int)> __device__ int call(int x) { return f(x); }\n"
        "template <class Op> __device__ int fold(int x, Op op) { return op(x, 1); }",
        "n = fold(n, Add()); n = call<twice>(n);",
        "n = n + 1;\nn = 2 * n;",
    ),
    "cooperative groups": (
        GROUPS,
        "auto block = cg::this_thread_block(); auto tile = cg::tiled_partition<16>(block); block.sync(); tile.sync();"
        " n = tile.thread_rank(); a[n] = tile.shfl_xor(a[0], 2); cg::sync(block); n = tile.size() + block.group_index().x;",
        "barrier block;\nbarrier warp 65535:u32 << (laneid & 4294967280:u32);\nn = i32(laneid & 15:u32);\n"
        "*(a +> n) = inlined f32 { f32 value = *a; return __shfl_xor_sync(65535:u32 << (laneid & 4294967280:u32), value, 2, 16); };\n"
        "barrier block;\nn = i32(16:u32 + ((uint3{blockIdx.x, blockIdx.y, blockIdx.z}).x));",
    ),
    "half": ("#include <cuda_fp16.h>", "half h = __float2half(a[0]); h = h + h; a[1] = __half2float(h);",
             "f16 h = inlined f16 { f32 a = *a; return f16(a); };\nh = h + h;\n*(a +> 1) = f32(h);"),
    "tiles": (
        "#include <mma.h>\nusing namespace nvcuda;",
        "wmma::fragment<wmma::accumulator, 16, 16, 16, float> c; wmma::fill_fragment(c, 0.0f); c.x[n] = 1;"
        " wmma::store_matrix_sync(a, c, 16, wmma::mem_row_major);",
        "nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> c;\nfill_fragment(&c, 0.0:f32);\nc.x[n] = 1.0:f32;\n"
        "store_matrix_sync(a, &c, 16:u32, 0:u32);",
    ),
    "asynchronous copies": (
        "#include <cuda_pipeline.h>",
        "__shared__ float s[4]; __pipeline_memcpy_async(&s[n], a + n, 4); __pipeline_commit(); __pipeline_wait_prior(0);",
        "shared f32[4] s;\n__pipeline_memcpy_async(void*(&s[n]), void*(a +> n), 4:u64, 0:u64);\n"
        "__pipeline_commit();\n__pipeline_wait_prior(0:u32);",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WITH_DECLARATIONS)
def test_with_declarations(name: str) -> None:
    before, text, expected = WITH_DECLARATIONS[name]
    assert body(text, before) == expected


def test_templates_are_instantiated() -> None:
    text = """template <int TILE, typename T> __global__ void k(T* a) {
        __shared__ T s[TILE][TILE + 1];
        if constexpr (TILE > 4) s[0][0] = a[TILE]; else a[0] = 1;
    }"""
    assert lines(text, "k<8, double>") == ["shared f64[8][9] s;", "block {", "  s[0][0] = *(a +> 8);", "}"]
    assert lines(text, "k<2, int>") == ["shared i32[2][3] s;", "block {", "  *a = 1;", "}"]
