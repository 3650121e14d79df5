/* Copyright the inlay authors. */
/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for NVIDIA's driver: a device whose memory is the processor's. Its addresses are others than the processor's, so that who follows one
   on the processor ends with a fault. It runs no kernels: libraries that are played beside it compute. */
#include "cuda.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long place;

static const place shift = 1ULL << 60;
static char context, stream;

struct block {
    char* at;
    size_t bytes;
    struct block* next;
};
static struct block* blocks;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

void* played_bytes(const char* who, const void* address, size_t bytes) {
    const place at = (place)(uintptr_t)address;
    char* found = NULL;
    pthread_mutex_lock(&guard);
    for (struct block* b = blocks; b != NULL && found == NULL; b = b->next) {
        const place begin = (place)(uintptr_t)b->at + shift;
        if (at >= begin && at - begin <= b->bytes && bytes <= b->bytes - (at - begin)) found = b->at + (at - begin);
    }
    pthread_mutex_unlock(&guard);
    if (found == NULL) fprintf(stderr, "%s: %zu bytes at %p are in no block of the device's memory\n", who, bytes, address);
    return found;
}

int played_stream(const void* s) { return s == &stream; }

int cuInit(unsigned flags) { return flags != 0; }
int cuGetErrorString(int error, const char** text) {
    *text = error == 0 ? "no error" : error == 2 ? "out of memory" : "invalid argument";
    return 0;
}
int cuDeviceGetCount(int* count) {
    *count = 1;
    return 0;
}
int cuDeviceGet(int* device, int number) {
    *device = number;
    return number != 0;
}
int cuDeviceGetName(char* name, int length, int device) {
    snprintf(name, (size_t)length, "Played device");
    return device != 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int device) {
    *value = attribute == 75 ? 8 : 0;
    return device != 0;
}
int cuDevicePrimaryCtxRetain(void** c, int device) {
    *c = &context;
    return device != 0;
}
int cuCtxSetCurrent(void* c) { return c != &context; }
int cuStreamCreate(void** s, unsigned flags) {
    *s = &stream;
    return flags != 1;
}
int cuStreamDestroy_v2(void* s) { return s != &stream; }
int cuStreamSynchronize(void* s) { return s != &stream; }

int cuMemAlloc_v2(place* address, size_t bytes) {
    struct block* const b = malloc(sizeof *b);
    if (b == NULL || bytes == 0 || (b->at = aligned_alloc(256, (bytes + 255) / 256 * 256)) == NULL) {
        free(b);
        return 2;
    }
    memset(b->at, 0xA5, bytes);
    b->bytes = bytes;
    pthread_mutex_lock(&guard);
    b->next = blocks;
    blocks = b;
    pthread_mutex_unlock(&guard);
    *address = (place)(uintptr_t)b->at + shift;
    return 0;
}
int cuMemFree_v2(place address) {
    struct block* found = NULL;
    pthread_mutex_lock(&guard);
    for (struct block** b = &blocks; *b != NULL && found == NULL; b = found == NULL ? &(*b)->next : b)
        if ((place)(uintptr_t)(*b)->at + shift == address) {
            found = *b;
            *b = found->next;
        }
    pthread_mutex_unlock(&guard);
    if (found == NULL) return 1;
    free(found->at);
    free(found);
    return 0;
}
int cuMemcpyHtoDAsync_v2(place to, const void* from, size_t bytes, void* s) {
    void* const there = played_bytes("a copy in", (const void*)(uintptr_t)to, bytes);
    if (there == NULL || s != &stream) return 1;
    memcpy(there, from, bytes);
    return 0;
}
int cuMemcpyDtoHAsync_v2(void* to, place from, size_t bytes, void* s) {
    const void* const there = played_bytes("a copy out", (const void*)(uintptr_t)from, bytes);
    if (there == NULL || s != &stream) return 1;
    memcpy(to, there, bytes);
    return 0;
}
int cuMemcpyDtoDAsync_v2(place to, place from, size_t bytes, void* s) {
    void* const target = played_bytes("a copy", (const void*)(uintptr_t)to, bytes);
    const void* const source = played_bytes("a copy", (const void*)(uintptr_t)from, bytes);
    if (target == NULL || source == NULL || s != &stream) return 1;
    memcpy(target, source, bytes);
    return 0;
}

/* What it does not play. */
int cuStreamBeginCapture_v2(void* s, int mode) {
    (void)s;
    (void)mode;
    return 801;
}
int cuStreamEndCapture(void* s, void** graph) {
    (void)s;
    *graph = NULL;
    return 801;
}
int cuGraphInstantiateWithFlags(void** executable, void* graph, unsigned long long flags) {
    (void)executable;
    (void)graph;
    (void)flags;
    return 801;
}
int cuGraphLaunch(void* executable, void* s) {
    (void)executable;
    (void)s;
    return 801;
}
int cuGraphExecDestroy(void* executable) {
    (void)executable;
    return 801;
}
int cuGraphDestroy(void* graph) {
    (void)graph;
    return 801;
}
int cuModuleLoadData(void** module, const void* image) {
    (void)module;
    (void)image;
    return 1;
}
int cuModuleUnload(void* module) {
    (void)module;
    return 1;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
    (void)function;
    (void)module;
    (void)name;
    return 1;
}
int cuFuncSetAttribute(void* function, int attribute, int value) {
    (void)function;
    (void)attribute;
    (void)value;
    return 1;
}
int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void* s,
                   void** arguments, void** extra) {
    (void)function, (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared, (void)s, (void)arguments, (void)extra;
    return 1;
}
