// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_REWRITE_FRAGMENT_HPP
#define INLAY_REWRITE_FRAGMENT_HPP

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/rewrite/working_graph.hpp>

namespace inlay {

/// Gives the type of a call from its operands' types; a rewriter without one leaves types of new nodes unknown, but for the replaced one's.
using type_rule = outcome<node_type> (*)(const call_view& call);

/// The nodes that one application of a rule makes. The rewriter accepts all of them or discards all of them.
template <class W>
class fragment {
public:
    fragment(W& w, type_rule infer) : w_(w), infer_(infer), from_(static_cast<node_id>(w.size())) {}

    /// The graph that is rewritten; the fragment's nodes have the largest numbers.
    [[nodiscard]] const W& graph() const { return w_; }
    /// The first node of this fragment.
    [[nodiscard]] node_id from() const { return from_; }

    /// A call of an operator with as many outputs as it is asked for. Where its type does not follow from the operands, the fragment has
    /// failed.
    node_id call(std::string_view op, std::span<const node_id> operands, const attribute_map& attributes = {}, std::size_t outputs = 1) {
        node_type type;
        if (infer_ != nullptr && !wrong_) {
            types_.clear();
            constants_.clear();
            for (const node_id o : operands) {
                types_.push_back(&w_.type(o));
                constants_.push_back(w_.constant(o));
            }
            auto inferred = infer_({op, &attributes, {types_.data(), types_.size()}, {constants_.data(), constants_.size()}, outputs});
            if (inferred)
                type = std::move(*inferred);
            else
                fail(std::string(op) + " on these operands: " + inferred.failure().message);
        }
        return w_.call(op, operands, attributes, type);
    }
    node_id call(std::string_view op, std::initializer_list<node_id> operands, const attribute_map& attributes = {},
                 std::size_t outputs = 1) {
        return call(op, std::span<const node_id>(operands.begin(), operands.size()), attributes, outputs);
    }
    node_id constant(const tensor& value) { return w_.constant(value); }
    node_id tuple(std::span<const node_id> fields) { return w_.tuple(fields); }
    node_id projection(node_id of, std::size_t field) { return w_.projection(of, field); }

    /// Reports that the right side cannot be built here, and why.
    void fail(std::string why) {
        if (!wrong_) why_ = std::move(why);
        wrong_ = true;
    }
    [[nodiscard]] bool has_failed() const { return wrong_; }
    [[nodiscard]] const std::string& reason() const { return why_; }

    /// Replaces `old`, an inner node of the match, by `now` for its users outside the match.
    void also(node_id old, node_id now) { extra_.emplace_back(old, now); }
    [[nodiscard]] const std::vector<std::pair<node_id, node_id>>& extra() const { return extra_; }

    /// Throws the nodes away.
    void forget() { w_.forget(from_); }

private:
    W& w_;
    type_rule infer_;
    node_id from_;
    bool wrong_ = false;
    std::string why_;
    std::vector<std::pair<node_id, node_id>> extra_;
    std::vector<const node_type*> types_;
    std::vector<const tensor*> constants_;
};

}  // namespace inlay

#endif
