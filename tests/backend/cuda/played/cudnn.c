/* Copyright the inlay authors. */
/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for cuDNN: reads what tensors, windows and operators are described as, and computes on the processor by plain loops, in double. What
   the library's manual does not allow, and addresses that are none of the played device's memory, are errors. Numbers are the manual's. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"

/* Whether a convolution with all that follows is none of its calls, as the library may say of an algorithm and a shape. */
#ifndef PLAYED_WITHOUT_WHOLE
#define PLAYED_WITHOUT_WHOLE 0
#endif

enum { success = 0, not_initialized = 1001, bad_parameter = 2000, most = 8 };

struct tensor {
    int axes, extents[most], strides[most];
};
struct convolution {
    int axes, pads[most], strides[most], dilations[most], groups, math;
};
struct pooling {
    int mode, axes, window[most], pads[most], strides[most];
};
struct choice {
    int algorithm, status;
    float seconds;
    size_t workspace;
    int is_deterministic, math, reserved[3];
};
static char library;
static int has_stream;

static int complain(const char* what) {
    fprintf(stderr, "the played cuDNN: %s\n", what);
    return bad_parameter;
}

size_t cudnnGetVersion(void) { return 91900; }
const char* cudnnGetErrorString(int status) {
    return status == success ? "no error" : status == not_initialized ? "the library was not initialized" : "a parameter is wrong";
}
int cudnnCreate(void** handle) {
    *handle = &library;
    return success;
}
int cudnnSetStream(void* handle, void* stream) {
    has_stream = handle == &library && played_stream(stream);
    return has_stream ? success : complain("the stream is another one");
}

static int make(void** made, size_t bytes) {
    *made = calloc(1, bytes);
    return *made == NULL ? bad_parameter : success;
}
static int drop(void* made) {
    free(made);
    return success;
}
int cudnnCreateTensorDescriptor(void** made) { return make(made, sizeof(struct tensor)); }
int cudnnDestroyTensorDescriptor(void* made) { return drop(made); }
int cudnnCreateFilterDescriptor(void** made) { return make(made, sizeof(struct tensor)); }
int cudnnDestroyFilterDescriptor(void* made) { return drop(made); }
int cudnnCreateConvolutionDescriptor(void** made) { return make(made, sizeof(struct convolution)); }
int cudnnDestroyConvolutionDescriptor(void* made) { return drop(made); }
int cudnnCreateActivationDescriptor(void** made) { return make(made, sizeof(int)); }
int cudnnDestroyActivationDescriptor(void* made) { return drop(made); }
int cudnnCreatePoolingDescriptor(void** made) { return make(made, sizeof(struct pooling)); }
int cudnnDestroyPoolingDescriptor(void* made) { return drop(made); }

int cudnnSetTensorNdDescriptor(void* tensor, int element, int axes, const int* extents, const int* strides) {
    struct tensor* const t = tensor;
    if (element != 0 || axes < 4 || axes > most) return complain("a tensor is not of float32 and of 4 to 8 axes");
    t->axes = axes;
    for (int i = 0; i < axes; ++i) {
        if (extents[i] < 1 || strides[i] < 1) return complain("a tensor has no elements, or no steps between them");
        t->extents[i] = extents[i];
        t->strides[i] = strides[i];
    }
    return success;
}
int cudnnSetFilterNdDescriptor(void* filter, int element, int order, int axes, const int* extents) {
    int strides[most];
    if (order != 0 || axes < 4 || axes > most) return complain("a filter is not row-major and of 4 to 8 axes");
    for (int i = axes; i-- > 0;) strides[i] = i + 1 == axes ? 1 : strides[i + 1] * extents[i + 1];
    return cudnnSetTensorNdDescriptor(filter, element, axes, extents, strides);
}
int cudnnSetConvolutionNdDescriptor(void* convolution, int axes, const int* pads, const int* strides, const int* dilations, int mode, int element) {
    struct convolution* const c = convolution;
    if (mode != 1 || element != 0 || axes < 2 || axes > 3) return complain("a convolution is no correlation of float32 over 2 or 3 axes");
    c->axes = axes;
    c->groups = 1;
    for (int i = 0; i < axes; ++i) {
        if (pads[i] < 0 || strides[i] < 1 || dilations[i] < 1) return complain("a convolution's window does not move");
        c->pads[i] = pads[i];
        c->strides[i] = strides[i];
        c->dilations[i] = dilations[i];
    }
    return success;
}
int cudnnSetConvolutionGroupCount(void* convolution, int groups) {
    ((struct convolution*)convolution)->groups = groups;
    return groups < 1 ? complain("a convolution has no groups") : success;
}
int cudnnSetConvolutionMathType(void* convolution, int math) {
    ((struct convolution*)convolution)->math = math;
    return math == 0 || math == 3 ? success : complain("a way to compute is not played");
}
int cudnnSetActivationDescriptor(void* activation, int function, int nans, double coefficient) {
    *(int*)activation = function;
    return function == 1 && nans == 1 && coefficient == 0 ? success : complain("a function other than Relu is not played");
}
int cudnnSetPoolingNdDescriptor(void* pooling, int mode, int nans, int axes, const int* window, const int* pads, const int* strides) {
    struct pooling* const p = pooling;
    if (mode < 0 || mode > 2 || nans != 1 || axes < 2 || axes > 3) return complain("a pooling is not played");
    p->mode = mode;
    p->axes = axes;
    for (int i = 0; i < axes; ++i) {
        if (pads[i] < 0 || pads[i] >= window[i] || strides[i] < 1) return complain("a pooling's window does not fit");
        p->window[i] = window[i];
        p->pads[i] = pads[i];
        p->strides[i] = strides[i];
    }
    return success;
}

static int count_of(const struct tensor* t) {
    int count = 1;
    for (int i = 0; i < t->axes; ++i) count *= t->extents[i];
    return count;
}
/* All bytes of a tensor. */
static float* all_of(const char* who, const struct tensor* t, const void* at) {
    size_t last = 1;
    for (int i = 0; i < t->axes; ++i) last += (size_t)(t->extents[i] - 1) * (size_t)t->strides[i];
    return (uintptr_t)at % sizeof(float) != 0 ? NULL : played_bytes(who, at, sizeof(float) * last);
}
/* The place of the element of that number, in row-major order; `place` gets where it stands along each axis. */
static int element_of(const struct tensor* t, int number, int* place) {
    int at = 0;
    for (int i = t->axes; i-- > 0;) {
        place[i] = number % t->extents[i];
        number /= t->extents[i];
        at += place[i] * t->strides[i];
    }
    return at;
}
static int alike(const struct tensor* a, const struct tensor* b) {
    return a->axes == b->axes && memcmp(a->extents, b->extents, sizeof(int) * (size_t)a->axes) == 0;
}

static int fits(const struct tensor* x, const struct tensor* w, const struct convolution* c, const struct tensor* y) {
    int all = x->axes == c->axes + 2 && w->axes == x->axes && y->axes == x->axes && y->extents[0] == x->extents[0] && y->extents[1] == w->extents[0] &&
              w->extents[1] * c->groups == x->extents[1] && w->extents[0] % c->groups == 0;
    for (int i = 0; all && i < c->axes; ++i) {
        const int room = x->extents[i + 2] + 2 * c->pads[i] - ((w->extents[i + 2] - 1) * c->dilations[i] + 1);
        all = room >= 0 && y->extents[i + 2] == room / c->strides[i] + 1;
    }
    return all;
}

int cudnnGetConvolutionForwardAlgorithm_v7(void* handle, void* x, void* w, void* convolution, void* y, int wanted, int* count, struct choice* choices) {
    if (handle != &library || !has_stream) return not_initialized;
    if (!fits(x, w, convolution, y) || wanted < 3) return complain("a convolution does not fit its tensors");
    /* One that does not run, one that wants too much memory, and one that is right. */
    memset(choices, 0, 3 * sizeof *choices);
    choices[0].algorithm = 6;
    choices[0].status = 3000;
    choices[1].algorithm = 2;
    choices[2].algorithm = 1;
    *count = 3;
    return success;
}
int cudnnGetConvolutionForwardWorkspaceSize(void* handle, void* x, void* w, void* convolution, void* y, int algorithm, size_t* bytes) {
    if (handle != &library) return not_initialized;
    if (!fits(x, w, convolution, y)) return complain("a convolution does not fit its tensors");
    *bytes = algorithm == 2 ? (size_t)1 << 40 : 2048;
    return success;
}

/* A number as it is multiplied: where tensor cores may stand in, with 10 bits behind the point. */
static double factor(const struct convolution* c, float x) {
    if (c->math == 3) return (double)x;
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0xFFF + (bits >> 13 & 1)) & ~(uint32_t)0x1FFF;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}
static double sum_at(const struct tensor* x, const float* from, const struct tensor* w, const float* weights, const struct convolution* c, const int* place,
                     int outputs) {
    const int group = place[1] / (outputs / c->groups);
    struct tensor of_channel = *w;
    of_channel.extents[0] = 1;
    double sum = 0;
    for (int k = count_of(&of_channel); k-- > 0;) {
        int in_window[most], inside = 1;
        const int weight = element_of(&of_channel, k, in_window) + place[1] * w->strides[0];
        int at = place[0] * x->strides[0] + (group * w->extents[1] + in_window[1]) * x->strides[1];
        for (int i = 0; i < c->axes; ++i) {
            const int where = place[i + 2] * c->strides[i] - c->pads[i] + in_window[i + 2] * c->dilations[i];
            inside = inside && where >= 0 && where < x->extents[i + 2];
            at += where * x->strides[i + 2];
        }
        if (inside) sum += factor(c, from[at]) * factor(c, weights[weight]);
    }
    return sum;
}

static int convolved(void* handle, const struct tensor* x, const void* x_at, const struct tensor* w, const void* w_at, const struct convolution* c,
                     int algorithm, void* workspace, size_t bytes, const float* bias, const float* addend, int has_relu, const struct tensor* y, void* y_at) {
    if (handle != &library || !has_stream) return not_initialized;
    if (!fits(x, w, c, y) || algorithm != 1 || bytes < 2048) return complain("a convolution is not the one that was described");
    const float *const from = all_of("the input of a convolution", x, x_at), *const weights = all_of("the weights of a convolution", w, w_at);
    float* const to = all_of("the result of a convolution", y, y_at);
    char* const room = played_bytes("the workspace of a convolution", workspace, bytes);
    if (from == NULL || weights == NULL || to == NULL || room == NULL) return bad_parameter;
    memset(room, 0x5A, bytes);
    for (int i = 0; i < count_of(y); ++i) {
        int place[most];
        const int at = element_of(y, i, place);
        const double value = sum_at(x, from, w, weights, c, place, y->extents[1]) + (bias ? (double)bias[place[1]] : 0) + (addend ? (double)addend[at] : 0);
        to[at] = (float)(has_relu && value < 0 ? 0 : value);
    }
    return success;
}
int cudnnConvolutionForward(void* handle, const float* alpha, void* x, const void* x_at, void* w, const void* w_at, void* c, int algorithm, void* workspace,
                            size_t bytes, const float* beta, void* y, void* y_at) {
    if (*alpha != 1 || *beta != 0) return complain("factors of a convolution are not played");
    return convolved(handle, x, x_at, w, w_at, c, algorithm, workspace, bytes, NULL, NULL, 0, y, y_at);
}
int cudnnConvolutionBiasActivationForward(void* handle, const float* alpha, void* x, const void* x_at, void* w, const void* w_at, void* c, int algorithm,
                                          void* workspace, size_t bytes, const float* addend_factor, void* z, const void* z_at, void* bias, const void* bias_at,
                                          void* activation, void* y, void* y_at) {
    const struct tensor *const of_bias = bias, *const of_y = y;
    if (PLAYED_WITHOUT_WHOLE) return 3000;
    if (*alpha != 1 || (*addend_factor != 0 && *addend_factor != 1) || *(int*)activation != 1) return complain("a convolution with a Relu is not the one that is played");
    if (!alike(z, y) || of_bias->extents[1] != of_y->extents[1] || count_of(of_bias) != of_y->extents[1]) return complain("a bias or a tensor does not fit a convolution");
    const float *const each = all_of("the bias of a convolution", bias, bias_at), *const addend = all_of("what is added to a convolution", z, z_at);
    if (each == NULL || addend == NULL) return bad_parameter;
    return convolved(handle, x, x_at, w, w_at, c, algorithm, workspace, bytes, each, *addend_factor == 0 ? NULL : addend, 1, y, y_at);
}

int cudnnAddTensor(void* handle, const float* alpha, void* from, const void* from_at, const float* beta, void* to, void* to_at) {
    const struct tensor *const a = from, *const c = to;
    const float* const of = all_of("what is added", a, from_at);
    float* const into = all_of("what is added to", c, to_at);
    if (handle != &library || of == NULL || into == NULL || a->axes != c->axes || c->axes > 5) return complain("a sum is not played");
    for (int i = 0; i < count_of(c); ++i) {
        int place[most], other = 0;
        const int at = element_of(c, i, place);
        for (int axis = 0; axis < c->axes; ++axis) {
            if (a->extents[axis] != 1 && a->extents[axis] != c->extents[axis]) return complain("what is added cannot be stretched");
            other += a->extents[axis] == 1 ? 0 : place[axis] * a->strides[axis];
        }
        into[at] = *alpha * of[other] + *beta * into[at];
    }
    return success;
}
int cudnnActivationForward(void* handle, void* activation, const float* alpha, void* x, const void* x_at, const float* beta, void* y, void* y_at) {
    const float* const from = all_of("the input of a Relu", x, x_at);
    float* const to = all_of("the result of a Relu", y, y_at);
    if (handle != &library || from == NULL || to == NULL || !alike(x, y) || *(int*)activation != 1 || *alpha != 1 || *beta != 0) return complain("a Relu is not played");
    for (int i = 0; i < count_of(x); ++i) to[i] = from[i] < 0 ? 0 : from[i];
    return success;
}

int cudnnPoolingForward(void* handle, void* pooling, const float* alpha, void* x_tensor, const void* x_at, const float* beta, void* y_tensor, void* y_at) {
    const struct pooling* const p = pooling;
    const struct tensor *const x = x_tensor, *const y = y_tensor;
    const float* const from = all_of("the input of a pooling", x, x_at);
    float* const to = all_of("the result of a pooling", y, y_at);
    if (handle != &library || !has_stream || from == NULL || to == NULL || *alpha != 1 || *beta != 0) return complain("a pooling is not played");
    struct tensor window = {p->axes, {0}, {0}};
    int all = x->axes == p->axes + 2 && y->axes == x->axes && x->extents[0] == y->extents[0] && x->extents[1] == y->extents[1];
    for (int i = 0; all && i < p->axes; ++i) {
        window.extents[i] = p->window[i];
        all = y->extents[i + 2] == (x->extents[i + 2] + 2 * p->pads[i] - p->window[i]) / p->strides[i] + 1;
    }
    if (!all) return complain("a pooling does not fit its tensors");
    const int places = count_of(&window);
    for (int n = 0; n < count_of(y); ++n) {
        int place[most], inside = 0;
        double sum = 0, largest = -INFINITY;
        const int result = element_of(y, n, place);
        for (int k = 0; k < places; ++k) {
            int in_window[most], is_in = 1, at = place[0] * x->strides[0] + place[1] * x->strides[1];
            element_of(&window, k, in_window);
            for (int i = 0; i < p->axes; ++i) {
                const int where = place[i + 2] * p->strides[i] - p->pads[i] + in_window[i];
                is_in = is_in && where >= 0 && where < x->extents[i + 2];
                at += where * x->strides[i + 2];
            }
            if (!is_in) continue;
            ++inside;
            sum += (double)from[at];
            if ((double)from[at] > largest) largest = (double)from[at];
        }
        to[result] = (float)(p->mode == 0 ? largest : sum / (p->mode == 1 ? places : inside));
    }
    return success;
}

int cudnnSoftmaxForward(void* handle, int algorithm, int mode, const float* alpha, void* x_tensor, const void* x_at, const float* beta, void* y, void* y_at) {
    const struct tensor* const x = x_tensor;
    const float* const from = all_of("the input of a softmax", x, x_at);
    float* const to = all_of("the result of a softmax", y, y_at);
    if (handle != &library || !has_stream || from == NULL || to == NULL || !alike(x, y) || algorithm < 1 || algorithm > 2 || mode != 1 || *alpha != 1 || *beta != 0)
        return complain("a softmax is not played");
    struct tensor rows = *x;
    rows.extents[1] = 1;
    for (int n = 0; n < count_of(&rows); ++n) {
        int place[most];
        const int first = element_of(&rows, n, place);
        double largest = -INFINITY, sum = 0;
        for (int i = 0; i < x->extents[1]; ++i) largest = fmax(largest, (double)from[first + i * x->strides[1]]);
        for (int i = 0; i < x->extents[1]; ++i) sum += exp((double)from[first + i * x->strides[1]] - largest);
        for (int i = 0; i < x->extents[1]; ++i) {
            const double value = (double)from[first + i * x->strides[1]] - largest;
            to[first + i * x->strides[1]] = (float)(algorithm == 2 ? value - log(sum) : exp(value) / sum);
        }
    }
    return success;
}
