// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_LOOPS_EXTENT_ARITHMETIC_IPP
#define INLAY_OPS_LOOPS_EXTENT_ARITHMETIC_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/ops/loops/extent_arithmetic.hpp>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/ops/operand_checks.hpp>

namespace inlay {

std::optional<extent> extent_sum(const extent& a, const extent& b) {
    if (a.is_known() && b.is_known()) {
        if (a.size > INT64_MAX - b.size) return std::nullopt;
        return extent(a.size + b.size);
    }
    if (a.is_known() && a.size == 0) return b;
    if (b.is_known() && b.size == 0) return a;
    return extent();
}

std::optional<extent> extent_quotient(std::span<const extent> over, std::span<const extent> under) {
    std::vector<std::int64_t> numbers[2];
    std::vector<std::string> symbols[2];
    bool open = false;
    for (std::size_t side = 0; side < 2; ++side) {
        for (const extent& e : side == 0 ? over : under) {
            if (e.is_known())
                numbers[side].push_back(e.size);
            else if (e.symbol.empty())
                open = true;
            else
                symbols[side].push_back(e.symbol);
        }
        std::sort(symbols[side].begin(), symbols[side].end());
    }
    const auto above = element_count(numbers[0]), below = element_count(numbers[1]);
    if (!above || !below || *below == 0) return std::nullopt;
    if (*above == 0) return extent(0);
    std::vector<std::string> left, rest;
    std::set_difference(symbols[0].begin(), symbols[0].end(), symbols[1].begin(), symbols[1].end(), std::back_inserter(left));
    std::set_difference(symbols[1].begin(), symbols[1].end(), symbols[0].begin(), symbols[0].end(), std::back_inserter(rest));
    if (open || !rest.empty() || left.size() > 1) return extent();
    if (left.size() == 1) return *above == *below ? extent(std::move(left[0])) : extent();
    if (*above % *below != 0) return std::nullopt;
    return extent(*above / *below);
}

std::optional<extent> extent_product(std::span<const extent> factors) {
    for (const extent& e : factors)
        if (e.is_known() && e.size == 0) return extent(0);
    return extent_quotient(factors, {});
}

bool can_be_equal(const extent& a, const extent& b) { return !a.is_known() || !b.is_known() || a.size == b.size; }

const extent& better_known(const extent& a, const extent& b) {
    if (a.is_known()) return a;
    return b.is_known() || a.symbol.empty() ? b : a;
}

outcome<node_type> countable_type(const call_view& call, tensor_type type) {
    std::vector<std::int64_t> known;
    for (const extent& e : type.extents)
        if (e.is_known()) known.push_back(e.size);
    const auto count = element_count(known);
    if (!count || *count > INT64_MAX / 16)
        return error{short_name(call.op) + " would have a result of type " + to_string(type) + ", which is beyond counting"};
    return node_type(std::move(type));
}

}  // namespace inlay

#endif
