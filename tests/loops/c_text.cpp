// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/loops/c_text.hpp>

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <inlay/core/buffer.hpp>
#include <inlay/loops/run_nest.hpp>
#include <inlay/ops/loops/strides.hpp>

#include "nests.hpp"

using namespace inlay;

namespace {

/// What the system's C compiler makes of a nest computes, over row-major inputs; nothing where it does not compile.
std::vector<tensor> by_compiler(const loop_nest& n, std::vector<tensor> inputs) {
    const auto made = to_c(n);
    REQUIRE(made);
    std::string call;
    std::size_t count = 0;
    std::vector<void*> places;
    std::vector<tensor> results;
    std::vector<buffer> memory;
    for (tensor& t : inputs) places.push_back(t.data());
    for (const nest_buffer& b : n.buffers)
        if (b.scope == buffer_scope::output) {
            REQUIRE(b.strides == row_major_strides(b.extents));
            places.push_back(results.emplace_back(b.element, b.extents).data());
        }
    if (made->workspace_bytes != 0) places.push_back(memory.emplace_back(made->workspace_bytes).data());
    for (; count < places.size(); ++count) call += (count == 0 ? "p[" : ", p[") + std::to_string(count) + "]";
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("inlay_c_text_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    const std::string source = (folder / "nest.c").string(), library = (folder / "nest.so").string();
    std::ofstream(source) << made->text << "void inlay_entry(void** p);\nvoid inlay_entry(void** p) { " << detail::c_name(n.name) << "("
                          << call << "); }\n";
    const std::string command =
        "cc -std=c99 -O1 -ffp-contract=off -Wall -Wextra -Werror -fPIC -shared -o " + library + " " + source + " -lm";
    const int status = std::system(command.c_str());
    if (status != 0) {
        FAIL_CHECK(made->text);
        return {};
    }
    void* const code = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    REQUIRE(code != nullptr);
    reinterpret_cast<void (*)(void**)>(dlsym(code, "inlay_entry"))(places.data());
    dlclose(code);
    std::filesystem::remove_all(folder);
    return results;
}

}  // namespace

TEST_CASE("a nest in C is what a person would write [loops.c.readable]") {
    const auto made = to_c(nests::parsed(
        "nest scale { input x: float32[4, 8] output y: float32[4, 8] for i < 4 parallel { for j < 8 { y[i, j] = x[i, j] * 2.0 } } }"));
    REQUIRE(made);
    CHECK(made->declaration == "void scale(const float* restrict x, float* restrict y)");
    CHECK(made->workspace_bytes == 0);
    CHECK(made->text.find(R"(void scale(const float* restrict x, float* restrict y) {
#ifdef _OPENMP
#pragma omp parallel for
#endif
    for (int64_t i = 0; i < 4; ++i) {
        for (int64_t j = 0; j < 8; ++j) {
            y[8 * i + j] = (x[8 * i + j] * 0x1p+1f);
        }
    }
}
)") != std::string::npos);
}

TEST_CASE("compiled code computes what the interpreter does: products, scratch, whole numbers at their ends [loops.c.same]") {
    const bool holds = rc::check([] {
        const loop_nest n = nests::parsed(*rc::gen::element(nests::product, nests::blur, std::string(R"(
nest ends {
    input x: int32[6]
    output y: int32[6]
    output z: uint8[6]
    scratch s: float64[6] {
        scratch t: int64[3] {
            for i < 6 { s[i] = float64(x[i]) * 1e300:float64 }
            for j < 3 unrolled { t[j] = index(j) * -9223372036854775807 }
            for k < 6 { y[k] = int32(s[k]) * x[k] + int32(t[0]) / x[k] }
            for l < 6 { z[l] = uint8(min(max(s[l], -inf:float64), 1e9:float64)) }
        }
    }
}
)")));
        const std::vector<tensor> inputs = nests::random_inputs(n);
        const auto meant = run_nest(n, inputs);
        RC_ASSERT(meant.has_value());
        const std::vector<tensor> got = by_compiler(n, inputs);
        RC_ASSERT(got.size() == meant->size());
        for (std::size_t i = 0; i < got.size(); ++i) RC_ASSERT(got[i].content() == (*meant)[i].content());
    });
    CHECK(holds);
}

TEST_CASE("what C99 does not have is said [loops.c.refused]") {
    const auto message = [](const std::string& statements) {
        const auto made = to_c(nests::parsed("nest n { output y: float32[100] " + statements + " }"));
        return made ? std::string() : made.failure().message;
    };
    CHECK(message("for i < 100 unrolled { y[i] = 1.0 }").find("unroll at most 64") != std::string::npos);
    CHECK(message("for i < 100 thread_x { y[i] = 1.0 }").find("bound to thread_x, which C has not") != std::string::npos);
    CHECK(message("for i < 100 parallel { scratch s: float32[1] { s[0] = 1.0 y[i] = s[0] } }").find("on the stack") != std::string::npos);
    CHECK(message("stack h: float16[1] { h[0] = 1.0:float16 }").find("widen it to float32") != std::string::npos);
    CHECK(message("for i < 100 { y[i] = 1.0 }").empty());
}
