// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_RELAY_SPELLING_HPP
#define INLAY_IR_RELAY_SPELLING_HPP

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/node_type.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ir/data_type.hpp>

namespace inlay {

namespace detail {

[[nodiscard]] constexpr bool is_relay_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
[[nodiscard]] constexpr bool is_relay_digit(char c) { return c >= '0' && c <= '9'; }

/// Letters, digits and underscores, no digit first; with `dots`, several such with a dot between.
[[nodiscard]] constexpr bool is_relay_name(std::string_view name, bool dots = false) {
    bool first = true;
    for (const char c : name) {
        if (dots && c == '.' && !first)
            first = true;
        else if (is_relay_letter(c) || (is_relay_digit(c) && !first))
            first = false;
        else
            return false;
    }
    return !first;
}

/// A text in double quotes. Backslashes stand before quotes and backslashes, and begin what no line can show.
inline void write_relay_quoted(std::string& out, std::string_view text) {
    out += '"';
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (byte < 0x20 || byte == 0x7F) {
            out += "\\x";
            out += "0123456789abcdef"[byte >> 4];
            out += "0123456789abcdef"[byte & 15u];
        } else {
            out += c;
        }
    }
    out += '"';
}
/// A name as it is, or in quotes where it is none: models of other kinds name things as they like.
inline void write_relay_name(std::string& out, std::string_view name, bool dots = false) {
    if (is_relay_name(name, dots))
        out += name;
    else
        write_relay_quoted(out, name);
}

template <class T>
void write_relay_number(std::string& out, T v) {
    char digits[40];
    if constexpr (std::is_floating_point_v<T>) {
        if (!std::isfinite(v)) {
            out += std::isnan(v) ? "nan" : v > 0 ? "inf" : "-inf";
            return;
        }
    }
    out.append(digits, std::to_chars(digits, digits + sizeof digits, v).ptr);
}

}  // namespace detail

/// Whether Relay's text has no more for a type than that it is open.
[[nodiscard]] inline bool is_open_in_relay(const node_type& type) {
    return type.kind == node_type::form::unknown ||
           (type.is_tensor() && !type.of_tensor.ranked && in_force<"placement.text.unknown-rank">());
}

/// A type in Relay's text: `Tensor[(1, ?), float32]`, `bool`, `(int64, ref(bool))`, `fn [A](A) -> A`, `List[A]`; `_` where it or its
/// rank is unknown, which Relay has no other form for. Linear; no recursion.
inline void write_relay_type(std::string& out, const node_type& type) {
    struct open_type {
        const node_type* type;
        std::size_t next = 0;  // field
    };
    std::vector<open_type> open{{&type}};
    while (!open.empty()) {
        open_type& top = open.back();
        const node_type& t = *top.type;
        const std::size_t at = top.next++, fields = t.fields.size();
        const node_type* inner = at < fields ? &t.fields[at] : nullptr;
        switch (t.kind) {
            case node_type::form::tensor: {
                const tensor_type& tensor = t.of_tensor;
                if (is_open_in_relay(t)) {
                    out += '_';
                    break;
                }
                if (tensor.ranked && tensor.extents.empty()) {
                    out += name_of(tensor.element);
                    break;
                }
                out += "Tensor[(";
                for (std::size_t i = 0; i < tensor.extents.size(); ++i) {
                    if (i != 0) out += ", ";
                    if (const extent& e = tensor.extents[i]; e.is_known())
                        detail::write_relay_number(out, e.size);
                    else if (e.symbol.empty())
                        out += '?';
                    else
                        detail::write_relay_name(out, e.symbol);
                }
                out += "), ";
                out += name_of(tensor.element);
                out += ']';
                break;
            }
            case node_type::form::tuple:
                out += at == 0 ? "(" : inner != nullptr ? ", " : fields == 1 ? ",)" : ")";
                if (at == 0 && fields == 0) out += ')';
                break;
            case node_type::form::function:
                if (at == 0) {
                    out += "fn ";
                    for (std::size_t i = 0; i < t.variables.size(); ++i) out += (i == 0 ? "[" : ", ") + t.variables[i];
                    out += t.variables.empty() ? "(" : "](";
                }
                if (at + 1 < fields)
                    out += at == 0 ? "" : ", ";
                else if (at + 1 == fields)
                    out += ") -> ";
                break;
            case node_type::form::reference:
                out += at == 0 ? "ref(" : ")";
                break;
            case node_type::form::data:
                if (at == 0) out += t.name;
                if (fields != 0) out += at == 0 ? "[" : inner != nullptr ? ", " : "]";
                break;
            case node_type::form::variable:
                out += t.name;
                break;
            case node_type::form::unknown:
                out += '_';
                break;
        }
        if (inner != nullptr)
            open.push_back({inner});
        else
            open.pop_back();
    }
}

/// The definition of a data type, with the end of its last line.
inline void write_relay_definition(std::string& out, const data_type& type) {
    out += type.external ? "extern type " : "type ";
    out += type.name;
    for (std::size_t i = 0; i < type.variables.size(); ++i) {
        out += i == 0 ? "[" : ", ";
        out += type.variables[i];
    }
    if (!type.variables.empty()) out += ']';
    if (type.external && type.constructors.empty()) {
        out += '\n';
        return;
    }
    out += " {\n";
    for (const data_type::constructor& c : type.constructors) {
        out += "  ";
        out += c.name;
        for (std::size_t i = 0; i < c.fields.size(); ++i) {
            out += i == 0 ? "(" : ", ";
            write_relay_type(out, c.fields[i]);
        }
        out += c.fields.empty() ? ",\n" : "),\n";
    }
    out += "}\n";
}

/// The text of a number of rank 0 that Relay writes as it is: `2` int32, `2i64`, `2f` float32, `2f64`, `True`. Nothing for others, which
/// are `meta[relay.Constant][i]`.
[[nodiscard]] inline std::optional<std::string> relay_literal(const tensor& t) {
    std::string text;
    if (t.rank() != 0 || !t.ok()) return std::nullopt;
    switch (t.element()) {
        case element_type::float32:
            if (!std::isfinite(t.as<float>()[0])) return std::nullopt;
            detail::write_relay_number(text, t.as<float>()[0]);
            return text + "f";
        case element_type::float64:
            if (!std::isfinite(t.as<double>()[0])) return std::nullopt;
            detail::write_relay_number(text, t.as<double>()[0]);
            return text + "f64";
        case element_type::int32:
            detail::write_relay_number(text, t.as<std::int32_t>()[0]);
            return text;
        case element_type::int64:
            detail::write_relay_number(text, t.as<std::int64_t>()[0]);
            return text + "i64";
        case element_type::boolean:
            return t.as<std::uint8_t>()[0] != 0 ? "True" : "False";
        default:
            return std::nullopt;
    }
}

/// The value of an attribute; for a tensor, `meta_index(tensor)` gives its index. Lists that Relay's operators have in pairs are written so
/// where `pairs`. An empty list reads back as one of integers.
template <class MetaIndex>
void write_relay_attribute(std::string& out, const attribute_value& value, bool pairs, MetaIndex&& meta_index) {
    const auto one = [&](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::string>) {
            detail::write_relay_quoted(out, v);
        } else {
            detail::write_relay_number(out, v);
            if constexpr (std::is_same_v<T, double>) out += "f64";
        }
    };
    std::visit(
        [&](const auto& v) {
            using T = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<T, tensor>) {
                out += "meta[relay.Constant][";
                detail::write_relay_number(out, meta_index(v));
                out += ']';
            } else if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, double> || std::is_same_v<T, std::string>) {
                one(v);
            } else {
                pairs = pairs && v.size() % 2 == 0;
                out += '[';
                for (std::size_t i = 0; i < v.size(); ++i) {
                    out += i == 0 ? "" : pairs && i % 2 == 0 ? "], " : ", ";
                    if (pairs && i % 2 == 0) out += '[';
                    one(v[i]);
                }
                out += pairs && !v.empty() ? "]]" : "]";
            }
        },
        value);
}

}  // namespace inlay

#endif
