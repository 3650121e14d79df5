// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/interpret/interpreter.hpp>

#include <sys/resource.h>

#include <doctest/doctest.h>

#include <inlay/ops/onnx/math.hpp>
#include <inlay/ops/op_table.hpp>

#include "core/address_sanitizer.hpp"
#include "ops/sample_program.hpp"

using namespace inlay;
using namespace inlay_test;

static long peak_kilobytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

TEST_CASE("Tensors are freed after their last use") {
    // Sixty tensors of 8 MiB, of which two are needed at one time.
    const ir_module m = program({f32({1 << 21})}, [](ir_builder& b, auto& x) {
        node_id n = x[0];
        for (int i = 0; i < 60; ++i) n = b.call("onnx.Neg", {n});
        return n;
    });
    const auto scopes = function_scopes::of(m);
    REQUIRE(scopes.has_value());
    const std::vector<runtime_value> inputs{tensor(element_type::float32, {1 << 21})};
    const long before = peak_kilobytes();
    inlay::detail::interpreter run(m, *scopes, [](std::string_view name) { return op_table<onnx_math<>>::find(name); }, {});
    CHECK(run.run(inputs).has_value());
    // What the allocator keeps for itself counts too.
    CHECK((has_address_sanitizer || peak_kilobytes() - before < 20 * 8192));
}
