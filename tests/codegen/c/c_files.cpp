// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/c/c_files.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "run_compiled.hpp"

using namespace inlay;
using c_programs::file_of;

namespace {

c_program small(c_weights weights) {
    c_program p;
    p.name = "net";
    p.weights = weights;
    p.inputs = {{"x", "x", element_type::float32, {2, 2}, 16}};
    p.results = {{"y_1", "y*/1", element_type::int64, {3}, 24}};
    p.constants = {{"net_w0", tensor::of<float>({2}, {1, 0.5f}), 0}};
    p.weight_bytes = 64;
    p.arena_bytes = p.arena_bound = 128;
    p.functions = "#include <stdbool.h>\n#include <stdint.h>\n\nstatic void net_f(void) {\n}\n";
    p.calls = {"net_f();"};
    return p;
}
std::vector<std::string> paths(const std::vector<c_file>& files) {
    std::vector<std::string> all;
    for (const c_file& f : files) all.push_back(f.path);
    return all;
}

}  // namespace

TEST_CASE("a program's files are its header, source, weights, Makefile and what it is checked by [c.files]") {
    const c_check_data data{{tensor(element_type::float32, {2, 2})}, {tensor(element_type::int64, {3})}, 1e-3, 1e-5};
    const auto embedded = c_files(small(c_weights::embedded), &data);
    REQUIRE(embedded);
    CHECK(paths(*embedded) == std::vector<std::string>{"net.h", "net.c", "net_weights.c", "net_check.c", "check/input_0.bin",
                                                       "check/output_0.bin", "Makefile"});
    CHECK(file_of(*embedded, "check/output_0.bin").size() == 24);
    const auto outside = c_files(small(c_weights::in_file));
    REQUIRE(outside);
    CHECK(paths(*outside) == std::vector<std::string>{"net.h", "net.c", "net_weights.bin", "Makefile"});
    CHECK(file_of(*outside, "net_weights.bin").size() == 64);
}

TEST_CASE("the header says what the program takes, gives and works in [c.files]") {
    const auto files = c_files(small(c_weights::in_file));
    REQUIRE(files);
    const std::string header = file_of(*files, "net.h");
    for (const char* line : {"#define NET_ARENA_BYTES 128\n", "#define NET_WEIGHTS_BYTES 64\n", "    const float* x; /* float32[2,2] */\n",
                             "    int64_t* y_1; /* int64[3], the model's y* /1 */\n",
                             "int net_run(const struct net_inputs* inputs, const struct net_outputs* outputs, unsigned char* arena, const "
                             "unsigned char* weights);\n"})
        CHECK_MESSAGE(header.find(line) != std::string::npos, line << "\n" << header);
}

TEST_CASE("a library's files stand beside the program's, and none is called as another [c.files]") {
    c_program p = small(c_weights::embedded);
    p.headers = {{"npu.h", "int npu(void);\n"}};
    p.sources = {{"npu.c", "#include <math.h>\n#include \"npu.h\"\nint npu(void) { return (int)sin(0); }\n"}};
    const auto files = c_files(p);
    REQUIRE(files);
    CHECK(file_of(*files, "npu.c") == p.sources[0].text);
    CHECK(file_of(*files, "Makefile").find("picolibc") != std::string::npos);
    p.sources.push_back({"net.c", ""});
    const auto twice = c_files(p);
    REQUIRE_FALSE(twice);
    CHECK(twice.failure().message ==
          "two files of program 'net' are called 'net.c'; name the program or the file of the library otherwise");
}
