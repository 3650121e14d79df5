// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/measure/evaluate_stepwise.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/backend/reference/backend.hpp>
#include <inlay/measure/random_values.hpp>
#include <inlay/ops/onnx/onnx_ops.hpp>

#include "../ops/sample/sampled_program.hpp"

using namespace inlay;
using sample_test::sampled_program;

namespace {

using numbers = std::vector<std::int64_t>;

const op_definition* find_onnx(std::string_view name) { return onnx_ops::find(name); }
constexpr auto by_reference = [](const region_view& r) { return reference().emit(r); };

/// Half of what the reference gives, now and then.
struct halved {
    kernel inner;
    bool run(const run_arguments& a) const {
        const bool good = inner(a);
        static_cast<float*>(a.results[0])[0] *= 0.5f;
        return good;
    }
};
constexpr auto by_halves = [](const region_view& r) -> outcome<kernel> {
    auto made = reference().emit(r);
    if (!made) return made;
    const std::size_t workspace = made->workspace_bytes;
    return kernel(halved{*std::move(made)}, workspace);
};

tensor random_tensor(std::vector<std::int64_t> extents) {
    tensor t(element_type::float32, std::move(extents));
    fill_random(t.data(), element_type::float32, t.count(), 1.0, false, 3);
    return t;
}

}  // namespace

TEST_CASE("a region evaluated call by call gives what its chosen elements give, with wider bounds [measure.stepwise]") {
    sampled_program p;
    const auto x = p.call("onnx.Conv", {p.input({1, 4, 9, 9}), p.random({6, 4, 3, 3}), p.random({6})});
    const auto mean = p.call("onnx.GlobalAveragePool", {x});
    const auto both = p.call("onnx.Split", {p.call("onnx.Mul", {p.call("onnx.Sigmoid", {mean}), x})}, {{"axis", 1}}, 2);
    p.finish({p.call("onnx.Relu", {p.output(both, 0)}), p.output(both, 1), mean});
    const region_view r = p.whole->view();
    const std::vector<tensor> inputs{random_tensor({1, 4, 9, 9})};
    std::vector<numbers> places;
    for (const value_id v : r.results) {
        const std::int64_t count = *element_count(static_shape(r.type(v)));
        places.push_back({0, count / 2, count - 1});
    }
    const auto direct = evaluate_samples(r, find_onnx, inputs, places);
    REQUIRE_MESSAGE(direct.has_value(), direct.failure().message);
    for (const bool has_kernels : {false, true}) {
        CAPTURE(has_kernels);
        const auto stepwise =
            evaluate_stepwise(r, find_onnx, inputs, places, has_kernels ? call_kernels_ref(by_reference) : call_kernels_ref(), {});
        REQUIRE_MESSAGE(stepwise.has_value(), stepwise.failure().message);
        for (std::size_t i = 0; i < places.size(); ++i)
            for (std::size_t k = 0; k < places[i].size(); ++k) {
                const double off = std::abs((*stepwise)[i].values[k] - (*direct)[i].values[k]);
                CHECK(off <= (*stepwise)[i].errors[k]);
                CHECK((*stepwise)[i].errors[k] < 0.02);
            }
    }
}

TEST_CASE("a kernel that the evaluation uses is not trusted [measure.stepwise]") {
    sampled_program p;
    p.finish({p.call("onnx.Relu", {p.call("onnx.Neg", {p.input({4, 4})})})});
    const auto wrong = evaluate_stepwise(p.whole->view(), find_onnx, std::vector<tensor>{random_tensor({4, 4})},
                                         std::vector<numbers>{{0, 1}}, call_kernels_ref(by_halves), {});
    REQUIRE_FALSE(wrong.has_value());
    CHECK(wrong.failure().message.starts_with("Neg: the kernel that it is compared with is wrong: it gives "));
}

TEST_CASE("what takes too many operations is said [measure.stepwise]") {
    sampled_program p;
    p.finish({p.call("onnx.Relu", {p.call("onnx.MatMul", {p.input({64, 64}), p.random({64, 64})})})});
    stepwise_options few;
    few.meaning_operations = 1000;
    const std::vector<tensor> inputs{random_tensor({64, 64})};
    const auto refused = evaluate_stepwise(p.whole->view(), find_onnx, inputs, std::vector<numbers>{{0}}, {}, {}, few);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.failure().message == "MatMul: it takes more than 1000 operations");
    CHECK(evaluate_stepwise(p.whole->view(), find_onnx, inputs, std::vector<numbers>{{0}}, call_kernels_ref(by_reference), {}, few));
}
