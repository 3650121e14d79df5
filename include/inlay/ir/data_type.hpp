// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IR_DATA_TYPE_HPP
#define INLAY_IR_DATA_TYPE_HPP

#include <string>
#include <vector>

#include <inlay/graph/node_type.hpp>

namespace inlay {

/// An algebraic data type: what its values are made by. The fields of constructors may mention the type's own variables.
struct data_type {
    struct constructor {
        std::string name;
        std::vector<node_type> fields;

        friend bool operator==(const constructor&, const constructor&) = default;
    };

    std::string name;
    std::vector<std::string> variables;
    std::vector<constructor> constructors;
    bool external = false;  // what it is made of is known elsewhere

    friend bool operator==(const data_type&, const data_type&) = default;
};

}  // namespace inlay

#endif
