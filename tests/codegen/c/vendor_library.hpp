// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_CODEGEN_C_VENDOR_LIBRARY_HPP
#define INLAY_TESTS_CODEGEN_C_VENDOR_LIBRARY_HPP

#include <inlay/codegen/c/c_library.hpp>
#include <inlay/codegen/c/part_of_nest.hpp>

#include "../../loops/nests.hpp"

namespace c_programs {

/// A function that scales, declared in a header and defined in a source.
[[nodiscard]] inline inlay::c_library scaling_library() {
    inlay::c_library made;
    made.headers = {
        {"scaling.h", "#ifndef SCALING_H\n#define SCALING_H\nvoid scale(const float* x, float* y, int count, int by);\n#endif\n"}};
    made.sources = {{"scaling.c",
                     "#include \"scaling.h\"\n\nvoid scale(const float* x, float* y, int count, int by) {\n"
                     "    for (int i = 0; i < count; ++i) y[i] = x[i] * (float)by;\n}\n"}};
    made.call("scale", "scale($0, $1, $0#0, $2)");
    return made;
}
/// A nest that calls it for each row.
[[nodiscard]] inline inlay::region_nest scaled_rows() {
    return {inlay::nests::parsed("nest rows { input x: float32[2, 3] output y: float32[2, 3]"
                                 " external scale(by) { input a: float32[3] output b: float32[3] }"
                                 " for i < 2 { call scale(x[i, 0], y[i, 0], i + 2) } }"),
            {}};
}

}  // namespace c_programs

#endif
