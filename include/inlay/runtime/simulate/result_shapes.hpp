// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_RUNTIME_SIMULATE_RESULT_SHAPES_HPP
#define INLAY_RUNTIME_SIMULATE_RESULT_SHAPES_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/graph/call_view.hpp>
#include <inlay/ir/ir_module.hpp>
#include <inlay/runtime/simulate/register_program.hpp>

namespace inlay {

/// The shapes of what a function of tensors gives, each as integers, by the type rules of its operators: nothing is computed.
/// `elements`: the element types of its parameters; `shapes`: integers, one list for each. The error says which operator has no rule, or
/// one that does not say the shape; functions with branches or calls have none. Linear in the function.
[[nodiscard]] inline outcome<std::vector<tensor>> result_shapes(const register_program& p, const register_function& f,
                                                                std::span<const tensor> shapes) {
    if (shapes.size() != f.parameters.size() || f.elements.size() != f.parameters.size())
        return error{"gives " + std::to_string(shapes.size()) + " shapes for a function of " + std::to_string(f.parameters.size()) +
                     " tensors"};
    std::vector<node_type> types(f.registers);
    std::vector<const tensor*> values(f.registers, nullptr);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const auto extents = integers_of(shapes[i]);
        if (!extents) return error{"shape " + std::to_string(i) + " is " + to_string(shapes[i].type()) + ", where integers were expected"};
        types[i] = tensor_type(f.elements[i], shape(extents->begin(), extents->end()));
    }
    for (const register_instruction& i : f.code) {
        const auto arguments = p.arguments_of(i);
        switch (i.op) {
            case register_op::load_constant:
                types[i.to] = p.constants[i.number].type();
                values[i.to] = &p.constants[i.number];
                break;
            case register_op::move:
                types[i.to] = node_type(types[i.from]);
                values[i.to] = values[i.from];
                break;
            case register_op::expect:
                break;
            case register_op::make_tuple: {
                std::vector<node_type> fields;
                for (const register_id r : arguments) fields.push_back(types[r]);
                types[i.to] = node_type::tuple(std::move(fields));
                values[i.to] = nullptr;
                break;
            }
            case register_op::take_field: {
                const node_type whole = types[i.from];
                types[i.to] = whole.is_tuple() && i.number < whole.fields.size() ? whole.fields[i.number] : whole;
                values[i.to] = nullptr;
                break;
            }
            case register_op::invoke: {
                const register_operator& o = p.operators[i.number];
                std::vector<const node_type*> operands;
                std::vector<const tensor*> known;
                for (const register_id r : arguments) {
                    operands.push_back(&types[r]);
                    known.push_back(values[r]);
                }
                if (o.definition == nullptr || o.definition->infer == nullptr)
                    return error{"the operator " + quoted_text(o.name) + " has no type rule that could give its shape"};
                auto made = o.definition->infer(call_view{o.definition->name, &o.attributes, operands, known, o.outputs});
                if (!made) return made.failure();
                types[i.to] = *std::move(made);
                values[i.to] = nullptr;
                break;
            }
            case register_op::give: {
                std::vector<tensor> found;
                const auto add = [&](const node_type& t) {
                    if (!t.is_tensor() || !t.is_static()) return false;
                    const std::vector<std::int64_t> extents = static_shape(t.of_tensor);
                    found.push_back(tensor::of({static_cast<std::int64_t>(extents.size())}, extents));
                    return true;
                };
                const node_type& whole = types[i.from];
                bool known = true;
                if (whole.is_tuple())
                    for (const node_type& field : whole.fields) known = known && add(field);
                else
                    known = add(whole);
                if (!known) return error{"the shape of what it gives depends on data, as " + to_string(whole) + " says"};
                return found;
            }
            default:
                return error{std::string("a function with ") + name_of(i.op) + " in it has no shape function"};
        }
    }
    return error{"the function gives nothing"};
}

}  // namespace inlay

#endif
