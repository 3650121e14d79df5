// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_UNARY_HPP
#define INLAY_BACKEND_REFERENCE_UNARY_HPP

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <inlay/backend/elementwise_function.hpp>
#include <inlay/backend/reference/detail/call_site.hpp>
#include <inlay/backend/reference/detail/chunks.hpp>
#include <inlay/backend/reference/detail/lanes.hpp>

namespace inlay::detail::on_eigen {

/// Up to two numbers of a function of one variable: slopes, bounds.
using unary_parameters = std::array<float, 2>;

/// A function of one variable with its parameters: `row(n, out, x, parameters)` applies it to n elements.
struct unary_function {
    void (*row)(std::int64_t, float*, const float*, const unary_parameters&) = nullptr;
    unary_parameters parameters{};

    void operator()(std::int64_t n, float* out, const float* x) const { row(n, out, x, parameters); }
};

template <class F>
void unary_row(std::int64_t n, float* out, const float* x, const unary_parameters& p) {
    map_lanes(n, out, x, [p](const lanes& v) { return lanes(F::apply(v, p[0], p[1])); });
}

// The functions. Each is an empty type, so that its loop is compiled once.
struct identity_lanes {
    static lanes apply(const lanes& x, float, float) { return x; }
};
struct relu_lanes {
    static lanes apply(const lanes& x, float, float) { return larger(x, 0.0f); }
};
struct leaky_relu_lanes {
    static lanes apply(const lanes& x, float slope, float) { return larger(x, 0.0f) + slope * smaller(x, 0.0f); }
};
struct clip_lanes {
    static lanes apply(const lanes& x, float low, float high) { return smaller(larger(x, low), high); }
};
struct sigmoid_lanes {
    static lanes apply(const lanes& x, float, float) { return sigmoid_of(x); }
};
struct swish_lanes {
    static lanes apply(const lanes& x, float, float) { return x * sigmoid_of(x); }
};
struct hard_sigmoid_lanes {
    static lanes apply(const lanes& x, float slope, float offset) { return smaller(larger(x * slope + offset, 0.0f), 1.0f); }
};
struct hard_swish_lanes {
    static lanes apply(const lanes& x, float slope, float offset) { return x * smaller(larger(x * slope + offset, 0.0f), 1.0f); }
};
struct tanh_lanes {
    static lanes apply(const lanes& x, float, float) { return x.tanh(); }
};
struct erf_lanes {
    static lanes apply(const lanes& x, float, float) { return erf_of(x); }
};
struct gelu_lanes {
    static lanes apply(const lanes& x, float, float) { return 0.5f * x * (1.0f + erf_of(x * 0.70710678118654752f)); }
};
struct gelu_tanh_lanes {
    static lanes apply(const lanes& x, float, float) {
        return 0.5f * x * (1.0f + (0.79788456080286536f * (x + 0.044715f * x * x * x)).tanh());
    }
};
struct exp_lanes {
    static lanes apply(const lanes& x, float, float) { return x.exp(); }
};
struct log_lanes {
    static lanes apply(const lanes& x, float, float) { return x.log(); }
};
struct sqrt_lanes {
    static lanes apply(const lanes& x, float, float) { return x.sqrt(); }
};
struct abs_lanes {
    static lanes apply(const lanes& x, float, float) { return x.abs(); }
};
struct neg_lanes {
    static lanes apply(const lanes& x, float, float) { return -x; }
};
struct reciprocal_lanes {
    static lanes apply(const lanes& x, float, float) { return 1.0f / x; }
};
struct square_lanes {
    static lanes apply(const lanes& x, float, float) { return x * x; }
};
struct elu_lanes {
    static lanes apply(const lanes& x, float alpha, float) { return larger(x, 0.0f) + alpha * smaller(x, 0.0f).expm1(); }
};
struct selu_lanes {
    static lanes apply(const lanes& x, float alpha, float gamma) { return gamma * (larger(x, 0.0f) + alpha * smaller(x, 0.0f).expm1()); }
};
struct celu_lanes {
    static lanes apply(const lanes& x, float alpha, float) { return larger(x, 0.0f) + alpha * (smaller(x, 0.0f) / alpha).expm1(); }
};
struct softplus_lanes {
    static lanes apply(const lanes& x, float, float) { return larger(x, 0.0f) + (-x.abs()).exp().log1p(); }
};
struct softsign_lanes {
    static lanes apply(const lanes& x, float, float) { return x / (1.0f + x.abs()); }
};
struct mish_lanes {
    static lanes apply(const lanes& x, float, float) {
        const lanes softplus = larger(x, 0.0f) + (-x.abs()).exp().log1p();
        return x * softplus.tanh();
    }
};
struct floor_lanes {
    static lanes apply(const lanes& x, float, float) { return x.floor(); }
};
struct ceil_lanes {
    static lanes apply(const lanes& x, float, float) { return x.ceil(); }
};
struct round_lanes {
    static lanes apply(const lanes& x, float, float) { return x.rint(); }
};
struct sin_lanes {
    static lanes apply(const lanes& x, float, float) { return x.sin(); }
};
struct cos_lanes {
    static lanes apply(const lanes& x, float, float) { return x.cos(); }
};

/// The loop of a function of one number; nothing for lines, which are affine steps, and for powers other than the reciprocal.
[[nodiscard]] inline std::optional<unary_function> unary_function_of(const elementwise_function& f) {
    using form = elementwise_function::form;
    const unary_parameters both{static_cast<float>(f.alpha), static_cast<float>(f.beta)};
    switch (f.kind) {
        case form::linear:
            return std::nullopt;
        case form::relu:
            return unary_function{f.alpha == 0 ? unary_row<relu_lanes> : unary_row<leaky_relu_lanes>, both};
        case form::clip:
            return unary_function{unary_row<clip_lanes>, both};
        case form::power:
            if (f.alpha != 1 || f.beta != -1) return std::nullopt;
            return unary_function{unary_row<reciprocal_lanes>, {}};
        case form::hard_swish:
            return unary_function{unary_row<hard_swish_lanes>, both};
        case form::elu:
            return unary_function{unary_row<elu_lanes>, both};
        case form::sigmoid:
            return unary_function{unary_row<sigmoid_lanes>, {}};
        case form::swish:
            return unary_function{unary_row<swish_lanes>, {}};
        case form::tanh:
            return unary_function{unary_row<tanh_lanes>, {}};
        case form::gelu:
            return unary_function{unary_row<gelu_lanes>, {}};
        case form::gelu_tanh:
            return unary_function{unary_row<gelu_tanh_lanes>, {}};
        case form::softplus:
            return unary_function{unary_row<softplus_lanes>, {}};
        case form::mish:
            return unary_function{unary_row<mish_lanes>, {}};
        case form::abs:
            return unary_function{unary_row<abs_lanes>, {}};
        case form::square:
            return unary_function{unary_row<square_lanes>, {}};
        case form::sqrt:
            return unary_function{unary_row<sqrt_lanes>, {}};
        case form::exp:
            return unary_function{unary_row<exp_lanes>, {}};
        case form::log:
            break;
    }
    return unary_function{unary_row<log_lanes>, {}};
}

/// The function that a call of one varying operand applies to each element; nothing where it is none of those known here, or its
/// parameters are not known before the run.
[[nodiscard]] inline std::optional<unary_function> unary_function_of(const call_site& c) {
    const auto given = [&](std::string_view name, double otherwise) { return static_cast<float>(c.attributes->number(name, otherwise)); };
    struct plain_entry {
        std::string_view name;
        void (*row)(std::int64_t, float*, const float*, const unary_parameters&);
    };
    static constexpr plain_entry plain[] = {
        {"onnx.Erf", unary_row<erf_lanes>},     {"onnx.Neg", unary_row<neg_lanes>},   {"onnx.Softsign", unary_row<softsign_lanes>},
        {"onnx.Floor", unary_row<floor_lanes>}, {"onnx.Ceil", unary_row<ceil_lanes>}, {"onnx.Round", unary_row<round_lanes>},
        {"onnx.Sin", unary_row<sin_lanes>},     {"onnx.Cos", unary_row<cos_lanes>},
    };
    for (const plain_entry& e : plain)
        if (e.name == c.op) return unary_function{e.row, {}};
    if (const auto known = function_of_operator(c.op, *c.attributes)) return unary_function_of(*known);
    if (c.op == "onnx.HardSigmoid") return unary_function{unary_row<hard_sigmoid_lanes>, {given("alpha", 0.2), given("beta", 0.5)}};
    if (c.op == "onnx.Celu") return unary_function{unary_row<celu_lanes>, {given("alpha", 1.0), 0}};
    if (c.op == "onnx.Selu")
        return unary_function{unary_row<selu_lanes>,
                              {given("alpha", 1.67326319217681884765625), given("gamma", 1.05070102214813232421875)}};
    if (c.op == "onnx.Clip") {
        constexpr float infinity = std::numeric_limits<float>::infinity();
        const auto low = c.number(1, -infinity), high = c.number(2, infinity);
        if (low && high) return unary_function{unary_row<clip_lanes>, {*low, *high}};
    }
    return std::nullopt;
}

[[nodiscard]] inline std::string refuse_unary(const call_site& c) {
    if (auto why = refuse_unless_float(c); !why.empty()) return why;
    if (!unary_function_of(c)) return "the bounds of Clip are not known before the run";
    return {};
}

[[nodiscard]] inline kernel make_unary(const call_site& c) {
    return kernel_of([f = *unary_function_of(c), n = c.out().count()](const run_arguments& a) {
        in_chunks(a.executor, n, worth_a_thread,
                  [&](std::int64_t b, std::int64_t e) { f(e - b, result<float>(a) + b, input<float>(a, 0) + b); });
    });
}

/// Functions of one variable, element by element, of float32.
inline constexpr operator_entry unary_operators[] = {
    {"onnx.Relu", refuse_unary, make_unary},        {"onnx.LeakyRelu", refuse_unary, make_unary},
    {"onnx.Clip", refuse_unary, make_unary},        {"onnx.Sigmoid", refuse_unary, make_unary},
    {"onnx.HardSigmoid", refuse_unary, make_unary}, {"onnx.HardSwish", refuse_unary, make_unary},
    {"onnx.Tanh", refuse_unary, make_unary},        {"onnx.Erf", refuse_unary, make_unary},
    {"onnx.Gelu", refuse_unary, make_unary},        {"onnx.Exp", refuse_unary, make_unary},
    {"onnx.Log", refuse_unary, make_unary},         {"onnx.Sqrt", refuse_unary, make_unary},
    {"onnx.Abs", refuse_unary, make_unary},         {"onnx.Neg", refuse_unary, make_unary},
    {"onnx.Reciprocal", refuse_unary, make_unary},  {"onnx.Elu", refuse_unary, make_unary},
    {"onnx.Selu", refuse_unary, make_unary},        {"onnx.Celu", refuse_unary, make_unary},
    {"onnx.Softplus", refuse_unary, make_unary},    {"onnx.Softsign", refuse_unary, make_unary},
    {"onnx.Mish", refuse_unary, make_unary},        {"onnx.Floor", refuse_unary, make_unary},
    {"onnx.Ceil", refuse_unary, make_unary},        {"onnx.Round", refuse_unary, make_unary},
    {"onnx.Sin", refuse_unary, make_unary},         {"onnx.Cos", refuse_unary, make_unary},
};

}  // namespace inlay::detail::on_eigen

#endif
