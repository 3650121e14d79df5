// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_LIST_PREPARED_PROGRAM_HPP
#define INLAY_CODEGEN_LIST_PREPARED_PROGRAM_HPP

#include <cstddef>
#include <string>
#include <vector>

#include <inlay/ir/ir_module.hpp>

namespace inlay {

/// A program that is ready to be planned: phases of back ends before partitioning have run on it.
struct prepared_program {
    static constexpr std::size_t everybody = static_cast<std::size_t>(-1);

    ir_module program;
    std::size_t backend = everybody;  // for whose sake it was made
    std::vector<std::string> phases;  // what was run, KIND.PHASE each
};

}  // namespace inlay

#endif
