// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_ONNX_VALUE_NAMES_HPP
#define INLAY_IO_ONNX_ONNX_VALUE_NAMES_HPP

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

#include <inlay/ir/ir_module.hpp>

namespace inlay::detail {

/// A value as ONNX has them: an output of a node.
using onnx_value = std::pair<node_id, std::size_t>;

/// The value that a node stands for; sees through tuples that are built only to be taken apart.
[[nodiscard]] inline onnx_value onnx_value_of(const ir_module& m, node_id n) {
    while (m.kind(n) == node_kind::projection) {
        const node_id from = m.operand(n, 0);
        if (m.kind(from) != node_kind::tuple || m.field(n) >= m.arity(from)) return {from, m.field(n)};
        n = m.operand(from, m.field(n));
    }
    return {n, 0};
}

[[nodiscard]] inline const node_type& onnx_value_type(const ir_module& m, onnx_value v) {
    const node_type& whole = m.type(v.first);
    return whole.is_tuple() && v.second < whole.fields.size() ? whole.fields[v.second] : whole;
}

/// The names of a written model's values: the program's own where they are unique, else with a number behind.
class onnx_value_names {
public:
    /// `outputs`: how many outputs each node has; it must outlive this.
    onnx_value_names(const ir_module& m, std::span<const std::size_t> outputs) : m_(m), outputs_(outputs) {
        for (node_id n = 0; n < m.size(); ++n)
            if (m.kind(n) == node_kind::projection && !m.name(n).empty())
                field_names_.emplace(onnx_value{m.operand(n, 0), m.field(n)}, m.name(n));
    }

    /// The name of a value, the same whenever it is asked for.
    [[nodiscard]] std::string of(onnx_value v) {
        const auto [at, is_new] = names_.try_emplace(v);
        if (is_new) {
            std::string wanted(m_.name(v.first));
            if (wanted.empty()) wanted = "v" + std::to_string(v.first);
            if (outputs_[v.first] > 1 || v.second > 0) {
                const auto named = field_names_.find(v);
                wanted = named == field_names_.end() ? wanted + "_" + std::to_string(v.second) : named->second;
            }
            at->second = fresh(std::move(wanted));
        }
        return at->second;
    }

    /// A name that nothing has: the wanted one, or that with a number behind.
    [[nodiscard]] std::string fresh(std::string wanted) {
        std::string name = wanted;
        for (std::size_t i = 1; !taken_.insert(name).second; ++i) name = wanted + "_" + std::to_string(i);
        return name;
    }

    /// Names a value that has no name yet.
    void give(onnx_value v, const std::string& name) {
        taken_.insert(name);
        names_.emplace(v, name);
    }

    /// Keeps a name from being given to any value.
    void take(const std::string& name) { taken_.insert(name); }

private:
    const ir_module& m_;
    std::span<const std::size_t> outputs_;
    std::map<onnx_value, std::string> names_, field_names_;
    std::set<std::string> taken_;
};

}  // namespace inlay::detail

#endif
