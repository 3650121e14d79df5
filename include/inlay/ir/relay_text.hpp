// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_RELAY_TEXT_HPP
#define INLAY_IR_RELAY_TEXT_HPP

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <inlay/ir/ir_module.hpp>

namespace inlay {

namespace detail {

/// Prints one module as Relay text. Every call, of an operator or a function, gets a `%N` of its own in the block that makes it, as do
/// other values that are read more than once.
class relay_printer {
public:
    explicit relay_printer(const ir_module& m) : m_(m), uses_(m.size(), 0), shown_(m.size()), calls_(m.blocks()), has_let_(m.blocks(), 0) {
        for (node_id n = 0; n < m.size(); ++n) {
            for (const node_id o : m.operands(n)) ++uses_[o];
            if (m.kind(n) == node_kind::call) calls_[m.block(n)].push_back(n);
            if (m.kind(n) == node_kind::let) has_let_[m.block(n)] = 1;
        }
    }

    std::string print() {
        out_ = "#[version = \"0.0.5\"]\n";
        for (const node_id f : m_.functions()) {
            std::string name(m_.symbol(f));
            out_ += "def @" + (name.empty() ? std::string("main") : name);
            signature_and_body(f, "");
            out_ += "\n";
        }
        return std::move(out_);
    }

private:
    static std::string type_text(const node_type& t) {
        const auto list = [](std::span<const node_type> types) {
            std::string s;
            for (std::size_t i = 0; i < types.size(); ++i) s += (i == 0 ? "" : ", ") + type_text(types[i]);
            return s;
        };
        switch (t.kind) {
            case node_type::form::tensor: {
                const std::string element(name_of(t.of_tensor.element));
                if (!t.of_tensor.ranked) return "Tensor[(...), " + element + "]";
                if (t.of_tensor.extents.empty()) return element;
                std::string s = "Tensor[(";
                for (std::size_t i = 0; i < t.of_tensor.extents.size(); ++i)
                    s += (i == 0 ? "" : ", ") +
                         (t.of_tensor.extents[i].is_known() ? std::to_string(t.of_tensor.extents[i].size) : std::string("?"));
                return s + "), " + element + "]";
            }
            case node_type::form::tuple:
                return "(" + list(t.fields) + (t.fields.size() == 1 ? ",)" : ")");
            case node_type::form::function:
                return "fn (" + list(std::span(t.fields).first(t.fields.size() - 1)) + ") -> " + type_text(t.fields.back());
            case node_type::form::reference:
                return "ref(" + list(t.fields) + ")";
            case node_type::form::data:
                return t.name + (t.fields.empty() ? "" : "[" + list(t.fields) + "]");
            case node_type::form::variable:
                return t.name;
            case node_type::form::unknown:
                break;
        }
        return "";
    }

    template <class T>
    static std::string number_text(T v) {
        char digits[40];
        return {digits, std::to_chars(digits, digits + sizeof digits, v).ptr};
    }
    static std::string quoted(std::string_view s) {
        std::string q = "\"";
        for (const char c : s) {
            if (c == '"' || c == '\\') q += '\\';
            if (c == '\n')
                q += "\\n";
            else
                q += c;
        }
        return q + "\"";
    }
    static std::string value_text(const attribute_value& value) {
        return std::visit(
            [](const auto& v) -> std::string {
                using T = std::decay_t<decltype(v)>;
                if constexpr (std::is_same_v<T, std::int64_t>) {
                    return number_text(v);
                } else if constexpr (std::is_same_v<T, double>) {
                    return number_text(v) + "f64";
                } else if constexpr (std::is_same_v<T, std::string>) {
                    return quoted(v);
                } else if constexpr (std::is_same_v<T, tensor>) {
                    return "meta[relay.Constant][" + to_string(v.content()) + "]";
                } else {
                    std::string s = "[";
                    for (std::size_t i = 0; i < v.size(); ++i) s += (i == 0 ? "" : ", ") + value_text(attribute_value(v[i]));
                    return s + "]";
                }
            },
            value);
    }

    std::string variable(node_id n) {
        std::string name;
        for (const char c : m_.name(n)) name += (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? c : '_';
        return "%" + (name.empty() || (name.front() >= '0' && name.front() <= '9') ? "v" + name + std::to_string(n) : name);
    }

    std::string constant_text(node_id n) {
        const tensor& t = *m_.constant(n);
        if (t.rank() == 0) {
            switch (t.element()) {
                case element_type::float32:
                    return number_text(t.as<float>()[0]) + "f";
                case element_type::float64:
                    return number_text(t.as<double>()[0]) + "f64";
                case element_type::int32:
                    return number_text(t.as<std::int32_t>()[0]);
                case element_type::int64:
                    return number_text(t.as<std::int64_t>()[0]) + "i64";
                case element_type::boolean:
                    return t.as<bool>()[0] ? "True" : "False";
                default:
                    break;
            }
        }
        return "meta[relay.Constant][" + std::to_string(constants_++) + "]";
    }

    /// The node as an expression; what it needs that is shared is printed before it, as lines.
    std::string expression(node_id n, const std::string& indent) {
        if (!shown_[n].empty()) return shown_[n];
        std::string text = make(n, indent);
        const node_kind k = m_.kind(n);
        if (k == node_kind::input || k == node_kind::global) return shown_[n] = text;
        const bool shared = uses_[n] > 1 || k == node_kind::call || k == node_kind::apply || k == node_kind::function;
        if (!shared || k == node_kind::constant) return text;
        shown_[n] = "%" + std::to_string(next_++);
        out_ += indent + shown_[n] + " = " + text + ";\n";
        return shown_[n];
    }

    std::string arguments(node_id n, const std::string& indent, std::size_t from = 0) {
        std::string s;
        for (std::size_t i = from; i < m_.arity(n); ++i) s += (i == from ? "" : ", ") + expression(m_.operand(n, i), indent);
        return s;
    }

    std::string make(node_id n, const std::string& indent) {
        switch (m_.kind(n)) {
            case node_kind::input:
                return variable(n);
            case node_kind::constant:
                return constant_text(n);
            case node_kind::call: {
                std::string s = std::string(m_.op(n)) + "(" + arguments(n, indent);
                for (const auto& [name, value] : m_.attributes(n)) s += (s.back() == '(' ? "" : ", ") + name + "=" + value_text(value);
                return s + ")";
            }
            case node_kind::tuple:
                return "(" + arguments(n, indent) + (m_.arity(n) == 1 ? ",)" : ")");
            case node_kind::projection:
                return expression(m_.operand(n, 0), indent) + "." + std::to_string(m_.field(n));
            case node_kind::function: {
                std::string before = std::move(out_);
                out_ = "fn ";
                signature_and_body(n, indent);
                std::string body = std::move(out_);
                out_ = std::move(before);
                return body;
            }
            case node_kind::apply: {
                const std::string callee = expression(m_.operand(n, 0), indent);
                return callee + "(" + arguments(n, indent, 1) + ")";
            }
            case node_kind::let: {
                const node_id v = m_.operand(n, 0);
                const std::string value = expression(m_.operand(n, 1), indent);
                out_ += indent + "let " + variable(v) + annotation(v) + " = " + value + ";\n";
                return expression(m_.operand(n, 2), indent);
            }
            case node_kind::if_else: {
                const std::string condition = expression(m_.operand(n, 0), indent);
                const std::string first = nested(m_.operand(n, 1), indent);
                const std::string second = nested(m_.operand(n, 2), indent);
                return "if (" + condition + ") {\n" + first + indent + "} else {\n" + second + indent + "}";
            }
            case node_kind::make_ref:
                return "ref(" + arguments(n, indent) + ")";
            case node_kind::read_ref:
                return "ref_read(" + arguments(n, indent) + ")";
            case node_kind::write_ref:
                return "ref_write(" + arguments(n, indent) + ")";
            case node_kind::global:
                return "@" + std::string(m_.symbol(n));
            case node_kind::construct:
                return std::string(m_.symbol(n)) + (m_.arity(n) == 0 ? "" : "(" + arguments(n, indent) + ")");
            case node_kind::match:
                return match_text(n, indent);
        }
        return "";
    }

    /// A match's operands: the scrutinee, then per clause its variables and its result; `patterns` holds a constructor per clause, or
    /// "_" or "" for a wildcard or a bare variable, and `clause_sizes` how many variables each binds.
    std::string match_text(node_id n, const std::string& indent) {
        std::string s = "match (" + expression(m_.operand(n, 0), indent) + ") {\n";
        const auto sizes = m_.attributes(n).integers("clause_sizes");
        const auto* patterns = m_.attributes(n).get<std::vector<std::string>>("patterns");
        std::size_t at = 1;
        for (std::size_t c = 0; c < sizes.size(); ++c) {
            std::string head = patterns != nullptr && c < patterns->size() ? (*patterns)[c] : "_";
            std::string variables;
            for (std::int64_t i = 0; i < sizes[c]; ++i) variables += (i == 0 ? "" : ", ") + variable(m_.operand(n, at++));
            if (!variables.empty()) head = head.empty() ? variables : head + "(" + variables + ")";
            s += indent + "  " + head + " => {\n" + nested(m_.operand(n, at++), indent + "  ") + indent + "  },\n";
        }
        return s + indent + "}";
    }

    std::string nested(node_id result, const std::string& indent) {
        std::string before = std::move(out_);
        out_.clear();
        // Operands come first in the numbering, so printing a block's calls in order keeps long chains off the stack. A let's body may
        // not be printed before the let, so blocks with one are walked from their result.
        const block_id b = m_.block(result);
        if (has_let_[b] == 0)
            for (const node_id n : calls_[b])
                if (n < result && uses_[n] != 0) static_cast<void>(expression(n, indent + "  "));
        const std::string last = expression(result, indent + "  ");
        std::string body = out_ + indent + "  " + last + "\n";
        out_ = std::move(before);
        return body;
    }

    std::string annotation(node_id n) const {
        const std::string t = type_text(m_.type(n));
        return t.empty() ? "" : ": " + t;
    }

    void signature_and_body(node_id f, const std::string& indent) {
        std::string head = "(";
        for (const node_id p : m_.parameters(f)) head += (head.size() == 1 ? "" : ", ") + variable(p) + annotation(p);
        for (const auto& [name, value] : m_.attributes(f)) head += (head.size() == 1 ? "" : ", ") + name + "=" + value_text(value);
        const node_id r = m_.result(f);
        const std::string type = type_text(m_.type(r));
        head += ")" + (type.empty() ? "" : " -> " + type) + " {\n";
        out_ += head + nested(r, indent) + indent + "}";
    }

    const ir_module& m_;
    std::vector<std::uint32_t> uses_;
    std::vector<std::string> shown_;
    std::vector<std::vector<node_id>> calls_;  // by block
    std::vector<char> has_let_;                // by block
    std::string out_;
    std::size_t next_ = 0, constants_ = 0;
};

}  // namespace detail

/// The module as Relay text, version 0.0.5. Constants other than scalars are printed as `meta[relay.Constant][i]`, numbered in the
/// order in which they stand.
[[nodiscard]] inline std::string relay_text(const ir_module& m) { return detail::relay_printer(m).print(); }

}  // namespace inlay

#endif
