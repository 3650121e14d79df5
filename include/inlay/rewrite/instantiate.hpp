// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_REWRITE_INSTANTIATE_HPP
#define INLAY_REWRITE_INSTANTIATE_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <inlay/pattern/match/matcher.hpp>
#include <inlay/rewrite/fragment.hpp>

namespace inlay {

/// A tensor all of whose elements have one value; nothing where the element type cannot represent it.
[[nodiscard]] inline std::optional<tensor> filled_tensor(element_type element, const std::vector<std::int64_t>& extents, double value) {
    tensor made(element, extents);
    if (!made.ok()) return std::nullopt;
    const auto fill = [&]<class T>(T) {
        for (T& e : made.template as<T>()) e = static_cast<T>(value);
        return static_cast<double>(static_cast<T>(value)) == value || is_floating(element);
    };
    const auto whole = [&]<class T>(T zero) {
        return value >= static_cast<double>(std::numeric_limits<T>::min()) && value <= static_cast<double>(std::numeric_limits<T>::max()) &&
               fill(zero);
    };
    const bool fine = [&] {
        switch (element) {
            case element_type::float32:
                return fill(float{});
            case element_type::float64:
                return fill(double{});
            case element_type::int8:
                return whole(std::int8_t{});
            case element_type::int16:
                return whole(std::int16_t{});
            case element_type::int32:
                return whole(std::int32_t{});
            case element_type::int64:
                return value > -9.2e18 && value < 9.2e18 && fill(std::int64_t{});
            case element_type::uint8:
                return whole(std::uint8_t{});
            case element_type::uint16:
                return whole(std::uint16_t{});
            case element_type::uint32:
                return whole(std::uint32_t{});
            case element_type::uint64:
                return value >= 0 && value < 1.8e19 && fill(std::uint64_t{});
            case element_type::boolean:
                return (value == 0 || value == 1) && fill(bool{});
            default:
                return false;
        }
    }();
    return fine ? std::optional(std::move(made)) : std::nullopt;
}

/// Sets an attribute to the value that a guard asks for. A guard that asks for any value sets nothing.
inline void set_attribute(attribute_map& made, const attribute_guard& g) {
    using form = attribute_guard::form;
    switch (g.kind) {
        case form::absent:
            made.erase(g.name);
            break;
        case form::integer:
            made.set(g.name, g.integers[0]);
            break;
        case form::number:
            made.set(g.name, g.numbers[0]);
            break;
        case form::text:
            made.set(g.name, std::string(g.texts[0]));
            break;
        case form::integers:
            made.set(g.name, std::vector<std::int64_t>(g.integers.begin(), g.integers.end()));
            break;
        case form::numbers:
            made.set(g.name, std::vector<double>(g.numbers.begin(), g.numbers.end()));
            break;
        case form::texts:
            made.set(g.name, std::vector<std::string>(g.texts.begin(), g.texts.end()));
            break;
        case form::present:
        case form::like:
            break;
    }
}

/// Builds the right side of a rule from the captures of the left side's match. Precondition: `fault_of(left, right)` is none.
template <class W>
class instantiation {
public:
    /// `bound`: a node for each slot of the left side.
    instantiation(const pattern_view& left, const pattern_view& right, fragment<W>& f, node_id root, std::span<const node_id> bound)
        : left_(left), right_(right), f_(f), root_(root), bound_(bound) {}

    node_id build(term_id id) {
        const pattern_term& t = right_[id];
        switch (t.kind) {
            case term_kind::capture:
                return bound_[left_.slot(t.name)];
            case term_kind::literal:
                return literal(t, nullptr);
            case term_kind::type:
                return literal(right_[right_.child(t, 0)], t.type);
            case term_kind::attributes:
                return with_attributes(id);
            case term_kind::node:
                return node(t, {}, id == right_.root);
            default:
                return no_node;
        }
    }

private:
    /// A number without a type is a scalar of the element type of what is replaced.
    node_id literal(const pattern_term& t, const type_guard* type) {
        element_type element = element_type::none;
        std::vector<std::int64_t> extents;
        if (type != nullptr) {
            element = type->element;
            for (const extent_guard& e : type->extents) extents.push_back(e.size);
        } else if (const node_type& of = f_.graph().type(root_); of.is_tensor()) {
            element = of.of_tensor.element;
        }
        std::optional<tensor> value = filled_tensor(element, extents, t.number);
        if (value) return f_.constant(*value);
        f_.fail("the number " + std::to_string(t.number) + " is no " + std::string(name_of(element)));
        return root_;
    }

    node_id with_attributes(term_id id) {
        attribute_map made;
        const pattern_term* t = &right_[id];
        // Copied attributes first, then those that the rule sets.
        for (const pattern_term* at = t; at->kind == term_kind::attributes; at = &right_[right_.child(*at, 0)])
            for (const attribute_guard& g : at->guards)
                if (g.kind == attribute_guard::form::like) made = f_.graph().attributes(bound_[left_.slot(g.name)]);
        for (; t->kind == term_kind::attributes; t = &right_[right_.child(*t, 0)])
            for (const attribute_guard& g : t->guards) set_attribute(made, g);
        return node(*t, made, id == right_.root);
    }
    node_id node(const pattern_term& t, const attribute_map& attributes, bool is_root) {
        node_id operands_here[8];
        std::vector<node_id> many;
        node_id* operands = operands_here;
        if (t.count > 8) {
            many.resize(t.count);
            operands = many.data();
        }
        for (std::size_t i = 0; i < t.count; ++i) operands[i] = build(right_.child(t, i));
        const std::span<const node_id> all(operands, t.count);
        if (t.node == node_kind::tuple) return f_.tuple(all);
        if (t.node == node_kind::projection) return f_.projection(operands[0], t.place);
        // The replacement has as many outputs as the replaced node.
        const node_type& replaced = f_.graph().type(root_);
        const std::size_t outputs = is_root && replaced.is_tuple() ? replaced.fields.size() : 1;
        return f_.call(t.names[0], all, attributes, outputs);
    }

    const pattern_view& left_;
    const pattern_view& right_;
    fragment<W>& f_;
    node_id root_;
    std::span<const node_id> bound_;
};

}  // namespace inlay

#endif
