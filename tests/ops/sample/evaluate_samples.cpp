// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/ops/sample/evaluate_samples.hpp>

#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <inlay/ops/interpret/interpret.hpp>
#include <inlay/ops/sample/sample_places.hpp>
#include <inlay/ops/sample/sampled_tensor.hpp>

#include "sampled_program.hpp"

using namespace inlay;
using sample_test::sampled_program;
using numbers = std::vector<std::int64_t>;

namespace {

const op_definition* find_onnx(std::string_view name) { return onnx_ops::find(name); }

/// Random inputs of a region; integers index the axis of extent `reach`.
std::vector<tensor> inputs_of(const region_view& r, std::uint64_t seed, std::int64_t reach) {
    inlay::detail::splitmix random{seed};
    std::vector<tensor> made;
    for (value_id v = 0; v < r.input_count; ++v) {
        tensor t(r.type(v).element, static_shape(r.type(v)));
        if (t.element() == element_type::float32)
            for (float& x : t.as<float>()) x = static_cast<float>(4 * random.unit() - 2);
        if (t.element() == element_type::int64)
            for (auto& x : t.as<std::int64_t>()) x = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * reach)) - reach;
        if (t.element() == element_type::uint8)
            for (auto& x : t.as<std::uint8_t>()) x = static_cast<std::uint8_t>(random());
        made.push_back(std::move(t));
    }
    return made;
}

struct sampled_case {
    std::string name;
    std::function<void(sampled_program&)> build;
    std::int64_t reach = 1;
};

/// Each form in which an operator's elements are had, alone and behind others, at borders and with extents of 1.
std::vector<sampled_case> cases() {
    const tensor scales = tensor::of<float>({4}, std::vector<float>{0.1f, 0.2f, 0.3f, 0.05f});
    const tensor zeros = tensor::of<std::uint8_t>({4}, std::vector<std::uint8_t>{3, 128, 7, 0});
    return {
        {"conv",
         [](auto& p) {
             p.finish({p.call("onnx.Conv", {p.input({2, 4, 7, 5}), p.random({6, 2, 3, 3}), p.random({6})},
                              {{"group", 2}, {"pads", numbers{1, 0, 2, 1}}, {"strides", numbers{2, 1}}, {"dilations", numbers{1, 2}}})});
         }},
        {"conv same 1-d",
         [](auto& p) {
             p.finish({p.call("onnx.Conv", {p.input({1, 3, 9}), p.random({5, 3, 4})},
                              {{"auto_pad", std::string("SAME_LOWER")}, {"strides", numbers{2}}})});
         }},
        {"conv of conv",
         [](auto& p) {
             const auto a = p.call("onnx.Relu",
                                   {p.call("onnx.Conv", {p.input({1, 3, 6, 6}), p.random({4, 3, 3, 3})}, {{"pads", numbers{1, 1, 1, 1}}})});
             p.finish({p.call("onnx.Add", {p.call("onnx.Conv", {a, p.random({4, 4, 1, 1})}), a})});
         }},
        {"conv transpose",
         [](auto& p) {
             p.finish(
                 {p.call("onnx.ConvTranspose", {p.input({1, 4, 4, 3}), p.random({4, 3, 3, 2}), p.random({6})},
                         {{"group", 2}, {"strides", numbers{2, 3}}, {"pads", numbers{1, 0, 0, 1}}, {"output_padding", numbers{1, 0}}})});
         }},
        {"matmul",
         [](auto& p) {
             p.finish({p.call("onnx.MatMul", {p.input({3, 1, 4, 5}), p.input({2, 5, 6})})});
         }},
        {"matmul of vectors",
         [](auto& p) {
             const auto v = p.input({5});
             p.finish({p.call("onnx.MatMul", {v, p.input({5})}), p.call("onnx.MatMul", {v, p.random({2, 5, 3})}),
                       p.call("onnx.MatMul", {p.input({4, 5}), v})});
         }},
        {"gemm",
         [](auto& p) {
             p.finish({p.call("onnx.Gemm", {p.input({5, 4}), p.random({3, 5}), p.random({1, 3})},
                              {{"alpha", 0.5}, {"beta", 2.0}, {"transA", 1}, {"transB", 1}})});
         }},
        {"gemm with a column",
         [](auto& p) {
             p.finish({p.call("onnx.Gemm", {p.input({4, 5}), p.random({5, 3}), p.input({4, 1})})});
         }},
        {"pools",
         [](auto& p) {
             const auto x = p.call("onnx.Neg", {p.input({1, 2, 7, 6})});
             p.finish(
                 {p.call("onnx.MaxPool", {x},
                         {{"kernel_shape", numbers{3, 2}}, {"pads", numbers{1, 1, 1, 0}}, {"strides", numbers{2, 2}}, {"ceil_mode", 1}}),
                  p.call("onnx.AveragePool", {x},
                         {{"kernel_shape", numbers{3, 2}}, {"pads", numbers{1, 1, 1, 0}}, {"strides", numbers{2, 2}}, {"ceil_mode", 1}}),
                  p.call("onnx.AveragePool", {x},
                         {{"kernel_shape", numbers{3, 3}}, {"pads", numbers{1, 1, 1, 1}}, {"count_include_pad", 1}}),
                  p.call("onnx.GlobalAveragePool", {x}), p.call("onnx.GlobalMaxPool", {x})});
         }},
        {"moves",
         [](auto& p) {
             const auto x = p.call("onnx.Abs", {p.input({2, 3, 4})});
             const auto t = p.call("onnx.Transpose", {x}, {{"perm", numbers{2, 0, 1}}});
             p.finish({p.call("onnx.Reshape", {t, p.integers({6, 4})}), p.call("onnx.Concat", {t, p.call("onnx.Neg", {t})}, {{"axis", -1}}),
                       p.call("onnx.Slice", {x, p.integers({-1}), p.integers({-9}), p.integers({2}), p.integers({-2})}),
                       p.call("onnx.Pad", {x, p.integers({0, 1, 2, 1, 0, 0}), p.number(3)}),
                       p.call("onnx.Pad", {x, p.integers({0, 0, 1, 0, 0, 1})}),
                       p.call("onnx.Expand",
                              {p.call("onnx.Slice", {x, p.integers({0}), p.integers({1}), p.integers({1})}), p.integers({2, 5, 4})})});
         }},
        {"split",
         [](auto& p) {
             const auto s = p.call("onnx.Split", {p.call("onnx.Exp", {p.input({2, 5})}), p.integers({2, 3})}, {{"axis", 1}}, 2);
             p.finish({p.output(s, 1)});
         }},
        {"gather by what is computed",
         [](auto& p) {
             const auto i = p.call("onnx.Add", {p.input({3}, element_type::int64), p.integers({0})});
             p.finish({p.call("onnx.Gather", {p.call("onnx.Neg", {p.input({4, 2})}), i}, {{"axis", 0}})});
         },
         4},
        {"rows",
         [](auto& p) {
             const auto x = p.call("onnx.Mul", {p.input({2, 3, 4}), p.number(1.5f)});
             p.finish({p.call("onnx.Softmax", {x}, {{"axis", 1}}), p.call("onnx.LogSoftmax", {x}),
                       p.call("onnx.ReduceMean", {x, p.integers({0, 2})}, {{"keepdims", 0}}), p.call("onnx.ReduceSum", {x}),
                       p.call("onnx.ReduceL2", {x, p.integers({-2})}), p.call("onnx.ArgMax", {x}, {{"axis", 2}, {"keepdims", 0}}),
                       p.call("onnx.CumSum", {x, p.constant(tensor::scalar<std::int64_t>(1))}, {{"reverse", 1}}),
                       p.call("onnx.ReduceMax", {x, p.integers({})}, {{"noop_with_empty_axes", 1}})});
         }},
        {"normalizations",
         [](auto& p) {
             const auto x = p.input({2, 3, 4});
             p.finish({p.call("onnx.LayerNormalization", {x, p.random({4}), p.random({1})}),
                       p.call("onnx.LayerNormalization", {x, p.random({3, 1}), p.random({4})}, {{"axis", 1}}),
                       p.call("onnx.RMSNormalization", {x, p.random({4})}),
                       p.call("onnx.InstanceNormalization", {x, p.random({3}), p.random({3})}),
                       p.call("onnx.BatchNormalization", {x, p.random({3}), p.random({3}), p.random({3}), p.random({3}, 0.5f)}),
                       p.call("onnx.GroupNormalization", {x, p.random({3}), p.random({3})}, {{"num_groups", 3}})});
         }},
        {"columns of integers",
         [](auto& p) {
             const auto x = p.input({4, 4}, element_type::int64);
             p.finish({p.call("onnx.ArgMax", {x}, {{"select_last_index", 1}}), p.call("onnx.ReduceMax", {x, p.integers({0})}),
                       p.call("onnx.CumSum", {x, p.constant(tensor::scalar<std::int64_t>(0))})});
         },
         4},
        {"top",
         [](auto& p) {
             const auto t = p.call("onnx.TopK", {p.input({3, 6}), p.integers({2})}, {}, 2);
             p.finish({p.output(t, 0), p.output(t, 1)});
         }},
        {"elementwise",
         [](auto& p) {
             const auto x = p.input({2, 3, 4}), y = p.input({3, 1});
             const auto s = p.call("onnx.Sub", {x, y});
             p.finish({p.call("onnx.Gelu", {s}), p.call("onnx.Clip", {s, p.number(-0.5f), p.absent()}),
                       p.call("onnx.PRelu", {s, p.random({3, 1})}), p.call("onnx.Where", {p.call("onnx.Greater", {x, y}), s, p.number(1)}),
                       p.call("onnx.Pow", {p.call("onnx.Abs", {x}), p.number(1.7f)}), p.call("onnx.Pow", {s, p.number(2)}),
                       p.call("onnx.Pow", {x, p.number(3)}), p.call("onnx.Max", {x, y, s})});
         }},
        {"quantized",
         [=](auto& p) {
             const auto q = p.call("onnx.QuantizeLinear", {p.input({2, 4, 3}), p.constant(scales), p.constant(zeros)}, {{"axis", 1}});
             p.finish({q, p.call("onnx.DequantizeLinear", {q, p.constant(scales), p.constant(zeros)}, {{"axis", -2}}),
                       p.call("onnx.DequantizeLinear", {p.input({2, 2}, element_type::uint8), p.number(0.25f)})});
         }},
        {"whole",
         [](auto& p) {
             const auto x = p.call("onnx.Tanh", {p.input({1, 2, 3, 3})});
             p.finish({p.call("onnx.Resize", {x, p.absent(), p.absent(), p.integers({1, 2, 5, 4})}, {{"mode", std::string("linear")}}),
                       p.call("onnx.MeanVarianceNormalization", {x})});
         }},
        {"resized",
         [](auto& p) {
             const auto x = p.call("onnx.Tanh", {p.input({1, 2, 3, 4})});
             const auto factors = p.constant(tensor::of<float>({4}, {1, 1, 1.7f, 0.6f}));
             const auto resize = [&](const char* mode, const attribute_map& more) {
                 attribute_map a = more;
                 a.set("mode", std::string(mode));
                 return p.call("onnx.Resize", {x, p.absent(), factors}, a);
             };
             p.finish({resize("linear", {}), resize("cubic", {{"exclude_outside", 1}}), resize("linear", {{"antialias", 1}}),
                       resize("nearest", {{"nearest_mode", std::string("ceil")}}),
                       p.call("onnx.Resize", {p.input({2, 5}, element_type::uint8), p.absent(), p.absent(), p.integers({3, 4})},
                              {{"mode", std::string("linear")}})});
         }},
        {"beyond the image",
         [](auto& p) {
             const auto roi = p.constant(tensor::of<float>({4}, {-0.5f, 0, 1.5f, 1}));
             p.finish({p.call("onnx.Resize", {p.input({3, 3}), roi, p.absent(), p.integers({4, 4})},
                              {{"mode", std::string("linear")},
                               {"coordinate_transformation_mode", std::string("tf_crop_and_resize")},
                               {"extrapolation_value", 2.5}})});
         }},
        {"across channels",
         [](auto& p) {
             const auto x = p.call("onnx.Tanh", {p.input({2, 5, 3, 2})});
             p.finish({p.call("onnx.LRN", {x}, {{"size", 3}}), p.call("onnx.LRN", {x}, {{"size", 4}, {"alpha", 0.5}, {"bias", 2.0}})});
         }},
        {"of one value",
         [](auto& p) {
             p.finish({p.call("onnx.Add", {p.input({2, 3}), p.call("onnx.ConstantOfShape", {p.integers({2, 3})})}),
                       p.call("onnx.ConstantOfShape", {p.integers({4})},
                              {{"value", tensor::of<std::int64_t>({1}, std::vector<std::int64_t>{7})}})});
         }},
        {"scalars",
         [](auto& p) {
             p.finish({p.call("onnx.Add", {p.input({}), p.number(2)}), p.call("onnx.ReduceSum", {p.input({1, 1})}, {{"keepdims", 0}})});
         }},
    };
}

}  // namespace

TEST_CASE("chosen elements are the interpreter's, within a bound of some steps of rounding [ops.sample.same]") {
    for (const sampled_case& c : cases()) {
        CAPTURE(c.name);
        sampled_program p;
        c.build(p);
        const region_view r = p.whole->view();
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            const std::vector<tensor> inputs = inputs_of(r, seed, c.reach);
            // A region numbers its inputs and results in an order of its own.
            std::vector<tensor> arguments;
            for (const node_id n : p.module.inputs())
                for (value_id v = 0; v < r.input_count; ++v)
                    if (r[v].origin == n) arguments.push_back(inputs[v]);
            const auto computed = interpret(p.module, arguments);
            REQUIRE_MESSAGE(computed.has_value(), computed.failure().message);
            const auto results = p.module.results();
            std::vector<tensor> right;
            for (const value_id v : r.results)
                for (std::size_t k = 0; k < results.size(); ++k)
                    if (results[k] == r[v].origin) right.push_back((*computed)[k]);
            // Some elements, and all of them.
            for (const std::size_t count : {std::size_t{3}, std::size_t{1000}}) {
                std::vector<numbers> places;
                for (const tensor& t : right) {
                    numbers& here = places.emplace_back();
                    for (std::int64_t i = 0; i < static_cast<std::int64_t>(t.count()); ++i)
                        if (count > 3 || i % 5 == static_cast<std::int64_t>(seed)) here.push_back(i);
                }
                const auto expected = evaluate_samples(r, find_onnx, inputs, places);
                REQUIRE_MESSAGE(expected.has_value(), expected.failure().message);
                for (std::size_t k = 0; k < places.size(); ++k)
                    for (std::size_t i = 0; i < places[k].size(); ++i) {
                        CAPTURE(k);
                        CAPTURE(places[k][i]);
                        const double value = element_as_double(right[k].data(), right[k].element(), places[k][i]);
                        CHECK(std::abs(value - (*expected)[k].values[i]) <= (*expected)[k].errors[i]);
                        // The bound is no excuse: a hundredth of ordinary numbers would be noticed.
                        if (is_floating(right[k].element())) CHECK((*expected)[k].errors[i] < 2e-2);
                    }
            }
        }
    }
}

TEST_CASE("a bound counts the terms that cancel in an element [ops.sample.same]") {
    const auto bound_of = [](sampled_program& p, const tensor& x, std::int64_t at, term_sizes sizes = term_sizes::random) {
        const auto expected = evaluate_samples(p.whole->view(), find_onnx, std::vector<tensor>{x}, std::vector<numbers>{{at}}, 1e6, sizes);
        REQUIRE_MESSAGE(expected.has_value(), expected.failure().message);
        return (*expected)[0].errors[0];
    };
    // The second column is -1.2236 + 1.2325.
    sampled_program normalization;
    normalization.finish({normalization.call(
        "onnx.LayerNormalization", {normalization.input({2, 2}), normalization.constant(tensor::of<float>({2}, {-0.95f, 1.2236f})),
                                    normalization.constant(tensor::of<float>({2}, {-1.59f, 1.2325f}))})});
    const double near_zero = bound_of(normalization, tensor::of<float>({2, 2}, {-0.87f, -0.57f, 1.61f, 0.52f}), 3);
    CHECK(near_zero > 4 * 0x1p-23);
    CHECK(near_zero < 2e-3);
    // Elements of one size that are added one after the other, in a row, under a window and as products.
    constexpr std::int64_t many = 20000;
    tensor same(element_type::float32, {1, 1, many});
    float sum = 0;
    for (float& v : same.as<float>()) sum += v = 0.7f;
    tensor ones(element_type::float32, {many, 1});
    for (float& v : ones.as<float>()) v = 1;
    for (const int form : {0, 1, 2}) {
        CAPTURE(form);
        sampled_program sums;
        const node_id x = sums.input({1, 1, many});
        sums.finish({form == 0   ? sums.call("onnx.AveragePool", {x}, {{"kernel_shape", std::vector<std::int64_t>{many}}})
                     : form == 1 ? sums.call("onnx.ReduceMean", {x, sums.integers({2})})
                                 : sums.call("onnx.MatMul", {x, sums.constant(ones)})});
        const double off = std::abs(static_cast<double>(sum) - 0.7 * many) / (form == 2 ? 1 : many);
        const double bound = bound_of(sums, same, 0, term_sizes::any);
        CHECK(bound > off);
        CHECK(bound < 8 * off);
        CHECK(bound_of(sums, same, 0) < off);
    }
    // 1 + erf(-2.5) is 4e-4.
    sampled_program gelu;
    gelu.finish({gelu.call("onnx.Gelu", {gelu.input({1})})});
    const double tail = bound_of(gelu, tensor::of<float>({1}, {-3.8f}), 0);
    CHECK(tail > 3.8 * 0x1p-23);
    CHECK(tail < 1e-5);
}

TEST_CASE("numbers below the normal ones may have become zero before they are multiplied [ops.sample.same]") {
    sampled_program p;
    const auto y = p.call("onnx.MatMul", {p.input({1, 4}), p.constant(tensor::of<float>({4, 1}, {1e-38f, 1e-38f, 1e-38f, 1e-38f}))});
    p.finish({p.call("onnx.Mul", {y, p.number(1e10f)})});
    const auto expected = evaluate_samples(
        p.whole->view(), find_onnx, std::vector<tensor>{tensor::of<float>({1, 4}, {0.5f, 0.5f, 0.5f, 0.5f})}, std::vector<numbers>{{0}});
    REQUIRE(expected.has_value());
    CHECK((*expected)[0].errors[0] > (*expected)[0].values[0]);
}

TEST_CASE("operands of products that may be rounded widen the bound by their share [ops.sample.same]") {
    sampled_program p;
    p.finish({p.call("onnx.MatMul", {p.input({1, 2}), p.constant(tensor::of<float>({2, 1}, {3, -1}))})});
    const std::vector<tensor> x{tensor::of<float>({1, 2}, {1, 2})};
    const auto bound_at = [&](double rounding) {
        const auto expected =
            evaluate_samples(p.whole->view(), find_onnx, x, std::vector<numbers>{{0}}, 1e6, term_sizes::random, {}, rounding);
        return (*expected)[0].errors[0];
    };
    CHECK(bound_at(0x1p-11) - bound_at(0) == doctest::Approx(2 * 0x1p-11 * 5));
}

TEST_CASE("only what chosen elements depend on is evaluated [ops.sample.local]") {
    sampled_program p;
    const auto x = p.input({1, 64, 56, 56});
    p.finish({p.call("onnx.Relu", {p.call("onnx.Conv", {x, p.random({64, 64, 3, 3})}, {{"pads", numbers{1, 1, 1, 1}}})})});
    const region_view r = p.whole->view();
    const std::vector<tensor> inputs = inputs_of(r, 1, 1);
    const std::vector<numbers> places{{0, 1000, 200703}};
    // Three elements of 576 products, of a convolution of 115 million.
    CHECK(evaluate_samples(r, find_onnx, inputs, places, 2500).has_value());
    const auto few = evaluate_samples(r, find_onnx, inputs, places, 1000);
    REQUIRE_FALSE(few.has_value());
    CHECK(few.failure().message == "its chosen elements take more than 1000 operations");
}

TEST_CASE("what cannot be evaluated is said [ops.sample.refused]") {
    sampled_program p;
    p.finish({p.call("onnx.Relu", {p.input({2})})});
    const region_view r = p.whole->view();
    const std::vector<tensor> inputs = inputs_of(r, 1, 1);
    const std::vector<numbers> places{{0}};
    const auto none = evaluate_samples(
        r, [](std::string_view) -> const op_definition* { return nullptr; }, inputs, places);
    REQUIRE_FALSE(none.has_value());
    CHECK(none.failure().message == "Relu: it has no meaning here");
    CHECK_FALSE(evaluate_samples(r, find_onnx, {}, places).has_value());
}

TEST_CASE("numbers that a check draws for an operand need not give the extents that a type states [ops.sample.refused]") {
    const auto refusal = [](std::string_view op, const node_type& type, std::int64_t drawn) {
        sampled_program p;
        const auto x = p.input({2, 0, 4}), numbers_at = p.input({1}, element_type::int64);
        const node_id y = p.declared(op, {x, numbers_at}, type);
        p.finish({type.is_tuple() ? p.output(y, 0) : y});
        const std::vector<tensor> inputs{tensor(element_type::float32, {2, 0, 4}), tensor::of<std::int64_t>({1}, {drawn})};
        const auto made = evaluate_samples(p.whole->view(), find_onnx, inputs, std::vector<numbers>{{0, 7}});
        return made ? std::string() : made.failure().message;
    };
    const node_type sums(tensor_type(element_type::float32, {2, 1, 4}));
    CHECK(refusal("onnx.ReduceSum", sums, 1).empty());
    CHECK(refusal("onnx.ReduceSum", sums, 0) == "ReduceSum: its operands at hand give results of other extents than its type states");
    const node_type top = node_type::tuple(
        {node_type(tensor_type(element_type::float32, {2, 1, 4})), node_type(tensor_type(element_type::int64, {2, 1, 4}))});
    CHECK(refusal("onnx.TopK", top, 3) == "TopK: its operands at hand give results of other extents than its type states");
}
