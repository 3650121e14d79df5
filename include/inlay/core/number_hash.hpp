// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_NUMBER_HASH_HPP
#define INLAY_CORE_NUMBER_HASH_HPP

#include <cstddef>
#include <cstdint>

#include <inlay/core/plain_list.hpp>

namespace inlay {

/// Numbers by hash, with open addresses; what they number is a list beside it.
class number_hash {
public:
    static constexpr std::uint32_t none = 0xFFFF'FFFFu;

    /// The number with this hash for which `same(number)`; `none` where there is none. Expected O(1).
    template <class Same>
    [[nodiscard]] constexpr std::uint32_t find(std::uint32_t hash, Same&& same) const {
        if (slots_.empty()) return none;
        std::size_t at = hash & (slots_.size() - 1);
        while (slots_[at].number != none && !(slots_[at].hash == hash && same(slots_[at].number))) at = (at + 1) & (slots_.size() - 1);
        return slots_[at].number;
    }
    /// The number with this hash for which `same(number)`; where there is none, `none`, and `fresh` goes in. Expected O(1).
    template <class Same>
    constexpr std::uint32_t find_or_add(std::uint32_t hash, std::uint32_t fresh, Same&& same) {
        if (const std::uint32_t found = find(hash, same); found != none) return found;
        if (2 * count_ >= slots_.size()) widen();
        put({fresh, hash});
        ++count_;
        return none;
    }
    constexpr void clear() {
        slots_.clear();
        count_ = 0;
    }

private:
    struct slot {
        std::uint32_t number = none, hash = 0;
    };

    constexpr void widen() {
        plain_list<slot> before;
        before.swap(slots_);
        slots_.resize(before.empty() ? 16 : 4 * before.size());
        for (const slot& s : before)
            if (s.number != none) put(s);
    }
    constexpr void put(const slot& s) {
        std::size_t at = s.hash & (slots_.size() - 1);
        while (slots_[at].number != none) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = s;
    }

    plain_list<slot> slots_;
    std::size_t count_ = 0;
};

}  // namespace inlay

#endif
