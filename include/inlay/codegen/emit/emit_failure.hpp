// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_EMIT_EMIT_FAILURE_HPP
#define INLAY_CODEGEN_EMIT_EMIT_FAILURE_HPP

#include <cstddef>
#include <string>

namespace inlay {

/// A candidate whose back end made no code for it, and why.
struct emit_failure {
    std::size_t candidate = 0;
    std::string reason;
};

}  // namespace inlay

#endif
