// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_DECLARE_STRATEGY_TABLE_HPP
#define INLAY_CODEGEN_DECLARE_STRATEGY_TABLE_HPP

#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <inlay/candidate/region_view.hpp>
#include <inlay/core/fixed_string.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>

namespace inlay {

/// How a back end lowers calls of some operators.
template <class F, fixed_string... Operators>
struct operator_strategy {
    static_assert(std::is_empty_v<F>, "inlay: a strategy captures nothing; it reads the region and the back end's options");
    static constexpr std::array<std::string_view, sizeof...(Operators)> operators{Operators.view()...};
    using function_type = F;
};

/// `strategy<"onnx.Add", "onnx.Sub">([](const mine& self, const region_view& r, value_id call, mine::nest& into) -> outcome<void> { ... })`
template <fixed_string... Operators, class F>
[[nodiscard]] constexpr auto strategy(F) {
    static_assert(sizeof...(Operators) != 0, "inlay: a strategy names its operators: `strategy<\"onnx.Add\">(f)`");
    return operator_strategy<F, Operators...>{};
}

/// The strategies of one back end. They are members of its type and nobody else's: another back end may lower the same operator
/// otherwise in the same program.
template <class... Strategies>
struct strategy_table {
    static constexpr std::size_t size = sizeof...(Strategies);

    constexpr strategy_table() = default;
    constexpr explicit strategy_table(Strategies...) requires(sizeof...(Strategies) != 0) {}

    template <class F>
    static constexpr void for_each(F&& f) {
        (f(Strategies{}), ...);
    }

private:
    [[nodiscard]] static constexpr bool operators_are_unique() {
        std::array<std::string_view, (std::size_t{1} + ... + Strategies::operators.size())> seen{};
        std::size_t count = 0;
        bool unique = true;
        for_each([&](auto one) {
            for (const std::string_view name : one.operators) {
                for (std::size_t i = 0; i < count; ++i) unique = unique && seen[i] != name;
                seen[count++] = name;
            }
        });
        return unique;
    }
    static_assert(operators_are_unique(), "inlay: two strategies of one back end name the same operator; let one of them have it");
};

/// It says how it lowers operators one by one, with a static `strategies()`, a `strategy_table`. An optional part of a back end.
template <class B>
concept has_strategies = requires {
    { B::strategies().size } -> std::convertible_to<std::size_t>;
};

/// Lowers the calls of a region one after the other, operands first, each by the back end's strategy for its operator; a field of a call
/// with several outputs needs none. What a back end's `lower` may be. The error says for which operator it has no strategy, or what a
/// strategy said. Linear in the calls and the strategies.
template <has_strategies B>
[[nodiscard]] outcome<typename B::nest> lower_by_strategies(const B& self, const region_view& region, typename B::nest nest = {}) {
    for (auto at = static_cast<value_id>(region.input_count + region.constant_count); at < region.values.size(); ++at) {
        const region_value& call = region[at];
        if (call.kind != region_value::role::call) continue;
        bool known = false;
        outcome<void> done;
        B::strategies().for_each([&]<class S>(S) {
            static_assert(
                std::is_invocable_r_v<outcome<void>, typename S::function_type, const B&, const region_view&, value_id, typename B::nest&>,
                "inlay: a strategy of this back end is called as `outcome<void>(const B&, const region_view&, value_id, nest&)`");
            for (const std::string_view name : S::operators)
                if (!known && name == call.op) {
                    known = true;
                    done = typename S::function_type{}(self, region, at, nest);
                }
        });
        const std::string who = "back end '" + std::string(std::string_view(B::kind)) + "' ";
        if (!known)
            return error{who + "has no strategy for " + quoted_text(call.op) + "; give it one, or let no pattern take that operator"};
        if (!done) return error{who + "could not lower " + quoted_text(call.op) + ": " + done.failure().message};
    }
    return nest;
}

}  // namespace inlay

#endif
