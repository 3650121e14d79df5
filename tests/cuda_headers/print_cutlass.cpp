// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
//
// print_cutlass HEADERS FOLDER writes kernels of CUTLASS's, of several products, into a folder: NAME.cu. Exit code 0, and 77 where the
// headers are not in theirs.
#include <cstdio>
#include <fstream>
#include <string>

#include <inlay/backend/cutlass/cutlass_headers.hpp>
#include <inlay/backend/cutlass/cutlass_layout.hpp>
#include <inlay/backend/cutlass/cutlass_text.hpp>

using namespace inlay::detail;

namespace {

struct example {
    const char* name;
    matmul_layout product;
    bool has_relu = false;
};

const example examples[] = {
    {"aligned", {{512, 256, 512}, {256, 2048, 256}, {512, 2048, 512}, true, 1, {{}}}},
    {"unaligned", {{9, 5, 9}, {5, 7, 5}, {9, 7, 9}, true, 1, {{}}}, true},
    {"by_twos", {{10, 6, 10}, {6, 7, 6}, {10, 7, 10}, true, 1, {{}}}, true},
    {"in_batches", {{64, 64, 64, false, 4096}, {64, 64, 64, false, 0}, {64, 64, 64, false, 4096}, true, 12, {{}}}},
    {"both_transposed", {{64, 128, 64, true, 0}, {32, 64, 32, true, 0}, {128, 32, 128}, true, 1, {{}}}, true},
    {"first_transposed", {{128, 64, 128}, {32, 64, 32, true, 0}, {128, 32, 128}, true, 1, {{}}}},
    {"second_transposed", {{64, 128, 64, true, 0}, {64, 32, 64}, {128, 32, 128}, true, 1, {{}}}, true},
};

}  // namespace

int main(int count, char** words) {
    if (count != 3) return std::puts("print_cutlass HEADERS FOLDER"), 2;
    const auto headers = cutlass_headers::open(words[1]);
    if (!headers) return std::puts(headers.failure().message.c_str()), 77;
    for (const example& one : examples)
        for (const bool by_tf32 : {false, true}) {
            const auto layout = cutlass_layout::of(one.product, by_tf32);
            if (!layout) return std::puts(layout.failure().message.c_str()), 1;
            const std::string name = std::string(one.name) + (by_tf32 ? "_in_tf32" : "");
            std::ofstream(std::string(words[2]) + "/" + name + ".cu") << cutlass_text(*layout, one.has_relu, headers->release);
        }
    std::printf("%s\n", headers->folder.c_str());
}
