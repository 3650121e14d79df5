// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_LOOPS_NEST_NEST_BUILDER_IPP
#define INLAY_LOOPS_NEST_NEST_BUILDER_IPP

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <inlay/loops/nest/nest_builder.hpp>

#include <inlay/loops/nest/loop_nest.hpp>
#include <inlay/ops/loops/strides.hpp>

namespace inlay {

buffer_id nest_builder::buffer(buffer_scope scope, std::string_view name, element_type element, std::vector<std::int64_t> extents,
                               std::vector<std::int64_t> strides) {
    if (strides.empty()) strides = row_major_strides(extents);
    nest_.buffers.push_back({free_name(nest_, name), element, std::move(extents), std::move(strides), scope});
    return static_cast<buffer_id>(nest_.buffers.size() - 1);
}

variable_id nest_builder::variable(std::string_view name) {
    nest_.variables.push_back(free_name(nest_, name));
    return static_cast<variable_id>(nest_.variables.size() - 1);
}

expression_id nest_builder::number(double value, element_type element) {
    nest_expression e;
    e.element = element;
    e.number = value;
    return add(std::move(e));
}

expression_id nest_builder::integer(std::int64_t value, element_type element) {
    nest_expression e;
    e.element = element;
    e.integer = value;
    return add(std::move(e));
}

expression_id nest_builder::index(affine value) {
    nest_expression e;
    e.kind = nest_expression::form::index;
    e.element = element_type::int64;
    e.indices.push_back(std::move(value));
    return add(std::move(e));
}

expression_id nest_builder::load(buffer_id from, std::vector<affine> indices) {
    nest_expression e;
    e.kind = nest_expression::form::load;
    e.element = nest_.buffers[from].element;
    e.buffer = from;
    e.indices = std::move(indices);
    return add(std::move(e));
}

expression_id nest_builder::apply(scalar_function f, std::vector<expression_id> operands) {
    nest_expression e;
    e.kind = nest_expression::form::apply;
    e.element = facts_of(f).is_comparison ? element_type::boolean : nest_.expressions[operands.front()].element;
    e.function = f;
    e.operands = std::move(operands);
    return add(std::move(e));
}

expression_id nest_builder::choose(expression_id condition, expression_id then, expression_id otherwise) {
    nest_expression e;
    e.kind = nest_expression::form::choose;
    e.element = nest_.expressions[then].element;
    e.operands = {condition, then, otherwise};
    return add(std::move(e));
}

expression_id nest_builder::within(std::vector<affine_bound> bounds, expression_id then, expression_id otherwise) {
    nest_expression e;
    e.kind = nest_expression::form::within;
    e.element = nest_.expressions[then].element;
    e.bounds = std::move(bounds);
    e.operands = {then, otherwise};
    return add(std::move(e));
}

expression_id nest_builder::cast(expression_id value, element_type to) {
    nest_expression e;
    e.kind = nest_expression::form::cast;
    e.element = to;
    e.operands = {value};
    return add(std::move(e));
}

statement_id nest_builder::block(std::vector<statement_id> parts) {
    nest_statement s;
    s.parts = std::move(parts);
    return add(std::move(s));
}

statement_id nest_builder::loop(variable_id variable, std::int64_t extent, statement_id body, loop_kind runs) {
    nest_statement s;
    s.kind = nest_statement::form::loop;
    s.runs = runs;
    s.variable = variable;
    s.extent = extent;
    s.parts = {body};
    return add(std::move(s));
}

statement_id nest_builder::store(buffer_id to, std::vector<affine> indices, expression_id value) {
    nest_statement s;
    s.kind = nest_statement::form::store;
    s.buffer = to;
    s.indices = std::move(indices);
    s.value = value;
    return add(std::move(s));
}

statement_id nest_builder::update(buffer_id to, std::vector<affine> indices, scalar_function f, expression_id value) {
    nest_statement s;
    s.kind = nest_statement::form::update;
    s.function = f;
    s.buffer = to;
    s.indices = std::move(indices);
    s.value = value;
    return add(std::move(s));
}

statement_id nest_builder::guard(std::vector<affine_bound> bounds, statement_id body) {
    nest_statement s;
    s.kind = nest_statement::form::guard;
    s.bounds = std::move(bounds);
    s.parts = {body};
    return add(std::move(s));
}

statement_id nest_builder::allocate(buffer_id buffer, statement_id body) {
    nest_statement s;
    s.kind = nest_statement::form::allocate;
    s.buffer = buffer;
    s.parts = {body};
    return add(std::move(s));
}

function_id nest_builder::function(loop_nest f) {
    nest_.functions.push_back(std::move(f));
    return static_cast<function_id>(nest_.functions.size() - 1);
}

statement_id nest_builder::call(function_id callee, std::vector<nest_place> places, std::vector<affine> numbers) {
    nest_statement s;
    s.kind = nest_statement::form::call;
    s.callee = callee;
    s.places = std::move(places);
    s.indices = std::move(numbers);
    return add(std::move(s));
}

loop_nest nest_builder::finish(statement_id root) && {
    nest_.root = root;
    return std::move(nest_);
}

expression_id nest_builder::add(nest_expression e) {
    nest_.expressions.push_back(std::move(e));
    return static_cast<expression_id>(nest_.expressions.size() - 1);
}

statement_id nest_builder::add(nest_statement s) {
    nest_.statements.push_back(std::move(s));
    return static_cast<statement_id>(nest_.statements.size() - 1);
}

}  // namespace inlay

#endif
