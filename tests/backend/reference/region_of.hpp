// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_REFERENCE_REGION_OF_HPP
#define INLAY_TESTS_BACKEND_REFERENCE_REGION_OF_HPP

#include "run_region.hpp"

namespace reference_test {

/// A small program: inputs, constants and calls.
struct program {
    ir_builder build;
    std::vector<node_id> parameters;

    node_id input(const tensor_type& type) {
        parameters.push_back(build.input("", type));
        return parameters.back();
    }
    node_id constant(const tensor& t) { return build.constant(t); }
    node_id constant(float v) { return build.constant(tensor::scalar(v)); }
    node_id call(std::string_view op, std::initializer_list<node_id> operands, const tensor_type& type,
                 const attribute_map& attributes = {}) {
        return build.call(op, operands, attributes, type);
    }
    ir_module finish(std::initializer_list<node_id> results) {
        const node_id result = results.size() == 1 ? *results.begin() : build.tuple(std::vector<node_id>(results));
        build.declare(build.function(parameters, result));
        return build.finish();
    }
};

/// The region of every call and projection of a program.
struct whole_region {
    ir_module module;
    user_lists users;
    region all;

    explicit whole_region(ir_module m) : module(std::move(m)), users(module), all(module, users, module.results(), calls(module)) {}

    static std::vector<node_id> calls(const ir_module& m) {
        std::vector<node_id> nodes;
        for (node_id n = 0; n < m.size(); ++n)
            if (m.kind(n) == node_kind::call || m.kind(n) == node_kind::projection) nodes.push_back(n);
        return nodes;
    }
    [[nodiscard]] region_view view() const { return all.view(); }
};

inline std::vector<tensor_type> result_types(const region_view& r) {
    std::vector<tensor_type> types;
    for (const value_id v : r.results) types.push_back(r.type(v));
    return types;
}

}  // namespace reference_test

#endif
