// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_RELAY_RELAY_NAMES_HPP
#define INLAY_IO_RELAY_RELAY_NAMES_HPP

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <inlay/core/id.hpp>

namespace inlay {

/// Which node each name stands for at a place of a text. Inner names hide outer ones, until their scope is left. O(1) each, expected. Names
/// are views of the text.
class relay_names {
public:
    void bind(std::string_view name, node_id n) {
        bound& known = now_[name];
        hidden_.emplace_back(name, known);
        known = {n, hidden_.size()};
    }
    [[nodiscard]] node_id find(std::string_view name) const {
        const auto known = now_.find(name);
        return known == now_.end() ? no_node : known->second.node;
    }
    /// Whether a name has been bound since there were so many.
    [[nodiscard]] bool is_bound_since(std::string_view name, std::size_t count) const {
        const auto known = now_.find(name);
        return known != now_.end() && known->second.count > count;
    }
    /// How many names have been bound and not left.
    [[nodiscard]] std::size_t count() const { return hidden_.size(); }
    void leave(std::size_t from) {
        for (; hidden_.size() > from; hidden_.pop_back()) now_[hidden_.back().first] = hidden_.back().second;
    }
    /// The names that stand for something, in ascending order.
    [[nodiscard]] std::vector<std::string_view> all() const {
        std::vector<std::string_view> names;
        for (const auto& [name, b] : now_)
            if (b.node != no_node) names.push_back(name);
        std::sort(names.begin(), names.end());
        return names;
    }

private:
    struct bound {
        node_id node = no_node;
        std::size_t count = 0;  // of names, this one included, when it was bound
    };

    std::unordered_map<std::string_view, bound> now_;
    std::vector<std::pair<std::string_view, bound>> hidden_;  // what the names stood for before
};

}  // namespace inlay

#endif
