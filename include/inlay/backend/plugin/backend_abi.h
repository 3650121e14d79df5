/* Copyright the inlay authors.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef INLAY_BACKEND_PLUGIN_BACKEND_ABI_H
#define INLAY_BACKEND_PLUGIN_BACKEND_ABI_H

#include <stddef.h>
#include <stdint.h>

/* A back end as a library: what it says to inlay, and what inlay says to it, in C. The library exports one function,

       const inlay_backend* inlay_backend_entry(void);

   which gives a table that lives as long as the process; the library is never unloaded. Every function of the table may be called by
   several threads at once. No exception and no longjmp crosses it. Texts are UTF-8 and not terminated by a zero.

   The version says what the structs below mean. Structs with a `size` first may grow at their end: who fills one in writes its sizeof,
   and who reads it asks for no member behind that. All others never change within a version. */
#define INLAY_BACKEND_ABI_VERSION 1u

#ifdef __cplusplus
extern "C" {
#endif

typedef struct inlay_text {
    const char* data;
    size_t size;
} inlay_text;

/* What a function takes to say something: a reason, a version, a piece of code. It may be called more than once; the pieces are joined. */
typedef struct inlay_reply {
    void* to;
    void (*say)(void* to, const char* text, size_t size);
} inlay_reply;

typedef enum inlay_element {
    INLAY_NONE = 0,
    INLAY_FLOAT16 = 1,
    INLAY_BFLOAT16 = 2,
    INLAY_FLOAT32 = 3,
    INLAY_FLOAT64 = 4,
    INLAY_INT8 = 5,
    INLAY_INT16 = 6,
    INLAY_INT32 = 7,
    INLAY_INT64 = 8,
    INLAY_UINT8 = 9,
    INLAY_UINT16 = 10,
    INLAY_UINT32 = 11,
    INLAY_UINT64 = 12,
    INLAY_BOOL = 13
} inlay_element;

typedef enum inlay_device { INLAY_CPU = 0, INLAY_CUDA = 1, INLAY_EXT_DEV = 2 } inlay_device;

typedef struct inlay_tensor_type {
    uint32_t element; /* an inlay_element */
    uint32_t rank;
    const int64_t* extents;
} inlay_tensor_type;

typedef enum inlay_attribute_kind {
    INLAY_INTEGER = 0, /* values: const int64_t* */
    INLAY_NUMBER = 1,  /* const double* */
    INLAY_TEXT = 2,    /* const inlay_text* */
    INLAY_INTEGERS = 3,
    INLAY_NUMBERS = 4,
    INLAY_TEXTS = 5,
    INLAY_TENSOR = 6 /* const inlay_constant* */
} inlay_attribute_kind;

/* A tensor that is known: its elements stand row after row, aligned to 64 bytes, with 64 readable bytes behind them. */
typedef struct inlay_constant {
    inlay_tensor_type type;
    const void* data;
    size_t bytes;
} inlay_constant;

typedef struct inlay_attribute {
    inlay_text name;
    uint32_t kind; /* an inlay_attribute_kind */
    uint32_t count;
    const void* values; /* `count` of what the kind says; one for a scalar, a text and a tensor */
} inlay_attribute;

typedef enum inlay_role {
    INLAY_INPUT = 0,
    INLAY_CONSTANT = 1,
    INLAY_CALL = 2,
    INLAY_PROJECTION = 3, /* a field of a call with several results */
    INLAY_ABSENT = 4      /* an optional operand that is left out */
} inlay_role;

/* One value of a region. */
typedef struct inlay_value {
    uint32_t role;     /* an inlay_role */
    uint32_t field;    /* of a projection */
    uint32_t is_tuple; /* not 0: a call with several results, whose types are those of its fields */
    inlay_text op;     /* of a call, with its dialect: "onnx.Conv" */
    const uint32_t* operands;
    size_t operand_count;
    const inlay_attribute* attributes; /* in ascending order of name */
    size_t attribute_count;
    const inlay_tensor_type* types; /* one; of a tuple one for each field; none where absent */
    size_t type_count;
    const void* data; /* of a constant, as in inlay_constant */
    size_t bytes;
} inlay_value;

/* A region that a pattern matched: its values, inputs first, then constants, then what it computes, operands first. Results are the values
   that leave it. It is there until `read` returns; a constant's data until the plan and all kernels made of it are released. */
typedef struct inlay_region {
    size_t size;
    const inlay_value* values;
    size_t value_count;
    size_t input_count;
    size_t constant_count;
    const uint32_t* results;
    size_t result_count;
} inlay_region;

typedef enum inlay_layout {
    INLAY_PLAIN = 0,           /* row-major in the order of the axes */
    INLAY_CHANNELS_LAST = 1,   /* axis 1 moved to the end */
    INLAY_CHANNELS_BLOCKED = 2 /* axis 1 split into blocks of `block`, the place in the block innermost, the last block filled with zeros */
} inlay_layout;

/* How a tensor stands at the border of a region. Version 1 knows the CPU's main memory alone. */
typedef struct inlay_format {
    uint32_t element; /* an inlay_element: that of the tensor's type */
    uint32_t layout;  /* an inlay_layout */
    uint32_t block;   /* 1 where the layout has no blocks */
} inlay_format;

/* A format for each input and each result of a region. */
typedef struct inlay_borders {
    const inlay_format* inputs;
    const inlay_format* results;
} inlay_borders;

/* Threads of the run: `run` calls task(context, 0) ... task(context, count - 1) in any order and returns when all have ended. */
typedef struct inlay_executor {
    size_t size;
    size_t threads;
    void* pool;
    void (*run)(void* pool, size_t count, void (*task)(void* context, size_t number), void* context);
} inlay_executor;

typedef struct inlay_run {
    size_t size;
    const void* const* inputs; /* in the order of the region's inputs, aligned to 64 bytes, in the formats that were agreed */
    void* const* results;
    void* workspace; /* `workspace_bytes` of the kernel, aligned to 64, of any content */
    const inlay_executor* executor;
} inlay_run;

/* Code of one region, filled in by `emit`. `run` gives 0, or another number where it failed. */
typedef struct inlay_kernel {
    size_t size; /* filled in by who calls `emit` */
    void* state;
    int (*run)(void* state, const inlay_run* how);
    void (*release)(void* state);
    size_t workspace_bytes;
} inlay_kernel;

/* Where `emit_c` says its C: the function `name` of `const T* input...`, the constants, `T* result...` in their order, and `void* workspace`
   where it needs one. What it needs stands before it, each once in a file: a definition, a declaration or an include. A header is a file
   that an include names, a source one that is compiled beside the program; their names have no slash. */
typedef struct inlay_c_code {
    size_t size;
    void* to;
    void (*function)(void* to, inlay_text text);
    void (*needs)(void* to, inlay_text text);
    void (*header)(void* to, inlay_text name, inlay_text text);
    void (*source)(void* to, inlay_text name, inlay_text text);
    void (*constant)(void* to, const inlay_constant* value); /* a pointer to it is an argument behind the inputs */
    void (*workspace)(void* to, size_t bytes);
} inlay_c_code;

typedef enum inlay_option_type {
    INLAY_OPTION_BOOL = 0,
    INLAY_OPTION_INT = 1,
    INLAY_OPTION_FLOAT = 2,
    INLAY_OPTION_STRING = 3,
    INLAY_OPTION_STRINGS = 4, /* with commas between */
    INLAY_OPTION_INTS = 5
} inlay_option_type;

/* An option, which becomes `-name=value` of the target and `--target-KIND-name` of a command line. */
typedef struct inlay_option {
    inlay_text name, doc;
    inlay_text otherwise; /* the default, as text of a command line */
    uint32_t type;        /* an inlay_option_type */
    int64_t least, most;  /* of integers */
} inlay_option;

typedef struct inlay_option_value {
    inlay_text name, value; /* as text of a command line */
} inlay_option_value;

/* A composite: a pattern in its text form, and behind it what `read` says. */
typedef struct inlay_composite {
    inlay_text name, pattern;
    uint32_t makes_own_code; /* not 0: it makes other code of the same nodes than the back end's other composites, and is priced beside them */
} inlay_composite;

typedef enum inlay_status {
    INLAY_YES = 0,
    INLAY_NO = 1,    /* the answer is no; the reply has one sentence that says why */
    INLAY_FAILED = 2 /* something is broken; the reply says what */
} inlay_status;

/* The table. Functions may be null where that is said. A plan is what the back end keeps of a match that it took. */
typedef struct inlay_backend {
    size_t size;
    uint32_t version; /* INLAY_BACKEND_ABI_VERSION */
    uint32_t device;  /* an inlay_device */
    inlay_text kind;
    inlay_text refines;    /* a plain target: llvm, c, cuda, ext_dev */
    uint32_t by_name_only; /* not 0: it takes part only where it is named */
    const inlay_option* options;
    size_t option_count;
    const inlay_composite* composites; /* highest priority first */
    size_t composite_count;

    /* An instance of this table with these options set, the others at their defaults. */
    inlay_status (*open)(const struct inlay_backend* table, const inlay_option_value* options, size_t count, void** instance,
                         inlay_reply why);
    void (*close)(void* instance);
    /* Says the version of the code that it makes: part of the key of every measurement. Asked once, when the instance was opened. */
    void (*describe)(void* instance, inlay_reply version);
    /* Whether it can run here. Null: it can. */
    inlay_status (*usable)(void* instance, inlay_reply why);
    /* Whether it takes a match. `captures`: by slot of the pattern, in order of first appearance in its text, the value that is captured
       there, or UINT32_MAX. */
    inlay_status (*read)(void* instance, uint32_t composite, const inlay_region* region, const uint32_t* captures, size_t capture_count,
                         void** plan, inlay_reply why);
    void (*release)(void* instance, void* plan);
    /* Takes one call for each list of formats in which it takes the region. Null: all row-major. */
    void (*formats)(void* instance, void* plan, void* to, void (*take)(void* to, const inlay_borders* borders));
    /* Seconds; INLAY_NO: it is to be measured. Null: it is always measured. */
    inlay_status (*price)(void* instance, void* plan, const inlay_borders* borders, double* seconds, inlay_reply why);
    /* Seconds that no measurement is below. Null: 0. */
    double (*lower_bound)(void* instance, void* plan, const inlay_borders* borders);
    /* Null: it makes no code that runs here, and `emit_c` is there. */
    inlay_status (*emit)(void* instance, void* plan, const inlay_borders* borders, inlay_kernel* made, inlay_reply why);
    /* Null: its code does not leave as C. */
    inlay_status (*emit_c)(void* instance, void* plan, const inlay_borders* borders, inlay_text name, const inlay_c_code* code,
                           inlay_reply why);
} inlay_backend;

typedef const inlay_backend* (*inlay_backend_entry_function)(void);
#define INLAY_BACKEND_ENTRY "inlay_backend_entry"

#if defined(_WIN32)
#define INLAY_BACKEND_EXPORT __declspec(dllexport)
#else
#define INLAY_BACKEND_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
}
#endif

#endif
