/* Copyright the inlay authors. */
/* SPDX-License-Identifier: Apache-2.0 */
/* The accelerator as its vendor simulates it: on hardware the loads are its DMA engine's. */
#include "scratchpad_npu.h"

/* Loads the weights of as many outputs as fit, from output `first` on, and gives how many these are. */
static int load(struct npu_memory memory, const float* weights, int first, int outputs, int each) {
    const int fit = memory.floats / each, count = outputs - first < fit ? outputs - first : fit;
    for (int i = 0; i < count * each; ++i) memory.scratchpad[i] = weights[first * each + i];
    return count;
}

static float finished(float sum, int relu) { return relu != 0 && sum < 0 ? 0 : sum; }

int npu_conv2d(struct npu_memory memory, const float* image, const float* filters, const float* bias, float* result, int ic, int ih, int iw,
               int oc, int oh, int ow, int k, int stride, int pad, int relu) {
    for (int first = 0, count; first < oc; first += count) {
        count = load(memory, filters, first, oc, ic * k * k);
        if (count == 0) return 1;
        for (int filter = 0; filter < count; ++filter)
            for (int row = 0; row < oh; ++row)
                for (int column = 0; column < ow; ++column) {
                    const float* weight = memory.scratchpad + filter * ic * k * k;
                    float sum = bias[first + filter];
                    for (int channel = 0; channel < ic; ++channel)
                        for (int i = 0; i < k; ++i)
                            for (int j = 0; j < k; ++j, ++weight) {
                                const int y = row * stride + i - pad, x = column * stride + j - pad;
                                if (y >= 0 && y < ih && x >= 0 && x < iw) sum += image[(channel * ih + y) * iw + x] * *weight;
                            }
                    result[((first + filter) * oh + row) * ow + column] = finished(sum, relu);
                }
    }
    return 0;
}

int npu_dense(struct npu_memory memory, const float* rows, const float* weights, const float* bias, float* result, int m, int k, int n,
              int relu) {
    for (int first = 0, count; first < n; first += count) {
        count = load(memory, weights, first, n, k);
        if (count == 0) return 1;
        for (int row = 0; row < m; ++row)
            for (int output = 0; output < count; ++output) {
                float sum = bias[first + output];
                for (int i = 0; i < k; ++i) sum += rows[row * k + i] * memory.scratchpad[output * k + i];
                result[row * n + first + output] = finished(sum, relu);
            }
    }
    return 0;
}

int npu_add(const float* a, const float* b, float* result, int count) {
    for (int i = 0; i < count; ++i) result[i] = a[i] + b[i];
    return 0;
}
