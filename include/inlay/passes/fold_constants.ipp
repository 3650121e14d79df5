// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_FOLD_CONSTANTS_IPP
#define INLAY_PASSES_FOLD_CONSTANTS_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/passes/fold_constants.hpp>

#include <inlay/ops/attributes/movement_attributes.hpp>
#include <inlay/ops/onnx/elementwise_definition.hpp>
#include <inlay/passes/infer_types.ipp>
#include <inlay/passes/partial_values.hpp>

namespace inlay {

namespace detail {

/// Finds what is known before the run, and builds the module without it.
class constant_folder {
public:
    constant_folder(const ir_module& m, bound_extents bound, op_finder find, std::size_t most_bytes)
        : m_(m),
          find_(find),
          most_bytes_(most_bytes),
          types_(m, std::move(bound), find, false),
          values_(m.size()),
          partial_(m.size()),
          fields_(m.size()),
          target_(m.size()),
          taken_(m.size(), no_node),
          branch_(m.blocks(), no_node),
          dead_(m.blocks(), 0) {}

    outcome<ir_module> run() {
        find_branches();
        for (node_id n = 0; n < m_.size(); ++n) {
            if (in_dead_block(n)) continue;
            if (auto wrong = visit(n)) return std::move(*wrong);
        }
        return built();
    }

private:
    /// Notes for every block that is a branch whose it is, so that the branch not taken is not even typed.
    void find_branches() {
        for (node_id n = 0; n < m_.size(); ++n) {
            if (m_.kind(n) != node_kind::if_else) continue;
            for (std::size_t side = 1; side <= 2; ++side) {
                const block_id b = branch_block(n, side);
                if (b != 0) branch_[b] = n;
            }
        }
    }
    /// The block of one side of an if, or 0 where the side is but a value from outside.
    [[nodiscard]] block_id branch_block(node_id n, std::size_t side) const {
        block_id b = m_.block(m_.operand(n, side));
        while (b != 0 && m_.parent(b) != m_.block(n)) b = m_.parent(b);
        return b;
    }
    [[nodiscard]] std::optional<std::size_t> side_taken(node_id n) const {
        const auto& condition = values_[m_.operand(n, 0)];
        if (!condition || condition->element() != element_type::boolean || condition->count() != 1) return std::nullopt;
        return condition->as<bool>()[0] ? 1 : 2;
    }
    [[nodiscard]] bool in_dead_block(node_id n) {
        for (block_id b = m_.block(n); b != 0; b = m_.parent(b)) {
            if (dead_[b] == 0 && branch_[b] != no_node)
                if (const auto side = side_taken(branch_[b])) dead_[b] = branch_block(branch_[b], *side) == b ? 0 : 1;
            if (dead_[b] != 0) return true;
        }
        return false;
    }

    [[nodiscard]] const tensor* value(node_id n) const { return values_[n] ? &*values_[n] : nullptr; }

    std::optional<error> visit(node_id n) {
        if (m_.kind(n) == node_kind::if_else) {
            if (const auto side = side_taken(n)) {
                const node_id t = m_.operand(n, *side);
                taken_[n] = t;
                types_.set_type(n, types_.type(t));
                values_[n] = values_[t];
                partial_[n] = partial_[t];
                return std::nullopt;
            }
        }
        if (m_.kind(n) == node_kind::call && m_.op(n) == "onnx.Reshape" && m_.arity(n) == 2) find_target(n);
        const auto known = [&](node_id o) -> const tensor* { return target_[n] && o == m_.operand(n, 1) ? &*target_[n] : value(o); };
        if (auto wrong = types_.visit(n, known)) return wrong;
        switch (m_.kind(n)) {
            case node_kind::constant:
                values_[n] = *m_.constant(n);
                note_partial(n);
                break;
            case node_kind::projection: {
                const node_id of = m_.operand(n, 0);
                if (m_.field(n) < fields_[of].size())
                    values_[n] = fields_[of][m_.field(n)];
                else if (m_.kind(of) == node_kind::tuple && m_.field(n) < m_.arity(of))
                    values_[n] = values_[m_.operand(of, m_.field(n))];
                note_partial(n);
                break;
            }
            case node_kind::call:
                fold(n);
                break;
            default:
                break;
        }
        return std::nullopt;
    }

    /// A value that is short and of integers is known element by element too.
    void note_partial(node_id n) {
        if (!values_[n] || values_[n]->rank() > 1 || values_[n]->count() > longest_partial_value) return;
        const auto numbers = integers_of(*values_[n]);
        if (!numbers) return;
        // -1 is a number like others here, but not as an extent: such a value is used whole or not at all.
        if (std::find(numbers->begin(), numbers->end(), extent::unknown) != numbers->end()) return;
        partial_[n] = partial_value(numbers->begin(), numbers->end());
    }

    void find_target(node_id n) {
        const node_id data = m_.operand(n, 0), shape_operand = m_.operand(n, 1);
        if (values_[shape_operand] || !partial_[shape_operand] || read<reshape_attributes>(m_.attributes(n)).allowzero) return;
        const auto numbers = reshape_target(*partial_[shape_operand], types_.type(data).of_tensor);
        if (numbers) target_[n] = tensor::of({static_cast<std::int64_t>(numbers->size())}, *numbers);
    }

    void fold(node_id n) {
        const op_definition* op = find_(m_.op(n));
        std::vector<const node_type*> types;
        std::vector<const tensor*> constants;
        std::vector<const partial_value*> partial;
        bool all = true;
        for (const node_id o : m_.operands(n)) {
            types.push_back(&types_.type(o));
            constants.push_back(value(o));
            partial.push_back(partial_[o] ? &*partial_[o] : nullptr);
            all = all && (values_[o] || is_left_out(o));
        }
        const call_view call{m_.op(n), &m_.attributes(n), types, constants, types_.outputs(n)};
        if (call.op == "onnx.Shape") {
            if (auto found = shape_value(call)) know(n, std::move(*found));
            return;
        }
        if (call.op == "onnx.Size") {
            if (call.has(0) && call.type(0).is_static())
                if (const auto count = element_count(static_shape(call.type(0)))) values_[n] = tensor::scalar(*count);
            note_partial(n);
            return;
        }
        if (op == nullptr) return;
        if (all && fold_whole(n, *op)) return;
        type_from_target(n, call, partial);
        if (op->infer == nullptr || op->evaluate == nullptr || !types_.type(n).is_tensor()) return;
        if (auto found = partial_result(*op, call, partial, types_.type(n).of_tensor)) know(n, std::move(*found));
    }

    [[nodiscard]] bool is_left_out(node_id o) const { return m_.kind(o) == node_kind::tuple && m_.arity(o) == 0; }

    bool fold_whole(node_id n, const op_definition& op) {
        const node_type& type = types_.type(n);
        if (op.evaluate == nullptr || is_random(op.name) || !type.is_static()) return false;
        std::vector<tensor> operands;
        double bytes = static_cast<double>(most_bytes_), read = 0;
        for (const node_id o : m_.operands(n)) {
            operands.push_back(values_[o] ? *values_[o] : tensor());
            read += static_cast<double>(operands.back().bytes());
        }
        if (bytes_of(type) > std::max(bytes, read)) return false;
        auto results = evaluate_call(op, m_.attributes(n), operands, types_.outputs(n));
        if (!results) return false;  // an error of the run, if it comes to that
        if (types_.outputs(n) > 1) {
            fields_[n] = std::move(*results);
        } else {
            values_[n] = std::move((*results)[0]);
            note_partial(n);
        }
        return true;
    }

    void know(node_id n, partial_value found) {
        const node_type& type = types_.type(n);
        tensor_type of = type.is_tensor() ? type.of_tensor : tensor_type();
        if (m_.op(n) == "onnx.Shape") {
            of = tensor_type(element_type::int64, {extent(static_cast<std::int64_t>(found.size()))});
            types_.set_type(n, node_type(of));
        }
        values_[n] = whole_value(found, of);
        if (found.size() <= longest_partial_value) partial_[n] = std::move(found);
    }

    /// What a shape known in part says of the result's type beyond the operator's own rule.
    void type_from_target(node_id n, const call_view& call, const std::vector<const partial_value*>& partial) {
        const std::size_t at = call.op == "onnx.ConstantOfShape"                       ? 0
                               : call.op == "onnx.Reshape" || call.op == "onnx.Expand" ? 1
                                                                                       : partial.size();
        if (at >= partial.size() || partial[at] == nullptr || !types_.type(n).is_tensor()) return;
        shape said;
        for (const extent& e : *partial[at]) {
            if (is_number(e) && (e.size < 0 || (e.size == 0 && at == 1))) return;
            said.push_back(e);
        }
        if (call.op == "onnx.Expand") {
            if (!call.has(0) || !call.type(0).ranked) return;
            auto met = stretched_shape(call.type(0).extents, said);
            if (!met) return;
            said = std::move(*met);
        }
        const node_type& found = types_.type(n);
        types_.set_type(n, completed(found, node_type(tensor_type(found.of_tensor.element, std::move(said)))));
    }

    // Building.

    /// Whether node n becomes a constant.
    [[nodiscard]] bool is_folded(node_id n) const {
        return values_[n] && m_.kind(n) != node_kind::constant && m_.kind(n) != node_kind::input;
    }

    [[nodiscard]] node_id resolved(node_id n) const {
        while (taken_[n] != no_node && !is_folded(n)) n = taken_[n];
        return n;
    }

    ir_module built() {
        std::vector<char> needed(m_.size(), 0);
        for (const node_id f : m_.functions()) needed[f] = 1;
        for (node_id n = static_cast<node_id>(m_.size()); n-- > 0;) {
            if (needed[n] == 0 || is_folded(n)) continue;
            if (taken_[n] != no_node) {
                needed[taken_[n]] = 1;
                continue;
            }
            for (std::size_t i = 0; i < m_.arity(n); ++i)
                if (!(target_[n] && i == 1)) needed[m_.operand(n, i)] = 1;
        }
        for (node_id n = 0; n < m_.size(); ++n)
            if (taken_[n] != no_node && !is_folded(n)) add_name(merged_[resolved(n)], n);

        module_rebuilder r(m_);
        for (node_id n = 0; n < m_.size(); ++n)
            if (taken_[n] != no_node)
                if (const block_id b = branch_block(n, *side_taken(n)); b != 0) r.dissolve(b);
        for (node_id n = 0; n < m_.size(); ++n) {
            if (needed[n] == 0) continue;
            r.go_to(n);
            if (is_folded(n)) {
                const node_id made = r.builder().constant(*values_[n], m_.name(n));
                r.set_made(n, made);
                set_origins(r, n, made, absorbed(n));
            } else if (taken_[n] != no_node) {
                r.set_made(n, r.made(taken_[n]));
            } else {
                make(r, n);
            }
        }
        return r.finish();
    }

    void make(module_rebuilder& r, node_id n) {
        node_id made = no_node;
        if (target_[n]) {
            const node_id from = m_.operand(n, 1);
            const node_id target = r.builder().constant(*target_[n], m_.name(from));
            set_origins(r, from, target, absorbed(from));
            const node_id operands[] = {r.made(m_.operand(n, 0)), target};
            made = r.builder().copy(m_, n, operands);
            r.set_made(n, made);
        } else {
            made = r.copy(n);
        }
        if (m_.kind(n) != node_kind::constant) r.builder().set_type(made, types_.type(n));
        if (const auto at = merged_.find(n); at != merged_.end()) set_origins(r, n, made, at->second);
    }

    void set_origins(module_rebuilder& r, node_id n, node_id made, const std::vector<std::string>& more) {
        std::vector<std::string> all = m_.origins(n);
        for (const std::string& name : more)
            if (name != m_.name(n) && std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
        if (!all.empty()) r.builder().set_origins(made, std::move(all));
    }

    void add_name(std::vector<std::string>& names, node_id n) const {
        if (!m_.name(n).empty()) names.emplace_back(m_.name(n));
        names.insert(names.end(), m_.origins(n).begin(), m_.origins(n).end());
    }

    /// Names of the nodes that are folded into what node n gives, in ascending order of node.
    [[nodiscard]] std::vector<std::string> absorbed(node_id n) const {
        std::set<node_id> inside;
        std::vector<node_id> open{n};
        while (!open.empty()) {
            const node_id at = open.back();
            open.pop_back();
            if (taken_[at] != no_node) {
                if (inside.insert(taken_[at]).second) open.push_back(taken_[at]);
                continue;
            }
            for (const node_id o : m_.operands(at)) {
                const bool computed = m_.kind(o) != node_kind::constant && (values_[o] || partial_[o] || !fields_[o].empty());
                if (computed && inside.insert(o).second) open.push_back(o);
            }
        }
        std::vector<std::string> names;
        for (const node_id i : inside) add_name(names, i);
        return names;
    }

    const ir_module& m_;
    op_finder find_;
    std::size_t most_bytes_;
    type_inference types_;
    std::vector<std::optional<tensor>> values_;
    std::vector<std::optional<partial_value>> partial_;
    std::vector<std::vector<tensor>> fields_;
    std::vector<std::optional<tensor>> target_;  // of a Reshape: its shape operand as numbers that say the same
    std::vector<node_id> taken_;                 // of an if: the result of the side that is always taken
    std::vector<node_id> branch_;                // of a block: the if whose side it is
    std::vector<char> dead_;
    std::map<node_id, std::vector<std::string>> merged_;
};

outcome<ir_module> fold_constants_by(const ir_module& m, const fold_options& options, op_finder find) {
    auto bound = bound_extents::of(m, options.bindings);
    if (!bound) return bound.failure();
    return constant_folder(m, std::move(*bound), find, options.most_bytes).run();
}

}  // namespace detail

}  // namespace inlay

#endif
