// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_IO_ONNX_EXPORT_OPTIONS_HPP
#define INLAY_IO_ONNX_EXPORT_OPTIONS_HPP

#include <string>
#include <vector>

#include <inlay/graph/concepts.hpp>

namespace inlay {

/// What is written to an ONNX model.
struct export_options {
    std::vector<node_id> region;  // nodes of one block that stand alone in the model; empty: the whole main function
    std::string name = "inlay";   // of the graph
};

}  // namespace inlay

#endif
