// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/declare/emitter.hpp>

#include <doctest/doctest.h>

#include "../../candidate/toy_backends.hpp"

#include <inlay/candidate/region.hpp>

namespace {
struct gives_no_outcome {
    inlay::kernel emit(const inlay::region_view&) const;
};
}  // namespace

static_assert(inlay::has_emitter<toys::rows> && inlay::has_emitter<toys::chains>);
static_assert(!inlay::has_emitter<gives_no_outcome> && !inlay::has_emitter<inlay::kernel>);

TEST_CASE("an emitter gives a kernel, or one sentence on why it cannot") {
    using namespace inlay;
    const ir_module m = toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        return b.call("onnx.Add", {x, b.constant(tensor::scalar(1.0f))}, {}, toys::image());
    });
    const user_lists users(m);
    const std::vector<node_id> results = m.results();
    const region r(m, users, results, results);
    const border_formats f = plain_borders(r.view());
    const outcome<kernel> made = toys::rows().emit(r.view(f.inputs, f.results));
    REQUIRE_FALSE(made.has_value());
    CHECK(made.failure().message == "it takes no constants");
}
