// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_RELAY_VARIABLES_HPP
#define INLAY_IR_RELAY_VARIABLES_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <inlay/ir/ir_module.hpp>
#include <inlay/ir/relay_spelling.hpp>

namespace inlay {

/// What the variables of a module are called in its text: as in the module, but with letters, digits and underscores alone, and with a
/// number behind where a variable of that name can be used already. O(1) each, expected.
class relay_variables {
public:
    explicit relay_variables(const ir_module& m) : m_(m), name_(m.size(), unnamed) {}

    /// Gives a variable a name that no other has while it can be used.
    const std::string& bind(node_id v) {
        std::string name;
        for (const char c : m_.name(v)) name += detail::is_relay_letter(c) || detail::is_relay_digit(c) ? c : '_';
        if (name.empty() || detail::is_relay_digit(name.front())) name = "v" + name + std::to_string(v);
        name_use* use = &uses_[name];
        if (use->taken) {
            std::string numbered;
            name_use* free = use;
            while (free->taken) {
                numbered = name + "_" + std::to_string(++use->last);
                free = &uses_[numbered];
            }
            use = free;
            name = std::move(numbered);
        }
        use->taken = true;
        name_[v] = bound_.size();
        open_.push_back(bound_.size());
        bound_.push_back(std::move(name));
        return bound_.back();
    }
    /// The name of a variable, which gets one here if it has none.
    const std::string& name(node_id v) { return name_[v] == unnamed ? bind(v) : bound_[name_[v]]; }

    /// How many variables can be used.
    [[nodiscard]] std::size_t count() const { return open_.size(); }
    /// From here on only so many of them can be.
    void leave(std::size_t count) {
        for (; open_.size() > count; open_.pop_back()) uses_[bound_[open_.back()]].taken = false;
    }
    /// From here on none can be, and no name is remembered.
    void leave_all() {
        open_.clear();
        uses_ = {};
    }

private:
    static constexpr std::size_t unnamed = static_cast<std::size_t>(-1);

    struct name_use {
        bool taken = false;
        std::uint32_t last = 0;  // number that was put behind it
    };

    const ir_module& m_;
    std::vector<std::size_t> name_;  // by node: the place of its name in `bound_`
    std::vector<std::string> bound_;
    std::vector<std::size_t> open_;  // names of variables that can be used, the innermost last
    std::unordered_map<std::string, name_use> uses_;
};

}  // namespace inlay

#endif
