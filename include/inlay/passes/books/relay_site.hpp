// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_RELAY_SITE_HPP
#define INLAY_PASSES_BOOKS_RELAY_SITE_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/attribute.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ops/operand_checks.hpp>
#include <inlay/ops/relay/relay_attributes.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/rewrite/fragment.hpp>
#include <inlay/rewrite/instantiate.hpp>

// What the rules of Relay's operators are written with. Attributes are read as Relay's text has them: truths are 0 and 1, lists of lists
// are written one after the other, and a list of one number may be that number.

namespace inlay::detail {

/// A number, whole or not.
[[nodiscard]] inline double relay_number(const attribute_map& attributes, std::string_view name, double otherwise) {
    if (const auto* whole = attributes.get<std::int64_t>(name)) return static_cast<double>(*whole);
    return attributes.number(name, otherwise);
}

/// One call of an operator of Relay, and what is made of it: `W` is the graph that is rewritten. Tuples among its operands are opened.
template <class W>
class relay_site {
public:
    /// Nothing where the type of an operand is not known yet: what makes it comes first.
    static std::optional<relay_site> of(const W& g, node_id root, fragment<W>& f) {
        relay_site s(g, root, f);
        const auto take = [&](node_id n) {
            const node_type& t = g.type(n);
            s.operands_.push_back(n);
            return t.is_tensor() && t.of_tensor.ranked && t.of_tensor.element != element_type::none;
        };
        for (std::size_t i = 0; i < g.arity(s.call_); ++i) {
            const node_id o = g.operand(s.call_, i);
            if (g.kind(o) != node_kind::tuple) {
                if (!take(o)) return std::nullopt;
                continue;
            }
            for (std::size_t k = 0; k < g.arity(o); ++k)
                if (!take(g.operand(o, k))) return std::nullopt;
        }
        return s;
    }

    [[nodiscard]] std::string_view op() const { return g_.op(call_); }
    [[nodiscard]] const attribute_map& attributes() const { return g_.attributes(call_); }
    /// Which field of the call's result is meant; 0 where the root is the call itself.
    [[nodiscard]] std::size_t field() const { return root_ == call_ ? 0 : g_.field(root_); }
    [[nodiscard]] std::size_t arity() const { return operands_.size(); }
    [[nodiscard]] std::span<const node_id> operands() const { return operands_; }
    [[nodiscard]] node_id operand(std::size_t i) const { return operands_[i]; }
    [[nodiscard]] const tensor_type& type(node_id n) const { return g_.type(n).of_tensor; }
    [[nodiscard]] std::size_t rank(std::size_t i = 0) const { return type(operands_[i]).rank(); }
    [[nodiscard]] const extent& extent_of(std::size_t i, std::size_t axis) const { return type(operands_[i]).extents[axis]; }
    [[nodiscard]] const tensor* constant(std::size_t i) const { return g_.constant(operands_[i]); }

    /// The axis that an attribute says, counted from the front; nothing where the first operand has none such.
    [[nodiscard]] std::optional<std::size_t> axis(std::string_view name, std::int64_t otherwise) const {
        return axis_of(attributes().integer(name, otherwise), rank());
    }

    node_id make(std::string_view onnx_op, std::initializer_list<node_id> operands, const attribute_map& how = {},
                 std::size_t outputs = 1) {
        return f_.call(onnx_op, operands, how, outputs);
    }
    node_id make(std::string_view onnx_op, std::span<const node_id> operands, const attribute_map& how = {}, std::size_t outputs = 1) {
        return f_.call(onnx_op, operands, how, outputs);
    }
    node_id projection(node_id of, std::size_t field) { return f_.projection(of, field); }
    node_id list(const std::vector<std::int64_t>& values) {
        return f_.constant(tensor::of({static_cast<std::int64_t>(values.size())}, values));
    }
    /// A tensor of one number throughout, of the element type of operand i.
    node_id filled(std::size_t i, const std::vector<std::int64_t>& extents, double value) {
        const auto made = filled_tensor(type(operands_[i]).element, extents, value);
        if (made) return f_.constant(*made);
        return refuse("has the number " + std::to_string(value) + ", which is no " + std::string(name_of(type(operands_[i]).element)));
    }
    node_id transposed(node_id n, std::vector<std::int64_t> order) {
        attribute_map how;
        how.set("perm", std::move(order));
        return f_.call("onnx.Transpose", {n}, how);
    }
    node_id reshaped(node_id n, const std::vector<std::int64_t>& extents) { return f_.call("onnx.Reshape", {n, list(extents)}); }
    /// Operand i, a row of numbers, as one that is stretched along all axes of a tensor of this rank but one.
    node_id along_axis(std::size_t i, std::size_t axis, std::size_t rank) {
        if (axis + 1 == rank) return operands_[i];
        std::vector<std::int64_t> extents(rank - axis, 1);
        extents[0] = -1;
        return reshaped(operands_[i], extents);
    }

    /// Says why the call has no form here: "has data_layout 'NCHW4c', and ...".
    node_id refuse(const std::string& why) {
        f_.fail(std::string(op()) + " " + why);
        return no_node;
    }
    node_id refuse_attribute(std::string_view name, std::string_view wanted) {
        std::string has = std::to_string(attributes().integer(name, 0));
        if (const auto* text = attributes().template get<std::string>(name)) has = quoted_text(*text);
        return refuse("has " + std::string(name) + " " + has + ", and the rules know " + std::string(wanted));
    }
    node_id refuse_arity(std::size_t wanted) {
        return refuse("has " + std::to_string(arity()) + " operands, where " + std::to_string(wanted) + " are expected");
    }

private:
    relay_site(const W& g, node_id root, fragment<W>& f)
        : g_(g), f_(f), root_(root), call_(g.kind(root) == node_kind::projection ? g.operand(root, 0) : root) {}

    const W& g_;
    fragment<W>& f_;
    node_id root_, call_;
    std::vector<node_id> operands_;
};

/// Any node, as one that a rule's pattern reaches: what is made there has the rules asked again of what reads it. A wildcard does not
/// reach. Rules that wait for types below a tuple or a field need it in their book.
inline constexpr auto any_reached = dsl::any_call | dsl::any;

/// A rule's function from one that works on a `relay_site`: `Map{}(site)` gives the node, or `no_node` where it has to wait or has refused.
template <class Map>
struct by_site {
    template <class Match, class Fragment>
    node_id operator()(const Match& m, Fragment& f) const {
        auto site = relay_site<std::remove_cvref_t<decltype(m.graph())>>::of(m.graph(), m.root(), f);
        return site ? Map{}(*site) : no_node;
    }
};

}  // namespace inlay::detail

#endif
