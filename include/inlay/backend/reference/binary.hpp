// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_REFERENCE_BINARY_HPP
#define INLAY_BACKEND_REFERENCE_BINARY_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/backend/reference/detail/lanes.hpp>
#include <inlay/backend/reference/detail/stretched_rows.hpp>

namespace inlay::detail::on_eigen {

/// n elements of `out` from operands that are contiguous (step 1) or one element (step 0).
using binary_row = void (*)(std::int64_t n, void* out, const void* x, std::int64_t x_step, const void* y, std::int64_t y_step);

template <class F>
void float_row(std::int64_t n, void* out, const void* x, std::int64_t x_step, const void* y, std::int64_t y_step) {
    auto* to = static_cast<float*>(out);
    const auto *a = static_cast<const float*>(x), *b = static_cast<const float*>(y);
    if (x_step != 0 && y_step != 0) {
        map_lanes(n, to, a, b, [](const lanes& u, const lanes& v) { return lanes(F::apply(u, v)); });
    } else if (x_step != 0) {
        map_lanes(n, to, a, [v = lanes(lanes::Constant(*b))](const lanes& u) { return lanes(F::apply(u, v)); });
    } else if (y_step != 0) {
        map_lanes(n, to, b, [u = lanes(lanes::Constant(*a))](const lanes& v) { return lanes(F::apply(u, v)); });
    } else {
        const lanes both = F::apply(lanes::Constant(*a), lanes::Constant(*b));
        for (std::int64_t i = 0; i < n; ++i) to[i] = both[0];
    }
}

template <class T, class R, class F>
void scalar_row(std::int64_t n, void* out, const void* x, std::int64_t x_step, const void* y, std::int64_t y_step) {
    auto* to = static_cast<R*>(out);
    const auto *a = static_cast<const T*>(x), *b = static_cast<const T*>(y);
    // A loop per case: the compiler vectorises these and not a loop with steps.
    if (x_step != 0 && y_step != 0)
        for (std::int64_t i = 0; i < n; ++i) to[i] = F::scalar(a[i], b[i]);
    else if (x_step != 0)
        for (std::int64_t i = 0; i < n; ++i) to[i] = F::scalar(a[i], *b);
    else if (y_step != 0)
        for (std::int64_t i = 0; i < n; ++i) to[i] = F::scalar(*a, b[i]);
    else
        for (std::int64_t i = 0; i < n; ++i) to[i] = F::scalar(*a, *b);
}

// Sums and products of integers wrap around; computed without a sign, where that is defined.
struct add_lanes {
    static lanes apply(const lanes& x, const lanes& y) { return x + y; }
    template <class T>
    static T scalar(T x, T y) {
        return static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) + static_cast<std::make_unsigned_t<T>>(y));
    }
};
struct sub_lanes {
    static lanes apply(const lanes& x, const lanes& y) { return x - y; }
    template <class T>
    static T scalar(T x, T y) {
        return static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) - static_cast<std::make_unsigned_t<T>>(y));
    }
};
struct mul_lanes {
    static lanes apply(const lanes& x, const lanes& y) { return x * y; }
    template <class T>
    static T scalar(T x, T y) {
        return static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) * static_cast<std::make_unsigned_t<T>>(y));
    }
};
struct div_lanes {
    static lanes apply(const lanes& x, const lanes& y) { return x / y; }
};
struct max_lanes {
    static lanes apply(const lanes& x, const lanes& y) { return larger(x, y); }
    template <class T>
    static T scalar(T x, T y) {
        return x < y ? y : x;
    }
};
struct min_lanes {
    static lanes apply(const lanes& x, const lanes& y) { return smaller(x, y); }
    template <class T>
    static T scalar(T x, T y) {
        return y < x ? y : x;
    }
};
struct prelu_lanes {
    static lanes apply(const lanes& x, const lanes& slope) { return larger(x, 0.0f) + slope * smaller(x, 0.0f); }
};
struct power_scalar {
    static float scalar(float x, float y) { return std::pow(x, y); }
};
/// Small exponents that networks use are products and roots; their rows see one exponent for the whole row.
inline void power_row(std::int64_t n, void* out, const void* x, std::int64_t x_step, const void* y, std::int64_t y_step) {
    auto* to = static_cast<float*>(out);
    const auto* a = static_cast<const float*>(x);
    const float exponent = *static_cast<const float*>(y);
    const bool shared = x_step != 0 && y_step == 0;
    if (shared && exponent == 2.0f)
        map_lanes(n, to, a, [](const lanes& v) { return lanes(v * v); });
    else if (shared && exponent == 3.0f)
        map_lanes(n, to, a, [](const lanes& v) { return lanes(v * v * v); });
    else if (shared && exponent == 1.0f)
        map_lanes(n, to, a, [](const lanes& v) { return v; });
    else
        scalar_row<float, float, power_scalar>(n, out, x, x_step, y, y_step);
}

struct equal_scalar {
    template <class T>
    static bool scalar(T x, T y) {
        return x == y;
    }
};
struct less_scalar {
    template <class T>
    static bool scalar(T x, T y) {
        return x < y;
    }
};
struct less_equal_scalar {
    template <class T>
    static bool scalar(T x, T y) {
        return x <= y;
    }
};
struct greater_scalar {
    template <class T>
    static bool scalar(T x, T y) {
        return x > y;
    }
};
struct greater_equal_scalar {
    template <class T>
    static bool scalar(T x, T y) {
        return x >= y;
    }
};
struct and_scalar {
    static bool scalar(bool x, bool y) { return x && y; }
};
struct or_scalar {
    static bool scalar(bool x, bool y) { return x || y; }
};
struct xor_scalar {
    static bool scalar(bool x, bool y) { return x != y; }
};

template <class F>
[[nodiscard]] binary_row arithmetic_row(element_type e) {
    if (e == element_type::float32) return float_row<F>;
    if constexpr (requires { F::scalar(std::int64_t{}, std::int64_t{}); }) {
        if (e == element_type::int64) return scalar_row<std::int64_t, std::int64_t, F>;
        if (e == element_type::int32) return scalar_row<std::int32_t, std::int32_t, F>;
    }
    return nullptr;
}
template <class F>
[[nodiscard]] binary_row comparison_row(element_type e) {
    if (e == element_type::float32) return scalar_row<float, bool, F>;
    if (e == element_type::int64) return scalar_row<std::int64_t, bool, F>;
    if (e == element_type::int32) return scalar_row<std::int32_t, bool, F>;
    return nullptr;
}

/// The loop for an operator on operands of an element type; null where there is none.
[[nodiscard]] inline binary_row binary_row_of(std::string_view op, element_type e) {
    if (op == "onnx.Add" || op == "onnx.Sum") return arithmetic_row<add_lanes>(e);
    if (op == "onnx.Sub") return arithmetic_row<sub_lanes>(e);
    if (op == "onnx.Mul") return arithmetic_row<mul_lanes>(e);
    if (op == "onnx.Div") return arithmetic_row<div_lanes>(e);
    if (op == "onnx.Max") return arithmetic_row<max_lanes>(e);
    if (op == "onnx.Min") return arithmetic_row<min_lanes>(e);
    if (op == "onnx.PRelu") return arithmetic_row<prelu_lanes>(e);
    if (op == "onnx.Pow") return e == element_type::float32 ? power_row : nullptr;
    if (op == "onnx.Equal") return e == element_type::boolean ? scalar_row<bool, bool, equal_scalar> : comparison_row<equal_scalar>(e);
    if (op == "onnx.Less") return comparison_row<less_scalar>(e);
    if (op == "onnx.LessOrEqual") return comparison_row<less_equal_scalar>(e);
    if (op == "onnx.Greater") return comparison_row<greater_scalar>(e);
    if (op == "onnx.GreaterOrEqual") return comparison_row<greater_equal_scalar>(e);
    if (e != element_type::boolean) return nullptr;
    if (op == "onnx.And") return scalar_row<bool, bool, and_scalar>;
    if (op == "onnx.Or") return scalar_row<bool, bool, or_scalar>;
    if (op == "onnx.Xor") return scalar_row<bool, bool, xor_scalar>;
    return nullptr;
}

[[nodiscard]] inline std::string refuse_binary(const call_site& c) {
    if (c.operands.empty() || !c.has(0)) return "it has no operand";
    for (const site_value& v : c.operands) {
        if (!v.present) return "an operand is left out";
        if (auto why = refuse_unless(v, c.in(0).element, "an operand"); !why.empty()) return why;
    }
    if (c.out().rank() > most_axes) return "the rank is above 32";
    if (binary_row_of(c.op, c.in(0).element) == nullptr)
        return "operands are " + std::string(name_of(c.in(0).element)) + "; there is no kernel for it";
    return {};
}

/// Sum, Max and Min of any number of operands are taken two at a time, in order, in the result's own place.
[[nodiscard]] inline kernel make_binary(const call_site& c) {
    const binary_row loop = binary_row_of(c.op, c.in(0).element);
    const auto in_size = static_cast<std::int64_t>(size_of(c.in(0).element)),
               out_size = static_cast<std::int64_t>(size_of(c.out().element));
    std::vector<stretched_rows<2>> passes;
    if (c.operands.size() == 1) passes.push_back({c.out().shape, {&c.in(0).shape, &c.in(0).shape}});
    for (std::size_t i = 1; i < c.operands.size(); ++i)
        passes.push_back({c.out().shape, {i == 1 ? &c.in(0).shape : &c.out().shape, &c.in(i).shape}});
    const bool single = c.operands.size() == 1;
    return kernel_of([=, passes = std::move(passes), bytes = c.out().bytes()](const run_arguments& a) {
        auto* out = result<std::byte>(a);
        if (single) {
            if (bytes != 0) std::memcpy(out, a.inputs[0], bytes);
            return;
        }
        for (std::size_t pass = 0; pass < passes.size(); ++pass) {
            const auto* x = pass == 0 ? input<std::byte>(a, 0) : out;
            const auto* y = input<std::byte>(a, pass + 1);
            const auto& rows = passes[pass];
            rows.for_each(a.executor, [&](std::int64_t to, const std::array<std::int64_t, 2>& at, std::int64_t n) {
                loop(n, out + to * out_size, x + at[0] * in_size, rows.row_step[0], y + at[1] * in_size, rows.row_step[1]);
            });
        }
    });
}

[[nodiscard]] inline std::string refuse_not(const call_site& c) { return refuse_unless(c.in(0), element_type::boolean, "the operand"); }
[[nodiscard]] inline kernel make_not(const call_site& c) {
    return kernel_of([n = c.out().count()](const run_arguments& a) {
        const auto* x = input<bool>(a, 0);
        auto* y = result<bool>(a);
        for (std::int64_t i = 0; i < n; ++i) y[i] = !x[i];
    });
}

template <class T>
void where_row(std::int64_t n, void* out, const bool* c, std::int64_t c_step, const void* x, std::int64_t x_step, const void* y,
               std::int64_t y_step) {
    auto* to = static_cast<T*>(out);
    const auto *a = static_cast<const T*>(x), *b = static_cast<const T*>(y);
    for (std::int64_t i = 0; i < n; ++i) to[i] = c[i * c_step] ? a[i * x_step] : b[i * y_step];
}

[[nodiscard]] inline std::string refuse_where(const call_site& c) {
    if (c.out().rank() > most_axes) return "the rank is above 32";
    if (size_of(c.out().element) == 0) return "elements have no fixed size";
    return {};
}
[[nodiscard]] inline kernel make_where(const call_site& c) {
    const auto size = static_cast<std::int64_t>(size_of(c.out().element));
    const auto loop = size == 8   ? where_row<std::uint64_t>
                      : size == 4 ? where_row<std::uint32_t>
                      : size == 2 ? where_row<std::uint16_t>
                                  : where_row<std::uint8_t>;
    const stretched_rows<3> rows(c.out().shape, {&c.in(0).shape, &c.in(1).shape, &c.in(2).shape});
    return kernel_of([=](const run_arguments& a) {
        rows.for_each(a.executor, [&](std::int64_t to, const std::array<std::int64_t, 3>& at, std::int64_t n) {
            loop(n, result<std::byte>(a) + to * size, input<bool>(a, 0) + at[0], rows.row_step[0], input<std::byte>(a, 1) + at[1] * size,
                 rows.row_step[1], input<std::byte>(a, 2) + at[2] * size, rows.row_step[2]);
        });
    });
}

/// Functions of two variables and more, element by element, operands stretched to the result's shape: arithmetic on float32, int64 and
/// int32, comparisons, logic.
inline constexpr operator_entry binary_operators[] = {
    {"onnx.Add", refuse_binary, make_binary},     {"onnx.Sub", refuse_binary, make_binary},
    {"onnx.Mul", refuse_binary, make_binary},     {"onnx.Div", refuse_binary, make_binary},
    {"onnx.Min", refuse_binary, make_binary},     {"onnx.Max", refuse_binary, make_binary},
    {"onnx.Sum", refuse_binary, make_binary},     {"onnx.Pow", refuse_binary, make_binary},
    {"onnx.PRelu", refuse_binary, make_binary},   {"onnx.Equal", refuse_binary, make_binary},
    {"onnx.Less", refuse_binary, make_binary},    {"onnx.LessOrEqual", refuse_binary, make_binary},
    {"onnx.Greater", refuse_binary, make_binary}, {"onnx.GreaterOrEqual", refuse_binary, make_binary},
    {"onnx.And", refuse_binary, make_binary},     {"onnx.Or", refuse_binary, make_binary},
    {"onnx.Xor", refuse_binary, make_binary},     {"onnx.Not", refuse_not, make_not},
    {"onnx.Where", refuse_where, make_where},
};

}  // namespace inlay::detail::on_eigen

#endif
