// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_NEST_WORK_IPP
#define INLAY_LOOPS_NEST_NEST_WORK_IPP

#include <inlay/loops/nest/nest_work.hpp>

#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/loops/nest/scalar_function.hpp>

namespace inlay {

double work_of(const loop_nest& n, statement_id id) {
    const auto value = [&](const auto& self, expression_id e) -> double {
        const nest_expression& x = n.expressions[e];
        double sum = x.kind == nest_expression::form::number ? 0 : 1;
        if (x.kind == nest_expression::form::apply) switch (x.function) {
                case scalar_function::add:
                case scalar_function::subtract:
                case scalar_function::multiply:
                case scalar_function::maximum:
                case scalar_function::minimum:
                case scalar_function::negate:
                case scalar_function::absolute:
                    break;
                default:
                    sum = is_floating(x.element) ? 8 : 2;
            }
        for (const expression_id operand : x.operands) sum += self(self, operand);
        return sum;
    };
    const auto called = [](const loop_nest& f) { return f.is_external() ? 1.0 : work_of(f, f.root); };
    const auto work = [&](const auto& self, statement_id at) -> double {
        const nest_statement& s = n.statements[at];
        double sum = 0;
        if (s.kind == nest_statement::form::store || s.kind == nest_statement::form::update) sum = 1 + value(value, s.value);
        if (s.kind == nest_statement::form::call) sum = called(n.functions[s.callee]);
        for (const statement_id part : s.parts) sum += self(self, part);
        return s.kind == nest_statement::form::loop ? sum * static_cast<double>(s.extent) : sum;
    };
    return work(work, id);
}

}  // namespace inlay

#endif
