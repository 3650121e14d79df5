/* Copyright the inlay authors. */
/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for cuBLASLt: reads what a product is described as, and computes it on the processor by plain loops, in double. What the library's
   manual does not allow, and addresses that are none of the played device's memory, are errors. Numbers are the manual's. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"

enum { success = 0, not_initialized = 1, invalid_value = 7, not_supported = 15 };

struct product {
    int compute, scale;
    int32_t turns_a, turns_b;
    uint32_t epilogue;
    const void* bias;
};
struct matrix {
    int element;
    uint64_t rows, columns;
    int64_t leading, step;
    int32_t batches;
};
struct preference {
    uint64_t workspace;
    uint32_t alignment[4];
};
struct choice {
    uint64_t algorithm[8];
    size_t workspace;
    int status;
    float waves;
    int reserved[4];
};
static char library;
static const uint64_t only_algorithm = 0x706c61796564;

static int complain(const char* what) {
    fprintf(stderr, "the played cuBLASLt: %s\n", what);
    return invalid_value;
}

size_t cublasLtGetVersion(void) { return 130000; }
const char* cublasLtGetStatusString(int status) {
    return status == success           ? "no error"
           : status == not_initialized ? "the library was not initialized"
           : status == not_supported   ? "the operation is not supported"
                                       : "a parameter is wrong";
}
int cublasLtCreate(void** handle) {
    *handle = &library;
    return success;
}

int cublasLtMatmulDescCreate(void** made, int compute, int scale) {
    struct product* const p = calloc(1, sizeof *p);
    if ((compute != 68 && compute != 77) || scale != 0) return free(p), complain("a product is not of float32");
    p->compute = compute;
    p->scale = scale;
    p->epilogue = 1;
    *made = p;
    return success;
}
int cublasLtMatmulDescDestroy(void* p) {
    free(p);
    return success;
}
int cublasLtMatmulDescSetAttribute(void* product, int what, const void* value, size_t bytes) {
    struct product* const p = product;
    void* const to = what == 3 ? (void*)&p->turns_a : what == 4 ? (void*)&p->turns_b : what == 7 ? (void*)&p->epilogue : what == 8 ? (void*)&p->bias : NULL;
    const size_t size = what == 8 ? sizeof p->bias : 4;
    if (to == NULL || bytes != size) return complain("a product has no such attribute of that size");
    memcpy(to, value, size);
    return success;
}

int cublasLtMatrixLayoutCreate(void** made, int element, uint64_t rows, uint64_t columns, int64_t leading) {
    if (element != 0 || rows == 0 || columns == 0 || leading < (int64_t)rows) return complain("columns of a matrix lie over each other");
    struct matrix* const m = calloc(1, sizeof *m);
    m->rows = rows;
    m->columns = columns;
    m->leading = leading;
    m->batches = 1;
    *made = m;
    return success;
}
int cublasLtMatrixLayoutDestroy(void* m) {
    free(m);
    return success;
}
int cublasLtMatrixLayoutSetAttribute(void* matrix, int what, const void* value, size_t bytes) {
    struct matrix* const m = matrix;
    void* const to = what == 5 ? (void*)&m->batches : what == 6 ? (void*)&m->step : NULL;
    const size_t size = what == 5 ? sizeof m->batches : sizeof m->step;
    if (to == NULL || bytes != size) return complain("a matrix has no such attribute of that size");
    memcpy(to, value, size);
    return success;
}

int cublasLtMatmulPreferenceCreate(void** made) {
    struct preference* const p = calloc(1, sizeof *p);
    for (int i = 0; i < 4; ++i) p->alignment[i] = 256;
    *made = p;
    return success;
}
int cublasLtMatmulPreferenceDestroy(void* p) {
    free(p);
    return success;
}
int cublasLtMatmulPreferenceSetAttribute(void* preference, int what, const void* value, size_t bytes) {
    struct preference* const p = preference;
    void* const to = what == 1 ? (void*)&p->workspace : what >= 5 && what <= 8 ? (void*)&p->alignment[what - 5] : NULL;
    const size_t size = what == 1 ? sizeof p->workspace : 4;
    if (to == NULL || bytes != size) return complain("a preference has no such attribute of that size");
    memcpy(to, value, size);
    return success;
}

/* Rows and columns of a factor as it is multiplied. */
static uint64_t rows_of(const struct matrix* m, int turned) { return turned ? m->columns : m->rows; }
static uint64_t columns_of(const struct matrix* m, int turned) { return turned ? m->rows : m->columns; }

static int fits(const struct product* p, const struct matrix* a, const struct matrix* b, const struct matrix* c, const struct matrix* d) {
    const int batches = a->batches == d->batches && b->batches == d->batches && c->batches == d->batches && d->batches > 0;
    return batches && rows_of(a, p->turns_a) == d->rows && columns_of(b, p->turns_b) == d->columns &&
           columns_of(a, p->turns_a) == rows_of(b, p->turns_b) && c->rows == d->rows && c->columns == d->columns;
}

int cublasLtMatmulAlgoGetHeuristic(void* handle, void* product, void* a, void* b, void* c, void* d, void* preference, int wanted,
                                   struct choice* choices, int* count) {
    const struct preference* const p = preference;
    if (handle != &library) return not_initialized;
    if (!fits(product, a, b, c, d) || wanted < 1) return complain("the matrices of a product do not fit");
    for (int i = 0; i < 4; ++i)
        if (p->alignment[i] < 4 || (p->alignment[i] & (p->alignment[i] - 1)) != 0) return complain("an alignment is no power of two from 4 on");
    memset(choices, 0, sizeof *choices);
    choices->algorithm[0] = only_algorithm;
    for (int i = 0; i < 4; ++i) choices->algorithm[1 + i] = p->alignment[i];
    choices->workspace = p->workspace < 4096 ? p->workspace : 4096;
    *count = 1;
    return success;
}

/* All bytes of a matrix and its batches. */
static const float* all_of(const char* who, const struct matrix* m, const void* at) {
    const int64_t last = m->step * (m->batches - 1) + m->leading * (int64_t)(m->columns - 1) + (int64_t)m->rows;
    return played_bytes(who, at, sizeof(float) * (size_t)last);
}

/* A number of the operands as it is multiplied: by tf32 with 10 bits behind the point. */
static double factor(const struct product* p, float x) {
    if (p->compute == 68) return (double)x;
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0xFFF + (bits >> 13 & 1)) & ~(uint32_t)0x1FFF;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

int cublasLtMatmul(void* handle, void* product, const void* alpha, const void* a_at, void* a_matrix, const void* b_at, void* b_matrix,
                   const void* beta, const void* c_at, void* c_matrix, void* d_at, void* d_matrix, const void* algorithm, void* workspace,
                   size_t workspace_bytes, void* stream) {
    const struct product* const p = product;
    const struct matrix *const a = a_matrix, *const b = b_matrix, *const c = c_matrix, *const d = d_matrix;
    const uint64_t* const chosen = algorithm;
    if (handle != &library) return not_initialized;
    if (!fits(p, a, b, c, d) || !played_stream(stream)) return complain("a product is not the one that was described, or on another stream");
    if (chosen == NULL || chosen[0] != only_algorithm) return complain("an algorithm is none of the library's");
    const void* const places[4] = {a_at, b_at, c_at, d_at};
    for (int i = 0; i < 4; ++i)
        if ((uintptr_t)places[i] % chosen[1 + i] != 0) return complain("a matrix is not aligned as was promised");
    if ((uintptr_t)workspace % 256 != 0) return complain("the workspace is not aligned to 256 bytes");
    char* const room = played_bytes("the workspace of a product", workspace, workspace_bytes);
    const float *const from_a = all_of("the first matrix of a product", a, a_at), *const from_b = all_of("the second matrix of a product", b, b_at);
    float* const to = (float*)all_of("the result of a product", d, d_at);
    const float times = *(const float*)alpha, kept = *(const float*)beta;
    const float* const from_c = kept == 0 ? to : all_of("what is added to a product", c, c_at);
    const float* bias = NULL;
    if (p->epilogue & 4) bias = played_bytes("the bias of a product", p->bias, sizeof(float) * (size_t)d->rows);
    if (room == NULL || from_a == NULL || from_b == NULL || to == NULL || from_c == NULL || (bias == NULL && (p->epilogue & 4))) return invalid_value;
    if (p->epilogue == 0 || (p->epilogue & ~7U) != 0 || p->epilogue == 3) return complain("an epilogue is not played");
    memset(room, 0x5A, workspace_bytes);
    const uint64_t inner = columns_of(a, p->turns_a);
    for (int64_t batch = 0; batch < d->batches; ++batch)
        for (uint64_t column = 0; column < d->columns; ++column)
            for (uint64_t row = 0; row < d->rows; ++row) {
                double sum = 0;
                for (uint64_t k = 0; k < inner; ++k) {
                    const uint64_t in_a = p->turns_a ? k + (uint64_t)a->leading * row : row + (uint64_t)a->leading * k;
                    const uint64_t in_b = p->turns_b ? column + (uint64_t)b->leading * k : k + (uint64_t)b->leading * column;
                    sum += factor(p, from_a[a->step * batch + (int64_t)in_a]) * factor(p, from_b[b->step * batch + (int64_t)in_b]);
                }
                const int64_t at = d->step * batch + (int64_t)row + d->leading * (int64_t)column;
                double value = (double)times * sum + (kept == 0 ? 0 : (double)kept * (double)from_c[at]) + (bias ? (double)bias[row] : 0);
                to[at] = (float)(p->epilogue & 2 && value < 0 ? 0 : value);
            }
    return success;
}
