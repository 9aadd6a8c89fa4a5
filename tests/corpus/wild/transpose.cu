// Three transposes: straight, through a padded tile, through a swizzled tile. After the classic sample: 32 x 32 tiles, 8 rows of threads.
#include <stdio.h>
#include <assert.h>

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;
const int NUM_REPS = 100;

inline cudaError_t checkCuda(cudaError_t result)
{
#if defined(DEBUG) || defined(_DEBUG)
    if (result != cudaSuccess) {
        fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
        assert(result == cudaSuccess);
    }
#endif
    return result;
}

__global__ void transposeNaive(float *odata, const float *idata)
{
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  int width = gridDim.x * TILE_DIM;

  for (int j = 0; j < TILE_DIM; j+= BLOCK_ROWS)
    odata[x*width + (y+j)] = idata[(y+j)*width + x];
}

__global__ void transposeNoBankConflicts(float *odata, const float *idata)
{
  __shared__ float tile[TILE_DIM][TILE_DIM+1];

  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  int width = gridDim.x * TILE_DIM;

  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
     tile[threadIdx.y+j][threadIdx.x] = idata[(y+j)*width + x];

  __syncthreads();

  x = blockIdx.y * TILE_DIM + threadIdx.x;  // transpose block offset
  y = blockIdx.x * TILE_DIM + threadIdx.y;

  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
     odata[(y+j)*width + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void transposeSwizzled(float *odata, const float *idata)
{
  __shared__ float tile[TILE_DIM * TILE_DIM];
  const unsigned int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
  const unsigned int width = gridDim.x * TILE_DIM;

  #pragma unroll 4
  for (unsigned int j = 0; j < TILE_DIM; j += BLOCK_ROWS) {
    unsigned int row = threadIdx.y + j;
    tile[row * TILE_DIM + (threadIdx.x ^ row)] = idata[(y + j) * width + x];
  }
  __syncthreads();
  #pragma unroll 4
  for (unsigned int j = 0; j < TILE_DIM; j += BLOCK_ROWS) {
    unsigned int col = threadIdx.y + j;
    odata[(blockIdx.x * TILE_DIM + col) * width + blockIdx.y * TILE_DIM + threadIdx.x] = tile[threadIdx.x * TILE_DIM + (col ^ threadIdx.x)];
  }
}

int main(int argc, char **argv)
{
  const int nx = 1024, ny = 1024;
  const int mem_size = nx*ny*sizeof(float);
  dim3 dimGrid(nx/TILE_DIM, ny/TILE_DIM, 1);
  dim3 dimBlock(TILE_DIM, BLOCK_ROWS, 1);

  cudaDeviceProp prop;
  checkCuda(cudaGetDeviceProperties(&prop, 0));
  printf("\nDevice : %s\n", prop.name);

  float *h_idata = (float*)malloc(mem_size);
  float *d_idata, *d_tdata;
  checkCuda(cudaMalloc(&d_idata, mem_size));
  checkCuda(cudaMalloc(&d_tdata, mem_size));
  cudaEvent_t startEvent, stopEvent;
  checkCuda(cudaEventCreate(&startEvent));
  checkCuda(cudaEventCreate(&stopEvent));
  float ms;
  checkCuda(cudaEventRecord(startEvent, 0));
  for (int i = 0; i < NUM_REPS; i++)
    transposeNoBankConflicts<<<dimGrid, dimBlock>>>(d_tdata, d_idata);
  checkCuda(cudaEventRecord(stopEvent, 0));
  checkCuda(cudaEventSynchronize(stopEvent));
  checkCuda(cudaEventElapsedTime(&ms, startEvent, stopEvent));
  printf("%20.2f\n", 2 * nx * ny * sizeof(float) * 1e-6 * NUM_REPS / ms);
  transposeNaive<<<dimGrid, dimBlock>>>(d_tdata, d_idata);
  transposeSwizzled<<<dimGrid, dimBlock>>>(d_tdata, d_idata);
  checkCuda(cudaFree(d_tdata));
  free(h_idata);
}
