// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_ONNX_LOGIC_HPP
#define INLAY_OPS_ONNX_LOGIC_HPP

#include <cstdint>
#include <string_view>

#include <inlay/ops/attributes/scalar_attributes.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>

namespace inlay {
namespace detail {

struct and_op {
    static constexpr std::string_view name = "onnx.And";
    using scalars = boolean_scalars;
    using predicate = void;
    static constexpr double flops = 1;
    template <class T>
    static bool apply(T x, T y) {
        return x && y;
    }
};

struct or_op {
    static constexpr std::string_view name = "onnx.Or";
    using scalars = boolean_scalars;
    using predicate = void;
    static constexpr double flops = 1;
    template <class T>
    static bool apply(T x, T y) {
        return x || y;
    }
};

struct xor_op {
    static constexpr std::string_view name = "onnx.Xor";
    using scalars = boolean_scalars;
    using predicate = void;
    static constexpr double flops = 1;
    template <class T>
    static bool apply(T x, T y) {
        return x != y;
    }
};

struct not_op {
    static constexpr std::string_view name = "onnx.Not";
    using scalars = boolean_scalars;
    using predicate = void;
    static constexpr double flops = 1;
    template <class T>
    static bool apply(T x) {
        return !x;
    }
};

struct equal_op {
    static constexpr std::string_view name = "onnx.Equal";
    using scalars = all_scalars;
    using predicate = void;
    static constexpr double flops = 1;
    template <class T>
    static bool apply(T x, T y) {
        return x == y;
    }
};

struct greater_op {
    static constexpr std::string_view name = "onnx.Greater";
    using scalars = numeric_scalars;
    using predicate = void;
    static constexpr double flops = 1;
    template <class T>
    static bool apply(T x, T y) {
        return x > y;
    }
};

struct greater_or_equal_op {
    static constexpr std::string_view name = "onnx.GreaterOrEqual";
    using scalars = numeric_scalars;
    using predicate = void;
    static constexpr double flops = 1;
    template <class T>
    static bool apply(T x, T y) {
        return x >= y;
    }
};

struct less_op {
    static constexpr std::string_view name = "onnx.Less";
    using scalars = numeric_scalars;
    using predicate = void;
    static constexpr double flops = 1;
    template <class T>
    static bool apply(T x, T y) {
        return x < y;
    }
};

struct less_or_equal_op {
    static constexpr std::string_view name = "onnx.LessOrEqual";
    using scalars = numeric_scalars;
    using predicate = void;
    static constexpr double flops = 1;
    template <class T>
    static bool apply(T x, T y) {
        return x <= y;
    }
};

struct bitwise_and_op {
    static constexpr std::string_view name = "onnx.BitwiseAnd";
    using scalars = integer_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x, T y) {
        return static_cast<T>(x & y);
    }
};

struct bitwise_or_op {
    static constexpr std::string_view name = "onnx.BitwiseOr";
    using scalars = integer_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x, T y) {
        return static_cast<T>(x | y);
    }
};

struct bitwise_xor_op {
    static constexpr std::string_view name = "onnx.BitwiseXor";
    using scalars = integer_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x, T y) {
        return static_cast<T>(x ^ y);
    }
};

struct bitwise_not_op {
    static constexpr std::string_view name = "onnx.BitwiseNot";
    using scalars = integer_scalars;
    static constexpr double flops = 1;
    template <class T>
    static T apply(T x) {
        return static_cast<T>(~x);
    }
};

struct bit_shift_op {
    static constexpr std::string_view name = "onnx.BitShift";
    using scalars = unsigned_scalars;
    static constexpr double flops = 1;
    static parameter_array parameters(const call_view& c) { return {read<bit_shift_attributes>(c).direction == "LEFT" ? 1.0 : 0.0}; }
    template <class T>
    static T apply(T x, T y, const typed_parameters<T>& p) {
        if (y >= T(8 * sizeof(T))) return T(0);
        const auto wide = static_cast<std::uint64_t>(x);
        return static_cast<T>(p[0] != 0 ? wide << y : wide >> y);
    }
};

inline outcome<node_type> infer_bit_shift(const call_view& call) {
    const std::string_view direction = read<bit_shift_attributes>(call).direction;
    if (direction != "LEFT" && direction != "RIGHT") return error{"BitShift needs the attribute direction to be LEFT or RIGHT"};
    return infer_binary<bit_shift_op>(call);
}

}  // namespace detail

/// Comparisons, logic and bits.
template <class = void>
struct onnx_logic {
    static constexpr auto table = with_attributes<bit_shift_attributes>({
        detail::unary<detail::not_op>,
        detail::unary<detail::bitwise_not_op>,
        detail::binary<detail::and_op>,
        detail::binary<detail::or_op>,
        detail::binary<detail::xor_op>,
        detail::binary<detail::equal_op>,
        detail::binary<detail::greater_op>,
        detail::binary<detail::greater_or_equal_op>,
        detail::binary<detail::less_op>,
        detail::binary<detail::less_or_equal_op>,
        detail::binary<detail::bitwise_and_op>,
        detail::binary<detail::bitwise_or_op>,
        detail::binary<detail::bitwise_xor_op>,
        {"onnx.BitShift", op_kind::broadcast, detail::infer_bit_shift, detail::evaluate_binary<detail::bit_shift_op>,
         detail::work_elementwise<detail::bit_shift_op>},
    });
};

}  // namespace inlay

#endif
