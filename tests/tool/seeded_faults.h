/* Copyright the inlay authors.
   SPDX-License-Identifier: Apache-2.0

   Seeded faults of a kernel that writes float32, element by element. The loaded back end of seeded_faults.c has them, and code that is
   miscompiled. */
#ifndef INLAY_TESTS_TOOL_SEEDED_FAULTS_H
#define INLAY_TESTS_TOOL_SEEDED_FAULTS_H

#include <stdint.h>

/* In the order of FAULTS in seeded_faults.py. */
enum {
    FAULT_SCATTERED,  /* in 1 % of the elements, anywhere */
    FAULT_STRETCH,    /* in 1 % of the elements, side by side */
    FAULT_LANE,       /* in one of 16 lanes */
    FAULT_TAIL,       /* in the last element of a vector's tail, at the end of the last row */
    FAULT_BLOCK,      /* in one block of 8 channels */
    FAULT_SHARE,      /* in one thread's share, of four */
    FAULT_LATER,      /* from the second run on, in 1 % of the elements */
    FAULT_UNWRITTEN,  /* 1 % of the elements are left as they were */
    FAULT_HELD,       /* 1 % of the elements depend on what was there */
    FAULT_PAST_WRITE, /* one element past the end is written */
    FAULT_PAST_READ,  /* the last element is computed of what is one past the end */
    FAULT_NONE
};

/* A kernel's fault, the seed that places it, and the size of its result. */
typedef struct {
    int fault;
    uint32_t seed;
    int64_t count;   /* elements in memory */
    int64_t inner;   /* elements of one channel of one image */
    int64_t channel; /* channels in memory */
    int32_t layout;  /* 0: row-major, 1: channels last, 8 and 16: in blocks of so many channels */
} seeded_fault;

static inline uint32_t fault_hash(uint32_t seed, int64_t i) {
    uint64_t h = (uint64_t)i * 0x9E3779B97F4A7C15u + seed * 0xD1B54A32D192ED03u;
    h = (h ^ h >> 29) * 0xBF58476D1CE4E5B9u;
    h = (h ^ h >> 32) * 0x94D049BB133111EBu;
    return (uint32_t)(h >> 32);
}
static inline int64_t fault_channel(const seeded_fault* f, int64_t i) {
    const int64_t block = f->layout;
    if (block == 0) return i / f->inner % f->channel;
    if (block == 1) return i % f->channel;
    return i / (block * f->inner) % (f->channel / block) * block + i % block;
}
/* Another number than the right one. */
static inline float fault_value(const seeded_fault* f, float right) {
    switch (f->seed % 3) {
        case 0:
            return right + 0.01f;
        case 1:
            return right * 1.5f; /* a right 0 stays right */
        default:
            return right - 1;
    }
}

/* Writes element i of a result, whose right value is `right`. `runs` counts the runs, this one included. `beyond` is what the kernel makes
   of the elements one past the end of its inputs. */
#if defined(__GNUC__)
__attribute__((noinline, unused))
#endif
static void
fault_store(const seeded_fault* f, float* y, int64_t i, float right, int32_t runs, float beyond) {
    const int64_t one_percent = f->count / 100 > 0 ? f->count / 100 : 1;
    const int64_t begin = fault_hash(f->seed, -1) % (uint32_t)(f->count - one_percent + 1);
    const int is_scattered = fault_hash(f->seed, i) % 100 == 0, is_in_stretch = i >= begin && i < begin + one_percent;
    const int is_last = i == f->count - 1;
    switch (f->fault) {
        case FAULT_SCATTERED:
            y[i] = is_scattered ? fault_value(f, right) : right;
            break;
        case FAULT_STRETCH:
            y[i] = is_in_stretch ? fault_value(f, right) : right;
            break;
        case FAULT_LANE:
            y[i] = i % 16 == f->seed % 16 ? fault_value(f, right) : right;
            break;
        case FAULT_TAIL:
            y[i] = is_last ? right + 0.01f : right;
            break;
        case FAULT_BLOCK:
            y[i] = fault_channel(f, i) / 8 == f->seed % (f->channel / 8) ? fault_value(f, right) : right;
            break;
        case FAULT_SHARE:
            y[i] = i * 4 / f->count == f->seed % 4 ? fault_value(f, right) : right;
            break;
        case FAULT_LATER:
            y[i] = is_scattered && runs > 1 ? fault_value(f, right) : right;
            break;
        case FAULT_UNWRITTEN:
            if (!is_in_stretch) y[i] = right;
            break;
        case FAULT_HELD:
            if (is_scattered && f->seed % 4 == 0)
                y[i] += right;
            else if (is_scattered && f->seed % 4 == 1)
                y[i] = y[i] > right ? y[i] : right;
            else if (is_scattered && f->seed % 4 == 2)
                y[i] = y[i] < right ? y[i] : right;
            else if (is_scattered)
                y[i] = y[i] * 0 + right;
            else
                y[i] = right;
            break;
        case FAULT_PAST_WRITE:
            y[i] = right;
            if (is_last) y[i + 1] = right;
            break;
        case FAULT_PAST_READ:
            y[i] = is_last ? beyond : right;
            break;
        default:
            y[i] = right;
    }
}

#endif
