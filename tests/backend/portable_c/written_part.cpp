// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/portable_c/written_part.hpp>

#include <doctest/doctest.h>

#include "../small_graph.hpp"

#include <inlay/loops/lower/without_nest.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>

using namespace inlay;

TEST_CASE("a written call takes its inputs, then constants, then gives its results, and leaves none unmentioned [portable_c.written]") {
    inlay_test::small_graph t;
    const node_id found = t.call("onnx.TopK", {t.input({3, 4}), t.integers({2})}, {}, 2);
    const inlay_test::whole_region whole(t.finish({t.output(found, 0), t.output(found, 1)}));
    const auto part = portable::written_part(whole.view(), "first");
    REQUIRE(part);
    CHECK(part->text.find(
              "static void first(const float* restrict in0, const int64_t* restrict w0, float* restrict out0, int64_t* restrict out1) {\n"
              "    (void)w0;\n") == 0);
    CHECK(part->constants.size() == 1);
}

TEST_CASE("what has no loop nest is written, or has a reason to have no C either [portable_c.written]") {
    for (const op_definition& each : onnx_ops::all()) {
        CAPTURE(each.name);
        const bool is_loops = reason_without_nest(each.name).empty(), is_written = portable::written_of(each.name) != nullptr;
        CHECK((is_loops || is_written) == portable::reason_without_c(each.name).empty());
    }
    CHECK(portable::reason_without_c("no.such").empty());
}
