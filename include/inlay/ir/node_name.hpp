// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_NODE_NAME_HPP
#define INLAY_IR_NODE_NAME_HPP

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/ir/ir_module.hpp>

namespace inlay {

/// The name by which people know a node: its own, or its operator and number where it has none.
[[nodiscard]] inline std::string name_of_node(const ir_module& m, node_id n) {
    const std::string_view name = m.name(n);
    return name.empty() ? std::string(m.op(n)) + "#" + std::to_string(n) : std::string(name);
}

/// The node that a name stands for: its own, one of its origins', or its number. A name whose bytes are not UTF-8 is also found as
/// `escaped_bytes` writes it. The error gives the nearest name. Linear in the module.
[[nodiscard]] inline outcome<node_id> node_named(const ir_module& m, std::string_view name) {
    std::vector<std::string> known;
    for (node_id n = 0; n < m.size(); ++n) {
        if (m.kind(n) == node_kind::function) continue;
        known.push_back(name_of_node(m, n));
        if (known.back() == name) return n;
    }
    for (node_id n = 0; n < m.size(); ++n)
        if (std::find(m.origins(n).begin(), m.origins(n).end(), name) != m.origins(n).end()) return n;
    if (const std::string bytes = unescaped_bytes(name); bytes != name)
        if (auto found = node_named(m, bytes)) return found;
    node_id number = 0;
    const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (fault == std::errc() && end == name.data() + name.size() && number < m.size()) return number;
    return error{"the model has no node " + quoted_text(name) + name_hint(name, known)};
}

}  // namespace inlay

#endif
