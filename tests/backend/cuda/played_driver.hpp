// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_CUDA_PLAYED_DRIVER_HPP
#define INLAY_TESTS_BACKEND_CUDA_PLAYED_DRIVER_HPP

#include <cstddef>
#include <fstream>
#include <string>

#include <dlfcn.h>

#include <doctest/doctest.h>
#include <inlay/codegen/compile/run_command.hpp>
#include <inlay/codegen/compile/system_compiler.hpp>

namespace cuda_test {

/// A library that stands for NVIDIA's driver: it gives what a test wants to hear, and runs nothing.
class played_driver {
public:
    /// `devices`: how many it knows; `starts`: what cuInit gives; `allocates`: whether it has a function for that; `records`: whether it
    /// makes graphs.
    explicit played_driver(int devices, int starts = 0, bool allocates = true, bool records = true) {
        REQUIRE(folder_.reason() == 0);
        std::string source = R"(
#include <stddef.h>
#include <string.h>
typedef unsigned long long place;
int cuInit(unsigned f) { (void)f; return )" +
                             std::to_string(starts) + R"(; }
int cuGetErrorString(int e, const char** t) { *t = e == 3 ? "not started" : "another error"; return 0; }
int cuDeviceGetCount(int* n) { *n = )" +
                             std::to_string(devices) + R"(; return 0; }
int cuDeviceGet(int* d, int n) { *d = n; return 0; }
int cuDeviceGetName(char* t, int l, int d) { (void)d; strncpy(t, "Played device", (size_t)l); return 0; }
int cuDeviceGetAttribute(int* v, int a, int d) { (void)d; *v = a == 75 ? 8 : a == 76 ? 6 : 0; return 0; }
int cuDevicePrimaryCtxRetain(void** c, int d) { (void)d; *c = (void*)1; return 0; }
int cuCtxSetCurrent(void* c) { return c == (void*)1 ? 0 : 1; }
static size_t streams, graphs, executables;
int cuStreamCreate(void** s, unsigned f) { (void)f; *s = (void*)(2 + 8 * streams++); return 0; }
int cuStreamDestroy_v2(void* s) { return s == (void*)2; }
int cuStreamBeginCapture_v2(void* s, int m) { return s == (void*)2 || m != 1; }
int cuStreamEndCapture(void* s, void** g) { if (s == (void*)2) return 1; ++graphs; *g = &graphs; return 0; }
int cuGraphInstantiateWithFlags(void** e, void* g, unsigned long long f) { if (g != &graphs || f != 0) return 1; ++executables; *e = &executables; return )" +
                             std::string(records ? "0" : "801") + R"(; }
int cuGraphLaunch(void* e, void* s) { return e != &executables || s != (void*)2; }
int cuGraphExecDestroy(void* e) { --executables; return e != &executables; }
int cuGraphDestroy(void* g) { --graphs; return g != &graphs; }
size_t played_left(void) { return graphs + executables; }
int cuStreamSynchronize(void* s) { (void)s; return 0; }
int cuMemFree_v2(place a) { (void)a; return 0; }
int cuMemcpyHtoDAsync_v2(place t, const void* f, size_t b, void* s) { (void)t; (void)f; (void)b; (void)s; return 0; }
int cuMemcpyDtoHAsync_v2(void* t, place f, size_t b, void* s) { (void)t; (void)f; (void)b; (void)s; return 0; }
int cuMemcpyDtoDAsync_v2(place t, place f, size_t b, void* s) { (void)t; (void)f; (void)b; (void)s; return 0; }
int cuModuleLoadData(void** m, const void* i) { (void)i; *m = (void*)3; return 0; }
int cuModuleUnload(void* m) { (void)m; return 0; }
int cuModuleGetFunction(void** f, void* m, const char* n) { (void)m; (void)n; *f = (void*)4; return 0; }
int cuFuncSetAttribute(void* f, int a, int v) { (void)f; (void)a; (void)v; return 0; }
int cuLaunchKernel(void* f, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned g, unsigned h, void* s, void** p, void** x)
{ (void)f; (void)a; (void)b; (void)c; (void)d; (void)e; (void)g; (void)h; (void)s; (void)p; (void)x; return 0; }
)";
        if (allocates) source += "int cuMemAlloc_v2(place* a, size_t b) { (void)b; *a = 4096; return 0; }\n";
        const std::string text = folder_.path() + "/driver.c";
        std::ofstream(text) << source;
        const auto compiler = inlay::find_compiler(inlay::source_language::c99);
        REQUIRE(compiler);
        inlay::command_request run{compiler->command, {}, 60};
        for (const std::string& word : {std::string("-shared"), std::string("-fPIC"), std::string("-o"), library(), text})
            run.words.push_back(word);
        const auto end = inlay::run_command(run);
        REQUIRE(end);
        REQUIRE_MESSAGE(end->succeeded(), end->output);
    }
    /// Graphs and what was made of them that have not been given back.
    [[nodiscard]] std::size_t left() const {
        void* const code = dlopen(library().c_str(), RTLD_NOW | RTLD_NOLOAD);
        REQUIRE(code != nullptr);
        const auto ask = reinterpret_cast<std::size_t (*)()>(dlsym(code, "played_left"));
        dlclose(code);
        REQUIRE(static_cast<bool>(ask));
        return ask();
    }
    [[nodiscard]] std::string library() const { return folder_.path() + "/libplayed.so"; }

private:
    inlay::detail::passing_folder folder_;
};

}  // namespace cuda_test

#endif
