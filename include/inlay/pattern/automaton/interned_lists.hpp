// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_AUTOMATON_INTERNED_LISTS_HPP
#define INLAY_PATTERN_AUTOMATON_INTERNED_LISTS_HPP

#include <cstddef>
#include <cstdint>
#include <span>

#include <inlay/core/number_hash.hpp>
#include <inlay/core/plain_list.hpp>

namespace inlay {

/// Stores each distinct list of numbers once, and numbers the lists 0, 1, ... in the order of their first use. A lookup is O(length).
class interned_lists {
public:
    static constexpr std::uint32_t none = number_hash::none;

    /// The number of a list, which is stored if it is new. The list must not be a view into this object.
    std::uint32_t number_of(std::span<const std::uint32_t> list) {
        const std::uint32_t fresh = size();
        const std::uint32_t found = hash_.find_or_add(hash_of(list), fresh, [&](std::uint32_t number) { return is(number, list); });
        if (found != none) return found;
        items_.append(list);
        ends_.push_back(static_cast<std::uint32_t>(items_.size()));
        return fresh;
    }

    [[nodiscard]] std::span<const std::uint32_t> operator[](std::uint32_t number) const {
        const std::uint32_t first = number == 0 ? 0 : ends_[number - 1];
        return {items_.data() + first, ends_[number] - first};
    }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }

    /// How many numbers are stored.
    [[nodiscard]] std::size_t weight() const { return items_.size() + 2 * ends_.size(); }

    void clear() {
        items_.clear();
        ends_.clear();
        hash_.clear();
    }

private:
    static std::uint32_t hash_of(std::span<const std::uint32_t> list) {
        std::uint64_t hash = list.size();
        for (std::size_t i = 0; i < list.size(); ++i) {
            hash = (hash ^ list[i]) * 0x9E37'79B9'7F4A'7C15u;
            hash ^= hash >> 29;
        }
        return static_cast<std::uint32_t>(hash ^ (hash >> 32));
    }
    [[nodiscard]] bool is(std::uint32_t number, std::span<const std::uint32_t> list) const {
        const std::span<const std::uint32_t> kept = (*this)[number];
        if (kept.size() != list.size()) return false;
        for (std::size_t i = 0; i < list.size(); ++i)
            if (kept[i] != list[i]) return false;
        return true;
    }

    plain_list<std::uint32_t> items_, ends_;
    number_hash hash_;
};

}  // namespace inlay

#endif
