// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_GRAPH_NODE_TYPE_HPP
#define INLAY_GRAPH_NODE_TYPE_HPP

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inlay/graph/tensor_type.hpp>

namespace inlay {

/// The type of a node: a tensor, a tuple of types, a function, a reference cell, a value of an algebraic data type, or a variable that
/// stands for any type. `fields` holds a tuple's fields; a function's parameters and then its result; a reference's content; a data type's
/// arguments.
struct node_type {
    enum class form : std::uint8_t { unknown, tensor, tuple, function, reference, data, variable };

    form kind = form::unknown;
    tensor_type of_tensor;
    std::vector<node_type> fields;
    std::string name;                    // of a data type, or of a variable
    std::vector<std::string> variables;  // of a function that is generic: the variables that each use of it chooses types for

    node_type() = default;
    node_type(tensor_type t) : kind(form::tensor), of_tensor(std::move(t)) {}

    [[nodiscard]] static node_type tuple(std::vector<node_type> fields) { return {form::tuple, std::move(fields)}; }
    [[nodiscard]] static node_type function(std::vector<node_type> parameters, node_type result) {
        parameters.push_back(std::move(result));
        return {form::function, std::move(parameters)};
    }
    [[nodiscard]] static node_type reference(node_type content) { return {form::reference, {std::move(content)}}; }
    [[nodiscard]] static node_type data(std::string name, std::vector<node_type> arguments) {
        node_type t{form::data, std::move(arguments)};
        t.name = std::move(name);
        return t;
    }

    [[nodiscard]] static node_type variable(std::string name) {
        node_type t{form::variable, {}};
        t.name = std::move(name);
        return t;
    }

    [[nodiscard]] bool is_tensor() const { return kind == form::tensor; }
    [[nodiscard]] bool is_tuple() const { return kind == form::tuple; }
    [[nodiscard]] bool is_function() const { return kind == form::function; }

    /// Whether this is a tensor of known shape, or a tuple of such types.
    [[nodiscard]] bool is_static() const {
        if (is_tensor()) return of_tensor.is_static();
        if (!is_tuple()) return false;
        for (const node_type& f : fields)
            if (!f.is_static()) return false;
        return true;
    }

    friend bool operator==(const node_type&, const node_type&) = default;

private:
    node_type(form k, std::vector<node_type> f) : kind(k), fields(std::move(f)) {}
};

/// A number that equal types share, for tables of types. O(size of the type).
[[nodiscard]] inline std::uint32_t hash_of(const node_type& type) {
    std::uint32_t hash = hash_of(type.of_tensor) + static_cast<std::uint32_t>(type.kind);
    const auto mix = [&](std::uint32_t word) { hash = (hash ^ word) * 0x9E37'79B1u + (hash >> 15); };
    for (const char c : type.name) mix(static_cast<unsigned char>(c));
    for (const std::string& v : type.variables)
        for (const char c : v) mix(static_cast<unsigned char>(c));
    for (const node_type& f : type.fields) mix(hash_of(f));
    return hash;
}

/// `float32[1,3]`, `(float32[1], int64[2])`, `fn(float32[1]) -> float32[1]`, `ref(bool[])`, `List[int64[]]`, `?`.
[[nodiscard]] inline std::string to_string(const node_type& type) {
    std::string text;
    const auto list = [&](const char* before, std::size_t count, const char* behind) {
        text += before;
        for (std::size_t i = 0; i < count; ++i) {
            if (i != 0) text += ", ";
            text += to_string(type.fields[i]);
        }
        text += behind;
    };
    switch (type.kind) {
        case node_type::form::tensor:
            return to_string(type.of_tensor);
        case node_type::form::tuple:
            list("(", type.fields.size(), ")");
            break;
        case node_type::form::function:
            for (std::size_t i = 0; i < type.variables.size(); ++i) text += (i == 0 ? "<" : ", ") + type.variables[i];
            if (!type.variables.empty()) text += "> ";
            list("fn(", type.fields.size() - 1, ") -> ");
            text += to_string(type.fields.back());
            break;
        case node_type::form::reference:
            list("ref(", 1, ")");
            break;
        case node_type::form::data:
            text += type.name;
            if (!type.fields.empty()) list("[", type.fields.size(), "]");
            break;
        case node_type::form::variable:
            text += type.name;
            break;
        case node_type::form::unknown:
            text += "?";
            break;
    }
    return text;
}

}  // namespace inlay

#endif
