// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_AUTOMATON_NAME_INDEX_HPP
#define INLAY_PATTERN_AUTOMATON_NAME_INDEX_HPP

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace inlay {

/// A small table from names to values, for names whose text stays at its address, as those of a graph's operators do: an entry is found by
/// address and length, and no text is compared. A second name at the same place replaces the first; `Places` is a power of 2. The values
/// of one name differ by `group`.
template <class Value, std::size_t Places>
class name_index {
    static_assert(Places != 0 && (Places & (Places - 1)) == 0);

public:
    /// The value of a name in a group; `make()` gives it where the table does not have it. The reference is good until the next call.
    template <class Make>
    const Value& find_or_make(std::string_view name, std::size_t group, Make&& make) {
        entry& e = entries_[place_of(name, group)];
        if (!e.is_used || e.name.data() != name.data() || e.name.size() != name.size() || e.group != group)
            e = {name, group, true, std::forward<Make>(make)()};
        return e.value;
    }

    void clear() { entries_.fill({}); }

private:
    struct entry {
        std::string_view name{};
        std::size_t group = 0;
        bool is_used = false;
        Value value{};
    };

    static std::size_t place_of(std::string_view name, std::size_t group) {
        // Texts are often aligned alike, so that the lowest bits of their addresses tell nothing.
        const std::size_t mixed = std::hash<const char*>{}(name.data()) * 0x9E37'79B9u;
        return ((mixed >> 8) + group) & (Places - 1);
    }

    std::array<entry, Places> entries_{};
};

}  // namespace inlay

#endif
