// 灰度化与二值化:OpenCV 读取图像,GPU 处理每个像素。
#include <opencv2/opencv.hpp>
#include <cuda_runtime.h>
#include <iostream>
#include <string>

using namespace cv;
using namespace std;

// 每个线程处理一个像素(BGR 顺序)
__global__ void bgr2gray(const uchar3* src, unsigned char* dst, int rows, int cols)
{
	int x = threadIdx.x + blockIdx.x * blockDim.x;	// 列
	int y = threadIdx.y + blockIdx.y * blockDim.y;	// 行
	if (x >= cols || y >= rows)
		return;
	uchar3 p = src[y * cols + x];
	/* 定点运算:权重之和为 256 */
	dst[y * cols + x] = (p.x * 29 + p.y * 150 + p.z * 77) >> 8;
}

__global__ void threshold(unsigned char* img, int total, unsigned char level)
{
	int idx = blockIdx.x * blockDim.x + threadIdx.x;
	if (idx < total)
		img[idx] = img[idx] > level ? 255 : 0;
}

int main(int argc, char* argv[])
{
	Mat img = imread(argc > 1 ? argv[1] : "图像.jpg", IMREAD_COLOR);
	if (img.empty()) { cerr << "无法读取图像" << endl; return -1; }
	uchar3* d_src; unsigned char* d_dst;
	cudaMalloc(&d_src, img.rows * img.cols * sizeof(uchar3));
	dim3 block(16, 16);
	dim3 grid((img.cols + block.x - 1) / block.x, (img.rows + block.y - 1) / block.y);
	bgr2gray<<<grid, block>>>(d_src, d_dst, img.rows, img.cols);
	threshold<<<(img.total() + 255) / 256, 256>>>(d_dst, (int)img.total(), 128);
	imwrite("灰度.png", Mat(img.rows, img.cols, CV_8UC1));
	return 0;
}
