/* Copyright the inlay authors.
   SPDX-License-Identifier: Apache-2.0

   A back end that is written in Python. This library runs the script that stands beside it under its own name, `NAME.py` for `NAME.so`, in
   an interpreter inside of the process, and hands on the table that the script makes (inlay_backend.py). Python's library is looked for
   when it is needed, and named with $INLAY_LIBPYTHON where it is called otherwise. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inlay/backend/plugin/backend_abi.h>

static const inlay_backend* given;

/* What is here when there is no Python: a table that no version knows, so that the host skips it; the reason goes with it. */
static const inlay_backend* without_python(const char* why) {
    fprintf(stderr, "inlay: a back end in Python: %s\n", why);
    return NULL;
}

static void* python_library(void) {
    char name[64];
    const char* own = getenv("INLAY_LIBPYTHON");
    void* found = own != NULL ? dlopen(own, RTLD_NOW | RTLD_GLOBAL) : NULL;
    for (int minor = 20; found == NULL && minor >= 8; --minor) {
        snprintf(name, sizeof name, "libpython3.%d.so.1.0", minor);
        found = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
    }
    return found;
}

INLAY_BACKEND_EXPORT const inlay_backend* inlay_backend_entry(void) {
    Dl_info own;
    char script[4096], text[10240];
    if (given != NULL) return given;
    void* const python = python_library();
    if (python == NULL) return without_python("there is no libpython3; install it, or name it with $INLAY_LIBPYTHON");
    void (*const initialize)(int) = (void (*)(int))(intptr_t)dlsym(python, "Py_InitializeEx");
    int (*const is_initialized)(void) = (int (*)(void))(intptr_t)dlsym(python, "Py_IsInitialized");
    int (*const run)(const char*) = (int (*)(const char*))(intptr_t)dlsym(python, "PyRun_SimpleString");
    int (*const ensure)(void) = (int (*)(void))(intptr_t)dlsym(python, "PyGILState_Ensure");
    void (*const leave)(int) = (void (*)(int))(intptr_t)dlsym(python, "PyGILState_Release");
    void* (*const save)(void) = (void* (*)(void))(intptr_t)dlsym(python, "PyEval_SaveThread");
    if (!initialize || !is_initialized || !run || !ensure || !leave || !save) return without_python("its library lacks a function");
    if (dladdr((void*)(intptr_t)&inlay_backend_entry, &own) == 0 || strlen(own.dli_fname) + 1 > sizeof script)
        return without_python("where this library stands is not known");
    strcpy(script, own.dli_fname);
    char* const end = strrchr(script, '.');
    if (end == NULL || strchr(script, '\'') != NULL || strchr(script, '\\') != NULL) return without_python("the library's path has no ending, or quotes in it");
    strcpy(end, ".py");
    /* The interpreter is nobody's: whoever calls into it takes its lock, which is free between calls. */
    const int is_first = !is_initialized();
    if (is_first) initialize(0);
    const int held = is_first ? 0 : ensure();
    snprintf(text, sizeof text,
             "import os, sys\n"
             "sys.path.insert(0, os.path.dirname(r'%s'))\n"
             "import inlay_backend\n"
             "inlay_backend.run_script(r'%s', %llu)\n",
             script, script, (unsigned long long)(uintptr_t)&given);
    const int failed = run(text);
    if (is_first)
        save();
    else
        leave(held);
    return failed != 0 ? without_python("its script has failed") : given;
}
