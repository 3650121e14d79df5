// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PASSES_CONTROL_LIFT_CONTROL_IPP
#define INLAY_PASSES_CONTROL_LIFT_CONTROL_IPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/passes/control/lift_control.hpp>

#include <inlay/core/in_force.hpp>
#include <inlay/graph/tensor.hpp>
#include <inlay/ir/ir_builder.hpp>
#include <inlay/ops/attributes/loop_attributes.hpp>
#include <inlay/ops/interpret/call_outputs.hpp>
#include <inlay/ops/node_label.hpp>
#include <inlay/ops/operand_checks.hpp>
#include <inlay/passes/infer_types.hpp>

namespace inlay {

namespace detail {

[[nodiscard]] inline bool is_loop(const ir_module& m, node_id n) {
    return m.kind(n) == node_kind::call && (m.op(n) == "onnx.Loop" || m.op(n) == "onnx.Scan") && m.arity(n) != 0 &&
           m.kind(m.operand(n, m.arity(n) - 1)) == node_kind::function;
}

/// The block within the block of node n that has node r; 0 if there is none.
[[nodiscard]] inline block_id block_of_side(const ir_module& m, node_id n, node_id r) {
    block_id b = m.block(r);
    while (b != 0 && m.parent(b) != m.block(n)) b = m.parent(b);
    return b == m.block(n) ? 0 : b;
}

/// The node whose block is the body of a loop: a parameter, or the result of a body without parameters.
[[nodiscard]] inline node_id inside_of_loop(const ir_module& m, node_id n) {
    const node_id f = m.operand(n, m.arity(n) - 1);
    return m.parameters(f).empty() ? m.result(f) : m.parameters(f)[0];
}

[[nodiscard]] inline bool is_control(const ir_module& m, node_id n) { return m.kind(n) == node_kind::if_else || is_loop(m, n); }

/// The nodes that main needs outside of branches and loops. A value that is read inside of these alone is needed too. `stays` marks
/// branches and loops that count as plain nodes.
[[nodiscard]] inline std::vector<char> needed_outside(const ir_module& m, std::span<const char> stays = {}) {
    std::vector<char> needed(m.size(), 0), is_read(m.size(), 0), is_body(m.size(), 0);
    std::set<block_id> lifted;  // the blocks of branches and loops
    const auto is_inside = [&](node_id n) {
        for (block_id b = m.block(n); b != 0; b = m.parent(b))
            if (lifted.contains(b)) return true;
        return false;
    };
    const auto lift_side = [&](node_id n, node_id inner) {
        if (const block_id b = block_of_side(m, n, inner); b != 0) lifted.insert(b);
    };
    is_read[m.main()] = 1;
    // A node comes behind the blocks that it has, so their nodes are seen after it.
    for (node_id n = static_cast<node_id>(m.size()); n-- > 0;) {
        if (is_read[n] == 0) continue;
        needed[n] = is_body[n] == 0 && !is_inside(n) ? 1 : 0;
        const bool is_plain = !stays.empty() && stays[n] != 0;
        const bool is_branch = !is_plain && m.kind(n) == node_kind::if_else, is_repeated = !is_plain && is_loop(m, n);
        if (needed[n] != 0 && is_branch)
            for (const std::size_t side : {std::size_t{1}, std::size_t{2}}) lift_side(n, m.operand(n, side));
        if (needed[n] != 0 && is_repeated) {
            lift_side(n, inside_of_loop(m, n));
            is_body[m.operand(n, m.arity(n) - 1)] = 1;
        }
        bool reads_sides = in_force<"passes.control.outer-values">();
        const std::size_t read = reads_sides || needed[n] == 0 ? m.arity(n) : is_branch ? 1 : is_repeated ? m.arity(n) - 1 : m.arity(n);
        for (std::size_t i = 0; i < read; ++i) is_read[m.operand(n, i)] = 1;
    }
    return needed;
}

class control_lifting {
public:
    explicit control_lifting(op_finder find) : find_(find) {}

    /// The program with calls in place of its control flow; its bodies go to `bodies`.
    [[nodiscard]] outcome<ir_module> lift(const ir_module& m, std::vector<ir_module>& bodies, std::size_t depth) {
        constexpr std::size_t deepest = 100;
        if (depth > deepest) return error{"control flow is nested deeper than " + std::to_string(deepest) + "; flatten the program"};
        ir_module program;
        const ir_module* from = &m;
        for (;;) {
            const std::vector<char> stays = waiting(*from);
            const std::vector<char> needed = needed_outside(*from, stays);
            const std::vector<std::size_t> outputs = call_outputs(*from);
            ir_builder b;
            b.copy_from(*from);
            std::vector<node_id> made(from->size(), no_node);
            field_nodes fields;
            bool is_any_lifted = false, does_any_stay = false;
            for (node_id n = 0; n < from->size(); ++n) {
                if (needed[n] == 0) continue;
                does_any_stay = does_any_stay || stays[n] != 0;
                if (!is_control(*from, n) || stays[n] != 0) {
                    const std::vector<node_id> operands = in_new(*from, n, made);
                    if (from->kind(n) != node_kind::projection)
                        made[n] = b.copy(*from, n, operands);
                    else if (const auto [at, is_new] = fields.try_emplace({operands[0], from->field(n)}, no_node); is_new)
                        made[n] = at->second = b.copy(*from, n, operands);
                    else
                        made[n] = at->second;
                    continue;
                }
                is_any_lifted = true;
                auto call =
                    from->kind(n) == node_kind::if_else ? branch(*from, n, bodies, depth) : loop(*from, n, outputs[n], bodies, depth);
                if (!call) return at_node(*from, n, call.failure());
                made[n] = emit(*from, n, *call, made, fields, b);
            }
            b.declare(made[from->main()]);
            b.name_results(from->result_names());
            ir_module now = b.finish_in_blocks();
            if (!is_any_lifted) return now;
            auto typed = infer_types_by(now, {}, find_);
            if (!typed || !does_any_stay) return typed;
            program = *std::move(typed);
            from = &program;
        }
    }

private:
    /// The node of each field of a tuple in the new program, so that none is taken out twice.
    using field_nodes = std::map<std::pair<node_id, std::size_t>, node_id>;
    /// A call that stands for control flow; operands are nodes of the old program.
    struct lifted_call {
        std::string_view op;
        std::vector<node_id> operands;
        std::vector<node_id> captured;  // operands behind these; a tuple is handed over field by field
        attribute_map attributes;
        node_type type;
    };
    [[nodiscard]] static std::vector<node_id> in_new(const ir_module& m, node_id n, std::span<const node_id> made) {
        std::vector<node_id> operands;
        for (const node_id o : m.operands(n)) operands.push_back(made[o]);
        return operands;
    }
    /// Adds the call that stands for node n of the old program.
    static node_id emit(const ir_module& m, node_id n, const lifted_call& call, std::span<const node_id> made, field_nodes& known,
                        ir_builder& b) {
        std::vector<node_id> operands;
        for (const node_id o : call.operands) operands.push_back(made[o]);
        for (const node_id o : call.captured) {
            const std::size_t count = m.type(o).is_tuple() ? m.type(o).fields.size() : 0;
            for (std::size_t i = 0; i < count; ++i) {
                const auto [at, is_new] = known.try_emplace({made[o], i}, no_node);
                if (is_new) at->second = b.projection(made[o], i);
                operands.push_back(at->second);
            }
            if (count == 0) operands.push_back(made[o]);
        }
        return b.call(call.op, operands, call.attributes, call.type, m.name(n));
    }
    /// The branches and loops that read a value whose type is unknown until others are lifted. None if the rest is empty.
    [[nodiscard]] static std::vector<char> waiting(const ir_module& m) {
        std::vector<char> stays(m.size(), 0);
        if (!in_force<"passes.control.types-first">()) return stays;
        const std::vector<char> needed = needed_outside(m);
        bool is_any_ready = false;
        for (node_id n = 0; n < m.size(); ++n) {
            if (!is_control(m, n)) continue;
            // Control flow inside of a branch or loop goes where that goes.
            stays[n] = needed[n] != 0 && reads_known_types(m, n) ? 0 : 1;
            is_any_ready = is_any_ready || stays[n] == 0;
        }
        if (!is_any_ready) stays.assign(m.size(), 0);
        return stays;
    }
    [[nodiscard]] static bool reads_known_types(const ir_module& m, node_id n) {
        const auto is_known = [&](node_id o) { return m.type(o).is_static(); };
        block_content content;
        const auto operands = m.operands(n);
        if (m.kind(n) == node_kind::if_else) {
            for (const node_id side : operands.subspan(1)) collect(m, block_of_side(m, n, side), side, content);
            return std::all_of(content.captured.begin(), content.captured.end(), is_known);
        }
        collect(m, block_of_side(m, n, inside_of_loop(m, n)), m.result(operands.back()), content);
        return std::all_of(operands.begin(), operands.end() - 1, is_known) &&
               std::all_of(content.captured.begin(), content.captured.end(), is_known);
    }
    [[nodiscard]] static bool is_tuple_of_tensors(const node_type& t) {
        return t.is_tuple() && !t.fields.empty() &&
               std::all_of(t.fields.begin(), t.fields.end(), [](const node_type& field) { return field.is_tensor(); });
    }

    [[nodiscard]] static bool is_within(const ir_module& m, block_id b, block_id around) {
        for (; b != 0; b = m.parent(b))
            if (b == around) return true;
        return false;
    }
    /// What stands in a block and is needed for a result, and what that reads around it.
    struct block_content {
        std::set<node_id> inside;
        std::vector<node_id> captured;
    };
    static void collect(const ir_module& m, block_id block, node_id result, block_content& content) {
        std::vector<node_id> open{result};
        while (!open.empty()) {
            const node_id n = open.back();
            open.pop_back();
            const bool is_inside = block != 0 && is_within(m, m.block(n), block);
            // A tuple of values around the block is put together inside. Such is the unit value, which marks an operand that is left out.
            if (!is_inside && m.kind(n) != node_kind::constant && m.kind(n) != node_kind::tuple) {
                if (std::find(content.captured.begin(), content.captured.end(), n) == content.captured.end()) content.captured.push_back(n);
                continue;
            }
            if (!content.inside.insert(n).second) continue;
            for (const node_id o : m.operands(n)) open.push_back(o);
        }
    }

    static constexpr std::size_t all_fields = static_cast<std::size_t>(-1);
    /// A block as a program of these parameters, with their types, and of what is captured, that gives the first fields of its result. Its
    /// number, and the type that it gives.
    struct body {
        std::int64_t number = 0;
        node_type type;
    };
    [[nodiscard]] outcome<body> program_of(const ir_module& m, const block_content& content, std::span<const node_id> parameters,
                                           std::span<const node_type> types, std::span<const node_id> captured, node_id result,
                                           std::size_t fields, std::vector<ir_module>& bodies, std::size_t depth) {
        ir_builder b;
        b.copy_from(m);
        std::vector<node_id> made(m.size(), no_node), operands, all;
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            made[parameters[i]] = b.copy(m, parameters[i], {});
            b.set_type(made[parameters[i]], types[i]);
            all.push_back(made[parameters[i]]);
        }
        for (const node_id c : captured) {
            const node_type& type = m.type(c);
            if (!type.is_tensor() && !is_tuple_of_tensors(type))
                return error{"a body reads " + label_of(m, c) + ", which is no tensor, around it"};
            if (type.is_tensor()) {
                made[c] = b.input(m.name(c), type);
                all.push_back(made[c]);
                continue;
            }
            std::vector<node_id> fields_of_c;
            for (std::size_t i = 0; i < type.fields.size(); ++i)
                fields_of_c.push_back(b.input(std::string(m.name(c)) + "." + std::to_string(i), type.fields[i]));
            made[c] = b.tuple(fields_of_c);
            all.insert(all.end(), fields_of_c.begin(), fields_of_c.end());
        }
        for (const node_id n : content.inside) {
            if (made[n] != no_node) continue;
            operands.clear();
            for (const node_id o : m.operands(n)) operands.push_back(made[o]);
            // A field of a captured tuple is an input of its own.
            const bool is_field = m.kind(n) == node_kind::projection && b.so_far().kind(operands[0]) == node_kind::tuple;
            made[n] = is_field ? b.so_far().operand(operands[0], m.field(n)) : b.copy(m, n, operands);
        }
        node_id given = made[result];
        if (m.kind(result) == node_kind::tuple && m.arity(result) > fields) {
            operands.clear();
            for (std::size_t i = 0; i < fields; ++i) operands.push_back(made[m.operand(result, i)]);
            given = b.tuple(operands);
        }
        b.declare(b.function(all, given, "main"));
        auto typed = infer_types_by(b.finish_in_blocks(), {}, find_);
        if (!typed) return typed.failure();
        auto lifted = lift(*typed, bodies, depth + 1);
        if (!lifted) return lifted.failure();
        body made_body;
        made_body.type = lifted->type(lifted->result(lifted->main()));
        if (!made_body.type.is_static()) return error{"a body gives " + to_string(made_body.type) + ", whose shapes the run decides"};
        made_body.number = static_cast<std::int64_t>(bodies.size());
        bodies.push_back(*std::move(lifted));
        return made_body;
    }

    [[nodiscard]] outcome<lifted_call> branch(const ir_module& m, node_id n, std::vector<ir_module>& bodies, std::size_t depth) {
        block_content sides[2];
        std::vector<node_id> captured;
        for (std::size_t i = 0; i < 2; ++i) {
            const node_id result = m.operand(n, i + 1);
            collect(m, block_of_side(m, n, result), result, sides[i]);
            for (const node_id c : sides[i].captured)
                if (std::find(captured.begin(), captured.end(), c) == captured.end()) captured.push_back(c);
        }
        lifted_call call;
        call.op = if_op;
        call.operands = {m.operand(n, 0)};
        call.captured = captured;
        std::vector<std::int64_t> numbers;
        for (std::size_t i = 0; i < 2; ++i) {
            auto made = program_of(m, sides[i], {}, {}, captured, m.operand(n, i + 1), all_fields, bodies, depth);
            if (!made) return made.failure();
            if (i == 1 && made->type != call.type)
                return error{"gives " + to_string(call.type) + " or " + to_string(made->type) + ", whichever the run decides"};
            call.type = std::move(made->type);
            numbers.push_back(made->number);
        }
        call.attributes.set("bodies", std::move(numbers));
        return call;
    }

    [[nodiscard]] outcome<lifted_call> loop(const ir_module& m, node_id n, std::size_t outputs, std::vector<ir_module>& bodies,
                                            std::size_t depth) {
        const bool is_scan = m.op(n) == "onnx.Scan";
        const node_id f = m.operand(n, m.arity(n) - 1);
        const auto parameters = m.parameters(f);
        const std::size_t own = m.arity(n) - 1;
        lifted_call call;
        call.op = is_scan ? scan_op : loop_op;
        call.operands.assign(m.operands(n).begin(), m.operands(n).begin() + static_cast<std::ptrdiff_t>(own));
        std::vector<node_type> types;
        std::size_t carried = 0, first = 0;  // what is carried begins at this operand
        std::optional<std::int64_t> trips;
        std::vector<std::int64_t> axes_out;
        if (is_scan) {
            const scan_attributes given = read<scan_attributes>(m.attributes(n));
            if (given.num_scan_inputs < 1 || static_cast<std::uint64_t>(given.num_scan_inputs) > own)
                return error{"has an attribute num_scan_inputs that does not fit its operands"};
            carried = own - static_cast<std::size_t>(given.num_scan_inputs);
            for (std::size_t i = 0; i < own; ++i) {
                node_type t = m.type(m.operand(n, i));
                if (!t.is_tensor() || !t.is_static()) return error{"reads " + to_string(t) + ", whose extents are not known"};
                if (i >= carried) {
                    const std::size_t k = i - carried;
                    const auto axis = axis_of(k < given.scan_input_axes.size() ? given.scan_input_axes[k] : 0, t.of_tensor.rank());
                    if (!axis) return error{"slices an operand along an axis that it does not have"};
                    const std::int64_t length = t.of_tensor.extents[*axis].size;
                    if (trips && *trips != length) return error{"slices operands of different lengths"};
                    trips = length;
                    t.of_tensor.extents.erase(t.of_tensor.extents.begin() + static_cast<std::ptrdiff_t>(*axis));
                }
                types.push_back(std::move(t));
            }
            axes_out.assign(given.scan_output_axes.begin(), given.scan_output_axes.end());
            call.attributes = m.attributes(n);
        } else {
            if (own < 2) return error{"needs a number of trips and a condition"};
            const auto is_left_out = [&](std::size_t i) { return m.type(m.operand(n, i)).is_tuple(); };
            if (is_left_out(0) && is_left_out(1)) return error{"has neither a number of trips nor a condition, so it would never end"};
            first = 2;
            carried = own - 2;
            types.push_back(tensor_type(element_type::int64, shape()));
            types.push_back(tensor_type(element_type::boolean, shape()));
            for (std::size_t i = first; i < own; ++i) {
                const node_type& t = m.type(m.operand(n, i));
                if (!t.is_tensor() || !t.is_static()) return error{"carries " + to_string(t) + ", whose extents are not known"};
                types.push_back(t);
            }
            if (const tensor* most = m.constant(m.operand(n, 0)))
                if (const auto numbers = integers_of(*most); numbers && numbers->size() == 1)
                    trips = std::max<std::int64_t>(numbers->front(), 0);
        }
        if (types.size() != parameters.size())
            return error{"has a body of " + std::to_string(parameters.size()) + " inputs, where " + std::to_string(types.size()) +
                         " were expected"};
        block_content content;
        const block_id block = block_of_side(m, n, inside_of_loop(m, n));
        collect(m, block, m.result(f), content);
        // Slices that nobody stacks are not made. What is carried always is.
        const std::size_t before = is_scan ? 0 : 1;
        auto made =
            program_of(m, content, parameters, types, content.captured, m.result(f), before + std::max(carried, outputs), bodies, depth);
        if (!made) return made.failure();
        call.captured = content.captured;

        const std::vector<node_type> given = made->type.is_tuple() ? made->type.fields : std::vector<node_type>{made->type};
        if (given.size() < before + carried) return error{"has a body that gives fewer values than are carried"};
        std::vector<node_type> results;
        for (std::size_t i = 0; i < carried; ++i) {
            const node_type& now = given[before + i];
            const node_type& was = types[first + i];
            if (now != was)
                return error{"changes the type of its state " + std::to_string(i) + " from " + to_string(was) + " to " + to_string(now)};
            results.push_back(now);
        }
        const bool stacks = given.size() > before + carried;
        if (stacks && !trips) return error{"stacks slices as often as the run decides"};
        if (stacks && !is_scan && may_end_early(bodies[static_cast<std::size_t>(made->number)]))
            return error{"stacks slices until a condition that the run decides ends it"};
        for (std::size_t i = before + carried; i < given.size(); ++i) {
            tensor_type t = given[i].of_tensor;
            const std::size_t k = i - before - carried;
            const auto axis = axis_of(k < axes_out.size() ? axes_out[k] : 0, t.rank() + 1);
            if (!axis) return error{"stacks slices along an axis that the stack does not have"};
            t.extents.insert(t.extents.begin() + static_cast<std::ptrdiff_t>(*axis), extent(*trips));
            results.push_back(std::move(t));
        }
        if (outputs > results.size())
            return error{"has " + std::to_string(results.size()) + " outputs, and " + std::to_string(outputs) + " are read"};
        if (results.empty()) return error{"gives nothing"};
        results.resize(std::max<std::size_t>(outputs, 1));
        call.type = outputs > 1 ? node_type::tuple(std::move(results)) : results.front();
        call.attributes.set("bodies", std::vector<std::int64_t>{made->number});
        call.attributes.set("carried", static_cast<std::int64_t>(carried));
        if (trips) call.attributes.set("trips", *trips);
        return call;
    }
    /// Whether the condition that a body gives is other than the one that it took, and than true.
    [[nodiscard]] static bool may_end_early(const ir_module& body) {
        const node_id result = body.result(body.main());
        node_id condition = body.kind(result) == node_kind::tuple ? body.operand(result, 0) : result;
        while (body.kind(condition) == node_kind::call && body.op(condition) == "onnx.Identity") condition = body.operand(condition, 0);
        if (body.inputs().size() > 1 && condition == body.inputs()[1]) return false;
        const tensor* value = body.constant(condition);
        return value == nullptr || value->element() != element_type::boolean || value->count() != 1 || !value->as<bool>()[0];
    }

    op_finder find_;
};

outcome<lifted_control> lift_control_by(const ir_module& m, op_finder find) {
    lifted_control made;
    auto program = control_lifting(find).lift(m, made.bodies, 0);
    if (!program) return program.failure();
    made.program = *std::move(program);
    return made;
}

}  // namespace detail

bool has_control(const ir_module& m) {
    const std::vector<char> needed = detail::needed_outside(m);
    for (node_id n = 0; n < m.size(); ++n)
        if (needed[n] != 0 && detail::is_control(m, n)) return true;
    return false;
}

}  // namespace inlay

#endif
