// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_OPS_RELAY_RELAY_RESHAPED_HPP
#define INLAY_OPS_RELAY_RELAY_RESHAPED_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/graph/tensor_type.hpp>

namespace inlay::detail {

/// How codes of a new shape are read: whether 0 is an extent, and whether axes are counted from the last one.
struct relay_reshape_options {
    bool zero_is_extent = false;
    bool from_last = false;
};

/// The shape that the codes of Relay's `newshape` make of a tensor's: 0 keeps an extent, -1 takes what is left, -2 keeps all that follow,
/// -3 joins two, -4 cuts one into the two that follow, of which one may be -1. Extents that do not follow are unknown. The error ends a
/// sentence that names the operator.
[[nodiscard]] inline outcome<shape> relay_reshaped(const tensor_type& x, std::vector<std::int64_t> codes, relay_reshape_options how = {}) {
    bool any_code = in_force<"ops.relay.reshape">();
    shape from = x.extents, to;
    if (how.from_last) {
        std::reverse(from.begin(), from.end());
        std::reverse(codes.begin(), codes.end());
    }
    std::vector<char> is_read(from.size(), 0), is_matched;
    std::optional<std::size_t> open;
    std::size_t next = 0;
    const auto give = [&](extent e, bool matched) {
        to.push_back(std::move(e));
        is_matched.push_back(matched ? 1 : 0);
    };
    const auto take = [&]() -> extent {
        is_read[next] = 1;
        return from[next++];
    };
    const auto lacks = [&](std::int64_t code, std::size_t count) {
        return error{std::to_string(code) + " in it, which needs " + (count == 1 ? "an extent" : "two extents") + " of " + to_string(x) +
                     " that the codes before have not taken"};
    };
    constexpr std::int64_t largest = std::int64_t{1} << 40;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        const std::int64_t code = codes[i];
        if (code < -1 && !any_code) return error{std::to_string(code) + " in it"};
        if (!x.ranked && code < -1) return error{std::to_string(code) + " in it, and the rank of its operand is not known"};
        if (code > 0 || (code == 0 && how.zero_is_extent)) {
            give(extent(code), false);
            ++next;
        } else if (code == 0) {
            if (!x.ranked) {
                give(extent(), true);
                continue;
            }
            if (next >= from.size()) return lacks(code, 1);
            give(take(), true);
        } else if (code == -1) {
            if (open) return error{"-1 in it twice"};
            open = to.size();
            give(extent(), false);
            ++next;
        } else if (code == -2) {
            while (next < from.size()) give(take(), true);
        } else if (code == -3) {
            if (next + 2 > from.size()) return lacks(code, 2);
            const extent a = take(), b = take();
            const bool known = a.is_known() && b.is_known() && a.size <= largest && b.size < (std::int64_t{1} << 22);
            give(known                                                ? extent(a.size * b.size)
                 : a == extent(1)                                     ? b
                 : b == extent(1)                                     ? a
                 : (a.is_known() && b.is_known() && a.size < largest) ? extent(a.size * b.size)
                                                                      : extent(),
                 true);
        } else if (code == -4) {
            if (next >= from.size()) return lacks(code, 1);
            if (i + 2 >= codes.size()) return error{"-4 in it without the two extents that are to follow"};
            const extent whole = take();
            std::int64_t a = codes[i + 1], b = codes[i + 2];
            i += 2;
            if (a < -1 || b < -1 || (a == -1 && b == -1)) return error{"-4 in it, and behind it no two extents of which one may be -1"};
            const auto rest = [&](std::int64_t part) -> std::optional<extent> {
                if (!whole.is_known()) return part == 1 ? whole : extent();
                if (part == 0 || whole.size % part != 0) return std::nullopt;
                return extent(whole.size / part);
            };
            const auto first = a == -1 ? rest(b) : extent(a), second = b == -1 ? rest(a) : extent(b);
            if (!first || !second)
                return error{"-4 in it, which cannot cut an extent of " + to_string(x) + " into " + std::to_string(a) + " and " +
                             std::to_string(b)};
            give(*first, true);
            give(*second, true);
        } else {
            return error{std::to_string(code) + " in it, and codes go from -4 up"};
        }
    }
    if (open && x.ranked) {
        // What was kept, joined or cut has the same number of elements on both sides.
        std::int64_t above = 1, below = 1;
        bool known = true;
        std::optional<extent> only;
        for (std::size_t i = 0; i < from.size(); ++i) {
            if (is_read[i] != 0) continue;
            if (!from[i].is_known() || from[i].size > largest || above > largest) {
                only = known && !only && !from[i].is_known() ? std::optional(from[i]) : std::nullopt;
                known = false;
            } else {
                above *= from[i].size;
            }
        }
        for (std::size_t i = 0; i < to.size(); ++i) {
            if (i == *open || is_matched[i] != 0) continue;
            if (!to[i].is_known() || to[i].size > largest || below > largest)
                known = false, only.reset();
            else
                below *= to[i].size;
        }
        if (known) {
            if (below == 0 ? above != 0 : above % below != 0) return error{"-1 in it, and the other extents do not divide " + to_string(x)};
            to[*open] = extent(below == 0 ? 0 : above / below);
        } else if (only && above == below) {
            to[*open] = *only;
        }
    }
    if (how.from_last) std::reverse(to.begin(), to.end());
    return to;
}

}  // namespace inlay::detail

#endif
