/* Copyright the inlay authors.
   SPDX-License-Identifier: Apache-2.0

   A back end whose kernels have seeded faults. It takes Relu, and Add of two tensors of one shape, in float32 of rank 4: the extent H says
   which fault (8: the first of seeded_faults.h), and W the seed (12: seed 0). The variable FAULTS=off makes it right, and VERSION is its
   version. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <inlay/backend/plugin/backend_abi.h>

#include "seeded_faults.h"

#define TEXT(literal) \
    { literal, sizeof(literal) - 1 }

typedef struct {
    double gbps;
    int32_t layout;
} machine;

typedef struct {
    seeded_fault fault;
    int has_two;
} line;

typedef struct {
    line what;
    atomic_int runs;
} code;

static void say(inlay_reply to, const char* text) { to.say(to.to, text, strlen(text)); }

static const inlay_option options[] = {
    {TEXT("gbps"), TEXT("billion bytes a second that its prices go by; 0: they are measured"), TEXT("0"), INLAY_OPTION_FLOAT, 0, 0},
    {TEXT("layout"), TEXT("0: row-major, 1: channels last, 8 and 16: in blocks of so many channels"), TEXT("0"), INLAY_OPTION_INT, 0, 16}};

static const inlay_composite composites[] = {{TEXT("relu"), TEXT("onnx.Relu"), 0}, {TEXT("add"), TEXT("onnx.Add"), 0}};

static inlay_status open_machine(const inlay_backend* table, const inlay_option_value* values, size_t count, void** instance,
                                 inlay_reply why) {
    machine* made = calloc(1, sizeof *made);
    (void)table, (void)why;
    if (made == NULL) return INLAY_FAILED;
    for (size_t i = 0; i < count; ++i) {
        char text[64] = "";
        memcpy(text, values[i].value.data, values[i].value.size < 63 ? values[i].value.size : 63);
        if (values[i].name.size == 4) made->gbps = strtod(text, NULL);
        if (values[i].name.size == 6) made->layout = (int32_t)strtol(text, NULL, 10);
    }
    *instance = made;
    return INLAY_YES;
}
static void close_machine(void* instance) { free(instance); }
static void describe(void* instance, inlay_reply version) {
    const char* const own = getenv("VERSION");
    (void)instance;
    say(version, own != NULL ? own : "1");
}

static inlay_status read_match(void* instance, uint32_t composite, const inlay_region* region, const uint32_t* captures,
                               size_t capture_count, void** plan, inlay_reply why) {
    const machine* self = instance;
    const inlay_tensor_type* type = region->values[region->results[0]].types;
    const char* const faults = getenv("FAULTS");
    (void)captures, (void)capture_count;
    if (type->element != INLAY_FLOAT32 || type->rank != 4 || region->input_count != composite + 1 || type->extents[2] < 8) {
        say(why, "it takes images of float32");
        return INLAY_NO;
    }
    line* made = calloc(1, sizeof *made);
    if (made == NULL) return INLAY_FAILED;
    const int64_t block = self->layout > 1 ? self->layout : 1;
    made->fault.fault = faults != NULL && strcmp(faults, "off") == 0 ? FAULT_NONE : (int)type->extents[2] - 8;
    made->fault.seed = (uint32_t)type->extents[3] - 12;
    made->fault.layout = self->layout;
    made->fault.inner = type->extents[2] * type->extents[3];
    made->fault.channel = (type->extents[1] + block - 1) / block * block;
    made->fault.count = type->extents[0] * made->fault.channel * made->fault.inner;
    made->has_two = composite == 1;
    *plan = made;
    return INLAY_YES;
}
static void release(void* instance, void* plan) {
    (void)instance;
    free(plan);
}
static void formats(void* instance, void* plan, void* to, void (*take)(void* to, const inlay_borders* borders)) {
    const int32_t layout = ((const machine*)instance)->layout;
    const inlay_format one = {INLAY_FLOAT32,
                              layout == 0   ? INLAY_PLAIN
                              : layout == 1 ? INLAY_CHANNELS_LAST
                                            : INLAY_CHANNELS_BLOCKED,
                              layout > 1 ? (uint32_t)layout : 1};
    const inlay_format inputs[] = {one, one};
    const inlay_borders all = {inputs, &one};
    (void)plan;
    take(to, &all);
}
static inlay_status price(void* instance, void* plan, const inlay_borders* borders, double* seconds, inlay_reply why) {
    const machine* self = instance;
    (void)borders, (void)why;
    if (self->gbps <= 0) return INLAY_NO;
    *seconds = (double)((const line*)plan)->fault.count * 8 / (self->gbps * 1e9);
    return INLAY_YES;
}

typedef struct {
    const line* what;
    const inlay_run* how;
    int32_t runs;
} task;

static float value_at(const task* t, int64_t i) {
    const float a = ((const float*)t->how->inputs[0])[i];
    if (t->what->has_two) return a + ((const float*)t->how->inputs[1])[i];
    return a > 0 ? a : 0;
}
static void run_piece(void* context, size_t number) {
    const task* t = context;
    const int64_t count = t->what->fault.count;
    float* y = t->how->results[0];
    for (int64_t i = count * (int64_t)number / 4; i < count * (int64_t)(number + 1) / 4; ++i)
        fault_store(&t->what->fault, y, i, value_at(t, i), t->runs, i == count - 1 ? value_at(t, count) : 0);
}
static int run(void* state, const inlay_run* how) {
    code* self = state;
    task t = {&self->what, how, atomic_fetch_add(&self->runs, 1) + 1};
    how->executor->run(how->executor->pool, 4, run_piece, &t);
    return 0;
}
static inlay_status emit(void* instance, void* plan, const inlay_borders* borders, inlay_kernel* made, inlay_reply why) {
    code* own = calloc(1, sizeof *own);
    (void)instance, (void)borders, (void)why;
    if (own == NULL) return INLAY_FAILED;
    own->what = *(const line*)plan;
    made->state = own;
    made->run = run;
    made->release = free;
    return INLAY_YES;
}

INLAY_BACKEND_EXPORT const inlay_backend* inlay_backend_entry(void) {
    static const inlay_backend table = {.size = sizeof(inlay_backend),
                                        .version = INLAY_BACKEND_ABI_VERSION,
                                        .device = INLAY_CPU,
                                        .kind = TEXT("faulty"),
                                        .refines = TEXT("llvm"),
                                        .options = options,
                                        .option_count = sizeof options / sizeof *options,
                                        .composites = composites,
                                        .composite_count = sizeof composites / sizeof *composites,
                                        .open = open_machine,
                                        .close = close_machine,
                                        .describe = describe,
                                        .read = read_match,
                                        .release = release,
                                        .formats = formats,
                                        .price = price,
                                        .emit = emit};
    return &table;
}
