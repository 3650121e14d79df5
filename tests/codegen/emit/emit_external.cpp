// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/codegen/emit/emit_external.hpp>

#include <doctest/doctest.h>

#include "../nest_backends.hpp"

#include <inlay/candidate/enumerate.hpp>
#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/partition/partition.hpp>
#include <inlay/runtime/link.hpp>
#include <inlay/testing/compare.hpp>

using namespace inlay;

namespace {

template <constants_policy Policy>
struct adder : toys::rows {
    static constexpr std::string_view kind = "adder";
    static constexpr constants_policy constants = Policy;
    [[nodiscard]] outcome<kernel> emit(const region_view& r) const {
        if (r.constant_count != 0) return error{"a constant stands in the region"};
        return toys::elementwise_kernel(r);
    }
};
using outside = adder<constants_policy::external>;
using inside = adder<constants_policy::lift>;

/// (x + first) + second, each a constant.
ir_module two_sums(const tensor& first, const tensor& second) {
    return toys::program_of(toys::image(), [&](ir_builder& b, node_id x) {
        const node_id sum = b.call("onnx.Add", {x, b.constant(first)}, {}, toys::image());
        return b.call("onnx.Add", {sum, b.constant(second)}, {}, toys::image());
    });
}

}  // namespace

TEST_CASE(
    "external constants stay outside: code asks for them behind its inputs, and regions that differ in them alone share it "
    "[codegen.constants.external]") {
    const tensor one = tensor::of({1, 3, 2, 2}, toys::twelve(1, 1)), ten = tensor::of({1, 3, 2, 2}, toys::twelve(10, 0));
    kernel_store kept;
    for (const tensor& c : {one, ten}) {
        const toys::sample_region sum(toys::program_of(toys::image(), [&](ir_builder& b, node_id x) {
            return b.call("onnx.Add", {x, b.constant(c)}, {}, toys::image());
        }));
        const auto made = emit_external(outside(), sum.view(), kept);
        REQUIRE_MESSAGE(made.has_value(), made.failure().message);
        REQUIRE(made->constants.size() == 1);
        CHECK(made->constants[0].data() == c.data());
        // Whoever runs it may hand over anything.
        CHECK(toys::run(made->code, {toys::twelve(0, 1), toys::twelve(5, 0)}) == toys::twelve(5, 1));
        // Measured alone it has its constants.
        const auto alone = emit_region(outside(), sum.view());
        REQUIRE(alone.has_value());
        CHECK(toys::run(*alone, {toys::twelve(0, 0)}) == std::vector<float>(c.as<float>().begin(), c.as<float>().end()));
    }
    CHECK(kept.size() == 1);
}

TEST_CASE("code of a back end that lifts or embeds has no constants outside, and is nobody else's") {
    const tensor one = tensor::of({1, 3, 2, 2}, toys::twelve(1, 1));
    const toys::sample_region sum(toys::program_of(toys::image(), [&](ir_builder& b, node_id x) {
        return b.call("onnx.Add", {x, b.constant(one)}, {}, toys::image());
    }));
    kernel_store kept;
    const auto made = emit_external(inside(), sum.view(), kept);
    REQUIRE(made.has_value());
    CHECK(made->constants.empty());
    CHECK(kept.size() == 0);
    CHECK(toys::run(made->code, {toys::twelve(0, 0)}) == toys::twelve(1, 1));
}

TEST_CASE("a program holds external constants, and computes what the graph means") {
    const tensor one = tensor::of({1, 3, 2, 2}, toys::twelve(1, 1)), ten = tensor::of({1, 3, 2, 2}, toys::twelve(10, 0));
    const ir_module m = two_sums(one, ten);
    const backend_list<outside> backends;
    const candidate_set set = enumerate(m, backends);
    std::vector<std::size_t> singles;
    for (std::size_t i = 0; i < set.candidates.size(); ++i)
        if (set.candidates[i].nodes.size() == 1) singles.push_back(i);
    REQUIRE(singles.size() == 2);
    const auto linked = link(m, backends, set, partition(m, set, singles));
    REQUIRE_MESSAGE(linked.has_value(), linked.failure().message);
    const std::vector<tensor> inputs{tensor::of({1, 3, 2, 2}, toys::twelve(-4, 0.5f))};
    const auto expected = interpret(m, inputs);
    REQUIRE(expected.has_value());
    const auto got = linked->run(inputs);
    REQUIRE_MESSAGE(got.has_value(), got.failure().message);
    CHECK((*got)[0].content() == (*expected)[0].content());
}
