// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_LIST_REWRITE_PARTS_HPP
#define INLAY_CODEGEN_LIST_REWRITE_PARTS_HPP

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/codegen/emit/after_partitioning.hpp>
#include <inlay/codegen/list/backend_list.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/passes/rebuild.hpp>

namespace inlay {

namespace detail {

/// The body of a function that reads nothing outside itself, as a program of its own.
[[nodiscard]] inline ir_module program_of_function(const ir_module& m, node_id function) {
    ir_builder b;
    b.open_block();
    std::vector<node_id> made(m.size(), no_node), operands, parameters;
    for (const node_id p : m.parameters(function)) parameters.push_back(made[p] = b.input(m.name(p), m.type(p)));
    const block_id body = m.block(m.result(function));
    for (node_id n = 0; n < function; ++n) {
        if (m.block(n) != body || made[n] != no_node) continue;
        operands.clear();
        for (const node_id o : m.operands(n)) operands.push_back(made[o]);
        made[n] = b.copy(m, n, operands);
    }
    b.declare(b.function(parameters, made[m.result(function)], "main"));
    return b.finish();
}

/// Makes the function anew in the open block: its outside as it was, its body that of a program.
[[nodiscard]] inline node_id function_of_program(ir_builder& b, const ir_module& was, node_id function, const ir_module& body) {
    b.open_block();
    std::vector<node_id> made(body.size(), no_node), operands, parameters;
    const std::span<const node_id> named = was.parameters(function);
    for (std::size_t i = 0; i < named.size(); ++i)
        parameters.push_back(made[body.inputs()[i]] = b.input(was.name(named[i]), was.type(named[i])));
    for (node_id n = 0; n < body.size(); ++n) {
        if (made[n] != no_node || n == body.main()) continue;
        operands.clear();
        for (const node_id o : body.operands(n)) operands.push_back(made[o]);
        made[n] = b.copy(body, n, operands);
    }
    return b.function(parameters, made[body.result(body.main())], was.symbol(function), was.attributes(function));
}

}  // namespace detail

/// An outlined program as its back ends make code of it: in the parts of each, every composite's body is what the phases after partitioning
/// give. Names, inputs and results of the functions stay, and so do parts of back ends without such phases. The error says which phase
/// failed, or that it changed what the function takes or gives. Linear in the program and what the phases take.
template <class... Bs>
[[nodiscard]] outcome<ir_module> rewrite_parts(const backend_list<Bs...>& backends, const ir_module& outlined) {
    std::vector<std::optional<ir_module>> bodies(outlined.size());
    std::set<block_id> replaced;
    outcome<void> done;
    for (node_id n = 0; n < outlined.size() && done; ++n) {
        if (outlined.kind(n) != node_kind::function) continue;
        const auto* composite = outlined.attributes(n).template get<std::string>("Composite");
        if (composite == nullptr) continue;
        backends.for_each([&]<class B>(const B& b, std::size_t) {
            if constexpr (detail::has_phase_at<B>(phase_place::after_partitioning)) {
                // Composites that its partition rule joined have names that are not in its table.
                if (!done || !composite->starts_with(std::string(std::string_view(B::kind)) + ".")) return;
                const auto body = region_program::make(detail::program_of_function(outlined, n));
                if (!body) {
                    done = error{"composite " + quoted_text(*composite) + " " + body.failure().message};
                    return;
                }
                const auto changed = detail::after_phases<B>::run(b, body->view());
                if (!changed) {
                    done = changed.failure();
                    return;
                }
                bodies[n] = changed->program();
                replaced.insert(outlined.block(outlined.result(n)));
            }
        });
    }
    if (!done) return done.failure();
    module_rebuilder r(outlined);
    for (node_id n = 0; n < outlined.size(); ++n) {
        if (replaced.contains(outlined.block(n))) continue;
        r.go_to(n);
        if (bodies[n])
            r.set_made(n, detail::function_of_program(r.builder(), outlined, n, *bodies[n]));
        else
            r.copy(n);
    }
    return r.finish();
}

}  // namespace inlay

#endif
