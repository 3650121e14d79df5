// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_BOOKS_RELAY_SITE_HPP
#define INLAY_PASSES_BOOKS_RELAY_SITE_HPP

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <inlay/graph/attribute.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ops/relay/relay_attributes.hpp>
#include <inlay/ops/relay/relay_site_steps.hpp>
#include <inlay/pattern/dsl/dsl.hpp>
#include <inlay/rewrite/fragment.hpp>

// What the rules of Relay's operators are written with. Attributes are read as Relay's text has them: truths are 0 and 1, lists of lists
// are written one after the other, and a list of one number may be that number.

namespace inlay::detail {

/// One call of an operator of Relay, and what is made of it: `W` is the graph that is rewritten. Tuples among its operands are opened.
template <class W>
class relay_site : public relay_site_steps<relay_site<W>> {
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
    [[nodiscard]] const attribute_map& attributes() const { return attributes_; }
    /// Which field of the call's result is meant; 0 where the root is the call itself.
    [[nodiscard]] std::size_t field() const { return root_ == call_ ? 0 : g_.field(root_); }
    [[nodiscard]] std::size_t arity() const { return operands_.size(); }
    [[nodiscard]] std::span<const node_id> operands() const { return operands_; }
    [[nodiscard]] node_id operand(std::size_t i) const { return operands_[i]; }
    [[nodiscard]] tensor_type type(node_id n) const { return n == no_node ? tensor_type() : g_.type(n).of_tensor; }
    [[nodiscard]] const tensor* constant(std::size_t i) const { return g_.constant(operands_[i]); }

    node_id make(std::string_view onnx_op, std::initializer_list<node_id> operands, const attribute_map& how = {},
                 std::size_t outputs = 1) {
        return make(onnx_op, std::span<const node_id>(operands.begin(), operands.size()), how, outputs);
    }
    node_id make(std::string_view onnx_op, std::span<const node_id> operands, const attribute_map& how = {}, std::size_t outputs = 1) {
        for (const node_id n : operands)
            if (n == no_node) return no_node;
        return f_.call(onnx_op, operands, how, outputs);
    }
    node_id projection(node_id of, std::size_t field) { return of == no_node ? no_node : f_.projection(of, field); }
    node_id value(const tensor& t) { return f_.constant(t); }
    /// An operand that is left out.
    node_id none() { return f_.tuple({}); }
    void fail(std::string why) { f_.fail(std::move(why)); }

private:
    relay_site(const W& g, node_id root, fragment<W>& f)
        : g_(g),
          f_(f),
          root_(root),
          call_(g.kind(root) == node_kind::projection ? g.operand(root, 0) : root),
          attributes_(with_relay_defaults(g.op(call_), g.attributes(call_))) {}

    const W& g_;
    fragment<W>& f_;
    node_id root_, call_;
    attribute_map attributes_;
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
