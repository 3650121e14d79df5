// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_INLINE_PARTS_IPP
#define INLAY_PASSES_INLINE_PARTS_IPP

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/passes/inline_parts.hpp>

#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/shown_node.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/partition/existing_part.hpp>
#include <inlay/partition/outline.hpp>

namespace inlay {

namespace detail {

/// Builds main anew, with the bodies of parts in the places of their calls.
class part_inliner {
public:
    explicit part_inliner(const ir_module& m) : m_(m), made_(m.size(), no_node), nodes_in_(m.blocks()), marked_(m.blocks(), 0) {
        builder_.copy_from(m);
        for (node_id n = 0; n < m.size(); ++n) nodes_in_[m.block(n)].push_back(n);
        for (const node_id f : m.functions()) globals_.emplace(m.symbol(f), f);
        for (node_id n = 0; n < m.size(); ++n)
            if (m.kind(n) == node_kind::function && stands_for_marked(n))
                if (const block_id body = body_of(n); body != no_block) marked_[body] = 1;
    }

    outcome<inlined_parts> run() {
        for (node_id n = 0; n < m_.size(); ++n) {
            if (stands_for_marked(n) || stands_in_marked(n)) continue;
            builder_.go_to(m_, m_.block(n));
            if (auto copied = copy(n); !copied) return copied.failure();
        }
        for (const node_id f : m_.functions())
            if (made_[f] != no_node) builder_.declare(made_[f]);
        builder_.name_results(m_.result_names());
        return inlined_parts{builder_.finish(), std::move(parts_)};
    }

private:
    [[nodiscard]] bool has(node_id f, std::string_view attribute) const { return m_.attributes(f).find(attribute) != nullptr; }
    /// Whether calls of the function are to be replaced by its body: parts, and what stands for a match inside or outside of them.
    [[nodiscard]] bool is_marked(node_id f) const {
        return has(f, "Compiler") || (in_force<"partition.existing.forms">() && (has(f, "Composite") || has(f, "Primitive")));
    }
    /// The function that an application calls, where that is to be replaced; else `no_node`.
    [[nodiscard]] node_id replaced(node_id n) const {
        if (m_.kind(n) != node_kind::apply || m_.arity(n) == 0) return no_node;
        node_id callee = m_.operand(n, 0);
        if (m_.kind(callee) == node_kind::global) {
            const auto at = globals_.find(m_.symbol(callee));
            if (at == globals_.end()) return no_node;
            callee = at->second;
        }
        return m_.kind(callee) == node_kind::function && is_marked(callee) ? callee : no_node;
    }

    /// Whether the node is a marked function, or the name of one.
    [[nodiscard]] bool stands_for_marked(node_id n) const {
        if (m_.kind(n) == node_kind::function) return n != m_.main() && is_marked(n);
        if (m_.kind(n) != node_kind::global) return false;
        const auto at = globals_.find(m_.symbol(n));
        return at != globals_.end() && is_marked(at->second);
    }

    outcome<void> copy(node_id n) {
        if (const node_id f = replaced(n); f != no_node) return put_body(n, f);
        if (in_force<"partition.existing.inlined">() && m_.kind(n) == node_kind::call && m_.op(n) == conversion_op && m_.arity(n) == 1) {
            made_[n] = made_[m_.operand(n, 0)];
            return {};
        }
        if (m_.kind(n) == node_kind::projection) {
            const node_id of = made_[m_.operand(n, 0)];
            const ir_module& so_far = builder_.so_far();
            if (so_far.kind(of) == node_kind::tuple && m_.field(n) < so_far.arity(of)) {
                made_[n] = so_far.operand(of, m_.field(n));
                return {};
            }
        }
        std::vector<node_id> operands;
        for (const node_id o : m_.operands(n)) operands.push_back(made_[o]);
        made_[n] = builder_.copy(m_, n, operands);
        if (part_ != none && (m_.kind(n) == node_kind::call || m_.kind(n) == node_kind::projection))
            parts_[part_].nodes.push_back(made_[n]);
        return {};
    }

    /// The body of a function in the place of a call of it.
    outcome<void> put_body(node_id call, node_id f) {
        const std::string name = std::string(m_.symbol(f));
        if (std::find(open_.begin(), open_.end(), f) != open_.end())
            return error{"the part " + quoted_text(name) + " calls itself, which no part can; write it as a function without 'Compiler'"};
        const auto parameters = m_.parameters(f);
        if (m_.arity(call) != parameters.size() + 1)
            return error{shown_node(m_, call) + " calls the part " + quoted_text(name) + " with " + std::to_string(m_.arity(call) - 1) +
                         " arguments, and it takes " + std::to_string(parameters.size())};
        const bool begins_part = part_ == none && has(f, "Compiler");
        if (begins_part) {
            const auto* owner = m_.attributes(f).get<std::string>("Compiler");
            if (owner == nullptr)
                return error{"the part " + quoted_text(name) +
                             " has an attribute 'Compiler' that is no text; write the kind of a back end"};
            part_ = parts_.size();
            parts_.push_back({name, *owner, {}});
        }
        open_.push_back(f);
        for (std::size_t i = 0; i < parameters.size(); ++i) made_[parameters[i]] = made_[m_.operand(call, i + 1)];
        if (const block_id body = body_of(f); body != no_block)
            for (const node_id n : nodes_in_[body]) {
                if (std::find(parameters.begin(), parameters.end(), n) != parameters.end()) continue;
                if (stands_for_marked(n)) continue;
                if (in_force<"partition.existing.wrong">() && holds_blocks(n))
                    return error{shown_node(m_, n) + " in the part " + quoted_text(name) +
                                 " is control flow, which no back end takes; leave it outside of the part"};
                if (auto copied = copy(n); !copied) return copied;
            }
        open_.pop_back();
        made_[call] = made_[m_.result(f)];
        if (begins_part) part_ = none;
        return {};
    }
    [[nodiscard]] bool holds_blocks(node_id n) const {
        const node_kind k = m_.kind(n);
        return k != node_kind::call && k != node_kind::projection && k != node_kind::tuple && k != node_kind::constant &&
               k != node_kind::apply;
    }

    /// The block of a function's body; `no_block` where nothing stands in it.
    [[nodiscard]] block_id body_of(node_id f) const {
        if (!m_.parameters(f).empty()) return m_.block(m_.parameters(f).front());
        const block_id b = m_.block(m_.result(f));
        return b != m_.block(f) ? b : no_block;
    }
    [[nodiscard]] bool stands_in_marked(node_id n) const {
        for (block_id b = m_.block(n); b != 0; b = m_.parent(b))
            if (marked_[b] != 0) return true;
        return false;
    }

    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    static constexpr block_id no_block = static_cast<block_id>(-1);
    const ir_module& m_;
    ir_builder builder_;
    std::vector<node_id> made_;  // for each old node, of the latest copy of its body
    std::vector<std::vector<node_id>> nodes_in_;
    std::map<std::string_view, node_id> globals_;
    std::vector<char> marked_;   // by block: the body of a marked function
    std::vector<node_id> open_;  // functions whose bodies are being put in
    std::vector<existing_part> parts_;
    std::size_t part_ = none;  // where nodes go
};

}  // namespace detail

outcome<inlined_parts> inline_parts(const ir_module& m) { return detail::part_inliner(m).run(); }

}  // namespace inlay

#endif
