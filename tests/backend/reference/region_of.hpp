// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TESTS_BACKEND_REFERENCE_REGION_OF_HPP
#define INLAY_TESTS_BACKEND_REFERENCE_REGION_OF_HPP

#include "../small_graph.hpp"
#include "run_region.hpp"

namespace reference_test {

using inlay_test::whole_region;

/// A small program: inputs, constants and calls.
struct small_program {
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

inline std::vector<tensor_type> result_types(const region_view& r) {
    std::vector<tensor_type> types;
    for (const value_id v : r.results) types.push_back(r.type(v));
    return types;
}

}  // namespace reference_test

#endif
