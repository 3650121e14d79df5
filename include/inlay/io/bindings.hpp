// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_BINDINGS_HPP
#define INLAY_IO_BINDINGS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/nearest_name.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/passes/infer_types.hpp>
#include <inlay/passes/rebuild.hpp>

namespace inlay {

namespace detail {

inline std::optional<std::int64_t> extent_in(std::string_view text) {
    if (text.empty() || text.size() > 15) return std::nullopt;
    std::int64_t number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return std::nullopt;
        number = 10 * number + (c - '0');
    }
    return number;
}

}  // namespace detail

/// Adds what `NAME=1,3,48,320` says: the shape of an input; `NAME=` is a scalar's. The last `=` counts, names may hold others.
[[nodiscard]] inline outcome<void> add_shape(type_bindings& to, std::string_view text) {
    const auto equals = text.rfind('=');
    if (equals == std::string_view::npos || equals == 0)
        return error{"the shape " + quoted_text(text) + " must be written as NAME=1,3,48,320"};
    const std::string name(text.substr(0, equals));
    for (const auto& [known, sizes] : to.inputs)
        if (known == name) return error{"the shape of input " + quoted_text(name) + " is given twice"};
    std::vector<std::int64_t> sizes;
    for (std::string_view rest = text.substr(equals + 1); !rest.empty();) {
        const auto comma = rest.find(',');
        const auto size = detail::extent_in(rest.substr(0, comma));
        if (!size || comma == rest.size() - 1)
            return error{"the shape " + quoted_text(text) + " must be written as NAME=1,3,48,320, with whole numbers of at most 15 digits"};
        sizes.push_back(*size);
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    to.inputs.emplace_back(name, std::move(sizes));
    return {};
}

/// Adds what `NAME=VALUE` says: the size that a symbol stands for.
[[nodiscard]] inline outcome<void> add_symbol(type_bindings& to, std::string_view text) {
    const auto equals = text.rfind('=');
    const auto size = equals == std::string_view::npos ? std::nullopt : detail::extent_in(text.substr(equals + 1));
    if (!size || equals == 0)
        return error{"the dimension " + quoted_text(text) + " must be written as NAME=VALUE, with a whole number of at most 15 digits"};
    const std::string name(text.substr(0, equals));
    for (const auto& [known, value] : to.symbols)
        if (known == name) return error{"the dimension " + quoted_text(name) + " is given twice"};
    to.symbols.emplace_back(name, *size);
    return {};
}

/// A tensor for the parameter of that name.
struct named_constant {
    std::string name;
    tensor value;
};

/// The program with constants for these parameters of its main function, which then has the others alone: a saved program with its
/// weights. A constant is where its parameter was. A tensor has the element type and the extents that the parameter has, as far as those
/// are known. The error names the parameter, with the known name that is nearest. Linear in the program.
[[nodiscard]] inline outcome<ir_module> bind_constants(const ir_module& m, std::span<const named_constant> constants) {
    const auto inputs = m.inputs();
    std::vector<const tensor*> bound(m.size(), nullptr);
    for (const named_constant& c : constants) {
        std::vector<std::string_view> names;
        node_id parameter = no_node;
        for (const node_id n : inputs) {
            names.push_back(m.name(n));
            if (m.name(n) == c.name) parameter = n;
        }
        if (parameter == no_node) return error{"the program has no parameter " + quoted_text(c.name) + name_hint(c.name, names)};
        const std::string what = "parameter " + quoted_text(c.name);
        if (bound[parameter] != nullptr) return error{what + " is given twice; give each constant once"};
        if (!c.value.ok()) return error{what + " was given a tensor that holds nothing"};
        const node_type& type = m.type(parameter);
        const bool is_open = type.kind == node_type::form::unknown;
        if (!is_open && !type.is_tensor()) return error{what + " is of type " + to_string(type) + ", and only a tensor can be a constant"};
        bool fits = is_open || type.of_tensor.element == element_type::none || type.of_tensor.element == c.value.element();
        if (!is_open && type.of_tensor.ranked) {
            const auto& wanted = type.of_tensor.extents;
            fits = fits && wanted.size() == c.value.rank();
            for (std::size_t i = 0; fits && i < wanted.size(); ++i) fits = !wanted[i].is_known() || wanted[i].size == c.value.extents()[i];
        }
        if (!fits) return error{what + " is of type " + to_string(type) + ", and was given " + to_string(c.value.type())};
        bound[parameter] = &c.value;
    }
    if (constants.empty()) return m;
    const node_id main = m.main();
    for (node_id n = 0; n < m.size(); ++n)
        if (m.kind(n) == node_kind::global && m.symbol(n) == m.symbol(main))
            return error{"the program calls its main function itself, so that the parameters of that cannot be constants"};
    return rebuild(m, [&](module_rebuilder& r, node_id n) {
        if (bound[n] != nullptr) {
            const node_id made = r.builder().constant(*bound[n], m.name(n));
            if (!m.where(n).is_free()) r.builder().set_where(made, m.where(n));
            if (m.position(n).is_known()) r.builder().set_position(made, m.position(n));
            return r.set_made(n, made);
        }
        if (n != main) return static_cast<void>(r.copy(n));
        std::vector<node_id> operands;
        node_type type = m.type(n);
        const bool is_function = type.is_function() && type.fields.size() == m.arity(n);
        std::size_t field = 0;
        for (const node_id o : m.operands(n)) {
            if (bound[o] == nullptr) {
                operands.push_back(r.made(o));
                ++field;
            } else if (is_function) {
                type.fields.erase(type.fields.begin() + static_cast<std::ptrdiff_t>(field));
            }
        }
        const node_id made = r.builder().copy(m, n, operands);
        r.builder().set_type(made, type);
        r.set_made(n, made);
    });
}

/// The program with these bindings and a type at every node (`infer_types`). Shapes replace unknown and symbolic extents; a declared
/// number cannot be replaced. Errors name the input or dimension, with the known name that is nearest.
template <op_set Ops = onnx_ops>
[[nodiscard]] outcome<ir_module> bind(const ir_module& m, const type_bindings& bindings, Ops ops = {}) {
    std::vector<std::string_view> inputs;
    std::set<std::string_view> symbols;
    for (const node_id n : m.inputs()) {
        inputs.push_back(m.name(n));
        for (const extent& e : m.type(n).of_tensor.extents)
            if (!e.is_known() && !e.symbol.empty()) symbols.insert(e.symbol);
    }
    for (const auto& [name, sizes] : bindings.inputs) {
        std::size_t at = 0;
        while (at < inputs.size() && inputs[at] != name) ++at;
        if (at == inputs.size()) return error{"the program has no input " + quoted_text(name) + name_hint(name, inputs)};
        const node_type& type = m.type(m.inputs()[at]);
        if (!type.is_tensor() || !type.of_tensor.ranked || type.of_tensor.rank() != sizes.size()) continue;
        for (std::size_t i = 0; i < sizes.size(); ++i)
            if (const extent& e = type.of_tensor.extents[i]; e.is_known() && e.size != sizes[i])
                return error{"input " + quoted_text(name) + " is declared as " + to_string(type) + ", so that extent " + std::to_string(i) +
                             " cannot be " + std::to_string(sizes[i])};
    }
    for (const auto& [name, size] : bindings.symbols)
        if (symbols.count(name) == 0) {
            if (symbols.empty()) return error{"the dimension " + quoted_text(name) + " is bound, and no input has a dimension with a name"};
            return error{"no input has a dimension " + quoted_text(name) + name_hint(name, symbols)};
        }
    infer_options options;
    options.bindings = bindings;
    return infer_types(m, options, ops);
}

}  // namespace inlay

#endif
