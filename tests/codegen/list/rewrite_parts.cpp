// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/list/rewrite_parts.hpp>

#include <doctest/doctest.h>

#include "../../cost/no_meter.hpp"
#include "../nest_backends.hpp"

#include <inlay/ir/relay_text.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>
#include <inlay/partition/outline.hpp>
#include <inlay/pipeline.hpp>

using namespace inlay;

namespace {

/// Writes a doubling as a product with two, unless its option says to forget the input.
struct doubling : toys::rows {
    static constexpr std::string_view kind = "doubling";
    bool forgets = false;
    using options = option_list<option<"forgets", &doubling::forgets, "whether its phase gives something else">>;

    static constexpr auto patterns() { return pattern_table(composite<"add">(dsl::op<"onnx.Add">)); }
    [[nodiscard]] std::optional<double> price(const region_view&) const { return 0.5; }
    static constexpr auto phases() {
        return phase_list(after_partitioning<"two">([](const doubling& self, const ir_module& body) -> outcome<ir_module> {
            if (body.inputs().size() != 1) return body;
            const node_type type = body.type(body.inputs()[0]);
            return toys::program_of(self.forgets ? node_type(tensor_type(element_type::float32, {4})) : type,
                                    [&](ir_builder& b, node_id x) {
                                        const node_id two = b.constant(tensor::of({1, 3, 2, 2}, toys::twelve(2, 0)));
                                        return b.call("onnx.Mul", {x, two}, {}, type);
                                    });
        }));
    }
};

/// The same back end, whose table has another name for it: as with what a partition rule joined, the composite is its by its first word
/// alone.
struct renamed : doubling {
    static constexpr auto patterns() { return pattern_table(composite<"other">(dsl::op<"onnx.Add">)); }
};

template <class List>
outcome<ir_module> outlined(const ir_module& m, const List& backends) {
    toys::no_meter pricing;
    auto planned = make_plan(m, backends, pricing, [](const auto&...) { return 0.0; });
    if (!planned) return planned.failure();
    return outline(m, planned->set, planned->cut, [&](backend_id b) { return backends.kind(b); });
}

/// Relu(x + x) + x: the one sum is a doubling, the other is not.
ir_module two_sums() {
    return toys::program_of(toys::image(), [](ir_builder& b, node_id x) {
        const node_id y = b.call("onnx.Relu", {b.call("onnx.Add", {x, x}, {}, toys::image(), "twice")}, {}, toys::image(), "relu");
        return b.call("onnx.Add", {y, x}, {}, toys::image(), "sum");
    });
}

std::string operators_of(const ir_module& m) {
    std::string all;
    for (node_id n = 0; n < m.size(); ++n)
        if (m.kind(n) == node_kind::call) all += std::string(m.op(n)) + " ";
    return all;
}

}  // namespace

TEST_CASE("a composite is its back end's by the kind before its dot, whatever stands in the table") {
    const auto before = outlined(two_sums(), backend_list<doubling, toys::rows>());
    REQUIRE(before.has_value());
    const auto now = rewrite_parts(backend_list<renamed, toys::rows>(), *before);
    REQUIRE_MESSAGE(now.has_value(), now.failure().message);
    CHECK(operators_of(*now) == "onnx.Mul onnx.Relu onnx.Add ");
}

TEST_CASE("an outlined program has the bodies that the phases of its back ends give, and means what it meant") {
    const backend_list<doubling, toys::rows> backends;
    const auto before = outlined(two_sums(), backends);
    REQUIRE(before.has_value());
    CHECK(operators_of(*before) == "onnx.Add onnx.Relu onnx.Add ");
    const auto now = rewrite_parts(backends, *before);
    REQUIRE_MESSAGE(now.has_value(), now.failure().message);
    CHECK(operators_of(*now) == "onnx.Mul onnx.Relu onnx.Add ");
    REQUIRE(now->functions().size() == before->functions().size());
    for (std::size_t i = 0; i < now->functions().size(); ++i) {
        CHECK(now->symbol(now->functions()[i]) == before->symbol(before->functions()[i]));
        CHECK(now->type(now->functions()[i]) == before->type(before->functions()[i]));
        CHECK(now->attributes(now->functions()[i]) == before->attributes(before->functions()[i]));
    }
    const tensor x[] = {tensor::of({1, 3, 2, 2}, toys::twelve(-2, 0.5f))};
    const auto a = interpret<onnx_ops>(*before, x), b = interpret<onnx_ops>(*now, x);
    REQUIRE((a && b));
    CHECK(a->front().content() == b->front().content());
}

TEST_CASE("parts of back ends without phases stay as they are; a phase that changes what a function takes is named") {
    const backend_list<toys::rows> plain;
    const auto before = outlined(two_sums(), plain);
    REQUIRE(before.has_value());
    const auto same = rewrite_parts(plain, *before);
    REQUIRE(same.has_value());
    CHECK(relay_text(*same) == relay_text(*before));
    doubling forgetful;
    forgetful.forgets = true;
    const backend_list<doubling, toys::rows> backends{forgetful, toys::rows()};
    const auto failed = rewrite_parts(backends, *outlined(two_sums(), backends));
    REQUIRE_FALSE(failed.has_value());
    CHECK(failed.failure().message ==
          "phase 'two' of back end 'doubling' gives input 0 the type float32[4], where the region has float32[1,3,2,2]");
}
