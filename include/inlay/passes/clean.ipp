// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_CLEAN_IPP
#define INLAY_PASSES_CLEAN_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/passes/clean.hpp>

#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/dropout_effect.hpp>
#include <inlay/passes/fold_constants.hpp>
#include <inlay/passes/rebuild.hpp>

namespace inlay {

namespace detail {

/// Which node stands for each: itself, an earlier equal one, or the operand that it only passes on.
class cleaner {
public:
    explicit cleaner(const ir_module& m) : m_(m), stands_for_(m.size()) {
        for (node_id n = 0; n < m.size(); ++n) {
            stands_for_[n] = n;
            if (const auto passed = passed_on(n)) stands_for_[n] = stands_for_[*passed];
            if (stands_for_[n] == n) stands_for_[n] = earlier_equal(n);
        }
    }

    [[nodiscard]] ir_module built() const {
        std::vector<char> needed(m_.size(), 0);
        for (const node_id f : m_.functions()) needed[f] = 1;
        for (node_id n = static_cast<node_id>(m_.size()); n-- > 0;) {
            if (needed[n] == 0) continue;
            if (stands_for_[n] != n)
                needed[stands_for_[n]] = 1;
            else
                for (const node_id o : m_.operands(n)) needed[o] = 1;
        }
        std::vector<char> was_read(m_.size(), 0);
        for (const node_id f : m_.functions()) was_read[f] = 1;
        for (node_id n = static_cast<node_id>(m_.size()); n-- > 0;)
            for (std::size_t i = 0; was_read[n] != 0 && i < m_.arity(n); ++i) was_read[m_.operand(n, i)] = 1;
        std::map<node_id, std::vector<std::string>> merged;
        for (node_id n = 0; n < m_.size(); ++n) {
            if (stands_for_[n] == n || was_read[n] == 0) continue;
            std::vector<std::string>& names = merged[stands_for_[n]];
            if (!m_.name(n).empty()) names.emplace_back(m_.name(n));
            names.insert(names.end(), m_.origins(n).begin(), m_.origins(n).end());
        }
        module_rebuilder r(m_);
        for (node_id n = 0; n < m_.size(); ++n) {
            if (needed[n] == 0) continue;
            if (stands_for_[n] != n) {
                r.set_made(n, r.made(stands_for_[n]));
                continue;
            }
            // Only what stays opens its block: a block that lost all its nodes is not there.
            r.go_to(n);
            const node_id made = r.copy(n);
            const auto more = merged.find(n);
            if (more == merged.end()) continue;
            std::vector<std::string> all = m_.origins(n);
            for (const std::string& name : more->second)
                if (name != m_.name(n) && std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
            if (!all.empty()) r.builder().set_origins(made, std::move(all));
        }
        return r.builder().finish_as(m_, r.made());
    }

private:
    /// The operand that node n gives unchanged, if it does no more than that.
    [[nodiscard]] std::optional<node_id> passed_on(node_id n) const {
        if (m_.kind(n) == node_kind::projection) return field_passed_on(n);
        if (m_.kind(n) != node_kind::call || m_.arity(n) == 0) return std::nullopt;
        const std::string_view op = m_.op(n);
        const node_id first = m_.operand(n, 0);
        if (op == "onnx.Identity") return first;
        if (op == "onnx.Dropout" && !m_.type(n).is_tuple() && is_inference(n)) return first;
        if (m_.arity(n) == 1 && (op == "onnx.Concat" || op == "onnx.Sum" || op == "onnx.Max" || op == "onnx.Min" || op == "onnx.Mean"))
            return first;
        if (!m_.type(n).is_tensor() || !m_.type(first).is_tensor()) return std::nullopt;
        const tensor_type &to = m_.type(n).of_tensor, &from = m_.type(first).of_tensor;
        if (op == "onnx.Cast" || op == "onnx.CastLike")
            return to.element == from.element && to.element != element_type::none ? std::optional(first) : std::nullopt;
        if (op == "onnx.Transpose") return keeps_order(n, from) ? std::optional(first) : std::nullopt;
        if (op == "onnx.Reshape" || op == "onnx.Flatten" || op == "onnx.Squeeze" || op == "onnx.Unsqueeze" || op == "onnx.Expand")
            return same_shape(from, to) ? std::optional(first) : std::nullopt;
        return std::nullopt;
    }

    [[nodiscard]] std::optional<node_id> field_passed_on(node_id n) const {
        const node_id of = m_.operand(n, 0);
        if (m_.kind(of) == node_kind::tuple && m_.field(n) < m_.arity(of)) return m_.operand(of, m_.field(n));
        if (m_.kind(of) == node_kind::call && m_.op(of) == "onnx.Dropout" && m_.field(n) == 0 && m_.arity(of) != 0 && is_inference(of))
            return m_.operand(of, 0);
        return std::nullopt;
    }

    [[nodiscard]] bool is_inference(node_id dropout) const {
        const auto operand = [&](std::size_t i) {
            if (i >= m_.arity(dropout)) return dropout_operand{};
            const node_id n = m_.operand(dropout, i);
            return dropout_operand{m_.kind(n) != node_kind::tuple, m_.constant(n)};
        };
        return effect_of_dropout(operand(1), operand(2)) == dropout_effect::keeps;
    }

    [[nodiscard]] bool keeps_order(node_id transpose, const tensor_type& from) const {
        const auto stated = read<transpose_attributes>(m_.attributes(transpose)).perm;
        if (!stated || stated->empty()) return from.ranked && from.rank() <= 1;
        const auto order = *stated;
        for (std::size_t i = 0; i < order.size(); ++i)
            if (order[i] != static_cast<std::int64_t>(i)) return false;
        return true;
    }

    /// Equal shapes of which everything is known, be it by symbols.
    static bool same_shape(const tensor_type& a, const tensor_type& b) {
        if (!a.ranked || !b.ranked || a != b) return false;
        return std::all_of(a.extents.begin(), a.extents.end(), [](const extent& e) { return e.is_known() || !e.symbol.empty(); });
    }

    /// An earlier node, in this block or one around it, that computes the same; else n.
    [[nodiscard]] node_id earlier_equal(node_id n) {
        const node_kind kind = m_.kind(n);
        if (kind != node_kind::call && kind != node_kind::constant && kind != node_kind::tuple && kind != node_kind::projection) return n;
        if (kind == node_kind::call && is_random(m_.op(n))) return n;
        digest_builder key;
        key.add(static_cast<std::uint64_t>(kind))
            .add(m_.op(n))
            .add(static_cast<std::uint64_t>(kind == node_kind::projection ? m_.field(n) : 0));
        // Calls of one operator may be asked for different numbers of outputs.
        key.add(static_cast<std::uint64_t>(m_.type(n).is_tuple() ? m_.type(n).fields.size() : 1)).add(content_of(m_.attributes(n)));
        if (const tensor* value = m_.constant(n)) key.add(content_among_constants(*value));
        for (const node_id o : m_.operands(n)) key.add(static_cast<std::uint64_t>(stands_for_[o]));
        const digest d = key.finish();
        for (block_id b = m_.block(n);; b = m_.parent(b)) {
            const auto at = seen_.find({d, b});
            if (at != seen_.end()) return at->second;
            if (b == 0) break;
        }
        seen_.emplace(std::pair(d, m_.block(n)), n);
        return n;
    }

    /// What tells a constant from all others that were asked for. Of large ones a few bytes do, mostly: to digest all weights of a network
    /// takes longer than all else here.
    [[nodiscard]] digest content_among_constants(const tensor& value) {
        constexpr std::size_t sample = 1024;
        if (value.bytes() <= 4 * sample) return value.content();
        digest_builder b;
        b.add(static_cast<std::uint64_t>(value.element())).add(std::uint64_t{value.extents().size()});
        for (const std::int64_t e : value.extents()) b.add(e);
        for (const std::size_t at : {std::size_t{0}, value.bytes() / 2, value.bytes() - sample}) b.add_bytes(value.data() + at, sample);
        const digest sampled = b.finish();
        const auto [first, is_new] = large_.try_emplace(sampled, &value);
        const auto has_same_bytes = [&](const tensor& other) {
            return other.data() == value.data() || std::memcmp(other.data(), value.data(), value.bytes()) == 0;
        };
        return is_new || has_same_bytes(*first->second) ? sampled : value.content();
    }

    const ir_module& m_;
    std::vector<node_id> stands_for_;
    std::map<std::pair<digest, block_id>, node_id> seen_;
    std::map<digest, const tensor*> large_;  // the first of each sample
};

}  // namespace detail

ir_module clean(const ir_module& m) { return detail::cleaner(m).built(); }

}  // namespace inlay

#endif
