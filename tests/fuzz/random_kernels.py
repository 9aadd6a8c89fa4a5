"""Parts of random programs that launch kernels: each copies data there, launches, copies back and prints what came of it."""

from __future__ import annotations

from collections.abc import Callable

from tests.fuzz.random_text import Part, Writer

KINDS = {"int": "%d", "unsigned": "%u", "long long": "%lld", "unsigned long long": "%llu", "short": "%d", "unsigned char": "%d"}


def _lines(lines: list[str], deep: int = 1) -> str:
    return "".join(f"{'    ' * deep}{line}\n" for line in lines)


def _filled(writer: Writer, kind: str, name: str, count: str) -> str:
    """Fill an array of the host."""
    known = {"i": "int"}
    return f"    for (int i = 0; i < {count}; ++i)\n        {name}[i] = {writer.whole(kind, known, 2)};\n"


def mapped(writer: Writer, number: int) -> Part:
    """Each thread computes one element, or several with a stride of the grid; as `map`, with a template and a guard."""
    draw, name = writer.draw, f"part{number}"
    kind, result = draw.choice(list(KINDS)), draw.choice(list(KINDS))
    n, block = draw.choice((1, 31, 100, 257, 1000)), draw.choice((32, 64, 96, 128))
    known = {"x": kind, "i": "int", "n": "int", "extra": "T"} | {"factor": "int"}
    known["extra"] = "unsigned"
    body = [f"{kind} x = in[i];", f"{result} y = {writer.whole(result, known)};", *writer.statements({**known, "y": result}, "y", result),
            f"y ^= ({result}){writer.function()}((unsigned)x, factor);", "out[i] = y;"]  # fmt: skip
    stride = draw.random() < 0.5
    loop = "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {" if stride else (
        "int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) {")  # fmt: skip
    grid = draw.randint(1, 3) if stride else -(-n // block)
    managed = draw.random() < 0.3
    before = (
        f"template <int factor>\n__global__ void {name}_kernel(const {kind}* in, {result}* out, int n, unsigned extra)\n{{\n"
        f"    {loop}\n{_lines(body, 2)}    }}\n}}\n\nvoid {name}()\n{{\n    const int n = {n};\n"
    )
    launch = f"{name}_kernel<{draw.randint(-3, 9)}><<<{grid}, {block}>>>(in, out, n, {writer.number('unsigned')});"
    if managed:
        before += (
            f"    {kind}* in;\n    {result}* out;\n    CHECK(cudaMallocManaged(&in, n * sizeof({kind})));\n"
            f"    CHECK(cudaMallocManaged(&out, n * sizeof({result})));\n{_filled(writer, kind, 'in', 'n')}    {launch}\n"
            "    CHECK(cudaGetLastError());\n    CHECK(cudaDeviceSynchronize());\n"
            f'    printf("{name} %016llx {KINDS[result]}\\n", checksum(out, n), out[n / 2]);\n'
        )
    else:
        before += (
            f"    std::vector<{kind}> a(n);\n    std::vector<{result}> b(n);\n{_filled(writer, kind, 'a', 'n')}"
            f"    {kind}* in;\n    {result}* out;\n    CHECK(cudaMalloc(&in, n * sizeof({kind})));\n"
            f"    CHECK(cudaMalloc(&out, n * sizeof({result})));\n"
            f"    CHECK(cudaMemcpy(in, a.data(), n * sizeof({kind}), cudaMemcpyHostToDevice));\n    {launch}\n"
            f"    CHECK(cudaGetLastError());\n    CHECK(cudaMemcpy(b.data(), out, n * sizeof({result}), cudaMemcpyDeviceToHost));\n"
            f'    printf("{name} %016llx {KINDS[result]}\\n", checksum(b.data(), b.size()), b[n / 2]);\n'
        )
    return Part(before + "    CHECK(cudaFree(in));\n    CHECK(cudaFree(out));\n}\n", f"{name}();")


def reduced(writer: Writer, number: int) -> Part:
    """A sum, a maximum or an exclusive or of each block: in shared memory, then by shuffles in the first warp."""
    draw, name = writer.draw, f"part{number}"
    kind = draw.choice(("int", "unsigned", "unsigned long long"))
    block, blocks = draw.choice((64, 128, 256)), draw.randint(1, 4)
    joined = draw.choice(("a + b", "a > b ? a : b", "a ^ b", "a < b ? a : b", "a | b"))
    if kind == "int" and joined == "a + b":
        joined = "(int)((unsigned)a + (unsigned)b)"
    last = draw.choice(("atomic", "blocks"))
    ends = "unsigned long long" if kind == "unsigned long long" else kind
    store = f"atomicXor(out, ({ends})mine);" if last == "atomic" else "out[blockIdx.x] = mine;"
    dynamic = draw.random() < 0.4
    shared = f"extern __shared__ {kind} {name}_part[];" if dynamic else f"__shared__ {kind} {name}_part[{block}];"
    value = writer.whole(kind, {"x": kind, "i": "int"}, 2)
    before = f"""__host__ __device__ inline {kind} {name}_join({kind} a, {kind} b) {{ return {joined}; }}

__global__ void {name}_kernel(const {kind}* in, {ends}* out, int n)
{{
    {shared}
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    {kind} x = i < n ? in[i] : in[0];
    {name}_part[t] = {value};
    __syncthreads();
    for (int half = blockDim.x / 2; half >= 32; half /= 2) {{
        if (t < half)
            {name}_part[t] = {name}_join({name}_part[t], {name}_part[t + half]);
        __syncthreads();
    }}
    if (t < 32) {{
        {kind} mine = {name}_part[t];
        for (int offset = 16; offset > 0; offset /= 2)
            mine = {name}_join(mine, __shfl_{draw.choice(("down", "xor"))}_sync(0xffffffffu, mine, offset));
        if (t == 0)
            {store}
    }}
}}

void {name}()
{{
    const int n = {block * blocks - draw.choice((0, 1, 17))}, blocks = {blocks};
    {kind} host[{block * blocks}];
{_filled(writer, kind, "host", "n")}    {kind}* in;
    {ends}* out;
    {ends} results[blocks] = {{}};
    CHECK(cudaMalloc((void**)&in, n * sizeof({kind})));
    CHECK(cudaMalloc((void**)&out, sizeof(results)));
    CHECK(cudaMemset(out, 0, sizeof(results)));
    CHECK(cudaMemcpy(in, host, n * sizeof({kind}), cudaMemcpyHostToDevice));
    {name}_kernel<<<blocks, {block}{f", {block} * sizeof({kind})" if dynamic else ""}>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(results, out, sizeof(results), cudaMemcpyDeviceToHost));
    for (int i = 0; i < blocks; ++i)
        printf("%llu ", (unsigned long long)results[i]);
    printf("\\n");
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}}
"""
    return Part(before, f"{name}();")


def counted(writer: Writer, number: int) -> Part:
    """A histogram by atomics in shared memory, whose bins a function chooses, with a table in constant memory."""
    draw, name = writer.draw, f"part{number}"
    bins, n, block = draw.choice((7, 16, 64)), draw.choice((100, 700)), draw.choice((32, 128))
    before = f"""__constant__ unsigned {name}_weights[{bins}];
__device__ int {name}_largest = -1;

__global__ void {name}_kernel(const unsigned* in, unsigned* out, int n)
{{
    __shared__ unsigned local[{bins}];
    for (int i = threadIdx.x; i < {bins}; i += blockDim.x)
        local[i] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {{
        unsigned x = in[i];
        unsigned bin = ({writer.whole("unsigned", {"x": "unsigned", "i": "int"}, 2)}) % {bins};
        atomicAdd(&local[bin], {name}_weights[bin] & 15u);
        atomicMax(&{name}_largest, (int)bin);
    }}
    __syncthreads();
    for (int i = threadIdx.x; i < {bins}; i += blockDim.x)
        if (local[i])
            atomicAdd(out + i, local[i]);
}}

void {name}()
{{
    const int n = {n};
    unsigned weights[{bins}];
{_filled(writer, "unsigned", "weights", str(bins))}    CHECK(cudaMemcpyToSymbol({name}_weights, weights, sizeof(weights)));
    unsigned* host = (unsigned*)malloc(n * sizeof(unsigned));
{_filled(writer, "unsigned", "host", "n")}    unsigned *in, *out, found[{bins}];
    CHECK(cudaMalloc(&in, n * sizeof(unsigned)));
    CHECK(cudaMalloc(&out, sizeof(found)));
    CHECK(cudaMemset(out, 0, sizeof(found)));
    CHECK(cudaMemcpy(in, host, n * sizeof(unsigned), cudaMemcpyHostToDevice));
    {name}_kernel<<<(n + {block - 1}) / {block}, {block}>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(found, out, sizeof(found), cudaMemcpyDeviceToHost));
    int largest;
    CHECK(cudaMemcpyFromSymbol(&largest, {name}_largest, sizeof(int)));
    printf("{name} %d:", largest);
    for (unsigned each : found)
        printf(" %u", each);
    printf("\\n");
    free(host);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}}
"""
    return Part(before, f"{name}();")


def structured(writer: Writer, number: int) -> Part:
    """An array of structs with methods and operators, of exact floats; by value to the kernel goes another one."""
    draw, name = writer.draw, f"part{number}"
    kind = draw.choice(("float", "double"))
    n, block = draw.choice((5, 50, 130)), draw.choice((32, 64))
    known = {"id": "int", "k": "int"}
    before = f"""struct {name}_Point {{
    {kind} x, y;
    int id;
    {draw.choice(("short", "char", "long long", "bool"))} mark;
    __host__ __device__ {name}_Point operator+(const {name}_Point& o) const {{ return {{x + o.x, y + o.y, id ^ o.id, mark}}; }}
    __host__ __device__ bool operator<(const {name}_Point& o) const {{ return x != o.x ? x < o.x : id < o.id; }}
    __host__ __device__ void turn(int k)
    {{
        x = {writer.exact(known, kind)};
        y = {writer.exact(known, kind)};
        mark = {writer.whole("int", known, 1)} & 1;
    }}
}};

struct {name}_Options {{
    int step;
    {name}_Point base;
}};

__global__ void {name}_kernel({name}_Point* points, int n, {name}_Options options)
{{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n)
        return;
    {name}_Point p = points[i];
    p.turn(options.step + i);
    points[i] = {draw.choice(("p + options.base", "p < options.base ? options.base : p", "p"))};
}}

void {name}()
{{
    const int n = {n};
    std::vector<{name}_Point> host(n), back(n);
    for (int i = 0; i < n; ++i) {{
        host[i] = {{0, 0, ({writer.whole("int", {"i": "int"}, 2)}) & 1023, 0}};
        host[i].turn(i);
    }}
    {name}_Options options = {{{draw.randint(0, 9)}, host[n / 2]}};
    {name}_Point* device;
    CHECK(cudaMalloc(&device, n * sizeof({name}_Point)));
    CHECK(cudaMemcpy(device, host.data(), n * sizeof({name}_Point), cudaMemcpyHostToDevice));
    for (int round = 0; round < {draw.randint(1, 3)}; ++round, ++options.step)
        {name}_kernel<<<(n + {block - 1}) / {block}, {block}>>>(device, n, options);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(back.data(), device, n * sizeof({name}_Point), cudaMemcpyDeviceToHost));
    std::sort(back.begin(), back.end());
    for (int i = 0; i < n; i += {max(n // 4, 1)})
        printf("{name} %.9g %.9g %d %d\\n", back[i].x, back[i].y, back[i].id, (int)back[i].mark);
    CHECK(cudaFree(device));
}}
"""
    return Part(before, f"{name}();")


def planar(writer: Writer, number: int) -> Part:
    """A tile of a matrix turned or smoothed in shared memory, blocks of two dimensions, copies with a pitch."""
    draw, name = writer.draw, f"part{number}"
    width, height, tile = draw.choice((7, 20, 33)), draw.choice((5, 16, 40)), draw.choice((4, 8, 16))
    known = {"here": "int", "left": "int", "up": "int", "x": "int", "y": "int"}
    before = f"""#define {name}_TILE {tile}
__global__ void {name}_kernel(const int* in, size_t pitch, int* out, int width, int height)
{{
    __shared__ int tile[{name}_TILE + 1][{name}_TILE + 1];
    int x = blockIdx.x * {name}_TILE + threadIdx.x, y = blockIdx.y * {name}_TILE + threadIdx.y;
    bool inside = x < width && y < height;
    const int* row = (const int*)((const char*)in + y * pitch);
    if (inside) {{
        tile[threadIdx.y + 1][threadIdx.x + 1] = row[x];
        if (threadIdx.x == 0)
            tile[threadIdx.y + 1][0] = x > 0 ? row[x - 1] : -1;
        if (threadIdx.y == 0)
            tile[0][threadIdx.x + 1] = y > 0 ? ((const int*)((const char*)in + (y - 1) * pitch))[x] : -2;
    }}
    __syncthreads();
    if (!inside)
        return;
    int here = tile[threadIdx.y + 1][threadIdx.x + 1], left = tile[threadIdx.y + 1][threadIdx.x], up = tile[threadIdx.y][threadIdx.x + 1];
    out[{draw.choice(("y * width + x", "x * height + y"))}] = {writer.whole("int", known)};
}}

void {name}()
{{
    const int width = {width}, height = {height};
    static int host[height][width], back[height * width];
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            host[y][x] = {writer.whole("int", {"x": "int", "y": "int"}, 2)};
    int *in, *out;
    size_t pitch;
    CHECK(cudaMallocPitch(&in, &pitch, width * sizeof(int), height));
    CHECK(cudaMalloc(&out, sizeof(back)));
    CHECK(cudaMemcpy2D(in, pitch, host, width * sizeof(int), width * sizeof(int), height, cudaMemcpyHostToDevice));
    dim3 block({name}_TILE, {name}_TILE), grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    {name}_kernel<<<grid, block>>>(in, pitch, out, width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(back, out, sizeof(back), cudaMemcpyDeviceToHost));
    std::cout << "{name} " << std::hex << checksum(back, width * height) << std::dec << ' ' << back[width] << std::endl;
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}}
"""
    return Part(before, f"{name}();")


def streamed(writer: Writer, number: int) -> Part:
    """Chunks in streams, with events between them, pinned memory and a fold by a warp's votes."""
    draw, name = writer.draw, f"part{number}"
    chunks, size = draw.randint(2, 4), draw.choice((32, 64, 96))
    before = f"""__global__ void {name}_kernel(unsigned* data, int count, int round)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = i < count ? data[i] : 0u;
    unsigned votes = __ballot_sync(0xffffffffu, {writer.condition({"x": "unsigned", "round": "int"}, 1)});
    unsigned near = __shfl_sync(0xffffffffu, x, (threadIdx.x + {draw.randint(1, 31)}) % 32);
    if (i < count)
        data[i] = {writer.whole("unsigned", {"x": "unsigned", "votes": "unsigned", "near": "unsigned", "round": "int"})} + __popc(votes);
}}

void {name}()
{{
    const int chunks = {chunks}, size = {size};
    unsigned *host, *device;
    CHECK(cudaMallocHost(&host, chunks * size * sizeof(unsigned)));
    CHECK(cudaMalloc(&device, chunks * size * sizeof(unsigned)));
{_filled(writer, "unsigned", "host", "chunks * size")}    cudaStream_t streams[chunks];
    cudaEvent_t done;
    CHECK(cudaEventCreate(&done));
    for (int c = 0; c < chunks; ++c) {{
        CHECK(cudaStreamCreate(&streams[c]));
        unsigned *h = host + c * size, *d = device + c * size;
        CHECK(cudaMemcpyAsync(d, h, size * sizeof(unsigned), cudaMemcpyHostToDevice, streams[c]));
        {name}_kernel<<<(size + 31) / 32, 32, 0, streams[c]>>>(d, size - c, c);
        CHECK(cudaMemcpyAsync(h, d, size * sizeof(unsigned), cudaMemcpyDeviceToHost, streams[c]));
    }}
    CHECK(cudaEventRecord(done, streams[chunks - 1]));
    CHECK(cudaEventSynchronize(done));
    for (int c = 0; c < chunks; ++c) {{
        CHECK(cudaStreamSynchronize(streams[c]));
        printf("%u %016llx\\n", host[c * size], checksum(host + c * size, size));
        CHECK(cudaStreamDestroy(streams[c]));
    }}
    CHECK(cudaEventDestroy(done));
    CHECK(cudaFreeHost(host));
    CHECK(cudaFree(device));
}}
"""
    return Part(before, f"{name}();")


def scanned(writer: Writer, number: int) -> Part:
    """A scan of a block in shared memory with two buffers, checked against the host's, and a function object as a kernel's argument."""
    draw, name = writer.draw, f"part{number}"
    n = draw.choice((32, 60, 128))
    before = f"""struct {name}_Op {{
    unsigned salt;
    __host__ __device__ unsigned operator()(unsigned a, unsigned b) const {{ return (a + b) ^ (salt & 0u); }}
}};

template <typename Op, int N>
__global__ void {name}_kernel(unsigned* data, Op op)
{{
    __shared__ unsigned buffer[2][N];
    int t = threadIdx.x, now = 0;
    buffer[0][t] = data[t];
    __syncthreads();
    for (int step = 1; step < N; step *= 2) {{
        buffer[1 - now][t] = t >= step ? op(buffer[now][t], buffer[now][t - step]) : buffer[now][t];
        now = 1 - now;
        __syncthreads();
    }}
    data[t] = buffer[now][t];
}}

void {name}()
{{
    std::array<unsigned, {n}> host, back;
{_filled(writer, "unsigned", "host", str(n))}    {name}_Op op{{{writer.number("unsigned")}}};
    unsigned* data;
    CHECK(cudaMalloc(&data, sizeof(host)));
    CHECK(cudaMemcpy(data, host.data(), sizeof(host), cudaMemcpyHostToDevice));
    {name}_kernel<{name}_Op, {n}><<<1, {n}>>>(data, op);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(back.data(), data, sizeof(back), cudaMemcpyDeviceToHost));
    std::partial_sum(host.begin(), host.end(), host.begin(), op);
    printf("{name} %s %u\\n", std::equal(host.begin(), host.end(), back.begin()) ? "same" : "different", back[{n} - 1]);
    CHECK(cudaFree(data));
}}
"""
    return Part(before, f"{name}();")


KERNEL_PARTS: list[Callable[[Writer, int], Part]] = [mapped, mapped, reduced, counted, structured, planar, streamed, scanned]
