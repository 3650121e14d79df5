// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_XNNPACK_FUNCTION_HPP
#define INLAY_BACKEND_XNNPACK_FUNCTION_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/backend/xnnpack/chain.hpp>
#include <inlay/backend/xnnpack/program.hpp>
#include <inlay/pattern/dsl/call_on.hpp>
#include <inlay/pattern/dsl/dsl.hpp>

namespace inlay::detail {

/// Functions of one value, element by element; hard swish also where it is spelled as a product.
struct xnnpack_function {
    enum class form : std::uint8_t {
        clamp,
        sigmoid,
        hard_swish,
        leaky_relu,
        elu,
        prelu,
        absolute,
        negate,
        ceiling,
        floor,
        round,
        square_root
    };

    struct plan {
        form how = form::clamp;
        float alpha = 0;
        xnnpack_range range;
        std::vector<float> slopes;            // of prelu, per channel; one for all
        std::optional<std::size_t> channels;  // which axis the slopes are for
        std::vector<std::int64_t> extents;
    };

    static constexpr auto pattern_of_function() {
        return dsl::call_on<1, "onnx.Relu", "onnx.Clip", "onnx.Sigmoid", "onnx.HardSwish", "onnx.LeakyRelu", "onnx.Elu", "onnx.PRelu",
                            "onnx.Abs", "onnx.Neg", "onnx.Ceil", "onnx.Floor", "onnx.Round", "onnx.Sqrt">(dsl::any);
    }
    /// x times a gate: HardSigmoid(x), or clip(x + 3, 0, 6) with a sixth somewhere in the product.
    static constexpr auto pattern_of_hard_swish() {
        using namespace dsl;
        constexpr auto gate = op<"onnx.Clip">(commutative<"onnx.Add">(as<"x">, constant), rest);
        constexpr auto part = commutative<"onnx.Mul">(gate, constant) | op<"onnx.Div">(gate, constant);
        constexpr auto product = commutative<"onnx.Mul">(as<"x">, gate);
        return commutative<"onnx.Mul">(as<"x">, op<"onnx.HardSigmoid">(as<"x">)) | op<"onnx.Div">(product, constant) |
               commutative<"onnx.Mul">(product, constant) | commutative<"onnx.Mul">(as<"x">, part);
    }

    [[nodiscard]] static outcome<plan> read(const region_view& r) {
        if (auto fine = check_float_region(r, xnnpack_any_rank); !fine) return fine.failure();
        plan p;
        p.extents = static_shape(r.type(r.results[0]));
        const region_value& c = r[r.results[0]];
        if (r.input_count != 1) return error{"a function of " + std::to_string(r.input_count) + " values"};
        if (static_shape(r.type(0)) != p.extents) return error{"the result has another shape than the input"};
        if (const auto read = activation_reader(region_nodes{r}, {1e-6}).read(r.results[0]);
            read && read->source == 0 && read->calls.size() == r.calls().size() && read->functions.size() == 1) {
            auto how = form_of(read->functions[0]);
            if (!how) return error{std::string(c.op) + " is no function of the library"};
            p.how = *how;
            p.alpha = static_cast<float>(read->functions[0].alpha);
            if (p.how == form::clamp)
                if (auto fine = p.range.then(read->functions[0]); !fine) return fine.failure();
        } else if (r.calls().size() > 1) {
            return error{"the region's " + std::to_string(r.calls().size()) + " operators are no hard swish, x * clip(x + 3, 0, 6) / 6"};
        } else if (c.op == "onnx.Clip") {
            return error{"the bounds of Clip are no float32 constants, or leave nothing between them"};
        } else {
            constexpr std::pair<std::string_view, form> known[] = {
                {"onnx.PRelu", form::prelu}, {"onnx.Ceil", form::ceiling}, {"onnx.Floor", form::floor}, {"onnx.Round", form::round}};
            const auto* k = std::find_if(std::begin(known), std::end(known), [&](const auto& one) { return one.first == c.op; });
            if (k == std::end(known) || c.operands.empty() || c.operands[0] != 0)
                return error{std::string(c.op) + " of the region's input is no function of the library"};
            p.how = k->second;
        }
        if ((p.how == form::leaky_relu || p.how == form::elu) && !std::isfinite(p.alpha))
            return error{std::string(c.op) + " has alpha = " + std::to_string(p.alpha) + ", which is not finite"};
        if (p.how == form::elu && !(p.alpha >= std::numeric_limits<float>::min()))
            return error{"Elu has alpha = " + std::to_string(p.alpha) + "; the library takes numbers above zero"};
        if (p.how == form::prelu)
            if (auto fine = read_slopes(r, c, p); !fine) return fine.failure();
        return p;
    }

    /// Any dense order serves, but for slopes, whose channels have to be innermost.
    [[nodiscard]] static std::vector<border_formats> formats(const plan& p, const region_view& r) {
        std::vector<border_formats> list;
        const std::size_t rank = p.extents.size();
        if (rank == 4 && p.channels.value_or(1) == 1) list.push_back(xnnpack_images(r));
        if (!p.channels || *p.channels + 1 == rank) list.push_back(plain_borders(r));
        return list;
    }

    [[nodiscard]] static outcome<void> build(const plan& p, const region_view&, const border_formats&, xnnpack_program& program) {
        std::size_t n = 1;
        for (const std::int64_t e : p.extents) n *= static_cast<std::size_t>(e);
        if (p.how == form::prelu) {
            const auto slopes = program.constant(p.slopes);
            if (!slopes) return slopes.failure();
            xnnpack_parameters s = xnnpack_parameters::of_rows(n / p.slopes.size(), p.slopes.size());
            s.weights = *slopes;
            return program.step({xnnpack_operators::prelu, s, {{}, {0, *slopes}}});
        }
        xnnpack_parameters s = xnnpack_parameters::of_rows(1, n);
        s.low = p.range.low;
        s.high = p.range.high;
        s.alpha = p.alpha;
        return program.step({function(p.how), s});
    }

private:
    [[nodiscard]] static constexpr const xnnpack_operator& function(form how) {
        switch (how) {
            case form::clamp:
                return xnnpack_operators::clamp;
            case form::sigmoid:
                return xnnpack_operators::sigmoid;
            case form::hard_swish:
                return xnnpack_operators::hard_swish;
            case form::leaky_relu:
                return xnnpack_operators::leaky_relu;
            case form::elu:
                return xnnpack_operators::elu;
            case form::absolute:
                return xnnpack_operators::absolute;
            case form::negate:
                return xnnpack_operators::negate;
            case form::ceiling:
                return xnnpack_operators::ceiling;
            case form::floor:
                return xnnpack_operators::floor;
            case form::round:
                return xnnpack_operators::round;
            case form::square_root:
                return xnnpack_operators::square_root;
            case form::prelu:
                break;
        }
        return xnnpack_operators::prelu;
    }

    [[nodiscard]] static std::optional<form> form_of(const elementwise_function& f) {
        using function = elementwise_function::form;
        if (xnnpack_range::is_range(f)) return form::clamp;
        if (f.kind == function::linear && f.alpha == -1 && f.beta == 0) return form::negate;
        constexpr std::pair<function, form> known[] = {{function::sigmoid, form::sigmoid}, {function::hard_swish, form::hard_swish},
                                                       {function::relu, form::leaky_relu}, {function::elu, form::elu},
                                                       {function::abs, form::absolute},    {function::sqrt, form::square_root}};
        for (const auto& [from, to] : known)
            if (from == f.kind) return to;
        return std::nullopt;
    }

    [[nodiscard]] static outcome<void> read_slopes(const region_view& r, const region_value& c, plan& p) {
        const std::size_t rank = p.extents.size();
        const tensor* t = c.operands.size() == 2 ? float_constant(r, c.operands[1]) : nullptr;
        if (t == nullptr) return error{"PRelu's slopes are no float32 constant"};
        const auto beside = broadcast_operand::of(t->extents(), p.extents);
        if (beside && beside->is_scalar() && t->count() == 1) {
            // One slope for all is the library's leaky relu.
            p.how = form::leaky_relu;
            p.alpha = t->as<float>()[0];
            return {};
        }
        for (const std::size_t behind : {std::size_t{0}, std::size_t{2}}) {
            if (behind >= rank || (behind == 2 && rank != 4)) continue;
            const std::size_t axis = rank - 1 - behind;
            if (!beside || !beside->is_one_for_each_of(axis_set::only(axis))) continue;
            p.channels = axis;
            p.slopes.assign(t->as<float>().begin(), t->as<float>().end());
            return {};
        }
        return error{"PRelu's slopes of type " + to_string(t->type()) + " are not one number per channel of " + to_string(r.type(0))};
    }
};

}  // namespace inlay::detail

#endif
