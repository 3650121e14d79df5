// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_NEST_BUILDER_HPP
#define INLAY_LOOPS_NEST_NEST_BUILDER_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/core/linkage.hpp>
#include <inlay/loops/nest/loop_nest.hpp>

namespace inlay {

/// Puts a nest together from its parts. What it makes need not be sound: `check_nest` tells.
class nest_builder {
public:
    explicit nest_builder(std::string name) { nest_.name = std::move(name); }

    /// A buffer, row-major unless strides are given. Of a name that is there already another is made: `x_1`.
    INLAY_FUNCTION buffer_id buffer(buffer_scope scope, std::string_view name, element_type element, std::vector<std::int64_t> extents,
                                    std::vector<std::int64_t> strides = {});
    INLAY_FUNCTION variable_id variable(std::string_view name);

    INLAY_FUNCTION expression_id number(double value, element_type element = element_type::float32);
    INLAY_FUNCTION expression_id integer(std::int64_t value, element_type element = element_type::int64);
    INLAY_FUNCTION expression_id index(affine value);
    INLAY_FUNCTION expression_id load(buffer_id from, std::vector<affine> indices);
    INLAY_FUNCTION expression_id apply(scalar_function f, std::vector<expression_id> operands);
    INLAY_FUNCTION expression_id choose(expression_id condition, expression_id then, expression_id otherwise);
    INLAY_FUNCTION expression_id within(std::vector<affine_bound> bounds, expression_id then, expression_id otherwise);
    INLAY_FUNCTION expression_id cast(expression_id value, element_type to);

    INLAY_FUNCTION statement_id block(std::vector<statement_id> parts);
    INLAY_FUNCTION statement_id loop(variable_id variable, std::int64_t extent, statement_id body, loop_kind runs = loop_kind::serial);
    INLAY_FUNCTION statement_id store(buffer_id to, std::vector<affine> indices, expression_id value);
    INLAY_FUNCTION statement_id update(buffer_id to, std::vector<affine> indices, scalar_function f, expression_id value);
    INLAY_FUNCTION statement_id guard(std::vector<affine_bound> bounds, statement_id body);
    INLAY_FUNCTION statement_id allocate(buffer_id buffer, statement_id body);
    /// A function that `call` names.
    INLAY_FUNCTION function_id function(loop_nest f);
    /// Calls a function on windows that begin at these places, in the order of its parameters, and on whole numbers.
    INLAY_FUNCTION statement_id call(function_id callee, std::vector<nest_place> places, std::vector<affine> numbers = {});
    [[nodiscard]] const loop_nest& so_far() const { return nest_; }
    [[nodiscard]] INLAY_FUNCTION loop_nest finish(statement_id root) &&;

private:
    INLAY_FUNCTION expression_id add(nest_expression e);
    INLAY_FUNCTION statement_id add(nest_statement s);

    loop_nest nest_;
};

}  // namespace inlay

#ifndef INLAY_SEPARATE_COMPILATION
#include <inlay/loops/nest/nest_builder.ipp>
#endif

#endif
