// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_INTERNED_LISTS_HPP
#define INLAY_PATTERN_INTERNED_LISTS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace inlay {

/// Lists of numbers, each kept once and known by a number of its own: 0, 1, ... as they come. A lookup is O(length).
class interned_lists {
public:
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;

    /// The number of a list, which is kept from now on.
    std::uint32_t number_of(std::span<const std::uint32_t> list) {
        if (2 * (size() + 1) > slots_.size()) widen();
        std::size_t at = place_of(list, hash_of(list));
        if (slots_[at] != none) return slots_[at];
        const std::uint32_t fresh = size();
        slots_[at] = fresh;
        items_.insert(items_.end(), list.begin(), list.end());
        ends_.push_back(static_cast<std::uint32_t>(items_.size()));
        hashes_.push_back(hash_of(list));
        return fresh;
    }

    [[nodiscard]] std::span<const std::uint32_t> operator[](std::uint32_t number) const {
        const std::uint32_t first = number == 0 ? 0 : ends_[number - 1];
        return {items_.data() + first, ends_[number] - first};
    }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }

    /// What is kept, in numbers.
    [[nodiscard]] std::size_t weight() const { return items_.size() + 2 * ends_.size(); }

    void clear() {
        items_.clear();
        ends_.clear();
        hashes_.clear();
        slots_.clear();
    }

private:
    static std::uint32_t hash_of(std::span<const std::uint32_t> list) {
        std::uint64_t hash = list.size();
        for (const std::uint32_t n : list) {
            hash = (hash ^ n) * 0x9E37'79B9'7F4A'7C15u;
            hash ^= hash >> 29;
        }
        return static_cast<std::uint32_t>(hash ^ (hash >> 32));
    }
    [[nodiscard]] std::size_t place_of(std::span<const std::uint32_t> list, std::uint32_t hash) const {
        std::size_t at = hash & (slots_.size() - 1);
        while (slots_[at] != none && !(hashes_[slots_[at]] == hash && is(slots_[at], list))) at = (at + 1) & (slots_.size() - 1);
        return at;
    }
    [[nodiscard]] bool is(std::uint32_t number, std::span<const std::uint32_t> list) const {
        const std::span<const std::uint32_t> kept = (*this)[number];
        if (kept.size() != list.size()) return false;
        for (std::size_t i = 0; i < list.size(); ++i)
            if (kept[i] != list[i]) return false;
        return true;
    }
    void widen() {
        slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), none);
        for (std::uint32_t n = 0; n < size(); ++n) {
            std::size_t at = hashes_[n] & (slots_.size() - 1);
            while (slots_[at] != none) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = n;
        }
    }

    std::vector<std::uint32_t> items_, ends_, hashes_, slots_;
};

}  // namespace inlay

#endif
