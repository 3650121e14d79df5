// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/cuda/nvrtc.hpp>

#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include <inlay/codegen/compile/run_command.hpp>
#include <inlay/codegen/compile/system_compiler.hpp>
#include <inlay/loops/text/cuda_text.hpp>
#include <inlay/loops/text/tensor_core.hpp>

#include "../../loops/nests.hpp"

using namespace inlay;
using detail::nvrtc;

namespace {

/// What a library that stands for NVIDIA's answers.
struct answers {
    int version = 0, create = 0, compile = 0;
    std::string log = "kernels.cu(3): error: no such type";
    std::string cubin_size = "4";
    bool has_cubin = true;
};

/// The library, of which `name`d functions are found.
outcome<nvrtc> played(const detail::passing_folder& folder, const answers& a) {
    const std::string text = folder.path() + "/nvrtc.c", library = folder.path() + "/libplayed.so";
    std::ofstream(text)
        << "#include <stddef.h>\n#include <string.h>\n"
        << "int nvrtcVersion(int* a, int* b) { *a = 12; *b = 4; return " << a.version << "; }\n"
        << "const char* nvrtcGetErrorString(int e) { return e == 6 ? \"COMPILATION\" : NULL; }\n"
        << "static const char* source;\n"
        << "int nvrtcCreateProgram(void** p, const char* s, const char* n, int h, const char* const* t, const char* const* m)\n"
        << "{ (void)n; (void)h; (void)t; (void)m; source = s; *p = &source; return " << a.create << "; }\n"
        << "int nvrtcDestroyProgram(void** p) { *p = NULL; return 0; }\n"
        << "int nvrtcCompileProgram(void* p, int n, const char* const* o) { (void)p;\n"
        << "  for (int i = 0; i < n; ++i) if (strcmp(o[i], \"--gpu-architecture=sm_80\") == 0) return " << a.compile << ";\n  return 5; }\n"
        << "int nvrtcGetProgramLogSize(void* p, size_t* n) { (void)p; *n = " << a.log.size() + 1 << "; return 0; }\n"
        << "int nvrtcGetProgramLog(void* p, char* t) { (void)p; strcpy(t, \"" << a.log << "\"); return 0; }\n"
        << "int nvrtcGetCUBINSize(void* p, size_t* n) { (void)p; *n = " << a.cubin_size << "; return 0; }\n";
    if (a.has_cubin)
        std::ofstream(text, std::ios::app) << "int nvrtcGetCUBIN(void* p, char* t) { (void)p; memcpy(t, source, 4); return 0; }\n";
    const auto compiler = find_compiler(source_language::c99);
    REQUIRE(compiler);
    command_request run{compiler->command, {}, 60};
    for (const std::string& word : {std::string("-shared"), std::string("-fPIC"), std::string("-o"), library, text})
        run.words.push_back(word);
    const auto end = run_command(run);
    REQUIRE(end);
    REQUIRE_MESSAGE(end->succeeded(), end->output);
    const char* const name = library.c_str();
    return nvrtc::open(std::span(&name, 1));
}

std::string why(const answers& a, const std::string& arch = "sm_80") {
    const detail::passing_folder folder;
    const auto by = played(folder, a);
    if (!by) return by.failure().message;
    const auto code = by->compile("text", arch);
    return code ? "code: " + *code : code.failure().message;
}

}  // namespace

TEST_CASE("a library gives the code that it makes of a text") {
    const detail::passing_folder folder;
    const auto by = played(folder, {});
    REQUIRE(by);
    CHECK(by->release() == "NVRTC 12.4");
    CHECK(why({}) == "code: text");
}

TEST_CASE("a library that is not there, too old or fails is one sentence") {
    constexpr const char* names[] = {"libno_such_nvrtc.so.1", "libno_such_nvrtc.so"};
    CHECK(nvrtc::open(names).failure().message ==
          "NVIDIA's run-time compiler is not installed (libno_such_nvrtc.so.1, libno_such_nvrtc.so)");
    CHECK(why({.has_cubin = false}).find("has no function nvrtcGetCUBIN; install a newer one") != std::string::npos);
    CHECK(why({.version = 3}) == "NVIDIA's run-time compiler does not tell its version (error 3)");
    CHECK(why({.create = 1}) == "NVIDIA's run-time compiler takes no text (error 1)");
    CHECK(why({.compile = 6}) == "NVIDIA's run-time compiler fails (COMPILATION): kernels.cu(3): error: no such type");
    CHECK(why({}, "sm_20") == "NVIDIA's run-time compiler fails (error 5): kernels.cu(3): error: no such type");
}

TEST_CASE("sizes that a library states are not believed") {
    const std::string none = "NVIDIA's run-time compiler, NVRTC 12.4, gave no code for sm_80, and does not say why";
    CHECK(why({.cubin_size = "0"}) == none);
    CHECK(why({.cubin_size = "(size_t)1 << 60"}) == none);
}

TEST_CASE("the real library, where it is, compiles kernels of all element types") {
    const auto& by = nvrtc::here();
    if (!by) {
        MESSAGE("not run: " << by.failure().message);
        return;
    }
    const loop_nest n = nests::parsed(R"(nest n {
        input x: float32[8]
        input i: int64[8]
        input b: uint8[8]
        output y: float32[8]
        for t < 8 thread_x { y[t] = exp(x[t]) + float32(i[t]) * float32(b[t]) }
    })");
    const auto text = to_cuda(n);
    REQUIRE(text);
    const auto product = to_cuda(mma_float16(), tensor_core_calls());
    REQUIRE(product);
    for (const char* arch : {"sm_80", "sm_90a"}) {
        for (const cuda_text* one : {&*text, &*product}) {
            const auto code = by->compile(joined_text(std::span(one, 1)), arch);
            REQUIRE_MESSAGE(code, code.failure().message);
            CHECK(code->substr(1, 3) == "ELF");
        }
    }
    // What kernels may take of the headers that the library has not.
    const auto names = by->compile(
        "#include <math.h>\n#include <stdint.h>\nextern \"C\" __global__ void f(float* x, int64_t* y, uint64_t* z, size_t n) {\n"
        "x[0] = isnan(x[n]) || isinf(x[n]) ? INFINITY : NAN; y[0] = INT64_MIN + INT64_C(1) + INT32_MIN; y[1] = INT64_MAX - INT32_MAX;\n"
        "z[0] = UINT64_C(1) << 63; }",
        "sm_80");
    REQUIRE_MESSAGE(names, names.failure().message);
    const auto wrong = by->compile("extern \"C\" __global__ void f() { none n; }", "sm_80");
    REQUIRE(!wrong);
    CHECK(wrong.failure().message.find("kernels.cu(1): error: identifier \"none\" is undefined") != std::string::npos);
    CHECK(!by->compile("", "sm_1"));
}
