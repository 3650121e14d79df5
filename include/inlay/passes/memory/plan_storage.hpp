// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_MEMORY_PLAN_STORAGE_HPP
#define INLAY_PASSES_MEMORY_PLAN_STORAGE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <inlay/core/memory_plan.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/placement/call_rule.hpp>

namespace inlay {

namespace detail {

/// The one integer that a node is, where it is a constant; else nothing.
[[nodiscard]] inline std::optional<std::int64_t> known_integer(const ir_module& m, node_id n) {
    const tensor* value = m.constant(n);
    if (value == nullptr || value->element() != element_type::int64 || value->count() != 1) return std::nullopt;
    return value->as<std::int64_t>()[0];
}

/// Puts the storage of each block and place into one.
class storage_planning {
public:
    explicit storage_planning(const ir_module& m)
        : m_(m),
          within_(m.size(), no_node),
          function_(m.size(), no_node),
          step_(m.size(), 0),
          chain_(m.size(), no_node),
          storage_of_(m.size(), no_node),
          made_(m.size(), no_node) {}

    [[nodiscard]] ir_module build() {
        find_chains();
        find_storage();
        find_lives();
        place();
        return rebuilt();
    }

private:
    /// Storage that a let binds, and the tensors in it.
    struct storage {
        node_id let = no_node;
        std::int64_t bytes = 0;
        std::vector<node_id> tensors;  // lets that bind them
        bool is_fixed = false;         // it stays as it is
        std::uint32_t first = 0xFFFF'FFFFu, last = 0;
        node_id arena = no_node;  // the let of the storage that it becomes a part of
        std::int64_t offset = 0, whole = 0;
    };

    [[nodiscard]] bool is_call(node_id n, std::string_view op) const { return m_.kind(n) == node_kind::call && m_.op(n) == op; }

    /// Lets that follow each other, by the first of them; and for each node the let in whose value it stands, and its function.
    void find_chains() {
        for (auto n = static_cast<node_id>(m_.size()); n-- > 0;) {
            const bool is_let = m_.kind(n) == node_kind::let;
            if (is_let && chain_[n] == no_node) chain_[n] = n;
            for (std::size_t i = 0; i < m_.arity(n); ++i) {
                const node_id o = m_.operand(n, i);
                within_[o] = is_let && i == 1 ? n : within_[n];
                function_[o] = m_.kind(n) == node_kind::function ? n : function_[n];
                if (!is_let || i != 2 || m_.kind(o) != node_kind::let) continue;
                chain_[o] = chain_[n];
                step_[o] = step_[n] + 1;
            }
        }
        for (node_id n = 0; n < m_.size(); ++n)
            if (m_.kind(n) == node_kind::let) {
                std::uint32_t& end = end_[chain_[n]];
                end = std::max(end, step_[n] + 1);
            }
    }

    void find_storage() {
        std::map<node_id, node_id> let_of;  // by variable
        for (node_id n = 0; n < m_.size(); ++n)
            if (m_.kind(n) == node_kind::let && is_call(m_.operand(n, 1), "memory.alloc_storage") && m_.arity(m_.operand(n, 1)) == 2) {
                storage s;
                s.let = n;
                const auto bytes = known_integer(m_, m_.operand(m_.operand(n, 1), 0));
                s.is_fixed = !bytes || *bytes < 0;
                s.bytes = bytes.value_or(0);
                let_of[m_.operand(n, 0)] = n;
                all_.emplace(n, std::move(s));
            }
        std::map<node_id, node_id> let_of_value;
        for (node_id n = 0; n < m_.size(); ++n)
            if (m_.kind(n) == node_kind::let) let_of_value[m_.operand(n, 1)] = n;
        for (node_id n = 0; n < m_.size(); ++n)
            for (std::size_t i = 0; i < m_.arity(n); ++i) {
                const auto s = let_of.find(m_.operand(n, i));
                if (s == let_of.end() || n == s->second) continue;
                storage& own = all_.at(s->second);
                const auto at = let_of_value.find(n);
                const bool is_tensor = is_call(n, "memory.alloc_tensor") && m_.arity(n) == 3 && i == 0 && at != let_of_value.end() &&
                                       known_integer(m_, m_.operand(n, 1)) == std::int64_t{0} && chain_[at->second] == chain_[own.let];
                if (!is_tensor) {
                    own.is_fixed = true;
                    continue;
                }
                own.tensors.push_back(at->second);
                storage_of_[m_.operand(at->second, 0)] = own.let;
            }
    }

    void find_lives() {
        std::vector<char> is_pack(m_.size(), 0);
        for (node_id n = 0; n < m_.size(); ++n)
            if (m_.kind(n) == node_kind::call)
                for (std::size_t i = 0; i < m_.arity(n); ++i)
                    if (call_rule_of(m_.op(n)).is_pack(i)) is_pack[m_.operand(n, i)] = 1;
        for (node_id n = 0; n < m_.size(); ++n)
            for (std::size_t i = 0; i < m_.arity(n); ++i) {
                const node_id let = storage_of_[m_.operand(n, i)];
                if (let == no_node || (m_.kind(n) == node_kind::let && i == 0)) continue;
                storage& s = all_.at(let);
                const bool only_reads = (m_.kind(n) == node_kind::call && !is_call(n, "call_lowered")) || is_pack[n] != 0 ||
                                        (m_.kind(n) == node_kind::if_else && i == 0);
                const std::optional<std::uint32_t> when = step_in(n, let);
                if (!only_reads || !when) {
                    // It may be read at any time from now on.
                    s.first = std::min(s.first, when.value_or(step_[let]));
                    s.last = end_[chain_[let]];
                    continue;
                }
                s.first = std::min(s.first, *when);
                s.last = std::max(s.last, *when);
            }
    }
    /// Which let of a chain node n belongs to; nothing where it stands in a function, which may be called at any time, or behind the chain.
    [[nodiscard]] std::optional<std::uint32_t> step_in(node_id n, node_id let) const {
        if (function_[n] != function_[let]) return std::nullopt;
        for (node_id l = m_.kind(n) == node_kind::let ? n : within_[n]; l != no_node; l = within_[l])
            if (chain_[l] == chain_[let]) return step_[l];
        return std::nullopt;
    }

    void place() {
        std::map<std::pair<node_id, std::uint32_t>, std::vector<node_id>> groups;  // by chain and place
        for (const auto& [let, s] : all_)
            if (!s.is_fixed && !s.tensors.empty()) groups[{chain_[let], m_.where_number(m_.operand(let, 1))}].push_back(let);
        for (auto& [key, lets] : groups) {
            std::sort(lets.begin(), lets.end(), [&](node_id a, node_id b) { return step_[a] < step_[b]; });
            std::vector<buffer_life> lives;
            std::int64_t alignment = 1;
            for (const node_id l : lets) {
                storage& s = all_.at(l);
                lives.push_back({static_cast<std::size_t>(s.bytes), std::min(s.first, s.last), s.last, buffer_life::nobody});
                alignment = std::max(alignment, known_integer(m_, m_.operand(m_.operand(l, 1), 1)).value_or(1));
            }
            if (alignment > 4096 || (alignment & (alignment - 1)) != 0) continue;
            const memory_plan plan = plan_memory(lives, static_cast<std::size_t>(alignment));
            for (std::size_t k = 0; k < lets.size(); ++k) {
                storage& s = all_.at(lets[k]);
                s.arena = lets.front();
                s.offset = static_cast<std::int64_t>(plan.offsets[k]);
                s.whole = static_cast<std::int64_t>(plan.total);
            }
        }
    }

    [[nodiscard]] ir_module rebuilt() {
        b_.copy_from(m_);
        for (node_id n = 0; n < m_.size(); ++n)
            if (made_[n] == no_node) made_[n] = again(n);
        for (const node_id f : m_.functions()) b_.declare(made_[f]);
        b_.name_results(m_.result_names());
        return b_.finish_in_blocks();
    }
    /// The variable of a storage, which its tensors may be made before.
    [[nodiscard]] node_id variable_of(node_id let) {
        node_id& made = made_[m_.operand(let, 0)];
        if (made == no_node) made = b_.copy(m_, m_.operand(let, 0), {});
        return made;
    }
    [[nodiscard]] node_id integer_like(node_id old, std::int64_t value) {
        const node_id made = b_.constant(tensor::scalar(value));
        b_.set_where(made, m_.where(old));
        return made;
    }
    [[nodiscard]] node_id again(node_id n) {
        std::vector<node_id> operands;
        for (const node_id o : m_.operands(n)) operands.push_back(made_[o]);
        if (m_.kind(n) == node_kind::let) {
            const auto s = all_.find(n);
            // A storage that is a part of another is gone.
            if (s != all_.end() && s->second.arena != no_node && s->second.arena != n) return operands[2];
            if (s != all_.end() && s->second.arena == n) {
                const node_id call = m_.operand(n, 1);
                const node_id parts[] = {integer_like(m_.operand(call, 0), s->second.whole), made_[m_.operand(call, 1)]};
                operands[1] = b_.copy(m_, call, parts);
            }
            const node_id in = storage_of_[m_.operand(n, 0)];
            if (in != no_node && all_.at(in).arena != no_node) {
                const storage& own = all_.at(in);
                const node_id call = m_.operand(n, 1);
                const node_id parts[] = {variable_of(own.arena), integer_like(m_.operand(call, 1), own.offset), made_[m_.operand(call, 2)]};
                operands[1] = b_.copy(m_, call, parts);
            }
        }
        return b_.copy(m_, n, operands);
    }

    const ir_module& m_;
    std::vector<node_id> within_, function_;  // by node: the let in whose value it stands, and the function
    std::vector<std::uint32_t> step_;         // of a let in its chain
    std::vector<node_id> chain_;              // of a let: the first of its chain
    std::vector<node_id> storage_of_;         // by variable of a tensor: the let of its storage
    std::map<node_id, std::uint32_t> end_;    // by chain: its length
    std::map<node_id, storage> all_;          // by let
    ir_builder b_;
    std::vector<node_id> made_;
};

}  // namespace detail

/// A program of `allocate_tensors` with as little storage as is needed at one time: of each block and place one storage, of which the
/// tensors whose sizes are known take parts; parts whose tensors are not needed at the same time overlap (`plan_memory`). A tensor is
/// needed from its first kernel to the last that reads it in its block; one that is given on, or put into a tuple, a value of a data type,
/// a reference or a closure, to the end of its block. Storage of sizes that the run decides stays as it is. plan∘plan = plan. Quadratic in
/// the tensors of one block and place.
[[nodiscard]] inline ir_module plan_storage(const ir_module& m) { return detail::storage_planning(m).build(); }

}  // namespace inlay

#endif
