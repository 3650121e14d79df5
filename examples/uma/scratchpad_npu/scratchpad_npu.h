/* Copyright the inlay authors. */
/* SPDX-License-Identifier: Apache-2.0 */
/* What the vendor of the accelerator ships: an engine that multiplies against weights in its scratchpad, and a vector unit. All functions
   give 0, or 1 where not even the weights of one output fit into the scratchpad. */
#ifndef SCRATCHPAD_NPU_H
#define SCRATCHPAD_NPU_H

#ifdef __cplusplus
extern "C" {
#endif

/* The scratchpad, and how many floats it holds. */
struct npu_memory {
    float* scratchpad;
    int floats;
};

/* An image, ic x ih x iw, convolved with oc filters, each ic x k x k, into oc x oh x ow; negative results become 0 where `relu` is not 0. */
int npu_conv2d(struct npu_memory memory, const float* image, const float* filters, const float* bias, float* result, int ic, int ih, int iw,
               int oc, int oh, int ow, int k, int stride, int pad, int relu);

/* m rows of k numbers times n rows of weights, k numbers each: m x n. */
int npu_dense(struct npu_memory memory, const float* rows, const float* weights, const float* bias, float* result, int m, int k, int n,
              int relu);

/* The vector unit: sums. */
int npu_add(const float* a, const float* b, float* result, int count);

#ifdef __cplusplus
}
#endif

#endif
