/* Copyright the inlay authors.
   SPDX-License-Identifier: Apache-2.0

   A back end in C alone. It takes Relu, alone or of an Add or Mul of two tensors of one shape, in float32; runs it on the threads that it
   is given, and gives it as C for programs that leave. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inlay/backend/plugin/backend_abi.h>

#define TEXT(literal) {literal, sizeof(literal) - 1}

typedef struct {
    long least;  /* -least: fewest elements that it takes */
    double gbps; /* -gbps: billion bytes a second that its prices go by; 0: it is measured */
} machine;

typedef enum { ADD, MUL, RELU_ALONE } operation;

typedef struct {
    operation what;
    size_t count;
} line;

static void say(inlay_reply to, const char* text) { to.say(to.to, text, strlen(text)); }

static const inlay_option options[] = {
    {TEXT("least"), TEXT("fewest elements that it takes"), TEXT("1"), INLAY_OPTION_INT, 1, 1 << 30},
    {TEXT("gbps"), TEXT("billion bytes a second that its prices go by; 0: they are measured"), TEXT("0"), INLAY_OPTION_FLOAT, 0, 0}};

static const inlay_composite composites[] = {{TEXT("relu_of_sum"), TEXT("onnx.Relu(onnx.Add(*, *))"), 0},
                                             {TEXT("relu_of_product"), TEXT("onnx.Relu(onnx.Mul(*, *))"), 0},
                                             {TEXT("relu"), TEXT("onnx.Relu"), 0}};

static inlay_status open_machine(const inlay_backend* table, const inlay_option_value* values, size_t count, void** instance, inlay_reply why) {
    (void)table;
    machine* made = malloc(sizeof *made);
    if (made == NULL) {
        say(why, "there is no memory for an instance");
        return INLAY_FAILED;
    }
    made->least = 1;
    made->gbps = 0;
    for (size_t i = 0; i < count; ++i) {
        /* The host has read the text already, so that it is a number; here it only needs an end. */
        char text[64];
        const size_t size = values[i].value.size < sizeof text ? values[i].value.size : sizeof text - 1;
        memcpy(text, values[i].value.data, size);
        text[size] = 0;
        if (values[i].name.size == 5 && memcmp(values[i].name.data, "least", 5) == 0) made->least = strtol(text, NULL, 10);
        if (values[i].name.size == 4 && memcmp(values[i].name.data, "gbps", 4) == 0) made->gbps = strtod(text, NULL);
    }
    *instance = made;
    return INLAY_YES;
}
static void close_machine(void* instance) { free(instance); }
static void describe(void* instance, inlay_reply version) {
    (void)instance;
    say(version, "1");
}

static int is_same_type(const inlay_value* a, const inlay_value* b) {
    const inlay_tensor_type *s = a->types, *t = b->types;
    if (a->type_count != 1 || b->type_count != 1 || s->element != t->element || s->rank != t->rank) return 0;
    for (uint32_t i = 0; i < s->rank; ++i)
        if (s->extents[i] != t->extents[i]) return 0;
    return 1;
}

static inlay_status read_match(void* instance, uint32_t composite, const inlay_region* region, const uint32_t* captures,
                               size_t capture_count, void** plan, inlay_reply why) {
    const machine* self = instance;
    const inlay_value* result = &region->values[region->results[0]];
    size_t count = 1;
    (void)captures, (void)capture_count;
    if (result->types->element != INLAY_FLOAT32) {
        say(why, "it takes float32");
        return INLAY_NO;
    }
    if (region->input_count != (composite == RELU_ALONE ? 1u : 2u)) {
        say(why, "it takes tensors that are computed, and two different ones, not constants");
        return INLAY_NO;
    }
    for (size_t i = 0; i < region->input_count; ++i)
        if (!is_same_type(&region->values[i], result)) {
            say(why, "it takes tensors of one shape, and stretches none");
            return INLAY_NO;
        }
    for (uint32_t i = 0; i < result->types->rank; ++i) count *= (size_t)result->types->extents[i];
    if (count < (size_t)self->least) {
        char text[96];
        snprintf(text, sizeof text, "it takes %ld elements and more, and here are %zu", self->least, count);
        say(why, text);
        return INLAY_NO;
    }
    line* made = malloc(sizeof *made);
    if (made == NULL) {
        say(why, "there is no memory for a plan");
        return INLAY_FAILED;
    }
    made->what = (operation)composite;
    made->count = count;
    *plan = made;
    return INLAY_YES;
}
static void release(void* instance, void* plan) {
    (void)instance;
    free(plan);
}

static inlay_status price(void* instance, void* plan, const inlay_borders* borders, double* seconds, inlay_reply why) {
    const machine* self = instance;
    const line* l = plan;
    (void)borders, (void)why;
    if (self->gbps <= 0) return INLAY_NO;
    *seconds = (double)l->count * (l->what == RELU_ALONE ? 8 : 12) / (self->gbps * 1e9);
    return INLAY_YES;
}

typedef struct {
    const line* what;
    const inlay_run* how;
    size_t piece;
} task;

static void run_piece(void* context, size_t number) {
    const task* t = context;
    const float* a = t->how->inputs[0];
    const float* b = t->what->what == RELU_ALONE ? a : t->how->inputs[1];
    float* y = t->how->results[0];
    const size_t from = number * t->piece;
    const size_t to = t->what->count - from < t->piece ? t->what->count : from + t->piece;
    switch (t->what->what) {
        case ADD:
            for (size_t i = from; i < to; ++i) y[i] = a[i] + b[i] > 0 ? a[i] + b[i] : 0;
            break;
        case MUL:
            for (size_t i = from; i < to; ++i) y[i] = a[i] * b[i] > 0 ? a[i] * b[i] : 0;
            break;
        case RELU_ALONE:
            for (size_t i = from; i < to; ++i) y[i] = a[i] > 0 ? a[i] : 0;
            break;
    }
}
static int run(void* state, const inlay_run* how) {
    enum { piece = 16384 };
    task t;
    t.what = state;
    t.how = how;
    t.piece = piece;
    how->executor->run(how->executor->pool, (t.what->count + piece - 1) / piece, run_piece, &t);
    return 0;
}
static inlay_status emit(void* instance, void* plan, const inlay_borders* borders, inlay_kernel* made, inlay_reply why) {
    line* own = malloc(sizeof *own);
    (void)instance, (void)borders;
    if (own == NULL) {
        say(why, "there is no memory for a kernel");
        return INLAY_FAILED;
    }
    *own = *(const line*)plan;
    made->state = own;
    made->run = run;
    made->release = free;
    made->workspace_bytes = 0;
    return INLAY_YES;
}

static inlay_status emit_c(void* instance, void* plan, const inlay_borders* borders, inlay_text name, const inlay_c_code* code,
                           inlay_reply why) {
    static const char* const sums[] = {"a[i] + b[i]", "a[i] * b[i]", "a[i]"};
    const line* l = plan;
    char text[512];
    (void)instance, (void)borders;
    const int size = snprintf(text, sizeof text,
                              "static void %.*s(const float* a, %sfloat* y) {\n"
                              "    for (long i = 0; i < %zu; ++i) {\n"
                              "        const float v = %s;\n"
                              "        y[i] = v > 0 ? v : 0;\n"
                              "    }\n"
                              "}\n",
                              (int)name.size, name.data, l->what == RELU_ALONE ? "" : "const float* b, ", l->count, sums[l->what]);
    if (size < 0 || (size_t)size >= sizeof text) {
        say(why, "the function's name is too long");
        return INLAY_FAILED;
    }
    code->function(code->to, (inlay_text){text, (size_t)size});
    return INLAY_YES;
}

#ifndef KIND
#define KIND "vector_c"
#endif

INLAY_BACKEND_EXPORT const inlay_backend* inlay_backend_entry(void) {
    static const inlay_backend table = {.size = sizeof(inlay_backend),
                                        .version = INLAY_BACKEND_ABI_VERSION,
                                        .device = INLAY_CPU,
                                        .kind = TEXT(KIND),
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
                                        .price = price,
                                        .emit = emit,
                                        .emit_c = emit_c};
    return &table;
}
