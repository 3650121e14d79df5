// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/backend/reference/fused.hpp>

#include <cmath>

#include "region_of.hpp"

using namespace reference_test;
using on_eigen::fused_plan;

namespace {

double at(const tensor& t, std::size_t i) { return static_cast<double>(t.as<float>()[i]); }

/// Runs a program as the one fused kernel that it must be, on 1 and on 3 threads.
tensor run_fused(ir_module m, fused_plan::form expected, std::size_t steps, const std::vector<tensor>& inputs) {
    const whole_region w(std::move(m));
    const auto plan = on_eigen::fused_plan_of(w.view(), 3);
    REQUIRE(plan.has_value());
    CHECK(plan->kind == expected);
    CHECK(plan->steps.size() == steps);
    std::vector<on_eigen::region_step> only;
    only.push_back({on_eigen::make_fused(w.view(), *plan), plan->operands, {plan->result}});
    const kernel k = on_eigen::region_program::make(w.view(), std::move(only));
    std::vector<const void*> places;
    for (const tensor& t : inputs) places.push_back(t.data());
    const auto alone = run(k, places, result_types(w.view()), 1), shared = run(k, places, result_types(w.view()), 3);
    check_floats(
        shared[0], [&](std::size_t i) { return at(alone[0], i); }, 1e-5);
    return alone[0];
}

/// A convolution of one element per window, whose sums the tests write out.
struct small_conv {
    static constexpr std::int64_t in = 5, out = 20, side = 9;
    seeded random;
    tensor x, weights, per_channel[4];
    small_program p;
    node_id input, product;

    explicit small_conv(unsigned seed)
        : random(seed),
          x(random.floats({2, in, side, side})),
          weights(random.floats({out, in, 1, 1})),
          input(p.input(x.type())),
          product(0) {
        for (tensor& t : per_channel) t = random.floats({out}, 0.5f, 2.0f);
        product = p.call("onnx.Conv", {input, p.constant(weights)}, type());
    }
    static tensor_type type() { return float_type({2, out, side, side}); }
    static std::size_t channel(std::size_t i) { return i / (side * side) % out; }
    [[nodiscard]] double sum(std::size_t i) const {
        const std::size_t pixel = i % (side * side), image = i / (side * side) / out;
        double s = 0;
        for (std::size_t k = 0; k < in; ++k) s += at(x, (image * in + k) * side * side + pixel) * at(weights, channel(i) * in + k);
        return s;
    }
    node_id normalised(node_id v) {
        return p.call("onnx.BatchNormalization",
                      {v, p.constant(per_channel[0]), p.constant(per_channel[1]), p.constant(per_channel[2]), p.constant(per_channel[3])},
                      type());
    }
    [[nodiscard]] double normal(double v, std::size_t i) const {
        const std::size_t c = channel(i);
        return (v - at(per_channel[2], c)) / std::sqrt(at(per_channel[3], c) + 1e-5) * at(per_channel[0], c) + at(per_channel[1], c);
    }
};

double hard_swish(double v) { return v * std::min(std::max(v + 3, 0.0), 6.0) / 6; }
double gelu(double v) { return 0.5 * v * (1 + std::erf(v / std::sqrt(2.0))); }

}  // namespace

TEST_CASE("batch normalisation goes into the weights of the convolution before it, and Relu follows in the cache") {
    small_conv c(1101);
    const node_id end = c.p.call("onnx.Relu", {c.normalised(c.product)}, c.type());
    check_floats(
        run_fused(c.p.finish({end}), fused_plan::form::convolution, 2, {c.x}),
        [&](std::size_t i) { return std::max(0.0, c.normal(c.sum(i), i)); }, 1e-5);
}

TEST_CASE("a residual is added before the activation, from either side") {
    for (const bool left : {false, true}) {
        small_conv c(1102);
        const tensor other = c.random.floats({2, c.out, c.side, c.side});
        const node_id residual = c.p.input(other.type()), normalised = c.normalised(c.product);
        const node_id sum =
            left ? c.p.call("onnx.Add", {residual, normalised}, c.type()) : c.p.call("onnx.Sum", {normalised, residual}, c.type());
        const node_id end = c.p.call("onnx.Relu", {sum}, c.type());
        check_floats(
            run_fused(c.p.finish({end}), fused_plan::form::convolution, 3, {c.x, other}),
            [&](std::size_t i) { return std::max(0.0, c.normal(c.sum(i), i) + at(other, i)); }, 1e-5);
    }
}

TEST_CASE("a hard swish that is written out, with numbers and biases around it, is one function among affine steps") {
    small_conv c(1103);
    tensor bias = c.per_channel[0].reshaped({1, c.out, 1, 1});
    const node_id shifted = c.p.call("onnx.Add", {c.product, c.p.constant(bias)}, c.type());
    const node_id plus = c.p.call("onnx.Add", {shifted, c.p.constant(3.0f)}, c.type());
    const node_id clipped = c.p.call("onnx.Clip", {plus, c.p.constant(0.0f), c.p.constant(6.0f)}, c.type());
    const node_id times = c.p.call("onnx.Mul", {shifted, clipped}, c.type());
    const node_id sixth = c.p.call("onnx.Div", {times, c.p.constant(6.0f)}, c.type());
    const node_id scaled = c.p.call("onnx.Mul", {c.p.constant(0.7f), sixth}, c.type());
    const node_id end = c.p.call("onnx.Sub", {scaled, c.p.constant(0.2f)}, c.type());
    check_floats(
        run_fused(c.p.finish({end}), fused_plan::form::convolution, 3, {c.x}),
        [&](std::size_t i) { return 0.7 * hard_swish(c.sum(i) + at(c.per_channel[0], c.channel(i))) - 0.2; }, 1e-5);
}

TEST_CASE("depthwise convolutions take epilogues too") {
    seeded random(1104);
    const tensor x = random.floats({1, 7, 20, 20}), w = random.floats({7, 1, 3, 3}), bias = random.floats({7, 1, 1});
    small_program p;
    const node_id in = p.input(x.type());
    const tensor_type type = float_type({1, 7, 18, 18});
    const node_id conv = p.call("onnx.Conv", {in, p.constant(w)}, type, {{"group", std::int64_t{7}}});
    const node_id sum = p.call("onnx.Add", {conv, p.constant(bias)}, type);
    const node_id end = p.call("onnx.Mul", {sum, p.call("onnx.Sigmoid", {sum}, type)}, type);
    check_floats(
        run_fused(p.finish({end}), fused_plan::form::convolution, 2, {x}),
        [&](std::size_t i) {
            const std::size_t c = i / 324, y = i / 18 % 18, column = i % 18;
            double s = at(bias, c);
            for (std::size_t t = 0; t < 9; ++t) s += at(x, c * 400 + (y + t / 3) * 20 + column + t % 3) * at(w, c * 9 + t);
            return s / (1 + std::exp(-s));
        },
        1e-5);
}

TEST_CASE("a product with a bias and a GELU that is written out in any of its forms") {
    for (int form = 0; form < 3; ++form) {
        seeded random(1105);
        const tensor x = random.floats({3, 4, 10}), w = random.floats({10, 33}, -1, 1), bias = random.floats({33});
        small_program p;
        const node_id in = p.input(x.type());
        const tensor_type type = float_type({3, 4, 33});
        const node_id sum = p.call("onnx.Add", {p.constant(bias), p.call("onnx.MatMul", {in, p.constant(w)}, type)}, type);
        const node_id inner =
            form == 1 ? p.call("onnx.Mul", {sum, p.constant(0.70710678f)}, type) : p.call("onnx.Div", {sum, p.constant(1.41421356f)}, type);
        const node_id one = p.call("onnx.Add", {p.call("onnx.Erf", {inner}, type), p.constant(1.0f)}, type);
        node_id end = 0;
        if (form == 2)
            end = p.call("onnx.Mul", {p.call("onnx.Mul", {sum, p.constant(0.5f)}, type), one}, type);
        else
            end = p.call("onnx.Mul", {p.call("onnx.Mul", {sum, one}, type), p.constant(0.5f)}, type);
        check_floats(
            run_fused(p.finish({end}), fused_plan::form::matmul, 2, {x}),
            [&](std::size_t i) {
                double s = at(bias, i % 33);
                for (std::size_t k = 0; k < 10; ++k) s += at(x, i / 33 * 10 + k) * at(w, k * 33 + i % 33);
                return gelu(s);
            },
            1e-5);
    }
}

TEST_CASE("a product of Gemm with an activation") {
    seeded random(1106);
    const tensor x = random.floats({5, 10}), w = random.floats({33, 10}), bias = random.floats({33});
    small_program p;
    const node_id in = p.input(x.type());
    const node_id product = p.call("onnx.Gemm", {in, p.constant(w), p.constant(bias)}, float_type({5, 33}), {{"transB", std::int64_t{1}}});
    const node_id end = p.call("onnx.Tanh", {product}, float_type({5, 33}));
    check_floats(
        run_fused(p.finish({end}), fused_plan::form::gemm, 1, {x}),
        [&](std::size_t i) {
            double s = at(bias, i % 33);
            for (std::size_t k = 0; k < 10; ++k) s += at(x, i / 33 * 10 + k) * at(w, i % 33 * 10 + k);
            return std::tanh(s);
        },
        1e-5);
}

TEST_CASE("chains without a product: one function, or steps by channel") {
    seeded random(1107);
    const tensor x = random.floats({3, 40, 50}, -5, 5);
    small_program p;
    const node_id in = p.input(x.type());
    const node_id clipped =
        p.call("onnx.Clip", {p.call("onnx.Add", {in, p.constant(3.0f)}, x.type()), p.constant(0.0f), p.constant(6.0f)}, x.type());
    const node_id end = p.call("onnx.Div", {p.call("onnx.Mul", {in, clipped}, x.type()), p.constant(6.0f)}, x.type());
    check_floats(
        run_fused(p.finish({end}), fused_plan::form::chain, 1, {x}), [&](std::size_t i) { return hard_swish(at(x, i)); }, 1e-6);
    for (const shape64& shape : {shape64{7, 40}, shape64{2, 40, 9, 9}}) {
        const tensor y = random.floats(shape), scale = random.floats({40}), other = random.floats(shape);
        small_program q;
        const node_id start = q.input(y.type()), more = q.input(y.type());
        const node_id by = q.constant(shape.size() == 2 ? scale : scale.reshaped({1, 40, 1, 1}));
        const node_id last =
            q.call("onnx.Sigmoid", {q.call("onnx.Add", {more, q.call("onnx.Mul", {start, by}, y.type())}, y.type())}, y.type());
        const std::size_t plane = shape.size() == 2 ? 1 : 81;
        check_floats(
            run_fused(q.finish({last}), fused_plan::form::chain, 3, {y, other}),
            [&](std::size_t i) { return 1 / (1 + std::exp(-(at(y, i) * at(scale, i / plane % 40) + at(other, i)))); }, 1e-6);
    }
}

TEST_CASE("a layer normalisation that is written out, with one difference or two, with scale and bias or without") {
    for (int form = 0; form < 4; ++form) {
        seeded random(1108);
        const tensor x = random.floats({2, 6, 50}, 3, 5), scale = random.floats({50}), bias = random.floats({50});
        const tensor_type narrow = float_type({2, 6, 1});
        small_program p;
        const node_id in = p.input(x.type());
        const auto mean = [&](node_id v) { return p.call("onnx.ReduceMean", {v, p.constant(list(shape64{form == 1 ? 2 : -1}))}, narrow); };
        const node_id difference = p.call("onnx.Sub", {in, mean(in)}, x.type());
        const node_id again = form == 2 ? p.call("onnx.Sub", {in, mean(in)}, x.type()) : difference;
        const node_id square = form == 1 ? p.call("onnx.Mul", {difference, difference}, x.type())
                                         : p.call("onnx.Pow", {difference, p.constant(2.0f)}, x.type());
        const node_id deviation = p.call("onnx.Sqrt", {p.call("onnx.Add", {mean(square), p.constant(1e-5f)}, narrow)}, narrow);
        node_id end = p.call("onnx.Div", {again, deviation}, x.type());
        if (form != 3) end = p.call("onnx.Add", {p.call("onnx.Mul", {end, p.constant(scale)}, x.type()), p.constant(bias)}, x.type());
        check_floats(
            run_fused(p.finish({end}), fused_plan::form::layer_norm, 0, {x}),
            [&](std::size_t i) {
                double m = 0, s = 0;
                for (std::size_t k = 0; k < 50; ++k) m += at(x, i / 50 * 50 + k) / 50;
                for (std::size_t k = 0; k < 50; ++k) s += std::pow(at(x, i / 50 * 50 + k) - m, 2) / 50;
                const double normal = (at(x, i) - m) / std::sqrt(s + 1e-5);
                return form == 3 ? normal : normal * at(scale, i % 50) + at(bias, i % 50);
            },
            1e-5);
    }
}

TEST_CASE("what is not one kernel is left to one kernel per call") {
    const auto none = [](ir_module m) {
        const whole_region w(std::move(m));
        return !on_eigen::fused_plan_of(w.view(), 1).has_value();
    };
    {
        // A value from the middle is read outside.
        small_conv d(1109);
        const node_id end = d.p.call("onnx.Relu", {d.product}, d.type());
        CHECK(none(d.p.finish({d.product, end})));
    }
    {
        // A constant that differs along the pixels is no step of a channel.
        small_conv d(1109);
        const tensor along = d.random.floats({1, 1, d.side, d.side});
        CHECK(none(d.p.finish({d.p.call("onnx.Mul", {d.product, d.p.constant(along)}, d.type())})));
    }
    {
        // The erf of another multiple is no GELU.
        small_conv d(1109);
        const node_id inner = d.p.call("onnx.Div", {d.product, d.p.constant(1.5f)}, d.type());
        const node_id one = d.p.call("onnx.Add", {d.p.call("onnx.Erf", {inner}, d.type()), d.p.constant(1.0f)}, d.type());
        CHECK(none(d.p.finish({d.p.call("onnx.Mul", {d.product, one}, d.type())})));
    }
    {
        // A mean over another axis.
        small_program p;
        const node_id in = p.input(float_type({4, 6}));
        const tensor_type narrow = float_type({1, 6}), type = float_type({4, 6});
        const auto mean = [&](node_id v) { return p.call("onnx.ReduceMean", {v, p.constant(list(shape64{0}))}, narrow); };
        const node_id d = p.call("onnx.Sub", {in, mean(in)}, type);
        const node_id s = p.call(
            "onnx.Sqrt", {p.call("onnx.Add", {mean(p.call("onnx.Pow", {d, p.constant(2.0f)}, type)), p.constant(1e-5f)}, narrow)}, narrow);
        CHECK(none(p.finish({p.call("onnx.Div", {d, s}, type)})));
    }
}
