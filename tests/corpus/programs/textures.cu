// Textures over an array, over pitched and over linear memory: how they are addressed, filtered and read.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { printf("%s: %s\n", #call, cudaGetErrorString(e)); return 1; } } while (0)
const int W = 8, H = 4;

__global__ void sample(cudaTextureObject_t tex, float *out, float x0, float dx, float y) {
    int i = threadIdx.x;
    out[i] = tex2D<float>(tex, x0 + i * dx, y);
}
__global__ void fetch(cudaTextureObject_t tex, int *out) { out[threadIdx.x] = tex1Dfetch<int>(tex, (int)threadIdx.x - 2); }
__global__ void pixels(cudaTextureObject_t tex, float4 *out) { out[threadIdx.x] = tex2D<float4>(tex, threadIdx.x + 0.5f, 1.5f); }
__global__ void line(cudaTextureObject_t tex, float *out) { out[threadIdx.x] = tex1D<float>(tex, threadIdx.x * 0.3f); }
__global__ void rotate(cudaTextureObject_t tex, float *out, int w, int h, float angle) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = x / (float)w - 0.5f, v = y / (float)h - 0.5f;
    out[y * w + x] = tex2D<float>(tex, u * cosf(angle) - v * sinf(angle) + 0.5f, v * cosf(angle) + u * sinf(angle) + 0.5f);
}

void show(const char *name, const float *v, int n) {
    printf("%-14s", name);
    for (int i = 0; i < n; ++i) printf(" %.4f", v[i]);
    printf("\n");
}

int main() {
    float image[H][W], *out, host[64];
    for (int y = 0; y < H; ++y) for (int x = 0; x < W; ++x) image[y][x] = x + 10.0f * y;
    CHECK(cudaMalloc(&out, sizeof(host)));
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, W, H));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, image, W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice));
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    const char *modes[] = {"wrap", "clamp", "mirror", "border"};
    for (int normalized = 0; normalized < 2; ++normalized)
        for (int linear = 0; linear < 2; ++linear)
            for (int mode = 0; mode < 4; ++mode) {
                cudaTextureDesc how = {};
                how.addressMode[0] = how.addressMode[1] = (cudaTextureAddressMode)mode;
                how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
                how.readMode = cudaReadModeElementType;
                how.normalizedCoords = normalized;
                cudaTextureObject_t tex = 0;
                CHECK(cudaCreateTextureObject(&tex, &resource, &how, NULL));
                if (normalized) sample<<<1, 16>>>(tex, out, -0.75f, 0.171875f, 0.375f);
                else sample<<<1, 16>>>(tex, out, -2.0f, 0.84375f, 1.25f);
                CHECK(cudaMemcpy(host, out, 16 * sizeof(float), cudaMemcpyDeviceToHost));
                char name[40];
                sprintf(name, "%s%s%s", modes[mode], linear ? " linear" : "", normalized ? " 01" : "");
                show(name, host, 16);
                if (linear && normalized && mode == 1) {
                    rotate<<<dim3(1, 1), dim3(8, 8)>>>(tex, out, 8, 8, 0.5f);
                    CHECK(cudaMemcpy(host, out, 64 * sizeof(float), cudaMemcpyDeviceToHost));
                    float sum = 0;
                    for (int i = 0; i < 64; ++i) sum += host[i];
                    printf("rotated: %.2f\n", sum);
                }
                CHECK(cudaDestroyTextureObject(tex));
            }
    CHECK(cudaFreeArray(array));

    int numbers[8], *device, *fetched, back[12];
    for (int i = 0; i < 8; ++i) numbers[i] = i * i + 1;
    CHECK(cudaMalloc(&device, sizeof(numbers)));
    CHECK(cudaMalloc(&fetched, sizeof(back)));
    CHECK(cudaMemcpy(device, numbers, sizeof(numbers), cudaMemcpyHostToDevice));
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = device;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = sizeof(numbers);
    cudaTextureDesc plain;
    memset(&plain, 0, sizeof(plain));
    plain.readMode = cudaReadModeElementType;
    cudaTextureObject_t linear;
    CHECK(cudaCreateTextureObject(&linear, &resource, &plain, nullptr));
    fetch<<<1, 12>>>(linear, fetched);
    CHECK(cudaMemcpy(back, fetched, sizeof(back), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 12; ++i) printf("%d ", back[i]);
    printf("\n");
    CHECK(cudaDestroyTextureObject(linear));

    uchar4 *rows, colours[2][4];
    float4 *shown, seen[4];
    size_t pitch;
    for (int y = 0; y < 2; ++y) for (int x = 0; x < 4; ++x) colours[y][x] = make_uchar4(51 * x, 255 * y, 17, 255);
    CHECK(cudaMallocPitch(&rows, &pitch, 4 * sizeof(uchar4), 2));
    CHECK(cudaMemcpy2D(rows, pitch, colours, sizeof(colours[0]), sizeof(colours[0]), 2, cudaMemcpyHostToDevice));
    CHECK(cudaMalloc(&shown, sizeof(seen)));
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = rows;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
    resource.res.pitch2D.width = 4;
    resource.res.pitch2D.height = 2;
    resource.res.pitch2D.pitchInBytes = pitch;
    plain.readMode = cudaReadModeNormalizedFloat;
    plain.addressMode[0] = plain.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t image4;
    CHECK(cudaCreateTextureObject(&image4, &resource, &plain, nullptr));
    pixels<<<1, 4>>>(image4, shown);
    CHECK(cudaMemcpy(seen, shown, sizeof(seen), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4; ++i) printf("(%.4f %.4f %.4f %.4f) ", seen[i].x, seen[i].y, seen[i].z, seen[i].w);
    printf("\n");
    CHECK(cudaDestroyTextureObject(image4));

    cudaFree(device); cudaFree(fetched); cudaFree(rows); cudaFree(shown); cudaFree(out);
    return 0;
}
